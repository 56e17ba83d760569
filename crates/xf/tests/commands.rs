//! What the unit's commands and bundles load, and what of it a saved state has.

use isotherm_bus::saved::Saved;
use isotherm_lanes::Random;
use isotherm_regs::Chip;
use isotherm_regs::bundle as id;
use isotherm_xf::xf::Xf;

const PROGRAM: u8 = 2;
const PARAMETER: u8 = 4;
const MODE: u8 = 7;
const CONTROL: u8 = 8;
const CONTEXT: u8 = 9;
const LIGHTING: u8 = 10;
const SCALARS: u8 = 11;
/// One of each family.
const CHIPS: [Chip; 4] = [Chip::Nv10, Chip::Nv2a, Chip::Nv34, Chip::Nv40];

fn at(row: u16, component: u16) -> u16 {
    row << 4 | component << 2
}

/// A whole row, a word at a time.
fn load(xf: &mut Xf, command: u8, row: u16, words: [u32; 4]) {
    for (component, word) in (0u16..).zip(words) {
        xf.command(
            command,
            at(row, component),
            1 << (component & 1),
            word,
            word,
        );
    }
}

/// Rows of constants, and instructions: Celsius has no programs.
#[test]
fn rooms_by_family() {
    for (chip, context, program) in [
        (Chip::Nv10, 60, 0),
        (Chip::Nv2a, 192, 136),
        (Chip::Nv34, 412, 280),
        (Chip::Nv40, 544, 544),
    ] {
        let xf = Xf::new(chip);
        let rooms = (xf.state().xfctx.len(), xf.state().xfpr.len());
        assert_eq!(rooms, (context, program), "{chip:?}");
    }
}

/// Each family's mode words have places of their own.
#[test]
fn mode_words_by_family() {
    for (chip, pairs) in [
        (Chip::Nv10, [Some((0, 1)), None, None, None]),
        (Chip::Nv2a, [Some((0, 1)), Some((2, 3)), None, None]),
        (
            Chip::Nv34,
            [Some((7, 6)), Some((0, 1)), Some((2, 3)), Some((4, 5))],
        ),
    ] {
        for (address, places) in (0u16..).step_by(8).zip(pairs) {
            let mut xf = Xf::new(chip);
            xf.command(MODE, address, 3, 0x1111, 0x2222);
            let mut want = [0; 8];
            if let Some((first, second)) = places {
                (want[first], want[second]) = (0x1111, 0x2222);
            }
            // Of Rankine's first pair only the second word is one.
            want[7] = 0;
            assert_eq!(xf.state().mode, want, "{chip:?} {address:x}");
        }
    }
}

/// A pair of words begins at an even component; which of the two count is said beside them.
#[test]
fn words_are_staged_where_they_belong() {
    for component in 0..4usize {
        let even = component & !1;
        for (which, want) in [
            (0, vec![]),
            (1, vec![(component, 0xa)]),
            (2, vec![(even + 1, 0xb)]),
            (3, vec![(even, 0xa), (even + 1, 0xb)]),
            (4, vec![]),
        ] {
            let mut xf = Xf::new(Chip::Nv2a);
            xf.command(PARAMETER, at(0, component as u16), which, 0xa, 0xb);
            let mut staged = [0; 4];
            want.iter().for_each(|&(place, word)| staged[place] = word);
            assert_eq!(xf.staged(), staged, "{component} {which}");
        }
    }
}

/// A context row is loaded by its last word, a lighting row by its third or fourth, an
/// instruction by every word.
#[test]
fn rows_are_loaded_by_their_last_words() {
    let one = 1.0f32.to_bits();
    for component in 0..4u16 {
        let mut xf = Xf::new(Chip::Nv2a);
        for command in [CONTEXT, LIGHTING, PROGRAM] {
            xf.command(command, at(5, component), 1 << (component & 1), one, one);
        }
        let state = xf.state();
        let all = [
            state.xfctx[5][usize::from(component)],
            state.ltctx[5][usize::from(component).min(2)],
            state.xfpr[5][usize::from(component)],
        ];
        let (context, lighting) = (component == 3, component == 2);
        assert_eq!(all.map(|word| word == one), [context, lighting, true]);
    }
    // The fourth word of a lighting row is none of its own, and loads what was staged.
    let mut xf = Xf::new(Chip::Nv2a);
    load(&mut xf, PARAMETER, 0, [one; 4]);
    xf.command(LIGHTING, at(5, 3), 2, 0, 0);
    assert_eq!(xf.state().ltctx[5], [one; 3]);
}

/// Lighting has 22 bits; only Rankine's copy of the viewport has all of them.
#[test]
fn lighting_rows_are_rounded() {
    let (word, rounded) = (0x3f80_0201, 0x3f80_0400);
    for chip in [Chip::Nv10, Chip::Nv2a, Chip::Nv34] {
        for row in 0x34..0x3a {
            let mut xf = Xf::new(chip);
            load(&mut xf, LIGHTING, row, [word; 4]);
            let whole = chip == Chip::Nv34 && (row == 0x36 || row == 0x37);
            let want = if whole { word } else { rounded };
            assert_eq!(
                xf.state().ltctx[usize::from(row)],
                [want; 3],
                "{chip:?} {row:x}"
            );
        }
    }
}

/// Four banks of scalars, a word each.
#[test]
fn scalars_have_banks() {
    let two = 2.0f32.to_bits();
    for bank in 0..4u8 {
        let mut xf = Xf::new(Chip::Nv2a);
        xf.command(SCALARS + bank, at(31, 0), 1, two, 0);
        xf.command(SCALARS + bank, at(32, 0), 1, two, 0);
        let found: Vec<_> = xf.state().ltc.iter().map(|bank| bank[31] == two).collect();
        let want: Vec<_> = (0..4).map(|other| other == bank).collect();
        assert_eq!((found, xf.staged()), (want, [two, 0, 0, 0]));
    }
}

/// Branch addresses have nine bits, two to a word; the time-out has sixteen.
#[test]
fn control_words_come_back() {
    let mut xf = Xf::new(Chip::Nv34);
    assert_eq!(xf.program_control(), [[0; 4], [0; 4], [0xffff, 0, 0, 0]]);
    let rows = [
        [0x0102_0103, 0x0104_0105, 0x0106_0107, 0x0108_0109],
        [0x000a_000b, 0x000c_000d, 0x000e_000f, 0x0010_0011],
    ];
    load(&mut xf, CONTROL, 0, rows[0].map(|word| word | 0xfe00_fe00));
    load(&mut xf, CONTROL, 1, rows[1]);
    load(&mut xf, CONTROL, 2, [0x0007_1234, 5, 6, 7]);
    load(&mut xf, CONTROL, 3, [0xff; 4]);
    // The time-out is the row's first word, whichever of them arrives.
    assert_eq!(xf.program_control(), [rows[0], rows[1], [0x1234, 0, 0, 0]]);
}

/// The viewport of Curie arrives twice, and the second time it is no constant.
#[test]
fn curies_viewport_leaves_the_context_alone() {
    for (lighting, row, scale) in [(0x37, 0x76, true), (0x36, 0x77, false)] {
        for component in 0..4u16 {
            let which = 1 << (component & 1);
            let mut xf = Xf::new(Chip::Nv40);
            xf.command(LIGHTING, at(lighting, component), which, 7, 9);
            let viewport = xf.state().curie.viewport;
            let words = if scale {
                viewport.scale
            } else {
                viewport.translate
            };
            let want = if which == 2 { 9 } else { 7 };
            assert_eq!(words[usize::from(component)], want);
            let loaded = words.iter().filter(|word| **word == want).count();
            assert_eq!(loaded, 1, "{words:?}");
            xf.command(CONTEXT, at(row, component), which, 7, 9);
            assert_eq!(xf.staged(), [0; 4], "it does not even get so far");
            // The next one is the user's own.
            xf.command(CONTEXT, at(row, component), which, 7, 9);
            assert_eq!(xf.staged()[usize::from(component)], want);
        }
    }
}

/// Only the second half of the pair is left out: the same row and component, as a constant, at
/// once.
#[test]
fn what_only_looks_like_curies_viewport_is_taken() {
    let after = |command: u8, row: u16, component: u16| {
        let mut xf = Xf::new(Chip::Nv40);
        xf.command(LIGHTING, at(0x37, 0), 1, 7, 9);
        xf.command(command, at(row, component), 1, 3, 3);
        xf.staged()[usize::from(component)] == 3
    };
    assert!(!after(CONTEXT, 0x76, 0));
    assert!(after(CONTEXT, 0x77, 0));
    assert!(after(CONTEXT, 0x76, 2));
    assert!(after(PROGRAM, 0x76, 0));
    let mut xf = Xf::new(Chip::Nv40);
    xf.command(LIGHTING, at(0x37, 0), 1, 7, 9);
    xf.command(PROGRAM, at(0, 2), 1, 3, 3);
    xf.command(CONTEXT, at(0x76, 0), 1, 4, 4);
    assert_eq!(xf.staged(), [4, 0, 3, 0]);
    // Before Curie the pair is two rows.
    let mut xf = Xf::new(Chip::Nv34);
    load(&mut xf, LIGHTING, 0x37, [7; 4]);
    load(&mut xf, CONTEXT, 0x76, [8; 4]);
    assert_eq!(
        (xf.state().ltctx[0x37], xf.state().xfctx[0x76]),
        ([7; 3], [8; 4])
    );
}

fn words_of(xf: &mut Xf) -> Vec<u32> {
    let mut saved = Saved::save();
    xf.saved(&mut saved);
    saved.finish().expect("written, not read")
}

fn loaded(chip: Chip, words: Vec<u32>) -> Xf {
    let mut xf = Xf::new(chip);
    let mut saved = Saved::load(words);
    xf.saved(&mut saved);
    saved.finish().expect("as many words as it wants");
    xf
}

/// Whatever the registers hold comes back, each to its own place.
#[test]
fn states_come_back() {
    for chip in CHIPS {
        let mut r = Random::new(3);
        let mut xf = Xf::new(chip);
        let state = xf.state_mut();
        // LT's numbers have 22 bits.
        let lt = state.ltctx.as_flattened_mut().iter_mut();
        lt.chain(state.ltc.as_flattened_mut())
            .for_each(|word| *word = r.next_u32() & !0x3ff);
        let all = (state.mode.iter_mut())
            .chain(state.xfctx.as_flattened_mut())
            .chain(state.xfpr.as_flattened_mut())
            .chain(&mut state.curie.viewport.scale)
            .chain(&mut state.curie.viewport.translate);
        all.for_each(|word| *word = r.next_u32());
        let mut any = || std::array::from_fn(|_| r.next_u32());
        load(&mut xf, PARAMETER, 0, any());
        (0..3).for_each(|row| load(&mut xf, CONTROL, row, any()));
        let back = loaded(chip, words_of(&mut xf));
        assert_eq!(format!("{:?}", back.state()), format!("{:?}", xf.state()));
        assert_eq!(back.program_control(), xf.program_control());
        assert_eq!(back.staged(), xf.staged());
    }
}

/// A saved word that is too large for its place is cut, as the command that loads it cuts it.
#[test]
fn saved_control_words_are_cut() {
    let mut words = words_of(&mut Xf::new(Chip::Nv34));
    let end = words.len();
    words[end - 17..].fill(u32::MAX);
    let row = [0x01ff_01ff; 4];
    let control = loaded(Chip::Nv34, words).program_control();
    assert_eq!(control, [row, row, [0xffff, 0, 0, 0]]);
}

/// So is one of LT, but for Rankine's viewport.
#[test]
fn saved_words_of_lt_are_cut() {
    for (chip, viewport) in [(Chip::Nv2a, [0x400; 3]), (Chip::Nv34, [0x7ff; 3])] {
        let mut xf = Xf::new(chip);
        let state = xf.state_mut();
        state.ltctx.as_flattened_mut().fill(0x7ff);
        state.ltc.as_flattened_mut().fill(0x7ff);
        let back = loaded(chip, words_of(&mut xf));
        let state = back.state();
        assert_eq!(
            (state.ltctx[0x35], state.ltctx[0x36]),
            ([0x400; 3], viewport)
        );
        assert!(state.ltc.iter().flatten().all(|word| *word == 0x400));
    }
}

/// Between the two halves of Curie's viewport, too.
#[test]
fn states_come_back_in_the_middle_of_a_pair() {
    for (lighting, row) in [(0x37, 0x76), (0x36, 0x77)] {
        for component in 0..4u16 {
            let which = 1 << (component & 1);
            let mut xf = Xf::new(Chip::Nv40);
            xf.command(LIGHTING, at(lighting, component), which, 7, 7);
            let mut back = loaded(Chip::Nv40, words_of(&mut xf));
            back.command(CONTEXT, at(row, component), which, 7, 7);
            assert_eq!(back.staged(), [0; 4], "{row:x} {component}");
            let mut back = loaded(Chip::Nv40, words_of(&mut xf));
            back.command(CONTEXT, at(row, component ^ 1), 3 - which, 7, 7);
            assert_ne!(back.staged(), [0; 4], "{row:x} {component}");
        }
    }
    let mut back = loaded(Chip::Nv40, words_of(&mut Xf::new(Chip::Nv40)));
    back.command(CONTEXT, at(0x76, 0), 1, 7, 7);
    assert_eq!(back.staged(), [7, 0, 0, 0]);
}

/// A mode that comes as a command, as a bundle, or with a saved state counts from then on.
#[test]
fn modes_count_at_once() {
    use isotherm_regs::xf::mode::XFMODE_A;
    let on = XFMODE_A::LIGHTING_ENABLE.with(Chip::Nv2a, 0, 1);
    let mut xf = Xf::new(Chip::Nv2a);
    assert!(!xf.mode().lighting);
    xf.command(MODE, 0, 3, 0, on);
    assert!(xf.mode().lighting);
    let words = words_of(&mut xf);
    assert!(loaded(Chip::Nv2a, words).mode().lighting);
    let mut curie = Xf::new(Chip::Nv40);
    assert!(!curie.mode().specular_enable);
    let word = id::CONFIG_B::SPECULAR_ENABLE.with(Chip::Nv40, 0, 1);
    curie.bundle(id::CONFIG_B, 0, word);
    assert!(curie.mode().specular_enable);
    assert_eq!(curie.bundles().CONFIG_B, word);
}
