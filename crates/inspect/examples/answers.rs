//! Answers questions about a capture: `answers FILE`, a question per line on standard input.
//! Each answer is a byte (1 for an answer, 0 for an error), its length in four bytes, and its
//! bytes. The page's tests compare them with those of WebAssembly.

use isotherm_inspect::Session;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("answers FILE")?;
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut session = Session::open(name, &std::fs::read(&path)?)?;
    let mut out = std::io::stdout().lock();
    for question in std::io::stdin().lock().lines() {
        let (good, bytes) = match session.ask(&question?) {
            Ok(answer) => (1, answer.into_bytes()),
            Err(error) => (0, format!("{error:#}").into_bytes()),
        };
        out.write_all(&[good])?;
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(&bytes)?;
        out.flush()?;
    }
    Ok(())
}
