//! Which share of a treebank's non-projective trees a system can build.

use crate::classes::{ArcStatistics, Class};
use crate::system::{Direction, TreeClass};
use crate::{Oracle, Tree};

/// The question: which systems, or all trees, and which classes, read in which direction.
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
    /// None for all trees.
    oracles: Vec<Option<Oracle>>,
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
    /// Prepares the oracles. All trees are a system, too, which covers everything.
    pub fn new<'a, S>(systems: &'a [S], direction: Direction, classes: &[Class]) -> Survey
    where
        &'a S: Into<TreeClass>,
    {
        let oracle = |system: &'a S| system.into().system().map(Oracle::new);
        Survey { oracles: systems.iter().map(oracle).collect(), direction, classes: classes.to_vec() }
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
            let covers = oracle.as_ref().is_none_or(|oracle| oracle.covers_in(self.direction, tree));
            *covered += u64::from(covers);
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
