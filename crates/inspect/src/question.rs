//! Questions and answers.

use anyhow::Context;
use isotherm::capture::Image;
use serde_json::{Value, json};

/// What is said to a question.
pub enum Answer {
    /// JSON.
    Json(Value),
    /// A JSON head, and words that it describes.
    Words(Value, Vec<u32>),
}

impl Answer {
    /// A picture: its bytes R, G, B, A are the words' bytes, lowest first.
    pub fn picture(image: &Image, mut head: Value) -> Answer {
        head["width"] = image.width.into();
        head["height"] = image.height.into();
        head["channels"] = json!([0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000_u32]);
        let (words, _) = image.rgba.as_chunks::<4>();
        Answer::Words(head, words.iter().map(|w| u32::from_le_bytes(*w)).collect())
    }

    /// Is it JSON alone?
    pub fn is_json(&self) -> bool {
        matches!(self, Answer::Json(_))
    }

    /// As bytes: JSON; or the head's length, the head filled up with spaces to a multiple of
    /// four, and the words, all little-endian.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Answer::Json(value) => value.to_string().into_bytes(),
            Answer::Words(head, words) => {
                let mut head = head.to_string().into_bytes();
                head.resize(head.len().next_multiple_of(4), b' ');
                let mut bytes = Vec::with_capacity(4 + head.len() + 4 * words.len());
                bytes.extend((head.len() as u32).to_le_bytes());
                bytes.extend(head);
                bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
                bytes
            }
        }
    }
}

/// A question taken apart: `what?name=value&name=value`.
pub struct Question<'a> {
    /// What is asked for.
    pub what: &'a str,
    rest: &'a str,
}

impl<'a> Question<'a> {
    /// Takes a question apart.
    pub fn new(text: &'a str) -> Question<'a> {
        let (what, rest) = text.split_once('?').unwrap_or((text, ""));
        Question { what, rest }
    }

    /// The text of a parameter.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        let pairs = self.rest.split('&').filter_map(|pair| pair.split_once('='));
        pairs
            .into_iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// A number; an error if it is none.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> anyhow::Result<T> {
        let text = self.text(name);
        let text = text.with_context(|| format!("{}: {name} is missing", self.what))?;
        let number = text.parse().ok();
        number.with_context(|| format!("{}: {name}={text:?} is no such number", self.what))
    }

    /// A number, or another one where none is given.
    pub fn number_or<T: std::str::FromStr>(&self, name: &str, other: T) -> anyhow::Result<T> {
        match self.text(name) {
            Some(_) => self.number(name),
            None => Ok(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_taken_apart() {
        let question = Question::new("target?event=12&what=color");
        assert_eq!(question.what, "target");
        assert_eq!(question.number::<usize>("event").ok(), Some(12));
        assert_eq!(question.text("what"), Some("color"));
        assert_eq!(question.number_or("before", 0).ok(), Some(0));
        assert!(question.number::<usize>("what").is_err());
        assert!(Question::new("target").number::<usize>("event").is_err());
    }

    #[test]
    fn words_follow_their_head() {
        let bytes = Answer::Words(json!({ "a": 1 }), vec![5, 6]).into_bytes();
        let head = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        assert_eq!(head % 4, 0);
        assert_eq!(bytes.len(), 4 + head + 8);
        let value: Value = serde_json::from_slice(&bytes[4..4 + head]).unwrap();
        assert_eq!(value, json!({ "a": 1 }));
    }
}
