//! What the device did, for `--stats`.

use std::fmt;
use std::time::{Duration, Instant};

/// Counts since the device was opened.
pub(crate) struct Stats {
    opened: Instant,
    /// Submissions, and how long the chip worked on them.
    pub submissions: u64,
    pub busy: Duration,
    /// Pushbuffer words, or words of job frames.
    pub words: u64,
    /// Bytes that the driver may have written between submissions.
    pub announced: u64,
    /// Buffers that had to move.
    pub moved: u64,
    /// Pictures shown in windows.
    pub frames: u64,
}

impl Stats {
    pub(crate) fn new() -> Stats {
        Stats {
            opened: Instant::now(),
            submissions: 0,
            busy: Duration::ZERO,
            words: 0,
            announced: 0,
            moved: 0,
            frames: 0,
        }
    }

    /// Counts a submission that began at a time.
    pub(crate) fn submitted(&mut self, began: Instant) {
        self.submissions += 1;
        self.busy += began.elapsed();
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = self.opened.elapsed().as_secs_f64();
        let busy = self.busy.as_secs_f64();
        write!(
            f,
            "{} submissions of {} words; chip busy {busy:.3} s of {open:.3} s; {} buffers moved, \
             {:.1} MiB looked through for the driver's writes",
            self.submissions,
            self.words,
            self.moved,
            self.announced as f64 / f64::from(1 << 20),
        )?;
        if self.frames > 0 {
            let rate = self.frames as f64 / open.max(1e-9);
            write!(f, "; {} frames, {rate:.1} per second", self.frames)?;
        }
        Ok(())
    }
}
