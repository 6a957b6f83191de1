//! `tanglewood oracle`

use std::io::Write;

use serde_json::json;
use tanglewood::conllu::{Block, Blocks, Sentence, Validator};
use tanglewood::deduction::{Deduction, Proof, ProofStep};
use tanglewood::shown::shown;
use tanglewood::system::Direction;
use tanglewood::{Derivation, NotCovered, Oracle, System, Tree};

use super::derivation_view::{Words, names};
use crate::Outcome;
use crate::arguments::{OracleArguments, TextFormat};
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::output::Output;
use crate::progress::{Progress, say};
use crate::text::{counted, terminal_width, wrapped};

pub fn run(arguments: &OracleArguments) -> Outcome {
    let sources = input::sources(std::slice::from_ref(&arguments.file))?;
    let [source] = &sources[..] else {
        let message = format!("{} is a directory; expected one file", arguments.file.display());
        return Err(Failure::Other(message));
    };
    let oracle = Oracle::new(&arguments.system);
    let deduction = arguments.proof.then(|| Deduction::new(&arguments.system));
    let mut validator = Validator::new();
    let mut out = Output::standard();
    let mut verdict = Verdict::Yes;
    let (mut index, mut shown, mut skipped) = (0, 0, 0);
    let mut blocks = Blocks::new(source.open(&Progress::hidden())?);
    let mut block = Block::default();
    'reading: while blocks.read_into(&mut block).map_err(|error| Failure::reading(&source.name, error))? {
        for sentence in block.sentences().filter(|sentence| !sentence.is_blank()) {
            let here = Here {
                file: &source.name,
                index,
                sentence,
                system: &arguments.system,
                direction: arguments.direction,
            };
            index += 1;
            if !arguments.sentence.as_deref().is_none_or(|wanted| here.is(wanted)) {
                continue;
            }
            match validator.tree(&sentence) {
                Ok(tree) => {
                    let tree = if arguments.direction == Direction::Ltr { tree } else { tree.mirrored() };
                    let mut result = oracle.derivation(&tree);
                    if result.is_err() {
                        verdict = Verdict::No;
                    }
                    let proof = match &deduction {
                        Some(deduction) if result.is_ok() => here.proof(deduction, &tree)?,
                        _ => None,
                    };
                    if let Some(proof) = &proof {
                        // Of a tree's derivations the deduction may find another one; its steps are the ones
                        // to show beside it.
                        result = Ok(proof.derivation());
                    }
                    match arguments.format {
                        TextFormat::Text => {
                            here.write_text(&tree, &result, proof.as_ref(), shown, &mut out)?
                        }
                        TextFormat::Json => here.write_json(&tree, &result, proof.as_ref(), &mut out)?,
                    }
                    shown += 1;
                }
                Err(problem) if arguments.invalid.skip_invalid => {
                    say(format_args!("skipped: {}:{problem}", source.name));
                    skipped += 1;
                }
                Err(problem) => return Err(Failure::Problem { file: source.name.clone(), problem }),
            }
            if arguments.sentence.is_some() {
                break 'reading;
            }
        }
    }
    out.finish()?;
    if skipped > 0 {
        say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    match &arguments.sentence {
        Some(_) if index == 0 => Err(Failure::Other(format!("there is no sentence in {}", source.name))),
        Some(wanted) if shown + skipped == 0 => Err(Failure::Other(format!(
            "no sentence `{wanted}` in {}; expected a sent_id, or an index from 0 to {}",
            source.name,
            index - 1
        ))),
        _ => Ok(verdict),
    }
}

/// A sentence and what is asked of it.
struct Here<'a> {
    file: &'a str,
    index: u64,
    sentence: Sentence<'a>,
    system: &'a System,
    direction: Direction,
}

impl Here<'_> {
    /// Whether the user's word for a sentence means this one.
    fn is(&self, wanted: &str) -> bool {
        self.sentence.sent_id().as_deref() == Some(wanted) || wanted.parse() == Ok(self.index)
    }

    /// The deduction of the tree, which is one of the system's.
    fn proof(&self, deduction: &Deduction, tree: &Tree) -> Result<Option<Proof>, Failure> {
        deduction.proof_of_tree(tree).map_err(|error| {
            let message = format!("cannot deduce sentence {}: {error}", self.index);
            Failure::Other(message)
        })
    }

    /// Which of the named systems can do it instead, in the same direction.
    fn able(&self, tree: &Tree) -> String {
        let able = System::all().into_iter().filter(|system| Oracle::new(system).covers(tree));
        let names: Vec<String> = able.map(|system| system.name().to_owned()).collect();
        match &names[..] {
            [] => "no named system covers this tree in this direction".to_owned(),
            names => format!("covered by: {}", names.join(", ")),
        }
    }

    fn write_text(
        &self,
        tree: &Tree,
        result: &Result<Derivation, NotCovered>,
        proof: Option<&Proof>,
        before: u64,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        if before > 0 {
            writeln!(out)?;
        }
        let id = self.sentence.sent_id().map_or(String::new(), |id| format!(" ({})", shown(&id)));
        let direction = if self.direction == Direction::Ltr { "" } else { ", right to left" };
        let answer = match result {
            Ok(derivation) => counted(derivation.transitions().len() as u64, "step"),
            Err(_) => "not covered".to_owned(),
        };
        let words = counted(tree.len() as u64, "word");
        writeln!(out, "sentence {}{id}: {words}, {}{direction}, {answer}", self.index, self.system)?;
        if let Some(text) = self.sentence.metadata("text") {
            let text = shown(&text);
            match terminal_width() {
                Some(width) => wrapped(&text, width).iter().try_for_each(|line| writeln!(out, "{line}"))?,
                None => writeln!(out, "{text}")?,
            }
        }
        let words = Words::of(&self.sentence, self.direction);
        // Only a terminal would break lines in the middle of words.
        let width = terminal_width().map_or(usize::MAX, |width| width.saturating_sub(2));
        let lines = match result {
            Ok(derivation) => words.table(derivation, width),
            Err(not_covered) => words.stuck(not_covered, width),
        };
        for line in lines {
            writeln!(out, "  {line}")?;
        }
        if let Some(proof) = proof {
            let order =
                if self.direction == Direction::Ltr { "" } else { " (words are counted from the right)" };
            // With frames there are items between the steps, where two have been combined.
            let items = if self.system.frame().is_some() { "item by item" } else { "an item for each step" };
            writeln!(out, "  proof, {items}{order}:")?;
            for line in proof.to_string().lines() {
                writeln!(out, "  {line}")?;
            }
        }
        if result.is_err() {
            for line in wrapped(&self.able(tree), width) {
                writeln!(out, "  {line}")?;
            }
        }
        Ok(())
    }

    fn write_json(
        &self,
        tree: &Tree,
        result: &Result<Derivation, NotCovered>,
        proof: Option<&Proof>,
        out: &mut impl Write,
    ) -> std::io::Result<()> {
        let words = Words::of(&self.sentence, self.direction);
        let number = |node| words.number(node);
        let (transitions, stack) = match result {
            Ok(derivation) => (derivation.transitions(), None),
            Err(stuck) => (&stuck.transitions[..], Some(stuck.stuck.stack().map(number).collect::<Vec<_>>())),
        };
        let run = Derivation::new(tree.len(), transitions.to_vec());
        let mut arcs: Vec<[usize; 2]> = Vec::new();
        // Oracles only make steps that are possible.
        let _ = run.each_step(|_, arc, _| arcs.extend(arc.map(|(head, word)| [number(head), number(word)])));
        let mut line = json!({
            "file": self.file,
            "index": self.index,
            "sent_id": self.sentence.sent_id(),
            "system": self.system.name(),
            "direction": self.direction.to_string(),
            "words": tree.len(),
            "covered": result.is_ok(),
            "transitions": names(transitions),
            "arcs": arcs,
        });
        if let Some(stack) = stack {
            line["stack"] = json!(stack);
        }
        if let Some(proof) = proof {
            let step = |step: &ProofStep| {
                let premises: Vec<usize> = step.premises.iter().map(|premise| premise + 1).collect();
                json!({ "item": step.item.to_string(), "rule": step.rule.to_string(), "from": premises })
            };
            line["proof"] = proof.steps().iter().map(step).collect();
        }
        writeln!(out, "{line}")
    }
}
