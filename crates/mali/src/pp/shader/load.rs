//! Slots that load and store: varyings, textures, uniforms, temporaries, the tile.

use super::build::{Builder, Context, NO_OP};
use super::{Const, Lookup, PixelCode, PixelOp, Src, row};
use crate::pp::setup::Attr;
use isotherm_regs::mali::isa_pp::{sampler, temp_write, uniform, varying};

impl Builder {
    pub(super) fn varying(&mut self, cx: &Context, raw: u128) {
        use varying::*;
        let (kind, persp) = (SOURCE_TYPE.get(raw), PERSPECTIVE.get(raw));
        // First the four components, unrounded, where the sampler finds them.
        for c in 0..4u32 {
            let op = self.coordinate(cx, raw, c);
            self.push(PixelOp {
                dst: row::COORD + c as u8,
                ..op
            });
        }
        if kind < 2 && persp >= 2 {
            self.push(PixelOp {
                a: Src::row(row::COORD + persp as u8),
                dst: row::TEMPORARY,
                ..NO_OP
            });
            self.coordinates_by(PixelCode::Div, 4);
        }
        if kind == 2 && persp == 2 || kind == 1 && NORMALIZE.on(raw) {
            let xyz = [0, 1, 2, 2].map(|c| Src::row(row::COORD + c));
            self.program.sums.push(xyz);
            self.push(PixelOp {
                code: PixelCode::InvLength,
                dst: row::TEMPORARY,
                n: self.program.sums.len() as i32 - 1,
                ..NO_OP
            });
            self.coordinates_by(PixelCode::Mul, 3);
        }
        if DEST.get(raw) < 12 {
            // The first component written gets x: lima shifts the mask alone when it puts a
            // short vector into the later components of a register.
            let shift = MASK.get(raw).trailing_zeros().min(3);
            for c in shift..4 {
                if MASK.get(raw) >> c & 1 != 0 {
                    let dst = (DEST.get(raw) * 4 + c) as u8;
                    self.push(PixelOp {
                        a: Src::row(row::COORD + (c - shift) as u8),
                        dst,
                        ..NO_OP
                    });
                }
            }
        }
    }

    /// What component `c` of the slot is: of a register, of the window, of the point, of the
    /// face, or of a varying.
    fn coordinate(&mut self, cx: &Context, raw: u128, c: u32) -> PixelOp {
        use varying::*;
        match (SOURCE_TYPE.get(raw), PERSPECTIVE.get(raw)) {
            (1, _) | (2, 1 | 2) => {
                let from = SWIZZLE.get(raw) >> (2 * c) & 3;
                let a = self.source(cx, SOURCE.get(raw), from);
                PixelOp {
                    a: a.modified(ABSOLUTE.on(raw), NEGATE.on(raw)),
                    ..NO_OP
                }
            }
            (2, 3) => PixelOp {
                code: PixelCode::FragCoord,
                n: c as i32,
                ..NO_OP
            },
            (3, 0) if c > 1 => PixelOp {
                a: self.constant(Const::Value(if c == 3 { 1.0 } else { 0.0 })),
                ..NO_OP
            },
            (3, 0) => PixelOp {
                code: PixelCode::Varying,
                n: self.attr(Attr::Point(c as u8)),
                ..NO_OP
            },
            (3, _) => PixelOp {
                code: PixelCode::FrontFacing,
                ..NO_OP
            },
            _ => self.varying_component(cx, raw, c),
        }
    }

    /// Multiplies or divides the first coordinates by what waits in the temporary row.
    fn coordinates_by(&mut self, code: PixelCode, count: u8) {
        for dst in row::COORD..row::COORD + count {
            self.push(PixelOp {
                code,
                a: Src::row(dst),
                b: Src::row(row::TEMPORARY),
                dst,
                ..NO_OP
            });
        }
    }

    /// A component of a varying as the slot's alignment cuts it.
    fn varying_component(&mut self, cx: &Context, raw: u128, c: u32) -> PixelOp {
        use varying::*;
        let index = INDEX.get(raw);
        let (slot, comp) = match ALIGNMENT.get(raw) {
            0 => (index >> 2, index & 3),
            1 => (index >> 1, (index & 1) * 2 + (c & 1)),
            _ => (index, c),
        };
        if OFFSET_VECTOR.get(raw) != 15 {
            // Which varying is only known when the program runs.
            for slot in 0..12 {
                for comp in 0..4 {
                    self.attr(Attr::Varying(slot, comp));
                }
            }
            let a = self.source(cx, OFFSET_VECTOR.get(raw), OFFSET_SCALAR.get(raw));
            let n = (slot * 4 + comp) as i32;
            return PixelOp {
                code: PixelCode::VaryingAt,
                a,
                n,
                ..NO_OP
            };
        }
        let n = self.attr(Attr::Varying(slot as u8, comp as u8));
        PixelOp {
            code: PixelCode::Varying,
            n,
            ..NO_OP
        }
    }

    pub(super) fn sampler(&mut self, cx: &Context, raw: u128) {
        use sampler::*;
        let sampler_at = OFFSET_EN
            .on(raw)
            .then(|| self.scalar(cx, INDEX_OFFSET.get(raw)));
        let lod = LOD_BIAS_EN
            .on(raw)
            .then(|| self.scalar(cx, LOD_BIAS.get(raw)));
        self.program.lookups.push(Lookup {
            sampler: INDEX.get(raw),
            sampler_at,
            cube: TYPE.get(raw) == CUBE,
            lod,
            explicit: EXPLICIT_LOD.on(raw),
        });
        let n = self.program.lookups.len() as i32 - 1;
        self.push(PixelOp {
            code: PixelCode::Texture,
            dst: row::TEXTURE,
            n,
            ..NO_OP
        });
    }

    pub(super) fn uniform(&mut self, cx: &mut Context, raw: u128) {
        use uniform::*;
        let index = i32::from(INDEX.get(raw) as u16 as i16);
        // Components per unit of the index, and components loaded.
        let unit = match ALIGNMENT.get(raw) {
            0 => 1,
            1 => 2,
            _ => 4,
        };
        let temporary = SOURCE.get(raw) == TEMPORARY;
        if !temporary && !OFFSET_EN.on(raw) {
            cx.uniform = Some(((index * unit).max(0) as u32, unit as u32));
            return;
        }
        let zero = self.constant(Const::Value(0.0));
        let a = if OFFSET_EN.on(raw) {
            self.scalar(cx, OFFSET_REG.get(raw))
        } else {
            zero
        };
        self.program.temps |= temporary;
        let code = if temporary {
            PixelCode::LoadTemp
        } else {
            PixelCode::UniformAt
        };
        for c in 0..4 {
            // The index register counts whole units as well.
            let dst = row::UNIFORM + c as u8;
            let op = if c < unit {
                PixelOp {
                    code,
                    dst,
                    a,
                    n: index * unit + c,
                    scale: unit as f32,
                    ..NO_OP
                }
            } else {
                PixelOp {
                    a: zero,
                    dst,
                    ..NO_OP
                }
            };
            self.push(op);
        }
    }

    pub(super) fn temp_write(&mut self, cx: &Context, raw: u128) {
        use temp_write::*;
        if FB_MARK.get(raw) == 7 {
            self.program.reads_tile = true;
            let code = if FB_SOURCE.on(raw) {
                PixelCode::FbColor
            } else {
                PixelCode::FbDepth
            };
            for c in 0..4 {
                let dst = (FB_DEST.get(raw) * 4 + c) as u8;
                self.push(PixelOp {
                    code,
                    dst,
                    n: c as i32,
                    ..NO_OP
                });
            }
            return;
        }
        self.program.temps = true;
        let index = i32::from(INDEX.get(raw) as u16 as i16);
        let zero = self.constant(Const::Value(0.0));
        let b = if OFFSET_EN.on(raw) {
            self.scalar(cx, OFFSET_REG.get(raw))
        } else {
            zero
        };
        let unit = match ALIGNMENT.get(raw) {
            0 => 1,
            1 => 2,
            _ => 4,
        };
        for c in 0..unit {
            let a = self.scalar(cx, (SOURCE.get(raw) + c as u32).min(63));
            let scale = unit as f32;
            self.push(PixelOp {
                code: PixelCode::StoreTemp,
                a,
                b,
                n: index * unit + c,
                scale,
                ..NO_OP
            });
        }
    }
}
