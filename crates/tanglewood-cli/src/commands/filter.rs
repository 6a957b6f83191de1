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
use crate::output::Output;
use crate::parallel::{for_each_block, jobs};
use crate::text::counted;

/// What a sentence has to meet.
struct Conditions {
    nonprojective: bool,
    covered_by: Vec<Oracle>,
    not_covered_by: Vec<Oracle>,
    direction: Direction,
    length: Option<LengthRange>,
}

/// What is left of one block.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    sentences: u64,
    invalid: Vec<Problem>,
}

pub fn run(arguments: &FilterArguments) -> Outcome {
    let sources = input::sources(&arguments.paths)?;
    let conditions = Conditions {
        nonprojective: arguments.nonprojective,
        covered_by: arguments.covered_by.iter().map(Oracle::new).collect(),
        not_covered_by: arguments.not_covered_by.iter().map(Oracle::new).collect(),
        direction: arguments.direction.direction,
        length: arguments.length,
    };
    let mut out = Joined { out: Output::to(arguments.output.file.as_deref())?, written: Ending::Nothing };
    let (mut sentences, mut skipped) = (0, 0);
    let keep =
        |validator: &mut Validator, block: &Block| conditions.apply(validator, block, !arguments.count);
    for_each_block(&sources, jobs(arguments.jobs.jobs), Validator::new, keep, |source, kept| {
        let file = &sources[source].name;
        for problem in kept.invalid {
            if !arguments.invalid.skip_invalid {
                return Err(Failure::Problem { file: file.clone(), problem });
            }
            eprintln!("skipped: {file}:{problem}");
            skipped += 1;
        }
        sentences += kept.sentences;
        out.append(&kept.bytes)?;
        Ok(())
    })?;
    if skipped > 0 {
        eprintln!("skipped {}", counted(skipped, "invalid sentence"));
    }
    if arguments.count {
        writeln!(out.out, "{sentences}")?;
    }
    out.out.finish()?;
    Ok(Verdict::Yes)
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
                    kept.bytes.extend_from_slice(sentence.bytes());
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
                    kept.bytes.extend_from_slice(sentence.bytes());
                }
            }
        }
        kept
    }

    fn hold_for(&self, tree: &Tree) -> bool {
        (!self.nonprojective || !is_projective(tree))
            && self.covered_by.iter().all(|oracle| oracle.covers_in(self.direction, tree))
            && !self.not_covered_by.iter().any(|oracle| oracle.covers_in(self.direction, tree))
    }
}

fn words(sentence: &Sentence<'_>) -> usize {
    sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).count()
}

/// Writes pieces of several files one after the other such that sentences stay apart.
struct Joined {
    out: Output,
    written: Ending,
}

/// How the output ends so far.
enum Ending {
    Nothing,
    BlankLine,
    Line,
    MidLine,
}

impl Joined {
    fn append(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if bytes.is_empty() {
            return Ok(());
        }
        let bytes = match self.written {
            Ending::Nothing => bytes,
            // A byte-order mark belongs at the start of a file only.
            _ => bytes.strip_prefix(MARK).unwrap_or(bytes),
        };
        self.out.write_all(match self.written {
            Ending::Nothing | Ending::BlankLine => b"",
            Ending::Line => b"\n",
            Ending::MidLine => b"\n\n",
        })?;
        self.out.write_all(bytes)?;
        self.written = match bytes {
            [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] | b"\n" | b"\r\n" => Ending::BlankLine,
            [.., b'\n'] => Ending::Line,
            _ => Ending::MidLine,
        };
        Ok(())
    }
}
