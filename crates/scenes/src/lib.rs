//! Scenes of our own, built with the capture writer: what the tests draw when there is no
//! other data, and what `isotherm demo` shows.
//!
//! Each is a whole capture for NV2A that sets every register it depends on. The tests keep
//! a checksum of each picture; a change in any unit shows as a changed scene.

mod base;
mod bench;
mod pixels;
mod shapes;

use base::Canvas;
pub use bench::{BENCH, bench};

/// A scene.
pub struct Scene {
    /// Short name, fit for a file.
    pub name: String,
    /// What it shows.
    pub about: &'static str,
    /// The capture file.
    pub capture: Vec<u8>,
}

/// A scene before it is built.
struct Plan {
    name: String,
    about: &'static str,
    draw: Box<dyn Fn(&mut Canvas)>,
}

fn plan(
    name: impl Into<String>,
    about: &'static str,
    draw: impl Fn(&mut Canvas) + 'static,
) -> Plan {
    Plan {
        name: name.into(),
        about,
        draw: Box::new(draw),
    }
}

/// All scenes.
pub fn all() -> std::io::Result<Vec<Scene>> {
    let mut plans = shapes::plans();
    plans.extend(pixels::plans());
    plans
        .into_iter()
        .map(|plan| {
            let mut canvas = Canvas::new(base::SIZE, base::SIZE);
            (plan.draw)(&mut canvas);
            let capture = canvas.finish(&plan.name)?;
            Ok(Scene {
                name: plan.name,
                about: plan.about,
                capture,
            })
        })
        .collect()
}
