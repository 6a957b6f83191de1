//! Choosing instructions at run time.
//!
//! The charts are plain Rust that the compiler turns into vector code. Compiled once for the oldest processors of a family they would
//! use narrow vectors; here the same source is compiled for wider ones, too, and the widest that the processor has is called. Results are the
//! same bit for bit, because lanes are independent and Rust never fuses or reorders floating-point operations.

use super::degree1::Degree1;
use super::weights::Weights;
use crate::memory::OutOfMemory;
use crate::semiring::Semiring;

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// What every processor of this family has.
    Portable,
    /// x86-64 with 256-bit vectors.
    Avx2,
    /// x86-64 with 512-bit vectors.
    Avx512,
}

impl Instructions {
    /// All that this processor has, the best last.
    pub fn available() -> Vec<Instructions> {
        let mut available = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                available.push(Instructions::Avx2);
            }
            let wide = std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512vl");
            if wide && available.contains(&Instructions::Avx2) {
                available.push(Instructions::Avx512);
            }
        }
        available
    }

    /// The best that this processor has.
    pub fn best() -> Instructions {
        Instructions::available().pop().unwrap_or(Instructions::Portable)
    }
}

/// Work that is compiled for every instruction set: `run` and all it calls have to be `#[inline(always)]`.
pub(crate) trait Kernel {
    fn run(self);
}

/// Runs a kernel with a given instruction set, or the portable one if the processor lacks it.
pub(crate) fn run<K: Kernel>(kernel: K, instructions: Instructions) {
    #[cfg(target_arch = "x86_64")]
    match instructions {
        Instructions::Avx2 if std::arch::is_x86_feature_detected!("avx2") => {
            // SAFETY: the processor has these instructions; it was asked right above.
            return unsafe { run_avx2(kernel) };
        }
        Instructions::Avx512
            if std::arch::is_x86_feature_detected!("avx2")
                && std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512vl") =>
        {
            // SAFETY: as above.
            return unsafe { run_avx512(kernel) };
        }
        _ => {}
    }
    let _ = instructions;
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) {
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) {
    kernel.run();
}

/// Defines a function that fills a chart with a given instruction set, or the portable one if the processor lacks it.
macro_rules! dispatch {
    ($name:ident, $avx2:ident, $avx512:ident, $chart:ident, $doc:literal) => {
        #[doc = $doc]
        pub(super) fn $name<S: Semiring>(
            weights: &Weights<'_, S>,
            instructions: Instructions,
        ) -> Result<$chart<S>, OutOfMemory> {
            #[cfg(target_arch = "x86_64")]
            if Instructions::available().contains(&instructions) {
                match instructions {
                    Instructions::Portable => {}
                    // SAFETY: the processor has these instructions; it was asked right above.
                    Instructions::Avx2 => return unsafe { $avx2(weights) },
                    // SAFETY: as above.
                    Instructions::Avx512 => return unsafe { $avx512(weights) },
                }
            }
            let _ = instructions;
            $chart::fill(weights)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2<S: Semiring>(weights: &Weights<'_, S>) -> Result<$chart<S>, OutOfMemory> {
            $chart::fill(weights)
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,avx512f,avx512vl")]
        fn $avx512<S: Semiring>(weights: &Weights<'_, S>) -> Result<$chart<S>, OutOfMemory> {
            $chart::fill(weights)
        }
    };
}

dispatch!(fill_degree1, degree1_avx2, degree1_avx512, Degree1, "Fills a degree-1 chart.");
