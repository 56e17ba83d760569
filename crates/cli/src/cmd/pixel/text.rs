//! The history as text.

use super::Line;
use isotherm::observe::{
    Blended, Cleared, Combiner, Filtered, FinalCombiner, Fragment, Inputs, Operand, Outcome,
    Portion, ProgramRun, ProgramStep, Sampled, Stage, StencilTest, Test, Touch, Vertex, Words,
    Write as Written,
};
use std::io::{self, Write};

/// Width of the first column.
const LABEL: usize = 12;

/// Writes one line of the history, with its details; the words are the zeta surface's if that
/// is what was asked for.
pub fn line(out: &mut impl Write, line: &Line<'_>, brief: bool, zeta: bool) -> io::Result<()> {
    match line {
        Line::Start { word, .. } => writeln!(out, "start   {word:08X}"),
        Line::End { word, touches } => {
            let plural = if *touches == 1 { "" } else { "es" };
            writeln!(out, "end     {word:08X}, {touches} touch{plural}")
        }
        Line::Change {
            draw,
            what,
            before,
            after,
        } => writeln!(
            out,
            "change  {before:08X} -> {after:08X}  {what}, after draw {draw}"
        ),
        Line::State {
            unit,
            register,
            word,
            fields,
        } => writeln!(out, "  {unit:<8}{register:<28}{word:08X}  {fields}"),
        Line::Touch { draw, what, touch } => {
            let [before, after] = touch.words();
            let word = |words: Words| if zeta { words.zeta } else { words.color };
            let change = format!("{} -> {}", show(word(before)), show(word(after)));
            match touch {
                Touch::Clear(clear) if *draw == 0 => {
                    writeln!(out, "clear   {change}  {what}, tile")?;
                    if brief { Ok(()) } else { cleared(out, clear) }
                }
                Touch::Clear(clear) => {
                    writeln!(out, "clear   {change}  {what}, after draw {draw}")?;
                    if brief { Ok(()) } else { cleared(out, clear) }
                }
                Touch::Fragment(f) => {
                    let face = if f.front { "front" } else { "back" };
                    writeln!(
                        out,
                        "draw {draw:<3}{change}  {what}, primitive {} ({}, {face} facing): {}",
                        f.primitive,
                        f.kind,
                        outcome(f.outcome)
                    )?;
                    if brief { Ok(()) } else { fragment(out, f) }
                }
                Touch::Mali(f) => {
                    let face = if f.front { "front" } else { "back" };
                    writeln!(
                        out,
                        "draw {draw:<3}{change}  {what}, triangle {} ({face} facing): {}",
                        f.primitive,
                        super::mali::outcome(f.outcome)
                    )?;
                    if brief {
                        Ok(())
                    } else {
                        super::mali::fragment(out, f)
                    }
                }
            }
        }
    }
}

fn show(word: Option<u32>) -> String {
    word.map_or_else(|| "--------".into(), |word| format!("{word:08X}"))
}

pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::OutsideDepthRange => "outside the depth range",
        Outcome::StencilFailed => "stencil test failed",
        Outcome::DepthFailed => "depth test failed",
        Outcome::Killed => "killed by a texture stage",
        Outcome::AlphaFailed => "alpha test failed",
        Outcome::NotSampled => "sample not covered",
        Outcome::Written => "written",
    }
}

/// A labelled row.
pub(super) fn row(
    out: &mut impl Write,
    label: &str,
    text: std::fmt::Arguments<'_>,
) -> io::Result<()> {
    writeln!(out, "  {label:<LABEL$}{text}")
}

/// Integers in columns.
fn ints(values: &[i32]) -> String {
    values.iter().map(|v| format!("{v:>5}")).collect()
}

/// A colour: decimal in columns, and packed where it fits bytes.
fn color(c: &[i32; 4]) -> String {
    let [r, g, b, a] = c.map(|v| v.clamp(0, 255));
    format!("{}   A8R8G8B8 {a:02X}{r:02X}{g:02X}{b:02X}", ints(c))
}

fn bytes(c: &[u8; 4]) -> String {
    ints(&c.map(i32::from))
}

pub(super) fn floats(values: &[f32]) -> String {
    values.iter().map(|v| format!("{v:>14}")).collect()
}

/// A fixed-point number with 8 fraction bits.
fn fixed(v: i32) -> String {
    format!("{:.4}", f64::from(v) / 256.0)
}

fn cleared(out: &mut impl Write, clear: &Cleared) -> io::Result<()> {
    for (label, [value, bits]) in [("color", clear.color), ("zeta", clear.zeta)] {
        if bits != 0 {
            row(out, label, format_args!("{value:08X}, bits {bits:08X}"))?;
        }
    }
    memory(out, &clear.before, &clear.after)
}

pub(super) fn memory(out: &mut impl Write, before: &Words, after: &Words) -> io::Result<()> {
    for (label, a, b) in [
        ("color word", before.color, after.color),
        ("zeta word", before.zeta, after.zeta),
    ] {
        if a.is_some() {
            let note = if a == b { "  (unchanged)" } else { "" };
            row(out, label, format_args!("{} -> {}{note}", show(a), show(b)))?;
        }
    }
    Ok(())
}

fn fragment(out: &mut impl Write, f: &Fragment) -> io::Result<()> {
    for v in &f.vertices {
        vertex(out, v)?;
    }
    row(
        out,
        "raster",
        format_args!(
            "pixel ({}, {}) sample ({}, {}): lane {} of the block at ({}, {}), coverage {:04X}h",
            f.x,
            f.y,
            f.sample[0],
            f.sample[1],
            f.lane,
            f.x & !7,
            f.y & !1,
            f.coverage
        ),
    )?;
    if let Some(depth) = f.depth {
        let bits = depth.to_bits();
        row(out, "", format_args!("depth {depth} (float {bits:08X}h)"))?;
    }
    if let Some(test) = &f.stencil_test {
        stencil(out, test)?;
    }
    if let Some(t) = &f.depth_test {
        test(out, "depth", t)?;
    }
    if let Some(i) = &f.inputs {
        inputs(out, i)?;
    }
    for s in &f.stages {
        stage(out, s)?;
    }
    for c in &f.combiners {
        combiner(out, c)?;
    }
    if let Some(last) = &f.final_combiner {
        final_combiner(out, last)?;
    }
    if let Some(run) = &f.program {
        program(out, run)?;
    }
    if let Some(alpha) = f.smoothed_alpha {
        row(out, "smoothing", format_args!("alpha {alpha}"))?;
    }
    if let Some(t) = &f.alpha_test {
        test(out, "alpha", t)?;
    }
    if let Some(w) = &f.write {
        write(out, w)?;
    }
    memory(out, &f.before, &f.after)
}

fn vertex(out: &mut impl Write, v: &Vertex) -> io::Result<()> {
    let label = format!("vertex {}", v.number);
    row(
        out,
        &label,
        format_args!("x y z w    {}", floats(&v.window)),
    )?;
    row(out, "", format_args!("primary    {}", bytes(&v.primary)))?;
    row(
        out,
        "",
        format_args!("secondary  {}   fog {}", bytes(&v.secondary), v.fog),
    )?;
    sets(out, &v.tex)
}

/// Texture coordinate sets.
fn sets(out: &mut impl Write, sets: &[[f32; 4]]) -> io::Result<()> {
    for (set, coordinates) in sets.iter().enumerate() {
        row(
            out,
            "",
            format_args!("tex{set} strq  {}", floats(coordinates)),
        )?;
    }
    Ok(())
}

fn inputs(out: &mut impl Write, i: &Inputs) -> io::Result<()> {
    row(
        out,
        "inputs",
        format_args!("primary    {}", color(&i.primary)),
    )?;
    row(out, "", format_args!("secondary  {}", color(&i.secondary)))?;
    row(out, "", format_args!("fog factor {}", ints(&[i.fog])))?;
    sets(out, &i.tex)
}

/// Numbers, a dash where there is none.
fn some_floats(values: &[Option<f32>]) -> String {
    let each = |v: &Option<f32>| match v {
        Some(v) => format!("{v:>14}"),
        None => format!("{:>14}", "-"),
    };
    values.iter().map(each).collect()
}

fn program(out: &mut impl Write, run: &ProgramRun) -> io::Result<()> {
    for (k, input) in run.inputs.iter().enumerate() {
        let label = if k == 0 { "inputs" } else { "" };
        let value = some_floats(&input.value);
        row(out, label, format_args!("f[{}]    {value}", input.name))?;
    }
    for (k, step) in run.steps.iter().enumerate() {
        let label = if k == 0 { "program" } else { "" };
        row(out, label, format_args!("{:4}  {}", step.word, step.text))?;
        let what = match step {
            ProgramStep { ran: false, .. } => "not run by this pixel".to_owned(),
            ProgramStep { killed: true, .. } => "kills the fragment".to_owned(),
            ProgramStep { result, .. } if result.iter().all(Option::is_none) => continue,
            ProgramStep { result, .. } => some_floats(result),
        };
        row(out, "", format_args!("           {what}"))?;
    }
    Ok(())
}

fn stage(out: &mut impl Write, s: &Stage) -> io::Result<()> {
    let label = format!("texture {}", s.stage);
    row(out, &label, format_args!("{}", s.program))?;
    if let Some(source) = s.source {
        row(out, "", format_args!("reads      TEXTURE{source}"))?;
    }
    if let Some(dot) = s.dot {
        row(out, "", format_args!("dot        {dot}"))?;
    }
    match &s.sampled {
        Some(texture) => sampled(out, texture)?,
        None => row(out, "", format_args!("samples    nothing"))?,
    }
    if let Some(luminance) = s.luminance {
        row(out, "", format_args!("luminance  {luminance}"))?;
    }
    row(
        out,
        "",
        format_args!("TEXTURE{}   {}", s.stage, ints(&s.register)),
    )
}

fn sampled(out: &mut impl Write, s: &Sampled) -> io::Result<()> {
    let [w, h, d] = s.size;
    row(
        out,
        "",
        format_args!(
            "image      {} {w}x{h}x{d} at {:08X}h, wrap {}",
            s.format,
            s.address,
            s.wrap[..if d > 1 { 3 } else { 2 }].join(", ")
        ),
    )?;
    let face = s.face.map_or(String::new(), |face| {
        let name = ["+X", "-X", "+Y", "-Y", "+Z", "-Z"][usize::from(face) % 6];
        format!("   face {name}")
    });
    row(
        out,
        "",
        format_args!("at         {}{face}", floats(&s.coords)),
    )?;
    if !s.lod.is_empty() {
        let lods: Vec<_> = s.lod.iter().map(|&lod| fixed(lod)).collect();
        row(
            out,
            "",
            format_args!("lod        {}", lods.join(", limited to ")),
        )?;
    }
    for level in &s.levels {
        filtered(out, level)?;
    }
    let killed = if s.killed {
        "   kills the fragment"
    } else {
        ""
    };
    row(out, "", format_args!("filtered   {:08X}{killed}", s.texel))
}

fn filtered(out: &mut impl Write, level: &Filtered) -> io::Result<()> {
    let [x, y, z] = level.place.map(fixed);
    let probe = level
        .probe
        .map_or(String::new(), |w| format!(", probe of weight {w}/256"));
    row(
        out,
        "",
        format_args!(
            "level {:<5}{} at {x}, {y}, {z}{probe}",
            level.level, level.filter
        ),
    )?;
    for t in &level.texels {
        let [x, y, z] = t.at;
        let border = if t.border { "   border" } else { "" };
        let compared = t
            .compared
            .map_or(String::new(), |r| format!("   compared with {r:06X}h"));
        row(
            out,
            "",
            format_args!(
                "  texel    ({x:>4}, {y:>4}, {z:>3})   {:08X}   weight {:.6}{border}{compared}",
                t.value, t.weight
            ),
        )?;
    }
    Ok(())
}

fn operand(out: &mut impl Write, label: &str, name: char, o: &Operand) -> io::Result<()> {
    let from = format!("{}.{}", o.register, o.component);
    row(
        out,
        label,
        format_args!(
            "{name} = {from:<30} {:<18}{} <-{}",
            o.mapping,
            ints(&o.value),
            ints(&o.raw)
        ),
    )
}

fn combiner(out: &mut impl Write, c: &Combiner) -> io::Result<()> {
    for (label, half) in [("rgb", &c.rgb), ("alpha", &c.alpha)] {
        if let Some(half) = half {
            portion(out, &format!("rc {} {label}", c.stage), half)?;
        }
    }
    Ok(())
}

fn portion(out: &mut impl Write, label: &str, p: &Portion) -> io::Result<()> {
    for (k, (name, input)) in "ABCD".chars().zip(&p.inputs).enumerate() {
        operand(out, if k == 0 { label } else { "" }, name, input)?;
    }
    for o in &p.outputs {
        let then = if p.operation == "NONE" {
            String::new()
        } else {
            format!(" {} ", p.operation)
        };
        let blue = if o.blue_to_alpha {
            ", blue to alpha"
        } else {
            ""
        };
        row(
            out,
            "",
            format_args!(
                "{:<3} {:<6}{}{then} ->{}  to {}{blue}",
                o.name,
                o.how,
                ints(&o.value),
                ints(&o.out),
                o.register
            ),
        )?;
    }
    Ok(())
}

fn final_combiner(out: &mut impl Write, last: &FinalCombiner) -> io::Result<()> {
    for (k, (name, input)) in "ABCDEFG".chars().zip(&last.inputs).enumerate() {
        if last.e_times_f.is_none() && matches!(name, 'E' | 'F') {
            continue;
        }
        operand(out, if k == 0 { "rc final" } else { "" }, name, input)?;
    }
    if let Some(sum) = &last.spare0_plus_secondary {
        row(
            out,
            "",
            format_args!("SPARE0_PLUS_SECONDARY_COLOR {}", ints(sum)),
        )?;
    }
    if let Some(product) = &last.e_times_f {
        row(out, "", format_args!("E_TIMES_F {}", ints(product)))?;
    }
    row(
        out,
        "",
        format_args!("A B + (1 - A) C + D, G = {}", color(&last.color)),
    )
}

fn verdict(pass: bool) -> &'static str {
    if pass { "pass" } else { "FAIL" }
}

pub(super) fn test(out: &mut impl Write, label: &str, t: &Test) -> io::Result<()> {
    row(
        out,
        &format!("{label} test"),
        format_args!(
            "{:X}h ({}) {} {:X}h ({}): {}",
            t.incoming,
            t.incoming,
            t.function,
            t.stored,
            t.stored,
            verdict(t.pass)
        ),
    )
}

pub(super) fn stencil(out: &mut impl Write, s: &StencilTest) -> io::Result<()> {
    row(
        out,
        "stencil",
        format_args!(
            "reference {:02X}h {} stored {:02X}h (mask {:02X}h): {}; {}: {:02X}h -> {:02X}h (mask {:02X}h)",
            s.test.incoming,
            s.test.function,
            s.test.stored,
            s.func_mask,
            verdict(s.test.pass),
            s.operation,
            s.before,
            s.after,
            s.write_mask
        ),
    )
}

fn write(out: &mut impl Write, w: &Written) -> io::Result<()> {
    if let Some(b) = &w.blend {
        blend(out, &w.source, b)?;
    }
    let dithered = if w.dithered { ", dithered" } else { "" };
    row(
        out,
        "write",
        format_args!("{}{dithered}: packed {:08X}", w.format, w.packed),
    )?;
    if let Some((op, word)) = w.logic {
        row(out, "", format_args!("logic op   {op}: {word:08X}"))?;
    }
    let [forced, ones] = w.forced;
    let dictated = if forced == 0 {
        String::new()
    } else {
        format!(", bits {forced:08X} forced to {ones:08X}")
    };
    row(
        out,
        "",
        format_args!("mask       {:08X}{dictated}: {:08X}", w.mask, w.word),
    )
}

fn blend(out: &mut impl Write, source: &[i32; 4], b: &Blended) -> io::Result<()> {
    let factor = |names: [&'static str; 2], weight: &Option<[i32; 4]>| match weight {
        None => "   (factors do not count)".to_string(),
        Some(w) => {
            let [rgb, alpha] = names;
            let name = if rgb == alpha {
                rgb.to_string()
            } else {
                format!("{rgb}, alpha {alpha}")
            };
            format!("  x{}   {name}", ints(w))
        }
    };
    let alpha = if b.alpha_equation == b.equation {
        String::new()
    } else {
        format!(", alpha {}", b.alpha_equation)
    };
    row(out, "blend", format_args!("{}{alpha}", b.equation))?;
    row(
        out,
        "",
        format_args!(
            "source     {}{}",
            ints(source),
            factor(b.source_factor, &b.source_weight)
        ),
    )?;
    row(
        out,
        "",
        format_args!(
            "dest       {}{}",
            ints(&b.destination),
            factor(b.destination_factor, &b.destination_weight)
        ),
    )?;
    row(out, "", format_args!("result     {}", color(&b.result)))
}
