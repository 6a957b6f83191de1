//! Distributions over heads that a teacher has written into a treebank.
//!
//! A teacher that is unsure of a head says so in MISC: `Heads=4:0.91,2:0.06` gives head 4 the probability
//! 0.91 and head 2 the probability 0.06. What is missing to one is spread by scaling. A student that is
//! trained towards the whole distribution learns more from a sentence than from the best tree alone (Hinton,
//! Vinyals and Dean 2015; Kuncoro et al. 2016).

use tanglewood::conllu::{Column, Row};

use crate::layers::Bags;

/// The attribute of MISC.
const ATTRIBUTE: &[u8] = b"Heads=";

/// A distribution over heads for each word of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct TaughtHeads {
    /// The heads of each word that have a probability above zero.
    heads: Bags,
    /// Their probabilities, in the same order; those of a word sum to one.
    probabilities: Vec<f32>,
}

impl TaughtHeads {
    /// What the rows of a sentence of `length` words say; nothing if one of them says nothing that makes
    /// sense.
    pub(crate) fn of<'a>(rows: impl Iterator<Item = Row<'a>>, length: usize) -> Option<TaughtHeads> {
        let mut taught = TaughtHeads { heads: Bags::default(), probabilities: Vec::new() };
        for (word, row) in rows.enumerate() {
            let mut attributes = row.get(Column::Misc).split(|&byte| byte == b'|');
            let value = attributes.find_map(|attribute| attribute.strip_prefix(ATTRIBUTE))?;
            let pairs = pairs(std::str::from_utf8(value).ok()?, word as u32 + 1, length as u32)?;
            let total: f32 = pairs.iter().map(|pair| pair.1).sum();
            taught.heads.push(pairs.iter().map(|pair| pair.0));
            taught.probabilities.extend(pairs.iter().map(|pair| pair.1 / total));
        }
        Some(taught)
    }

    /// The heads of a word, counted from 0, and their probabilities.
    pub fn of_word(&self, word: usize) -> impl Iterator<Item = (u32, f32)> + Clone + '_ {
        let range = self.heads.range(word);
        self.heads.get(word).iter().copied().zip(self.probabilities[range].iter().copied())
    }
}

/// The heads of a word with their probabilities; nothing unless all are nodes of the sentence other than the
/// word itself, named once, and all probabilities are positive numbers.
fn pairs(text: &str, word: u32, length: u32) -> Option<Vec<(u32, f32)>> {
    let mut pairs: Vec<(u32, f32)> = Vec::new();
    for pair in text.split(',') {
        let (head, probability) = pair.split_once(':')?;
        let (head, probability): (u32, f32) = (head.parse().ok()?, probability.parse().ok()?);
        let known = pairs.iter().any(|pair| pair.0 == head);
        if head > length || head == word || known || !(probability.is_finite() && probability > 0.0) {
            return None;
        }
        pairs.push((head, probability));
    }
    (!pairs.is_empty()).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanglewood::conllu::Block;

    fn taught(first: &str, second: &str) -> Option<TaughtHeads> {
        let text =
            format!("1\ta\t_\t_\t_\t_\t0\troot\t_\t{first}\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t{second}\n\n");
        let block = Block::of(text.into_bytes());
        let sentence = block.sentences().next().expect("a sentence");
        TaughtHeads::of(crate::vocabulary::words_of(&sentence), 2)
    }

    #[test]
    fn probabilities_are_scaled_to_sum_to_one() {
        let taught = taught("SpaceAfter=No|Heads=0:0.6,2:0.2", "Heads=1:0.5").expect("two distributions");
        assert_eq!(taught.of_word(0).collect::<Vec<_>>(), [(0, 0.75), (2, 0.25)]);
        assert_eq!(taught.of_word(1).collect::<Vec<_>>(), [(1, 1.0)]);
    }

    #[test]
    fn what_makes_no_sense_is_no_distribution() {
        for value in
            ["_", "Heads=", "Heads=0", "Heads=1:1", "Heads=3:1", "Heads=0:-1", "Heads=0:nan", "Heads=0:1,0:1"]
        {
            assert_eq!(taught(value, "Heads=1:1"), None, "{value}");
            assert!(taught("Heads=0:1", "Heads=1:1").is_some());
        }
    }
}
