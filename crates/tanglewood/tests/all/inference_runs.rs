//! Sums over runs with arc and window scores, and how often each score is used: against all runs, one by one.

use std::collections::HashMap;

use tanglewood::inference::InferenceError;
use tanglewood::scores::{ArcScores, HeadKind, TransitionScores, Use, View, WindowPair};
use tanglewood::system::Address;
use tanglewood::{Configuration, Direction, System, Transition, Tree};

use crate::brute_force::Random;
use crate::inference::{DENSE, inference, system};
use crate::support::{Windows, close, each_run_in, ordinary, random_scores};

/// Scores of arcs and of everything in the window but the head.
pub struct ArcsAndWindows {
    arcs: ArcScores,
    windows: Windows,
    form: Form,
}

/// What scores say about themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Nothing, so that they are asked for each head.
    Whole,
    /// That there is an arc part.
    InParts,
    /// That contexts are by top, besides.
    ByTop,
    /// That contexts are by pairs, besides.
    ByPairs,
}

impl ArcsAndWindows {
    pub fn new(words: usize, seed: u64, form: Form) -> ArcsAndWindows {
        let arcs = random_scores(words, &mut Random(seed), seed.is_multiple_of(3), ordinary);
        ArcsAndWindows { arcs, windows: Windows { words, seed }, form }
    }
}

fn number(kind: HeadKind) -> usize {
    match kind {
        HeadKind::Stack(place) => place,
        HeadKind::Ahead => 99,
    }
}

impl TransitionScores for ArcsAndWindows {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        self.windows.shift(top, front)
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.arcs.get(view.node(head), view.stack[dependent]) + self.context(view, head.into(), dependent)
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        (self.form != Form::Whole).then_some(&self.arcs)
    }

    fn contexts_are_by_top(&self) -> bool {
        self.form == Form::ByTop
    }

    fn contexts_are_by_pairs(&self) -> bool {
        self.form == Form::ByPairs
    }

    fn pair_context(&self, pair: WindowPair, nodes: [usize; 2], dependent: usize) -> f64 {
        let score = self.windows.score(&[4000, pair as usize, nodes[0], nodes[1], dependent]);
        // Were any pair forbidden as often as a window, few sentences would have a tree.
        if score.is_finite() || nodes[0] == 2 { score } else { -1.0 }
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        let of_top = self.windows.score(&[dependent, view.front, view.stack[0]]);
        match self.form {
            Form::ByTop => return of_top,
            Form::ByPairs => {
                let pairs = WindowPair::of_reduce(view, head, dependent);
                return pairs.map(|(pair, nodes)| self.pair_context(pair, nodes, dependent)).sum::<f64>()
                    + of_top;
            }
            _ => {}
        }
        if view.stack.len() == 3 && dependent == 2 {
            return self.deepest_context(&view.stack[..2], view.front);
        }
        let mut seen = vec![number(head), dependent, view.front];
        seen.extend(view.stack);
        self.windows.score(&seen)
    }

    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        self.arcs.get(head, dependent)
    }

    fn deepest_context(&self, others: &[usize], front: usize) -> f64 {
        if let Form::ByTop | Form::ByPairs = self.form {
            return self.context(View { stack: others, front }, HeadKind::Ahead, others.len());
        }
        self.windows.score(&[3000, others[0], others[1], front])
    }
}

/// Numbers of uses, by what was used.
#[derive(Clone, Default)]
pub struct Uses(HashMap<Vec<usize>, f64>);

/// The keys of removals, where these are told apart by no more than contexts by top, or by pairs, can tell.
fn told_apart(uses: Uses, form: Form) -> Uses {
    let mut merged = Uses::default();
    for (key, count) in uses.0 {
        let (head, dependent, front, stack) = match key[..] {
            [1, head, dependent, front, ref stack @ ..] => (head, dependent, front, stack),
            [2, ref others @ .., front] => (99, 2, front, others),
            _ => {
                merged.add(key, count);
                continue;
            }
        };
        match form {
            Form::Whole | Form::InParts => merged.add(key.clone(), count),
            Form::ByTop | Form::ByPairs => {
                merged.count(Use::ReduceByTop { top: stack[0], front, slot: dependent }, count)
            }
        }
        if form == Form::ByPairs {
            let head = if head == 99 { HeadKind::Ahead } else { HeadKind::Stack(head) };
            for (pair, nodes) in WindowPair::of_reduce(View { stack, front }, head, dependent) {
                merged.count(Use::ReduceByPair { pair, nodes, slot: dependent }, count);
            }
        }
    }
    merged
}

impl Uses {
    fn add(&mut self, key: Vec<usize>, count: f64) {
        *self.0.entry(key).or_default() += count;
    }

    /// All uses in one run, `count` times each.
    fn add_run(&mut self, system: &System, words: usize, run: &[Transition], count: f64) {
        let mut configuration = Configuration::start(words);
        for &transition in run {
            let (stack, front): (Vec<usize>, usize) =
                (configuration.stack().rev().collect(), configuration.front());
            match transition {
                Transition::Shift => self.count(Use::Shift { top: stack.first().copied(), front }, count),
                Transition::Reduce { head, dependent } => {
                    let (from, to) = configuration.arc(head, dependent).unwrap();
                    self.count(Use::Arc { head: from, dependent: to }, count);
                    let deepest = match (system.frame(), head) {
                        (None, _) => 2,
                        (Some(_), Address::Stack(head)) => head.max(dependent + 1),
                        (Some(_), Address::Buffer(_)) => dependent + 1,
                    };
                    let seen = &stack[..stack.len().min(deepest + 1)];
                    if system.frame().is_none() && dependent == 2 {
                        self.count(Use::Deepest { others: [seen[0], seen[1]], front }, count);
                    } else {
                        let view = View { stack: seen, front };
                        self.count(Use::Reduce { view, head: head.into(), slot: dependent }, count);
                    }
                }
            }
            configuration.apply(transition).unwrap();
        }
    }

    fn assert_equal(&self, expected: &Uses, what: &str) {
        let keys = self.0.keys().chain(expected.0.keys());
        for key in keys {
            let count = |uses: &Uses| uses.0.get(key).copied().unwrap_or(0.0);
            let (found, expected) = (count(self), count(expected));
            assert!((found - expected).abs() < 1e-9, "{what}: {key:?} {found} {expected}");
        }
    }
}

impl Uses {
    fn count(&mut self, what: Use<'_>, count: f64) {
        let key = match what {
            Use::Shift { top, front } => vec![0, top.map_or(0, |top| top + 1), front],
            Use::Reduce { view, head, slot } => {
                let seen = [1, number(head), slot, view.front];
                seen.iter().chain(view.stack).copied().collect()
            }
            Use::Deepest { others, front } => vec![2, others[0], others[1], front],
            Use::Arc { head, dependent } => vec![3, head, dependent],
            Use::ReduceByTop { top, front, slot } => vec![4, top, front, slot],
            Use::ReduceByPair { pair, nodes, slot } => vec![5, pair as usize, nodes[0], nodes[1], slot],
        };
        self.add(key, count);
    }
}

/// Weight and uses of the runs of each tree.
pub fn by_tree(
    system: &System,
    scores: &ArcsAndWindows,
    single_root: bool,
) -> HashMap<Vec<usize>, (f64, Uses)> {
    let mut trees: HashMap<Vec<usize>, (f64, Uses)> = HashMap::new();
    each_run_in(system, scores, |run, tree: &Tree, score: f64| {
        if !single_root || tree.has_single_root() {
            let (total, uses) = trees.entry(tree.heads().collect()).or_default();
            *total += score.exp();
            uses.add_run(system, tree.len(), run, score.exp());
        }
    });
    trees
}

fn check(name: &str, words: usize, seed: u64, single_root: bool, form: Form) -> usize {
    let system = system(name);
    let scores = ArcsAndWindows::new(words, seed, form);
    let what = format!("{name}, {words} words, single root {single_root}, {form:?}");
    let trees = by_tree(&system, &scores, single_root);
    let inference = inference(&system, Direction::Ltr, single_root);
    let (mut total, mut expected) = (0.0, Uses::default());
    for (weight, uses) in trees.values() {
        total += weight;
        uses.0.iter().for_each(|(key, count)| expected.add(key.clone(), *count));
    }
    let mut uses = Uses::default();
    let found = inference.log_total(&scores, Some(&mut |what, count| uses.count(what, count)));
    if trees.is_empty() {
        assert_eq!(found, Err(InferenceError::NoTree), "{what}");
        return 0;
    }
    assert!(close(found.unwrap(), total.ln()), "{what}");
    expected.0.values_mut().for_each(|count| *count /= total);
    told_apart(uses, form).assert_equal(&told_apart(expected, form), &what);
    for (heads, (weight, of_tree)) in trees.iter().take(20) {
        let tree = Tree::from_heads(heads).unwrap();
        let mut uses = Uses::default();
        let found =
            inference.log_total_of(&tree, &scores, Some(&mut |what, count| uses.count(what, count))).unwrap();
        assert!(close(found, weight.ln()), "{what}");
        assert!(close(inference.log_total_of(&tree, &scores, None).unwrap(), weight.ln()), "{what}");
        let mut expected = of_tree.clone();
        expected.0.values_mut().for_each(|count| *count /= weight);
        uses.assert_equal(&expected, &format!("{what}: {heads:?}"));
        let best = inference.best_run_of(&tree, &scores).unwrap();
        assert_eq!(best.tree, tree, "{what}");
        assert!(best.score.exp() <= weight * (1.0 + 1e-9), "{what}");
    }
    trees.len()
}

#[test]
fn totals_and_uses_of_scores_are_those_of_all_runs() {
    let mut compared = 0;
    for (seed, name) in (0..).zip(DENSE) {
        for words in 0..=4 {
            for form in [Form::Whole, Form::InParts, Form::ByTop, Form::ByPairs] {
                for single_root in [false, true] {
                    compared += check(name, words, 50 * seed + words as u64, single_root, form);
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn totals_and_uses_of_scores_are_those_of_all_runs_of_five_words() {
    for (seed, name) in (0..).zip(DENSE) {
        for form in [Form::InParts, Form::ByTop, Form::ByPairs] {
            // Some windows are forbidden, which may leave no tree.
            let compared: usize = [false, true]
                .map(|single_root| check(name, 5, 50 * seed + 7, single_root, form))
                .iter()
                .sum();
            let again = if compared == 0 { check(name, 5, 50 * seed + 8, false, form) } else { compared };
            assert!(again > 0, "{name}, {form:?}");
        }
    }
}

#[test]
fn numbers_that_no_float_holds_change_nothing() {
    let system = system("mh4+");
    let inference = inference(&system, Direction::Ltr, true);
    let mut scores = ArcsAndWindows::new(6, 11, Form::InParts);
    let mut uses = Uses::default();
    let log = inference.log_total(&scores, Some(&mut |what, count| uses.count(what, count))).unwrap();
    // The same for all heads of a word, so that no probability changes.
    for (head, word) in (1..=6).flat_map(|word| (0..=6).map(move |head| (head, word))) {
        if head != word {
            scores.arcs.set(head, word, scores.arcs.get(head, word) + 500.0).unwrap();
        }
    }
    let mut again = Uses::default();
    assert!(close(
        inference.log_total(&scores, Some(&mut |what, count| again.count(what, count))).unwrap(),
        log + 3000.0
    ));
    again.assert_equal(&uses, "larger scores");
    // Weights that differ by more than plain numbers can.
    scores.arcs.set(1, 6, scores.arcs.get(1, 6) + 2000.0).unwrap();
    scores.arcs.set(6, 1, scores.arcs.get(6, 1) + 1000.0).unwrap();
    let mut again = Uses::default();
    inference.log_total(&scores, Some(&mut |what, count| again.count(what, count))).unwrap();
    let heads: f64 = (0..=5).filter_map(|head| again.0.get(&vec![3, head, 6])).sum();
    assert!((heads - 1.0).abs() < 1e-9, "{heads}");
}
