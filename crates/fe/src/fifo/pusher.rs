//! Pushbuffer words to methods.
//!
//! ```text
//! 000cccccccccccss sxmmmmmmmmmmmm00   c methods from m on, subchannel s (x = 0)
//! 010cccccccccccss sxmmmmmmmmmmmm00   c words, all to method m
//! 001aaaaaaaaaaaaa aaaaaaaaaaaaaa00   old jump to a
//! aaaaaaaaaaaaaaaa aaaaaaaaaaaaaa01   jump to a (from NV1A on)
//! aaaaaaaaaaaaaaaa aaaaaaaaaaaaaa10   call a (from NV1A on)
//! 0000000000000010 0000000000000000   return
//! ```

use isotherm_bus::method::Method;

/// Methods that the words at hand go to: the rest of a header's, up to where the numbers begin
/// again at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// Subchannel, 0 to 7.
    pub subchannel: u8,
    /// The first word's method.
    pub method: u16,
    /// From one method to the next: 4, or 0.
    pub step: u16,
    /// How many words.
    pub words: usize,
}

/// A header word, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// Data for methods follows.
    Methods {
        /// Subchannel, 0 to 7.
        subchannel: u8,
        /// The first word's method.
        method: u16,
        /// How many words.
        count: u16,
        /// From one method to the next: 4, or 0.
        step: u16,
    },
    /// Go on at this address.
    Jump(u32),
    /// The same, and come back.
    Call(u32),
    /// Come back.
    Return,
    /// No header.
    Unknown,
}

/// Takes a word apart that stands where a header is expected.
#[inline]
pub fn header(word: u32) -> Header {
    if word & 0xA003_0003 == 0 {
        return Header::Methods {
            subchannel: (word >> 13 & 7) as u8,
            method: (word & 0x1FFC) as u16,
            count: (word >> 18 & 0x7FF) as u16,
            step: if word & 0x4000_0000 == 0 { 4 } else { 0 },
        };
    }
    match word {
        0x0002_0000 => Header::Return,
        _ if word & 3 == 1 => Header::Jump(word & !3),
        _ if word & 3 == 2 => Header::Call(word & !3),
        _ if word & 0xE000_0003 == 0x2000_0000 => Header::Jump(word & 0x1FFF_FFFC),
        _ => Header::Unknown,
    }
}

/// Follows a stream of words as they were fetched. A capture's words have their jumps
/// already followed, so jumps, calls and returns that are met here change nothing.
#[derive(Clone, Debug, Default)]
pub struct Pusher {
    subchannel: u8,
    method: u16,
    step: u16,
    left: u16,
    /// Words that are no header, so far.
    pub bad_headers: u64,
}

impl Pusher {
    /// Runs words through the pusher; each method goes to `sink`.
    #[inline]
    pub fn run(&mut self, words: &[u32], mut sink: impl FnMut(Method)) {
        for &word in words {
            if let Some(method) = self.step(word) {
                sink(method);
            }
        }
    }

    /// One word: a method, or nothing when it was a header.
    #[inline]
    pub fn step(&mut self, word: u32) -> Option<Method> {
        if self.left == 0 {
            self.header(word);
            return None;
        }
        let method = Method {
            subchannel: self.subchannel,
            method: self.method,
            data: word,
        };
        self.left -= 1;
        self.method = (self.method + self.step) & 0x1FFC;
        Some(method)
    }

    /// Where the data at the beginning of `words` goes; `None` if they begin with a header.
    #[inline]
    pub fn ahead(&self, words: &[u32]) -> Option<Ahead> {
        if self.left == 0 || words.is_empty() {
            return None;
        }
        let to_wrap = if self.step == 0 {
            usize::MAX
        } else {
            (0x2000 - usize::from(self.method)) / 4
        };
        Some(Ahead {
            subchannel: self.subchannel,
            method: self.method,
            step: self.step,
            words: words.len().min(self.left.into()).min(to_wrap),
        })
    }

    /// Leaves out what [`Pusher::ahead`] described.
    #[inline]
    pub fn skip(&mut self, ahead: Ahead) {
        // No more words than are left, so they fit.
        let words = ahead.words as u16;
        self.left = self.left.saturating_sub(words);
        self.method = self.method.wrapping_add(self.step.wrapping_mul(words)) & 0x1FFC;
    }

    fn header(&mut self, word: u32) {
        match header(word) {
            Header::Methods {
                subchannel,
                method,
                count,
                step,
            } => {
                (self.subchannel, self.method) = (subchannel, method);
                (self.left, self.step) = (count, step);
            }
            Header::Unknown => self.bad_headers += 1,
            Header::Jump(_) | Header::Call(_) | Header::Return => {}
        }
    }

    /// Subchannel, method, step and words left.
    pub fn save(&self) -> [u32; 4] {
        [
            self.subchannel.into(),
            self.method.into(),
            self.step.into(),
            self.left.into(),
        ]
    }

    /// Puts back what [`Pusher::save`] gave.
    pub fn restore(&mut self, [subchannel, method, step, left]: [u32; 4]) {
        self.subchannel = subchannel as u8 & 7;
        self.method = method as u16 & 0x1FFC;
        self.step = step as u16 & 4;
        self.left = left as u16 & 0x7FF;
    }

    /// Data words that the last header still announces.
    pub fn missing(&self) -> u16 {
        self.left
    }
}

/// Why a walk through pushbuffer memory ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// A jump or call that leads out of the buffer.
    #[error("the word at {at:#x} leads to {to:#x}, outside the pushbuffer")]
    Outside {
        /// Address of the word.
        at: u32,
        /// Where it leads.
        to: u32,
    },
    /// A call within a call, or a return without one: the chip has one return address.
    #[error("nested call or return without a call at {0:#x}")]
    Nesting(u32),
    /// A word that is no header where one was expected.
    #[error("{word:#010x} at {at:#x} is no header")]
    Header {
        /// Address of the word.
        at: u32,
        /// The word.
        word: u32,
    },
    /// More words than [`Walk::budget`] allowed: the jumps run in a circle.
    #[error("still running after {0} words: the jumps run in a circle")]
    Endless(u64),
}

/// Follows jumps, calls and returns through a pushbuffer in memory, from `get` to
/// `put`, and gives the words as the pusher would have fetched them, without the jumps.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    /// The buffer.
    pub words: &'a [u32],
    /// The address of its first word.
    pub base: u32,
    /// Where to begin.
    pub get: u32,
    /// Where to end; the end of the buffer when it is never reached.
    pub put: u32,
    /// Most words to fetch.
    pub budget: u64,
}

impl Walk<'_> {
    /// The words as fetched, headers included, jumps left out.
    pub fn fetch(&self) -> Result<Vec<u32>, WalkError> {
        let end = self
            .base
            .wrapping_add((self.words.len() as u32).wrapping_mul(4));
        let index = |address: u32| (address.wrapping_sub(self.base) / 4) as usize;
        let target = |at: u32, to: u32| {
            let inside = index(to) <= self.words.len() && to >= self.base;
            inside.then_some(to).ok_or(WalkError::Outside { at, to })
        };
        let (mut get, mut back, mut left, mut spent) = (self.get, None, 0, 0u64);
        let mut fetched = Vec::new();
        target(get, get)?;
        while get != self.put && get != end {
            let Some(&word) = self.words.get(index(get)) else {
                break;
            };
            spent += 1;
            if spent > self.budget {
                return Err(WalkError::Endless(self.budget));
            }
            let at = get;
            get = get.wrapping_add(4);
            if left > 0 {
                left -= 1;
                fetched.push(word);
                continue;
            }
            match header(word) {
                Header::Methods { count, .. } => {
                    left = count;
                    fetched.push(word);
                }
                Header::Jump(to) => get = target(at, to)?,
                Header::Call(to) => {
                    if back.replace(get).is_some() {
                        return Err(WalkError::Nesting(at));
                    }
                    get = target(at, to)?;
                }
                Header::Return => get = back.take().ok_or(WalkError::Nesting(at))?,
                Header::Unknown => return Err(WalkError::Header { at, word }),
            }
        }
        Ok(fetched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods(words: &[u32]) -> Vec<(u8, u16, u32)> {
        let mut out = Vec::new();
        Pusher::default().run(words, |m| out.push((m.subchannel, m.method, m.data)));
        out
    }

    #[test]
    fn increasing_and_not() {
        let words = [
            2 << 18 | 3 << 13 | 0x1FFC,
            1,
            2,
            0x4000_0000 | 2 << 18 | 0x1818,
            3,
            4,
        ];
        let expected = [(3, 0x1FFC, 1), (3, 0, 2), (0, 0x1818, 3), (0, 0x1818, 4)];
        assert_eq!(methods(&words), expected);
    }

    #[test]
    fn a_method_may_be_split_over_records() {
        let mut pusher = Pusher::default();
        let mut out = Vec::new();
        pusher.run(&[2 << 18 | 0x300, 1], |m| out.push(m.data));
        assert_eq!(pusher.missing(), 1);
        pusher.run(&[2, 0xFFFF_FFFC], |m| out.push(m.data));
        assert_eq!((out, pusher.bad_headers), (vec![1, 2], 1));
    }

    #[test]
    fn runs_are_what_single_steps_are() {
        let mut words = vec![7 << 18 | 0x1FF4, 1, 2, 3, 4, 5, 6, 7];
        words.extend([0x4000_0000 | 3 << 18 | 5 << 13 | 0x300, 8, 9]);
        let (mut pusher, mut out) = (Pusher::default(), Vec::new());
        let mut rest = words.as_slice();
        while !rest.is_empty() {
            let Some(ahead) = pusher.ahead(rest) else {
                pusher.step(rest[0]);
                rest = &rest[1..];
                continue;
            };
            for (i, data) in rest[..ahead.words].iter().enumerate() {
                let method = ahead.method + ahead.step * i as u16;
                out.push((ahead.subchannel, method, *data));
            }
            pusher.skip(ahead);
            rest = &rest[ahead.words..];
        }
        assert_eq!(out, methods(&words));
        assert_eq!(pusher.missing(), 1);
    }

    fn walk(words: &[u32], put: u32) -> Result<Vec<u32>, WalkError> {
        Walk {
            words,
            base: 0x100,
            get: 0x100,
            put,
            budget: 1000,
        }
        .fetch()
    }

    #[test]
    fn jumps_calls_and_returns_are_followed() {
        let method = 1 << 18 | 0x100;
        let words = [
            0x10C | 2,
            0x2000_0000 | 0x118,
            0,
            method,
            7,
            0x0002_0000,
            method,
            8,
        ];
        assert_eq!(walk(&words, 0x120), Ok(vec![method, 7, method, 8]));
    }

    #[test]
    fn circles_and_wild_jumps_end() {
        assert_eq!(walk(&[0x100 | 1], 0), Err(WalkError::Endless(1000)));
        assert_eq!(
            walk(&[0x900 | 1], 0),
            Err(WalkError::Outside {
                at: 0x100,
                to: 0x900
            })
        );
        assert_eq!(walk(&[0x0002_0000], 0), Err(WalkError::Nesting(0x100)));
        assert_eq!(walk(&[0x100 | 2], 0), Err(WalkError::Nesting(0x100)));
        assert!(matches!(
            walk(&[0xFFFF_FFFC], 0),
            Err(WalkError::Header { .. })
        ));
    }
}
