//! The pixel units, from primitives to memory: raster, zcull, tex, shader, rc, rop.

pub mod assm;
pub mod bundles;
pub mod frag;
pub mod profile;
pub mod raster;
pub mod rc;
pub mod rop;
pub mod scene;
pub mod shader;
pub mod tex;
pub mod watch;
pub mod zcull;
