//! `isotherm demo`: the built-in examples.

mod families;
mod words;

use crate::usage::usage;
use crate::{output, picture};
use anyhow::Context;
use isotherm::capture::{Image, Reader};
use isotherm::gpu;
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

/// Is there next to nothing to be seen: fewer than one pixel in fifty that is not dark?
fn nearly_black(image: &Image) -> bool {
    let bright = |pixel: &&[u8]| pixel[..3].iter().any(|c| *c > 100);
    let pixels = image.rgba.chunks_exact(4);
    let all = pixels.len();
    pixels.filter(bright).count() * 50 < all
}

/// Width and height of a picture on the contact sheet, and the gap between two.
const CELL: u32 = 128;
const GAP: u32 = 4;
/// Pictures in a row.
const COLUMNS: u32 = 8;

/// All pictures in rows, reduced to cells of one size.
fn contact_sheet(pictures: &[Image]) -> Image {
    let count = pictures.len() as u32;
    let columns = COLUMNS.min(count.max(1));
    let rows = count.div_ceil(columns).max(1);
    let (width, height) = (columns * (CELL + GAP) + GAP, rows * (CELL + GAP) + GAP);
    let mut rgba = [255u8, 255, 255, 255].repeat((width * height) as usize);
    for (i, picture) in (0u32..).zip(pictures) {
        let left = GAP + i % columns * (CELL + GAP);
        let top = GAP + i / columns * (CELL + GAP);
        for y in 0..CELL {
            for x in 0..CELL {
                let at = (((top + y) * width + left + x) * 4) as usize;
                let color = mean(picture, x, y);
                rgba[at..at + 4].copy_from_slice(&color);
            }
        }
    }
    Image {
        width,
        height,
        rgba,
    }
}

/// The mean of the pixels that a pixel of a cell stands for.
fn mean(picture: &Image, x: u32, y: u32) -> [u8; 4] {
    let part = |at: u32, size: u32| {
        let from = at * size / CELL;
        from..((at + 1) * size / CELL).max(from + 1).min(size)
    };
    let (mut sum, mut count) = ([0u32; 3], 0);
    for py in part(y, picture.height) {
        for px in part(x, picture.width) {
            let at = ((py * picture.width + px) * 4) as usize;
            (0..3).for_each(|c| sum[c] += u32::from(picture.rgba[at + c]));
            count += 1;
        }
    }
    let [r, g, b] = sum.map(|sum| (sum / count.max(1)) as u8);
    [r, g, b, 255]
}
