//! Errors: NSOURCE blow-ups, software-method interrupts, soft warnings.

use super::Fe;
use super::bits::{bit, ext, ins};

/// NSOURCE bits.
pub(crate) mod nsource {
    /// Invalid data.
    pub const DATA: u32 = 0x2;
    /// A DMA object's limits or alignment.
    pub const PROTECTION: u32 = 0x4;
    /// No such method.
    pub const METHOD: u32 = 0x40;
    /// The state does not allow it.
    pub const STATE: u32 = 0x800;
    /// A notify is pending already.
    pub const NOTIFY_PENDING: u32 = 0x1000;
    /// The notifier changes while one is to be written.
    pub const NOTIFY_BUSY: u32 = 0x2000;
    /// A state method inside BEGIN/END.
    pub const IN_BEGIN_END: u32 = 0x4_0000;
    /// The forward differencer's protocol was violated.
    pub const PATCH: u32 = 0x8_0000;
}

/// INTR bits.
pub(crate) mod intr {
    /// A method that software has to execute.
    pub const MISSING_HW: u32 = 0x10;
    /// A vertex DMA object without a page table kind.
    pub const VERTEX_DMA: u32 = 0x400;
    /// The 3D state belongs to another object.
    pub const STATE3D: u32 = 0x2000;
    /// NSOURCE says why.
    pub const ERROR: u32 = 0x10_0000;
}

/// Soft warning codes (NOTIFY[30:28]).
pub(crate) mod warning {
    /// No such enum value.
    pub const ENUM: u32 = 1;
    /// Out of range.
    pub const RANGE: u32 = 2;
    /// Inside BEGIN/END.
    pub const INSIDE: u32 = 4;
}

/// Why a method did not do all that it says; what the interrupt handler would see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// INTR at the time.
    pub intr: u32,
    /// NSOURCE at the time.
    pub nsource: u32,
    /// The class that was executing.
    pub class: u32,
    /// Its method.
    pub method: u32,
    /// The method's data.
    pub data: u32,
}

impl Trap {
    /// Why, in words.
    pub fn reason(&self) -> String {
        let reasons = [
            (self.intr & intr::MISSING_HW, "left to software"),
            (
                self.intr & intr::VERTEX_DMA,
                "vertex object without a page table",
            ),
            (
                self.intr & intr::STATE3D,
                "the 3D state belongs to another object",
            ),
            (self.nsource & nsource::DATA, "invalid data"),
            (
                self.nsource & nsource::PROTECTION,
                "limit or alignment of an object",
            ),
            (self.nsource & nsource::METHOD, "no such method"),
            (self.nsource & nsource::STATE, "the state does not allow it"),
            (
                self.nsource & nsource::NOTIFY_PENDING,
                "a notify is pending",
            ),
            (
                self.nsource & nsource::NOTIFY_BUSY,
                "the notifier is in use",
            ),
            (self.nsource & nsource::IN_BEGIN_END, "inside a primitive"),
            (self.nsource & nsource::PATCH, "order of patch commands"),
        ];
        let named: Vec<_> = reasons
            .iter()
            .filter(|(bits, _)| *bits != 0)
            .map(|(_, reason)| *reason)
            .collect();
        named.join(", ")
    }

    /// Was it a method that the class does not have?
    pub fn unknown_method(&self) -> bool {
        self.nsource & nsource::METHOD != 0
    }
}

impl Fe {
    /// Raises NSOURCE bits and stops the FIFO.
    #[cold]
    pub(crate) fn blow_up(&mut self, source: u32) {
        let mut status = 0;
        if source & 0x3000 != 0 {
            status |= 1 << 23;
        }
        if source & 0xc_4a04 != 0 {
            status |= 1 << 24;
        }
        if source & nsource::DATA != 0 {
            status |= 1 << 25;
        }
        if source & 0x48 != 0 {
            status |= 1 << 26;
        }
        self.r.fifo_enable = 0;
        self.r.intr |= intr::ERROR;
        self.r.nsource |= source;
        self.r.nstatus |= status;
    }

    /// A state error, if DEBUG_D wants them reported.
    #[cold]
    pub(crate) fn state_error(&mut self) {
        if bit(self.r.debug_d, 24) {
            self.blow_up(nsource::STATE);
        }
    }

    /// Leaves the method to software.
    #[cold]
    pub(crate) fn missing_hw(&mut self) {
        self.r.intr |= intr::MISSING_HW;
        self.r.fifo_enable = 0;
    }

    /// Notes a soft warning, unless an earlier one waits to be reported.
    #[cold]
    pub(crate) fn warn(&mut self, code: u32) {
        if ext(self.r.notify, 28, 3) == 0 {
            ins(&mut self.r.notify, 28, 3, code);
        }
    }

    /// Is an error pending that keeps methods from acting?
    ///
    /// Celsius chips look at the data error only, later ones at every source.
    #[inline]
    pub(crate) fn blocked(&self) -> bool {
        if self.g.celsius() {
            bit(self.r.nsource, 1)
        } else {
            self.r.nsource != 0
        }
    }

    /// Is a primitive open?
    #[inline]
    pub(crate) fn inside(&self) -> bool {
        if self.g.celsius() {
            bit(self.r.celsius_config_c, 8)
        } else {
            bit(self.r.fe3d_misc, 0)
        }
    }
}
