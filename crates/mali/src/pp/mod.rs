//! A pixel job: which tiles to draw, what is in them, and where they go.

mod bins;
mod blend;
pub mod depth_stencil;
mod draw_state;
pub mod exec;
pub mod pixel_kill;
mod primitives;
mod ramp;
pub mod raster;
pub mod rsw;
pub mod setup;
mod shade;
pub mod shader;
pub mod tex;
pub mod texel;
pub mod tile;
mod visible;
mod watch;
pub(crate) mod write_back;

pub(crate) use bins::Bins;
pub(crate) use primitives::Primitives;

use crate::lists::Lists;
use crate::pp::blend::Blend;
use crate::pp::rsw::RenderState;
use crate::pp::shader::MAX_TEMPS;
use crate::pp::tile::{DrawState, Frame, Job, Worker};
use crate::pp::watch::{Spot, Story};
use crate::pp::write_back::{Piece, Target};
use crate::words::frame as f;
use crate::{Error, Machine, command_stream, threads};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::{Touch, Words};
use isotherm_bus::threads::Threads;
use isotherm_lanes::Level;
use isotherm_regs::mali::isa_bits::half_to_f32;
use std::sync::Arc;

/// Triangles a job may have; lima's tile heap of 16 MiB holds about two million.
const MAX_TRIANGLES: usize = 1 << 21;
/// Operations on batches of 128 pixels that all tiles together may take, some seconds of the
/// hardware's time (the kernel ends jobs after half a second); a tile gets its share, and
/// never less than the second figure.
const MAX_WORK: (u64, u64) = (1 << 28, 1 << 18);
/// Tiles finished before the first of them go to memory.
const GROUP: usize = 1024;
/// Bytes of triangles and tile lists that a job leaves to the next one.
const MAX_ROOM: usize = 64 << 20;
/// Steps of the budget: setting a triangle up, drawing it in a tile, a tile's way to memory,
/// an operation on a batch of pixels.
const TRIANGLE_STEPS: u64 = 300;
const BINNED_STEPS: u64 = 600;
const TILE_STEPS: u64 = 2000;
const BATCH_STEPS: u64 = 64;

/// Runs the job.
pub(crate) fn run(m: &mut Machine, mem: &mut Memory, words: &[u32]) -> Result<(), Error> {
    let streams = streams(words)?;
    let regs = &words[..f::WORDS];
    let targets = targets(words)?;
    let (tiles, lists) = tile_list(m, mem, streams)?;
    m.textures.start_job();
    let mut prims = std::mem::take(&mut m.prims);
    let mut bins = std::mem::take(&mut m.bins);
    prims.clear();
    let (mut draws, sampled) = prepare(m, mem, f::FLIP_SPRITES.on(regs), &lists, &mut prims)?;
    let budget = mem.budget().clone();
    let steps = TRIANGLE_STEPS * prims.len() as u64 + TILE_STEPS * tiles.len() as u64;
    if !budget.charge(Unit::Pp, Cost::Steps, steps) {
        return Ok(());
    }
    let threads = m.workers();
    bins.fill(&threads, &prims, &tiles)?;
    let steps = BINNED_STEPS * bins.len() as u64;
    let held = budget.hold(Unit::Pp, (prims.bytes() + bins.bytes()) as u64);
    if held.is_none() || !budget.charge(Unit::Pp, Cost::Steps, steps) {
        return Ok(());
    }
    let samples: usize = targets.iter().map(Target::samples).max().unwrap_or(1);
    let mut frame = frame(regs, m.level, tiles.len());
    if sampled || samples > 1 {
        frame.planes = 4;
    }
    for draw in &mut draws {
        draw.blend = Blend::new(&draw.rsw, frame.channel_bits);
    }
    let all = Drawing {
        frame: &frame,
        draws: &draws,
        prims: &prims,
        bins: &bins,
        tiles: &tiles,
    };
    let hung = |shader| Error::Hung { unit: "PP", shader };
    if let Some(address) = m.watched {
        let told = all.watch(mem, &targets, &lists, address);
        m.touches.extend(told.map_err(hung)?);
    }
    all.draw(&threads, mem, &targets).map_err(hung)?;
    // Room for the next job.
    if prims.bytes() + bins.bytes() <= MAX_ROOM {
        (m.prims, m.bins) = (prims, bins);
    }
    Ok(())
}

/// The master streams of the cores.
fn streams(words: &[u32]) -> Result<&[u32], Error> {
    let want = f::PLB_STREAMS + f::MAX_PP;
    if words.len() < want {
        return Err(Error::Frame {
            unit: "PP",
            got: words.len(),
            want,
        });
    }
    let cores = (words[f::NUM_PP] as usize).clamp(1, f::MAX_PP);
    Ok(&words[f::PLB_STREAMS..][..cores])
}

/// What the write-back units write to.
fn targets(words: &[u32]) -> Result<Vec<Target>, Error> {
    let (width, height) = (f::RIGHT.get(words) + 1, f::BOTTOM.get(words) + 1);
    let mut targets = Vec::new();
    for unit in 0..f::WB_UNITS {
        let w = &words[f::WB + unit * f::WB_WORDS..][..f::WB_WORDS];
        let target = Target::new(w, width, height);
        targets.extend(target.map_err(|what| Error::WriteBack { unit, what })?);
    }
    Ok(targets)
}

/// The frame registers, without multisampling.
fn frame(regs: &[u32], level: Level, tiles: usize) -> Frame {
    let clear = f::CLEAR_COLOR;
    let halves = |i: usize| half_to_f32((regs[clear + i / 2] >> (16 * (i % 2))) as u16);
    Frame {
        planes: 1,
        fp16: f::FP16.on(regs),
        clear_color: std::array::from_fn(|i| regs[clear + i]),
        clear_float: std::array::from_fn(halves),
        clear_depth: f::CLEAR_DEPTH.get(regs),
        clear_stencil: f::CLEAR_STENCIL.get(regs) as u8,
        origin: (
            f::ORIGIN_X.get(regs) as f32 / 2.0,
            f::ORIGIN_Y.get(regs) as f32 / 2.0,
        ),
        flip_y: f::FLIP_FRAGCOORD.on(regs),
        flip_derivatives: f::FLIP_DERIVATIVES.on(regs),
        channel_bits: f::CHANNEL_BITS.map(|b| b.get(regs)),
        stack: (
            (f::STACK_SIZE.get(regs) as usize).min(MAX_TEMPS),
            f::STACK_POINTER.get(regs),
        ),
        budget: (MAX_WORK.0 / tiles.max(1) as u64).max(MAX_WORK.1),
        level,
    }
}

/// A job, ready to be drawn.
struct Drawing<'a> {
    frame: &'a Frame,
    draws: &'a [DrawState],
    prims: &'a Primitives,
    bins: &'a Bins,
    tiles: &'a [(u32, u32)],
}

impl<'a> Drawing<'a> {
    /// The part of one tile.
    fn job(&self, tile: usize) -> Job<'a> {
        Job {
            frame: self.frame,
            draws: self.draws,
            prims: self.prims,
            at: self.tiles[tile],
        }
    }

    /// Draws all tiles and writes them to memory. On failure, the address of the program that
    /// hangs.
    fn draw(&self, threads: &Threads, mem: &mut Memory, targets: &[Target]) -> Result<(), u32> {
        let (frame, tiles) = (self.frame, self.tiles);
        let disjoint = Target::disjoint(targets, tiles);
        for first in (0..tiles.len()).step_by(GROUP) {
            let group = first..tiles.len().min(first + GROUP);
            let shared = mem.share();
            let draw = |i: usize| {
                let mut worker = take_worker();
                let Some(worker) = &mut worker.0 else {
                    return Ok((Vec::new(), 0));
                };
                let direct = |target: &Target| disjoint && target.is_common(frame);
                for target in targets.iter().filter(|t| direct(t)) {
                    // SAFETY: as below.
                    unsafe { target.prefetch(shared, tiles[i]) };
                }
                worker.render(&self.job(i), self.bins.of(i))?;
                let steps = BATCH_STEPS * (frame.budget - worker.exec.budget);
                let mut pieces = Vec::new();
                for (n, target) in targets.iter().enumerate() {
                    if direct(target) {
                        // SAFETY: `disjoint` says that no two tiles of no two targets share a
                        // byte; each tile is drawn once.
                        unsafe { target.write(frame.level, shared, &worker.buf, tiles[i]) };
                    } else {
                        target.pack(n, &worker.buf, frame.planes, frame.fp16, &mut pieces);
                    }
                }
                Ok((pieces, steps))
            };
            let done: Vec<Result<(Vec<Piece>, u64), u32>> =
                threads::map(threads, group.clone(), draw);
            for i in group.clone().filter(|_| disjoint) {
                targets.iter().for_each(|t| t.mark(mem, tiles[i]));
            }
            let mut steps = 0;
            for (i, done) in group.zip(done) {
                let (pieces, tile_steps) = done?;
                steps += tile_steps;
                for piece in &pieces {
                    targets[piece.target()].store(mem, piece, tiles[i]);
                }
            }
            if !mem.budget().charge(Unit::Pp, Cost::Steps, steps) {
                break;
            }
        }
        Ok(())
    }

    /// What happens to the pixel at an address of memory, if it is one of the job's. On
    /// failure, the address of the program that hangs.
    fn watch(
        &self,
        mem: &Memory,
        targets: &[Target],
        lists: &Lists,
        address: u32,
    ) -> Result<Vec<Touch>, u32> {
        let Some(pixel) = targets.iter().find_map(|t| t.locate(address)) else {
            return Ok(Vec::new());
        };
        let (x, y, sample) = pixel;
        let at = (x / 16, y / 16);
        let Some(tile) = self.tiles.iter().position(|&tile| tile == at) else {
            return Ok(Vec::new());
        };
        let word = |depth: bool| {
            let target = targets.iter().find(|t| t.is_depth() == depth)?;
            target.word(mem, pixel)
        };
        let story = Story {
            mem,
            lists,
            spot: Spot {
                x: x % 16,
                y: y % 16,
                sample: sample.min(self.frame.planes - 1),
            },
            before: Words {
                color: word(false),
                zeta: word(true),
            },
        };
        Worker::new().watch(&self.job(tile), self.bins.of(tile), &story)
    }
}

/// A worker that goes back to its thread when it is dropped.
struct Lent(Option<Box<Worker>>);

thread_local! {
    static WORKER: std::cell::Cell<Option<Box<Worker>>> = const { std::cell::Cell::new(None) };
}

fn take_worker() -> Lent {
    let kept = WORKER.with(std::cell::Cell::take);
    Lent(Some(kept.unwrap_or_else(|| Box::new(Worker::new()))))
}

impl Drop for Lent {
    fn drop(&mut self) {
        WORKER.with(|w| w.set(self.0.take()));
    }
}

type Tiles = Vec<(u32, u32)>;

/// The polygon lists that a pixel job would draw.
pub(crate) fn lists_of(m: &Machine, mem: &Memory, words: &[u32]) -> Result<Arc<Lists>, Error> {
    Ok(tile_list(m, mem, streams(words)?)?.1)
}

/// The tiles that a pixel job would draw: column and row, in its order.
pub(crate) fn tiles_of(m: &Machine, mem: &Memory, words: &[u32]) -> Result<Tiles, Error> {
    Ok(tile_list(m, mem, streams(words)?)?.0)
}

/// Follows the master streams of the cores: the tiles, each once, and their lists.
fn tile_list(m: &Machine, mem: &Memory, streams: &[u32]) -> Result<(Tiles, Arc<Lists>), Error> {
    let mut tiles = Vec::new();
    // One bit for each place.
    let mut seen = vec![0u64; (1 << 16) / 64];
    let mut lists = None;
    for &start in streams {
        let mut at = start;
        let mut place = (0, 0);
        // Eight bits each way: 65536 tiles, two commands each.
        for n in 0.. {
            if n > 1 << 18 {
                return Err(Error::Endless {
                    unit: "PP",
                    addr: at,
                });
            }
            let w = [mem.read_u32(at), mem.read_u32(at.wrapping_add(4))];
            match w[1] >> 24 {
                0xB8 => place = (w[1] & 0xFF, w[1] >> 8 & 0xFF),
                0xB0 => {
                    if w[0] >> 29 == 7 {
                        let block = (w[0] & 0x1FFF_FFFC) << 3;
                        if lists.is_none() {
                            lists = m.lists.find(block)?;
                        }
                    }
                    let number = place.1 << 8 | place.0;
                    let (word, bit) = (&mut seen[number as usize / 64], 1 << (number % 64));
                    if *word & bit == 0 {
                        *word |= bit;
                        tiles.push(place);
                    }
                }
                0xBC => break,
                _ => {
                    return Err(Error::Command {
                        unit: "PP",
                        addr: at,
                        words: w,
                    });
                }
            }
            at = at.wrapping_add(8);
        }
    }
    Ok((tiles, Arc::clone(lists.unwrap_or(m.lists.last()))))
}

/// Decodes the states of all draws and sets up their triangles.
fn prepare(
    m: &mut Machine,
    mem: &Memory,
    flip_sprites: bool,
    lists: &Lists,
    prims: &mut Primitives,
) -> Result<(Vec<DrawState>, bool), Error> {
    let threads = m.workers();
    let mut draws = Vec::with_capacity(lists.draws.len());
    let mut sampled = false;
    for (n, draw) in lists.draws.iter().enumerate() {
        let mut rsw = RenderState::new(&command_stream::words(mem, draw.rsw, 16));
        rsw.stencil
            .iter_mut()
            .for_each(|s| s.whole = m.whole_stencil);
        sampled |= rsw.msaa || rsw.sample_mask != 15;
        let state = draw_state::prepare(m, mem, draw, rsw)?;
        let source = setup::DrawSource {
            mem,
            draw,
            number: n as u32,
            rsw: &state.rsw,
            attrs: &state.program.attrs,
            flip_sprites,
        };
        if !setup::setup_draw(&threads, &source, prims, MAX_TRIANGLES) {
            return Err(Error::Endless {
                unit: "PLBU",
                addr: draw.rsw,
            });
        }
        draws.push(state);
    }
    Ok((draws, sampled))
}
