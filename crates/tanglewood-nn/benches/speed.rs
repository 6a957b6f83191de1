//! How fast the machine multiplies, in integers and in single precision, and how near a model comes to that.
//!
//! `cargo bench -p tanglewood-nn --bench speed -- MODEL TREEBANK.conllu`
//!
//! Times are processor times where the system tells them; alternatives are measured by turns, and the best of
//! several runs counts. Without arguments, only products are measured.

#![allow(missing_docs)]

use std::borrow::Cow;
use std::hint::black_box;
use std::time::Instant;

use tanglewood::System;
use tanglewood::conllu::{Block, Sentence};
use tanglewood_nn::internals::integer::{Rows, Weights};
use tanglewood_nn::internals::matrix::{Matrix, multiply};
use tanglewood_nn::internals::quantise::Codes;
use tanglewood_nn::{Decoder, Encoded, Instructions, Model, batches};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    println!("instructions: {}", Instructions::current().name());
    let peak = products();
    let [model, treebank] = &arguments[..] else {
        println!("for words per second, name a model and a treebank");
        return;
    };
    let (model, _) = Model::read(&std::fs::read(model).expect(model)[..]).expect(model);
    let block = Block::of(std::fs::read(treebank).expect(treebank));
    let sentences: Vec<Sentence<'_>> = block.sentences().filter(|sentence| !sentence.is_blank()).collect();
    words(&model, &sentences, peak);
}

/// Products of a few shapes; returns multiplications per second in integers where all is in the nearest
/// cache.
fn products() -> f64 {
    let mut peak = 0.0;
    println!("\n{:>24}  {:>10}  {:>10}", "rows, inner, columns", "integers", "f32");
    for [rows, inner, columns] in
        [[48, 128, 64], [256, 256, 256], [48, 160, 640], [300, 384, 1280], [300, 384, 416]]
    {
        let weights = weights(inner, columns);
        let values = Matrix::<f32>::repeated(&vec![0.5; inner], rows);
        let right = Matrix::<f32>::repeated(&vec![0.25; columns], inner);
        let (mut rounded, zeros) = (Rows::default(), vec![0.0; columns]);
        weights.round((0..rows).map(|row| values.row(row)), &mut rounded);
        let mut to = Matrix::<f32>::zeros(rows, columns);
        // Long enough for clocks of processor time, which go by milliseconds.
        let repeats = 4_000_000_000 / (rows * inner * columns);
        let [integers, single] = by_turns([
            &mut || (0..repeats).for_each(|_| weights.multiply(black_box(&rounded), |_| &zeros, &mut to, 0)),
            &mut || {
                let mut to = Matrix::<f32>::zeros(rows, columns);
                (0..repeats).for_each(|_| multiply(to.view_mut(), black_box(&values).view(), right.view()));
            },
        ]);
        let done = (repeats * rows * inner * columns) as f64;
        let (integers, single) = (done / integers, done / single);
        let shape = format!("{rows} x {inner} x {columns}");
        println!("{shape:>24}  {:>6.1} G/s  {:>6.1} G/s", 1e-9 * integers, 1e-9 * single);
        peak = f64::max(peak, integers);
    }
    peak
}

fn weights(inner: usize, columns: usize) -> Weights {
    let bytes = (0..inner * columns).map(|at| (at * 37 % 255) as u8).collect();
    Weights::plain(&Codes::new(columns, Cow::Owned(bytes), vec![0.01; inner]), 0..inner)
}

/// Words per second of all that comes before trees, and with them.
fn words(model: &Model, sentences: &[Sentence<'_>], peak: f64) {
    let encode = || -> Vec<Encoded> { sentences.iter().map(|sentence| model.encode(sentence)).collect() };
    let encoded = encode();
    let encoded: Vec<&Encoded> = encoded.iter().collect();
    let words: usize = encoded.iter().map(|sentence| sentence.len()).sum();
    let batches: Vec<Vec<&Encoded>> = batches(&encoded)
        .into_iter()
        .map(|batch| batch.into_iter().map(|at| encoded[at]).collect())
        .collect();
    let parameters = model.parameters().into_owned();
    let decoder = Decoder::exact(System::named("mh4+").expect("a system"));
    // The first call prepares the weights.
    black_box(model.scores(&batches[0]));
    let [integers, single, whole, encoding] = by_turns([
        &mut || batches.iter().for_each(|batch| drop(black_box(model.scores(batch)))),
        &mut || batches.iter().for_each(|batch| drop(black_box(model.network().forward(&parameters, batch)))),
        &mut || {
            model.parse_each(&encoded, |scores| decoder.decode(scores), |_, parsed| drop(black_box(parsed)))
        },
        &mut || drop(black_box(encode())),
    ]);
    println!("\n{words} words in {} batches", batches.len());
    let line = |name: &str, seconds: f64| {
        let (rate, each) = (words as f64 / seconds, 1e6 * seconds / words as f64);
        println!(
            "{name:<38} {rate:>8.0} words/s, {each:>6.2} µs a word, {:>5.2} times f32",
            single / seconds
        );
    };
    line("scores in single precision", single);
    line("scores in integers", integers);
    line("scores in integers, trees and labels", whole);
    line("encoding alone", encoding);
    for instructions in Instructions::ALL {
        let used = Instructions::limit(instructions);
        let start = processor_time();
        batches.iter().for_each(|batch| drop(black_box(model.scores(batch))));
        line(&format!("scores in integers, {}, one run", used.name()), processor_time() - start);
    }
    let products = model.products() as f64;
    let share = 100.0 * products * words as f64 / integers / peak;
    println!(
        "{products:.0} multiplications a word, those for words met before in a batch included: {share:.0} % of {:.1} G/s",
        1e-9 * peak
    );
}

/// Seconds of each, the best of several runs by turns.
fn by_turns<const N: usize>(mut runs: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..5 {
        for (run, best) in runs.iter_mut().zip(&mut best) {
            let start = processor_time();
            run();
            *best = best.min(processor_time() - start);
        }
    }
    best
}

/// Seconds that this thread has run; seconds on the clock where that is not known.
fn processor_time() -> f64 {
    thread_local!(static BEGUN: Instant = Instant::now());
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = statistics.as_ref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    first.map_or_else(|| BEGUN.with(|begun| begun.elapsed().as_secs_f64()), |nanoseconds| 1e-9 * nanoseconds)
}
