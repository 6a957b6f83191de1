//! Loops compiled for wider vectors, too.
//!
//! As in the library's charts: plain Rust that the compiler turns into vector code is compiled once for every processor and once for
//! those with 256-bit vectors, and the processor is asked which to call. Both do the same operations in the same order, since Rust never
//! fuses or reorders them, so that results are the same bit for bit.

/// Defines a function whose body is compiled twice.
macro_rules! vectorised {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident<$T:ident: $bound:ident>($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name<$T: $bound>($($argument: $type),*) $(-> $result)? {
            #[inline(always)]
            fn portable<$T: $bound>($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide<$T: $bound>($($argument: $type),*) $(-> $result)? {
                    portable($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the function is safe code; all it needs is a processor with these instructions, and it was asked right above.
                    return unsafe { wide($($argument),*) };
                }
            }
            portable($($argument),*)
        }
    };
}

pub(crate) use vectorised;
