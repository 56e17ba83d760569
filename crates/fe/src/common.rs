//! Methods that every 3D class has: 100h to 140h.

use super::Fe;
use super::bits::{bit, ext, ins};
use super::chips::Kind;
use super::object::Slot;
use super::table::{Call, Check, Op, Row, free};
use isotherm_bus::bundle::Event;
use isotherm_bus::trap::nsource;

impl Fe {
    /// Does the object's class take part in buffer synchronisation (NOP is a notify then)?
    pub(crate) fn sync(&self) -> bool {
        if !self.sync_class() {
            return false;
        }
        let object = if self.g.nv11p {
            bit(self.r.ctx_switch_a, 18)
        } else {
            self.g.nv15p && bit(self.r.ctx_switch_a, 26)
        };
        // 54h and 55h know the object flag only.
        object || !matches!(self.object_class(), 0x54 | 0x55) && bit(self.r.debug_d, 12)
    }

    fn sync_class(&self) -> bool {
        match self.object_class() {
            0x48 => false,
            // A 2D class.
            0x88 => self.g.nv15p,
            0x54 | 0x55 => self.g.nv11p && self.g.celsius(),
            0x94 | 0x95 => self.g.nv15p,
            _ => self.kind != Kind::None,
        }
    }
}

fn nop_ok(fe: &Fe, c: Call) -> bool {
    if fe.sync() {
        c.v < 4
    } else {
        fe.kind < Kind::Kelvin || c.v == 0
    }
}

/// NOP: nothing, or the start of a synchronised notify.
fn nop(fe: &mut Fe, c: Call) {
    if fe.sync() {
        if fe.object_dma(Slot::Notify) == 0 {
            fe.state_error();
        }
        if !bit(fe.r.nsource, 1) {
            ins(&mut fe.r.notify, 20, 1, c.v);
        }
    }
}

fn not_sync(fe: &Fe) -> bool {
    !fe.sync()
}

fn sync_ok(fe: &Fe, c: Call) -> bool {
    fe.kind < Kind::Kelvin || c.v == 0
}

/// WAIT_FOR_IDLE.
fn wait_idle(fe: &mut Fe, _: Call) {
    fe.out.push(Event::WaitIdle);
}

/// NOTIFY.
fn notify(fe: &mut Fe, c: Call) {
    let mode = c.v & 3;
    if bit(fe.r.notify, 16) {
        fe.blow_up(nsource::NOTIFY_PENDING);
    }
    if fe.object_dma(Slot::Notify) == 0 {
        fe.state_error();
    }
    if !bit(fe.r.nsource, 1) {
        ins(&mut fe.r.notify, 16, 1, (mode < 2).into());
        ins(&mut fe.r.notify, 20, 1, mode & 1);
    }
}

/// WARNING: ask for the pending warning code to be written to the notifier.
fn report_warning(fe: &mut Fe, c: Call) {
    if fe.object_dma(Slot::Notify) == 0 {
        fe.state_error();
    }
    if !bit(fe.r.nsource, 1) {
        ins(&mut fe.r.notify, 24, 1, (c.v & 3 != 0).into());
        ins(&mut fe.r.notify, 25, 1, (c.v & 3 == 2).into());
        ins(&mut fe.r.notify, 28, 3, 0);
    }
}

fn missing(fe: &mut Fe, _: Call) {
    fe.missing_hw();
}

fn flip_exists(fe: &Fe) -> bool {
    fe.class_kind != Kind::Kelvin || bit(fe.r.debug_d, 25)
}

/// FLIP_WRITE, FLIP_READ, FLIP_MODULO; `p` is the field.
fn flip_set(fe: &mut Fe, c: Call) {
    ins(&mut fe.r.surf_type, 20 + 4 * c.p, 3, c.v);
}

fn flip_bump(fe: &mut Fe, _: Call) {
    let next = ext(fe.r.surf_type, 20, 3) + 1;
    let wrapped = if next == ext(fe.r.surf_type, 28, 3) {
        0
    } else {
        next
    };
    ins(&mut fe.r.surf_type, 20, 3, wrapped);
}

/// PM_TRIGGER exists only if DEBUG_D[15].
fn pm_trigger(fe: &mut Fe, _: Call) {
    if !bit(fe.r.debug_d, 15) && fe.kind != Kind::Rankine {
        fe.blow_up(nsource::METHOD);
    }
}

/// NOP.
pub(crate) const NOP: Row = free(0x100, "nop", Check::Rule(nop_ok), Op::Always(nop));
/// NOTIFY.
pub(crate) const NOTIFY: Row = free(0x104, "notify", Check::Below(2), Op::Always(notify))
    .trap(0)
    .exists(not_sync);
/// PM_TRIGGER.
pub(crate) const PM_TRIGGER: Row = free(0x140, "pm_trigger", Check::Any, Op::Always(pm_trigger));

/// 100h to 140h.
pub(crate) const COMMON: &[Row] = &[
    NOP,
    NOTIFY,
    free(
        0x108,
        "warning",
        Check::Below(3),
        Op::Always(report_warning),
    )
    .trap(2),
    free(0x10c, "state", Check::Any, Op::Always(missing)),
    free(0x110, "sync", Check::Rule(sync_ok), Op::Always(wait_idle))
        .trap(1)
        .exists(not_sync),
    PM_TRIGGER,
];

/// 120h to 130h: the flip counters.
pub(crate) const FLIP: &[Row] = &[
    free(0x120, "flip_write", Check::Below(8), Op::Always(flip_set))
        .p(1)
        .exists(flip_exists),
    free(0x124, "flip_read", Check::Below(8), Op::Always(flip_set))
        .p(0)
        .exists(flip_exists),
    free(0x128, "flip_modulo", Check::Below(8), Op::Always(flip_set))
        .p(2)
        .exists(flip_exists),
    free(0x12c, "flip_bump_write", Check::Any, Op::Always(flip_bump)).exists(flip_exists),
    // Waits until the display has caught up; here it always has.
    free(0x130, "flip_stall", Check::Any, Op::Nop),
];
