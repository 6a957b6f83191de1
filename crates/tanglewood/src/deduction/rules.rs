//! Which reduces are possible in a window, and what they score.
//!
//! The sparse deduction, greedy search and beam search all take their steps from here, so that they agree on
//! what a step is.

use crate::scores::{TransitionScores, View};
use crate::system::{Address, Reduce, Slot, System};
use crate::transition::{Transition, stack_nodes_needed};

/// The inventory of a system, made ready for a sentence of a given length.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// As in the inventory, without buffer slots that `ahead` stands for anyway.
    reduces: Vec<Reduce>,
    /// Whether reduces happen in frames: then scores see what every frame for a reduce has in common, and no
    /// more.
    in_frames: bool,
    degree: usize,
    words: usize,
    single_root: bool,
}

/// A reduce that is possible in some window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduction {
    pub head: Address,
    /// The place in the window of the node that is removed.
    pub dependent: usize,
    /// The nodes (head, dependent).
    pub arc: (usize, usize),
    pub score: f64,
}

impl Reduction {
    pub fn transition(&self) -> Transition {
        Transition::Reduce { head: self.head, dependent: self.dependent }
    }
}

impl Rules {
    /// The rules of a system, with windows that show scores all that a [`View`] promises.
    pub fn of_system(system: &System, words: usize, single_root: bool) -> Rules {
        let inventory = system.inventory();
        let stands_for = |reduce: &Reduce| inventory.contains(Reduce { head: Slot::Ahead, ..*reduce });
        let needed = |reduce: &&Reduce| !matches!(reduce.head, Slot::Buffer(_)) || !stands_for(reduce);
        Rules {
            reduces: inventory.reduces().iter().filter(needed).copied().collect(),
            in_frames: system.frame().is_some(),
            degree: inventory.depth().max(2),
            words,
            single_root,
        }
    }

    /// The same rules with windows of D + 1 = `degree` + 1 nodes.
    pub fn with_degree(self, degree: usize) -> Rules {
        Rules { degree, ..self }
    }

    /// D: items have that many nodes at their right end, and windows one more.
    pub fn degree(&self) -> usize {
        self.degree
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// False if and only if one root is asked for and there is no word that could be it.
    pub fn can_finish(&self) -> bool {
        !self.single_root || self.words > 0
    }

    /// Everything that is possible and not forbidden: shift first, then [`Rules::reductions_if`].
    pub fn transitions_if<'a>(
        &'a self,
        window: &'a [usize],
        front: usize,
        fits: impl Fn(Address, usize) -> bool + 'a,
        scores: &'a (impl TransitionScores + ?Sized),
    ) -> impl Iterator<Item = (Transition, f64)> + 'a {
        let shift = (front <= self.words).then(|| scores.shift(window.first().copied(), front));
        let shift = shift.filter(|&score| is_allowed(score)).map(|score| (Transition::Shift, score));
        let reductions = self.reductions_if(window, front, fits, scores);
        shift.into_iter().chain(reductions.map(|reduction| (reduction.transition(), reduction.score)))
    }

    /// The reduces that are possible, and not forbidden, where the stack ends in `window` (its top first) and
    /// the buffer begins with `front`. In the order of the inventory, the head nearest to the front first.
    pub fn reductions<'a>(
        &'a self,
        window: &'a [usize],
        front: usize,
        scores: &'a (impl TransitionScores + ?Sized),
    ) -> impl Iterator<Item = Reduction> + 'a {
        self.reductions_if(window, front, |_, _| true, scores)
    }

    /// [`Rules::reductions`], those of a head and a dependent slot that also fit. With frames, there has to
    /// be a node below the dependent.
    pub fn reductions_if<'a>(
        &'a self,
        window: &'a [usize],
        front: usize,
        fits: impl Fn(Address, usize) -> bool + 'a,
        scores: &'a (impl TransitionScores + ?Sized),
    ) -> impl Iterator<Item = Reduction> + 'a {
        let addresses = move |reduce: Reduce| {
            let places = match reduce.head {
                Slot::Stack(place) | Slot::Buffer(place) => usize::from(place)..usize::from(place) + 1,
                Slot::Ahead => match window.get(usize::from(reduce.dependent)) {
                    Some(&dependent) if dependent > 0 => {
                        let heads = scores.heads_ahead(dependent, front);
                        heads.start - front..heads.end.max(front) - front
                    }
                    _ => 0..0,
                },
            };
            places.map(move |place| match reduce.head {
                Slot::Stack(_) => (Address::Stack(place), usize::from(reduce.dependent)),
                Slot::Buffer(_) | Slot::Ahead => (Address::Buffer(place), usize::from(reduce.dependent)),
            })
        };
        let pairs = self.reduces.iter().copied().flat_map(addresses);
        pairs.filter_map(move |(head, dependent)| {
            let arc = self.arc(window, front, head, dependent)?;
            let stack =
                if self.in_frames { window.get(..stack_nodes_needed(head, dependent))? } else { window };
            if !fits(head, dependent) {
                return None;
            }
            let score = scores.reduce(View { stack, front }, head, dependent);
            is_allowed(score).then_some(Reduction { head, dependent, arc, score })
        })
    }

    /// The nodes (head, dependent) of a reduce, if it is possible.
    #[inline]
    fn arc(&self, window: &[usize], front: usize, head: Address, dependent: usize) -> Option<(usize, usize)> {
        let head = match head {
            Address::Stack(place) => *window.get(place)?,
            Address::Buffer(place) => Some(front + place).filter(|&node| node <= self.words)?,
        };
        let dependent = *window.get(dependent)?;
        let permitted = dependent != 0 && (head != 0 || self.root_may_be_head(window, front));
        permitted.then_some((head, dependent))
    }

    /// With one root, an arc from it ends the run. (Where the root is in the window, the window is the whole
    /// stack.)
    fn root_may_be_head(&self, window: &[usize], front: usize) -> bool {
        !self.single_root || (window.len() == 2 && front > self.words)
    }
}

/// False for −∞, and for NaN.
#[inline]
pub(crate) fn is_allowed(score: f64) -> bool {
    score > f64::NEG_INFINITY
}
