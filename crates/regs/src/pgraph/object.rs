//! Objects: words in instance memory, and the registers that hold those of the current one.

use crate::Chip::*;
use crate::field::{Kind, bit, bits};
use crate::word;

word! { /// First word of a graph object; CTX_SWITCH_A and CTX_CACHE_A hold it.
CTX_SWITCH_A {
    CLASS: bits(0, 7).then(Nv25, 0, 11).then(Nv40, 0, 15).of(Kind::Hex),
    /// has a clip object
    CLIP: bit(13).until(Nv20),
    /// its surface is swizzled
    SWIZZLED: bit(14).until(Nv40),
    /// NOP is a notify for buffers
    SYNC: bit(26).since(Nv15).then(Nv1a, 18, 18).until(Nv40),
    /// takes the newer surface formats
    NEW_FORMATS: bit(22).since(Nv1a).then(Nv40, 24, 24),
    /// has a colour or 3D surface object
    COLOR_SURFACE: bit(25).until(Nv40),
    /// has a zeta surface object
    ZETA_SURFACE: bit(26).until(Nv15),
} }

word! { /// Second word of a graph object: the notifier.
CTX_SWITCH_B { DMA_NOTIFY: bits(16, 31).then(Nv40, 0, 23).of(Kind::Hex), } }

word! { /// Third word of a graph object: its DMA objects, on Curie the first of them.
CTX_SWITCH_C {
    DMA_A: bits(0, 15).then(Nv40, 0, 23).of(Kind::Hex),
    DMA_B: bits(16, 31).until(Nv40).of(Kind::Hex),
    UNK24: bit(24).since(Nv40).of(Kind::Unknown),
    /// NOP is a notify for buffers
    SYNC: bit(25).since(Nv40),
    UNK26: bit(26).since(Nv40).of(Kind::Unknown),
} }

word! { /// Fourth word of a graph object on Curie: the second DMA object.
CTX_SWITCH_D { DMA_B: bits(0, 23).since(Nv40).of(Kind::Hex), } }

word! { /// Last word of a graph object from NV25 on: methods that are left to software.
CTX_SWITCH_T {
    /// three of them, method number / 4
    METHODS: bits(0, 29).of(Kind::Hex),
    COUNT: bits(30, 31),
} }

word! { /// 400148h: the channel in execution.
CTX_USER {
    SUBCHANNEL: bits(13, 15),
    CHANNEL: bits(24, 28),
} }

word! { /// Which surfaces are bound and have a pitch.
CTX_VALID {
    COLOR_DMA: bit(2),
    ZETA_DMA: bit(3),
    COLOR_B_DMA: bit(6).since(Nv30),
    COLOR_C_DMA: bit(7).since(Nv40),
    COLOR_PITCH: bit(10),
    ZETA_PITCH: bit(11),
    COLOR_B_PITCH: bit(13).since(Nv30),
    COLOR_C_PITCH: bit(14).since(Nv40),
    COLOR_D_PITCH: bit(15).since(Nv40),
    COLOR_D_DMA: bit(18).since(Nv40),
    CLIPID_DMA: bit(28).until(Nv20),
    ZCULL_DMA: bit(29).until(Nv20),
} }

word! { /// First word of a DMA object.
DMA_OBJECT {
    CLASS: bits(0, 11).of(Kind::Hex),
    /// page table present, and linear
    PAGES: bits(12, 13),
    TARGET: bits(16, 17),
    /// bytes from the page frame to the first byte
    ADJUST: bits(20, 31).of(Kind::Hex),
} }

word! { /// Third and fourth word of a DMA object.
DMA_OBJECT_FRAME {
    FLAGS: bits(0, 1),
    FRAME: bits(12, 31).of(Kind::Address(12)),
} }
