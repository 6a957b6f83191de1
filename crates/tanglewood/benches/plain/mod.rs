//! The recurrence of `mh4+` in plain Rust: best score only, several roots allowed. Two tables, both with the
//! left end as the contiguous index; the innermost loop is straight-line code over left ends. To be fair, it is
//! compiled for the instructions that the charts use, too.

/// The larger of two numbers that are not NaN: one instruction, unlike `f32::max`.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The best score of a tree; `scores[head][dependent]`.
#[cfg(target_arch = "x86_64")]
pub fn best_score(scores: &[Vec<f32>]) -> f32 {
    #[target_feature(enable = "avx2")]
    fn with_avx2(scores: &[Vec<f32>]) -> f32 {
        recurrence(scores)
    }
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: asked right above.
        unsafe { with_avx2(scores) }
    } else {
        recurrence(scores)
    }
}

/// The best score of a tree; `scores[head][dependent]`.
#[cfg(not(target_arch = "x86_64"))]
pub fn best_score(scores: &[Vec<f32>]) -> f32 {
    recurrence(scores)
}

#[inline(always)]
fn recurrence(scores: &[Vec<f32>]) -> f32 {
    let nodes = scores.len();
    let end = nodes;
    // ahead[d][m]: the best head of m from d on.
    let mut ahead = vec![vec![f32::NEG_INFINITY; nodes]; nodes + 1];
    for d in (0..nodes).rev() {
        for m in 1..nodes {
            let here = if d == m { f32::NEG_INFINITY } else { scores[d][m] };
            ahead[d][m] = larger(ahead[d + 1][m], here);
        }
    }
    // into[m][a] = scores[a][m]
    let into: Vec<Vec<f32>> = (0..nodes).map(|m| (0..nodes).map(|a| scores[a][m]).collect()).collect();
    // two[d][a] and three[d][b][a] with a < b < d: left ends are contiguous.
    let mut two = vec![vec![f32::NEG_INFINITY; nodes]; end + 1];
    let mut three: Vec<Vec<f32>> = (0..=end).map(|d| vec![f32::NEG_INFINITY; d * d]).collect();
    for d in 1..=end {
        let (before, here) = three.split_at_mut(d);
        let current = &mut here[0];
        two[d][d - 1] = 0.0;
        for x in (0..d).rev() {
            if x + 1 < d {
                let mut best = f32::NEG_INFINITY;
                for b in x + 1..d {
                    best = larger(best, current[b * d + x] + larger(into[b][x], ahead[d][b]));
                }
                two[d][x] = best;
            }
            let right = two[d][x];
            for (item, two) in current[x * d..][..x].iter_mut().zip(&two[x]) {
                *item = larger(*item, two + right);
            }
            for y in x + 1..d {
                let (left, right) = (two[d][y], current[y * d + x]);
                let best_x = larger(scores[y][x], ahead[d][x]);
                let best_y = larger(scores[x][y], ahead[d][y]);
                let (low, high) = current.split_at_mut(y * d);
                let (row_x, row_y) = (&mut low[x * d..][..x], &mut high[..x]);
                let (first_two, first_three) = (&two[x][..x], &before[y][x * y..][..x]);
                let (into_x, into_y) = (&into[x][..x], &into[y][..x]);
                // Adding zero keeps the compiler from stores by mask, which take dozens of cycles.
                for a in 0..x {
                    let four = larger(first_three[a] + left, first_two[a] + right);
                    row_y[a] = larger(row_y[a], four + larger(best_x, into_x[a])) + 0.0;
                    row_x[a] = larger(row_x[a], four + larger(best_y, into_y[a])) + 0.0;
                }
            }
        }
    }
    two[end][0]
}
