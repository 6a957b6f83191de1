//! What `tanglewood decode --marginals` and `decode --k 10` ask of the library, without reading and writing
//! JSON.
//!
//! `cargo bench -p tanglewood --bench questions`

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::Instant;

use tanglewood::System;
use tanglewood::inference::{Inference, Random};
use tanglewood::scores::ArcScores;

fn main() {
    println!("one thread, a single root, the mean over sentences of the best of several runs");
    for (kind, bonus) in [("random scores", 0.0), ("a projective tree and noise", 2.0)] {
        println!("\n{kind}");
        for name in ["mh4+", "all-s0s1", "all"] {
            for n in [20, 40] {
                let system = System::named(name).expect("a name");
                let inference = Inference::new(system);
                let sentences = sentences(n, bonus);
                let marginals = time(&sentences, |scores| {
                    black_box(inference.best(scores).is_ok());
                    let distribution = inference.distribution(scores).expect("enough memory");
                    black_box(distribution.marginals().is_ok());
                    black_box((distribution.log_partition(), distribution.entropy().is_ok()));
                });
                let ten = time(&sentences, |scores| {
                    black_box(inference.k_best(scores, 10).is_ok());
                });
                println!("  {name:8} n = {n}  marginals {marginals:9.3} ms   10 best {ten:9.3} ms");
            }
        }
    }
}

/// Repeatable scores: noise, with the arcs of a chain of words above it.
fn sentences(n: usize, bonus: f64) -> Vec<ArcScores> {
    let mut random = Random::new(n as u64);
    let mut sentence = || {
        let mut scores = ArcScores::new(n);
        for (head, word) in (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))) {
            if head != word {
                let extra = if head + 1 == word { bonus } else { 0.0 };
                scores.set(head, word, 2.0 * random.uniform() + extra).expect("an arc");
            }
        }
        scores
    };
    (0..3).map(|_| sentence()).collect()
}

/// In milliseconds.
fn time(sentences: &[ArcScores], mut run: impl FnMut(&ArcScores)) -> f64 {
    let mut sum = 0.0;
    for scores in sentences {
        let (mut best, begun) = (f64::INFINITY, Instant::now());
        let mut runs = 0;
        while runs < 2 || (runs < 100 && begun.elapsed().as_secs_f64() < 0.2) {
            let start = Instant::now();
            run(black_box(scores));
            best = best.min(start.elapsed().as_secs_f64());
            runs += 1;
        }
        sum += best;
    }
    sum / sentences.len() as f64 * 1e3
}
