//! Values as text and back.
//!
//! The text of a value is exact: parsing it gives the same bits. Enumerations
//! are written by name, fixed point as a decimal fraction, floats so that they
//! come back, everything without a better form in hexadecimal. A number in
//! hexadecimal is always taken as the raw bits of the field.

use crate::chip::Chip;
use crate::field::{Field, Kind};
use std::fmt::{self, Write};

/// The largest raw value of `width` bits.
fn max_of(width: u32) -> u32 {
    u32::MAX >> (32 - width.clamp(1, 32))
}

/// Sign-extends `raw` from `width` bits.
fn signed(raw: u32, width: u32) -> i32 {
    let spare = 32 - width.clamp(1, 32);
    ((raw << spare) as i32) >> spare
}

/// A fixed-point number as a decimal fraction, without loss.
struct Fixed(i64, u8);

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = 1i64 << self.1;
        let (sign, value) = if self.0 < 0 {
            ("-", -self.0)
        } else {
            ("", self.0)
        };
        write!(f, "{sign}{}", value / scale)?;
        let mut rest = value % scale;
        if rest != 0 {
            f.write_char('.')?;
        }
        while rest != 0 {
            rest *= 10;
            f.write_char((b'0' + (rest / scale) as u8) as char)?;
            rest %= scale;
        }
        Ok(())
    }
}

/// The bits of a field, shown as text that parses back; nothing is allocated.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// The chip.
    pub chip: Chip,
    /// The field's kind.
    pub kind: Kind,
    /// Its number of bits.
    pub width: u32,
    /// Its bits.
    pub raw: u32,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown {
            chip,
            kind,
            width,
            raw,
        } = *self;
        match kind {
            Kind::Enum(values) => match values.name_of(chip, raw) {
                Some(value) => f.write_str(value.name),
                None => write!(f, "{raw:#x}"),
            },
            Kind::Bool if raw <= 1 => write!(f, "{raw}"),
            Kind::Uint | Kind::Unorm => write!(f, "{raw}"),
            Kind::Int => write!(f, "{}", signed(raw, width)),
            Kind::Hex | Kind::Unknown | Kind::Bool => write!(f, "{raw:#x}"),
            Kind::SFixed(_, bits) => Fixed(signed(raw, width).into(), bits).fmt(f),
            Kind::UFixed(_, bits) => Fixed(raw.into(), bits).fmt(f),
            Kind::Float32 if f32::from_bits(raw).is_finite() => {
                write!(f, "{:?}", f32::from_bits(raw))
            }
            Kind::Float32 => write!(f, "{raw:#x}"),
            Kind::Address(shift) => write!(f, "@{:#x}", u64::from(raw) << shift),
            Kind::Times(shift) => write!(f, "{}", u64::from(raw) << shift),
            Kind::MinusOne => write!(f, "{}", u64::from(raw) + 1),
        }
    }
}

/// Formats `raw`, the bits of a field of `kind` and `width`.
pub fn format(chip: Chip, kind: Kind, width: u32, raw: u32) -> String {
    Shown {
        chip,
        kind,
        width,
        raw,
    }
    .to_string()
}

/// What a number means beyond its text, for people: the name's documentation, the
/// fraction a normalised number stands for, a float's special values.
pub fn meaning(chip: Chip, kind: Kind, width: u32, raw: u32) -> String {
    match kind {
        Kind::Enum(values) => values
            .name_of(chip, raw)
            .map_or(String::new(), |v| v.doc.trim().to_string()),
        Kind::Unorm => format!("{:.6}", f64::from(raw) / f64::from(max_of(width))),
        Kind::Float32 if f32::from_bits(raw).is_nan() => "NaN".into(),
        Kind::Float32 if f32::from_bits(raw).is_infinite() => format!("{}", f32::from_bits(raw)),
        Kind::Bool => if raw == 0 { "off" } else { "on" }.into(),
        _ => String::new(),
    }
}

/// Why a text is not a value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    /// What would do.
    pub expected: String,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for ValueError {}

/// What a field of this kind takes, in words.
pub fn accepts(chip: Chip, kind: Kind, width: u32) -> String {
    let max = max_of(width);
    match kind {
        Kind::Enum(values) => {
            let names: Vec<_> = values
                .list
                .iter()
                .filter(|v| v.on(chip))
                .map(|v| v.name)
                .collect();
            format!("one of {} or a number up to {max:#x}", names.join(", "))
        }
        Kind::Bool => "0, 1, on or off".into(),
        Kind::Uint | Kind::Unorm => format!("a number from 0 to {max}"),
        Kind::Int => {
            let half = 1i64 << (width - 1);
            format!("a number from {} to {}", -half, half - 1)
        }
        Kind::Hex | Kind::Unknown => format!("a number up to {max:#x}"),
        Kind::SFixed(_, f) => {
            let half = 1i64 << (width - 1);
            format!(
                "a multiple of 1/{} from {} to {}",
                1u64 << f,
                Fixed(-half, f),
                Fixed(half - 1, f)
            )
        }
        Kind::UFixed(_, f) => format!(
            "a multiple of 1/{} from 0 to {}",
            1u64 << f,
            Fixed(max.into(), f)
        ),
        Kind::Float32 => "a float, or its bits as 0x…".into(),
        Kind::Address(s) => format!(
            "@ and a multiple of {:#x} up to {:#x}",
            1u64 << s,
            u64::from(max) << s
        ),
        Kind::Times(s) => format!("a multiple of {} up to {}", 1u64 << s, u64::from(max) << s),
        Kind::MinusOne => format!("a number from 1 to {}", u64::from(max) + 1),
    }
}

/// Parses the text of a value to the raw bits of a field.
pub fn parse(chip: Chip, kind: Kind, width: u32, text: &str) -> Result<u32, ValueError> {
    let max = u64::from(max_of(width));
    let error = || ValueError {
        expected: accepts(chip, kind, width),
    };
    let fits = |raw: u64| {
        if raw <= max {
            Ok(raw as u32)
        } else {
            Err(error())
        }
    };
    let text = text.trim();
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return fits(u64::from_str_radix(hex, 16).map_err(|_| error())?);
    }
    let number = || text.parse::<u64>().map_err(|_| error());
    match kind {
        Kind::Enum(values) => match values.by_name(chip, text) {
            Some(raw) => fits(raw.into()),
            None => fits(number()?),
        },
        Kind::Bool => match text.to_ascii_lowercase().as_str() {
            "on" | "true" | "yes" => Ok(1),
            "off" | "false" | "no" => Ok(0),
            _ => fits(number()?),
        },
        Kind::Uint | Kind::Hex | Kind::Unknown | Kind::Unorm => fits(number()?),
        Kind::Int => signed_bits(text.parse().map_err(|_| error())?, width).ok_or_else(error),
        Kind::SFixed(_, f) => scaled(text, f)
            .and_then(|v| signed_bits(v, width))
            .ok_or_else(error),
        Kind::UFixed(_, f) => match scaled(text, f) {
            Some(v) if v >= 0 => fits(v as u64),
            _ => Err(error()),
        },
        Kind::Float32 => text.parse::<f32>().map(f32::to_bits).map_err(|_| error()),
        Kind::Address(shift) => {
            let address = match text.strip_prefix('@') {
                Some(rest) => match rest.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16).map_err(|_| error())?,
                    None => rest.parse().map_err(|_| error())?,
                },
                None => number()?,
            };
            quotient(address, shift).ok_or_else(error).and_then(fits)
        }
        Kind::Times(shift) => quotient(number()?, shift).ok_or_else(error).and_then(fits),
        Kind::MinusOne => number()?.checked_sub(1).ok_or_else(error).and_then(fits),
    }
}

fn quotient(value: u64, shift: u8) -> Option<u64> {
    (value >> shift << shift == value).then_some(value >> shift)
}

fn signed_bits(value: i64, width: u32) -> Option<u32> {
    let half = 1i64 << (width - 1);
    (-half..half)
        .contains(&value)
        .then_some(value as u32 & max_of(width))
}

/// A decimal fraction times `2^fraction`, if that is a whole number.
fn scaled(text: &str, fraction: u8) -> Option<i64> {
    let value: f64 = text.parse().ok()?;
    let scaled = value * f64::from(1u32 << fraction.min(31));
    (scaled.fract() == 0.0 && scaled.abs() < 1e15).then_some(scaled as i64)
}

/// Formats a field of a word; `None` where the chip lacks it.
pub fn format_field(chip: Chip, field: &Field, word: u32) -> Option<String> {
    let span = field.span(chip)?;
    Some(format(
        chip,
        field.kind,
        span.width(),
        field.get(chip, word),
    ))
}
