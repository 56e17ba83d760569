//! Workloads for `isotherm bench xf`, and for counting instructions.

use super::arith::ONE;
use super::state::word;
use super::{VtxIn, VtxOut, Xf};
use isotherm_regs::Chip;
use isotherm_regs::xf::asm::assemble;
use isotherm_regs::xf::isa::Isa;

/// What to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Position by one matrix; colours pass.
    Transform,
    /// With an infinite light, a normal and one texture set with a matrix.
    Lit,
    /// A Kelvin program: matrix, division, viewport, colour, two texture sets.
    Program,
}

/// The program of [`Case::Program`].
const PROGRAM: &str = "
    DP4 R0.x, v[0], c[0]; DP4 R0.y, v[0], c[1]; DP4 R0.z, v[0], c[2]; DP4 R0.w, v[0], c[3];
    MOV o[COL0], v[3] + RCC R1.x, R0.w;
    MUL R0.xyz, R0, R1.x;
    ADD o[HPOS].xyz, R0, c[59]; MOV o[HPOS].w, R0; MOV o[TEX0], v[9]; MOV o[TEX1], v[10];
    END";

impl Case {
    /// All cases.
    pub const ALL: [Case; 3] = [Case::Transform, Case::Lit, Case::Program];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Case::Transform => "transform",
            Case::Lit => "lit",
            Case::Program => "program",
        }
    }

    /// A unit set up for the case, and `count` vertices.
    pub fn prepare(self, count: usize) -> (Xf, Vec<VtxIn>) {
        let mut xf = Xf::new(Chip::Nv2a);
        let s = xf.state_mut();
        let f = f32::to_bits;
        let matrix = [
            [f(320.0), 0, f(12.0), f(320.0)],
            [0, f(-240.0), f(7.0), f(240.0)],
            [0, 0, f(16_000_000.0), f(-3.0)],
            [0, 0, ONE, f(7.0)],
        ];
        s.xfctx[0x00..0x04].copy_from_slice(&matrix);
        s.xfctx[0x3b] = [f(0.53125), f(0.53125), 0, 0];
        for (i, row) in s.xfctx[0x08..0x0c].iter_mut().enumerate() {
            row[i] = ONE;
        }
        for (i, row) in s.xfctx[0x0c..0x0f].iter_mut().enumerate() {
            row[i] = ONE;
        }
        for (i, row) in s.xfctx[0x44..0x48].iter_mut().enumerate() {
            row[i] = f(0.5);
        }
        if self == Case::Lit {
            s.mode[word::A] = 1;
            s.mode[word::B] = 1 << 31 | 1 << 27;
            s.mode[word::TEX + 1] = 3;
            let colors = [
                [f(0.2); 3],
                [f(0.7); 3],
                [f(0.5); 3],
                [0, 0, ONE],
                [0, f(0.6), f(0.8)],
            ];
            s.ltctx[..5].copy_from_slice(&colors);
            // Shininess about 4.
            (s.ltc[1][1], s.ltc[2][1], s.ltc[3][2]) = (f(-0.421_5), f(-1.706), f(2.284));
        }
        if self == Case::Program {
            // PROGRAM_V1 with all of the context open.
            s.mode[word::A] = 2 << 30 | 1 << 18;
            let program = assemble(PROGRAM, Some(Isa::Kelvin)).map_or(Vec::new(), |p| p.words);
            for (slot, word) in s.xfpr.iter_mut().zip(program) {
                *slot = word.to_upload();
            }
        }
        let vertices = (0..count)
            .map(|i| {
                let t = |n: usize| f((i * n % 1000) as f32 / 500.0 - 1.0);
                let mut attr = [[0, 0, 0, ONE]; 16];
                attr[0] = [t(7), t(11), t(13), ONE];
                attr[2] = [t(3), t(5), ONE, ONE];
                attr[3] = [t(17) & !(1 << 31), ONE, t(19) & !(1 << 31), ONE];
                attr[9] = [t(23), t(29), 0, ONE];
                VtxIn {
                    attr,
                    edge_flag: true,
                }
            })
            .collect();
        (xf, vertices)
    }
}

/// Runs the vertices in batches as the pipeline does, again and again into the same
/// outputs; gives something that depends on every batch.
pub fn run(xf: &mut Xf, vertices: &[VtxIn], out: &mut Vec<VtxOut>) -> u32 {
    const BATCH: usize = 256;
    let mut sum = 0u32;
    out.resize(BATCH, VtxOut::default());
    let Some(unit) = xf.snapshot() else {
        return 0;
    };
    for batch in vertices.chunks(BATCH) {
        unit.run(None, batch, out);
        sum = sum.rotate_left(1) ^ out.last().map_or(0, |v| v.pos[0] ^ v.tex[0][0]);
    }
    sum
}
