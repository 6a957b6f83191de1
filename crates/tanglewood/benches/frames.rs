//! Charts for frames, against a plain kernel that computes the best score only, on the same scores in the
//! same run.
//!
//! `cargo bench -p tanglewood --bench frames [-- --long | --posteriors | --flat]`

#![allow(missing_docs)]

mod plain;

use std::hint::black_box;
use std::time::Instant;

use tanglewood::chart::{Chart, ChartOptions, Instructions, Over};
use tanglewood::inference::{Inference, Path};
use tanglewood::scores::ArcScores;
use tanglewood::semiring::{Real, Viterbi};
use tanglewood::{Direction, System};

fn main() {
    let long = std::env::args().any(|argument| argument == "--long");
    println!("{:?}, one thread, random arc scores, single root", Instructions::best());
    if std::env::args().any(|argument| argument == "--posteriors") {
        return posteriors();
    }
    if std::env::args().any(|argument| argument == "--flat") {
        return flat(&[50, 100, 200, 300, 500]);
    }
    against_plain_kernel(if long { &[10, 20, 40, 100, 200, 300] } else { &[10, 20, 40, 100, 200] });
    growth("mh3+", if long { &[20, 40, 80, 160, 320, 640] } else { &[20, 40, 80, 160] });
    growth("mh4", &[20, 40, 80, 160]);
    growth("mh4+", if long { &[20, 40, 80, 160, 320] } else { &[20, 40, 80, 160] });
    growth("mh5+", if long { &[10, 20, 40, 80, 120] } else { &[10, 20, 40, 60] });
    posteriors();
    flat(if long { &[200, 300, 500] } else { &[200] });
    certified(&[20, 40, 100, 200]);
}

/// Matrices without any structure: there is no certificate, nothing can be pruned, and the chart has to be
/// filled in both directions.
fn flat(sizes: &[usize]) {
    let system = System::named("mh4+").expect("a name");
    let inference = Inference::new(system).direction(Direction::Either);
    println!("\nmh4+ in either direction, double precision, flat random scores, with tree");
    for &n in sizes {
        let scores = scores(n);
        let parse = inference.best(&scores).expect("a tree");
        let time = best_time(|| {
            black_box(inference.best(black_box(&scores)).expect("a tree").score);
        });
        println!("  n = {n:3}: {:9.2} ms, by {:?}", time * 1e3, parse.path);
    }
}

/// Posteriors of all arcs against filling the chart, in plain numbers; for `mh3+`, of the chart with one
/// derivation per tree.
fn posteriors() {
    println!("\nsums of weights: filling the chart, and posteriors of arcs from it");
    let systems =
        [("mh3+", [20, 40, 80]), ("mh4", [20, 40, 80]), ("mh4+", [20, 40, 80]), ("mh5+", [10, 20, 40])];
    for (name, sizes) in systems {
        let system = System::named(name).expect("a name");
        let over = if name == "mh3+" { Over::Trees } else { Over::Derivations };
        for n in sizes {
            let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
            let mut scores = ArcScores::new(n);
            let arcs = (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word)));
            for (head, word) in arcs.filter(|(head, word)| head != word) {
                scores.set(head, word, 4.0 * numbers.next() - (n as f64).ln()).unwrap();
            }
            let options = ChartOptions { over, ..ChartOptions::default() };
            let fill = || Chart::<Real>::fill(&system, &scores, options);
            let fill_time = best_time(|| {
                black_box(fill().expect("enough memory").total());
            });
            let chart = fill().expect("enough memory");
            let time = best_time(|| {
                black_box(chart.arc_weights().expect("enough memory"));
            });
            println!(
                "  {name}, n = {n:3}: chart {:9.4} ms, posteriors {:9.4} ms: {:.1} times",
                fill_time * 1e3,
                time * 1e3,
                time / fill_time
            );
        }
    }
}

/// Repeatable numbers from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Scores that are good for the arcs of a tree of the class, and noise for all arcs. The tree is the best for
/// other random scores.
fn peaked(inference: &Inference, n: usize, noise: f64, numbers: &mut Numbers) -> ArcScores {
    let mut scores = ArcScores::new(n);
    let arcs = || (0..=n).flat_map(|head| (1..=n).map(move |word| (head, word))).filter(|(h, w)| h != w);
    arcs().for_each(|(head, word)| {
        // Near heads are likelier, as in sentences.
        scores.set(head, word, numbers.next() * 4.0 - (head.abs_diff(word) as f64).ln()).unwrap();
    });
    let tree = inference.best(&scores).expect("nothing is forbidden").tree;
    arcs().for_each(|(head, word)| {
        let gold = f64::from(u8::from(tree.head(word) == head));
        scores.set(head, word, gold + noise * numbers.next()).unwrap();
    });
    scores
}

/// Decoding with short cuts, on matrices that prefer some tree of the class as trained scores do.
fn certified(sizes: &[usize]) {
    let system = System::named("mh4+").expect("a name");
    let inference = Inference::new(&system).direction(Direction::Either);
    println!(
        "\nmh4+ in either direction, certified decoding of a tree of the class with noise, derivation included"
    );
    for noise in [0.5, 1.0, 1.2, 1.5] {
        for &n in sizes {
            let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
            let rounds = 40;
            let matrices: Vec<ArcScores> =
                (0..rounds).map(|_| peaked(&inference, n, noise, &mut numbers)).collect();
            let mut paths = [0; 3];
            for scores in &matrices {
                match inference.best(scores).expect("a tree").path {
                    Path::Certificate => paths[0] += 1,
                    Path::Pruned => paths[1] += 1,
                    _ => paths[2] += 1,
                }
            }
            let all = |inference: &Inference| {
                best_time(|| {
                    for scores in &matrices {
                        black_box(inference.best(black_box(scores)).expect("a tree").score);
                    }
                }) / f64::from(rounds)
            };
            let (time, chart) = (all(&inference), all(&inference.clone().certify(false)));
            println!(
                "  noise {noise:.1}, n = {n:3}: {:8.4} ms, chart {:8.4} ms, {:6.1} times; certificate {} pruned {} chart {} of {rounds}",
                time * 1e3,
                chart * 1e3,
                chart / time,
                paths[0],
                paths[1],
                paths[2],
            );
        }
    }
}

/// Repeatable scores.
fn scores(n: usize) -> ArcScores {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut scores = ArcScores::new(n);
    for head in 0..=n {
        for dependent in (1..=n).filter(|&dependent| dependent != head) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            scores.set(head, dependent, (state >> 40) as f64 / (1 << 20) as f64).unwrap();
        }
    }
    scores
}

/// The shortest of several runs, in seconds.
fn best_time(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let begun = Instant::now();
    let mut runs = 0;
    while runs < 3 || (runs < 2000 && begun.elapsed().as_secs_f64() < 0.5) {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    best
}

/// Fills a chart and takes the tree out of it.
fn decode(system: &System, scores: &ArcScores, instructions: Instructions) -> usize {
    let options = ChartOptions { instructions, ..ChartOptions::default() };
    let chart = Chart::<Viterbi<f32>>::fill(system, scores, options).expect("enough memory");
    chart.best().expect("a tree").len()
}

fn against_plain_kernel(sizes: &[usize]) {
    let system = System::named("mh4+").expect("a name");
    println!("\nmh4+: best score by the plain kernel; best score and tree by the chart");
    for &n in sizes {
        let scores = scores(n);
        let rows: Vec<Vec<f32>> =
            (0..=n).map(|head| (0..=n).map(|word| scores.get(head, word) as f32).collect()).collect();
        let plain = best_time(|| {
            black_box(plain::best_score(black_box(&rows)));
        });
        let fill = best_time(|| {
            let chart = Chart::<Viterbi<f32>>::fill(&system, &scores, ChartOptions::default());
            black_box(chart.expect("enough memory").total());
        });
        let time = best_time(|| {
            black_box(decode(&system, black_box(&scores), Instructions::best()));
        });
        println!(
            "  n = {n:3}: plain {:9.4} ms, chart {:9.4} ms, with tree {:9.4} ms: {:.2} of plain",
            plain * 1e3,
            fill * 1e3,
            time * 1e3,
            time / plain
        );
    }
}

fn growth(name: &str, sizes: &[usize]) {
    let system = System::named(name).expect("a name");
    println!("\n{name}, O(n^{}), with tree", system.complexity().time);
    let mut times: Vec<(f64, f64)> = Vec::new();
    for &n in sizes {
        let scores = scores(n);
        let time = best_time(|| {
            black_box(decode(&system, black_box(&scores), Instructions::best()));
        });
        let portable = best_time(|| {
            black_box(decode(&system, black_box(&scores), Instructions::Portable));
        });
        let last = times.last().map_or(String::new(), |&(x, y)| {
            format!(", exponent {:.2}", (time.ln() - y) / ((n as f64).ln() - x))
        });
        println!("  n = {n:3}: {:9.4} ms, portable {:9.4} ms{last}", time * 1e3, portable * 1e3);
        times.push(((n as f64).ln(), time.ln()));
    }
    println!("  fitted exponent {:.2}", slope(&times));
}

/// The slope of the line through points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let above: f64 = points.iter().map(|&(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = points.iter().map(|&(x, _)| (x - mean_x) * (x - mean_x)).sum();
    above / below
}
