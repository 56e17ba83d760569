//! Random programs: the same bits at every SIMD level, and every lane as if it were alone.

use super::super::signs::Alike;
use super::*;
use isotherm_lanes::Level;
use isotherm_regs::fp::asm::generate::Writer;

/// How many of the programs' lanes parted, so that the test shows what it is for.
#[test]
fn random_programs_run_alike_at_all_levels_and_in_all_lanes() {
    let mut parted = 0;
    for seed in 0..240 {
        let family = if seed % 3 == 0 { Rankine } else { Curie };
        let mut writer = Writer::new(family, 0xf9a6_0000 + seed);
        writer.program();
        let mut start = Lanes::default();
        for c in 0..4 {
            for lane in 0..LANES {
                start.input(input::TEX, c)[lane] = writer.value();
            }
        }
        let text = &writer.text;
        let ran = Ran::text(family, text, &start);
        let together = state(&ran.plan, &ran.lanes);
        for lane in 0..LANES {
            let mut alone = Lanes::default();
            for c in 0..4 {
                *alone.input(input::TEX, c) = [start.input(input::TEX, c)[lane]; LANES];
            }
            let mut color = [Default::default()];
            exec::run(
                Level::Base,
                &ran.plan,
                &no_units(),
                &mut alone,
                &Groups::ONE,
                &mut color,
            );
            let alone = state(&ran.plan, &alone);
            let (killed, rows) = together.split_last().expect("the killed lanes");
            for (row, (a, b)) in rows.iter().zip(&alone).enumerate() {
                assert_eq!(
                    a[lane], b[lane],
                    "seed {seed}, lane {lane}, row {row}:\n{text}"
                );
            }
            let gone = alone[rows.len()][0] & 1;
            assert_eq!(
                killed[0] >> lane & 1,
                gone,
                "seed {seed}, lane {lane}:\n{text}"
            );
            parted += usize::from(rows.iter().any(|row| row[lane] != row[0]));
        }
    }
    assert!(parted > 1000, "the lanes hardly differ: {parted}");
}

/// Results that are put in their place at once, registers that are not set to zero first: the
/// same as step by step, one hundred thousand and more of them.
#[test]
fn short_ways_give_the_bits_of_the_long_one() {
    let (mut direct, mut alike) = (0, 0);
    for seed in 0..6000 {
        let family = if seed % 3 == 0 { Rankine } else { Curie };
        let mut writer = Writer {
            shared: seed % 4 == 1,
            plain: true,
            ..Writer::new(family, 0x51de_0000 + seed)
        };
        writer.straight();
        // What an earlier program has left behind must not show.
        let mut start = Lanes::default();
        let before = plan(family, "MOV R0, f[TEX0];\nMOV R1, f[TEX0];\nEND\n", FULL);
        for c in 0..4 {
            for lane in 0..LANES {
                start.input(input::TEX, c)[lane] = writer.value();
            }
        }
        let mut color = [Default::default()];
        exec::run(
            Level::Base,
            &before,
            &no_units(),
            &mut start,
            &Groups::ONE,
            &mut color,
        );
        let plan = plan(family, &writer.text, FULL);
        direct += plan.steps.iter().filter(|step| step.direct).count();
        let sums = plan.steps.iter().filter(|step| step.alike == Alike::Yes);
        alike += sums.count();
        let mut long = start.clone();
        exec::watch(&plan, &no_units(), &mut long, &mut |_| {});
        let want = [0, 1, 2, 3].map(|c| long.register(plan.color, c).map(bits));
        for level in Level::available() {
            // The first quads once more behind the first block and a quad of nobody; then quads
            // with other inputs.
            let mut short = start.clone();
            for c in 0..4 {
                short.lane = 0;
                let same = *short.input(input::TEX, c);
                short.lane = 20;
                *short.input(input::TEX, c) = same;
            }
            // The second time, the first one's registers are there.
            for _ in 0..2 {
                let mut colors = [Default::default(); 2];
                let groups = Groups {
                    lanes: 40,
                    first: &[0, 20],
                    apart: None,
                };
                exec::run(level, &plan, &no_units(), &mut short, &groups, &mut colors);
                assert_eq!(colors[0], colors[1], "seed {seed}, {level:?}");
                short.lane = 0;
                let got = [0, 1, 2, 3].map(|c| short.register(plan.color, c).map(bits));
                assert_eq!(got, want, "seed {seed}, {level:?}:\n{}", writer.text);
            }
        }
    }
    assert!(direct > 10_000, "hardly any step is direct: {direct}");
    assert!(alike > 1000, "hardly any sum is of one sign: {alike}");
}

/// Which not-a-number comes out is nobody's business.
fn bits(x: f32) -> u32 {
    if x.is_nan() {
        NAN.to_bits()
    } else {
        x.to_bits()
    }
}
