//! `index.json`: which captures there are and what they should look like.

use anyhow::Context;
use serde::Deserialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// One picture to draw and perhaps to compare.
#[derive(Clone, Debug)]
pub struct Case {
    /// Suite, or the chip of a driver stream.
    pub suite: String,
    /// Test, or the program of a driver stream.
    pub test: String,
    /// The picture's own name: the golden's, else the test's.
    pub name: String,
    /// The capture.
    pub capture: PathBuf,
    /// The same test with the state that earlier tests of its suite left.
    pub inorder: Option<PathBuf>,
    /// What it is compared with.
    pub expected: Expected,
    /// `color` or `zeta`, where a capture shows both.
    pub surface: Option<String>,
    /// Captures of one chain are replayed one after the other on one chip.
    pub chain: Option<String>,
    /// Nobody asked for it: it is there for what it leaves to later ones of its chain.
    pub silent: bool,
}

/// What a picture is compared with.
#[derive(Clone, Debug)]
pub enum Expected {
    /// Nothing: it is drawn all the same.
    Nothing,
    /// Not even a picture: the commands are run and nothing is to be seen.
    NoPicture,
    /// What silicon drew.
    Golden(PathBuf),
    /// What another implementation drew.
    Reference {
        /// The picture.
        path: PathBuf,
        /// A second implementation's, where the two differ visibly.
        second: Option<PathBuf>,
        /// How well the two reference implementations agree with each other.
        quality: String,
        /// Does the reference show what the stream draws?
        valid: bool,
    },
}

#[derive(Deserialize)]
struct Index {
    entries: Vec<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    suite: Option<String>,
    test: Option<String>,
    gpu: Option<String>,
    program: Option<String>,
    scene: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
    surface: Option<String>,
    chain: Option<String>,
    capture: PathBuf,
    capture_inorder: Option<PathBuf>,
    golden: Option<PathBuf>,
    references: References,
    reference_frame4: Option<PathBuf>,
    reference_valid: Option<bool>,
    surf: Option<bool>,
    ref_quality: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct References {
    softpipe: Option<PathBuf>,
    llvmpipe: Option<PathBuf>,
}

/// All cases of a folder: those of its `index.json`, or every capture below it.
pub fn read(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let path = folder.join("index.json");
    if !path.exists() {
        return walk(folder);
    }
    let text = std::fs::read(&path).with_context(|| format!("{}", path.display()))?;
    let index: Index =
        serde_json::from_slice(&text).with_context(|| format!("{}", path.display()))?;
    Ok(index
        .entries
        .into_iter()
        .map(|entry| case(folder, entry))
        .collect())
}

fn case(folder: &Path, entry: Entry) -> Case {
    let scene = entry.scene.map(|scene| {
        format!(
            "{scene}_{}x{}",
            entry.width.unwrap_or(0),
            entry.height.unwrap_or(0)
        )
    });
    let References { softpipe, llvmpipe } = entry.references;
    let (reference, second) = match softpipe {
        Some(path) => (Some(path), llvmpipe),
        None => (llvmpipe, None),
    };
    let expected = if let Some(golden) = &entry.golden {
        Expected::Golden(folder.join(golden))
    } else if entry.surf == Some(false) {
        // The program that was captured ended before it showed anything.
        Expected::NoPicture
    } else if let Some(path) = reference.or(entry.reference_frame4) {
        Expected::Reference {
            path: folder.join(path),
            second: second.map(|path| folder.join(path)),
            quality: entry.ref_quality.unwrap_or_else(|| "unknown".into()),
            valid: entry.reference_valid.unwrap_or(true),
        }
    } else {
        Expected::Nothing
    };
    let test = entry
        .test
        .or(entry.program)
        .or(scene)
        .unwrap_or_else(|| stem(&entry.capture));
    let name = entry.golden.as_deref().map_or_else(|| test.clone(), stem);
    Case {
        suite: entry.suite.or(entry.gpu).unwrap_or_default(),
        test,
        name,
        capture: folder.join(entry.capture),
        inorder: entry.capture_inorder.map(|path| folder.join(path)),
        expected,
        surface: entry.surface,
        chain: entry.chain,
        silent: false,
    }
}

/// Keeps what somebody asked for, and of its chains what comes before it.
pub fn keep(cases: &mut Vec<Case>, wanted: impl Fn(&Case) -> bool) {
    let mut chains: HashSet<String> = HashSet::new();
    // From the end: what comes after the last one of a chain leaves it nothing.
    for case in cases.iter_mut().rev() {
        case.silent = !wanted(case);
        if let (false, Some(chain)) = (case.silent, &case.chain) {
            chains.insert(chain.clone());
        }
        let needed = case.chain.as_ref().is_some_and(|c| chains.contains(c));
        if case.silent && !needed {
            // Nothing to do with it: marked by having neither.
            case.chain = None;
        }
    }
    cases.retain(|case| !case.silent || case.chain.is_some());
}

/// A folder without an index: each capture is a case, its folder the suite.
fn walk(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let list = std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))?;
        for entry in list {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".cap.zst") {
                let suite = folder
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                let test = stem(&path);
                cases.push(Case {
                    suite,
                    name: test.clone(),
                    test,
                    capture: path,
                    inorder: None,
                    expected: Expected::Nothing,
                    surface: None,
                    chain: None,
                    silent: false,
                });
            }
        }
    }
    cases.sort_by(|a, b| (&a.suite, &a.test).cmp(&(&b.suite, &b.test)));
    anyhow::ensure!(
        !cases.is_empty(),
        "{}: neither index.json nor captures",
        folder.display()
    );
    Ok(cases)
}

/// File name without its suffixes.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    [".zst", ".cap", ".png"]
        .iter()
        .fold(name.as_ref(), |n, s| n.strip_suffix(s).unwrap_or(n))
        .into()
}

/// Does a name match a pattern with `*` and `?`?
pub fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        assert!(glob("Blend*", "Blend_tests/Add"));
        assert!(glob("*/Add", "Blend_tests/Add"));
        assert!(glob("B*s/A?d", "Blend_tests/Add"));
        assert!(!glob("Blend", "Blend_tests"));
        assert!(!glob("", "x"));
        assert!(glob("***", ""));
    }

    #[test]
    fn chains_keep_what_comes_before() {
        let entry = |test: &str, chain: Option<&str>| Entry {
            test: Some(test.into()),
            capture: format!("{test}.cap.zst").into(),
            chain: chain.map(Into::into),
            ..Entry::default()
        };
        let mut cases: Vec<Case> = [
            entry("a", Some("x")),
            entry("b", None),
            entry("c", Some("y")),
            entry("d", Some("x")),
            entry("e", Some("x")),
        ]
        .into_iter()
        .map(|entry| case(Path::new(""), entry))
        .collect();
        keep(&mut cases, |case| case.test == "d");
        let kept: Vec<_> = cases.iter().map(|c| (c.test.as_str(), c.silent)).collect();
        assert_eq!(kept, [("a", true), ("d", false)]);
    }

    #[test]
    fn stems() {
        assert_eq!(stem(Path::new("a/b.cap.zst")), "b");
        assert_eq!(stem(Path::new("a/b_ZB.png")), "b_ZB");
    }
}
