//! Explanations of any state: each value follows from those before it, by arithmetic of the
//! test's own.

use super::*;
use isotherm_bus::observe::{Operand, Portion};
use std::collections::BTreeMap;

const LANE: usize = 5;

fn mapped(operand: &Operand) -> Vec<i32> {
    let map = |x: i32| {
        let plus = if x < 0 { 0 } else { x };
        match operand.mapping {
            "UNSIGNED_IDENTITY" => plus,
            "UNSIGNED_INVERT" => 255 - plus,
            "EXPAND_NORMAL" => 2 * plus - 255,
            "EXPAND_NEGATE" => 255 - 2 * plus,
            "HALF_BIAS_NORMAL" => plus - 128,
            "HALF_BIAS_NEGATE" => 128 - plus,
            "SIGNED_IDENTITY" => x,
            "SIGNED_NEGATE" => -x,
            other => panic!("{other}"),
        }
    };
    operand.raw.iter().map(|x| map(*x)).collect()
}

/// To the nearest 255th; there are no ties.
fn nearest(x: i32) -> i32 {
    (f64::from(x) / 255.0).round() as i32
}

fn operated(operation: &str, x: i32) -> i32 {
    let x = match operation {
        "NONE" => x,
        "BIAS" => x - 128,
        "SCALE_BY_TWO" => 2 * x,
        "BIAS, SCALE_BY_TWO" => 2 * (x - 128),
        "SCALE_BY_FOUR" => 4 * x,
        "SCALE_BY_ONE_HALF" => (x + 1).div_euclid(2),
        other => panic!("{other}"),
    };
    x.clamp(-255, 255)
}

/// Products and sum of a half from its inputs; what it said has to be that.
fn check(portion: &Portion) {
    let inputs: Vec<Vec<i32>> = portion.inputs.iter().map(mapped).collect();
    let said: Vec<_> = portion
        .inputs
        .iter()
        .map(|input| input.value.clone())
        .collect();
    assert_eq!(said, inputs);
    let how = |name: &str| {
        let found = portion.outputs.iter().find(|output| output.name == name);
        found.map(|output| output.how)
    };
    let product = |name: &str, a: &[i32], b: &[i32]| -> Vec<Vec<i32>> {
        let each: Vec<i32> = a.iter().zip(b).map(|(a, b)| a * b).collect();
        let single = each.iter().map(|x| nearest(*x)).collect();
        let dot = vec![nearest(each.iter().sum()); each.len()];
        match how(name) {
            Some("DOT") => vec![dot],
            Some(_) => vec![single],
            // It goes nowhere, so that only the sum could tell.
            None => vec![single, dot],
        }
    };
    let ab = product("AB", &inputs[0], &inputs[1]);
    let cd = product("CD", &inputs[2], &inputs[3]);
    for output in &portion.outputs {
        let plus = |a: &Vec<i32>, b: &Vec<i32>| a.iter().zip(b).map(|(a, b)| a + b).collect();
        let wanted: Vec<Vec<i32>> = match (output.name, output.how) {
            ("AB", _) => ab.clone(),
            ("CD", _) => cd.clone(),
            ("SUM", "MUX_AB") => ab.clone(),
            ("SUM", "MUX_CD") => cd.clone(),
            ("SUM", "SUM") => ab
                .iter()
                .flat_map(|a| cd.iter().map(move |b| plus(a, b)))
                .collect(),
            other => panic!("{other:?}"),
        };
        assert!(wanted.contains(&output.value), "{portion:?}");
        let out = output.value.iter().map(|x| operated(portion.operation, *x));
        assert_eq!(out.collect::<Vec<_>>(), output.out, "{portion:?}");
    }
}

/// Registers by name, as the explanation lets them be known.
#[derive(Default)]
struct Told(BTreeMap<(&'static str, usize), i32>);

impl Told {
    /// An input is what was written last, where that was told.
    fn read(&self, input: &Operand, rgb: bool) {
        for (c, raw) in input.raw.iter().enumerate() {
            let channel = match (input.component, rgb) {
                ("ALPHA", _) => 3,
                (_, true) => c,
                _ => 2,
            };
            if let Some(told) = self.0.get(&(input.register, channel)) {
                assert_eq!(raw, told, "{input:?}");
            }
        }
    }

    fn write(&mut self, portion: &Portion, rgb: bool) {
        for output in &portion.outputs {
            for (c, value) in output.out.iter().enumerate() {
                let channel = if rgb { c } else { 3 };
                self.0.insert((output.register, channel), *value);
            }
        }
        for output in portion.outputs.iter().filter(|output| output.blue_to_alpha) {
            self.0.insert((output.register, 3), output.out[2]);
        }
    }
}

#[test]
fn explanations_follow_from_their_inputs() {
    let mut r = Random(17);
    for round in 0..1500 {
        let rc = Combiners::prepare(Chip::Nv2a, &words(&mut r));
        let known = known([TextureRange::Unsigned, TextureRange::Signed][round % 2]);
        let (mut regs, _) = block(&mut r, &known);
        let mut copy = regs;
        let (stages, last) = rc.explain(&mut regs, LANE);
        let color = rc.run(&mut copy);
        assert_eq!(last.color, color.map(|c| c[LANE]), "round {round}");
        assert_eq!(stages.len(), rc.control.stages().len());
        let mut told = Told::default();
        for (n, stage) in stages.iter().enumerate() {
            assert_eq!(stage.stage, n);
            let halves = [(&stage.rgb, true), (&stage.alpha, false)];
            let halves = halves.map(|(half, rgb)| half.as_ref().map(|half| (half, rgb)));
            for (half, rgb) in halves.into_iter().flatten() {
                check(half);
                half.inputs.iter().for_each(|input| told.read(input, rgb));
            }
            for (half, rgb) in halves.into_iter().flatten() {
                told.write(half, rgb);
            }
        }
        finish(&last, &told);
    }
}

/// The final combiner: A B + (1 - A) C + D, all of them from 0 to 1.
fn finish(last: &isotherm_bus::observe::FinalCombiner, told: &Told) {
    let named = |input: &Operand, name: &str| input.register.contains(name);
    for (k, input) in last.inputs.iter().enumerate() {
        let derived = input.register.contains("PLUS") || input.register.contains("TIMES");
        if !derived {
            told.read(input, k < 6);
        }
        let top = if named(input, "PLUS") { 510 } else { 255 };
        for (raw, value) in input.raw.iter().zip(&input.value) {
            let want = match input.mapping {
                "UNSIGNED_INVERT" => 255 - (*raw).clamp(0, 255),
                _ => (*raw).clamp(0, top),
            };
            assert_eq!(*value, want, "{input:?}");
        }
    }
    let [a, b, c, d, e, f, g] = &last.inputs[..] else {
        panic!("seven inputs");
    };
    for k in 0..3 {
        let [a, b, c, d] = [a, b, c, d].map(|input| input.value[k]);
        let want = (nearest(a * b + (255 - a) * c) + d).clamp(0, 255);
        assert_eq!(last.color[k], want, "{last:?}");
        // Unless they read what they are about to make.
        let circle = named(e, "TIMES") || named(f, "TIMES");
        if let Some(product) = last.e_times_f.filter(|_| !circle) {
            assert_eq!(product[k], nearest(e.value[k] * f.value[k]));
        }
    }
    assert_eq!(last.color[3], g.value[0].clamp(0, 255));
    let reads = |name: &str| last.inputs.iter().any(|input| named(input, name));
    assert_eq!(last.e_times_f.is_some(), reads("TIMES"));
    assert_eq!(last.spare0_plus_secondary.is_some(), reads("PLUS"));
}
