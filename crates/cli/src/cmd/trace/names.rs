//! Names for methods and for what the front end emits.

use isotherm::Chip;
use isotherm::bundle::{DmaRole, Event, SurfaceReg};
use isotherm::fe::Fe;
use isotherm_inspect::names::register;
pub use isotherm_inspect::names::{PRIMS, primitive, set_fields, undeclared};
use isotherm_regs::alias;
use isotherm_regs::bundle::Bundle;
use isotherm_regs::explain::{self, Explained};
use isotherm_regs::find::Target;
use isotherm_regs::method::{Class, Method};
use isotherm_regs::stream::Index;
use isotherm_regs::word::Word;
use isotherm_regs::xf::ctx::Ram;
use std::collections::HashMap;
use std::fmt::Write;

/// The methods of the classes met so far.
pub struct Methods {
    chip: Chip,
    others: bool,
    classes: HashMap<u32, Option<(&'static Class, Index)>>,
    /// Knows the names of the Direct3D classes, which have no declared data.
    fe: Fe,
}

/// A method with its name and data taken apart.
pub struct Named {
    /// The name with indices, empty when nobody knows one.
    pub name: String,
    /// The data's fields.
    pub data: Option<Explained>,
}

impl Methods {
    /// With `others`, names are those that headers and drivers use.
    pub fn new(chip: Chip, others: bool) -> Methods {
        Methods {
            chip,
            others,
            classes: HashMap::new(),
            fe: Fe::new(chip),
        }
    }

    /// The class of a number.
    fn class(&mut self, class: u32) -> Option<&(&'static Class, Index)> {
        self.classes
            .entry(class)
            .or_insert_with(|| {
                // 85h is what DEBUG_D[16] makes of 56h.
                let id = if class == 0x85 { 0x56 } else { class };
                let found = Class::by_id(u16::try_from(id).ok()?)?;
                Some((found, Index::new(found)))
            })
            .as_ref()
    }

    /// A class's name.
    pub fn class_name(&mut self, class: u32) -> &'static str {
        self.class(class).map_or("", |(class, _)| class.name)
    }

    /// A method's declaration.
    fn declared(&mut self, class: u32, at: u16) -> Option<&'static Method> {
        self.class(class)?.1.method(at)
    }

    /// A method and its data, taken apart.
    pub fn explain(&mut self, class: u32, at: u16, data: u32) -> Named {
        let chip = self.chip;
        if at == 0 {
            return Named {
                name: "OBJECT".into(),
                data: None,
            };
        }
        match self.declared(class, at) {
            Some(method) => {
                let class = self.class(class).map(|(class, _)| *class);
                Named {
                    name: self.method_name(class, method, at),
                    data: Some(explain::word(chip, method.data, 0, data)),
                }
            }
            None => {
                let name = self.fe.method_name(class, at.into()).unwrap_or("");
                Named {
                    name: name.to_uppercase(),
                    data: None,
                }
            }
        }
    }
}

impl Methods {
    fn method_name(
        &self,
        class: Option<&'static Class>,
        method: &'static Method,
        at: u16,
    ) -> String {
        let target = class.map(|class| Target::Method(class, method, at));
        let other = target
            .filter(|_| self.others)
            .and_then(|target| alias::names(self.chip, target).into_iter().next());
        other.unwrap_or_else(|| method.label(at))
    }

    /// A state word's name.
    pub fn register(&self, bundle: Bundle, index: u16) -> String {
        let other = self
            .others
            .then(|| alias::names(self.chip, Target::Bundle(bundle, index)))
            .and_then(|names| names.into_iter().next());
        other.unwrap_or_else(|| register(self.chip, bundle, index))
    }
}

/// All fields of a word in one line; nothing when the word is one number without a better form
/// than hexadecimal.
pub fn all_fields(word: &Explained) -> String {
    match word.lines.as_slice() {
        [] => String::new(),
        [only] if only.lo == 0 && only.hi == 31 => {
            if only.text.starts_with("0x") {
                String::new()
            } else {
                only.text.clone()
            }
        }
        _ => word.fields(),
    }
}

/// The fields that differ, as `NAME=old->new`.
pub fn changed_fields(chip: Chip, word: &'static Word, entry: u16, old: u32, new: u32) -> String {
    let before = explain::word(chip, word, entry, old);
    let after = explain::word(chip, word, entry, new);
    let mut out = String::new();
    for (a, b) in before.lines.iter().zip(&after.lines) {
        if a.raw != b.raw {
            let _ = write!(out, "{}={}->{} ", b.name, a.text, b.text);
        }
    }
    undeclared(&mut out, &after);
    out.trim_end().to_string()
}

/// The words that an XF command carries: component and value.
pub fn xf_words(addr: u16, be: u8, a: u32, b: u32) -> impl Iterator<Item = (u16, u32)> {
    let comp = addr >> 2 & 3;
    let second = (be == 3).then_some(((comp + 1) & 3, b));
    std::iter::once((comp, a)).chain(second)
}

/// The context memory that an XF command loads.
pub fn xf_ram(cmd: u8) -> Option<Ram> {
    match cmd {
        9 => Some(Ram::Xfctx),
        10 => Some(Ram::Ltctx),
        11..=14 => Some(Ram::Ltc(cmd - 11)),
        _ => None,
    }
}

/// XF's mode command.
pub const XF_MODE: u8 = 7;

const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

fn xf(chip: Chip, cmd: u8, addr: u16, words: &[(u16, u32)]) -> String {
    let row = addr >> 4;
    let comps: String = words
        .iter()
        .map(|(comp, _)| COMPONENTS[usize::from(*comp & 3)])
        .collect();
    let floats = || {
        let list: Vec<_> = words
            .iter()
            .map(|(_, v)| format!("{:?}", f32::from_bits(*v)))
            .collect();
        list.join(" ")
    };
    let raw = || {
        let list: Vec<_> = words.iter().map(|(_, v)| format!("{v:08x}")).collect();
        list.join(" ")
    };
    if let Some(ram) = xf_ram(cmd) {
        let name = match ram.locate(chip, row) {
            Some((entry, at)) if entry.rows_on(chip) > 1 => format!(" {}[{at}]", entry.name),
            Some((entry, _)) => format!(" {}", entry.name),
            None => String::new(),
        };
        let place = format!("{}[{row:#04x}]{name}", ram.name());
        return if matches!(ram, Ram::Ltc(_)) {
            format!("{place} = {}", floats())
        } else {
            format!("{place}.{comps} = {}", floats())
        };
    }
    match cmd {
        0 => "NOP".into(),
        2 => format!("XFPR[{row:#04x}].{comps} = {}", raw()),
        4 => format!("INPUT[{row}].{comps} = {}", floats()),
        5 => format!("RUN {addr:#x}"),
        15 => "SYNC".into(),
        _ => format!("command {cmd} at {addr:#x} = {}", raw()),
    }
}

fn attribute(chip: Chip, fmt: u8, attr: u8, ncomp: u8, comp: u8, data: u32) -> String {
    let name = Ram::Vab
        .locate(chip, attr.into())
        .map_or("", |(entry, _)| entry.name);
    let (form, value) = match fmt {
        4 => ("ubyte", format!("{data:08x}")),
        5 | 6 => {
            let (lo, hi) = (data as u16 as i16, (data >> 16) as u16 as i16);
            let form = if fmt == 5 { "short" } else { "nshort" };
            (form, format!("{lo} {hi}"))
        }
        _ => ("float", format!("{:?}", f32::from_bits(data))),
    };
    format!("VAB[{attr}] {name} {form}{ncomp} word {comp} = {value}")
}

fn vertex_format(index: u8, format: u32) -> String {
    let (kind, comps, stride) = (format & 7, format >> 4 & 7, format >> 8 & 0xff);
    if comps == 0 {
        return format!("VTXBUF[{index}] off");
    }
    format!("VTXBUF[{index}] type {kind}, {comps} components, stride {stride}")
}

/// The unit an event goes to and what it says; bundles and XF's mode have their own ways.
pub fn event(chip: Chip, event: &Event) -> (&'static str, String) {
    match *event {
        Event::Bundle { id, value, .. } => ("?", format!("bundle {id:03x} = {value:08x}")),
        Event::Xf {
            cmd,
            addr,
            be,
            a,
            b,
        } => {
            let words: Vec<_> = xf_words(addr, be, a, b).collect();
            ("xf", xf(chip, cmd, addr, &words))
        }
        Event::Attr {
            fmt,
            attr,
            ncomp,
            comp,
            data,
        } => ("idx", attribute(chip, fmt, attr, ncomp, comp, data)),
        Event::EdgeFlag(on) => ("idx", format!("EDGE_FLAG = {}", u8::from(on))),
        Event::Fd { cmd, arg } => ("fd", format!("patch command {cmd:#x} = {arg:08x}")),
        Event::VertexOffset { index, dma, offset } => {
            let object = if dma == 0 { 'A' } else { 'B' };
            (
                "idx",
                format!("VTXBUF[{index}] at {offset:#x} of object {object}"),
            )
        }
        Event::VertexFormat { index, format } => ("idx", vertex_format(index, format)),
        Event::Begin { prim } => ("assm", format!("BEGIN {}", primitive(prim))),
        Event::End => ("assm", "END".into()),
        Event::Arrays { start, count } => ("idx", format!("vertices {start}..{}", start + count)),
        Event::Element(index) => ("idx", format!("vertex {index}")),
        Event::IndexBuffer { dma, offset, short } => {
            let (object, bits) = (
                if dma == 0 { 'A' } else { 'B' },
                if short { 16 } else { 32 },
            );
            (
                "idx",
                format!("index buffer of {bits} bits at {offset:#x} of object {object}"),
            )
        }
        Event::Indexed { start, count } => (
            "idx",
            format!("indices {start}..{}", start.saturating_add(count)),
        ),
        Event::Inline(word) => ("idx", format!("inline {word:08x}")),
        Event::Surface { reg, value } => {
            ("rop", format!("{} = {value:08x}", surface_register(reg)))
        }
        Event::Dma { role, span } => (
            "dma",
            format!(
                "{} at {:#x}, limit {:#x}",
                dma_role(role),
                span.base,
                span.limit
            ),
        ),
        Event::Clear(what) => ("rop", format!("CLEAR {}", clear(what))),
        Event::Report { kind, offset } => ("rop", format!("REPORT {kind} to {offset:#x}")),
        Event::RenderEnable { report: None } => ("assm", "RENDER_ENABLE always".into()),
        Event::RenderEnable {
            report: Some(offset),
        } => (
            "assm",
            format!("RENDER_ENABLE by the report at {offset:#x}"),
        ),
        Event::SemaphoreRelease { offset, value } => {
            ("rop", format!("SEMAPHORE at {offset:#x} = {value:08x}"))
        }
        Event::WaitIdle => ("fe", "wait until idle".into()),
        Event::CelsiusClipRect {
            vertical,
            index,
            value,
        } => {
            let axis = if vertical { "VERT" } else { "HORIZ" };
            ("raster", format!("CLIP_RECT_{axis}[{index}] = {value:08x}"))
        }
        Event::CelsiusConfig(value) => ("raster", format!("CONFIG_C = {value:08x}")),
    }
}

fn surface_register(reg: SurfaceReg) -> &'static str {
    match reg {
        SurfaceReg::ClipHoriz => "SURFACE_CLIP_HORIZ",
        SurfaceReg::ClipVert => "SURFACE_CLIP_VERT",
        SurfaceReg::Format => "SURFACE_FORMAT",
        SurfaceReg::Pitch => "SURFACE_PITCH",
        SurfaceReg::ColorOffset => "COLOR_OFFSET",
        SurfaceReg::ZetaOffset => "ZETA_OFFSET",
        SurfaceReg::MoreOffset(1) => "COLOR1_OFFSET",
        SurfaceReg::MoreOffset(2) => "COLOR2_OFFSET",
        SurfaceReg::MoreOffset(_) => "COLOR3_OFFSET",
        SurfaceReg::MorePitch(1) => "COLOR1_PITCH",
        SurfaceReg::MorePitch(2) => "COLOR2_PITCH",
        SurfaceReg::MorePitch(_) => "COLOR3_PITCH",
    }
}

/// What a memory object is for.
fn dma_role(role: DmaRole) -> String {
    match role {
        DmaRole::Tex(n) => format!("textures {}", ["A", "B"][usize::from(n & 1)]),
        DmaRole::Vtx(n) => format!("vertices {}", ["A", "B"][usize::from(n & 1)]),
        DmaRole::Color => "colour surface".into(),
        DmaRole::Zeta => "zeta surface".into(),
        DmaRole::MoreColor(n) => format!("colour surface {n}"),
        DmaRole::Semaphore => "semaphores".into(),
        DmaRole::Report => "reports".into(),
        DmaRole::State => "saved state".into(),
    }
}

/// Which parts of the surfaces a clear means.
fn clear(what: u32) -> String {
    let parts = [
        (0x01, "depth"),
        (0x02, "stencil"),
        (0x10, "red"),
        (0x20, "green"),
        (0x40, "blue"),
        (0x80, "alpha"),
    ];
    let named: Vec<_> = parts
        .iter()
        .filter(|(bit, _)| what & bit != 0)
        .map(|(_, name)| *name)
        .collect();
    named.join(" ")
}
