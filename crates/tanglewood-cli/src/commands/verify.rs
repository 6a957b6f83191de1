//! The double check of `tanglewood coverage --verify`: membership by oracle and by deduction.

use tanglewood::conllu::{Block, Validator};
use tanglewood::deduction::Deduction;
use tanglewood::system::Direction;
use tanglewood::{Oracle, System};

/// What is compared: for each system, two independent ways to decide whether it can build a tree.
pub struct Verification<'a> {
    systems: Vec<(&'a System, Oracle, Deduction)>,
    direction: Direction,
    words: usize,
}

/// The result for one block.
pub struct Checked {
    /// How many sentences were short enough.
    pub sentences: u64,
    /// A line for each time the two ways differed.
    pub disagreements: Vec<String>,
}

impl<'a> Verification<'a> {
    /// For sentences of up to so many words.
    pub fn new(systems: &'a [System], direction: Direction, words: usize) -> Verification<'a> {
        let both =
            |system: &'a System| (system, Oracle::new(system), Deduction::new(system.inventory(), false));
        Verification { systems: systems.iter().map(both).collect(), direction, words }
    }

    /// Compares on every sentence of a block. Invalid ones are left to whoever reports them.
    pub fn check_block(&self, validator: &mut Validator, block: &Block) -> Checked {
        let mut checked = Checked { sentences: 0, disagreements: Vec::new() };
        for sentence in block.sentences().filter(|sentence| !sentence.is_blank()) {
            let Ok(tree) = validator.tree(&sentence) else { continue };
            if tree.len() > self.words {
                continue;
            }
            checked.sentences += 1;
            for (system, oracle, deduction) in &self.systems {
                let by_oracle = oracle.covers_in(self.direction, &tree);
                let answer = |covered| if covered { "covered" } else { "not covered" };
                let by_deduction = match deduction.recognises_in(self.direction, &tree) {
                    Ok(by_deduction) if by_deduction == by_oracle => continue,
                    Ok(by_deduction) => answer(by_deduction).to_owned(),
                    Err(error) => error.to_string(),
                };
                let id = sentence.sent_id().map_or(String::new(), |id| format!(" ({id})"));
                let line = sentence.first_line();
                let by_oracle = answer(by_oracle);
                checked
                    .disagreements
                    .push(format!("{line}:1:{id} {system}: oracle: {by_oracle}; deduction: {by_deduction}"));
            }
        }
        checked
    }
}
