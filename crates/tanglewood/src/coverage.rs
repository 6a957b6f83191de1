//! Which share of a treebank's non-projective trees a system can build.

use crate::classes::{ArcStatistics, Class};
use crate::system::{Direction, System};
use crate::{Oracle, Tree};

/// The question: which systems and classes, read in which direction.
///
/// ```
/// use tanglewood::{Direction, System, Tree, coverage::Survey};
/// let survey = Survey::new(&System::paper(), Direction::Ltr, &[]);
/// let mut counts = survey.counts();
/// survey.add(&Tree::from_heads(&[3, 4, 0, 3])?, &mut counts);
/// assert_eq!((counts.sentences, counts.nonprojective), (1, 1));
/// # Ok::<(), tanglewood::TreeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    oracles: Vec<Oracle>,
    direction: Direction,
    classes: Vec<Class>,
}

/// The answer for some set of sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Sentences seen.
    pub sentences: u64,
    /// Those with crossing arcs.
    pub nonprojective: u64,
    /// For each system: how many of the non-projective ones it covers.
    pub covered: Vec<u64>,
    /// For each class: how many of the non-projective ones belong to it.
    pub members: Vec<u64>,
    /// Arcs and crossings.
    pub arcs: ArcStatistics,
}

impl Survey {
    /// Prepares the oracles.
    pub fn new(systems: &[System], direction: Direction, classes: &[Class]) -> Survey {
        Survey { oracles: systems.iter().map(Oracle::new).collect(), direction, classes: classes.to_vec() }
    }

    /// Counts of nothing, with the right number of columns.
    pub fn counts(&self) -> Counts {
        Counts {
            covered: vec![0; self.oracles.len()],
            members: vec![0; self.classes.len()],
            ..Default::default()
        }
    }

    /// Counts one more tree. Only non-projective trees are put to the oracles.
    pub fn add(&self, tree: &Tree, counts: &mut Counts) {
        counts.sentences += 1;
        let arcs = ArcStatistics::of(tree);
        counts.arcs.add(&arcs);
        if arcs.pairs == 0 {
            return;
        }
        counts.nonprojective += 1;
        for (oracle, covered) in self.oracles.iter().zip(&mut counts.covered) {
            *covered += u64::from(oracle.covers_in(self.direction, tree));
        }
        for (class, members) in self.classes.iter().zip(&mut counts.members) {
            *members += u64::from(class.contains(tree));
        }
    }
}

impl Counts {
    /// Adds the counts of other sentences, of the same survey.
    pub fn merge(&mut self, other: &Counts) {
        self.sentences += other.sentences;
        self.nonprojective += other.nonprojective;
        for (sum, more) in self.covered.iter_mut().zip(&other.covered) {
            *sum += more;
        }
        for (sum, more) in self.members.iter_mut().zip(&other.members) {
            *sum += more;
        }
        self.arcs.add(&other.arcs);
    }
}
