//! `isotherm demo`: the built-in examples.

mod families;
mod words;

use crate::usage::usage;
use crate::{output, picture};
use anyhow::Context;
use isotherm::capture::Reader;
use isotherm::gpu;
use isotherm_picture::sheet::{contact_sheet, nearly_black};
use isotherm_scenes as scenes;
use std::path::PathBuf;
use std::time::Instant;

/// Options of `isotherm demo`.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for the files it writes.
    #[arg(short, long, default_value = "isotherm-demo")]
    out: PathBuf,
    /// Only scenes whose name begins so.
    #[arg(long, default_value = "")]
    only: String,
    /// Write the captures of all scenes, not only of the first.
    #[arg(long)]
    captures: bool,
    /// JSON: a line for each picture written, nothing else.
    #[arg(long)]
    json: bool,
}

/// Draws the scenes and says what they show.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let xbox = scenes::all()?;
    let xbox = xbox
        .iter()
        .map(|scene| (&*scene.name, scene.about, &scene.capture));
    let others = families::all()?;
    let others = others
        .iter()
        .map(|scene| (scene.name, scene.about, &scene.capture));
    let wanted = |(name, ..): &(&str, &str, &Vec<u8>)| name.starts_with(&args.only);
    let all: Vec<_> = xbox.chain(others).filter(wanted).collect();
    if all.is_empty() {
        return Err(usage(format!("no scene's name begins with {}", args.only)));
    }
    output::check_folder(&args.out)?;
    output::tell_files(args.json);
    words::run(&args.out, args.json || output::quiet())?;
    let start = Instant::now();
    let mut first = None;
    let (mut sheet, mut left_out) = (Vec::new(), Vec::new());
    for (name, about, capture) in all {
        let mut image = None;
        gpu::replay(
            Reader::new(capture.as_slice())?,
            |_| {},
            |gpu, surface| image = Some(surface.read(&gpu.memory)),
        )?;
        let path = args.out.join(format!("{name}.png"));
        let image = image.context("a scene without a surface")?;
        let dark = args.only.is_empty() && nearly_black(&image);
        if args.captures || (first.is_none() && !dark) {
            let path = args.out.join(format!("{name}.cap.zst"));
            std::fs::write(&path, capture).with_context(|| format!("{}", path.display()))?;
            first.get_or_insert(path);
        }
        if dark {
            left_out.push(name.to_string());
            continue;
        }
        picture::save(&path, &image)?;
        sheet.push(image);
        output::wrote(&path, format_args!("{}", about))?;
    }
    let path = args.out.join("contact-sheet.png");
    picture::save(&path, &contact_sheet(&sheet))?;
    output::wrote(&path, format_args!("all of them side by side"))?;
    let (count, seconds) = (sheet.len(), start.elapsed().as_secs_f64());
    if args.json || output::quiet() {
        return Ok(());
    }
    say!("{count} scenes in {seconds:.2} s");
    if let Some(one) = left_out.first() {
        let count = left_out.len();
        say!("{count} scenes of thin lines and points are left out; --only {one} draws one");
    }
    if let Some(capture) = first {
        let capture = capture.display();
        say!("next: isotherm replay {capture}");
        say!("      isotherm trace {capture} --summary");
        say!("      isotherm pixel {capture} 128 100");
        say!("      isotherm why {capture}");
        say!(
            "      isotherm dump {capture} -o {}/files",
            args.out.display()
        );
    }
    Ok(())
}
