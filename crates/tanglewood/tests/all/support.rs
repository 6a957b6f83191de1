//! What several modules share: lists of systems, random scores, and all runs of a system one by one.

use std::collections::HashMap;

use tanglewood::deduction::Deduction;
use tanglewood::inference::{Inference, InferenceError};
use tanglewood::scores::{ArcScores, TransitionScores, View};
use tanglewood::system::{Address, Inventory, TreeClass};
use tanglewood::transition::Frames;
use tanglewood::{Configuration, Marginals, System, Transition, Tree};

use crate::brute_force::Random;

/// The systems of the paper.
pub const PAPER: [&str; 5] = ["arc-standard", "attardi", "all-deg1", "all", "all-s0s1"];

/// Systems of every kind: degrees 1 to 3, heads in the buffer and far ahead, tables that are not
/// removal-closed or build nothing.
pub const ASSORTED: [&str; 16] = [
    "arc-standard",
    "arc-hybrid",
    "arc-hybrid+",
    "kuhlmann-2",
    "attardi",
    "all",
    "all-s0s1+",
    "attardi:3",
    "all:3",
    "b1>s0 s1>s0 s0>s1",
    "b1>s1 b0>s0 s1>s0",
    "ahead>s1 s1>s0",
    "s3>s0 s1>s0 b2>s3",
    "s1>s0 s0>s2 b0>s1 b0>s2",
    "s0>s1 b0>s0",
    "b0>s0",
];

/// Frames of three to six nodes, without and with lookahead.
pub const FRAMED: [&str; 8] = ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+", "mh6", "mh6+"];

pub fn inventory(name: &str) -> Inventory {
    System::named(name).unwrap().inventory().clone()
}

/// The deduction of an inventory.
pub fn deduction_of(inventory: &Inventory, single_root: bool) -> Deduction {
    Deduction::new(&System::from(inventory.clone())).single_root(single_root)
}

/// What a transition scores, from the definition of what it sees.
fn score_of_step(
    system: &System,
    scores: &impl TransitionScores,
    configuration: &Configuration,
    transition: Transition,
) -> f64 {
    let (stack, front): (Vec<usize>, usize) = (configuration.stack().rev().collect(), configuration.front());
    match (transition, system.frame()) {
        (Transition::Shift, _) => scores.shift(stack.first().copied(), front),
        (Transition::Reduce { head, dependent }, None) => {
            let seen = stack.len().min(system.inventory().depth().max(2) + 1);
            scores.reduce(View { stack: &stack[..seen], front }, head, dependent)
        }
        (Transition::Reduce { head, dependent }, Some(_)) => {
            let below_dependent = dependent + 1;
            let deepest = match head {
                Address::Stack(head) => head.max(below_dependent),
                Address::Buffer(_) => below_dependent,
            };
            scores.reduce(View { stack: &stack[..=deepest], front }, head, dependent)
        }
    }
}

/// Every complete run of a system, by trying every permitted transition; `finish` gets each with the score
/// `scores` gives it.
pub fn each_run_in(
    system: &System,
    scores: &impl TransitionScores,
    mut finish: impl FnMut(&[Transition], &Tree, f64),
) {
    fn extend(
        system: &System,
        scores: &impl TransitionScores,
        (configuration, frames): (&Configuration, &Option<Frames>),
        (run, score): (&mut Vec<Transition>, f64),
        finish: &mut impl FnMut(&[Transition], &Tree, f64),
    ) {
        if let Some(tree) = configuration.tree() {
            finish(run, &tree, score);
        }
        for transition in configuration.permitted(system.inventory()) {
            if frames.as_ref().is_some_and(|frames| !frames.permit(transition)) {
                continue;
            }
            let step = score_of_step(system, scores, configuration, transition);
            if step == f64::NEG_INFINITY {
                continue;
            }
            let (mut next, mut next_frames) = (configuration.clone(), frames.clone());
            next.apply(transition).unwrap();
            next_frames.iter_mut().for_each(|frames| frames.apply(transition));
            run.push(transition);
            extend(system, scores, (&next, &next_frames), (run, score + step), finish);
            run.pop();
        }
    }
    let (start, frames) = (Configuration::start(scores.words()), system.frame().map(Frames::new));
    extend(system, scores, (&start, &frames), (&mut Vec::new(), 0.0), &mut finish);
}

/// The score of a run, added up from its first step to its last; it must keep to the system's frames.
pub fn score_of_run_in(system: &System, scores: &impl TransitionScores, run: &[Transition]) -> f64 {
    let mut configuration = Configuration::start(scores.words());
    let mut frames = system.frame().map(Frames::new);
    let mut total = 0.0;
    for &transition in run {
        total += score_of_step(system, scores, &configuration, transition);
        configuration.apply(transition).unwrap();
        if let Some(frames) = &mut frames {
            assert!(frames.permit(transition), "{system}: {transition} in {run:?}");
            frames.apply(transition);
        }
    }
    total
}

/// [`each_run_in`] for an inventory.
pub fn each_run(
    inventory: &Inventory,
    scores: &impl TransitionScores,
    finish: impl FnMut(&[Transition], &Tree, f64),
) {
    each_run_in(&System::from(inventory.clone()), scores, finish);
}

/// [`score_of_run_in`] for an inventory.
pub fn score_of_run(inventory: &Inventory, scores: &impl TransitionScores, run: &[Transition]) -> f64 {
    score_of_run_in(&System::from(inventory.clone()), scores, run)
}

/// How many runs each tree has.
pub fn runs_of_trees(system: &System, n: usize) -> HashMap<Vec<usize>, u64> {
    let mut counts = HashMap::new();
    each_run_in(system, &ArcScores::new(n), |_, tree, _| {
        *counts.entry(tree.heads().collect()).or_default() += 1;
    });
    counts
}

/// Scores that look at everything they are shown: a hash of it, some of them forbidding.
pub struct Windows {
    pub words: usize,
    pub seed: u64,
}

impl Windows {
    pub fn score(&self, seen: &[usize]) -> f64 {
        let mut random = Random(self.seed);
        for &node in seen {
            random.0 = random.0.wrapping_mul(31).wrapping_add(node as u64 + 1);
            random.below(2);
        }
        match random.below(40) {
            0 => f64::NEG_INFINITY,
            _ => random.below(1 << 20) as f64 / f64::from(1 << 18) - 2.0,
        }
    }
}

impl TransitionScores for Windows {
    fn words(&self) -> usize {
        self.words
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.score(&[1000 + top.map_or(999, |top| top), front])
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        let head = match head {
            Address::Stack(place) => place,
            Address::Buffer(place) => 100 + place,
        };
        let seen: Vec<usize> = view.stack.iter().copied().chain([view.front, head, dependent]).collect();
        self.score(&seen)
    }

    fn deepest(&self, _: usize, _: usize) -> f64 {
        unreachable!("only dense charts need reduces of the deepest slot in two parts")
    }

    fn deepest_context(&self, _: &[usize], _: usize) -> f64 {
        unreachable!("only dense charts need reduces of the deepest slot in two parts")
    }
}

/// Arc scores from a function of the random numbers, about one in eight forbidden if `holes`.
pub fn random_scores(
    n: usize,
    random: &mut Random,
    holes: bool,
    mut score: impl FnMut(&mut Random) -> f64,
) -> ArcScores {
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            let forbidden = holes && random.below(8) == 0;
            scores.set(head, dependent, if forbidden { f64::NEG_INFINITY } else { score(random) }).unwrap();
        }
    }
    scores
}

/// From −2 to 2.
pub fn ordinary(random: &mut Random) -> f64 {
    random.below(1 << 20) as f64 / f64::from(1 << 18) - 2.0
}

/// Equal up to rounding.
pub fn close(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-9 * left.abs().max(right.abs()).max(1.0)
}

/// Inference over all trees.
pub fn any(single_root: bool) -> Inference {
    Inference::new(TreeClass::Any).single_root(single_root)
}

/// Single questions about a matrix, for tests that ask no more.
pub trait Ask {
    fn log_partition(&self, scores: &ArcScores) -> Result<f64, InferenceError>;
    fn marginals(&self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, InferenceError>;
    fn entropy(&self, scores: &ArcScores) -> Result<f64, InferenceError>;
    fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> Result<f64, InferenceError>;
    fn samples(&self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, InferenceError>;
}

impl Ask for Inference {
    fn log_partition(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        Ok(self.distribution(scores)?.log_partition())
    }

    fn marginals(&self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, InferenceError> {
        Ok(rows(self.distribution(scores)?.marginals()?))
    }

    fn entropy(&self, scores: &ArcScores) -> Result<f64, InferenceError> {
        self.distribution(scores)?.entropy()
    }

    fn log_probability(&self, scores: &ArcScores, tree: &Tree) -> Result<f64, InferenceError> {
        self.distribution(scores)?.log_probability(tree)
    }

    fn samples(&self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, InferenceError> {
        self.distribution(scores)?.samples(count, seed)
    }
}

/// Probabilities of arcs, `[head][dependent]`.
pub fn rows(marginals: &Marginals) -> Vec<Vec<f64>> {
    marginals.rows().map(<[f64]>::to_vec).collect()
}
