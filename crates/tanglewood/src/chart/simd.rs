//! Choosing instructions at run time.
//!
//! The charts are plain Rust that the compiler turns into vector code. Compiled once for the oldest
//! processors of a family they would use narrow vectors; here the same source is compiled for wider ones,
//! too, and the widest that the processor has is called. Results are the same bit for bit, because lanes are
//! independent and Rust never fuses or reorders floating-point operations. Each instruction set costs compile
//! time, so vectors of 512 bits are used only by kernels that [gain](Kernel::WIDE) by them.

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// What every processor of this family has.
    Portable,
    /// x86-64 with 256-bit vectors.
    Avx2,
    /// x86-64 with 512-bit vectors, and twice as many registers.
    Avx512,
}

impl Instructions {
    /// All that this processor has, the best last.
    pub fn available() -> Vec<Instructions> {
        // Other processors have nothing to add.
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut available = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            available.extend(has_avx2().then_some(Instructions::Avx2));
            available.extend(has_avx512().then_some(Instructions::Avx512));
        }
        available
    }

    /// The best that this processor has.
    pub fn best() -> Instructions {
        Instructions::available().pop().unwrap_or(Instructions::Portable)
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has_avx2()
        && std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
}

/// Work that is compiled for every instruction set: `run` and all it calls have to be `#[inline(always)]`.
pub(crate) trait Kernel {
    /// False if the kernel is compiled once, for the portable instructions, since it has no vector code.
    const VECTORS: bool = true;

    /// True if the kernel is compiled for 512-bit vectors, too.
    const WIDE: bool = false;

    fn run(self);
}

/// Runs a kernel with a given instruction set, or the widest below it that the processor has and the kernel is
/// compiled for.
pub(crate) fn run<K: Kernel>(kernel: K, instructions: Instructions) {
    #[cfg(target_arch = "x86_64")]
    if K::VECTORS {
        if K::WIDE && instructions >= Instructions::Avx512 && has_avx512() {
            // SAFETY: the processor has these instructions; it was asked right above.
            return unsafe { run_avx512(kernel) };
        }
        if instructions >= Instructions::Avx2 && has_avx2() {
            // SAFETY: as above.
            return unsafe { run_avx2(kernel) };
        }
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
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) {
    kernel.run();
}
