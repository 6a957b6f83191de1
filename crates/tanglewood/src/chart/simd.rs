//! Choosing instructions at run time.
//!
//! The charts are plain Rust that the compiler turns into vector code. Compiled once for the oldest
//! processors of a family they would use narrow vectors; here the same source is compiled for wider ones,
//! too, and the widest that the processor has is called. Results are the same bit for bit, because lanes are
//! independent and Rust never fuses or reorders floating-point operations. Vectors of 512 bits are not used:
//! eight lanes of single precision fill 256, and each instruction set costs compile time.

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// What every processor of this family has.
    Portable,
    /// x86-64 with 256-bit vectors.
    Avx2,
}

impl Instructions {
    /// All that this processor has, the best last.
    pub fn available() -> Vec<Instructions> {
        // Other processors have nothing to add.
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut available = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            available.push(Instructions::Avx2);
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
    /// False if the kernel is compiled once, for the portable instructions, since it has no vector code.
    const VECTORS: bool = true;

    fn run(self);
}

/// Runs a kernel with a given instruction set, or the portable one if the processor lacks it.
pub(crate) fn run<K: Kernel>(kernel: K, instructions: Instructions) {
    #[cfg(target_arch = "x86_64")]
    if K::VECTORS && instructions == Instructions::Avx2 && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has these instructions; it was asked right above.
        return unsafe { run_avx2(kernel) };
    }
    let _ = instructions;
    kernel.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) {
    kernel.run();
}
