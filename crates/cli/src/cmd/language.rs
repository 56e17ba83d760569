//! The instruction sets that `asm` and `disasm` know by name.

use anyhow::{Context, bail};
use isotherm::Family;
use isotherm_regs::fp;
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text};
use isotherm_regs::xf::isa::Isa;
use std::str::FromStr;

/// What words and text are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A vertex program of Kelvin, Rankine or Curie.
    Vertex(Isa),
    /// A fragment program of Rankine or Curie.
    Fragment(Family),
    /// Mali-400's geometry processor.
    MaliGp,
    /// Mali-400's pixel processor.
    MaliPp,
}

/// What `--isa` takes.
const NAMES: &str = "kelvin, rankine, curie, rankine-fp, curie-fp, mali-gp or mali-pp";

impl FromStr for Language {
    type Err = String;

    fn from_str(s: &str) -> Result<Language, String> {
        match s.to_ascii_lowercase().as_str() {
            "rankine-fp" | "fp1" | "fp1.0" => Ok(Language::Fragment(Family::Rankine)),
            "curie-fp" | "fp2" | "fp2.0" => Ok(Language::Fragment(Family::Curie)),
            "mali-gp" | "gp" => Ok(Language::MaliGp),
            "mali-pp" | "pp" => Ok(Language::MaliPp),
            _ => s
                .parse()
                .map(Language::Vertex)
                .map_err(|_| format!("unknown instruction set `{s}`: expected {NAMES}")),
        }
    }
}

impl Language {
    /// The vertex-program set, where it is one.
    pub fn vertex(self) -> Option<Isa> {
        match self {
            Language::Vertex(isa) => Some(isa),
            Language::Fragment(_) | Language::MaliGp | Language::MaliPp => None,
        }
    }

    /// The fragment-program set, where it is one.
    pub fn fragment(self) -> Option<Family> {
        match self {
            Language::Fragment(family) => Some(family),
            Language::Vertex(_) | Language::MaliGp | Language::MaliPp => None,
        }
    }

    /// Mali words as text; `None` for other sets.
    pub fn mali_text(self, words: &[u32]) -> Option<anyhow::Result<String>> {
        match self {
            Language::Vertex(_) | Language::Fragment(_) => None,
            Language::MaliGp => Some(Ok(isa_gp_text::disasm(
                &isa_gp::decode_program(words),
                Style::Asm,
            ))),
            Language::MaliPp => Some(
                isa_pp::decode_program(words, words.len())
                    .map(|program| isa_pp_text::disasm(&program, Style::Asm))
                    .map_err(Into::into),
            ),
        }
    }

    /// Mali text as words; `None` for other sets.
    pub fn mali_words(self, name: &str, text: &str) -> Option<anyhow::Result<Vec<u32>>> {
        let words = match self {
            Language::Vertex(_) | Language::Fragment(_) => return None,
            Language::MaliGp => isa_gp_text::asm(text).map(|p| isa_gp::encode_program(&p)),
            Language::MaliPp => {
                isa_pp_text::asm(text).map(|p| p.iter().flat_map(isa_pp::Instr::encode).collect())
            }
        };
        Some(words.with_context(|| name.to_owned()))
    }
}

/// Fragment-program text as words, `None` if it is something else: the text begins with
/// `!!FP`, or it has no such line and `--isa` says so.
pub fn fragment_words(
    language: Option<Language>,
    name: &str,
    text: &str,
) -> Option<anyhow::Result<fp::asm::Assembled>> {
    let asked = language.and_then(Language::fragment);
    let header = text
        .lines()
        .find(|line| line.trim_start().starts_with("!!"));
    let says_so = header.is_some_and(|line| line.trim_start().starts_with("!!FP"));
    if !says_so && asked.is_none() {
        return None;
    }
    let made = fp::asm::assemble_any(text, asked);
    Some(made.map_err(|error| anyhow::anyhow!("{name}:{error}")))
}

/// The instruction set that a text names in a comment, as `disasm` writes it: `// isa mali-gp`.
pub fn said(text: &str) -> Option<Language> {
    let line = text
        .lines()
        .find_map(|line| line.trim().strip_prefix("// isa "))?;
    line.trim().parse().ok()
}

/// The instruction set, or a message that asks for it.
pub fn required(language: Option<Language>, name: &str) -> anyhow::Result<Language> {
    match language {
        Some(language) => Ok(language),
        None => bail!("{name}: words do not say their instruction set: give --isa {NAMES}"),
    }
}
