//! The k best trees of a class, by partitioning (Lawler 1972; Murty 1968), with as few charts as their proof
//! allows.
//!
//! When a set of trees has given its best tree, the rest of the set falls into n parts: those that agree with
//! it on the heads of words 1..m − 1 and differ on word m. A part's best tree is found as that of the whole,
//! with fewer arcs. Most parts are never the next to be asked, though: by the
//! [bounds](crate::spanning::ArcBounds) of the arcs that m may have there, a part is known not to be better
//! than what was found already. So parts wait in a queue with their bounds, and a part is solved only if it
//! may hold a tree as good as the next answer. As a rule that is a few for each tree found; never more than
//! n. Memory is O(k · n²): a part is remembered by its constraints.
//!
//! As long as the best trees of parts are certified, no chart is needed. The first time one is, a maximum for
//! each arc is computed over the whole class: the score of the best tree that has it, by the outside pass of
//! the Viterbi chart. The k-th largest of the different maxima is the score of some tree, and so are those
//! above it, so the k best trees are at least that good, and arcs with smaller maxima are in none of them.
//! What is left are the arcs of the best tree and a few more. From then on the whole search is over these
//! arcs: bounds are close, the best of all trees is often one of the class, and the sparse deduction is
//! quick. The maxima serve as bounds of parts, too.
//!
//! Bounds are numbers with rounding errors, and compared with a tolerance. Trees are compared by the exact
//! sum of the differences between their scores, word by word, so that an offset of 10¹⁷ on all scores changes
//! no ranking.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::certified::{FEWEST_ITEMS, items_worth_trying};
use super::{Inference, InferenceError, Parse};
use crate::System;
use crate::chart::Chart;
use crate::memory::table;
use crate::scores::ArcScores;
use crate::scores::scale::{compare_trees, shifted_by_word};
use crate::semiring::Viterbi;
use crate::spanning::Workspace;
use crate::stop;

/// A set of trees: all that have the given heads for the first words, and none of the excluded ones for the
/// word after them.
struct Part {
    heads: Vec<usize>,
    excluded: Vec<usize>,
}

impl Part {
    /// Scores that allow the trees of this part only.
    fn constrain(&self, scores: &ArcScores) -> ArcScores {
        let mut constrained = scores.clone();
        self.heads.iter().zip(1..).for_each(|(&head, word)| constrained.require(head, word));
        let word = self.heads.len() + 1;
        self.excluded.iter().for_each(|&head| constrained.put(head, word, f64::NEG_INFINITY));
        constrained
    }

    /// The possible heads of the word after those that have theirs.
    fn next_heads(&self, words: usize) -> impl Iterator<Item = usize> + '_ {
        let word = self.heads.len() + 1;
        (0..=words).filter(move |head| *head != word && !self.excluded.contains(head))
    }
}

/// A part and its best tree.
struct Solved {
    part: Part,
    best: Parse,
    /// The score of the best tree, constants per word left out.
    score: f64,
}

/// For each arc the score of the best tree of the class that has it, constants per word left out and the
/// rounding of sums included; −∞ for arcs that are in none of the k best trees. A row per head. Empty where
/// nothing is known.
struct ArcMaxima(Vec<f64>);

struct Search<'i> {
    inference: &'i Inference,
    scores: &'i ArcScores,
    /// Scores less a constant per word.
    shifted: ArcScores,
    k: usize,
    workspace: Workspace,
    /// Known once a chart was needed.
    maxima: Option<ArcMaxima>,
    /// Parts that were not solved yet, by a bound that no tree of theirs exceeds, constants per word left
    /// out, and a number that makes keys different.
    waiting: BTreeMap<(i64, usize), (f64, Part)>,
    made: usize,
}

/// The k best trees, all different, the best first; fewer if there are not as many. Of solved parts with
/// equally good trees, the one with the smaller list of heads comes first.
pub(super) fn k_best(
    inference: &Inference,
    scores: &ArcScores,
    k: usize,
) -> Result<Vec<Parse>, InferenceError> {
    if k == 0 {
        return Ok(Vec::new());
    }
    let best = inference.best(scores)?;
    let mut search = Search {
        inference,
        scores,
        shifted: shifted_by_word(scores),
        k,
        workspace: Workspace::new(),
        maxima: None,
        waiting: BTreeMap::new(),
        made: 0,
    };
    let whole = Part { heads: Vec::new(), excluded: Vec::new() };
    let score = search.shifted.of_tree(&best.tree);
    // Sorted, the best last. There are never more than k − 1 to come.
    let mut solved = vec![Solved { part: whole, best, score }];
    let mut found = Vec::new();
    while found.len() < k {
        search.solve_parts(&mut solved)?;
        let Some(next) = solved.pop() else { break };
        if found.len() + 1 < k {
            search.divide(&next);
        }
        found.push(next.best);
    }
    // Where a chart rounds, a part's best tree may have been a bit better than that of the whole. Ties stay
    // in their order.
    found.sort_by(|one, other| compare_trees(scores, &other.tree, &one.tree));
    Ok(found)
}

impl Search<'_> {
    /// Solves all parts that may hold a tree as good as the best that is known.
    fn solve_parts(&mut self, solved: &mut Vec<Solved>) -> Result<(), InferenceError> {
        while let Some((_, (bound, part))) = self.waiting.pop_last() {
            stop::check()?;
            if solved.last().is_some_and(|best| best.score > bound) {
                self.wait(bound, part);
                break;
            }
            // More may be known by now than when the part was made.
            let ceiling = self.ceiling_of(&part);
            if ceiling < bound {
                self.wait(ceiling, part);
                continue;
            }
            let best = match self.best_of_part(&part.constrain(self.scores)) {
                Ok(best) => best,
                Err(InferenceError::NoTree) => continue,
                Err(error) => return Err(error),
            };
            let place = solved.partition_point(|other| {
                let by_score = compare_trees(self.scores, &other.best.tree, &best.tree);
                by_score.then_with(|| best.tree.heads().cmp(other.best.tree.heads())) == Ordering::Less
            });
            let score = self.shifted.of_tree(&best.tree);
            solved.insert(place, Solved { part, best, score });
        }
        Ok(())
    }

    /// Puts a part into the queue, unless it has no tree.
    fn wait(&mut self, bound: f64, part: Part) {
        if bound > f64::NEG_INFINITY {
            self.made += 1;
            self.waiting.insert((ordered(bound), self.made), (bound, part));
        }
    }

    /// Puts the parts that a part falls into when its best tree is taken out into the queue.
    fn divide(&mut self, solved: &Solved) {
        let Solved { part, best, score } = solved;
        let constrained = part.constrain(&self.shifted);
        let constrained = self.pruned(&constrained);
        let bounds = self.inference.spanning().bounds_with(&constrained, &mut self.workspace).ok();
        let (words, best) = (self.scores.len(), best.tree.heads().collect::<Vec<_>>());
        for word in part.heads.len() + 1..=words {
            let mut excluded = if word == part.heads.len() + 1 { part.excluded.clone() } else { Vec::new() };
            excluded.push(best[word - 1]);
            let part = Part { heads: best[..word - 1].to_vec(), excluded };
            let bound = match &bounds {
                // Not more than the best of the whole; with rounding errors on both sides.
                Some(bounds) => {
                    let others = part.next_heads(words).map(|head| bounds.get(head, word));
                    others.fold(f64::NEG_INFINITY, f64::max).min(*score) + 2.0 * bounds.rounding()
                }
                None => f64::INFINITY,
            };
            self.wait(bound.min(self.ceiling_of(&part)), part);
        }
    }

    /// A number that no tree of the class with that arc exceeds, constants per word left out; −∞ if none of
    /// the k best trees has the arc.
    fn ceiling(&self, head: usize, word: usize) -> f64 {
        let at = head * (self.scores.len() + 1) + word;
        self.maxima.as_ref().and_then(|maxima| maxima.0.get(at)).copied().unwrap_or(f64::INFINITY)
    }

    /// A number that no tree of a part exceeds, by what is known of single arcs.
    fn ceiling_of(&self, part: &Part) -> f64 {
        let given = part.heads.iter().zip(1..).map(|(&head, word)| self.ceiling(head, word));
        let word = part.heads.len() + 1;
        let next = part.next_heads(self.scores.len()).map(|head| self.ceiling(head, word));
        given.fold(next.fold(f64::NEG_INFINITY, f64::max), f64::min)
    }

    /// The scores without the arcs that are known to be in none of the k best trees.
    fn pruned<'s>(&self, scores: &'s ArcScores) -> Cow<'s, ArcScores> {
        if self.maxima.as_ref().is_none_or(|maxima| maxima.0.is_empty()) {
            return Cow::Borrowed(scores);
        }
        let mut pruned = scores.clone();
        let hopeless = scores.arcs().filter(|&(head, word)| self.ceiling(head, word) == f64::NEG_INFINITY);
        hopeless.for_each(|(head, word)| pruned.put(head, word, f64::NEG_INFINITY));
        Cow::Owned(pruned)
    }

    fn best_of_part(&mut self, scores: &ArcScores) -> Result<Parse, InferenceError> {
        let inference = self.inference;
        let Some(system) = inference.class().system() else {
            return inference.best_spanning(scores, &mut self.workspace);
        };
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
        let unrestricted = self.inference.spanning().best_with(&scores, &mut self.workspace)?;
        Ok(self.inference.built(&unrestricted))
    }

    /// The maxima of all arcs; nothing is known if there is no dense chart, or no room for its outside
    /// weights.
    fn find_maxima(&self, system: &System) -> Result<ArcMaxima, InferenceError> {
        let inference = self.inference;
        let system = inference.class.same_trees.as_ref().unwrap_or(system);
        if !matches!(inference.fits::<f64>(system, self.scores, 2), Ok(true)) {
            return Ok(ArcMaxima(Vec::new()));
        }
        let words = self.scores.len();
        let mut maxima = table((words + 1) * (words + 1), f64::NEG_INFINITY)?;
        for reading in inference.readings(&self.shifted) {
            let chart = Chart::<Viterbi<f64>>::fill(system, &reading.scores, inference.chart_options())?;
            let weights = chart.arc_weights()?;
            stop::check()?;
            for (head, word) in self.shifted.arcs() {
                let at = |node| reading.direction.place(words, node);
                let weight = weights[at(head) * (words + 1) + at(word)].0;
                let maximum = &mut maxima[head * (words + 1) + word];
                *maximum = maximum.max(weight);
            }
        }
        // Two maxima are those of different trees if they differ by more than rounding.
        let rounding = 16.0 * f64::EPSILON * self.shifted.largest() * (words as f64 + 1.0);
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

/// A bound as a key of the queue: a number with the same order.
fn ordered(bound: f64) -> i64 {
    let bits = bound.to_bits().cast_signed();
    bits ^ ((bits >> 63) & i64::MAX)
}
