//! A drawing object: its operation, its formats, what it is bound to.

use super::canvas::Rect;
use super::class::Class2d;
use super::color;
use isotherm_bus::bundle::DmaSpan;
use isotherm_bus::objects::Objects;

/// One drawing object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    pub(crate) operation: u32,
    /// A clip rectangle is bound.
    pub(crate) clip: bool,
    /// A colour key is bound.
    pub(crate) chroma: bool,
    /// The surface is a swizzled one.
    pub(crate) swizzled: bool,
    /// The image in memory.
    pub(crate) image: DmaSpan,
    /// Last data of the methods below 1000h that are no contexts.
    regs: [u32; REGS],
}

/// Methods 2FCh to 0BFFh.
const REGS: usize = 0x240;
const FIRST: u16 = 0x300;

impl Default for Drawing {
    fn default() -> Drawing {
        Drawing {
            operation: 3,
            clip: false,
            chroma: false,
            swizzled: false,
            image: DmaSpan::default(),
            regs: [0; REGS],
        }
    }
}

/// Low half as x, high half as y, both signed.
pub(super) fn low_high(word: u32) -> (i32, i32) {
    (i32::from(word as i16), i32::from((word >> 16) as i16))
}

impl Drawing {
    /// Visits all words.
    pub(crate) fn each(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        for flag in [&mut self.clip, &mut self.chroma, &mut self.swizzled] {
            let mut word = u32::from(*flag);
            visit(&mut word);
            *flag = word != 0;
        }
        [
            &mut self.operation,
            &mut self.image.base,
            &mut self.image.limit,
        ]
        .into_iter()
        .for_each(&mut *visit);
        self.regs.iter_mut().for_each(visit);
    }

    /// A method that binds an object; false for all others.
    pub(crate) fn context(
        &mut self,
        class: Class2d,
        method: u16,
        data: u32,
        objects: &Objects,
    ) -> bool {
        if !(0x180..0x1C0).contains(&method) {
            return false;
        }
        let object = objects.get(data);
        let bound = object.and_then(|object| Class2d::of(object.class));
        // What a slot is for shows from what is put into it, but for clearing it.
        let slot_chroma = method == 0x184 && matches!(class, Class2d::Blit | Class2d::ImageFromCpu);
        let slot_clip = match class {
            Class2d::Blit | Class2d::ImageFromCpu => method == 0x188,
            Class2d::Lines | Class2d::Rectangles => method == 0x184,
            _ => false,
        };
        if slot_chroma {
            self.chroma = bound == Some(Class2d::Chroma);
        } else if slot_clip {
            self.clip = bound == Some(Class2d::Clip);
        }
        match (bound, object) {
            (Some(Class2d::SwizzledSurface), _) => self.swizzled = true,
            (Some(Class2d::Surfaces), _) => self.swizzled = false,
            (_, Some(object)) if method == 0x184 && object.is_dma() => self.image = object.span,
            _ => {}
        }
        true
    }

    /// Keeps a method's data.
    pub(crate) fn set(&mut self, method: u16, data: u32) {
        match method {
            0x2FC => self.operation = data,
            _ => {
                let index = usize::from(method.wrapping_sub(FIRST) >> 2);
                if let Some(reg) = self.regs.get_mut(index) {
                    *reg = data;
                }
            }
        }
    }

    /// The last data of all methods that are kept by number.
    pub(crate) fn words(&self) -> impl Iterator<Item = (u16, u32)> {
        (FIRST..).step_by(4).zip(self.regs)
    }

    /// The last data of a method.
    pub(crate) fn reg(&self, method: u16) -> u32 {
        self.regs[usize::from((method - FIRST) >> 2)]
    }

    /// The colour of a solid.
    pub(crate) fn color(&self) -> u32 {
        color::solid(self.reg(0x300), self.reg(0x304), false)
    }

    /// The colour of a rectangle or bitmap of the GDI class.
    pub(crate) fn gdi_color(&self, method: u16) -> u32 {
        color::solid(self.reg(0x300), self.reg(method), true)
    }

    /// A rectangle from two corner methods.
    pub(crate) fn corners(&self, first: u16, second: u16) -> Rect {
        let ((x0, y0), (x1, y1)) = (low_high(self.reg(first)), low_high(self.reg(second)));
        Rect { x0, y0, x1, y1 }
    }
}
