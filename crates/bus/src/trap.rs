//! Why the front end refuses a method: what the interrupt handler would see.

/// NSOURCE bits.
pub mod nsource {
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
pub mod intr {
    /// A method that software has to execute.
    pub const MISSING_HW: u32 = 0x10;
    /// A vertex DMA object without a page table kind.
    pub const VERTEX_DMA: u32 = 0x400;
    /// The 3D state belongs to another object.
    pub const STATE3D: u32 = 0x2000;
    /// NSOURCE says why.
    pub const ERROR: u32 = 0x10_0000;
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
