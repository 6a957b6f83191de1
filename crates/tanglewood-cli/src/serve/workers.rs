//! Work that takes long, on threads of its own, and only so much of it at once.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Threads that work.
#[derive(Clone)]
pub struct Workers(Arc<Semaphore>);

impl Workers {
    /// As many as there are cores.
    pub fn new() -> Workers {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Workers(Arc::new(Semaphore::new(cores)))
    }

    /// Does some work when it is its turn. If whoever asked has gone by then, it is not begun; once begun it
    /// is finished, and its place is taken until then.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let place = self.0.clone().acquire_owned().await.ok()?;
        let result = spawn_blocking(move || {
            let result = work();
            drop(place);
            result
        });
        result.await.ok()
    }
}
