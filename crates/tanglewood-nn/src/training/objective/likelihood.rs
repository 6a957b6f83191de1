//! The probability of the whole tree.

use tanglewood::inference::{Distribution, Inference};
use tanglewood::system::TreeClass;
use tanglewood::{Direction, System};

use super::{HeadSelection, Objective};
use crate::encoding::Example;
use crate::layers::arc_scores;
use crate::network::SentenceScores;
use crate::real::Real;

/// −ln of the tree's probability among all trees with a single root (Koo et al. 2007). The derivative is that
/// of the partition function, which is the probability of each arc, less one for the tree's own.
///
/// A tree with several roots has no such probability; heads are chosen one by one there.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeLikelihood;

impl<T: Real> Objective<T> for TreeLikelihood {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let arcs = arc_scores(&scores.arcs);
        likelihood(example, scores, Inference::new(TreeClass::Any).distribution(&arcs).ok())
    }
}

/// −ln of the tree's probability among what a system can build with a single root, where a tree counts once
/// for each run that builds it, see [`tanglewood::inference`]. The derivative is as above: all runs that
/// build the tree have its arcs.
///
/// Where the system cannot build the tree, or the chart would take too much memory, heads are chosen one by
/// one.
#[derive(Clone, Debug)]
pub struct SystemLikelihood {
    /// The transition system.
    pub system: System,
    /// Reading direction.
    pub direction: Direction,
    /// Number of bytes that a chart may take, for each thread.
    pub memory: u64,
}

impl<T: Real> Objective<T> for SystemLikelihood {
    fn loss(&self, example: &Example, scores: &mut SentenceScores<T>) -> f64 {
        let arcs = arc_scores(&scores.arcs);
        let inference = Inference::new(&self.system).direction(self.direction).memory(self.memory);
        likelihood(example, scores, inference.distribution(&arcs).ok())
    }
}

fn likelihood<T: Real>(
    example: &Example,
    scores: &mut SentenceScores<T>,
    distribution: Option<Distribution<'_>>,
) -> f64 {
    let found = distribution.as_ref().and_then(|distribution| {
        let log = distribution.log_probability(&example.tree).ok().filter(|log| log.is_finite())?;
        Some((log, distribution.marginals().ok()?))
    });
    let Some((log_probability, marginals)) = found else {
        return HeadSelection.loss(example, scores);
    };
    scores.without_transitions();
    for (row, &gold) in example.heads.iter().enumerate() {
        for (head, score) in scores.arcs.row_mut(row).iter_mut().enumerate() {
            *score = T::of(marginals.get(head, row + 1) - f64::from(u8::from(head == gold as usize)));
        }
    }
    -log_probability
}
