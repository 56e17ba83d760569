//! Celsius's way down: bundles and context loads travel as vertices through a
//! small pipe, and leave traces in its buffers.

use isotherm_regs::bundle::POINT_SIZE;

use crate::Fe;
use crate::bits::{bit, ext, ins};
use crate::xfload::cmd;
use isotherm_bus::bundle::Event;

/// Ids that the pipe itself looks at.
mod id {
    pub const TEX_CONTROL_1: u16 = 0x07;
    pub const RC_IN_ALPHA_1: u16 = 0x11;
    pub const RC_IN_COLOR_1: u16 = 0x13;
    pub const RC_FINAL_B: u16 = 0x1b;
    pub const CONFIG_B: u16 = 0x1f;
}

/// Bits of SHADOW_CONFIG_B, the pipe's copy of CONFIG_B.
mod config_b {
    pub const FLATSHADE_FIRST: u32 = 0;
    pub const TEXTURE_PERSPECTIVE: u32 = 6;
    pub const SMOOTH: u32 = 7;
    pub const POINT_PARAMS: u32 = 9;
}

impl Fe {
    /// Before any bundle method, even one that fails: without point parameters all points
    /// have the same size.
    pub(crate) fn refresh_point_size(&mut self) {
        if !bit(self.r.shadow_config_b, config_b::POINT_PARAMS) {
            let size = self.word(POINT_SIZE, 0) << 12;
            for vertex in &mut self.r.celsius_pipe_xvtx {
                vertex[6] = size;
            }
        }
    }

    /// Sends a bundle.
    pub(crate) fn send_celsius(&mut self, id: u16, value: u32, last: bool) {
        self.flush_flat_colors();
        let value = self.fix_d3d6(id, value);
        self.push_bundle(id, value, last);
        self.out.push(Event::Bundle { id, value, last });
    }

    /// A triangle under way keeps its flat colour: it moves between the assembled vertices.
    fn flush_flat_colors(&mut self) {
        let config = self.r.shadow_config_b;
        let step = ext(self.r.celsius_pipe_vtx_state, 28, 3);
        let prim = self.r.celsius_pipe_begin_end;
        if bit(config, config_b::SMOOTH) || step == 0 || step == 4 {
            return;
        }
        let out = self.r.celsius_pipe_ovtx[self.r.celsius_pipe_ovtx_pos as usize & 15];
        let vertices = &mut self.r.celsius_pipe_xvtx;
        if !bit(config, config_b::FLATSHADE_FIRST) {
            if prim == 3 {
                let first = vertices[0];
                copy_color(&first, &mut vertices[1]);
                copy_color(&first, &mut vertices[2]);
            }
            return;
        }
        let third = vertices[2];
        if prim == 3 {
            copy_color(&third, &mut vertices[0]);
        }
        if prim == 3 || prim == 0xa && step != 7 {
            copy_color(&third, &mut vertices[1]);
            copy_color(&out, &mut vertices[2]);
        }
    }

    /// The Direct3D 6 classes keep in CONFIG_C what their combiners mean together; it is
    /// worked into the words on their way.
    fn fix_d3d6(&self, id: u16, mut value: u32) -> u32 {
        if !matches!(self.r.ctx_switch_a & 0xff, 0x55 | 0x95) {
            return value;
        }
        let c = self.r.celsius_config_c;
        match id {
            id::RC_IN_ALPHA_1 | id::RC_IN_COLOR_1 => {
                let color = u32::from(id == id::RC_IN_COLOR_1);
                if bit(c, 20 + color) && !bit(c, 18 + color) {
                    for i in 0..4 {
                        if ext(value, i * 8, 4) == 0xc {
                            value ^= 1 << (i * 8 + 5);
                        }
                    }
                }
            }
            id::TEX_CONTROL_1 => ins(&mut value, 30, 1, (ext(c, 16, 4) != 0xf).into()),
            id::RC_FINAL_B => {
                if bit(c, 23) || bit(c, 19) && bit(c, 21) {
                    value |= 1 << 5;
                }
                if bit(c, 22) || bit(c, 18) && bit(c, 20) {
                    value |= 1 << 13;
                }
            }
            _ => {}
        }
        value
    }

    /// What a bundle leaves behind in the pipe's vertex buffers.
    fn push_bundle(&mut self, id: u16, value: u32, last: bool) {
        let nv10 = self.g.nv10;
        let r = &mut *self.r;
        let id32 = u32::from(id);
        r.celsius_pipe_junk[0] = id32 << 2;
        r.celsius_pipe_junk[1] = value;
        ins(&mut r.celsius_pipe_vtx_state, 28, 3, 0);
        let config = r.shadow_config_b;
        let x = &mut r.celsius_pipe_xvtx[0];
        if nv10 {
            let prev = r.celsius_pipe_ovtx[r.celsius_pipe_prev_ovtx_pos as usize & 15];
            x[0] = prev[0];
            x[1] = prev[1];
            x[3] = prev[3];
            ins(&mut x[11], 0, 1, ext(prev[2], 31, 1));
            if bit(config, config_b::POINT_PARAMS) {
                x[6] = prev[2] & 0x001f_f000;
            }
        }
        let at = r.celsius_pipe_ovtx_pos;
        let o = &mut r.celsius_pipe_ovtx[at as usize & 15];
        o[2] = value;
        ins(&mut o[9], 0, 6, id32);
        ins(&mut o[11], 0, 1, ext(value, 31, 1));
        x[4] = id32 << 2;
        x[5] = value;
        x[7] = o[3];
        x[12] = value;
        x[13] = id32;
        // The fog float as a signed 1.12 fraction and an exponent.
        let mut fraction = ext(o[9], 11, 12);
        if ext(o[9], 23, 8) != 0 {
            fraction |= 0x1000;
        }
        if bit(o[9], 31) {
            fraction = fraction.wrapping_neg();
        }
        ins(&mut x[13], 10, 14, fraction);
        ins(&mut x[13], 24, 8, ext(o[9], 23, 8));
        x[14] = o[10];
        if bit(config, config_b::TEXTURE_PERSPECTIVE) && last {
            x[15] = o[11] & !1;
        }
        r.celsius_pipe_prev_ovtx_pos = at;
        r.celsius_pipe_ovtx_pos = (at + 1) & 15;
        if id == id::CONFIG_B {
            let flat_first =
                !bit(config, config_b::SMOOTH) && bit(config, config_b::FLATSHADE_FIRST);
            let ends = bit(value, config_b::SMOOTH) || !bit(value, config_b::FLATSHADE_FIRST);
            if flat_first && ends {
                let first = r.celsius_pipe_xvtx[0];
                copy_color(&first, &mut r.celsius_pipe_xvtx[1]);
                copy_color(&first, &mut r.celsius_pipe_xvtx[2]);
            }
            r.shadow_config_b = value;
        }
    }

    /// Sends the XF mode, unless DEBUG_D[28] leaves that to the next primitive.
    pub(crate) fn send_celsius_mode(&mut self) {
        if bit(self.r.debug_d, 28) {
            self.mode_pending = true;
        } else {
            self.push_celsius_mode();
        }
    }

    /// Sends the XF mode at once.
    pub(crate) fn push_celsius_mode(&mut self) {
        let (a, b) = (self.r.celsius_xf_misc_a, self.r.celsius_xf_misc_b);
        self.r.celsius_pipe_junk[2] = a;
        self.r.celsius_pipe_junk[3] = b;
        self.mode_pending = false;
        self.celsius_xf(cmd::MODE, 0, 3, a, b);
    }

    /// A command to XF. Celsius loads whole rows, so the command is sent when a row is complete.
    fn celsius_xf(&mut self, cmd: u32, addr: u32, be: u32, a: u32, b: u32) {
        self.out.push(Event::Xf {
            cmd: cmd as u8,
            addr: addr as u16,
            be: be as u8,
            a,
            b,
        });
    }

    /// One word of a row of XFCTX; word `end` completes it.
    pub(crate) fn load_celsius_xfctx(&mut self, row: u32, comp: u32, end: u32, value: u32) {
        self.r.celsius_pipe_junk[comp as usize & 3] = value;
        if comp == end {
            let words = self.r.celsius_pipe_junk;
            self.r.celsius_pipe_xfrm[row as usize] = words;
            self.celsius_xf(cmd::XFCTX, row << 4, 3, words[0], words[1]);
            self.celsius_xf(cmd::XFCTX, row << 4 | 8, 3, words[2], words[3]);
        }
    }

    /// One word of a row of LTCTX.
    pub(crate) fn load_celsius_ltctx(&mut self, row: u32, comp: u32, value: u32) {
        self.r.celsius_pipe_junk[comp as usize & 3] = value;
        if comp == 2 {
            let [x, y, z, _] = self.r.celsius_pipe_junk;
            self.r.celsius_pipe_light_v[row as usize] = [x, y, z].map(super::float22);
            self.celsius_xf(cmd::LTCTX, row << 4, 3, x, y);
            self.celsius_xf(cmd::LTCTX, row << 4 | 8, 1, z, z);
        }
    }

    /// An LTC scalar.
    pub(crate) fn load_celsius_ltc(&mut self, space: u32, row: u32, value: u32) {
        self.r.celsius_pipe_junk[0] = value;
        let r = &mut *self.r;
        let spaces: [&mut [u32]; 4] = [
            &mut r.celsius_pipe_light_sa,
            &mut r.celsius_pipe_light_sb,
            &mut r.celsius_pipe_light_sc,
            &mut r.celsius_pipe_light_sd,
        ];
        if let Some(word) = spaces
            .into_iter()
            .nth(space as usize)
            .and_then(|s| s.get_mut(row as usize))
        {
            *word = super::scalar22(value);
        }
        self.celsius_xf(cmd::LTC + space, row << 4, 1, value, value);
    }
}

/// Colour words of an assembled vertex: one colour and the upper part of the other.
fn copy_color(from: &[u32; 16], to: &mut [u32; 16]) {
    to[10] = from[10];
    ins(&mut to[11], 8, 24, ext(from[11], 8, 24));
}
