//! A capture to go through: any draw, forwards and back, is what a replay up to it gives.

use isotherm::Capture;
use isotherm::capture::{Owned, Push, Reader, Writer, read_all};
use isotherm::{Chip, Gpu, replay};
use serde_json::json;

fn scene(name: &str) -> Vec<u8> {
    let scenes = isotherm_scenes::all().unwrap().into_iter();
    scenes
        .into_iter()
        .find(|scene| scene.name == name)
        .unwrap()
        .capture
}

/// A scene with a draw for each of many small quads more, so that there are snapshots.
fn long(quads: u32) -> Vec<u8> {
    let file = scene("prim-quads");
    let mut reader = Reader::new(file.as_slice()).unwrap();
    reader.next_record().unwrap();
    let records = read_all(&mut reader).unwrap();
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": "nv2a" })).unwrap();
    let mut push = Push::new();
    for i in 0..quads {
        let (x, y) = ((i % 25 * 10) as f32, (i / 25 * 10) as f32);
        push.method(0, 0x17FC, &[8]);
        let shade = i as f32 / quads as f32;
        push.floats(0, 0x1550, &[shade, 1.0 - shade, 0.5, 1.0]);
        for (dx, dy) in [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)] {
            push.floats(0, 0x1518, &[x + dx, y + dy, 0.0, 1.0]);
        }
        push.method(0, 0x17FC, &[0]);
    }
    for record in &records {
        if record.is_surface() {
            writer.push(push.words()).unwrap();
        }
        record.write(&mut writer).unwrap();
    }
    writer.finish().unwrap()
}

/// The picture when so many draws are done, by replaying from the beginning.
fn replayed(file: &[u8], draws: u64) -> Vec<u8> {
    let mut picture = Vec::new();
    replay(
        Reader::new(file).unwrap(),
        |gpu| gpu.set_until_draw(Some(draws)),
        |gpu, surface| picture = surface.read(&gpu.memory).rgba,
    )
    .unwrap();
    picture
}

fn picture(gpu: &mut Gpu) -> Vec<u8> {
    let target = gpu.render_target().unwrap();
    gpu.read_surface(&target).rgba
}

#[test]
fn seeking_is_replaying() {
    let file = long(300);
    let mut capture = Capture::read(Reader::new(file.as_slice()).unwrap()).unwrap();
    assert_eq!(capture.chip(), Chip::Nv2a);
    // Looks no further than it must, then to the end.
    assert_eq!(capture.draw(2).unwrap().unwrap().primitive, 8);
    let count = capture.draw_count().unwrap();
    assert!(count > 300);
    assert!(capture.draw(0).unwrap().is_none());
    assert!(capture.draw(count + 1).unwrap().is_none());
    for draws in [290, 291, 7, 130, 129, 300, 1, count, 200] {
        let gpu = capture.seek(draws).unwrap();
        assert_eq!(gpu.draws(), draws);
        assert!(picture(gpu) == replayed(&file, draws), "draw {draws}");
    }
    assert_eq!(capture.seek(u64::MAX).unwrap().draws(), count);
}

#[test]
fn a_draw_before_and_after() {
    let file = long(100);
    let mut capture = Capture::read(Reader::new(file.as_slice()).unwrap()).unwrap();
    let draw = capture.draw_count().unwrap();
    let [before, after] = capture.target(draw).unwrap().unwrap();
    let changed = |at: usize| before.rgba[at * 4..][..4] != after.rgba[at * 4..][..4];
    let pixels: Vec<usize> = (0..256 * 256).filter(|&at| changed(at)).collect();
    // The last of a hundred quads of nine by nine, 25 in a row.
    assert_eq!(pixels.len(), 81);
    assert_eq!((pixels[0] % 256, pixels[0] / 256), (240, 30));

    let vertices = capture.vertices(draw).unwrap();
    assert_eq!(vertices.len(), 4);
    let x = |pair: &isotherm::VertexPair| {
        let x = [pair.input.attr[0][0], pair.output.pos[0]].map(f32::from_bits);
        x.map(f32::round)
    };
    assert_eq!(
        vertices.iter().map(x).collect::<Vec<_>>(),
        [[240.0; 2], [249.0; 2], [249.0; 2], [240.0; 2]]
    );
    // Looking did not disturb anything.
    assert!(picture(capture.seek(draw).unwrap()) == after.rgba);
}

#[test]
fn words_and_textures_by_name() {
    let file = scene("tex-nearest");
    let mut capture = Capture::read(Reader::new(file.as_slice()).unwrap()).unwrap();
    let gpu = capture.seek(1).unwrap();
    let texture = gpu.texture(0).unwrap();
    assert_eq!((texture.width, texture.height), (64, 64));
    // Red 0 at the left, 4 a texel; blue the same downwards.
    let pixel = |x: usize, y: usize| &texture.rgba[(y * 64 + x) * 4..][..3];
    assert_eq!(
        (pixel(0, 0), pixel(5, 0)),
        (&[0, 0, 0][..], &[0, 0, 20][..])
    );
    assert_eq!(pixel(0, 9)[0], 36);
    assert!(gpu.texture(1).is_none() && gpu.texture(99).is_none());
    assert_eq!(
        gpu.word("TEX_CONTROL", 0).map(|word| word >> 30 & 1),
        Some(1)
    );
    assert_eq!(
        (gpu.word("TEX_CONTROL", 99), gpu.word("NO_SUCH", 0)),
        (None, None)
    );
}

#[test]
fn a_capture_without_surfaces_still_shows_its_picture() {
    let file = scene("prim-quads");
    let mut reader = Reader::new(file.as_slice()).unwrap();
    reader.next_record().unwrap();
    let records = read_all(&mut reader).unwrap();
    let mut writer = Writer::new(Vec::new(), &json!({ "gpu": "nv2a" })).unwrap();
    let push = |record: &&Owned| !record.is_surface();
    records
        .iter()
        .filter(push)
        .for_each(|record| record.write(&mut writer).unwrap());
    let bare = writer.finish().unwrap();
    let mut gpu = replay(
        Reader::new(bare.as_slice()).unwrap(),
        |_| {},
        |_, _| panic!(),
    )
    .unwrap();
    assert!(gpu.last_picture().unwrap().rgba == replayed(&file, u64::MAX));
    assert!(Gpu::new(Chip::Nv2a).last_picture().is_none());
}
