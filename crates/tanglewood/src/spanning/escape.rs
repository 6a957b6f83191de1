//! Probabilities of all arcs, in O(n³) and without a subtraction.
//!
//! Let u(h) be the weight with which the walk from word h to head to head (see
//! [`elimination`](super::elimination)) ends at the root before it comes to word m: u(root) = 1, u(m) = 0.
//! Then the trees in which m has head h weigh w(h → m) · u(h), times the product of all D: h must lead to the
//! root and not to m. (This is the all-minors form of the matrix-tree theorem; G(m, m) − G(m, h) in terms of
//! the inverse matrix, where the difference is what loses digits. Here all terms are positive.) For words k
//! that were eliminated, the last one first,
//!
//! > u(k) = Σ u(h) · w(h → k) / D(k) over the heads that were left when k was taken out.
//!
//! To take out all words but m, for each m, would take O(n⁴) one by one. But half of the words can be taken
//! out for all m of the other half at once, then half of what is left, and so on: about 4/5 n³
//! multiplications, and another 1/2 n³ for u, where inverting a matrix takes n³. Parts of a few words are not
//! divided further. There, each lane of a vector is an m of its own, and all of them eliminate together; in
//! the lane of m, word m swallows what comes to it.

use std::ops::Range;

use super::elimination::{System, TreeWeight};

/// What is known of the walk from each word.
pub(super) struct Escapes<S> {
    /// u(h), with a row for each word h and a column for each m.
    pub values: Vec<S>,
    /// For each m the product of D over the other words.
    pub products: Vec<S>,
}

/// What is still to be done, in the order of a depth-first search.
enum Step<S> {
    /// Divide the words of a part, or finish it if there are few.
    Divide { part: usize, words: Range<usize>, product: S },
    /// Keep the second half of a part's words; the part is not needed afterwards.
    KeepSecond { part: usize, words: Range<usize>, middle: usize, product: S },
    /// Compute u for the half that was taken out, where m is in the half that was kept.
    Extend { words: Range<usize>, kept: Range<usize> },
}

struct Halving<'a, S, const LANES: usize> {
    whole: &'a System<S, LANES>,
    /// The parts on the way to the one that is looked at.
    parts: Vec<System<S, LANES>>,
    /// Row k: w(h → k) / D(k) by head.
    passed: Vec<S>,
    row: Vec<S>,
    escapes: Escapes<S>,
}

/// Computes all u(h). Vector instructions are chosen by the caller, see [`simd`](crate::chart::simd).
#[inline(always)]
pub(super) fn escapes<S: TreeWeight, const LANES: usize>(whole: &System<S, LANES>) -> Escapes<S> {
    let (size, stride) = (whole.size, whole.stride);
    let mut halving = Halving {
        whole,
        parts: vec![whole.clone()],
        passed: vec![S::ZERO; size * (size + 1)],
        row: vec![S::ZERO; stride],
        escapes: Escapes { values: vec![S::ZERO; size * stride], products: vec![S::ONE; stride] },
    };
    let mut steps = vec![Step::Divide { part: 0, words: 0..size, product: S::ONE }];
    while let Some(step) = steps.pop() {
        match step {
            Step::Divide { part, words, product } if words.len() <= LANES => {
                halving.finish(part, words, product);
            }
            Step::Divide { part, words, product } => {
                let middle = words.start + (words.len().div_ceil(LANES) / 2) * LANES;
                halving.copy_part(part, words.clone());
                let kept = words.start..middle;
                let reduced = halving.eliminate(part + 1, words.clone(), kept.clone(), product);
                steps.push(Step::KeepSecond { part, words: words.clone(), middle, product });
                steps.push(Step::Extend { words, kept: kept.clone() });
                steps.push(Step::Divide { part: part + 1, words: kept, product: reduced });
            }
            Step::KeepSecond { part, words, middle, product } => {
                let kept = middle..words.end;
                let product = halving.eliminate(part, words.clone(), kept.clone(), product);
                steps.push(Step::Extend { words, kept: kept.clone() });
                steps.push(Step::Divide { part, words: kept, product });
            }
            Step::Extend { words, kept } => halving.extend(words, kept),
        }
    }
    halving.escapes
}

/// The words to take out, from the far end, each with those that are left then.
#[inline(always)]
fn taken_out(
    words: Range<usize>,
    kept: Range<usize>,
) -> impl DoubleEndedIterator<Item = (usize, Range<usize>)> {
    let first = kept.start == words.start;
    (0..words.len() - kept.len()).map(move |at| match first {
        true => (words.end - 1 - at, words.start..words.end - 1 - at),
        false => (words.start + at, words.start + at + 1..words.end),
    })
}

impl<S: TreeWeight, const LANES: usize> Halving<'_, S, LANES> {
    /// Copies the words of a part to the next one.
    #[inline(always)]
    fn copy_part(&mut self, part: usize, words: Range<usize>) {
        let System { size, stride, several_roots, .. } = *self.whole;
        if self.parts.len() == part + 1 {
            self.parts.push(System::new(size, several_roots));
        }
        let (from, to) = self.parts.split_at_mut(part + 1);
        let columns = words.start..words.end.next_multiple_of(LANES);
        for head in words.chain([size]) {
            let range = head * stride + columns.start..head * stride + columns.end;
            to[0].weights[range.clone()].copy_from_slice(&from[part].weights[range]);
        }
    }

    /// Takes out all words but those that are kept; the product of their D.
    #[inline(always)]
    fn eliminate(&mut self, part: usize, words: Range<usize>, kept: Range<usize>, product: S) -> S {
        let width = self.whole.size + 1;
        let mut product = product;
        for (word, left) in taken_out(words, kept) {
            let passed = &mut self.passed[word * width..][..width];
            product = product.times(self.parts[part].eliminate(word, left, passed, &mut self.row));
        }
        product
    }

    /// u for the words that were taken out, the last one first.
    #[inline(always)]
    fn extend(&mut self, words: Range<usize>, kept: Range<usize>) {
        let System { size, stride, .. } = *self.whole;
        for (word, left) in taken_out(words, kept.clone()).rev() {
            let passed = &self.passed[word * (size + 1)..][..size + 1];
            for column in kept.clone().step_by(LANES) {
                let mut sums = [passed[size]; LANES];
                let rows = self.escapes.values[left.start * stride..left.end * stride].chunks_exact(stride);
                for (&factor, row) in passed[left.clone()].iter().zip(rows) {
                    if let Some(row) = row[column..].first_chunk::<LANES>() {
                        add_products(&mut sums, &[factor; LANES], row);
                    }
                }
                self.escapes.values[word * stride + column..][..LANES].copy_from_slice(&sums);
            }
        }
    }

    /// u among the words of a part, and the products; lane m is that of word m.
    #[inline(always)]
    fn finish(&mut self, part: usize, words: Range<usize>, product: S) {
        let System { size, several_roots, .. } = *self.whole;
        let part = &self.parts[part];
        // By word: the weights of its heads, of the root, and of the word that the lane stands for, which is
        // not a head like others.
        let mut heads = [[[S::ZERO; LANES]; LANES]; LANES];
        let mut roots = [[S::ZERO; LANES]; LANES];
        let mut swallowed = [[S::ZERO; LANES]; LANES];
        let mut products = [product; LANES];
        let count = words.len();
        for word in 0..count {
            roots[word] = [part.get(size, words.start + word); LANES];
            for head in (0..count).filter(|&head| head != word) {
                let weight = part.get(words.start + head, words.start + word);
                heads[word][head] = [weight; LANES];
                heads[word][head][head] = S::ZERO;
                swallowed[word][head] = weight;
            }
        }
        for word in (0..count).rev() {
            let mut sums = swallowed[word];
            for weights in &heads[word][..word] {
                add_all(&mut sums, weights);
            }
            if several_roots {
                add_all(&mut sums, &roots[word]);
            }
            // In its own lane the word stays.
            sums[word] = S::ONE;
            let mut inverses = [S::ZERO; LANES];
            for lane in 0..LANES {
                products[lane] = products[lane].times(sums[lane]);
                inverses[lane] = S::ONE.over(sums[lane]);
            }
            inverses[word] = S::ZERO;
            let (others, rest) = heads.split_at_mut(word);
            let row = &mut rest[0];
            for weights in &mut row[..word] {
                scale(weights, &inverses);
            }
            scale(&mut roots[word], &inverses);
            scale(&mut swallowed[word], &inverses);
            let (root, swallow) = (roots[word], swallowed[word]);
            for (other, of_other) in others.iter_mut().enumerate() {
                let factors = of_other[word];
                // The loop that comes out where the head is the word itself is never looked at.
                for head in 0..word {
                    add_products(&mut of_other[head], &factors, &row[head]);
                }
                add_products(&mut roots[other], &factors, &root);
                add_products(&mut swallowed[other], &factors, &swallow);
            }
        }
        let mut known = [[S::ZERO; LANES]; LANES];
        for word in 0..count {
            let mut sums = roots[word];
            for head in 0..word {
                add_products(&mut sums, &heads[word][head], &known[head]);
            }
            known[word] = sums;
            let at = (words.start + word) * self.whole.stride + words.start;
            self.escapes.values[at..][..LANES].copy_from_slice(&sums);
        }
        self.escapes.products[words.start..][..LANES].copy_from_slice(&products);
    }
}

// All numbers are read before any is written; only then does the compiler know that lanes are independent.

#[inline(always)]
fn scale<S: TreeWeight, const LANES: usize>(numbers: &mut [S; LANES], factors: &[S; LANES]) {
    let (mut products, factors) = (*numbers, *factors);
    for lane in 0..LANES {
        products[lane] = products[lane].times(factors[lane]);
    }
    *numbers = products;
}

#[inline(always)]
fn add_all<S: TreeWeight, const LANES: usize>(to: &mut [S; LANES], terms: &[S; LANES]) {
    let (mut sums, terms) = (*to, *terms);
    for lane in 0..LANES {
        sums[lane].add(terms[lane]);
    }
    *to = sums;
}

#[inline(always)]
fn add_products<S: TreeWeight, const LANES: usize>(to: &mut [S; LANES], a: &[S; LANES], b: &[S; LANES]) {
    let (mut sums, a, b) = (*to, *a, *b);
    for lane in 0..LANES {
        sums[lane].add(a[lane].times(b[lane]));
    }
    *to = sums;
}
