//! Draws that leave nothing say why: one case for each reason.

use isotherm::capture::{Payload, Reader};
use isotherm::{Chip, DrawReport, Gpu, Reason};

/// Methods of class 97h.
mod m {
    pub const COLOR_OBJECT: u16 = 0x194;
    pub const ZETA_OBJECT: u16 = 0x198;
    pub const WINDOW_CLIP: u16 = 0x2C0;
    pub const ALPHA_TEST: u16 = 0x300;
    pub const CULL: u16 = 0x308;
    pub const DEPTH_TEST: u16 = 0x30C;
    pub const STENCIL_TEST: u16 = 0x32C;
    pub const ALPHA_FUNC: u16 = 0x33C;
    pub const DEPTH_FUNC: u16 = 0x354;
    pub const COLOR_MASK: u16 = 0x358;
    pub const STENCIL_FUNC: u16 = 0x364;
    pub const CULL_FACE: u16 = 0x39C;
    pub const STIPPLE: u16 = 0x147C;
}

const NEVER: u32 = 0x200;

/// A chip with the state that the project's scenes draw with.
fn chip() -> Gpu {
    let scenes = isotherm_scenes::all().unwrap();
    let scene = scenes
        .iter()
        .find(|scene| scene.name == "prim-quads")
        .unwrap();
    let mut gpu = Gpu::builder(Chip::Nv2a).threads(1).build().unwrap();
    let mut reader = Reader::new(scene.capture.as_slice()).unwrap();
    while let Some(record) = reader.next_record().unwrap() {
        if !matches!(record.payload, Payload::Info(_)) {
            gpu.record(record).unwrap();
        }
    }
    gpu.inspect_draws(true);
    gpu
}

/// Draws a quad after some methods.
fn draw(state: &[(u16, u32)], corners: [[f32; 4]; 4]) -> DrawReport {
    let mut gpu = chip();
    for &(method, data) in state {
        assert_eq!(
            gpu.method(0, method, data).unwrap().trap,
            None,
            "{method:x}"
        );
    }
    gpu.method(0, 0x17FC, 8).unwrap();
    for (i, word) in corners.iter().flatten().enumerate() {
        let method = 0x1518 + 4 * (i as u16 % 4);
        gpu.method(0, method, word.to_bits()).unwrap();
    }
    gpu.method(0, 0x17FC, 0).unwrap();
    let reports = gpu.draw_reports();
    assert_eq!(reports.len(), 1);
    assert_eq!((reports[0].number, reports[0].primitive), (1, 8));
    reports[0].clone()
}

fn quad(x: f32, y: f32, size: f32) -> [[f32; 4]; 4] {
    [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size)].map(|(dx, dy)| [x + dx, y + dy, 0.0, 1.0])
}

#[track_caller]
fn reason(state: &[(u16, u32)], corners: [[f32; 4]; 4], want: Reason) {
    let report = draw(state, corners);
    let why = report
        .why_nothing()
        .expect("nothing is drawn, for a reason");
    assert_eq!(why.reason, want, "{why}");
}

#[test]
fn a_draw_that_leaves_pixels() {
    let report = draw(&[], quad(10.0, 10.0, 20.0));
    assert_eq!((report.vertices, report.pixels), (4, 400));
    assert_eq!(report.why_nothing(), None);
}

#[test]
fn geometry() {
    reason(&[], quad(10.0, 10.0, 0.0), Reason::Degenerate);
    reason(&[], quad(1000.0, 10.0, 20.0), Reason::OutsideSurface);
    reason(&[], quad(10.125, 10.125, 0.25), Reason::Coverage);
    reason(
        &[],
        quad(10.0, 10.0, 20.0).map(|[x, y, z, _]| [x, y, z, -1.0]),
        Reason::W,
    );
    reason(
        &[(m::CULL, 1), (m::CULL_FACE, 0x408)],
        quad(10.0, 10.0, 20.0),
        Reason::Culled,
    );
}

#[test]
fn no_surface() {
    let none = [(m::COLOR_OBJECT, 0xDEAD), (m::ZETA_OBJECT, 0xDEAD)];
    reason(&none, quad(10.0, 10.0, 20.0), Reason::NoSurface);
}

#[test]
fn pixels() {
    let inside = quad(10.0, 10.0, 20.0);
    let window: Vec<_> = (0..8)
        .map(|i| (m::WINDOW_CLIP + 4 * i, 210 << 16 | 200))
        .collect();
    reason(&window, inside, Reason::Scissor);
    reason(&[(m::STIPPLE, 1)], inside, Reason::Stipple);
    reason(
        &[(m::ALPHA_TEST, 1), (m::ALPHA_FUNC, NEVER)],
        inside,
        Reason::Alpha,
    );
    reason(
        &[(m::STENCIL_TEST, 1), (m::STENCIL_FUNC, NEVER)],
        inside,
        Reason::Stencil,
    );
    reason(
        &[(m::DEPTH_TEST, 1), (m::DEPTH_FUNC, NEVER)],
        inside,
        Reason::Depth,
    );
    reason(&[(m::COLOR_MASK, 0)], inside, Reason::Masks);
}

/// With several reasons, the first in the pipeline's order counts; it names its word.
#[test]
fn the_first_reason_counts() {
    let both = [
        (m::DEPTH_TEST, 1),
        (m::DEPTH_FUNC, NEVER),
        (m::ALPHA_TEST, 1),
        (m::ALPHA_FUNC, NEVER),
        (m::CULL, 1),
        (m::CULL_FACE, 0x408),
    ];
    let inside = quad(10.0, 10.0, 20.0);
    reason(&both, inside, Reason::Culled);
    reason(&both[..4], inside, Reason::Alpha);
    let report = draw(&both[..2], inside);
    let why = report.why_nothing().unwrap();
    let (bundle, value) = why.word.unwrap();
    assert_eq!(bundle.name(), "CONFIG_A");
    assert!(value != 0);
    assert!(
        why.to_string().starts_with("depth test (CONFIG_A = 0x"),
        "{why}"
    );
}

/// Trials leave no trace.
#[test]
fn looking_does_not_change_the_picture() {
    for scene in isotherm_scenes::all().unwrap().iter().step_by(5) {
        let drawn = |inspect: bool| {
            let mut picture = Vec::new();
            isotherm::replay(
                Reader::new(scene.capture.as_slice()).unwrap(),
                |gpu| gpu.inspect_draws(inspect),
                |gpu, surface| picture = surface.read(&gpu.memory).rgba,
            )
            .unwrap();
            picture
        };
        assert!(drawn(true) == drawn(false), "{}", scene.name);
    }
}
