//! Random programs run as they were prepared and step by step, for those who compare.

use super::exec::{self, Groups, Units};
use super::input;
use super::lanes::{ALL_LANES, BLOCKS, Lanes};
use super::load::ProgramCache;
use super::plan::{Place, Plan, Results};
use super::{Fragments, Surfaces};
use crate::bundles::UnitBundles;
use crate::frag::ColorPairs;
use crate::tex::TexCache;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_lanes::{LANES, Level};
use isotherm_regs::bundle as b;
use isotherm_regs::field::Field;
use isotherm_regs::fp::asm::generate::Writer;
use isotherm_regs::fp::{Program, asm};
use isotherm_regs::{Chip, Family};
use std::sync::Arc;

/// Where the images lie, 4x4 texels each with all levels.
const IMAGES: u32 = 0x1_0000;
/// Units that have one; another one has none.
const BOUND: usize = 4;
/// All four components as they are.
const IDENTITY: u32 = 0xaae4;

/// Texture units that random programs look at.
#[derive(Debug)]
pub struct Pictures {
    family: Family,
    units: Arc<Units>,
}

/// What a run leaves behind.
struct Left {
    colors: [ColorPairs; BLOCKS],
    killed: [u32; BLOCKS],
    /// Colours and depth, not-numbers all the same: which one comes out is nobody's business.
    results: Vec<[u32; LANES]>,
}

impl Pictures {
    /// Of a family that has programs.
    pub fn new(family: Family) -> Result<Pictures, String> {
        let chip = if family == Family::Curie {
            Chip::Nv40
        } else {
            Chip::Nv34
        };
        let mut memory = Memory::new(chip);
        let mut words = Writer::new(family, 0x91c7);
        for i in 0..BOUND as u32 * 0x100 {
            memory.write_u32(IMAGES + 4 * i, words.rng.bits() as u32);
        }
        let mut state = UnitBundles::default();
        for unit in 0..BOUND {
            image(chip, &mut state, unit).ok_or("no such field")?;
        }
        // A program that looks at all of them, so that all get bound.
        let text: String = (0..=BOUND)
            .map(|unit| format!("TEX R0, f[TEX0], TEX{unit};\n"))
            .collect();
        for (i, word) in assembled(family, &format!("{text}END\n"))?
            .iter()
            .enumerate()
        {
            memory.write_u32(4 * i as u32, *word);
        }
        let span = DmaSpan {
            base: 0,
            limit: 0xf_ffff,
        };
        let found = Fragments::prepare(
            chip,
            &state.shader,
            &state.tex,
            [span; 2],
            &memory,
            &mut ProgramCache::default(),
            &Surfaces::default(),
        );
        let mut found = found.ok_or("no program")?;
        found.bind(&memory, &mut TexCache::default());
        Ok(Pictures {
            family,
            units: found.units,
        })
    }

    /// Runs the program of a seed on up to eight blocks of pixels, twice on what is there already
    /// and at every level of vectors. Returns how many instructions it has, or what differs from
    /// the same program step by step.
    pub fn compare(&self, seed: u64) -> Result<usize, String> {
        let mut writer = Writer::new(self.family, seed);
        writer.plain = seed & 2 != 0;
        writer.units = if seed & 4 != 0 { BOUND + 1 } else { 0 };
        if seed & 24 == 0 {
            writer.program();
        } else {
            writer.straight();
        }
        let words = assembled(self.family, &writer.text)?;
        let program = Program::decode(self.family, &words).map_err(|e| e.to_string())?;
        let instructions = program.insts.len();
        // As the writer has it: no half of a register may show which not-a-number it was.
        let shared = writer.shared;
        let results = Results {
            full: !shared || writer.rng.below(2) == 0,
            depth: writer.rng.below(4) == 0,
            more: writer.rng.below(if shared { 4 } else { 2 }) as u8,
        };
        let [prepared, steps] =
            [false, true].map(|steps| Plan::made(self.family, program.clone(), results, steps));
        let lanes = 1 + writer.rng.below(ALL_LANES as u64) as usize;
        let mut start = Lanes::default();
        for first in (0..ALL_LANES).step_by(LANES) {
            start.lane = first;
            for c in 0..4 {
                for x in start.input(input::TEX, c) {
                    *x = writer.value();
                }
            }
        }
        let want = self.run(Level::Base, &steps, &mut start.clone(), lanes);
        for level in Level::available() {
            let mut here = start.clone();
            for _ in 0..2 {
                let found = self.run(level, &prepared, &mut here, lanes);
                if let Some(what) = want.differs(&found, lanes) {
                    let text = &writer.text;
                    return Err(format!(
                        "seed {seed:#x}, {level:?}, {results:?}: {what}\n{text}"
                    ));
                }
            }
        }
        Ok(instructions)
    }

    fn run(&self, level: Level, plan: &Plan, lanes: &mut Lanes, count: usize) -> Left {
        let mut colors = [Default::default(); BLOCKS];
        let first: [u8; BLOCKS] = std::array::from_fn(|i| (i * LANES) as u8);
        let groups = Groups {
            lanes: count,
            first: &first[..count.div_ceil(LANES)],
            apart: None,
        };
        lanes.left = u64::MAX;
        exec::run(level, plan, &self.units, lanes, &groups, &mut colors);
        let places = plan.more.iter().chain([&plan.color]);
        let mut wanted: Vec<(Place, usize)> = places
            .flat_map(|&place| (0..4).map(move |c| (place, c)))
            .collect();
        wanted.extend(plan.depth.map(|place| (place, 2)));
        let mut results = Vec::new();
        for block in 0..groups.first.len() {
            for &(place, c) in &wanted {
                results.push(lanes.register_of(block, place, c).map(bits));
            }
        }
        Left {
            colors,
            killed: lanes.killed,
            results,
        }
    }
}

impl Left {
    /// What is not the same in the blocks of so many lanes.
    fn differs(&self, other: &Left, lanes: usize) -> Option<String> {
        let blocks = lanes.div_ceil(LANES);
        if self.killed[..blocks] != other.killed[..blocks] {
            return Some("other pixels are given up".into());
        }
        for (row, (want, found)) in self.results.iter().zip(&other.results).enumerate() {
            if let Some(lane) = (0..LANES).find(|&lane| want[lane] != found[lane]) {
                let [want, found] = [want, found].map(|bits| f32::from_bits(bits[lane]));
                return Some(format!(
                    "row {row} of results, lane {lane}: {found:e} for {want:e}"
                ));
            }
        }
        let differ = self.colors[..blocks] != other.colors[..blocks];
        differ.then(|| "other colours".into())
    }
}

/// Which not-a-number comes out is nobody's business.
fn bits(x: f32) -> u32 {
    if x.is_nan() {
        f32::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

fn assembled(family: Family, text: &str) -> Result<Vec<u32>, String> {
    asm::assemble(family, text).map_err(|error| format!("{error}\n{text}"))
}

/// A swizzled A8R8G8B8 image; filters and what a texel does besides differ from unit to unit.
fn image(chip: Chip, words: &mut UnitBundles, unit: usize) -> Option<()> {
    const SIZE: u32 = 4;
    let set = |words: &mut UnitBundles, bundle, field: Field, value| {
        let word = field.set(chip, words.register(bundle, unit)?, value).ok()?;
        words.take(bundle, unit, word);
        Some(())
    };
    words.take(b::TEX_OFFSET, unit, IMAGES + 0x400 * unit as u32);
    let pitch = words.register(b::TEX_PITCH, unit)?;
    words.take(b::TEX_PITCH, unit, pitch | IDENTITY);
    set(words, b::TEX_CONTROL, b::TEX_CONTROL::ENABLE, 1)?;
    set(words, b::TEX_CONTROL, b::TEX_CONTROL::MAX_LOD, 0xfff)?;
    let kills = u32::from(unit == 2);
    set(words, b::TEX_CONTROL, b::TEX_CONTROL::ALPHA_KILL, kills)?;
    let border = b::BORDER_TYPE::CONST;
    set(words, b::TEX_FORMAT, b::TEX_FORMAT::BORDER_TYPE, border)?;
    set(words, b::TEX_FORMAT, b::TEX_FORMAT::MODE, b::TEX_MODE::D2)?;
    let cube = u32::from(unit == 3);
    set(words, b::TEX_FORMAT, b::TEX_FORMAT::CUBE_MAP, cube)?;
    set(words, b::TEX_FORMAT, b::TEX_FORMAT::MIPS, SIZE.ilog2() + 1)?;
    let (min, mag) = if unit == 1 {
        (b::MIN_FILTER::LINEAR_MIPMAP_LINEAR, b::MAG_FILTER::LINEAR)
    } else {
        (
            b::MIN_FILTER::NEAREST_MIPMAP_NEAREST,
            b::MAG_FILTER::NEAREST,
        )
    };
    set(words, b::TEX_FILTER, b::TEX_FILTER::MINIFY, min)?;
    set(words, b::TEX_FILTER, b::TEX_FILTER::MAGNIFY, mag)?;
    if chip.since(Chip::Nv40) {
        let code = b::CURIE_TEX_FORMAT::A8R8G8B8;
        set(words, b::TEX_FORMAT, b::TEX_FORMAT::CURIE_FORMAT, code)?;
        set(words, b::TEX_CONTROL_D, b::TEX_CONTROL_D::DEPTH, 1)?;
        set(words, b::TEX_RECT, b::TEX_RECT::WIDTH, SIZE)?;
        set(words, b::TEX_RECT, b::TEX_RECT::HEIGHT, SIZE)
    } else {
        let code = b::TEX_FORMAT_COLOR::A8R8G8B8;
        set(words, b::TEX_FORMAT, b::TEX_FORMAT::FORMAT, code)?;
        set(words, b::TEX_FORMAT, b::TEX_FORMAT::SIZE_S, SIZE.ilog2())?;
        set(words, b::TEX_FORMAT, b::TEX_FORMAT::SIZE_T, SIZE.ilog2())?;
        set(words, b::TEX_WRAP, b::TEX_WRAP::WRAP_S, 1)?;
        set(words, b::TEX_WRAP, b::TEX_WRAP::WRAP_T, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prepared_programs_give_the_bits_of_their_steps() {
        for family in [Family::Rankine, Family::Curie] {
            let pictures = Pictures::new(family).unwrap();
            for seed in 0..400 {
                if let Err(what) = pictures.compare(0xa11c_e000 + seed) {
                    panic!("{what}");
                }
            }
        }
    }

    /// Of what is no number EX2X makes -2, so that a sum with it may have numbers of both signs,
    /// and NRMH makes what is no number again, whatever its bits are.
    #[test]
    fn what_is_no_number_is_the_same_either_way() {
        let pictures = Pictures::new(Family::Curie).unwrap();
        for seed in [0x1_f49c, 0x2_eedc] {
            if let Err(what) = pictures.compare(seed) {
                panic!("{what}");
            }
        }
    }
}
