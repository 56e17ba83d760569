//! What boards fail, as Mesa's developers list it.

use anyhow::Context;
use std::collections::BTreeSet;
use std::path::Path;

/// The lists of one board.
pub struct Lists {
    fails: BTreeSet<String>,
    flakes: Vec<String>,
    skips: Vec<String>,
}

/// What a board says about a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Board {
    /// It is not in its list.
    Good,
    /// It is.
    Bad,
    /// Sometimes this, sometimes that; or it was never run.
    Unknown,
}

/// The board whose lists a chip is held against.
pub fn board_of(gpu: &str) -> &'static str {
    match gpu {
        gpu if gpu.starts_with("mali") => "lima",
        gpu if gpu.starts_with("nv3") => "nouveau-nv34",
        _ => "nouveau-nv43",
    }
}

impl Lists {
    /// Reads the lists of the board that a chip is held against.
    pub fn read(folder: &Path, gpu: &str) -> anyhow::Result<Lists> {
        let board = board_of(gpu);
        let path = folder.join(format!("{board}-fails.txt"));
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("no board list at {}", path.display()))?;
        // Not every board has the other two.
        let other = |kind: &str| {
            let path = folder.join(format!("{board}-{kind}.txt"));
            entries(&std::fs::read_to_string(path).unwrap_or_default())
        };
        Ok(Lists {
            fails: entries(&text).into_iter().collect(),
            flakes: other("flakes"),
            skips: other("skips"),
        })
    }

    /// What the board says about a test. A test with a part that fails has failed.
    pub fn verdict(&self, test: &str) -> Board {
        let test = test.to_ascii_lowercase().replace(',', "-");
        // Both lists hold parts of names; what they say with signs of regular expressions
        // concerns other suites.
        let named = |list: &[String]| list.iter().any(|part| test.contains(part.as_str()));
        if named(&self.skips) || named(&self.flakes) {
            return Board::Unknown;
        }
        let part = format!("{test}@");
        let parts = self.fails.range(part.clone()..).next();
        if self.fails.contains(&test) || parts.is_some_and(|next| next.starts_with(&part)) {
            Board::Bad
        } else {
            Board::Good
        }
    }
}

/// Names of a list, in lower case, without verdicts and comments.
fn entries(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| match line.rsplit_once(',') {
            Some((name, _)) => name.to_ascii_lowercase(),
            None => line.to_ascii_lowercase(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_lists() {
        let lists = Lists {
            fails: entries("# loops\nspec@a@Loop,Fail\nspec@b@formats@GL_ALPHA- only,Crash\n")
                .into_iter()
                .collect(),
            flakes: entries("spec@c@sometimes\n"),
            skips: entries("s3tc\n"),
        };
        assert_eq!(lists.verdict("spec@a@loop"), Board::Bad);
        assert_eq!(lists.verdict("spec@a@loop-nested"), Board::Good);
        assert_eq!(lists.verdict("spec@b@formats"), Board::Bad);
        assert_eq!(lists.verdict("spec@b@formats@gl_alpha, only"), Board::Bad);
        assert_eq!(lists.verdict("spec@c@sometimes"), Board::Unknown);
        assert_eq!(lists.verdict("spec@x@s3tc-errors"), Board::Unknown);
    }
}
