//! Words to prepared state: what the units make of them before the first pixel.

use super::{Queue, SCENE_BYTES, STATE_LIMIT};
use isotherm_bus::budget::{Cost, Unit};
use isotherm_bus::memory::Memory;
use isotherm_pixel::assm::Settings;
use isotherm_pixel::bundles::{Changed, UnitBundles};
use isotherm_pixel::profile::Part;
use isotherm_pixel::raster::RasterState;
use isotherm_pixel::raster::fast::FastState;
use isotherm_pixel::raster::tile::Draw;
use isotherm_pixel::rop::Rop;
use isotherm_pixel::rop::prepare::{Spread, Surfaces};
use isotherm_pixel::shader::Shade;
use isotherm_pixel::shader::program::Fragments;
use isotherm_pixel::tex::cylinder_axes;
use isotherm_pixel::zcull::ClipIds;

impl Queue {
    /// The surfaces of what comes next; a scene on others is drawn first.
    pub(super) fn surfaces(&mut self, mem: &mut Memory) -> Surfaces {
        if self.bound == Some(self.surface) {
            return self.scene.surfaces;
        }
        let surfaces = self.surface.prepare(self.chip);
        if surfaces != self.scene.surfaces {
            self.draw_scene(mem);
            self.scene.start(surfaces, mem);
            self.changed = Changed::ALL;
        }
        self.bound = Some(self.surface);
        surfaces
    }

    /// What the state of the next vertices reads of memory, programs apart.
    fn reads(&self, shade: &Shade, surfaces: &Surfaces) -> impl Iterator<Item = (u32, usize)> {
        let ids = ClipIds::reads(self.chip, &self.bundles.zcull, surfaces.clip[3]);
        shade.reads().chain(ids)
    }

    /// Prepares the units for the next vertices, if a word changed since.
    pub(super) fn prepare(&mut self, mem: &mut Memory) -> u32 {
        if let Some(draw) = self.prepared {
            return draw;
        }
        let started = self.profile.start();
        if self.scene_is_full() {
            self.draw_scene(mem);
        }
        let surfaces = self.surfaces(mem);
        // The last state of the scene is the one that was prepared last.
        let changed = std::mem::replace(&mut self.changed, Changed::NONE);
        let last = self.scene.draws.last();
        let raster = match last {
            Some(last) if !changed.raster => last.raster.clone(),
            _ => RasterState::prepare(
                self.chip,
                &self.bundles.raster,
                self.celsius_config,
                surfaces.clip,
                surfaces.depth_scale(self.chip),
            ),
        };
        let rop = match last {
            Some(last) if !changed.rop => last.rop.clone(),
            _ => Rop::prepare(self.chip, &self.bundles.rop, &surfaces),
        };
        let UnitBundles {
            shader, tex, rc, ..
        } = &self.bundles;
        let last = last.map(|draw| &draw.shade);
        let (chip, units) = (self.chip, &mut self.units);
        let mut shade = Shade::prepare_after(last, units, chip, shader, tex, rc, self.tex);
        charge(mem, shade.reads());
        if self
            .reads(&shade, &surfaces)
            .any(|range| self.writes(mem, range))
        {
            self.draw_scene(mem);
        }
        let reads_surfaces = self
            .reads(&shade, &surfaces)
            .any(|range| self.scene.reaches(mem, range));
        self.reads_surfaces = reads_surfaces;
        shade.bind(mem, &mut self.textures);
        let program = self.program(mem, &surfaces);
        let samples = samples(&surfaces, raster.multisample);
        let clip_ids = ClipIds::test(self.chip, &self.bundles.zcull, mem, surfaces.clip[3]);
        self.clip_id_bytes += clip_ids.as_ref().map_or(0, |ids| ids.bytes() as u64);
        // Where pixels share words, the order of blocks shows.
        let fast = match clip_ids {
            None if !self.scene.serial() => {
                FastState::prepare(&raster, &rop, &shade, program.as_ref(), &surfaces)
            }
            _ => None,
        };
        let draw = self.scene.draws.len() as u32;
        self.scene.draws.push(Draw {
            fast,
            assm: Settings::prepare(self.chip, &self.bundles.assm),
            raster,
            rop,
            sets: match program {
                Some(_) => 0,
                None => (1 << shade.coordinate_sets().min(4)) - 1,
            },
            late: match &program {
                Some(program) => program.kills_or_moves(),
                None => shade.kills_or_moves(),
            },
            program,
            depth_scale: surfaces.depth_scale(self.chip),
            clip_ids,
            cylinder: cylinder_axes(self.chip, &self.bundles.tex),
            shade,
            samples,
        });
        self.prepared = Some(draw);
        self.read_before.clear();
        self.profile.end(started, Part::Prepare);
        draw
    }

    /// The fragment program of the next draw, its textures bound.
    fn program(&mut self, mem: &mut Memory, surfaces: &Surfaces) -> Option<Fragments> {
        let code = Fragments::code(self.chip, &self.bundles.shader, self.tex)?;
        if self.flies_over(mem, code) {
            self.draw_scene(mem);
        }
        let mut program = self.load_program(mem, surfaces);
        let drawn_over = match &program {
            Some(program) => program.reads().any(|range| self.writes(mem, range)),
            None => self.writes(mem, code),
        };
        if drawn_over {
            self.draw_scene(mem);
            program = self.load_program(mem, surfaces);
        }
        let mut program = program?;
        charge(mem, program.reads());
        let mut reads = program.reads();
        self.reads_surfaces |= reads.any(|range| self.scene.reaches(mem, range));
        drop(reads);
        program.bind(mem, &mut self.textures);
        Some(program)
    }

    /// The program that memory holds now.
    fn load_program(&mut self, mem: &Memory, surfaces: &Surfaces) -> Option<Fragments> {
        let (chip, spans) = (self.chip, self.tex);
        let programs = &mut self.programs;
        let UnitBundles { shader, tex, .. } = &self.bundles;
        Fragments::prepare(chip, shader, tex, spans, mem, programs, surfaces)
    }

    /// Has it so many states, or so much that was made for them, that it has to be drawn?
    pub(super) fn scene_is_full(&self) -> bool {
        self.scene.draws.len() >= STATE_LIMIT || self.made() - self.made_before > SCENE_BYTES
    }

    /// Bytes of all that was ever made from memory for draws.
    pub(super) fn made(&self) -> u64 {
        self.textures.decoded() + self.programs.made() + self.clip_id_bytes
    }
}

/// Preparing a state costs something, and so does looking whether its textures changed. What
/// is refused is seen by the vertices that come next.
fn charge(mem: &Memory, reads: impl Iterator<Item = (u32, usize)>) {
    const STATE: u64 = 1000;
    let pages: u64 = reads.map(|(_, len)| len as u64 >> 12).sum();
    let _ = mem
        .budget()
        .charge(Unit::Prepare, Cost::Steps, STATE + pages);
}

/// Where a pixel's samples lie, and where their words go. Without multisampling
/// the pixel centre stands for all of them.
fn samples(surfaces: &Surfaces, multisample: bool) -> Vec<([f64; 2], (u32, u32))> {
    let spots: &[([f64; 2], (u32, u32))] = match surfaces.scale {
        // Rankine's and Curie's names say where they are; no picture shows them.
        (2, 1) if surfaces.spread == Spread::Centered => {
            &[([4.0, 4.0], (0, 0)), ([12.0, 12.0], (1, 0))]
        }
        (2, 2) if surfaces.spread == Spread::Centered => &[
            ([4.0, 4.0], (0, 0)),
            ([12.0, 4.0], (1, 0)),
            ([4.0, 12.0], (0, 1)),
            ([12.0, 12.0], (1, 1)),
        ],
        (2, 2) if surfaces.spread == Spread::Rotated => &[
            ([6.0, 2.0], (0, 0)),
            ([14.0, 6.0], (1, 0)),
            ([2.0, 10.0], (0, 1)),
            ([10.0, 14.0], (1, 1)),
        ],
        (2, 1) => &[([0.0, 0.0], (0, 0)), ([8.0, 8.0], (1, 0))],
        (2, 2) => &[
            ([0.0, 0.0], (0, 0)),
            ([8.0, 0.0], (1, 0)),
            ([0.0, 8.0], (0, 1)),
            ([8.0, 8.0], (1, 1)),
        ],
        _ => &[([8.0, 8.0], (0, 0))],
    };
    let place = |&(at, word): &([f64; 2], (u32, u32))| {
        if multisample {
            (at, word)
        } else {
            ([8.0, 8.0], word)
        }
    };
    spots.iter().map(place).collect()
}
