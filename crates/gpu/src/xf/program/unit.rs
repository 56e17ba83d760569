//! The program side of the unit: memory, output buffer, limits.

use super::super::{Mode, Results, State, VtxIn, VtxOut, simd};
use super::{Env, Tbuf, Viewport, Xfpr, run_with_side_effects};
use crate::{Chip, Family};
use isotherm_regs::xf::isa::Isa;

/// XF commands that concern programs.
mod cmd {
    pub const XFPR: u8 = 2;
    pub const RUN: u8 = 6;
    pub const CONTROL: u8 = 8;
}

/// What XF keeps for programs besides its context.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    xfpr: Xfpr,
    tbuf: Tbuf,
    timeout: u32,
    branch_table: [u16; 16],
}

impl Programs {
    pub(crate) fn new(chip: Chip) -> Programs {
        let isa = match chip.family() {
            Family::Rankine => Isa::Rankine,
            Family::Curie => Isa::Curie,
            _ => Isa::Kelvin,
        };
        Programs {
            xfpr: Xfpr::new(isa),
            tbuf: Tbuf::default(),
            timeout: 0xffff,
            branch_table: [0; 16],
        }
    }

    /// Whether the command is one of those below.
    pub(crate) fn listens(command: u8) -> bool {
        matches!(command, cmd::XFPR | cmd::RUN | cmd::CONTROL)
    }

    /// Takes a command that `state` has already staged or committed.
    pub(crate) fn command(
        &mut self,
        command: u8,
        addr: u16,
        a: u32,
        mode: &Mode,
        state: &mut State,
    ) {
        let row = usize::from(addr >> 4);
        match command {
            cmd::XFPR => {
                if let Some(&upload) = state.xfpr.get(row) {
                    self.xfpr.write(row, upload);
                }
            }
            cmd::CONTROL => self.control(row, state.slot),
            cmd::RUN => self.run_state_program(a as usize, mode, state),
            _ => {}
        }
    }

    /// Rows 0 and 1: eight 9-bit branch addresses each, two per word; row 2: the timeout.
    fn control(&mut self, row: usize, words: [u32; 4]) {
        match row {
            0 | 1 => {
                for (i, entry) in self.branch_table[8 * row..8 * row + 8]
                    .iter_mut()
                    .enumerate()
                {
                    *entry = (words[i / 2] >> (16 * (i & 1)) & 0x1ff) as u16;
                }
            }
            2 => self.timeout = words[0] & 0xffff,
            _ => {}
        }
    }

    fn env(&self, mode: &Mode, state: &State) -> Env<'static> {
        let row = |r: usize| state.xfctx.get(r).copied().unwrap_or_default();
        // Kelvin programs write window coordinates themselves, also on Rankine.
        let viewport = mode.vp2.then(|| Viewport {
            scale: row(mode.map.viewport.saturating_sub(1)),
            translate: row(mode.map.viewport),
        });
        Env {
            timeout: self.timeout,
            ieee: mode.ieee,
            viewport,
            branch_table: self.branch_table,
            ..Env::default()
        }
    }

    /// A vertex state program: one input, no output, context writes.
    fn run_state_program(&mut self, start: usize, mode: &Mode, state: &mut State) {
        let env = self.env(mode, state);
        let mut attr = [[0; 4]; 16];
        attr[0] = state.slot;
        let vertex = VtxIn {
            attr,
            edge_flag: false,
        };
        // It has no output buffer of its own to leave behind.
        let mut tbuf = self.tbuf.clone();
        let mut out = [Results::default()];
        self.xfpr.set_kelvin_code(!mode.vp2);
        run_with_side_effects(
            &self.xfpr.plan(start),
            &env,
            &mut state.xfctx,
            &mut tbuf,
            &[vertex],
            &mut out,
        );
    }

    /// Vertices through the program that the mode selects.
    pub(crate) fn run(
        &mut self,
        level: simd::Level,
        mode: &Mode,
        state: &mut State,
        vertices: &[VtxIn],
        out: &mut Vec<VtxOut>,
    ) {
        let env = self.env(mode, state);
        self.xfpr
            .set_kelvin_code(!mode.vp2 && self.xfpr.isa() != Isa::Curie);
        let plan = self.xfpr.plan(mode.program_start);
        let mut results = vec![Results::default(); vertices.len()];
        if mode.program_writes && plan.writes_ctx {
            run_with_side_effects(
                &plan,
                &env,
                &mut state.xfctx,
                &mut self.tbuf,
                vertices,
                &mut results,
            );
        } else {
            simd::program_at(
                level,
                &plan,
                &env,
                &state.xfctx,
                &mut self.tbuf,
                vertices,
                &mut results,
            );
        }
        out.extend(results.iter().map(|r| r.finish(mode, state)));
    }
}
