//! Words to prepared state: what the units make of them before the first pixel.

use super::{Queue, STATE_LIMIT};
use isotherm_bus::memory::Memory;
use isotherm_pixel::assm::Settings;
use isotherm_pixel::bundles::UnitBundles;
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
        let surfaces = self.surface.prepare(self.chip);
        if surfaces != self.scene.surfaces {
            self.draw_scene(mem);
            self.scene.start(surfaces);
        }
        surfaces
    }

    /// Prepares the units for the next vertices, if a word changed since.
    pub(super) fn prepare(&mut self, mem: &mut Memory) -> u32 {
        if let Some(draw) = self.prepared {
            return draw;
        }
        let started = self.profile.start();
        if self.scene.draws.len() >= STATE_LIMIT {
            self.draw_scene(mem);
        }
        let surfaces = self.surfaces(mem);
        let raster = RasterState::prepare(
            self.chip,
            &self.bundles.raster,
            self.celsius_config,
            surfaces.clip,
            surfaces.depth_top(),
        );
        let rop = Rop::prepare(self.chip, &self.bundles.rop, &surfaces);
        let UnitBundles {
            shader, tex, rc, ..
        } = &self.bundles;
        let mut shade = Shade::prepare(self.chip, shader, tex, rc, self.tex);
        if shade.reads().any(|(a, n)| self.scene.writes(a, n)) {
            self.draw_scene(mem);
        }
        self.reads_surfaces = shade.reads().any(|(a, n)| self.scene.surfaces_reach(a, n));
        shade.bind(mem, &mut self.textures);
        let program = self.program(mem, &surfaces);
        let samples = samples(&surfaces, raster.multisample);
        let clip_ids = ClipIds::test(self.chip, &self.bundles.zcull, mem, surfaces.clip[3]);
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
            depth_top: surfaces.depth_top(),
            clip_ids,
            cylinder: cylinder_axes(self.chip, &self.bundles.tex),
            shade,
            samples,
        });
        self.prepared = Some(draw);
        self.profile.end(started, Part::Prepare);
        draw
    }

    /// The fragment program of the next draw, its textures bound.
    fn program(&mut self, mem: &mut Memory, surfaces: &Surfaces) -> Option<Fragments> {
        let (chip, spans) = (self.chip, self.tex);
        let programs = &mut self.programs;
        let UnitBundles { shader, tex, .. } = &self.bundles;
        let mut program = Fragments::prepare(chip, shader, tex, spans, mem, programs, surfaces)?;
        if program.reads().any(|(a, n)| self.scene.writes(a, n)) {
            self.draw_scene(mem);
        }
        let mut reads = program.reads();
        self.reads_surfaces |= reads.any(|(a, n)| self.scene.surfaces_reach(a, n));
        drop(reads);
        program.bind(mem, &mut self.textures);
        Some(program)
    }
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
