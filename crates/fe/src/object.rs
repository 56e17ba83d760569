//! Objects: binding, subchannel switches, DMA objects and their checks.

use super::chips::Kind;
use super::surface::{COLOR, COLOR_B, COLOR_C, ZETA, target};
use super::table::Call;
use super::words::Edit;
use super::{Fe, TRAP_BITS};
use isotherm_bus::bundle::{DmaRole, DmaSpan, Event};
use isotherm_bus::trap::{intr, nsource};
use isotherm_regs::Chip;
use isotherm_regs::field::Field;
use isotherm_regs::pgraph::{
    CTX_SWITCH_A, CTX_SWITCH_B, CTX_SWITCH_C, CTX_SWITCH_D, CTX_USER, CTX_VALID, DEBUG_B, DEBUG_D,
    DMA_OBJECT, DMA_OBJECT_FRAME, FE3D_MISC, NOTIFY, NSOURCE, STATE3D, SURF_BASE, SURF_LIMIT,
    TRAP_ADDR, VALID_A, VALID_B, XY_MISC_1, XY_MISC_3,
};

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
        let mut first = 0;
        DMA_OBJECT::CLASS.write(&mut first, class);
        DMA_OBJECT::PAGES.write(&mut first, 3);
        DMA_OBJECT::TARGET.write(&mut first, target);
        DMA_OBJECT::ADJUST.write(&mut first, base);
        let frame = base & DMA_OBJECT_FRAME::FRAME.ones() | DMA_OBJECT_FRAME::FLAGS.ones();
        Object {
            instance,
            words: [first, limit, frame, frame],
            span: DmaSpan { base, limit },
        }
    }

    pub(crate) fn dma_class(&self) -> u32 {
        DMA_OBJECT::CLASS.read(self.words[0])
    }

    pub(crate) fn target(&self) -> u32 {
        DMA_OBJECT::TARGET.read(self.words[0])
    }

    pub(crate) fn base(&self) -> u32 {
        self.words[2] & DMA_OBJECT_FRAME::FRAME.ones() | self.adjust()
    }

    fn adjust(&self) -> u32 {
        DMA_OBJECT::ADJUST.read(self.words[0])
    }

    pub(crate) fn limit(&self) -> u32 {
        self.words[1]
    }

    /// Has it neither a page table nor linear memory?
    pub(crate) fn without_pages(&self) -> bool {
        !self.is_null() && !DMA_OBJECT::PAGES.is_on(self.words[0])
    }

    /// Does it end 256 bytes behind a 256-byte boundary?
    fn ends_aligned(&self) -> bool {
        self.limit() & 0xff == 0xff
    }

    pub(crate) fn is_null(&self) -> bool {
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
        r.trap_addr = r.trap_addr & !(TRAP_BITS | TRAP_ADDR::UNK28.ones()) | st2 & TRAP_BITS;
        r.trap_data[0] = data;
        r.trap_data[1] = r.fifo_data_st2[1];
    }

    #[cold]
    fn switch_object(&mut self, subc: usize, method: u32, data: u32) {
        self.switched_by = (self.r.fifo_mthd_st2 & TRAP_ADDR::METHOD.ones(), data);
        let bind = method == 0;
        if bind {
            self.r.ctx_cache_i[subc] = data & self.handle_mask();
        }
        if DEBUG_D::OBJECT_RELOAD.is_on(self.r.debug_d) || bind {
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
            let [a, b, c, d, e] = self.grobj[subc];
            let curie = self.g.curie();
            let r = &mut self.r;
            r.ctx_cache_a[subc] = a & mask;
            r.ctx_cache_b[subc] = if curie { b } else { b & 0xffff_3f03 };
            r.ctx_cache_c[subc] = c;
            // Curie's objects have a fifth word.
            if curie {
                r.ctx_cache_d[subc] = d;
            }
            r.ctx_cache_t[subc] = if curie { e } else { d };
        }
        let reset = DEBUG_D::VOLATILE_RESET.is_on(self.r.debug_d);
        DEBUG_B::VOLATILE_RESET.write(&mut self.r.debug_b, reset.into());
        if reset {
            self.reset_volatile();
        }
        let curie = self.g.curie();
        let r = &mut self.r;
        CTX_USER::SUBCHANNEL.write(&mut r.ctx_user, subc as u32);
        if DEBUG_B::CTX_SWITCH_FOLLOW.is_on(r.debug_b) {
            r.ctx_switch_a = r.ctx_cache_a[subc];
            r.ctx_switch_b = r.ctx_cache_b[subc];
            r.ctx_switch_c = r.ctx_cache_c[subc];
            if curie {
                r.ctx_switch_c &= CTX_SWITCH_C::WORD.mask(Chip::Nv40, 0);
                r.ctx_switch_d = r.ctx_cache_d[subc] & CTX_SWITCH_D::DMA_B.ones();
            }
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
        r.xy_misc_1[1] &= XY_MISC_1::CLIP.ones();
        r.valid[1] &= VALID_B::CLIP.ones();
        r.misc32[0] = 0;
        r.dvd_format = 0;
        NOTIFY::PENDING.write(&mut r.notify, 0);
        XY_MISC_3::UNK0.write(&mut r.xy_misc_3, 0);
        XY_MISC_3::UNK4.write(&mut r.xy_misc_3, 0);
        r.xy_misc_4 = [0; 2];
        r.valid[0] &= VALID_A::UNK28.ones() | VALID_A::UNK30.ones();
        // Every coordinate is below the rectangle and above it.
        r.xy_clip = [[0x5555_5555; 2]; 2];
        r.uclip_min[1] = [0; 2];
        r.uclip_max[1] = [0xffff; 2];
    }

    /// Step 3: does the 3D state belong to this object?
    #[inline]
    pub(crate) fn state3d_ok(&self) -> bool {
        let r = &self.r;
        if !DEBUG_D::STATE3D_CHECK.is_on(r.debug_d) || self.kind == Kind::None {
            return true;
        }
        if self.g.celsius() && !self.g.nv10 && DEBUG_D::STATE3D_PER_CHANNEL.is_on(r.debug_d) {
            return STATE3D::CHANNEL_VALID.is_on(r.state3d)
                && STATE3D::CHANNEL.read(r.state3d) == CTX_USER::CHANNEL.read(r.ctx_user);
        }
        let d3d = match self.object_class() {
            0x48 => Some(STATE3D::D3D0),
            0x54 | 0x94 => Some(STATE3D::D3D5),
            0x55 | 0x95 => Some(STATE3D::D3D6),
            _ => None,
        };
        if let Some(owned) = d3d
            && !DEBUG_D::STATE3D_D3D_AS_OTHERS.is_on(r.debug_d)
        {
            return owned.is_on(r.state3d);
        }
        STATE3D::INSTANCE.read(r.state3d) == r.ctx_switch_i
            && STATE3D::INSTANCE_VALID.is_on(r.state3d)
    }

    /// The instance in one of the object's DMA slots.
    pub(crate) fn object_dma(&self, slot: Slot) -> u32 {
        let chip = self.g.chip;
        match slot {
            Slot::Notify => CTX_SWITCH_B::DMA_NOTIFY.get(chip, self.r.ctx_switch_b),
            Slot::First => CTX_SWITCH_C::DMA_A.get(chip, self.r.ctx_switch_c),
            Slot::Second if self.g.curie() => CTX_SWITCH_D::DMA_B.read(self.r.ctx_switch_d),
            Slot::Second => CTX_SWITCH_C::DMA_B.read(self.r.ctx_switch_c),
        }
    }

    /// Writes a DMA slot back to the object in memory.
    pub(crate) fn write_object_dma(&mut self, slot: Slot, value: u32, clear: bool) {
        if self.r.nsource != 0 {
            return;
        }
        let (chip, curie) = (self.g.chip, self.g.curie());
        let object = &mut self.grobj[self.r.subchannel()];
        if clear {
            object[2] = 0;
        }
        match slot {
            Slot::Notify => CTX_SWITCH_B::DMA_NOTIFY.put(chip, &mut object[1], value),
            Slot::First => CTX_SWITCH_C::DMA_A.put(chip, &mut object[2], value),
            Slot::Second if curie => CTX_SWITCH_D::DMA_B.write(&mut object[3], value),
            Slot::Second => CTX_SWITCH_C::DMA_B.write(&mut object[2], value),
        }
    }

    /// Writes a DMA slot to the object's cache entry and the current object.
    pub(crate) fn cache_object_dma(&mut self, slot: Slot, value: u32, clear: bool) {
        if self.r.nsource != 0 {
            return;
        }
        let subc = self.r.subchannel();
        let (chip, curie) = (self.g.chip, self.g.curie());
        let method = self.r.trap_addr & TRAP_ADDR::METHOD.ones();
        let now = (method, self.r.trap_data[0]);
        let switched = std::mem::take(&mut self.switched_by) == now;
        let r = &mut self.r;
        let follow = DEBUG_B::CTX_SWITCH_FOLLOW.is_on(r.debug_b);
        if slot == Slot::Notify {
            let mut word = r.ctx_switch_b;
            CTX_SWITCH_B::DMA_NOTIFY.put(chip, &mut word, value);
            r.ctx_cache_b[subc] = word;
            if follow {
                r.ctx_switch_b = word;
            }
            return;
        }
        let first = slot == Slot::First;
        if curie && follow && switched {
            // What a switch copied from the cache stays there whole.
            if first {
                CTX_SWITCH_C::DMA_A.put(chip, &mut r.ctx_cache_c[subc], value);
                r.ctx_switch_c = r.ctx_cache_c[subc] & CTX_SWITCH_C::WORD.mask(chip, 0);
            } else {
                CTX_SWITCH_D::DMA_B.write(&mut r.ctx_cache_d[subc], value);
                r.ctx_switch_d = r.ctx_cache_d[subc] & CTX_SWITCH_D::DMA_B.ones();
            }
            return;
        }
        if curie && !first {
            let mut word = r.ctx_switch_d;
            CTX_SWITCH_D::DMA_B.write(&mut word, value);
            r.ctx_cache_d[subc] = word;
            if follow {
                r.ctx_switch_d = word;
            }
            return;
        }
        let mut word = if first && clear { 0 } else { r.ctx_switch_c };
        let field = if first {
            CTX_SWITCH_C::DMA_A
        } else {
            CTX_SWITCH_C::DMA_B
        };
        field.put(chip, &mut word, value);
        r.ctx_cache_c[subc] = word;
        if follow {
            r.ctx_switch_c = word;
        }
    }

    /// A DMA object of the wrong class, if DEBUG_D[23] wants them reported.
    pub(crate) fn check_dma_class(&mut self, wanted: u32) -> bool {
        let class = self.dma.dma_class();
        let bad = class != 0x30 && class != 0x3d && class != wanted;
        if bad && DEBUG_D::DMA_CLASS_CHECK.is_on(self.r.debug_d) {
            self.blow_up(nsource::DATA);
        }
        bad
    }

    /// A texture or vertex object must begin and end on a 256-byte boundary.
    pub(crate) fn check_dma_aligned(&mut self) {
        let dma = self.dma;
        let aligned = dma.ends_aligned() && dma.adjust().is_multiple_of(256);
        if !dma.is_null() && !aligned {
            self.blow_up(nsource::PROTECTION);
        }
    }

    /// What a bound object is called in the shadow words: nothing for the null object.
    pub(crate) fn dma_value(&self, v: u32) -> u32 {
        if self.dma.is_null() {
            0
        } else {
            v & self.handle_mask()
        }
    }

    /// Bits of an object's instance.
    fn handle_mask(&self) -> u32 {
        if self.g.curie() { 0xff_ffff } else { 0xffff }
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
    if NOTIFY::WARNING_PENDING.is_on(fe.r.notify) {
        fe.blow_up(nsource::NOTIFY_BUSY);
    }
    if bad {
        fe.check_dma_class(3);
    }
    fe.cache_object_dma(Slot::Notify, value, false);
    let least = if fe.kind >= Kind::Celsius { 0x1f } else { 0xf };
    if !fe.dma.is_null() && fe.dma.limit() < least {
        fe.blow_up(nsource::PROTECTION);
    }
}

/// DMA_FENCE (`p` = 0) and DMA_QUERY (`p` = 1), kept in the object.
pub(crate) fn dma_object(fe: &mut Fe, c: Call) {
    let fence = c.p == 0;
    dma_slot(fe, c, 3, false);
    // A fence's object is one page.
    let dma = fe.dma;
    if fence && !dma.is_null() && (dma.limit() >= 0x1000 || dma.adjust() != 0) {
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
        let dma = fe.dma;
        let adjusted = fe.class != 0x48 && !dma.adjust().is_multiple_of(256);
        if !dma.is_null() && (!dma.ends_aligned() || adjusted) {
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
    let refused = bad && DEBUG_D::DMA_CLASS_CHECK.is_on(fe.r.debug_d);
    if refused {
        fe.blow_up(nsource::DATA);
    }
    let far = if fe.g.celsius() { 0 } else { 1 };
    if !dma.is_null() && (base % 64 != 0 || dma.target() > far) {
        fe.blow_up(nsource::PROTECTION);
    }
    let low = if fe.g.celsius() || fe.g.nv34 {
        0xf
    } else {
        0x3f
    };
    let bound = match c.p {
        COLOR => CTX_VALID::COLOR_DMA,
        ZETA => CTX_VALID::ZETA_DMA,
        COLOR_B => CTX_VALID::COLOR_B_DMA,
        COLOR_C => CTX_VALID::COLOR_C_DMA,
        _ => CTX_VALID::COLOR_D_DMA,
    };
    bound.write(&mut fe.r.ctx_valid, (!dma.is_null() && !refused).into());
    let limit = &mut fe.r.surf_limit[surface];
    *limit = dma.limit() & mask | low;
    SURF_LIMIT::NULL.write(limit, dma.is_null().into());
    let chip = fe.g.chip;
    let kept = &mut fe.r.surf_base[surface];
    SURF_BASE::BASE.write(kept, base & mask);
    SURF_BASE::FAR.put(chip, kept, (dma.target() == 1).into());
    SURF_BASE::NULL.put(chip, kept, dma.is_null().into());
    fe.forget_tile(c.p);
    match c.p {
        COLOR => fe.announce_dma(DmaRole::Color),
        ZETA => fe.announce_dma(DmaRole::Zeta),
        p => fe.announce_dma(DmaRole::MoreColor(target(p))),
    }
}

/// DMA_TEX_A and _B on Kelvin and up.
pub(crate) fn dma_tex(fe: &mut Fe, c: Call) {
    use isotherm_regs::bundle::DMA_TEX;
    let value = fe.dma_value(c.v);
    fe.check_dma_class(2);
    fe.check_dma_aligned();
    if !fe.blocked() {
        let word = Edit::zero(fe)
            .set(DMA_TEX::INSTANCE, value)
            .set(DMA_TEX::TARGET, fe.dma.target());
        fe.put(DMA_TEX, c.p, word.word);
        if fe.g.rankine() || fe.g.curie() {
            FE3D_MISC::DMA_TEX
                .entry(c.p, 1)
                .write(&mut fe.r.fe3d_misc, 1);
            FE3D_MISC::PS_PREFETCH
                .entry(c.p, 1)
                .write(&mut fe.r.fe3d_misc, 0);
        }
        fe.announce_dma(DmaRole::Tex(c.p as u8));
    }
}

/// DMA_VTX_A and _B on Kelvin and up.
pub(crate) fn dma_vtx(fe: &mut Fe, c: Call) {
    use isotherm_regs::bundle::DMA_VTX;
    let value = fe.dma_value(c.v);
    fe.check_dma_class(2);
    fe.check_dma_aligned();
    if fe.dma.without_pages() {
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
    // Curie keeps nothing of it.
    if !fe.g.curie() {
        fe.r.fe3d_dma_state = value;
    }
    fe.announce_dma(DmaRole::State);
}

/// DMA_CLIPID (`p` = 0) and DMA_ZCULL (`p` = 1): base and limit bundles.
pub(crate) fn dma_zcull(fe: &mut Fe, c: Call) {
    // Curie has no such surface any more.
    if c.p == 1 && fe.g.curie() {
        return;
    }
    use isotherm_regs::bundle::{CLIPID_BASE, CLIPID_LIMIT, ZCULL_BASE, ZCULL_LIMIT};
    let dma = fe.dma;
    let mask = fe.g.offset_mask() | 0x3f;
    let class = dma.dma_class();
    if class != 0x30 && class != 0x3d && DEBUG_D::DMA_CLASS_CHECK.is_on(fe.r.debug_d) {
        fe.blow_up(nsource::DATA);
    }
    // On NV4x the buffer lies in video memory.
    let targets = if fe.g.curie() { 1 } else { 2 };
    if !dma.is_null() && (!dma.base().is_multiple_of(256) || dma.target() >= targets) {
        fe.blow_up(nsource::PROTECTION);
    }
    if !fe.blocked() {
        let limit = Edit::zero(fe)
            .set(ZCULL_LIMIT::ADDRESS, dma.limit() & mask)
            .set(ZCULL_LIMIT::UNK30, dma.target() == 1)
            .set(ZCULL_LIMIT::VALID, !dma.is_null())
            .word;
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
    DEBUG_D::CONTEXT_OBJECTS.is_on(fe.r.debug_d)
}

/// Notes in the graph object which context objects it has: bits of word 0.
fn set_context_bits(fe: &mut Fe, wrong: bool, bits: &[(Field, bool)]) {
    if wrong && DEBUG_D::DMA_CLASS_CHECK.is_on(fe.r.debug_d) {
        fe.blow_up(nsource::DATA);
    }
    if NSOURCE::DATA_ERROR.is_on(fe.r.nsource) {
        return;
    }
    let subc = fe.r.subchannel();
    let mut word = fe.r.ctx_switch_a;
    let chip = fe.g.chip;
    // The object keeps its class.
    let class = CTX_SWITCH_A::CLASS.get(chip, fe.grobj[subc][0]);
    for (field, on) in bits {
        field.put(chip, &mut word, (*on).into());
    }
    let stored = CTX_SWITCH_A::CLASS.with(chip, word, class);
    fe.grobj[subc][0] = stored;
    fe.r.ctx_cache_a[subc] = word;
    if DEBUG_B::CTX_SWITCH_FOLLOW.is_on(fe.r.debug_b) {
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
    set_context_bits(
        fe,
        class != 0x19 && class != 0x30,
        &[(CTX_SWITCH_A::CLIP, class != 0x30)],
    );
}

/// CTX_COLOR, CTX_ZETA of 48h; `p` is the surface.
pub(crate) fn ctx_surface(fe: &mut Fe, c: Call) {
    let class = fe.dma.dma_class();
    let wrong = class != 0x58 + c.p && class != 0x30;
    let bound = class != 0x30;
    if c.p == COLOR {
        let swizzle = (CTX_SWITCH_A::SWIZZLED, swizzled(fe, class));
        set_context_bits(fe, wrong, &[(CTX_SWITCH_A::COLOR_SURFACE, bound), swizzle]);
    } else {
        set_context_bits(fe, wrong, &[(CTX_SWITCH_A::ZETA_SURFACE, bound)]);
    }
}

/// CTX_SURF3D of the D3D5 and D3D6 classes; the newer ones take the newer surface.
pub(crate) fn ctx_surface3d(fe: &mut Fe, _: Call) {
    let class = fe.dma.dma_class();
    let newer = class == 0x93 && matches!(fe.class, 0x94 | 0x95);
    let wrong = class != 0x53 && class != 0x30 && !newer;
    let swizzle = swizzled(fe, class);
    set_context_bits(
        fe,
        wrong,
        &[
            (CTX_SWITCH_A::COLOR_SURFACE, class != 0x30),
            (CTX_SWITCH_A::SWIZZLED, swizzle),
        ],
    );
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
