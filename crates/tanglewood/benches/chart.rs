//! Exact inference, against a direct tabulation of the same deduction, on the same scores in the same run.
//!
//! `cargo bench -p tanglewood --bench chart [-- --long]`

#![allow(missing_docs)]

mod direct;

use std::hint::black_box;
use std::time::Instant;

use tanglewood::System;
use tanglewood::chart::{Chart, ChartKind, ChartOptions, Instructions};
use tanglewood::scores::ArcScores;
use tanglewood::semiring::{Real, Viterbi};

fn main() {
    let long = std::env::args().any(|argument| argument == "--long");
    println!(
        "{:?}, one thread, arc scores in single precision, single root, tree included",
        Instructions::best()
    );
    against_direct_tabulation(&[10, 15, 20]);
    let sizes: [(&str, &[usize]); 3] = [
        ("arc-standard", if long { &[20, 40, 80, 160, 320] } else { &[20, 40, 80, 160] }),
        ("all-s0s1", if long { &[10, 20, 40, 80, 100] } else { &[10, 20, 40, 80] }),
        ("all", if long { &[10, 20, 30, 40, 50, 60] } else { &[10, 20, 30, 40] }),
    ];
    for (name, sizes) in sizes {
        growth(name, sizes);
    }
    outside("all-s0s1", &[20, 40]);
    outside("all", &[20, if long { 40 } else { 30 }]);
    peak();
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
    while runs < 3 || (runs < 200 && begun.elapsed().as_secs_f64() < 0.5) {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    best
}

fn decode(system: &System, scores: &ArcScores, instructions: Instructions) -> usize {
    let options = ChartOptions { instructions, ..ChartOptions::default() };
    let chart = Chart::<Viterbi<f32>>::fill(system, scores, options).expect("enough memory");
    chart.best().expect("a tree").len()
}

fn against_direct_tabulation(sizes: &[usize]) {
    let system = System::named("all").expect("a name");
    println!("\nall: chart, O(n^7), against tabulations written for this benchmark, O(n^8), best score only");
    println!("  textbook: the rules as published, all (n + 3)^5 cells, nothing left out");
    println!("  direct: the same array, but only indices that items can have, and only derivable items");
    for &n in sizes {
        let scores = scores(n);
        assert_eq!(direct::textbook::best_score(&scores), direct::best_score(&scores), "the same maximum");
        let (mut textbook, mut direct, mut chart) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        // By turns, so that other programs disturb all alike.
        for _ in 0..4 {
            textbook = textbook.min(best_time(|| {
                black_box(direct::textbook::best_score(black_box(&scores)));
            }));
            direct = direct.min(best_time(|| {
                black_box(direct::best_score(black_box(&scores)));
            }));
            chart = chart.min(best_time(|| {
                black_box(decode(&system, black_box(&scores), Instructions::best()));
            }));
        }
        println!(
            "  n = {n:3}  textbook {:10.3} ms   direct {:10.3} ms   chart {:8.3} ms   {:4.0} and {:4.0} times faster",
            textbook * 1e3,
            direct * 1e3,
            chart * 1e3,
            textbook / chart,
            direct / chart
        );
    }
}

fn growth(name: &str, sizes: &[usize]) {
    let system = System::named(name).expect("a name");
    println!("\n{name}");
    let mut before: Option<(usize, f64)> = None;
    let mut points = Vec::new();
    for &n in sizes {
        let scores = scores(n);
        let time = best_time(|| {
            black_box(decode(&system, black_box(&scores), Instructions::best()));
        });
        let portable = best_time(|| {
            black_box(decode(&system, black_box(&scores), Instructions::Portable));
        });
        let filling = best_time(|| {
            let chart = Chart::<Viterbi<f32>>::fill(&system, black_box(&scores), ChartOptions::default());
            black_box(chart.expect("enough memory").total());
        });
        let kind = ChartKind::of(&system, true).expect("a dense chart");
        let bytes = kind.items(n).expect("a size") * 4;
        let exponent = before.map_or(String::new(), |(m, t): (usize, f64)| {
            format!("  exponent {:.2}", (time / t).ln() / (n as f64 / m as f64).ln())
        });
        let operations = operations(kind, n) as f64 / time / 1e9;
        println!(
            "  n = {n:3}  {:9.3} ms ({:9.3} filling)   portable {:9.3} ms   {:7.2} MB   {operations:5.2} G(max,+)/s{exponent}",
            time * 1e3,
            filling * 1e3,
            portable * 1e3,
            bytes as f64 / 1e6
        );
        before = Some((n, time));
        points.push(((n as f64).ln(), time.ln()));
    }
    println!("  exponent fitted over all n: {:.2}", slope(&points));
}

/// Weights of all arcs against filling the chart, in plain numbers.
fn outside(name: &str, sizes: &[usize]) {
    let system = System::named(name).expect("a name");
    println!("\n{name}, sums of weights");
    for &n in sizes {
        let mut scores = scores(n);
        let arcs = (0..=n).flat_map(|head| (1..=n).map(move |dependent| (head, dependent)));
        for (head, dependent) in arcs.filter(|(head, dependent)| head != dependent) {
            scores.set(head, dependent, scores.get(head, dependent) / 16.0 - 0.5).unwrap();
        }
        let fill = || Chart::<Real>::fill(&system, &scores, ChartOptions::default()).expect("enough memory");
        let filling = best_time(|| {
            black_box(fill().total());
        });
        let chart = fill();
        let arcs = best_time(|| {
            black_box(chart.arc_weights().expect("enough memory"));
        });
        println!("  n = {n:3}  filling {:9.3} ms   arcs {:9.3} ms", filling * 1e3, arcs * 1e3);
    }
}

/// The slope of the straight line nearest to some points.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) =
        points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let squares: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    products / squares
}

/// (max,+) operations of the highest order: choices of as many positions in order as the recurrence has
/// indices.
fn operations(kind: ChartKind, n: usize) -> u128 {
    let choose = |n: u128, k: u128| (0..k).fold(1, |product, at| product * (n - at) / (at + 1));
    let n = n as u128;
    match kind {
        ChartKind::Degree1 => 2 * choose(n + 2, 4),
        ChartKind::Diagonal => choose(n + 2, 6),
        // Removing s0 or s1, removing s2 (two maxima), and the hook for s2.
        ChartKind::Degree2 => 4 * choose(n + 2, 7),
        ChartKind::Frames(nodes) => choose(n + 2, nodes as u128),
        ChartKind::Trees => choose(n + 2, 3),
    }
}

/// What the processor could do: an inner loop that stays in registers and the first-level cache.
fn peak() {
    let row = [1.0f32; 512];
    let time = best_time(|| {
        black_box(peak_loop(black_box(&row), 20_000));
    });
    println!("\npeak of the inner loop: {:.1} G(max,+)/s", 512.0 * 20_000.0 / time / 1e9);
}

#[cfg(target_arch = "x86_64")]
fn peak_loop(row: &[f32; 512], rounds: usize) -> f32 {
    #[target_feature(enable = "avx2")]
    fn with_avx2(row: &[f32; 512], rounds: usize) -> f32 {
        lanes(row, rounds)
    }
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: asked right above.
        unsafe { with_avx2(row, rounds) }
    } else {
        lanes(row, rounds)
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn peak_loop(row: &[f32; 512], rounds: usize) -> f32 {
    lanes(row, rounds)
}

#[inline(always)]
fn lanes(row: &[f32; 512], rounds: usize) -> f32 {
    let mut sums = [[f32::NEG_INFINITY; 8]; 4];
    for round in 0..rounds {
        let weight = black_box(round as f32);
        for chunk in row.chunks_exact(32) {
            for tile in 0..4 {
                for lane in 0..8 {
                    let candidate = weight + chunk[tile * 8 + lane];
                    if candidate > sums[tile][lane] {
                        sums[tile][lane] = candidate;
                    }
                }
            }
        }
    }
    sums.as_flattened().iter().copied().fold(f32::NEG_INFINITY, f32::max)
}
