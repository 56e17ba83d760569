//! Verdicts of the model beside a board's, counted per group of tests.

use super::lists::{Board, Lists};
use std::collections::BTreeMap;
use std::fmt;

/// How a test ended on the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// It passed.
    Good,
    /// It failed, crashed or took too long.
    Bad,
    /// It does not apply to this chip or driver.
    Skipped,
}

/// Counts of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Good on both, bad on both.
    pub good: usize,
    pub bad: usize,
    /// Bad on one of them only.
    pub model_only: usize,
    pub board_only: usize,
    /// The model does not run it, or nobody knows what the board does.
    pub not_compared: usize,
}

impl Counts {
    /// Tests of which both verdicts are known.
    pub fn compared(&self) -> usize {
        self.good + self.bad + self.model_only + self.board_only
    }

    /// Those on which model and board agree.
    pub fn agreeing(&self) -> usize {
        self.good + self.bad
    }

    /// Their share in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.agreeing() as f64 / self.compared().max(1) as f64
    }

    fn count(&mut self, model: Model, board: Board) {
        let place = match (model, board) {
            (Model::Skipped, _) | (_, Board::Unknown) => &mut self.not_compared,
            (Model::Good, Board::Good) => &mut self.good,
            (Model::Bad, Board::Bad) => &mut self.bad,
            (Model::Bad, Board::Good) => &mut self.model_only,
            (Model::Good, Board::Bad) => &mut self.board_only,
        };
        *place += 1;
    }
}

/// Counts per group, and the tests on which the two differ.
#[derive(Default)]
pub struct Table {
    groups: BTreeMap<String, Counts>,
    /// Counts of all groups.
    pub all: Counts,
    /// Tests that are bad on the model alone, and on the board alone.
    pub model_only: Vec<String>,
    pub board_only: Vec<String>,
}

impl Table {
    /// Compares verdicts with a board's lists; `group` names the group of a test.
    pub fn new<'a>(
        verdicts: impl IntoIterator<Item = (&'a str, Model)>,
        lists: &Lists,
        group: fn(&str) -> String,
    ) -> Table {
        let mut table = Table::default();
        for (test, model) in verdicts {
            let board = lists.verdict(test);
            table
                .groups
                .entry(group(test))
                .or_default()
                .count(model, board);
            table.all.count(model, board);
            match (model, board) {
                (Model::Bad, Board::Good) => table.model_only.push(test.into()),
                (Model::Good, Board::Bad) => table.board_only.push(test.into()),
                _ => {}
            }
        }
        table
    }

    /// Prints the tests on which model and board differ.
    pub fn list(&self) {
        for (title, tests) in [
            ("bad on the model only", &self.model_only),
            ("bad on the board only", &self.board_only),
        ] {
            println!("\n{title}: {}", tests.len());
            tests.iter().for_each(|test| println!("  {test}"));
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, name: &str, c: &Counts| {
            writeln!(
                f,
                "{name:<44} {:>6} {:>6} {:>10} {:>10} {:>8} {:>7.1} %",
                c.good,
                c.bad,
                c.model_only,
                c.board_only,
                c.not_compared,
                c.percent()
            )
        };
        writeln!(
            f,
            "{:<44} {:>6} {:>6} {:>10} {:>10} {:>8} {:>9}",
            "group", "good", "bad", "model bad", "board bad", "neither", "agree"
        )?;
        for (name, counts) in self.groups.iter().filter(|(_, c)| c.compared() > 0) {
            line(f, name, counts)?;
        }
        line(f, "all", &self.all)
    }
}
