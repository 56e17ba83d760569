//! RC: register combiners.
