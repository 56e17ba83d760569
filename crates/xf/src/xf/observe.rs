//! What fixed function computes on the way, for those who want to look.

use super::arith::Lanes;

/// Somebody who sees values as they are computed. Free when nobody looks.
pub(crate) trait Watch<const N: usize> {
    /// `what`, of the light or texture set `index` if there are several.
    fn see(&mut self, what: &'static str, index: Option<usize>, values: &[Lanes<N>]);
}

/// Nobody.
impl<const N: usize> Watch<N> for () {
    #[inline(always)]
    fn see(&mut self, _: &'static str, _: Option<usize>, _: &[Lanes<N>]) {}
}

/// One value on the way of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name: "eye position", "diffuse factor" …
    pub what: &'static str,
    /// Which light or texture set it belongs to.
    pub index: Option<usize>,
    /// Float32 bit patterns, one per component; LT's have their low ten bits clear.
    pub values: Vec<u32>,
}

impl Watch<1> for Vec<Seen> {
    fn see(&mut self, what: &'static str, index: Option<usize>, values: &[Lanes<1>]) {
        self.push(Seen {
            what,
            index,
            values: values.iter().map(|[x]| *x).collect(),
        });
    }
}
