//! Sentences as numbers.

use tanglewood::Tree;
use tanglewood::conllu::{Column, Problem, Sentence, Validator};

use crate::characters::{ngrams, normalised};
use crate::layers::Bags;
use crate::options::Options;
use crate::vocabulary::{Vocabulary, for_each_tag, text, words_of};

/// The number of all unknown words.
pub const UNKNOWN: u32 = 0;

/// What a network reads of a sentence. Multiword ranges and empty nodes have no place in a tree and are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Number of each word.
    pub words: Vec<u32>,
    /// Its character n-grams.
    pub characters: Bags,
    /// Its tags: UPOS, XPOS, FEATS.
    pub tags: [Bags; 3],
    /// Its pretrained vector, if it has one.
    pub vectors: Bags,
}

impl Encoded {
    /// What a model with this vocabulary sees of a sentence.
    pub fn new(sentence: &Sentence<'_>, vocabulary: &Vocabulary, options: &Options) -> Encoded {
        let mut encoded = Encoded::default();
        for row in words_of(sentence) {
            let form = text(&row, Column::Form);
            let normalised = normalised(&form);
            encoded.words.push(vocabulary.words.number(&normalised).unwrap_or(UNKNOWN));
            encoded.characters.push(ngrams(&form, &normalised, options.buckets));
            for (column, bags) in encoded.tags.iter_mut().enumerate() {
                let mut known = Vec::new();
                for_each_tag(&row, column, options, |tag| known.extend(vocabulary.tag(column, tag)));
                bags.push(known);
            }
            encoded.vectors.push(pretrained(vocabulary, &form));
        }
        encoded
    }

    /// The sentence cut into pieces of at most so many words.
    pub fn pieces(&self, words: usize) -> Vec<Encoded> {
        let starts = (0..self.len()).step_by(words.max(1));
        let part = |bags: &Bags, range: std::ops::Range<usize>| {
            let mut part = Bags::default();
            range.for_each(|word| part.push(bags.get(word).iter().copied()));
            part
        };
        starts
            .map(|start| start..self.len().min(start + words.max(1)))
            .map(|range| Encoded {
                words: self.words[range.clone()].to_vec(),
                characters: part(&self.characters, range.clone()),
                tags: std::array::from_fn(|column| part(&self.tags[column], range.clone())),
                vectors: part(&self.vectors, range),
            })
            .collect()
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if and only if it has none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The vector of a form, or of the form in lower case.
fn pretrained(vocabulary: &Vocabulary, form: &str) -> Option<u32> {
    if vocabulary.vectors.is_empty() {
        return None;
    }
    vocabulary.vectors.number(form).or_else(|| vocabulary.vectors.number(&form.to_lowercase()))
}

/// A sentence with its tree, to learn from or to compare with.
#[derive(Clone, Debug)]
pub struct Example {
    /// The sentence.
    pub input: Encoded,
    /// Its tree.
    pub tree: Tree,
    /// The head of each word, 0 for the root.
    pub heads: Vec<u32>,
    /// The label of each word; none if the vocabulary lacks it.
    pub labels: Vec<Option<u32>>,
    /// The label of each word without its subtype, as it stands in the file.
    pub universal: Vec<String>,
}

impl Example {
    /// A sentence with its tree.
    ///
    /// # Errors
    /// If it has no tree: the first problem that prevents one.
    pub fn new(
        sentence: &Sentence<'_>,
        vocabulary: &Vocabulary,
        options: &Options,
    ) -> Result<Example, Problem> {
        let tree = Validator::new().tree(sentence)?;
        let heads = tree.heads().map(|head| head as u32).collect();
        let deprels: Vec<_> = words_of(sentence).map(|row| text(&row, Column::Deprel)).collect();
        Ok(Example {
            input: Encoded::new(sentence, vocabulary, options),
            tree,
            heads,
            labels: deprels.iter().map(|label| vocabulary.labels.number(label)).collect(),
            universal: deprels.iter().map(|label| universal(label).to_owned()).collect(),
        })
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.input.len()
    }

    /// True if and only if it has none.
    pub fn is_empty(&self) -> bool {
        self.input.is_empty()
    }
}

/// A label without its subtype.
pub fn universal(label: &str) -> &str {
    label.split(':').next().unwrap_or(label)
}
