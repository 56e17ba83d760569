//! Errors: NSOURCE blow-ups, software-method interrupts, soft warnings.

use super::Fe;
use super::bits::{bit, ext, ins};
use isotherm_bus::trap::{intr, nsource};

/// Soft warning codes (NOTIFY[30:28]).
pub(crate) mod warning {
    /// No such enum value.
    pub const ENUM: u32 = 1;
    /// Out of range.
    pub const RANGE: u32 = 2;
    /// Inside BEGIN/END.
    pub const INSIDE: u32 = 4;
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
