//! Bad use, as opposed to bad data: the program ends in 2.

use isotherm_regs::Chip;

/// What was asked for wrongly, and what would do.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// An error of bad use.
pub fn usage(text: impl Into<String>) -> anyhow::Error {
    Usage(text.into()).into()
}

/// A chip or family by name.
pub fn chip(text: &str) -> anyhow::Result<Chip> {
    Chip::parse(text).ok_or_else(|| {
        let all: Vec<_> = Chip::ALL.iter().map(|c| c.name()).collect();
        usage(format!(
            "no chip is called {text:?}; there are {}, and the families celsius, kelvin, rankine, curie, mali",
            all.join(", ")
        ))
    })
}

/// A 32-bit number: `0x…`, `…h`, decimal, or hexadecimal digits that are no decimal.
pub fn number(text: &str) -> anyhow::Result<u32> {
    isotherm_regs::find::number(text)
        .or_else(|| u32::from_str_radix(text, 16).ok())
        .ok_or_else(|| {
            usage(format!(
                "{text:?} is not a 32-bit number such as 0x20600084"
            ))
        })
}

/// A time in seconds, up to an hour.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 3600 was expected".into()),
    }
}
