//! Several threads for one chart.
//!
//! What has to be computed for one (i, j) is cut into parts that do not depend on each other. A part computes its numbers in the same order, however
//! many threads there are, so that results are the same bit for bit.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::simd::{self, Instructions, Kernel};

/// Parts of fewer operations than that, all together, are not worth waking up other threads.
const ENOUGH: usize = 50_000;

/// Work that can be cut into parts.
pub(super) trait Divisible: Kernel + Sized + Send {
    /// About how many operations it takes.
    fn operations(&self) -> usize;

    /// Parts that together do the same.
    fn parts(self) -> Vec<Self>;
}

/// One thread or several.
pub(super) struct Team {
    instructions: Instructions,
    pool: Option<rayon::ThreadPool>,
}

impl Team {
    /// Starts so many threads, if they are more than one. If they cannot be started, the calling one does it all.
    pub fn new(instructions: Instructions, threads: usize) -> Team {
        let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok());
        Team { instructions, pool: pool.flatten() }
    }

    /// Does something that may share work. All threads stay awake for it: to wake one up takes longer than most parts do.
    pub fn work<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs a kernel in the calling thread.
    pub fn run(&self, kernel: impl Kernel) {
        simd::run(kernel, self.instructions);
    }

    /// Runs a kernel in all threads, if that is worth it; from [`Team::work`].
    pub fn share(&self, kernel: impl Divisible) {
        if self.pool.is_some() && kernel.operations() >= ENOUGH {
            kernel.parts().into_par_iter().for_each(|part| self.run(part));
        } else {
            self.run(kernel);
        }
    }
}
