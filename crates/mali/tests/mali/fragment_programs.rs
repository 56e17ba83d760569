//! Shortened programs leave the same bits as whole ones, at every vector level.

use isotherm_lanes::{LANES, Level, Random};
use isotherm_mali::pp::exec::{self, GROUPS, Row, Splat};
use isotherm_mali::pp::setup::Attr;
use isotherm_mali::pp::shader::{
    Const, Lookup, NO_OP, OutMod, PixelCode, PixelOp, Program, Src, Step, row, rows,
};

struct Programs(Random);

impl Programs {
    fn below(&mut self, limit: u32) -> u32 {
        self.0.below(limit)
    }

    fn row(&mut self) -> Row {
        let mut out = [[0.0; LANES]; GROUPS];
        for x in out.as_flattened_mut() {
            *x = self.below(4000) as f32 / 1000.0 - 2.0;
        }
        out
    }

    /// Few rows, so that operations meet.
    fn place(&mut self) -> u8 {
        let rows = [
            0,
            1,
            2,
            3,
            4,
            5,
            row::V0,
            row::S0,
            row::COORD,
            row::COORD + 1,
            row::TEXTURE,
        ];
        rows[self.below(rows.len() as u32) as usize]
    }

    fn source(&mut self) -> Src {
        let at = if self.below(4) == 0 {
            Src::CONST | self.below(3) as u16
        } else {
            u16::from(self.place())
        };
        let (abs, neg) = (self.below(8) == 0, self.below(6) == 0);
        Src { at, ..Src::row(0) }.modified(abs, neg)
    }

    fn program(&mut self) -> Program {
        const CODES: [PixelCode; 22] = [
            PixelCode::Mov,
            PixelCode::Mov,
            PixelCode::Mov,
            PixelCode::Mov,
            PixelCode::Mul,
            PixelCode::Add,
            PixelCode::Not,
            PixelCode::And,
            PixelCode::Xor,
            PixelCode::Gt,
            PixelCode::Min,
            PixelCode::Max,
            PixelCode::Fract,
            PixelCode::Rcp,
            PixelCode::Exp2,
            PixelCode::Log2,
            PixelCode::Sin,
            PixelCode::DFdx,
            PixelCode::Sel,
            PixelCode::Sum,
            PixelCode::Varying,
            PixelCode::Texture,
        ];
        let mut p = Program {
            straight: true,
            consts: vec![Const::Value(0.0), Const::Value(0.5), Const::Uniform(1)],
            attrs: (0..4).map(|c| Attr::Varying(0, c)).collect(),
            ..Program::default()
        };
        for _ in 0..self.below(24) + 1 {
            let code = CODES[self.below(CODES.len() as u32) as usize];
            let n = match code {
                PixelCode::Sum => {
                    p.sums.push([0; 4].map(|_: u8| self.source()));
                    p.sums.len() as i32 - 1
                }
                PixelCode::Texture => {
                    p.lookups.push(Lookup {
                        sampler: 0,
                        sampler_at: None,
                        cube: false,
                        lod: (self.below(2) == 0).then(|| self.source()),
                        explicit: false,
                    });
                    p.lookups.len() as i32 - 1
                }
                _ => self.below(4) as i32,
            };
            p.ops.push(PixelOp {
                code,
                dst: if code == PixelCode::Texture {
                    row::TEXTURE
                } else {
                    self.place()
                },
                outmod: if self.below(4) == 0 {
                    self.below(4).into()
                } else {
                    OutMod::None
                },
                a: self.source(),
                b: self.source(),
                scale: [1.0, 2.0, 0.5][self.below(3) as usize],
                n,
                ..NO_OP
            });
        }
        p.steps = vec![Step {
            ops: (0, p.ops.len() as u32),
            cost: 0,
            branch: None,
            stop: true,
        }];
        p.finish(rows(0, 48), true);
        p
    }
}

#[test]
fn shortened_programs_are_the_same() {
    let mut n = Programs(Random::new(77));
    let mut shorter = 0;
    for round in 0..4000 {
        let program = n.program();
        let color = n.below(2) as usize * 4;
        let short = program.optimised(rows(color, 4), true);
        shorter += program.ops.len() - short.ops.len();
        let rows_in = [n.row(), n.row(), n.row(), n.row(), n.row()];
        let planes: Vec<[f32; 4]> = (0..40)
            .map(|_| [0; 4].map(|_: u8| n.below(900) as f32 / 300.0))
            .collect();
        let consts = [0.0, 0.5, 0.25].map(Splat::new);
        let mixed = n.below(2);
        let quad_planes: [[u32; 4]; GROUPS] =
            std::array::from_fn(|k| std::array::from_fn(|q| (k * 4 + q) as u32 % 9 * 4 * mixed));
        let mut first: Option<Vec<u32>> = None;
        for level in Level::available() {
            for (which, program) in [&program, &short].into_iter().enumerate() {
                // Renumbered attributes want planes in their own order.
                let of = |at: usize| {
                    let attr = program.attrs.get(at % 4).copied();
                    let c = match attr {
                        Some(Attr::Varying(_, c)) => c as usize,
                        _ => 0,
                    };
                    planes[at / 4 * 4 + c]
                };
                let planes: Vec<[f32; 4]> = (0..40).map(of).collect();
                let input = exec::Input {
                    level,
                    groups: GROUPS,
                    weights: &[rows_in[0], rows_in[1]],
                    frag_coord: &[rows_in[2]; 4],
                    facing: &rows_in[2],
                    quad_planes: &quad_planes,
                    one_triangle: mixed == 0,
                    planes: &planes,
                    consts: &consts,
                    uniforms: &[],
                    samplers: &[],
                    stack: (0, 0),
                    flip_derivatives: false,
                    tile: &rows_in,
                };
                let mut state = exec::Registers::default();
                state.budget = 10_000;
                exec::run(program, &input, &mut state).unwrap();
                let bits: Vec<u32> = (color..color + 4)
                    .flat_map(|r| state.row(r).as_flattened().to_vec())
                    .map(|x| if x.is_nan() { 1 } else { x.to_bits() })
                    .collect();
                let want = first.get_or_insert_with(|| bits.clone());
                assert_eq!(&bits, want, "round {round} {level:?} {which} {program:#?}");
            }
        }
    }
    assert!(shorter > 10_000, "{shorter} operations dropped");
}
