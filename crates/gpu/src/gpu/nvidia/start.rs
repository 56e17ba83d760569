//! The part of a start state that goes by methods: bindings, DMA objects and surfaces, of which
//! registers hold parts only, the 2D engine, and what a chip shows in no register at all.

use super::Nvidia;
use crate::gpu::ObjectsMut;
use isotherm_bus::bundle::{DmaRole, DmaSpan, SurfaceReg};
use isotherm_bus::context::Units;
use isotherm_bus::objects::{Object, Objects};
use isotherm_fe::bar::Uploads;
use isotherm_regs::method::{
    IDXBUF_FORMAT_DATA, Method, SURF_PITCH, celsius, kelvin, rankine_curie as newer,
};
use isotherm_regs::xf::ctx::{LTCTX, index_of};
use isotherm_regs::{Chip, Family};

/// Method 0 binds an object, whatever its class.
const OBJECT: u16 = kelvin::OBJECT.at;

/// A subchannel, a method, its data.
pub(super) type Sent = (u8, u16, u32);

impl Nvidia {
    /// The methods. Objects that have no handle any more get one.
    pub(super) fn start_methods(&self, objects: &mut Objects) -> Vec<Sent> {
        let mut methods = self.twod_methods(objects);
        for subchannel in 0..8u8 {
            let handle = self.handles[usize::from(subchannel)];
            if handle != 0 && objects.get(handle).is_some() {
                methods.push((subchannel, OBJECT, handle));
            }
        }
        let Some(subchannel) = (0..8u8).find(|s| self.bound_3d[usize::from(*s)]) else {
            return methods;
        };
        let family = self.chip.family();
        let mut send = |method: u16, data: u32| methods.push((subchannel, method, data));
        let (dma, surfaces) = self.fe.announced();
        for (role, span) in dma {
            if let Some(method) = dma_method(family, role) {
                send(method.at, handle_of(self.chip, objects, span));
            }
        }
        for (reg, value) in surfaces {
            match surface_method(family, reg) {
                Some(_) if family == Family::Curie && reg == SurfaceReg::Pitch => {
                    pitches(value, &mut send);
                }
                Some(method) => send(method.at, value),
                None => {}
            }
        }
        let units = self.back.pipeline.units();
        stipple(family, &units, &mut send);
        viewport(family, &units, &mut send);
        if family == Family::Curie {
            uploads(&units, &self.fe.uploads(), &mut send);
        }
        methods
    }

    /// The 2D engine's, each object bound for the time of its methods.
    fn twod_methods(&self, objects: &mut Objects) -> Vec<Sent> {
        const BORROWED: u8 = 0;
        let known = objects.clone();
        let all = self
            .twod
            .methods(&known, |span| handle_of(self.chip, objects, span));
        let mut methods = Vec::new();
        for (handle, list) in all {
            methods.push((BORROWED, OBJECT, handle));
            methods.extend(
                list.into_iter()
                    .map(|(method, data)| (BORROWED, method, data)),
            );
        }
        methods
    }
}

/// The method that binds an object to a role; the further colour targets came with Rankine.
fn dma_method(family: Family, role: DmaRole) -> Option<Method> {
    let celsius_has = family == Family::Celsius;
    Some(match role {
        DmaRole::Vtx(0) if celsius_has => celsius::DMA_VTX,
        DmaRole::Vtx(_) | DmaRole::Semaphore | DmaRole::Report if celsius_has => return None,
        DmaRole::Tex(0) => kelvin::DMA_TEX_A,
        DmaRole::Tex(_) => kelvin::DMA_TEX_B,
        DmaRole::State => kelvin::DMA_STATE,
        DmaRole::Color => kelvin::DMA_SURF_COLOR,
        DmaRole::Zeta => kelvin::DMA_SURF_ZETA,
        DmaRole::Vtx(0) => kelvin::DMA_VTX_A,
        DmaRole::Vtx(_) => kelvin::DMA_VTX_B,
        DmaRole::Semaphore => kelvin::DMA_FENCE,
        DmaRole::Report => kelvin::DMA_QUERY,
        DmaRole::MoreColor(_) if family < Family::Rankine => return None,
        DmaRole::MoreColor(1) => newer::DMA_SURF_COLOR_B,
        DmaRole::MoreColor(_) if family < Family::Curie => return None,
        DmaRole::MoreColor(2) => newer::DMA_SURF_COLOR_C,
        DmaRole::MoreColor(_) => newer::DMA_SURF_COLOR_D,
    })
}

/// The method that says it, likewise.
fn surface_method(family: Family, reg: SurfaceReg) -> Option<Method> {
    Some(match reg {
        SurfaceReg::ClipHoriz => kelvin::CLIP_H,
        SurfaceReg::ClipVert => kelvin::CLIP_V,
        SurfaceReg::Format => kelvin::SURF_FORMAT,
        SurfaceReg::Pitch => kelvin::SURF_PITCH,
        SurfaceReg::ColorOffset => kelvin::COLOR_OFFSET,
        SurfaceReg::ZetaOffset => kelvin::ZETA_OFFSET,
        _ if family < Family::Rankine => return None,
        SurfaceReg::MoreOffset(1) => newer::COLOR_B_OFFSET,
        SurfaceReg::MorePitch(1) => newer::COLOR_B_PITCH,
        _ if family < Family::Curie => return None,
        SurfaceReg::MoreOffset(2) => newer::COLOR_C_OFFSET,
        SurfaceReg::MoreOffset(_) => newer::COLOR_D_OFFSET,
        SurfaceReg::MorePitch(2) => newer::COLOR_C_PITCH,
        SurfaceReg::MorePitch(_) => newer::COLOR_D_PITCH,
    })
}

/// Curie has a method for each pitch; 0 is none that could have been set.
fn pitches(both: u32, send: &mut impl FnMut(u16, u32)) {
    for (method, pitch) in [
        (newer::COLOR_A_PITCH, SURF_PITCH::COLOR.read(both)),
        (newer::ZETA_PITCH, SURF_PITCH::ZETA.read(both)),
    ] {
        if pitch != 0 {
            send(method.at, pitch);
        }
    }
}

/// The polygon stipple has no shadow register.
fn stipple(family: Family, units: &Units, send: &mut impl FnMut(u16, u32)) {
    let method = match family {
        Family::Kelvin => kelvin::POLYGON_STIPPLE,
        Family::Rankine | Family::Curie => newer::POLYGON_STIPPLE,
        _ => return,
    };
    for (at, &word) in (method.at..).step_by(4).zip(&units.stipple) {
        send(at, word);
    }
}

/// Rankine's rows of LTCTX for the viewport lie behind the last that RDI shows; Curie shows
/// none.
fn viewport(family: Family, units: &Units, send: &mut impl FnMut(u16, u32)) {
    const ROWS: [usize; 2] = [
        index_of(LTCTX, "VIEWPORT_TRANSLATE", Chip::Nv30) as usize,
        index_of(LTCTX, "VIEWPORT_SCALE", Chip::Nv30) as usize,
    ];
    let rows = match family {
        Family::Rankine => ROWS,
        Family::Curie => [0, 1],
        _ => return,
    };
    for (method, row) in [newer::VIEWPORT_TRANSLATE, newer::VIEWPORT_SCALE]
        .into_iter()
        .zip(rows)
    {
        let words = units.ltctx.get(row).copied().unwrap_or_default();
        for (at, word) in (method.at..).step_by(4).zip(words) {
            send(at, word);
        }
    }
}

/// What Curie shows in no register: programs, constants, attributes, vertex arrays.
fn uploads(units: &Units, kept: &Uploads, send: &mut impl FnMut(u16, u32)) {
    let memories = [
        (
            &units.xfpr,
            newer::TL_PROGRAM_LOAD_POS,
            newer::TL_PROGRAM_LOAD,
            kept.load_pos[0],
        ),
        (
            &units.xfctx,
            newer::TL_PARAM_LOAD_POS,
            newer::TL_PARAM_LOAD,
            kept.load_pos[1],
        ),
    ];
    for (rows, position, load, end) in memories {
        for (row, words) in (0..).zip(rows).filter(|(_, words)| **words != [0; 4]) {
            send(position.at, row);
            (load.at..)
                .step_by(4)
                .zip(words)
                .for_each(|(at, word)| send(at, *word));
        }
        send(position.at, end);
    }
    for (i, [offset, format]) in (0..).zip(kept.arrays) {
        send(newer::VTXBUF_OFFSET.at + 4 * i, offset);
        // 0 is none that a method takes: nobody has set it.
        if format != 0 {
            send(newer::VTXBUF_FORMAT.at + 4 * i, format);
        }
    }
    let mut format = IDXBUF_FORMAT_DATA::DMA.with(Chip::Nv40, 0, kept.index_dma.into());
    IDXBUF_FORMAT_DATA::TYPE.write(&mut format, kept.index_short.into());
    send(newer::IDXBUF_OFFSET.at, kept.index_offset);
    send(newer::IDXBUF_FORMAT.at, format);
    send(newer::VTX_EDGE_FLAG.at, kept.edge_flag.into());
    for (row, words) in (0..).zip(&units.vab) {
        let first = newer::VTX_ATTR_4F.at + 16 * row;
        (first..)
            .step_by(4)
            .zip(words)
            .for_each(|(at, word)| send(at, *word));
    }
}

/// First handle of objects that only a saved state has.
const FRESH: u32 = 0xFFFF_0000;

/// The handle of an object over this memory.
fn handle_of(chip: Chip, objects: &mut Objects, span: DmaSpan) -> u32 {
    let all = objects.sorted();
    let same = |object: &&Object| object.is_dma() && object.span == span;
    if let Some(object) = all.iter().find(same) {
        return object.handle;
    }
    if span == DmaSpan::default() {
        return 0;
    }
    let handle = (FRESH..).find(|handle| objects.get(*handle).is_none());
    let handle = handle.unwrap_or(FRESH);
    ObjectsMut {
        chip,
        table: objects,
    }
    .dma(handle, span.base, span.limit);
    handle
}
