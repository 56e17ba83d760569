//! A capture, walked: its records and draws, and the chip after one of them.
//!
//! `cargo run --release -p isotherm --example walk -- FILE` does it with a capture of yours;
//! without one it makes a small one itself.

use isotherm::Capture;
use isotherm::capture::{Payload, Reader};

/// Walks.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut capture = match std::env::args()
        .nth(1)
        .filter(|name| name.ends_with(".zst"))
    {
        Some(file) => Capture::open(file)?,
        None => {
            let scenes = isotherm_scenes::all()?;
            let scene = scenes.iter().find(|scene| scene.name == "depth-func");
            Capture::read(Reader::new(
                scene.ok_or("no such scene")?.capture.as_slice(),
            )?)?
        }
    };
    let (mut pushed, mut uploaded) = (0, 0);
    for record in capture.records() {
        match record.payload {
            Payload::Push(words) => pushed += words.len(),
            Payload::Memory { bytes, .. } => uploaded += bytes.len(),
            _ => {}
        }
    }
    println!(
        "{}: {pushed} words, {uploaded} bytes",
        capture.chip().name()
    );

    let count = capture.draw_count()?;
    let middle = count.div_ceil(2);
    let Some(draw) = capture.draw(middle)? else {
        println!("nothing is drawn");
        return Ok(());
    };
    println!("draw {middle} of {count}: primitive {}", draw.primitive);
    let gpu = capture.seek(middle)?;
    if let Some(word) = gpu.word("CONFIG_A", 0) {
        println!("CONFIG_A is {word:08x}");
    }
    if let Some([before, after]) = capture.target(middle)? {
        let pixels = before.rgba.chunks(4).zip(after.rgba.chunks(4));
        let changed = pixels.filter(|(before, after)| before != after).count();
        println!("it changed {changed} pixels");
    }
    for vertex in capture.vertices(middle)?.iter().take(3) {
        let position = |words: [u32; 4]| words.map(f32::from_bits);
        println!(
            "{:?} became {:?}",
            position(vertex.input.attr[0]),
            position(vertex.output.pos)
        );
    }
    Ok(())
}
