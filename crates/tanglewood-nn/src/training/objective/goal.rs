//! Objectives by name.

use serde::{Deserialize, Serialize};
use tanglewood::{Direction, System};

use super::{
    HeadSelection, Hinge, NextTransition, Objective, RunLikelihood, SystemLikelihood, TransitionHinge,
    TreeLikelihood,
};
use crate::options::Options;

/// The objectives that settings can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// [`HeadSelection`].
    Heads,
    /// [`TreeLikelihood`].
    Trees,
    /// [`SystemLikelihood`], in either direction.
    System,
    /// [`Hinge`], in either direction.
    Hinge,
    /// [`NextTransition`].
    Transitions,
    /// [`TransitionHinge`].
    TransitionHinge,
    /// [`RunLikelihood`].
    TransitionLikelihood,
}

/// How large vectors for transitions are where nothing else is said.
const TRANSITIONS: usize = 64;

/// How many bytes a chart may take in training, for each thread.
const MEMORY: u64 = 256 << 20;

impl Goal {
    /// All objectives.
    pub const ALL: [Goal; 7] = [
        Goal::Heads,
        Goal::Trees,
        Goal::System,
        Goal::Hinge,
        Goal::Transitions,
        Goal::TransitionHinge,
        Goal::TransitionLikelihood,
    ];

    /// Name of the objective.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Heads => "heads",
            Goal::Trees => "trees",
            Goal::System => "system",
            Goal::Hinge => "hinge",
            Goal::Transitions => "transitions",
            Goal::TransitionHinge => "transition-hinge",
            Goal::TransitionLikelihood => "transition-likelihood",
        }
    }

    /// A short description for messages.
    pub fn description(self) -> &'static str {
        match self {
            Goal::Heads => "Each word's head by itself",
            Goal::Trees => "The whole tree's probability among all trees",
            Goal::System => "Its probability among what the system can build",
            Goal::Hinge => "To be better than all else that the system can build, by a margin",
            Goal::Transitions => "Each transition of the oracle's run by itself",
            Goal::TransitionHinge => "The tree's best run, to be better than all others, by a margin",
            Goal::TransitionLikelihood => "The tree's probability, all its runs together, among all runs",
        }
    }

    /// The goal of this name.
    pub fn named(name: &str) -> Option<Goal> {
        Goal::ALL.into_iter().find(|goal| goal.name() == name)
    }

    /// Whether the objective needs scores of transitions.
    pub fn is_of_transitions(self) -> bool {
        matches!(self, Goal::Transitions | Goal::TransitionHinge | Goal::TransitionLikelihood)
    }

    /// Whether the objective depends on the transition system.
    pub fn needs_system(self) -> bool {
        !matches!(self, Goal::Heads | Goal::Trees)
    }

    /// Options of a model that has the scores it needs, and no others.
    pub fn fit(self, options: Options) -> Options {
        let transitions = match (self.is_of_transitions(), options.transitions) {
            (false, _) => 0,
            (true, 0) => TRANSITIONS,
            (true, size) => size,
        };
        let (windows, direction) = match transitions {
            0 => (false, Direction::Ltr),
            _ => (options.windows, options.direction),
        };
        Options { transitions, windows, direction, ..options }
    }

    /// The objective, for a system.
    pub fn objective(self, system: &System) -> Box<dyn Objective<f32>> {
        let (system, direction, memory) = (system.clone(), Direction::Either, MEMORY);
        match self {
            Goal::Heads => Box::new(HeadSelection),
            Goal::Trees => Box::new(TreeLikelihood),
            Goal::System => Box::new(SystemLikelihood { system, direction, memory }),
            Goal::Hinge => Box::new(Hinge { system, direction, memory }),
            Goal::Transitions => Box::new(NextTransition::new(system, memory)),
            Goal::TransitionHinge => Box::new(TransitionHinge::new(system, memory)),
            Goal::TransitionLikelihood => Box::new(RunLikelihood::new(system, memory)),
        }
    }
}
