//! Wires the units: the path of a draw reads top to bottom here.
