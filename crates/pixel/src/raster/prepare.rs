//! RASTER's words to its prepared state.

use super::clip::{Clip, intersect};
use super::fog::{Fog, Mode};
use super::{Bundles, LineStipple, Placing, RasterState, SpriteR, Window};
use isotherm_regs::Chip;
use isotherm_regs::Family;
use isotherm_regs::Word;
use isotherm_regs::bundle::{
    CLIP_RECT_HORIZ, CLIP_RECT_VERT, CONFIG_C, LINE_STIPPLE, RASTER, SCISSOR_HV, VIEWPORT_HV,
};
use isotherm_regs::bundle::{CONFIG_A, MULTISAMPLE};
use isotherm_regs::bundle::{
    CONFIG_B, POINT_SIZE, POINT_SPRITE_R_MODE, TXC_CYLWRAP, TXC_CYLWRAP_B, TXC_ENABLE, XF_TXC,
};
use isotherm_regs::bundle::{COORD_CENTER, COORD_ORIGIN, WINDOW_OFFSET, Z_CONFIG};
use isotherm_regs::field::Field;

impl RasterState {
    /// Derives the state. `config_c` is Celsius' own word; `surface` is the surface
    /// clip, pixels, max exclusive; `depth_of_one` is its depth where a vertex has 1.
    pub fn prepare(
        chip: Chip,
        bundles: &Bundles,
        config_c: u32,
        surface: [i32; 4],
        depth_of_one: f32,
    ) -> RasterState {
        let depth_scale = if chip.since(Chip::Nv30) {
            depth_of_one
        } else {
            1.0
        };
        let raster = bundles.RASTER;
        let config_a = bundles.CONFIG_A;
        let config_b = bundles.CONFIG_B;
        let float = |word: u32| f64::from(f32::from_bits(word));
        let on = |field: Field, word: u32| field.get(chip, word) != 0;
        let line_width = RASTER::LINE_WIDTH.get(chip, raster);
        let multisample = on(MULTISAMPLE::MULTISAMPLE_ENABLE, bundles.MULTISAMPLE);
        RasterState {
            perspective: on(CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE, config_b),
            two_side: on(RASTER::LIGHT_TWO_SIDE_ENABLE, raster),
            flat: !on(CONFIG_B::SHADE_MODE, config_b),
            offset: [
                on(RASTER::POLYGON_OFFSET_POINT_ENABLE, raster),
                on(RASTER::POLYGON_OFFSET_LINE_ENABLE, raster),
                on(RASTER::POLYGON_OFFSET_FILL_ENABLE, raster),
            ],
            offset_units: float(bundles.POLYGON_OFFSET_UNITS),
            offset_factor: float(bundles.POLYGON_OFFSET_FACTOR),
            line_width,
            strokes: chip.since(Chip::Nv30),
            point_size: point_size(chip, bundles.POINT_SIZE),
            point_params: on(CONFIG_B::POINT_PARAMS_ENABLE, config_b),
            sprite: sprite(chip, raster, config_b),
            sprite_r: match CONFIG_B::POINT_SPRITE_R_MODE.get(chip, config_b) {
                POINT_SPRITE_R_MODE::R => SpriteR::Vertex,
                POINT_SPRITE_R_MODE::S => SpriteR::S,
                _ => SpriteR::Zero,
            },
            stipple: stipple(chip, bundles, raster),
            line_stipple: line_stipple(chip, bundles.LINE_STIPPLE),
            depth_scale: f64::from(depth_scale),
            near: f32::from_bits(bundles.DEPTH_RANGE_NEAR) * depth_scale,
            far: f32::from_bits(bundles.DEPTH_RANGE_FAR) * depth_scale,
            depth_clamp: on(Z_CONFIG::DEPTH_CLAMP, bundles.Z_CONFIG),
            w_buffer: on(CONFIG_A::DEPTH_PERSPECTIVE_ENABLE, config_a),
            fog: fog(chip, bundles, config_b, config_c),
            specular: on(CONFIG_B::SPECULAR_ENABLE, config_b),
            multisample,
            smooth: [RASTER::LINE_SMOOTH_ENABLE, RASTER::POLYGON_SMOOTH_ENABLE]
                .map(|enable| !multisample && on(enable, raster)),
            curie_edges: chip.since(Chip::Nv40),
            clip: clip(chip, bundles, raster, config_c, surface),
            planes: super::planes::enabled(chip, bundles),
            window: window(chip, bundles.WINDOW_OFFSET),
            placing: Placing::new(chip, bundles),
            facing: chip.since(Chip::Nv40),
            cylinder: cylinder(chip, bundles),
            two_d: two_d(chip, bundles),
            sets_on: sets_on(chip, bundles),
            thick_lines: chip.family() == Family::Celsius && line_width > 8,
            byte_colors: chip.since(Chip::Nv40),
        }
    }
}

impl RasterState {
    /// Does a fragment program's texture coordinate set have two components?
    pub fn is_two_d(&self, set: usize) -> bool {
        self.two_d >> set & 1 != 0
    }
}

/// Window coordinates of fragment programs.
fn window(chip: Chip, word: u32) -> Window {
    let inverted = WINDOW_OFFSET::ORIGIN.get(chip, word) == COORD_ORIGIN::INVERTED;
    let whole = WINDOW_OFFSET::CENTER.get(chip, word) == COORD_CENTER::INTEGER;
    Window {
        inverted: inverted.then(|| f64::from(WINDOW_OFFSET::HEIGHT.get(chip, word))),
        centre: if whole { 0.0 } else { 0.5 },
    }
}

/// The scissor rectangle, which Rankine brought, on the surface; pixels, max exclusive.
pub fn scissor(chip: Chip, bundles: &Bundles) -> [i32; 4] {
    let fields = [SCISSOR_HV::ORIGIN, SCISSOR_HV::SIZE];
    let rect = rectangle(chip, &bundles.SCISSOR_HV, fields);
    Placing::new(chip, bundles).moved(rect)
}

/// A rectangle that two words give by origin and size.
fn rectangle(chip: Chip, words: &[u32; 2], [origin, size]: [Field; 2]) -> [i32; 4] {
    let at = |i| {
        let word: u32 = words[i];
        let o = origin.get(chip, word) as i32;
        (o, o + size.get(chip, word) as i32)
    };
    let ((x0, x1), (y0, y1)) = (at(0), at(1));
    [x0, y0, x1, y1]
}

/// The point size register in eighths of a pixel.
fn point_size(chip: Chip, word: u32) -> u32 {
    if chip.since(Chip::Nv25) {
        (f32::from_bits(POINT_SIZE::FLOAT.get(chip, word)) * 8.0).clamp(0.0, 4095.0) as u32
    } else {
        POINT_SIZE::FIXED.get(chip, word)
    }
}

/// Texture coordinate sets that points replace. Before NV25 POINT_SMOOTH is the
/// switch and the last set the place.
fn sprite(chip: Chip, raster: u32, config_b: u32) -> u32 {
    if chip.since(Chip::Nv25) {
        let on = CONFIG_B::POINT_SPRITE_ENABLE.get(chip, config_b) != 0;
        let sets = CONFIG_B::POINT_SPRITE_COORD_REPLACE.get(chip, config_b);
        let more = CONFIG_B::POINT_SPRITE_COORD_REPLACE_B.get(chip, config_b);
        if on { sets | more << 4 } else { 0 }
    } else if RASTER::POINT_SMOOTH_ENABLE.get(chip, raster) != 0 && chip.family() == Family::Kelvin
    {
        8
    } else {
        0
    }
}

/// Components of texture coordinate sets that run around a cylinder, a bit each.
fn cylinder(chip: Chip, bundles: &Bundles) -> u64 {
    let mask = |word: &Word| u64::from(word.mask(chip, 0));
    let (mut low, mut high) = (0, 0);
    if chip.since(Chip::Nv30) {
        low = mask(&TXC_CYLWRAP::WORD) & u64::from(bundles.TXC_CYLWRAP);
    }
    if chip.since(Chip::Nv40) {
        high = mask(&TXC_CYLWRAP_B::WORD) & u64::from(bundles.TXC_CYLWRAP_B);
    }
    high << 32 | low
}

/// Texture coordinate sets that fragment programs can read, a bit each. Only Rankine has the
/// word; drivers name the sets that a program reads in it, and no other. With 0 nobody has
/// written it, or no set is read: all of them count.
fn sets_on(chip: Chip, bundles: &Bundles) -> u32 {
    match TXC_ENABLE::TXC.get(chip, bundles.TXC_ENABLE) {
        sets if chip.family() == Family::Rankine && sets != 0 => sets,
        _ => u32::MAX,
    }
}

/// Texture coordinate sets of two components, a bit each.
fn two_d(chip: Chip, bundles: &Bundles) -> u32 {
    if !chip.since(Chip::Nv40) {
        return 0;
    }
    let sets = (0..).zip(bundles.XF_TXC);
    sets.fold(0, |sets, (i, word)| {
        sets | XF_TXC::TWO_D.get(chip, word) << i
    })
}

fn stipple(chip: Chip, bundles: &Bundles, raster: u32) -> Option<Box<[u32; 32]>> {
    let on = RASTER::POLYGON_STIPPLE_ENABLE.get(chip, raster)
        | LINE_STIPPLE::POLYGON_STIPPLE_ENABLE.get(chip, bundles.LINE_STIPPLE);
    (on != 0).then(|| Box::new(bundles.POLYGON_STIPPLE))
}

fn line_stipple(chip: Chip, word: u32) -> Option<LineStipple> {
    LINE_STIPPLE::LINE_STIPPLE_ENABLE
        .is_set(chip, word)
        .then(|| LineStipple {
            pattern: LINE_STIPPLE::LINE_STIPPLE_PATTERN.get(chip, word) as u16,
            repeat: LINE_STIPPLE::LINE_STIPPLE_FACTOR.get(chip, word) + 1,
        })
}

fn fog(chip: Chip, bundles: &Bundles, config_b: u32, config_c: u32) -> Fog {
    let celsius = chip.family() == Family::Celsius;
    let (mode, bias, mult) = if celsius {
        // LT has applied FOG_COEFF in every mode: what comes is the value itself.
        (CONFIG_C::FOG_MODE.get(chip, config_c), 0.0, 1.0)
    } else {
        (
            CONFIG_B::FOG_MODE.get(chip, config_b),
            f32::from_bits(bundles.FOG_COEFF[0]),
            f32::from_bits(bundles.FOG_COEFF[1]),
        )
    };
    Fog {
        enable: CONFIG_B::FOG_ENABLE.get(chip, config_b) != 0,
        mode: match mode {
            1 => Mode::Exp,
            3 | 7 => Mode::Exp2,
            4 => Mode::LinearAbs,
            5 => Mode::ExpAbs,
            _ => Mode::Linear,
        },
        bias,
        mult,
    }
}

fn clip(chip: Chip, bundles: &Bundles, raster: u32, config_c: u32, surface: [i32; 4]) -> Clip {
    let mut bounds = surface;
    if chip.since(Chip::Nv30) {
        bounds = intersect(bounds, scissor(chip, bundles));
        let viewport = [VIEWPORT_HV::ORIGIN, VIEWPORT_HV::SIZE];
        let viewport = rectangle(chip, &bundles.VIEWPORT_HV, viewport);
        bounds = intersect(bounds, Placing::new(chip, bundles).moved(viewport));
    }
    let exclusive = if chip.family() == Family::Celsius {
        CONFIG_C::CLIP_RECT_MODE.get(chip, config_c)
    } else {
        RASTER::CLIP_RECT_MODE.get(chip, raster)
    } != 0;
    let rects: [[i32; 4]; 8] = std::array::from_fn(|i| {
        let h = bundles.CLIP_RECT_HORIZ[i];
        let v = bundles.CLIP_RECT_VERT[i];
        [
            CLIP_RECT_HORIZ::LEFT.get(chip, h) as i32,
            CLIP_RECT_VERT::TOP.get(chip, v) as i32,
            CLIP_RECT_HORIZ::RIGHT.get(chip, h) as i32 + 1,
            CLIP_RECT_VERT::BOTTOM.get(chip, v) as i32 + 1,
        ]
    });
    Clip::new(bounds, &rects, exclusive)
}
