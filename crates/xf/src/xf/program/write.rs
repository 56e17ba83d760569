//! Where results go: temporaries, outputs, context rows, address registers.

use super::super::LANES;
use super::alu;
use super::context::Context;
use super::file::{self, File, Slot};
use super::machine::{L, Machine, OUTPUTS, Row};
use isotherm_regs::xf::isa::{Dst, Inst, Isa, Target, ops};

/// Output rows whose meaning is a single number. They take the x of the result,
/// whichever components the write mask names (Fog_coord_vec4: programs that write
/// `.yw` from a source swizzled `ywww` show the source's y). On Curie the other
/// components are user clip distances, so there x must be written.
pub(super) const FOG: u16 = 5;
pub(super) const POINT_SIZE: u16 = 6;

/// Whether an output row is such a number.
pub(super) fn is_number(row: u16) -> bool {
    matches!(row, FOG | POINT_SIZE)
}

/// Lanes of each component that take part; all of them without a condition.
pub(super) type Pass<'p> = Option<&'p Row>;

#[inline(always)]
fn passes_at(pass: Pass, c: usize, lane: usize) -> bool {
    pass.is_none_or(|p| p[c][lane] != 0)
}

#[inline(always)]
fn blend(to: &mut L, from: &L, pass: Pass, c: usize) {
    match pass {
        None => *to = *from,
        Some(pass) => *to = alu::blend(to, from, &pass[c]),
    }
}

/// Writes the masked components in the lanes that pass.
#[inline(always)]
fn put(file: &mut File, to: usize, from: usize, mask: u8, pass: Pass) {
    for c in 0..4 {
        if mask >> (3 - c) & 1 != 0 {
            let from = file[from][c];
            blend(&mut file[to][c], &from, pass, c);
        }
    }
}

/// Writes a unit's result, which lies in the file.
#[inline(always)]
pub(super) fn write(
    m: &mut Machine,
    isa: Isa,
    ctx: &mut Context,
    inst: &Inst,
    dst: Dst,
    result: usize,
    pass: Pass,
) {
    // Numbers beyond the register file write nothing.
    if let Some(reg) = dst.temp.map(usize::from).filter(|&r| r < isa.temps()) {
        put(&mut m.file, file::TEMP + reg, result, dst.mask, pass);
    }
    if dst.out_mask == 0 {
        return;
    }
    match inst.out.target {
        Target::Ctx => write_context(ctx, inst, dst, &m.file[result], pass),
        Target::Output if inst.out.indexed => scatter(m, inst, dst, result, pass),
        Target::Output => {
            let row = usize::from(inst.out.addr);
            if row >= OUTPUTS {
                return;
            }
            put(&mut m.file, file::OUT + row, result, dst.out_mask, pass);
            if row == 0 {
                put(&mut m.file, file::POSITION, result, dst.out_mask, pass);
            }
            if is_number(inst.out.addr) && (isa != Isa::Curie || dst.out_mask & 8 != 0) {
                let x = m.file[result][0];
                let number = &mut m.file[file::NUMBERS][usize::from(inst.out.addr != FOG)];
                blend(number, &x, pass, 0);
            }
        }
    }
}

#[inline(never)]
fn write_context(ctx: &mut Context, inst: &Inst, dst: Dst, result: &Row, pass: Pass) {
    for c in (0..4).filter(|c| dst.out_mask >> (3 - c) & 1 != 0) {
        for lane in 0..LANES {
            if passes_at(pass, c, lane) {
                ctx.write(i64::from(inst.out.addr), c, result[c][lane]);
            }
        }
    }
}

/// An output whose row differs from lane to lane.
#[inline(never)]
fn scatter(m: &mut Machine, inst: &Inst, dst: Dst, result: usize, pass: Pass) {
    let result = m.file[result];
    for lane in 0..LANES {
        let row = i32::from(inst.out.addr).wrapping_add(m.index(inst, lane));
        let Ok(row) = usize::try_from(row) else {
            continue;
        };
        if row >= OUTPUTS {
            continue;
        }
        for c in (0..4).filter(|c| dst.out_mask >> (3 - c) & 1 != 0) {
            if passes_at(pass, c, lane) {
                m.file[file::OUT + row][c][lane] = result[c][lane];
                if c == 0 && is_number(row as u16) {
                    m.file[file::NUMBERS][usize::from(row as u16 != FOG)][lane] = result[0][lane];
                }
            }
        }
    }
}

/// Address registers are narrow signed numbers: 9 bits on Kelvin, 10 later.
/// Values beyond saturate (as `NV_vertex_program2` asks; Kelvin cannot tell, every
/// context row is in reach).
fn address_range(isa: Isa) -> (i32, i32) {
    match isa {
        Isa::Kelvin => (-256, 255),
        Isa::Rankine | Isa::Curie => (-512, 511),
    }
}

/// Writes an address register.
#[inline(never)]
pub(super) fn write_address(m: &mut Machine, isa: Isa, inst: &Inst, src: &[Slot; 4], pass: Pass) {
    let Some(reg) = inst.vec_dst.temp.map(usize::from).filter(|&r| r < 2) else {
        return;
    };
    let (low, high) = address_range(isa);
    let before = m.addr[usize::from(inst.addr_reg & 1)];
    for c in (0..4).filter(|c| inst.vec_dst.mask >> (3 - c) & 1 != 0) {
        for lane in 0..LANES {
            if !passes_at(pass, c, lane) {
                continue;
            }
            let value = match inst.vec {
                ops::vec::ARR => alu::round_to_int(m.file[src[c]][lane]),
                // ARA adds the components in pairs: x + z and y + w.
                ops::vec::ARA => before[c][lane] + before[c ^ 2][lane],
                _ => alu::floor_to_int(m.file[src[c]][lane]),
            };
            m.addr[reg][c][lane] = value.clamp(low, high);
        }
    }
}
