//! Spanning trees, against the textbook algorithm on the same scores in the same run.
//!
//! `cargo bench -p tanglewood --bench spanning`

#![allow(missing_docs)]

#[path = "../tests/all/chu_liu_edmonds.rs"]
mod chu_liu_edmonds;

use std::hint::black_box;
use std::time::Instant;

use tanglewood::inference::{Inference, Random};
use tanglewood::scores::ArcScores;
use tanglewood::spanning::{Spanning, Workspace};
use tanglewood::system::TreeClass;

fn main() {
    println!("one thread, double precision, a single root, mean over several sentences");
    for (name, kind) in [
        ("a tree and noise", Kind::Peaked),
        ("random", Kind::Random),
        ("random, roots favoured", Kind::Roots),
    ] {
        println!("\nbest tree: {name}");
        for n in [20, 40, 100, 200, 500, 2000] {
            against_textbook(kind, n);
        }
    }
    for (name, kind) in [("a tree and noise", Kind::Peaked), ("random", Kind::Random)] {
        println!("\nmore than the best tree: {name}");
        for n in [20, 40, 100, 200] {
            other_questions(kind, n);
        }
    }
    println!("\nsums where plain numbers do not suffice: a tree and noise, times 100");
    for n in [20, 40, 100] {
        sums_of_any_range(n);
    }
}

fn other_questions(kind: Kind, n: usize) {
    let sentences = sentences(kind, n);
    let sentences = &sentences[..5];
    let mut workspace = Workspace::new();
    let (spanning, any) = (Spanning::new(), Inference::new(TreeClass::Any));
    let bounds = time(sentences, |scores| {
        black_box(spanning.bounds_with(scores, &mut workspace).is_ok());
    });
    let ten = time(sentences, |scores| {
        black_box(any.k_best(scores, 10).is_ok());
    });
    let log_partition = time(sentences, |scores| {
        black_box(any.distribution(scores).is_ok_and(|trees| trees.log_partition() > 0.0));
    });
    let marginals = time(sentences, |scores| {
        black_box(any.distribution(scores).is_ok_and(|trees| trees.marginals().is_ok()));
    });
    let inverse = time(sentences, |scores| {
        black_box(by_inverse(scores));
    });
    let samples = time(sentences, |scores| {
        black_box(any.distribution(scores).is_ok_and(|trees| trees.samples(10, 1).is_ok()));
    }) / 10.0;
    println!(
        "  n = {n:4}  bounds {bounds:8.1} µs   10 best {ten:9.1} µs   log partition {log_partition:8.1} µs   \
         marginals {marginals:9.1} µs ({inverse:9.1} µs by an inverse matrix)   a sample {samples:9.1} µs"
    );
}

/// Marginals of trees with several roots in the plain way: exponentials, an LU decomposition with partial
/// pivoting, the inverse. It loses the digits of small probabilities.
fn by_inverse(scores: &ArcScores) -> Vec<f64> {
    let n = scores.len();
    let mut weights = vec![0.0; (n + 1) * n];
    let mut matrix = vec![0.0; n * n];
    for head in 0..=n {
        for word in (1..=n).filter(|&word| word != head) {
            let weight = scores.get(head, word).exp();
            weights[head * n + word - 1] = weight;
            matrix[(word - 1) * n + word - 1] += weight;
            if head > 0 {
                matrix[(head - 1) * n + word - 1] = -weight;
            }
        }
    }
    let mut inverse = vec![0.0; n * n];
    (0..n).for_each(|at| inverse[at * n + at] = 1.0);
    for at in 0..n {
        let pivot = (at..n)
            .max_by(|&a, &b| matrix[a * n + at].abs().total_cmp(&matrix[b * n + at].abs()))
            .unwrap_or(at);
        for column in 0..n {
            matrix.swap(at * n + column, pivot * n + column);
            inverse.swap(at * n + column, pivot * n + column);
        }
        let (of_matrix, of_inverse) = (matrix[at * n..][..n].to_vec(), inverse[at * n..][..n].to_vec());
        for row in (0..n).filter(|&row| row != at) {
            let factor = matrix[row * n + at] / of_matrix[at];
            let rows = matrix[row * n + at..][..n - at].iter_mut().zip(&of_matrix[at..]);
            rows.for_each(|(to, from)| *to -= factor * from);
            inverse[row * n..][..n].iter_mut().zip(&of_inverse).for_each(|(to, from)| *to -= factor * from);
        }
    }
    for at in 0..n {
        let diagonal = matrix[at * n + at];
        inverse[at * n..][..n].iter_mut().for_each(|number| *number /= diagonal);
    }
    for head in 0..=n {
        for word in 0..n {
            let other = if head == 0 { 0.0 } else { inverse[word * n + head - 1] };
            weights[head * n + word] *= inverse[word * n + word] - other;
        }
    }
    weights
}

fn sums_of_any_range(n: usize) {
    let mut sentences = sentences(Kind::Peaked, n);
    sentences.truncate(5);
    for scores in &mut sentences {
        for (head, word) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
            if head != word {
                scores.set(head, word, 100.0 * scores.get(head, word)).unwrap();
            }
        }
    }
    let any = Inference::new(TreeClass::Any);
    let log_partition = time(&sentences, |scores| {
        black_box(any.distribution(scores).is_ok_and(|trees| trees.log_partition() > 0.0));
    });
    let marginals = time(&sentences, |scores| {
        black_box(any.distribution(scores).is_ok_and(|trees| trees.marginals().is_ok()));
    });
    println!("  n = {n:4}  log partition {log_partition:8.1} µs   marginals {marginals:9.1} µs");
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Random,
    Peaked,
    Roots,
}

/// Repeatable scores: noise, with the arcs of a random tree or all arcs from the root above it, or without.
fn scores(kind: Kind, n: usize, random: &mut Random) -> ArcScores {
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            let bonus = if kind == Kind::Roots && head == 0 { 5.0 } else { 0.0 };
            scores.set(head, dependent, 10.0 * random.uniform() + bonus).unwrap();
        }
    }
    if kind == Kind::Peaked {
        // Words in random order, each hung from one before it. One in twenty has a competitor that is better.
        let mut order: Vec<usize> = (1..=n).collect();
        for at in (1..n).rev() {
            order.swap(at, (random.bits() % (at as u64 + 1)) as usize);
        }
        for at in 0..n {
            let head = if at == 0 { 0 } else { order[(random.bits() % at as u64) as usize] };
            let wrong = random.uniform() < 0.05;
            scores.set(head, order[at], if wrong { 9.0 } else { 15.0 }).unwrap();
        }
    }
    scores
}

/// The mean over sentences of the shortest of several runs, in microseconds.
fn time(sentences: &[ArcScores], mut run: impl FnMut(&ArcScores)) -> f64 {
    let mut sum = 0.0;
    for scores in sentences {
        let mut best = f64::INFINITY;
        let begun = Instant::now();
        let mut runs = 0;
        while runs < 2 || (runs < 200 && begun.elapsed().as_secs_f64() < 0.05) {
            let start = Instant::now();
            run(black_box(scores));
            best = best.min(start.elapsed().as_secs_f64());
            runs += 1;
        }
        sum += best;
    }
    sum / sentences.len() as f64 * 1e6
}

fn sentences(kind: Kind, n: usize) -> Vec<ArcScores> {
    let mut random = Random::new(n as u64);
    (0..if n <= 200 { 20 } else { 3 }).map(|_| scores(kind, n, &mut random)).collect()
}

fn against_textbook(kind: Kind, n: usize) {
    let sentences = sentences(kind, n);
    let mut workspace = Workspace::new();
    let spanning = Spanning::new();
    let ours = time(&sentences, |scores| {
        black_box(spanning.best_with(scores, &mut workspace).is_ok());
    });
    let several = time(&sentences, |scores| {
        black_box(spanning.single_root(false).best_with(scores, &mut workspace).is_ok());
    });
    // With a factor n for the root the textbook would take minutes.
    let textbook = |single_root| {
        time(&sentences, |scores| {
            black_box(chu_liu_edmonds::best_tree(scores, single_root).is_some());
        })
    };
    let single = if n <= 100 { compared(textbook(true), ours) } else { String::new() };
    let multi = if n <= 500 { compared(textbook(false), several) } else { String::new() };
    println!("  n = {n:4}  {ours:10.1} µs{single:32}   several roots {several:10.1} µs{multi}");
}

fn compared(textbook: f64, ours: f64) -> String {
    format!("  textbook {textbook:9.1} µs {:5.0} x", textbook / ours)
}
