//! Units read what they declare: every word that a unit takes changes something that it
//! prepares, and a word reaches those units alone that declare it.

use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::memory::Memory;
use isotherm_bus::unit::Takes;
use isotherm_lanes::Random;
use isotherm_pixel::assm::Settings;
use isotherm_pixel::bundles::UnitBundles;
use isotherm_pixel::raster::RasterState;
use isotherm_pixel::rop::Rop;
use isotherm_pixel::rop::prepare::Surfaces;
use isotherm_pixel::shader::Shade;
use isotherm_pixel::tex::cylinder_axes;
use isotherm_pixel::tex::program::ProgramUnit;
use isotherm_pixel::zcull::ClipIds;
use isotherm_regs::Chip;
use isotherm_regs::bundle::{self as id, Bundle, Kind, Unit};

const CHIPS: [Chip; 7] = [
    Chip::Nv10,
    Chip::Nv17,
    Chip::Nv20,
    Chip::Nv2a,
    Chip::Nv25,
    Chip::Nv34,
    Chip::Nv40,
];

const UNITS: [Unit; 7] = [
    Unit::Assm,
    Unit::Raster,
    Unit::Zcull,
    Unit::Tex,
    Unit::Shader,
    Unit::Rc,
    Unit::Rop,
];

/// Triggers and memory objects leave no word in a register.
fn leaves_a_word(bundle: Bundle) -> bool {
    bundle.row().kind != Kind::Trigger && bundle != id::DMA_TEX
}

/// Words that are read elsewhere than in a `prepare` of the unit's registers: clears by the
/// pipeline, programs and vertex textures where there is memory to read.
fn read_elsewhere(bundle: Bundle) -> bool {
    let clears = [id::CLEAR_HV, id::CLEAR_COLOR, id::CLEAR_ZETA];
    let programs = [id::PS_OFFSET, id::PS_CONTROL];
    // The surfaces know it.
    let targets = bundle == id::RT_ENABLE;
    targets
        || clears.contains(&bundle)
        || programs.contains(&bundle)
        || bundle.name().starts_with("XF_TEX_")
}

/// A bundle reaches one unit only.
fn take(bundles: &mut UnitBundles, unit: Unit, bundle: Bundle, entry: usize, value: u32) -> bool {
    match unit {
        Unit::Assm => bundles.assm.take(bundle, entry, value),
        Unit::Raster => bundles.raster.take(bundle, entry, value),
        Unit::Zcull => bundles.zcull.take(bundle, entry, value),
        Unit::Tex => bundles.tex.take(bundle, entry, value),
        Unit::Shader => bundles.shader.take(bundle, entry, value),
        Unit::Rc => bundles.rc.take(bundle, entry, value),
        Unit::Rop => bundles.rop.take(bundle, entry, value),
        Unit::Idx | Unit::Xf | Unit::Unknown => false,
    }
}

/// Everything that a unit makes of its registers, as text.
fn prepared(chip: Chip, unit: Unit, b: &UnitBundles, memory: &Memory) -> String {
    let spans = [0, 0x10_0000].map(|base| DmaSpan {
        base,
        limit: 0xf_ffff,
    });
    let surfaces = Surfaces {
        scale: (2, 2),
        ..Surfaces::default()
    };
    match unit {
        Unit::Assm => format!("{:?}", Settings::prepare(chip, &b.assm)),
        Unit::Raster => {
            let state = RasterState::prepare(chip, &b.raster, 0, [0, 0, 640, 480], 65535.0);
            format!("{state:?}")
        }
        Unit::Zcull => {
            let test = ClipIds::test(chip, &b.zcull, memory, 16).is_some();
            format!("{test} {:?}", ClipIds::prepare(chip, &b.zcull))
        }
        Unit::Tex if chip.since(Chip::Nv30) => {
            let unit = ProgramUnit::prepare(chip, &b.tex, spans, 0);
            format!("{unit:?} {:?}", cylinder_axes(chip, &b.tex))
        }
        Unit::Tex | Unit::Shader | Unit::Rc => {
            let shade = Shade::prepare(chip, &b.shader, &b.tex, &b.rc, spans);
            format!("{shade:?}")
        }
        _ => format!("{:?}", Rop::prepare(chip, &b.rop, &surfaces)),
    }
}

#[test]
fn every_declared_word_is_read() {
    let mut random = Random::new(5);
    let mut unread: Vec<(Unit, Bundle)> = UNITS
        .iter()
        .flat_map(|&unit| UnitBundles::taken_by(unit).iter().map(move |&b| (unit, b)))
        .filter(|&(_, bundle)| leaves_a_word(bundle) && !read_elsewhere(bundle))
        .collect();
    assert!(unread.len() > 60);
    let memories = CHIPS.map(Memory::new);
    for round in 0..400 {
        let which = round % CHIPS.len();
        let (chip, memory) = (CHIPS[which], &memories[which]);
        let mut base = UnitBundles::default();
        for bundle in Bundle::all() {
            for entry in 0..bundle.row().width() {
                base.take(bundle, entry, random.next_u32());
            }
        }
        // The switch that most of a texture unit's words depend on.
        let enable = id::TEX_CONTROL::ENABLE.mask(chip);
        let control = base.tex.TEX_CONTROL[0] | enable;
        base.take(id::TEX_CONTROL, 0, control);
        unread.retain(|&(unit, bundle)| {
            let mut other = base.clone();
            let word = other.register(bundle, 0).expect("taken");
            assert!(take(&mut other, unit, bundle, 0, !word));
            prepared(chip, unit, &base, memory) == prepared(chip, unit, &other, memory)
        });
    }
    assert!(unread.is_empty(), "nobody reads {unread:?}");
}

#[test]
fn words_reach_those_units_that_declare_them() {
    for bundle in Bundle::all() {
        for entry in 0..bundle.row().width() {
            let mut all = UnitBundles::default();
            all.take(bundle, entry, 0xdead_beef);
            for unit in UNITS {
                let declared = UnitBundles::taken_by(unit).contains(&bundle);
                let kept = take(&mut all.clone(), unit, bundle, entry, 0);
                let expected = declared && leaves_a_word(bundle);
                assert_eq!(kept, expected, "{bundle:?} in {unit:?}");
            }
        }
    }
}
