//! What flows from the front end down the pipeline.

use isotherm_regs::bundle as id;
use isotherm_regs::bundle::{
    CLEAR_HV, CLIP_RECT_HORIZ, CLIP_RECT_VERT, RT_ENABLE, SLOTS, Unit, XF_D,
};
use isotherm_regs::{Chip, Family};

/// One thing that the front end pushes into the pipeline, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A bundle with the id of the chip's own family. `last` matters on Celsius only.
    Bundle {
        /// 6-bit (Celsius) or 9-bit id.
        id: u16,
        /// The whole word.
        value: u32,
        /// Last bundle of the method.
        last: bool,
    },
    /// A command to XF: mode words, context rows, program words.
    Xf {
        /// Command number.
        cmd: u8,
        /// Address within the command's space.
        addr: u16,
        /// Byte enables of the two words.
        be: u8,
        /// First word.
        a: u32,
        /// Second word.
        b: u32,
    },
    /// An immediate vertex attribute; writing the last component of attribute 0
    /// launches a vertex.
    Attr {
        /// Data format code.
        fmt: u8,
        /// Attribute number.
        attr: u8,
        /// Number of components in the method.
        ncomp: u8,
        /// Component written now.
        comp: u8,
        /// The data word.
        data: u32,
    },
    /// The edge flag of the vertices that follow.
    EdgeFlag(bool),
    /// A forward-differencer (patch) command.
    Fd {
        /// Command number.
        cmd: u16,
        /// Argument.
        arg: u32,
    },
    /// Vertex buffer `index` starts at `offset` of vertex DMA object `dma`.
    VertexOffset {
        /// Attribute (Kelvin and up: 16; Celsius: its own 8).
        index: u8,
        /// Which of the two vertex DMA objects.
        dma: u8,
        /// Byte offset.
        offset: u32,
    },
    /// Vertex buffer format word as the method gave it.
    VertexFormat {
        /// Attribute.
        index: u8,
        /// Type, components, stride.
        format: u32,
    },
    /// A primitive starts (GL number + 1).
    Begin {
        /// 1 points … 10 polygon.
        prim: u8,
    },
    /// The primitive ends.
    End,
    /// `count` consecutive vertices from the buffers, starting at `start`.
    Arrays {
        /// First vertex.
        start: u32,
        /// How many.
        count: u32,
    },
    /// One vertex from the buffers.
    Element(u32),
    /// Where the index buffer is (Rankine and up).
    IndexBuffer {
        /// Which of the two vertex DMA objects.
        dma: u8,
        /// Byte offset.
        offset: u32,
        /// 16-bit indices, else 32-bit ones.
        short: bool,
    },
    /// `count` vertices whose numbers are in the index buffer, from entry `start` on.
    Indexed {
        /// First entry.
        start: u32,
        /// How many.
        count: u32,
    },
    /// One word of inline vertex data.
    Inline(u32),
    /// A surface register changed.
    Surface {
        /// Which one.
        reg: SurfaceReg,
        /// The new value.
        value: u32,
    },
    /// A DMA object was attached to a role.
    Dma {
        /// The role.
        role: DmaRole,
        /// Where it lies in memory and how long it is.
        span: DmaSpan,
    },
    /// Clear the bound surfaces (the method's data: 1 Z, 2 stencil, 10h R … 80h A).
    Clear(u32),
    /// Write the z-pass counter's report at `offset` of the report object.
    Report {
        /// Report type.
        kind: u8,
        /// Byte offset.
        offset: u32,
    },
    /// Draws count from here on only if the report at this offset of the report object has a
    /// count that is not 0; always without one (Curie).
    RenderEnable {
        /// Byte offset.
        report: Option<u32>,
    },
    /// Release a semaphore: write `value` at the semaphore offset.
    SemaphoreRelease {
        /// Byte offset.
        offset: u32,
        /// The word to write.
        value: u32,
    },
    /// All earlier work is to be finished (WAIT_FOR_IDLE and the like).
    WaitIdle,
    /// Celsius keeps its window clip rectangles in the front end, not in bundles.
    CelsiusClipRect {
        /// Vertical bounds, not horizontal ones.
        vertical: bool,
        /// Which of the eight.
        index: u8,
        /// First coordinate \[11:0\], last \[27:16\], both signed.
        value: u32,
    },
    /// Celsius CONFIG_C, no bundle either: fog mode \[2:0\], clip rectangle mode \[4\].
    CelsiusConfig(u32),
}

/// Registers that describe the bound surfaces; method data as sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SurfaceReg {
    /// x origin \[15:0\], width \[31:16\].
    ClipHoriz,
    /// y origin \[15:0\], height \[31:16\].
    ClipVert,
    /// Colour, zeta, type, anti-aliasing, log2 sizes.
    Format,
    /// Colour pitch \[15:0\], zeta pitch \[31:16\].
    Pitch,
    /// Byte offset within the colour object.
    ColorOffset,
    /// Byte offset within the zeta object.
    ZetaOffset,
    /// Byte offset of colour target 1 to 3 within its object.
    MoreOffset(u8),
    /// Pitch of colour target 1 to 3.
    MorePitch(u8),
}

/// What a DMA object is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DmaRole {
    /// Texture object A or B.
    Tex(u8),
    /// Vertex object A or B.
    Vtx(u8),
    /// The colour surface.
    Color,
    /// Colour target 1 to 3 (Rankine has the first of them).
    MoreColor(u8),
    /// The depth surface.
    Zeta,
    /// Semaphores.
    Semaphore,
    /// Reports.
    Report,
    /// State save.
    State,
}

/// A span of memory, in the address space of [`crate::memory::Memory`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DmaSpan {
    /// First byte.
    pub base: u32,
    /// Last valid byte, relative to `base`.
    pub limit: u32,
}

/// The units in the order in which a bundle meets them. Each takes what it knows
/// ([`crate::unit`]) and passes everything on.
pub const PIPELINE: [Unit; 9] = [
    Unit::Idx,
    Unit::Xf,
    Unit::Assm,
    Unit::Raster,
    Unit::Zcull,
    Unit::Tex,
    Unit::Shader,
    Unit::Rc,
    Unit::Rop,
];

/// The last column and row of a window clip rectangle that lets everything through.
const OPEN_WINDOW: u32 = 0x7ff;

/// The word of every bundle in the context that drivers start from, by slot. The front end's
/// shadow registers and the units' own begin with them.
pub fn reset_words(chip: Chip) -> Box<[u32; SLOTS]> {
    let mut words = Box::new([0; SLOTS]);
    // Drivers that never set the clear rectangle clear whole surfaces, so the context they
    // start from must let them.
    for axis in 0..2 {
        words[id::CLEAR_HV.slot() + axis] = CLEAR_HV::MAX.with(chip, 0, u32::MAX);
    }
    // Linux' contexts begin with window clip rectangles that are open (nv34.c, ctxnv40.c).
    if chip.since(Chip::Nv30) {
        let horizontal = CLIP_RECT_HORIZ::RIGHT.with(chip, 0, OPEN_WINDOW);
        let vertical = CLIP_RECT_VERT::BOTTOM.with(chip, 0, OPEN_WINDOW);
        words[id::RT_ENABLE.slot()] = RT_ENABLE::COLOR0.with(chip, 0, 1);
        for i in 0..8 {
            words[id::CLIP_RECT_HORIZ.slot() + i] = horizontal;
            words[id::CLIP_RECT_VERT.slot() + i] = vertical;
        }
    }
    if chip.family() == Family::Curie {
        words[id::XF_D.slot()] = XF_D::TIMEOUT.with(chip, 0, u32::MAX);
    }
    words
}
