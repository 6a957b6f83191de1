//! What can be done next.

use crate::deduction::rules::Rules;
use crate::scores::TransitionScores;
use crate::system::System;
use crate::transition::{Configuration, Frames, Transition};

/// The transitions that a system has to offer, step by step along a run.
///
/// ```
/// use tanglewood::scores::ArcScores;
/// use tanglewood::search::Choices;
/// use tanglewood::{Configuration, System, Transition};
///
/// let scores = ArcScores::new(1);
/// let mut choices = Choices::new(&System::named("mh4")?, 1, true);
/// let mut configuration = Configuration::start(1);
/// for _ in 0..2 {
///     assert_eq!(choices.at(&configuration, &scores).collect::<Vec<_>>(), [(Transition::Shift, 0.0)]);
///     configuration.apply(Transition::Shift)?;
///     choices.made(Transition::Shift);
/// }
/// assert_eq!(choices.at(&configuration, &scores).next().expect("the root's arc").0.to_string(), "s1>s0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Choices {
    rules: Rules,
    /// How many nodes a frame may have, and how the stack is held together, if that is bounded.
    frames: Option<(usize, Frames)>,
    window: Vec<usize>,
}

impl Choices {
    /// Choices for a sentence of this number of words. With `single_root`, the root gets one dependent.
    pub fn new(system: &System, words: usize, single_root: bool) -> Choices {
        let rules = Rules::of_system(system, words, single_root);
        let frames = system.frame().map(|nodes| (nodes, Frames::new(nodes)));
        Choices { rules, frames, window: Vec::new() }
    }

    /// False if and only if one root is asked for and there is no word that could be it.
    pub fn can_finish(&self) -> bool {
        self.rules.can_finish()
    }

    /// All transitions that are possible here and not forbidden, and their scores: shift first, then reduces
    /// in the order of [`Configuration::permitted`].
    ///
    /// With bounded frames, what can be done depends on what was done before: [`Choices::made`] has to be
    /// told all of it, from the start.
    pub fn at<'a, T: TransitionScores + ?Sized>(
        &'a mut self,
        configuration: &Configuration,
        scores: &'a T,
    ) -> impl Iterator<Item = (Transition, f64)> + 'a {
        if let Some((nodes, frames)) = self.frames.as_mut().filter(|_| configuration.front() == 0) {
            *frames = Frames::new(*nodes);
        }
        self.window.clear();
        self.window.extend(configuration.stack().rev().take(self.rules.degree() + 1));
        let frames = self.frames.as_ref();
        let fits = move |head, dependent| {
            let reduce = Transition::Reduce { head, dependent };
            frames.is_none_or(|(_, frames)| frames.permit(reduce))
        };
        self.rules.transitions_if(&self.window, configuration.front(), fits, scores)
    }

    /// The run goes on with a transition.
    pub fn made(&mut self, transition: Transition) {
        if let Some((_, frames)) = &mut self.frames {
            frames.apply(transition);
        }
    }
}
