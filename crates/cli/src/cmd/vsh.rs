//! `isotherm vsh`: run a vertex program on one vertex.

use super::{asm, disasm, vsh_mali, vsh_vertex};
use crate::{input, usage};
use anyhow::{Context, bail};
use isotherm::capture::Reader;
use isotherm::programs::vertex as uploads;
use isotherm::vertex::VtxIn;
use isotherm::xf::Results;
use isotherm::xf::program::{Env, Tbuf, Xfpr, trace};
use isotherm_inspect::follow;
use isotherm_inspect::vertex::{Step, written_by};
use isotherm_regs::xf::asm::{Program, statement};
use isotherm_regs::xf::isa::Isa;
use std::io::Write;
use std::path::PathBuf;

/// Options of `isotherm vsh`.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Run a program on one vertex and show every step.
    Run(RunArgs),
}

#[derive(clap::Args)]
struct RunArgs {
    /// Program text, words (with --isa), or a capture (with --draw), whose
    /// constants are then taken, too. Of a Mali's capture a draw's vertex is shown, the first
    /// unless --vertex says otherwise.
    program: PathBuf,
    /// An input: attribute=x,y,z,w. Numbers, or bit patterns as 0x….
    #[arg(short, long, value_name = "N=X,Y,Z,W")]
    input: Vec<String>,
    /// A context row: row=x,y,z,w.
    #[arg(short, long = "const", value_name = "N=X,Y,Z,W")]
    constant: Vec<String>,
    /// The draw of a capture, from 1.
    #[arg(long, value_name = "N")]
    draw: Option<u64>,
    /// Replay the capture to that draw and show what becomes of its vertex K, from 0: its
    /// inputs, every step of the program or of fixed function, its outputs.
    #[arg(long, value_name = "K", requires = "draw", conflicts_with_all = ["input", "constant"])]
    vertex: Option<usize>,
    /// Instruction set of words and of text without a `!!VP…` line.
    #[arg(long)]
    isa: Option<Isa>,
    /// First slot to run; the program's first by default.
    #[arg(long)]
    start: Option<usize>,
    /// Rankine and Curie: IEEE rules instead of "zero times anything is zero".
    #[arg(long)]
    ieee: bool,
    /// Instructions that may run.
    #[arg(long, default_value_t = 0xffff)]
    timeout: u32,
    /// Let the program write context rows.
    #[arg(long)]
    side_effects: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Dispatches.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.command {
        Command::Run(args) if is_mali(&args.program)? => {
            let given = !args.input.is_empty() || !args.constant.is_empty();
            if given || args.start.is_some() || args.side_effects || args.ieee {
                return Err(usage::usage(
                    "of a Mali's capture a vertex is run as it is: --draw and --vertex choose it; --input, --const, --start, --ieee and --side-effects are for programs of NVIDIA chips",
                ));
            }
            let quiet = crate::output::quiet();
            vsh_mali::run(&args.program, args.draw, args.vertex, quiet, args.json)
        }
        Command::Run(args) => match (args.vertex, args.draw) {
            (Some(vertex), Some(draw)) => vsh_vertex::run(
                &args.program,
                draw,
                vertex,
                crate::output::quiet(),
                args.json,
            ),
            _ => run_program(args),
        },
    }
}

/// Is it a capture of a Mali?
fn is_mali(path: &std::path::Path) -> anyhow::Result<bool> {
    if !input::is_capture(path) {
        return Ok(false);
    }
    let gpu =
        isotherm::gpu::start(&mut input::open_capture(path)?).with_context(|| input::name(path))?;
    Ok(gpu.chip().family() == isotherm::Family::Utgard)
}

/// A program with where it starts and the context it came with.
struct Loaded {
    program: Program,
    start: usize,
    ctx: Vec<[u32; 4]>,
}

/// Context rows of the largest chip.
const ROWS: usize = 0x220;

fn load(args: &RunArgs) -> anyhow::Result<Loaded> {
    let name = input::name(&args.program);
    let plain = |program: Program| Loaded {
        start: program.org.into(),
        program,
        ctx: vec![[0; 4]; ROWS],
    };
    Ok(
        match disasm::sniff(input::bytes(&args.program)?).with_context(|| name.clone())? {
            disasm::Source::Text(text) => plain(asm::parse(&name, &text, args.isa)?),
            disasm::Source::Words(words) => {
                let isa = args.isa.with_context(|| {
                    format!("{name}: words need --isa kelvin, rankine or curie")
                })?;
                plain(Program::from_upload(isa, 0, &words))
            }
            disasm::Source::Capture(bytes) => {
                let mut found = None;
                let wanted = args.draw.unwrap_or(0);
                uploads::draws(Reader::new(&bytes[..])?, |draw| {
                    // Without --draw: the first that runs a program.
                    if draw.number < wanted && args.draw.is_some() {
                        return true;
                    }
                    if args.draw.is_none_or(|n| n == draw.number) {
                        found = Some(Loaded {
                            program: draw.program(),
                            start: draw.start(),
                            ctx: draw.ctx().to_vec(),
                        });
                    }
                    false
                })
                .with_context(|| name.clone())?;
                match found {
                    Some(found) => found,
                    None => return Err(none_found(&name, args.draw, &bytes)?),
                }
            }
        },
    )
}

/// Why no vertex program was found.
fn none_found(name: &str, draw: Option<u64>, bytes: &[u8]) -> anyhow::Result<anyhow::Error> {
    let draws = follow::count_draws(&mut Reader::new(bytes)?)?;
    Ok(match draw {
        Some(draw) if draw == 0 || draw > draws => usage::no_draw(name, draw, draws),
        Some(draw) => anyhow::anyhow!(
            "{name}: draw {draw} runs no vertex program, its vertices go through fixed function; --vertex 0 shows one"
        ),
        None => anyhow::anyhow!("{name}: no draw runs a vertex program"),
    })
}

/// `3=1,0.5,0,0x3f800000`; missing components are 0, 0, 0, 1.
fn row(text: &str, rows: usize) -> anyhow::Result<(usize, [u32; 4])> {
    let expected = || format!("`{text}`: expected N=X,Y,Z,W with N below {rows}");
    let (number, values) = text.split_once('=').with_context(expected)?;
    let number: usize = number.trim().parse().with_context(expected)?;
    if number >= rows {
        bail!("{}", expected());
    }
    let mut row = [0, 0, 0, 1f32.to_bits()];
    for (i, value) in values.split(',').enumerate() {
        let value = value.trim();
        let bits = match value.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).with_context(expected)?,
            None => value.parse::<f32>().with_context(expected)?.to_bits(),
        };
        *row.get_mut(i).with_context(expected)? = bits;
    }
    Ok((number, row))
}

fn run_program(args: &RunArgs) -> anyhow::Result<()> {
    let Loaded {
        program,
        start,
        mut ctx,
    } = load(args)?;
    let mut vertex = VtxIn {
        attr: [[0, 0, 0, 1f32.to_bits()]; 16],
        edge_flag: true,
    };
    for text in &args.input {
        let (n, value) = row(text, 16)?;
        vertex.attr[n] = value;
    }
    for text in &args.constant {
        let (n, value) = row(text, ROWS)?;
        ctx[n] = value;
    }
    let mut xfpr = Xfpr::new(program.isa);
    for (i, word) in program.words.iter().enumerate() {
        xfpr.write(usize::from(program.org) + i, word.to_upload());
    }
    let plan = xfpr.plan(args.start.unwrap_or(start));
    let base = plan.base();
    let env = Env {
        timeout: args.timeout,
        ieee: args.ieee,
        ..Env::default()
    };
    let before = ctx.clone();
    let mut steps = Vec::new();
    let results = trace(
        &plan,
        &env,
        &mut ctx,
        &mut Tbuf::default(),
        &vertex,
        |at, inst, machine| {
            let word = program
                .words
                .get((base + at).wrapping_sub(program.org.into()))
                .copied()
                .unwrap_or_default();
            let text = statement(program.isa, word);
            let changed = written_by(inst, program.isa, machine);
            steps.push((base + at, text, changed));
        },
    );
    if !args.side_effects {
        ctx.clone_from(&before);
    }
    if plan.unterminated {
        note!("the program has no END; it ran to the end of the memory");
    }
    let written = (0..ROWS)
        .filter(|&r| ctx[r] != before[r])
        .map(|r| (r, ctx[r]))
        .collect::<Vec<_>>();
    let mut out = std::io::stdout().lock();
    if args.json {
        json(&mut out, &steps, &results, &written)
    } else {
        text(&mut out, crate::output::quiet(), &steps, &results, &written)
    }
}

/// The outputs by name.
fn outputs(r: &Results) -> Vec<(&'static str, Vec<u32>)> {
    let tex = [
        "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6", "TEX7",
    ];
    let mut all = vec![("HPOS", r.pos.to_vec())];
    all.extend(
        ["COL0", "COL1", "BFC0", "BFC1"]
            .into_iter()
            .zip(r.color.map(|c| c.to_vec())),
    );
    all.push(("FOGC", vec![r.fog]));
    all.push(("PSIZ", vec![r.point_size]));
    all.extend(tex.into_iter().zip(r.tex.map(|t| t.to_vec())));
    if r.clip != [0; 6] {
        all.push(("CLP0-5", r.clip.to_vec()));
    }
    all
}

pub(super) fn numbers(row: &[u32]) -> String {
    let shown: Vec<String> = row
        .iter()
        .map(|&x| format!("{} ({x:08x})", f32::from_bits(x)))
        .collect();
    shown.join(", ")
}

fn text(
    out: &mut impl Write,
    quiet: bool,
    steps: &[Step],
    results: &Results,
    written: &[(usize, [u32; 4])],
) -> anyhow::Result<()> {
    if !quiet {
        for (slot, text, changed) in steps {
            writeln!(out, "{slot:4}  {text}")?;
            for (name, value) in changed {
                writeln!(out, "        {name} = {}", numbers(value))?;
            }
        }
        writeln!(out, "{} instructions", steps.len())?;
    }
    for (name, value) in outputs(results) {
        writeln!(out, "o[{name}] = {}", numbers(&value))?;
    }
    for (row, value) in written {
        writeln!(out, "c[{row}] = {}", numbers(value))?;
    }
    Ok(())
}

fn json(
    out: &mut impl Write,
    steps: &[Step],
    results: &Results,
    written: &[(usize, [u32; 4])],
) -> anyhow::Result<()> {
    let steps: Vec<_> = steps
        .iter()
        .map(|(slot, text, changed)| {
            let changed: serde_json::Map<_, _> = changed
                .iter()
                .map(|(name, value)| (name.clone(), serde_json::json!(value)))
                .collect();
            serde_json::json!({ "slot": slot, "text": text, "writes": changed })
        })
        .collect();
    let outputs: serde_json::Map<_, _> = outputs(results)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), serde_json::json!(value)))
        .collect();
    let ctx: serde_json::Map<_, _> = written
        .iter()
        .map(|(row, value)| (row.to_string(), serde_json::json!(value)))
        .collect();
    writeln!(
        out,
        "{}",
        serde_json::json!({ "schema": "isotherm-vsh-1", "steps": steps, "outputs": outputs, "context": ctx })
    )?;
    Ok(())
}
