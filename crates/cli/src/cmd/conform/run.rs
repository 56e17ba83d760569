//! Replays the cases, each capture once, several at a time.

use super::compare::{self, Pixels};
use super::index::{Case, Expected, stem};
use crate::cmd::replay::{Rule, open, what_if};
use crate::picture;
use isotherm::capture::{Image, Surface};
use isotherm::gpu::{self, Gpu};
use rayon::prelude::*;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What came of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The case.
    pub case: Case,
    /// How it differs from what was expected; none without expectation or on an error.
    pub pixels: Option<Pixels>,
    /// The same for the capture in suite order.
    pub inorder: Option<Pixels>,
    /// Why there is no picture or no comparison.
    pub error: Option<String>,
    /// Does not agree with its reference, but does when nothing is rounded to half floats.
    pub half_floats: bool,
    /// What makes it agree with its reference, if it does not and somebody asked.
    pub why: Option<Why>,
}

/// What makes a picture agree that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
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

/// What to write on the way.
pub struct Output {
    /// Our pictures, as `<suite>/<test>.png`.
    pub images: Option<PathBuf>,
    /// Golden, ours and difference of each case that is not exact.
    pub report: Option<PathBuf>,
    /// Look for what makes pictures agree that do not.
    pub why: bool,
}

/// Captures to replay one after the other on one chip, each with its cases. Only a chain
/// has more than one.
type Chain = Vec<(PathBuf, Vec<Case>)>;

/// Runs all cases; `progress` is called after each capture with the number of its cases.
pub fn run(cases: Vec<Case>, output: &Output, progress: impl Fn(usize) + Sync) -> Vec<Outcome> {
    let run = |chain: Chain| {
        let (mut outcomes, mut left) = (Vec::new(), Left::Nothing);
        for (capture, cases) in chain {
            let number = cases.len();
            let (shots, after) = shoot_on(left, &capture, &[]);
            left = after;
            outcomes.extend(group(&capture, &shots, cases, output));
            progress(number);
        }
        outcomes
    };
    chains(cases)
        .into_par_iter()
        .with_max_len(1)
        .flat_map_iter(run)
        .collect()
}

/// Puts cases of one capture, and captures of one chain, together.
fn chains(cases: Vec<Case>) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::new();
    let mut known: HashMap<PathBuf, (usize, usize)> = HashMap::new();
    let mut named: HashMap<String, usize> = HashMap::new();
    for case in cases {
        let (chain, place) = *known.entry(case.capture.clone()).or_insert_with(|| {
            let mut add = || {
                chains.push(Vec::new());
                chains.len() - 1
            };
            let chain = match &case.chain {
                Some(name) => *named.entry(name.clone()).or_insert_with(add),
                None => add(),
            };
            chains[chain].push((case.capture.clone(), Vec::new()));
            (chain, chains[chain].len() - 1)
        });
        chains[chain][place].1.push(case);
    }
    chains
}

/// All cases of one capture.
fn group(capture: &Path, shots: &Shots, cases: Vec<Case>, output: &Output) -> Vec<Outcome> {
    let inorder = cases
        .iter()
        .find_map(|case| case.inorder.as_deref())
        .map(|capture| shoot(capture, &[]));
    let finish = |case: Case| {
        let mut outcome = Outcome {
            case,
            pixels: None,
            inorder: None,
            error: None,
            half_floats: false,
            why: None,
        };
        if let Err(error) = finish(&mut outcome, shots, inorder.as_ref(), output) {
            outcome.error = Some(format!("{error:#}"));
        }
        if let Some(reference) = disagrees(&outcome) {
            let full = is_mali(capture)
                .then(|| shoot(capture, &[Rule::FullFloats]))
                .filter(|shots| agrees(&outcome.case, reference, shots));
            outcome.half_floats = full.is_some();
            if output.why {
                outcome.why = Some(why(&outcome, shots));
            }
        }
        outcome
    };
    let asked_for = cases.into_iter().filter(|case| !case.silent);
    asked_for.map(finish).collect()
}

type Shots = Result<Vec<(Surface, Image)>, String>;

/// The valid reference that a picture does not agree with.
fn disagrees(outcome: &Outcome) -> Option<&Path> {
    let Expected::Reference {
        path, valid: true, ..
    } = &outcome.case.expected
    else {
        return None;
    };
    let pixels = outcome.pixels.as_ref()?;
    (!pixels.agrees()).then_some(path)
}

/// Does what was drawn for a case agree with this picture?
fn agrees(case: &Case, reference: &Path, shots: &Shots) -> bool {
    let reference = picture::load(reference).ok();
    let found = pick(case, shots).ok();
    reference
        .zip(found)
        .and_then(|(reference, (_, found))| compare::compare(&reference, found))
        .is_some_and(|pixels| pixels.agrees())
}

/// Are there rules of software renderers to draw this capture with?
fn is_mali(capture: &Path) -> bool {
    open(capture)
        .ok()
        .and_then(|mut reader| gpu::start(&mut reader).ok())
        .is_some_and(|mut gpu| gpu.set_what_if(what_if(&[])))
}

/// What makes a picture agree with its reference that does not.
fn why(outcome: &Outcome, shots: &Shots) -> Why {
    let case = &outcome.case;
    let Expected::Reference { path, second, .. } = &case.expected else {
        return Why::Unknown;
    };
    if outcome.half_floats {
        return Why::Rule(Rule::FullFloats);
    }
    let rules = [Rule::JoinedCubes, Rule::WholeStencil];
    let helps = |rule: &Rule| agrees(case, path, &shoot(&case.capture, &[*rule]));
    if let Some(rule) = rules
        .into_iter()
        .filter(|_| is_mali(&case.capture))
        .find(helps)
    {
        return Why::Rule(rule);
    }
    let second = second.as_ref();
    if second.is_some_and(|second| agrees(case, second, shots)) {
        return Why::Second;
    }
    Why::Unknown
}

/// What the capture before left, in a chain.
enum Left {
    /// There was none.
    Nothing,
    /// The chip as it was at its end.
    Chip(Box<Gpu>),
    /// An error: what follows would start from something else.
    Broken,
}

/// Replays a capture on a new chip; every surface as a picture.
fn shoot(capture: &Path, rules: &[Rule]) -> Shots {
    shoot_on(Left::Nothing, capture, rules).0
}

/// Replays a capture on what the last one left. A panic is an error like any other.
fn shoot_on(left: Left, capture: &Path, rules: &[Rule]) -> (Shots, Left) {
    let attempt = || -> anyhow::Result<(Vec<(Surface, Image)>, Gpu)> {
        let mut reader = open(capture)?;
        let new = gpu::start(&mut reader)?;
        let mut gpu = match left {
            Left::Nothing => new,
            Left::Chip(gpu) => {
                anyhow::ensure!(gpu.chip() == new.chip(), "the chain is of another chip");
                *gpu
            }
            Left::Broken => anyhow::bail!("an earlier capture of the chain ended in an error"),
        };
        gpu.set_threads(1);
        gpu.set_what_if(what_if(rules));
        let mut shots = Vec::new();
        while let Some(record) = reader.next_record()? {
            if let Some(surface) = gpu.record(record)? {
                let image = surface.read(&gpu.memory);
                shots.push((*surface, image));
            }
        }
        gpu.finish();
        Ok((shots, gpu))
    };
    let error = match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok((shots, gpu))) => return (Ok(shots), Left::Chip(Box::new(gpu))),
        Ok(Err(error)) => format!("{error:#}"),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied());
            format!("panic: {}", text.unwrap_or("of unknown kind"))
        }
    };
    (Err(error), Left::Broken)
}

/// The shot that a case is about: the one that names its golden, else the one of its kind,
/// else the last.
fn pick<'s>(case: &Case, shots: &'s Shots) -> anyhow::Result<&'s (Surface, Image)> {
    let shots = shots.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
    let names = |surface: &Surface| {
        let named = surface
            .golden
            .as_deref()
            .is_some_and(|g| stem(Path::new(g)) == case.name);
        let depth = surface.source == "texture";
        let kind = case
            .surface
            .as_deref()
            .is_some_and(|kind| (kind == "zeta") == depth);
        (named, kind)
    };
    let best = shots.iter().max_by_key(|(surface, _)| names(surface));
    best.ok_or_else(|| anyhow::anyhow!("the capture has no SURF record"))
}

/// Where a picture goes: a file below the folder, whatever names an index has.
fn place(folder: &Path, suite: &str, name: &str) -> PathBuf {
    let plain = |name: &str| match name.replace(['/', '\\'], "_") {
        name if name.chars().all(|c| c == '.') => "_".into(),
        name => name,
    };
    folder.join(plain(suite)).join(plain(name))
}

fn finish(
    outcome: &mut Outcome,
    shots: &Shots,
    inorder: Option<&Shots>,
    output: &Output,
) -> anyhow::Result<()> {
    let case = &mut outcome.case;
    if let (Expected::NoPicture, Ok(_)) = (&case.expected, shots) {
        return Ok(());
    }
    let (surface, image) = pick(case, shots)?;
    if let (Expected::Nothing, Some(golden)) = (&case.expected, &surface.golden) {
        case.name = stem(Path::new(golden));
    }
    if let Some(folder) = &output.images {
        let path = |name: &str| place(folder, &case.suite, name).with_added_extension("png");
        picture::save(&path(&case.name), image)?;
        if case.test != case.name && case.surface.as_deref() != Some("zeta") {
            picture::save(&path(&case.test), image)?;
        }
    }
    let (Expected::Golden(path) | Expected::Reference { path, .. }) = &case.expected else {
        return Ok(());
    };
    let expected = picture::load(path)?;
    let sizes = |found: &Image| {
        format!(
            "expected {}x{}, drew {}x{}",
            expected.width, expected.height, found.width, found.height
        )
    };
    let Some(mut pixels) = compare::compare(&expected, image) else {
        anyhow::bail!(sizes(image));
    };
    if let Expected::Reference {
        second: Some(path), ..
    } = &case.expected
    {
        pixels.judge(&expected, &picture::load(path)?, image);
    }
    outcome.inorder = inorder
        .and_then(|shots| pick(case, shots).ok())
        .and_then(|(_, image)| compare::compare(&expected, image));
    if let (Some(folder), true) = (&output.report, pixels.rgba > 0) {
        let stem = place(folder, &case.suite, &case.name);
        let path = |kind: &str| PathBuf::from(format!("{}.{kind}.png", stem.display()));
        picture::save(&path("golden"), &expected)?;
        picture::save(&path("ours"), image)?;
        picture::save(&path("diff"), &compare::difference(&expected, image))?;
    }
    outcome.pixels = Some(pixels);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(capture: &str, chain: Option<&str>) -> Case {
        Case {
            suite: String::new(),
            test: capture.into(),
            name: capture.into(),
            capture: capture.into(),
            inorder: None,
            expected: Expected::Nothing,
            surface: None,
            chain: chain.map(Into::into),
            silent: false,
        }
    }

    #[test]
    fn captures_of_a_chain_stay_in_order() {
        let cases = vec![
            case("a", Some("x")),
            case("b", None),
            case("c", Some("x")),
            case("a", Some("x")),
            case("b", None),
        ];
        let chains = chains(cases);
        let names = |chain: &Chain| -> Vec<(String, usize)> {
            let name = |(path, cases): &(PathBuf, Vec<Case>)| (stem(path), cases.len());
            chain.iter().map(name).collect()
        };
        assert_eq!(chains.len(), 2);
        assert_eq!(names(&chains[0]), [("a".into(), 2), ("c".into(), 1)]);
        assert_eq!(names(&chains[1]), [("b".into(), 2)]);
    }

    #[test]
    fn a_chain_that_broke_stays_broken() {
        let missing = Path::new("/nonexistent/capture.cap.zst");
        let (shots, left) = shoot_on(Left::Nothing, missing, &[]);
        assert!(shots.is_err() && matches!(left, Left::Broken));
    }
}
