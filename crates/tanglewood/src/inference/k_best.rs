//! The k best trees of a class, with as few charts as their proof allows.
//!
//! The search itself is in [`crate::k_best`]; here is how one part of the class is solved. As long as the best trees of parts are certified,
//! no chart is needed. The first time one is, a maximum for each arc is computed over the whole class: the score of the best tree that
//! has it, by the outside pass of the Viterbi chart. The k-th largest of the different maxima is the score of some tree, and so are those
//! above it, so the k best trees are at least that good, and arcs with smaller maxima are in none of them. What is left are the arcs of the
//! best tree and a few more. From then on the whole search is over these arcs: bounds are close, the best of all trees is often one of
//! the class, and the sparse deduction is quick. The maxima serve as bounds of parts, too.

use std::borrow::Cow;

use super::certified::{FEWEST_ITEMS, items_worth_trying};
use super::reading::place;
use super::{Inference, InferenceError, Parse, Path};
use crate::chart::Chart;
use crate::k_best::Solver;
use crate::memory::table;
use crate::scores::ArcScores;
use crate::scores::scale::shifted_by_word;
use crate::semiring::Viterbi;
use crate::spanning::{ArcBounds, Workspace};
use crate::{System, Tree};

pub(super) fn k_best(
    inference: &Inference,
    scores: &ArcScores,
    k: usize,
) -> Result<Vec<Parse>, InferenceError> {
    if k == 0 {
        return Ok(Vec::new());
    }
    let best = Some(inference.best(scores)?);
    let mut solver = ClassSolver { inference, scores, k, best, workspace: Workspace::new(), maxima: None };
    crate::k_best::k_best(&mut solver, scores, k)
}

/// Finds the best trees of parts of a class.
struct ClassSolver<'i> {
    inference: &'i Inference,
    /// The scores of the whole class.
    scores: &'i ArcScores,
    k: usize,
    /// The best tree of the whole class, which is the first to be asked for.
    best: Option<Parse>,
    workspace: Workspace,
    /// Known once a chart was needed.
    maxima: Option<ArcMaxima>,
}

/// For each arc the score of the best tree of the class that has it, constants per word left out and the rounding of sums included; −∞
/// for arcs that are in none of the k best trees. A row per head. Empty where nothing is known.
struct ArcMaxima(Vec<f64>);

impl ArcMaxima {
    /// Forbids the arcs that are in none of the k best trees.
    fn prune(&self, scores: &mut ArcScores) {
        if !self.0.is_empty() {
            let nodes = scores.len() + 1;
            let hopeless =
                scores.arcs().filter(|&(head, word)| self.0[head * nodes + word] == f64::NEG_INFINITY);
            hopeless.for_each(|(head, word)| scores.put(head, word, f64::NEG_INFINITY));
        }
    }
}

impl Solver for ClassSolver<'_> {
    type Found = Parse;
    type Error = InferenceError;

    fn best(&mut self, scores: &ArcScores) -> Result<Option<Parse>, InferenceError> {
        if let Some(best) = self.best.take() {
            return Ok(Some(best));
        }
        match self.best_of_part(scores) {
            Ok(found) => Ok(Some(found)),
            Err(InferenceError::NoTree) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn tree<'f>(&self, found: &'f Parse) -> &'f Tree {
        &found.tree
    }

    fn bounds(&mut self, scores: &ArcScores) -> Option<ArcBounds> {
        let scores = self.pruned(scores);
        self.inference.spanning().bounds_with(&scores, &mut self.workspace).ok()
    }

    fn ceiling(&self, head: usize, word: usize) -> f64 {
        let at = head * (self.scores.len() + 1) + word;
        self.maxima.as_ref().and_then(|maxima| maxima.0.get(at)).copied().unwrap_or(f64::INFINITY)
    }
}

impl ClassSolver<'_> {
    /// The scores without the arcs that are known to be in none of the k best trees.
    fn pruned<'s>(&self, scores: &'s ArcScores) -> Cow<'s, ArcScores> {
        let Some(maxima) = &self.maxima else { return Cow::Borrowed(scores) };
        let mut pruned = scores.clone();
        maxima.prune(&mut pruned);
        Cow::Owned(pruned)
    }

    fn best_of_part(&mut self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let inference = self.inference;
        let Some(system) = inference.class().system() else { return inference.best_spanning(scores) };
        if let Some(parse) = self.certified(scores)? {
            return Ok(parse);
        }
        if self.maxima.is_none() {
            self.maxima = Some(self.find_maxima(system)?);
            if let Some(parse) = self.certified(scores)? {
                return Ok(parse);
            }
        }
        let pruned = self.pruned(scores);
        // Where a chart is quick, the sparse deduction is not quicker, however few arcs there are.
        let items = items_worth_trying(system, scores.len());
        let few = if items < FEWEST_ITEMS { None } else { inference.best_of_few(system, &pruned, items)? };
        match few {
            Some(parse) => Ok(Parse { path: inference.full_path(system), ..parse }),
            None => inference.best_by_chart(system, &pruned),
        }
    }

    /// The best of all trees with arcs that are not hopeless, if it is one of the class.
    fn certified(&mut self, scores: &ArcScores) -> Result<Option<Parse>, InferenceError> {
        if !self.inference.certify {
            return Ok(None);
        }
        let scores = self.pruned(scores);
        let unrestricted = self.inference.spanning().best_with(&scores, &mut self.workspace);
        let unrestricted = unrestricted.map_err(|_| InferenceError::NoTree)?;
        Ok(self.inference.built(&unrestricted, Path::Certificate))
    }

    /// The maxima of all arcs; nothing is known if there is no dense chart, or no room for its outside weights.
    fn find_maxima(&self, system: &System) -> Result<ArcMaxima, InferenceError> {
        let inference = self.inference;
        let system = inference.class.same_trees.as_ref().unwrap_or(system);
        if !matches!(inference.fits::<f64>(system, self.scores, 2), Ok(true)) {
            return Ok(ArcMaxima(Vec::new()));
        }
        let (shifted, _) = shifted_by_word(self.scores);
        let words = shifted.len();
        let mut maxima = table((words + 1) * (words + 1), f64::NEG_INFINITY)?;
        for reading in inference.readings(&shifted) {
            let chart = Chart::<Viterbi<f64>>::fill(system, &reading.scores, inference.chart_options())?;
            let weights = chart.arc_weights()?;
            for (head, word) in shifted.arcs() {
                let at = |node| place(reading.direction, words, node);
                let weight = weights[at(head) * (words + 1) + at(word)].0;
                let maximum = &mut maxima[head * (words + 1) + word];
                *maximum = maximum.max(weight);
            }
        }
        // Two maxima are those of different trees if they differ by more than rounding.
        let rounding = 16.0 * f64::EPSILON * shifted.largest() * (words as f64 + 1.0);
        let mut sorted: Vec<f64> = maxima.iter().copied().filter(|maximum| maximum.is_finite()).collect();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        sorted.dedup_by(|next, kept| *kept - *next <= rounding);
        let bound = sorted.get(self.k - 1).map_or(f64::NEG_INFINITY, |bound| bound - rounding);
        for maximum in &mut maxima {
            *maximum = if *maximum >= bound { *maximum + rounding } else { f64::NEG_INFINITY };
        }
        Ok(ArcMaxima(maxima))
    }
}
