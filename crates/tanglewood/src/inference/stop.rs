//! Ending a computation whose answer is not wanted any more.

use std::fmt;
use std::sync::Arc;

use super::InferenceError;

/// Says, when it is asked, whether to go on.
#[derive(Clone, Default)]
pub(super) struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    pub(super) fn when(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Stop {
        Stop(Some(Arc::new(is_wanted)))
    }

    /// An error if it is time to stop.
    pub(super) fn check(&self) -> Result<(), InferenceError> {
        if self.0.as_ref().is_some_and(|stop| stop()) { Err(InferenceError::Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop" } else { "Never" })
    }
}
