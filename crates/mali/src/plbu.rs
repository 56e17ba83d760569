//! The PLBU command stream: it turns draws into polygon lists.
//!
//! The lists are private to the hardware (the driver only provides room for
//! them), so they are kept here as what they mean: the draws of a job with
//! their elements, found again by the address of the first list block.

use super::words::plbu as f;
use super::{Error, Machine, cstream};
use isotherm_bus::memory::Memory;
use std::sync::Arc;

/// Elements a job may draw; lima splits at 65535 per draw, and the tile heap of 16 MiB holds
/// about two million triangles.
const MAX_ELEMENTS: usize = 1 << 23;
/// Draws a job may have; lima ends a job after 500.
const MAX_DRAWS: usize = 1 << 14;

/// A draw as the polygon lists carry it.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    pub(crate) rsw: u32,
    pub(crate) positions: u32,
    pub(crate) mode: u32,
    /// Vertex numbers, counted from the first position.
    pub(crate) elements: Elements,
    /// Where the sizes of the points are.
    pub(crate) sizes: Option<u32>,
    /// Size of points, width of lines, unless vertices carry it.
    pub(crate) size: f32,
    pub(crate) cull_cw: bool,
    pub(crate) cull_ccw: bool,
    /// Left, right, top, bottom in window coordinates.
    pub(crate) viewport: [f32; 4],
    /// Left, right, top, bottom; right and bottom are outside.
    pub(crate) scissor: [i32; 4],
    pub(crate) near: f32,
    pub(crate) far: f32,
}

/// Which vertices a draw uses.
#[derive(Clone, Debug)]
pub(crate) enum Elements {
    /// The first so many.
    Array(u32),
    /// These.
    List(Arc<[u32]>),
}

impl Elements {
    pub(crate) fn len(&self) -> usize {
        match self {
            Elements::Array(n) => *n as usize,
            Elements::List(list) => list.len(),
        }
    }

    pub(crate) fn get(&self, i: usize) -> u32 {
        match self {
            Elements::Array(_) => i as u32,
            Elements::List(list) => list[i],
        }
    }
}

/// The polygon lists of a job.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) draws: Vec<Draw>,
    /// Draws of all jobs before.
    pub(crate) first: u64,
    /// Size in tiles.
    pub(crate) tiles: (u32, u32),
}

const NO_SCISSOR: [i32; 4] = [0, 1 << 14, 0, 1 << 14];

/// Runs the stream between two addresses and files its lists.
pub(super) fn run(m: &mut Machine, mem: &Memory, start: u32, end: u32) -> Result<(), Error> {
    let mut lists = Lists {
        first: m.draws,
        ..Lists::default()
    };
    let mut setup = [0x200, 0];
    let (mut indices, mut indexed_dest) = (0u32, 0u32);
    let mut block_array = None;
    let mut budget = MAX_ELEMENTS;
    let mut state = Draw {
        rsw: 0,
        positions: 0,
        mode: 0,
        elements: Elements::Array(0),
        sizes: None,
        size: 1.0,
        cull_cw: false,
        cull_ccw: false,
        viewport: [0.0, 4096.0, 0.0, 4096.0],
        scissor: NO_SCISSOR,
        near: 0.0,
        far: 1.0,
    };
    let mut indexed_sizes = None;
    let mut stream = cstream::Stream::new("PLBU", start, end);
    while let Some((at, w)) = stream.next(mem)? {
        let float = f32::from_bits(w[0]);
        match (w[1] >> 28, w[1] >> 24 & 15, w[1] & 0xFFF) {
            (0, ..) if w == [0, 0] => {}
            (0, ..) => {
                let indexed = f::INDEXED.on(&w);
                let count = f::COUNT_LO.get(&w) | f::COUNT_HI.get(&w) << 8;
                let mut draw = state.clone();
                draw.mode = f::MODE.get(&w);
                draw.cull_cw = f::CULL.get(&setup) & f::CULL_CW != 0;
                draw.cull_ccw = f::CULL.get(&setup) & f::CULL_CCW != 0;
                budget = budget.checked_sub(count as usize).ok_or(Error::Endless {
                    unit: "PLBU",
                    addr: at,
                })?;
                if lists.draws.len() >= MAX_DRAWS {
                    return Err(Error::Endless {
                        unit: "PLBU",
                        addr: at,
                    });
                }
                let forced = f::FORCE_SIZE.on(&setup);
                if indexed {
                    let size = [1, 2, 4][(f::INDEX_SIZE.get(&setup) as usize >> 1).min(2)];
                    let first = f::START.get(&w);
                    draw.elements = Elements::List(fetch_indices(mem, indices, size, count, first));
                    draw.positions = indexed_dest;
                    draw.sizes = indexed_sizes.filter(|_| !forced);
                } else {
                    draw.elements = Elements::Array(count);
                    let sizes = m.point_sizes.get(&draw.positions).copied();
                    draw.sizes = sizes.filter(|_| !forced);
                }
                if m.until_draw.is_none_or(|most| m.draws < most) {
                    lists.draws.push(draw);
                }
                m.draws += 1;
            }
            (1, _, 0x100) => indexed_dest = w[0],
            (1, _, 0x101) => indices = w[0],
            (1, _, 0x102) => indexed_sizes = Some(w[0]),
            (1, _, 0x105) => state.viewport[2] = float,
            (1, _, 0x106) => state.viewport[3] = float,
            (1, _, 0x107) => state.viewport[0] = float,
            (1, _, 0x108) => state.viewport[1] = float,
            (1, _, 0x109) => lists.tiles = (f::TILES_W.get(&w) + 1, f::TILES_H.get(&w) + 1),
            (1, _, 0x10A) => {}
            (1, _, 0x10B) => setup = w,
            // How many tiles share a block; the lists here are not cut into blocks.
            (1, _, 0x10C) => {}
            (1, _, 0x10D) => state.size = float,
            (1, _, 0x10E) => state.near = float,
            (1, _, 0x10F) => state.far = float,
            (2, 8, _) => block_array = Some((w[0], f::BLOCKS.get(&w) + 1)),
            (3, ..) => {}
            (5, ..) => break,
            (6, ..) => {}
            (7, ..) => {
                let minx = f::SCISSOR_MINX_LO.get(&w) | f::SCISSOR_MINX_HI.get(&w) << 2;
                state.scissor = [
                    minx as i32,
                    f::SCISSOR_MAXX.get(&w) as i32 + 1,
                    f::SCISSOR_MINY.get(&w) as i32,
                    f::SCISSOR_MAXY.get(&w) as i32 + 1,
                ];
            }
            (8, ..) => {
                state.rsw = w[0];
                state.positions = f::POS_ADDR.get(&w) << 4;
            }
            _ => {
                return Err(Error::Command {
                    unit: "PLBU",
                    addr: at,
                    words: w,
                });
            }
        }
    }
    // lima's frames find their lists by the address of the block of their tile.
    let lists = Arc::new(lists);
    if let Some((array, blocks)) = block_array {
        for i in 0..blocks.min(1 << 16) {
            let block = mem.read_u32(array.wrapping_add(i * 4));
            m.lists.insert(block, Arc::clone(&lists));
        }
    }
    m.last_lists = lists;
    Ok(())
}

fn fetch_indices(mem: &Memory, addr: u32, size: u32, count: u32, first: u32) -> Arc<[u32]> {
    let bytes = mem.bytes(addr, (size * count) as usize);
    let index = |i: usize| {
        let at = i * size as usize;
        let b = |k: usize| u32::from(bytes.get(at + k).copied().unwrap_or(0));
        let raw = match size {
            1 => b(0),
            2 => b(0) | b(1) << 8,
            _ => b(0) | b(1) << 8 | b(2) << 16 | b(3) << 24,
        };
        raw.wrapping_sub(first)
    };
    (0..count as usize).map(index).collect()
}
