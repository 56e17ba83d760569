//! The engine's words, read and written for a context switch.

use super::canvas::Rect;
use super::op::Pattern;
use super::state::Drawing;
use super::{MOST_OBJECTS, TwoD};
use isotherm_bus::bundle::DmaSpan;

impl TwoD {
    /// All words, for a context.
    pub(crate) fn save(&mut self) -> Vec<u32> {
        let mut words = Vec::new();
        self.each(&mut |word| words.push(*word));
        let mut drawings: Vec<(&u32, &mut Drawing)> = self.drawings.iter_mut().collect();
        drawings.sort_by_key(|(handle, _)| **handle);
        for (handle, drawing) in drawings {
            words.push(*handle);
            drawing.each(&mut |word| words.push(*word));
        }
        words
    }

    /// Puts back what [`TwoD::save`] gave; missing words are zero.
    pub(crate) fn restore(&mut self, words: &[u32], bound: [u32; 8]) {
        let mut words = words.iter().copied();
        self.bound = bound;
        self.each(&mut |word| *word = words.next().unwrap_or(0));
        self.drawings.clear();
        while let (Some(handle), true) = (words.next(), self.drawings.len() < MOST_OBJECTS) {
            let mut drawing = Drawing::default();
            drawing.each(&mut |word| *word = words.next().unwrap_or(0));
            self.drawings.insert(handle, drawing);
        }
    }

    /// Visits the words of everything but the drawing objects.
    fn each(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        for surface in [&mut self.surface, &mut self.swizzled] {
            span(&mut surface.source, visit);
            span(&mut surface.target, visit);
            visit(&mut surface.format);
            visit(&mut surface.pitch);
            visit(&mut surface.offset_source);
            visit(&mut surface.offset_target);
        }
        let Rect { x0, y0, x1, y1 } = &mut self.clip;
        for value in [x0, y0, x1, y1].into_iter().chain(&mut self.points) {
            let mut word = *value as u32;
            visit(&mut word);
            *value = word as i32;
        }
        self.pattern.each(visit);
        let mut rop = u32::from(self.rop);
        visit(&mut rop);
        self.rop = rop as u8;
        visit(&mut self.clip_point);
        visit(&mut self.beta);
        visit(&mut self.beta4);
        visit(&mut self.chroma);
        visit(&mut self.chroma_format);
        let lines = &mut self.lines;
        span(&mut lines.from, visit);
        span(&mut lines.to, visit);
        visit(&mut lines.offset_in);
        visit(&mut lines.offset_out);
        visit(&mut lines.pitch_in);
        visit(&mut lines.pitch_out);
        visit(&mut lines.length);
        visit(&mut lines.count);
        visit(&mut lines.format);
        visit(&mut self.ifc.x);
        visit(&mut self.ifc.y);
    }
}

impl Pattern {
    fn each(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(&mut self.color_format);
        visit(&mut self.mono_format);
        visit(&mut self.shape);
        visit(&mut self.select);
        self.mono_color.iter_mut().for_each(&mut *visit);
        self.bitmap.iter_mut().for_each(&mut *visit);
        self.colors.iter_mut().for_each(&mut *visit);
    }
}

fn span(span: &mut DmaSpan, visit: &mut dyn FnMut(&mut u32)) {
    visit(&mut span.base);
    visit(&mut span.limit);
}
