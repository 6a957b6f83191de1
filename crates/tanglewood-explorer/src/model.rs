//! Whether there is a model, and where it is.

use crate::answer::Refusal;
use crate::parsing::Parser;

/// A model, once it is there.
pub enum Model {
    /// There is none.
    None,
    /// There is one that has not been handed over yet: it is large, and not every reader needs it.
    Awaited,
    /// Here it is.
    Ready(Box<Parser>),
}

impl Model {
    /// True if and only if there is a model, here or elsewhere.
    pub fn is_some(&self) -> bool {
        !matches!(self, Model::None)
    }

    /// The model, for a question that cannot be answered without it.
    ///
    /// # Errors
    /// If there is none, or none yet.
    pub fn parser(&self) -> Result<&Parser, Refusal> {
        match self {
            Model::Ready(parser) => Ok(parser),
            Model::Awaited => Err(Refusal::awaiting_model()),
            Model::None => Err(Refusal::new(
                "there is no model here; start the server with --model, for example --model en",
            )),
        }
    }
}
