//! Where a trace goes: the terminal's pager or plain standard output; progress beside it.

use indicatif::ProgressBar;
use std::io::{BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The terminal's pager, or plain standard output.
pub struct Output {
    out: Box<dyn Write + Send>,
    pager: Option<Child>,
    /// Nobody reads any more.
    pub closed: bool,
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
                closed: false,
            };
        }
        Output {
            out: Box::new(BufWriter::with_capacity(1 << 16, std::io::stdout())),
            pager: None,
            closed: false,
        }
    }

    /// Writes a line.
    pub fn line(&mut self, text: std::fmt::Arguments<'_>) {
        if !self.closed && writeln!(self.out, "{text}").is_err() {
            self.closed = true;
        }
    }

    /// Writes all that is left and waits for the reader.
    pub fn finish(mut self) -> std::io::Result<()> {
        // A reader that went away is no error.
        let _ = self.out.flush();
        drop(self.out);
        if let Some(mut pager) = self.pager.take() {
            pager.wait()?;
        }
        Ok(())
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
            if self.start.elapsed() < Duration::from_secs(1) || std::io::stdout().is_terminal() {
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
