//! A Mali's fragment as text.

use super::text::{self, floats, memory, row, stencil, test};
use isotherm::observe::{MaliBlend, MaliFragment, MaliLookup, MaliStep, Outcome};
use isotherm_regs::mali::words::RSW;
use isotherm_regs::{Chip, explain};
use std::io::{self, Write};

/// Results of an instruction that stand on one row.
const PER_ROW: usize = 4;

/// How it ended.
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Killed => "discarded by the program",
        other => text::outcome(other),
    }
}

/// The words of a render state: name, word, fields.
pub fn state(words: &[u32]) -> Vec<(String, u32, String)> {
    let (words, _) = explain::record(Chip::Mali400, &RSW, words);
    let line = |word: &explain::Explained| (word.name.to_string(), word.value, word.fields());
    words.iter().map(line).collect()
}

/// The whole fragment.
pub fn fragment(out: &mut impl Write, f: &MaliFragment) -> io::Result<()> {
    row(
        out,
        "raster",
        format_args!(
            "pixel ({}, {}) in tile ({}, {}), samples {:04b}, depth {:06X}h",
            f.x, f.y, f.tile[0], f.tile[1], f.samples, f.depth
        ),
    )?;
    row(
        out,
        "state",
        format_args!(
            "render state at {:08X}h, program at {:08X}h",
            f.render_state, f.shader
        ),
    )?;
    if !f.late {
        tests(out, f)?;
    }
    if let Some(weights) = &f.weights {
        row(out, "weights", format_args!("{}", floats(weights)))?;
    }
    for (n, (name, value)) in f.varyings.iter().enumerate() {
        let label = if n == 0 { "varyings" } else { "" };
        row(out, label, format_args!("{name:<8}{value:>14}"))?;
    }
    for (n, s) in f.steps.iter().enumerate() {
        step(out, if n == 0 { "program" } else { "" }, s)?;
    }
    if let Some(color) = &f.color {
        row(out, "colour", format_args!("{}", floats(color)))?;
    }
    if let Some(t) = &f.alpha_test {
        test(out, "alpha", t)?;
    }
    if f.late {
        tests(out, f)?;
    }
    if let Some(b) = &f.blend {
        blend(out, b, &f.state)?;
    }
    memory(out, &f.before, &f.after)
}

fn tests(out: &mut impl Write, f: &MaliFragment) -> io::Result<()> {
    if let Some(s) = &f.stencil_test {
        stencil(out, s)?;
    }
    if let Some(t) = &f.depth_test {
        test(out, "depth", t)?;
    }
    Ok(())
}

fn step(out: &mut impl Write, label: &str, s: &MaliStep) -> io::Result<()> {
    row(out, label, format_args!("{}", s.text))?;
    if let Some(l) = &s.lookup {
        lookup(out, l)?;
    }
    for results in s.results.chunks(PER_ROW) {
        let shown: Vec<String> = results
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        row(out, "", format_args!("  {}", shown.join(", ")))?;
    }
    if s.killed {
        row(out, "", format_args!("  discarded"))?;
    }
    Ok(())
}

fn lookup(out: &mut impl Write, l: &MaliLookup) -> io::Result<()> {
    let size = l.size.map_or("no texture".to_string(), |[w, h, layers]| {
        if layers > 1 {
            format!("{w}x{h}, {layers} layers")
        } else {
            format!("{w}x{h}")
        }
    });
    let face = l.face.map_or(String::new(), |face| {
        let name = ["+X", "-X", "+Y", "-Y", "+Z", "-Z"][usize::from(face) % 6];
        format!("   face {name}")
    });
    let lod = l.lod.map_or(String::new(), |lod| format!("   lod {lod}"));
    row(
        out,
        "",
        format_args!(
            "  sampler {} ({size}) at{}{face}{lod}",
            l.sampler,
            floats(&l.coords)
        ),
    )?;
    for level in &l.levels {
        for t in &level.texels {
            let [x, y, z] = t.at;
            let border = if x < 0 || y < 0 { "   border" } else { "" };
            row(
                out,
                "",
                format_args!(
                    "  level {} texel ({x:>4}, {y:>4}, {z})  {}   weight {:.6}{border}",
                    level.level,
                    floats(&t.value),
                    t.weight * level.share
                ),
            )?;
        }
    }
    Ok(())
}

fn blend(out: &mut impl Write, b: &MaliBlend, state: &[u32]) -> io::Result<()> {
    let how = explain::record(Chip::Mali400, &RSW, state).0;
    let how = how.iter().find(|word| word.name == "RSW_BLEND");
    let how = how.map_or(String::new(), |word| word.fields());
    row(out, "blend", format_args!("{how}"))?;
    row(out, "", format_args!("source     {}", floats(&b.source)))?;
    let bytes = |c: &[u8; 4]| c.map(|v| format!("{v:>5}")).concat();
    row(
        out,
        "",
        format_args!("dest       {}", bytes(&b.destination)),
    )?;
    row(out, "", format_args!("result     {}", bytes(&b.result)))
}
