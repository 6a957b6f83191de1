//! `tanglewood grammar fit`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tanglewood::grammar::{
    Conditionals, Corpus, Grammar, GrammarError, HeldOut, PartExpectations, Settings, Start,
};

use super::{ON, data, is_standard, read};
use crate::Outcome;
use crate::arguments::{ConditionalsName, FitArguments, StartName};
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::interrupt::Gentle;
use crate::output::Output;
use crate::parallel::jobs;
use crate::progress::say;
use crate::text::{counted, grouped};

/// Notes in the grammar.
const ITERATIONS: &str = "iterations";
const FINGERPRINT: &str = "fingerprint";
const LOG_LIKELIHOOD: &str = "log-likelihood";

pub fn run(arguments: &FitArguments) -> Outcome {
    check_place(arguments)?;
    let settings = Settings::new(arguments.system.clone())
        .single_root(!arguments.multi_root)
        .with_conditionals(conditionals(arguments));
    let corpus = corpus(arguments, &settings)?;
    let threads = jobs(arguments.jobs.jobs);
    let workers =
        |count: usize, work: &(dyn Fn(usize) -> PartExpectations + Sync)| in_threads(threads, count, work);
    let fingerprint = fingerprint(arguments, &corpus);
    let (mut grammar, mut done) = match resumed(arguments, &fingerprint)? {
        Some(resumed) => resumed,
        None => {
            let mut grammar = corpus.first(&settings, start(arguments), &workers).map_err(failed)?;
            grammar.set_note(ON, arguments.on.name());
            grammar.set_note(FINGERPRINT, &fingerprint);
            grammar.set_note("program", concat!("tanglewood ", env!("CARGO_PKG_VERSION")));
            (grammar, 0)
        }
    };
    let held_out = held_out(arguments, &corpus)?;
    // The grammar of the iteration before, and its perplexity.
    let mut before: Option<(Grammar, f64)> = None;
    let gentle = Gentle::new();
    loop {
        let expected = corpus.expectations(&grammar, &workers).map_err(failed)?;
        let (log, per_word) = (expected.log_likelihood, expected.log_likelihood / corpus.words() as f64);
        let perplexity =
            held_out.as_ref().map(|held_out| held_out.perplexity(&grammar, &workers)).transpose();
        let perplexity = perplexity.map_err(failed)?;
        let of_dev =
            perplexity.map_or_else(String::new, |number| format!(", perplexity of --dev {number:.4}"));
        say(format_args!("iteration {done}: log-likelihood {log:.4} ({per_word:.4} per word){of_dev}"));
        if let (Some((best, lowest)), Some(perplexity)) = (&before, perplexity)
            && perplexity >= *lowest
        {
            say(format_args!("the perplexity of --dev no longer falls: iteration {} is kept", done - 1));
            if is_standard(&arguments.grammar) {
                write(best, &arguments.grammar)?;
            }
            return Ok(Verdict::Yes);
        }
        grammar.set_note(ITERATIONS, &done.to_string());
        grammar.set_note(LOG_LIKELIHOOD, &format!("{log:?}"));
        let is_last = done >= arguments.em;
        // Standard output gets one grammar.
        if is_last || !is_standard(&arguments.grammar) {
            write(&grammar, &arguments.grammar)?;
        }
        if is_last {
            return Ok(Verdict::Yes);
        }
        if let Some(signal) = gentle.signal() {
            say(format_args!("stopped after iteration {done}; --resume goes on"));
            gentle.end(signal);
        }
        let updated = grammar.updated(&expected);
        before = perplexity.map(|perplexity| (grammar, perplexity));
        grammar = updated;
        done += 1;
    }
}

/// Whether the grammar can be written, and is not what is read, before the work.
fn check_place(arguments: &FitArguments) -> Result<(), Failure> {
    let read = arguments.train.iter().chain(&arguments.raw).chain(&arguments.dev);
    let read: Vec<PathBuf> = read.cloned().collect();
    let read = input::sources(&read)?;
    Output::to(Some(&arguments.grammar), read.iter().map(Source::path)).map(drop)
}

/// What is learned from.
fn corpus(arguments: &FitArguments, settings: &Settings) -> Result<Corpus, Failure> {
    let mut observed = data::read(&arguments.train, true, arguments)?;
    observed.extend(data::read(&arguments.raw, false, arguments)?);
    let least = arguments.min_count.unwrap_or(arguments.on.usual_min_count());
    let corpus = Corpus::new(&observed, settings, least).map_err(|error| match error {
        GrammarError::NoSentences => Failure::Other(format!(
            "there is no sentence of up to {} words to learn from; name files with some, or raise --max-length",
            arguments.max_length
        )),
        error => failed(error),
    })?;
    say(format_args!(
        "{}, {} with trees, {}, {}",
        counted(corpus.sentences() as u64, "sentence"),
        grouped(corpus.trees() as u64),
        counted(corpus.words() as u64, "word"),
        counted(corpus.symbols().known().len() as u64, "symbol"),
    ));
    if corpus.replaced() > 0 {
        let (trees, system) = (counted(corpus.replaced() as u64, "tree"), settings.system());
        say(format_args!("{trees} that {system} cannot build: the nearest ones take their place"));
    }
    Ok(corpus)
}

/// What perplexity is measured with, if anything.
fn held_out(arguments: &FitArguments, corpus: &Corpus) -> Result<Option<HeldOut>, Failure> {
    if arguments.dev.is_empty() {
        return Ok(None);
    }
    let observed = data::read(&arguments.dev, false, arguments)?;
    HeldOut::new(&observed, corpus.symbols()).map(Some).map_err(|_| {
        let limit = arguments.max_length;
        Failure::Other(format!("there is no sentence of up to {limit} words in --dev; name a file with some"))
    })
}

fn start(arguments: &FitArguments) -> Start {
    match arguments.start {
        StartName::Harmonic => Start::Harmonic,
        StartName::Uniform => Start::Uniform,
        StartName::Random => Start::Random(arguments.seed),
    }
}

fn conditionals(arguments: &FitArguments) -> Conditionals {
    match arguments.conditionals {
        ConditionalsName::Multinomial => Conditionals::Multinomial,
        ConditionalsName::Neural => Conditionals::Neural { seed: arguments.seed },
    }
}

/// What decides what is learned, but for the number of iterations.
fn fingerprint(arguments: &FitArguments, corpus: &Corpus) -> String {
    let FitArguments { system, multi_root, on, .. } = arguments;
    let (on, start, sum) = (on.name(), start(arguments), corpus.fingerprint());
    let roots = if *multi_root { " several roots" } else { "" };
    let neural = match conditionals(arguments) {
        Conditionals::Multinomial => String::new(),
        neural @ Conditionals::Neural { .. } => format!(" {neural:?}"),
    };
    format!("{sum:016x} {system} {on} {start:?}{roots}{neural}")
}

/// The grammar to go on with and the number of iterations it has had, if that is asked for and there is one.
fn resumed(arguments: &FitArguments, fingerprint: &str) -> Result<Option<(Grammar, usize)>, Failure> {
    if !arguments.resume || !arguments.grammar.exists() {
        return Ok(None);
    }
    let (grammar, _) = read(&arguments.grammar)?;
    if grammar.note(FINGERPRINT) != Some(fingerprint) {
        return Err(Failure::Other(format!(
            "{} was fitted to other data or with other options; name the same ones as before, or leave out --resume to \
             start anew",
            arguments.grammar.display()
        )));
    }
    let done: usize = grammar.note(ITERATIONS).and_then(|done| done.parse().ok()).unwrap_or(0);
    say(format_args!("going on after iteration {done}"));
    Ok(Some((grammar, done)))
}

/// The answers to `work` in order, by several threads, of which this one is the first.
fn in_threads(
    threads: usize,
    count: usize,
    work: &(dyn Fn(usize) -> PartExpectations + Sync),
) -> Vec<PartExpectations> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let working = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return;
            }
            let answer = work(at);
            if let Ok(mut found) = found.lock() {
                found.push((at, answer));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            // Where the system gives no thread, fewer do the same work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, working);
        }
        working();
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_unstable_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, answer)| answer).collect()
}

fn failed(error: GrammarError) -> Failure {
    Failure::Other(error.to_string())
}

fn write(grammar: &Grammar, path: &Path) -> Result<(), Failure> {
    let mut out = Output::to(Some(path), [])?;
    out.write_all(grammar.to_text().as_bytes())?;
    out.finish()
}
