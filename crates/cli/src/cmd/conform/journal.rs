//! The file of results, one line per case, written as they come. What a killed run wrote is
//! found again by the next one.

use super::record::Record;
use anyhow::Context;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Calls `visit` for each whole line with the offset of its start. Returns the offset behind the
/// last whole line: what follows was cut when its writer was killed.
pub fn lines(
    path: &Path,
    mut visit: impl FnMut(u64, Record) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let name = || format!("{}", path.display());
    let mut file = BufReader::with_capacity(1 << 16, File::open(path).with_context(name)?);
    let (mut offset, mut line, mut number) = (0, Vec::new(), 0);
    loop {
        line.clear();
        let length = file.read_until(b'\n', &mut line).with_context(name)?;
        if line.last() != Some(&b'\n') {
            return Ok(offset);
        }
        number += 1;
        let record = serde_json::from_slice(&line)
            .with_context(|| format!("{}: line {number}", path.display()))?;
        visit(offset, record)?;
        offset += length as u64;
    }
}

/// The file.
pub struct Journal {
    path: PathBuf,
    file: Option<File>,
    /// Where the line of a result begins, by its key.
    done: HashMap<u128, u64>,
}

impl Journal {
    /// Starts a file; with `resume` the lines that are there already are kept. `-` is standard
    /// output.
    pub fn open(path: &Path, resume: bool) -> anyhow::Result<Journal> {
        let mut journal = Journal {
            path: path.into(),
            file: None,
            done: HashMap::new(),
        };
        if crate::output::is_standard(path) {
            anyhow::ensure!(!resume, "standard output cannot be resumed");
            return Ok(journal);
        }
        crate::output::check(path)?;
        let mut end = 0;
        if resume && path.exists() {
            end = lines(path, |offset, record| {
                if let Ok(key) = u128::from_str_radix(&record.key, 16) {
                    journal.done.insert(key, offset);
                }
                Ok(())
            })?;
        }
        let name = || format!("{}", path.display());
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(path).with_context(name)?;
        file.set_len(end).with_context(name)?;
        file.seek(SeekFrom::End(0)).with_context(name)?;
        journal.file = Some(file);
        Ok(journal)
    }

    /// The result with this key, if it is there already.
    pub fn recall(&self, key: &str) -> Option<Record> {
        let key = u128::from_str_radix(key, 16).ok()?;
        let offset = *self.done.get(&key)?;
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut line = Vec::new();
        let mut file = BufReader::with_capacity(4096, file.take(1 << 24));
        file.read_until(b'\n', &mut line).ok()?;
        serde_json::from_slice(&line).ok()
    }

    /// Writes a line. It is in the file when this returns.
    pub fn write(&mut self, record: &Record) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        match &mut self.file {
            Some(file) => file.write_all(line.as_bytes()),
            None => std::io::stdout().lock().write_all(line.as_bytes()),
        }
        .with_context(|| crate::input::name(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_is_done_again() {
        let path = std::env::temp_dir().join(format!("isotherm-journal-{}", std::process::id()));
        let record = |key: &str| Record {
            key: key.into(),
            name: format!("case {key}"),
            ..Record::default()
        };
        let mut journal = Journal::open(&path, false).expect("a file");
        journal.write(&record("a")).expect("written");
        journal.write(&record("b")).expect("written");
        let whole = std::fs::metadata(&path).expect("a file").len();
        // The run was killed in the middle of the second line.
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_len(whole - 10))
            .expect("cut");
        let mut journal = Journal::open(&path, true).expect("a file");
        assert_eq!(journal.recall("a"), Some(record("a")));
        assert_eq!(journal.recall("b"), None);
        journal.write(&record("b")).expect("written");
        let mut names = Vec::new();
        lines(&path, |_, record| {
            names.push(record.name);
            Ok(())
        })
        .expect("whole lines");
        assert_eq!(names, ["case a", "case b"]);
        let _ = std::fs::remove_file(&path);
    }
}
