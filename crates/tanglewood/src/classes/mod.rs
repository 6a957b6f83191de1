//! Classes of dependency trees: what a tree's crossing arcs look like, independently of any parser.
//!
//! Two arcs cross when exactly one end of one lies strictly inside the other. Node 0 stands to the left of
//! the sentence, and the arc from it to a root word is an arc like any other, with one exception:
//! [`Class::Planar`] leaves it out, since with it planar and projective would be the same.

mod crossing;
mod endpoint;
mod gap;
mod nesting;
mod planarity;

pub use crossing::{ArcStatistics, crossing_arcs, crossing_pairs, is_projective};
pub use endpoint::is_one_endpoint_crossing;
pub use gap::gap_degree;
pub use nesting::is_well_nested;
pub use planarity::{is_planar, is_two_planar};

use crate::Tree;

/// A named class of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// No two arcs cross.
    Projective,
    /// No two arcs between words cross; root arcs are not looked at.
    Planar,
    /// Arcs can be given two colours so that no two of the same colour cross.
    TwoPlanar,
    /// No subtree has more than one gap.
    GapDegreeOne,
    /// No two disjoint subtrees interleave.
    WellNested,
    /// Well-nested, and no subtree has more than one gap.
    WellNestedGapDegreeOne,
    /// For every arc, all arcs that cross it share an endpoint.
    OneEndpointCrossing,
}

impl Class {
    /// Every class, from the smallest on.
    pub const ALL: [Class; 7] = [
        Class::Projective,
        Class::Planar,
        Class::TwoPlanar,
        Class::GapDegreeOne,
        Class::WellNested,
        Class::WellNestedGapDegreeOne,
        Class::OneEndpointCrossing,
    ];

    /// The name used in tables.
    pub fn name(self) -> &'static str {
        match self {
            Class::Projective => "projective",
            Class::Planar => "planar",
            Class::TwoPlanar => "2-planar",
            Class::GapDegreeOne => "gap<=1",
            Class::WellNested => "well-nested",
            Class::WellNestedGapDegreeOne => "well-nested-gap<=1",
            Class::OneEndpointCrossing => "1-endpoint-crossing",
        }
    }

    /// True if and only if the tree belongs to this class.
    ///
    /// ```
    /// use tanglewood::{Tree, classes::Class};
    /// let crossing = Tree::from_heads(&[3, 4, 0, 3])?;
    /// assert!(!Class::Projective.contains(&crossing));
    /// assert!(Class::OneEndpointCrossing.contains(&crossing));
    /// # Ok::<(), tanglewood::TreeError>(())
    /// ```
    pub fn contains(self, tree: &Tree) -> bool {
        match self {
            Class::Projective => is_projective(tree),
            Class::Planar => is_planar(tree),
            Class::TwoPlanar => is_two_planar(tree),
            Class::GapDegreeOne => gap_degree(tree) <= 1,
            Class::WellNested => is_well_nested(tree),
            Class::WellNestedGapDegreeOne => gap_degree(tree) <= 1 && is_well_nested(tree),
            Class::OneEndpointCrossing => is_one_endpoint_crossing(tree),
        }
    }
}
