//! The front end's registers that are not bundle shadows, under the names that
//! the hardware vectors use.

use isotherm_regs::pgraph::CTX_USER;

/// A register or an array of them: how a name with indices reaches a word.
pub(crate) trait Reg {
    /// The word at `index`, if there is one.
    fn at(&mut self, index: &[usize]) -> Option<&mut u32>;
    /// Visits every word in order.
    fn each(&mut self, visit: &mut dyn FnMut(&mut u32));
}

impl Reg for u32 {
    fn at(&mut self, index: &[usize]) -> Option<&mut u32> {
        index.is_empty().then_some(self)
    }
    fn each(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(self);
    }
}

impl<T: Reg, const N: usize> Reg for [T; N] {
    fn at(&mut self, index: &[usize]) -> Option<&mut u32> {
        let (first, rest) = index.split_first()?;
        self.get_mut(*first)?.at(rest)
    }
    fn each(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.iter_mut().for_each(|reg| reg.each(visit));
    }
}

/// Reaches a register's word by indices.
pub(crate) type Access = for<'a> fn(&'a mut Regs, &[usize]) -> Option<&'a mut u32>;

macro_rules! shape {
    () => { u32 };
    ([$n:literal] $($rest:tt)*) => { [shape!($($rest)*); $n] };
}

macro_rules! zero {
    () => { 0 };
    ([$n:literal] $($rest:tt)*) => { [zero!($($rest)*); $n] };
}

macro_rules! registers {
    ($($name:ident $([$n:literal])*,)*) => {
        /// Everything that the front end remembers besides bundle shadows.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) struct Regs { $(pub $name: shape!($([$n])*),)* }

        impl Default for Regs {
            fn default() -> Regs {
                Regs { $($name: zero!($([$n])*),)* }
            }
        }

        impl Regs {
            /// Every register with its name, in declaration order.
            pub fn each(&mut self, visit: &mut dyn FnMut(&'static str, &mut dyn Reg)) {
                $(visit(stringify!($name), &mut self.$name);)*
            }

            /// How to reach a register by name.
            pub fn access(name: &str) -> Option<Access> {
                Some(match name {
                    $(stringify!($name) => |regs, index| regs.$name.at(index),)*
                    _ => return None,
                })
            }
        }
    };
}

registers! {
    // Checks, interrupts, traps.
    debug_b, debug_d, debug_e, debug_g, debug_l, debug_fd_check_skip,
    intr, nstatus, nsource, notify, trap_addr, trap_data[2],
    fifo_enable, fifo_mthd_st2, fifo_data_st2[2], state3d, unka10,
    // Objects.
    ctx_switch_a, ctx_switch_b, ctx_switch_c, ctx_switch_d, ctx_switch_i, ctx_switch_t,
    ctx_cache_a[8], ctx_cache_b[8], ctx_cache_c[8], ctx_cache_d[8], ctx_cache_i[8],
    ctx_cache_t[8],
    ctx_user, ctx_valid,
    // Volatile 2D state that a subchannel switch resets.
    xy_a, xy_misc_1[2], xy_misc_3, xy_misc_4[2], xy_clip[2][2], valid[2],
    uclip_min[3][2], uclip_max[3][2], misc24[3], misc32[4], dvd_format, vtx_xy[10][2],
    // Surfaces.
    surf_base[9], surf_offset[9], surf_limit[9], surf_pitch[9], surf_swizzle[2],
    surf_type, surf_format, surf_unk880, surf_unk888, surf_unk89c,
    // Celsius.
    celsius_xf_misc_a, celsius_xf_misc_b, celsius_config_c, celsius_dma,
    celsius_clip_rect_horiz[8], celsius_clip_rect_vert[8], shadow_config_b,
    celsius_pipe_vtx[28], celsius_pipe_junk[4], celsius_pipe_xfrm[60][4],
    celsius_pipe_light_v[48][3], celsius_pipe_light_sa[3], celsius_pipe_light_sb[19],
    celsius_pipe_light_sc[12], celsius_pipe_light_sd[12],
    celsius_pipe_vtxbuf_offset[8], celsius_pipe_vtxbuf_format[8],
    celsius_pipe_begin_end, celsius_pipe_edge_flag, celsius_pipe_unk48, celsius_pipe_vtx_state,
    celsius_pipe_xvtx[3][16], celsius_pipe_ovtx[16][16],
    celsius_pipe_ovtx_pos, celsius_pipe_prev_ovtx_pos,
    // Kelvin.
    fe3d_misc, fe3d_xf_load_pos, fe3d_dma_state,
    fe3d_emu_light_model_ambient[3], fe3d_emu_material_factor_rgb[3],
    fe3d_state_curve, fe3d_state_swatch, fe3d_state_transition,
    fe3d_shadow_begin_patch_a, fe3d_shadow_begin_patch_b,
    fe3d_shadow_begin_patch_c, fe3d_shadow_begin_patch_d,
    fe3d_shadow_begin_transition_a, fe3d_shadow_begin_transition_b,
    xf_mode_a, xf_mode_b, xf_mode_c, xf_mode_t[4],
    fe3d_shadow_clip_rect_horiz, fe3d_shadow_clip_rect_vert,
    idx_prefifo[64][3], idx_prefifo_ptr, idx_fifo[64][3], idx_fifo_ptr, idx_unk27_ptr, idx_unk27_bidx,
    idx_state_a, idx_state_b, idx_state_c, idx_state_d,
    idx_state_vtxbuf_offset[16], idx_state_vtxbuf_format[16], idx_cache[4][128],
    vab[17][4], xfpr[280][4], xfctx[412][4], ltctx[74][3], ltctxb[54][3], ltc[53],
    xfprunk1[2][4], xf_timeout,
    fd_state_begin_pt_a, fd_state_begin_pt_b, fd_state_begin_patch_c, fd_state_begin_patch_d,
    fd_state_unk14, fd_state_unk18, fd_state_unk1c, fd_state_unk20, fd_state_unk24,
    fd_state_unk30, fd_state_unk34,
    // The byte ring behind RDI 27h, four bytes a word.
    idx_unk27[64],
}

impl Regs {
    /// One byte of the token ring.
    pub fn push_token(&mut self, token: u32) {
        let at = self.idx_unk27_ptr as usize & 0xff;
        let mut bytes = self.idx_unk27[at / 4].to_le_bytes();
        bytes[at % 4] = token as u8;
        self.idx_unk27[at / 4] = u32::from_le_bytes(bytes);
        self.idx_unk27_ptr = (self.idx_unk27_ptr + 1) & 0xff;
    }

    /// The current subchannel.
    pub fn subchannel(&self) -> usize {
        CTX_USER::SUBCHANNEL.read(self.ctx_user) as usize
    }
}
