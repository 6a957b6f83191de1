//! The deduction as one reads it off the paper: an array of five dimensions with room for all (n + 3)⁵
//! combinations of nodes, a loop for every index within the order that items have, h1 ≤ h2 < h3 < j, and
//! every rule tried for every pair of cells, whether derivable or not. O(n⁸).

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
    let score = |head: usize, dependent: usize| match (head, dependent) {
        (0, _) | (_, 0 | 1) => f32::NEG_INFINITY,
        (head, _) if head == end => f32::NEG_INFINITY,
        _ => scores.get(head - 1, dependent - 1) as f32,
    };
    let mut items = vec![f32::NEG_INFINITY; size.pow(5)];
    for j in 1..end {
        for h in 0..j {
            items[at(h, j, h, j, j + 1)] = 0.0;
        }
    }
    let offer = |item: usize, score: f32, items: &mut [f32]| {
        if score > items[item] {
            items[item] = score;
        }
    };
    for j in 1..=end {
        for i in (1..j).rev() {
            for k in i + 1..j {
                for h1 in 0..i {
                    for h2 in h1..k - 1 {
                        for h3 in h2 + 1..k {
                            let first = items[at(h1, i, h2, h3, k)];
                            for h4 in h3..j - 1 {
                                for h5 in h4 + 1..j {
                                    let both = first + items[at(h3, k, h4, h5, j)];
                                    for head in [h4, h2, j] {
                                        offer(at(h1, i, h2, h4, j), both + score(head, h5), &mut items);
                                    }
                                    for head in [h5, h2, j] {
                                        offer(at(h1, i, h2, h5, j), both + score(head, h4), &mut items);
                                    }
                                    for head in [h4, h5, j] {
                                        offer(at(h1, i, h4, h5, j), both + score(head, h2), &mut items);
                                    }
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
