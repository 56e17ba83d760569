//! Vertex programs as a list of operations and instruction by instruction.

use isotherm_lanes::{LANES, Level, Random};
use isotherm_mali::gp::program::{
    NAMES, Program, REGISTERS, Uniforms, VARYINGS, Vertices, run, walk,
};
use isotherm_regs::mali::isa_gp as isa;

/// Random programs both ways, all forms.
#[test]
fn flat_programs_are_the_same() {
    let mut random = Random::new(19);
    let mut next = || random.next_u32();
    let mut flat = 0;
    for _ in 0..600 {
        let count = 4 + next() as usize % 12;
        let mut words: Vec<u32> = (0..count * 4).map(|_| next()).collect();
        if next() % 8 != 0 {
            for instr in words.chunks_exact_mut(4) {
                let raw = instr
                    .iter()
                    .rev()
                    .fold(0u128, |n, w| n << 32 | u128::from(*w));
                let raw = tame(raw);
                for (i, w) in instr.iter_mut().enumerate() {
                    *w = (raw >> (32 * i)) as u32;
                }
            }
        }
        let program = Program::new(&words);
        flat += usize::from(program.is_flat());
        let values = |x: u32| (x % 2001) as f32 / 100.0 - 10.0;
        let uniforms: Vec<[f32; 4]> = (0..300)
            .map(|_| std::array::from_fn(|_| values(next())))
            .collect();
        let uniforms = Uniforms::new(&program, uniforms);
        let attributes: Vec<f32> = (0..NAMES * 64).map(|_| values(next())).collect();
        let fill = |v: &mut Vertices| {
            let to = v.attributes().as_flattened_mut().as_flattened_mut();
            to.copy_from_slice(&attributes);
        };
        let mut want = Vertices::new();
        fill(&mut want);
        if walk(&program, &uniforms.all, &mut want).is_err() {
            continue;
        }
        let bits = |v: &Vertices| -> Vec<u32> {
            let all = v.rows[VARYINGS..REGISTERS].as_flattened().as_flattened();
            let number = |x: &f32| if x.is_nan() { 1 } else { x.to_bits() };
            all.iter().map(number).collect()
        };
        for level in Level::available() {
            let mut v = Vertices::new();
            v.rows[VARYINGS..].fill([[7.0; LANES]; 4]);
            fill(&mut v);
            let mut groups = [v, Vertices::new()];
            fill(&mut groups[1]);
            assert!(run(level, &program, &uniforms, &mut groups).is_ok());
            for v in &groups {
                assert_eq!(bits(v), bits(&want), "{level:?}");
            }
        }
    }
    assert!(flat > 200, "{flat} flat programs");
}

/// Takes branches and indexed memory out of an instruction.
fn tame(mut raw: u128) -> u128 {
    let set = |raw: &mut u128, bits: isotherm_regs::mali::isa_bits::Bits, value: u32| {
        *raw = bits.put(*raw, value);
    };
    set(&mut raw, isa::BRANCH, 0);
    set(&mut raw, isa::STORE0_TEMPORARY, 0);
    set(&mut raw, isa::STORE1_TEMPORARY, 0);
    set(&mut raw, isa::LOAD_OFFSET, 7);
    let complex = isa::COMPLEX_OP.get(raw);
    set(&mut raw, isa::COMPLEX_OP, complex % 6);
    raw
}
