//! Hooks at the edges of the units; free when nobody looks.
