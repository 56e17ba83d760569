//! A pixel job: which tiles to draw, what is in them, and where they go.

use super::blend::Blend;
use super::exec::Splat;
use super::plbu::{Draw, Lists};
use super::prim::{self, Prims};
use super::rsw::RenderState;
use super::shader::{Const, PixelCode, Program, rows};
use super::tile::{DrawState, Frame, Job, Worker};
use super::watch::{Spot, Story};
use super::wb::{Piece, Target};
use super::words::frame as f;
use super::{Error, Machine, cstream};
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::{Touch, Words};
use isotherm_lanes::half::written;
use isotherm_regs::mali::isa_bits::half_to_f32;
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

/// Triangles a job may have; lima's tile heap of 16 MiB holds about two million.
const MAX_TRIANGLES: usize = 1 << 21;
/// Entries of all tile lists together; the same heap holds them.
const MAX_BINNED: usize = 1 << 23;
/// Operations on batches of 128 pixels that all tiles together may take, some seconds of the
/// hardware's time (the kernel ends jobs after half a second); a tile gets its share, and
/// never less than the second figure.
const MAX_WORK: (u64, u64) = (1 << 28, 1 << 18);
/// Tiles finished before the first of them go to memory.
const GROUP: usize = 1024;

/// Runs the job.
pub(super) fn run(m: &mut Machine, mem: &mut Memory, words: &[u32]) -> Result<(), Error> {
    let want = f::PLB_STREAMS + f::MAX_PP;
    if words.len() < want {
        return Err(Error::Frame {
            unit: "PP",
            got: words.len(),
            want,
        });
    }
    let regs = &words[..f::WORDS];
    let (width, height) = (f::RIGHT.get(regs) + 1, f::BOTTOM.get(regs) + 1);
    let mut targets = Vec::new();
    for unit in 0..f::WB_UNITS {
        let w = &words[f::WB + unit * f::WB_WORDS..][..f::WB_WORDS];
        let target =
            Target::new(w, width, height).map_err(|what| Error::WriteBack { unit, what })?;
        targets.extend(target);
    }
    let cores = (words[f::NUM_PP] as usize).clamp(1, f::MAX_PP);
    let (tiles, lists) = tile_list(m, mem, &words[f::PLB_STREAMS..][..cores])?;
    m.textures.start_job();
    let mut prims = std::mem::take(&mut m.prims);
    let mut bins = std::mem::take(&mut m.bins);
    prims.clear();
    let (draws, sampled) = prepare(m, mem, f::FLIP_SPRITES.on(regs), &lists, &mut prims)?;
    bins.fill(&prims, &tiles)?;
    let clear = f::CLEAR_COLOR;
    let halves = |i: usize| half_to_f32((regs[clear + i / 2] >> (16 * (i % 2))) as u16);
    let samples: usize = targets.iter().map(Target::samples).max().unwrap_or(1);
    let frame = Frame {
        planes: if sampled || samples > 1 { 4 } else { 1 },
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
        budget: (MAX_WORK.0 / tiles.len().max(1) as u64).max(MAX_WORK.1),
        level: m.level,
    };
    let draws: Vec<DrawState> = draws
        .into_iter()
        .map(|d| DrawState {
            blend: Blend::new(&d.rsw, frame.channel_bits),
            ..d
        })
        .collect();
    let all = Drawing {
        frame: &frame,
        draws: &draws,
        prims: &prims,
        bins: &bins,
        tiles: &tiles,
    };
    if let Some(address) = m.watched {
        let told = all.watch(mem, &targets, &lists, address);
        m.touches
            .extend(told.map_err(|shader| Error::Hung { unit: "PP", shader })?);
    }
    let apart = Target::apart(&targets, &tiles);
    let order: Vec<usize> = (0..tiles.len()).collect();
    for group in order.chunks(GROUP) {
        let shared = mem.share();
        let done: Vec<Result<Vec<Piece>, u32>> = group
            .par_iter()
            .map(|&i| {
                let mut worker = take_worker();
                let Some(worker) = &mut worker.0 else {
                    return Ok(Vec::new());
                };
                worker.render(&all.job(i), bins.of(i))?;
                let mut pieces = Vec::new();
                for (n, target) in targets.iter().enumerate() {
                    if apart && target.is_common(&frame) {
                        // SAFETY: `apart` says that no two tiles of no two targets share a
                        // byte; each tile is drawn once.
                        unsafe { target.write(shared, &worker.buf, tiles[i]) };
                    } else {
                        target.pack(n, &worker.buf, frame.planes, frame.fp16, &mut pieces);
                    }
                }
                Ok(pieces)
            })
            .collect();
        for &i in group.iter().filter(|_| apart) {
            targets.iter().for_each(|t| t.mark(mem, tiles[i]));
        }
        for (&i, pieces) in group.iter().zip(done) {
            let pieces = pieces.map_err(|shader| Error::Hung { unit: "PP", shader })?;
            for piece in &pieces {
                targets[piece.target()].store(mem, piece, tiles[i]);
            }
        }
    }
    // Room for the next job.
    (m.prims, m.bins) = (prims, bins);
    Ok(())
}

/// A job, ready to be drawn.
struct Drawing<'a> {
    frame: &'a Frame,
    draws: &'a [DrawState],
    prims: &'a Prims,
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
pub(super) fn lists_of(m: &Machine, mem: &Memory, words: &[u32]) -> Result<Arc<Lists>, Error> {
    let want = f::PLB_STREAMS + f::MAX_PP;
    if words.len() < want {
        return Err(Error::Frame {
            unit: "PP",
            got: words.len(),
            want,
        });
    }
    let cores = (words[f::NUM_PP] as usize).clamp(1, f::MAX_PP);
    Ok(tile_list(m, mem, &words[f::PLB_STREAMS..][..cores])?.1)
}

/// Follows the master streams of the cores: the tiles, each once, and their lists.
fn tile_list(m: &Machine, mem: &Memory, streams: &[u32]) -> Result<(Tiles, Arc<Lists>), Error> {
    let mut tiles = Vec::new();
    let mut seen = HashSet::new();
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
                        lists = lists.or_else(|| m.lists.get(&block).cloned());
                    }
                    if seen.insert(place) {
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
    Ok((tiles, lists.unwrap_or_else(|| Arc::clone(&m.last_lists))))
}

/// Decodes the states of all draws and sets up their triangles.
fn prepare(
    m: &mut Machine,
    mem: &Memory,
    flip_sprites: bool,
    lists: &Lists,
    prims: &mut Prims,
) -> Result<(Vec<DrawState>, bool), Error> {
    let mut draws = Vec::with_capacity(lists.draws.len());
    let mut sampled = false;
    for (n, draw) in lists.draws.iter().enumerate() {
        let mut rsw = RenderState::new(&cstream::words(mem, draw.rsw, 16));
        rsw.stencil
            .iter_mut()
            .for_each(|s| s.whole = m.whole_stencil);
        sampled |= rsw.msaa || rsw.sample_mask != 15;
        let state = state(m, mem, draw, rsw)?;
        let source = prim::Source {
            mem,
            draw,
            number: n as u32,
            rsw: &state.rsw,
            attrs: &state.program.attrs,
            flip_sprites,
        };
        if !prim::setup_draw(&source, prims, MAX_TRIANGLES) {
            return Err(Error::Endless {
                unit: "PLBU",
                addr: draw.rsw,
            });
        }
        draws.push(state);
    }
    Ok((draws, sampled))
}

fn state(m: &mut Machine, mem: &Memory, draw: &Draw, rsw: RenderState) -> Result<DrawState, Error> {
    let shader = rsw.shader;
    let handle = m.pp_programs.find(mem, shader);
    let handle = handle.map_err(|what| Error::Program { shader, what })?;
    let whole = Arc::clone(m.pp_programs.whole(handle));
    let mut samplers = Vec::new();
    if !whole.lookups.is_empty() {
        for i in 0..rsw.sampler_count.min(64) {
            let addr = mem.read_u32(rsw.textures.wrapping_add(4 * i as u32));
            let used =
                |l: &super::shader::Lookup| l.sampler as usize == i || l.sampler_at.is_some();
            let used = addr != 0 && whole.lookups.iter().any(used);
            samplers.push(if used {
                Some(m.textures.get(mem, addr)?)
            } else {
                None
            });
        }
    }
    let planar = !samplers.iter().flatten().any(|s| s.has_layers());
    // Whoever watches wants to see every instruction.
    let program = match m.watched {
        Some(_) => whole,
        None => m.pp_programs.variant(handle, looked_at(&rsw), planar),
    };
    // The words hold half floats. Who asks what single precision would draw means the numbers
    // that the driver rounded.
    let full_floats = program.full_floats;
    let given = |x: f32| if full_floats { written(x) } else { x };
    let uniforms: Vec<f32> = if rsw.has_uniforms {
        let halves = uniforms(mem, &rsw, &program);
        halves.into_iter().map(given).collect()
    } else {
        Vec::new()
    };
    let consts = program
        .consts
        .iter()
        .map(|c| match *c {
            Const::Value(x) => given(x),
            Const::Uniform(n) => uniforms.get(n as usize).copied().unwrap_or(0.0),
        })
        .map(|x| Splat([x; isotherm_lanes::LANES]))
        .collect();
    let late = rsw.late_tests(program.discards);
    let (near, far) = DrawState::range(&rsw, draw);
    let uses_frag_coord = program
        .ops
        .iter()
        .any(|o| matches!(o.code, PixelCode::FragCoord | PixelCode::FrontFacing));
    Ok(DrawState {
        late,
        ordered: late || rsw.reads_color() || program.reads_tile,
        blend: Blend::new(&rsw, [8; 4]),
        near,
        far,
        uses_frag_coord,
        consts,
        uniforms,
        samplers,
        program,
        rsw,
    })
}

/// The rows of registers that a state looks at when its program has ended.
fn looked_at(rsw: &RenderState) -> u128 {
    let mut out = 0;
    if rsw.color_mask != 0 || rsw.late_tests(false) {
        out |= rows(rsw.color_reg * 4, 4);
    }
    if rsw.second_color() {
        out |= rows(rsw.color1_reg * 4, 4);
    }
    if rsw.shader_depth || rsw.shader_depth_stencil || rsw.shader_stencil {
        out |= rows(rsw.frag_depth_reg * 4, 4);
    }
    out
}

/// The half-float uniforms: as many as the size code stands for and the program names.
fn uniforms(mem: &Memory, rsw: &RenderState, program: &Program) -> Vec<f32> {
    let named = program.consts.iter().map(|c| match *c {
        Const::Uniform(n) => n as usize + 1,
        Const::Value(_) => 0,
    });
    // The code is the logarithm of the size in vec4s of halves, rounded up.
    let coded = 4usize << rsw.uniform_size;
    let indexed = program.ops.iter().any(|o| o.code == PixelCode::UniformAt);
    let count = named
        .max()
        .unwrap_or(0)
        .max(if indexed { coded } else { 0 })
        .min(1 << 17);
    let base = mem.read_u32(rsw.uniforms);
    let bytes = mem.bytes(base, count * 2);
    let (halves, _) = bytes.as_chunks::<2>();
    halves
        .iter()
        .map(|h| half_to_f32(u16::from_le_bytes(*h)))
        .collect()
}

/// Which triangles touch which tiles, in drawing order.
#[derive(Default)]
pub(super) struct Bins {
    /// Number of the tile at a place, all of them outside unless a job runs.
    slot: Vec<u32>,
    /// Tile and triangle, as they were found.
    found: Vec<(u32, u32)>,
    /// Where each tile's triangles begin, and the end.
    start: Vec<u32>,
    tris: Vec<u32>,
}

impl Bins {
    /// The triangles of a tile.
    fn of(&self, tile: usize) -> &[u32] {
        &self.tris[self.start[tile] as usize..self.start[tile + 1] as usize]
    }

    /// Sorts the triangles of a job.
    fn fill(&mut self, prims: &Prims, tiles: &[(u32, u32)]) -> Result<(), Error> {
        let place = |&(x, y): &(u32, u32)| (y << 8 | x) as usize;
        self.slot.resize(256 * 256, u32::MAX);
        self.found.clear();
        for (i, at) in tiles.iter().enumerate() {
            self.slot[place(at)] = i as u32;
        }
        let fits = self.find(prims);
        tiles.iter().for_each(|at| self.slot[place(at)] = u32::MAX);
        if !fits {
            return Err(Error::Endless {
                unit: "PLBU",
                addr: 0,
            });
        }
        self.start.clear();
        self.start.resize(tiles.len() + 1, 0);
        for &(tile, _) in &self.found {
            self.start[tile as usize + 1] += 1;
        }
        for i in 0..tiles.len() {
            self.start[i + 1] += self.start[i];
        }
        self.tris.clear();
        self.tris.resize(self.found.len(), 0);
        for &(tile, tri) in &self.found {
            // Counts up to where the next tile begins, and is put back below.
            let at = &mut self.start[tile as usize];
            self.tris[*at as usize] = tri;
            *at += 1;
        }
        self.start.copy_within(0..tiles.len(), 1);
        self.start[0] = 0;
        Ok(())
    }

    /// Finds the tiles of all triangles; whether there were not too many.
    fn find(&mut self, prims: &Prims) -> bool {
        for (n, tri) in prims.tris.iter().enumerate() {
            let [x0, x1, y0, y1] = tri.bounds.map(|b| (b >> 4).clamp(0, 255));
            let small = x1 - x0 < 2 || y1 - y0 < 2;
            for ty in y0..=y1 {
                for tx in x0..=x1 {
                    // Large triangles leave out tiles that lie beyond an edge.
                    if !small && outside(tri, tx, ty) {
                        continue;
                    }
                    let tile = self.slot[(ty << 8 | tx) as usize];
                    if tile != u32::MAX {
                        self.found.push((tile, n as u32));
                    }
                }
            }
            if self.found.len() > MAX_BINNED {
                return false;
            }
        }
        true
    }
}

fn outside(tri: &prim::Tri, tx: i32, ty: i32) -> bool {
    tri.edge.iter().any(|&(a, b, c)| {
        let (a, b) = (i64::from(a), i64::from(b));
        let e = c + a * i64::from(tx * 16) + b * i64::from(ty * 16);
        // One pixel of slack for samples off the centres.
        e + (a.max(0) + b.max(0)) * 16 - (a.min(0) + b.min(0)) < 0
    })
}
