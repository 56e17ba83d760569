//! Methods that every 3D class has: 100h to 140h.

use super::Fe;
use super::chips::Kind;
use super::object::Slot;
use super::table::{Call, Check, Op, Row, free};
use isotherm_bus::bundle::Event;
use isotherm_bus::trap::nsource;
use isotherm_regs::method::kelvin as m;
use isotherm_regs::pgraph::{CTX_SWITCH_A, CTX_SWITCH_C, DEBUG_D, NOTIFY, NSOURCE, SURF_TYPE};

impl Fe {
    /// Does the object's class take part in buffer synchronisation (NOP is a notify then)?
    pub(crate) fn sync(&self) -> bool {
        if !self.sync_class() {
            return false;
        }
        let object = CTX_SWITCH_A::SYNC.is_set(self.g.chip, self.r.ctx_switch_a)
            || CTX_SWITCH_C::SYNC.is_set(self.g.chip, self.r.ctx_switch_c);
        // 54h and 55h know the object flag only, and so do 2D classes on Curie.
        let own = matches!(self.object_class(), 0x54 | 0x55) || self.g.curie();
        object || !own && DEBUG_D::SYNC.is_on(self.r.debug_d)
    }

    fn sync_class(&self) -> bool {
        match self.object_class() {
            0x48 => false,
            // A 2D class.
            0x88 => self.g.nv15p,
            0x54 | 0x55 => self.g.nv11p && self.g.celsius(),
            0x94 | 0x95 => self.g.nv15p,
            // 3D classes of NV4x do not take part.
            _ => self.kind != Kind::None && !self.g.curie(),
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
        if !NSOURCE::DATA_ERROR.is_on(fe.r.nsource) {
            NOTIFY::STYLE.write(&mut fe.r.notify, c.v);
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
    if NOTIFY::PENDING.is_on(fe.r.notify) {
        fe.blow_up(nsource::NOTIFY_PENDING);
    }
    if fe.object_dma(Slot::Notify) == 0 {
        fe.state_error();
    }
    if !NSOURCE::DATA_ERROR.is_on(fe.r.nsource) {
        NOTIFY::PENDING.write(&mut fe.r.notify, (mode < 2).into());
        NOTIFY::STYLE.write(&mut fe.r.notify, mode & 1);
    }
}

/// WARNING: ask for the pending warning code to be written to the notifier.
fn report_warning(fe: &mut Fe, c: Call) {
    if fe.object_dma(Slot::Notify) == 0 {
        fe.state_error();
    }
    if !NSOURCE::DATA_ERROR.is_on(fe.r.nsource) {
        NOTIFY::WARNING_PENDING.write(&mut fe.r.notify, (c.v & 3 != 0).into());
        NOTIFY::WARNING_STYLE.write(&mut fe.r.notify, (c.v & 3 == 2).into());
        NOTIFY::WARNING.write(&mut fe.r.notify, 0);
    }
}

fn missing(fe: &mut Fe, _: Call) {
    fe.missing_hw();
}

fn flip_exists(fe: &Fe) -> bool {
    fe.class_kind != Kind::Kelvin || DEBUG_D::KELVIN_FLIP_ENABLE.is_on(fe.r.debug_d)
}

fn flip_read(fe: &mut Fe, c: Call) {
    SURF_TYPE::FLIP_READ.write(&mut fe.r.surf_type, c.v);
}

fn flip_write(fe: &mut Fe, c: Call) {
    SURF_TYPE::FLIP_WRITE.write(&mut fe.r.surf_type, c.v);
}

fn flip_modulo(fe: &mut Fe, c: Call) {
    SURF_TYPE::FLIP_MODULO.write(&mut fe.r.surf_type, c.v);
}

fn flip_bump(fe: &mut Fe, _: Call) {
    let next = SURF_TYPE::FLIP_WRITE.read(fe.r.surf_type) + 1;
    let wrapped = if next == SURF_TYPE::FLIP_MODULO.read(fe.r.surf_type) {
        0
    } else {
        next
    };
    SURF_TYPE::FLIP_WRITE.write(&mut fe.r.surf_type, wrapped);
}

/// PM_TRIGGER exists only if DEBUG_D[15].
fn pm_trigger(fe: &mut Fe, _: Call) {
    if !DEBUG_D::PM_TRIGGER_ENABLE.is_on(fe.r.debug_d) && fe.kind != Kind::Rankine {
        fe.blow_up(nsource::METHOD);
    }
}

/// NOP.
pub(crate) const NOP: Row = free(m::NOP, Check::Rule(nop_ok), Op::Always(nop));
/// NOTIFY.
pub(crate) const NOTIFY: Row = free(m::NOTIFY, Check::Below(2), Op::Always(notify))
    .trap(0)
    .exists(not_sync);
/// PM_TRIGGER.
pub(crate) const PM_TRIGGER: Row = free(m::PM_TRIGGER, Check::Any, Op::Always(pm_trigger));

/// 100h to 140h.
pub(crate) const COMMON: &[Row] = &[
    NOP,
    NOTIFY,
    free(m::WARNING, Check::Below(3), Op::Always(report_warning)).trap(2),
    free(m::STATE, Check::Any, Op::Always(missing)),
    free(m::SYNC, Check::Rule(sync_ok), Op::Always(wait_idle))
        .trap(1)
        .exists(not_sync),
    PM_TRIGGER,
];

/// 120h to 130h: the flip counters.
pub(crate) const FLIP: &[Row] = &[
    free(m::FLIP_READ, Check::Below(8), Op::Always(flip_read)).exists(flip_exists),
    free(m::FLIP_WRITE, Check::Below(8), Op::Always(flip_write)).exists(flip_exists),
    free(m::FLIP_MODULO, Check::Below(8), Op::Always(flip_modulo)).exists(flip_exists),
    free(m::FLIP_BUMP_WRITE, Check::Any, Op::Always(flip_bump)).exists(flip_exists),
    // Waits until the display has caught up; here it always has.
    free(m::FLIP_STALL, Check::Any, Op::Nop),
];
