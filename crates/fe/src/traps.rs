//! Errors: NSOURCE blow-ups, software-method interrupts, soft warnings.

use super::Fe;
use isotherm_bus::trap::{intr, nsource};
use isotherm_regs::field::Field;
use isotherm_regs::pgraph::{CELSIUS_CONFIG_C, DEBUG_D, FE3D_MISC, NOTIFY, NSOURCE, NSTATUS};

/// Soft warning codes (NOTIFY[30:28]).
pub(crate) mod warning {
    /// No such enum value.
    pub const ENUM: u32 = 1;
    /// Out of range.
    pub const RANGE: u32 = 2;
    /// Inside BEGIN/END.
    pub const INSIDE: u32 = 4;
}

/// What NSTATUS shows for which sources.
const STATUS_OF: [(&[Field], Field); 4] = [
    (
        &[NSOURCE::DOUBLE_NOTIFY, NSOURCE::NOTIFY_IN_USE],
        NSTATUS::STATE_IN_USE,
    ),
    (
        &[
            NSOURCE::PROTECTION_ERROR,
            NSOURCE::FORMAT_EXCEPTION,
            NSOURCE::STATE_INVALID,
            NSOURCE::METHOD_CNT,
            NSOURCE::IN_BEGIN_END,
            NSOURCE::PATCH_ORDER,
        ],
        NSTATUS::INVALID_STATE,
    ),
    (&[NSOURCE::DATA_ERROR], NSTATUS::BAD_ARGUMENT),
    (
        &[NSOURCE::RANGE_EXCEPTION, NSOURCE::ILLEGAL_MTHD],
        NSTATUS::PROTECTION_FAULT,
    ),
];

impl Fe {
    /// Raises NSOURCE bits and stops the FIFO.
    #[cold]
    pub(crate) fn blow_up(&mut self, source: u32) {
        let status: u32 = STATUS_OF
            .iter()
            .filter(|(sources, _)| sources.iter().any(|s| s.is_on(source)))
            .map(|(_, status)| status.ones())
            .sum();
        self.r.fifo_enable = 0;
        self.r.intr |= intr::ERROR;
        self.r.nsource |= source;
        self.r.nstatus |= status;
    }

    /// A state error, if DEBUG_D wants them reported.
    #[cold]
    pub(crate) fn state_error(&mut self) {
        if DEBUG_D::STATE_CHECK.is_on(self.r.debug_d) {
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
        if NOTIFY::WARNING.read(self.r.notify) == 0 {
            NOTIFY::WARNING.write(&mut self.r.notify, code);
        }
    }

    /// Is an error pending that keeps methods from acting?
    ///
    /// Celsius chips look at the data error only, later ones at every source.
    #[inline]
    pub(crate) fn blocked(&self) -> bool {
        if self.g.celsius() {
            NSOURCE::DATA_ERROR.is_on(self.r.nsource)
        } else {
            self.r.nsource != 0
        }
    }

    /// Is a primitive open?
    #[inline]
    pub(crate) fn inside(&self) -> bool {
        if self.g.celsius() {
            CELSIUS_CONFIG_C::IN_BEGIN_END.is_on(self.r.celsius_config_c)
        } else {
            FE3D_MISC::IN_BEGIN_END.is_on(self.r.fe3d_misc)
        }
    }
}
