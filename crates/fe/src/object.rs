//! Objects: binding, subchannel switches, DMA objects and their checks.

use super::bits::{bit, ext, ins};
use super::chips::Kind;
use super::table::Call;
use super::{Fe, TRAP_BITS};
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event};
use isotherm_bus::trap::{intr, nsource};

/// An object in instance memory, as PFIFO's hash table finds it by handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// Instance address / 16; what PGRAPH sees instead of the handle.
    pub instance: u32,
    /// Its first words. A DMA object has the class in `words[0][11:0]`, flags and the adjust
    /// field above, the limit in `words[1]`, the page frame in `words[2]`.
    pub words: [u32; 4],
    /// For DMA objects: the memory it means.
    pub span: DmaSpan,
}

impl Object {
    /// The null object, which every driver binds to mean "nothing".
    pub const NULL: Object = Object {
        instance: 0,
        words: [0x30, 0, 0, 0],
        span: DmaSpan { base: 0, limit: 0 },
    };

    /// The words of a linear DMA object of a class, as a driver would make it.
    pub fn dma(instance: u32, class: u32, target: u32, base: u32, limit: u32) -> Object {
        Object {
            instance,
            words: [
                class & 0xfff | 3 << 12 | (target & 3) << 16 | base << 20,
                limit,
                base & !0xfff | 3,
                base & !0xfff | 3,
            ],
            span: DmaSpan { base, limit },
        }
    }

    fn dma_class(&self) -> u32 {
        ext(self.words[0], 0, 12)
    }

    fn target(&self) -> u32 {
        ext(self.words[0], 16, 2)
    }

    fn base(&self) -> u32 {
        self.words[2] & !0xfff | ext(self.words[0], 20, 12)
    }

    fn is_null(&self) -> bool {
        self.dma_class() == 0x30
    }

    fn span_if_bound(&self) -> DmaSpan {
        if self.is_null() {
            DmaSpan::default()
        } else {
            self.span
        }
    }
}

/// How the front end finds objects.
pub trait Objects {
    /// The object that a handle means.
    fn find(&self, handle: u32) -> Option<Object>;
}

/// Which of an object's three DMA slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Notify,
    First,
    Second,
}

impl Fe {
    /// Steps 1 and 2 of every method: subchannel switch and trap registers.
    #[inline]
    pub(crate) fn switch(&mut self, subc: usize, method: u32, data: u32) {
        if self.r.subchannel() != subc || method == 0 {
            self.switch_object(subc, method, data);
        }
        self.latch(self.r.fifo_mthd_st2, data);
    }

    /// The trap registers follow every method.
    #[inline]
    pub(crate) fn latch(&mut self, st2: u32, data: u32) {
        let r = &mut self.r;
        r.trap_addr = r.trap_addr & !(TRAP_BITS | 1 << 28) | st2 & TRAP_BITS;
        r.trap_data[0] = data;
        r.trap_data[1] = r.fifo_data_st2[1];
    }

    #[cold]
    fn switch_object(&mut self, subc: usize, method: u32, data: u32) {
        let bind = method == 0;
        if bind {
            self.r.ctx_cache_i[subc] = data & 0xffff;
        }
        if bit(self.r.debug_d, 14) || bind {
            let mask = if !self.g.nv15p {
                0x7f33_f0ff
            } else if !self.g.nv11p {
                0x7fb3_f0ff
            } else if !self.g.nv25p {
                0x7fff_f0ff
            } else if self.g.curie() {
                !0
            } else {
                0x7fff_ffff
            };
            let object = self.grobj[subc];
            self.r.ctx_cache_a[subc] = object[0] & mask;
            self.r.ctx_cache_b[subc] = object[1] & 0xffff_3f03;
            self.r.ctx_cache_c[subc] = object[2];
            self.r.ctx_cache_t[subc] = object[3];
        }
        let reset = bit(self.r.debug_d, 19);
        ins(&mut self.r.debug_b, 0, 1, reset.into());
        if reset {
            self.reset_volatile();
        }
        let r = &mut self.r;
        ins(&mut r.ctx_user, 13, 3, subc as u32);
        if bit(r.debug_b, 20) {
            r.ctx_switch_a = r.ctx_cache_a[subc];
            r.ctx_switch_b = r.ctx_cache_b[subc];
            r.ctx_switch_c = r.ctx_cache_c[subc];
            r.ctx_switch_i = r.ctx_cache_i[subc];
            r.ctx_switch_t = r.ctx_cache_t[subc];
        }
    }

    /// What a subchannel switch forgets if DEBUG_D[19]: the state of the 2D rasteriser.
    fn reset_volatile(&mut self) {
        let later = self.g.nv34 || self.g.curie();
        let r = &mut self.r;
        r.xy_a = if later { 0x4_0000 } else { 0 };
        r.xy_misc_1[0] = 0;
        r.xy_misc_1[1] &= 1;
        r.valid[1] &= 0xc000_0000;
        r.misc32[0] = 0;
        r.dvd_format = 0;
        r.notify &= !0x1_0000;
        r.xy_misc_3 &= !0x11;
        r.xy_misc_4 = [0; 2];
        r.valid[0] &= 0x5000_0000;
        r.xy_clip = [[0x5555_5555; 2]; 2];
        r.uclip_min[1] = [0; 2];
        r.uclip_max[1] = [0xffff; 2];
    }

    /// Step 3: does the 3D state belong to this object?
    #[inline]
    pub(crate) fn state3d_ok(&self) -> bool {
        let r = &self.r;
        if !bit(r.debug_d, 27) || self.kind == Kind::None {
            return true;
        }
        if self.g.celsius() && !self.g.nv10 && bit(r.debug_d, 9) {
            return bit(r.state3d, 25) && ext(r.state3d, 16, 5) == ext(r.ctx_user, 24, 5);
        }
        let emulated = match self.object_class() {
            0x48 => 28,
            0x54 | 0x94 => 29,
            0x55 | 0x95 => 30,
            _ => 0,
        };
        if emulated != 0 && !bit(r.debug_d, 13) {
            return bit(r.state3d, emulated);
        }
        ext(r.state3d, 0, 16) == r.ctx_switch_i && bit(r.state3d, 24)
    }

    /// The instance in one of the object's DMA slots.
    pub(crate) fn object_dma(&self, slot: Slot) -> u32 {
        match slot {
            Slot::Notify => ext(self.r.ctx_switch_b, 16, 16),
            Slot::First => ext(self.r.ctx_switch_c, 0, 16),
            Slot::Second => ext(self.r.ctx_switch_c, 16, 16),
        }
    }

    /// Writes a DMA slot back to the object in memory.
    pub(crate) fn write_object_dma(&mut self, slot: Slot, value: u32, clear: bool) {
        if self.r.nsource != 0 {
            return;
        }
        let object = &mut self.grobj[self.r.subchannel()];
        if clear {
            object[2] = 0;
        }
        match slot {
            Slot::Notify => ins(&mut object[1], 16, 16, value),
            Slot::First => ins(&mut object[2], 0, 16, value),
            Slot::Second => ins(&mut object[2], 16, 16, value),
        }
    }

    /// Writes a DMA slot to the object's cache entry and the current object.
    pub(crate) fn cache_object_dma(&mut self, slot: Slot, value: u32, clear: bool) {
        if self.r.nsource != 0 {
            return;
        }
        let subc = self.r.subchannel();
        let r = &mut self.r;
        let follow = bit(r.debug_b, 20);
        if slot == Slot::Notify {
            let mut word = r.ctx_switch_b;
            ins(&mut word, 16, 16, value);
            r.ctx_cache_b[subc] = word;
            if follow {
                r.ctx_switch_b = word;
            }
            return;
        }
        let first = slot == Slot::First;
        let mut word = if first && clear { 0 } else { r.ctx_switch_c };
        ins(&mut word, if first { 0 } else { 16 }, 16, value);
        r.ctx_cache_c[subc] = word;
        if follow {
            r.ctx_switch_c = word;
        }
    }

    /// A DMA object of the wrong class, if DEBUG_D[23] wants them reported.
    pub(crate) fn check_dma_class(&mut self, wanted: u32) -> bool {
        let class = self.dma.dma_class();
        let bad = class != 0x30 && class != 0x3d && class != wanted;
        if bad && bit(self.r.debug_d, 23) {
            self.blow_up(nsource::DATA);
        }
        bad
    }

    /// Must a texture or vertex object end on a 256-byte boundary and start unadjusted? Yes.
    pub(crate) fn check_dma_aligned(&mut self) {
        let dma = self.dma;
        if !dma.is_null() && (ext(dma.words[1], 0, 8) != 0xff || ext(dma.words[0], 20, 8) != 0) {
            self.blow_up(nsource::PROTECTION);
        }
    }

    /// What a bound object is called in the shadow words: nothing for the null object.
    pub(crate) fn dma_value(&self, v: u32) -> u32 {
        if self.dma.is_null() { 0 } else { v & 0xffff }
    }

    /// Tells the units where a role's memory is.
    pub(crate) fn announce_dma(&mut self, role: DmaRole) {
        let span = self.dma.span_if_bound();
        self.announced.dma(role, span);
        self.out.push(Event::Dma { role, span });
    }
}

/// DMA_NOTIFY.
pub(crate) fn dma_notify(fe: &mut Fe, c: Call) {
    let value = if fe.dma.is_null() { 0 } else { c.v };
    let bad = fe.check_dma_class(3);
    fe.write_object_dma(Slot::Notify, value, false);
    if bit(fe.r.notify, 24) {
        fe.blow_up(nsource::NOTIFY_BUSY);
    }
    if bad {
        fe.check_dma_class(3);
    }
    fe.cache_object_dma(Slot::Notify, value, false);
    let least = if fe.kind >= Kind::Celsius { 0x1f } else { 0xf };
    if !fe.dma.is_null() && fe.dma.words[1] < least {
        fe.blow_up(nsource::PROTECTION);
    }
}

/// DMA_FENCE (`p` = 0) and DMA_QUERY (`p` = 1), kept in the object.
pub(crate) fn dma_object(fe: &mut Fe, c: Call) {
    let fence = c.p == 0;
    dma_slot(fe, c, 3, false);
    let words = fe.dma.words;
    if fence && !fe.dma.is_null() && (words[1] & !0xfff != 0 || ext(words[0], 20, 12) != 0) {
        fe.blow_up(nsource::PROTECTION);
    }
    fe.announce_dma(if fence {
        DmaRole::Semaphore
    } else {
        DmaRole::Report
    });
}

/// A DMA object that the graph object keeps, in its first slot or (`p` = 1) its second.
pub(crate) fn dma_slot(fe: &mut Fe, c: Call, class: u32, aligned: bool) {
    let slot = if c.p == 0 { Slot::First } else { Slot::Second };
    let value = if fe.dma.is_null() { 0 } else { c.v };
    fe.check_dma_class(class);
    fe.write_object_dma(slot, value, false);
    fe.cache_object_dma(slot, value, false);
    if aligned {
        let words = fe.dma.words;
        let adjusted = fe.class != 0x48 && ext(words[0], 20, 8) != 0;
        if !fe.dma.is_null() && (ext(words[1], 0, 8) != 0xff || adjusted) {
            fe.blow_up(nsource::PROTECTION);
        }
    }
}

/// The colour or zeta surface's object; `p` is the surface number.
pub(crate) fn dma_surface(fe: &mut Fe, c: Call) {
    let surface = c.p as usize;
    let (dma, mask) = (fe.dma, fe.g.offset_mask());
    let base = dma.base();
    let class = dma.dma_class();
    let bad = class != 0x30 && class != 0x3d;
    let refused = bad && bit(fe.r.debug_d, 23);
    if refused {
        fe.blow_up(nsource::DATA);
    }
    let far = if fe.g.celsius() { 0 } else { 1 };
    if !dma.is_null() && (ext(base, 0, 6) != 0 || dma.target() > far) {
        fe.blow_up(nsource::PROTECTION);
    }
    let low = if fe.g.celsius() || fe.g.nv34 {
        0xf
    } else {
        0x3f
    };
    ins(
        &mut fe.r.ctx_valid,
        c.p,
        1,
        (!dma.is_null() && !refused).into(),
    );
    fe.r.surf_limit[surface] = dma.words[1] & mask | low | u32::from(dma.is_null()) << 31;
    ins(&mut fe.r.surf_base[surface], 0, 30, base & mask);
    fe.forget_tile(c.p);
    let role = if c.p == 2 {
        DmaRole::Color
    } else {
        DmaRole::Zeta
    };
    fe.announce_dma(role);
}

/// DMA_TEX_A and _B on Kelvin and up.
pub(crate) fn dma_tex(fe: &mut Fe, c: Call) {
    use isotherm_regs::bundle::DMA_TEX;
    let value = fe.dma_value(c.v);
    fe.check_dma_class(2);
    fe.check_dma_aligned();
    if !fe.blocked() {
        fe.put(DMA_TEX, c.p, value | fe.dma.target() << 24);
        fe.announce_dma(DmaRole::Tex(c.p as u8));
    }
}

/// DMA_VTX_A and _B on Kelvin and up.
pub(crate) fn dma_vtx(fe: &mut Fe, c: Call) {
    use isotherm_regs::bundle::DMA_VTX;
    let value = fe.dma_value(c.v);
    fe.check_dma_class(2);
    fe.check_dma_aligned();
    if !fe.dma.is_null() && ext(fe.dma.words[0], 12, 2) == 0 {
        fe.r.intr |= intr::VERTEX_DMA;
        fe.r.fifo_enable = 0;
    }
    if fe.r.intr == 0 {
        fe.put(DMA_VTX, c.p, value);
        fe.announce_dma(DmaRole::Vtx(c.p as u8));
    }
}

/// DMA_STATE.
pub(crate) fn dma_state(fe: &mut Fe, c: Call) {
    let value = fe.dma_value(c.v);
    fe.check_dma_class(3);
    fe.r.fe3d_dma_state = value;
    fe.announce_dma(DmaRole::State);
}

/// DMA_CLIPID (`p` = 0) and DMA_ZCULL (`p` = 1): base and limit bundles.
pub(crate) fn dma_zcull(fe: &mut Fe, c: Call) {
    use isotherm_regs::bundle::{CLIPID_BASE, CLIPID_LIMIT, ZCULL_BASE, ZCULL_LIMIT};
    let dma = fe.dma;
    let mask = fe.g.offset_mask() | 0x3f;
    let class = dma.dma_class();
    if class != 0x30 && class != 0x3d && bit(fe.r.debug_d, 23) {
        fe.blow_up(nsource::DATA);
    }
    if !dma.is_null() && (ext(dma.base(), 0, 8) != 0 || dma.target() >= 2) {
        fe.blow_up(nsource::PROTECTION);
    }
    if !fe.blocked() {
        let limit = dma.words[1] & mask
            | u32::from(dma.target() == 1) << 30
            | u32::from(!dma.is_null()) << 31;
        let (base_id, limit_id) = if c.p == 0 {
            (CLIPID_BASE, CLIPID_LIMIT)
        } else {
            (ZCULL_BASE, ZCULL_LIMIT)
        };
        fe.put_more(base_id, 0, dma.base() & mask);
        fe.put(limit_id, 0, limit);
    }
}

/// Context-object methods exist if DEBUG_D[29].
pub(crate) fn ctx_exists(fe: &Fe) -> bool {
    bit(fe.r.debug_d, 29)
}

/// Notes in the graph object which context objects it has: bits of word 0.
fn set_context_bits(fe: &mut Fe, wrong: bool, bits: &[(u32, bool)]) {
    if wrong && bit(fe.r.debug_d, 23) {
        fe.blow_up(nsource::DATA);
    }
    if bit(fe.r.nsource, 1) {
        return;
    }
    let subc = fe.r.subchannel();
    let mut word = fe.r.ctx_switch_a;
    let mut stored = fe.grobj[subc][0];
    if fe.g.nv25p {
        stored = word;
    } else {
        ins(&mut stored, 8, 24, ext(word, 8, 24));
    }
    for &(at, on) in bits {
        ins(&mut word, at, 1, on.into());
        ins(&mut stored, at, 1, on.into());
    }
    fe.grobj[subc][0] = stored;
    fe.r.ctx_cache_a[subc] = word;
    if bit(fe.r.debug_b, 20) {
        fe.r.ctx_switch_a = word;
    }
}

/// Is it a swizzled surface?
fn swizzled(fe: &Fe, class: u32) -> bool {
    class == 0x52 || class == 0x9e && fe.g.nv15p
}

/// CTX_CLIP.
pub(crate) fn ctx_clip(fe: &mut Fe, _: Call) {
    let class = fe.dma.dma_class();
    set_context_bits(fe, class != 0x19 && class != 0x30, &[(13, class != 0x30)]);
}

/// CTX_COLOR, CTX_ZETA of 48h; `p` is the surface.
pub(crate) fn ctx_surface(fe: &mut Fe, c: Call) {
    let class = fe.dma.dma_class();
    let wrong = class != 0x58 + c.p && class != 0x30;
    let bound = (25 + (c.p & 1), class != 0x30);
    let swizzle = (14, swizzled(fe, class));
    if c.p & 1 == 0 {
        set_context_bits(fe, wrong, &[bound, swizzle]);
    } else {
        set_context_bits(fe, wrong, &[bound]);
    }
}

/// CTX_SURF3D of the D3D5 and D3D6 classes; the newer ones take the newer surface.
pub(crate) fn ctx_surface3d(fe: &mut Fe, _: Call) {
    let class = fe.dma.dma_class();
    let newer = class == 0x93 && matches!(fe.class, 0x94 | 0x95);
    let wrong = class != 0x53 && class != 0x30 && !newer;
    let swizzle = swizzled(fe, class);
    set_context_bits(fe, wrong, &[(25, class != 0x30), (14, swizzle)]);
}

impl Objects for isotherm_bus::objects::Objects {
    fn find(&self, handle: u32) -> Option<Object> {
        self.get(handle).map(|object| Object {
            instance: object.instance,
            words: object.raw,
            span: object.span,
        })
    }
}
