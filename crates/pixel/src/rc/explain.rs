//! What the combiners do to one lane, by the functions that do it to all.

use super::general::{self, operand, product};
use super::{Combiners, Input, Op, Portion, Registers, Stage, arith, final_combiner, reg};
use crate::frag::I;
use isotherm_bus::observe::name;
use isotherm_bus::observe::{Combiner, FinalCombiner, Operand, Output};
use isotherm_lanes::fixed::div255_signed;
use isotherm_regs::bundle as b;

impl Combiners {
    /// Runs all combiners as [`Combiners::run`] does and says what lane `lane` saw.
    pub(crate) fn explain(
        &self,
        regs: &mut Registers,
        lane: usize,
    ) -> (Vec<Combiner>, FinalCombiner) {
        self.start(regs);
        let mut combiners = Vec::new();
        for (n, (stage, factors)) in self
            .control
            .stages()
            .iter()
            .zip(&self.data.factors)
            .enumerate()
        {
            Combiners::factors(regs, factors);
            combiners.push(general_combiner(n, stage, self.control.mux_msb, regs, lane));
            general::run(stage, self.control.mux_msb, regs);
        }
        Combiners::factors(regs, &self.data.final_factors);
        let color = final_combiner::run(&self.control.last, regs);
        let inputs = self.control.last.inputs;
        let uses = |r: usize| inputs.iter().any(|i| i.reg as usize == r);
        let rgb = |r: usize| uses(r).then(|| [0, 1, 2].map(|c| regs[r][c][lane]));
        let last = FinalCombiner {
            inputs: (0..7)
                .map(|k| {
                    // G is the alpha, and reads blue where it does not read alpha.
                    let channels: &[usize] = if k == 6 { &[2] } else { &[0, 1, 2] };
                    let from = inputs[k];
                    let value = |c: usize| final_combiner::operand(regs, from, c)[lane];
                    let value = channels.iter().map(|&c| value(c)).collect();
                    explain(regs, from, channels, value, lane)
                })
                .collect(),
            spare0_plus_secondary: rgb(reg::SPARE0_PLUS_COL1),
            e_times_f: rgb(reg::E_TIMES_F),
            color: color.map(|c| c[lane]),
        };
        (combiners, last)
    }
}

fn explain(
    regs: &Registers,
    from: Input,
    channels: &[usize],
    value: Vec<i32>,
    lane: usize,
) -> Operand {
    let r = &regs[from.reg as usize];
    let channel = |c: usize| if from.alpha { 3 } else { c };
    Operand {
        register: name(b::RC_REGISTER::VALUES, from.reg.into()),
        component: match (from.alpha, channels.len()) {
            (true, _) => "ALPHA",
            (false, 1) => "BLUE",
            (false, _) => "RGB",
        },
        mapping: name(b::RC_MAPPING::VALUES, from.map as u32),
        raw: channels.iter().map(|&c| r[channel(c)][lane]).collect(),
        value,
    }
}

fn general_combiner(n: usize, stage: &Stage, msb: bool, regs: &Registers, lane: usize) -> Combiner {
    let picks_cd = general::pick(stage, msb, regs)[lane] != 0;
    let half = |p: &Portion, rgb: bool| {
        if p.idle() {
            None
        } else if rgb {
            Some(portion::<3>(p, picks_cd, regs, lane))
        } else {
            Some(portion::<1>(p, picks_cd, regs, lane))
        }
    };
    Combiner {
        stage: n,
        rgb: half(&stage.rgb, true),
        alpha: half(&stage.alpha, false),
    }
}

fn portion<const N: usize>(
    p: &Portion,
    picks_cd: bool,
    regs: &Registers,
    lane: usize,
) -> isotherm_bus::observe::Portion {
    let channels: &[usize] = if N == 1 { &[2] } else { &[0, 1, 2] };
    let values = p.inputs.map(|from| operand::<N>(regs, from));
    let half = |k: usize, dot: bool| -> [I; N] {
        product(&values[k], &values[k + 1], dot).map(|t| arith::map1(&t, div255_signed))
    };
    let (ab, cd) = (half(0, p.ab_dot), half(2, p.cd_dot));
    let (sum, sum_how) = match (p.mux, picks_cd) {
        (true, false) => (ab, "MUX_AB"),
        (true, true) => (cd, "MUX_CD"),
        (false, _) => (
            std::array::from_fn(|c| arith::map2(&ab[c], &cd[c], |x, y| x + y)),
            "SUM",
        ),
    };
    let how = |dot: bool| if dot && N == 3 { "DOT" } else { "MUL" };
    let outputs = [
        ("AB", how(p.ab_dot), ab, p.ab, p.ab_blue_to_alpha),
        ("CD", how(p.cd_dot), cd, p.cd, p.cd_blue_to_alpha),
        ("SUM", sum_how, sum, p.sum, false),
    ];
    let output = |(label, how, value, to, blue_to_alpha): (&'static str, _, [I; N], u8, bool)| {
        (to != 0).then(|| Output {
            name: label,
            how,
            value: value.iter().map(|v| v[lane]).collect(),
            out: value.iter().map(|v| arith::output(v, p.op)[lane]).collect(),
            register: name(b::RC_REGISTER::VALUES, to.into()),
            blue_to_alpha,
        })
    };
    isotherm_bus::observe::Portion {
        inputs: (0..4)
            .map(|k| {
                let value = values[k].iter().map(|v| v[lane]).collect();
                explain(regs, p.inputs[k], channels, value, lane)
            })
            .collect(),
        operation: operation(p.op),
        outputs: outputs.into_iter().filter_map(output).collect(),
    }
}

fn operation(op: Op) -> &'static str {
    match op {
        Op::Identity => "NONE",
        Op::Bias => "BIAS",
        Op::ShiftLeft1 => "SCALE_BY_TWO",
        Op::ShiftLeft1Bias => "BIAS, SCALE_BY_TWO",
        Op::ShiftLeft2 => "SCALE_BY_FOUR",
        Op::ShiftRight1 => "SCALE_BY_ONE_HALF",
    }
}
