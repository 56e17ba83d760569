//! FE: methods to shadow words to bundles.
