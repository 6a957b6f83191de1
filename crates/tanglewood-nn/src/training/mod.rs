//! Training: from a treebank to a model.

mod adam;
mod average;
mod batches;
mod checkpoint;
mod data;
mod evaluation;
mod gradient;
mod objective;
mod schedule;
mod trainer;

pub use adam::Adam;
pub use average::Average;
pub use batches::Batches;
pub use checkpoint::{ResumeError, note_of};
pub use data::Data;
pub use evaluation::{Accuracy, evaluate};
pub use gradient::{Learner, Losses};
pub use objective::{
    Goal, HeadSelection, Hinge, NextTransition, Objective, RunLikelihood, SystemLikelihood, TransitionHinge,
    TreeLikelihood,
};
pub use schedule::Schedule;
pub use trainer::{Epoch, Position, Settings, Trainer, TrainingError};
