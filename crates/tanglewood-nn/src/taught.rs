//! Distributions over heads, labels and tags that a teacher has written into a treebank.
//!
//! A teacher that is unsure of a head says so in MISC: `Heads=4:0.91,2:0.06` gives head 4 the probability
//! 0.91 and head 2 the probability 0.06. Likewise `Labels=obl:0.7,nmod:0.3`, which is about the head that
//! the word has, and `Upos=NOUN:0.8,PROPN:0.2` and `Xpos=NN:0.8,NNP:0.2`. In names, `%2C` is a comma and `%7C`
//! a bar. What is missing to one is spread by scaling. A student that is trained towards the whole
//! distribution learns more from a sentence than from the best tree alone (Hinton, Vinyals and Dean 2015;
//! Kuncoro et al. 2016).

use tanglewood::conllu::{Column, Row};

use crate::layers::Bags;
use crate::vocabulary::Names;

/// Attributes of MISC.
const HEADS: &[u8] = b"Heads=";
const LABELS: &[u8] = b"Labels=";
const TAGS: [&[u8]; 2] = [b"Upos=", b"Xpos="];

/// A distribution over heads, labels or tags for each word of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Taught {
    /// The heads, labels or tags of each word that have a probability above zero.
    choices: Bags,
    /// Their probabilities, in the same order; those of a word sum to one.
    probabilities: Vec<f32>,
}

impl Taught {
    /// What the rows of a sentence of `length` words say of heads; nothing if one of them says nothing that
    /// makes sense.
    pub(crate) fn heads<'a>(rows: impl Iterator<Item = Row<'a>>, length: usize) -> Option<Taught> {
        let length = length as u32;
        Taught::of(rows, HEADS, |word, head| {
            head.parse().ok().filter(|&head| head <= length && head != word as u32 + 1)
        })
    }

    /// The same of labels.
    pub(crate) fn labels<'a>(rows: impl Iterator<Item = Row<'a>>, names: &Names) -> Option<Taught> {
        Taught::of(rows, LABELS, |_, label| names.number(label))
    }

    /// The same of UPOS (0) or XPOS (1).
    pub(crate) fn tags<'a>(
        rows: impl Iterator<Item = Row<'a>>,
        column: usize,
        names: &Names,
    ) -> Option<Taught> {
        Taught::of(rows, TAGS.get(column)?, |_, tag| names.number(tag))
    }

    /// What rows say in an attribute, where `number` knows what can be chosen for a word.
    fn of<'a>(
        rows: impl Iterator<Item = Row<'a>>,
        attribute: &[u8],
        number: impl Fn(usize, &str) -> Option<u32>,
    ) -> Option<Taught> {
        let mut taught = Taught { choices: Bags::default(), probabilities: Vec::new() };
        for (word, row) in rows.enumerate() {
            let mut attributes = row.get(Column::Misc).split(|&byte| byte == b'|');
            let value = attributes.find_map(|each| each.strip_prefix(attribute))?;
            let pairs = pairs(std::str::from_utf8(value).ok()?, |choice| number(word, choice))?;
            let total: f32 = pairs.iter().map(|pair| pair.1).sum();
            taught.choices.push(pairs.iter().map(|pair| pair.0));
            taught.probabilities.extend(pairs.iter().map(|pair| pair.1 / total));
        }
        Some(taught)
    }

    /// The heads, labels or tags of a word, counted from 0, and their probabilities.
    pub fn of_word(&self, word: usize) -> impl Iterator<Item = (u32, f32)> + Clone + '_ {
        let range = self.choices.range(word);
        self.choices.get(word).iter().copied().zip(self.probabilities[range].iter().copied())
    }
}

/// What a word may be given, with probabilities; nothing unless all have a number, are named once, and all
/// probabilities are positive numbers.
fn pairs(text: &str, number: impl Fn(&str) -> Option<u32>) -> Option<Vec<(u32, f32)>> {
    let mut pairs: Vec<(u32, f32)> = Vec::new();
    for pair in text.split(',') {
        let (choice, probability) = pair.rsplit_once(':')?;
        let choice = choice.replace("%2C", ",").replace("%7C", "|");
        let (choice, probability): (u32, f32) = (number(&choice)?, probability.parse().ok()?);
        let known = pairs.iter().any(|pair| pair.0 == choice);
        if known || !(probability.is_finite() && probability > 0.0) {
            return None;
        }
        pairs.push((choice, probability));
    }
    (!pairs.is_empty()).then_some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanglewood::conllu::Block;

    fn block(first: &str, second: &str) -> Block {
        let text =
            format!("1\ta\t_\t_\t_\t_\t0\troot\t_\t{first}\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t{second}\n\n");
        Block::of(text.into_bytes())
    }

    fn taught(first: &str, second: &str) -> Option<Taught> {
        let block = block(first, second);
        let sentence = block.sentences().next().expect("a sentence");
        Taught::heads(crate::vocabulary::words_of(&sentence), 2)
    }

    #[test]
    fn labels_are_those_of_the_vocabulary() {
        let names: Names = ["root", "nmod:poss"].into_iter().map(str::to_owned).collect();
        let labels = |first: &str| {
            let block = block(first, "Labels=root:1");
            let sentence = block.sentences().next().expect("a sentence");
            Taught::labels(crate::vocabulary::words_of(&sentence), &names)
        };
        let taught = labels("Labels=nmod:poss:0.5,root:0.5").expect("two distributions");
        let number = |name| names.number(name).expect("a label");
        let both = [(number("nmod:poss"), 0.5), (number("root"), 0.5)];
        assert_eq!(taught.of_word(0).collect::<Vec<_>>(), both);
        assert_eq!(labels("Labels=obj:1"), None);
    }

    #[test]
    fn tags_may_be_commas() {
        let names: Names = [",", ":"].into_iter().map(str::to_owned).collect();
        let block = block("Upos=X:1|Xpos=%2C:0.75,::0.25", "Upos=X:1|Xpos=::1");
        let sentence = block.sentences().next().expect("a sentence");
        let taught = Taught::tags(crate::vocabulary::words_of(&sentence), 1, &names).expect("distributions");
        assert_eq!(taught.of_word(0).collect::<Vec<_>>(), [(0, 0.75), (1, 0.25)]);
        assert_eq!(Taught::tags(crate::vocabulary::words_of(&sentence), 0, &names), None);
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
