//! Scores of any size in numbers of moderate size, with the same probabilities.
//!
//! Beside a score of 10³⁰, that of two equal trees being two is lost. But what matters is how far trees are from the best one, and by
//! [`duals`](super::duals),
//!
//! > score(T) − best = −Σ slack(arcs of T) − Σ |y(C)| · (times T enters C − 1).
//!
//! Now cap each slack and each |y(C)| at L = 800 + n · ln(n + 1). Trees whose terms are all below the cap keep their score. The others are below the best
//! tree by L or more, before and after; there are at most (n + 1)ⁿ⁻¹ trees, so all of them together have a probability below e⁻⁸⁰⁰, which is nothing.
//!
//! The capped terms are arc scores again: a set C of |C| words that is entered e times has |C| − e arcs inside. So each arc gets −slack plus the |y(C)| of
//! all sets that it is inside; for each word a constant is taken off such that the best tree has 0 everywhere.

use super::ScoredTree;
use super::bounds::slacks;
use super::contraction::Workspace;
use crate::scores::ArcScores;

/// Scores relative to the best tree, a row per dependent.
pub(super) fn compressed(scores: &ArcScores, best: &ScoredTree, workspace: &Workspace) -> Vec<f64> {
    let words = scores.len();
    let nodes = words + 1;
    // A whole number, so that sums of it are exact.
    let cap = (800.0 + words as f64 * (nodes as f64).ln()).ceil();
    // For each set what an arc inside it gains; sets come after those inside them.
    let forest = &workspace.forest;
    let mut gains = vec![0.0; forest.len()];
    for set in (nodes..forest.len()).rev() {
        gains[set] = workspace.price(set).abs().min(cap) + gains[forest.parent[set] as usize];
    }
    let mut compressed = slacks(scores, best, workspace);
    for slack in &mut compressed {
        *slack = if *slack < f64::INFINITY { -slack.min(cap) } else { f64::NEG_INFINITY };
    }
    let mut gain_of_best = vec![0.0; nodes];
    workspace.visit_arcs(|arc| {
        compressed[arc.word * nodes + arc.head] += gains[arc.inside];
        if best.tree.head(arc.word) == arc.head {
            gain_of_best[arc.word] = gains[arc.inside];
        }
    });
    for (word, row) in compressed.chunks_exact_mut(nodes).enumerate() {
        row.iter_mut().for_each(|score| *score -= gain_of_best[word]);
    }
    compressed
}
