//! Objectives and decoders side by side, on a treebank, over several seeds.
//!
//! `cargo run --release -p tanglewood-nn --example compare -- train.conllu dev.conllu test.conllu [epochs=10] [seeds=3] [goals=heads,hinge] [hidden=96] …`
//!
//! Trains a model for each objective and seed, parses the test data with each decoder, and prints a line for
//! each result as it comes, then a table in Markdown: means over seeds, with the half-width of a 95 %
//! interval by Student's t. Words per second are those of one thread, by processor time where the system
//! tells it, from encoded sentences to labelled trees.

#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tanglewood::conllu::{Block, Column, Id, Sentence};
use tanglewood::evaluation::{self, Metric};
use tanglewood::{Direction, System};
use tanglewood_nn::training::{Data, Goal, Settings, Trainer};
use tanglewood_nn::{Decoder, Method, Model, Options};

/// Decoders by name: how, with which system, in which direction.
const DECODERS: [(&str, Method, &str, Direction); 7] = [
    ("greedy mh4", Method::Greedy, "mh4", Direction::Ltr),
    ("beam 5 mh4", Method::Beam(5), "mh4", Direction::Ltr),
    ("exact projective", Method::Exact, "projective", Direction::Ltr),
    ("exact all-s0s1", Method::Exact, "all-s0s1", Direction::Ltr),
    ("exact mh4", Method::Exact, "mh4", Direction::Ltr),
    ("exact mh4+ either", Method::Exact, "mh4+", Direction::Either),
    ("mst", Method::Spanning, "mh4+", Direction::Either),
];

const MEASURES: [&str; 4] = ["UAS", "LAS", "crossing F1", "words/s"];

/// The 97.5 % quantile of Student's t for 1, 2, … degrees of freedom.
const STUDENT: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

struct Run {
    options: Options,
    settings: Settings,
    seeds: u64,
    goals: Vec<Goal>,
}

fn main() {
    let mut blocks = Vec::new();
    let options = Options { hidden: 96, arc: 96, label: 32, ..Options::default() };
    let settings = Settings { epochs: 10, patience: 1000, threads: 2, ..Settings::default() };
    let mut run = Run { options, settings, seeds: 3, goals: Goal::ALL.to_vec() };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some((key, value)) => run.set(key, value),
            None => blocks.push(Block::of(std::fs::read(&argument).expect(&argument))),
        }
    }
    let [train, dev, test] = &blocks[..] else {
        println!("nothing to do: name a training, a development and a test file");
        return;
    };
    let [train, dev, test] = [train, dev, test].map(sentences);
    let mut results: BTreeMap<(usize, usize), Vec<[f64; 4]>> = BTreeMap::new();
    for seed in 1..=run.seeds {
        for (row, &goal) in run.goals.iter().enumerate() {
            let model = run.train(goal, seed, &train, &dev);
            for (column, decoder) in DECODERS.iter().enumerate() {
                if goal.is_of_transitions() && decoder.1 == Method::Spanning {
                    continue;
                }
                let result = measure(&model, decoder, &test);
                println!("{}\t{}\t{seed}\t{result:.2?}", goal.name(), decoder.0);
                results.entry((row, column)).or_default().push(result);
            }
        }
    }
    println!("\n| objective | decoder | {} |\n| --- | --- |{}", MEASURES.join(" | "), " --- |".repeat(4));
    for ((row, column), results) in results {
        let cells: Vec<String> = (0..MEASURES.len()).map(|at| cell(&results, at)).collect();
        println!("| {} | {} | {} |", run.goals[row].name(), DECODERS[column].0, cells.join(" | "));
    }
}

impl Run {
    fn set(&mut self, key: &str, value: &str) {
        let size = || value.parse().unwrap_or_else(|_| panic!("{key} has to be a number"));
        match key {
            "epochs" => self.settings.epochs = size() as u64,
            "seeds" => self.seeds = size() as u64,
            "threads" => self.settings.threads = size(),
            "hidden" => self.options.hidden = size(),
            "arc" => self.options.arc = size(),
            "label" => self.options.label = size(),
            "transitions" => self.options.transitions = size(),
            "goals" => {
                self.goals = value.split(',').map(|goal| Goal::named(goal).expect(goal)).collect();
            }
            _ => panic!("unknown setting {key}"),
        }
    }

    fn train(&self, goal: Goal, seed: u64, train: &[Sentence<'_>], dev: &[Sentence<'_>]) -> Model {
        // Scores that look at head and window together are slow where heads are looked for ahead.
        let system = if goal.is_of_transitions() { "mh4" } else { "mh4+" };
        let settings = Settings { goal, seed, system: system.to_owned(), ..self.settings.clone() };
        let start = std::time::Instant::now();
        let mut trainer = Trainer::new(Data::new(train, dev), self.options.clone(), settings).expect("trees");
        loop {
            while trainer.step(trainer.progress()).is_some() {}
            let epoch = trainer.end_epoch();
            if epoch.last {
                let (model, accuracy) = trainer.best();
                let las = accuracy.map_or(0.0, |accuracy| accuracy.las());
                let seconds = start.elapsed().as_secs_f64();
                eprintln!("{} seed {seed}: development LAS {las:.2}, {seconds:.0} s", goal.name());
                return model;
            }
        }
    }
}

fn measure(model: &Model, decoder: &(&str, Method, &str, Direction), test: &[Sentence<'_>]) -> [f64; 4] {
    let &(_, method, system, direction) = decoder;
    let system = System::named(system).expect("a system");
    let decoder = Decoder { method, direction, ..Decoder::exact(system) };
    let encoded: Vec<_> = test.iter().map(|sentence| model.encode(sentence)).collect();
    let mut parsed = vec![(Vec::new(), Vec::new()); test.len()];
    let start = processor_time();
    model.parse_each(
        &encoded.iter().collect::<Vec<_>>(),
        |scores| decoder.decode(scores),
        |at, tree| {
            let (tree, labels) = tree.expect("a tree");
            parsed[at] = (tree.heads().collect(), labels);
        },
    );
    let seconds = processor_time() - start;
    let (mut gold, mut ours) = (String::new(), String::new());
    for (sentence, (heads, labels)) in test.iter().zip(&parsed) {
        let rows = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
        for (at, row) in rows.enumerate() {
            let text = |column| String::from_utf8_lossy(row.get(column));
            let form = text(Column::Form);
            let label = model.vocabulary().labels.name(labels[at]);
            let head = (text(Column::Head), text(Column::Deprel));
            writeln!(gold, "{}\t{form}\t_\t_\t_\t_\t{}\t{}\t_\t_", at + 1, head.0, head.1).expect("memory");
            writeln!(ours, "{}\t{form}\t_\t_\t_\t_\t{}\t{label}\t_\t_", at + 1, heads[at]).expect("memory");
        }
        gold.push('\n');
        ours.push('\n');
    }
    let found = evaluation::evaluate(gold.as_bytes(), ours.as_bytes()).expect("the same words");
    let words: usize = encoded.iter().map(|sentence| sentence.len()).sum();
    [
        100.0 * found.score(Metric::Uas).f1(),
        100.0 * found.score(Metric::Las).f1(),
        100.0 * found.crossing().strict().f1(),
        words as f64 / seconds,
    ]
}

fn cell(results: &[[f64; 4]], at: usize) -> String {
    let count = results.len() as f64;
    let mean = results.iter().map(|result| result[at]).sum::<f64>() / count;
    if at == 3 {
        return format!("{:.0}", (mean / 100.0).round() * 100.0);
    }
    let variance = results.iter().map(|result| (result[at] - mean).powi(2)).sum::<f64>() / (count - 1.0);
    match STUDENT.get(results.len().wrapping_sub(2)) {
        Some(quantile) => format!("{mean:.2} ± {:.2}", quantile * (variance / count).sqrt()),
        None => format!("{mean:.2}"),
    }
}

/// Seconds that this thread has run; seconds on the clock where that is not known.
fn processor_time() -> f64 {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = statistics.as_ref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    match first {
        Some(nanoseconds) => 1e-9 * nanoseconds,
        None => std::time::UNIX_EPOCH.elapsed().map_or(0.0, |elapsed| elapsed.as_secs_f64()),
    }
}

fn sentences(block: &Block) -> Vec<Sentence<'_>> {
    block.sentences().filter(|sentence| !sentence.is_blank()).collect()
}
