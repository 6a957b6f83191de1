//! Loops compiled for wider vectors, too.
//!
//! As in the library's charts: plain Rust that the compiler turns into vector code is compiled once for every
//! processor and once for each kind of wider vectors, and the processor is asked which to call. All of them
//! do the same operations in the same order, since Rust never fuses or reorders them, so that results are the
//! same bit for bit.

use std::sync::atomic::{AtomicU8, Ordering};

/// Which instructions are used. What is computed does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// Instructions that every processor of the architecture has.
    Portable,
    /// 256-bit vectors (AVX2).
    Avx2,
    /// 512-bit vectors and products of small integers (AVX-512 with BW, DQ, VL and VNNI).
    Avx512,
}

/// The instructions in use, plus one; 0 if nobody has asked yet.
static CURRENT: AtomicU8 = AtomicU8::new(0);

impl Instructions {
    /// All instruction sets, the narrowest first.
    pub const ALL: [Instructions; 3] = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];

    /// Name of the instruction set.
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Portable => "portable",
            Instructions::Avx2 => "avx2",
            Instructions::Avx512 => "avx512",
        }
    }

    /// The instructions of this name.
    pub fn named(name: &str) -> Option<Instructions> {
        Instructions::ALL.into_iter().find(|instructions| instructions.name() == name)
    }

    /// The widest that this processor has.
    pub fn widest() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let narrow = has!("avx2");
            let wide = has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl");
            if narrow && wide && has!("avx512vnni") {
                return Instructions::Avx512;
            }
            if narrow {
                return Instructions::Avx2;
            }
        }
        Instructions::Portable
    }

    /// Those in use: the widest that this processor has, unless [`limit`](Instructions::limit) was called.
    /// Never more than it has.
    #[inline]
    pub fn current() -> Instructions {
        match CURRENT.load(Ordering::Relaxed) {
            1 => Instructions::Portable,
            2 => Instructions::Avx2,
            3 => Instructions::Avx512,
            _ => Instructions::limit(Instructions::Avx512),
        }
    }

    /// From now on, this process uses no wider vectors than these. Returns those that are in use then.
    /// Results are the same; to show that, and to measure, is what this is for.
    #[cold]
    pub fn limit(most: Instructions) -> Instructions {
        let used = most.min(Instructions::widest());
        CURRENT.store(used as u8 + 1, Ordering::Relaxed);
        used
    }
}

/// Defines a function whose body is compiled for each kind of [`Instructions`].
macro_rules! vectorised {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident$(<$T:ident: $bound:ident>)?($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name$(<$T: $bound>)?($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments)]
            fn portable$(<$T: $bound>)?($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                use $crate::simd::Instructions;
                #[target_feature(enable = "avx2")]
                fn wide$(<$T: $bound>)?($($argument: $type),*) $(-> $result)? {
                    portable($($argument),*)
                }
                #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
                fn widest$(<$T: $bound>)?($($argument: $type),*) $(-> $result)? {
                    portable($($argument),*)
                }
                match Instructions::current() {
                    // SAFETY: the functions are safe code; all they need is a processor with these
                    // instructions, and those in use are never more than it has.
                    Instructions::Avx512 => return unsafe { widest($($argument),*) },
                    // SAFETY: as above.
                    Instructions::Avx2 => return unsafe { wide($($argument),*) },
                    Instructions::Portable => {}
                }
            }
            portable($($argument),*)
        }
    };
}

pub(crate) use vectorised;
