//! The fuzz targets and what they share: mutation that keeps a capture a capture, and the oracle
//! that replays one in several ways and compares all of memory.

pub mod mutate;
pub mod oracle;
pub mod targets;
