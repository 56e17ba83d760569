//! A watched pixel: its tile is drawn once more, triangle by triangle and only in this
//! pixel, by the same functions that draw all others; what they did is written down.

use crate::command_stream;
use crate::lists::Lists;
use crate::pp::depth_stencil;
use crate::pp::exec::{self, Input, TracedStep};
use crate::pp::primitives::Triangle;
use crate::pp::raster::{ROW, SAMPLES};
use crate::pp::rsw::{ALWAYS, RenderState};
use crate::pp::setup;
use crate::pp::shade;
use crate::pp::shader::row;
use crate::pp::tile::{DrawState, Job, LocalTriangle, Worker};
use crate::trace;
use isotherm_bus::memory::Memory;
use isotherm_bus::observe::name;
use isotherm_bus::observe::{
    Cleared, MaliBlend, MaliFragment, MaliStep, Outcome, StencilTest, Test, Touch, Words,
};
use isotherm_lanes::Base;
use isotherm_regs::Kind;
use isotherm_regs::mali::isa_bits::Style;
use isotherm_regs::mali::words::{RSW_COMPARE, RSW_STENCIL_OP};
use isotherm_regs::mali::{isa_pp, isa_pp_text};

/// Touches of one job that are told; more than anybody reads.
const MAX_TOUCHES: usize = 1 << 14;

/// The pixel: in its tile, and the sample that is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) sample: usize,
}

impl Spot {
    /// Row of quads.
    fn row(self) -> usize {
        self.y as usize / 2
    }

    /// Lane of the row.
    fn lane(self) -> usize {
        (self.x as usize / 2) * 4 + self.in_quad()
    }

    fn in_quad(self) -> usize {
        (self.y as usize & 1) * 2 + (self.x as usize & 1)
    }

    fn place(self) -> usize {
        self.row() * ROW + self.lane()
    }
}

/// What the job is about, for the story.
pub(crate) struct Story<'a> {
    pub(crate) mem: &'a Memory,
    pub(crate) lists: &'a Lists,
    pub(crate) spot: Spot,
    /// The words in memory before the job.
    pub(crate) before: Words,
}

/// A8R8G8B8 from the tile's word.
fn argb(word: u32) -> u32 {
    let [r, g, b, a] = word.to_le_bytes();
    u32::from_le_bytes([b, g, r, a])
}

impl Worker {
    /// Everything that happens to a pixel of the tile. On failure, the address of the
    /// program that hangs.
    pub(crate) fn watch<'a>(
        &mut self,
        job: &Job,
        lists: impl Iterator<Item = &'a [u32]>,
        story: &Story,
    ) -> Result<Vec<Touch>, u32> {
        self.clear(job.frame);
        let clear = self.words(story.spot);
        let mut touches = vec![Touch::Clear(Cleared {
            color: [clear.color.unwrap_or(0), u32::MAX],
            zeta: [clear.zeta.unwrap_or(0), u32::MAX],
            before: story.before,
            after: clear,
        })];
        for &n in lists.flatten() {
            let tri = &job.prims.tris[n as usize];
            let Some(draw) = job.draws.get(tri.draw as usize) else {
                continue;
            };
            if let Some(fragment) = self.watched_triangle(job, draw, n, tri, story)? {
                touches.push(Touch::Mali(Box::new(fragment)));
            }
            if touches.len() > MAX_TOUCHES {
                break;
            }
        }
        Ok(touches)
    }

    /// The tile's words of the pixel.
    fn words(&self, spot: Spot) -> Words {
        let at = spot.place();
        let (depth, stencil) = (
            self.buf.depth.0[spot.sample][at],
            self.buf.stencil[spot.sample][at],
        );
        Words {
            color: Some(argb(self.buf.color.0[spot.sample][at])),
            zeta: Some(depth & 0xFF_FFFF | u32::from(stencil) << 24),
        }
    }

    fn watched_triangle(
        &mut self,
        job: &Job,
        draw: &DrawState,
        number: u32,
        tri: &Triangle,
        story: &Story,
    ) -> Result<Option<MaliFragment>, u32> {
        let (frame, spot) = (job.frame, story.spot);
        let Some((local, mut cover)) = self.covered::<4>(job, draw, tri) else {
            return Ok(None);
        };
        // The other pixels of the quad take part in derivatives all the same.
        for (row, word) in cover.iter_mut().flat_map(|c| c.iter_mut().enumerate()) {
            *word &= if row == spot.row() {
                1 << spot.lane()
            } else {
                0
            };
        }
        let samples = |cover: &[[u32; 8]; 4]| {
            (0..frame.planes).fold(0, |out, s| {
                out | (cover[s][spot.row()] >> spot.lane() & 1) << s
            })
        };
        if samples(&cover) == 0 {
            return Ok(None);
        }
        let msaa = draw.rsw.msaa && frame.planes > 1;
        let at = |s: usize| if msaa { SAMPLES[s] } else { (0, 0) };
        let mut depths = [0u32; ROW];
        depth_stencil::depth_row(
            frame.level,
            &local.z,
            spot.row(),
            at(spot.sample),
            &mut depths,
        );
        let before = self.words(spot);
        let mut out = self.fragment(job, draw, number, tri, story);
        out.samples = samples(&cover);
        out.depth = depths[spot.lane()];
        out.before = before;
        self.cut_depth(draw, tri, &local, &mut cover);
        if samples(&cover) == 0 {
            out.outcome = Outcome::OutsideDepthRange;
            out.after = before;
            return Ok(Some(out));
        }
        if !draw.late {
            let depth = out.depth;
            tests(&mut out, &draw.rsw, depth, None);
            for (s, cover) in cover.iter_mut().enumerate().take(frame.planes) {
                self.early(frame.level, draw, &local, s, cover, at(s), tri.back);
            }
        }
        if samples(&cover) == 0 {
            out.outcome = failed(&out);
            out.after = self.words(spot);
            return Ok(Some(out));
        }
        self.run_program(job, draw, local, &cover, spot, &mut out)?;
        out.after = self.words(spot);
        if out.outcome == Outcome::Written && draw.rsw.color_mask != 0 {
            let rgba = |word: Option<u32>| argb(word.unwrap_or(0)).to_le_bytes();
            out.blend = out.color.map(|source| MaliBlend {
                source,
                destination: rgba(before.color),
                result: rgba(out.after.color),
            });
        }
        Ok(Some(out))
    }

    /// A fragment of which nothing is known but where it comes from.
    fn fragment(
        &self,
        job: &Job,
        draw: &DrawState,
        number: u32,
        tri: &Triangle,
        story: &Story,
    ) -> MaliFragment {
        let list = story.lists.draws.get(tri.draw as usize);
        let render_state = list.map_or(0, |d| d.rsw);
        MaliFragment {
            draw: story.lists.first + u64::from(tri.draw) + 1,
            mode: trace::mode_name(list.map_or(u32::MAX, |d| d.mode)),
            primitive: job.prims.before(number) as u32,
            front: !tri.back,
            tile: [job.at.0, job.at.1],
            x: job.at.0 * 16 + story.spot.x,
            y: job.at.1 * 16 + story.spot.y,
            samples: 0,
            sample: story.spot.sample,
            depth: 0,
            weights: None,
            render_state,
            state: command_stream::words(story.mem, render_state, 16),
            shader: draw.rsw.shader,
            varyings: Vec::new(),
            steps: Vec::new(),
            color: None,
            late: draw.late,
            alpha_test: None,
            stencil_test: None,
            depth_test: None,
            blend: None,
            outcome: Outcome::Written,
            before: Words::default(),
            after: Words::default(),
        }
    }

    /// The program, what is behind it, and what both did.
    fn run_program(
        &mut self,
        job: &Job,
        draw: &DrawState,
        local: LocalTriangle,
        cover: &[[u32; 8]; 4],
        spot: Spot,
        out: &mut MaliFragment,
    ) -> Result<(), u32> {
        let quad = (spot.row() * 8) as u32 + spot.x / 2;
        let shift = spot.x / 2 * 4;
        self.empty();
        let n = self.batch.add(local);
        let nibbles = cover.map(|c| c[spot.row()] >> shift & 15);
        self.batch.push(quad, nibbles, 15, n);
        let before = self.words(spot);
        self.start(job, draw);
        let lane = spot.in_quad();
        let input = shade::input(job, draw, &self.scratch, &self.batch);
        let [w1, w2] = [0, 1].map(|v| input.weights[v][0][lane]);
        out.weights = Some([1.0 - w1 - w2, w1, w2]);
        out.varyings = varyings(draw, &input, lane);
        let traced = exec::trace(&draw.program, &input, &mut self.exec, lane)
            .map_err(|exec::Hung| draw.rsw.shader)?;
        out.steps = steps(draw, &input, traced);
        self.shade(job, draw)?;
        let rsw = &draw.rsw;
        let value = |at: usize| self.exec.row(at)[0][lane];
        let color = [0, 1, 2, 3].map(|c| value(rsw.color_reg * 4 + c));
        out.color = Some(color);
        if self.exec.killed[0] >> lane & 1 != 0 {
            out.outcome = Outcome::Killed;
            return Ok(());
        }
        if rsw.alpha_func != ALWAYS {
            let (incoming, stored) = (
                depth_stencil::alpha_byte(color[3]),
                u32::from(rsw.alpha_ref),
            );
            out.alpha_test = Some(test(rsw.alpha_func, incoming, stored));
        }
        let kept = depth_stencil::alpha_cover(rsw, color[3], job.frame.planes);
        if kept & out.samples == 0 {
            out.outcome = match out.alpha_test {
                Some(Test { pass: false, .. }) => Outcome::AlphaFailed,
                _ => Outcome::NotSampled,
            };
            return Ok(());
        }
        if draw.late {
            let depth = [0, 1, 2, 3].map(|c| value(rsw.frag_depth_reg * 4 + c));
            let (z, stencil) = depth_stencil::shader_depth_stencil(rsw, depth, || out.depth);
            let zeta = before.zeta.unwrap_or(0);
            out.before.zeta = Some(zeta);
            tests(out, rsw, z, stencil);
            out.outcome = failed(out);
        }
        Ok(())
    }
}

/// How the tests ended.
fn failed(out: &MaliFragment) -> Outcome {
    match (&out.stencil_test, &out.depth_test) {
        (Some(s), _) if !s.test.pass => Outcome::StencilFailed,
        (_, Some(d)) if !d.pass => Outcome::DepthFailed,
        _ => Outcome::Written,
    }
}

fn name_of(kind: Kind, number: u32) -> &'static str {
    match kind {
        Kind::Enum(values) => name(values, number),
        _ => "?",
    }
}

fn test(func: u32, incoming: u32, stored: u32) -> Test {
    Test {
        function: name_of(RSW_COMPARE, func),
        incoming,
        stored,
        pass: depth_stencil::compare(func, incoming, stored),
    }
}

/// Depth and stencil tests of a fragment of this depth, as its render state has them.
fn tests(out: &mut MaliFragment, rsw: &RenderState, z: u32, replace: Option<u8>) {
    let zeta = out.before.zeta.unwrap_or(0);
    let (stored, value) = (zeta & 0xFF_FFFF, (zeta >> 24) as u8);
    let s = &rsw.stencil[usize::from(!out.front)];
    let depth = test(rsw.depth_func, z, stored);
    if rsw.depth_func != ALWAYS || rsw.depth_write {
        out.depth_test = Some(depth);
    }
    if s.idle() {
        return;
    }
    let reference = replace.unwrap_or(s.reference);
    let compared = test(
        s.func,
        u32::from(reference & s.mask),
        u32::from(value & s.mask),
    );
    let op = match (compared.pass, depth.pass) {
        (false, _) => s.fail,
        (true, false) => s.zfail,
        (true, true) => s.zpass,
    };
    if !compared.pass {
        out.depth_test = None;
    }
    let (mut z_after, mut after) = (stored, value);
    depth_stencil::depth_stencil(rsw, s, z, &mut z_after, &mut after, replace);
    out.stencil_test = Some(StencilTest {
        test: compared,
        func_mask: u32::from(s.mask),
        write_mask: u32::from(s.write),
        operation: name_of(RSW_STENCIL_OP, op),
        before: u32::from(value),
        after: u32::from(after),
    });
}

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

fn varyings(draw: &DrawState, input: &Input, lane: usize) -> Vec<(String, f32)> {
    let value = |(n, attr): (usize, &setup::Attr)| {
        let label = match *attr {
            setup::Attr::Varying(slot, comp) => {
                format!("{slot}.{}", COMPONENTS[usize::from(comp) & 3])
            }
            setup::Attr::Point(comp) => format!("point.{}", COMPONENTS[usize::from(comp) & 3]),
        };
        (label, exec::varying::<Base>(input, n, 0)[lane])
    };
    draw.program.attrs.iter().enumerate().map(value).collect()
}

/// What a row is called; `None` for those that only the emulation has.
fn row_name(at: u8) -> Option<String> {
    let comp = COMPONENTS[usize::from(at) & 3];
    Some(match at {
        row::S0 => "^s0".into(),
        0..row::TEXTURE => format!("${}.{comp}", at / 4),
        row::TEXTURE..row::UNIFORM => format!("^texture.{comp}"),
        row::UNIFORM..row::V0 => format!("^uniform.{comp}"),
        row::V0..row::S0 => format!("^v0.{comp}"),
        _ => return None,
    })
}

fn steps(draw: &DrawState, input: &Input, traced: Vec<TracedStep>) -> Vec<MaliStep> {
    let words = &draw.program.words;
    let code = isa_pp::decode_program(words, words.len()).unwrap_or_default();
    let text = |n: usize| {
        if n >= code.len() {
            return String::new();
        }
        let text = isa_pp_text::disasm_instr(&code, n, Style::Lima);
        text.trim().to_string()
    };
    let step = |t: TracedStep| {
        let mut results: Vec<(String, f32)> = Vec::new();
        for (at, value) in t.results {
            let Some(label) = row_name(at) else { continue };
            match results.iter_mut().find(|r| r.0 == label) {
                Some(known) => known.1 = value,
                None => results.push((label, value)),
            }
        }
        MaliStep {
            text: text(t.step),
            results,
            lookup: t
                .lookup
                .map(|l| l.explain(&draw.program.lookups, input.samplers)),
            killed: t.killed,
        }
    };
    traced.into_iter().map(step).collect()
}
