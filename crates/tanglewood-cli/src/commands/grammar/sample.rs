//! `tanglewood grammar sample`

use std::io::Write;

use tanglewood::grammar::{Sample, Symbols};

use super::read;
use crate::Outcome;
use crate::arguments::{SampleArguments, SymbolColumn};
use crate::failure::{Failure, Verdict};
use crate::output::Output;
use crate::progress::say;

pub fn run(arguments: &SampleArguments) -> Outcome {
    let (grammar, on) = read(&arguments.grammar)?;
    let mut out = Output::to(arguments.output.file.as_deref(), [arguments.grammar.as_path()])?;
    let mut sampler = grammar.sample(arguments.seed, arguments.max_length);
    for number in 1..=arguments.count {
        let Sample { words, tree } = sampler.draw().map_err(|error| Failure::Other(error.to_string()))?;
        let names: Vec<&str> = words.iter().map(|&word| grammar.symbols().name(word)).collect();
        let labels = grammar.labels().of_tree(&words, &tree);
        writeln!(out, "# sent_id = sample-{number}")?;
        writeln!(out, "# text = {}", names.join(" "))?;
        for (at, &name) in names.iter().enumerate() {
            let (word, head) = (at + 1, tree.head(at + 1));
            let [upos, xpos] = match on {
                SymbolColumn::Upos if words[at] == Symbols::UNKNOWN => ["X", "_"],
                SymbolColumn::Upos => [name, "_"],
                SymbolColumn::Xpos => ["_", name],
                SymbolColumn::Form => ["_", "_"],
            };
            writeln!(out, "{word}\t{name}\t_\t{upos}\t{xpos}\t_\t{head}\t{}\t_\t_", labels[at])?;
        }
        writeln!(out)?;
    }
    out.finish()?;
    let share = 100.0 * sampler.complete_share();
    say(format_args!("{share:.2} % of the runs that were begun came to an end"));
    Ok(Verdict::Yes)
}
