//! Pseudo-random numbers that are the same everywhere and for ever.

/// SplitMix64 (Steele, Lea and Flood 2014). Samples are part of what the library promises to repeat, so the
/// generator is fixed here rather than left to a dependency that may change its stream.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator that starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number that is at least 0 and below 1.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}
