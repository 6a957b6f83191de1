//! `tanglewood grammar parse`

use std::io::Write;

use tanglewood::conllu::{Block, Column, Id, Problem, Validator};
use tanglewood::grammar::{Decoder, Grammar, GrammarParse, Symbol};

use super::read_for;
use crate::Outcome;
use crate::arguments::{GrammarDecoder, GrammarParseArguments, SymbolColumn};
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::output::Output;
use crate::parallel::{for_each_block, jobs};
use crate::progress::Progress;
use crate::text::{counted, percent};

/// What a block became.
#[derive(Default)]
struct Parsed {
    bytes: Vec<u8>,
    sentences: u64,
    proven: u64,
    /// With the line of the sentence.
    failed: Vec<(u64, String)>,
    invalid: Vec<Problem>,
}

struct Parser<'a> {
    grammar: &'a Grammar,
    on: SymbolColumn,
    decoder: Decoder,
    seed: u64,
}

pub fn run(arguments: &GrammarParseArguments) -> Outcome {
    let (grammar, on) = read_for(&arguments.grammar, &arguments.files)?;
    let grammar = grammar.with_memory(arguments.max_memory.0);
    let sources = input::sources(&arguments.files)?;
    let mut out = Output::to(arguments.output.file.as_deref(), [arguments.grammar.as_path()])?;
    let progress = Progress::beside_output(&sources, &out);
    let decoder = match arguments.decoder {
        GrammarDecoder::Run => Decoder::Run,
        GrammarDecoder::Tree => Decoder::Tree,
        GrammarDecoder::Mbr => Decoder::Mbr,
    };
    let parser = Parser { grammar: &grammar, on, decoder, seed: arguments.seed };
    let threads = jobs(arguments.jobs.jobs);
    let (mut sentences, mut proven, mut failed, mut skipped) = (0, 0, 0, 0);
    let parse = |validator: &mut Validator, block: &Block| parser.block(validator, block);
    for_each_block(&sources, threads, &progress, Validator::new, parse, |source, parsed| {
        let file = &sources[source].name;
        for problem in parsed.invalid {
            if !arguments.invalid.skip_invalid {
                return Err(Failure::Problem { file: file.clone(), problem });
            }
            progress.say(format_args!("skipped: {file}:{problem}"));
            skipped += 1;
        }
        for (line, message) in parsed.failed {
            progress.say(format_args!("not parsed: {file}:{line}: {message}"));
            failed += 1;
        }
        sentences += parsed.sentences;
        proven += parsed.proven;
        Ok(out.write_all(&parsed.bytes)?)
    })?;
    out.finish()?;
    if skipped > 0 {
        progress.say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    if decoder == Decoder::Tree {
        let (of, share) = (counted(sentences, "sentence"), percent(proven, sentences));
        progress.say(format_args!("the tree is proven to be the most probable one for {share} of {of}"));
    }
    Ok(if failed == 0 { Verdict::Yes } else { Verdict::No })
}

impl Parser<'_> {
    fn block(&self, validator: &mut Validator, block: &Block) -> Parsed {
        let mut parsed = Parsed::default();
        for sentence in block.sentences() {
            if sentence.is_blank() || sentence.is_gap() {
                parsed.bytes.extend_from_slice(sentence.bytes());
                continue;
            }
            if let Err(problem) = validator.words(&sentence) {
                parsed.invalid.push(problem);
                continue;
            }
            let values = self.on.values(&sentence);
            let words: Vec<Symbol> =
                values.iter().map(|value| self.grammar.symbols().number(value)).collect();
            parsed.sentences += 1;
            let GrammarParse { tree, is_proven_best, .. } =
                match self.grammar.parse(&words, self.decoder, self.seed) {
                    Ok(parse) => parse,
                    Err(error) => {
                        parsed.failed.push((sentence.first_line(), error.to_string()));
                        parsed.bytes.extend_from_slice(sentence.bytes());
                        continue;
                    }
                };
            parsed.proven += u64::from(is_proven_best);
            let labels = self.grammar.labels().of_tree(&words, &tree);
            let edited = sentence.write_edited(&mut parsed.bytes, |row, column| match (row.id, column) {
                (Id::Word(word), Column::Head) => Some(tree.head(word as usize).to_string().into()),
                (Id::Word(word), Column::Deprel) => Some(labels[word as usize - 1].into()),
                _ => None,
            });
            if let Err(error) = edited {
                parsed.failed.push((sentence.first_line(), error.to_string()));
                parsed.bytes.extend_from_slice(sentence.bytes());
            }
        }
        parsed
    }
}
