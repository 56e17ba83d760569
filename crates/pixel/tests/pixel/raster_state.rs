//! The rasteriser's words to its prepared state.

use isotherm_bus::unit::Takes;
use isotherm_pixel::raster::Bundles;
use isotherm_pixel::raster::fog::Mode;
use isotherm_pixel::raster::line::Style;
use isotherm_pixel::raster::prepare::scissor;
use isotherm_pixel::raster::{RasterState, Window};
use isotherm_regs::Chip;
use isotherm_regs::bundle as id;
use isotherm_regs::bundle::RASTER;

const OPEN: [i32; 4] = [0, 0, 640, 480];

#[test]
fn celsius_keeps_its_clip_rectangles_and_their_mode_elsewhere() {
    let mut words = Bundles::default();
    for i in 0..8 {
        words.take(id::CLIP_RECT_HORIZ, i, 99 << 16 | 10);
        words.take(id::CLIP_RECT_VERT, i, 59 << 16 | 20);
    }
    let inside = RasterState::prepare(Chip::Nv10, &words, 0, OPEN, 65535.0).clip;
    assert_eq!(
        (inside.bounds, inside.exclusive),
        ([10, 20, 100, 60], false)
    );
    let outside = RasterState::prepare(Chip::Nv10, &words, 0x10, OPEN, 65535.0).clip;
    assert_eq!((outside.bounds, outside.exclusive), (OPEN, true));
    // The same bit means nothing on Kelvin.
    assert_eq!(
        RasterState::prepare(Chip::Nv20, &words, 0x10, OPEN, 65535.0).clip,
        inside
    );
}

#[test]
fn rankine_brought_scissor_depths_from_0_to_1_and_window_coordinates() {
    let mut words = Bundles::default();
    for (i, (scissor, viewport)) in [(0x40_0010, 0x100_0000), (0x20_0008, 0x18_0000)]
        .into_iter()
        .enumerate()
    {
        words.take(id::SCISSOR_HV, i, scissor);
        words.take(id::VIEWPORT_HV, i, viewport);
        words.take(id::CLIP_RECT_HORIZ, i, 4095 << 16);
        words.take(id::CLIP_RECT_VERT, i, 4095 << 16);
    }
    words.take(id::DEPTH_RANGE_FAR, 0, 1f32.to_bits());
    words.take(id::WINDOW_OFFSET, 0, 1 << 12 | 240);
    assert_eq!(scissor(Chip::Nv34, &words), [16, 8, 80, 40]);
    let state = RasterState::prepare(Chip::Nv34, &words, 0, OPEN, 65535.0);
    assert_eq!(state.clip.bounds, [16, 8, 80, 24]);
    assert_eq!((state.depth_scale, state.far), (65535.0, 65535.0));
    let inverted = Some(240.0);
    assert_eq!(
        state.window,
        Window {
            inverted,
            centre: 0.5
        }
    );
    words.take(id::WINDOW_OFFSET, 0, 1 << 13 | 240);
    let state = RasterState::prepare(Chip::Nv34, &words, 0, OPEN, 65535.0);
    assert_eq!(state.window, Window::default());
    // Kelvin counts in buffer units and has no scissor.
    let state = RasterState::prepare(Chip::Nv2a, &words, 0, OPEN, 65535.0);
    assert_eq!((state.depth_scale, state.far), (1.0, 1.0));
    assert_eq!(state.clip.bounds, OPEN);
}

#[test]
fn later_chips_draw_lines_as_strokes() {
    let mut words = Bundles::default();
    for (chip, plain) in [
        (Chip::Nv25, Style::Thin),
        (Chip::Nv34, Style::Stroke),
        (Chip::Nv40, Style::Stroke),
    ] {
        for (smooth, style) in [(0, plain), (1, Style::Wide)] {
            words.take(
                id::RASTER,
                0,
                RASTER::LINE_SMOOTH_ENABLE.with(chip, 0, smooth),
            );
            let state = RasterState::prepare(chip, &words, 0, OPEN, 65535.0);
            assert_eq!(state.line_style(), style);
        }
    }
}

#[test]
fn celsius_fog_values_come_ready_from_lt() {
    let mut words = Bundles::default();
    words.take(id::FOG_COEFF, 0, 5.0f32.to_bits());
    words.take(id::FOG_COEFF, 1, 3.0f32.to_bits());
    for (code, mode) in [
        (0, Mode::Linear),
        (1, Mode::Exp),
        (3, Mode::Exp2),
        (5, Mode::ExpAbs),
        (7, Mode::Exp2),
    ] {
        let fog = RasterState::prepare(Chip::Nv17, &words, code, OPEN, 65535.0).fog;
        assert_eq!((fog.mode, fog.bias, fog.mult), (mode, 0.0, 1.0));
    }
    let fog = RasterState::prepare(Chip::Nv20, &words, 1, OPEN, 65535.0).fog;
    assert_eq!((fog.mode, fog.bias, fog.mult), (Mode::Linear, 5.0, 3.0));
}
