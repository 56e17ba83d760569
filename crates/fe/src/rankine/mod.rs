//! The Rankine classes 397h, 497h, 697h and the Curie classes 4097h, 4497h.
//!
//! No vectors cover them: the rows follow envytools' tests, which were run on
//! Rankine and partly on Curie hardware, and the public class headers.

mod draw;
mod rows;
mod state;
mod tex;
mod xf;

use std::sync::OnceLock;

use super::chips::Kind;
use super::common;
use super::table::Table;

/// The table of a generation.
pub(crate) fn table(kind: Kind) -> &'static Table {
    static RANKINE: OnceLock<Table> = OnceLock::new();
    static CURIE: OnceLock<Table> = OnceLock::new();
    let shared = |own: &[&[super::table::Row]]| {
        let draws = draw::rows();
        let mut lists = vec![
            common::COMMON,
            common::FLIP,
            rows::SHARED,
            tex::SHARED,
            &draws,
        ];
        lists.extend(own);
        Table::new(&lists)
    };
    match kind {
        Kind::Curie => CURIE.get_or_init(|| shared(&[rows::CURIE, tex::CURIE, &xf::curie()])),
        _ => RANKINE.get_or_init(|| shared(&[rows::RANKINE, tex::RANKINE, &xf::rankine()])),
    }
}
