//! Which surface a pixel belongs to.

use crate::input;
use crate::usage::{no_draw, usage};
use anyhow::Context;
use isotherm::capture::{Owned, Payload, Surface};
use isotherm::gpu::Gpu;
use isotherm::mali::color_surface;
use isotherm::{Family, gpu};
use isotherm_inspect::follow::{self, Next, Step, mali, target};
use std::path::Path;

/// Which frames the pictures belong to, if they say so.
fn frames(all: &[&Surface]) -> String {
    let numbers = all.iter().filter_map(|surface| surface.frame);
    match (numbers.clone().min(), numbers.max()) {
        (Some(first), Some(last)) => format!(": frames go from {first} to {last}"),
        _ => ": no picture says its frame, --surface counts them".into(),
    }
}

/// Which surface is meant.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SurfaceChoice {
    /// The capture's picture number K, from 1, instead of the last.
    #[arg(long, value_name = "K")]
    pub surface: Option<usize>,
    /// The picture of frame F.
    #[arg(long, value_name = "F", conflicts_with = "surface")]
    pub frame: Option<u32>,
    /// Not a picture of the capture, but the surface that draws go to.
    #[arg(long, value_enum, conflicts_with_all = ["surface", "frame"])]
    pub target: Option<Target>,
    /// With --target: as it is bound at draw N; the last draw's unless given.
    #[arg(long, value_name = "N", requires = "target")]
    pub target_of: Option<u64>,
}

/// A surface that draws go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Target {
    /// The colour surface.
    Color,
    /// Depth and stencil.
    Zeta,
}

/// A pixel's word.
#[derive(Clone, Debug)]
pub struct PixelWord {
    /// Where it begins.
    pub address: u32,
    /// Its bytes.
    pub bytes: u32,
    /// The surface, in words.
    pub surface: String,
    /// It is depth and stencil.
    pub zeta: bool,
}

impl SurfaceChoice {
    /// The picture that is meant.
    pub fn picture<'a>(&self, records: &'a [Owned], name: &str) -> anyhow::Result<&'a Surface> {
        let all: Vec<&Surface> = records
            .iter()
            .filter_map(|record| record.surface())
            .collect();
        if all.is_empty() {
            return Err(usage(format!(
                "{name}: no SURF record, so no picture to point into"
            )));
        }
        let found = match (self.surface, self.frame) {
            (Some(number), _) => number.checked_sub(1).and_then(|i| all.get(i)),
            (None, Some(frame)) => all.iter().find(|s| s.frame == Some(frame)),
            (None, None) => all.last(),
        };
        found.copied().ok_or_else(|| {
            usage(match self.frame {
                Some(frame) => format!("{name}: there is no frame {frame}{}", frames(&all)),
                None => format!(
                    "{name}: there is no surface {}: surfaces count from 1, and there are {}",
                    self.surface.unwrap_or(0),
                    all.len()
                ),
            })
        })
    }

    /// The word of a pixel.
    pub fn place(
        &self,
        capture: &Path,
        records: &[Owned],
        x: u32,
        y: u32,
    ) -> anyhow::Result<PixelWord> {
        let name = input::name(capture);
        let outside = |width: u32, height: u32| {
            usage(format!(
                "pixel ({x}, {y}) is outside the picture, which is {width}x{height}"
            ))
        };
        if let Some(target) = self.target {
            return self
                .of_target(target, capture, records, (x, y))
                .with_context(|| name);
        }
        let surface = self.picture(records, &name)?;
        let (width, height) = (surface.width, surface.height);
        if x >= width || y >= height {
            return Err(outside(width, height));
        }
        Ok(PixelWord {
            address: surface.address(x, y),
            bytes: surface.bytes(),
            surface: format!("{width}x{height} {}", surface.format),
            zeta: false,
        })
    }

    /// A pixel of what a Mali's job writes back.
    fn of_job(
        &self,
        target: Target,
        name: &str,
        mut gpu: Gpu,
        records: &[Owned],
        (x, y): (u32, u32),
    ) -> anyhow::Result<PixelWord> {
        if target == Target::Zeta {
            return Err(usage(
                "a Mali's depth and stencil live in tiles and are gone with the job; the history of the colour tells of both",
            ));
        }
        gpu.set_drawing(false);
        let (mut job, mut draws) = (0, 0);
        mali::draws(records, &mut gpu, |draw, _| {
            draws = draw.number;
            if self.target_of.is_none_or(|wanted| wanted == draw.number) {
                job = draw.job;
            }
            Ok(())
        })?;
        let mut jobs = records
            .iter()
            .filter_map(|record| match record.record().payload {
                Payload::Pp(job) => Some(job.frame.to_vec()),
                _ => None,
            });
        let Some(frame) = jobs.nth((job as usize).wrapping_sub(1)) else {
            return Err(no_draw(name, self.target_of.unwrap_or(1), draws));
        };
        let surface = color_surface(&frame).and_then(|json| serde_json::from_value(json).ok());
        let surface: Surface = surface.ok_or_else(|| usage("the job writes no colour back"))?;
        let (width, height) = (surface.width, surface.height);
        if x >= width || y >= height {
            return Err(usage(format!(
                "pixel ({x}, {y}) is outside what the job writes, which is {width}x{height}"
            )));
        }
        Ok(PixelWord {
            address: surface.address(x, y),
            bytes: surface.bytes(),
            surface: format!("what job {job} writes, {width}x{height} {}", surface.format),
            zeta: false,
        })
    }

    fn of_target(
        &self,
        target: Target,
        capture: &Path,
        records: &[Owned],
        (x, y): (u32, u32),
    ) -> anyhow::Result<PixelWord> {
        let mut reader = input::open_capture(capture)?;
        let mut gpu = gpu::start(&mut reader)?;
        if gpu.chip().family() == Family::Utgard {
            return self.of_job(target, &input::name(capture), gpu, records, (x, y));
        }
        gpu.set_drawing(false);
        let mut found = None;
        follow::follow(
            &mut reader,
            &mut gpu,
            |_| false,
            |step, _, mirror| {
                if let Step::Begin(draw) = step {
                    if self.target_of.is_none_or(|wanted| wanted == draw) {
                        found = Some(mirror.surfaces());
                    }
                    if self.target_of == Some(draw) {
                        return Ok(Next::Stop);
                    }
                }
                Ok(Next::Go)
            },
        )?;
        let Some(surfaces) = found else {
            let wanted = self.target_of.unwrap_or(1);
            return Err(no_draw(&input::name(capture), wanted, gpu.draws()));
        };
        let zeta = target == Target::Zeta;
        let plane = if zeta { surfaces.zeta } else { surfaces.color };
        let what = if zeta {
            "zeta surface"
        } else {
            "colour surface"
        };
        let plane = plane.ok_or_else(|| usage(format!("no {what} is bound there")))?;
        let (width, height) = target::size(&surfaces);
        let address = (x < width && y < height)
            .then(|| target::address(&plane, x, y))
            .flatten();
        let address = address.ok_or_else(|| {
            usage(format!(
                "pixel ({x}, {y}) is outside the {what}, which is {width}x{height}"
            ))
        })?;
        Ok(PixelWord {
            address,
            bytes: plane.bytes,
            surface: format!("the {what}, {width}x{height}"),
            zeta,
        })
    }
}
