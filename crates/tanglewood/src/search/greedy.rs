//! The best transition, one after the other.

use super::choices::Choices;
use super::guide::{Guide, follow};
use crate::scores::TransitionScores;
use crate::system::System;
use crate::transition::{Configuration, Derivation, Transition};

/// A guide that takes the transition with the best score.
#[derive(Clone, Debug)]
pub struct BestNext<'a, T: ?Sized> {
    choices: Choices,
    scores: &'a T,
    /// The sum of the scores of what was chosen so far.
    total: f64,
}

impl<'a, T: TransitionScores + ?Sized> BestNext<'a, T> {
    /// Chooses among the transitions of a system. With `single_root`, the root gets one dependent.
    pub fn new(system: &System, scores: &'a T, single_root: bool) -> BestNext<'a, T> {
        BestNext { choices: Choices::new(system, scores.words(), single_root), scores, total: 0.0 }
    }
}

impl<T: TransitionScores + ?Sized> Guide for BestNext<'_, T> {
    /// Of transitions with equal scores, the first in the order of [`Configuration::permitted`]. With bounded
    /// frames, what can be done depends on what was done before: then it has to be followed from the start.
    fn next(&mut self, configuration: &Configuration) -> Option<Transition> {
        let better =
            |best: (Transition, f64), next: (Transition, f64)| if next.1 > best.1 { next } else { best };
        let (transition, score) = self.choices.at(configuration, self.scores).reduce(better)?;
        self.choices.made(transition);
        self.total += score;
        Some(transition)
    }
}

/// The run that takes the best transition at each step, and its score; nothing if it ends where all that
/// could be done is forbidden.
///
/// Shifts are preferred to reduces with the same score, and among reduces those that come first in the
/// inventory. Time is linear in the number of words for a given system, quadratic if its heads may be
/// anywhere ahead.
///
/// ```
/// use tanglewood::System;
/// use tanglewood::scores::ArcScores;
/// use tanglewood::search::greedy;
/// let mut scores = ArcScores::new(2);
/// scores.set(2, 1, 1.0)?;
/// let (score, run) = greedy(&System::named("attardi")?, &scores, true).expect("nothing is forbidden");
/// assert_eq!(score, 1.0);
/// assert_eq!(run.to_string(), "shift shift shift s0>s1 s1>s0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn greedy(
    system: &System,
    scores: &(impl TransitionScores + ?Sized),
    single_root: bool,
) -> Option<(f64, Derivation)> {
    let mut guide = BestNext::new(system, scores, single_root);
    if !guide.choices.can_finish() {
        return None;
    }
    let derivation = follow(&mut guide, scores.words()).ok()?;
    Some((guide.total, derivation))
}
