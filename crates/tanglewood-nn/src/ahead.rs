//! Arc scores for searches that go from left to right and cannot take anything back.
//!
//! To a search that sees one transition at a time, arc scores alone say nothing about when to make an arc: a
//! word that is removed too early is lost as a head for others. So a reduce pays for what it takes away: how
//! much worse the dependent's head is than its best one, and how much those words lose that have the
//! dependent as their best head and have not been attached yet. What costs nothing is done at once.

use tanglewood::scores::{ArcScores, TransitionScores, View};
use tanglewood::system::Address;

/// What makes a reduce that costs nothing better than a shift.
const AT_ONCE: f64 = 1e-3;

/// What transitions cost, by arc scores alone.
#[derive(Clone, Debug)]
pub struct Ahead<'a> {
    arcs: &'a ArcScores,
    /// For each word the score of its best head.
    best: Vec<f64>,
    /// For each word the best head, and by how much that is better than the second best.
    wants: Vec<(usize, f64)>,
    /// For each node those words whose best head it is, with what they and all later ones lose without it.
    wanted_by: Vec<Vec<(usize, f64)>>,
}

impl<'a> Ahead<'a> {
    /// Estimates for one sentence from its arc scores.
    pub fn new(arcs: &'a ArcScores) -> Ahead<'a> {
        let nodes = arcs.len() + 1;
        let mut best = vec![f64::NEG_INFINITY; nodes];
        let mut second = vec![f64::NEG_INFINITY; nodes];
        let mut heads = vec![0; nodes];
        for head in 0..nodes {
            for (word, &score) in arcs.row(head).iter().enumerate() {
                if score > best[word] {
                    (second[word], best[word], heads[word]) = (best[word], score, head);
                } else if score > second[word] {
                    second[word] = score;
                }
            }
        }
        let mut wanted_by = vec![Vec::new(); nodes];
        let wants: Vec<(usize, f64)> =
            (0..nodes).map(|word| (heads[word], best[word] - second[word])).collect();
        for word in (1..nodes).rev() {
            let (head, gap) = wants[word];
            let list: &mut Vec<(usize, f64)> = &mut wanted_by[head];
            let later = list.last().map_or(0.0, |&(_, sum)| sum);
            list.push((word, later + gap));
        }
        wanted_by.iter_mut().for_each(|list| list.reverse());
        Ahead { arcs, best, wants, wanted_by }
    }

    /// What is lost if a node is removed before the words from `front` on, and these ones, have got their
    /// heads.
    fn lost(&self, node: usize, stack: &[usize], front: usize) -> f64 {
        let list = &self.wanted_by[node];
        let later = list.get(list.partition_point(|&(word, _)| word < front)).map_or(0.0, |&(_, sum)| sum);
        let on_stack = stack.iter().filter(|&&word| word != 0 && self.wants[word].0 == node);
        later + on_stack.map(|&word| self.wants[word].1).sum::<f64>()
    }
}

impl TransitionScores for Ahead<'_> {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn shift(&self, _: Option<usize>, _: usize) -> f64 {
        0.0
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        let word = view.stack[dependent];
        let score = self.arcs.reduce(view, head, dependent);
        if score == f64::NEG_INFINITY {
            return score;
        }
        score - self.best[word] - self.lost(word, view.stack, view.front) + AT_ONCE
    }

    /// Only charts ask for it, and for the next.
    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        self.arcs.get(head, dependent)
    }

    fn deepest_context(&self, _: &[usize], _: usize) -> f64 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use tanglewood::search::greedy;
    use tanglewood::{System, Tree};

    use super::*;

    #[test]
    fn a_tree_that_is_sure_is_found_greedily() {
        let system = System::named("mh4+").unwrap();
        for heads in [&[2, 0, 2][..], &[3, 4, 0, 3], &[2, 4, 4, 0, 4, 8, 8, 2], &[0, 1, 2, 3, 4]] {
            let tree = Tree::from_heads(heads).unwrap();
            let mut arcs = ArcScores::new(tree.len());
            tree.arcs().for_each(|(head, word)| arcs.set(head, word, 5.0).unwrap());
            let found =
                |scores: &dyn TransitionScores| greedy(&system, scores, true).unwrap().1.tree().unwrap();
            assert_eq!(found(&Ahead::new(&arcs)), tree);
        }
    }

    #[test]
    fn a_removed_head_costs_what_its_dependents_lose() {
        let mut arcs = ArcScores::new(3);
        arcs.set(1, 2, 4.0).unwrap();
        arcs.set(1, 3, 3.0).unwrap();
        arcs.set(2, 3, 1.0).unwrap();
        let ahead = Ahead::new(&arcs);
        assert_eq!([ahead.lost(1, &[], 2), ahead.lost(1, &[], 3), ahead.lost(1, &[2], 3)], [6.0, 2.0, 6.0]);
    }
}
