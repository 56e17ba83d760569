//! The classes of the 2D engine.

/// What an object of a class does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class2d {
    /// Bound to mean "nothing".
    Null,
    /// The blend factor of all channels.
    Beta1,
    /// The blend factor of each channel.
    Beta4,
    /// The raster operation.
    Rop,
    /// The clip rectangle.
    Clip,
    /// The colour that is not drawn.
    Chroma,
    /// The pattern of raster operations.
    Pattern,
    /// Source and destination surface.
    Surfaces,
    /// A destination surface in Morton order.
    SwizzledSurface,
    /// Copies lines of bytes from memory to memory (M2MF).
    MemoryCopy,
    /// Copies a rectangle from surface to surface.
    Blit,
    /// Lines.
    Lines,
    /// Rectangles of one colour.
    Rectangles,
    /// Rectangles and bitmaps of one colour, as GDI draws them.
    Gdi,
    /// An image whose pixels come as data (IFC).
    ImageFromCpu,
    /// An image from memory, scaled (SIFM).
    ScaledImage,
}

impl Class2d {
    /// What a class number means; `None` for classes that the engine does not have.
    pub(super) fn of(class: u32) -> Option<Class2d> {
        Some(match class {
            0x30 => Class2d::Null,
            0x12 => Class2d::Beta1,
            0x72 => Class2d::Beta4,
            0x43 => Class2d::Rop,
            0x19 => Class2d::Clip,
            0x17 | 0x57 => Class2d::Chroma,
            0x44 => Class2d::Pattern,
            0x42 | 0x62 => Class2d::Surfaces,
            0x52 | 0x9E | 0x39E | 0x309E => Class2d::SwizzledSurface,
            0x39 => Class2d::MemoryCopy,
            0x5F | 0x9F => Class2d::Blit,
            0x5C => Class2d::Lines,
            0x5E => Class2d::Rectangles,
            0x4A => Class2d::Gdi,
            0x61 | 0x65 | 0x8A => Class2d::ImageFromCpu,
            0x63 | 0x67 | 0x89 | 0x389 | 0x3089 => Class2d::ScaledImage,
            _ => return None,
        })
    }

    /// May this method read or write memory?
    pub(super) fn acts(self, method: u16) -> bool {
        match self {
            Class2d::Blit => method == 0x308,
            Class2d::Lines | Class2d::Rectangles | Class2d::Gdi => method >= 0x400,
            Class2d::ImageFromCpu => method >= 0x400,
            Class2d::ScaledImage => method == 0x40C,
            Class2d::MemoryCopy => method == 0x328,
            _ => false,
        }
    }

    /// Does this method draw, or go on with what is being drawn? Few of those that may.
    pub(super) fn draws(self, method: u16) -> bool {
        match self {
            Class2d::Gdi => matches!(method, 0x400..0x500 | 0x600..0x700 | 0x800..),
            _ => self.acts(method),
        }
    }
}
