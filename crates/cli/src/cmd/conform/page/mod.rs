//! The report as a page: a folder with `index.html`, its script, the cases as a script of data
//! (so that it opens without a server), and the pictures of what is not exact.

use super::record::{Record, Status};
use anyhow::Context;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The pictures' folder, inside the page's.
pub const PICTURES: &str = "pictures";

/// The page's own files.
const FILES: [(&str, &str); 3] = [
    ("index.html", include_str!("page.html")),
    ("page.css", include_str!("page.css")),
    ("page.js", include_str!("page.js")),
];

/// What the page shows of a case.
const KEYS: [&str; 26] = [
    "suite",
    "name",
    "chip",
    "status",
    "against",
    "failure",
    "error",
    "seconds",
    "peak_bytes",
    "draws",
    "width",
    "height",
    "pixels",
    "differ",
    "over4",
    "largest",
    "first_x",
    "first_y",
    "first_expected",
    "first_found",
    "first_draw",
    "first_why",
    "why",
    "capture",
    "expected",
    "capture_blake3",
];

/// A page that is being written; cases go to the file as they come.
pub struct Page {
    folder: PathBuf,
    cases: BufWriter<File>,
    /// Version and commit of the last case.
    tool: (String, String),
    inspector: Option<String>,
}

impl Page {
    /// Makes the folder and begins.
    pub fn open(folder: &Path, inspector: Option<&str>) -> anyhow::Result<Page> {
        crate::output::check_folder(folder)?;
        for (name, text) in FILES {
            crate::output::write(&folder.join(name), text.as_bytes())?;
        }
        let path = folder.join("cases.js");
        let file = File::create(&path).with_context(|| format!("{}", path.display()))?;
        Ok(Page {
            folder: folder.into(),
            cases: BufWriter::new(file),
            tool: Default::default(),
            inspector: inspector.map(Into::into),
        })
    }

    /// Adds a case.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        let mut row = Map::new();
        let all = json!(record);
        for key in KEYS {
            if !all[key].is_null() {
                row.insert(key.into(), all[key].clone());
            }
        }
        if record.status != Status::Exact {
            row.insert("pictures".into(), self.pictures(record));
        }
        self.tool = (record.tool.clone(), record.commit.clone());
        writeln!(self.cases, "add({});", script(&row.into()))?;
        Ok(())
    }

    /// Which pictures of a case there are.
    fn pictures(&self, record: &Record) -> Value {
        let there = |kind: &&str| {
            let name = format!("{}.{kind}.png", record.name);
            let folder = self.folder.join(PICTURES).join(&record.suite);
            folder.join(name).exists()
        };
        let kinds = ["golden", "ours", "theirs", "diff"];
        kinds.into_iter().filter(there).collect()
    }

    /// Ends the page; returns its first file.
    pub fn finish(mut self, table: &str) -> anyhow::Result<PathBuf> {
        let run = json!({
            "tool": self.tool.0, "commit": self.tool.1, "table": table,
            "pictures": PICTURES, "inspector": self.inspector,
        });
        writeln!(self.cases, "finish({});", script(&run))?;
        self.cases.flush()?;
        Ok(self.folder.join("index.html"))
    }
}

/// JSON that can stand in a script: it has no end tags and no line ends that only scripts know.
fn script(value: &Value) -> String {
    value
        .to_string()
        .replace("</", "<\\/")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
