//! What the ROP does to one lane, by the functions that do it to all.

use super::blend::{self, Blend, Equation};
use super::{At, Rop, Tested, compare, dither};
use crate::frag::{F, I, LANES};
use isotherm_bus::observe::name;
use isotherm_bus::observe::{Blended, StencilTest, Test, Write};
use isotherm_regs::bundle as b;

fn test(func: u8, incoming: u32, stored: u32) -> Test {
    Test {
        function: name(b::COMPARE::VALUES, func.into()),
        incoming,
        stored,
        pass: compare(func, &[incoming; LANES], &[stored; LANES]) != 0,
    }
}

impl Rop {
    /// The depth test of a lane whose zeta word was `old`.
    pub(crate) fn explain_depth(&self, old: u32, z: &F, lane: usize) -> Option<Test> {
        let func = self.depth?;
        let shift = if self.zeta.z24 { 8 } else { 0 };
        Some(test(func, self.zeta.convert(z)[lane], old >> shift))
    }

    /// The stencil test of a lane whose zeta word was `old`.
    pub(crate) fn explain_stencil(
        &self,
        old: u32,
        front: bool,
        depth_passes: bool,
        tested: &Tested,
        lane: usize,
    ) -> Option<StencilTest> {
        let stencil = self.stencil[usize::from(!front)].as_ref()?;
        if !self.zeta.z24 {
            return None;
        }
        let mask = stencil.func_mask;
        let test = test(stencil.func, stencil.reference & mask, old & mask & 255);
        let op = match (test.pass, depth_passes) {
            (false, _) => stencil.ops[0],
            (true, false) => stencil.ops[1],
            (true, true) => stencil.ops[2],
        };
        let written = tested.write >> lane & 1 != 0;
        let after = if written { tested.words[lane] } else { old };
        Some(StencilTest {
            test,
            func_mask: mask,
            write_mask: stencil.mask,
            operation: name(b::STENCIL_OP::VALUES, op.into()),
            before: old & 255,
            after: after & 255,
        })
    }

    /// The alpha test.
    pub(crate) fn explain_alpha(&self, alpha: i32) -> Option<Test> {
        let (func, reference) = self.alpha?;
        Some(test(func, alpha as u32, reference))
    }

    /// How the colour of a lane becomes a word over `old`.
    pub(crate) fn explain_write(&self, at: At, lane: usize, old: u32, color: &[I; 4]) -> Write {
        let pick = |c: &[I; 4]| c.map(|c| c[lane]);
        let mut c = *color;
        if self.dither {
            dither(self.format, at, &mut c);
        }
        if self.alpha_to_one {
            c[3] = [255; LANES];
        }
        let mut blended = None;
        let mut source = pick(&c);
        if let Some(blend) = &self.blend {
            blend::narrow(self.format, &mut c);
            source = pick(&c);
            let d = blend::unpack(self.format, &[old; LANES]);
            let (ws, wd) = (
                blend.weights(&blend.src, &c, &d),
                blend.weights(&blend.dst, &c, &d),
            );
            c = blend.run(&c, &d);
            blended = Some(Blended {
                equation: equation(blend.equation[0]),
                alpha_equation: equation(blend.equation[1]),
                source_factor: blend.src.map(factor),
                source_weight: ws.map(|w| pick(&w)),
                destination_factor: blend.dst.map(factor),
                destination_weight: wd.map(|w| pick(&w)),
                destination: pick(&d),
                constant: blend.constant,
                result: pick(&c),
            });
        }
        let packed = blend::pack(self.format, &c)[lane];
        let logic = self.logic.map(|op| {
            let label = name(b::LOGIC_OP::VALUES, op.into());
            (label, blend::logic(op, packed, old))
        });
        let (forced, ones) = self.forced;
        let word = logic.map_or(packed, |(_, word)| word);
        Write {
            format: format!("{:?}", self.format),
            source,
            dithered: self.dither,
            blend: blended,
            packed,
            logic,
            mask: self.bits,
            forced: [forced, ones],
            word: old & !self.bits | (word & !forced | ones) & self.bits,
        }
    }
}

fn factor(code: u8) -> &'static str {
    name(b::BLEND_FACTOR::VALUES, code.into())
}

fn equation(equation: Equation) -> &'static str {
    let code = match equation {
        Equation::Subtract => b::BLEND_EQUATION::SUBTRACT,
        Equation::ReverseSubtract => b::BLEND_EQUATION::REVERSE_SUBTRACT,
        Equation::Add => b::BLEND_EQUATION::ADD,
        Equation::Min => b::BLEND_EQUATION::MIN,
        Equation::Max => b::BLEND_EQUATION::MAX,
        Equation::SignedReverseSubtract => b::BLEND_EQUATION::SIGNED_REVERSE_SUBTRACT,
        Equation::SignedAdd => b::BLEND_EQUATION::SIGNED_ADD,
        Equation::SignedSubtract => b::BLEND_EQUATION::UNKF007,
    };
    name(b::BLEND_EQUATION::VALUES, code)
}

impl Blend {
    /// The factors of all channels; none where the equation ignores them.
    fn weights(&self, codes: &[u8; 2], s: &[I; 4], d: &[I; 4]) -> Option<[I; 4]> {
        let uses = |e: &Equation| {
            matches!(
                e,
                Equation::Add | Equation::Subtract | Equation::ReverseSubtract
            )
        };
        self.equation.iter().any(uses).then(|| {
            std::array::from_fn(|ch| {
                blend::factor(codes[usize::from(ch == 3)], ch, s, d, &self.constant)
            })
        })
    }
}
