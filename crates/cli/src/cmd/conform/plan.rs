//! What has to be done: captures with their cases, chains of captures, shards.

use super::index::{Case, Expected};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A capture and its cases: it is replayed once for all of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The capture.
    pub capture: PathBuf,
    /// Its cases.
    pub cases: Vec<Case>,
}

/// Captures to replay one after the other on one chip. Only a chain has more than one.
pub type Chain = Vec<Job>;

/// Puts cases of one capture, and captures of one chain, together.
pub fn chains(cases: Vec<Case>) -> Vec<Chain> {
    let mut chains: Vec<Chain> = Vec::new();
    let mut known: HashMap<PathBuf, (usize, usize)> = HashMap::new();
    let mut named: HashMap<String, usize> = HashMap::new();
    for case in cases {
        let (chain, place) = *known.entry(case.capture.clone()).or_insert_with(|| {
            let mut add = || {
                chains.push(Vec::with_capacity(1));
                chains.len() - 1
            };
            let chain = match &case.chain {
                Some(name) => *named.entry(name.clone()).or_insert_with(add),
                None => add(),
            };
            let capture = case.capture.clone();
            let cases = Vec::with_capacity(1);
            chains[chain].push(Job { capture, cases });
            (chain, chains[chain].len() - 1)
        });
        chains[chain][place].cases.push(case);
    }
    chains
}

/// One part of the work, `i/n`; i counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part.
    pub part: usize,
    /// Of how many.
    pub of: usize,
}

impl Shard {
    /// Every n-th chain, so that neighbours, which take alike long, are spread.
    pub fn keep(self, chains: Vec<Chain>) -> Vec<Chain> {
        chains
            .into_iter()
            .skip(self.part - 1)
            .step_by(self.of)
            .collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => Err("a part such as 2/8 was expected: the second of eight, from 1".into()),
        }
    }
}

/// The hash of a file, in hexadecimal.
pub fn file_hash(path: &Path) -> anyhow::Result<String> {
    let name = || format!("{}", path.display());
    // A pipe would be waited for without a limit, and could be read only once.
    let about = std::fs::metadata(path).with_context(name)?;
    anyhow::ensure!(about.is_file(), "{}: is no plain file", path.display());
    let mut hasher = blake3::Hasher::new();
    hasher
        .update_reader(File::open(path).with_context(name)?)
        .with_context(name)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// What tells results of a case apart: everything that they depend on. `before` is what was
/// replayed before it in its chain. A file that cannot be read has no hash; its case fails.
pub fn key(case: &Case, capture_hash: &str, before: &blake3::Hasher, tool: &str) -> String {
    let mut hasher = before.clone();
    let mut add = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for text in [tool, &case.suite, &case.name, capture_hash] {
        add(text);
    }
    add(case.surface.as_deref().unwrap_or_default());
    let mut pictures: Vec<&Path> = Vec::new();
    match &case.expected {
        Expected::Golden(path) => pictures.push(path),
        Expected::Reference {
            path,
            second,
            quality,
            valid,
        } => {
            pictures.push(path);
            pictures.extend(second.as_deref());
            add(quality);
            add(if *valid { "valid" } else { "invalid" });
        }
        Expected::Nothing => add("nothing"),
        Expected::NoPicture => add("no picture"),
    }
    pictures.extend(case.inorder.as_deref());
    for path in pictures {
        add(&file_hash(path).unwrap_or_default());
    }
    hasher.finalize().to_hex()[..32].to_string()
}

#[cfg(test)]
mod tests {
    use super::super::index::stem;
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
            let name = |job: &Job| (stem(&job.capture), job.cases.len());
            chain.iter().map(name).collect()
        };
        assert_eq!(chains.len(), 2);
        assert_eq!(names(&chains[0]), [("a".into(), 2), ("c".into(), 1)]);
        assert_eq!(names(&chains[1]), [("b".into(), 2)]);
    }

    #[test]
    fn shards_hold_everything_once() {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let all = || chains(names.iter().map(|name| case(name, None)).collect());
        let mut found: Vec<String> = Vec::new();
        for part in 1..=3 {
            let kept = Shard { part, of: 3 }.keep(all());
            found.extend(kept.iter().map(|chain| stem(&chain[0].capture)));
        }
        found.sort();
        assert_eq!(found, names);
        assert_eq!("2/8".parse(), Ok(Shard { part: 2, of: 8 }));
        for bad in ["0/8", "9/8", "1/0", "2", "a/b", ""] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn keys_follow_what_a_result_depends_on() {
        let start = blake3::Hasher::new();
        let mut later = blake3::Hasher::new();
        later.update(b"an earlier capture of the chain");
        let one = case("a", None);
        let mut other = one.clone();
        other.expected = Expected::NoPicture;
        let first = key(&one, "00", &start, "build");
        assert_eq!(first, key(&one, "00", &start, "build"));
        for changed in [
            key(&one, "01", &start, "build"),
            key(&one, "00", &later, "build"),
            key(&one, "00", &start, "other"),
            key(&other, "00", &start, "build"),
        ] {
            assert_ne!(first, changed);
        }
    }
}
