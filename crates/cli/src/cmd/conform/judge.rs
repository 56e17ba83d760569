//! What comes of a capture's cases: pictures compared, written, explained.

use super::compare::{self, Pixels};
use super::index::{Case, Expected, stem};
use super::record::{Failure, Record};
use super::shoot::{Left, Roll, Shots, is_mali, pick, shoot, shoot_on};
use crate::cmd::compare::culprit;
use crate::cmd::replay::Rule;
use crate::picture;
use isotherm::capture::{Image, Surface};
use isotherm::gpu::Snapshot;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

/// What to write and to find out on the way.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Output {
    /// Our pictures, as `<suite>/<test>.png`.
    pub images: Option<PathBuf>,
    /// Expected, ours, difference and theirs of each case that is not exact.
    pub report: Option<PathBuf>,
    /// Another program's pictures, as `<suite>/<name>.png`, for the report.
    pub theirs: Option<PathBuf>,
    /// Look for what makes pictures agree that do not.
    pub why: bool,
    /// Look for the draw that explains the first differing pixel.
    pub culprit: bool,
}

/// What makes a picture agree that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// The second reference: the first differs from both.
    Second,
    /// This rule of the reference, which the chip does not have.
    Rule(Rule),
    /// Nothing that was tried.
    Unknown,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Why::Second => "agrees with the second reference",
            Why::Rule(Rule::FullFloats) => "agrees with full floats instead of half floats",
            Why::Rule(Rule::JoinedCubes) => "agrees with cube faces joined",
            Why::Rule(Rule::WholeStencil) => "agrees with stencil counting in all bits",
            Why::Unknown => "does not agree whatever was tried",
        })
    }
}

/// Replays a capture on what the last one of its chain left, and judges its cases. Those that
/// nobody asked for have no record.
pub fn capture(
    mut left: Left,
    capture: &Path,
    cases: Vec<Case>,
    output: &Output,
) -> (Vec<Record>, Left) {
    // A pixel is explained by another replay, from where this one starts.
    let compared = cases
        .iter()
        .any(|case| !case.silent && case.expected.is_picture());
    let before = (output.culprit && compared)
        .then(|| left.snapshot())
        .flatten();
    let start = Instant::now();
    let (shots, left) = shoot_on(left, capture, &[]);
    let replay = start.elapsed().as_secs_f64();
    let inorder = cases
        .iter()
        .find_map(|case| case.inorder.as_deref())
        .map(|capture| shoot(capture, &[]));
    let asked_for = cases.into_iter().filter(|case| !case.silent);
    let judged = asked_for.map(|case| {
        let start = Instant::now();
        let mut record = judge(&case, &shots, inorder.as_ref(), output);
        // What is found out about a wrong picture is not the time that it takes to draw it.
        record.seconds = replay + start.elapsed().as_secs_f64();
        if let Ok(roll) = &shots {
            explain(&mut record, &case, roll, output);
            if output.culprit {
                blame(&mut record, &case, roll, before.as_ref());
            }
        }
        record
    });
    (judged.collect(), left)
}

/// Judges one case.
fn judge(case: &Case, shots: &Shots, inorder: Option<&Shots>, output: &Output) -> Record {
    let mut record = Record::new(case);
    match shots {
        Ok(roll) => {
            (record.chip, record.draws) = (Some(roll.chip.into()), Some(roll.draws));
            if let Err(error) = finish(&mut record, case, roll, inorder, output) {
                record.failed(Failure::Data, format!("{error:#}"));
            }
        }
        Err((failure, text)) => record.failed(*failure, text),
    }
    record.settle();
    record
}

/// Compares, and writes pictures.
fn finish(
    record: &mut Record,
    case: &Case,
    roll: &Roll,
    inorder: Option<&Shots>,
    output: &Output,
) -> anyhow::Result<()> {
    if matches!(case.expected, Expected::NoPicture) {
        return Ok(());
    }
    let (surface, image) = pick(case, roll)?;
    record.drew(image);
    if let Some(folder) = &output.images {
        images(folder, case, surface, image)?;
    }
    let (Expected::Golden(path) | Expected::Reference { path, .. }) = &case.expected else {
        return Ok(());
    };
    let expected = picture::load(path)?;
    let pixels = against(case, &expected, image)?;
    record.compared(&pixels);
    record.inorder_differ = inorder
        .and_then(|shots| shots.as_ref().ok())
        .and_then(|roll| pick(case, roll).ok())
        .and_then(|(_, image)| compare::compare(&expected, image))
        .map(|pixels| pixels.rgba);
    if let (Some(folder), true) = (&output.report, pixels.rgba > 0) {
        exhibit(folder, case, &expected, image, output.theirs.as_deref())?;
    }
    Ok(())
}

/// Compares with what was expected, and with a second reference where there is one.
fn against(case: &Case, expected: &Image, image: &Image) -> anyhow::Result<Pixels> {
    let Some(mut pixels) = compare::compare(expected, image) else {
        anyhow::bail!(
            "expected {}x{}, drew {}x{}",
            expected.width,
            expected.height,
            image.width,
            image.height
        );
    };
    if let Expected::Reference {
        second: Some(path), ..
    } = &case.expected
    {
        pixels.judge(expected, &picture::load(path)?, image);
    }
    Ok(pixels)
}

/// A place below a folder, whatever names an index has: steps up and roots are left out.
fn below(folder: &Path, suite: &str, name: &str) -> PathBuf {
    let inside = Path::new(suite).join(name);
    let steps = inside.components();
    folder.join(PathBuf::from_iter(
        steps.filter(|step| matches!(step, Component::Normal(_))),
    ))
}

/// Writes our picture, by the picture's name and by the test's.
fn images(folder: &Path, case: &Case, surface: &Surface, image: &Image) -> anyhow::Result<()> {
    let golden = surface.golden.as_deref().map(|g| stem(Path::new(g)));
    let name = match (&case.expected, golden) {
        (Expected::Nothing, Some(golden)) => golden,
        _ => case.name.clone(),
    };
    let path = |name: &str| below(folder, &case.suite, &format!("{name}.png"));
    picture::save(&path(&name), image)?;
    if case.test != name && case.surface.as_deref() != Some("zeta") {
        picture::save(&path(&case.test), image)?;
    }
    Ok(())
}

/// The pictures of the report.
fn exhibit(
    folder: &Path,
    case: &Case,
    expected: &Image,
    image: &Image,
    theirs: Option<&Path>,
) -> anyhow::Result<()> {
    let stem = below(folder, &case.suite, &case.name);
    let path = |kind: &str| PathBuf::from(format!("{}.{kind}.png", stem.display()));
    picture::save(&path("golden"), expected)?;
    picture::save(&path("ours"), image)?;
    picture::save(&path("diff"), &compare::difference(expected, image))?;
    let second = match &case.expected {
        Expected::Reference { second, .. } => second.clone(),
        _ => None,
    };
    let name = format!("{}.png", case.name);
    let theirs = theirs.map(|folder| below(folder, &case.suite, &name));
    if let Some(theirs) = theirs.filter(|path| path.exists()).or(second) {
        std::fs::copy(theirs, path("theirs"))?;
    }
    Ok(())
}

/// Looks for the draw behind the first differing pixel.
fn blame(record: &mut Record, case: &Case, roll: &Roll, before: Option<&Snapshot>) {
    let (Some(x), Some(y)) = (record.first_x, record.first_y) else {
        return;
    };
    let hex = record.first_expected.as_deref().unwrap_or_default();
    let expected = u32::from_str_radix(hex, 16).unwrap_or(0).to_be_bytes();
    let index = pick(case, roll)
        .ok()
        .and_then(|found| roll.shots.iter().position(|shot| std::ptr::eq(shot, found)));
    // Nothing is lost if it cannot be told.
    let found = index.map(|at| culprit(&case.capture, before, at, (x, y), expected));
    if let Some(Ok((draw, text))) = found {
        (record.first_draw, record.first_why) = (draw, Some(text));
    }
}

/// Says what makes a picture agree with its reference that does not.
fn explain(record: &mut Record, case: &Case, roll: &Roll, output: &Output) {
    let Expected::Reference {
        path,
        valid: true,
        second,
        ..
    } = &case.expected
    else {
        return;
    };
    if record.differ.is_none() || record.agrees() {
        return;
    }
    let mali = is_mali(&case.capture);
    let helps = |rule: Rule| {
        mali && shoot(&case.capture, &[rule]).is_ok_and(|roll| agrees(case, path, &roll))
    };
    record.half_floats = helps(Rule::FullFloats);
    if !output.why {
        return;
    }
    let why = if record.half_floats {
        Why::Rule(Rule::FullFloats)
    } else if let Some(rule) = [Rule::JoinedCubes, Rule::WholeStencil]
        .into_iter()
        .find(|rule| helps(*rule))
    {
        Why::Rule(rule)
    } else if second
        .as_ref()
        .is_some_and(|second| agrees(case, second, roll))
    {
        Why::Second
    } else {
        Why::Unknown
    };
    record.explained = why != Why::Unknown;
    record.why = Some(why.to_string());
}

/// Does what was drawn for a case agree with this picture?
fn agrees(case: &Case, reference: &Path, roll: &Roll) -> bool {
    let reference = picture::load(reference).ok();
    let found = pick(case, roll).ok();
    reference
        .zip(found)
        .and_then(|(reference, (_, found))| compare::compare(&reference, found))
        .is_some_and(|pixels| pixels.agrees())
}
