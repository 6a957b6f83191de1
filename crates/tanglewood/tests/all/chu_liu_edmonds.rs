//! The textbook algorithm: contract a cycle, solve the smaller problem, expand; for a single root, try each
//! word as the root. A twin for tests, and what the benchmark compares with.

use tanglewood::Tree;
use tanglewood::scores::ArcScores;

const NONE: f64 = f64::NEG_INFINITY;

/// The best tree, if there is one.
pub fn best_tree(scores: &ArcScores, single_root: bool) -> Option<Tree> {
    let n = scores.len();
    if n == 0 {
        return Tree::from_heads(&[]).ok().filter(|_| !single_root);
    }
    let matrix: Vec<Vec<f64>> = (0..=n).map(|h| (0..=n).map(|d| scores.get(h, d)).collect()).collect();
    let tree = heads(&matrix).and_then(|heads| Tree::from_heads(&heads[1..]).ok());
    // Without a tree there is none with a single root, and if the best one has it, it is the best of those.
    if !single_root || tree.as_ref().is_none_or(Tree::has_single_root) {
        return tree;
    }
    let mut best: Option<(f64, Tree)> = None;
    for root in 1..=n {
        let mut matrix = matrix.clone();
        (1..=n).filter(|&word| word != root).for_each(|word| matrix[0][word] = NONE);
        let Some(heads) = heads(&matrix) else { continue };
        let tree = Tree::from_heads(&heads[1..]).expect("a tree");
        let score = scores.of_tree(&tree);
        if best.as_ref().is_none_or(|(of_best, _)| score > *of_best) {
            best = Some((score, tree));
        }
    }
    best.map(|(_, tree)| tree)
}

/// The head of each node in the best tree from node 0.
fn heads(matrix: &[Vec<f64>]) -> Option<Vec<usize>> {
    let nodes = matrix.len();
    let mut greedy = vec![0; nodes];
    for dependent in 1..nodes {
        let best = (0..nodes).filter(|&head| head != dependent && matrix[head][dependent] > NONE);
        greedy[dependent] = best.max_by(|&a, &b| matrix[a][dependent].total_cmp(&matrix[b][dependent]))?;
    }
    let Some(cycle) = cycle(&greedy) else { return Some(greedy) };
    // The smaller graph: everything outside the cycle in order, then the cycle.
    let outside: Vec<usize> = (0..nodes).filter(|node| !cycle.contains(node)).collect();
    let contracted = outside.len();
    let mut smaller = vec![vec![NONE; contracted + 1]; contracted + 1];
    let mut enters = vec![0; contracted];
    let mut leaves = vec![0; contracted];
    for (a, &from) in outside.iter().enumerate() {
        for (b, &to) in outside.iter().enumerate() {
            smaller[a][b] = matrix[from][to];
        }
        for &word in &cycle {
            let entering = matrix[from][word] - matrix[greedy[word]][word];
            if entering > smaller[a][contracted] {
                (smaller[a][contracted], enters[a]) = (entering, word);
            }
            if matrix[word][from] > smaller[contracted][a] {
                (smaller[contracted][a], leaves[a]) = (matrix[word][from], word);
            }
        }
    }
    let inner = heads(&smaller)?;
    let mut heads = greedy;
    for (a, &to) in outside.iter().enumerate().skip(1) {
        heads[to] = if inner[a] == contracted { leaves[a] } else { outside[inner[a]] };
    }
    heads[enters[inner[contracted]]] = outside[inner[contracted]];
    Some(heads)
}

fn cycle(heads: &[usize]) -> Option<Vec<usize>> {
    for start in 1..heads.len() {
        let mut at = start;
        for _ in 0..heads.len() {
            at = heads[at];
        }
        if at != 0 {
            let mut cycle = vec![at];
            let mut next = heads[at];
            while next != at {
                cycle.push(next);
                next = heads[next];
            }
            return Some(cycle);
        }
    }
    None
}
