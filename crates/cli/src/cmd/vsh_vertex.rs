//! `isotherm vsh run CAPTURE --draw N --vertex K`: a vertex of a capture on its way
//! through the vertex engine.

use super::replay::open;
use super::vsh::{Step, numbers, written_by};
use anyhow::Context;
use isotherm::WatchedVertex;
use isotherm::gpu;
use isotherm::vertex::VtxOut;
use isotherm::xf::Seen;
use isotherm_regs::xf::asm::statement;
use serde_json::{Map, Value, json};
use std::path::Path;

/// What was to be seen.
struct Way {
    inputs: Vec<[u32; 4]>,
    steps: Vec<Step>,
    seen: Vec<Seen>,
    out: VtxOut,
}

/// Replays to the draw, and shows the vertex.
pub fn run(
    path: &Path,
    draw: u64,
    vertex: usize,
    quiet: bool,
    as_json: bool,
) -> anyhow::Result<()> {
    let mut reader = open(path)?;
    let mut gpu = gpu::start(&mut reader)?;
    gpu.set_until_draw(Some(draw));
    gpu.watch_vertex(draw.saturating_sub(1), vertex);
    while let Some(record) = reader.next_record()? {
        gpu.record(record)?;
        if gpu.draws() >= draw {
            break;
        }
    }
    let draws = gpu.draws();
    let found = gpu.watched_vertex().with_context(|| {
        let name = crate::input::name(path);
        if (1..=draws).contains(&draw) {
            format!("{name}: draw {draw} has no vertex {vertex}")
        } else {
            crate::usage::no_draw(&name, draw, draws).to_string()
        }
    })?;
    let way = follow(found)?;
    if as_json {
        say!("{}", way.json());
    } else {
        way.print(quiet)?;
    }
    Ok(())
}

fn follow(found: WatchedVertex) -> anyhow::Result<Way> {
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
    fn print(&self, quiet: bool) -> anyhow::Result<()> {
        if !quiet {
            for (i, value) in self.inputs.iter().enumerate() {
                say!("v[{i}] = {}", numbers(value));
            }
            for (slot, text, changed) in &self.steps {
                say!("{slot:4}  {text}");
                for (name, value) in changed {
                    say!("        {name} = {}", numbers(value));
                }
            }
            for seen in &self.seen {
                say!("{} = {}", name(seen), numbers(&seen.values));
            }
        }
        for (name, value) in self.outputs() {
            say!("{name} = {}", numbers(&value));
        }
        for (name, color) in COLORS.into_iter().zip(self.out.color) {
            let [r, g, b, a] = color;
            say!("{name} = {r:02x} {g:02x} {b:02x} {a:02x}");
        }
        Ok(())
    }

    fn outputs(&self) -> Vec<(String, Vec<u32>)> {
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

    fn json(&self) -> Value {
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

const COLORS: [&str; 4] = [
    "front diffuse",
    "front specular",
    "back diffuse",
    "back specular",
];

fn name(seen: &Seen) -> String {
    match seen.index {
        Some(index) if seen.what == "texture coordinates" => format!("{} {index}", seen.what),
        Some(index) => format!("light {index} {}", seen.what),
        None => seen.what.to_owned(),
    }
}
