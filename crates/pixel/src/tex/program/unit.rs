//! A unit's words.

use super::Output;
use super::axis::{Axis, Wrap};
use super::format::{self, Kind};
use crate::tex::Bundles;
use crate::tex::format::{Layout, Texel};
use crate::tex::image::{Image, Level, Source};
use crate::tex::lanes::{Rules, SimpleLevel};
use crate::tex::unit::{Filter, Mip};
use isotherm_bus::bundle::DmaSpan;
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;

/// Words of a unit that a program samples.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramUnit {
    /// A texel whose alpha is 0 gives the pixel up.
    pub(crate) kills: bool,
    pub(super) source: Source,
    pub(super) kind: Kind,
    pub(super) wrap: [Wrap; 3],
    /// Coordinates are in texels.
    pub(super) rect: bool,
    /// The magnifying and the minifying filter are linear.
    pub(super) linear: [bool; 2],
    pub(super) mip: Mip,
    /// The largest ratio of a footprint's sides, 1 without anisotropic filtering.
    pub(super) aniso: f32,
    /// Eight fraction bits, as the limits.
    pub(super) lod_bias: i32,
    pub(super) lod_range: [i32; 2],
    /// In the units of the texels.
    pub(super) border: [f32; 4],
    /// R, G, B are not linear.
    pub(super) gamma: [bool; 3],
    /// Comparison of depths.
    pub(super) compare: u8,
    pub(super) output: Output,
    /// Every blend of two texels is rounded to their own precision.
    pub(super) rounds: bool,
    /// Curie's half floats: blends have fifteen bits, the result is a half float.
    pub(super) half_floats: bool,
    /// In the very middle of four texels there is one rounding instead of two.
    pub(super) middle: bool,
    /// Texels of level 0 per unit of the coordinates; 0 for axes that do not count.
    pub(super) scales: [f32; 3],
    /// The lanes' path can take it.
    pub(super) flat: bool,
}

/// Curie rounds coordinates at twelve fraction bits before it cuts them to eight: the RSX's
/// interpolated coordinates lie a hair beside the exact ones, its texels do not show it. Any
/// number of bits from nine to fifteen fits.
const NUDGE: f32 = 1.0 / 32.0;

/// Index of the magnifying filter.
pub(super) const MAG: usize = 0;
/// Index of the minifying filter.
pub(super) const MIN: usize = 1;

impl ProgramUnit {
    /// Where its image comes from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Unit `unit` as the words describe it; `None` if it is off, or nobody can read it.
    pub fn prepare(
        chip: Chip,
        bundles: &Bundles,
        spans: [DmaSpan; 2],
        unit: usize,
    ) -> Option<ProgramUnit> {
        let control = bundles.TEX_CONTROL[unit];
        if !b::TEX_CONTROL::ENABLE.is_set(chip, control) {
            return None;
        }
        let (source, kind, rect) = source(chip, bundles, spans, unit)?;
        let filter = bundles.TEX_FILTER[unit];
        let (min, mip) = minify(b::TEX_FILTER::MINIFY.get(chip, filter));
        let mag = b::TEX_FILTER::MAGNIFY.get(chip, filter) >= b::MAG_FILTER::LINEAR;
        // The driver says that 32-bit floats are not filtered.
        let filtered = !matches!(source.format.texel, Texel::R32f | Texel::Rgba32f);
        let mip = match mip {
            _ if source.levels == 1 => Mip::Base,
            Mip::Linear if !filtered => Mip::Nearest,
            mip => mip,
        };
        let wrap_word = bundles.TEX_WRAP[unit];
        let gamma = b::TEX_WRAP::GAMMA_DECREASE_FILTER.get(chip, wrap_word);
        let signed = signed(chip, filter, &source, kind);
        let output = Output::new(
            chip,
            kind,
            signed,
            b::TEX_WRAP::EXPAND_NORMAL.is_set(chip, wrap_word),
            bundles.TEX_PITCH[unit],
        );
        let mut unit = ProgramUnit {
            source,
            kind,
            kills: b::TEX_CONTROL::ALPHA_KILL.is_set(chip, control),
            wrap: wraps(chip, wrap_word),
            rect,
            linear: [mag && filtered, min && filtered],
            mip,
            aniso: anisotropy(chip, control),
            lod_bias: b::TEX_FILTER::LOD_BIAS.get_signed(chip, filter),
            lod_range: [b::TEX_CONTROL::MIN_LOD, b::TEX_CONTROL::MAX_LOD]
                .map(|f| f.get(chip, control) as i32),
            border: border(chip, bundles.TEX_BORDER_COLOR[unit], &output),
            // rnndb: bits for red, green, blue.
            gamma: [0, 1, 2].map(|c| kind == Kind::Bytes && gamma >> c & 1 != 0),
            compare: b::TEX_WRAP::ZCOMP.get(chip, wrap_word) as u8,
            output,
            rounds: false,
            half_floats: kind == Kind::Floats && filtered && chip.since(Chip::Nv40),
            middle: chip.since(Chip::Nv40),
            scales: [0.0; 3],
            flat: false,
        };
        unit.scales = unit.scales();
        // Light made of sRGB bytes is a float.
        unit.rounds = match kind {
            Kind::Bytes | Kind::Yuv | Kind::Halves(_) => unit.gamma == [false; 3],
            Kind::Depth { .. } | Kind::Floats => false,
        };
        unit.flat = unit.is_flat();
        Some(unit)
    }

    fn is_flat(&self) -> bool {
        self.kind == Kind::Bytes
            && self.output.signed == [false; 4]
            && self.gamma == [false; 3]
            && !self.source.cube
            && !self.source.border
            && self.source.dims <= 2
            && self.aniso == 1.0
            && !self.key_kills()
    }

    /// Does a texel that matches the colour key give the pixel up?
    #[inline(always)]
    pub(crate) fn key_kills(&self) -> bool {
        u32::from(self.source.key_mode) == b::COLOR_KEY::KILL
    }

    /// Can the border colour be seen?
    #[inline(always)]
    pub(super) fn shows_border(&self) -> bool {
        !self.wrap[0].edgeless() || self.source.dims > 1 && !self.wrap[1].edgeless()
    }

    /// Does the result depend on the footprint?
    #[inline(always)]
    pub(super) fn needs_lod(&self) -> bool {
        self.mip != Mip::Base || self.linear[MAG] != self.linear[MIN] || self.aniso != 1.0
    }

    /// Axis `k` of level `n`. Axes that the image does not have are one texel. Coordinates
    /// in texels are believed to be those of level 0.
    #[inline(always)]
    pub(super) fn axis(&self, level: &Level, n: usize, k: usize) -> Axis {
        let has = k < usize::from(self.source.dims);
        let size = if has { level.size[k] } else { 1 };
        Axis {
            wrap: if has { self.wrap[k] } else { Wrap::Edge },
            size,
            scale: if self.rect {
                1.0 / (1 << n) as f32
            } else {
                size as f32
            },
            border: self.source.border && has,
            nudge: if self.middle { NUDGE } else { 0.0 },
        }
    }

    /// Its levels, if they are sampled by the shortest way: as flat images without a border.
    pub(super) fn simple_levels(&self, image: &Image) -> Option<Vec<[SimpleLevel; 2]>> {
        if !self.flat || self.source.dims != 2 {
            return None;
        }
        let levels = image.levels.iter().enumerate();
        levels
            .map(|(n, level)| {
                let axes = [self.axis(level, n, 0), self.axis(level, n, 1)];
                let wrap = [axes[0].simple_wrap()?, axes[1].simple_wrap()?];
                let with = |filter, offset| {
                    let rules = Rules {
                        filter,
                        wrap,
                        scale: axes.map(|axis| axis.scale * 256.0),
                        offset,
                        nudge: axes[0].nudge,
                        middle: self.middle,
                    };
                    SimpleLevel::checked(image, level, rules)
                };
                Some([with(Filter::Nearest, 0)?, with(Filter::Linear, -128)?])
            })
            .collect()
    }

    fn scales(&self) -> [f32; 3] {
        std::array::from_fn(|k| {
            if k >= usize::from(self.source.dims) {
                0.0
            } else if self.rect {
                1.0
            } else {
                self.source.size[k] as f32
            }
        })
    }
}

/// The image, and whether coordinates are in texels.
fn source(
    chip: Chip,
    bundles: &Bundles,
    spans: [DmaSpan; 2],
    unit: usize,
) -> Option<(Source, Kind, bool)> {
    let curie = chip.since(Chip::Nv40);
    let word = bundles.TEX_FORMAT[unit];
    let field = |f: Field| f.get(chip, word);
    let (format, kind) = format::of(chip, word)?;
    let linear = format.layout == Layout::Linear;
    // Rankine's linear formats always count texels.
    let rect = if curie {
        b::TEX_FORMAT::RECT.is_set(chip, word)
    } else {
        linear
    };
    let cube = b::TEX_FORMAT::CUBE_MAP.is_set(chip, word) && !rect;
    let dims = match field(b::TEX_FORMAT::MODE) {
        _ if cube || rect => 2,
        b::TEX_MODE::D1 => 1,
        b::TEX_MODE::D3 => 3,
        _ => 2,
    };
    let mut size = if curie || linear {
        let rect = bundles.TEX_RECT[unit];
        let depth = bundles.TEX_CONTROL_D[unit];
        [
            b::TEX_RECT::WIDTH.get(chip, rect),
            b::TEX_RECT::HEIGHT.get(chip, rect),
            b::TEX_CONTROL_D::DEPTH.get(chip, depth),
        ]
    } else {
        [
            b::TEX_FORMAT::SIZE_S,
            b::TEX_FORMAT::SIZE_T,
            b::TEX_FORMAT::SIZE_R,
        ]
        .map(|f| 1 << field(f))
    };
    size[usize::from(dims)..].fill(1);
    if size.contains(&0) {
        return None;
    }
    let longest = size.iter().max().copied().unwrap_or(1).ilog2() + 1;
    let pitch = if curie {
        b::TEX_CONTROL_D::PITCH.get(chip, bundles.TEX_CONTROL_D[unit])
    } else {
        b::TEX_PITCH::PITCH.get(chip, bundles.TEX_PITCH[unit])
    };
    let palette = bundles.TEX_PALETTE[unit];
    let base = |second: bool| spans[usize::from(second)].base;
    // Keys are compared with texels of one word.
    let key_mode = match kind {
        Kind::Bytes => b::TEX_CONTROL::COLOR_KEY_MODE.get(chip, bundles.TEX_CONTROL[unit]),
        _ => b::COLOR_KEY::NONE,
    };
    let source = Source {
        addr: base(b::TEX_FORMAT::DMA.is_set(chip, word)).wrapping_add(bundles.TEX_OFFSET[unit]),
        format,
        size,
        dims,
        levels: field(b::TEX_FORMAT::MIPS).clamp(1, longest) as u8,
        cube,
        border: !linear && field(b::TEX_FORMAT::BORDER_TYPE) == b::BORDER_TYPE::INCLUDED,
        pitch,
        palette: base(b::TEX_PALETTE::DMA.is_set(chip, palette))
            .wrapping_add(b::TEX_PALETTE::OFFSET.get(chip, palette) << 6),
        palette_len: 256 >> b::TEX_PALETTE::LENGTH.get(chip, palette),
        noise: false,
        key_mode: key_mode as u8,
        key: bundles.TEX_COLOR_KEY[unit],
    };
    Some((source, kind, rect))
}

/// Whether the filter within a level is linear, and how levels are chosen. Convolutions,
/// which no driver asks these chips for, are taken for linear filters.
fn minify(code: u32) -> (bool, Mip) {
    match code {
        b::MIN_FILTER::LINEAR | b::MIN_FILTER::CONVOLUTION => (true, Mip::Base),
        b::MIN_FILTER::NEAREST_MIPMAP_NEAREST => (false, Mip::Nearest),
        b::MIN_FILTER::LINEAR_MIPMAP_NEAREST => (true, Mip::Nearest),
        b::MIN_FILTER::NEAREST_MIPMAP_LINEAR => (false, Mip::Linear),
        b::MIN_FILTER::LINEAR_MIPMAP_LINEAR => (true, Mip::Linear),
        _ => (false, Mip::Base),
    }
}

fn wraps(chip: Chip, word: u32) -> [Wrap; 3] {
    use b::CURIE_TEX_WRAP_MODE as C;
    use b::TEX_WRAP_MODE as R;
    if chip.since(Chip::Nv40) {
        let fields = [
            b::TEX_WRAP::CURIE_WRAP_S,
            b::TEX_WRAP::CURIE_WRAP_T,
            b::TEX_WRAP::CURIE_WRAP_R,
        ];
        return fields.map(|f| match f.get(chip, word) {
            C::MIRRORED_REPEAT => Wrap::Mirror,
            C::CLAMP_TO_EDGE => Wrap::Edge,
            C::CLAMP_TO_BORDER => Wrap::Border,
            C::CLAMP => Wrap::Clamp,
            C::MIRROR_CLAMP_TO_EDGE => Wrap::MirrorEdge,
            C::MIRROR_CLAMP_TO_BORDER => Wrap::MirrorBorder,
            C::MIRROR_CLAMP => Wrap::MirrorClamp,
            _ => Wrap::Repeat,
        });
    }
    let fields = [
        b::TEX_WRAP::WRAP_S,
        b::TEX_WRAP::WRAP_T,
        b::TEX_WRAP::WRAP_R,
    ];
    fields.map(|f| match f.get(chip, word) {
        R::MIRRORED_REPEAT => Wrap::Mirror,
        R::CLAMP_TO_EDGE => Wrap::Edge,
        R::CLAMP_TO_BORDER => Wrap::Border,
        R::CLAMP => Wrap::Clamp,
        _ => Wrap::Repeat,
    })
}

fn signed(chip: Chip, filter: u32, source: &Source, kind: Kind) -> [bool; 4] {
    let asked = [
        b::TEX_FILTER::SIGNED_R,
        b::TEX_FILTER::SIGNED_G,
        b::TEX_FILTER::SIGNED_B,
        b::TEX_FILTER::SIGNED_A,
    ]
    .map(|f| f.is_set(chip, filter));
    match kind {
        Kind::Halves(_) if source.format.texel == Texel::SignedHilo8 => [true; 4],
        Kind::Bytes | Kind::Halves(_) => asked,
        _ => [false; 4],
    }
}

fn anisotropy(chip: Chip, control: u32) -> f32 {
    use b::CURIE_ANISOTROPY as C;
    if chip.since(Chip::Nv40) {
        match b::TEX_CONTROL::CURIE_ANISOTROPY.get(chip, control) {
            C::X2 => 2.0,
            C::X4 => 4.0,
            C::X6 => 6.0,
            C::X8 => 8.0,
            C::X10 => 10.0,
            C::X12 => 12.0,
            C::X16 => 16.0,
            _ => 1.0,
        }
    } else {
        match b::TEX_CONTROL::ANISOTROPY.get(chip, control) {
            b::ANISOTROPY::X2 => 2.0,
            b::ANISOTROPY::X4 => 4.0,
            b::ANISOTROPY::X8 => 8.0,
            _ => 1.0,
        }
    }
}

/// The border colour in the units of the texels, as if it were one of them.
fn border(chip: Chip, word: u32, output: &Output) -> [f32; 4] {
    let fields = [
        b::TEX_BORDER_COLOR::R,
        b::TEX_BORDER_COLOR::G,
        b::TEX_BORDER_COLOR::B,
        b::TEX_BORDER_COLOR::A,
    ];
    std::array::from_fn(|c| {
        let byte = fields[c].get(chip, word);
        if output.unit[c] == 255.0 {
            byte as f32
        } else {
            byte as f32 / 255.0 * output.unit[c]
        }
    })
}
