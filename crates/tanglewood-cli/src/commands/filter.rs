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
use crate::progress::Progress;
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
    /// Whether the bytes begin where their file begins.
    from_start: bool,
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
        out.append(&kept)?;
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
    fn append(&mut self, kept: &Kept) -> std::io::Result<()> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        let bytes = match self.written {
            // The byte-order mark of a later file has no place in the middle. What looks like one elsewhere is content.
            Ending::Line | Ending::MidLine | Ending::BlankLine if kept.from_start => {
                kept.bytes.strip_prefix(MARK).unwrap_or(&kept.bytes)
            }
            _ => &kept.bytes,
        };
        if bytes.is_empty() {
            return Ok(());
        }
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
