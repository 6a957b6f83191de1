//! Training: from a treebank to a model.

mod adam;
mod batches;
mod evaluation;
mod gradient;
mod objective;
mod schedule;

pub use adam::Adam;
pub use batches::Batches;
pub use evaluation::{Accuracy, decode, evaluate};
pub use gradient::{Losses, gradient_of_batch};
pub use objective::{HeadSelection, Objective, TreeLikelihood, arc_scores};
pub use schedule::Schedule;
