//! The table, the JSON file and the HTML page.

use super::compare::Pixels;
use super::index::{Case, Expected};
use super::run::{Outcome, Why};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;

/// The figures of a suite, of a case, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
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
    pub fn of(outcome: &Outcome) -> Counters {
        let mut counters = Counters {
            cases: 1,
            errors: u32::from(outcome.error.is_some()),
            ..Counters::default()
        };
        match &outcome.case.expected {
            Expected::Golden(_) => {
                counters.goldens = 1;
                if let Some(pixels) = &outcome.pixels {
                    counters.pixels(pixels);
                }
                if let Some(inorder) = &outcome.inorder {
                    counters.inorder = 1;
                    counters.inorder_only =
                        u32::from(inorder.rgba == 0 && counters.exact_rgba == 0);
                }
            }
            Expected::Reference {
                valid: true,
                quality,
                ..
            } => {
                counters.references = 1;
                let usable = u32::from(matches!(quality.as_str(), "exact" | "edges"));
                let told = |why: &Why| *why != Why::Unknown;
                counters.explained = u32::from(outcome.why.as_ref().is_some_and(told));
                counters.usable = usable;
                counters.usable_explained = usable * counters.explained;
                if let Some(pixels) = &outcome.pixels {
                    counters.pixels(pixels);
                    counters.agree = u32::from(pixels.agrees());
                    counters.usable_agree = usable * counters.agree;
                    let half = counters.agree | u32::from(outcome.half_floats);
                    counters.usable_half = usable * half;
                    counters.undisputed = u32::from(pixels.undisputed());
                }
            }
            _ => {}
        }
        counters
    }

    fn pixels(&mut self, p: &Pixels) {
        self.exact_rgba = u32::from(p.rgba == 0);
        self.exact_rgb = u32::from(p.diff == 0);
        self.within1 = u32::from(p.gt1 == 0);
        self.within2 = u32::from(p.gt2 == 0);
        self.near = u32::from(p.near());
    }

    fn add(&mut self, other: &Counters) {
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

/// All figures.
pub struct Report {
    /// Over everything.
    pub totals: Counters,
    /// Per suite.
    pub suites: BTreeMap<String, Counters>,
    /// Case by case.
    pub outcomes: Vec<Outcome>,
    /// Another emulator's figures for the same goldens: in total and per suite.
    pub xemu: Option<(Counters, BTreeMap<String, Counters>)>,
}

/// xemu's figures for the same goldens.
#[derive(Deserialize)]
struct Xemu {
    cases: HashMap<String, XemuCase>,
}

#[derive(Deserialize)]
struct XemuCase {
    gl: Option<XemuPixels>,
    vk: Option<XemuPixels>,
}

#[derive(Deserialize)]
struct XemuPixels {
    n: u32,
    diff: u32,
    gt1: u32,
    gt2: u32,
    gt4: u32,
    rgba: u32,
}

impl Report {
    /// Adds the cases up; `folder` may hold xemu's figures.
    pub fn new(outcomes: Vec<Outcome>, folder: &Path) -> Report {
        let mut totals = Counters::default();
        let mut suites: BTreeMap<String, Counters> = BTreeMap::new();
        for outcome in &outcomes {
            let counters = Counters::of(outcome);
            totals.add(&counters);
            suites
                .entry(outcome.case.suite.clone())
                .or_default()
                .add(&counters);
        }
        let xemu = xemu(&outcomes, folder);
        Report {
            totals,
            suites,
            outcomes,
            xemu,
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
        if self.xemu.is_some() {
            let _ = write!(text, "   | xemu{:>7}{:>7}{:>7}", "RGBA", "<=2", "near");
        }
        text.push('\n');
        for (name, counters) in &self.suites {
            let xemu = self.xemu.as_ref().and_then(|(_, suites)| suites.get(name));
            self.line(&mut text, name, counters, xemu, references);
        }
        let xemu = self.xemu.as_ref().map(|(totals, _)| totals);
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
        let cases: Vec<_> = self.outcomes.iter().map(case_json).collect();
        let mut report = serde_json::json!({
            "totals": self.totals,
            "suites": self.suites,
            "cases": cases,
        });
        if let Some((totals, suites)) = &self.xemu {
            report["xemu"] = serde_json::json!({ "totals": totals, "suites": suites });
        }
        report
    }
}

fn case_json(outcome: &Outcome) -> serde_json::Value {
    let case: &Case = &outcome.case;
    let mut json = serde_json::json!(Counters::of(outcome));
    json["suite"] = case.suite.clone().into();
    json["test"] = case.test.clone().into();
    json["name"] = case.name.clone().into();
    if let Some(pixels) = &outcome.pixels {
        json["pixels"] = serde_json::json!(pixels);
    }
    if let Some(pixels) = &outcome.inorder {
        json["inorder_pixels"] = serde_json::json!(pixels);
    }
    if outcome.half_floats {
        json["half_floats"] = true.into();
    }
    if let Some(why) = &outcome.why {
        json["why"] = why.to_string().into();
    }
    if let Some(error) = &outcome.error {
        json["error"] = error.clone().into();
    }
    if let Expected::Reference { quality, valid, .. } = &case.expected {
        json["ref_quality"] = quality.clone().into();
        json["reference_valid"] = (*valid).into();
    }
    json
}

/// xemu's counters over the same goldens, for the better of its two renderers.
fn xemu(outcomes: &[Outcome], folder: &Path) -> Option<(Counters, BTreeMap<String, Counters>)> {
    let list = std::fs::read_dir(folder).ok()?;
    let path = list
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("xemu-") && name.ends_with(".json")
        })?;
    let xemu: Xemu = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    let of = |pick: fn(&XemuCase) -> Option<&XemuPixels>| {
        let mut totals = Counters::default();
        let mut suites: BTreeMap<String, Counters> = BTreeMap::new();
        for outcome in outcomes {
            let key = format!("{}/{}.png", outcome.case.suite, outcome.case.name);
            let Some(case) = xemu.cases.get(&key) else {
                continue;
            };
            let mut counters = Counters {
                cases: 1,
                goldens: 1,
                ..Counters::default()
            };
            match pick(case) {
                Some(p) => counters.pixels(&Pixels {
                    n: p.n,
                    diff: p.diff,
                    gt1: p.gt1,
                    gt2: p.gt2,
                    gt4: p.gt4,
                    rgba: p.rgba,
                    ..Pixels::default()
                }),
                None => counters.errors = 1,
            }
            totals.add(&counters);
            suites
                .entry(outcome.case.suite.clone())
                .or_default()
                .add(&counters);
        }
        (totals, suites)
    };
    let (gl, vk) = (of(|case| case.gl.as_ref()), of(|case| case.vk.as_ref()));
    Some(if gl.0.exact_rgba > vk.0.exact_rgba {
        gl
    } else {
        vk
    })
}

/// The page: golden, ours and difference of what is not exact, worst first. The pictures
/// lie in `folder`, beside the page.
pub fn html(report: &Report, folder: &str) -> String {
    let mut page = String::from(concat!(
        "<!doctype html><meta charset=utf-8><title>Isotherm conformance</title><style>",
        "body{font:14px system-ui;margin:2em;background:#fff;color:#111}",
        "table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}",
        "td:first-child,th:first-child{text-align:left}",
        "figure{display:inline-block;margin:4px}figcaption{color:#555}",
        "img{width:320px;image-rendering:pixelated;background:#ccc}",
        "h3{margin:1.2em 0 .2em}@media(prefers-color-scheme:dark)",
        "{body{background:#161616;color:#ddd}figcaption{color:#999}}</style>",
        "<h1>Isotherm conformance</h1><pre>"
    ));
    page.push_str(&escape(&report.table()));
    page.push_str("</pre>");
    let mut worst: Vec<&Outcome> = report.outcomes.iter().collect();
    let key = |o: &Outcome| match (&o.error, &o.pixels) {
        (Some(_), _) => (u32::MAX, u32::MAX),
        (None, Some(p)) => (p.gt4, p.rgba),
        (None, None) => (0, 0),
    };
    worst.retain(|outcome| key(outcome) != (0, 0));
    worst.sort_by_key(|outcome| std::cmp::Reverse(key(outcome)));
    let _ = write!(
        page,
        "<p>{} cases are not exact, worst first.</p>",
        worst.len()
    );
    for outcome in worst {
        let name = format!("{}/{}", outcome.case.suite, outcome.case.name);
        let _ = write!(page, "<h3>{}</h3>", escape(&name));
        if let Some(error) = &outcome.error {
            let _ = write!(page, "<p>error: {}</p>", escape(error));
            continue;
        }
        if let Some(p) = &outcome.pixels {
            let _ = write!(
                page,
                "<p>{} pixels differ ({} in RGB, {} by more than 4, most {})</p>",
                p.rgba, p.diff, p.gt4, p.max
            );
            for kind in ["golden", "ours", "diff"] {
                let path = escape(&format!("{folder}/{name}.{kind}.png"));
                let _ = write!(
                    page,
                    "<figure><img loading=lazy src=\"{path}\"><figcaption>{kind}</figcaption></figure>"
                );
            }
        }
    }
    page
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
