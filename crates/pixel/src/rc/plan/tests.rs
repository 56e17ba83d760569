//! The plan against the combiners as they are written in the words.

mod explained;

use super::build::{Expr, Id};
use super::*;
use crate::frag::{I, channels};
use crate::rc::Bundles;
use crate::rc::reg;
use crate::rc::{CLEAR, Registers};
use isotherm_bus::unit::Takes;
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;

struct Random(u32);

impl Random {
    fn next(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1664525).wrapping_add(1013904223);
        ((u64::from(self.0 >> 4) * u64::from(n)) >> 28) as u32
    }

    fn word(&mut self) -> u32 {
        self.next(1 << 16) << 16 | self.next(1 << 16)
    }

    /// An input byte: mostly what programs use, else anything.
    fn input(&mut self) -> u32 {
        const COMMON: [u32; 12] = [
            0x00, 0x20, 0x04, 0x14, 0x08, 0x18, 0x09, 0x0c, 0x1c, 0x01, 0x0d, 0x03,
        ];
        if self.next(3) == 0 {
            self.next(256)
        } else {
            COMMON[self.next(12) as usize]
        }
    }

    fn inputs(&mut self) -> u32 {
        (0..4).fold(0, |w, _| w << 8 | self.input())
    }

    /// Colour factors; 0 and 1 are what folds.
    fn color(&mut self) -> u32 {
        match self.next(4) {
            0 => 0,
            1 => !0,
            _ => self.word(),
        }
    }
}

fn words(r: &mut Random) -> Bundles {
    let mut w = Bundles::default();
    w.take(b::RC_CONFIG, 0, r.next(9) | r.word() & !0xf);
    for i in 0..8 {
        w.take(b::RC_IN_COLOR, i, r.inputs());
        w.take(b::RC_IN_ALPHA, i, r.inputs());
        // Registers 12 and 13 more often than chance has it.
        let out = |r: &mut Random| match r.next(3) {
            0 => r.word(),
            1 => 0xc0,
            _ => 0xc00 | r.word() & 0x3_f000,
        };
        w.take(b::RC_OUT_COLOR, i, out(r));
        w.take(b::RC_OUT_ALPHA, i, out(r));
        w.take(b::RC_FACTOR_A, i, r.color());
        w.take(b::RC_FACTOR_B, i, r.color());
    }
    w.take(b::RC_FINAL_FACTOR, 0, r.color());
    w.take(b::RC_FINAL_FACTOR, 1, r.color());
    w.take(b::FOG_COLOR, 0, r.color());
    let byte = |r: &mut Random| {
        if r.next(2) == 0 {
            r.next(16) | r.next(4) << 4
        } else {
            r.input() & 0x3f
        }
    };
    let inputs = |r: &mut Random| (0..4).fold(0, |w, _| w << 8 | byte(r));
    w.take(b::RC_FINAL_A, 0, inputs(r));
    w.take(b::RC_FINAL_B, 0, inputs(r) & !0xff | r.next(256));
    w
}

/// Registers that agree with what is known, and the sources of a plan.
fn block(r: &mut Random, known: &KnownInputs) -> (Registers, Box<[I; slot::FREE]>) {
    let mut regs = CLEAR;
    // What no plan may read is not 0.
    let mut slots = Box::new([[77; LANES]; slot::FREE]);
    let mut fill = |to: usize, at: usize, texture: TextureRange| {
        for c in 0..4 {
            for lane in 0..LANES {
                let v = match (texture, r.next(8)) {
                    (TextureRange::Opaque, _) => [0, 0, 0, 255][c],
                    (_, 0) => 0,
                    (_, 1) => 255,
                    (TextureRange::Unsigned, _) => r.next(256) as i32,
                    (TextureRange::Signed, _) => r.next(511) as i32 - 255,
                };
                regs[to][c][lane] = v;
                if texture != TextureRange::Opaque {
                    slots[at + c][lane] = v;
                }
            }
        }
    };
    let specular = if known.specular {
        TextureRange::Unsigned
    } else {
        TextureRange::Opaque
    };
    fill(reg::COL0, slot::COL0, TextureRange::Unsigned);
    fill(reg::COL1, slot::COL1, specular);
    for i in 0..4 {
        fill(reg::TEX0 + i, slot::TEX0 + 4 * i, known.textures[i]);
    }
    for lane in 0..LANES {
        let v = match r.next(8) {
            0 => 0,
            1 => 255,
            _ => r.next(256) as i32,
        };
        regs[reg::FOG][3][lane] = if known.fog { v } else { 255 };
        if known.fog {
            slots[slot::FOG][lane] = v;
        }
    }
    (regs, slots)
}

/// The colours that a plan makes of blocks with these sources.
pub(in crate::rc) fn run(plan: &Plan, blocks: &[&[I; slot::FREE]]) -> Vec<[I; 4]> {
    let mut slots = Slots::default();
    let values = slots.values();
    for (pair, blocks) in blocks.chunks(2).enumerate() {
        let (first, last) = (blocks[0], blocks[blocks.len() - 1]);
        for (at, (a, b)) in first.iter().zip(last).enumerate() {
            values[at].put(pair, a, b);
        }
    }
    plan.run(values, blocks.len());
    let pairs = (0..blocks.len()).map(|i| plan.colors(values, i / 2)[i % 2]);
    pairs.map(|pairs| channels(&pairs)).collect()
}

#[test]
fn a_plan_gives_the_combiners_bits() {
    let mut r = Random(7);
    let mut planned = 0;
    for round in 0..6000 {
        let rc = Combiners::prepare(Chip::Nv2a, &words(&mut r));
        let texture = |r: &mut Random| {
            [
                TextureRange::Opaque,
                TextureRange::Unsigned,
                TextureRange::Signed,
            ][r.next(3) as usize]
        };
        let known = KnownInputs {
            textures: std::array::from_fn(|_| texture(&mut r)),
            specular: r.next(2) == 0,
            fog: r.next(2) == 0,
        };
        let Some(plan) = Plan::new(&rc, &known) else {
            continue;
        };
        planned += 1;
        // Several blocks at once: none may see another.
        let count = 1 + round % BLOCKS;
        let mut blocks: Vec<_> = (0..count).map(|_| block(&mut r, &known)).collect();
        let want: Vec<_> = blocks.iter_mut().map(|(regs, _)| rc.run(regs)).collect();
        let sources: Vec<_> = blocks.iter().map(|(_, slots)| &**slots).collect();
        let got = run(&plan, &sources);
        assert_eq!(got, want, "round {round}: {rc:?}\n{known:?}\n{plan:?}");
    }
    assert!(planned > 5000, "only {planned} states have a plan");
}

/// What most games do: products of colours and textures, and their sums.
#[test]
fn sums_of_products_give_the_combiners_bits() {
    let mut r = Random(17);
    let mut joined = 0;
    for round in 0..1000 {
        let mut words = Bundles::default();
        words.take(b::RC_CONFIG, 0, 2);
        let input = |r: &mut Random| {
            let register = [4, 5, 8, 9, 10, 11, 1, 2][r.next(8) as usize];
            register | [0, 0, 0x10, 0x20][r.next(4) as usize]
        };
        for stage in 0..2 {
            let all = |r: &mut Random| (0..4).fold(0, |w, _| w << 8 | input(r));
            words.take(b::RC_IN_COLOR, stage, all(&mut r));
            words.take(b::RC_IN_ALPHA, stage, all(&mut r));
            // The sum goes to a register that is read behind, as it is or shifted.
            let operation = [0, 0, 0x8000, 0x1_0000][r.next(4) as usize];
            let to = 0xc00 - 0x100 * stage as u32 * 3;
            words.take(b::RC_OUT_COLOR, stage, to | operation);
            words.take(b::RC_OUT_ALPHA, stage, to | operation);
            words.take(b::RC_FACTOR_A, stage, r.word());
            words.take(b::RC_FACTOR_B, stage, r.word());
        }
        // The first sum mixes the second one and a texture.
        words.take(b::RC_FINAL_A, 0, 0x0c09_0800);
        words.take(b::RC_FINAL_B, 0, 0x0000_1900);
        let rc = Combiners::prepare(Chip::Nv2a, &words);
        let known = KnownInputs {
            textures: [TextureRange::Unsigned; 4],
            specular: true,
            fog: false,
        };
        let plan = Plan::new(&rc, &known).expect("small");
        let is_joined = |step: &Step| matches!(step.kind, Kind::Products { .. });
        joined += u32::from(plan.steps.iter().any(is_joined));
        let mut blocks: Vec<_> = (0..3).map(|_| block(&mut r, &known)).collect();
        let want: Vec<_> = blocks.iter_mut().map(|(regs, _)| rc.run(regs)).collect();
        let sources: Vec<_> = blocks.iter().map(|(_, slots)| &**slots).collect();
        assert_eq!(
            run(&plan, &sources),
            want,
            "round {round}: {rc:?}\n{plan:?}"
        );
    }
    assert!(joined > 500, "{joined}");
}

fn known(texture: TextureRange) -> KnownInputs {
    KnownInputs {
        textures: [
            texture,
            TextureRange::Opaque,
            TextureRange::Opaque,
            TextureRange::Opaque,
        ],
        specular: false,
        fog: false,
    }
}

fn state(in_color: u32, out: u32, in_alpha: u32) -> Combiners {
    let mut w = Bundles::default();
    w.take(b::RC_CONFIG, 0, 1);
    w.take(b::RC_IN_COLOR, 0, in_color);
    w.take(b::RC_OUT_COLOR, 0, out);
    w.take(b::RC_IN_ALPHA, 0, in_alpha);
    w.take(b::RC_OUT_ALPHA, 0, out);
    w.take(b::RC_FINAL_A, 0, 0x0000_000c);
    w.take(b::RC_FINAL_B, 0, 0x0000_1c00);
    Combiners::prepare(Chip::Nv2a, &w)
}

#[test]
fn a_colour_that_passes_through_needs_no_step() {
    let plan = Plan::new(
        &state(0x0420_0000, 0xc0, 0x1420_0000),
        &known(TextureRange::Opaque),
    );
    let plan = plan.expect("small");
    assert_eq!(plan.through(), Some(Passthrough::Diffuse));
    assert!(plan.steps.is_empty() && plan.reads(slot::COL0) && !plan.reads(slot::TEX0));
    // Its alpha instead of its colour is another thing.
    let plan = Plan::new(
        &state(0x1420_0000, 0xc0, 0x1420_0000),
        &known(TextureRange::Opaque),
    );
    assert_eq!(plan.expect("small").through(), None);
}

#[test]
fn a_modulation_is_one_step() {
    let rc = state(0x0408_0000, 0xc0, 0x1418_0000);
    let plan = Plan::new(&rc, &known(TextureRange::Unsigned)).expect("small");
    assert_eq!(plan.steps.len(), 1);
    assert_eq!(
        (plan.steps[0].kind, plan.steps[0].count),
        (Kind::TimesBytes, 4)
    );
    assert_eq!(plan.through(), None);
    // Without a texture (black, alpha 1) nothing of the colour but its alpha is left.
    let plan = Plan::new(&rc, &known(TextureRange::Opaque)).expect("small");
    assert_eq!(plan.out[3], slot::COL0 as u8 + 3);
    assert_eq!(
        plan.steps,
        [Step {
            kind: Kind::Fill,
            ..plan.steps[0]
        }]
    );
}

/// The plan drops a clamp where the range of a value makes it idle: no value may leave
/// its range.
#[test]
fn values_stay_in_their_ranges() {
    let mut r = Random(11);
    for round in 0..400 {
        let w = words(&mut r);
        let known = KnownInputs {
            textures: [0; 4].map(|_| {
                [
                    TextureRange::Opaque,
                    TextureRange::Unsigned,
                    TextureRange::Signed,
                ][r.next(3) as usize]
            }),
            specular: r.next(2) == 0,
            fog: r.next(2) == 0,
        };
        let rc = Combiners::prepare(Chip::Nv2a, &w);
        let (b, _) = Builder::new(&rc, &known);
        let (_, slots) = block(&mut r, &known);
        for lane in 0..LANES {
            let mut values: Vec<i32> = Vec::new();
            for node in &b.nodes {
                let v = |id: Id| values[id as usize];
                let value = match node.expr {
                    Expr::Const(v) => v,
                    Expr::Source(s) => slots[s as usize][lane],
                    Expr::Linear {
                        x,
                        mul,
                        add,
                        low,
                        high,
                    } => (v(x) * mul + add).clamp(low, high),
                    Expr::Half(x) => (v(x) + 1) >> 1,
                    Expr::Dot(pairs) => {
                        div255_signed(pairs.iter().map(|[x, y]| v(*x) * v(*y)).sum())
                    }
                    Expr::Times(x, y) => div255_signed(v(x) * v(y)),
                    Expr::Add(x, y) => v(x) + v(y),
                    Expr::Pick(x, true) => -i32::from(v(x) >= 128),
                    Expr::Pick(x, false) => -(v(x) & 1),
                    Expr::Select(p, x, y) => [v(x), v(y)][usize::from(v(p) != 0)],
                    Expr::Mix(x, y, z) => div255_signed(v(x) * v(y) + (255 - v(x)) * v(z)),
                };
                let (low, high) = node.range;
                assert!(
                    (low..=high).contains(&value),
                    "round {round}: {value} of {:?} in {low}..={high}",
                    node.expr
                );
                values.push(value);
            }
        }
    }
}

/// Sources of any value that the state allows are within what the plan believes, at
/// both ends.
#[test]
fn sources_have_all_of_their_range() {
    for texture in [TextureRange::Unsigned, TextureRange::Signed] {
        let known = KnownInputs {
            textures: [texture; 4],
            specular: true,
            fog: true,
        };
        let rc = Combiners::prepare(Chip::Nv2a, &Bundles::default());
        let (b, _) = Builder::new(&rc, &known);
        let mut seen = 0;
        for node in &b.nodes {
            if let Expr::Source(s) = node.expr {
                let signed = texture == TextureRange::Signed
                    && (slot::TEX0..slot::FOG).contains(&usize::from(s));
                assert_eq!(node.range, (if signed { -255 } else { 0 }, 255), "{s}");
                seen += 1;
            }
        }
        assert_eq!(seen, 25);
    }
}

/// Constants are folded, what nobody reads is dropped, idle clamps disappear, equal
/// expressions are formed once: a plan that grows gives the same colours with more work.
#[test]
fn plans_are_as_short_as_they_were() {
    let mut r = Random(13);
    let (mut found, mut values) = ([0; 5], 0);
    for round in 0..2000 {
        let rc = Combiners::prepare(Chip::Nv2a, &words(&mut r));
        let known = known([TextureRange::Unsigned, TextureRange::Signed][round % 2]);
        let (b, out) = Builder::new(&rc, &known);
        values += b.nodes.len();
        let Some(plan) = b.emit(out) else {
            continue;
        };
        let parts: usize = plan.steps.iter().map(|step| usize::from(step.count)).sum();
        let here = [
            1,
            plan.steps.len(),
            parts,
            plan.reads.count_ones() as usize,
            usize::from(plan.through().is_some() || plan.modulate().is_some()),
        ];
        for (sum, n) in found.iter_mut().zip(here) {
            *sum += n;
        }
    }
    // Plans, their steps, channels of those, sources that are read, short ways; all expressions.
    assert_eq!((found, values), (PLANS, EXPRESSIONS));
}

/// Pinned; whoever makes them shorter pins anew.
const PLANS: [usize; 5] = [2000, 6906, 11_178, 3127, 4];
const EXPRESSIONS: usize = 92_799;
