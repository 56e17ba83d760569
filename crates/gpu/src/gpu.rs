//! A chip with its memory: feed it records, read its surfaces.
