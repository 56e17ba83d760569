//! What programs read of a triangle's vertices: sets 8 and 9, coordinates before perspective,
//! sets of two components, sets that are off.

use super::*;

const NV34: Chip = CHIPS[0];
const NV40: Chip = CHIPS[1];
/// Output bits of texture coordinate sets.
const TEX0: u32 = 1 << 14;
const TEX8: u32 = 1 << 12;
const TEX9: u32 = 1 << 13;

impl Scene {
    /// A triangle that covers the target; w is 1 at its left side and 2 at its right corner.
    /// Attributes 8, 9 and 10 are the same at all vertices.
    fn tilted(&mut self, attributes: [[f32; 4]; 3]) -> &mut Scene {
        // Perspective is on.
        self.set(0x3b0, &[0x10_0000]).set(0x1808, &[5]);
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            // 1/w is a plane, 1 at the left and 1/2 at the last vertex.
            let w = 1.0 / (1.0 - (x + 1.0) / 8.0);
            for (method, value) in [0x1c80, 0x1c90, 0x1ca0].iter().zip(attributes) {
                self.push.floats(0, *method, &value);
            }
            self.push.floats(0, 0x1c00, &[x * w, y * w, 0.0, w]);
        }
        self.set(0x1808, &[0])
    }
}

/// 1/w of a column of [`Scene::tilted`].
fn one_over_w(x: u32) -> f64 {
    1.0 - (f64::from(x) + 0.5) / 32.0 / 8.0
}

fn byte(x: f64) -> u8 {
    (x * 255.0 + 0.5) as u8
}

#[test]
fn sets_eight_and_nine() {
    let text = "MOV o[TEX0], v[8];\nMOV o[TEX8], v[9];\nMOV o[TEX9], v[10];\n";
    let values = [[0.1; 4], [0.2, 0.4, 0.0, 0.0], [0.0, 0.0, 0.6, 0.8]];
    let program = "MOV R0, f[TEX8];\nADD R0, R0, f[TEX9];\nEND\n";
    for (results, want) in [
        (TEX0 | TEX8 | TEX9, [51, 102, 153, 204]),
        // Results that are off are (0, 0, 0, 1).
        (TEX0 | TEX8, [51, 102, 0, 255]),
        (TEX0 | TEX9, [0, 0, 153, 255]),
    ] {
        let mut scene = Scene::new(NV40);
        scene.vertices(text, results);
        scene.program(program, FULL).tilted(values);
        scene.draw().check(0, |_, _| want);
    }
}

/// The words that say which register a result comes from.
#[test]
fn results_come_from_other_registers() {
    let text = "MOV o[TEX0], v[8];\nMOV o[TEX8], v[9];\nMOV o[TEX1], v[10];\n";
    let values = [[0.2; 4], [0.4; 4], [0.6; 4]];
    let mut scene = Scene::new(NV40);
    scene.vertices(text, TEX0 | TEX8 | 1);
    // Set 0 from the register of set 8, set 8 from that of set 0, the colour from that of set 1.
    scene.set(0x1fc4, &[0x0614_4328, 0xedcb_a98f, 0x67]);
    scene.program(
        "MOV R0, f[TEX0];\nMOV R0.y, f[TEX8];\nMOV R0.z, f[COL0];\nEND\n",
        FULL,
    );
    scene.tilted(values);
    scene.draw().check(0, |_, _| [102, 51, 153, 102]);
}

/// A coordinate that is the same at all vertices shows 1/w alone.
#[test]
fn coordinates_before_perspective() {
    for chip in CHIPS {
        let mut scene = Scene::new(chip);
        let text = "MOV R0, f[TEX0] {NO_PERSPECTIVE=0x1};\nMOV R0.w, f[TEX0];\nEND\n";
        scene.program(text, FULL);
        scene.tilted([[0.8, 0.4, 0.2, 1.0], [0.0; 4], [0.0; 4]]);
        scene.draw().check(1, |x, _| {
            let f = one_over_w(x);
            [byte(0.8 * f), byte(0.4 * f), byte(0.2 * f), 255]
        });
    }
}

/// Divided by another component they are what perspective makes of them.
#[test]
fn quotients_do_not_depend_on_perspective() {
    let mut scene = Scene::new(NV40);
    let text = "MOV R1, f[TEX0] {NO_PERSPECTIVE=0x1};\nDIV R0, R1, R1.w;\nEND\n";
    scene.program(text, FULL).fill(0.5, [0.0; 4]);
    let divided = scene.draw();
    let mut scene = Scene::new(NV40);
    scene.program("MOV R0, f[TEX0];\nEND\n", FULL);
    scene.fill(0.5, [0.0; 4]);
    let plain = scene.draw();
    divided.check(1, |x, y| plain.at(x, y));
}

/// A set of two components has 0 and w behind them.
#[test]
fn sets_of_two_components() {
    let mut scene = Scene::new(NV40);
    let text = "MOV R0, f[TEX0];\nMUL R0.w, R0, c[0.5, 0.5, 0.5, 0.5];\nEND\n";
    scene.set(0xb40, &[1]).program(text, FULL);
    scene.tilted([[0.2, 0.4, 0.6, 0.8], [0.0; 4], [0.0; 4]]);
    scene
        .draw()
        .check(1, |x, _| [51, 102, 0, byte(0.5 / one_over_w(x))]);
    // With the division left out there is 1 in w's place.
    let mut scene = Scene::new(NV40);
    let text = "MOV R0, f[TEX0] {NO_PERSPECTIVE=0x1};\nEND\n";
    scene.set(0xb40, &[1]).program(text, FULL);
    scene.tilted([[0.2, 0.4, 0.6, 0.8], [0.0; 4], [0.0; 4]]);
    scene.draw().check(1, |x, _| {
        let f = one_over_w(x);
        [byte(0.2 * f), byte(0.4 * f), 0, 255]
    });
}

/// Two instances of a rectangle: its corners begin anew, place and colour hold for four of them.
#[test]
fn instances() {
    let mut scene = Scene::new(Chip {
        name: "nv47",
        ..NV40
    });
    scene.vertices(
        "MOV R0, v[8];\nADD o[HPOS], v[0], R0;\nMOV o[COL0], v[3];\n",
        1,
    );
    let corners = [[-1.0, -1.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 1.0]];
    let corners = corners.map(|[x, y]| [x, y, 0.0, 1.0]);
    let colors = [[1.0, 0.2, 0.0, 1.0], [0.0, 0.4, 1.0, 1.0]];
    let places: [[f32; 4]; 2] = [[0.0; 4], [1.0, 0.0, 0.0, 0.0]];
    scene.set(0x19c, &[2, 3]);
    for (attribute, rows) in [(0, &corners[..]), (3, &colors[..]), (8, &places[..])] {
        let address = PROGRAMS + scene.programs.len() as u32;
        let floats = rows.as_flattened().iter();
        scene.programs.extend(floats.flat_map(|x| x.to_le_bytes()));
        // Four floats, sixteen bytes apart, a frequency of four.
        scene.set(0x1680 + 4 * attribute, &[address]);
        scene.set(0x1740 + 4 * attribute, &[0x0004_1042]);
    }
    // The position is counted modulo its frequency, the others are divided.
    scene.set(0x1fc0, &[1]);
    scene
        .programs
        .resize(scene.programs.len().next_multiple_of(64), 0);
    scene.program("MOVR H0, f[COL0];\nEND\n", 0);
    scene
        .set(0x1808, &[8])
        .set(0x1814, &[7 << 24])
        .set(0x1808, &[0]);
    scene.draw().check(0, |x, _| match x {
        0..32 => [255, 51, 0, 255],
        _ => [0, 102, 255, 255],
    });
}

/// Rankine's switch.
#[test]
fn sets_that_are_off() {
    let all = [51, 102, 153, 204];
    for (on, want) in [(0, all), (1, all), (2, [0, 0, 0, 255])] {
        let mut scene = Scene::new(NV34);
        scene.set(0x23c, &[on]);
        scene.program("MOV R0, f[TEX0];\nEND\n", FULL);
        scene.tilted([[0.2, 0.4, 0.6, 0.8], [0.0; 4], [0.0; 4]]);
        scene.draw().check(0, |_, _| want);
    }
}
