//! Celsius's way down: bundles and context loads travel as vertices through a
//! small pipe, and leave traces in its buffers.

use isotherm_regs::bundle::{
    CONFIG_B, POINT_SIZE, RC_FINAL_B, RC_IN_COLOR, RC_REGISTER, TEX_CONTROL,
};
use isotherm_regs::field::Field;
use isotherm_regs::pgraph::{
    CELSIUS_CONFIG_C, CELSIUS_OVTX_FOG, CELSIUS_OVTX_POINT_SIZE, CELSIUS_PIPE_VTX_STATE,
    CELSIUS_VTX_COLOR1, CELSIUS_XVTX_FOG, DEBUG_D,
};

use crate::Fe;
use crate::xfload::cmd;
use isotherm_bus::bundle::Event;

/// Ids that the pipe itself looks at.
mod id {
    use isotherm_regs::Family::Celsius;
    use isotherm_regs::bundle::{self, Bundle};

    pub const TEX_CONTROL_1: u16 = of(bundle::TEX_CONTROL, 1);
    pub const RC_IN_ALPHA_1: u16 = of(bundle::RC_IN_ALPHA, 1);
    pub const RC_IN_COLOR_1: u16 = of(bundle::RC_IN_COLOR, 1);
    pub const RC_FINAL_B: u16 = of(bundle::RC_FINAL_B, 0);
    pub const CONFIG_B: u16 = of(bundle::CONFIG_B, 0);

    const fn of(bundle: Bundle, entry: u16) -> u16 {
        match bundle.id(Celsius, entry) {
            Some(id) => id,
            None => panic!("Celsius has no such bundle"),
        }
    }
}

/// The inputs of a combiner word and their mappings; alpha's lie in the same places.
const COMPLEMENTED: [(Field, Field); 4] = [
    (RC_IN_COLOR::D_INPUT, RC_IN_COLOR::D_MAPPING),
    (RC_IN_COLOR::C_INPUT, RC_IN_COLOR::C_MAPPING),
    (RC_IN_COLOR::B_INPUT, RC_IN_COLOR::B_MAPPING),
    (RC_IN_COLOR::A_INPUT, RC_IN_COLOR::A_MAPPING),
];

impl Fe {
    /// Before any bundle method, even one that fails: without point parameters all points
    /// have the same size.
    pub(crate) fn refresh_point_size(&mut self) {
        if !CONFIG_B::POINT_PARAMS_ENABLE.is_on(self.r.shadow_config_b) {
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
        let step = CELSIUS_PIPE_VTX_STATE::STEP.read(self.r.celsius_pipe_vtx_state);
        let prim = self.r.celsius_pipe_begin_end;
        if CONFIG_B::SHADE_MODE.is_on(config) || step == 0 || step == 4 {
            return;
        }
        let out = self.r.celsius_pipe_ovtx[self.r.celsius_pipe_ovtx_pos as usize & 15];
        let vertices = &mut self.r.celsius_pipe_xvtx;
        if !CONFIG_B::PROVOKING_VERTEX.is_on(config) {
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
        if !matches!(self.object_class(), 0x55 | 0x95) {
            return value;
        }
        let c = self.r.celsius_config_c;
        // Alpha, then colour.
        let passes = |half| CELSIUS_CONFIG_C::PASSES.entry(half, 1).is_on(c);
        let complement = |half| CELSIUS_CONFIG_C::COMPLEMENT.entry(half, 1).is_on(c);
        match id {
            id::RC_IN_ALPHA_1 | id::RC_IN_COLOR_1 => {
                let color = u32::from(id == id::RC_IN_COLOR_1);
                if complement(color) && !passes(color) {
                    for (input, mapping) in COMPLEMENTED {
                        if input.read(value) == RC_REGISTER::SPARE0 {
                            // One bit of the mapping is "one minus".
                            let invert = mapping.entry(0, 1);
                            let flipped = !invert.read(value);
                            invert.write(&mut value, flipped);
                        }
                    }
                }
            }
            id::TEX_CONTROL_1 => {
                let unused = CELSIUS_CONFIG_C::NO_TEXTURE_1.read(c) == 3 && passes(0) && passes(1);
                TEX_CONTROL::ENABLE.put(self.g.chip, &mut value, (!unused).into());
            }
            id::RC_FINAL_B => {
                if complement(3) || passes(1) && complement(1) {
                    RC_FINAL_B::SPARE0_INVERT.write(&mut value, 1);
                }
                if complement(2) || passes(0) && complement(0) {
                    RC_FINAL_B::G_MAPPING.write(&mut value, 1);
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
        CELSIUS_PIPE_VTX_STATE::STEP.write(&mut r.celsius_pipe_vtx_state, 0);
        let config = r.shadow_config_b;
        let x = &mut r.celsius_pipe_xvtx[0];
        if nv10 {
            let prev = r.celsius_pipe_ovtx[r.celsius_pipe_prev_ovtx_pos as usize & 15];
            x[0] = prev[0];
            x[1] = prev[1];
            x[3] = prev[3];
            CELSIUS_VTX_COLOR1::SIGN.write(&mut x[11], CELSIUS_OVTX_POINT_SIZE::SIGN.read(prev[2]));
            if CONFIG_B::POINT_PARAMS_ENABLE.is_on(config) {
                x[6] = prev[2] & CELSIUS_OVTX_POINT_SIZE::SIZE.ones();
            }
        }
        let at = r.celsius_pipe_ovtx_pos;
        let o = &mut r.celsius_pipe_ovtx[at as usize & 15];
        o[2] = value;
        CELSIUS_OVTX_FOG::BUNDLE.write(&mut o[9], id32);
        CELSIUS_VTX_COLOR1::SIGN.write(&mut o[11], CELSIUS_OVTX_POINT_SIZE::SIGN.read(value));
        x[4] = id32 << 2;
        x[5] = value;
        x[7] = o[3];
        x[12] = value;
        x[13] = id32;
        // The fog float as a signed 1.12 fraction and an exponent.
        let mut fraction = CELSIUS_OVTX_FOG::FRACTION.read(o[9]);
        let exponent = CELSIUS_OVTX_FOG::EXPONENT.read(o[9]);
        if exponent != 0 {
            fraction |= 0x1000;
        }
        if CELSIUS_OVTX_FOG::SIGN.is_on(o[9]) {
            fraction = fraction.wrapping_neg();
        }
        CELSIUS_XVTX_FOG::FRACTION.write(&mut x[13], fraction);
        CELSIUS_XVTX_FOG::EXPONENT.write(&mut x[13], exponent);
        x[14] = o[10];
        if CONFIG_B::TEXTURE_PERSPECTIVE_ENABLE.is_on(config) && last {
            x[15] = o[11] & !CELSIUS_VTX_COLOR1::SIGN.ones();
        }
        r.celsius_pipe_prev_ovtx_pos = at;
        r.celsius_pipe_ovtx_pos = (at + 1) & 15;
        if id == id::CONFIG_B {
            let flat_first =
                !CONFIG_B::SHADE_MODE.is_on(config) && CONFIG_B::PROVOKING_VERTEX.is_on(config);
            let ends =
                CONFIG_B::SHADE_MODE.is_on(value) || !CONFIG_B::PROVOKING_VERTEX.is_on(value);
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
        if DEBUG_D::XFMODE_DEFER.is_on(self.r.debug_d) {
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
    let color = CELSIUS_VTX_COLOR1::COLOR.read(from[11]);
    CELSIUS_VTX_COLOR1::COLOR.write(&mut to[11], color);
}
