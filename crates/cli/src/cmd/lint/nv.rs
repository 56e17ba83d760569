//! States of NVIDIA chips that no driver means: overlapping surfaces, draws that can write
//! nothing, tests that never pass, stages that read textures that are off.

use super::Found;
use isotherm::capture::Reader;
use isotherm::gpu::Gpu;
use isotherm_inspect::follow::{self, Mirror, Next, Step, target};
use isotherm_regs::Family;
use isotherm_regs::bundle::{
    self as id, BLEND, COLOR_MASK, CONFIG_A, RASTER, STENCIL_A, TEX_SHADER_OP,
};
use isotherm_regs::field::Field;

/// NEVER, in all comparisons.
const NEVER: u32 = 0;

/// The remarks, and how much there was to look at.
pub fn look(reader: &mut Reader<'_>, gpu: &mut Gpu) -> anyhow::Result<(Found, String)> {
    let mut found = Found::new();
    gpu.set_drawing(false);
    follow::follow(
        reader,
        gpu,
        |_| false,
        |step, _, mirror| {
            if let Step::End(draw) = step {
                for (code, text) in remarks(mirror) {
                    let places = found.entry((code, text)).or_default();
                    places.push(format!("draw {draw}"));
                }
            }
            Ok(Next::Go)
        },
    )?;
    let odd = gpu.oddities();
    for (count, code, text) in [
        (
            odd.methods,
            "unknown-method",
            "methods on a subchannel that nothing is bound to, or that nobody knows",
        ),
        (
            odd.handles,
            "unknown-handle",
            "bindings of handles that lead nowhere",
        ),
        (
            odd.headers,
            "bad-header",
            "words that are no header where one was expected",
        ),
    ] {
        if count > 0 {
            let places = found.entry((code, text.into())).or_default();
            places.push(format!("{count} times"));
        }
    }
    Ok((found, crate::show::many(gpu.draws(), "draw")))
}

fn remarks(mirror: &Mirror) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    surfaces(mirror, &mut out);
    tests(mirror, &mut out);
    textures(mirror, &mut out);
    for trap in &mirror.traps {
        let text = format!(
            "class {:X}h method {:04X}h data {:08X}h is refused: {}",
            trap.class,
            trap.method,
            trap.data,
            trap.reason()
        );
        out.push(("trap", text));
    }
    if mirror.mesh.numbers.is_empty() {
        out.push(("no-vertices", "a primitive without vertices".into()));
    }
    out
}

fn surfaces(mirror: &Mirror, out: &mut Vec<(&'static str, String)>) {
    let surfaces = mirror.surfaces();
    let (width, height) = target::size(&surfaces);
    if width == 0 || height == 0 {
        out.push(("empty-clip", "the surface clip has no pixel".into()));
        return;
    }
    let Some((color, zeta)) = surfaces.color.zip(surfaces.zeta) else {
        if surfaces.color.is_none() && surfaces.zeta.is_none() {
            let text = "neither a colour nor a zeta surface is bound";
            out.push(("no-surface", text.into()));
        }
        return;
    };
    let extent = |plane: &isotherm::pixel::rop::surface::Plane| {
        let last = plane.addr(width - 1, height - 1) as u64 + u64::from(plane.bytes);
        let start = u64::from(plane.address);
        start..start + last.min(plane.end as u64)
    };
    let (a, b) = (extent(&color), extent(&zeta));
    // Drivers leave any zeta surface bound while nothing looks at it.
    let used = CONFIG_A::DEPTH_TEST_ENABLE.is_set(mirror.chip, mirror.word(id::CONFIG_A))
        || STENCIL_A::STENCIL_ENABLE.is_set(mirror.chip, mirror.word(id::STENCIL_A));
    if used && a.start < b.end && b.start < a.end {
        let text = format!(
            "the colour surface ({:X}h to {:X}h) and the zeta surface ({:X}h to {:X}h) overlap",
            a.start, a.end, b.start, b.end
        );
        out.push(("overlap", text));
    }
}

fn tests(mirror: &Mirror, out: &mut Vec<(&'static str, String)>) {
    let chip = mirror.chip;
    let surfaces = mirror.surfaces();
    let config = mirror.word(id::CONFIG_A);
    let on = |field: Field| field.is_set(chip, config);
    let mut say = |code, text: &str| out.push((code, text.into()));
    let stencil = STENCIL_A::STENCIL_ENABLE.is_set(chip, mirror.word(id::STENCIL_A));
    let depth = on(CONFIG_A::DEPTH_TEST_ENABLE);
    let masks = match chip.family() {
        Family::Curie => COLOR_MASK::MASK.get(chip, mirror.word(id::COLOR_MASK)) != 0,
        _ => [
            CONFIG_A::COLOR_MASK_A,
            CONFIG_A::COLOR_MASK_R,
            CONFIG_A::COLOR_MASK_G,
            CONFIG_A::COLOR_MASK_B,
        ]
        .into_iter()
        .any(on),
    };
    let writes_depth = depth && on(CONFIG_A::DEPTH_WRITE_ENABLE);
    if !masks && !writes_depth && !stencil {
        say(
            "zero-masks",
            "colour masks, depth writes and stencil are all off: nothing can be written",
        );
    }
    if depth && surfaces.zeta.is_none() {
        say(
            "no-zeta",
            "the depth test is on, but no zeta surface is bound",
        );
    }
    if stencil && surfaces.zeta.is_some() && !surfaces.z24 {
        say(
            "no-stencil",
            "the stencil test is on, but the zeta surface has no stencil",
        );
    }
    if depth && CONFIG_A::DEPTH_FUNC.get(chip, config) & 7 == NEVER {
        say("never", "the depth test is on and never passes");
    }
    if on(CONFIG_A::ALPHA_FUNC_ENABLE) && CONFIG_A::ALPHA_FUNC.get(chip, config) & 7 == NEVER {
        say("never", "the alpha test is on and never passes");
    }
    let raster = mirror.word(id::RASTER);
    if RASTER::CULL_FACE_ENABLE.is_set(chip, raster)
        && RASTER::CULL_FACE.get(chip, raster) == 3
        && mirror.mesh.prim > 4
    {
        say(
            "cull-all",
            "front and back faces are culled, and the primitive has nothing else",
        );
    }
    let blend = mirror.word(id::BLEND);
    if BLEND::BLEND_FUNC_ENABLE.is_set(chip, blend)
        && BLEND::COLOR_LOGIC_OP_ENABLE.is_set(chip, blend)
    {
        say(
            "blend-and-logic",
            "blending and the logic operation are both on; the logic operation wins",
        );
    }
}

fn textures(mirror: &Mirror, out: &mut Vec<(&'static str, String)>) {
    let surfaces = mirror.surfaces();
    let (width, height) = target::size(&surfaces);
    for unit in 0..mirror.texture_units() {
        let Some(source) = mirror.texture(unit) else {
            continue;
        };
        let Some(color) = surfaces.color.filter(|_| width > 0 && height > 0) else {
            continue;
        };
        let end = color.address as usize + color.addr(width - 1, height - 1);
        if (color.address as usize..end).contains(&(source.addr as usize)) {
            let text = format!("texture {unit} lies in the colour surface that is drawn to");
            out.push(("feedback", text));
        }
    }
    if mirror.chip.family() != Family::Kelvin {
        return;
    }
    let programs = mirror.word(id::TEX_SHADER_OP);
    let stages = [
        TEX_SHADER_OP::TX0,
        TEX_SHADER_OP::TX1,
        TEX_SHADER_OP::TX2,
        TEX_SHADER_OP::TX3,
    ];
    for (unit, stage) in stages.into_iter().enumerate() {
        // 1 to 3 are plain lookups: 2D, 3D, cube.
        let program = stage.get(mirror.chip, programs);
        if (1..=3).contains(&program) && mirror.texture(unit).is_none() {
            let text = format!("texture stage {unit} samples a texture, but its unit is off");
            out.push(("texture-off", text));
        }
    }
}
