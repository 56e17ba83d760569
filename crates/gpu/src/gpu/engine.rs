//! What the engines of all chips have in common.

use super::Oddities;
use crate::host::{Flip, Host, Outcome, Progress};
use crate::pipeline::{DrawReport, Profile, VertexPair, WatchedVertex};
use crate::surface::SurfaceView;
use isotherm_bus::context::Context;
use isotherm_bus::memory::Memory;
use isotherm_bus::method::Method;
use isotherm_bus::objects::Objects;
use isotherm_bus::observe::{Observer, Touch};
use isotherm_capture::{Image, Problem, Surface};
use isotherm_regs::bundle::Bundle;

/// What an engine reaches while it works.
pub(super) struct Bus<'a> {
    pub objects: &'a Objects,
    pub memory: &'a mut Memory,
    pub odd: &'a mut Oddities,
}

/// The state of a chip as its registers and methods hold it.
pub(super) struct HardwareState {
    /// Bindings, objects and surfaces: subchannel, method, data.
    pub methods: Vec<(u8, u16, u32)>,
    /// Writes of registers that put everything else back.
    pub registers: Vec<(u32, u32)>,
    /// Pixels that the counter has counted, which no register shows.
    pub passed: u64,
}

/// Everything of a chip but its memory and objects. The methods with a body are for engines
/// that have no such thing.
pub(super) trait Engine: Send {
    /// How many threads may draw.
    fn set_threads(&mut self, threads: usize);

    /// Primitives after which a scene is drawn at the latest, if it has scenes.
    fn set_scene_size(&mut self, _primitives: usize) {}

    /// Draw, or only run the commands.
    fn set_drawing(&mut self, on: bool);

    /// Ignore everything after this many draws.
    fn set_until_draw(&mut self, draws: Option<u64>);

    /// Draws so far.
    fn draws(&self) -> u64;

    /// Draws, clears and 2D operations so far.
    fn actions(&self) -> u64 {
        self.draws()
    }

    /// Watches the pixel at an address.
    fn watch(&mut self, address: Option<u32>);

    /// What happened to it since the last question.
    fn touches(&mut self) -> Vec<Touch>;

    /// Watches a vertex of a draw.
    fn watch_vertex(&mut self, _draw: u64, _vertex: usize) {}

    /// The watched vertex.
    fn watched_vertex(&mut self) -> Option<WatchedVertex> {
        None
    }

    /// Somebody follows the commands.
    fn set_observer(&mut self, _observer: Option<Box<dyn Observer>>) {}

    /// What was drawn, and where the time went.
    fn profile(&self) -> Option<&Profile> {
        None
    }

    /// Draws one at a time and reports them, or no longer.
    fn inspect(&mut self, _memory: &mut Memory, _on: bool) {}

    /// The reports since the last call.
    fn take_reports(&mut self) -> Vec<DrawReport> {
        Vec::new()
    }

    /// The vertices of the last draw.
    fn take_vertices(&mut self) -> Vec<VertexPair> {
        Vec::new()
    }

    /// A state word.
    fn word(&self, _bundle: Bundle, _index: usize) -> Option<u32> {
        None
    }

    /// What a texture unit would sample.
    fn texture(&self, _unit: usize, _memory: &Memory) -> Option<Image> {
        None
    }

    /// Counts from zero.
    fn restart_profile(&mut self, _times: bool) {}

    /// Rules of software renderers; false if it has none.
    fn set_what_if(&mut self, _what: isotherm_mali::WhatIf) -> bool {
        false
    }

    /// The processors of a Mali.
    fn mali(&self) -> Option<&isotherm_mali::Machine> {
        None
    }

    /// Words that are no header, so far.
    fn bad_headers(&self) -> u64 {
        0
    }

    /// All draws that were asked for are done.
    fn stopped(&self) -> bool {
        false
    }

    /// A draw was begun and not ended.
    fn inside_primitive(&self) -> bool {
        false
    }

    /// Draws what is pending.
    fn finish(&mut self, _memory: &mut Memory) {}

    /// The CPU is about to write memory, or to start something.
    fn before_access(&mut self, _memory: &mut Memory) {}

    /// The pusher is about to read memory (address and length): what is drawn there comes
    /// first.
    fn before_read(&mut self, _memory: &mut Memory, _range: (u32, usize)) {}

    /// The CPU may have written to memory: what was read of it has to be read again.
    fn memory_changed(&mut self) {}

    /// The host hears of everything that the chip has written so far.
    fn tell_writes(&mut self, _memory: &Memory) {}

    /// The CPU wrote to memory just now.
    fn cpu_wrote(&mut self, _memory: &Memory) {}

    /// Whom to call.
    fn set_host(&mut self, _host: Option<Box<dyn Host>>) {}

    /// Words for the pusher.
    fn push(&mut self, _words: &[u32], _bus: &mut Bus<'_>) -> Result<Progress, Problem> {
        Err(Problem::WrongChip("PUSH"))
    }

    /// One method.
    fn method(&mut self, _method: Method, _bus: &mut Bus<'_>) -> Result<Outcome, Problem> {
        Err(Problem::WrongChip("PUSH"))
    }

    /// Data words that the last header still announces.
    fn missing_data(&self) -> usize {
        0
    }

    /// What REF_CNT was last set to.
    fn reference(&self) -> u32 {
        0
    }

    /// Pushes end behind a FLIP_STALL, or no longer.
    fn set_stop_at_flips(&mut self, _on: bool) {}

    /// The flip that ended the last push.
    fn take_flip(&mut self) -> Option<Flip> {
        None
    }

    /// The display went on to the next picture.
    fn picture_shown(&mut self) {}

    /// The bound colour surface.
    fn color_target(&self) -> Option<SurfaceView> {
        None
    }

    /// The bound depth surface.
    fn depth_target(&self) -> Option<SurfaceView> {
        None
    }

    /// The picture that was drawn to last.
    fn last_picture(&self, memory: &Memory) -> Option<Image>;

    /// Where it lies, if a capture can say so.
    fn last_surface(&self) -> Option<Surface>;

    /// The CPU writes a register.
    fn register(&mut self, _addr: u32, _value: u32) {}

    /// Registers that a capture needs besides the context: addresses and values.
    fn registers(&self) -> Vec<(u32, u32)> {
        Vec::new()
    }

    /// The state by registers and methods, where the chip's layout of them is known. Objects
    /// that the methods need and that are gone are made anew.
    fn hardware_state(&mut self, _objects: &mut Objects) -> Option<HardwareState> {
        None
    }

    /// A vertex job.
    fn gp_job(&mut self, _memory: &mut Memory, _frame: &[u32]) -> Result<(), Problem> {
        Err(Problem::WrongChip("GP"))
    }

    /// A fragment job.
    fn pp_job(&mut self, _memory: &mut Memory, _frame: &[u32]) -> Result<(), Problem> {
        Err(Problem::WrongChip("PP"))
    }

    /// Everything it remembers. What is under way is in memory then.
    fn context(&mut self, memory: &mut Memory) -> Context;

    /// Puts a context back.
    fn restore(&mut self, saved: &Context, memory: &mut Memory) -> Result<(), Problem>;
}
