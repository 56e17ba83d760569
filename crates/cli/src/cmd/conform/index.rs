//! `index.json`: which captures there are and what they should look like.

use anyhow::Context;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// One picture to draw and perhaps to compare.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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

impl Expected {
    /// Is there a picture to compare with?
    pub fn is_picture(&self) -> bool {
        matches!(self, Expected::Golden(_) | Expected::Reference { .. })
    }
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

/// All cases of several roots: folders with an `index.json`, folders of captures, or index files.
/// `suite/name` is unique among them: results are told apart by it.
pub fn read_all(roots: &[PathBuf]) -> anyhow::Result<Vec<Case>> {
    let mut all = Vec::new();
    let mut owner: HashMap<String, usize> = HashMap::new();
    let mut shared: HashSet<String> = HashSet::new();
    for (number, root) in roots.iter().enumerate() {
        let cases = read(root)?;
        for case in &cases {
            if *owner.entry(case.suite.clone()).or_insert(number) != number {
                shared.insert(case.suite.clone());
            }
        }
        all.push((root, cases));
    }
    let mut list = Vec::with_capacity(all.iter().map(|(_, cases)| cases.len()).sum());
    for (root, mut cases) in all {
        for case in cases.iter_mut().filter(|c| shared.contains(&c.suite)) {
            case.suite = format!("{}/{}", root_name(root), case.suite);
        }
        list.extend(cases);
    }
    number_twins(&mut list);
    Ok(list)
}

/// A name for a root: its folder's.
fn root_name(root: &Path) -> String {
    let whole = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let name = whole.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A second case of the same name is `name~2`.
fn number_twins(cases: &mut [Case]) {
    let mut seen: HashMap<u64, u32> = HashMap::with_capacity(cases.len());
    for case in cases {
        let mut hasher = DefaultHasher::new();
        (&case.suite, &case.name).hash(&mut hasher);
        let count = seen.entry(hasher.finish()).or_insert(0);
        *count += 1;
        if *count > 1 {
            case.name = format!("{}~{count}", case.name);
        }
    }
}

/// All cases of a root.
fn read(root: &Path) -> anyhow::Result<Vec<Case>> {
    let path = match root.is_dir() {
        true => root.join("index.json"),
        false => root.to_path_buf(),
    };
    if root.is_dir() && !path.exists() {
        return walk(root);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let file = File::open(&path).with_context(|| format!("{}", path.display()))?;
    let cases = entries(BufReader::with_capacity(1 << 16, file), folder);
    cases.with_context(|| format!("{}", path.display()))
}

/// Reads an index entry by entry: what a case does not need is never in memory.
fn entries(source: impl Read, folder: &Path) -> serde_json::Result<Vec<Case>> {
    struct Cases<'f>(&'f Path);
    impl<'de> DeserializeSeed<'de> for Cases<'_> {
        type Value = Vec<Case>;
        fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Vec<Case>, D::Error> {
            input.deserialize_seq(self)
        }
    }
    impl<'de> Visitor<'de> for Cases<'_> {
        type Value = Vec<Case>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a list of entries")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Case>, A::Error> {
            let mut cases = Vec::new();
            while let Some(entry) = list.next_element::<Entry>()? {
                cases.push(case(self.0, entry));
            }
            Ok(cases)
        }
    }
    struct Document<'f>(&'f Path);
    impl<'de> Visitor<'de> for Document<'_> {
        type Value = Vec<Case>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object with entries")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Case>, A::Error> {
            let mut cases = None;
            while let Some(key) = map.next_key::<String>()? {
                if key == "entries" {
                    cases = Some(map.next_value_seed(Cases(self.0))?);
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            cases.ok_or_else(|| serde::de::Error::missing_field("entries"))
        }
    }
    let mut json = serde_json::Deserializer::from_reader(source);
    let cases = json.deserialize_map(Document(folder))?;
    json.end()?;
    Ok(cases)
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

/// A folder without an index: each capture is a case, the folders above it the suite. There is
/// nothing to compare with: the pictures' hashes are the result.
fn walk(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let captures = crate::folder::captures(folder)?;
    anyhow::ensure!(
        !captures.is_empty(),
        "{}: neither index.json nor captures",
        folder.display()
    );
    let root = root_name(folder);
    let of = |capture: PathBuf| {
        let inside = capture.strip_prefix(folder).unwrap_or(&capture);
        let above = inside.parent().filter(|p| !p.as_os_str().is_empty());
        let suite = above.map_or_else(|| root.clone(), |p| p.to_string_lossy().into_owned());
        let entry = Entry {
            suite: Some(suite),
            capture: inside.to_path_buf(),
            ..Entry::default()
        };
        case(folder, entry)
    };
    Ok(captures.into_iter().map(of).collect())
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
