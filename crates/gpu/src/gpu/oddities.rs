//! What a chip met that is odd but stopped nothing.

use isotherm_bus::trap::Trap;

/// NO_OPERATION of every class.
const NO_OPERATION: u32 = 0x100;

/// Things that are odd but do not stop a replay, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// Records of unknown kind.
    pub records: u64,
    /// Methods on a subchannel that nothing is bound to, or a class nobody implements.
    pub methods: u64,
    /// Bindings of handles that lead nowhere.
    pub handles: u64,
    /// Words that are no header where one was expected.
    pub headers: u64,
    /// Methods that the front end refused, as the chip would have by an interrupt.
    pub traps: u64,
    /// Software interrupts: NO_OPERATION with an argument, by which a driver calls its own
    /// handler. Not odd.
    pub calls: u64,
}

impl Oddities {
    #[cold]
    pub(super) fn trapped(&mut self, trap: &Trap) {
        if trap.method == NO_OPERATION {
            self.calls += 1;
        } else {
            self.traps += 1;
        }
    }

    /// Was anything odd?
    pub fn any(&self) -> bool {
        let ordinary = Oddities {
            calls: self.calls,
            ..Oddities::default()
        };
        *self != ordinary
    }
}
