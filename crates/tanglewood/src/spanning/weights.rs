//! Weights of arcs, and the systems of words in which trees are summed.
//!
//! A constant is taken from all scores of a word, which changes no probability: weights of its heads then sum
//! to one. With a single root, that is for heads that are words; of root weights, of which each tree has one,
//! the largest is one. Plain numbers so reach far enough for almost all scores, of whatever size: what counts
//! are differences between scores of the same word, and these are taken exactly. Where they do not, [`Wide`]
//! numbers do, of scores without gaps; see [`gaps`](crate::scores::gaps).
//!
//! **Blocks, for a single root.** The elimination for a single root needs another head for each word until it
//! is the last. Let K be the words that can be reached from the root word ρ of some tree by going from words
//! to possible heads. From all words one can come to ρ, since there is that tree; so inside K one can come
//! from everywhere to everywhere, and there is always another head. And no head of a word in K is a word
//! outside; so some word of K has to hang from the root, and no other word does. What is outside K thus is a
//! problem of its own: all words of K are as good as the root for it, of which several arcs may come. If all
//! arcs are allowed, K is the sentence.

use super::elimination::{System, TreeWeight};
use crate::Tree;
use crate::chart::simd::{self, Instructions, Kernel};
use crate::scores::ArcScores;
use crate::scores::scale::ExactSum;
use crate::semiring::Real;

/// Words whose heads are among themselves, or in a set that counts as the root.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub words: Vec<usize>,
    pub roots: Vec<usize>,
    pub several_roots: bool,
}

impl Block {
    /// The blocks that trees consist of, given one of them if an arc is forbidden.
    pub fn all(scores: &ArcScores, single_root: bool, tree: Option<&Tree>) -> Vec<Block> {
        let words = scores.len();
        let (Some(tree), true) = (tree, single_root) else {
            let all = Block { words: (1..=words).collect(), roots: vec![0], several_roots: !single_root };
            return vec![all];
        };
        let mut inside = vec![false; words + 1];
        let mut pending: Vec<usize> = tree.roots().collect();
        while let Some(word) = pending.pop() {
            if !std::mem::replace(&mut inside[word], true) {
                let possible = |&head: &usize| scores.get(head, word) > f64::NEG_INFINITY;
                pending.extend((1..=words).filter(|&head| !inside[head]).filter(possible));
            }
        }
        let (core, rest): (Vec<usize>, Vec<usize>) = (1..=words).partition(|&word| inside[word]);
        let outer = Block { words: rest, roots: core.clone(), several_roots: true };
        let core = Block { words: core, roots: vec![0], several_roots: false };
        if outer.words.is_empty() { vec![core] } else { vec![core, outer] }
    }
}

/// Weights of all arcs of a sentence: the root's in the last row, as in a [`System`] of all words.
pub(super) struct Weights<S, const LANES: usize>(pub System<S, LANES>);

impl<S: TreeWeight, const LANES: usize> Weights<S, LANES> {
    /// Weights of scores as they are.
    pub fn of_scores(scores: &ArcScores) -> Weights<S, LANES> {
        let mut all = System::new(scores.len(), true);
        for (head, word) in scores.arcs() {
            let row = head.checked_sub(1).unwrap_or(all.size);
            all.weights[row * all.stride + word - 1] = S::from_score(scores.get(head, word));
        }
        Weights(all)
    }

    /// The weight of an arc.
    pub fn get(&self, head: usize, word: usize) -> S {
        self.0.get(head.checked_sub(1).unwrap_or(self.0.size), word - 1)
    }

    /// The system of a block.
    pub fn system(&self, block: &Block) -> System<S, LANES> {
        if block.words.len() == self.0.size {
            return System { several_roots: block.several_roots, ..self.0.clone() };
        }
        let mut system = System::new(block.words.len(), block.several_roots);
        for (column, &word) in block.words.iter().enumerate() {
            for (row, &head) in block.words.iter().enumerate() {
                system.weights[row * system.stride + column] = self.get(head, word);
            }
            let from_roots = block.roots.iter().map(|&root| self.get(root, word));
            system.weights[system.size * system.stride + column] = from_roots.fold(S::ZERO, S::plus);
        }
        system
    }
}

/// What was taken from scores before they became plain weights.
pub(super) struct Constants {
    /// Of each word.
    words: Vec<f64>,
    /// Of root arcs on top of that, in two parts whose sum is not rounded.
    root: (f64, f64),
    /// The logarithms of the sums over each word's heads, by which weights were divided.
    log_sums: Vec<f64>,
}

impl Constants {
    /// The logarithm of an arc's weight.
    pub fn log_weight(&self, scores: &ArcScores, head: usize, word: usize) -> f64 {
        let score = scores.get(head, word);
        let less = if head == 0 { self.of_root(score, word) } else { score - self.words[word] };
        less - self.log_sums[word]
    }

    /// A root arc's score less the constants.
    fn of_root(&self, score: f64, word: usize) -> f64 {
        let (high, low) = difference(score, self.words[word]);
        (high - self.root.0) + (low - self.root.1)
    }

    /// The sum of all that was taken, added to the logarithm of a sum of weights.
    pub fn put_back(&self, log: f64) -> f64 {
        let mut sum = ExactSum::default();
        let taken = self.words[1..].iter().chain(&self.log_sums[1..]);
        taken.chain([&self.root.0, &self.root.1, &log]).for_each(|&term| sum.add(term));
        sum.value()
    }
}

/// a − b as the sum of a rounded number and what rounding took.
fn difference(a: f64, b: f64) -> (f64, f64) {
    let high = a - b;
    let back = high - a;
    let low = (a - (high - back)) - (b + back);
    (high, if low.is_finite() { low } else { 0.0 })
}

impl Weights<Real, 8> {
    /// Weights as plain numbers, and what was taken from the scores.
    pub fn plain(scores: &ArcScores, single_root: bool) -> (Weights<Real, 8>, Constants) {
        let (size, first) = (scores.len(), usize::from(single_root));
        let mut constants = vec![f64::NEG_INFINITY; size + 1];
        for head in first..=size {
            for (constant, &score) in constants.iter_mut().zip(scores.row(head)) {
                *constant = if score > *constant { score } else { *constant };
            }
        }
        // Words without a constant have the root as their only possible head.
        constants.iter_mut().filter(|constant| !constant.is_finite()).for_each(|constant| *constant = 0.0);
        let mut constants = Constants { words: constants, root: (0.0, 0.0), log_sums: vec![0.0; size + 1] };
        if single_root {
            let of_roots = (1..=size).map(|word| difference(scores.get(0, word), constants.words[word]));
            let largest = |a: (f64, f64), b: (f64, f64)| if b > a { b } else { a };
            let root = of_roots.fold((f64::NEG_INFINITY, 0.0), largest);
            constants.root = if root.0.is_finite() { root } else { (0.0, 0.0) };
        }
        let mut all: System<Real, 8> = System::new(size, !single_root);
        let mut sums = vec![0.0; all.stride];
        simd::run(
            Exponentials { scores, constants: &constants, first, all: &mut all, sums: &mut sums },
            Instructions::best(),
        );
        for (log_sum, sum) in constants.log_sums[1..].iter_mut().zip(&sums).filter(|(_, sum)| **sum > 0.0) {
            *log_sum = sum.ln();
        }
        (Weights(all), constants)
    }
}

/// Computes plain weights, and the sums by which they are divided.
struct Exponentials<'a> {
    scores: &'a ArcScores,
    constants: &'a Constants,
    /// The first head that counts in sums.
    first: usize,
    all: &'a mut System<Real, 8>,
    sums: &'a mut [f64],
}

impl Kernel for Exponentials<'_> {
    #[inline(always)]
    fn run(self) {
        let Exponentials { scores, constants, first, all, sums } = self;
        let size = all.size;
        for head in 0..=size {
            let row = head.checked_sub(1).unwrap_or(size);
            let weights = &mut all.weights[row * all.stride..][..size];
            let scores = &scores.row(head)[1..];
            for ((weight, &score), &constant) in weights.iter_mut().zip(scores).zip(&constants.words[1..]) {
                weight.0 = score - constant;
            }
            if head == 0 && first == 1 {
                for (word, weight) in weights.iter_mut().enumerate() {
                    weight.0 = constants.of_root(scores[word], word + 1);
                }
            }
            for weight in &mut *weights {
                weight.0 = exp(weight.0);
            }
            if head >= first {
                for (sum, weight) in sums.iter_mut().zip(&*weights) {
                    *sum += weight.0;
                }
            }
        }
        for row in all.weights.chunks_exact_mut(all.stride) {
            for (weight, &sum) in row.iter_mut().zip(&*sums) {
                weight.0 = if sum > 0.0 { weight.0 / sum } else { weight.0 };
            }
        }
    }
}

/// exp(x) for x ≤ 0, without branches, so that loops over it become vector code; 0 from about 10⁻³⁰⁷
/// downwards. The error is about one unit in the last place: x = k · ln 2 + r, and the Taylor series of
/// exp(r) up to r¹³ is off by less than 10⁻¹⁷.
#[inline(always)]
fn exp(x: f64) -> f64 {
    const SMALLEST: f64 = -708.0;
    // Adding this number rounds to a whole number, which is then found in the last bits.
    const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
    /// ln 2 in two parts; products of the first with whole numbers up to 2¹¹ are exact.
    const LN_2: (f64, f64) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
    const INVERSE_FACTORIALS: [f64; 14] = {
        let mut inverse = [1.0; 14];
        let (mut factorial, mut at) = (1.0, 1);
        while at < 14 {
            factorial *= at as f64;
            inverse[at] = 1.0 / factorial;
            at += 1;
        }
        inverse
    };
    let clamped = if x > SMALLEST { x } else { SMALLEST };
    let shifted = clamped * std::f64::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    let rest = (clamped - whole * LN_2.0) - whole * LN_2.1;
    let mut sum = INVERSE_FACTORIALS[13];
    for at in (0..13).rev() {
        sum = sum * rest + INVERSE_FACTORIALS[at];
    }
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52));
    if x > SMALLEST { sum * power } else { 0.0 }
}
