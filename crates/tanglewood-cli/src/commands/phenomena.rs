//! Which kinds of crossing arcs systems fail on.

use std::collections::{BTreeMap, BTreeSet};

use tanglewood::Tree;
use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::Sentence;
use tanglewood::draw::Word;

/// How many different kinds are counted. Treebanks have some hundreds; a file of nonsense could have any
/// number.
const MAX_KINDS: usize = 5000;
/// Longer sentences are no good as examples.
const MAX_EXAMPLE: usize = 30;

/// Two relations whose arcs cross, without their subtypes, in alphabetical order.
pub type Kind = (String, String);

/// What is counted of one kind.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Non-projective sentences in which it occurs.
    pub sentences: u64,
    /// For each system: how many of them it cannot build.
    pub missed: Vec<u64>,
    /// The sentence that most systems cannot build, the shortest of several, the first of several such.
    pub example: Option<Example>,
}

/// A sentence to show.
#[derive(Clone, Debug)]
pub struct Example {
    pub name: String,
    /// The file it is in; empty until that is known.
    pub file: String,
    pub tree: Tree,
    pub words: Vec<Word>,
    /// For each system, whether it cannot build the tree.
    pub missed: Vec<bool>,
}

/// Kinds of crossings and what is counted of them.
#[derive(Clone, Debug, Default)]
pub struct Phenomena(BTreeMap<Kind, Tally>);

impl Phenomena {
    /// Counts a non-projective sentence, with the systems that cannot build it.
    pub fn add(&mut self, sentence: &Sentence<'_>, tree: &Tree, missed: &[bool]) {
        let words = Word::of(sentence);
        let relation = |word: usize| {
            let relation = words.get(word - 1).map_or("", |word| word.relation.as_str());
            relation.split(':').next().unwrap_or(relation)
        };
        let kinds: BTreeSet<(&str, &str)> = crossing_pairs(tree)
            .map(|(first, second)| {
                let (first, second) = (relation(first), relation(second));
                (first.min(second), first.max(second))
            })
            .collect();
        let is_example = missed.contains(&true) && tree.len() <= MAX_EXAMPLE;
        for (first, second) in kinds {
            let example = is_example.then(|| Example {
                file: String::new(),
                name: sentence.sent_id().map_or(format!("line {}", sentence.first_line()), Into::into),
                tree: tree.clone(),
                words: words.clone(),
                missed: missed.to_vec(),
            });
            let tally =
                Tally { sentences: 1, missed: missed.iter().map(|&missed| missed.into()).collect(), example };
            self.merge_kind((first.to_owned(), second.to_owned()), tally);
        }
    }

    /// Says which file all sentences so far are from.
    pub fn in_file(mut self, file: &str) -> Phenomena {
        for example in self.0.values_mut().filter_map(|tally| tally.example.as_mut()) {
            file.clone_into(&mut example.file);
        }
        self
    }

    /// Adds the counts of later sentences.
    pub fn merge(&mut self, later: Phenomena) {
        for (kind, tally) in later.0 {
            self.merge_kind(kind, tally);
        }
    }

    fn merge_kind(&mut self, kind: Kind, later: Tally) {
        let full = self.0.len() >= MAX_KINDS;
        match self.0.get_mut(&kind) {
            Some(tally) => {
                tally.sentences += later.sentences;
                for (sum, more) in tally.missed.iter_mut().zip(&later.missed) {
                    *sum += more;
                }
                if rank(&later.example) < rank(&tally.example) {
                    tally.example = later.example;
                }
            }
            None if full => {}
            None => {
                self.0.insert(kind, later);
            }
        }
    }

    /// The kinds most often missed, over those systems together that count, the first of them first.
    pub fn most_missed(&self, count: usize, counts: impl Fn(usize) -> bool) -> Vec<(&Kind, &Tally)> {
        let missed = |tally: &Tally| {
            let systems = tally.missed.iter().enumerate().filter(|(system, _)| counts(*system));
            systems.map(|(_, missed)| missed).sum::<u64>()
        };
        let mut kinds: Vec<(&Kind, &Tally)> = self.0.iter().filter(|(_, tally)| missed(tally) > 0).collect();
        kinds.sort_by_key(|(kind, tally)| (std::cmp::Reverse(missed(tally)), *kind));
        kinds.truncate(count);
        kinds
    }
}

/// The best example first.
fn rank(example: &Option<Example>) -> (usize, usize) {
    example.as_ref().map_or((usize::MAX, usize::MAX), |example| {
        (example.missed.iter().filter(|missed| !**missed).count(), example.tree.len())
    })
}
