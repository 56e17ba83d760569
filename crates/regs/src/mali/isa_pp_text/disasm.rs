//! Instructions to text.

use super::super::isa_bits::{Bits, Style, half_to_f32};
use super::super::isa_pp::*;
use super::asm::parse_slot;
use super::{CONDITIONS, IDENTITY, OUTMODS, XYZW, announced};
use std::fmt::Write;

/// One line per instruction, `@offset: operations`.
pub fn disasm(program: &[Instr], style: Style) -> String {
    let mut out = String::new();
    for i in 0..program.len() {
        let _ = writeln!(
            out,
            "@{:6}: {}",
            program[i].offset,
            disasm_instr(program, i, style)
        );
    }
    out
}

/// The operations of instruction `i`, separated by commas.
pub fn disasm_instr(program: &[Instr], i: usize, style: Style) -> String {
    let instr = &program[i];
    let (said_ctrl, said_branch) = announced(program, i);
    let mut parts = Vec::new();
    for slot in Slot::ALL {
        let Some(raw) = instr.slot(slot) else {
            continue;
        };
        let mut text = slot_text(slot, raw, instr.offset, style);
        if style == Style::Asm {
            // What the syntax cannot say must not get lost.
            let mut back = parse_slot(&text, instr.offset)
                .map(|(_, raw)| raw)
                .unwrap_or(0);
            if slot == Slot::Branch && back != branch::DISCARD {
                back ^= said_branch;
            }
            if back != raw {
                let _ = write!(text, " ~{:#x}", back ^ raw);
            }
        }
        parts.push(text);
    }
    let c = u128::from(instr.ctrl);
    if ctrl::SYNC.on(c) {
        parts.push("sync".into());
    }
    if ctrl::STOP.on(c) {
        parts.push("stop".into());
    }
    if style == Style::Asm {
        let natural = 1 + instr.slot_bits().div_ceil(32) as usize;
        if instr.len() != natural {
            parts.push(format!("length {}", instr.len()));
        }
        if instr.padding != 0 {
            parts.push(format!("padding {:#x}", instr.padding));
        }
        let behind = u32::MAX << ctrl::NEXT_COUNT.lo;
        if instr.ctrl & behind != said_ctrl {
            parts.push(format!("ctrl ~{:#x}", instr.ctrl & behind ^ said_ctrl));
        }
        if parts.is_empty() {
            parts.push("nop".into());
        }
    }
    parts.join(", ")
}

fn slot_text(slot: Slot, raw: u128, offset: usize, style: Style) -> String {
    match slot {
        Slot::Varying => varying_text(raw),
        Slot::Sampler => sampler_text(raw, style),
        Slot::Uniform => uniform_text(raw),
        Slot::VecMul => vec_text(raw, &MUL_OPS, false),
        Slot::VecAcc => vec_text(raw, &ACC_OPS, true),
        Slot::FloatMul => float_text(raw, &MUL_OPS, false),
        Slot::FloatAcc => float_text(raw, &ACC_OPS, true),
        Slot::Combine => combine_text(raw),
        Slot::TempWrite => temp_write_text(raw),
        Slot::Branch => branch_text(raw, offset),
        Slot::Const0 => const_text(0, raw, style),
        Slot::Const1 => const_text(1, raw, style),
    }
}

fn reg_name(reg: u32) -> String {
    match reg {
        reg::CONST0 => "^const0".into(),
        reg::CONST1 => "^const1".into(),
        reg::TEXTURE => "^texture".into(),
        reg::UNIFORM => "^uniform".into(),
        _ => format!("${reg}"),
    }
}

fn swizzle_name(swizzle: u32) -> String {
    if swizzle == IDENTITY {
        return String::new();
    }
    let mut s = String::from(".");
    s.extend((0..4).map(|i| XYZW[(swizzle >> (2 * i) & 3) as usize]));
    s
}

fn mask_name(mask: u32) -> String {
    if mask == 15 {
        return String::new();
    }
    let mut s = String::from(".");
    s.extend((0..4).filter(|i| mask >> i & 1 != 0).map(|i| XYZW[i]));
    s
}

fn modified(name: String, abs: bool, neg: bool) -> String {
    let name = if abs { format!("abs({name})") } else { name };
    if neg { format!("-{name}") } else { name }
}

fn scalar_name(index: u32) -> String {
    format!("{}.{}", reg_name(index >> 2), XYZW[(index & 3) as usize])
}

fn dest_scalar(index: u32) -> String {
    format!("${}.{}", index >> 2, XYZW[(index & 3) as usize])
}

fn varying_text(raw: u128) -> String {
    use varying::*;
    let (kind, persp) = (SOURCE_TYPE.get(raw), PERSPECTIVE.get(raw));
    let mut s = String::from("load");
    if kind < 2 {
        s += [
            "",
            ".perspective.unknown",
            ".perspective.z",
            ".perspective.w",
        ][persp as usize];
    }
    s += ".v ";
    match DEST.get(raw) {
        reg::DISCARD => s += "^discard",
        d => {
            let _ = write!(s, "${d}");
        }
    }
    s += &mask_name(MASK.get(raw));
    s.push(' ');
    let register = || {
        let name = reg_name(SOURCE.get(raw)) + &swizzle_name(SWIZZLE.get(raw));
        modified(name, ABSOLUTE.on(raw), NEGATE.on(raw))
    };
    s += &match (kind, persp) {
        (0, _) => varying_source(raw),
        (1, _) => register(),
        (2, 0) => format!("cube({})", varying_source(raw)),
        (2, 1) => format!("cube({})", register()),
        (2, 2) => format!("normalize({})", register()),
        (2, _) => "gl_FragCoord".into(),
        (_, 0) => "gl_PointCoord".into(),
        _ => "gl_FrontFacing".into(),
    };
    s
}

fn varying_source(raw: u128) -> String {
    use varying::*;
    let index = INDEX.get(raw);
    let mut s = match ALIGNMENT.get(raw) {
        0 => format!("{}.{}", index >> 2, XYZW[(index & 3) as usize]),
        1 => format!("{}.{}", index >> 1, ["xy", "zw"][(index & 1) as usize]),
        _ => index.to_string(),
    };
    if OFFSET_VECTOR.get(raw) != 15 {
        let reg = OFFSET_VECTOR.get(raw) << 2 | OFFSET_SCALAR.get(raw);
        let _ = write!(s, "+{}", scalar_name(reg));
    }
    s
}

fn sampler_text(raw: u128, style: Style) -> String {
    use sampler::*;
    let mut s = String::from("texld");
    if LOD_BIAS_EN.on(raw) {
        // lima's dump does not tell a level from a bias.
        s += if style == Style::Asm && EXPLICIT_LOD.on(raw) {
            ".l"
        } else {
            ".b"
        };
    }
    match TYPE.get(raw) {
        0 => {}
        CUBE => s += ".cube",
        t => {
            let _ = write!(s, "_t{t}");
        }
    }
    let _ = write!(s, " {}", INDEX.get(raw));
    if OFFSET_EN.on(raw) {
        let _ = write!(s, "+{}", scalar_name(INDEX_OFFSET.get(raw)));
    }
    if LOD_BIAS_EN.on(raw) {
        let _ = write!(s, " {}", scalar_name(LOD_BIAS.get(raw)));
    }
    s
}

fn memory_index(raw: u128, index: Bits, alignment: Bits) -> String {
    let index = i32::from(index.get(raw) as u16 as i16);
    match alignment.get(raw) {
        2 => index.to_string(),
        1 => format!("{}.{}", index / 2, ["xy", "zw"][(index & 1) as usize]),
        _ => format!("{}.{}", index / 4, XYZW[(index & 3) as usize]),
    }
}

fn uniform_text(raw: u128) -> String {
    use uniform::*;
    let mut s = match SOURCE.get(raw) {
        0 => "load.u ".to_string(),
        TEMPORARY => "load.t ".to_string(),
        n => format!("load..u{n} "),
    };
    s += &memory_index(raw, INDEX, ALIGNMENT);
    if OFFSET_EN.on(raw) {
        let _ = write!(s, "+{}", scalar_name(OFFSET_REG.get(raw)));
    }
    s
}

fn op_name(table: &OpTable, op: u32) -> (String, u32) {
    match table[op as usize] {
        ("", _) => (format!("op{op}"), 0),
        (name, srcs) => (name.to_string(), srcs),
    }
}

fn vec_text(raw: u128, table: &OpTable, acc: bool) -> String {
    use vec4::*;
    let op = OP.get(raw);
    let (name, srcs) = op_name(table, op);
    let unit = if acc { ".v1 " } else { ".v0 " };
    let mut s = name + OUTMODS[OUTMOD.get(raw) as usize] + unit;
    if MASK.get(raw) != 0 {
        let _ = write!(s, "${}{} ", DEST.get(raw), mask_name(MASK.get(raw)));
    }
    let first = if acc && MUL_IN.on(raw) {
        "^v0".into()
    } else {
        reg_name(ARG0.get(raw))
    };
    let first = first + &swizzle_name(ARG0_SWIZZLE.get(raw));
    s += &modified(first, ARG0_ABS.on(raw), ARG0_NEG.on(raw));
    if !acc && (1..8).contains(&op) {
        let _ = write!(s, "<<{op}");
    }
    if srcs > 1 {
        let second = reg_name(ARG1.get(raw)) + &swizzle_name(ARG1_SWIZZLE.get(raw));
        s.push(' ');
        s += &modified(second, ARG1_ABS.on(raw), ARG1_NEG.on(raw));
    } else if !acc {
        // lima leaves the gap for a second argument.
        s.push(' ');
    }
    s
}

fn float_text(raw: u128, table: &OpTable, acc: bool) -> String {
    use float::*;
    let op = OP.get(raw);
    let (name, srcs) = op_name(table, op);
    let unit = if acc { ".s1 " } else { ".s0 " };
    let mut s = name + OUTMODS[OUTMOD.get(raw) as usize] + unit;
    if OUTPUT_EN.on(raw) {
        let _ = write!(s, "{} ", dest_scalar(DEST.get(raw)));
    }
    let first = if acc && MUL_IN.on(raw) {
        "^s0".into()
    } else {
        scalar_name(ARG0.get(raw))
    };
    s += &modified(first, ARG0_ABS.on(raw), ARG0_NEG.on(raw));
    if !acc && (1..8).contains(&op) {
        let _ = write!(s, "<<{op}");
    }
    if srcs > 1 {
        s.push(' ');
        s += &modified(
            scalar_name(ARG1.get(raw)),
            ARG1_ABS.on(raw),
            ARG1_NEG.on(raw),
        );
    }
    s
}

fn combine_text(raw: u128) -> String {
    use combine::*;
    let arg0 = modified(
        scalar_name(ARG0.get(raw)),
        ARG0_ABS.on(raw),
        ARG0_NEG.on(raw),
    );
    let vector = reg_name(ARG1_VEC.get(raw)) + &swizzle_name(ARG1_SWIZZLE.get(raw));
    let dest_vec = format!("${}{}", DEST_REG.get(raw), mask_name(MASK.get(raw)));
    let outmod = OUTMODS[OUTMOD.get(raw) as usize];
    match (DEST_VEC.on(raw), SRC_VEC.on(raw)) {
        (true, true) => format!("mul.s2 {dest_vec} {arg0} {vector}"),
        (false, true) => format!(
            "atan_pt2.s2 {outmod}{} {vector}",
            dest_scalar(DEST.get(raw))
        ),
        (to_vec, false) => {
            let (name, srcs) = op_name(&COMBINE_OPS, OP.get(raw));
            let mut s = name;
            if !to_vec {
                s += outmod;
            }
            s += ".s2 ";
            s += &if to_vec {
                dest_vec
            } else {
                dest_scalar(DEST.get(raw))
            };
            s.push(' ');
            s += &arg0;
            if srcs > 1 {
                s.push(' ');
                s += &modified(
                    scalar_name(ARG1.get(raw)),
                    ARG1_ABS.on(raw),
                    ARG1_NEG.on(raw),
                );
            }
            s
        }
    }
}

fn temp_write_text(raw: u128) -> String {
    use temp_write::*;
    if FB_MARK.get(raw) == 7 {
        let what = if FB_SOURCE.on(raw) {
            "fb_color"
        } else {
            "fb_depth"
        };
        return format!("{what} ${}", FB_DEST.get(raw));
    }
    let mut s = format!("store.t {}", memory_index(raw, INDEX, ALIGNMENT));
    if OFFSET_EN.on(raw) {
        let _ = write!(s, "+{}", scalar_name(OFFSET_REG.get(raw)));
    }
    s.push(' ');
    s += &if ALIGNMENT.get(raw) != 0 {
        reg_name(SOURCE.get(raw) >> 2)
    } else {
        scalar_name(SOURCE.get(raw))
    };
    s
}

fn branch_text(raw: u128, offset: usize) -> String {
    use branch::*;
    if raw == DISCARD {
        return "discard".into();
    }
    let cond = LT.get(raw) | EQ.get(raw) << 1 | GT.get(raw) << 2;
    let mut s = String::from("branch");
    if cond != 7 {
        let _ = write!(
            s,
            ".{} {} {}",
            CONDITIONS[cond as usize],
            scalar_name(ARG0.get(raw)),
            scalar_name(ARG1.get(raw))
        );
    }
    let distance = (TARGET.get(raw) << 5) as i32 >> 5;
    let _ = write!(s, " {}", offset as i64 + i64::from(distance));
    s
}

fn const_text(number: u32, raw: u128, style: Style) -> String {
    let mut s = format!("const{number}");
    for i in 0..4 {
        let half = (raw >> (16 * i)) as u16;
        let value = half_to_f32(half);
        let _ = match style {
            Style::Lima if value.is_infinite() => {
                write!(s, " {}", if value < 0.0 { "-inf" } else { "inf" })
            }
            Style::Lima => write!(s, " {value:.6}"),
            // A NaN's payload has no decimal form.
            Style::Asm if value.is_nan() => write!(s, " {half:#06x}"),
            Style::Asm => write!(s, " {value}"),
        };
    }
    s
}
