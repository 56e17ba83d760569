//! `isotherm dump`: what draws read and write, as files: surfaces, textures, meshes, programs
//! and state.

mod mali;
mod mesh;
mod textures;

use super::disasm_fragment;
use super::trace::set_fields;
use crate::show::many;
use crate::usage::Draws;
use crate::{input, output, picture};
use anyhow::Context;
use isotherm::Family;
use isotherm::capture::Image;
use isotherm::gpu::{self, Gpu};
use isotherm::programs::vertex as uploads;
use isotherm_inspect::combiners;
use isotherm_inspect::follow::{self, Mirror, Next, Step, target};
use isotherm_inspect::names::register;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain;
use isotherm_regs::xf::asm::disassemble;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Options of `isotherm dump`.
#[derive(clap::Args, Clone)]
#[command(
    after_help = "Files are called draw0007-WHAT, with index.json naming them all. Meshes come as CSV, as OBJ \
(Wavefront) and as glTF, before the vertex engine (in) and behind it (out, window coordinates); textures as \
they are decoded, every level and face. With --frames: frame00001.png and so on, as in\n  \
ffmpeg -i DIR/frame%05d.png film.mp4"
)]
pub struct Args {
    /// The capture; `-` is standard input. Of a folder every capture below it is taken.
    capture: PathBuf,
    /// Folder for the files; it is made if need be. For a folder of captures: one folder inside
    /// for each.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// This draw, or these (3..9), from 1; all unless given.
    #[arg(long, value_name = "N|A..B")]
    draw: Option<Draws>,
    /// What to write.
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST",
        default_values = ["targets", "depth", "stencil", "textures", "vertices", "indices", "programs", "state", "tiles"])]
    what: Vec<What>,
    /// Surfaces and textures as raw little-endian words, too.
    #[arg(long)]
    raw: bool,
    /// Instead of draws: every picture of the capture, numbered.
    #[arg(long, conflicts_with_all = ["draw", "what", "raw"])]
    frames: bool,
    /// Print the index as JSON instead of writing the names of files.
    #[arg(long)]
    json: bool,
}

/// Something that a draw has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// The colour surface behind the draw.
    Targets,
    /// Depth behind the draw, as grey.
    Depth,
    /// Stencil behind the draw, as grey.
    Stencil,
    /// Every texture that is on, all levels and faces.
    Textures,
    /// Vertices before and behind the vertex engine.
    Vertices,
    /// The numbers that vertices had in their buffers.
    Indices,
    /// Vertex and fragment programs, register combiners.
    Programs,
    /// All state words that are not zero.
    State,
    /// The tiles of a Mali's job, in its order, with how many of the draw's primitives may reach
    /// each; other chips have none.
    Tiles,
}

/// The folder that is filled.
pub struct Folder<'a> {
    args: &'a Args,
    /// File names by draw.
    files: BTreeMap<u64, Vec<String>>,
}

impl Folder<'_> {
    fn wants(&self, what: What) -> bool {
        self.args.what.contains(&what)
    }

    fn path(&mut self, draw: u64, name: &str) -> PathBuf {
        let name = format!("draw{draw:04}-{name}");
        let path = self.args.out.join(&name);
        self.files.entry(draw).or_default().push(name);
        path
    }

    fn text(&mut self, draw: u64, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.path(draw, name);
        output::write(&path, text.as_bytes())
    }

    fn picture(&mut self, draw: u64, name: &str, image: &Image) -> anyhow::Result<()> {
        // A surface without a pixel is no picture.
        if image.rgba.is_empty() {
            return Ok(());
        }
        let path = self.path(draw, &format!("{name}.png"));
        picture::save(&path, image)
    }

    fn words(&mut self, draw: u64, name: &str, words: &[u32]) -> anyhow::Result<()> {
        self.bytes(draw, name, &isotherm_picture::words::bytes(words))
    }

    fn bytes(&mut self, draw: u64, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.path(draw, &format!("{name}.bin"));
        output::write(&path, bytes)
    }

    /// Writes the index and says what there is.
    fn finish(self, chip: &str, draws: u64) -> anyhow::Result<()> {
        let list: Vec<Value> = self
            .files
            .iter()
            .map(|(draw, files)| json!({ "draw": draw, "files": files }))
            .collect();
        let capture = input::name(&self.args.capture);
        let index =
            json!({ "schema": "isotherm-dump-1", "capture": capture, "chip": chip, "draws": list });
        let text = serde_json::to_string_pretty(&index)?;
        output::write(&self.args.out.join("index.json"), text.as_bytes())?;
        if self.args.json {
            say!("{text}");
            return Ok(());
        }
        let count: usize = self.files.values().map(Vec::len).sum();
        let (files, draws) = (many(count as u64, "file"), many(draws, "draw"));
        output::wrote(&self.args.out, format_args!("{files} of {draws}"))?;
        Ok(())
    }
}

/// Writes the files of a capture, or of every one in a folder.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if !args.capture.is_dir() {
        return one_capture(args);
    }
    crate::folder::each(&args.capture, |capture, inside| {
        one_capture(&Args {
            capture: capture.into(),
            out: args.out.join(inside),
            ..args.clone()
        })
    })
}

fn one_capture(args: &Args) -> anyhow::Result<()> {
    output::check_folder(&args.out)?;
    let name = || input::name(&args.capture);
    let mut reader = input::open_capture(&args.capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    if args.frames {
        return frames(args, gpu, reader).with_context(name);
    }
    let mut folder = Folder {
        args,
        files: BTreeMap::new(),
    };
    let wanted = args.draw.unwrap_or(Draws::ALL);
    let draws = if gpu.chip().family() == Family::Utgard {
        mali::run(&mut folder, &mut reader, wanted).with_context(name)?
    } else {
        if folder.wants(What::Programs) {
            programs(&mut folder, wanted).with_context(name)?;
        }
        follow::follow(
            &mut reader,
            &mut gpu,
            |draw| wanted.contains(draw),
            |step, gpu, mirror| {
                let Step::End(draw) = step else {
                    return Ok(Next::Go);
                };
                if wanted.contains(draw) {
                    one(&mut folder, draw, gpu, mirror)?;
                }
                Ok(if draw >= wanted.last {
                    Next::Stop
                } else {
                    Next::Go
                })
            },
        )
        .with_context(name)?;
        gpu.draws()
    };
    wanted.check(draws, &name())?;
    let looked_at = draws.min(wanted.last).saturating_sub(wanted.first - 1);
    folder.finish(gpu.chip().name(), looked_at)
}

/// Every picture of the capture.
fn frames(
    args: &Args,
    mut gpu: Gpu,
    mut reader: isotherm::capture::Reader<'_>,
) -> anyhow::Result<()> {
    let mut names = Vec::new();
    while let Some(record) = reader.next_record()? {
        if let Some(surface) = gpu.record(record)? {
            let name = format!("frame{:05}.png", names.len() + 1);
            picture::save(&args.out.join(&name), &surface.read(&gpu.memory))?;
            names.push(name);
        }
    }
    anyhow::ensure!(!names.is_empty(), "no SURF record, so no pictures");
    if args.json {
        say!(
            "{}",
            json!({ "schema": "isotherm-dump-1", "frames": names })
        );
        return Ok(());
    }
    let pictures = many(names.len() as u64, "picture");
    output::wrote(&args.out, format_args!("{pictures}"))?;
    Ok(())
}

/// Everything of one draw that is over.
fn one(folder: &mut Folder<'_>, draw: u64, gpu: &Gpu, mirror: &Mirror) -> anyhow::Result<()> {
    let (surfaces, memory) = (mirror.surfaces(), &gpu.memory);
    type Picture =
        fn(&isotherm::memory::Memory, &isotherm::pixel::rop::prepare::Surfaces) -> Option<Image>;
    let pictures: [(What, &str, Picture); 3] = [
        (What::Targets, "color", target::color),
        (What::Depth, "depth", target::depth),
        (What::Stencil, "stencil", target::stencil),
    ];
    for (what, name, read) in pictures {
        if folder.wants(what)
            && let Some(image) = read(memory, &surfaces)
        {
            folder.picture(draw, name, &image)?;
        }
    }
    if folder.args.raw {
        for (what, name, plane) in [
            (What::Targets, "color", surfaces.color),
            (What::Depth, "zeta", surfaces.zeta),
        ] {
            if let Some(plane) = plane.filter(|_| folder.wants(what)) {
                folder.words(draw, name, &target::words(memory, &surfaces, &plane))?;
            }
        }
    }
    if folder.wants(What::Textures) {
        textures::write(folder, draw, mirror, memory)?;
    }
    if folder.wants(What::Vertices) {
        mesh::write(folder, draw, &mirror.mesh)?;
    }
    if folder.wants(What::Indices) {
        let text = isotherm_inspect::mesh::indices(&mirror.mesh);
        folder.text(draw, "indices.csv", &text)?;
    }
    if folder.wants(What::Programs)
        && matches!(mirror.chip.family(), Family::Celsius | Family::Kelvin)
    {
        folder.text(draw, "combiners.txt", &combiners::listing(mirror))?;
    }
    if folder.wants(What::State) {
        folder.text(draw, "state.txt", &state(mirror))?;
    }
    Ok(())
}

/// The words that are not zero, as a dump that `isotherm decode` and `diff` read.
pub fn state(mirror: &Mirror) -> String {
    let mut text = format!("chip {}\n", mirror.chip.name());
    for bundle in Bundle::all() {
        let Some(ids) = bundle.row().on(mirror.chip) else {
            continue;
        };
        for index in 0..ids.count {
            let word = mirror.words.at(bundle, usize::from(index));
            if word != 0 {
                let fields = set_fields(&explain::word(mirror.chip, bundle.word(), index, word));
                let name = register(mirror.chip, bundle, index);
                let _ = writeln!(text, "{name} {word:#010x}  # {fields}");
            }
        }
    }
    text
}

/// Vertex and fragment programs of the draws.
fn programs(folder: &mut Folder<'_>, wanted: Draws) -> anyhow::Result<()> {
    let path: &Path = &folder.args.capture;
    let mut vertex = Vec::new();
    uploads::draws(input::open_capture(path)?, |draw| {
        if wanted.contains(draw.number) {
            vertex.push((draw.number, disassemble(&draw.program())));
        }
        draw.number < wanted.last
    })?;
    for (draw, text) in &vertex {
        folder.text(*draw, "vertex-program.txt", text)?;
    }
    for (draw, text) in disasm_fragment::texts(input::open_capture(path)?, wanted)? {
        folder.text(draw, "fragment-program.txt", &text)?;
    }
    Ok(())
}
