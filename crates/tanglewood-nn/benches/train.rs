//! Trains on a treebank for some minutes and measures: accuracy as it grows, and words per second in training and in parsing.
//!
//! `cargo bench -p tanglewood-nn --bench train -- train.conllu dev.conllu [test.conllu] [minutes=5] [threads=2] [rate=0.003] …`
//!
//! Without arguments it does nothing, so that it can run with all other benchmarks.

#![allow(missing_docs)]

use std::time::Instant;

use tanglewood::System;
use tanglewood::conllu::{Block, Sentence};
use tanglewood::spanning::Spanning;
use tanglewood_nn::encoding::{Encoded, Example};
use tanglewood_nn::training::{Goal, Settings, Trainer, decode, evaluate};
use tanglewood_nn::{Model, Options};

fn main() {
    let mut blocks = Vec::new();
    let mut run = Run { options: Options::default(), settings: Settings::default(), minutes: 5.0 };
    run.settings.threads = 2;
    run.settings.epochs = u64::MAX;
    run.settings.patience = u64::MAX;
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match argument.split_once('=') {
            Some((key, value)) => run.set(key, value),
            None => blocks.push(Block::of(std::fs::read(&argument).expect(&argument))),
        }
    }
    let [train, dev, ..] = &blocks[..] else {
        println!("nothing to do: name a training and a development file");
        return;
    };
    let (train, dev): (Vec<_>, Vec<_>) = (sentences(train), sentences(dev));
    let mut trainer = Trainer::new(&train, &dev, run.options.clone(), run.settings.clone()).expect("trees");
    println!("{:?}\n{:?}", run.options, run.settings);
    println!("{} parameters", trainer.model().parameters().values.len());
    let model = run.train(&mut trainer);
    for test in blocks.get(2).iter().map(|block| sentences(block)) {
        let examples = examples(&model, &test);
        let accuracy = evaluate(&model, &examples, 1);
        println!("test: UAS {:.2} LAS {:.2}", accuracy.uas(), accuracy.las());
    }
    speed(&model, &dev);
}

struct Run {
    options: Options,
    settings: Settings,
    minutes: f64,
}

impl Run {
    fn set(&mut self, key: &str, value: &str) {
        let number: f64 = value.parse().unwrap_or(f64::NAN);
        let size = number as usize;
        match key {
            "minutes" => self.minutes = number,
            "threads" => self.settings.threads = size,
            "seed" => self.settings.seed = size as u64,
            "batch" => self.settings.batch_words = size,
            "rate" => self.settings.schedule.rate = number,
            "decay" => self.settings.schedule.decay_from = number,
            "clip" => self.settings.clip = number,
            "average" => self.settings.average = number,
            "word_dropout" => self.settings.dropout.word = number,
            "character_dropout" => self.settings.dropout.characters = number,
            "tag_dropout" => self.settings.dropout.tag = number,
            "no_tags" => self.settings.dropout.all_tags = number,
            "layer_dropout" => self.settings.dropout.layer = number,
            "recurrent_dropout" => self.settings.dropout.recurrent = number,
            "hidden_dropout" => self.settings.dropout.hidden = number,
            "goal" => self.settings.goal = if value == "trees" { Goal::Trees } else { Goal::Heads },
            "tags" if value == "none" => {
                (self.options.upos, self.options.xpos, self.options.feats) = (false, false, false);
            }
            "xpos" => self.options.xpos = size > 0,
            "word" => self.options.word = size,
            "characters" => self.options.characters = size,
            "buckets" => self.options.buckets = size,
            "tag" => self.options.tags = size,
            "layers" => self.options.layers = size,
            "hidden" => self.options.hidden = size,
            "arc" => self.options.arc = size,
            "label" => self.options.label = size,
            _ => panic!("unknown setting {key}"),
        }
    }

    fn train(&self, trainer: &mut Trainer) -> Model {
        let start = Instant::now();
        let mut training = 0.0;
        loop {
            let epoch = Instant::now();
            let mut progress = 0.0;
            while progress < 1.0 {
                progress = start.elapsed().as_secs_f64() / (60.0 * self.minutes);
                if trainer.step(progress).is_none() {
                    break;
                }
            }
            training += epoch.elapsed().as_secs_f64();
            let words = trainer.position().words;
            let evaluating = Instant::now();
            let done = trainer.end_epoch();
            let evaluation = evaluating.elapsed().as_secs_f64();
            println!(
                "{:5.0} s  epoch {:2}  {:9} words  {:6.0} words/s  loss {:.4}  UAS {:.2}  LAS {:.2}  dev {:6.0} words/s",
                start.elapsed().as_secs_f64(),
                done.number,
                words,
                words as f64 / training,
                done.losses.mean(),
                done.accuracy.uas(),
                done.accuracy.las(),
                done.accuracy.words as f64 / evaluation,
            );
            if progress >= 1.0 {
                break;
            }
        }
        trainer.best().0
    }
}

/// Words per second on one thread: the best of several runs, for each part.
fn speed(model: &Model, sentences: &[Sentence<'_>]) {
    let encode = || -> Vec<Encoded> { sentences.iter().map(|sentence| model.encode(sentence)).collect() };
    let encoded = encode();
    let encoded: Vec<&Encoded> = encoded.iter().filter(|sentence| !sentence.is_empty()).collect();
    let words: usize = encoded.iter().map(|sentence| sentence.len()).sum();
    let system = System::named("mh4+").expect("a system");
    let report = |name: &str, run: &mut dyn FnMut()| {
        let best = (0..5).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        });
        let best = best.fold(f64::INFINITY, f64::min);
        println!(
            "{name:<34} {:7.0} words/s, {:5.2} µs a word",
            words as f64 / best,
            1e6 * best / words as f64
        );
    };
    report("encoding", &mut || drop(encode()));
    report("scores, mst and labels", &mut || {
        model.parse_each(
            &encoded,
            |scores| Spanning::new().best(scores).ok().map(|best| best.tree),
            |_, parsed| assert!(parsed.is_some()),
        );
    });
    report("scores, exact mh4+ and labels", &mut || {
        model.parse_each(&encoded, |scores| decode(&system, scores), |_, parsed| assert!(parsed.is_some()));
    });
    report("scores without labels", &mut || {
        for batch in encoded.chunks(80) {
            std::hint::black_box(model.scores(batch));
        }
    });
}

fn sentences(block: &Block) -> Vec<Sentence<'_>> {
    block.sentences().filter(|sentence| !sentence.is_blank()).collect()
}

fn examples(model: &Model, sentences: &[Sentence<'_>]) -> Vec<Example> {
    let example = |sentence| Example::new(sentence, model.vocabulary(), model.options()).expect("a tree");
    sentences.iter().map(example).collect()
}
