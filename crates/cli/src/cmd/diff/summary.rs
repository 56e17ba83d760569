//! What a draw is, for comparison.

use super::super::disasm_fragment;
use super::super::trace::PRIMS;
use crate::input;
use crate::usage::Draws;
use isotherm::capture::{Image, Reader, read_all};
use isotherm::gpu::{self, Gpu};
use isotherm::programs::vertex as uploads;
use isotherm::{Chip, Family};
use isotherm_inspect::follow::{self, Mirror, Next, Step, mali, target};
use isotherm_inspect::mesh;
use isotherm_inspect::names::register;
use isotherm_picture::words::{digest, digest_bytes};
use isotherm_regs::Word;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::mali::words::RSW;
use isotherm_regs::xf::asm::disassemble;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// A state word of a draw.
pub struct StateWord {
    /// Its name, with the entry of arrays.
    pub name: String,
    /// Its fields.
    pub word: &'static Word,
    /// The entry.
    pub entry: u16,
    /// Its value.
    pub value: u32,
}

/// A draw.
pub struct Summary {
    /// The chip.
    pub chip: Chip,
    /// Its number, from 1.
    pub number: u64,
    /// Primitive and number of vertices.
    pub label: String,
    /// What draws are aligned by: primitive, vertices, programs.
    pub key: u64,
    /// All state words, in the same order for all draws of a chip.
    pub state: Vec<StateWord>,
    /// Texts by kind.
    pub programs: BTreeMap<&'static str, String>,
    /// A hash of the vertices as they go into the vertex engine.
    pub mesh: u64,
    /// What each unit that is on samples.
    pub textures: BTreeMap<usize, String>,
    /// A hash of the colour surface behind the draw; 0 where nobody looked.
    pub picture: u64,
}

/// All draws of a capture.
pub struct Draft {
    /// The chip.
    pub chip: Chip,
    /// The draws.
    pub draws: Vec<Summary>,
    /// A hash of the last picture.
    pub last_picture: u64,
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Reads a capture.
pub fn load(path: &Path) -> anyhow::Result<Draft> {
    let mut reader = input::open_capture(path)?;
    let mut gpu = gpu::start(&mut reader)?;
    let chip = gpu.chip();
    if chip.family() == Family::Utgard {
        return of_mali(&mut reader);
    }
    let mut programs = programs(path)?;
    let (mut draws, mut last_picture) = (Vec::new(), 0);
    follow::follow(
        &mut reader,
        &mut gpu,
        |_| true,
        |step, gpu, mirror| {
            match step {
                Step::End(number) => {
                    let programs = programs.remove(&number).unwrap_or_default();
                    draws.push(summary(number, gpu, mirror, programs));
                }
                Step::Surface(surface) => {
                    last_picture = digest_bytes(&surface.read(&gpu.memory).rgba)
                }
                Step::Begin(_) => {}
            }
            Ok(Next::Go)
        },
    )?;
    Ok(Draft {
        chip,
        draws,
        last_picture,
    })
}

type Programs = BTreeMap<&'static str, String>;

fn programs(path: &Path) -> anyhow::Result<HashMap<u64, Programs>> {
    let mut all: HashMap<u64, Programs> = HashMap::new();
    uploads::draws(input::open_capture(path)?, |draw| {
        let programs = all.entry(draw.number).or_default();
        programs.insert("vertex program", disassemble(&draw.program()));
        true
    })?;
    for (draw, text) in disasm_fragment::texts(input::open_capture(path)?, Draws::ALL)? {
        all.entry(draw)
            .or_default()
            .insert("fragment program", text);
    }
    Ok(all)
}

fn summary(number: u64, gpu: &Gpu, mirror: &Mirror, programs: Programs) -> Summary {
    let vertices = &mirror.mesh;
    let name = PRIMS.get(usize::from(vertices.prim)).unwrap_or(&"?");
    let label = format!("{name}, {} vertices", vertices.numbers.len());
    let surfaces = mirror.surfaces();
    let color = surfaces
        .color
        .map(|p| target::words(&gpu.memory, &surfaces, &p));
    Summary {
        chip: mirror.chip,
        number,
        key: hash(&(&label, &programs)),
        label,
        state: state(mirror),
        programs,
        mesh: mesh::digest(vertices),
        textures: textures(gpu, mirror),
        picture: color.map_or(0, |words| digest(&words)),
    }
}

fn state(mirror: &Mirror) -> Vec<StateWord> {
    let on = |bundle: Bundle| Some((bundle, bundle.row().on(mirror.chip)?));
    Bundle::all()
        .filter_map(on)
        .flat_map(|(bundle, ids)| (0..ids.count).map(move |entry| (bundle, entry)))
        .map(|(bundle, entry)| StateWord {
            name: register(mirror.chip, bundle, entry),
            word: bundle.word(),
            entry,
            value: mirror.words.at(bundle, usize::from(entry)),
        })
        .collect()
}

fn textures(gpu: &Gpu, mirror: &Mirror) -> BTreeMap<usize, String> {
    let text = |unit: usize| {
        let source = mirror.texture(unit)?;
        let image = source.decode(&gpu.memory);
        let [w, h, d] = source.size;
        let deep = if d > 1 {
            format!("x{d}")
        } else {
            String::new()
        };
        let cube = if source.cube { " cube" } else { "" };
        let texels = digest(&image.texels);
        Some(format!(
            "{w}x{h}{deep}{cube}, {} levels, texels {texels:016x}",
            source.levels
        ))
    };
    (0..mirror.texture_units())
        .filter_map(|unit| Some((unit, text(unit)?)))
        .collect()
}

fn of_mali(reader: &mut Reader<'_>) -> anyhow::Result<Draft> {
    let records = read_all(reader)?;
    let mut gpu = Gpu::new(Chip::Mali400);
    let mut draws = Vec::new();
    let surfaces = mali::draws(&records, &mut gpu, |draw, _| {
        let mut programs = Programs::new();
        let fragment = draw.fragment.text.clone();
        programs.insert("fragment program", fragment);
        if let Some(vertex) = &draw.vertex {
            programs.insert("vertex program", vertex.text.clone());
        }
        let label = format!("{}, {} vertices", draw.draw.mode, draw.draw.elements);
        let words = RSW.slots.iter().zip(&draw.draw.state).enumerate();
        draws.push(Summary {
            chip: Chip::Mali400,
            number: draw.number,
            key: hash(&(&label, &programs)),
            label,
            state: words
                // The addresses of programs and textures say nothing about what they hold.
                .filter(|(_, (slot, _))| !slot.word.name.contains("ADDRESS"))
                .map(|(_, (slot, value))| StateWord {
                    name: slot.word.name.to_string(),
                    word: slot.word,
                    entry: 0,
                    value: *value,
                })
                .collect(),
            programs,
            mesh: mesh::digest_of_places(&draw.positions),
            textures: BTreeMap::new(),
            picture: 0,
        });
        Ok(())
    })?;
    let last = surfaces.last().map(|s| s.read(&gpu.memory).rgba);
    Ok(Draft {
        chip: Chip::Mali400,
        draws,
        last_picture: last.map_or(0, |rgba| digest_bytes(&rgba)),
    })
}

/// The colour surface behind a draw, or the capture's last picture.
pub fn picture(path: &Path, draw: Option<u64>) -> anyhow::Result<Option<Image>> {
    let mut reader = input::open_capture(path)?;
    let mut gpu = gpu::start(&mut reader)?;
    let mut image = None;
    if gpu.chip().family() == Family::Utgard || draw.is_none() {
        while let Some(record) = reader.next_record()? {
            if let Some(surface) = gpu.record(record)? {
                image = Some(surface.read(&gpu.memory));
            }
        }
        return Ok(image);
    }
    follow::follow(
        &mut reader,
        &mut gpu,
        |_| false,
        |step, gpu, mirror| match step {
            Step::End(number) if Some(number) == draw => {
                image = target::color(&gpu.memory, &mirror.surfaces());
                Ok(Next::Stop)
            }
            _ => Ok(Next::Go),
        },
    )?;
    Ok(image)
}
