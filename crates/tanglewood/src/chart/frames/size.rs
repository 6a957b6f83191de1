//! How large charts of frames are: bytes, known before anything is allocated, and items.

use super::block::{self, BLOCK};
use super::layout::Rows;
use crate::chart::lanes::LANES;
use crate::semiring::Boolean;

/// Number of bytes that a chart takes, with the workspace of filling it, for numbers of a given size;
/// saturates. The outside pass takes no more than that once again.
pub(in crate::chart) fn bytes(frame: usize, words: usize, bytes_per_number: usize) -> u64 {
    let n = words as u128 + 1;
    let left_ends = n.next_multiple_of(LANES as u128);
    let lanes = LANES as u128;
    let pairs = 2 * left_ends * n + (5 + frame as u128) * (n + 1) * n;
    let triples = if frame > 3 { Rows::<Boolean>::numbers(words, 1) } else { 0 };
    let quadruples = if frame > 4 { Rows::<Boolean>::numbers(words, 2) } else { 0 };
    let fourth = if frame > 4 { n * n * (lanes.max(left_ends) + n / 2) } else { 0 };
    let layer = 2 * n * n + (lanes + 2) * n + fourth;
    let outside = (3 + left_ends / n) * n * n + fourth;
    let layers = block::numbers(frame, words).map_or(layer, |block| BLOCK as u128 * layer + block as u128);
    let workspace = layers.max(outside);
    u64::try_from((pairs + triples + quadruples + workspace) * bytes_per_number as u128).unwrap_or(u64::MAX)
}

/// Number of items of a chart; none if that does not fit a machine word.
pub(in crate::chart) fn items(frame: usize, words: usize) -> Option<usize> {
    let n = words as u128;
    // Two, three, four of 0..=n + 1.
    let pairs = (n + 2) * (n + 1) / 2;
    let triples = if frame > 3 { pairs * n / 3 } else { 0 };
    let quadruples = if frame > 4 { pairs * n / 3 * n.saturating_sub(1) / 4 } else { 0 };
    usize::try_from(pairs + triples + quadruples).ok()
}
