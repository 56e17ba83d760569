//! Mali-400 (Utgard): a geometry processor that runs vertex programs and bins
//! primitives, and pixel processors that draw tile by tile.
//!
//! [`Machine::gp_job`] runs the VS and PLBU streams of a frame, [`Machine::pp_job`]
//! its tiles. Memory is the chip's; both take it.

mod command_stream;
pub mod fuzz;
#[doc(hidden)]
pub mod gp;
#[doc(hidden)]
pub mod lint;
mod lists;
mod pictures;
#[doc(hidden)]
pub mod pp;
mod threads;
pub mod trace;
pub mod words;
mod zeta;

pub use lint::{Remark, lint};
pub use pictures::{Stored, Texture, TextureLevel, stored, textures};
pub use pp::texel::tile_index;
pub use pp::write_back::color_surface;
pub use zeta::{ZetaProbe, zeta_probe};

use isotherm_bus::memory::Memory;
use isotherm_bus::saved::Saved;
use isotherm_bus::threads::Threads;
use isotherm_lanes::Level;
use std::collections::HashMap;
use std::sync::Arc;

/// What a job can fail with. Addresses are the GPU's.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// A frame structure has the wrong length.
    #[error("{unit} frame: {got} words, {want} expected")]
    Frame {
        /// `GP` or `PP`.
        unit: &'static str,
        /// Words given.
        got: usize,
        /// Words wanted.
        want: usize,
    },
    /// No such command.
    #[error("{unit} stream at {addr:#010x}: unknown command {:#010x} {:#010x}", words[0], words[1])]
    Command {
        /// `VS`, `PLBU` or `PP`.
        unit: &'static str,
        /// Address of the command.
        addr: u32,
        /// The command.
        words: [u32; 2],
    },
    /// A stream or its work does not end.
    #[error("{unit} stream at {addr:#010x}: cut, too many commands or elements")]
    Endless {
        /// `VS`, `PLBU` or `PP`.
        unit: &'static str,
        /// Where it was cut.
        addr: u32,
    },
    /// A shader does not end, or a job is too long.
    #[error("{unit} program at {shader:#010x}: cut, it does not end or the job takes too long")]
    Hung {
        /// `GP` or `PP`.
        unit: &'static str,
        /// Address of the program.
        shader: u32,
    },
    /// A shader cannot be decoded.
    #[error("PP program at {shader:#010x}: {what}")]
    Program {
        /// Address of the program.
        shader: u32,
        /// What is wrong.
        what: String,
    },
    /// A texture's descriptor makes no sense.
    #[error("texture descriptor at {addr:#010x}: {what}")]
    Texture {
        /// Address of the descriptor.
        addr: u32,
        /// What is wrong.
        what: String,
    },
    /// Lists that a pixel job asks for were dropped.
    #[error("polygon list at {block:#010x}: dropped, too many lists were waiting for pixel jobs")]
    ListsGone {
        /// Address of the block.
        block: u32,
    },
    /// A write-back unit asks for something that does not exist.
    #[error("write-back unit {unit}: {what}")]
    WriteBack {
        /// Its number.
        unit: usize,
        /// What is wrong.
        what: String,
    },
}

/// What software renderers do and the chip does not. Nobody draws with these but to learn
/// where a difference between its picture and theirs comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WhatIf {
    /// The pixel processor computes in single precision, nothing is rounded to half floats;
    /// constants and uniforms are the shortest decimal fractions that round to what the words
    /// hold.
    pub full_floats: bool,
    /// Filters reach across the edges of cube faces.
    pub joined_cubes: bool,
    /// Stencil operations count with all bits of the value, not only with those that they may
    /// write.
    pub whole_stencil: bool,
}

/// The processors and what they keep between jobs.
pub struct Machine {
    gp_programs: HashMap<Vec<u32>, Arc<gp::program::Program>>,
    pp_programs: pp::shader::Cache,
    textures: pp::tex::Cache,
    /// Point sizes by the address of the positions they belong to.
    point_sizes: HashMap<u32, u32>,
    lists: lists::Store,
    draws: u64,
    /// Only so many draws are drawn.
    until_draw: Option<u64>,
    /// All draws up to `until_draw` are done.
    stopped: bool,
    /// Vertex groups, kept so that nothing is allocated.
    vertices: Vec<Box<gp::program::Vertices>>,
    /// The last job's triangles, kept for their room.
    prims: pp::Primitives,
    bins: pp::Bins,
    /// Address of the pixel that is watched, and what happened to it.
    watched: Option<u32>,
    touches: Vec<isotherm_bus::observe::Touch>,
    level: Level,
    whole_stencil: bool,
    threads: usize,
    /// Called together when there is work for more than one.
    workers: Option<Arc<Threads>>,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine::new()
    }
}

impl Machine {
    /// A machine that has done nothing yet.
    pub fn new() -> Machine {
        Machine::at_level(Level::current())
    }

    /// The same with a level of vector instructions; the picture does not depend on it.
    pub fn at_level(level: Level) -> Machine {
        Machine {
            gp_programs: HashMap::new(),
            pp_programs: pp::shader::Cache::default(),
            textures: pp::tex::Cache::default(),
            point_sizes: HashMap::new(),
            lists: lists::Store::default(),
            draws: 0,
            until_draw: None,
            stopped: false,
            vertices: Vec::new(),
            prims: pp::Primitives::default(),
            bins: pp::Bins::default(),
            watched: None,
            touches: Vec::new(),
            level,
            whole_stencil: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            workers: None,
        }
    }

    /// How many threads may draw; the picture does not depend on it. Without this, as
    /// many as the machine has.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, 256);
        self.workers = None;
    }

    /// The threads that draw.
    fn workers(&mut self) -> Arc<Threads> {
        let threads = self.threads;
        self.workers
            .get_or_insert_with(|| Arc::new(Threads::new(threads)))
            .clone()
    }

    /// Draws as something else would, see [`WhatIf`]. To be called before the first job.
    pub fn set_what_if(&mut self, what: WhatIf) {
        self.pp_programs.full_floats = what.full_floats;
        self.textures.joined_cubes = what.joined_cubes;
        self.whole_stencil = what.whole_stencil;
    }

    /// Draws only so many draws and leaves out the rest.
    pub fn set_until_draw(&mut self, draws: Option<u64>) {
        self.until_draw = draws;
    }

    /// Watches the pixel whose word begins at this address of memory, or none any more.
    pub fn watch(&mut self, address: Option<u32>) {
        self.watched = address;
    }

    /// What happened to the watched pixel since the last question.
    pub fn touches(&mut self) -> Vec<isotherm_bus::observe::Touch> {
        std::mem::take(&mut self.touches)
    }

    /// Draws so far.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// No job was ever run: another state is about to be loaded.
    pub fn forget(&mut self) {
        self.lists = lists::Store::default();
        (self.draws, self.stopped) = (0, false);
    }

    /// Everything that jobs leave for later ones, as words of a saved state; what is loaded
    /// goes to a machine that has done nothing yet.
    pub fn saved(&mut self, saved: &mut Saved) {
        saved.wide(&mut self.draws);
        // So that counting does not overflow.
        self.draws %= 1 << 48;
        self.lists.saved(saved);
    }

    /// Runs a geometry job: `frame` is the six words the kernel gets (start and end
    /// of the VS stream, of the PLBU stream, of the tile heap).
    pub fn gp_job(&mut self, mem: &mut Memory, frame: &[u32]) -> Result<(), Error> {
        let &[vs_start, vs_end, plbu_start, plbu_end, ..] = frame else {
            return Err(Error::Frame {
                unit: "GP",
                got: frame.len(),
                want: 6,
            });
        };
        self.stopped |= self.until_draw.is_some_and(|most| self.draws >= most);
        self.point_sizes.clear();
        gp::vs::run(self, mem, vs_start, vs_end)?;
        gp::plbu::run(self, mem, plbu_start, plbu_end)
    }

    /// Runs a pixel job: `frame` is the structure the kernel gets (frame registers,
    /// number of cores, write-back units, polygon list streams, stacks).
    pub fn pp_job(&mut self, mem: &mut Memory, frame: &[u32]) -> Result<(), Error> {
        if self.stopped {
            return Ok(());
        }
        pp::run(self, mem, frame)
    }
}
