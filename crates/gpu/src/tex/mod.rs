//! TEX: texel formats, addressing, filtering.
