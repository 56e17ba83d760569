//! Writing captures: records one after another, and a small builder for pushbuffers.

use super::MAGIC;
use super::compression::Encoder;
use super::read::Limits;
use isotherm_bus::context::Context;
use std::io::{self, Write};

/// Writes a capture, zstd around all of it.
///
/// ```
/// use isotherm_capture::{Push, Writer};
/// use serde_json::json;
///
/// # fn main() -> std::io::Result<()> {
/// let mut capture = Writer::new(Vec::new(), &json!({ "gpu": "nv2a", "test": "example" }))?;
/// capture.object(&json!({ "handle": 13, "kind": "graphics", "class": 0x97,
///     "instance": 0x100, "raw": [0x97, 0, 0, 0] }))?;
/// capture.memory(0x1000, &[1, 2, 3, 4])?;
/// capture.push(Push::new().method(0, 0, &[13]).method(0, 0x1D94, &[0xF0]).words())?;
/// let bytes = capture.finish()?;
/// # assert!(!bytes.is_empty());
/// # Ok(())
/// # }
/// ```
pub struct Writer<W: Write> {
    out: Out<W>,
}

/// Where the bytes go.
enum Out<W: Write> {
    Zstd(Box<Encoder<W>>),
    Plain(W),
}

impl<W: Write> Out<W> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Out::Zstd(out) => out.write_all(bytes),
            Out::Plain(out) => out.write_all(bytes),
        }
    }
}

impl<W: Write> Writer<W> {
    /// Starts a capture; `info` names the chip as `gpu`. The version is filled in.
    pub fn new(out: W, info: &serde_json::Value) -> io::Result<Writer<W>> {
        Writer::begin(Out::Zstd(Box::new(Encoder::new(out)?)), info)
    }

    /// The same without compression, for recorders that have no time for it. Readers take both.
    pub fn plain(out: W, info: &serde_json::Value) -> io::Result<Writer<W>> {
        Writer::begin(Out::Plain(out), info)
    }

    /// Records alone, without magic and `INFO`: to be put into a capture that has them.
    pub fn fragment(out: W) -> Writer<W> {
        Writer {
            out: Out::Plain(out),
        }
    }

    fn begin(mut out: Out<W>, info: &serde_json::Value) -> io::Result<Writer<W>> {
        out.write_all(&MAGIC)?;
        let mut writer = Writer { out };
        let mut info = info.clone();
        if let Some(map) = info.as_object_mut() {
            map.entry("version").or_insert(1.into());
        }
        writer.record(b"INFO", info.to_string().as_bytes())?;
        Ok(writer)
    }

    /// Writes any record.
    pub fn record(&mut self, tag: &[u8; 4], payload: &[u8]) -> io::Result<()> {
        let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "record of 4 GiB or more");
        let len = u32::try_from(payload.len()).map_err(too_long)?;
        self.out.write_all(tag)?;
        self.out.write_all(&len.to_le_bytes())?;
        self.out.write_all(payload)
    }

    /// An object is reachable by its handle from now on.
    pub fn object(&mut self, object: &serde_json::Value) -> io::Result<()> {
        self.record(b"OBJ ", object.to_string().as_bytes())
    }

    /// The CPU wrote these bytes.
    pub fn memory(&mut self, addr: u32, bytes: &[u8]) -> io::Result<()> {
        let mut payload = addr.to_le_bytes().to_vec();
        payload.extend_from_slice(bytes);
        self.record(b"MEM ", &payload)
    }

    /// The CPU copied memory that the GPU had rendered.
    pub fn copy(&mut self, dst: u32, src: u32, len: u32) -> io::Result<()> {
        self.words(b"COPY", &[dst, src, len])
    }

    /// Words as the pusher fetches them.
    pub fn push(&mut self, words: &[u32]) -> io::Result<()> {
        self.words(b"PUSH", words)
    }

    /// The CPU wrote a register.
    pub fn register(&mut self, addr: u32, value: u32) -> io::Result<()> {
        self.words(b"REG ", &[addr, value])
    }

    /// A job of a Mali: `GP  ` or `PP  `, a description and the frame structure.
    pub fn job(&mut self, tag: &[u8; 4], json: &str, frame: &[u32]) -> io::Result<()> {
        let mut payload = (json.len() as u32).to_le_bytes().to_vec();
        payload.extend_from_slice(json.as_bytes());
        frame
            .iter()
            .for_each(|word| payload.extend_from_slice(&word.to_le_bytes()));
        self.record(tag, &payload)
    }

    /// Everything the chip remembers.
    ///
    /// # Errors
    /// Also if it is longer than readers take.
    pub fn context(&mut self, context: &Context) -> io::Result<()> {
        let (bytes, most) = (serde_json::to_vec(context)?, Limits::default().context);
        if bytes.len() > most as usize {
            let long = format!("a context of {} bytes, {most} at most", bytes.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, long));
        }
        self.record(b"CTX ", &bytes)
    }

    /// A surface is to be looked at now.
    pub fn surface(&mut self, surface: &serde_json::Value) -> io::Result<()> {
        self.record(b"SURF", surface.to_string().as_bytes())
    }

    fn words(&mut self, tag: &[u8; 4], words: &[u32]) -> io::Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.record(tag, &bytes)
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<W> {
        match self.out {
            Out::Zstd(out) => out.finish(),
            Out::Plain(out) => Ok(out),
        }
    }
}

/// Builds pushbuffer words.
#[derive(Clone, Debug, Default)]
pub struct Push {
    words: Vec<u32>,
}

/// Most data words that one header announces.
const MOST: usize = 0x7FF;

impl Push {
    /// No words yet.
    pub fn new() -> Push {
        Push::default()
    }

    /// Data to a method and those after it.
    pub fn method(&mut self, subchannel: u8, method: u16, data: &[u32]) -> &mut Push {
        for (part, data) in data.chunks(MOST).enumerate() {
            let method = method.wrapping_add((part * MOST * 4) as u16);
            self.header(subchannel, method, data.len(), 0);
            self.words.extend_from_slice(data);
        }
        self
    }

    /// All data to one method.
    pub fn repeat(&mut self, subchannel: u8, method: u16, data: &[u32]) -> &mut Push {
        for data in data.chunks(MOST) {
            self.header(subchannel, method, data.len(), 0x4000_0000);
            self.words.extend_from_slice(data);
        }
        self
    }

    /// Floats to a method and those after it.
    pub fn floats(&mut self, subchannel: u8, method: u16, data: &[f32]) -> &mut Push {
        let words: Vec<u32> = data.iter().map(|f| f.to_bits()).collect();
        self.method(subchannel, method, &words)
    }

    fn header(&mut self, subchannel: u8, method: u16, count: usize, kind: u32) {
        let subchannel = u32::from(subchannel & 7) << 13;
        self.words
            .push(kind | (count as u32) << 18 | subchannel | u32::from(method & 0x1FFC));
    }

    /// The words so far.
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Payload, Reader};
    use isotherm_fe::fifo::Pusher;
    use serde_json::json;

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::new(Vec::new(), &json!({ "gpu": "nv2a" })).unwrap();
        writer.memory(0x10, &[1, 2, 3]).unwrap();
        writer.copy(1, 2, 3).unwrap();
        writer.register(0x40_0084, 7).unwrap();
        writer.push(&[1, 2]).unwrap();
        writer.job(b"GP  ", "{}", &[5, 6]).unwrap();
        let surface = json!({ "width": 1, "height": 1, "format": "A8R8G8B8" });
        writer.surface(&surface).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Reader::new(file.as_slice()).unwrap();
        let mut next = || format!("{:?}", reader.next_record().unwrap().unwrap().payload);
        assert!(next().starts_with("Info(Info { gpu: \"nv2a\""));
        assert_eq!(next(), "Memory { addr: 16, bytes: [1, 2, 3] }");
        assert_eq!(next(), "Copy { dst: 1, src: 2, len: 3 }");
        assert_eq!(next(), "Register { addr: 4194436, value: 7 }");
        assert_eq!(next(), "Push([1, 2])");
        assert_eq!(next(), "Gp(Job { json: \"{}\", frame: [5, 6] })");
        assert!(matches!(
            reader.next_record().unwrap().unwrap().payload,
            Payload::Surface(_)
        ));
        assert!(reader.next_record().unwrap().is_none());
    }

    #[test]
    fn long_data_is_split() {
        let data: Vec<u32> = (0..5000).collect();
        let mut push = Push::new();
        push.repeat(2, 0x1818, &data);
        let mut seen = Vec::new();
        Pusher::default().run(push.words(), |m| {
            assert_eq!((m.subchannel, m.method), (2, 0x1818));
            seen.push(m.data);
        });
        assert_eq!(seen, data);
    }
}
