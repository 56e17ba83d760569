//! The instruction sets that `asm` and `disasm` know by name.

use anyhow::{Context, bail};
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::{isa_gp, isa_gp_text, isa_pp, isa_pp_text};
use isotherm_regs::xf::isa::Isa;
use std::str::FromStr;

/// What words and text are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A vertex program of Kelvin, Rankine or Curie.
    Vertex(Isa),
    /// Mali-400's geometry processor.
    MaliGp,
    /// Mali-400's pixel processor.
    MaliPp,
}

impl FromStr for Language {
    type Err = String;

    fn from_str(s: &str) -> Result<Language, String> {
        match s.to_ascii_lowercase().as_str() {
            "mali-gp" | "gp" => Ok(Language::MaliGp),
            "mali-pp" | "pp" => Ok(Language::MaliPp),
            _ => s.parse().map(Language::Vertex).map_err(|_| {
                format!("unknown instruction set `{s}`: expected kelvin, rankine, curie, mali-gp or mali-pp")
            }),
        }
    }
}

impl Language {
    /// The vertex-program set, where it is one.
    pub fn vertex(self) -> Option<Isa> {
        match self {
            Language::Vertex(isa) => Some(isa),
            Language::MaliGp | Language::MaliPp => None,
        }
    }

    /// Mali words as text; `None` for vertex programs.
    pub fn mali_text(self, words: &[u32]) -> Option<anyhow::Result<String>> {
        match self {
            Language::Vertex(_) => None,
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

    /// Mali text as words; `None` for vertex programs.
    pub fn mali_words(self, name: &str, text: &str) -> Option<anyhow::Result<Vec<u32>>> {
        let words = match self {
            Language::Vertex(_) => return None,
            Language::MaliGp => isa_gp_text::asm(text).map(|p| isa_gp::encode_program(&p)),
            Language::MaliPp => {
                isa_pp_text::asm(text).map(|p| p.iter().flat_map(isa_pp::Instr::encode).collect())
            }
        };
        Some(words.with_context(|| name.to_owned()))
    }
}

/// The instruction set, or a message that asks for it.
pub fn required(language: Option<Language>, name: &str) -> anyhow::Result<Language> {
    match language {
        Some(language) => Ok(language),
        None => bail!(
            "{name}: words do not say their instruction set: give --isa kelvin, rankine, curie, mali-gp or mali-pp"
        ),
    }
}
