//! VRAM and system memory behind the chip.
