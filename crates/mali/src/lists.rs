//! Polygon lists: what a geometry job leaves for the pixel job behind it.
//!
//! The lists are private to the hardware (the driver only provides room for them), so they are
//! kept here as what they mean: the draws of a job with their elements, found again by the
//! address of the first list block.

use crate::Error;
use crate::gp::plbu::{MAX_DRAWS, MAX_ELEMENTS};
use isotherm_bus::saved::Saved;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

/// Bytes of lists that are kept; lima's tile heap has 16 MiB, and the pixel job follows at once.
const MAX_BYTES: usize = 128 << 20;
/// Jobs whose lists are kept.
const MAX_JOBS: usize = 1 << 12;

/// A draw as the polygon lists carry it.
#[derive(Clone, Debug, Default)]
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

impl Default for Elements {
    fn default() -> Elements {
        Elements::Array(0)
    }
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

impl Draw {
    /// All words; elements that a list may have are counted down.
    fn saved(&mut self, left: &mut usize, saved: &mut Saved) {
        let Draw {
            rsw,
            positions,
            mode,
            elements,
            sizes,
            size,
            cull_cw,
            cull_ccw,
            scissor,
            near,
            far,
        } = self;
        saved.words([rsw, positions, mode]);
        elements.saved(left, saved);
        let mut sized = sizes.is_some();
        saved.flag(&mut sized);
        *sizes = sized.then_some(sizes.unwrap_or(0));
        saved.words(sizes);
        [size, near, far]
            .into_iter()
            .for_each(|value| saved.float(value));
        saved.flag(cull_cw);
        saved.flag(cull_ccw);
        for edge in scissor {
            let mut word = *edge as u32;
            saved.word(&mut word);
            // No command can name more.
            *edge = (word & 0xFFFF) as i32;
        }
    }
}

impl Elements {
    fn saved(&mut self, left: &mut usize, saved: &mut Saved) {
        let mut listed = matches!(self, Elements::List(_));
        saved.flag(&mut listed);
        let count = saved.count(if listed { self.len() } else { 0 }, *left);
        if !listed {
            let mut count = self.len() as u32;
            saved.word(&mut count);
            if count as usize > *left {
                saved.refuse();
                count = 0;
            }
            *left -= count as usize;
            *self = Elements::Array(count);
            return;
        }
        *left -= count;
        let list: Vec<u32> = (0..count)
            .map(|i| {
                let mut word = if saved.loads() { 0 } else { self.get(i) };
                saved.word(&mut word);
                word
            })
            .collect();
        *self = Elements::List(list.into());
    }
}

impl Lists {
    fn save(&self, saved: &mut Saved) {
        let mut copy = Lists {
            draws: self.draws.clone(),
            ..*self
        };
        copy.saved(saved);
    }

    fn load(saved: &mut Saved) -> Lists {
        let mut lists = Lists::default();
        lists.saved(saved);
        lists
    }

    fn saved(&mut self, saved: &mut Saved) {
        let Lists {
            draws,
            first,
            tiles: (columns, rows),
        } = self;
        saved.wide(first);
        saved.words([&mut *columns, &mut *rows]);
        (*columns, *rows) = (*columns & 0xFFFF, *rows & 0xFFFF);
        let count = saved.count(draws.len(), MAX_DRAWS);
        draws.resize_with(count, Draw::default);
        let mut left = MAX_ELEMENTS;
        draws
            .iter_mut()
            .for_each(|draw| draw.saved(&mut left, saved));
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

    /// All lists: what pixel jobs may still ask for. On loading, the store is empty.
    pub(crate) fn saved(&mut self, saved: &mut Saved) {
        let mut jobs: Vec<Arc<Lists>> = self.jobs.iter().filter_map(|(l, _)| l.upgrade()).collect();
        let count = saved.count(jobs.len(), MAX_JOBS);
        if saved.loads() {
            jobs = (0..count).map(|_| Arc::new(Lists::load(saved))).collect();
        } else {
            jobs.iter().for_each(|lists| lists.save(saved));
        }
        let numbers: HashMap<*const Lists, usize> = jobs.iter().map(Arc::as_ptr).zip(0..).collect();
        let number = |lists: &Arc<Lists>| numbers.get(&Arc::as_ptr(lists)).copied();
        let filed = |(block, lists): (&u32, &Arc<Lists>)| Some((*block, number(lists)?));
        let mut blocks: Vec<(u32, usize)> = self.by_block.iter().filter_map(filed).collect();
        blocks.sort_unstable();
        let mut last = number(&self.last).map_or(0, |job| job as u32 + 1);
        saved.word(&mut last);
        saved.flag(&mut self.dropped);
        let count = saved.count(blocks.len(), MAX_BYTES / 64);
        blocks.resize(count, (0, 0));
        for (block, job) in &mut blocks {
            let mut number = *job as u32;
            saved.words([block, &mut number]);
            *job = number as usize;
        }
        if saved.loads() {
            self.refill(&jobs, &blocks, last as usize);
        }
    }

    /// Becomes what was saved.
    fn refill(&mut self, jobs: &[Arc<Lists>], blocks: &[(u32, usize)], last: usize) {
        let filed = blocks
            .iter()
            .filter_map(|(b, job)| Some((*b, jobs.get(*job)?.clone())));
        self.by_block = filed.collect();
        let mut counts = vec![0; jobs.len()];
        for (_, job) in blocks {
            if let Some(count) = counts.get_mut(*job) {
                *count += 1;
            }
        }
        let sizes = jobs.iter().zip(counts);
        self.jobs = sizes
            .map(|(job, blocks)| (Arc::downgrade(job), job.bytes(blocks)))
            .collect();
        let job = last.checked_sub(1).and_then(|job| jobs.get(job));
        self.last = job.cloned().unwrap_or_default();
    }

    /// The lists of the last job.
    pub(crate) fn last(&self) -> &Arc<Lists> {
        &self.last
    }
}
