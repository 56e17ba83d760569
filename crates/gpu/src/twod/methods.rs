//! The engine's state as the methods that make it: for recordings that begin with registers,
//! which hold little of it.

use super::canvas::Rect;
use super::class::Class2d;
use super::op::Pattern;
use super::state::Drawing;
use super::{SurfaceRegs, TwoD};
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::objects::Objects;

/// Methods of one object: its handle, then numbers and data.
pub(crate) type ObjectMethods = (u32, Vec<(u16, u32)>);

impl TwoD {
    /// Methods of every object that has something to say. `dma` finds the handle of an object
    /// over some memory. An image of which only a part has come in as data is not in it.
    pub(crate) fn methods(
        &self,
        objects: &Objects,
        mut dma: impl FnMut(DmaSpan) -> u32,
    ) -> Vec<ObjectMethods> {
        let contexts = self.contexts(&mut dma);
        let mut all: Vec<ObjectMethods> = contexts
            .into_iter()
            .filter(|(_, methods)| !methods.is_empty())
            .filter_map(|(class, methods)| Some((of_class(objects, class)?, methods)))
            .collect();
        let mut drawings: Vec<_> = self.drawings.iter().collect();
        drawings.sort_by_key(|(handle, _)| **handle);
        for (&handle, drawing) in drawings {
            let class = objects.get(handle).and_then(|o| Class2d::of(o.class));
            if let Some(class) = class {
                all.push((handle, drawing_methods(drawing, class, objects, &mut dma)));
            }
        }
        all
    }

    /// What lies in the engine's own registers, by the class that writes them.
    fn contexts(&self, dma: &mut impl FnMut(DmaSpan) -> u32) -> Vec<(Class2d, Vec<(u16, u32)>)> {
        let fresh = TwoD::new();
        let mut all = Vec::new();
        let mut one = |class, differs: bool, methods: Vec<(u16, u32)>| {
            if differs {
                all.push((class, methods));
            }
        };
        let used = |s: &SurfaceRegs| *s != SurfaceRegs::default();
        let s = &self.surface;
        let surfaces = [
            (0x184, dma(s.source)),
            (0x188, dma(s.target)),
            (0x300, s.format),
            (0x304, s.pitch),
            (0x308, s.offset_source),
            (0x30C, s.offset_target),
        ];
        one(Class2d::Surfaces, used(s), surfaces.into());
        let s = &self.swizzled;
        let swizzled = [
            (0x184, dma(s.target)),
            (0x300, s.format),
            (0x304, s.offset_target),
        ];
        one(Class2d::SwizzledSurface, used(s), swizzled.into());
        one(Class2d::Clip, self.clip != Rect::ALL, self.clip_methods());
        one(Class2d::Pattern, true, pattern_methods(&self.pattern));
        let rop = u32::from(self.rop);
        one(Class2d::Rop, self.rop != fresh.rop, vec![(0x300, rop)]);
        one(Class2d::Beta1, self.beta != 0, vec![(0x300, self.beta)]);
        one(Class2d::Beta4, self.beta4 != 0, vec![(0x300, self.beta4)]);
        let chroma = vec![(0x300, self.chroma_format), (0x304, self.chroma)];
        one(Class2d::Chroma, true, chroma);
        let l = &self.lines;
        let copy = [
            (0x184, dma(l.from)),
            (0x188, dma(l.to)),
            (0x30C, l.offset_in),
            (0x310, l.offset_out),
            (0x314, l.pitch_in),
            (0x318, l.pitch_out),
            (0x31C, l.length),
            (0x320, l.count),
            (0x324, l.format),
        ];
        one(Class2d::MemoryCopy, true, copy.into());
        all
    }

    /// Position and size; the position that waits for a size comes last.
    fn clip_methods(&self) -> Vec<(u16, u32)> {
        let Rect { x0, y0, x1, y1 } = self.clip;
        let pair = |x: i32, y: i32| x as u32 & 0xFFFF | (y as u32) << 16;
        let size = pair(x1.wrapping_sub(x0), y1.wrapping_sub(y0));
        vec![
            (0x300, pair(x0, y0)),
            (0x304, size),
            (0x300, self.clip_point),
        ]
    }
}

/// An object of a class.
fn of_class(objects: &Objects, class: Class2d) -> Option<u32> {
    let all = objects.sorted();
    let found = all.iter().find(|o| Class2d::of(o.class) == Some(class))?;
    Some(found.handle)
}

fn pattern_methods(pattern: &Pattern) -> Vec<(u16, u32)> {
    let words = [
        pattern.color_format,
        pattern.mono_format,
        pattern.shape,
        pattern.select,
        pattern.mono_color[0],
        pattern.mono_color[1],
        pattern.bitmap[0],
        pattern.bitmap[1],
    ];
    let colors = pattern.colors;
    let set = (0x300..).step_by(4).zip(words);
    set.chain((0x700..).step_by(4).zip(colors)).collect()
}

fn drawing_methods(
    drawing: &Drawing,
    class: Class2d,
    objects: &Objects,
    dma: &mut impl FnMut(DmaSpan) -> u32,
) -> Vec<(u16, u32)> {
    let mut methods = vec![(0x2FC, drawing.operation)];
    let pixels = matches!(class, Class2d::Blit | Class2d::ImageFromCpu);
    let mut bind = |on: bool, slot: u16, class: Class2d| {
        if let Some(handle) = of_class(objects, class).filter(|_| on) {
            methods.push((slot, handle));
        }
    };
    bind(drawing.chroma, 0x184, Class2d::Chroma);
    bind(
        drawing.clip,
        if pixels { 0x188 } else { 0x184 },
        Class2d::Clip,
    );
    bind(drawing.swizzled, 0x198, Class2d::SwizzledSurface);
    if class == Class2d::ScaledImage {
        methods.push((0x184, dma(drawing.image)));
    }
    let set = drawing.words().filter(|&(_, data)| data != 0);
    methods.extend(set.filter(|(method, _)| !class.draws(*method)));
    methods
}
