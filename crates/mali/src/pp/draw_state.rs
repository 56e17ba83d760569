//! Everything that stays the same for a draw, from its render state.

use crate::lists::Draw;
use crate::pp::blend::Blend;
use crate::pp::exec::Splat;
use crate::pp::rsw::{ALWAYS, RenderState, Stencil};
use crate::pp::shader::{Const, Lookup, PixelCode, Program, rows};
use crate::pp::tile::DrawState;
use crate::{Error, Machine};
use isotherm_bus::memory::Memory;
use isotherm_lanes::half::written;
use isotherm_regs::mali::isa_bits::half_to_f32;
use std::sync::Arc;

/// Prepares a draw.
pub(crate) fn prepare(
    m: &mut Machine,
    mem: &Memory,
    draw: &Draw,
    rsw: RenderState,
) -> Result<DrawState, Error> {
    let shader = rsw.shader;
    let handle = m.pp_programs.find(mem, shader);
    let handle = handle.map_err(|what| Error::Program { shader, what })?;
    let whole = Arc::clone(m.pp_programs.whole(handle));
    let mut samplers = Vec::new();
    if !whole.lookups.is_empty() {
        for i in 0..rsw.sampler_count.min(64) {
            let addr = mem.read_u32(rsw.textures.wrapping_add(4 * i as u32));
            let used = |l: &Lookup| l.sampler as usize == i || l.sampler_at.is_some();
            let used = addr != 0 && whole.lookups.iter().any(used);
            samplers.push(if used {
                Some(m.textures.get(mem, addr)?)
            } else {
                None
            });
        }
    }
    let planar = !samplers.iter().flatten().any(|s| s.has_layers());
    // Whoever watches wants to see every instruction.
    let program = match m.watched {
        Some(_) => whole,
        None => m.pp_programs.variant(handle, looked_at(&rsw), planar),
    };
    // The words hold half floats. Who asks what single precision would draw means the numbers
    // that the driver rounded.
    let full_floats = program.full_floats;
    let given = |x: f32| if full_floats { written(x) } else { x };
    let uniforms: Vec<f32> = if rsw.has_uniforms {
        let halves = uniforms(mem, &rsw, &program);
        halves.into_iter().map(given).collect()
    } else {
        Vec::new()
    };
    let consts = program
        .consts
        .iter()
        .map(|c| match *c {
            Const::Value(x) => given(x),
            Const::Uniform(n) => uniforms.get(n as usize).copied().unwrap_or(0.0),
        })
        .map(Splat::new)
        .collect();
    let late = rsw.late_tests(program.discards);
    let (near, far) = DrawState::range(&rsw, draw);
    let uses_frag_coord = program
        .ops
        .iter()
        .any(|o| matches!(o.code, PixelCode::FragCoord | PixelCode::FrontFacing));
    let ramp = if late || rsw.color_mask == 0 || rsw.second_color() {
        None
    } else {
        program.ramp(rsw.color_reg * 4)
    };
    let untested = rsw.depth_func == ALWAYS && !rsw.depth_write;
    let untested = untested && rsw.stencil.iter().all(Stencil::idle);
    Ok(DrawState {
        ramp,
        untested: untested && !late,
        late,
        ordered: late || rsw.reads_color() || program.reads_tile,
        blend: Blend::new(&rsw, [8; 4]),
        near,
        far,
        uses_frag_coord,
        consts,
        uniforms,
        samplers,
        program,
        rsw,
    })
}

/// The rows of registers that a state looks at when its program has ended.
fn looked_at(rsw: &RenderState) -> u128 {
    let mut out = 0;
    if rsw.color_mask != 0 || rsw.late_tests(false) {
        out |= rows(rsw.color_reg * 4, 4);
    }
    if rsw.second_color() {
        out |= rows(rsw.color1_reg * 4, 4);
    }
    if rsw.shader_depth || rsw.shader_depth_stencil || rsw.shader_stencil {
        out |= rows(rsw.frag_depth_reg * 4, 4);
    }
    out
}

/// The half-float uniforms: as many as the size code stands for and the program names.
fn uniforms(mem: &Memory, rsw: &RenderState, program: &Program) -> Vec<f32> {
    let named = program.consts.iter().map(|c| match *c {
        Const::Uniform(n) => n as usize + 1,
        Const::Value(_) => 0,
    });
    // The code is the logarithm of the size in vec4s of halves, rounded up.
    let coded = 4usize << rsw.uniform_size;
    let indexed = program.ops.iter().any(|o| o.code == PixelCode::UniformAt);
    let count = named
        .max()
        .unwrap_or(0)
        .max(if indexed { coded } else { 0 })
        .min(1 << 17);
    let base = mem.read_u32(rsw.uniforms);
    let bytes = mem.bytes(base, count * 2);
    let (halves, _) = bytes.as_chunks::<2>();
    halves
        .iter()
        .map(|h| half_to_f32(u16::from_le_bytes(*h)))
        .collect()
}
