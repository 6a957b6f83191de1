//! The double check of `tanglewood coverage --verify`: membership by oracle and by deduction.

use tanglewood::conllu::{Block, Validator};
use tanglewood::deduction::Deduction;
use tanglewood::system::{Direction, TreeClass};
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
    /// A double check of sentences of up to this number of words.
    pub fn new(systems: &'a [TreeClass], direction: Direction, words: usize) -> Verification<'a> {
        let both = |system: &'a System| (system, Oracle::new(system), Deduction::new(system));
        // That all trees cover a tree needs no check.
        let systems = systems.iter().filter_map(TreeClass::system).map(both).collect();
        Verification { systems, direction, words }
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

#[cfg(test)]
mod tests {
    use super::*;
    use tanglewood::conllu::Blocks;

    /// One block: three words without a crossing, then four with one.
    fn block() -> Block {
        let word = |(id, head): (usize, &usize)| format!("{id}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n");
        let sentence = |heads: &[usize]| (1..).zip(heads).map(word).collect::<String>() + "\n";
        let text = sentence(&[2, 0, 2]) + "# sent_id = crossing\n" + &sentence(&[3, 4, 0, 3]);
        let mut block = Block::default();
        assert!(Blocks::new(text.as_bytes()).read_into(&mut block).unwrap());
        block
    }

    /// A verification that is told that the deduction of one system belongs to another.
    fn mistaken<'a>(system: &'a System, other: &System, words: usize) -> Verification<'a> {
        let deduction = Deduction::new(other);
        Verification {
            systems: vec![(system, Oracle::new(system), deduction)],
            direction: Direction::Ltr,
            words,
        }
    }

    #[test]
    fn a_disagreement_names_the_sentence_and_both_answers() {
        let (attardi, standard) = (System::named("attardi").unwrap(), System::named("arc-standard").unwrap());
        for (system, other, answers) in [
            (&attardi, &standard, "oracle: covered; deduction: not covered"),
            (&standard, &attardi, "oracle: not covered; deduction: covered"),
        ] {
            let checked = mistaken(system, other, 10).check_block(&mut Validator::new(), &block());
            assert_eq!(checked.sentences, 2);
            assert_eq!(checked.disagreements, [format!("5:1: (crossing) {system}: {answers}")]);
        }
    }

    #[test]
    fn a_deduction_that_gives_up_is_a_disagreement() {
        let system = System::named("all").unwrap();
        let systems = [TreeClass::from(&system), TreeClass::Any];
        let mut verification = Verification::new(&systems, Direction::Either, 10);
        verification.systems[0].2 = Deduction::new(&system).limit(3);
        let checked = verification.check_block(&mut Validator::new(), &block());
        assert_eq!(checked.disagreements.len(), 2);
        assert!(
            checked.disagreements[0].contains("deduction: the deduction for 3 words has more than 3 items")
        );
    }

    #[test]
    fn longer_sentences_are_left_out() {
        let (attardi, standard) = (System::named("attardi").unwrap(), System::named("arc-standard").unwrap());
        let checked = mistaken(&attardi, &standard, 3).check_block(&mut Validator::new(), &block());
        assert_eq!((checked.sentences, checked.disagreements.len()), (1, 0));
    }
}
