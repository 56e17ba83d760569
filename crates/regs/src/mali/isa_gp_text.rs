//! Geometry-processor programs as text and back.
//!
//! Results are numbered through: unit `u` of instruction `i` makes `^(6 i + u)`,
//! so that a source names the very operation it comes from.

use super::isa_bits::{IsaError, Style};
use super::isa_gp::*;
use std::fmt::Write;

const XYZW: [char; 4] = ['x', 'y', 'z', 'w'];

/// One line per operation; an instruction's first line starts with its number.
pub fn disasm(program: &[u128], style: Style) -> String {
    let mut out = String::new();
    for index in 0..program.len() {
        let _ = write!(out, "{index:03}:");
        for line in disasm_instr(program, index, style) {
            let _ = writeln!(out, "\t{line}");
        }
    }
    out
}

/// The operations of one instruction, `nop` if there are none.
pub fn disasm_instr(program: &[u128], index: usize, style: Style) -> Vec<String> {
    let raw = program[index];
    let prev = if index == 0 { 0 } else { program[index - 1] };
    let cx = Context {
        raw,
        prev,
        base: index as i64 * 6,
    };
    let mut lines = Vec::new();
    cx.acc(&mut lines);
    cx.mul(&mut lines);
    cx.complex(&mut lines);
    cx.pass(&mut lines);
    if BRANCH.on(raw) {
        lines.push(format!(
            "branch ^{} {:03}",
            cx.base + Unit::Pass as i64,
            branch_target(raw)
        ));
    }
    if UNKNOWN_1.get(raw) != 0 {
        lines.push(format!("unknown_1 {}", UNKNOWN_1.get(raw)));
    }
    if lines.is_empty() {
        lines.push("nop".into());
    }
    if style == Style::Asm {
        let back = lines
            .iter()
            .try_fold(NOP, |b, l| parse_line(l, b, index, prev))
            .unwrap_or(0);
        if back != raw {
            lines.push(format!("~{:#x}", back ^ raw));
        }
    }
    lines
}

struct Context {
    raw: u128,
    prev: u128,
    base: i64,
}

impl Context {
    fn dest(&self, unit: Unit) -> String {
        let raw = self.raw;
        let mut s = format!("^{}", self.base + unit as i64);
        let n = unit.store_src();
        let mut store = |xy: [(bool, char); 2], temporary: bool, varying: bool, addr: u32| {
            if !xy[0].0 && !xy[1].0 {
                return;
            }
            let _ = match (temporary, varying) {
                (true, _) => write!(s, "/t[addr0]."),
                (false, true) => write!(s, "/v{addr}."),
                (false, false) => write!(s, "/${addr}."),
            };
            s.extend(xy.iter().filter(|c| c.0).map(|c| c.1));
        };
        store(
            [
                (STORE0_SRC_X.get(raw) == n, 'x'),
                (STORE0_SRC_Y.get(raw) == n, 'y'),
            ],
            STORE0_TEMPORARY.on(raw),
            STORE0_VARYING.on(raw),
            STORE0_ADDR.get(raw),
        );
        store(
            [
                (STORE1_SRC_Z.get(raw) == n, 'z'),
                (STORE1_SRC_W.get(raw) == n, 'w'),
            ],
            STORE1_TEMPORARY.on(raw),
            STORE1_VARYING.on(raw),
            STORE1_ADDR.get(raw),
        );
        if unit == Unit::Complex && COMPLEX_OP.get(raw) >= complex_op::TEMP_STORE_ADDR {
            let _ = write!(
                s,
                "/addr{}",
                COMPLEX_OP.get(raw) - complex_op::TEMP_STORE_ADDR
            );
        }
        s
    }

    /// `second` is Some(identity) where the complex unit's number means the identity.
    fn source(&self, n: u32, second: Option<char>) -> String {
        let raw = self.raw;
        let port = |raw: u128, c: u32| {
            let kind = if REGISTER0_ATTRIBUTE.on(raw) {
                'a'
            } else {
                '$'
            };
            format!(
                "{kind}{}.{}",
                REGISTER0_ADDR.get(raw),
                XYZW[(c & 3) as usize]
            )
        };
        let result = |back: i64, unit: Unit| format!("^{}", self.base - back * 6 + unit as i64);
        match n {
            0..=3 => port(raw, n),
            4..=7 => format!("${}.{}", REGISTER1_ADDR.get(raw), XYZW[(n & 3) as usize]),
            8..=11 => format!("unknown{}", n - src::UNKNOWN_0),
            12..=15 => {
                let off = match LOAD_OFFSET.get(raw) {
                    7 => String::new(),
                    o @ 1..=3 => format!("+addr{o}"),
                    o => format!("+unk{o}"),
                };
                format!("t[{}{off}].{}", LOAD_ADDR.get(raw), XYZW[(n & 3) as usize])
            }
            16..=19 => result(1, Unit::ALL[n as usize - 16]),
            src::P1_PASS => result(1, Unit::Pass),
            src::UNUSED => "unused".into(),
            src::P1_COMPLEX => match second {
                Some(identity) => identity.to_string(),
                None => result(1, Unit::Complex),
            },
            src::P2_PASS => result(2, Unit::Pass),
            24..=27 => result(2, Unit::ALL[n as usize - 24]),
            _ => port(self.prev, n),
        }
    }

    fn acc(&self, lines: &mut Vec<String>) {
        let raw = self.raw;
        let units = [
            (
                Unit::Acc0,
                "a0",
                ACC0_SRC0,
                ACC0_SRC1,
                ACC0_SRC0_NEG,
                ACC0_SRC1_NEG,
            ),
            (
                Unit::Acc1,
                "a1",
                ACC1_SRC0,
                ACC1_SRC1,
                ACC1_SRC0_NEG,
                ACC1_SRC1_NEG,
            ),
        ];
        for (unit, tag, src0, src1, neg0, neg1) in units {
            if src0.get(raw) == src::UNUSED {
                continue;
            }
            // x + -0 is x, whatever x is.
            let copy = src1.get(raw) == src::P1_COMPLEX && neg1.on(raw);
            let (name, srcs) = match (copy, ACC_OPS[ACC_OP.get(raw) as usize]) {
                (true, _) => ("mov".to_string(), 1),
                (false, ("", _)) => (format!("op{}", ACC_OP.get(raw)), 0),
                (false, (name, srcs)) => (name.to_string(), srcs),
            };
            let minus = |on: bool| if on { "-" } else { "" };
            let mut s = format!("{name}.{tag} {} ", self.dest(unit));
            s += minus(neg0.on(raw));
            s += &self.source(src0.get(raw), None);
            if srcs > 1 {
                s.push(' ');
                s += minus(neg1.on(raw));
                s += &self.source(src1.get(raw), Some('0'));
            }
            lines.push(s);
        }
    }

    fn mul(&self, lines: &mut Vec<String>) {
        let raw = self.raw;
        let op = MUL_OP.get(raw);
        let m0 = self.dest(Unit::Mul0);
        let (a, b) = (MUL0_SRC0.get(raw), MUL0_SRC1.get(raw));
        let (c, d) = (MUL1_SRC0.get(raw), MUL1_SRC1.get(raw));
        let (sa, sb) = (self.source(a, None), self.source(b, Some('1')));
        let (sc, sd) = (self.source(c, None), self.source(d, Some('1')));
        match op {
            mul_op::MUL | mul_op::COMPLEX2 => {
                let units = [
                    (Unit::Mul0, "m0", a, b, sa, sb, MUL0_NEG.on(raw)),
                    (Unit::Mul1, "m1", c, d, sc, sd, MUL1_NEG.on(raw)),
                ];
                for (unit, tag, first, second, s0, s1, neg) in units {
                    if first == src::UNUSED || second == src::UNUSED {
                        continue;
                    }
                    let dest = self.dest(unit);
                    lines.push(if second == src::P1_COMPLEX && !neg {
                        format!("mov.{tag} {dest} {s0}")
                    } else {
                        let complex = op == mul_op::COMPLEX2 && unit == Unit::Mul0;
                        let name = if complex { "complex2" } else { "mul" };
                        format!(
                            "{name}.{tag} {dest} {s0} {}{s1}",
                            if neg { "-" } else { "" }
                        )
                    });
                }
            }
            mul_op::COMPLEX1 => lines.push(format!("complex1.m01 {m0} {sa} {sb} {sc} {sd}")),
            mul_op::SELECT => lines.push(format!("sel.m01 {m0} {sb} {sa} {sc}")),
            n => lines.push(format!("unknown{n}.m01 {m0} {sa} {sb} {sc} {sd}")),
        }
    }

    fn complex(&self, lines: &mut Vec<String>) {
        let raw = self.raw;
        let op = COMPLEX_OP.get(raw);
        if COMPLEX_SRC.get(raw) == src::UNUSED || op == complex_op::NOP {
            return;
        }
        let name = match op {
            complex_op::EXP2 => "exp2".into(),
            complex_op::LOG2 => "log2".into(),
            complex_op::RSQRT => "rsqrt".into(),
            complex_op::RCP => "rcp".into(),
            complex_op::PASS | 12..=15 => "mov".into(),
            n => format!("unk{n}"),
        };
        let source = self.source(COMPLEX_SRC.get(raw), None);
        lines.push(format!("{name}.c {} {source}", self.dest(Unit::Complex)));
    }

    fn pass(&self, lines: &mut Vec<String>) {
        let raw = self.raw;
        if PASS_SRC.get(raw) == src::UNUSED {
            return;
        }
        let op = PASS_OP.get(raw);
        let name = match op {
            pass_op::PASS => "mov".into(),
            pass_op::PREEXP2 => "preexp2".into(),
            pass_op::POSTLOG2 => "postlog2".into(),
            pass_op::CLAMP => "clamp".into(),
            n => format!("unk{n}"),
        };
        let source = self.source(PASS_SRC.get(raw), None);
        let mut s = format!("{name}.p {} {source}", self.dest(Unit::Pass));
        if op == pass_op::CLAMP {
            let load = |c| self.source(src::LOAD_X + c, None);
            let _ = write!(s, " {} {}", load(0), load(1));
        }
        lines.push(s);
    }
}

/// Assembles a program. `NNN:` starts an instruction; each operation stands on
/// its own line; `//` starts a comment.
pub fn asm(text: &str) -> Result<Vec<u128>, IsaError> {
    let mut program: Vec<u128> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        let starts = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        let mut rest = line;
        if let Some((head, ops)) = line.split_once(':')
            && starts(head)
        {
            program.push(NOP);
            rest = ops.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let err = |what: String| IsaError {
            at: number + 1,
            what,
        };
        let index = program.len().checked_sub(1);
        let index = index.ok_or_else(|| err("`000:` was expected first".into()))?;
        let prev = if index == 0 { 0 } else { program[index - 1] };
        program[index] = parse_line(rest, program[index], index, prev)
            .map_err(|what| err(format!("`{rest}`: {what}")))?;
    }
    Ok(program)
}

/// Adds one operation to `raw`.
fn parse_line(line: &str, raw: u128, index: usize, prev: u128) -> Result<u128, String> {
    if line == "nop" {
        return Ok(raw);
    }
    if let Some(hex) = line.strip_prefix("~0x") {
        let extra = u128::from_str_radix(hex, 16).map_err(|e| e.to_string())?;
        return Ok(raw ^ extra);
    }
    let mut p = Parser {
        raw,
        index: index as i64,
        prev,
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[0] {
        "unknown_1" => {
            let n = words
                .get(1)
                .and_then(|n| n.parse().ok())
                .ok_or("a number was expected")?;
            p.raw = UNKNOWN_1.put(p.raw, n);
        }
        "branch" => {
            let n: u32 = words
                .get(2)
                .and_then(|n| n.parse().ok())
                .ok_or("a target was expected")?;
            p.raw = BRANCH_TARGET.put(BRANCH.put(p.raw, 1), n);
            p.raw = BRANCH_TARGET_LO.put(p.raw, u32::from(n < 0x100));
        }
        head => {
            let (name, unit) = head.rsplit_once('.').ok_or("name.unit was expected")?;
            let dest = words.get(1).ok_or("a destination was expected")?;
            p.operation(name, unit, dest, &words[2..])?;
        }
    }
    Ok(p.raw)
}

/// Argument `i` of an operation.
fn arg<'a>(args: &[&'a str], i: usize) -> Result<&'a str, String> {
    args.get(i)
        .copied()
        .ok_or_else(|| "too few arguments".into())
}

struct Parser {
    raw: u128,
    index: i64,
    prev: u128,
}

impl Parser {
    fn operation(
        &mut self,
        name: &str,
        unit: &str,
        dest: &str,
        args: &[&str],
    ) -> Result<(), String> {
        match unit {
            "a0" | "a1" => self.add(name, unit, dest, args),
            "m0" | "m1" => self.multiply(name, unit, dest, args),
            "m01" => self.both_multiply(name, dest, args),
            "c" => self.complex(name, dest, args),
            "p" => self.pass(name, dest, args),
            _ => Err(format!("no unit `{unit}`")),
        }
    }

    /// The adders. A `mov` is a sum with −0.
    fn add(&mut self, name: &str, unit: &str, dest: &str, args: &[&str]) -> Result<(), String> {
        let (u, src0, src1, neg0, neg1) = if unit == "a0" {
            (
                Unit::Acc0,
                ACC0_SRC0,
                ACC0_SRC1,
                ACC0_SRC0_NEG,
                ACC0_SRC1_NEG,
            )
        } else {
            (
                Unit::Acc1,
                ACC1_SRC0,
                ACC1_SRC1,
                ACC1_SRC0_NEG,
                ACC1_SRC1_NEG,
            )
        };
        self.dest(dest, u)?;
        let (a, n0) = minus(arg(args, 0)?);
        let a = self.source(a, None)?;
        self.raw = neg0.put(src0.put(self.raw, a), n0);
        if name == "mov" {
            self.raw = neg1.put(src1.put(self.raw, src::P1_COMPLEX), 1);
            return Ok(());
        }
        let op = ACC_OPS.iter().position(|o| o.0 == name).map(|o| o as u32);
        let op = op.or(name.strip_prefix("op").and_then(|n| n.parse().ok()));
        let op = op.filter(|&o| o < 8).ok_or("no such operation")?;
        self.raw = ACC_OP.put(self.raw, op);
        if let Some(b) = args.get(1) {
            let (b, n1) = minus(b);
            let b = self.source(b, Some("0"))?;
            self.raw = neg1.put(src1.put(self.raw, b), n1);
        } else {
            // lima leaves an unused second source at zero.
            self.raw = src1.put(self.raw, 0);
        }
        Ok(())
    }

    /// One multiplier.
    fn multiply(
        &mut self,
        name: &str,
        unit: &str,
        dest: &str,
        args: &[&str],
    ) -> Result<(), String> {
        let (u, src0, src1, neg) = if unit == "m0" {
            (Unit::Mul0, MUL0_SRC0, MUL0_SRC1, MUL0_NEG)
        } else {
            (Unit::Mul1, MUL1_SRC0, MUL1_SRC1, MUL1_NEG)
        };
        self.dest(dest, u)?;
        let a = self.source(arg(args, 0)?, None)?;
        self.raw = src0.put(self.raw, a);
        if name == "mov" {
            self.raw = src1.put(self.raw, src::P1_COMPLEX);
            return Ok(());
        }
        match name {
            "mul" => {}
            "complex2" => self.raw = MUL_OP.put(self.raw, mul_op::COMPLEX2),
            _ => return Err("no such operation".into()),
        }
        let (b, n) = minus(arg(args, 1)?);
        let b = self.source(b, Some("1"))?;
        self.raw = neg.put(src1.put(self.raw, b), n);
        Ok(())
    }

    /// Operations that take both multipliers.
    fn both_multiply(&mut self, name: &str, dest: &str, args: &[&str]) -> Result<(), String> {
        self.dest(dest, Unit::Mul0)?;
        let s = |p: &mut Parser, i: usize, second: bool| -> Result<u32, String> {
            p.source(arg(args, i)?, second.then_some("1"))
        };
        let (op, order) = match name {
            "complex1" => (mul_op::COMPLEX1, [0, 1, 2, 3]),
            "sel" => (mul_op::SELECT, [1, 0, 2, 9]),
            n => {
                let n = n.strip_prefix("unknown").and_then(|n| n.parse().ok());
                (
                    n.filter(|&n| n < 8).ok_or("no such operation")?,
                    [0, 1, 2, 3],
                )
            }
        };
        self.raw = MUL_OP.put(self.raw, op);
        for (bits, (i, second)) in [MUL0_SRC0, MUL0_SRC1, MUL1_SRC0, MUL1_SRC1]
            .into_iter()
            .zip(order.into_iter().zip([false, true, false, true]))
        {
            if i < 4 {
                let v = s(self, i, second)?;
                self.raw = bits.put(self.raw, v);
            }
        }
        Ok(())
    }

    /// The complex unit.
    fn complex(&mut self, name: &str, dest: &str, args: &[&str]) -> Result<(), String> {
        self.dest(dest, Unit::Complex)?;
        let a = self.source(arg(args, 0)?, None)?;
        self.raw = COMPLEX_SRC.put(self.raw, a);
        let op = match name {
            "exp2" => complex_op::EXP2,
            "log2" => complex_op::LOG2,
            "rsqrt" => complex_op::RSQRT,
            "rcp" => complex_op::RCP,
            // The destination has already set an address operation.
            "mov" if COMPLEX_OP.get(self.raw) >= 12 => COMPLEX_OP.get(self.raw),
            "mov" => complex_op::PASS,
            n => n
                .strip_prefix("unk")
                .and_then(|n| n.parse().ok())
                .ok_or("operation")?,
        };
        self.raw = COMPLEX_OP.put(self.raw, op);
        Ok(())
    }

    /// The pass unit.
    fn pass(&mut self, name: &str, dest: &str, args: &[&str]) -> Result<(), String> {
        self.dest(dest, Unit::Pass)?;
        let a = self.source(arg(args, 0)?, None)?;
        self.raw = PASS_SRC.put(self.raw, a);
        let op = match name {
            "mov" => pass_op::PASS,
            "preexp2" => pass_op::PREEXP2,
            "postlog2" => pass_op::POSTLOG2,
            "clamp" => pass_op::CLAMP,
            n => n
                .strip_prefix("unk")
                .and_then(|n| n.parse().ok())
                .ok_or("operation")?,
        };
        self.raw = PASS_OP.put(self.raw, op);
        if op == pass_op::CLAMP {
            self.source(arg(args, 1)?, None)?;
        }
        Ok(())
    }

    /// `^48/v0.xy/$2.z`
    fn dest(&mut self, text: &str, unit: Unit) -> Result<(), String> {
        let mut parts = text.split('/');
        parts.next();
        for part in parts {
            if let Some(n) = part.strip_prefix("addr") {
                let n: u32 = n.parse().map_err(|_| "address register")?;
                self.raw = COMPLEX_OP.put(self.raw, (complex_op::TEMP_STORE_ADDR + n).min(15));
                continue;
            }
            let (place, comps) = part.rsplit_once('.').ok_or("place.components")?;
            let number = |p: &str| p.get(1..)?.parse::<u32>().ok().filter(|&n| n < 16);
            let (temporary, varying, addr) = match place.as_bytes().first() {
                Some(b't') => (1, 0, 0),
                Some(b'v') => (0, 1, number(place).ok_or("varying number")?),
                Some(b'$') => (0, 0, number(place).ok_or("register number")?),
                _ => return Err(format!("`{place}` is no place to store")),
            };
            for c in comps.chars() {
                let first = matches!(c, 'x' | 'y');
                let source = match c {
                    'x' => STORE0_SRC_X,
                    'y' => STORE0_SRC_Y,
                    'z' => STORE1_SRC_Z,
                    'w' => STORE1_SRC_W,
                    _ => return Err(format!("component `{c}`")),
                };
                let (t, v, a) = if first {
                    (STORE0_TEMPORARY, STORE0_VARYING, STORE0_ADDR)
                } else {
                    (STORE1_TEMPORARY, STORE1_VARYING, STORE1_ADDR)
                };
                let raw = source.put(self.raw, unit.store_src());
                self.raw = a.put(v.put(t.put(raw, temporary), varying), addr);
            }
        }
        Ok(())
    }

    fn source(&mut self, text: &str, identity: Option<&str>) -> Result<u32, String> {
        if identity == Some(text) {
            return Ok(src::P1_COMPLEX);
        }
        if text == "unused" {
            return Ok(src::UNUSED);
        }
        if let Some(n) = text.strip_prefix("unknown") {
            return Ok(src::UNKNOWN_0 + n.parse::<u32>().map_err(|e| e.to_string())?.min(3));
        }
        if let Some(n) = text.strip_prefix('^') {
            let n: i64 = n.parse().map_err(|_| format!("result `{text}`"))?;
            let unit = n.rem_euclid(6) as u32;
            let back = self.index - n.div_euclid(6);
            return match (back, unit) {
                (1, 0..4) => Ok(src::P1_ACC_0 + unit),
                (1, 4) => Ok(src::P1_PASS),
                (1, _) => Ok(src::P1_COMPLEX),
                (2, 0..4) => Ok(src::P2_ACC_0 + unit),
                (2, 4) => Ok(src::P2_PASS),
                _ => Err(format!("`{text}` is out of reach")),
            };
        }
        let (place, comp) = text
            .rsplit_once('.')
            .ok_or_else(|| format!("`{text}`: no source"))?;
        let c = XYZW
            .iter()
            .position(|x| comp.starts_with(*x))
            .ok_or("component")? as u32;
        if let Some(t) = place.strip_prefix("t[").and_then(|t| t.strip_suffix(']')) {
            let (n, off) = t.split_once('+').map_or((t, None), |(n, o)| (n, Some(o)));
            let n: u32 = n.parse().map_err(|_| "uniform number")?;
            let off = match off {
                None => 7,
                Some(o) => o
                    .strip_prefix("addr")
                    .or(o.strip_prefix("unk"))
                    .and_then(|o| o.parse().ok())
                    .ok_or("address register")?,
            };
            self.raw = LOAD_OFFSET.put(LOAD_ADDR.put(self.raw, n), off);
            return Ok(src::LOAD_X + c);
        }
        let attribute = place.starts_with('a');
        let n: u32 = place
            .get(1..)
            .and_then(|n| n.parse().ok())
            .ok_or_else(|| format!("`{place}`: no source"))?;
        if n > 15 || !(attribute || place.starts_with('$')) {
            return Err(format!("`{place}`: no source"));
        }
        // Three ports can give an attribute or register: this instruction's
        // first, the previous one's first, and for registers the second.
        // Prefer what is already set up; a wrong guess is told by `~`.
        let port0 = |raw| (REGISTER0_ATTRIBUTE.on(raw), REGISTER0_ADDR.get(raw));
        if port0(self.raw) == (attribute, n) && (attribute || n != 0) {
            return Ok(src::ATTRIB_X + c);
        }
        if attribute && port0(self.prev) == (true, n) && REGISTER0_ATTRIBUTE.on(self.raw) {
            return Ok(src::P1_ATTRIB_X + c);
        }
        if attribute {
            self.raw = REGISTER0_ATTRIBUTE.put(REGISTER0_ADDR.put(self.raw, n), 1);
            return Ok(src::ATTRIB_X + c);
        }
        if REGISTER1_ADDR.get(self.raw) != n && REGISTER1_ADDR.get(self.raw) != 0 {
            self.raw = REGISTER0_ADDR.put(self.raw, n);
            return Ok(src::ATTRIB_X + c);
        }
        self.raw = REGISTER1_ADDR.put(self.raw, n);
        Ok(src::REGISTER_X + c)
    }
}

fn minus(text: &str) -> (&str, u32) {
    text.strip_prefix('-').map_or((text, 0), |t| (t, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lima_program() {
        let words = [
            0xad4ad463, 0x438002b5, 0x0147ff80, 0x000a8d30, 0xad41da56, 0x438002b5, 0x0007ff80,
            0x000ad510, 0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500, 0x668ad6b5, 0x038082b5,
            0x003fff80, 0x000ad500, 0x6c0b0eb5, 0x478082b5, 0x0037ff80, 0x000ad500, 0xb4c80602,
            0x43802ad0, 0x0007ff80, 0x000ad500, 0xb3074a20, 0x43802acd, 0x8246ff80, 0x0008c108,
            0x74c84a3b, 0x478062c0, 0xc647d080, 0x00008908, 0x64cb42d7, 0x038041b2, 0x40026400,
            0x000ad508,
        ];
        let program = decode_program(&words);
        assert_eq!(encode_program(&program), words);
        let text = disasm(&program, Style::Lima);
        let want = "000:\tcomplex2.m0 ^2 a0.w a0.w\n\trcp.c ^5 a0.w\n001:\tcomplex1.m01 ^8 ^5 ^2 ^5 a0.w\n002:\tnop\n";
        assert!(text.starts_with(want), "{text}");
        assert!(
            text.ends_with("\tmov.m0 ^50/v0.w ^40\n\tmov.m1 ^51/v0.z ^42\n"),
            "{text}"
        );
        let asm_text = disasm(&program, Style::Asm);
        assert_eq!(asm(&asm_text).unwrap(), program, "{asm_text}");
    }

    #[test]
    fn any_bits_survive() {
        let mut seed = 7u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 32) as u32
        };
        for _ in 0..2000 {
            let words: Vec<u32> = (0..12).map(|_| next()).collect();
            let program = decode_program(&words);
            let text = disasm(&program, Style::Asm);
            assert_eq!(asm(&text).unwrap(), program, "{text}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(asm("mov.p ^4 a0.x").unwrap_err().at, 1);
        assert_eq!(
            asm("000: mov.p ^4 a0.x\n001: mov.p ^10 ^99")
                .unwrap_err()
                .at,
            2
        );
    }
}
