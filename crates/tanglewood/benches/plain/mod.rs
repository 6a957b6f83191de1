//! The recurrence of `mh4+` in plain Rust: best score only, several roots allowed, no instructions chosen.
//! Two tables, both with the left end as the contiguous index; the innermost loop is straight-line code over
//! left ends.

/// The larger of two numbers that are not NaN: one instruction, unlike `f32::max`.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The best score of a tree; `scores[head][dependent]`.
pub fn best_score(scores: &[Vec<f32>]) -> f32 {
    let nodes = scores.len();
    let end = nodes;
    // ahead[d][m]: the best head of m from d on.
    let mut ahead = vec![vec![f32::NEG_INFINITY; nodes]; nodes + 1];
    for d in (0..nodes).rev() {
        for m in 1..nodes {
            let here = if d == m { f32::NEG_INFINITY } else { scores[d][m] };
            ahead[d][m] = ahead[d + 1][m].max(here);
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
                    best = best.max(current[b * d + x] + into[b][x].max(ahead[d][b]));
                }
                two[d][x] = best;
            }
            let right = two[d][x];
            for (item, two) in current[x * d..][..x].iter_mut().zip(&two[x]) {
                *item = larger(*item, two + right);
            }
            for y in x + 1..d {
                let (left, right) = (two[d][y], current[y * d + x]);
                let (best_x, best_y) = (scores[y][x].max(ahead[d][x]), scores[x][y].max(ahead[d][y]));
                let (low, high) = current.split_at_mut(y * d);
                let (row_x, row_y) = (&mut low[x * d..][..x], &mut high[..x]);
                let (first_two, first_three) = (&two[x][..x], &before[y][x * y..][..x]);
                let (into_x, into_y) = (&into[x][..x], &into[y][..x]);
                for a in 0..x {
                    let four = larger(first_three[a] + left, first_two[a] + right);
                    row_y[a] = larger(row_y[a], four + larger(best_x, into_x[a]));
                    row_x[a] = larger(row_x[a], four + larger(best_y, into_y[a]));
                }
            }
        }
    }
    two[end][0]
}
