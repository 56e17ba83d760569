//! Where a trace goes: the terminal's pager or plain standard output; progress beside it.

use indicatif::ProgressBar;
use std::io::{BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The terminal's pager, or plain standard output.
pub struct Output {
    out: Box<dyn Write + Send>,
    pager: Option<Child>,
    /// Why nothing more can be written.
    failed: Option<std::io::Error>,
}

impl Output {
    /// A pager (`PAGER`, or less) when standard output is a terminal.
    pub fn open() -> Output {
        if std::io::stdout().is_terminal()
            && let Some((out, pager)) = pager()
        {
            return Output {
                out,
                pager: Some(pager),
                failed: None,
            };
        }
        Output {
            out: Box::new(BufWriter::with_capacity(1 << 16, std::io::stdout())),
            pager: None,
            failed: None,
        }
    }

    /// Writes a line.
    pub fn line(&mut self, text: std::fmt::Arguments<'_>) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{text}").err();
        }
    }

    /// Does nobody read any more, or is there no room?
    pub fn closed(&self) -> bool {
        self.failed.is_some()
    }

    /// Writes all that is left and waits for the reader. That a reader went away is an error
    /// like any other; the program ends quietly for that one.
    pub fn finish(mut self) -> std::io::Result<()> {
        let flushed = self.out.flush();
        drop(self.out);
        if let Some(mut pager) = self.pager.take() {
            pager.wait()?;
        }
        self.failed.map_or(flushed, Err)
    }
}

fn pager() -> Option<(Box<dyn Write + Send>, Child)> {
    let text = std::env::var("PAGER")
        .ok()
        .filter(|text| !text.trim().is_empty());
    let text = text.as_deref().unwrap_or("less -FRX");
    let mut words = text.split_whitespace();
    let name = words.next()?;
    let mut command = Command::new(name);
    command.args(words);
    if name == "less" && std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let mut child = command.stdin(Stdio::piped()).spawn().ok()?;
    let input = child.stdin.take()?;
    Some((Box::new(BufWriter::new(input)), child))
}

/// Shows on standard error how far a trace is, once it takes more than a second and standard
/// output is not what the user looks at.
pub struct Progress {
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new() -> Progress {
        Progress {
            start: Instant::now(),
            bar: None,
        }
    }

    /// So many draws so far.
    pub fn at(&mut self, draws: u64) {
        if self.bar.is_none() {
            if self.start.elapsed() < Duration::from_secs(1)
                || std::io::stdout().is_terminal()
                || crate::output::quiet()
            {
                return;
            }
            self.bar = Some(ProgressBar::new_spinner());
        }
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{draws} draws"));
            bar.tick();
        }
    }

    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
