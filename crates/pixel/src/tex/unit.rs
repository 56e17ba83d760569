//! A texture unit's words, taken apart once per state change.

use super::Bundles;
use super::format::{Class, Format, Layout, Texel};
use super::image::Source;
use super::lod::CertainLevels;
use isotherm_bus::bundle::DmaSpan;
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;
use isotherm_regs::{Chip, Family};
use std::sync::Arc;

/// What an axis does outside the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// Start again.
    Repeat,
    /// Run back and forth.
    Mirror,
    /// Repeat the edge texel.
    ClampToEdge,
    /// Show the border.
    ClampToBorder,
    /// GL's old CLAMP: the coordinate is clamped to the image's edge, where a
    /// linear filter still sees half of the border.
    Clamp,
}

impl Wrap {
    fn new(code: u32) -> Wrap {
        match code {
            b::TEX_WRAP_MODE::MIRRORED_REPEAT => Wrap::Mirror,
            b::TEX_WRAP_MODE::CLAMP_TO_EDGE => Wrap::ClampToEdge,
            b::TEX_WRAP_MODE::CLAMP_TO_BORDER => Wrap::ClampToBorder,
            b::TEX_WRAP_MODE::CLAMP => Wrap::Clamp,
            _ => Wrap::Repeat,
        }
    }
}

/// A filter within one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    /// One texel.
    Nearest,
    /// 2, 4 or 8 texels.
    Linear,
    /// A 3x3 kernel around the nearest texel.
    Convolution,
}

/// How levels are chosen when minifying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mip {
    /// Level 0.
    Base,
    /// The nearest level.
    Nearest,
    /// Two levels, blended.
    Linear,
}

/// Weights of the 3x3 kernel: centre, edge, corner, in sixteenths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// Centre 1/2, corners 1/8.
    Quincunx,
    /// 1 2 1 / 2 4 2 / 1 2 1.
    Gaussian,
}

impl Kernel {
    /// Weights of centre, edge and corner.
    pub(super) fn weights(self) -> [u32; 3] {
        match self {
            Kernel::Quincunx => [8, 0, 2],
            Kernel::Gaussian => [4, 2, 1],
        }
    }
}

/// What selects code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Control {
    /// Format class.
    pub class: Class,
    /// Coordinates are in texels.
    pub rect: bool,
    /// The image has six faces.
    pub cube: bool,
    /// Axes of the image: 1, 2 or 3.
    pub dims: u8,
    /// Wrap modes of s, t, r.
    pub wrap: [Wrap; 3],
    /// Border texels come from the image.
    pub border: bool,
    /// Filter when magnifying.
    pub mag: Filter,
    /// Filter when minifying.
    pub min: Filter,
    /// Levels when minifying.
    pub mip: Mip,
    /// The convolution's kernel.
    pub kernel: Kernel,
    /// log2 of the largest anisotropy.
    pub aniso: u8,
    /// Signed components R, G, B, A.
    pub signed: [bool; 4],
    /// A texel whose alpha is 0 kills the fragment.
    pub alpha_kill: bool,
    /// The colour key kills.
    pub key_kill: bool,
    /// Comparison of depth textures, the coordinate on the left.
    pub compare: u8,
    /// Depth texels are floats.
    pub depth_float: bool,
    /// Depth texels have 24 bits.
    pub depth24: bool,
    /// Texel centres lie at integers for nearest / linear filters (Celsius).
    pub centred: [bool; 2],
    /// The lanes' path may take it: a flat image of unsigned bytes, no border,
    /// nothing that kills.
    pub plain: bool,
}

impl Control {
    /// Does the result depend on the footprint?
    #[inline(always)]
    pub fn needs_lod(&self) -> bool {
        self.mip != Mip::Base || self.mag != self.min || self.aniso != 0
    }

    fn is_plain(&self) -> bool {
        static GENERAL: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        let general =
            *GENERAL.get_or_init(|| std::env::var_os("ISOTHERM_GENERAL_TEXTURES").is_some());
        let edgeless = |w: Wrap| matches!(w, Wrap::Repeat | Wrap::Mirror | Wrap::ClampToEdge);
        !general
            && matches!(self.class, Class::Bytes | Class::Yuv)
            && self.signed == [false; 4]
            && !self.cube
            && self.dims == 2
            && !self.border
            && edgeless(self.wrap[0])
            && edgeless(self.wrap[1])
            && self.mag != Filter::Convolution
            && self.min != Filter::Convolution
            && self.aniso == 0
            && !self.alpha_kill
            && !self.key_kill
    }
}

/// What is data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// Size of level 0.
    pub size: [u32; 3],
    /// Border colour, A8R8G8B8.
    pub border_color: u32,
    /// Level-of-detail bias, 8 fraction bits.
    pub lod_bias: i32,
    /// Level-of-detail limits, 8 fraction bits.
    pub lod_range: [i32; 2],
    /// Index of the last level.
    pub last_level: i32,
}

/// A texture unit that samples something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What selects code.
    pub control: Control,
    /// What is data.
    pub data: Data,
    /// Where the image comes from.
    pub source: Source,
    /// Address and length of the texels and of the palette.
    pub(crate) reads: [(u32, usize); 2],
    /// When a level is certain.
    pub(super) certain: CertainLevels,
}

impl Unit {
    /// Derives unit `i` from the words; `None` if it is switched off.
    pub fn prepare(chip: Chip, bundles: &Bundles, dma: [DmaSpan; 2], i: usize) -> Option<Unit> {
        let celsius = chip.family() == Family::Celsius;
        let control = bundles.TEX_CONTROL[i];
        if !b::TEX_CONTROL::ENABLE.is_set(chip, control) {
            return None;
        }
        let format_word = bundles.TEX_FORMAT[i];
        let shape = Shape::new(chip, format_word, bundles.TEX_RECT[i]);
        let Shape {
            format,
            rect,
            cube,
            dims,
            border,
            size,
            levels,
        } = shape;
        let key_mode = b::TEX_CONTROL::COLOR_KEY_MODE.get(chip, control) as u8;
        let filter = bundles.TEX_FILTER[i];
        let (min, mip) = min_filter(b::TEX_FILTER::MINIFY.get(chip, filter));
        let signed = [
            b::TEX_FILTER::SIGNED_R,
            b::TEX_FILTER::SIGNED_G,
            b::TEX_FILTER::SIGNED_B,
            b::TEX_FILTER::SIGNED_A,
        ]
        .map(|f| f.is_set(chip, filter));
        let centre = |f: Field| celsius && f.get(chip, format_word) == b::TEX_ORIGIN::CENTER;
        let source = source(chip, bundles, dma, i, &shape);
        let mut unit = Unit {
            control: Control {
                class: format.texel.class(),
                rect,
                cube,
                dims,
                wrap: wraps(chip, format_word, bundles.TEX_WRAP[i]),
                border,
                mag: mag_filter(chip, b::TEX_FILTER::MAGNIFY.get(chip, filter)),
                min,
                mip: if levels == 1 { Mip::Base } else { mip },
                kernel: kernel(b::TEX_FILTER::CONVOLUTION_KERNEL.get(chip, filter)),
                aniso: b::TEX_CONTROL::ANISOTROPY.get(chip, control) as u8,
                signed,
                alpha_kill: b::TEX_CONTROL::ALPHA_KILL.is_set(chip, control),
                key_kill: key_mode == 3,
                compare: compare_function(chip, bundles.TEX_ZCOMP, i),
                depth_float: matches!(format.texel, Texel::Y24Float | Texel::Z16Float),
                depth24: matches!(format.texel, Texel::Y24 | Texel::Y24Float),
                centred: [
                    centre(b::TEX_FORMAT::ORIGIN_ZOH),
                    centre(b::TEX_FORMAT::ORIGIN_FOH),
                ],
                plain: false,
            },
            data: Data {
                size,
                border_color: if celsius {
                    0
                } else {
                    bundles.TEX_BORDER_COLOR[i]
                },
                lod_bias: b::TEX_FILTER::LOD_BIAS.get_signed(chip, filter),
                lod_range: [b::TEX_CONTROL::MIN_LOD, b::TEX_CONTROL::MAX_LOD]
                    .map(|f| f.get(chip, control) as i32),
                last_level: levels as i32 - 1,
            },
            reads: source.reads(),
            source,
            certain: CertainLevels::NEVER,
        };
        let small = unit.data.size.iter().all(|&s| s < SMALL);
        unit.control.plain = unit.control.is_plain() && small;
        if unit.control.plain {
            unit.certain = CertainLevels::new(&unit);
        }
        Some(unit)
    }
}

/// All that a unit is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Words {
    words: [u32; 11],
    dma: [u32; 2],
    number: usize,
    chip: Chip,
}

impl Words {
    fn new(chip: Chip, bundles: &Bundles, dma: [DmaSpan; 2], i: usize) -> Words {
        Words {
            words: [
                bundles.TEX_OFFSET[i],
                bundles.TEX_FORMAT[i],
                bundles.TEX_CONTROL[i],
                bundles.TEX_FILTER[i],
                bundles.TEX_WRAP[i],
                bundles.TEX_RECT[i],
                bundles.TEX_PITCH[i],
                bundles.TEX_PALETTE[i],
                bundles.TEX_BORDER_COLOR[i],
                bundles.TEX_COLOR_KEY[i],
                bundles.TEX_ZCOMP,
            ],
            dma: dma.map(|span| span.base),
            number: i,
            chip,
        }
    }

    /// Where a unit of these words is kept. Textures lie at other addresses, and at multiples of
    /// their sizes.
    fn place(&self) -> usize {
        let [offset, format, ..] = self.words;
        let mixed = (offset ^ format.rotate_left(8)).wrapping_mul(0x9e37_79b1);
        (mixed >> 16) as usize % KEPT
    }
}

/// Units that are kept.
const KEPT: usize = 128;

/// Units that were prepared before: games take turns with the same textures.
#[derive(Debug, Default)]
pub struct UnitCache(Vec<Option<(Words, Option<Arc<Unit>>)>>);

impl UnitCache {
    /// The same as [`Unit::prepare`].
    pub fn get(
        &mut self,
        chip: Chip,
        bundles: &Bundles,
        dma: [DmaSpan; 2],
        i: usize,
    ) -> Option<Arc<Unit>> {
        self.0.resize(KEPT, None);
        let words = Words::new(chip, bundles, dma, i);
        let kept = &mut self.0[words.place()];
        match kept {
            Some((of, unit)) if *of == words => unit.clone(),
            _ => {
                let unit = Unit::prepare(chip, bundles, dma, i).map(Arc::new);
                *kept = Some((words, unit.clone()));
                unit
            }
        }
    }
}

/// Plain textures have fewer texels along each side than this: products of a row and a width
/// are taken with sixteen bits each.
pub(super) const SMALL: u32 = 1 << 15;

/// What a unit's image looks like.
struct Shape {
    format: Format,
    /// Rows of texels, coordinates in texels.
    rect: bool,
    cube: bool,
    dims: u8,
    /// The image brings texels beyond its edges.
    border: bool,
    size: [u32; 3],
    levels: u32,
}

impl Shape {
    fn new(chip: Chip, format_word: u32, rect_word: u32) -> Shape {
        let field = |f: Field| f.get(chip, format_word);
        let format = Format::of(chip, field(b::TEX_FORMAT::FORMAT));
        let rect = format.layout == Layout::Linear;
        let cube = !rect && field(b::TEX_FORMAT::CUBE_MAP) != 0;
        let dims = match (rect || cube, field(b::TEX_FORMAT::MODE)) {
            (false, b::TEX_MODE::D1) => 1,
            (false, b::TEX_MODE::D3) => 3,
            _ => 2,
        };
        let size = if rect {
            linear_size(chip, rect_word)
        } else {
            swizzled_size(chip, format_word, dims)
        };
        let longest = size.iter().max().copied().unwrap_or(1).ilog2() + 1;
        Shape {
            format,
            rect,
            cube,
            dims,
            border: chip.family() != Family::Celsius
                && !rect
                && field(b::TEX_FORMAT::BORDER_TYPE) == b::BORDER_TYPE::INCLUDED,
            size,
            levels: if rect {
                1
            } else {
                field(b::TEX_FORMAT::MIPS).clamp(1, longest)
            },
        }
    }
}

/// Where the image of unit `i` lies and how its texels become colours.
fn source(chip: Chip, bundles: &Bundles, dma: [DmaSpan; 2], i: usize, shape: &Shape) -> Source {
    let palette = |f: Field| f.get(chip, bundles.TEX_PALETTE[i]);
    let object = |n: u32| dma[n as usize & 1].base;
    let image = object(b::TEX_FORMAT::DMA.get(chip, bundles.TEX_FORMAT[i]));
    Source {
        addr: image.wrapping_add(bundles.TEX_OFFSET[i]),
        format: shape.format,
        size: shape.size,
        dims: shape.dims,
        levels: shape.levels as u8,
        cube: shape.cube,
        border: shape.border,
        pitch: b::TEX_PITCH::PITCH.get(chip, bundles.TEX_PITCH[i]),
        palette: object(palette(b::TEX_PALETTE::DMA))
            .wrapping_add(palette(b::TEX_PALETTE::OFFSET) << 6),
        palette_len: 256 >> palette(b::TEX_PALETTE::LENGTH),
        // Switched by two RDI words that every known driver of the
        // console sets; nothing says that the PC chips have it.
        noise: chip == Chip::Nv2a,
        key_mode: b::TEX_CONTROL::COLOR_KEY_MODE.get(chip, bundles.TEX_CONTROL[i]) as u8,
        key: bundles.TEX_COLOR_KEY[i],
    }
}

/// Width, height and depth of an image in rows.
fn linear_size(chip: Chip, rect: u32) -> [u32; 3] {
    [
        b::TEX_RECT::WIDTH.get(chip, rect).max(1),
        b::TEX_RECT::HEIGHT.get(chip, rect).max(1),
        1,
    ]
}

/// Width, height and depth of an image in Morton order: powers of two.
fn swizzled_size(chip: Chip, format: u32, dims: u8) -> [u32; 3] {
    let axis = |log2: Field, on: bool| if on { 1 << log2.get(chip, format) } else { 1 };
    [
        axis(b::TEX_FORMAT::SIZE_S, true),
        axis(b::TEX_FORMAT::SIZE_T, dims >= 2),
        axis(b::TEX_FORMAT::SIZE_R, dims == 3),
    ]
}

/// How unit `i` compares depths; before NV25 all units do it alike.
fn compare_function(chip: Chip, zcomp: u32, i: usize) -> u8 {
    let units = [
        b::TEX_ZCOMP::TEX0_MODE,
        b::TEX_ZCOMP::TEX1_MODE,
        b::TEX_ZCOMP::TEX2_MODE,
        b::TEX_ZCOMP::TEX3_MODE,
    ];
    let field = if chip.since(Chip::Nv25) {
        units[i & 3]
    } else {
        b::TEX_ZCOMP::MODE
    };
    field.get(chip, zcomp) as u8
}

fn kernel(code: u32) -> Kernel {
    match code {
        b::CONVOLUTION_KERNEL::QUINCUNX => Kernel::Quincunx,
        _ => Kernel::Gaussian,
    }
}

fn mag_filter(chip: Chip, code: u32) -> Filter {
    match code {
        b::MAG_FILTER::LINEAR => Filter::Linear,
        b::MAG_FILTER::CONVOLUTION if chip.family() != Family::Celsius => Filter::Convolution,
        _ => Filter::Nearest,
    }
}

fn min_filter(code: u32) -> (Filter, Mip) {
    match code {
        b::MIN_FILTER::LINEAR => (Filter::Linear, Mip::Base),
        b::MIN_FILTER::NEAREST_MIPMAP_NEAREST => (Filter::Nearest, Mip::Nearest),
        b::MIN_FILTER::LINEAR_MIPMAP_NEAREST => (Filter::Linear, Mip::Nearest),
        b::MIN_FILTER::NEAREST_MIPMAP_LINEAR => (Filter::Nearest, Mip::Linear),
        b::MIN_FILTER::LINEAR_MIPMAP_LINEAR => (Filter::Linear, Mip::Linear),
        b::MIN_FILTER::CONVOLUTION => (Filter::Convolution, Mip::Base),
        _ => (Filter::Nearest, Mip::Base),
    }
}

fn wraps(chip: Chip, format: u32, wrap: u32) -> [Wrap; 3] {
    if chip.family() == Family::Celsius {
        [
            Wrap::new(b::TEX_FORMAT::WRAP_S.get(chip, format)),
            Wrap::new(b::TEX_FORMAT::WRAP_T.get(chip, format)),
            Wrap::Repeat,
        ]
    } else {
        [
            b::TEX_WRAP::WRAP_S,
            b::TEX_WRAP::WRAP_T,
            b::TEX_WRAP::WRAP_R,
        ]
        .map(|f| Wrap::new(f.get(chip, wrap)))
    }
}

/// The bits of s, t and r.
const CYLINDERS: [Field; 3] = [
    b::TEX_WRAP::WRAP_S_CYL,
    b::TEX_WRAP::WRAP_T_CYL,
    b::TEX_WRAP::WRAP_R_CYL,
];

/// Which coordinates of which texture sets wrap around a cylinder: the bit is set
/// and the axis repeats. The rasteriser asks this once per state change and moves
/// vertex coordinates per triangle with [`unwrap_cylinder`].
pub fn cylinder_axes(chip: Chip, bundles: &Bundles) -> [[bool; 4]; 4] {
    std::array::from_fn(|i| {
        if chip.family() == Family::Celsius {
            let format = bundles.TEX_FORMAT[i.min(1)];
            let wrap = wraps(chip, format, 0);
            return [
                i < 2 && wrap[0] == Wrap::Repeat && b::TEX_FORMAT::WRAP_S_CYL.is_set(chip, format),
                i < 2 && wrap[1] == Wrap::Repeat && b::TEX_FORMAT::WRAP_T_CYL.is_set(chip, format),
                false,
                false,
            ];
        }
        let word = bundles.TEX_WRAP[i];
        if CYLINDERS.iter().all(|bit| !bit.is_set(chip, word)) {
            return [false; 4];
        }
        let wrap = wraps(chip, 0, word);
        [
            wrap[0] == Wrap::Repeat && b::TEX_WRAP::WRAP_S_CYL.is_set(chip, word),
            wrap[1] == Wrap::Repeat && b::TEX_WRAP::WRAP_T_CYL.is_set(chip, word),
            wrap[2] == Wrap::Repeat && b::TEX_WRAP::WRAP_R_CYL.is_set(chip, word),
            // q has a bit but no wrap mode; nothing is known to use it.
            false,
        ]
    })
}

/// Moves one coordinate of a triangle's vertices so that none is more than half a
/// turn from the first (TextureWrapMode/CylinderWrapping).
pub fn unwrap_cylinder(c: &mut [f32; 3]) {
    let first = c[0];
    for v in &mut c[1..] {
        if *v - first > 0.5 {
            *v -= 1.0;
        } else if *v - first < -0.5 {
            *v += 1.0;
        }
    }
}
