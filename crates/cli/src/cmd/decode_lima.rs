//! `isotherm decode mali400` of a dump that lima wrote: every block by what it is.

use super::decode::json_line;
use crate::show;
use anyhow::Context;
use isotherm::import::lima_dump::{self, Item as Block};
use isotherm_regs::Chip;
use isotherm_regs::dump::{self, Item, Place};
use isotherm_regs::find::Target;
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::words::{PLBU, PP_FRAME, RSW, TEXTURE, VS};
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text};
use std::io::{self, BufWriter, Write};
use std::path::Path;

const CHIP: Chip = Chip::Mali400;
/// Descriptors that a list has room for.
const DESCRIPTORS: usize = 16;

/// Decodes the blocks, in order.
pub fn run(path: &Path, text: &str, all: bool, json: bool) -> anyhow::Result<()> {
    let blocks = lima_dump::parse(text).with_context(|| path.display().to_string())?;
    let mut out = Decoder {
        out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
        all,
        json,
    };
    let written = blocks.iter().try_for_each(|block| out.block(block));
    show::finish(written.and_then(|()| out.out.flush()))
}

struct Decoder {
    out: BufWriter<io::StdoutLock<'static>>,
    all: bool,
    json: bool,
}

impl Decoder {
    fn block(&mut self, block: &Block) -> io::Result<()> {
        match block {
            // The same once more, for people.
            Block::Disassembly { .. } => Ok(()),
            Block::Gp(words) => self.plain("add gp frame", 0, words),
            Block::Pp(words) => {
                self.title("add pp frame")?;
                self.items(Target::Record(&PP_FRAME), PP_FRAME.slots.len(), 0, words)
            }
            Block::Memory { addr, title, words } => self.memory(*addr, title, words),
        }
    }

    fn memory(&mut self, addr: u32, title: &str, words: &[u32]) -> io::Result<()> {
        let what = title.split(" at va ").next().unwrap_or(title);
        let place = u64::from(addr);
        if what.ends_with("render state") {
            self.title(title)?;
            self.items(Target::Record(&RSW), RSW.slots.len(), place, words)
        } else if what.ends_with("vs cmd") {
            self.title(title)?;
            self.items(Target::Commands("VS", VS), 2, place, words)
        } else if what.ends_with("plbu cmd") {
            self.title(title)?;
            self.items(Target::Commands("PLBU", PLBU), 2, place, words)
        } else if what.ends_with("add vs") {
            let program = isa_gp::decode_program(words);
            self.program(
                title,
                "mali-gp",
                &isa_gp_text::disasm(&program, Style::Lima),
            )
        } else if what.ends_with("add fs") {
            let text = match isa_pp::decode_program(words, words.len()) {
                Ok(program) => isa_pp_text::disasm(&program, Style::Lima),
                Err(error) => format!("{error}\n"),
            };
            self.program(title, "mali-pp", &text)
        } else if what.ends_with("textures_desc") {
            self.textures(title, place, words)
        } else {
            self.plain(title, place, words)
        }
    }

    /// A list of addresses, and the descriptors that they lead to.
    fn textures(&mut self, title: &str, place: u64, words: &[u32]) -> io::Result<()> {
        self.title(title)?;
        let list = words
            .iter()
            .take(DESCRIPTORS)
            .take_while(|&&word| word != 0);
        let list: Vec<u32> = list.copied().collect();
        if !self.json {
            self.words(&list)?;
        }
        for address in list {
            let offset = u64::from(address)
                .checked_sub(place)
                .map(|n| n as usize / 4);
            let Some(found) = offset.and_then(|n| words.get(n..)) else {
                continue;
            };
            let found = &found[..found.len().min(TEXTURE.slots.len())];
            self.item(Target::Record(&TEXTURE), u64::from(address), found)?;
        }
        Ok(())
    }

    fn title(&mut self, title: &str) -> io::Result<()> {
        if self.json {
            return Ok(());
        }
        writeln!(self.out, "# {title}")
    }

    /// Words of which `count` belong together each time.
    fn items(&mut self, target: Target, count: usize, place: u64, words: &[u32]) -> io::Result<()> {
        for (n, words) in words.chunks(count.max(1)).enumerate() {
            if words.len() < count && !matches!(target, Target::Record(_)) {
                return self.words(words);
            }
            self.item(target, place + (n * count * 4) as u64, words)?;
            // What follows a record in its block are its neighbours' words.
            if matches!(target, Target::Record(_)) {
                break;
            }
        }
        Ok(())
    }

    fn item(&mut self, target: Target, place: u64, words: &[u32]) -> io::Result<()> {
        let item = Item {
            chip: CHIP,
            target,
            words,
            place: Place::Offset(place),
        };
        if self.json {
            json_line(&mut self.out, item)
        } else {
            let mut line = String::new();
            dump::write(&mut line, item, self.all);
            self.out.write_all(line.as_bytes())
        }
    }

    fn program(&mut self, title: &str, isa: &str, text: &str) -> io::Result<()> {
        if self.json {
            let line = serde_json::json!({ "block": title, "isa": isa, "text": text });
            return writeln!(self.out, "{line}");
        }
        self.title(title)?;
        text.lines()
            .try_for_each(|line| writeln!(self.out, "#   {line}"))
    }

    /// A block that is nothing but words.
    fn plain(&mut self, title: &str, place: u64, words: &[u32]) -> io::Result<()> {
        if self.json {
            let line = serde_json::json!({ "block": title, "place": place, "words": words });
            return writeln!(self.out, "{line}");
        }
        self.title(title)?;
        self.words(words)
    }

    fn words(&mut self, words: &[u32]) -> io::Result<()> {
        for line in words.chunks(4) {
            let shown: Vec<String> = line.iter().map(|w| format!("{w:08x}")).collect();
            writeln!(self.out, "#   {}", shown.join(" "))?;
        }
        Ok(())
    }
}
