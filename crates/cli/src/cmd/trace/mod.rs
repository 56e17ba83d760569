//! `isotherm trace`: what a capture's commands do, as text or JSON lines.

mod mali;
mod names;
mod nv;
mod output;
mod query;

pub use names::{PRIMS, set_fields};

use super::replay::open;
use anyhow::{Context, bail};
use isotherm::Family;
use isotherm::gpu;
use output::{Output, Progress};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The version of the JSON.
const SCHEMA: &str = "isotherm-trace-1";

/// Options of `isotherm trace`.
#[derive(clap::Args)]
pub struct Args {
    /// The capture; `-` is standard input.
    capture: PathBuf,
    /// JSON, one object per line.
    #[arg(long)]
    json: bool,
    /// Call methods and words as headers, drivers and emulators do: NV097_SET_BLEND_ENABLE,
    /// NV_PGRAPH_BLEND, NV40_3D_BLEND_FUNC_ENABLE.
    #[arg(long)]
    names: bool,
    /// Only methods.
    #[arg(long)]
    methods: bool,
    /// Only what the front end emits.
    #[arg(long, conflicts_with = "methods")]
    bundles: bool,
    /// Only what belongs to this draw (from 1).
    #[arg(long, value_name = "N")]
    draw: Option<u64>,
    /// Leave out bundles that repeat the word they already have.
    #[arg(long)]
    only_changed: bool,
    /// Only what goes to this unit: idx, xf, assm, raster, zcull, tex, shader, rc, rop.
    #[arg(long)]
    unit: Option<String>,
    /// For each bundle, the units that took it and those that passed it on.
    #[arg(long)]
    route: bool,
    /// Print this register, or a field of it (`BLEND`, `BLEND.BLEND_EQUATION`, `TEX_FILTER[1]`,
    /// `XFMODE_B`, `xfctx[0x3b].x`, a method's data as `97:BLEND_EQUATION`, on a Mali `rsw[2]`),
    /// at each draw. May be given several times.
    #[arg(long, value_name = "REGISTER[.FIELD]")]
    query: Vec<String>,
    /// With --query: only at draws where a value is another than at the draw before.
    #[arg(long, requires = "query")]
    query_delta: bool,
    /// On a Mali: the fragment program of a draw to the right of its render state.
    #[arg(long, conflicts_with_all = ["query", "summary", "json"])]
    side_by_side: bool,
    /// With --side-by-side: how wide, at least 80; without it the environment's COLUMNS, else
    /// 160.
    #[arg(long, value_name = "N", requires = "side_by_side")]
    columns: Option<u16>,
    /// A paragraph per draw: primitive, vertices, and the words changed since the last draw;
    /// in the end the counts.
    #[arg(long, conflicts_with = "query")]
    summary: bool,
}

impl Args {
    /// Columns for what lies side by side.
    fn columns(&self) -> usize {
        let terminal = || std::env::var("COLUMNS").ok()?.parse().ok();
        usize::from(self.columns.or_else(terminal).unwrap_or(160))
    }
}

/// Asked for something that is not there.
fn bad_use(error: anyhow::Error) -> anyhow::Error {
    crate::usage::usage(format!("{error:#}"))
}

/// Traces a capture.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let name = || crate::input::name(&args.capture);
    let mut reader = open(&args.capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    gpu.set_drawing(false);
    if gpu.chip().family() == Family::Utgard {
        return mali::run(args, reader, gpu);
    }
    if args.side_by_side {
        return Err(crate::usage::usage(
            "--side-by-side is for Malis, whose draws have a render state",
        ));
    }
    let tracer = nv::Tracer::new(args, gpu.chip()).map_err(bad_use)?;
    let tracer = Arc::new(Mutex::new(tracer));
    gpu.set_observer(Some(Box::new(nv::Handle(tracer.clone()))));
    let mut progress = Progress::new();
    let mut failure = None;
    loop {
        let done = match reader.next_record() {
            Ok(Some(record)) => gpu.record(record),
            Ok(None) => break,
            Err(error) => Err(error),
        };
        match done {
            Ok(Some(surface)) => nv::with(&tracer, |t| t.surface(&surface)),
            Ok(None) => {}
            // What came before is shown all the same.
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
        progress.at(gpu.draws());
        if nv::with(&tracer, |t| t.done()) {
            break;
        }
    }
    progress.finish();
    let odd = gpu.oddities();
    gpu.set_observer(None);
    let Some(tracer) = Arc::into_inner(tracer) else {
        bail!("the trace is still in use");
    };
    let tracer = tracer
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    tracer.end(&odd).finish().context("standard output")?;
    if let Some(error) = failure {
        return Err(error).with_context(name);
    }
    match args.draw {
        Some(draw) if draw == 0 || draw > gpu.draws() => {
            Err(crate::usage::no_draw(&name(), draw, gpu.draws()))
        }
        _ => Ok(()),
    }
}
