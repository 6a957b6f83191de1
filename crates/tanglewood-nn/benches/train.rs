//! Trains on a treebank for some minutes and measures: accuracy as it grows, and words per second in training
//! and in parsing.
//!
//! `cargo bench -p tanglewood-nn --bench train -- train.conllu dev.conllu [test.conllu] [minutes=5] [threads=2] [rate=0.003] …`
//!
//! `save=FILE` keeps the model; `load=FILE` takes one instead of training. Words per second in parsing are by
//! processor time where the system tells it, so that other work on the machine disturbs them little.
//!
//! Without arguments it does nothing, so that it can run with all other benchmarks.

#![allow(missing_docs)]

use std::time::Instant;

use tanglewood::System;
use tanglewood::conllu::{Block, Sentence};
use tanglewood::spanning::Spanning;
use tanglewood_nn::internals::encoding::{Encoded, Example};
use tanglewood_nn::training::{Accuracy, Data, Goal, Settings, Trainer, evaluate};
use tanglewood_nn::{About, Decoder, Model, Options};

fn main() {
    let mut blocks = Vec::new();
    let mut run = Run {
        options: Options::default(),
        settings: Settings::default(),
        minutes: 5.0,
        save: None,
        load: None,
    };
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
    let mut trainer =
        Trainer::new(Data::new(&train, &dev), run.options.clone(), run.settings.clone()).expect("trees");
    println!("{:?}\n{:?}", run.options, run.settings);
    println!("{} parameters", trainer.model().parameters().values.len());
    let model = match &run.load {
        Some(path) => Model::read(&std::fs::read(path).expect(path)[..]).expect(path).0,
        None => run.train(&mut trainer),
    };
    if let Some(path) = &run.save {
        let mut file = Vec::new();
        model.write(&About::default(), &mut file).expect("written");
        println!("{} bytes", file.len());
        std::fs::write(path, file).expect(path);
    }
    let decoder =
        Decoder::to_judge(run.settings.goal, System::named(&run.settings.system).expect("a system"));
    for test in blocks.get(2).iter().map(|block| sentences(block)) {
        let given = examples(&model, &test);
        let without: Vec<Example> = (given.iter().cloned().zip(&test))
            .map(|(example, sentence)| {
                let mut example = example.to_compare(sentence, model.options());
                example.input = example.input.without_tags();
                example
            })
            .collect();
        for (name, examples) in [("with the tags of the file", &given), ("without tags", &without)] {
            let accuracy = evaluate(&model, &decoder, examples, 1);
            println!("test, {name}: {}", shown(&accuracy));
        }
    }
    speed(&model, &dev);
}

struct Run {
    options: Options,
    settings: Settings,
    minutes: f64,
    save: Option<String>,
    load: Option<String>,
}

impl Run {
    fn set(&mut self, key: &str, value: &str) {
        let number: f64 = value.parse().unwrap_or(f64::NAN);
        let size = number as usize;
        match key {
            "save" => self.save = Some(value.to_owned()),
            "load" => self.load = Some(value.to_owned()),
            "minutes" => self.minutes = number,
            "epochs" => self.settings.epochs = size as u64,
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
            "goal" => self.settings.goal = Goal::named(value).expect(value),
            "system" => self.settings.system = value.to_owned(),
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
            "tagging" => {
                self.options.tagging = size;
                self.options.lemmas = size > 0;
                self.options.xpos = size > 0;
                self.settings.dropout.all_tags = 0.6;
            }
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
                // By time, unless a number of epochs is given.
                progress = match self.settings.epochs {
                    u64::MAX => start.elapsed().as_secs_f64() / (60.0 * self.minutes),
                    _ => trainer.progress(),
                };
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
                "{:5.0} s  epoch {:2}  {:9} words  {:6.0} words/s  loss {:.4}  {}  dev {:6.0} words/s",
                start.elapsed().as_secs_f64(),
                done.number,
                words,
                words as f64 / training,
                done.losses.mean(),
                shown(&done.accuracy),
                done.accuracy.words as f64 / evaluation,
            );
            if progress >= 1.0 || done.last {
                break;
            }
        }
        trainer.best().0
    }
}

/// All that was measured.
fn shown(accuracy: &Accuracy) -> String {
    let mut shown = format!("UAS {:.2}  LAS {:.2}", accuracy.uas(), accuracy.las());
    for (name, share) in ["UPOS", "XPOS", "FEATS", "LEMMA"].iter().zip(accuracy.columns()) {
        shown += &share.map_or(String::new(), |share| format!("  {name} {share:.2}"));
    }
    shown
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

/// Words per second on one thread: the best of several runs, for each part.
fn speed(model: &Model, sentences: &[Sentence<'_>]) {
    let encode = || -> Vec<Encoded> { sentences.iter().map(|sentence| model.encode(sentence)).collect() };
    let encoded = encode();
    let encoded: Vec<&Encoded> = encoded.iter().filter(|sentence| !sentence.is_empty()).collect();
    let mut by_length = encoded.clone();
    by_length.sort_by_key(|sentence| sentence.len());
    let words: usize = encoded.iter().map(|sentence| sentence.len()).sum();
    let decoder = Decoder::exact(System::named("mh4+").expect("a system"));
    let report = |name: &str, run: &mut dyn FnMut()| {
        let best = (0..5).map(|_| {
            let start = processor_time();
            run();
            processor_time() - start
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
            |scores| Spanning::new().best(scores.arcs()).ok().map(|best| best.tree),
            |_, parsed| assert!(parsed.is_some()),
        );
    });
    report("scores, exact mh4+ and labels", &mut || {
        model.parse_each(&encoded, |scores| decoder.decode(scores), |_, parsed| assert!(parsed.is_some()));
    });
    report("scores without labels", &mut || {
        for batch in by_length.chunks(80) {
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
