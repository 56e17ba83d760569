//! A capture seen event by event: what the inspector's page asks, and what the program's
//! commands share.
//!
//! A [`Session`] is an open capture. Questions are short texts such as
//! `target?event=12&what=color`; answers are JSON, or words behind a JSON head ([`Answer`]). The
//! program serves them on loopback, WebAssembly hands them to the page: both ways the same core
//! answers.
//!
//! | module | |
//! |---|---|
//! | [`follow`] | a capture draw by draw, with the state that each draw sees |
//! | [`player`] | an NVIDIA capture event by event, from any event on |
//! | [`texture`], [`combiners`], [`vertex`] | what a draw reads and runs, for people |
//! | [`mesh`] | vertices as CSV, OBJ and glTF |
//! | [`repaint`] | pictures back into textures |

pub mod combiners;
pub mod follow;
pub mod mesh;
pub mod names;
mod nv;
pub mod player;
mod question;
mod reference;
pub mod repaint;
mod session;
pub mod texture;
mod utgard;
pub mod vertex;

pub use question::Answer;
pub use session::Session;

/// Sets what the replays of sessions that are opened from now on may cost, as `--budget` says
/// it. The first text counts.
pub fn set_budget(text: &str) -> Result<(), String> {
    let limits = text.parse().map_err(|error| format!("budget: {error}"))?;
    isotherm::budget::set_usual(limits);
    Ok(())
}
