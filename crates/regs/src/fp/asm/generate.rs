//! Seeded text of fragment programs that run to their end and whose results are the same however
//! they are run.

use crate::Family::{self, Curie, Rankine};
use crate::xf::asm::generate::Rng;

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
#[derive(Clone, Debug)]
pub struct Writer {
    /// What decides.
    pub rng: Rng,
    /// Whose program it is.
    pub family: Family,
    /// Half registers lie in whole ones. All results are clamped then: of what is no number
    /// the halves would show which one it is.
    pub shared: bool,
    /// Many instructions are plain.
    pub plain: bool,
    /// This many texture units may be looked at.
    pub units: usize,
    /// What has been written.
    pub text: String,
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

    /// A lookup.
    fn lookup(&mut self) {
        let (op, sources) = match self.below(8) {
            0 => ("TXD", 3),
            1 if self.family == Curie => ("TXB", 2),
            2 if self.family == Curie => ("TXL", 2),
            3 => ("TXP", 1),
            _ => ("TEX", 1),
        };
        let clamp = if self.shared { "_SAT" } else { "" };
        let (to, mask) = (self.register(), self.mask());
        self.text += &format!("{op}{clamp} {to}{mask}");
        let first = match self.below(2) {
            0 => "f[TEX0]".to_owned(),
            _ => self.source("f[TEX0]"),
        };
        self.text += &format!(", {first}");
        for _ in 1..sources {
            let source = self.source("c[0.125, 1, -0.5, 2]");
            self.text += &format!(", {source}");
        }
        let unit = self.below(self.units);
        self.text += &format!(", TEX{unit};\n");
    }

    fn instruction(&mut self) {
        if self.units > 0 && self.below(6) == 0 {
            return self.lookup();
        }
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

    /// Nothing is written yet.
    pub fn new(family: Family, seed: u64) -> Writer {
        Writer {
            rng: Rng(seed),
            family,
            shared: seed % 2 == 1,
            plain: false,
            units: 0,
            text: String::new(),
        }
    }

    /// A program, on Curie with branches.
    pub fn program(&mut self) {
        if self.family == Rankine {
            return self.straight();
        }
        for _ in 0..3 {
            self.block(0, false, &["one", "two"]);
        }
        self.instruction();
        self.text += "END\none:\n";
        self.block(1, false, &["two"]);
        self.text += "RET;\ntwo:\n";
        self.block(1, false, &[]);
        self.text += "RET;\n";
    }

    /// A program without branches.
    pub fn straight(&mut self) {
        for _ in 0..20 {
            self.instruction();
        }
        self.text += "END\n";
    }

    /// A number for an input.
    pub fn value(&mut self) -> f32 {
        let wide = self.below(1 << 16) as f32 / 4096.0 - 8.0;
        if self.shared {
            return wide;
        }
        match self.below(12) {
            0 => self.pick(&[
                0.0,
                -0.0,
                1.0,
                f32::INFINITY,
                -f32::INFINITY,
                f32::NAN,
                1e-40,
                65520.0,
            ]),
            _ => wide,
        }
    }
}
