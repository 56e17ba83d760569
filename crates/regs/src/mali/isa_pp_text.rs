//! Pixel-processor programs as text and back.

use super::isa_bits::{Bits, IsaError, Style, f32_to_half, half_to_f32};
use super::isa_pp::*;
use std::fmt::Write;

const XYZW: [char; 4] = ['x', 'y', 'z', 'w'];
const IDENTITY: u32 = 0xE4;
const CONDITIONS: [&str; 8] = ["nv", "lt", "eq", "le", "gt", "ne", "ge", ""];
const OUTMODS: [&str; 4] = ["", ".sat", ".pos", ".int"];

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

/// What instruction `i` says of its neighbours when it says the truth: the
/// bits in the control word and in the branch.
fn announced(program: &[Instr], i: usize) -> (u32, u128) {
    let ctrl = program.get(i + 1).map_or(0, |next| {
        ctrl::PREFETCH.put(ctrl::NEXT_COUNT.put(0, next.len() as u32), 1) as u32
    });
    let target = program[i].branch_target();
    let target = program.iter().find(|t| Some(t.offset as i64) == target);
    (
        ctrl,
        branch::NEXT_COUNT.put(0, target.map_or(0, Instr::len) as u32),
    )
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

/// Assembles a program: one instruction per line; `@offset:` in front and
/// `//` comments are ignored.
pub fn asm(text: &str) -> Result<Vec<Instr>, IsaError> {
    let mut program: Vec<Instr> = Vec::new();
    let mut offset = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        let line = match line.strip_prefix('@') {
            Some(rest) => rest.split_once(':').map_or(rest, |(_, ops)| ops).trim(),
            None => line,
        };
        if line.is_empty() {
            continue;
        }
        let instr = asm_line(line, offset).map_err(|what| IsaError {
            at: number + 1,
            what,
        })?;
        offset += instr.len();
        program.push(instr);
    }
    // Each instruction announces the next; a branch announces its target. Put
    // in by exclusive or, so that a `~` of the source still counts.
    for i in 0..program.len() {
        let (said_ctrl, said_branch) = announced(&program, i);
        program[i].ctrl ^= said_ctrl;
        if program[i]
            .slot(Slot::Branch)
            .is_some_and(|raw| raw != branch::DISCARD)
        {
            program[i].slots[Slot::Branch as usize] ^= said_branch;
        }
    }
    Ok(program)
}

fn asm_line(line: &str, offset: usize) -> Result<Instr, String> {
    let mut instr = Instr {
        offset,
        ctrl: 0,
        slots: [0; 12],
        padding: 0,
    };
    let (mut length, mut fields) = (None, 0);
    for part in line.split(',').map(str::trim) {
        match part {
            "nop" => {}
            "sync" => instr.ctrl |= 1 << ctrl::SYNC.lo,
            "stop" => instr.ctrl |= 1 << ctrl::STOP.lo,
            _ => {
                if let Some(n) = part.strip_prefix("length ") {
                    length = Some(number(n)? as u32);
                } else if let Some(n) = part.strip_prefix("padding ") {
                    instr.padding = number(n)?;
                } else if let Some(n) = part.strip_prefix("ctrl ~") {
                    instr.ctrl ^= number(n)? as u32;
                } else {
                    let (slot, raw) = parse_slot(part, offset)?;
                    if fields >> slot as u32 & 1 != 0 {
                        return Err(format!("`{part}`: its slot is already used"));
                    }
                    fields |= 1 << slot as u32;
                    instr.slots[slot as usize] = raw;
                }
            }
        }
    }
    let c = ctrl::FIELDS.put(u128::from(instr.ctrl), fields);
    instr.ctrl = c as u32;
    let natural = 1 + instr.slot_bits().div_ceil(32);
    let length = length.unwrap_or(natural);
    if length < natural || length > 31 {
        return Err(format!(
            "length {length}: the slots take {natural} words, 31 is the most"
        ));
    }
    instr.ctrl = ctrl::COUNT.put(c, length) as u32;
    Ok(instr)
}

fn number(text: &str) -> Result<u128, String> {
    let text = text.trim();
    match text.strip_prefix("0x") {
        Some(hex) => u128::from_str_radix(hex, 16),
        None => text.parse(),
    }
    .map_err(|_| format!("`{text}`: a number was expected"))
}

/// One operation; a branch's length of its target is left at 0, see [`asm`].
fn parse_slot(part: &str, offset: usize) -> Result<(Slot, u128), String> {
    let (part, extra) = match part.split_once('~') {
        Some((text, bits)) => (text.trim(), number(bits)?),
        None => (part, 0),
    };
    let mut words = part.split_whitespace();
    let head = words.next().ok_or("an operation was expected")?;
    let args: Vec<&str> = words.collect();
    let (slot, raw) = parse_op(head, &args, offset).map_err(|e| format!("`{part}`: {e}"))?;
    let all = (1u128 << slot.width()) - 1;
    Ok((slot, (raw ^ extra) & all))
}

fn parse_op(head: &str, args: &[&str], offset: usize) -> Result<(Slot, u128), String> {
    let arg = |i: usize| {
        args.get(i)
            .copied()
            .ok_or_else(|| "too few arguments".to_string())
    };
    let mut parts: Vec<&str> = head.split('.').collect();
    match parts[0] {
        "discard" => return Ok((Slot::Branch, branch::DISCARD)),
        "const0" | "const1" => {
            let slot = if head == "const0" {
                Slot::Const0
            } else {
                Slot::Const1
            };
            let mut raw = 0;
            for i in 0..4 {
                let half = match arg(i)?.strip_prefix("0x") {
                    Some(hex) => u16::from_str_radix(hex, 16).map_err(|e| e.to_string())?,
                    None => f32_to_half(arg(i)?.parse::<f32>().map_err(|e| e.to_string())?),
                };
                raw |= u128::from(half) << (16 * i);
            }
            return Ok((slot, raw));
        }
        "branch" => return parse_branch(parts.get(1).copied(), args, offset),
        "fb_color" | "fb_depth" => {
            let raw = temp_write::FB_SOURCE.put(0, u32::from(parts[0] == "fb_color"));
            let raw = temp_write::FB_MARK.put(raw, 7);
            return Ok((
                Slot::TempWrite,
                temp_write::FB_DEST.put(raw, register(arg(0)?)?),
            ));
        }
        "store" => return parse_store(arg(0)?, arg(1)?),
        "load" if parts.last() == Some(&"v") => {
            parts.pop();
            return parse_varying(&parts[1..], arg(0)?, arg(1)?);
        }
        "load" => return parse_uniform(head, arg(0)?),
        _ if head.starts_with("texld") => return parse_sampler(head, args),
        _ => {}
    }
    let unit = parts.pop().unwrap_or("");
    let outmod = match parts.get(1) {
        None => 0,
        Some(&m) => OUTMODS
            .iter()
            .position(|o| o.strip_prefix('.') == Some(m))
            .ok_or("modifier")?,
    } as u32;
    match unit {
        "v0" => parse_vec(parts[0], outmod, args, &MUL_OPS, false),
        "v1" => parse_vec(parts[0], outmod, args, &ACC_OPS, true),
        "s0" => parse_float(parts[0], outmod, args, &MUL_OPS, false),
        "s1" => parse_float(parts[0], outmod, args, &ACC_OPS, true),
        "s2" => parse_combine(parts[0], outmod, args),
        _ => Err("no such operation".into()),
    }
}

fn register(text: &str) -> Result<u32, String> {
    match text {
        "^const0" => Ok(reg::CONST0),
        "^const1" => Ok(reg::CONST1),
        "^texture" => Ok(reg::TEXTURE),
        "^uniform" => Ok(reg::UNIFORM),
        "^discard" => Ok(reg::DISCARD),
        "^v0" | "^s0" => Ok(0),
        _ => text
            .strip_prefix('$')
            .and_then(|n| n.parse().ok())
            .filter(|&n| n < 16)
            .ok_or_else(|| format!("`{text}` is no register")),
    }
}

fn component(c: char) -> Result<u32, String> {
    XYZW.iter()
        .position(|&x| x == c)
        .map(|i| i as u32)
        .ok_or_else(|| format!("component `{c}`"))
}

/// `-abs(name.swizzle)` → (name, swizzle text, abs, neg).
fn unmodify(text: &str) -> (&str, &str, bool, bool) {
    let (text, neg) = text.strip_prefix('-').map_or((text, false), |t| (t, true));
    let inner = text.strip_prefix("abs(").and_then(|t| t.strip_suffix(')'));
    let (name, swizzle) = inner
        .unwrap_or(text)
        .split_once('.')
        .unwrap_or((inner.unwrap_or(text), ""));
    (name, swizzle, inner.is_some(), neg)
}

fn swizzle(text: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Ok(IDENTITY);
    }
    if text.len() != 4 {
        return Err(format!("swizzle `{text}` has not four components"));
    }
    text.chars()
        .enumerate()
        .try_fold(0, |s, (i, c)| Ok(s | component(c)? << (2 * i)))
}

fn mask(text: &str) -> Result<u32, String> {
    if text.is_empty() {
        return Ok(15);
    }
    text.chars().try_fold(0, |m, c| Ok(m | 1 << component(c)?))
}

fn scalar(text: &str) -> Result<(u32, bool, bool), String> {
    let (name, comp, abs, neg) = unmodify(text);
    let c = comp.chars().next().map_or(Ok(0), component)?;
    Ok((register(name)? << 2 | c, abs, neg))
}

fn operation(name: &str, table: &OpTable) -> Result<(u32, u32), String> {
    if let Some(i) = table.iter().position(|t| t.0 == name) {
        return Ok((i as u32, table[i].1));
    }
    let n = name
        .strip_prefix("op")
        .and_then(|n| n.parse::<u32>().ok())
        .filter(|&n| n < 32);
    n.map(|n| (n, 0))
        .ok_or_else(|| format!("no operation `{name}`"))
}

/// Splits `$1.x<<3` and adds the shift to the operation.
fn shifted(text: &str) -> Result<(&str, u32), String> {
    match text.split_once("<<") {
        Some((t, n)) => Ok((t, n.parse().map_err(|_| format!("shift `{n}`"))?)),
        None => Ok((text, 0)),
    }
}

fn parse_vec(
    name: &str,
    outmod: u32,
    args: &[&str],
    table: &OpTable,
    acc: bool,
) -> Result<(Slot, u128), String> {
    use vec4::*;
    let (mut op, srcs) = operation(name, table)?;
    let srcs = srcs.max(1) as usize;
    let mut raw = OUTMOD.put(0, outmod);
    let mut args = args;
    if args.len() > srcs {
        let (dest, m, ..) = unmodify(args[0]);
        raw = DEST.put(raw, register(dest)?);
        raw = MASK.put(raw, mask(m)?);
        args = &args[1..];
    }
    if args.len() < srcs {
        return Err("too few arguments".into());
    }
    let (first, shift) = shifted(args[0])?;
    if !acc {
        op |= shift;
    }
    let (name, swz, abs, neg) = unmodify(first);
    raw = OP.put(raw, op);
    raw = ARG0.put(raw, register(name)?);
    raw = ARG0_SWIZZLE.put(raw, swizzle(swz)?);
    raw = ARG0_ABS.put(raw, abs.into());
    raw = ARG0_NEG.put(raw, neg.into());
    if acc && name == "^v0" {
        raw = MUL_IN.put(raw, 1);
    }
    if srcs > 1 {
        let (name, swz, abs, neg) = unmodify(args[1]);
        raw = ARG1.put(raw, register(name)?);
        raw = ARG1_SWIZZLE.put(raw, swizzle(swz)?);
        raw = ARG1_ABS.put(raw, abs.into());
        raw = ARG1_NEG.put(raw, neg.into());
    }
    Ok((if acc { Slot::VecAcc } else { Slot::VecMul }, raw))
}

fn parse_float(
    name: &str,
    outmod: u32,
    args: &[&str],
    table: &OpTable,
    acc: bool,
) -> Result<(Slot, u128), String> {
    use float::*;
    let (mut op, srcs) = operation(name, table)?;
    let srcs = srcs.max(1) as usize;
    let mut raw = OUTMOD.put(0, outmod);
    let mut args = args;
    if args.len() > srcs {
        raw = DEST.put(raw, scalar(args[0])?.0);
        raw = OUTPUT_EN.put(raw, 1);
        args = &args[1..];
    }
    if args.len() < srcs {
        return Err("too few arguments".into());
    }
    let (first, shift) = shifted(args[0])?;
    if !acc {
        op |= shift;
    }
    let (index, abs, neg) = scalar(first)?;
    raw = OP.put(raw, op);
    raw = ARG0.put(raw, index);
    raw = ARG0_ABS.put(raw, abs.into());
    raw = ARG0_NEG.put(raw, neg.into());
    if acc && first.contains("^s0") {
        raw = MUL_IN.put(raw, 1);
    }
    if srcs > 1 {
        let (index, abs, neg) = scalar(args[1])?;
        raw = ARG1.put(raw, index);
        raw = ARG1_ABS.put(raw, abs.into());
        raw = ARG1_NEG.put(raw, neg.into());
    }
    Ok((if acc { Slot::FloatAcc } else { Slot::FloatMul }, raw))
}

fn parse_combine(name: &str, outmod: u32, args: &[&str]) -> Result<(Slot, u128), String> {
    use combine::*;
    let arg = |i: usize| {
        args.get(i)
            .copied()
            .ok_or_else(|| "too few arguments".to_string())
    };
    let mut raw = 0;
    let put_vector = |raw: u128, text: &str| -> Result<u128, String> {
        let (name, swz, ..) = unmodify(text);
        Ok(ARG1_SWIZZLE.put(ARG1_VEC.put(raw, register(name)?), swizzle(swz)?))
    };
    let put_arg0 = |raw: u128, text: &str| -> Result<u128, String> {
        let (index, abs, neg) = scalar(text)?;
        let raw = ARG0.put(raw, index);
        Ok(ARG0_NEG.put(ARG0_ABS.put(raw, abs.into()), neg.into()))
    };
    let (dest, m, ..) = unmodify(arg(0)?);
    let dest_vec = |raw: u128| -> Result<u128, String> {
        Ok(DEST_VEC.put(MASK.put(DEST_REG.put(raw, register(dest)?), mask(m)?), 1))
    };
    if name == "mul" {
        raw = SRC_VEC.put(dest_vec(raw)?, 1);
        raw = put_arg0(raw, arg(1)?)?;
        return Ok((Slot::Combine, put_vector(raw, arg(2)?)?));
    }
    if name == "atan_pt2" {
        raw = SRC_VEC.put(raw, 1);
        // The modifier is glued to the destination, as lima prints it.
        let mut d = arg(0)?;
        for (i, o) in OUTMODS.iter().enumerate().skip(1) {
            if let Some(rest) = d.strip_prefix(o) {
                raw = OUTMOD.put(raw, i as u32);
                d = rest;
            }
        }
        raw = DEST.put(raw, scalar(d)?.0);
        return Ok((Slot::Combine, put_vector(raw, arg(1)?)?));
    }
    let (op, srcs) = operation(name, &COMBINE_OPS)?;
    raw = OP.put(raw, op);
    // One component is a scalar destination; a vector one with a single
    // component in its mask is told by `~`.
    if m.len() == 1 {
        raw = DEST.put(raw, scalar(arg(0)?)?.0);
        raw = OUTMOD.put(raw, outmod);
    } else {
        raw = dest_vec(raw)?;
    }
    raw = put_arg0(raw, arg(1)?)?;
    if srcs > 1 {
        let (index, abs, neg) = scalar(arg(2)?)?;
        raw = ARG1.put(raw, index);
        raw = ARG1_NEG.put(ARG1_ABS.put(raw, abs.into()), neg.into());
    }
    Ok((Slot::Combine, raw))
}

fn parse_branch(cond: Option<&str>, args: &[&str], offset: usize) -> Result<(Slot, u128), String> {
    use branch::*;
    let mut raw = 0;
    let cond = match cond {
        None => 7,
        Some(c) => CONDITIONS.iter().position(|x| *x == c).ok_or("condition")? as u32,
    };
    raw = LT.put(raw, cond & 1);
    raw = EQ.put(raw, cond >> 1 & 1);
    raw = GT.put(raw, cond >> 2 & 1);
    let target = match (cond, args) {
        (7, [target]) => target,
        (_, [a, b, target]) => {
            raw = ARG0.put(raw, scalar(a)?.0);
            raw = ARG1.put(raw, scalar(b)?.0);
            target
        }
        _ => return Err("arguments: [first second] target".into()),
    };
    let target: i64 = target.parse().map_err(|_| format!("target `{target}`"))?;
    let distance = target - offset as i64;
    if !(-(1 << 26)..1 << 26).contains(&distance) {
        return Err(format!("target {target} is too far"));
    }
    Ok((Slot::Branch, TARGET.put(raw, distance as u32)))
}

/// `2`, `1.zw`, `3.y`, each with `+$r.c` → (index, alignment, offset register).
fn memory_operand(text: &str) -> Result<(i32, u32, Option<u32>), String> {
    let (place, offset) = text
        .split_once('+')
        .map_or((text, None), |(p, o)| (p, Some(o)));
    let offset = offset.map(|o| scalar(o).map(|s| s.0)).transpose()?;
    let (n, comps) = place.split_once('.').unwrap_or((place, ""));
    let n: i32 = n.parse().map_err(|_| format!("index `{n}`"))?;
    Ok(match comps {
        "" => (n, 2, offset),
        "xy" => (n * 2, 1, offset),
        "zw" => (n * 2 + 1, 1, offset),
        c => (
            n * 4 + component(c.chars().next().unwrap_or('x'))? as i32,
            0,
            offset,
        ),
    })
}

fn parse_uniform(head: &str, place: &str) -> Result<(Slot, u128), String> {
    use uniform::*;
    let source = match head {
        "load.u" => 0,
        "load.t" => TEMPORARY,
        "load..u1" => 1,
        "load..u2" => 2,
        _ => return Err("load.u, load.t or load.v".into()),
    };
    let (index, alignment, offset) = memory_operand(place)?;
    let mut raw = SOURCE.put(0, source);
    raw = INDEX.put(raw, index as u32);
    raw = ALIGNMENT.put(raw, alignment);
    if let Some(reg) = offset {
        raw = OFFSET_EN.put(OFFSET_REG.put(raw, reg), 1);
    }
    Ok((Slot::Uniform, raw))
}

fn parse_store(place: &str, source: &str) -> Result<(Slot, u128), String> {
    use temp_write::*;
    let (index, alignment, offset) = memory_operand(place)?;
    let mut raw = DEST.put(0, 3);
    raw = INDEX.put(raw, index as u32);
    raw = ALIGNMENT.put(raw, alignment);
    raw = SOURCE.put(raw, scalar(source)?.0);
    if let Some(reg) = offset {
        raw = OFFSET_EN.put(OFFSET_REG.put(raw, reg), 1);
    }
    Ok((Slot::TempWrite, raw))
}

fn parse_varying(suffix: &[&str], dest: &str, source: &str) -> Result<(Slot, u128), String> {
    use varying::*;
    let (name, m, ..) = unmodify(dest);
    let mut raw = DEST.put(0, register(name)?);
    raw = MASK.put(raw, mask(m)?);
    let perspective = match suffix {
        [] => 0,
        ["perspective", "unknown"] => 1,
        ["perspective", "z"] => 2,
        ["perspective", "w"] => 3,
        _ => return Err("perspective.z or perspective.w".into()),
    };
    let put_register = |raw: u128, text: &str| -> Result<u128, String> {
        let (name, swz, abs, neg) = unmodify(text);
        let raw = SWIZZLE.put(SOURCE.put(raw, register(name)?), swizzle(swz)?);
        Ok(NEGATE.put(ABSOLUTE.put(raw, abs.into()), neg.into()))
    };
    let put_varying = |raw: u128, text: &str| -> Result<u128, String> {
        let (index, alignment, offset) = memory_operand(text)?;
        let raw = INDEX.put(raw, index as u32);
        // Four components: lima writes 3.
        let raw = ALIGNMENT.put(raw, if alignment == 2 { 3 } else { alignment });
        let reg = offset.unwrap_or(15 << 2);
        Ok(OFFSET_SCALAR.put(OFFSET_VECTOR.put(raw, reg >> 2), reg & 3))
    };
    let inside = |name: &str| source.strip_prefix(name).and_then(|s| s.strip_suffix(')'));
    let special =
        |raw: u128, kind: u32, persp: u32| SOURCE_TYPE.put(PERSPECTIVE.put(raw, persp), kind);
    raw = if source == "gl_FragCoord" {
        // lima leaves the immediate form's alignment and empty offset in place.
        ALIGNMENT.put(OFFSET_VECTOR.put(special(raw, 2, 3), 15), 3)
    } else if source == "gl_PointCoord" {
        ALIGNMENT.put(OFFSET_VECTOR.put(special(raw, 3, 0), 15), 1)
    } else if source == "gl_FrontFacing" {
        OFFSET_VECTOR.put(special(raw, 3, 1), 15)
    } else if let Some(inner) = inside("cube(") {
        if inner.starts_with(|c: char| c.is_ascii_digit()) {
            put_varying(special(raw, 2, 0), inner)?
        } else {
            put_register(special(raw, 2, 1), inner)?
        }
    } else if let Some(inner) = inside("normalize(") {
        put_register(special(raw, 2, 2), inner)?
    } else if source.starts_with(|c: char| c.is_ascii_digit()) {
        put_varying(special(raw, 0, perspective), source)?
    } else {
        put_register(special(raw, 1, perspective), source)?
    };
    Ok((Slot::Varying, raw))
}

fn parse_sampler(head: &str, args: &[&str]) -> Result<(Slot, u128), String> {
    use sampler::*;
    let mut raw = UNKNOWN_2.put(0, UNKNOWN_2_VALUE);
    let mut rest = &head["texld".len()..];
    if let Some(r) = rest.strip_prefix(".b") {
        raw = LOD_BIAS_EN.put(raw, 1);
        rest = r;
    } else if let Some(r) = rest.strip_prefix(".l") {
        raw = EXPLICIT_LOD.put(LOD_BIAS_EN.put(raw, 1), 1);
        rest = r;
    }
    if rest == ".cube" {
        raw = TYPE.put(raw, CUBE);
    } else if let Some(t) = rest.strip_prefix("_t") {
        raw = TYPE.put(raw, t.parse().map_err(|_| "sampler type")?);
    } else if !rest.is_empty() {
        return Err(format!("`{rest}` after texld"));
    }
    let index = args.first().ok_or("a sampler number was expected")?;
    let (index, offset) = index
        .split_once('+')
        .map_or((*index, None), |(i, o)| (i, Some(o)));
    raw = INDEX.put(raw, index.parse().map_err(|_| "sampler number")?);
    if let Some(o) = offset {
        raw = INDEX_OFFSET.put(OFFSET_EN.put(raw, 1), scalar(o)?.0);
    }
    if LOD_BIAS_EN.on(raw) {
        raw = LOD_BIAS.put(raw, scalar(args.get(1).ok_or("a level was expected")?)?.0);
    }
    Ok((Slot::Sampler, raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words → text → words, and the text of lima's dump.
    #[track_caller]
    fn round_trip(words: &[u32], lima: &[&str]) {
        let program = decode_program(words, words.len()).unwrap();
        let text = disasm(&program, Style::Asm);
        let back = asm(&text).unwrap();
        let bits: Vec<u32> = back.iter().flat_map(Instr::encode).collect();
        assert_eq!(bits, words, "\n{text}");
        let lines: Vec<String> = (0..program.len())
            .map(|i| disasm_instr(&program, i, Style::Lima))
            .collect();
        assert_eq!(lines, lima);
    }

    #[test]
    fn lima_programs() {
        round_trip(
            &[0x00001224, 0x00000800, 0x001c9e00, 0x000f9e00],
            &["load.u 0, mov.v1 $0 ^uniform, stop"],
        );
        round_trip(
            &[
                0x02200083, 0xf0003c6b, 0x00000000, 0x02181204, 0x00000800, 0x001c9e00, 0x000f9e20,
                0x02282803, 0x00000601, 0x101101c0, 0x022a2805, 0x00003004, 0x16110000, 0x00000600,
                0x00000000, 0x02122805, 0x00003000, 0x16100000, 0x00000600, 0x00000000, 0x02282002,
                0x00400400, 0x022a2805, 0x00003000, 0x16104000, 0x00000700, 0x00000000, 0x023a2805,
                0x000001b0, 0x10100000, 0x00000800, 0x00000000, 0x02230807, 0x1a410031, 0x000141c0,
                0x00000580, 0x00000010, 0x0000001c, 0x00000000, 0x022010a4, 0xf0003c60, 0x40003900,
                0x00001f3c, 0x00010024, 0x007f0003, 0x00000000, 0x00000000,
            ],
            &[
                "load.v $0 gl_FragCoord",
                "load.u 0, mov.v1 $1 ^uniform",
                "mul.s0 $0.y $1.z, add.s1 $1.x ^s0 $1.w",
                "mul.s0 $1.x ^const0.x, floor.s1 $1.x ^s0, const0 0.125000 0.000000 0.000000 0.000000",
                "mul.s0 $0.x ^const0.x, floor.s1 $0.x ^s0, const0 0.125000 0.000000 0.000000 0.000000",
                "add.s1 $0.x $0.x $1.x",
                "mul.s0 $0.x ^const0.x, floor.s1 $0.y ^s0, const0 0.500000 0.000000 0.000000 0.000000",
                "mul.s0 -^const0.x $0.y, add.s1 $0.x ^s0 $0.x, const0 2.000000 0.000000 0.000000 0.000000",
                "gt.s0 $0.y ^const0.y $0.x, branch.ne $0.y ^const0.x 43, const0 0.000000 0.500000 0.000000 0.000000",
                "load.v $0 0, mov.v1 $1 $0, stop",
                "discard, stop",
            ],
        );
    }

    #[test]
    fn any_bits_survive() {
        // A linear congruential generator: every slot with every kind of rubbish in it.
        let mut seed = 1u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 32) as u32
        };
        for _ in 0..4000 {
            let mut words: Vec<u32> = (0..31).map(|_| next()).collect();
            let c = ctrl::COUNT.put(u128::from(next()), 31);
            words[0] = c as u32;
            let instr = match Instr::decode(&words, 0) {
                Ok(i) => i,
                Err(_) => continue,
            };
            let text = disasm(std::slice::from_ref(&instr), Style::Asm);
            let back = asm(&text).unwrap();
            assert_eq!(back.len(), 1, "{text}");
            assert_eq!(back[0].encode(), instr.encode(), "{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(asm("nop, stop\nfoo.v1 $0 $1").unwrap_err().at, 2);
        assert!(asm("add.v1 $0").is_err());
        assert!(asm("mov.v1 $16 $0").is_err());
    }
}
