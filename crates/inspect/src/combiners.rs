//! Register combiners as a listing that reads like a program.

use crate::follow::Mirror;
use isotherm_regs::bundle::{self as id, Bundle, RC_CONFIG};
use isotherm_regs::{Chip, Family, text};
use std::fmt::Write;

/// The stages that are on, and the final combiner.
pub fn listing(mirror: &Mirror) -> String {
    let (chip, words) = (mirror.chip, &mirror.words);
    let stages = match chip.family() {
        Family::Celsius => 2,
        _ => RC_CONFIG::NUM_COMBINERS
            .get(chip, words.get(id::RC_CONFIG))
            .clamp(1, 8) as usize,
    };
    let mut out = String::new();
    for stage in 0..stages {
        let factor = |bundle: Bundle| words.at(bundle, stage);
        let _ = writeln!(
            out,
            "stage {stage}  constants {:08x} {:08x}",
            factor(id::RC_FACTOR_A),
            factor(id::RC_FACTOR_B)
        );
        for (half, inputs, outputs) in [
            ("rgb", id::RC_IN_COLOR, id::RC_OUT_COLOR),
            ("alpha", id::RC_IN_ALPHA, id::RC_OUT_ALPHA),
        ] {
            let inputs = Word::new(chip, inputs, words.at(inputs, stage));
            let outputs = Word::new(chip, outputs, words.at(outputs, stage));
            portion(&mut out, half, &inputs, &outputs);
        }
    }
    let a = Word::new(chip, id::RC_FINAL_A, words.get(id::RC_FINAL_A));
    let b = Word::new(chip, id::RC_FINAL_B, words.get(id::RC_FINAL_B));
    let _ = writeln!(
        out,
        "final\n  rgb    {} * {} + (1 - A) * {} + {}",
        a.operand('A'),
        a.operand('B'),
        a.operand('C'),
        a.operand('D')
    );
    let _ = writeln!(out, "  alpha  {}", b.operand('G'));
    let _ = writeln!(out, "  E * F  {} * {}", b.operand('E'), b.operand('F'));
    out
}

fn portion(out: &mut String, half: &str, inputs: &Word, outputs: &Word) {
    let product = |a: char, b: char, how: &str| {
        let sign = if outputs.on(how) { "." } else { "*" };
        format!("{} {sign} {}", inputs.operand(a), inputs.operand(b))
    };
    let ab = product('A', 'B', "AB_DOT_PRODUCT");
    let cd = product('C', 'D', "CD_DOT_PRODUCT");
    let sum = if outputs.on("MUX_SUM") {
        "SPARE0.a < 1/2 ? CD : AB"
    } else {
        "AB + CD"
    };
    let mut written = false;
    for (name, what) in [("AB", ab.as_str()), ("CD", &cd), ("SUM", sum)] {
        let register = outputs.field(&format!("{name}_OUTPUT"));
        if register.is_empty() || register == "ZERO" {
            continue;
        }
        // The sum is of both products: show them where they are not written themselves.
        let what = match name {
            "SUM" if !outputs.on("MUX_SUM") => format!("{ab} + {cd}"),
            _ => what.to_string(),
        };
        let _ = writeln!(
            out,
            "  {half:<6} {register} = {what}{}",
            outputs.operation()
        );
        written = true;
    }
    if !written {
        let _ = writeln!(out, "  {half:<6} writes nothing");
    }
}

struct Word {
    chip: Chip,
    word: &'static isotherm_regs::Word,
    value: u32,
}

impl Word {
    fn new(chip: Chip, bundle: Bundle, value: u32) -> Word {
        Word {
            chip,
            word: bundle.word(),
            value,
        }
    }

    /// A field's text, empty if the chip has none.
    fn field(&self, name: &str) -> String {
        let field = self.word.field(self.chip, name);
        field
            .and_then(|field| text::format_field(self.chip, field, self.value))
            .unwrap_or_default()
    }

    fn on(&self, name: &str) -> bool {
        let field = self.word.field(self.chip, name);
        field.is_some_and(|field| field.get(self.chip, self.value) != 0)
    }

    /// An operand: `expand(TEXTURE0.rgb)`.
    fn operand(&self, letter: char) -> String {
        let register = self.field(&format!("{letter}_INPUT"));
        let part = match self.field(&format!("{letter}_COMPONENT_USAGE")).as_str() {
            "ALPHA" => ".a",
            "BLUE" => ".b",
            _ => "",
        };
        let value = format!("{register}{part}");
        match self.field(&format!("{letter}_MAPPING")).as_str() {
            "UNSIGNED_INVERT" if register == "ZERO" => "1".into(),
            "UNSIGNED_INVERT" => format!("(1 - {value})"),
            "EXPAND_NORMAL" => format!("(2 {value} - 1)"),
            "EXPAND_NEGATE" => format!("(1 - 2 {value})"),
            "HALF_BIAS_NORMAL" => format!("({value} - 1/2)"),
            "HALF_BIAS_NEGATE" => format!("(1/2 - {value})"),
            "SIGNED_IDENTITY" => format!("signed {value}"),
            "SIGNED_NEGATE" => format!("(-{value})"),
            _ if register == "ZERO" => "0".into(),
            _ => value,
        }
    }

    /// Bias and scale of the results.
    fn operation(&self) -> String {
        let mut text = String::new();
        if self.on("BIAS") {
            text += ", less 1/2";
        }
        if self.on("SCALE") {
            let _ = write!(text, ", scale {}", self.field("SCALE"));
        }
        text
    }
}
