//! Dumps as JSON, read as they come: no value larger than one word's object is held.

use super::{Error, LONGEST, Place, Visit, io_error, no_chip, text};
use crate::chip::Chip;
use std::io::BufRead;

/// Deepest nesting.
const DEEPEST: usize = 32;
/// Most words of one object.
const MOST: usize = 4096;

struct Parser<'i> {
    input: &'i mut dyn BufRead,
    offset: u64,
    peeked: Option<u8>,
}

impl Parser<'_> {
    fn error<T>(&self, problem: impl Into<String>) -> Result<T, Error> {
        Err(Error {
            place: Place::Offset(self.offset),
            problem: problem.into(),
        })
    }

    fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.peeked.is_none() {
            let place = Place::Offset(self.offset);
            let buffer = self.input.fill_buf().map_err(|e| io_error(place, &e))?;
            self.peeked = buffer.first().copied();
            if self.peeked.is_some() {
                self.input.consume(1);
            }
        }
        Ok(self.peeked)
    }

    fn bump(&mut self) {
        self.peeked = None;
        self.offset += 1;
    }

    /// The next byte that is not white space, not taken.
    fn token(&mut self) -> Result<Option<u8>, Error> {
        while let Some(byte) = self.peek()? {
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.bump();
        }
        Ok(None)
    }

    fn expect(&mut self, wanted: u8) -> Result<(), Error> {
        match self.token()? {
            Some(byte) if byte == wanted => {
                self.bump();
                Ok(())
            }
            Some(byte) => self.error(format!(
                "{:?} where {:?} was expected",
                byte as char, wanted as char
            )),
            None => self.error(format!(
                "the input ends where {:?} was expected",
                wanted as char
            )),
        }
    }

    fn string(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.clear();
        self.expect(b'"')?;
        loop {
            let Some(byte) = self.peek()? else {
                return self.error("the input ends in a string");
            };
            self.bump();
            match byte {
                b'"' => return Ok(()),
                b'\\' => {
                    let Some(escaped) = self.peek()? else {
                        return self.error("the input ends in a string");
                    };
                    self.bump();
                    // names and numbers need no escapes; anything is kept as it stands
                    out.push(escaped);
                }
                _ => out.push(byte),
            }
            if out.len() > LONGEST {
                return self.error(format!("a string longer than {LONGEST} bytes"));
            }
        }
    }

    fn text(&mut self, scratch: &mut Vec<u8>) -> Result<String, Error> {
        self.string(scratch)?;
        match std::str::from_utf8(scratch) {
            Ok(text) => Ok(text.to_string()),
            Err(_) => self.error("a string that is not UTF-8"),
        }
    }

    /// A number: decimal as JSON has it, or a string of hexadecimal digits.
    fn number(&mut self, scratch: &mut Vec<u8>) -> Result<u32, Error> {
        if self.token()? == Some(b'"') {
            let text = self.text(scratch)?;
            return match text::hex(&text) {
                Some(n) => Ok(n),
                None => self.error(format!(
                    "{:?} is not a 32-bit hexadecimal number",
                    text.chars().take(40).collect::<String>()
                )),
            };
        }
        let mut value = 0u64;
        let mut digits = 0;
        while let Some(byte @ b'0'..=b'9') = self.peek()? {
            value = value * 10 + u64::from(byte - b'0');
            digits += 1;
            if value > u64::from(u32::MAX) {
                return self.error("a number that does not fit 32 bits");
            }
            self.bump();
        }
        match self.peek()? {
            Some(b'.' | b'e' | b'E' | b'-' | b'+') => self.error("a whole number was expected"),
            _ if digits == 0 => self.error("a number was expected"),
            _ => Ok(value as u32),
        }
    }

    /// One number or an array of them.
    fn numbers(&mut self, scratch: &mut Vec<u8>, out: &mut Vec<u32>) -> Result<(), Error> {
        out.clear();
        if self.token()? != Some(b'[') {
            out.push(self.number(scratch)?);
            return Ok(());
        }
        self.bump();
        if self.token()? == Some(b']') {
            self.bump();
            return Ok(());
        }
        loop {
            if out.len() == MOST {
                return self.error(format!("more than {MOST} values"));
            }
            out.push(self.number(scratch)?);
            match self.token()? {
                Some(b',') => self.bump(),
                _ => return self.expect(b']'),
            }
        }
    }

    /// Passes over any value.
    fn skip(&mut self, scratch: &mut Vec<u8>, depth: usize) -> Result<(), Error> {
        if depth > DEEPEST {
            return self.error(format!("nested deeper than {DEEPEST}"));
        }
        match self.token()? {
            Some(b'"') => self.string(scratch),
            Some(open @ (b'{' | b'[')) => {
                let close = if open == b'{' { b'}' } else { b']' };
                self.bump();
                if self.token()? == Some(close) {
                    self.bump();
                    return Ok(());
                }
                loop {
                    if open == b'{' {
                        self.string(scratch)?;
                        self.expect(b':')?;
                    }
                    self.skip(scratch, depth + 1)?;
                    match self.token()? {
                        Some(b',') => self.bump(),
                        _ => return self.expect(close),
                    }
                }
            }
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                let mut length = 0;
                while let Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E') =
                    self.peek()?
                {
                    self.bump();
                    length += 1;
                    if length > 64 {
                        return self.error("a number or word longer than 64 bytes");
                    }
                }
                Ok(())
            }
            Some(byte) => self.error(format!("{:?} where a value was expected", byte as char)),
            None => self.error("the input ends where a value was expected"),
        }
    }
}

pub(super) fn read(
    input: &mut dyn BufRead,
    chip: Option<Chip>,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let mut reader = Reader {
        parser: Parser {
            input,
            offset: 0,
            peeked: None,
        },
        chip,
        scratch: Vec::new(),
        values: Vec::new(),
        visit,
    };
    while reader.parser.token()?.is_some() {
        reader.value(0)?;
    }
    Ok(())
}

struct Reader<'i, 'v, 'f> {
    parser: Parser<'i>,
    chip: Option<Chip>,
    scratch: Vec<u8>,
    values: Vec<u32>,
    visit: &'v mut Visit<'f>,
}

impl Reader<'_, '_, '_> {
    /// An array of objects, or an object.
    fn value(&mut self, depth: usize) -> Result<(), Error> {
        if depth > DEEPEST {
            return self.parser.error(format!("nested deeper than {DEEPEST}"));
        }
        match self.parser.token()? {
            Some(b'[') => {
                self.parser.bump();
                if self.parser.token()? == Some(b']') {
                    self.parser.bump();
                    return Ok(());
                }
                loop {
                    self.value(depth + 1)?;
                    match self.parser.token()? {
                        Some(b',') => self.parser.bump(),
                        _ => return self.parser.expect(b']'),
                    }
                }
            }
            Some(b'{') => self.object(depth),
            Some(byte) => self.parser.error(format!(
                "{:?} where an object or an array was expected",
                byte as char
            )),
            None => self
                .parser
                .error("the input ends where an object was expected"),
        }
    }

    /// `{"chip": …, "words": […]}`, `{"name": …, "value": …}` or `{NAME: VALUE, …}`.
    fn object(&mut self, depth: usize) -> Result<(), Error> {
        let place = Place::Offset(self.parser.offset);
        self.parser.expect(b'{')?;
        let mut name = None;
        let mut valued = false;
        if self.parser.token()? == Some(b'}') {
            self.parser.bump();
            return Ok(());
        }
        loop {
            let key = self.parser.text(&mut self.scratch)?;
            self.parser.expect(b':')?;
            match key.as_str() {
                "chip" => {
                    let chip = self.parser.text(&mut self.scratch)?;
                    match Chip::parse(&chip) {
                        Some(chip) => self.chip = Some(chip),
                        None => return self.parser.error(text::unknown_chip(&chip)),
                    }
                }
                "words" => self.value(depth + 1)?,
                "name" | "addr" | "address" | "id" | "method" => {
                    name = Some(match self.parser.token()? {
                        Some(b'"') => self.parser.text(&mut self.scratch)?,
                        _ => format!("{:#x}", self.parser.number(&mut self.scratch)?),
                    });
                }
                "value" | "values" => {
                    self.parser.numbers(&mut self.scratch, &mut self.values)?;
                    valued = true;
                }
                // what `decode --json` adds
                "fields" | "joined" | "notes" | "label" | "doc" | "undeclared" | "schema"
                | "place" => {
                    self.parser.skip(&mut self.scratch, depth + 1)?;
                }
                _ => {
                    let place = Place::Offset(self.parser.offset);
                    let mut values = Vec::new();
                    self.parser.numbers(&mut self.scratch, &mut values)?;
                    let chip = self.chip.ok_or_else(|| no_chip(place))?;
                    text::named(chip, &key, &values, place, self.visit)?;
                }
            }
            match self.parser.token()? {
                Some(b',') => self.parser.bump(),
                _ => {
                    self.parser.expect(b'}')?;
                    break;
                }
            }
        }
        match (name, valued) {
            (Some(name), true) => {
                let chip = self.chip.ok_or_else(|| no_chip(place))?;
                text::named(chip, &name, &self.values, place, self.visit)
            }
            (None, false) => Ok(()),
            (Some(_), false) => Err(Error {
                place,
                problem: "an object with a name but no \"value\"".into(),
            }),
            (None, true) => Err(Error {
                place,
                problem: "an object with a value but no \"name\", \"addr\", \"id\" or \"method\""
                    .into(),
            }),
        }
    }
}
