//! What fixed function shows of a vertex: as much as its mode computes, and no more.

use isotherm_bus::vertex::{VtxIn, VtxOut};
use isotherm_regs::Chip;
use isotherm_regs::field::Field;
use isotherm_regs::xf::mode::{
    KELVIN_FOG_COORD, LIGHT_MODE, TEX_GEN, WEIGHT_MODE, XFMODE_A, XFMODE_B, XFMODE_T,
};
use isotherm_xf::xf::bench::Case;
use isotherm_xf::xf::{Seen, Xf};

/// Fields of the word with the lights, of that with the materials, of that with texture sets 0
/// and 1.
#[derive(Default)]
struct Words<'a> {
    lights: &'a [(Field, u32)],
    materials: &'a [(Field, u32)],
    sets: &'a [(Field, u32)],
}

const ONE: u32 = 0x3f80_0000;

fn unit(chip: Chip, words: &Words<'_>) -> Xf {
    let word = |fields: &[(Field, u32)]| {
        let set = |word, (field, value): &(Field, u32)| field.with(chip, word, *value);
        fields.iter().fold(0, set)
    };
    let mut xf = Xf::new(chip);
    let (modes, last) = match chip {
        Chip::Nv34 => (8, 0x18),
        _ => (0, 8),
    };
    xf.command(7, modes, 3, word(words.lights), word(words.materials));
    xf.command(7, last, 3, 0, word(words.sets));
    // Every matrix leaves a vector as it is.
    for (row, words) in xf.state_mut().xfctx[..0x28].iter_mut().enumerate() {
        *words = [0; 4];
        words[row % 4] = ONE;
    }
    xf
}

fn vertex() -> VtxIn {
    let f = f32::to_bits;
    let mut attr = [[0, 0, 0, ONE]; 16];
    attr[0] = [f(2.0), f(3.0), f(4.0), ONE];
    attr[1] = [f(0.25), f(0.5), f(0.125), f(0.0625)];
    attr[2] = [0, 0, ONE, 0];
    attr[5] = [f(7.0), 0, 0, 0];
    VtxIn {
        attr,
        edge_flag: true,
    }
}

fn observed(chip: Chip, words: &Words<'_>) -> (Vec<Seen>, VtxOut) {
    let mut xf = unit(chip, words);
    xf.observe(&vertex()).expect("fixed function is on")
}

/// What is shown, in order: each with its number where it has one.
fn names(chip: Chip, words: &Words<'_>) -> Vec<String> {
    let name = |seen: Seen| match seen.index {
        Some(index) => format!("{} {index}", seen.what),
        None => seen.what.to_string(),
    };
    observed(chip, words).0.into_iter().map(name).collect()
}

fn kelvin(words: Words<'_>) -> Vec<String> {
    names(Chip::Nv2a, &words)
}

const CLIP: [&str; 2] = ["clip position", "1/w"];
const EYE: [&str; 3] = ["eye position", "clip position", "1/w"];
const TO_EYE: [&str; 2] = ["vector to the eye", "distance to the eye"];
const LIT: [&str; 4] = [
    "lit front diffuse",
    "lit front specular",
    "lit back diffuse",
    "lit back specular",
];

#[test]
fn the_least_is_the_position() {
    assert_eq!(kelvin(Words::default()), CLIP);
    // Rankine has clip planes, which are in eye space.
    let rankine = names(Chip::Nv34, &Words::default());
    assert_eq!(rankine, [&EYE[..], &["clip distances"]].concat());
}

#[test]
fn weights_where_there_are_several() {
    for (mode, count) in [
        (WEIGHT_MODE::W1, 2),
        (WEIGHT_MODE::W2, 2),
        (WEIGHT_MODE::W2_GEN, 3),
        (WEIGHT_MODE::W3, 3),
        (WEIGHT_MODE::W3_GEN, 4),
        (WEIGHT_MODE::W4, 4),
    ] {
        let words = Words {
            lights: &[(XFMODE_B::WEIGHT_MODE, mode)],
            ..Words::default()
        };
        let (seen, _) = observed(Chip::Nv2a, &words);
        assert_eq!((seen[0].what, seen[0].values.len()), ("weights", count));
        // The last one may be what is missing to 1.
        let given = [0.25, 0.5, 0.125, 0.0625];
        let sum: f32 = given[..count - 1].iter().sum();
        let generated = [WEIGHT_MODE::W1, WEIGHT_MODE::W2_GEN, WEIGHT_MODE::W3_GEN];
        let last = match generated.contains(&mode) {
            true => 1.0 - sum,
            false => given[count - 1],
        };
        assert_eq!(f32::from_bits(seen[0].values[count - 1]), last, "{mode}");
        assert_eq!(kelvin(words), [&["weights"], &EYE[..]].concat());
    }
}

#[test]
fn fog_by_its_source() {
    let seen = ["fog coordinate", "fog value"];
    for (source, before, value) in [
        (KELVIN_FOG_COORD::SPEC_ALPHA, &CLIP[..], 1.0),
        (
            KELVIN_FOG_COORD::DIST_RADIAL,
            &[&EYE[..], &TO_EYE].concat(),
            29.0f32.sqrt(),
        ),
        (KELVIN_FOG_COORD::DIST_ORTHOGONAL, &EYE, 4.0),
        (KELVIN_FOG_COORD::DIST_ORTHOGONAL_ABS, &EYE, 4.0),
        (KELVIN_FOG_COORD::FOG_COORD, &CLIP, 7.0),
    ] {
        let words = Words {
            lights: &[(XFMODE_B::FOG_ENABLE, 1), (XFMODE_B::FOG_COORD, source)],
            ..Words::default()
        };
        let (found, out) = observed(Chip::Nv2a, &words);
        let coordinate = found.iter().find(|seen| seen.what == "fog coordinate");
        let coordinate = coordinate.map_or(0.0, |seen| f32::from_bits(seen.values[0]));
        assert!((coordinate - value).abs() < 1e-5, "{source}: {coordinate}");
        let fog = found.iter().find(|seen| seen.what == "fog value");
        assert_eq!(fog.map(|seen| seen.values[0]), Some(out.fog));
        assert_eq!(kelvin(words), [before, &seen].concat(), "{source}");
    }
}

#[test]
fn lights_that_are_on() {
    let on = (XFMODE_A::LIGHTING_ENABLE, 1);
    let both = [on, (XFMODE_A::LIGHT_TWO_SIDE_ENABLE, 1)];
    let local = [on, (XFMODE_A::LIGHT_MODEL_LOCAL_VIEWER, 1)];
    let infinite = [
        (XFMODE_B::LIGHT_MODE_1, LIGHT_MODE::INFINITE),
        (XFMODE_B::LIGHT_MODE_6, LIGHT_MODE::INFINITE),
    ];
    let spot = [(XFMODE_B::LIGHT_MODE_1, LIGHT_MODE::SPOTLIGHT)];
    let near = [(XFMODE_B::LIGHT_MODE_1, LIGHT_MODE::LOCAL)];
    let front = |n: usize| {
        ["attenuation", "diffuse factor", "specular factor"].map(|what| format!("{what} {n}"))
    };
    let back = |n: usize| front(n).map(|what| format!("back {what}"));
    let after = |before: &[&str], factors: &[[String; 3]]| {
        let strings = |all: &[&str]| all.iter().map(|what| what.to_string()).collect::<Vec<_>>();
        [strings(before), factors.concat(), strings(&LIT)].concat()
    };
    let normal = [&CLIP[..], &["normal"]].concat();
    let eye_normal = [&EYE[..], &["normal"]].concat();
    let viewer = [&eye_normal[..], &TO_EYE].concat();
    for (lights, materials, want) in [
        (&infinite[..0], &both[..1], after(&normal, &[])),
        (&infinite, &both[..1], after(&normal, &[front(1), front(6)])),
        (
            &infinite,
            &both,
            after(&normal, &[front(1), front(6), back(1), back(6)]),
        ),
        (&spot, &both[..1], after(&eye_normal, &[front(1)])),
        (&near, &both[..1], after(&eye_normal, &[front(1)])),
        (&infinite[..1], &local, after(&viewer, &[front(1)])),
        // Without lighting there are none.
        (&near, &local[1..], CLIP.map(String::from).to_vec()),
        (&near, &both[1..], CLIP.map(String::from).to_vec()),
    ] {
        let words = Words {
            lights,
            materials,
            ..Words::default()
        };
        assert_eq!(kelvin(words), want);
    }
}

#[test]
fn point_sizes() {
    let words = Words {
        lights: &[(XFMODE_B::POINT_PARAMS_ENABLE, 1)],
        ..Words::default()
    };
    let (seen, out) = observed(Chip::Nv2a, &words);
    let size = seen.last().expect("more than nothing");
    assert_eq!((size.what, size.values[0]), ("point size", out.point_size));
    assert_eq!(kelvin(words), [&EYE[..], &TO_EYE, &["point size"]].concat());
}

#[test]
fn texture_coordinates_that_are_made() {
    let reflected = [
        &EYE[..],
        &["normal"],
        &TO_EYE,
        &["reflection vector", "sphere map"],
    ]
    .concat();
    let normal = [&CLIP[..], &["normal"]].concat();
    for (gen_, before) in [
        (TEX_GEN::EYE_LINEAR, &EYE[..]),
        (TEX_GEN::OBJECT_LINEAR, &CLIP),
        (TEX_GEN::SPHERE_MAP, &reflected),
        (TEX_GEN::REFLECTION_MAP, &reflected),
        (TEX_GEN::NORMAL_MAP, &normal),
    ] {
        for (set, enable, s) in [
            (0, XFMODE_T::TEX_0_ENABLE, XFMODE_T::TEX_0_GEN_S),
            (1, XFMODE_T::TEX_1_ENABLE, XFMODE_T::TEX_1_GEN_S),
        ] {
            let words = Words {
                sets: &[(enable, 1), (s, gen_)],
                ..Words::default()
            };
            let (seen, out) = observed(Chip::Nv2a, &words);
            let last = seen.last().expect("more than nothing");
            assert_eq!(last.values, out.tex[set]);
            let name = format!("texture coordinates {set}");
            assert_eq!(kelvin(words), [before, &[&name[..]]].concat(), "{gen_}");
            // A set that is off needs nothing.
            let words = Words {
                sets: &[(s, gen_)],
                ..Words::default()
            };
            assert_eq!(kelvin(words), CLIP, "{gen_}");
        }
    }
    // A set of the vertex's own is not made, one with a matrix is.
    let plain = [
        (XFMODE_T::TEX_1_ENABLE, 1),
        (XFMODE_T::TEX_1_MATRIX_ENABLE, 1),
    ];
    for (sets, more) in [(&plain[..1], None), (&plain, Some("texture coordinates 1"))] {
        let words = Words {
            sets,
            ..Words::default()
        };
        let want: Vec<_> = CLIP.into_iter().chain(more).collect();
        assert_eq!(kelvin(words), want);
    }
}

/// Rankine has eight sets, and the mode's words run downwards.
#[test]
fn sets_of_rankine() {
    let (chip, set) = (Chip::Nv34, XFMODE_T::TEX_0_GEN_S);
    let on = XFMODE_T::TEX_0_ENABLE.with(chip, set.with(chip, 0, TEX_GEN::OBJECT_LINEAR), 1);
    for (address, words, number) in [
        (0x10, [on, 0], 6),
        (0x10, [0, on], 4),
        (0x18, [on, 0], 2),
        (0x18, [0, on], 0),
    ] {
        let mut xf = unit(chip, &Words::default());
        xf.command(7, address, 3, words[0], words[1]);
        let (seen, _) = xf.observe(&vertex()).expect("fixed function");
        let sets: Vec<_> = seen.iter().filter_map(|seen| seen.index).collect();
        assert_eq!(sets, [number]);
    }
}

/// Eye space, normals and distances of a vertex that no matrix moves.
#[test]
fn values_on_the_way() {
    let words = Words {
        lights: &[(XFMODE_B::POINT_PARAMS_ENABLE, 1)],
        sets: &[
            (XFMODE_T::TEX_0_ENABLE, 1),
            (XFMODE_T::TEX_0_GEN_S, TEX_GEN::NORMAL_MAP),
        ],
        ..Words::default()
    };
    let (seen, out) = observed(Chip::Nv2a, &words);
    let value = |what| {
        let found = seen.iter().find(|seen| seen.what == what);
        let values = found.map_or(&[][..], |seen| &seen.values);
        values
            .iter()
            .map(|word| f32::from_bits(*word))
            .collect::<Vec<_>>()
    };
    assert_eq!(value("eye position"), [2.0, 3.0, 4.0, 1.0]);
    assert_eq!(value("clip position"), [2.0, 3.0, 4.0, 1.0]);
    assert_eq!(value("normal"), [0.0, 0.0, 1.0]);
    assert_eq!(value("1/w"), [1.0]);
    let away = value("vector to the eye");
    let length = 29.0f32.sqrt();
    for (got, want) in away.into_iter().zip([-2.0, -3.0, -4.0]) {
        assert!((got - want / length).abs() < 1e-6, "{got}");
    }
    assert!((value("distance to the eye")[0] - length).abs() < 1e-5);
    assert_eq!(out.tex[0], [0, 0, 0, ONE]);
}

/// A piece takes as many vertices as there is room for, and leaves the rest alone.
#[test]
fn as_many_as_both_have() {
    let (mut xf, vertices) = Case::Transform.prepare(20);
    let mut want = Vec::new();
    xf.run(&vertices, &mut want);
    let unit = xf.snapshot().expect("nothing writes the context");
    for (given, room) in [(20, 20), (20, 3), (3, 20), (9, 8), (0, 5), (5, 0)] {
        let mut got = vec![VtxOut::default(); room];
        unit.run(None, &vertices[..given], &mut got);
        let count = given.min(room);
        assert_eq!(got[..count], want[..count]);
        assert!(got[count..].iter().all(|left| *left == VtxOut::default()));
    }
    assert!(!unit.jumps());
}
