//! Random programs: the same bits at every SIMD level, and every lane as if it were alone.

use super::super::signs::Alike;
use super::*;
use isotherm_lanes::Level;
use isotherm_regs::xf::asm::generate::Rng;

/// Operations and how many sources they have.
const BOTH: [(&str, usize); 24] = [
    ("MOV", 1),
    ("MUL", 2),
    ("ADD", 2),
    ("MAD", 3),
    ("DP3", 2),
    ("DP4", 2),
    ("DP2A", 3),
    ("DST", 2),
    ("MIN", 2),
    ("MAX", 2),
    ("SLT", 2),
    ("SGE", 2),
    ("SLE", 2),
    ("SGT", 2),
    ("SNE", 2),
    ("SEQ", 2),
    ("FRC", 1),
    ("FLR", 1),
    ("RCP", 1),
    ("EX2", 1),
    ("LG2", 1),
    ("COS", 1),
    ("SIN", 1),
    ("DIV", 2),
];
/// The same.
const MORE: [(&str, usize); 5] = [("RSQ", 1), ("LIT", 1), ("LRP", 3), ("POW", 2), ("RFL", 2)];
const CURIE: [(&str, usize); 4] = [("DP2", 2), ("NRM", 1), ("DIVSQ", 2), ("BEM", 3)];
const CONDITIONS: [&str; 8] = ["FL", "LT", "EQ", "LE", "GT", "NE", "GE", "TR"];
const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Writes a program.
struct Writer {
    rng: Rng,
    family: Family,
    /// Half registers lie in whole ones. All results are clamped then: of what is no number
    /// the halves would show which one it is.
    shared: bool,
    /// Many instructions are plain.
    plain: bool,
    text: String,
}

impl Writer {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn condition(&mut self) -> String {
        let condition = self.pick(&CONDITIONS);
        let swizzle = self.swizzle();
        format!("({condition}{swizzle})")
    }

    fn swizzle(&mut self) -> String {
        match self.below(3) {
            0 => String::new(),
            1 => format!(".{}", self.pick(&LETTERS)),
            _ => (0..4).fold(".".to_owned(), |mut text, _| {
                text.push(self.pick(&LETTERS));
                text
            }),
        }
    }

    fn register(&mut self) -> &'static str {
        if self.shared {
            self.pick(&["R0", "R1", "R2", "H0", "H1", "H2", "H3", "H4"])
        } else {
            self.pick(&["R0", "R1", "R2", "H8", "H9", "H10"])
        }
    }

    fn source(&mut self, constant: &str) -> String {
        let name = match self.below(6) {
            0 | 1 => "f[TEX0]",
            2 => constant,
            _ => self.register(),
        };
        let swizzle = self.swizzle();
        match self.below(5) {
            0 => format!("-{name}{swizzle}"),
            1 => format!("|{name}{swizzle}|"),
            2 => format!("-|{name}{swizzle}|"),
            _ => format!("{name}{swizzle}"),
        }
    }

    fn mask(&mut self) -> String {
        let bits = 1 + self.below(15);
        let letters = (0..4).filter(|c| bits >> c & 1 != 0).map(|c| LETTERS[c]);
        format!(".{}", letters.collect::<String>())
    }

    fn instruction(&mut self) {
        let (op, sources) = match self.below(8) {
            0 => self.pick(&MORE),
            1 if self.family == Curie => self.pick(&CURIE),
            _ => self.pick(&BOTH),
        };
        // Half of them have nothing about them but their mask.
        let plain = self.plain && self.below(2) == 0;
        let often = if plain { 2 } else { 5 };
        let precision = self.pick(&["", "", "R", "H", "X"][..often]);
        let sets = self.pick(&["", "", "C"][..often.min(3)]);
        let scale = self.pick(&["", "", "", "_2X", "_D4"][..often]);
        let clamp = if self.shared || !plain && self.below(6) == 0 {
            "_SAT"
        } else {
            ""
        };
        let to = if !sets.is_empty() && self.below(2) == 0 {
            "RC"
        } else {
            self.register()
        };
        let mask = if op == "RFL" {
            ".xyz".to_owned()
        } else {
            self.mask()
        };
        let when = if !plain && self.below(4) == 0 {
            self.condition()
        } else {
            String::new()
        };
        let constant = self.pick(&[
            "c[0.5, -1, 3, 0]",
            "c[2, 0.25, -7.5, 1e-3]",
            "c[1e9, 1, 0, -2]",
        ]);
        self.text += &format!("{op}{precision}{sets}{scale}{clamp} {to}{mask} {when}");
        for _ in 0..sources {
            let source = self.source(constant);
            self.text += &format!(", {source}");
        }
        self.text += ";\n";
    }

    /// A block; `calls` are the subroutines that it may call.
    fn block(&mut self, depth: usize, in_loop: bool, calls: &[&str]) {
        self.instruction();
        for _ in 0..self.below(4) {
            let condition = self.condition();
            match self.below(10) {
                0 | 1 if depth < 3 => {
                    self.text += &format!("IF {condition};\n");
                    self.block(depth + 1, in_loop, calls);
                    if self.below(2) == 0 {
                        self.text += "ELSE;\n";
                        self.block(depth + 1, in_loop, calls);
                    }
                    self.text += "ENDIF;\n";
                }
                2 | 3 if depth < 3 => {
                    let count = self.below(5);
                    self.text += &format!("REP {count};\n");
                    self.block(depth + 1, true, calls);
                    self.text += "ENDREP;\n";
                }
                4 if in_loop => self.text += &format!("BRK {condition};\n"),
                5 if depth > 0 && self.below(3) == 0 => self.text += &format!("RET {condition};\n"),
                6 if !calls.is_empty() => {
                    let name = self.pick(calls);
                    self.text += &format!("CAL {name} {condition};\n");
                }
                7 if self.below(3) == 0 => self.text += &format!("KIL {condition};\n"),
                _ => self.instruction(),
            }
        }
    }

    fn program(family: Family, seed: u64) -> Writer {
        let mut writer = Writer {
            rng: Rng(seed),
            family,
            shared: seed % 2 == 1,
            plain: false,
            text: String::new(),
        };
        if family == Rankine {
            writer.straight();
            return writer;
        }
        for _ in 0..3 {
            writer.block(0, false, &["one", "two"]);
        }
        writer.instruction();
        writer.text += "END\none:\n";
        writer.block(1, false, &["two"]);
        writer.text += "RET;\ntwo:\n";
        writer.block(1, false, &[]);
        writer.text += "RET;\n";
        writer
    }

    /// A program without branches.
    fn straight(&mut self) {
        for _ in 0..20 {
            self.instruction();
        }
        self.text += "END\n";
    }

    fn value(&mut self) -> f32 {
        let wide = self.below(1 << 16) as f32 / 4096.0 - 8.0;
        if self.shared {
            return wide;
        }
        match self.below(12) {
            0 => self.pick(&[0.0, -0.0, 1.0, INF, -INF, NAN, 1e-40, 65520.0]),
            _ => wide,
        }
    }
}

/// How many of the programs' lanes parted, so that the test shows what it is for.
#[test]
fn random_programs_run_alike_at_all_levels_and_in_all_lanes() {
    let mut parted = 0;
    for seed in 0..240 {
        let family = if seed % 3 == 0 { Rankine } else { Curie };
        let mut writer = Writer::program(family, 0xf9a6_0000 + seed);
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
            rng: Rng(0x51de_0000 + seed),
            family,
            shared: seed % 4 == 1,
            plain: true,
            text: String::new(),
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
