//! Two captures, draw by draw: draws are aligned, then states compared by field, programs,
//! textures, vertices and what was drawn.

use super::summary::{self, Summary};
use crate::show::{BAD, GOOD, HEAD};
use crate::{input, show};
use anyhow::Context;
use isotherm::capture::Image;
use isotherm_picture::screenshot::first_difference;
use isotherm_regs::explain;
use serde_json::{Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::path::Path;
use std::process::ExitCode;

/// Something that differs.
struct Difference {
    /// The draws, from 1; none where one side has no such draw.
    draws: [Option<u64>; 2],
    /// What: draw, vertices, state, program, texture or picture.
    kind: &'static str,
    /// Which state word, program or texture.
    name: String,
    /// The two sides.
    sides: [String; 2],
}

/// Compares; ends in 0 if nothing differs, in 1 if something does.
pub fn run(a: &Path, b: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    let load = |path: &Path| summary::load(path).with_context(|| input::name(path));
    let (left, right) = (load(a)?, load(b)?);
    let mut found = Vec::new();
    if left.chip != right.chip {
        found.push(Difference {
            draws: [None, None],
            kind: "chip",
            name: "chip".into(),
            sides: [left.chip.name().into(), right.chip.name().into()],
        });
    }
    let pairs = align(&left.draws, &right.draws, &mut found);
    for (x, y) in &pairs {
        compare(&left.draws[*x], &right.draws[*y], &mut found);
    }
    let first = pairs
        .iter()
        .map(|(x, y)| (&left.draws[*x], &right.draws[*y]))
        .find(|(x, y)| x.picture != y.picture);
    match first {
        Some((x, y)) => found.extend(pixel(a, b, Some([x.number, y.number]))?),
        None if left.last_picture != right.last_picture => found.extend(pixel(a, b, None)?),
        None => {}
    }
    print(&found, as_json)?;
    if found.is_empty() && !as_json {
        let draws = crate::show::many(left.draws.len() as u64, "draw");
        note!("{draws}, no difference");
    }
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}

/// Draws of both sides that belong together; the others are differences.
fn align(a: &[Summary], b: &[Summary], found: &mut Vec<Difference>) -> Vec<(usize, usize)> {
    let keys = |side: &[Summary]| side.iter().map(|s| s.key).collect::<Vec<u64>>();
    let mut pairs = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(a), &keys(b)) {
        let (x, y) = (op.old_range(), op.new_range());
        // Of a stretch that was replaced, the draws in the same places are compared.
        let common = match op {
            DiffOp::Equal { .. } | DiffOp::Replace { .. } => x.len().min(y.len()),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } => 0,
        };
        pairs.extend((0..common).map(|i| (x.start + i, y.start + i)));
        let mut only = |summary: &Summary, side: usize| {
            let (mut draws, mut sides) = ([None, None], ["absent".to_string(), "absent".into()]);
            draws[side] = Some(summary.number);
            sides[side] = summary.label.clone();
            found.push(Difference {
                draws,
                kind: "draw",
                name: String::new(),
                sides,
            });
        };
        a[x.start + common..x.end].iter().for_each(|s| only(s, 0));
        b[y.start + common..y.end].iter().for_each(|s| only(s, 1));
    }
    pairs
}

fn compare(a: &Summary, b: &Summary, found: &mut Vec<Difference>) {
    let mut add = |kind, name: &str, x: String, y: String| {
        found.push(Difference {
            draws: [Some(a.number), Some(b.number)],
            kind,
            name: name.into(),
            sides: [x, y],
        });
    };
    if a.label != b.label {
        add("draw", "", a.label.clone(), b.label.clone());
    } else if a.mesh != b.mesh {
        let text = |s: &Summary| format!("vertices {:016x}", s.mesh);
        add("vertices", "", text(a), text(b));
    }
    for (x, y) in a
        .state
        .iter()
        .zip(&b.state)
        .filter(|(x, y)| x.value != y.value)
    {
        let fields = |w: &summary::StateWord| explain::word(a.chip, w.word, w.entry, w.value);
        let (left, right) = (fields(x), fields(y));
        for (l, r) in left
            .lines
            .iter()
            .zip(&right.lines)
            .filter(|(l, r)| l.raw != r.raw)
        {
            let name = format!("{}.{}", x.name, l.name);
            add("state", &name, l.text.clone(), r.text.clone());
        }
        if left.undeclared != right.undeclared {
            let hex = |w: u32| format!("{w:#x}");
            add(
                "state",
                &x.name,
                hex(left.undeclared),
                hex(right.undeclared),
            );
        }
    }
    for name in ["vertex program", "fragment program"] {
        let text = |s: &Summary| s.programs.get(name).cloned().unwrap_or_default();
        if text(a) != text(b) {
            add("program", name, text(a), text(b));
        }
    }
    let units = a.textures.keys().chain(b.textures.keys());
    for unit in units.collect::<std::collections::BTreeSet<_>>() {
        let text = |s: &Summary| s.textures.get(unit).cloned().unwrap_or("off".into());
        if text(a) != text(b) {
            add("texture", &format!("texture {unit}"), text(a), text(b));
        }
    }
}

/// The first pixel that differs behind a pair of draws, or in the last pictures.
fn pixel(a: &Path, b: &Path, draws: Option<[u64; 2]>) -> anyhow::Result<Option<Difference>> {
    let image = |path: &Path, side: usize| {
        summary::picture(path, draws.map(|d| d[side])).with_context(|| input::name(path))
    };
    let (Some(left), Some(right)) = (image(a, 0)?, image(b, 1)?) else {
        return Ok(None);
    };
    let draws = [0, 1].map(|side| draws.map(|d| d[side]));
    let size = |image: &Image| format!("{}x{}", image.width, image.height);
    if (left.width, left.height) != (right.width, right.height) {
        return Ok(Some(Difference {
            draws,
            kind: "picture",
            name: "size".into(),
            sides: [size(&left), size(&right)],
        }));
    }
    let Some((at, count)) = first_difference(&left, &right) else {
        return Ok(None);
    };
    let (x, y) = (at % left.width as usize, at / left.width as usize);
    let rgba = |image: &Image| {
        let c = &image.rgba[4 * at..4 * at + 4];
        format!("{} {} {} {}", c[0], c[1], c[2], c[3])
    };
    Ok(Some(Difference {
        draws,
        kind: "picture",
        name: format!("{count} pixels, the first at ({x}, {y})"),
        sides: [rgba(&left), rgba(&right)],
    }))
}

impl Difference {
    fn json(&self) -> Value {
        json!({ "draw_a": self.draws[0], "draw_b": self.draws[1], "kind": self.kind,
            "name": self.name, "a": self.sides[0], "b": self.sides[1] })
    }

    fn heading(&self) -> String {
        match self.draws {
            [Some(a), Some(b)] if a == b => format!("draw {a}"),
            [Some(a), Some(b)] => format!("draw {a} (in the other: {b})"),
            [Some(a), None] => format!("draw {a} of the first alone"),
            [None, Some(b)] => format!("draw {b} of the second alone"),
            [None, None] => "captures".into(),
        }
    }

    fn print(&self) -> std::io::Result<()> {
        let [a, b] = &self.sides;
        match self.kind {
            "program" => {
                say!("  {}", self.name);
                lines(a, b)?;
            }
            "draw" if self.draws.contains(&None) => {
                say!("  {}", if self.draws[0].is_some() { a } else { b });
            }
            _ => {
                let name = if self.name.is_empty() {
                    self.kind
                } else {
                    &self.name
                };
                say!("  {name}: {BAD}{a}{BAD:#} -> {GOOD}{b}{GOOD:#}");
            }
        }
        Ok(())
    }
}

/// Lines of two programs that differ.
fn lines(a: &str, b: &str) -> std::io::Result<()> {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    for op in capture_diff_slices(Algorithm::Myers, &a, &b) {
        if let DiffOp::Equal { .. } = op {
            continue;
        }
        for line in &a[op.old_range()] {
            say!("    {BAD}- {line}{BAD:#}");
        }
        for line in &b[op.new_range()] {
            say!("    {GOOD}+ {line}{GOOD:#}");
        }
    }
    Ok(())
}

fn print(found: &[Difference], as_json: bool) -> anyhow::Result<()> {
    if as_json {
        let list: Vec<Value> = found.iter().map(Difference::json).collect();
        let value = json!({ "schema": "isotherm-diff-1", "differences": list });
        return show::finish(show::write_json(&mut std::io::stdout().lock(), &value));
    }
    let mut last = String::new();
    for difference in found {
        let heading = difference.heading();
        if heading != last {
            say!("{HEAD}{heading}{HEAD:#}");
            last = heading;
        }
        difference.print()?;
    }
    Ok(())
}
