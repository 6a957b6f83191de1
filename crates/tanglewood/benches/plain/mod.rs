//! The recurrence of `mh4+` in plain Rust: best score only, several roots allowed. Two tables, both with the
//! left end as the contiguous index; the innermost loop is straight-line code over left ends, eight at a time,
//! compiled for the same instructions as the charts.

use tanglewood::chart::Instructions;

const LANES: usize = 8;

/// The larger of two numbers that are not NaN: one instruction, unlike `f32::max`.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The best score of a tree; `scores[head][dependent]`.
pub fn best_score(scores: &[Vec<f32>]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if Instructions::best() == Instructions::Avx2 {
        // SAFETY: the processor has these instructions; it was asked right above.
        return unsafe { for_avx2(scores) };
    }
    kernel(scores)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn for_avx2(scores: &[Vec<f32>]) -> f32 {
    kernel(scores)
}

#[inline(always)]
fn kernel(scores: &[Vec<f32>]) -> f32 {
    let nodes = scores.len();
    let end = nodes;
    let stride = nodes.next_multiple_of(LANES);
    // ahead[d][m]: the best head of m from d on.
    let mut ahead = vec![vec![f32::NEG_INFINITY; nodes]; nodes + 1];
    for d in (0..nodes).rev() {
        for m in 1..nodes {
            let here = if d == m { f32::NEG_INFINITY } else { scores[d][m] };
            ahead[d][m] = larger(ahead[d + 1][m], here);
        }
    }
    // into[m * stride + a] = scores[a][m]
    let mut into = vec![f32::NEG_INFINITY; nodes * stride];
    for (a, row) in scores.iter().enumerate() {
        row.iter().enumerate().for_each(|(m, &score)| into[m * stride + a] = score);
    }
    // two[d][a] and three[d][b][a]: left ends are contiguous, and −∞ where there is no item.
    let mut two = vec![f32::NEG_INFINITY; (end + 1) * stride];
    let mut three = vec![f32::NEG_INFINITY; (end + 1) * nodes * stride];
    for d in 1..=end {
        let (before, current) = three.split_at_mut(d * nodes * stride);
        two[d * stride + d - 1] = 0.0;
        for x in (0..d).rev() {
            if x + 1 < d {
                let mut best = f32::NEG_INFINITY;
                for b in x + 1..d {
                    let score = larger(into[b * stride + x], ahead[d][b]);
                    best = larger(best, current[b * stride + x] + score);
                }
                two[d * stride + x] = best;
            }
            let width = x.next_multiple_of(LANES);
            let right = two[d * stride + x];
            for a in 0..x {
                let at = x * stride + a;
                current[at] = larger(current[at], two[at] + right);
            }
            for y in x + 1..d {
                let (left, right) = (two[d * stride + y], current[y * stride + x]);
                let (best_x, best_y) = (larger(scores[y][x], ahead[d][x]), larger(scores[x][y], ahead[d][y]));
                let (low, high) = current.split_at_mut(y * stride);
                let (row_x, row_y) = (&mut low[x * stride..][..width], &mut high[..width]);
                let first_two = &two[x * stride..][..width];
                let first_three = &before[(y * nodes + x) * stride..][..width];
                let (into_x, into_y) = (&into[x * stride..][..width], &into[y * stride..][..width]);
                let rows = row_x.as_chunks_mut::<LANES>().0.iter_mut().zip(row_y.as_chunks_mut::<LANES>().0);
                let firsts = first_two.as_chunks::<LANES>().0.iter().zip(first_three.as_chunks::<LANES>().0);
                let heads = into_x.as_chunks::<LANES>().0.iter().zip(into_y.as_chunks::<LANES>().0);
                for (((to_x, to_y), (two, three)), (into_x, into_y)) in rows.zip(firsts).zip(heads) {
                    // All numbers are read before any is written, so that nothing is stored under a mask.
                    let (mut new_x, mut new_y) = (*to_x, *to_y);
                    for a in 0..LANES {
                        let four = larger(three[a] + left, two[a] + right);
                        new_y[a] = larger(new_y[a], four + larger(best_x, into_x[a]));
                        new_x[a] = larger(new_x[a], four + larger(best_y, into_y[a]));
                    }
                    (*to_x, *to_y) = (new_x, new_y);
                }
            }
        }
    }
    two[end * stride]
}
