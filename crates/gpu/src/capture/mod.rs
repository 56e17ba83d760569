//! The capture format and its importers.
