use super::*;
use crate::lists::Elements;
use isotherm_bus::memory::Memory;
use isotherm_lanes::Random;
use isotherm_regs::Chip;

/// The triangles of a draw, in order, by so many threads.
fn made(source: &DrawSource, threads: usize) -> Vec<String> {
    let threads = Threads::new(threads);
    let mut out = Primitives::default();
    assert!(setup_draw(&threads, source, &mut out, 1 << 21));
    let numbers = 0..out.len();
    let tris = out.part(numbers).flat_map(|(_, tris)| tris);
    let text = |tri: &Triangle| {
        let planes = &out.planes[tri.planes as usize..][..source.attrs.len()];
        let tri = Triangle {
            planes: 0,
            ..tri.clone()
        };
        format!("{tri:?} {planes:?}")
    };
    tris.map(text).collect()
}

/// Blocks half empty, empty, and with more triangles than there is room for.
#[test]
fn threads_make_the_same_triangles() {
    const COUNT: u32 = 6 * BLOCK as u32 + 7;
    let mut random = Random::new(17);
    for behind in [0, 30] {
        let mut mem = Memory::new(Chip::Mali400);
        for vertex in 0..3 * COUNT {
            // Some blocks lie outside of the picture, some corners behind the eye.
            let far = if vertex / 3 / BLOCK as u32 == 2 {
                900.0
            } else {
                0.0
            };
            let w = if random.below(100) < behind {
                -1.0
            } else {
                1.0
            };
            let p = [far + 64.0 * random.unit(), 64.0 * random.unit(), 0.5, w];
            let bytes = p.map(f32::to_le_bytes);
            mem.write(16 * vertex, bytes.as_flattened());
        }
        let draw = Draw {
            mode: 4,
            elements: Elements::Array(3 * COUNT),
            cull_cw: behind == 0,
            scissor: [0, 64, 0, 64],
            far: 1.0,
            ..Draw::default()
        };
        let source = DrawSource {
            mem: &mem,
            draw: &draw,
            number: 3,
            rsw: &RenderState::new(&[0; 16]),
            attrs: &[Attr::Point(0), Attr::Point(1)],
            flip_sprites: false,
        };
        let want = made(&source, 1);
        // Five blocks are in the picture; half of their triangles are left, or more than
        // there is room for.
        let most = 5 * (BLOCK + SPARE);
        assert!(want.len() > 1000);
        assert_eq!(want.len() > most, behind != 0, "{}", want.len());
        assert!(made(&source, 3) == want, "{behind}");
    }
}
