//! `isotherm demo`: the built-in examples.

use crate::picture;
use anyhow::Context;
use isotherm::capture::Reader;
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
}

/// Draws the scenes and says what they show.
pub fn run(args: &Args) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.out).with_context(|| format!("{}", args.out.display()))?;
    super::demo_words::run(&args.out)?;
    let start = Instant::now();
    let mut count = 0;
    let mut first = None;
    for scene in scenes::all()?
        .iter()
        .filter(|scene| scene.name.starts_with(&args.only))
    {
        let mut image = None;
        gpu::replay(
            Reader::new(scene.capture.as_slice())?,
            |_| {},
            |gpu, surface| image = Some(surface.read(&gpu.memory)),
        )?;
        let path = args.out.join(format!("{}.png", scene.name));
        picture::save(&path, &image.context("a scene without a surface")?)?;
        if args.captures || first.is_none() {
            let capture = args.out.join(format!("{}.cap.zst", scene.name));
            std::fs::write(&capture, &scene.capture)
                .with_context(|| format!("{}", capture.display()))?;
            first.get_or_insert(capture);
        }
        say!("{:<32} {}", path.display(), scene.about);
        count += 1;
    }
    say!(
        "{count} scenes for an NV2A in {:.2} s",
        start.elapsed().as_secs_f64()
    );
    if let Some(capture) = first {
        let capture = capture.display();
        say!("next: isotherm replay {capture}");
        say!("      isotherm trace {capture} --summary");
        say!("      isotherm pixel {capture} 128 100");
    }
    Ok(())
}
