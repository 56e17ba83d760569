//! Where the results of a run go: the file of lines first, then the figures; and how far it is.

use super::journal::Journal;
use super::pool::Sink;
use super::record::Record;
use super::results::Results;
use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// How often progress is told where there is no terminal.
const TELL: Duration = Duration::from_secs(60);

/// Results of a run.
pub struct Progress {
    journal: Option<Journal>,
    results: Results,
    bar: ProgressBar,
    start: Instant,
    told: Instant,
    /// Cases that were drawn now, and those that were there already.
    fresh: u64,
    known: u64,
    total: u64,
}

impl Progress {
    /// So many cases will come.
    pub fn new(journal: Option<Journal>, results: Results, total: usize) -> Progress {
        let bar = crate::folder::progress(total);
        bar.enable_steady_tick(Duration::from_millis(500));
        Progress {
            journal,
            results,
            bar,
            start: Instant::now(),
            told: Instant::now(),
            fresh: 0,
            known: 0,
            total: total as u64,
        }
    }

    /// All have come.
    pub fn finish(self) -> Results {
        self.bar.finish_and_clear();
        if self.known > 0 {
            note!("{} cases were done already, {} now", self.known, self.fresh);
        }
        self.results
    }

    /// A line now and then for those who read logs.
    fn tell(&mut self) {
        if !self.bar.is_hidden() || self.told.elapsed() < TELL {
            return;
        }
        self.told = Instant::now();
        let rate = self.fresh as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        let done = self.fresh + self.known;
        let left = (self.total - done.min(self.total)) as f64 / rate.max(1e-3);
        note!(
            "{done} of {}, {rate:.1} per second, {left:.0} s left, {} errors",
            self.total,
            self.results.errors()
        );
    }
}

impl Sink for Progress {
    fn recall(&mut self, key: &str) -> Option<Record> {
        self.journal.as_ref()?.recall(key)
    }

    fn take(&mut self, record: Record, fresh: bool) -> anyhow::Result<()> {
        if fresh {
            self.fresh += 1;
            self.bar.inc(1);
            if let Some(journal) = &mut self.journal {
                journal.write(&record)?;
            }
        } else {
            self.known += 1;
            // The rate is that of cases which are drawn.
            self.bar.set_length(self.total - self.known);
        }
        self.results.add(record)?;
        let errors = self.results.errors();
        if errors > 0 {
            self.bar.set_message(format!("{errors} errors"));
        }
        self.tell();
        Ok(())
    }
}
