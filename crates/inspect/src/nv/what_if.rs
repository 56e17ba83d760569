//! Draws again with something switched off, to see what it was there for.

use super::Film;
use super::target;
use crate::player::{Kind, Player};
use crate::question::{Answer, Question};
use anyhow::{Context, bail};
use isotherm_regs::method::Class;
use serde_json::{Value, json};

/// A switch: its name, what it is called, and the methods that do it.
struct Switch {
    name: &'static str,
    label: &'static str,
    methods: &'static [(&'static str, u32)],
}

/// GL_LINE.
const LINE: u32 = 0x1B01;

const SWITCHES: &[Switch] = &[
    off("depth", "no depth test", &[("DEPTH_TEST_ENABLE", 0)]),
    off("stencil", "no stencil test", &[("STENCIL_ENABLE", 0)]),
    off("alpha", "no alpha test", &[("ALPHA_FUNC_ENABLE", 0)]),
    off("blend", "no blending", &[("BLEND_FUNC_ENABLE", 0)]),
    off("cull", "no culling", &[("CULL_FACE_ENABLE", 0)]),
    off("dither", "no dithering", &[("DITHER_ENABLE", 0)]),
    off("lighting", "no lighting", &[("LIGHTING_ENABLE", 0)]),
    off("fog", "no fog", &[("FOG_ENABLE", 0)]),
    off(
        "wireframe",
        "wireframe",
        &[("POLYGON_MODE_FRONT", LINE), ("POLYGON_MODE_BACK", LINE)],
    ),
    off("skip", "not drawn at all", &[]),
];

const fn off(
    name: &'static str,
    label: &'static str,
    methods: &'static [(&'static str, u32)],
) -> Switch {
    Switch {
        name,
        label,
        methods,
    }
}

/// The switches that there are.
pub fn switches() -> Answer {
    let list: Vec<Value> = SWITCHES
        .iter()
        .map(|s| json!({ "name": s.name, "label": s.label }))
        .collect();
    Answer::Json(json!({ "switches": list, "every": true }))
}

impl Film {
    /// A surface as it would be after an event: with `every=1` all draws up to it are changed,
    /// else only its own.
    pub fn what_if(&mut self, question: &Question<'_>) -> anyhow::Result<Answer> {
        let event = self.event(question)?;
        let named = question.text("do").unwrap_or_default();
        let mut switches = Vec::new();
        for name in named.split(',').filter(|name| !name.is_empty()) {
            let found = SWITCHES.iter().find(|s| s.name == name);
            switches.push(found.with_context(|| format!("no switch is called {name:?}"))?);
        }
        let first = match question.number_or("every", 0)? {
            0 => event,
            _ => 0,
        };
        self.seek(first)?;
        // What is drawn from here on never was: nobody goes on from it.
        self.stands = None;
        for at in first..=event {
            let entry = &self.entries[at];
            if entry.happened.kind == Kind::Draw {
                self.player.run_to(entry.happened.begin)?;
                apply(&mut self.player, &switches)?;
            }
            self.player.run_to(entry.end)?;
            self.player.gpu.set_drawing(true);
        }
        let what = question.text("what").unwrap_or("color");
        if what == "frame" {
            let picture = self.frame(question)?.read(&self.player.gpu.memory);
            return Ok(Answer::picture(&picture, json!({})));
        }
        let surfaces = self.entry(event)?.surfaces;
        target::words(&self.player.gpu.memory, &surfaces, what)
    }
}

/// Sends the switches' methods just before a draw begins.
fn apply(player: &mut Player, switches: &[&Switch]) -> anyhow::Result<()> {
    let Some((class, subchannel)) = player.object() else {
        bail!("no 3D object is bound");
    };
    let class = u16::try_from(class).ok().and_then(Class::by_id);
    let class = class.context("a 3D class without methods")?;
    for switch in switches {
        if switch.methods.is_empty() {
            player.gpu.finish();
            player.gpu.set_drawing(false);
        }
        for (name, data) in switch.methods {
            // A chip that has no such method has nothing to switch off.
            if let Some(method) = class.methods().find(|m| m.name == *name) {
                player.gpu.method(subchannel, method.at, *data)?;
            }
        }
    }
    Ok(())
}
