//! Processes that replay, several at a time. One that dies, hangs or takes too much memory is
//! one failed case; the others go on.

use super::child::{Limits, Worker};
use super::judge::Output;
use super::plan::{self, Chain, Job};
use super::record::{Failure, Record};
use super::shoot::BROKEN;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The program that draws, as results name it.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Version.
    pub version: &'static str,
    /// Commit.
    pub commit: &'static str,
    /// Hash of the program's file.
    pub build: String,
}

impl Tool {
    /// This program.
    pub fn this() -> anyhow::Result<Tool> {
        Ok(Tool {
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("ISOTHERM_COMMIT"),
            build: plan::file_hash(&super::child::program())?[..16].into(),
        })
    }

    /// What results of the same program have in common: the commit, if whoever built it vouched
    /// for it, else the program's file.
    fn identity(&self) -> &str {
        match cfg!(commit_given) {
            true => self.commit,
            false => &self.build,
        }
    }
}

/// How to work.
pub struct Settings {
    /// Processes at a time.
    pub jobs: usize,
    /// What a capture may take.
    pub limits: Limits,
    /// What the processes write on the way.
    pub output: Output,
    /// The program.
    pub tool: Tool,
}

/// Where results go. Calls come from several threads, one at a time.
pub trait Sink: Send {
    /// The result with this key, if it is there already.
    fn recall(&mut self, key: &str) -> Option<Record>;
    /// Takes a result; `fresh` ones were not there before. An error ends the run.
    fn take(&mut self, record: Record, fresh: bool) -> anyhow::Result<()>;
}

/// Works through all chains. An error of the sink ends it.
pub fn run(chains: Vec<Chain>, settings: &Settings, sink: &mut impl Sink) -> anyhow::Result<()> {
    let queue = Mutex::new(chains.into_iter());
    let sink = Mutex::new(sink);
    let trouble = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                let mut hand = Hand {
                    settings,
                    worker: None,
                };
                while locked(&trouble).is_none() {
                    let Some(chain) = locked(&queue).next() else {
                        break;
                    };
                    if let Err(error) = hand.chain(chain, &sink) {
                        locked(&trouble).get_or_insert(error);
                    }
                }
            });
        }
    });
    let trouble = trouble.into_inner().unwrap_or_else(PoisonError::into_inner);
    trouble.map_or(Ok(()), Err)
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a record is given beside what the process says: the capture's hash, and per case that
/// was asked for its key.
struct Stamps {
    capture: String,
    keys: Vec<String>,
}

/// A thread with its process.
struct Hand<'s> {
    settings: &'s Settings,
    worker: Option<Worker>,
}

impl Hand<'_> {
    /// Works through a chain.
    fn chain<S: Sink>(&mut self, mut chain: Chain, sink: &Mutex<&mut S>) -> anyhow::Result<()> {
        let mut stamps = self.prepare(&mut chain, sink)?;
        // Nothing depends on what comes behind the last one that is asked for.
        let asked = chain
            .iter()
            .rposition(|job| asked_for(job).next().is_some());
        chain.truncate(asked.map_or(0, |last| last + 1));
        stamps.truncate(chain.len());
        if chain.is_empty() {
            return Ok(());
        }
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(&self.settings.output)?,
        };
        worker.give(&chain)?;
        let mut broken = false;
        for (job, stamps) in chain.iter().zip(&stamps) {
            let start = Instant::now();
            let records = match broken {
                true => failed(job, Failure::Data, BROKEN, 0.0),
                false => worker
                    .answer(self.settings.limits)
                    .unwrap_or_else(|(failure, text)| {
                        broken = true;
                        failed(job, failure, &text, start.elapsed().as_secs_f64())
                    }),
            };
            for (mut record, key) in records.into_iter().zip(&stamps.keys) {
                self.stamp(&mut record, key, &stamps.capture);
                locked(sink).take(record, true)?;
            }
        }
        if !broken {
            self.worker = Some(worker);
        }
        Ok(())
    }

    /// Hashes what is to be replayed, and passes over what is done already.
    fn prepare<S: Sink>(
        &self,
        chain: &mut Chain,
        sink: &Mutex<&mut S>,
    ) -> anyhow::Result<Vec<Stamps>> {
        let mut before = blake3::Hasher::new();
        let mut all = Vec::new();
        for job in chain {
            // A file that cannot be read is the replay's to complain about.
            let capture = plan::file_hash(&job.capture).unwrap_or_default();
            let mut keys = Vec::new();
            for case in job.cases.iter_mut().filter(|case| !case.silent) {
                let key = plan::key(case, &capture, &before, self.settings.tool.identity());
                let known = locked(sink).recall(&key);
                match known {
                    Some(record) => {
                        case.silent = true;
                        locked(sink).take(record, false)?;
                    }
                    None => keys.push(key),
                }
            }
            before.update(capture.as_bytes());
            all.push(Stamps { capture, keys });
        }
        Ok(all)
    }

    fn stamp(&self, record: &mut Record, key: &str, capture: &str) {
        let tool = &self.settings.tool;
        record.key = key.into();
        record.capture_blake3 = capture.into();
        record.tool = tool.version.into();
        record.commit = tool.commit.into();
        record.build.clone_from(&tool.build);
    }
}

fn asked_for(job: &Job) -> impl Iterator<Item = &super::index::Case> {
    job.cases.iter().filter(|case| !case.silent)
}

/// Records of a capture without pictures.
fn failed(job: &Job, failure: Failure, text: &str, seconds: f64) -> Vec<Record> {
    let fail = |case| {
        let mut record = Record::new(case);
        record.failed(failure, text);
        record.seconds = seconds;
        record.settle();
        record
    };
    asked_for(job).map(fail).collect()
}
