//! Units built from words, images in memory.

mod certain;
mod filters;
mod formats;
mod hostile;
mod shapes;
mod wraps;

use super::{BoundUnit, Lookup, ProgramUnit};
use crate::tex::Bundles;
use crate::tex::TexCache;
use crate::tex::lanes::SampleLanes;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::unit::Takes;
use isotherm_lanes::{LANES, Lane, Level, dispatch};
use isotherm_regs::Chip;
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;

const ADDR: u32 = 0x1000;
/// All four components as they are.
const IDENTITY: u32 = 0xaae4;

/// A unit and the memory that it reads.
struct Setup {
    chip: Chip,
    words: Bundles,
    memory: Memory,
}

impl Setup {
    /// A 2D image of one level, nearest filters, repeating.
    fn new(chip: Chip, code: u32, size: [u32; 2]) -> Setup {
        let mut setup = Setup {
            chip,
            words: Bundles::default(),
            memory: Memory::new(chip),
        };
        setup.words.take(b::TEX_OFFSET, 0, ADDR);
        setup.set(b::TEX_CONTROL, b::TEX_CONTROL::ENABLE, 1);
        setup.set(b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff);
        setup.set(
            b::TEX_FORMAT,
            b::TEX_FORMAT::BORDER_TYPE,
            b::BORDER_TYPE::CONST,
        );
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D2);
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::MIPS, 1);
        let low = setup.words.register(b::TEX_PITCH, 0).expect("its own");
        setup.words.take(b::TEX_PITCH, 0, low | IDENTITY);
        setup.filter(b::MIN_FILTER::NEAREST, b::MAG_FILTER::NEAREST);
        setup.set(b::TEX_RECT, b::TEX_RECT::WIDTH, size[0]);
        setup.set(b::TEX_RECT, b::TEX_RECT::HEIGHT, size[1]);
        if chip.since(Chip::Nv40) {
            setup.set(b::TEX_FORMAT, b::TEX_FORMAT::CURIE_FORMAT, code);
            setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, 1);
        } else {
            setup.set(b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, code);
            setup.set(b::TEX_FORMAT, b::TEX_FORMAT::SIZE_S, size[0].ilog2());
            setup.set(b::TEX_FORMAT, b::TEX_FORMAT::SIZE_T, size[1].ilog2());
        }
        setup.wrap([1; 3]);
        setup
    }

    fn curie(code: u32, size: [u32; 2]) -> Setup {
        Setup::new(Chip::Nv40, code, size)
    }

    /// A linear Curie image of A8R8G8B8.
    fn linear(size: [u32; 2], texels: &[u32]) -> Setup {
        let mut setup = Setup::curie(b::CURIE_TEX_FORMAT::A8R8G8B8, size);
        setup.set(b::TEX_FORMAT, b::TEX_FORMAT::LINEAR, 1);
        setup.set(b::TEX_CONTROL_D, b::TEX_CONTROL_D::PITCH, size[0] * 4);
        setup.put(0, texels);
        setup
    }

    fn set(&mut self, bundle: b::Bundle, field: Field, value: u32) -> &mut Setup {
        let word = self.words.register(bundle, 0).expect("its own");
        let word = field
            .set(self.chip, word, value)
            .expect("the field takes it");
        self.words.take(bundle, 0, word);
        self
    }

    /// The methods' numbers.
    fn wrap(&mut self, modes: [u32; 3]) -> &mut Setup {
        let (fields, less) = if self.chip.since(Chip::Nv40) {
            (
                [
                    b::TEX_WRAP::CURIE_WRAP_S,
                    b::TEX_WRAP::CURIE_WRAP_T,
                    b::TEX_WRAP::CURIE_WRAP_R,
                ],
                1,
            )
        } else {
            (
                [
                    b::TEX_WRAP::WRAP_S,
                    b::TEX_WRAP::WRAP_T,
                    b::TEX_WRAP::WRAP_R,
                ],
                0,
            )
        };
        for (field, mode) in fields.into_iter().zip(modes) {
            self.set(b::TEX_WRAP, field, mode - less);
        }
        self
    }

    fn filter(&mut self, min: u32, mag: u32) -> &mut Setup {
        self.set(b::TEX_FILTER, b::TEX_FILTER::MINIFY, min);
        self.set(b::TEX_FILTER, b::TEX_FILTER::MAGNIFY, mag)
    }

    fn put(&mut self, offset: u32, words: &[u32]) -> &mut Setup {
        for (i, &word) in words.iter().enumerate() {
            self.memory.write_u32(ADDR + offset + 4 * i as u32, word);
        }
        self
    }

    fn put_bytes(&mut self, offset: u32, bytes: &[u8]) -> &mut Setup {
        self.memory.write(ADDR + offset, bytes);
        self
    }

    fn unit(&self) -> Option<ProgramUnit> {
        ProgramUnit::prepare(self.chip, &self.words, [DmaSpan::default(); 2], 0)
    }

    fn bind(&self) -> BoundUnit {
        let unit = self.unit().expect("the unit is on");
        unit.bind(&self.memory, &mut TexCache::default())
    }

    /// One place, everywhere the same: the level of detail is as low as it gets.
    fn at(&self, s: f32, t: f32) -> [f32; 4] {
        self.at3([s, t, 0.0])
    }

    fn at3(&self, [s, t, r]: [f32; 3]) -> [f32; 4] {
        let coords = [s, t, r, 1.0].map(|x| [x; LANES]);
        let out = all(&self.bind(), &coords, Lookup::Implicit);
        out.map(|lane| lane[0])
    }

    /// With a level of detail.
    fn at_lod(&self, s: f32, t: f32, lod: f32) -> [f32; 4] {
        let coords = [s, t, 0.0, 1.0].map(|x| [x; LANES]);
        let out = all(&self.bind(), &coords, Lookup::Explicit([lod; LANES]));
        out.map(|lane| lane[0])
    }
}

dispatch! {
    fn sample(unit: &BoundUnit, coords: &[Lane; 4], lookup: &Lookup<Lane>, out: &mut [Lane; 4]) = sample_any::<Lanes>;
}

#[inline(always)]
fn sample_any<S: SampleLanes>(
    unit: &BoundUnit,
    coords: &[Lane; 4],
    lookup: &Lookup<Lane>,
    out: &mut [Lane; 4],
) {
    let load = |lane: &Lane| S::load(lane);
    let lookup = match lookup {
        Lookup::Implicit => Lookup::Implicit,
        Lookup::Footprint(x) => Lookup::Footprint(load(x)),
        Lookup::Bias(x) => Lookup::Bias(load(x)),
        Lookup::Explicit(x) => Lookup::Explicit(load(x)),
        Lookup::Gradients { dx, dy } => Lookup::Gradients {
            dx: [load(&dx[0]), load(&dx[1]), load(&dx[2])],
            dy: [load(&dy[0]), load(&dy[1]), load(&dy[2])],
        },
    };
    let coords = [
        load(&coords[0]),
        load(&coords[1]),
        load(&coords[2]),
        load(&coords[3]),
    ];
    let (result, _) = unit.sample::<S>(&coords, lookup);
    for (lane, x) in out.iter_mut().zip(result) {
        S::store(x, lane);
    }
}

/// Samples with every form of the lanes and, where the lanes' path was taken, pixel by pixel:
/// all must agree.
fn all(unit: &BoundUnit, coords: &[Lane; 4], lookup: Lookup<Lane>) -> [Lane; 4] {
    let bits = |lanes: &[Lane; 4]| lanes.map(|lane| lane.map(f32::to_bits));
    let slow = BoundUnit {
        unit: ProgramUnit {
            flat: false,
            ..unit.unit.clone()
        },
        image: unit.image.clone(),
        certain: unit.certain,
        simple: Vec::new(),
    };
    let mut first = None;
    for level in Level::available() {
        for unit in [unit, &slow] {
            let mut out = [[0.0; LANES]; 4];
            sample(level, unit, coords, &lookup, &mut out);
            let first = first.get_or_insert(out);
            assert_eq!(bits(&out), bits(first), "{level:?} flat {}", unit.unit.flat);
        }
    }
    first.expect("there is a form")
}

fn bytes(x: [f32; 4]) -> [i32; 4] {
    x.map(|x| (x * 255.0).round() as i32)
}

/// A8R8G8B8 of a grey.
fn grey(v: u32) -> u32 {
    0xff00_0000 | (v * 0x01_0101)
}

/// A repeatable sequence.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }

    /// 0 ≤ x < 1.
    fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / 16_777_216.0
    }
}
