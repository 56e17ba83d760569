//! A context: everything a chip remembers besides memory and objects.
//!
//! The front end's words are saved as they are. The units behind it have no registers of
//! their own that a CPU could read; what they know is what was sent to them, so their part
//! of a context is the last event of every kind, and restoring sends those again, through
//! the same path that the first ones took.

use crate::bundle::{DmaRole, DmaSpan, Event, SurfaceReg};
use isotherm_regs::Family;
use isotherm_regs::bundle::{Bundle, Kind};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Version of the context record.
pub const VERSION: u32 = 1;

/// A saved context.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// Version of the record, [`VERSION`].
    pub version: u32,
    /// The front end's words.
    pub fe: Vec<u32>,
    /// The units' words: events, each as six words.
    pub events: Vec<[u32; 6]>,
    /// Class and handle bound to each subchannel.
    pub bound: [[u32; 2]; 8],
    /// The pusher's: subchannel, method, step, words left.
    pub pusher: [u32; 4],
    /// The 2D engine's words.
    pub twod: Vec<u32>,
    /// Draws so far.
    pub draws: u64,
}

/// What an event overwrites.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Bundle(u16),
    Xf(u8, u16, u8),
    Attr(u8, u8),
    EdgeFlag,
    Fd(u16),
    VertexOffset(u8),
    VertexFormat(u8),
    Surface(SurfaceReg),
    Dma(DmaRole),
    IndexBuffer,
    ClipRect(bool, u8),
    Config,
}

/// Remembers the last event of every kind.
#[derive(Clone)]
pub struct Recorder {
    family: Family,
    count: u64,
    last: HashMap<Key, (u64, Event)>,
    inside: bool,
}

impl Recorder {
    /// Nothing sent yet.
    pub fn new(family: Family) -> Recorder {
        Recorder {
            family,
            count: 0,
            last: HashMap::new(),
            inside: false,
        }
    }

    /// Keeps an event that changes a unit's state.
    pub fn event(&mut self, event: &Event) {
        let key = match *event {
            Event::Bundle { id, .. } => {
                let trigger = Bundle::locate(self.family, id)
                    .is_some_and(|(bundle, _)| bundle.row().kind == Kind::Trigger);
                if trigger {
                    return;
                }
                Key::Bundle(id)
            }
            Event::Xf { cmd, addr, be, .. } => Key::Xf(cmd, addr, be),
            // The position launches a vertex; it is no state.
            Event::Attr { attr: 0, .. } => return,
            Event::Attr { attr, comp, .. } => Key::Attr(attr, comp),
            Event::EdgeFlag(_) => Key::EdgeFlag,
            Event::Fd { cmd, .. } => Key::Fd(cmd),
            Event::VertexOffset { index, .. } => Key::VertexOffset(index),
            Event::VertexFormat { index, .. } => Key::VertexFormat(index),
            Event::Surface { reg, .. } => Key::Surface(reg),
            Event::Dma { role, .. } => Key::Dma(role),
            Event::IndexBuffer { .. } => Key::IndexBuffer,
            Event::CelsiusClipRect {
                vertical, index, ..
            } => Key::ClipRect(vertical, index),
            Event::CelsiusConfig(_) => Key::Config,
            Event::Begin { .. } => {
                self.inside = true;
                return;
            }
            Event::End => {
                self.inside = false;
                return;
            }
            _ => return,
        };
        self.count += 1;
        self.last.insert(key, (self.count, *event));
    }

    /// Is a primitive open? Then there is no boundary to save at.
    pub fn inside(&self) -> bool {
        self.inside
    }

    /// The events that bring a unit after reset to this state, in the order they came.
    pub fn events(&self) -> Vec<[u32; 6]> {
        let mut last: Vec<&(u64, Event)> = self.last.values().collect();
        last.sort_by_key(|(count, _)| *count);
        last.into_iter()
            .filter_map(|(_, event)| encode(event))
            .collect()
    }
}

const SURFACE_REGS: [SurfaceReg; 6] = [
    SurfaceReg::ClipHoriz,
    SurfaceReg::ClipVert,
    SurfaceReg::Format,
    SurfaceReg::Pitch,
    SurfaceReg::ColorOffset,
    SurfaceReg::ZetaOffset,
];

fn role_code(role: DmaRole) -> u32 {
    match role {
        DmaRole::Tex(n) => 0x100 | u32::from(n),
        DmaRole::Vtx(n) => 0x200 | u32::from(n),
        DmaRole::Color => 1,
        DmaRole::Zeta => 2,
        DmaRole::Semaphore => 3,
        DmaRole::Report => 4,
        DmaRole::State => 5,
    }
}

fn role(code: u32) -> Option<DmaRole> {
    Some(match code {
        0x100..0x200 => DmaRole::Tex(code as u8),
        0x200..0x300 => DmaRole::Vtx(code as u8),
        1 => DmaRole::Color,
        2 => DmaRole::Zeta,
        3 => DmaRole::Semaphore,
        4 => DmaRole::Report,
        5 => DmaRole::State,
        _ => return None,
    })
}

/// An event of state as words.
fn encode(event: &Event) -> Option<[u32; 6]> {
    Some(match *event {
        Event::Bundle { id, value, last } => [0, id.into(), value, last.into(), 0, 0],
        Event::Xf {
            cmd,
            addr,
            be,
            a,
            b,
        } => [1, cmd.into(), addr.into(), be.into(), a, b],
        Event::Attr {
            fmt,
            attr,
            ncomp,
            comp,
            data,
        } => [2, fmt.into(), attr.into(), ncomp.into(), comp.into(), data],
        Event::EdgeFlag(on) => [3, on.into(), 0, 0, 0, 0],
        Event::Fd { cmd, arg } => [4, cmd.into(), arg, 0, 0, 0],
        Event::VertexOffset { index, dma, offset } => [5, index.into(), dma.into(), offset, 0, 0],
        Event::VertexFormat { index, format } => [6, index.into(), format, 0, 0, 0],
        Event::Surface { reg, value } => {
            let code = SURFACE_REGS.iter().position(|r| *r == reg)? as u32;
            [7, code, value, 0, 0, 0]
        }
        Event::Dma { role, span } => [8, role_code(role), span.base, span.limit, 0, 0],
        Event::IndexBuffer { dma, offset, short } => [9, dma.into(), offset, short.into(), 0, 0],
        Event::CelsiusClipRect {
            vertical,
            index,
            value,
        } => [10, vertical.into(), index.into(), value, 0, 0],
        Event::CelsiusConfig(value) => [11, value, 0, 0, 0, 0],
        _ => return None,
    })
}

/// The event that words mean; none for words that mean nothing.
pub fn decode([tag, a, b, c, d, e]: [u32; 6]) -> Option<Event> {
    Some(match tag {
        0 => Event::Bundle {
            id: a as u16,
            value: b,
            last: c != 0,
        },
        1 => Event::Xf {
            cmd: a as u8,
            addr: b as u16,
            be: c as u8,
            a: d,
            b: e,
        },
        2 => Event::Attr {
            fmt: a as u8,
            attr: b as u8,
            ncomp: c as u8,
            comp: d as u8,
            data: e,
        },
        3 => Event::EdgeFlag(a != 0),
        4 => Event::Fd {
            cmd: a as u16,
            arg: b,
        },
        5 => Event::VertexOffset {
            index: a as u8,
            dma: b as u8,
            offset: c,
        },
        6 => Event::VertexFormat {
            index: a as u8,
            format: b,
        },
        7 => Event::Surface {
            reg: *SURFACE_REGS.get(a as usize)?,
            value: b,
        },
        8 => Event::Dma {
            role: role(a)?,
            span: DmaSpan { base: b, limit: c },
        },
        9 => Event::IndexBuffer {
            dma: a as u8,
            offset: b,
            short: c != 0,
        },
        10 => Event::CelsiusClipRect {
            vertical: a != 0,
            index: b as u8,
            value: c,
        },
        11 => Event::CelsiusConfig(a),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_survive_as_words() {
        let events = [
            Event::Bundle {
                id: 0x1F0,
                value: 7,
                last: true,
            },
            Event::Xf {
                cmd: 9,
                addr: 0x4BC,
                be: 2,
                a: 1,
                b: 2,
            },
            Event::Attr {
                fmt: 1,
                attr: 3,
                ncomp: 4,
                comp: 2,
                data: 9,
            },
            Event::EdgeFlag(true),
            Event::VertexOffset {
                index: 3,
                dma: 1,
                offset: 0x8000_0000,
            },
            Event::VertexFormat {
                index: 15,
                format: 0x42,
            },
            Event::Surface {
                reg: SurfaceReg::Pitch,
                value: 5,
            },
            Event::Dma {
                role: DmaRole::Vtx(1),
                span: DmaSpan { base: 1, limit: 2 },
            },
            Event::IndexBuffer {
                dma: 1,
                offset: 0x40,
                short: true,
            },
            Event::CelsiusClipRect {
                vertical: true,
                index: 7,
                value: 9,
            },
            Event::CelsiusConfig(0x11),
        ];
        for event in events {
            assert_eq!(decode(encode(&event).unwrap()), Some(event));
        }
        assert_eq!(encode(&Event::End), None);
        assert_eq!(decode([99; 6]), None);
    }

    #[test]
    fn the_last_word_counts_in_the_order_it_came() {
        let mut recorder = Recorder::new(Family::Kelvin);
        let surface = |reg, value| Event::Surface { reg, value };
        recorder.event(&surface(SurfaceReg::Pitch, 1));
        recorder.event(&surface(SurfaceReg::Format, 2));
        recorder.event(&surface(SurfaceReg::Pitch, 3));
        let events: Vec<_> = recorder.events().into_iter().filter_map(decode).collect();
        assert_eq!(
            events,
            [
                surface(SurfaceReg::Format, 2),
                surface(SurfaceReg::Pitch, 3)
            ]
        );
    }
}
