//! The figures of a run: per suite and in total, as a table and as JSON.

use super::record::{Against, Record, Status};
use super::xemu::Xemu;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// The figures of a suite, of a case, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Pictures drawn.
    pub cases: u32,
    /// Goldens to compare with.
    pub goldens: u32,
    /// Every pixel equal, alpha included.
    pub exact_rgba: u32,
    /// Every pixel equal but for alpha.
    pub exact_rgb: u32,
    /// No pixel off by more than 1 in R, G, B.
    pub within1: u32,
    /// No pixel off by more than 2.
    pub within2: u32,
    /// At most 1 % of pixels off by more than 4.
    pub near: u32,
    /// No picture: bad capture, panic.
    pub errors: u32,
    /// Goldens with a capture in suite order.
    pub inorder: u32,
    /// Of those, exact RGBA in suite order but not in the plain capture.
    pub inorder_only: u32,
    /// Usable references of other implementations.
    pub references: u32,
    /// Of those, at most 1 % of pixels off by more than 8.
    pub agree: u32,
    /// The same, of the pixels on which both references agree with each other.
    pub undisputed: u32,
    /// Do not agree, but would with a rule of the reference or with the second one;
    /// counted with `--why`.
    pub explained: u32,
    /// Of all these references, those that agree well enough with each other to be a
    /// measure (`ref_quality` exact or edges).
    pub usable: u32,
    /// Of the usable ones, agree.
    pub usable_agree: u32,
    /// Of the usable ones, agree when half floats are allowed for: drawn again in single
    /// precision, where the words alone do not.
    pub usable_half: u32,
    /// Of the usable ones, explained.
    pub usable_explained: u32,
}

impl Counters {
    /// The figures of one case.
    pub fn of(record: &Record) -> Counters {
        let mut counters = Counters {
            cases: 1,
            errors: u32::from(record.status == Status::Error),
            ..Counters::default()
        };
        match record.against {
            Against::Golden => counters.golden(record),
            Against::Reference if record.reference_valid == Some(true) => {
                counters.reference(record);
            }
            Against::Reference | Against::Nothing => {}
        }
        counters
    }

    fn golden(&mut self, record: &Record) {
        self.goldens = 1;
        self.pixels(record);
        if let Some(differ) = record.inorder_differ {
            self.inorder = 1;
            self.inorder_only = u32::from(differ == 0 && self.exact_rgba == 0);
        }
    }

    fn reference(&mut self, record: &Record) {
        let quality = record.ref_quality.as_deref();
        let usable = u32::from(matches!(quality, Some("exact" | "edges")));
        self.references = 1;
        self.explained = u32::from(record.explained);
        self.usable = usable;
        self.usable_explained = usable * self.explained;
        if record.differ.is_some() {
            self.pixels(record);
            self.agree = u32::from(record.agrees());
            self.usable_agree = usable * self.agree;
            self.usable_half = usable * (self.agree | u32::from(record.half_floats));
            self.undisputed = u32::from(record.undisputed());
        }
    }

    fn pixels(&mut self, record: &Record) {
        let none = |count: Option<u32>| u32::from(count == Some(0));
        self.exact_rgba = none(record.differ);
        self.exact_rgb = none(record.differ_rgb);
        self.within1 = none(record.over1);
        self.within2 = none(record.over2);
        self.near = u32::from(record.near());
    }

    /// Adds others.
    pub fn add(&mut self, other: &Counters) {
        self.cases += other.cases;
        self.goldens += other.goldens;
        self.exact_rgba += other.exact_rgba;
        self.exact_rgb += other.exact_rgb;
        self.within1 += other.within1;
        self.within2 += other.within2;
        self.near += other.near;
        self.errors += other.errors;
        self.inorder += other.inorder;
        self.inorder_only += other.inorder_only;
        self.references += other.references;
        self.agree += other.agree;
        self.undisputed += other.undisputed;
        self.explained += other.explained;
        self.usable += other.usable;
        self.usable_agree += other.usable_agree;
        self.usable_half += other.usable_half;
        self.usable_explained += other.usable_explained;
    }
}

/// All figures; each case is added as it comes.
#[derive(Default)]
pub struct Summary {
    /// Over everything.
    pub totals: Counters,
    /// Per suite.
    pub suites: BTreeMap<String, Counters>,
    /// Another emulator's figures for the same goldens.
    xemu: Option<Xemu>,
}

impl Summary {
    /// No cases yet; the roots may hold xemu's figures.
    pub fn new(roots: &[PathBuf]) -> Summary {
        Summary {
            xemu: roots.iter().find_map(|root| Xemu::read(root)),
            ..Summary::default()
        }
    }

    /// Adds a case.
    pub fn add(&mut self, record: &Record) {
        let counters = Counters::of(record);
        self.totals.add(&counters);
        self.suites
            .entry(record.suite.clone())
            .or_default()
            .add(&counters);
        if let Some(xemu) = &mut self.xemu {
            xemu.add(record);
        }
    }

    /// The table as text.
    pub fn table(&self) -> String {
        let references = self.totals.references > 0;
        let mut text = format!("{:<34}", "suite");
        if references {
            let _ = write!(text, "{:>7}{:>7}{:>7}{:>7}", "refs", "agree", "%", "both");
        } else {
            let _ = write!(text, "{:>8}", "goldens");
        }
        let _ = write!(
            text,
            "{:>7}{:>7}{:>7}{:>7}{:>7}{:>7}",
            "RGBA", "RGB", "<=1", "<=2", "near", "errors"
        );
        if self.totals.inorder > 0 {
            let _ = write!(text, "{:>9}", "inorder+");
        }
        let xemu = self.xemu.as_ref().and_then(Xemu::figures);
        if xemu.is_some() {
            let _ = write!(text, "   | xemu{:>7}{:>7}{:>7}", "RGBA", "<=2", "near");
        }
        text.push('\n');
        for (name, counters) in &self.suites {
            let xemu = xemu.and_then(|(_, suites)| suites.get(name));
            self.line(&mut text, name, counters, xemu, references);
        }
        let xemu = xemu.map(|(totals, _)| totals);
        self.line(&mut text, "total", &self.totals, xemu, references);
        let of = self.totals.goldens.max(self.totals.references).max(1);
        let share = |n: u32| format!("{:.1}%", f64::from(n) * 100.0 / f64::from(of));
        let _ = write!(text, "{:<34}", "");
        let _ = if references {
            let shares = [self.totals.agree, self.totals.undisputed].map(share);
            write!(text, "{:>7}{:>7}{:>7}{:>7}", "", shares[0], "", shares[1])
        } else {
            write!(text, "{:>8}", "")
        };
        let t = &self.totals;
        for n in [t.exact_rgba, t.exact_rgb, t.within1, t.within2, t.near] {
            let _ = write!(text, "{:>7}", share(n));
        }
        text.push('\n');
        if references {
            let share = |n: u32| f64::from(n) * 100.0 / f64::from(t.usable.max(1));
            let _ = writeln!(
                text,
                "references that agree with each other (exact or edges): {}, agree {} ({:.1} %)",
                t.usable,
                t.usable_agree,
                share(t.usable_agree)
            );
            if t.usable_half > t.usable_agree {
                let _ = writeln!(
                    text,
                    "  half floats allowed for (drawn again in single precision): {} ({:.1} %)",
                    t.usable_half,
                    share(t.usable_half)
                );
            }
        }
        if t.explained > 0 {
            let _ = writeln!(
                text,
                "  by any rule of the reference, or by the second one: {} ({} of all {})",
                t.usable_agree + t.usable_explained,
                t.agree + t.explained,
                t.references
            );
        }
        text
    }

    fn line(
        &self,
        text: &mut String,
        name: &str,
        c: &Counters,
        xemu: Option<&Counters>,
        references: bool,
    ) {
        let _ = write!(text, "{name:<34}");
        if references {
            let share = f64::from(c.agree) * 100.0 / f64::from(c.references.max(1));
            let _ = write!(
                text,
                "{:>7}{:>7}{share:>7.1}{:>7}",
                c.references, c.agree, c.undisputed
            );
        } else {
            let _ = write!(text, "{:>8}", c.goldens);
        }
        for n in [
            c.exact_rgba,
            c.exact_rgb,
            c.within1,
            c.within2,
            c.near,
            c.errors,
        ] {
            let _ = write!(text, "{n:>7}");
        }
        if self.totals.inorder > 0 {
            let _ = write!(text, "{:>9}", c.inorder_only);
        }
        if let Some(x) = xemu {
            let _ = write!(
                text,
                "   |     {:>7}{:>7}{:>7}",
                x.exact_rgba, x.within2, x.near
            );
        }
        text.push('\n');
    }

    /// The figures as JSON.
    pub fn json(&self) -> serde_json::Value {
        let mut json = serde_json::json!({ "totals": self.totals, "suites": self.suites });
        if let Some((totals, suites)) = self.xemu.as_ref().and_then(Xemu::figures) {
            json["xemu"] = serde_json::json!({ "totals": totals, "suites": suites });
        }
        json
    }
}
