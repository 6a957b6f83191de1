//! Sentences as numbers.

use tanglewood::Tree;
use tanglewood::conllu::{Column, Problem, Row, Sentence, Validator};

use crate::characters::{ngrams, normalised};
use crate::layers::Bags;
use crate::options::Options;
use crate::steps::WordTags;
use crate::taught::Taught;
use crate::vocabulary::{Vocabulary, text, words_of};

/// The number of all unknown words.
pub const UNKNOWN: u32 = 0;

/// What a network reads of a sentence. Multiword ranges and empty nodes have no place in a tree and are
/// skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Index of each word in the vocabulary.
    pub words: Vec<u32>,
    /// Hashed character n-grams of each word.
    pub characters: Bags,
    /// Tags of each word: UPOS, XPOS, FEATS.
    pub tags: [Bags; 3],
    /// Index of each word's pretrained vector, if it has one.
    pub vectors: Bags,
    /// Form of each word, if the model predicts lemmas.
    pub forms: Vec<Box<str>>,
    /// Whether any word has FEATS, so that a word without them has no features.
    pub has_features: bool,
}

/// A word's number, and its n-grams, pretrained vector and tags.
pub(crate) type Word<'a> = (u32, [&'a [u32]; 5]);

impl Encoded {
    /// What a model with this vocabulary sees of a sentence.
    pub fn new(sentence: &Sentence<'_>, vocabulary: &Vocabulary, options: &Options) -> Encoded {
        let mut encoded = Encoded::default();
        for row in words_of(sentence) {
            let form = text(&row, Column::Form);
            let normalised = normalised(&form);
            encoded.words.push(vocabulary.words.number(&normalised).unwrap_or(UNKNOWN));
            encoded.characters.push(ngrams(&form, &normalised, options.buckets));
            for (bags, known) in encoded.tags.iter_mut().zip(vocabulary.tags_of(&row, options)) {
                bags.push(known);
            }
            encoded.vectors.push(pretrained(vocabulary, &form));
            if !vocabulary.lemmas.is_empty() {
                encoded.forms.push(form.into());
            }
            encoded.has_features |= options.feats && !matches!(row.get(Column::Feats), b"_" | b"");
        }
        encoded
    }

    /// True if any word has a tag that is known.
    pub fn has_tags(&self) -> bool {
        self.has_features || self.tags.iter().any(|bags| bags.total() > 0)
    }

    /// The same sentence without tags.
    pub fn without_tags(self) -> Encoded {
        let mut none = Bags::default();
        (0..self.len()).for_each(|_| none.push([]));
        Encoded { tags: [none.clone(), none.clone(), none], has_features: false, ..self }
    }

    /// The sentence cut into pieces of at most `words` words.
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
                vectors: part(&self.vectors, range.clone()),
                forms: self.forms.get(range).unwrap_or_default().to_vec(),
                has_features: self.has_features,
            })
            .collect()
    }

    /// What a network reads of a word.
    pub(crate) fn word(&self, word: usize) -> Word<'_> {
        let [upos, xpos, feats] = self.tags.each_ref().map(|bags| bags.get(word));
        (self.words[word], [self.characters.get(word), self.vectors.get(word), upos, xpos, feats])
    }

    /// Number of words of the sentence.
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
    /// The encoded sentence.
    pub input: Encoded,
    /// The gold tree.
    pub tree: Tree,
    /// The head of each word, 0 for the root.
    pub heads: Vec<u32>,
    /// The label of each word; none if the vocabulary lacks it.
    pub labels: Vec<Option<u32>>,
    /// The label of each word without its subtype, as it stands in the file.
    pub universal: Vec<String>,
    /// The script of each word's lemma; none if the model cannot choose it.
    pub scripts: Vec<Option<u32>>,
    /// Tags and lemmas as they stand in the file, to compare with; nothing in training data.
    pub columns: Vec<WordTags>,
    /// What a teacher says about the head of each word; nothing if it says nothing.
    pub taught: Option<Taught>,
    /// The same about the label of each word, given its head.
    pub taught_labels: Option<Taught>,
    /// The same about its UPOS and its XPOS.
    pub taught_tags: [Option<Taught>; 2],
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
            scripts: words_of(sentence).map(|row| vocabulary.lemmas.script_of(&row)).collect(),
            columns: Vec::new(),
            taught: Taught::heads(words_of(sentence), tree.len()),
            taught_labels: Taught::labels(words_of(sentence), &vocabulary.labels),
            taught_tags: std::array::from_fn(|column| {
                Taught::tags(words_of(sentence), column, &vocabulary.tags[column])
            }),
            tree,
            heads,
            labels: deprels.iter().map(|label| vocabulary.labels.number(label)).collect(),
            universal: deprels.iter().map(|label| universal(label).to_owned()).collect(),
        })
    }

    /// The same with all columns to compare with. Tags are not read if the model is to find them itself.
    pub fn to_compare(self, sentence: &Sentence<'_>, options: &Options) -> Example {
        let column = |row: &Row<'_>, column| Some(text(row, column).into_owned());
        let columns = words_of(sentence).map(|row| WordTags {
            upos: column(&row, Column::Upos),
            xpos: column(&row, Column::Xpos),
            feats: column(&row, Column::Feats),
            lemma: column(&row, Column::Lemma),
        });
        let columns = columns.collect();
        let input = if options.tagging > 0 { self.input.without_tags() } else { self.input };
        Example { input, columns, ..self }
    }

    /// Number of words of the sentence.
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
