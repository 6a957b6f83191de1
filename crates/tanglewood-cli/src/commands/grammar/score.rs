//! `tanglewood grammar score`

use std::io::Write;

use serde_json::json;
use tanglewood::conllu::{Block, Problem, Validator};
use tanglewood::grammar::Symbol;
use tanglewood::shown::shown;

use super::read_for;
use crate::Outcome;
use crate::arguments::{ScoreArguments, TableFormat};
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::output::Output;
use crate::parallel::{for_each_block, jobs};
use crate::progress::Progress;
use crate::text::counted;

/// A sentence and the logarithm of its probability, or why it has none.
struct Scored {
    name: Option<String>,
    line: u64,
    words: usize,
    log_prob: Result<f64, String>,
}

#[derive(Default)]
struct Sums {
    sentences: u64,
    words: u64,
    log_prob: f64,
    failed: u64,
}

pub fn run(arguments: &ScoreArguments) -> Outcome {
    let (grammar, on) = read_for(&arguments.grammar, &arguments.files)?;
    let grammar = grammar.with_memory(arguments.max_memory.0);
    let sources = input::sources(&arguments.files)?;
    let read = sources.iter().map(Source::path).chain([arguments.grammar.as_path()]);
    let mut out = Output::to(arguments.output.file.as_deref(), read)?;
    let progress = Progress::beside_output(&sources, &out);
    let threads = jobs(arguments.jobs.jobs);
    let (mut sums, mut skipped) = (Sums::default(), 0);
    let score = |validator: &mut Validator, block: &Block| {
        let (mut scored, mut invalid): (Vec<Scored>, Vec<Problem>) = (Vec::new(), Vec::new());
        for sentence in block.sentences().filter(|sentence| !sentence.is_blank() && !sentence.is_gap()) {
            if let Err(problem) = validator.words(&sentence) {
                invalid.push(problem);
                continue;
            }
            let values = on.values(&sentence);
            let words: Vec<Symbol> = values.iter().map(|value| grammar.symbols().number(value)).collect();
            scored.push(Scored {
                name: sentence.sent_id().map(|name| name.into_owned()),
                line: sentence.first_line(),
                words: words.len(),
                log_prob: grammar.log_probability(&words).map_err(|error| error.to_string()),
            });
        }
        (scored, invalid)
    };
    for_each_block(&sources, threads, &progress, Validator::new, score, |source, (scored, invalid)| {
        let file = &sources[source].name;
        for problem in invalid {
            if !arguments.invalid.skip_invalid {
                return Err(Failure::Problem { file: file.clone(), problem });
            }
            progress.say(format_args!("skipped: {file}:{problem}"));
            skipped += 1;
        }
        scored.iter().try_for_each(|scored| sums.add(&mut out, file, scored, arguments.format))
    })?;
    sums.write(&mut out, arguments.format)?;
    out.finish()?;
    if skipped > 0 {
        progress.say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    Ok(if sums.failed == 0 { Verdict::Yes } else { Verdict::No })
}

impl Sums {
    fn add(
        &mut self,
        out: &mut Output,
        file: &str,
        Scored { name, line, words, log_prob }: &Scored,
        format: TableFormat,
    ) -> Result<(), Failure> {
        match log_prob {
            Ok(log_prob) => {
                self.sentences += 1;
                self.words += *words as u64;
                self.log_prob += log_prob;
            }
            Err(_) => self.failed += 1,
        }
        let name_or_place = name.clone().unwrap_or_else(|| format!("{file}:{line}"));
        let shown = shown(&name_or_place);
        match (format, log_prob) {
            (TableFormat::Table, Ok(log_prob)) => writeln!(out, "{log_prob:.4}\t{words}\t{shown}")?,
            (TableFormat::Table, Err(error)) => writeln!(out, "–\t{words}\t{shown}\t{error}")?,
            (TableFormat::Json, log_prob) => {
                let mut object = json!({ "file": file, "line": line, "sent_id": name, "words": words });
                match log_prob {
                    Ok(log_prob) => object["log_prob"] = json!(log_prob),
                    Err(error) => object["error"] = json!(error),
                }
                writeln!(out, "{object}")?;
            }
        }
        Ok(())
    }

    fn write(&self, out: &mut Output, format: TableFormat) -> Result<(), Failure> {
        let Sums { sentences, words, log_prob, .. } = *self;
        let perplexity = (words > 0).then(|| (-log_prob / words as f64).exp());
        match format {
            TableFormat::Table => {
                let shown =
                    perplexity.map_or_else(|| "–".to_owned(), |perplexity| format!("{perplexity:.4}"));
                let (sentences, words) = (counted(sentences, "sentence"), counted(words, "word"));
                writeln!(out, "{log_prob:.4}\t{sentences}, {words}\tperplexity {shown}")?;
            }
            TableFormat::Json => {
                let all = json!({
                    "sentences": sentences, "words": words, "log_prob": log_prob, "perplexity": perplexity,
                });
                writeln!(out, "{all}")?;
            }
        }
        Ok(())
    }
}
