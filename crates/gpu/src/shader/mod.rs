//! SHADER: texture shaders.
