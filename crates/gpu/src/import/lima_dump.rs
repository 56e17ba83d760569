//! The parts of lima's own dumps (`LIMA_DEBUG=dump`); [`super::lima_dump()`] makes captures of them.
//!
//! A dump is text: for each buffer the driver filled a line that ends in `at va ADDRESS`,
//! then its words in braces; `add gp frame` and `add pp frame` are the jobs. Decoded
//! blocks between comment rulers are for people; of these only the disassemblies are kept,
//! to compare with. Old and new dumps differ in those blocks alone. Vertex data, index
//! arrays and texels are not in a dump, and uniforms of vertex programs only with six
//! decimals: what depends on them cannot be drawn from it.

/// Most words that a dump may hold.
const MAX_WORDS: usize = 1 << 26;

/// What stands in a dump, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A buffer's contents.
    Memory {
        /// GPU address.
        addr: u32,
        /// The line above the words.
        title: String,
        /// The words.
        words: Vec<u32>,
    },
    /// A geometry job.
    Gp(Vec<u32>),
    /// A pixel job.
    Pp(Vec<u32>),
    /// A shader as lima disassembled it; its words are the memory item before.
    Disassembly {
        /// For the pixel processor.
        fragment: bool,
        /// The lines between the rulers.
        lines: Vec<String>,
    },
}

/// A dump that makes no sense.
#[derive(Clone, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct DumpError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Whether a file's first bytes look like a dump.
pub fn looks_like_dump(start: &[u8]) -> bool {
    let start = &start[..start.len().min(4096)];
    let Ok(text) =
        std::str::from_utf8(start).or_else(|e| std::str::from_utf8(&start[..e.valid_up_to()]))
    else {
        return false;
    };
    text.lines()
        .any(|l| l.contains(" at va ") || l.starts_with("add gp frame"))
}

/// Takes a dump apart.
pub fn parse(text: &str) -> Result<Vec<Item>, DumpError> {
    let mut items = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut title: Option<&str> = None;
    let mut total = 0;
    while let Some((number, line)) = lines.next() {
        let err = |what: String| DumpError {
            line: number + 1,
            what,
        };
        if let Some(fragment) = ruler(line) {
            let body = lines
                .by_ref()
                .map(|(_, l)| l)
                .take_while(|l| !l.starts_with("/* ===="));
            items.push(Item::Disassembly {
                fragment,
                lines: body.map(str::to_string).collect(),
            });
        } else if line == "{" {
            let Some(title) = title.take() else {
                return Err(err("a brace without a title above".into()));
            };
            let mut words = Vec::new();
            for (number, line) in lines.by_ref() {
                let end = line.ends_with('}');
                numbers(line, &mut words).map_err(|what| DumpError {
                    line: number + 1,
                    what,
                })?;
                if end {
                    break;
                }
            }
            total += words.len();
            if total > MAX_WORDS {
                return Err(err(format!("more than {MAX_WORDS} words")));
            }
            items.push(match title {
                "add gp frame" => Item::Gp(words),
                "add pp frame" => Item::Pp(words),
                _ => {
                    let addr = title.rsplit_once(" at va ").map(|(_, a)| a.trim());
                    let addr = addr.and_then(|a| u32::from_str_radix(a, 16).ok());
                    let addr = addr.ok_or_else(|| err(format!("`{title}`: no address")))?;
                    Item::Memory {
                        addr,
                        title: title.to_string(),
                        words,
                    }
                }
            });
        } else if line.contains(" at va ")
            || line.starts_with("add gp frame")
            || line.starts_with("add pp frame")
        {
            title = Some(line.trim());
        }
    }
    Ok(items)
}

fn ruler(line: &str) -> Option<bool> {
    if !line.starts_with("/* ====") || !line.contains("DISASSEMBLY BEGIN") {
        return None;
    }
    Some(line.contains("FS "))
}

/// `0x…` words or decimal floats, separated by commas, a comment behind.
fn numbers(line: &str, out: &mut Vec<u32>) -> Result<(), String> {
    let line = line.split("/*").next().unwrap_or("");
    for part in line
        .split(',')
        .map(|p| p.trim().trim_end_matches('}').trim())
    {
        if part.is_empty() {
            continue;
        }
        let word = match part.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).map_err(|_| format!("`{part}`: no word"))?,
            None => part
                .parse::<f32>()
                .map_err(|_| format!("`{part}`: no number"))?
                .to_bits(),
        };
        out.push(word);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "add fs at va fddfa000\n{\n\t0x00001224, 0x00000800, 0x001c9e00, 0x000f9e00, /* 0x00000000 */\n}\n\
        /* ============ FS DISASSEMBLY BEGIN ============== */\n@     0: load.u 0, mov.v1 $0 ^uniform, stop\n\
        /* ============ FS DISASSEMBLY END ================= */\n\
        update gp uniform at va fddfe0c0\n{\n\t128.000000, -128.000000, /* 0x0 */\n}\n\
        add pp uniform info at va fddfe340\n{\n\t0xfddfe300, /* 0x00000000 */}\n\
        add gp frame\n{\n\t0x1, 0x2, 0x3, 0x4, /* 0x00000000 */\n\t0x5, 0x6, /* 0x00000004 */\n}\n";

    #[test]
    fn parts() {
        let items = parse(DUMP).unwrap();
        assert_eq!(items.len(), 5);
        assert!(
            matches!(&items[0], Item::Memory { addr: 0xfddfa000, words, .. } if words.len() == 4)
        );
        assert!(
            matches!(&items[1], Item::Disassembly { fragment: true, lines } if lines.len() == 1)
        );
        assert!(
            matches!(&items[2], Item::Memory { words, .. } if words[1] == (-128.0f32).to_bits())
        );
        assert!(matches!(&items[3], Item::Memory { words, .. } if words == &[0xfddfe300]));
        assert_eq!(items[4], Item::Gp(vec![1, 2, 3, 4, 5, 6]));
        assert!(looks_like_dump(DUMP.as_bytes()));
        assert!(!looks_like_dump(b"GPUCAP01"));
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(parse("x at va 10\n{\n\t0xzz,\n}").unwrap_err().line, 3);
        assert!(parse("{\n}").is_err());
    }
}
