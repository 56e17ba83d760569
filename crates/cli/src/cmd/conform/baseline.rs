//! Results against those of an earlier run: what got better, worse, slower.

use super::journal;
use super::record::{Record, Status};
use std::collections::HashMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// What is kept of an earlier result.
#[derive(Clone, Copy, Debug)]
struct Old {
    status: Status,
    badness: (u32, u32),
    picture: u64,
    seconds: f32,
    seen: bool,
}

impl Old {
    fn of(record: &Record) -> Old {
        Old {
            status: record.status,
            badness: record.badness(),
            picture: number(&record.picture_blake3),
            seconds: record.seconds as f32,
            seen: false,
        }
    }
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Nothing.
    Same,
    /// Closer to what is expected.
    Better,
    /// Farther from it.
    Worse,
    /// Another picture, of which nobody knows which one is right.
    Other,
}

/// The earlier run, and what is found in comparison.
pub struct Baseline {
    old: HashMap<u64, Old>,
    better: Vec<String>,
    worse: Vec<String>,
    other: Vec<String>,
    new: usize,
    /// Seconds before, seconds now, name.
    slower: Vec<(f32, f32, String)>,
    seconds: (f64, f64),
}

fn number(text: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Baseline {
    /// Reads the lines of an earlier run; the last line of a case counts.
    pub fn read(path: &Path) -> anyhow::Result<Baseline> {
        let mut old = HashMap::new();
        journal::lines(path, |_, record| {
            old.insert(number(record.id()), Old::of(&record));
            Ok(())
        })?;
        Ok(Baseline {
            old,
            better: Vec::new(),
            worse: Vec::new(),
            other: Vec::new(),
            new: 0,
            slower: Vec::new(),
            seconds: (0.0, 0.0),
        })
    }

    /// Compares a result.
    pub fn add(&mut self, record: &Record) {
        let id = record.id();
        let Some(old) = self.old.get_mut(&number(&id)) else {
            self.new += 1;
            return;
        };
        old.seen = true;
        let old = *old;
        let name = |status| serde_json::to_string(&status).unwrap_or_default();
        let text = format!(
            "{id}: {} ({} pixels differ), was {} ({})",
            name(record.status).trim_matches('"'),
            record.differ.unwrap_or(0),
            name(old.status).trim_matches('"'),
            old.badness.1
        );
        match change(&old, &Old::of(record)) {
            Change::Better => self.better.push(text),
            Change::Worse => self.worse.push(text),
            Change::Other => self.other.push(id.clone()),
            Change::Same => {}
        }
        let (then, now) = (old.seconds, record.seconds as f32);
        self.seconds.0 += f64::from(then);
        self.seconds.1 += f64::from(now);
        if now > 1.5 * then && now > then + 0.05 {
            self.slower.push((then, now, id));
        }
    }

    /// Did anything get worse, or change where nobody knows what is right?
    pub fn is_worse(&self) -> bool {
        !self.worse.is_empty() || !self.other.is_empty()
    }

    /// The figures as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "better": self.better, "worse": self.worse, "other": self.other, "new": self.new,
            "not_run": self.not_run(),
            "slower": self.slower.iter().map(|(_, _, id)| id).collect::<Vec<_>>(),
            "seconds": self.seconds.1, "seconds_before": self.seconds.0,
        })
    }

    fn not_run(&self) -> usize {
        self.old.values().filter(|old| !old.seen).count()
    }

    /// What changed, in words; long lists are cut.
    pub fn text(&mut self) -> String {
        const MOST: usize = 50;
        let mut text = String::new();
        self.slower
            .sort_by(|a, b| (b.1 - b.0).total_cmp(&(a.1 - a.0)));
        let slower =
            |(then, now, id): &(f32, f32, String)| format!("{id}: {now:.2} s, was {then:.2} s");
        let slower: Vec<String> = self.slower.iter().map(slower).collect();
        for (title, list) in [
            ("worse", &self.worse),
            ("other picture", &self.other),
            ("better", &self.better),
            ("slower", &slower),
        ] {
            for line in list.iter().take(MOST) {
                let _ = writeln!(text, "{title}: {line}");
            }
            if list.len() > MOST {
                let _ = writeln!(text, "{title}: and {} more", list.len() - MOST);
            }
        }
        let _ = writeln!(
            text,
            "since the baseline: {} better, {} worse, {} with another picture, {} slower, {} new, {} not run; {:.1} s, was {:.1} s",
            self.better.len(),
            self.worse.len(),
            self.other.len(),
            self.slower.len(),
            self.new,
            self.not_run(),
            self.seconds.1,
            self.seconds.0
        );
        text
    }
}

/// What became of a case.
fn change(old: &Old, new: &Old) -> Change {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let drawn = |o: &Old| o.status == Status::Drawn;
    match (drawn(old), drawn(new)) {
        (true, true) if old.picture == new.picture => Change::Same,
        (true, true) => Change::Other,
        (true, false) if new.status == Status::Error => Change::Worse,
        (false, true) if old.status == Status::Error => Change::Better,
        // There is an expectation now, or none any more.
        (true, false) | (false, true) => Change::Other,
        (false, false) => match new.status.cmp(&old.status) {
            Less => Change::Worse,
            Greater => Change::Better,
            Equal if new.badness > old.badness => Change::Worse,
            Equal if new.badness < old.badness => Change::Better,
            Equal => Change::Same,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old(status: Status, badness: (u32, u32), picture: u64) -> Old {
        Old {
            status,
            badness,
            picture,
            seconds: 0.0,
            seen: false,
        }
    }

    #[test]
    fn better_and_worse() {
        use Status::{Differs, Drawn, Error, Exact, Near};
        let of = |a: Old, b: Old| change(&a, &b);
        let plain = |status| old(status, (0, 0), 0);
        assert_eq!(of(plain(Exact), plain(Exact)), Change::Same);
        assert_eq!(of(plain(Exact), plain(Near)), Change::Worse);
        assert_eq!(of(plain(Differs), plain(Near)), Change::Better);
        assert_eq!(of(plain(Error), plain(Drawn)), Change::Better);
        assert_eq!(of(plain(Drawn), plain(Error)), Change::Worse);
        let (few, many) = (old(Differs, (5, 90), 0), old(Differs, (6, 10), 0));
        assert_eq!(of(few, many), Change::Worse);
        assert_eq!(of(many, few), Change::Better);
        let (one, two) = (old(Drawn, (0, 0), 1), old(Drawn, (0, 0), 2));
        assert_eq!(of(one, one), Change::Same);
        assert_eq!(of(one, two), Change::Other);
    }
}
