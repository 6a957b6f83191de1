//! The k best trees of a class, with as few charts as their proof allows.
//!
//! The search itself is in [`crate::k_best`]; here is how one part of the class is solved. As long as the best trees of parts are certified,
//! no chart is needed. The first time one is, a maximum for each arc is computed over the whole class: the score of the best tree that
//! has it, by the outside pass of the Viterbi chart. The k-th largest of the different maxima is the score of some tree, and so are those
//! above it, so the k best trees are at least that good, and arcs with smaller maxima are in none of them. What is left are the arcs of the
//! best tree and a few more, on which the sparse deduction is quick.

use super::certified::{FEWEST_ITEMS, items_worth_trying};
use super::reading::place;
use super::{Inference, InferenceError, Parse, Path};
use crate::chart::Chart;
use crate::k_best::Solver;
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
    let mut solver = ClassSolver { inference, scores, k, best, workspace: Workspace::new(), hopeless: None };
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
    /// Arcs that are in none of the k best trees, once a chart was needed.
    hopeless: Option<Vec<(usize, usize)>>,
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
        self.inference.spanning().bounds_with(scores, &mut self.workspace).ok()
    }
}

impl ClassSolver<'_> {
    fn best_of_part(&mut self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let inference = self.inference;
        let Some(system) = inference.class().system() else { return inference.best_spanning(scores) };
        if inference.certify {
            let unrestricted = inference.spanning().best_with(scores, &mut self.workspace);
            let unrestricted = unrestricted.map_err(|_| InferenceError::NoTree)?;
            if let Some(parse) = inference.built(&unrestricted, Path::Certificate) {
                return Ok(parse);
            }
        }
        if self.hopeless.is_none() {
            self.hopeless = Some(self.find_hopeless(system)?);
        }
        let mut pruned = scores.clone();
        for &(head, word) in self.hopeless.iter().flatten() {
            pruned.put(head, word, f64::NEG_INFINITY);
        }
        // Where a chart is quick, the sparse deduction is not quicker, however few arcs there are.
        let items = items_worth_trying(system, scores.len());
        let few = if items < FEWEST_ITEMS { None } else { inference.best_of_few(system, &pruned, items)? };
        match few {
            Some(parse) => Ok(Parse { path: inference.full_path(system), ..parse }),
            None => inference.best_by_chart(system, &pruned),
        }
    }

    /// The arcs that are in none of the k best trees; none if there is no dense chart, or no room for its outside weights.
    fn find_hopeless(&self, system: &System) -> Result<Vec<(usize, usize)>, InferenceError> {
        let inference = self.inference;
        let system = inference.class.same_trees.as_ref().unwrap_or(system);
        if !matches!(inference.fits::<f64>(system, self.scores, 2), Ok(true)) {
            return Ok(Vec::new());
        }
        let (shifted, _) = shifted_by_word(self.scores);
        let words = shifted.len();
        let mut maxima = vec![f64::NEG_INFINITY; (words + 1) * (words + 1)];
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
        let largest = shifted.largest();
        let rounding = 16.0 * f64::EPSILON * largest * (words as f64 + 1.0);
        let mut sorted: Vec<f64> = maxima.iter().copied().filter(|maximum| maximum.is_finite()).collect();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        sorted.dedup_by(|next, kept| *kept - *next <= rounding);
        let Some(&bound) = sorted.get(self.k - 1) else { return Ok(Vec::new()) };
        let is_hopeless =
            |&(head, word): &(usize, usize)| maxima[head * (words + 1) + word] < bound - rounding;
        Ok(shifted.arcs().filter(is_hopeless).collect())
    }
}
