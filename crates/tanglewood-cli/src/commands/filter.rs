//! `tanglewood filter`

use std::io::Write;

use tanglewood::classes::is_projective;
use tanglewood::conllu::{Block, Id, Problem, Sentence, Validator};
use tanglewood::system::Direction;
use tanglewood::{Oracle, Tree};

use crate::Outcome;
use crate::arguments::{FilterArguments, LengthRange};
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::joined::Joined;
use crate::output::Output;
use crate::parallel::{for_each_block, jobs};
use crate::progress::Progress;
use crate::text::counted;

/// What a sentence has to meet.
struct Conditions {
    nonprojective: bool,
    /// Oracles of systems; none for the class of all trees.
    covered_by: Vec<Option<Oracle>>,
    not_covered_by: Vec<Option<Oracle>>,
    direction: Direction,
    length: Option<LengthRange>,
}

/// What is left of one block.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Whether the bytes begin where their file begins.
    from_start: bool,
    sentences: u64,
    invalid: Vec<Problem>,
}

pub fn run(arguments: &FilterArguments) -> Outcome {
    let sources = input::sources(&arguments.paths)?;
    let conditions = Conditions {
        nonprojective: arguments.nonprojective,
        covered_by: arguments.covered_by.iter().map(|class| class.system().map(Oracle::new)).collect(),
        not_covered_by: arguments
            .not_covered_by
            .iter()
            .map(|class| class.system().map(Oracle::new))
            .collect(),
        direction: arguments.direction.direction,
        length: arguments.length,
    };
    let mut out = Joined::new(Output::to(arguments.output.file.as_deref(), [])?);
    let progress = Progress::beside_output(&sources, &out.out);
    let threads = jobs(arguments.jobs.jobs);
    let (mut sentences, mut skipped) = (0, 0);
    let keep =
        |validator: &mut Validator, block: &Block| conditions.apply(validator, block, !arguments.count);
    for_each_block(&sources, threads, &progress, Validator::new, keep, |source, mut kept| {
        let file = &sources[source].name;
        for problem in kept.invalid.drain(..) {
            if !arguments.invalid.skip_invalid {
                return Err(Failure::Problem { file: file.clone(), problem });
            }
            progress.say(format_args!("skipped: {file}:{problem}"));
            skipped += 1;
        }
        sentences += kept.sentences;
        out.append(&kept.bytes, kept.from_start)?;
        Ok(())
    })?;
    if skipped > 0 {
        progress.say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    if arguments.count {
        writeln!(out.out, "{sentences}")?;
    }
    out.out.finish()?;
    Ok(Verdict::Yes)
}

impl Kept {
    fn push(&mut self, sentence: &Sentence<'_>) {
        self.from_start |= sentence.first_line() == 1;
        self.bytes.extend_from_slice(sentence.bytes());
    }
}

impl Conditions {
    fn need_tree(&self) -> bool {
        self.nonprojective || !self.covered_by.is_empty() || !self.not_covered_by.is_empty()
    }

    fn are_none(&self) -> bool {
        !self.need_tree() && self.length.is_none()
    }

    fn apply(&self, validator: &mut Validator, block: &Block, copy: bool) -> Kept {
        let mut kept = Kept::default();
        for sentence in block.sentences() {
            if sentence.is_blank() {
                if copy && self.are_none() {
                    kept.push(&sentence);
                }
                continue;
            }
            let meets = self.length.is_none_or(|range| (range.min..=range.max).contains(&words(&sentence)))
                && (!self.need_tree()
                    || match validator.tree(&sentence) {
                        Ok(tree) => self.hold_for(&tree),
                        Err(problem) => {
                            kept.invalid.push(problem);
                            false
                        }
                    });
            if meets {
                kept.sentences += 1;
                if copy {
                    kept.push(&sentence);
                }
            }
        }
        kept
    }

    fn hold_for(&self, tree: &Tree) -> bool {
        let covers = |oracle: &Option<Oracle>| {
            oracle.as_ref().is_none_or(|oracle| oracle.covers_in(self.direction, tree))
        };
        (!self.nonprojective || !is_projective(tree))
            && self.covered_by.iter().all(covers)
            && !self.not_covered_by.iter().any(covers)
    }
}

fn words(sentence: &Sentence<'_>) -> usize {
    sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).count()
}
