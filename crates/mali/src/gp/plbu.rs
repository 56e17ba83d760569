//! The PLBU command stream: it turns draws into polygon lists.

use crate::lists::{Draw, Elements, Lists};
use crate::words::plbu as f;
use crate::{Error, Machine, command_stream};
use isotherm_bus::memory::Memory;
use std::sync::Arc;

/// Elements a job may draw; lima splits at 65535 per draw, and the tile heap of 16 MiB holds
/// about two million triangles.
pub(crate) const MAX_ELEMENTS: usize = 1 << 23;
/// Draws a job may have; lima ends a job after 500.
pub(crate) const MAX_DRAWS: usize = 1 << 14;

const NO_SCISSOR: [i32; 4] = [0, 1 << 14, 0, 1 << 14];

/// What the commands have set so far.
struct Plbu {
    /// The primitive setup command.
    setup: [u32; 2],
    indices: u32,
    indexed_positions: u32,
    indexed_sizes: Option<u32>,
    /// Address of the array of block addresses, and how many there are.
    block_array: Option<(u32, u32)>,
    /// Elements that may still be drawn.
    elements_left: usize,
    /// The next draw.
    draw: Draw,
    lists: Lists,
}

/// Runs the stream between two addresses and files its lists.
pub(crate) fn run(m: &mut Machine, mem: &Memory, start: u32, end: u32) -> Result<(), Error> {
    let mut plbu = Plbu::new(m.draws);
    let mut stream = command_stream::Stream::new("PLBU", start, end);
    while let Some((at, w)) = stream.next(mem)? {
        match w[1] >> 28 {
            0 if w == [0, 0] => {}
            0 => plbu.draw(m, mem, at, w)?,
            5 => break,
            _ if plbu.set(w) => {}
            _ => {
                return Err(Error::Command {
                    unit: "PLBU",
                    addr: at,
                    words: w,
                });
            }
        }
    }
    let (array, count) = plbu.block_array.unwrap_or((0, 0));
    let block = |i: u32| mem.read_u32(array.wrapping_add(i * 4));
    let blocks: Vec<u32> = (0..count.min(1 << 16)).map(block).collect();
    m.lists.insert(&blocks, Arc::new(plbu.lists));
    Ok(())
}

impl Plbu {
    fn new(draws_before: u64) -> Plbu {
        Plbu {
            setup: [0x200, 0],
            indices: 0,
            indexed_positions: 0,
            indexed_sizes: None,
            block_array: None,
            elements_left: MAX_ELEMENTS,
            draw: Draw {
                rsw: 0,
                positions: 0,
                mode: 0,
                elements: Elements::Array(0),
                sizes: None,
                size: 1.0,
                cull_cw: false,
                cull_ccw: false,
                scissor: NO_SCISSOR,
                near: 0.0,
                far: 1.0,
            },
            lists: Lists {
                first: draws_before,
                ..Lists::default()
            },
        }
    }

    /// Takes a command that sets something; whether there is such a command.
    fn set(&mut self, w: [u32; 2]) -> bool {
        let float = f32::from_bits(w[0]);
        let draw = &mut self.draw;
        match (w[1] >> 28, w[1] >> 24 & 15, w[1] & 0xFFF) {
            (1, _, 0x100) => self.indexed_positions = w[0],
            (1, _, 0x101) => self.indices = w[0],
            (1, _, 0x102) => self.indexed_sizes = Some(w[0]),
            // The viewport's edges: lima's scissor never reaches beyond them.
            (1, _, 0x105..=0x108) => {}
            (1, _, 0x109) => self.lists.tiles = (f::TILES_W.get(&w) + 1, f::TILES_H.get(&w) + 1),
            (1, _, 0x10A) => {}
            (1, _, 0x10B) => self.setup = w,
            // How many tiles share a block; the lists here are not cut into blocks.
            (1, _, 0x10C) => {}
            (1, _, 0x10D) => draw.size = float,
            (1, _, 0x10E) => draw.near = float,
            (1, _, 0x10F) => draw.far = float,
            (2, 8, _) => self.block_array = Some((w[0], f::BLOCKS.get(&w) + 1)),
            (3 | 6, ..) => {}
            (7, ..) => {
                let minx = f::SCISSOR_MINX_LO.get(&w) | f::SCISSOR_MINX_HI.get(&w) << 2;
                draw.scissor = [
                    minx as i32,
                    f::SCISSOR_MAXX.get(&w) as i32 + 1,
                    f::SCISSOR_MINY.get(&w) as i32,
                    f::SCISSOR_MAXY.get(&w) as i32 + 1,
                ];
            }
            (8, ..) => {
                draw.rsw = w[0];
                draw.positions = f::POS_ADDR.get(&w) << 4;
            }
            _ => return false,
        }
        true
    }

    /// A draw goes to the lists.
    fn draw(&mut self, m: &mut Machine, mem: &Memory, at: u32, w: [u32; 2]) -> Result<(), Error> {
        let endless = Error::Endless {
            unit: "PLBU",
            addr: at,
        };
        let count = f::COUNT_LO.get(&w) | f::COUNT_HI.get(&w) << 8;
        let left = self.elements_left.checked_sub(count as usize);
        let Some(left) = left.filter(|_| self.lists.draws.len() < MAX_DRAWS) else {
            return Err(endless);
        };
        self.elements_left = left;
        let mut draw = self.draw.clone();
        draw.mode = f::MODE.get(&w);
        draw.cull_cw = f::CULL.get(&self.setup) & f::CULL_CW != 0;
        draw.cull_ccw = f::CULL.get(&self.setup) & f::CULL_CCW != 0;
        let forced = f::FORCE_SIZE.on(&self.setup);
        if f::INDEXED.on(&w) {
            let size = [1, 2, 4][(f::INDEX_SIZE.get(&self.setup) as usize >> 1).min(2)];
            let first = f::START.get(&w);
            draw.elements = Elements::List(fetch_indices(mem, self.indices, size, count, first));
            draw.positions = self.indexed_positions;
            draw.sizes = self.indexed_sizes.filter(|_| !forced);
        } else {
            draw.elements = Elements::Array(count);
            let sizes = m.point_sizes.get(&draw.positions).copied();
            draw.sizes = sizes.filter(|_| !forced);
        }
        if m.until_draw.is_none_or(|most| m.draws < most) {
            self.lists.draws.push(draw);
        }
        m.draws += 1;
        Ok(())
    }
}

fn fetch_indices(mem: &Memory, addr: u32, size: u32, count: u32, first: u32) -> Arc<[u32]> {
    let bytes = mem.bytes(addr, (size * count) as usize);
    // What is not there is 0.
    let mut out = vec![0u32; count as usize];
    match size {
        1 => copy_indices(&mut out, bytes, |b: [u8; 1]| b[0].into()),
        2 => copy_indices(&mut out, bytes, |b| u16::from_le_bytes(b).into()),
        _ => copy_indices(&mut out, bytes, u32::from_le_bytes),
    }
    out.iter_mut().for_each(|i| *i = i.wrapping_sub(first));
    out.into()
}

fn copy_indices<const N: usize>(out: &mut [u32], bytes: &[u8], of: impl Fn([u8; N]) -> u32) {
    let (whole, rest) = bytes.as_chunks::<N>();
    for (out, &b) in out.iter_mut().zip(whole) {
        *out = of(b);
    }
    if let Some(out) = out.get_mut(whole.len()) {
        let mut last = [0; N];
        last[..rest.len()].copy_from_slice(rest);
        *out = of(last);
    }
}
