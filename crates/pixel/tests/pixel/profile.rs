//! Measured times.

use isotherm_pixel::profile::{Part, Profile};

#[test]
fn nested_parts_count_once() {
    let mut profile = Profile::default();
    profile.restart(true);
    let outer = profile.start();
    let inner = profile.start();
    std::thread::sleep(std::time::Duration::from_millis(20));
    profile.end(inner, Part::Prepare);
    profile.end(outer, Part::Vertices);
    assert!(profile.seconds(Part::Prepare) >= 0.02);
    assert!(profile.seconds(Part::Vertices) < profile.seconds(Part::Prepare));
    assert!(profile.calling_seconds() >= profile.seconds(Part::Prepare));
    profile.restart(false);
    let none = profile.start();
    profile.end(none, Part::Pixels);
    assert_eq!(profile, Profile::default());
}
