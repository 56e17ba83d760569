//! A method: what the pusher makes of pushbuffer words.

/// One method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Subchannel, 0 to 7.
    pub subchannel: u8,
    /// Byte address of the method, a multiple of 4 below 2000h.
    pub method: u16,
    /// The data word.
    pub data: u32,
}
