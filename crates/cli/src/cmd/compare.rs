//! `isotherm compare`: an emulator's screenshot against our picture of the same capture, and
//! the draw that explains the worst pixel.

use super::pixel::{self, SurfaceChoice};
use crate::show::{BAD, GOOD, HEAD};
use crate::usage::usage;
use crate::{input, output, picture};
use anyhow::Context;
use isotherm::capture::{Image, Owned, Payload, Surface, read_all};
use isotherm::gpu::{self, Gpu, Snapshot};
use isotherm::observe::Touch;
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Options of `isotherm compare`.
#[derive(clap::Args)]
#[command(
    after_help = "Ends in 0 when the pictures are equal within the tolerance, in 1 when they differ."
)]
pub struct Args {
    /// The capture; `-` is standard input.
    capture: PathBuf,
    /// The other picture, a PNG of the same size.
    picture: PathBuf,
    /// Channels may differ by so much.
    #[arg(long, value_name = "N", default_value_t = 0)]
    tolerance: u8,
    /// Compare alpha, too; screenshots usually have none.
    #[arg(long)]
    alpha: bool,
    /// Write a picture of the differences here, a PNG: ours darkened, differing pixels red.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// As JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    choice: SurfaceChoice,
}

/// What the comparison of all pixels gave.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Count {
    pixels: usize,
    different: usize,
    /// The largest difference of a channel.
    largest: u8,
    /// Column and row of it.
    worst: Option<[u32; 2]>,
    /// Left, top, right, bottom of all differing pixels.
    bounds: Option<[u32; 4]>,
}

fn channels(alpha: bool) -> usize {
    if alpha { 4 } else { 3 }
}

fn difference(a: &[u8], b: &[u8], alpha: bool) -> u8 {
    let pairs = a.iter().zip(b).take(channels(alpha));
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

fn count(ours: &Image, theirs: &Image, tolerance: u8, alpha: bool) -> Count {
    let mut count = Count {
        pixels: ours.rgba.len() / 4,
        ..Count::default()
    };
    let pairs = ours.rgba.chunks(4).zip(theirs.rgba.chunks(4));
    for (at, (a, b)) in (0u32..).zip(pairs) {
        let difference = difference(a, b, alpha);
        if difference <= tolerance {
            continue;
        }
        let (x, y) = (at % ours.width, at / ours.width);
        count.different += 1;
        if difference > count.largest {
            (count.largest, count.worst) = (difference, Some([x, y]));
        }
        let [l, t, r, b] = count.bounds.unwrap_or([x, y, x, y]);
        count.bounds = Some([l.min(x), t.min(y), r.max(x), b.max(y)]);
    }
    count
}

fn picture_of(ours: &Image, theirs: &Image, tolerance: u8, alpha: bool) -> Image {
    let pairs = ours.rgba.chunks(4).zip(theirs.rgba.chunks(4));
    let pixel = |(a, b): (&[u8], &[u8])| {
        let difference = difference(a, b, alpha);
        let grey = ((u32::from(a[0]) + u32::from(a[1]) + u32::from(a[2])) / 12) as u8;
        match difference > tolerance {
            true => [128 + difference / 2, grey / 2, grey / 2, 255],
            false => [grey, grey, grey, 255],
        }
    };
    Image {
        rgba: pairs.flat_map(pixel).collect(),
        ..*ours
    }
}

/// Something that changed the worst pixel.
#[derive(Clone, Debug, Serialize)]
struct Change {
    /// The draw; a clear, a copy or a write comes after it.
    draw: u64,
    what: String,
    after: [u8; 4],
}

/// Compares.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(out) = &args.out {
        output::check_picture(out)?;
    }
    if args.json && output::standard_is_taken() {
        return Err(usage(
            "--json and the picture cannot both go to standard output",
        ));
    }
    if args.choice.target.is_some() {
        return Err(usage(
            "pictures of the capture are compared: --surface or --frame chooses one",
        ));
    }
    let name = || input::name(&args.capture);
    let theirs = picture::load(&args.picture)?;
    let mut reader = input::open_capture(&args.capture)?;
    let mut gpu = gpu::start(&mut reader).with_context(name)?;
    let records = read_all(&mut reader).with_context(name)?;
    let wanted = args.choice.picture(&records, &name())?;
    let ours = draw(&mut gpu, &records, wanted).with_context(name)?;
    if (ours.width, ours.height) != (theirs.width, theirs.height) {
        return Err(usage(format!(
            "{} is {}x{}, the capture's picture {}x{}: only pictures of the same size can be compared",
            args.picture.display(),
            theirs.width,
            theirs.height,
            ours.width,
            ours.height
        )));
    }
    let count = count(&ours, &theirs, args.tolerance, args.alpha);
    if let Some(out) = &args.out {
        picture::save(out, &picture_of(&ours, &theirs, args.tolerance, args.alpha))?;
    }
    let Some([x, y]) = count.worst else {
        if args.json {
            say!(
                "{}",
                json!({ "schema": SCHEMA, "equal": true, "count": count })
            );
        } else {
            say!("{GOOD}equal{GOOD:#}: {} pixels", count.pixels);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let history = history(&records, Gpu::new(gpu.chip()), wanted, x, y).with_context(name)?;
    let at = (y * ours.width + x) as usize * 4;
    let rgba = |image: &Image| [0, 1, 2, 3].map(|c| image.rgba[at + c]);
    let verdict = explain(&history, rgba(&theirs), args.tolerance, args.alpha);
    if args.json {
        let value = json!({ "schema": SCHEMA, "equal": false, "count": count,
            "ours": rgba(&ours), "theirs": rgba(&theirs), "draw": verdict.0,
            "explanation": verdict.1, "history": history });
        say!("{value}");
        return Ok(ExitCode::from(1));
    }
    print(args, &count, (rgba(&ours), rgba(&theirs)), &verdict)?;
    say!("");
    pixel::run(&pixel::Args {
        capture: args.capture.clone(),
        x,
        y,
        choice: args.choice.clone(),
        draw: None,
        brief: true,
        json: false,
    })?;
    Ok(ExitCode::from(1))
}

/// The version of the JSON.
const SCHEMA: &str = "isotherm-compare-1";

fn print(
    args: &Args,
    count: &Count,
    (ours, theirs): ([u8; 4], [u8; 4]),
    (_, text): &(Option<u64>, String),
) -> std::io::Result<()> {
    let share = 100.0 * count.different as f64 / count.pixels.max(1) as f64;
    say!(
        "{BAD}different{BAD:#}: {} of {} pixels ({share:.2} %), by up to {} of 255",
        count.different,
        count.pixels,
        count.largest
    );
    if let Some([left, top, right, bottom]) = count.bounds {
        say!("between ({left}, {top}) and ({right}, {bottom})");
    }
    if let Some(out) = &args.out {
        output::wrote(out, format_args!("the differences"))?;
    }
    let [x, y] = count.worst.unwrap_or_default();
    let list = |c: [u8; 4]| format!("{} {} {} {}", c[0], c[1], c[2], c[3]);
    say!(
        "{HEAD}worst pixel ({x}, {y}){HEAD:#}: ours {}, theirs {} (R G B A)",
        list(ours),
        list(theirs)
    );
    say!("{text}");
    Ok(())
}

/// Draws until the picture that is wanted.
fn draw(gpu: &mut Gpu, records: &[Owned], wanted: &Surface) -> anyhow::Result<Image> {
    for record in records {
        gpu.record(record.record())?;
        if record.surface().is_some_and(|s| std::ptr::eq(s, wanted)) {
            return Ok(wanted.read(&gpu.memory));
        }
    }
    anyhow::bail!("the picture is not there")
}

/// The draw that explains why a pixel of a capture's picture, counted from 0, is not what was
/// expected, and how. In a chain the chip starts as the capture before left it.
pub fn culprit(
    capture: &Path,
    before: Option<&Snapshot>,
    picture: usize,
    (x, y): (u32, u32),
    expected: [u8; 4],
) -> anyhow::Result<(Option<u64>, String)> {
    let mut reader = input::open_capture(capture)?;
    let new = gpu::start(&mut reader)?;
    let gpu = before.map_or(Ok(new), Gpu::from_snapshot)?;
    let records = read_all(&mut reader)?;
    let mut pictures = records.iter().filter_map(Owned::surface);
    let wanted = pictures.nth(picture).context("the picture is not there")?;
    let history = history(&records, gpu, wanted, x, y)?;
    Ok(explain(&history, expected, 0, true))
}

/// What a pixel was at first and what changed it, up to the picture. Draws are counted from 1.
fn history(
    records: &[Owned],
    mut gpu: Gpu,
    wanted: &Surface,
    x: u32,
    y: u32,
) -> anyhow::Result<Vec<Change>> {
    gpu.watch(Some(wanted.address(x, y)));
    let (before, mut actions) = (gpu.draws(), gpu.actions());
    let mut changes = vec![Change {
        draw: 0,
        what: START.into(),
        after: wanted.pixel(&gpu.memory, x, y),
    }];
    let look = |gpu: &mut Gpu, changes: &mut Vec<Change>, what: &str| {
        gpu.finish();
        let after = wanted.pixel(&gpu.memory, x, y);
        if changes.last().is_none_or(|last| last.after != after) {
            changes.push(Change {
                draw: gpu.draws() - before,
                what: what.into(),
                after,
            });
        }
    };
    for record in records {
        if record.surface().is_some_and(|s| std::ptr::eq(s, wanted)) {
            break;
        }
        if let Some(words) = record.push_words() {
            let mut draws = gpu.draws();
            gpu.push_until(words, |gpu| {
                if gpu.actions() != actions {
                    actions = gpu.actions();
                    let drawn = gpu.draws() != std::mem::replace(&mut draws, gpu.draws());
                    let what = if drawn {
                        "draw"
                    } else {
                        "clear or 2D operation"
                    };
                    look(gpu, &mut changes, what);
                }
                false
            })?;
            continue;
        }
        let payload = record.record();
        let job = matches!(payload.payload, Payload::Pp(_));
        gpu.record(payload)?;
        if job {
            changes.extend(of_job(&mut gpu, wanted, before));
        } else {
            look(&mut gpu, &mut changes, "write by the CPU");
        }
    }
    Ok(changes)
}

/// What a Mali's job did to the pixel.
fn of_job(gpu: &mut Gpu, surface: &Surface, drawn: u64) -> Vec<Change> {
    let rgba = |word: u32| {
        let [b, g, r, a] = word.to_le_bytes();
        let opaque = surface.format == "X8R8G8B8";
        [r, g, b, if opaque { 255 } else { a }]
    };
    let change = |touch: &Touch| {
        let [before, after] = touch.words();
        let (before, after) = (before.color?, after.color?);
        let (draw, what) = match touch {
            Touch::Mali(f) => (f.draw.saturating_sub(drawn), "draw"),
            _ => (0, "clear"),
        };
        (before != after || draw == 0).then(|| Change {
            draw,
            what: what.into(),
            after: rgba(after),
        })
    };
    gpu.touches().iter().filter_map(change).collect()
}

/// What a pixel has before the capture's first record.
const START: &str = "the start";

/// The draw that explains a pixel, and how.
fn explain(
    history: &[Change],
    theirs: [u8; 4],
    tolerance: u8,
    alpha: bool,
) -> (Option<u64>, String) {
    let like = |c: &Change| difference(&c.after, &theirs, alpha) <= tolerance;
    let Some(last) = history.last().filter(|last| last.what != START) else {
        let text = "nothing of the capture changes this pixel: it is what it was before";
        return (Some(0), text.into());
    };
    // Theirs is an earlier state of ours: what came next is missing there.
    if let Some(at) = history.iter().rposition(like)
        && let Some(next) = history.get(at + 1)
    {
        let text = format!(
            "theirs is what the pixel was before {} {}: it looks as if that had not been drawn",
            next.what, next.draw
        );
        return (Some(next.draw), text);
    }
    let text = format!("the last to change it was {} {}", last.what, last.draw);
    (Some(last.draw), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(draw: u64, value: u8) -> Change {
        Change {
            draw,
            what: "draw".into(),
            after: [value; 4],
        }
    }

    #[test]
    fn the_draw_that_is_missing_is_named() {
        let history = [change(1, 10), change(4, 20), change(9, 30)];
        assert_eq!(explain(&history, [20; 4], 0, true).0, Some(9));
        assert_eq!(explain(&history, [11; 4], 1, true).0, Some(4));
        assert_eq!(explain(&history, [99; 4], 0, true).0, Some(9));
        let untouched = Change {
            what: START.into(),
            ..change(0, 10)
        };
        assert_eq!(explain(&[untouched], [99; 4], 0, true).0, Some(0));
    }

    #[test]
    fn pixels_are_counted() {
        let image = |rgba: &[u8]| Image {
            width: 2,
            height: 1,
            rgba: rgba.to_vec(),
        };
        let (a, b) = (
            image(&[1, 2, 3, 4, 5, 6, 7, 8]),
            image(&[1, 2, 3, 9, 5, 9, 7, 8]),
        );
        let found = count(&a, &b, 0, false);
        assert_eq!(
            (found.different, found.largest, found.worst),
            (1, 3, Some([1, 0]))
        );
        assert_eq!(count(&a, &b, 3, false).different, 0);
        assert_eq!(count(&a, &b, 3, true).different, 1);
    }
}
