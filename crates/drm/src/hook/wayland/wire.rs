//! Messages on the wire: an object, a number and a length, then the arguments in whole words.

/// Bytes of a message before its arguments.
const HEAD: usize = 8;

/// A message: whose it is, which one, and its arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Message<'a> {
    pub object: u32,
    pub opcode: u16,
    /// The arguments. Descriptors are not among them: they travel beside the bytes.
    pub body: &'a [u8],
    /// The message as it came.
    pub whole: &'a [u8],
}

/// Takes the first message off a stream; nothing while it is not whole.
///
/// # Errors
/// A length that no message can have: nothing behind it can be understood.
pub(super) fn first(bytes: &[u8]) -> Result<Option<Message<'_>>, String> {
    let (Some(object), Some(word)) = (word(bytes, 0), word(bytes, 1)) else {
        return Ok(None);
    };
    let len = (word >> 16) as usize;
    if len < HEAD || !len.is_multiple_of(4) {
        return Err(format!("a message of {len} bytes"));
    }
    Ok(bytes.get(..len).map(|whole| Message {
        object,
        opcode: word as u16,
        body: &whole[HEAD..],
        whole,
    }))
}

/// A word of the arguments.
pub(super) fn word(bytes: &[u8], index: usize) -> Option<u32> {
    let bytes = bytes.get(4 * index..4 * index + 4)?;
    Some(u32::from_ne_bytes(bytes.try_into().ok()?))
}

impl<'a> Message<'a> {
    /// All arguments, where they are so many words.
    pub(super) fn words<const N: usize>(&self) -> Result<[u32; N], String> {
        if self.body.len() != 4 * N {
            return Err(self.malformed());
        }
        let mut words = [0; N];
        for (index, place) in words.iter_mut().enumerate() {
            *place = word(self.body, index).unwrap_or_default();
        }
        Ok(words)
    }

    /// A name and what follows a text: how interfaces are announced and bound.
    pub(super) fn name_text_words<const N: usize>(
        &self,
    ) -> Result<(u32, &'a str, [u32; N]), String> {
        self.parts().ok_or_else(|| self.malformed())
    }

    fn parts<const N: usize>(&self) -> Option<(u32, &'a str, [u32; N])> {
        let (name, len) = (word(self.body, 0)?, word(self.body, 1)? as usize);
        // The length counts the zero at the end.
        let text = self.body.get(8..8 + len.checked_sub(1)?)?;
        let rest = self.body.get(8 + len.next_multiple_of(4)..)?;
        let mut words = [0; N];
        for (index, place) in words.iter_mut().enumerate() {
            *place = word(rest, index)?;
        }
        Some((name, std::str::from_utf8(text).ok()?, words))
    }

    fn malformed(&self) -> String {
        let (len, opcode, object) = (self.body.len(), self.opcode, self.object);
        format!("message {opcode} of object {object} has {len} bytes of arguments")
    }
}

/// An argument of a message to write.
pub(super) enum Arg<'a> {
    Word(u32),
    Text(&'a str),
    Array(&'a [u8]),
}

/// Writes a message.
pub(super) fn put(out: &mut Vec<u8>, object: u32, opcode: u16, args: &[Arg<'_>]) {
    let start = out.len();
    out.extend(object.to_ne_bytes());
    out.extend([0; 4]);
    for arg in args {
        match arg {
            Arg::Word(word) => out.extend(word.to_ne_bytes()),
            Arg::Text(text) => {
                out.extend((text.len() as u32 + 1).to_ne_bytes());
                out.extend(text.as_bytes());
                out.push(0);
            }
            Arg::Array(bytes) => {
                out.extend((bytes.len() as u32).to_ne_bytes());
                out.extend(*bytes);
            }
        }
        let padded = start + (out.len() - start).next_multiple_of(4);
        out.resize(padded, 0);
    }
    let len = (out.len() - start) as u32;
    out[start + 4..start + 8].copy_from_slice(&(len << 16 | u32::from(opcode)).to_ne_bytes());
}

/// Writes a message whose arguments are words.
pub(super) fn put_words(out: &mut Vec<u8>, object: u32, opcode: u16, words: &[u32]) {
    let args: Vec<Arg<'_>> = words.iter().map(|word| Arg::Word(*word)).collect();
    put(out, object, opcode, &args);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back() {
        let mut out = Vec::new();
        put(
            &mut out,
            2,
            0,
            &[Arg::Word(7), Arg::Text("wl_shm"), Arg::Word(1)],
        );
        put_words(&mut out, 3, 6, &[]);
        let message = first(&out).unwrap().unwrap();
        assert_eq!((message.object, message.opcode), (2, 0));
        assert_eq!(message.name_text_words::<1>(), Ok((7, "wl_shm", [1])));
        assert!(message.name_text_words::<2>().is_err());
        let rest = &out[message.whole.len()..];
        let commit = first(rest).unwrap().unwrap();
        assert_eq!(
            (commit.object, commit.opcode, commit.words()),
            (3, 6, Ok([]))
        );
        assert!(commit.words::<1>().is_err());
        for end in 0..rest.len() {
            assert_eq!(first(&rest[..end]), Ok(None));
        }
    }

    /// Lengths and texts that lie give errors and no panic.
    #[test]
    fn any_bytes_can_be_read() {
        let mut random = isotherm_lanes::Random::new(18);
        for _ in 0..20_000 {
            let mut bytes = [0; 40];
            bytes.fill_with(|| random.next_u32() as u8);
            let size = [4, 8, 12, 24, 40, 41][random.next_u32() as usize % 6];
            bytes[6..8].copy_from_slice(&u16::to_ne_bytes(size));
            bytes[12] %= 40;
            bytes[13..16].fill(if random.one_in(8) { 0xff } else { 0 });
            let bytes = &bytes[..random.next_u32() as usize % 41];
            if let Ok(Some(message)) = first(bytes) {
                let _ = message.name_text_words::<2>();
                let _ = message.words::<3>();
            }
        }
    }
}
