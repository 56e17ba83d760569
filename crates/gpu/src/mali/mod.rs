//! Mali-400: the Utgard pipeline.
