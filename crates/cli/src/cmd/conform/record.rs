//! One line of results: everything that is known about a case, flat, so that it is a row of a
//! table as well.

use super::index::{Case, Expected};
use isotherm::capture::Image;
use isotherm_picture::golden::Pixels;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of the lines; `docs/corpus.md` describes them.
pub const SCHEMA: &str = "isotherm-conform-1";

/// How good a picture is. The order is from bad to good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No picture, or none that can be compared.
    #[default]
    Error,
    /// It differs visibly.
    Differs,
    /// At most one pixel in a hundred is off, by more than 4 from a golden, by more than 8 from
    /// another implementation's picture.
    Near,
    /// Every pixel equal, alpha included.
    Exact,
    /// Drawn, and nothing to compare with.
    Drawn,
}

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    /// The capture or a picture cannot be read, or their sizes differ.
    Data,
    /// The program found itself at fault.
    Panic,
    /// The process that drew it ended.
    Died,
    /// It took longer than `--timeout`.
    Timeout,
    /// It took more than `--memory`.
    Memory,
}

/// What the picture was compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// Nothing.
    #[default]
    Nothing,
    /// What silicon drew.
    Golden,
    /// What another implementation drew.
    Reference,
}

/// A case and what came of it. Keys that do not apply are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: String,
    /// The same for the same case of the same bytes drawn by the same program.
    pub key: String,
    /// Suite; `suite/name` names a case.
    pub suite: String,
    /// Test.
    pub test: String,
    /// Picture.
    pub name: String,
    /// The capture's file.
    pub capture: String,
    /// Hash of the file.
    pub capture_blake3: String,
    /// The picture that it is compared with.
    pub expected: Option<String>,
    /// What that is.
    pub against: Against,
    /// How well two references agree with each other.
    pub ref_quality: Option<String>,
    /// Does the reference show what the stream draws?
    pub reference_valid: Option<bool>,
    /// Version of the program.
    pub tool: String,
    /// Commit that it was built from.
    pub commit: String,
    /// Hash of the program's file.
    pub build: String,
    /// The chip.
    pub chip: Option<String>,
    /// How good it is.
    pub status: Status,
    /// Why there is no picture.
    pub failure: Option<Failure>,
    /// The same in words.
    pub error: Option<String>,
    /// Time to replay the capture and to compare this picture.
    pub seconds: f64,
    /// The most memory that the process had meanwhile, in bytes.
    pub peak_bytes: Option<u64>,
    /// Draws of the capture.
    pub draws: Option<u64>,
    /// Picture's size.
    pub width: Option<u32>,
    /// Picture's size.
    pub height: Option<u32>,
    /// Hash of the picture, [`picture_hash`].
    pub picture_blake3: Option<String>,
    /// Pixels that were compared.
    pub pixels: Option<u32>,
    /// Of those, differ in R, G, B or A.
    pub differ: Option<u32>,
    /// Differ in R, G or B.
    pub differ_rgb: Option<u32>,
    /// Differ in R, G or B by more than 1.
    pub over1: Option<u32>,
    /// By more than 2.
    pub over2: Option<u32>,
    /// By more than 4.
    pub over4: Option<u32>,
    /// By more than 8.
    pub over8: Option<u32>,
    /// By more than 8, where two references agree with each other.
    pub undisputed: Option<u32>,
    /// Largest difference in R, G, B.
    pub largest: Option<u8>,
    /// Column of the first differing pixel, rows from the top.
    pub first_x: Option<u32>,
    /// Its row.
    pub first_y: Option<u32>,
    /// What was expected there, RRGGBBAA.
    pub first_expected: Option<String>,
    /// What was drawn there.
    pub first_found: Option<String>,
    /// The draw that explains it, from 1; 0 is before the first.
    pub first_draw: Option<u64>,
    /// What that draw did.
    pub first_why: Option<String>,
    /// Differing pixels of the capture in suite order.
    pub inorder_differ: Option<u32>,
    /// Does not agree with its reference, but does when nothing is rounded to half floats.
    pub half_floats: bool,
    /// What makes it agree that does not, with `--why`.
    pub why: Option<String>,
    /// Is it known what makes it agree?
    pub explained: bool,
}

impl Record {
    /// A case of which nothing is known yet.
    pub fn new(case: &Case) -> Record {
        let mut record = Record {
            schema: SCHEMA.into(),
            suite: case.suite.clone(),
            test: case.test.clone(),
            name: case.name.clone(),
            capture: case.capture.display().to_string(),
            ..Record::default()
        };
        let text = |path: &Path| Some(path.display().to_string());
        match &case.expected {
            Expected::Golden(path) => {
                (record.against, record.expected) = (Against::Golden, text(path));
            }
            Expected::Reference {
                path,
                quality,
                valid,
                ..
            } => {
                (record.against, record.expected) = (Against::Reference, text(path));
                record.ref_quality = Some(quality.clone());
                record.reference_valid = Some(*valid);
            }
            Expected::Nothing | Expected::NoPicture => {}
        }
        record
    }

    /// `suite/name`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }

    /// Notes a picture.
    pub fn drew(&mut self, image: &Image) {
        (self.width, self.height) = (Some(image.width), Some(image.height));
        self.picture_blake3 = Some(picture_hash(image));
    }

    /// Notes a comparison.
    pub fn compared(&mut self, p: &Pixels) {
        let hex = |rgba: [u8; 4]| format!("{:08x}", u32::from_be_bytes(rgba));
        (self.pixels, self.differ) = (Some(p.n), Some(p.rgba));
        (self.differ_rgb, self.largest) = (Some(p.diff), Some(p.max));
        (self.over1, self.over2) = (Some(p.gt1), Some(p.gt2));
        (self.over4, self.over8) = (Some(p.gt4), Some(p.gt8));
        self.undisputed = Some(p.undisputed);
        if let Some((x, y, expected, found)) = p.first {
            (self.first_x, self.first_y) = (Some(x), Some(y));
            self.first_expected = Some(hex(expected));
            self.first_found = Some(hex(found));
        }
    }

    /// Notes why there is no picture.
    pub fn failed(&mut self, failure: Failure, error: impl Into<String>) {
        self.failure = Some(failure);
        self.error = Some(error.into());
    }

    /// Judges what was noted.
    pub fn settle(&mut self) {
        self.status = match (&self.error, self.differ) {
            (Some(_), _) => Status::Error,
            (None, Some(_)) if self.reference_valid == Some(false) => Status::Drawn,
            (None, Some(0)) => Status::Exact,
            (None, Some(_)) if self.is_near() => Status::Near,
            (None, Some(_)) => Status::Differs,
            (None, None) => Status::Drawn,
        };
    }

    fn is_near(&self) -> bool {
        let limit = match self.against {
            Against::Reference => self.over8,
            _ => self.over4,
        };
        one_in_a_hundred(limit, self.pixels)
    }

    /// Is at most one pixel in a hundred off by more than 4?
    pub fn near(&self) -> bool {
        one_in_a_hundred(self.over4, self.pixels)
    }

    /// Is at most one pixel in a hundred off by more than 8?
    pub fn agrees(&self) -> bool {
        one_in_a_hundred(self.over8, self.pixels)
    }

    /// The same, of the pixels on which two references agree.
    pub fn undisputed(&self) -> bool {
        one_in_a_hundred(self.undisputed, self.pixels)
    }

    /// What is worse has more: first what is visibly off, then what differs at all.
    pub fn badness(&self) -> (u32, u32) {
        match self.status {
            Status::Error => (u32::MAX, u32::MAX),
            Status::Drawn => (0, 0),
            _ => (self.over4.unwrap_or(0), self.differ.unwrap_or(0)),
        }
    }
}

fn one_in_a_hundred(count: Option<u32>, of: Option<u32>) -> bool {
    let (count, of) = (count.unwrap_or(u32::MAX), of.unwrap_or(0));
    u64::from(count) * 100 <= u64::from(of)
}

/// BLAKE3 of width and height, 32 bits each, little-endian, and R, G, B, A of each pixel.
pub fn picture_hash(image: &Image) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&image.width.to_le_bytes());
    hasher.update(&image.height.to_le_bytes());
    hasher.update(&image.rgba);
    hasher.finalize().to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(against: Against, differ: u32, over4: u32, over8: u32) -> Record {
        let mut record = Record {
            against,
            ..Record::default()
        };
        record.compared(&Pixels {
            n: 1000,
            rgba: differ,
            gt4: over4,
            gt8: over8,
            ..Pixels::default()
        });
        record.settle();
        record
    }

    #[test]
    fn goldens_are_measured_more_strictly_than_references() {
        let status = |against, differ, over4, over8| record(against, differ, over4, over8).status;
        assert_eq!(status(Against::Golden, 0, 0, 0), Status::Exact);
        assert_eq!(status(Against::Golden, 500, 10, 10), Status::Near);
        assert_eq!(status(Against::Golden, 500, 11, 0), Status::Differs);
        assert_eq!(status(Against::Reference, 500, 11, 0), Status::Near);
        assert_eq!(status(Against::Reference, 500, 500, 11), Status::Differs);
    }

    #[test]
    fn lines_are_read_back() {
        let mut record = record(Against::Golden, 3, 2, 1);
        record.failed(Failure::Timeout, "too long");
        record.settle();
        let line = serde_json::to_string(&record).expect("a line");
        assert_eq!(serde_json::from_str::<Record>(&line).expect("read"), record);
        // Lines of a later version may have more keys, those of an earlier one fewer.
        let other = r#"{"suite":"a","name":"b","status":"exact","planet":"earth"}"#;
        let other: Record = serde_json::from_str(other).expect("read");
        assert_eq!((other.id(), other.status), ("a/b".into(), Status::Exact));
    }

    #[test]
    fn the_hash_of_a_picture_knows_its_shape() {
        let image = |width, height| Image {
            width,
            height,
            rgba: vec![7; 8],
        };
        assert_ne!(picture_hash(&image(1, 2)), picture_hash(&image(2, 1)));
    }
}
