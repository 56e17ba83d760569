//! The front end's registers by name: for vectors, tests and inspection.

use isotherm_regs::bundle::{self, Bundle, SLOTS};
use isotherm_regs::pgraph::FIFO_MTHD;

use super::Fe;
use super::regs::{Access, Regs};
use isotherm_bus::bundle::Event;

/// Where a named register word is.
#[derive(Clone, Debug)]
pub struct Register {
    name: String,
    place: Place,
}

impl Register {
    /// The name, without indices.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Does the word hold an object's class?
    pub fn holds_class(&self) -> bool {
        matches!(self.name.as_str(), "ctx_switch_a" | "ctx_cache_a")
            || matches!(self.place, Place::Object(0))
    }
}

#[derive(Clone, Debug)]
enum Place {
    Word(Access, Vec<usize>),
    Shadow(usize),
    /// A word of the bound graph object in instance memory.
    Object(usize),
    /// A word of the DMA object that the method's data names.
    Dma(usize),
}

/// Shadow words whose register name is not the bundle's.
const ALIASES: &[(&str, Bundle)] = &[
    ("tex_control_a", bundle::TEX_CONTROL),
    ("tex_control_b", bundle::TEX_PITCH),
    ("tex_control_c", bundle::TEX_UNK238),
    ("surf_base_clipid", bundle::CLIPID_BASE),
    ("surf_limit_clipid", bundle::CLIPID_LIMIT),
    ("surf_offset_clipid", bundle::CLIPID_OFFSET),
    ("surf_pitch_clipid", bundle::CLIPID_PITCH),
    ("surf_base_zcull", bundle::ZCULL_BASE),
    ("surf_limit_zcull", bundle::ZCULL_LIMIT),
    ("surf_offset_zcull", bundle::ZCULL_OFFSET),
    ("surf_pitch_zcull", bundle::ZCULL_PITCH),
    ("rc_factor_0", bundle::RC_FACTOR_A),
    ("rc_factor_1", bundle::RC_FACTOR_B),
    ("unk06a", bundle::UNK1E68),
    ("unk0ae", bundle::KELVIN_UNK1D88),
    ("unk0b4", bundle::KELVIN_UNK1DC0),
    ("unk0b8", bundle::KELVIN_UNK1DBC),
    ("mthd_unk3fc", bundle::UNK3FC),
    ("unk0af", bundle::RANKINE_UNK0A40),
    ("unk069", bundle::RANKINE_UNK069),
    ("unk0c6", bundle::CLEAR_UNK0C6),
    ("window_config", bundle::WINDOW_OFFSET),
    ("unk0de", bundle::VB_OFFSET_BASE),
    ("unk0e0", bundle::CURIE_UNK0E0),
    ("unk0e1", bundle::CURIE_UNK0E1),
    ("unk0e2", bundle::CURIE_UNK0E2),
    ("unk0e5", bundle::CURIE_UNK0E5),
    ("unk0e6", bundle::CURIE_UNK0E6),
    ("unk0e9", bundle::CURIE_UNK0E9),
    ("unk0ed", bundle::CURIE_UNK0ED),
];

/// Splits `name[1][2]` into the name and its indices.
fn split(text: &str) -> Option<(&str, Vec<usize>)> {
    let (name, rest) = text.split_at(text.find('[').unwrap_or(text.len()));
    let mut index = Vec::new();
    for part in rest.split_terminator(']') {
        index.push(part.strip_prefix('[')?.parse().ok()?);
    }
    Some((name, index))
}

impl Fe {
    /// Finds a register by the name that the hardware vectors use.
    pub fn register(name: &str) -> Option<Register> {
        let (name, index) = split(name)?;
        let first = index.first().copied().unwrap_or(0);
        let found = |place| Register {
            name: name.into(),
            place,
        };
        let short = name.strip_prefix("bundle_");
        if let Some(short) = short.or(name
            .strip_prefix("celsius_")
            .filter(|s| *s == "mthd_unk3fc"))
        {
            let alias = ALIASES.iter().find(|(alias, _)| *alias == short);
            let bundle = alias.map(|(_, b)| *b).or_else(|| Bundle::by_name(short))?;
            let slot = bundle.slot() + first;
            return (slot < SLOTS).then(|| found(Place::Shadow(slot)));
        }
        match name {
            "grobj" => return Some(found(Place::Object(first))),
            "pobj" => return Some(found(Place::Dma(first))),
            _ => {}
        }
        let name = if name == "idx_unk27.w" {
            "idx_unk27"
        } else {
            name
        };
        let access = Regs::access(name)?;
        access(&mut Regs::default(), &index)?;
        Some(found(Place::Word(access, index)))
    }

    /// Sets a register without any effect.
    pub fn set(&mut self, register: &Register, value: u32) {
        self.settled = Default::default();
        let subc = FIFO_MTHD::SUBCHANNEL.read(self.r.fifo_mthd_st2) as usize;
        let word = match &register.place {
            Place::Word(access, index) => access(&mut self.r, index),
            Place::Shadow(slot) => self.shadow.get_mut(*slot),
            Place::Object(i) => self.grobj[subc].get_mut(*i),
            Place::Dma(i) => self.dma.words.get_mut(*i),
        };
        if let Some(word) = word {
            *word = value;
        }
    }

    /// The value of a register.
    pub fn get(&mut self, register: &Register) -> Option<u32> {
        let subc = FIFO_MTHD::SUBCHANNEL.read(self.r.fifo_mthd_st2) as usize;
        match &register.place {
            Place::Word(access, index) => access(&mut self.r, index).copied(),
            Place::Shadow(slot) => self.shadow.get(*slot).copied(),
            Place::Object(i) => self.grobj[subc].get(*i).copied(),
            Place::Dma(i) => self.dma.words.get(*i).copied(),
        }
    }

    /// Clears every register, checks included.
    pub fn clear(&mut self) {
        *self.r = Regs::default();
        self.shadow.fill(0);
        self.grobj = [[0; 5]; 8];
        self.dma = Default::default();
        self.class_key = !0;
        self.settled = Default::default();
    }

    /// Becomes a copy of another front end of the same chip.
    pub fn load(&mut self, other: &Fe) {
        self.r.clone_from(&other.r);
        self.shadow.copy_from_slice(&other.shadow[..]);
        self.grobj = other.grobj;
        self.dma = other.dma;
        self.class_key = !0;
        self.settled = Default::default();
    }

    /// Takes the registers over that vectors of one method never list, because they always
    /// change the same way; with `pipe` also the mechanics of the pipe, with `slot` the
    /// pass-through slot.
    pub fn adopt(&mut self, other: &Fe, trap: bool, pipe: bool, slot: bool) {
        let (to, from) = (&mut *self.r, &*other.r);
        macro_rules! take {
            ($($name:ident)*) => { $(to.$name = from.$name;)* };
        }
        if trap {
            take!(trap_addr trap_data fifo_mthd_st2 fifo_data_st2);
        }
        if pipe {
            take!(idx_fifo idx_fifo_ptr idx_unk27 idx_unk27_ptr idx_unk27_bidx);
            take!(idx_state_b idx_state_c shadow_config_b);
            take!(celsius_pipe_ovtx celsius_pipe_xvtx celsius_pipe_junk celsius_pipe_vtx_state);
            take!(celsius_pipe_ovtx_pos celsius_pipe_prev_ovtx_pos);
        }
        if slot {
            to.vab[16] = from.vab[16];
        }
        if self.g.rankine() || self.g.curie() {
            // The token memories of these chips are not modelled.
            take!(idx_prefifo idx_prefifo_ptr idx_fifo idx_fifo_ptr);
            take!(idx_unk27 idx_unk27_ptr idx_unk27_bidx);
        }
        if self.g.curie() {
            // The hardware tests do not look at these.
            take!(vab xfctx xfpr xfprunk1 xf_timeout ltctx ltctxb ltc state3d);
            take!(xf_mode_a xf_mode_b xf_mode_c xf_mode_t fe3d_xf_load_pos);
            take!(idx_state_a idx_state_b idx_state_c idx_state_d idx_cache);
            take!(idx_state_vtxbuf_offset idx_state_vtxbuf_format);
        }
    }

    /// Executes the method in FIFO_MTHD_ST2 and FIFO_DATA_ST2 and leaves a trap pending.
    pub fn execute(&mut self, sink: &mut Vec<Event>) {
        let st2 = self.r.fifo_mthd_st2;
        self.step(
            FIFO_MTHD::SUBCHANNEL.read(st2) as usize,
            FIFO_MTHD::METHOD.read(st2) << 2,
            self.r.fifo_data_st2[0],
        );
        sink.append(&mut self.out);
    }

    /// As [`Fe::execute`], with the methods of a class that the object's word need not name
    /// whole. For vectors, which list no more of it than a method looks at.
    pub fn execute_as(&mut self, class: u32, sink: &mut Vec<Event>) {
        self.methods_of = Some(class);
        self.class_key = !0;
        self.execute(sink);
        self.methods_of = None;
        self.class_key = !0;
    }

    /// Do all registers and shadow words agree?
    pub fn same(&self, other: &Fe) -> bool {
        self.r == other.r && self.shadow == other.shadow && self.grobj == other.grobj
    }

    /// Every register word that differs: name, ours, theirs.
    pub fn differences(&self, other: &Fe) -> Vec<(String, u32, u32)> {
        let mut theirs = Vec::new();
        other
            .r
            .clone()
            .each(&mut |_, reg| reg.each(&mut |word| theirs.push(*word)));
        let mut found = Vec::new();
        let mut at = 0;
        self.r.clone().each(&mut |name, reg| {
            let mut i = 0;
            reg.each(&mut |word| {
                if *word != theirs[at] {
                    found.push((format!("{name}.{i}"), *word, theirs[at]));
                }
                at += 1;
                i += 1;
            });
        });
        for b in Bundle::all() {
            let width = b.row().ids(self.g.family).map_or(0, |ids| ids.count);
            for i in 0..usize::from(width) {
                let (a, b_) = (self.word(b, i), other.word(b, i));
                if a != b_ {
                    found.push((format!("{}[{i}]", b.name()), a, b_));
                }
            }
        }
        for (i, (a, b)) in self
            .grobj
            .iter()
            .flatten()
            .zip(other.grobj.iter().flatten())
            .enumerate()
        {
            if a != b {
                found.push((format!("grobj.{i}"), *a, *b));
            }
        }
        found
    }
}
