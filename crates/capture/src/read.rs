//! Reading captures: one record at a time, bounded whatever the file says.

use super::record::{Info, Job, ObjectRecord, Payload, Record};
use super::{MAGIC, Surface, compression};
use isotherm_bus::budget::Over;
use isotherm_bus::context::{self, Context};
use isotherm_bus::memory::MemoryError;
use std::io::{BufReader, Read};

/// What is wrong with a capture, and where.
#[derive(Debug, thiserror::Error)]
#[error("record at offset {offset:#x}: {problem}")]
pub struct Error {
    /// Offset in the decompressed file: of the record, or of its end when that is where
    /// the data stops.
    pub offset: u64,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Reading or decompressing failed.
    #[error("cannot read: {0}")]
    Io(#[from] std::io::Error),
    /// The file does not begin as a capture.
    #[error("expected the magic GPUCAP01, found {}", hex(.0))]
    Magic([u8; 8]),
    /// The file ends inside a record.
    #[error("expected {expected} more bytes of {what}, found {found}")]
    Cut {
        /// What was being read.
        what: &'static str,
        /// Bytes that should be there.
        expected: u64,
        /// Bytes that are.
        found: u64,
    },
    /// A record longer than the limit.
    #[error("{tag} record of {len} bytes, more than the limit of {limit}")]
    TooLong {
        /// Its tag.
        tag: String,
        /// Length it claims.
        len: u32,
        /// The limit.
        limit: u32,
    },
    /// More to keep in memory than the limit.
    #[error("more than the limit of {0} bytes to keep in memory at once")]
    TooMuchToKeep(u64),
    /// More data than the limit.
    #[error("more than the limit of {0} bytes when decompressed")]
    TooMuch(u64),
    /// A payload of the wrong length.
    #[error("{what}: expected {expected}, found {found} bytes")]
    Length {
        /// The record.
        what: &'static str,
        /// What its length should be.
        expected: &'static str,
        /// What it is.
        found: usize,
    },
    /// Bad JSON.
    #[error("bad JSON: {0}")]
    Json(String),
    /// A job of a Mali failed.
    #[error("{0}")]
    Job(Box<dyn std::error::Error + Send + Sync>),
    /// An object of no known kind.
    #[error("OBJ without a known `kind` or `type`")]
    Object,
    /// The chip of INFO is not known.
    #[error("unknown gpu {0:?}")]
    Chip(String),
    /// The first record is not INFO.
    #[error("expected INFO first")]
    NoInfo,
    /// A version of the format that is too new.
    #[error("version {0} of the format; this reads version 1")]
    Version(u32),
    /// A job for a Mali in a capture of another chip, or the other way round.
    #[error("{0} record for the wrong kind of chip")]
    WrongChip(&'static str),
    /// No context, or one of another chip.
    #[error("CTX: {0}")]
    Context(Box<dyn std::error::Error + Send + Sync>),
    /// The commands ask for more than the budget has.
    #[error("{0}")]
    Budget(Over),
    /// There is no memory for the chip.
    #[error("{0}")]
    Memory(MemoryError),
    /// A surface that cannot be.
    #[error("SURF: {0}")]
    Surface(String),
}

impl Problem {
    pub(super) fn json(error: serde_json::Error) -> Problem {
        Problem::Json(short(&error.to_string()))
    }
}

/// Bytes as people write them.
fn hex(bytes: &[u8]) -> String {
    let list: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    list.join(" ")
}

/// A text from a file as a message may show it: its beginning, on one line.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 120;
    let mut out: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}

/// Bounds on what a capture may ask for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest record.
    pub record: u32,
    /// Longest record of JSON: it is the memory of what JSON describes that has to be
    /// bounded, and that is many times the text's.
    pub json: u32,
    /// Longest context: numbers, whose memory is at most four times their text's. An open
    /// primitive's vertices, or a Mali's polygon lists, take many.
    pub context: u32,
    /// Most bytes after decompression.
    pub total: u64,
    /// Most bytes of records that [`read_all`](crate::read_all) keeps.
    pub kept: u64,
    /// log2 of the largest zstd window.
    pub window_log: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            record: 256 << 20,
            json: 1 << 20,
            context: 128 << 20,
            total: 4 << 30,
            kept: 512 << 20,
            window_log: 27,
        }
    }
}

/// Grow buffers by this much at a time, so that a length that lies costs nothing.
const STEP: usize = 1 << 20;

/// Reads the records of a capture one after another.
pub struct Reader<'r> {
    source: Box<dyn Read + Send + 'r>,
    limits: Limits,
    offset: u64,
    bytes: Vec<u8>,
    words: Vec<u32>,
}

impl<'r> Reader<'r> {
    /// Starts reading; plain and zstd-compressed captures are told apart by themselves.
    pub fn new(source: impl Read + Send + 'r) -> Result<Reader<'r>, Error> {
        Reader::with_limits(source, Limits::default())
    }

    /// Starts reading with limits of your own.
    pub fn with_limits(source: impl Read + Send + 'r, limits: Limits) -> Result<Reader<'r>, Error> {
        let at = |offset| move |problem: Problem| Error { offset, problem };
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut start = [0; 4];
        let found = fill(&mut source, &mut start).map_err(|e| at(0)(e.into()))?;
        let start = std::io::Cursor::new(start).take(found as u64);
        let source: Box<dyn Read + Send + 'r> = if start.get_ref().get_ref() == &compression::ZSTD {
            let open = || -> std::io::Result<_> {
                let source = BufReader::new(start.chain(source));
                let decoder = compression::decoder(source, limits.window_log)?;
                Ok(BufReader::with_capacity(1 << 16, decoder))
            };
            Box::new(open().map_err(|e| at(0)(e.into()))?)
        } else {
            Box::new(start.chain(source))
        };
        let mut reader = Reader {
            source,
            limits,
            offset: 0,
            bytes: Vec::new(),
            words: Vec::new(),
        };
        let mut magic = [0; 8];
        let found = fill(&mut reader.source, &mut magic).map_err(|e| at(0)(e.into()))?;
        // A short file whose bytes could still be the magic's is a cut one.
        if found < 8 && MAGIC.starts_with(&magic[..found]) {
            return Err(at(0)(Problem::Cut {
                what: "the magic GPUCAP01",
                expected: 8,
                found: found as u64,
            }));
        }
        if magic != MAGIC {
            return Err(at(0)(Problem::Magic(magic)));
        }
        reader.offset = 8;
        Ok(reader)
    }

    /// Bytes of the decompressed file read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The bounds it reads with.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The next record; `None` at the end of the file.
    pub fn next_record(&mut self) -> Result<Option<Record<'_>>, Error> {
        let offset = self.offset;
        let Some((tag, len)) = self.header()? else {
            return Ok(None);
        };
        let at = |problem| Error { offset, problem };
        let limit = match &tag {
            b"INFO" | b"OBJ " | b"SURF" => self.limits.json,
            b"CTX " => self.limits.context,
            _ => self.limits.record,
        };
        if len > limit {
            let tag = String::from_utf8_lossy(&tag).into_owned();
            return Err(at(Problem::TooLong { tag, len, limit }));
        }
        if self.offset + u64::from(len) > self.limits.total {
            return Err(at(Problem::TooMuch(self.limits.total)));
        }
        self.payload(len)?;
        let payload = self.parse(tag, len).map_err(at)?;
        Ok(Some(Record { offset, payload }))
    }

    fn header(&mut self) -> Result<Option<([u8; 4], u32)>, Error> {
        let at = |offset, problem| Error { offset, problem };
        let mut header = [0; 8];
        let found = fill(&mut self.source, &mut header).map_err(|e| at(self.offset, e.into()))?;
        if found == 0 {
            return Ok(None);
        }
        if found < 8 {
            let cut = Problem::Cut {
                what: "record header",
                expected: 8,
                found: found as u64,
            };
            return Err(at(self.offset, cut));
        }
        self.offset += 8;
        let [a, b, c, d, len @ ..] = header;
        Ok(Some(([a, b, c, d], u32::from_le_bytes(len))))
    }

    /// Reads the payload into `self.bytes`.
    fn payload(&mut self, len: u32) -> Result<(), Error> {
        let len = len as usize;
        self.bytes.clear();
        while self.bytes.len() < len {
            let have = self.bytes.len();
            self.bytes.resize(len.min(have + STEP), 0);
            let found = fill(&mut self.source, &mut self.bytes[have..]).map_err(|e| Error {
                offset: self.offset,
                problem: e.into(),
            })?;
            if have + found < self.bytes.len() {
                let offset = self.offset + (have + found) as u64;
                let (expected, found) = (len as u64, (have + found) as u64);
                let problem = Problem::Cut {
                    what: "payload",
                    expected,
                    found,
                };
                return Err(Error { offset, problem });
            }
        }
        self.offset += len as u64;
        Ok(())
    }

    fn parse(&mut self, tag: [u8; 4], len: u32) -> Result<Payload<'_>, Problem> {
        let bytes = self.bytes.as_slice();
        let wrong = |what, expected| Problem::Length {
            what,
            expected,
            found: bytes.len(),
        };
        Ok(match &tag {
            b"INFO" => Payload::Info(info(bytes)?),
            b"OBJ " => Payload::Object(ObjectRecord::parse(bytes)?),
            b"MEM " => {
                let (addr, bytes) = bytes
                    .split_first_chunk()
                    .ok_or(wrong("MEM", "at least 4"))?;
                Payload::Memory {
                    addr: u32::from_le_bytes(*addr),
                    bytes,
                }
            }
            b"COPY" => {
                let [dst, src, len] = words(bytes).ok_or(wrong("COPY", "12"))?;
                Payload::Copy { dst, src, len }
            }
            b"REG " => {
                let [addr, value] = words(bytes).ok_or(wrong("REG", "8"))?;
                Payload::Register { addr, value }
            }
            b"PUSH" => {
                if !bytes.len().is_multiple_of(4) {
                    return Err(wrong("PUSH", "a multiple of 4"));
                }
                into_words(bytes, &mut self.words);
                Payload::Push(&self.words)
            }
            b"GP  " => Payload::Gp(job(bytes, &mut self.words)?),
            b"PP  " => Payload::Pp(job(bytes, &mut self.words)?),
            b"CTX " => Payload::Context(Box::new(context(bytes)?)),
            b"SURF" => Payload::Surface(Box::new(Surface::parse(bytes)?)),
            _ => Payload::Unknown { tag, len },
        })
    }
}

fn info(bytes: &[u8]) -> Result<Info, Problem> {
    let info: Info = serde_json::from_slice(bytes).map_err(Problem::json)?;
    match info.version {
        Some(version) if version > 1 => Err(Problem::Version(version)),
        _ => Ok(info),
    }
}

fn context(bytes: &[u8]) -> Result<Context, Problem> {
    let context: Context = serde_json::from_slice(bytes).map_err(Problem::json)?;
    match context.version {
        context::OLDEST..=context::VERSION => Ok(context),
        version => Err(Problem::Version(version)),
    }
}

fn job<'a>(bytes: &'a [u8], words: &'a mut Vec<u32>) -> Result<Job<'a>, Problem> {
    let wrong = |expected| Problem::Length {
        what: "job",
        expected,
        found: bytes.len(),
    };
    let (len, rest) = bytes.split_first_chunk().ok_or(wrong("at least 4"))?;
    let len = u32::from_le_bytes(*len) as usize;
    let (json, frame) = rest
        .split_at_checked(len)
        .ok_or(wrong("4 + length of the JSON"))?;
    if !frame.len().is_multiple_of(4) {
        return Err(wrong("a frame of whole words"));
    }
    let json = std::str::from_utf8(json).map_err(|e| Problem::Json(e.to_string()))?;
    into_words(frame, words);
    Ok(Job { json, frame: words })
}

fn into_words(bytes: &[u8], words: &mut Vec<u32>) {
    words.clear();
    let (chunks, _) = bytes.as_chunks::<4>();
    words.extend(chunks.iter().map(|chunk| u32::from_le_bytes(*chunk)));
}

/// Exactly `N` words.
fn words<const N: usize>(bytes: &[u8]) -> Option<[u32; N]> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let chunks: &[[u8; 4]; N] = chunks.try_into().ok()?;
    rest.is_empty().then(|| chunks.map(u32::from_le_bytes))
}

/// Reads until `out` is full or the source ends; says how much there was.
fn fill(source: &mut impl Read, out: &mut [u8]) -> std::io::Result<usize> {
    let mut found = 0;
    while found < out.len() {
        match source.read(&mut out[found..]) {
            Ok(0) => break,
            Ok(n) => found += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(records: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        for (tag, payload) in records {
            file.extend_from_slice(*tag);
            file.extend_from_slice(&(payload.len() as u32).to_le_bytes());
            file.extend_from_slice(payload);
        }
        file
    }

    /// Everything up to the first error.
    fn read_all(file: &[u8]) -> Result<Vec<String>, Error> {
        let mut reader = Reader::new(file)?;
        let mut seen = Vec::new();
        while let Some(record) = reader.next_record()? {
            seen.push(format!("{:?}", record.payload));
        }
        Ok(seen)
    }

    /// Lists of a Mali, or the transformed vertices of an open primitive, are longer than any
    /// description.
    #[test]
    fn long_contexts_come_back() {
        let context = Context {
            version: context::VERSION,
            inner: (0..300_000u32)
                .map(|i| i.wrapping_mul(0x9E37_79B1))
                .collect(),
            ..Context::default()
        };
        let mut writer = crate::Writer::new(Vec::new(), &serde_json::json!({})).unwrap();
        writer.context(&context).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Reader::new(file.as_slice()).unwrap();
        reader.next_record().unwrap();
        let record = reader.next_record().unwrap().unwrap();
        assert!(matches!(record.payload, Payload::Context(found) if *found == context));
        let short = Limits {
            context: 1 << 20,
            ..Limits::default()
        };
        let mut reader = Reader::with_limits(file.as_slice(), short).unwrap();
        reader.next_record().unwrap();
        let error = reader.next_record().unwrap_err();
        assert!(matches!(error.problem, Problem::TooLong { limit, .. } if limit == 1 << 20));
    }

    /// Empty lists would take many times their text.
    #[test]
    fn a_context_has_four_lists_of_scalars() {
        let context = |lists: &str| format!(r#"{{"version":4,"units":{{"ltc":[{lists}]}}}}"#);
        for (lists, good) in [
            ("", true),
            ("[],[1],[],[2]", true),
            ("[],[],[],[],[]", false),
        ] {
            let file = plain(&[(b"CTX ", context(lists).as_bytes())]);
            assert_eq!(read_all(&file).is_ok(), good, "{lists}");
        }
    }

    #[test]
    fn plain_and_compressed_are_the_same() {
        let file = plain(&[(b"REG ", &[0, 1, 0, 0, 2, 0, 0, 0]), (b"WHAT", b"?")]);
        let packed = zstd::bulk::compress(&file, 3).unwrap();
        let seen = read_all(&file).unwrap();
        assert_eq!(seen[0], "Register { addr: 256, value: 2 }");
        assert_eq!(seen[1], "Unknown { tag: [87, 72, 65, 84], len: 1 }");
        assert_eq!(seen, read_all(&packed).unwrap());
    }

    #[test]
    fn every_cut_is_an_error_with_its_place() {
        let file = plain(&[(b"MEM ", &[0; 20]), (b"PUSH", &[0; 8])]);
        for end in 0..file.len() {
            let result = read_all(&file[..end]);
            // A file may end between records.
            let whole = end == 8 || end == 8 + 28;
            assert_eq!(result.is_ok(), whole, "cut at {end}");
            if let Err(error) = result {
                assert!(error.offset <= end as u64);
            }
        }
    }

    #[test]
    fn lengths_that_lie_cost_nothing() {
        let mut file = MAGIC.to_vec();
        file.extend_from_slice(b"MEM \xff\xff\xff\x0f123");
        let error = read_all(&file).unwrap_err();
        assert!(
            matches!(error.problem, Problem::Cut { found: 3, .. }),
            "{error}"
        );
        file.truncate(8);
        file.extend_from_slice(b"MEM \xff\xff\xff\xff123");
        assert!(matches!(
            read_all(&file).unwrap_err().problem,
            Problem::TooLong { .. }
        ));
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let record = vec![0u8; 1 << 20];
        let file = plain(&[(b"MEM ", &record), (b"MEM ", &record), (b"MEM ", &record)]);
        let packed = zstd::bulk::compress(&file, 3).unwrap();
        let limits = Limits {
            total: 2 << 20,
            ..Limits::default()
        };
        let mut reader = Reader::with_limits(packed.as_slice(), limits).unwrap();
        assert!(reader.next_record().unwrap().is_some());
        assert!(matches!(
            reader.next_record().unwrap_err().problem,
            Problem::TooMuch(_)
        ));
    }

    #[test]
    fn messages_and_json_are_bounded() {
        let tiling = format!("[{}0]", "0,".repeat(300_000));
        let surface = |tiling: &str| {
            format!(r#"{{"width":4,"height":4,"format":"A8R8G8B8","tiled":{tiling}}}"#)
        };
        let error = read_all(&plain(&[(b"SURF", surface(&tiling).as_bytes())])).unwrap_err();
        assert!(error.to_string().len() < 400, "{}", error.to_string().len());
        let long = surface(&format!("[{}0]", "0,".repeat(600_000)));
        let error = read_all(&plain(&[(b"SURF", long.as_bytes())])).unwrap_err();
        assert!(matches!(error.problem, Problem::TooLong { .. }), "{error}");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let record = vec![0u8; 1 << 20];
        let file = plain(&[(b"MEM ", &record), (b"MEM ", &record), (b"MEM ", &record)]);
        let limits = Limits {
            kept: (2 << 20) + 4096,
            ..Limits::default()
        };
        let mut reader = Reader::with_limits(file.as_slice(), limits).unwrap();
        let error = crate::read_all(&mut reader).unwrap_err();
        assert!(matches!(error.problem, Problem::TooMuchToKeep(_)));
        assert_eq!(error.offset, 8 + 2 * (8 + (1 << 20)));
    }

    #[test]
    fn payloads_of_wrong_length_are_errors() {
        for (tag, payload) in [
            (b"REG ", &b"123"[..]),
            (b"COPY", b"1234"),
            (b"MEM ", b"123"),
            (b"PUSH", b"12345"),
            (b"GP  ", b"\xff\0\0\0{}"),
            (b"INFO", b"{"),
            (b"OBJ ", b"{}"),
            (b"SURF", b"[]"),
        ] {
            let error = read_all(&plain(&[(tag, payload)])).unwrap_err();
            assert_eq!(error.offset, 8, "{error}");
        }
        let newer = plain(&[(b"INFO", br#"{"gpu":"nv2a","version":2}"#)]);
        assert!(matches!(
            read_all(&newer).unwrap_err().problem,
            Problem::Version(2)
        ));
    }
}
