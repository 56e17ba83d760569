//! What users write on the command line: chips, words, times, and what is said when it is
//! none of these.

use isotherm_regs::{Chip, find};

/// An error of bad use.
pub fn usage(text: impl Into<String>) -> anyhow::Error {
    anyhow::anyhow!(text.into())
}

/// A chip by its name, its family's or a product's.
pub fn chip(text: &str) -> anyhow::Result<Chip> {
    Chip::parse(text).ok_or_else(|| {
        let all = || {
            Chip::ALL
                .iter()
                .flat_map(|c| [c.name()].into_iter().chain(c.other_names()))
        };
        let near = find::near(text, all());
        let hint = if near.is_empty() {
            String::new()
        } else {
            format!("did you mean {}? ", near.join(", "))
        };
        let chips: Vec<_> = Chip::ALL.iter().map(|c| c.name()).collect();
        usage(format!(
            "no chip is called {text:?}; {hint}There are {}, the families celsius, kelvin, rankine, curie, mali, and products such as xbox, geforce3, rsx",
            chips.join(", ")
        ))
    })
}

/// A 32-bit word or address: hexadecimal, as in dumps, with or without `0x`.
pub fn number(text: &str) -> anyhow::Result<u32> {
    find::word(text).ok_or_else(|| {
        usage(format!(
            "{text:?} is not a 32-bit hexadecimal word such as 0x20600084"
        ))
    })
}

/// What a name, an id or an address means on a chip.
pub fn target(chip: Chip, text: &str) -> anyhow::Result<find::Target> {
    find::find(chip, text).map_err(|e| usage(e.to_string()))
}

/// A time in seconds, up to an hour.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds from 0 to 3600 was expected".into()),
    }
}

/// Draws, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// The first.
    pub first: u64,
    /// The last; `u64::MAX` for "to the end".
    pub last: u64,
}

impl Draws {
    /// All draws.
    pub const ALL: Draws = Draws {
        first: 1,
        last: u64::MAX,
    };

    /// Is a draw among them?
    pub fn contains(&self, draw: u64) -> bool {
        (self.first..=self.last).contains(&draw)
    }

    /// An error if the capture has too few draws for this range.
    pub fn check(&self, draws: u64, name: &str) -> anyhow::Result<()> {
        let open = self.last == u64::MAX;
        let wanted = if open { self.first } else { self.last };
        // A capture without draws is no error for somebody who asked for all.
        if wanted > draws && *self != Draws::ALL {
            return Err(no_draw(name, wanted, draws));
        }
        Ok(())
    }
}

/// There is no such draw.
pub fn no_draw(name: &str, wanted: u64, draws: u64) -> anyhow::Error {
    usage(format!(
        "{name}: there is no draw {wanted}: draws count from 1, and there are {draws}"
    ))
}

impl std::str::FromStr for Draws {
    type Err = String;

    /// `7`, `3..9`, `3..` or `..9`.
    fn from_str(text: &str) -> Result<Draws, String> {
        let number = |text: &str| match text.trim_start_matches('=').parse::<u64>() {
            Ok(n) if n > 0 => Ok(n),
            _ => Err(format!(
                "{text:?} is no draw: draws count from 1, a range is 3..9"
            )),
        };
        let (first, last) = match text.split_once("..") {
            None => (number(text)?, number(text)?),
            Some((from, to)) => (
                if from.is_empty() { 1 } else { number(from)? },
                if to.is_empty() { u64::MAX } else { number(to)? },
            ),
        };
        if first > last {
            return Err(format!("{text:?} is no range: it ends before it begins"));
        }
        Ok(Draws { first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_read() {
        let draws = |text: &str| text.parse::<Draws>().map(|d| (d.first, d.last));
        assert_eq!(draws("7"), Ok((7, 7)));
        assert_eq!(draws("3..9"), Ok((3, 9)));
        assert_eq!(draws("3..=9"), Ok((3, 9)));
        assert_eq!(draws("3.."), Ok((3, u64::MAX)));
        assert_eq!(draws("..9"), Ok((1, 9)));
        for bad in ["0", "", "x", "9..3", "-1", "1..x"] {
            assert!(draws(bad).is_err(), "{bad}");
        }
        assert!(
            "3..9"
                .parse::<Draws>()
                .is_ok_and(|d| d.check(8, "x").is_err())
        );
        assert!(
            "3.."
                .parse::<Draws>()
                .is_ok_and(|d| d.check(8, "x").is_ok())
        );
    }
}
