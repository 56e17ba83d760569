//! The inspector's core behind a few plain functions, for the page's worker.
//!
//! The page asks for room, writes bytes there, calls, and reads the answer's bytes. There is one
//! capture at a time; WebAssembly has one thread, so that what is kept here needs no lock that
//! anybody ever waits for.
//!
//! The names are exported in WebAssembly only: natively `open` would stand in front of the C
//! library's.

use isotherm_inspect::Session;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What lies between two calls.
struct Desk {
    session: Option<Session>,
    /// Bytes that the page wrote; each call takes them away.
    given: Vec<Vec<u8>>,
    answer: Vec<u8>,
}

static DESK: Mutex<Desk> = Mutex::new(Desk {
    session: None,
    given: Vec::new(),
    answer: Vec::new(),
});

fn desk() -> MutexGuard<'static, Desk> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    /// The bytes that begin at an address that [`room`] gave.
    fn take(&mut self, at: *const u8, len: usize) -> Vec<u8> {
        let found = self.given.iter().position(|bytes| bytes.as_ptr() == at);
        let mut bytes = found.map_or(Vec::new(), |index| self.given.swap_remove(index));
        bytes.truncate(len);
        bytes
    }

    /// Keeps an answer; 1 if it is one, 0 if it says what is wrong.
    fn answer(&mut self, answer: Result<Vec<u8>, String>) -> u32 {
        let good = answer.is_ok();
        self.answer = answer.unwrap_or_else(String::into_bytes);
        u32::from(good)
    }
}

/// Room for so many bytes of the page.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    // Not empty: two empty ones would have one address.
    let mut given = vec![0; bytes.max(1)];
    let at = given.as_mut_ptr();
    desk().given.push(given);
    at
}

/// Sets what replays may cost, as `--budget` says it; before the first capture is opened. 1 if
/// the text makes sense.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn budget(text: *const u8, bytes: usize) -> u32 {
    let mut desk = desk();
    let text = desk.take(text, bytes);
    let set = isotherm_inspect::set_budget(&String::from_utf8_lossy(&text));
    desk.answer(set.map(|()| b"{}".to_vec()))
}

/// Opens a capture: name and file lie where [`room`] was made for them. 1 if that went well.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn open(
    name: *const u8,
    name_bytes: usize,
    file: *const u8,
    file_bytes: usize,
) -> u32 {
    report_panics();
    let mut desk = desk();
    let name = desk.take(name, name_bytes);
    let file = desk.take(file, file_bytes);
    let name = String::from_utf8_lossy(&name).into_owned();
    let opened = Session::open(&name, &file).map_err(|error| format!("{name}: {error:#}"));
    let answer = opened.map(|session| {
        desk.session = Some(session);
        b"{}".to_vec()
    });
    desk.answer(answer)
}

/// Asks a question that lies where [`room`] was made for it. 1 if there is an answer.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn ask(question: *const u8, bytes: usize) -> u32 {
    let mut desk = desk();
    let question = desk.take(question, bytes);
    let question = String::from_utf8_lossy(&question).into_owned();
    let answer = match &mut desk.session {
        Some(session) => session
            .ask(&question)
            .map(|answer| answer.into_bytes())
            .map_err(|error| format!("{error:#}")),
        None => Err("no capture is open".into()),
    };
    desk.answer(answer)
}

/// Where the last answer begins.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn answer() -> *const u8 {
    desk().answer.as_ptr()
}

/// How long the last answer is.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn answer_bytes() -> usize {
    desk().answer.len()
}

/// Tells the page what a panic says, before the worker ends.
#[cfg(target_arch = "wasm32")]
fn report_panics() {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        fn panic(text: *const u8, bytes: usize);
    }
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the page only reads the bytes, before this returns.
        unsafe { panic(text.as_ptr(), text.len()) };
    }));
}

#[cfg(not(target_arch = "wasm32"))]
fn report_panics() {}

#[cfg(test)]
mod tests {
    use super::*;

    fn give(bytes: &[u8]) -> *const u8 {
        room(bytes.len());
        let mut desk = desk();
        let given = desk.given.last_mut().unwrap();
        given[..bytes.len()].copy_from_slice(bytes);
        given.as_ptr()
    }

    #[test]
    fn a_broken_file_is_an_answer() {
        assert_eq!(open(give(b"x"), 1, give(b"nonsense"), 8), 0);
        assert!(String::from_utf8_lossy(&desk().answer).contains("GPUCAP01"));
        assert_eq!(ask(give(b"info"), 4), 0);
        assert_eq!(desk().answer, b"no capture is open");
        assert!(desk().given.is_empty());
        // There is one desk: budgets come after.
        assert_eq!(budget(give(b"speed=1"), 7), 0);
        assert!(desk().answer.starts_with(b"budget: expected"));
        assert_eq!(budget(give(b"4"), 1), 1);
    }
}
