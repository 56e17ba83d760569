//! One vertex on its way through the vertex engine, step by step.

use anyhow::Context;
use isotherm::WatchedVertex;
use isotherm::vertex::VtxOut;
use isotherm::xf::Seen;
use isotherm::xf::program::Machine;
use isotherm_regs::xf::asm::statement;
use isotherm_regs::xf::isa::{Inst, Isa, Target};
use serde_json::{Map, Value, json};

/// An instruction: its slot, its text, and what it wrote.
pub type Step = (usize, String, Vec<(String, [u32; 4])>);

/// What was to be seen.
pub struct Way {
    /// The attributes.
    pub inputs: Vec<[u32; 4]>,
    /// The program's instructions; none in fixed function.
    pub steps: Vec<Step>,
    /// What fixed function computed; nothing where a program ran.
    pub seen: Vec<Seen>,
    /// The vertex behind it.
    pub out: VtxOut,
}

/// Runs the vertex and writes down what happens.
pub fn follow(found: WatchedVertex) -> anyhow::Result<Way> {
    let WatchedVertex { mut xf, vertex } = found;
    let inputs = vertex.attr.to_vec();
    if let Some((seen, out)) = xf.observe(&vertex) {
        let steps = Vec::new();
        return Ok(Way {
            inputs,
            steps,
            seen,
            out,
        });
    }
    let mut steps: Vec<Step> = Vec::new();
    let traced = xf.trace(&vertex, |slot, isa, word, inst, machine| {
        steps.push((slot, statement(isa, word), written_by(inst, isa, machine)));
    });
    let out = match traced {
        Some(out) => out,
        // Celsius, and bypass: nothing but the outputs.
        None => {
            let mut out = Vec::new();
            xf.run(&[vertex], &mut out);
            out.pop().context("no vertex came out")?
        }
    };
    Ok(Way {
        inputs,
        steps,
        seen: Vec::new(),
        out,
    })
}

impl Way {
    /// What comes out, by name; colours are not among them.
    pub fn outputs(&self) -> Vec<(String, Vec<u32>)> {
        let out = &self.out;
        let mut all = vec![
            ("window position".to_owned(), out.pos.to_vec()),
            ("1/w".to_owned(), vec![out.rw]),
            ("fog".to_owned(), vec![out.fog]),
            ("point size".to_owned(), vec![out.point_size]),
        ];
        for (i, set) in out.tex.iter().enumerate() {
            all.push((format!("tex{i}"), set.to_vec()));
        }
        if out.clip != [0; 6] {
            all.push(("clip distances".to_owned(), out.clip.to_vec()));
        }
        all
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|(slot, text, changed)| {
                let writes: Map<String, Value> = changed
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(value)))
                    .collect();
                json!({ "slot": slot, "text": text, "writes": writes })
            })
            .collect();
        let seen: Vec<Value> = self
            .seen
            .iter()
            .map(|seen| json!({ "what": seen.what, "index": seen.index, "values": seen.values }))
            .collect();
        let mut outputs: Map<String, Value> = self
            .outputs()
            .into_iter()
            .map(|(name, value)| (name, json!(value)))
            .collect();
        for (name, color) in COLORS.into_iter().zip(self.out.color) {
            outputs.insert(name.to_owned(), json!(color));
        }
        json!({ "schema": "isotherm-vsh-1", "inputs": self.inputs, "steps": steps, "seen": seen, "outputs": outputs })
    }
}

/// The four colours that come out, in order.
pub const COLORS: [&str; 4] = [
    "front diffuse",
    "front specular",
    "back diffuse",
    "back specular",
];

/// What a value of fixed function is.
pub fn name(seen: &Seen) -> String {
    match seen.index {
        Some(index) if seen.what == "texture coordinates" => format!("{} {index}", seen.what),
        Some(index) => format!("light {index} {}", seen.what),
        None => seen.what.to_owned(),
    }
}

/// What an instruction has just written.
pub fn written_by(inst: &Inst, isa: Isa, machine: &Machine) -> Vec<(String, [u32; 4])> {
    let mut changed = Vec::new();
    for dst in [inst.vec_dst, inst.sca_dst] {
        if let Some(reg) = dst
            .temp
            .filter(|_| dst.mask != 0 && !writes_address(inst, isa))
        {
            changed.push((format!("R{reg}"), machine.temporary(reg.into(), 0)));
        }
    }
    if inst.vec_dst.out_mask | inst.sca_dst.out_mask != 0 && inst.out.target == Target::Output {
        changed.push((
            format!("o[{}]", inst.out.addr),
            machine.output(inst.out.addr.into(), 0),
        ));
    }
    if writes_address(inst, isa) {
        let reg = inst.vec_dst.temp.unwrap_or(0);
        changed.push((
            format!("A{reg}"),
            machine.address(reg.into(), 0).map(|a| (a as f32).to_bits()),
        ));
    }
    changed
}

fn writes_address(inst: &Inst, isa: Isa) -> bool {
    use isotherm_regs::xf::isa::ops::Form::{AddressAdd, ToAddress};
    matches!(inst.vec_op(isa).form, ToAddress | AddressAdd)
}
