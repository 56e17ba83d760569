//! IDX: vertex and index fetch.
