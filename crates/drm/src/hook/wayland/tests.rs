//! A conversation, and nonsense.

use super::session::{ARGB8888, Action, DISPLAY, DMABUF, NAME, SHM, Session};
use super::wire::{Arg, first, put, put_words};
use isotherm_lanes::Random;
use std::os::fd::AsRawFd;

/// Objects of the program.
const REGISTRY: u32 = 2;
const COMPOSITOR: u32 = 3;
const DRM: u32 = 4;
const SURFACE: u32 = 5;
const FEEDBACK: u32 = 6;
const PARAMS: u32 = 7;
const BUFFER: u32 = 8;

/// What the other side got: objects, numbers and bytes of messages.
fn list(mut bytes: &[u8]) -> Vec<(u32, u16, Vec<u8>)> {
    let mut list = Vec::new();
    while let Some(message) = first(bytes).unwrap() {
        list.push((message.object, message.opcode, message.body.to_vec()));
        bytes = &bytes[message.whole.len()..];
    }
    list
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// The program says something.
fn says(
    session: &mut Session,
    object: u32,
    opcode: u16,
    args: &[Arg<'_>],
) -> (Action, Vec<(u32, u16, Vec<u8>)>) {
    let (mut bytes, mut out) = (Vec::new(), Vec::new());
    put(&mut bytes, object, opcode, args);
    let message = first(&bytes).unwrap().unwrap();
    let action = session.request(message, &mut out).unwrap();
    (action, list(&out))
}

/// The compositor says something.
fn hears(
    session: &mut Session,
    object: u32,
    opcode: u16,
    args: &[Arg<'_>],
) -> Vec<(u32, u16, Vec<u8>)> {
    let (mut bytes, mut out) = (Vec::new(), Vec::new());
    put(&mut bytes, object, opcode, args);
    let message = first(&bytes).unwrap().unwrap();
    let fd = session.event(message, true, &mut out).unwrap();
    let table = list(&out)
        .iter()
        .any(|(id, opcode, _)| (*id, *opcode) == (FEEDBACK, 1));
    assert_eq!(fd.is_some_and(|fd| fd.as_raw_fd() >= 0), table);
    list(&out)
}

/// A connection on which both interfaces are bound, and a surface was made.
fn connected() -> Session {
    let mut session = Session::default();
    let word = Arg::Word;
    says(&mut session, DISPLAY, 1, &[word(REGISTRY)]);
    let global = |session: &mut Session, name, interface| {
        let heard = hears(
            session,
            REGISTRY,
            0,
            &[word(name), Arg::Text(interface), word(4)],
        );
        heard.len()
    };
    assert_eq!(global(&mut session, 1, "wl_compositor"), 1);
    assert_eq!(global(&mut session, 2, "wl_drm"), 0);
    assert_eq!(global(&mut session, 3, DMABUF), 0);
    assert_eq!(global(&mut session, 4, SHM), 2);
    let args = [
        word(1),
        Arg::Text("wl_compositor"),
        word(4),
        word(COMPOSITOR),
    ];
    says(&mut session, REGISTRY, 0, &args);
    let args = [word(NAME), Arg::Text(DMABUF), word(4), word(DRM)];
    let (_, sent) = says(&mut session, REGISTRY, 0, &args);
    let mut bind = Vec::new();
    put(
        &mut bind,
        REGISTRY,
        0,
        &[word(4), Arg::Text(SHM), word(1), word(DRM)],
    );
    assert_eq!(sent, list(&bind));
    for format in [0, 1, 77] {
        assert!(hears(&mut session, DRM, 0, &[word(format)]).is_empty());
    }
    says(&mut session, COMPOSITOR, 0, &[word(SURFACE)]);
    session
}

#[test]
fn feedback_comes_when_its_callback_is_done() {
    let mut session = connected();
    let (action, sent) = says(&mut session, DRM, 2, &[Arg::Word(FEEDBACK)]);
    assert_eq!(action, Action::Wait(FEEDBACK));
    assert_eq!(sent, [(DISPLAY, 0, words(&[FEEDBACK]))]);
    assert!(session.awaits(FEEDBACK));
    let heard = hears(&mut session, FEEDBACK, 0, &[Arg::Word(9)]);
    let opcodes: Vec<u16> = heard.iter().map(|(_, opcode, _)| *opcode).collect();
    assert_eq!(opcodes, [1, 2, 4, 6, 5, 3, 0]);
    // Two formats, each in two layouts.
    assert_eq!(heard[0].2, words(&[64]));
    assert!(!session.awaits(FEEDBACK));
    assert!(hears(&mut session, DISPLAY, 1, &[Arg::Word(FEEDBACK)]).is_empty());
    // The number is the program's until it says otherwise, and then is released once.
    let (_, sent) = says(&mut session, FEEDBACK, 0, &[]);
    assert_eq!(sent, [(DISPLAY, 0, words(&[FEEDBACK]))]);
    assert!(hears(&mut session, FEEDBACK, 0, &[Arg::Word(9)]).is_empty());
    assert_eq!(
        hears(&mut session, DISPLAY, 1, &[Arg::Word(FEEDBACK)]).len(),
        1
    );
    assert!(!session.objects.contains_key(&FEEDBACK));
}

#[test]
fn buffers_become_pools_and_are_shown() {
    let mut session = connected();
    let word = Arg::Word;
    session.came((1, 99));
    let (_, sent) = says(&mut session, DRM, 1, &[word(PARAMS)]);
    assert_eq!(sent, [(DISPLAY, 0, words(&[PARAMS]))]);
    let (_, sent) = says(&mut session, PARAMS, 1, &[0, 0, 256, 0, 0].map(word));
    assert_eq!(sent, [(DRM, 0, words(&[PARAMS, 256]))]);
    let (_, sent) = says(
        &mut session,
        PARAMS,
        3,
        &[BUFFER, 64, 10, ARGB8888, 0].map(word),
    );
    let buffer = words(&[BUFFER, 0, 64, 10, 256, 0]);
    assert_eq!(sent, [(PARAMS, 2, words(&[2560])), (PARAMS, 0, buffer)]);
    let (_, sent) = says(&mut session, PARAMS, 0, &[]);
    assert_eq!(sent, [(PARAMS, 1, vec![])]);
    // The callback's end is hidden, the pool's is not.
    assert!(hears(&mut session, PARAMS, 0, &[word(9)]).is_empty());
    assert!(hears(&mut session, DISPLAY, 1, &[word(PARAMS)]).is_empty());
    assert_eq!(hears(&mut session, DISPLAY, 1, &[word(PARAMS)]).len(), 1);

    says(&mut session, SURFACE, 1, &[BUFFER, 0, 0].map(word));
    let (action, sent) = says(&mut session, SURFACE, 6, &[]);
    assert_eq!(sent, [(SURFACE, 6, vec![])]);
    let Action::Shown(frame) = action else {
        panic!("{action:?}")
    };
    assert_eq!(
        (frame.file, frame.pitch, frame.format),
        ((1, 99), 256, "X8R8G8B8")
    );
    // The same picture is not shown again by other changes of the surface.
    assert_eq!(says(&mut session, SURFACE, 6, &[]).0, Action::None);
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let word = Arg::Word;
    let refused = |requests: &[(u16, &[u32])]| {
        let mut session = connected();
        says(&mut session, DRM, 1, &[word(PARAMS)]);
        requests.iter().find_map(|(opcode, args)| {
            let mut bytes = Vec::new();
            put_words(&mut bytes, PARAMS, *opcode, args);
            let message = first(&bytes).unwrap().unwrap();
            session.request(message, &mut Vec::new()).err()
        })
    };
    let add: (u16, &[u32]) = (1, &[0, 0, 256, 0, 0]);
    let create = |args: [u32; 5]| refused(&[add, (3, &args)]);
    assert_eq!(create([BUFFER, 64, 10, ARGB8888, 0]), None);
    assert!(refused(&[add, add]).unwrap().contains("plane"));
    assert!(
        refused(&[(1, &[0, 0, 256, 0x0300_0000, 1])])
            .unwrap()
            .contains("modifier")
    );
    assert!(
        refused(&[(3, &[BUFFER, 64, 10, ARGB8888, 0])])
            .unwrap()
            .contains("plane")
    );
    assert!(
        create([BUFFER, 64, 10, ARGB8888, 1])
            .unwrap()
            .contains("flags")
    );
    assert!(
        create([BUFFER, 64, u32::MAX, ARGB8888, 0])
            .unwrap()
            .contains("bytes")
    );
    // A buffer by an answer with a number of the compositor's: failed, as the protocol has it.
    let mut session = connected();
    says(&mut session, DRM, 1, &[word(PARAMS)]);
    says(&mut session, PARAMS, 1, &[0, 0, 256, 0, 0].map(word));
    says(&mut session, PARAMS, 2, &[64, 10, ARGB8888, 0].map(word));
    assert!(hears(&mut session, PARAMS, 0, &[word(9)]).is_empty());
    assert_eq!(
        hears(&mut session, PARAMS, 0, &[word(9)]),
        [(PARAMS, 1, vec![])]
    );
    for _ in 0..3 {
        assert!(hears(&mut session, DISPLAY, 1, &[word(PARAMS)]).is_empty());
    }
    says(&mut session, PARAMS, 0, &[]);
    assert!(hears(&mut session, PARAMS, 0, &[word(9)]).is_empty());
    assert_eq!(hears(&mut session, DISPLAY, 1, &[word(PARAMS)]).len(), 1);
}

/// Any messages, from both sides: refused or sent on, never a panic.
#[test]
fn any_message_is_answered() {
    let mut random = Random::new(43);
    for _ in 0..300 {
        let mut session = connected();
        for _ in 0..60 {
            let (mut bytes, mut out) = (Vec::new(), Vec::new());
            let args: Vec<u32> = (0..random.below(7))
                .map(|_| match random.below(4) {
                    0 => random.next_u32(),
                    1 => ARGB8888,
                    _ => random.below(12),
                })
                .collect();
            put_words(&mut bytes, random.below(12), random.below(8) as u16, &args);
            let message = first(&bytes).unwrap().unwrap();
            if random.one_in(2) {
                let _ = session.request(message, &mut out);
            } else {
                let _ = session.event(message, random.one_in(2), &mut out);
            }
            list(&out);
        }
    }
}
