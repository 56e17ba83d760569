//! Layouts and formats of texels.

use isotherm_mali::pp::texel::{etc1_block, tile_index};

#[test]
fn tile_order() {
    assert_eq!(tile_index(0, 0), 0);
    assert_eq!(tile_index(1, 0), 1);
    assert_eq!(tile_index(1, 1), 2);
    assert_eq!(tile_index(0, 1), 3);
    let all: std::collections::HashSet<u32> =
        (0..256).map(|i| tile_index(i % 16, i / 16)).collect();
    assert_eq!(all.len(), 256);
}

#[test]
fn etc1_plain_block() {
    // Individual mode, both halves 0x8 grey, table 0, all codes 0: +2.
    let block = 0x8888_8800_0000_0000u64;
    assert_eq!(etc1_block(block), [0xFF8A_8A8A; 16]);
}
