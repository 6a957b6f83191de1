//! Tabulation without the hook trick: a five-dimensional array, a loop for every index, every rule tried for
//! every pair of items. O(n⁸). Only indices that items can have, and nothing is tried for items that cannot
//! be derived; [`textbook`] does without that.

pub mod textbook;

use tanglewood::scores::ArcScores;

/// The best score in the system `all`, several roots allowed.
pub fn best_score(scores: &ArcScores) -> f32 {
    let n = scores.len();
    // Nodes are moved up by one; 0 stands for ε, below the root.
    let size = n + 3;
    let end = n + 2;
    let at = |h1: usize, i: usize, h2: usize, h3: usize, j: usize| {
        (((h1 * size + i) * size + h2) * size + h3) * size + j
    };
    let mut arcs = vec![f32::NEG_INFINITY; size * size];
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            arcs[(head + 1) * size + dependent + 1] = scores.get(head, dependent) as f32;
        }
    }
    let arc = |head: usize, dependent: usize| arcs[head * size + dependent];
    let mut items = vec![f32::NEG_INFINITY; size.pow(5)];
    for j in 1..end {
        for h in 0..j {
            items[at(h, j, h, j, j + 1)] = 0.0;
        }
    }
    for j in 1..=end {
        for i in (1..j).rev() {
            for k in i + 1..j {
                for h1 in 0..i {
                    for h2 in std::iter::once(h1).chain(i..k) {
                        for h3 in i..k {
                            let first = items[at(h1, i, h2, h3, k)];
                            if first == f32::NEG_INFINITY {
                                continue;
                            }
                            for h4 in std::iter::once(h3).chain(k..j) {
                                for h5 in k..j {
                                    let second = items[at(h3, k, h4, h5, j)];
                                    if second == f32::NEG_INFINITY {
                                        continue;
                                    }
                                    let both = first + second;
                                    let remove = |dependent: usize, one: usize, other: usize| {
                                        both + arc(one, dependent)
                                            .max(arc(other, dependent))
                                            .max(arc(j, dependent))
                                    };
                                    let target = &mut items[at(h1, i, h2, h4, j)];
                                    *target = target.max(remove(h5, h4, h2));
                                    let target = &mut items[at(h1, i, h2, h5, j)];
                                    *target = target.max(remove(h4, h5, h2));
                                    let target = &mut items[at(h1, i, h4, h5, j)];
                                    *target = target.max(remove(h2, h4, h5));
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    items[at(0, 1, 0, 1, end)]
}
