//! Polygon lists: what a geometry job leaves for the pixel job behind it.
//!
//! The lists are private to the hardware (the driver only provides room for them), so they are
//! kept here as what they mean: the draws of a job with their elements, found again by the
//! address of the first list block.

use crate::Error;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

/// Bytes of lists that are kept; lima's tile heap has 16 MiB, and the pixel job follows at once.
const MAX_BYTES: usize = 128 << 20;
/// Jobs whose lists are kept.
const MAX_JOBS: usize = 1 << 12;

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
    /// Left, right, top, bottom; right and bottom are outside.
    pub(crate) scissor: [i32; 4],
    pub(crate) near: f32,
    pub(crate) far: f32,
}

/// Which vertices a draw uses.
#[derive(Clone, Debug)]
pub(crate) enum Elements {
    /// Vertices 0 to so many, in order.
    Array(u32),
    /// An index list.
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
    /// How many draws all earlier jobs had.
    pub(crate) first: u64,
    /// Size in tiles.
    pub(crate) tiles: (u32, u32),
}

impl Lists {
    /// Bytes of memory that they take, with the addresses of their blocks.
    fn bytes(&self, blocks: usize) -> usize {
        let elements = |draw: &Draw| match &draw.elements {
            Elements::Array(_) => 0,
            Elements::List(list) => size_of_val::<[u32]>(list),
        };
        let elements: usize = self.draws.iter().map(elements).sum();
        elements + self.draws.len() * size_of::<Draw>() + blocks * 64
    }
}

/// The lists of the geometry jobs so far. When there are too many, the oldest go.
#[derive(Default)]
pub(crate) struct Store {
    by_block: HashMap<u32, Arc<Lists>>,
    last: Arc<Lists>,
    /// Oldest job first, each with the bytes of its lists.
    jobs: VecDeque<(Weak<Lists>, usize)>,
    dropped: bool,
}

impl Store {
    /// Files the lists of a job under the addresses of its blocks.
    pub(crate) fn insert(&mut self, blocks: &[u32], lists: Arc<Lists>) {
        for &block in blocks {
            self.by_block.insert(block, Arc::clone(&lists));
        }
        // Lists whose blocks all belong to later jobs are freed already.
        self.jobs.retain(|(lists, _)| lists.strong_count() > 0);
        let bytes = lists.bytes(blocks.len());
        self.jobs.push_back((Arc::downgrade(&lists), bytes));
        self.last = lists;
        let mut total: usize = self.jobs.iter().map(|(_, bytes)| bytes).sum();
        while (total > MAX_BYTES || self.jobs.len() > MAX_JOBS)
            && self.jobs.len() > 1
            && let Some((old, bytes)) = self.jobs.pop_front()
        {
            total -= bytes;
            let keep = |lists: &Arc<Lists>| !std::ptr::eq(Arc::as_ptr(lists), old.as_ptr());
            self.by_block.retain(|_, lists| keep(lists));
            self.dropped = true;
        }
    }

    /// The lists whose block is at an address; `None` if nobody ever filed them.
    pub(crate) fn find(&self, block: u32) -> Result<Option<&Arc<Lists>>, Error> {
        match self.by_block.get(&block) {
            None if self.dropped => Err(Error::ListsGone { block }),
            found => Ok(found),
        }
    }

    /// The lists of the last job.
    pub(crate) fn last(&self) -> &Arc<Lists> {
        &self.last
    }
}
