//! What decides whether and which primitives are drawn: restarts and bases of indices,
//! reports and draws that hang on them, patterns of lines, depth bounds, targets.

use super::*;

const NV40: Chip = CHIPS[1];
const HANDED_ON: &str = "MOVR H0, f[COL0];\nEND\n";
const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

fn bytes(color: [f32; 4]) -> [u8; 4] {
    color.map(|x| (x * 255.0) as u8)
}

/// A strip of two squares that a restart parts, with indices that begin at a base.
#[test]
fn strips_begin_anew_at_the_restart_index() {
    for (restarts, base) in [(true, 0), (true, 2), (false, 0)] {
        let mut scene = Scene::new(NV40);
        let mut rows = vec![[9.0f32, 9.0, 0.0, 1.0]; base];
        // The columns 0 to 15 and 48 to 63.
        for x in [-1.0, -0.5, 0.5, 1.0] {
            rows.extend([-1.0, 1.0].map(|y| [x, y, 0.0, 1.0]));
        }
        scene
            .programs
            .extend(rows.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        scene
            .programs
            .resize(scene.programs.len().next_multiple_of(64), 0);
        scene
            .set(0x19c, &[2, 3])
            .set(0x1680, &[PROGRAMS])
            .set(0x1740, &[0x1042])
            .set(0x173c, &[base as u32])
            .set(0x1dac, &[u32::from(restarts), 0xff]);
        scene.program(HANDED_ON, 0);
        scene.push.floats(0, 0x1c30, &GREEN);
        scene.set(0x1808, &[6]);
        for index in [0, 1, 2, 3] {
            scene.set(0x1810, &[index]);
        }
        if restarts {
            scene.set(0x1810, &[0xff]);
        }
        for index in [4, 5, 6, 7] {
            scene.set(0x1810, &[index]);
        }
        scene.set(0x1808, &[0]);
        scene.draw().check(0, |x, _| match x {
            16..48 if restarts => CLEARED,
            _ => bytes(GREEN),
        });
    }
}

/// Draws that hang on a report are left out where it counted nothing.
#[test]
fn draws_hang_on_reports() {
    const REPORT: u32 = 0x38_0000;
    const GET: u32 = 1 << 24;
    const CONDITIONAL: u32 = 2 << 24;
    let mut scene = Scene::new(NV40);
    scene.set(0x1a8, &[2]).program(HANDED_ON, 0);
    // One report of a draw, one of none.
    scene.set(0x17c8, &[1, 1]).fill(0.5, RED);
    scene.set(0x1800, &[GET | REPORT]).set(0x17c8, &[1]);
    scene.set(0x1800, &[GET | (REPORT + 16)]);
    let mut nothing = Scene {
        push: scene.push.clone(),
        programs: scene.programs.clone(),
        chip: scene.chip,
    };
    scene.set(0x1e98, &[CONDITIONAL | REPORT]).fill(0.5, GREEN);
    scene.draw().check(0, |_, _| bytes(GREEN));
    nothing
        .set(0x1e98, &[CONDITIONAL | (REPORT + 16)])
        .fill(0.5, GREEN);
    nothing.draw().check(0, |_, _| bytes(RED));
    // Until draws hang on nothing again.
    nothing.set(0x1e98, &[1 << 24]).fill(0.5, GREEN);
    nothing.draw().check(0, |_, _| bytes(GREEN));
}

/// A line with a pattern of two pixels a bit, lowest first.
#[test]
fn lines_have_patterns() {
    let mut scene = Scene::new(NV40);
    scene.program(HANDED_ON, 0);
    scene.set(0x1db4, &[1, 0x8421 << 16 | 1]).set(0x1808, &[2]);
    for x in [-1.0, 1.0] {
        scene.push.floats(0, 0x1c30, &RED);
        // The middle of row 32.
        scene.push.floats(0, 0x1c00, &[x, 1.0 / 64.0, 0.0, 1.0]);
    }
    scene.set(0x1808, &[0]);
    scene.draw().check(0, |x, y| {
        if y == 32 && 0x8421 >> (x / 2 % 16) & 1 != 0 {
            bytes(RED)
        } else {
            CLEARED
        }
    });
}

/// The depth that lies in the buffer decides.
#[test]
fn depths_outside_of_the_bounds() {
    for (bounds, drawn) in [
        ([0.0f32, 1.0], true),
        ([0.0, 0.9], false),
        ([0.5, 1.0], true),
    ] {
        let mut scene = Scene::new(Chip {
            name: "nv47",
            ..NV40
        });
        scene.set(0x380, &[1]);
        scene.push.floats(0, 0x384, &bounds);
        scene.program(HANDED_ON, 0).fill(0.25, RED);
        let want = if drawn { bytes(RED) } else { CLEARED };
        scene.draw().check(0, |_, _| want);
    }
}

/// A target that is off is not written.
#[test]
fn targets_that_are_off() {
    for (on, want) in [(1, bytes(RED)), (0, CLEARED)] {
        let mut scene = Scene::new(NV40);
        scene.set(0x220, &[on]);
        scene.program(HANDED_ON, 0).fill(0.5, RED);
        scene.draw().check(0, |_, _| want);
    }
}
