//! Text to instructions.

use super::super::isa_bits::{IsaError, f32_to_half};
use super::super::isa_pp::*;
use super::{CONDITIONS, IDENTITY, OUTMODS, XYZW, announced};

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
pub(super) fn parse_slot(part: &str, offset: usize) -> Result<(Slot, u128), String> {
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
    let Some(&name) = parts.first() else {
        return Err(format!("no operation before `{unit}`"));
    };
    let outmod = match parts.get(1) {
        None => 0,
        Some(&m) => OUTMODS
            .iter()
            .position(|o| o.strip_prefix('.') == Some(m))
            .ok_or("modifier")?,
    } as u32;
    match unit {
        "v0" => parse_vec(name, outmod, args, &MUL_OPS, false),
        "v1" => parse_vec(name, outmod, args, &ACC_OPS, true),
        "s0" => parse_float(name, outmod, args, &MUL_OPS, false),
        "s1" => parse_float(name, outmod, args, &ACC_OPS, true),
        "s2" => parse_combine(name, outmod, args),
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
