//! Tags and lemmas in integers: see [`Tagger`].

use std::ops::Range;

use crate::encoding::Encoded;
use crate::integer::{Rows, Weights};
use crate::layers::{Tagger, leak, softmaxes};
use crate::matrix::Matrix;
use crate::packing::Packing;
use crate::store::Store;
use crate::tagset::Tagset;

/// A tagger with weights in integers.
#[derive(Clone, Debug)]
pub struct TaggerScorer {
    groups: Vec<Range<usize>>,
    /// For what the layer below gives, and for embeddings, which are the same wherever a word is.
    below: Weights,
    embedded: Weights,
    hidden_bias: Vec<f32>,
    weights: Weights,
    bias: Vec<f32>,
    scripts: Weights,
    script_bias: Vec<f32>,
    embeddings: Weights,
}

/// The class of each word and group, where the input says so; in packed rows.
pub fn given(tagset: &Tagset, packing: &Packing, sentences: &[&Encoded]) -> Vec<Option<u32>> {
    if sentences.iter().all(|sentence| !sentence.has_tags()) {
        return vec![None; packing.words() * tagset.groups().len()];
    }
    let of_word = |(rank, time)| tagset.classes_of(sentences[packing.sentence(rank)], time, [true; 3]);
    packing.packed().flat_map(of_word).collect()
}

/// What a tagger says of all words of a batch, in packed rows.
#[derive(Clone, Debug)]
pub struct TaggedWords {
    /// The probability of each class.
    pub probabilities: Matrix<f32>,
    hidden: Matrix<f32>,
}

impl TaggerScorer {
    /// The tagger with these numbers, for words with `inputs` columns of embeddings.
    pub fn new(tagger: &Tagger, inputs: usize, store: &Store) -> TaggerScorer {
        let read = store.codes(tagger.hidden.weights);
        let rows = tagger.hidden.weights.rows;
        let plain = |tensor| Weights::plain(&store.codes(tensor), 0..tensor.rows);
        TaggerScorer {
            groups: tagger.groups.clone(),
            below: Weights::plain(&read, 0..rows - inputs),
            embedded: Weights::plain(&read, rows - inputs..rows),
            hidden_bias: store.values(tagger.hidden.bias).into_owned(),
            weights: plain(tagger.weights),
            bias: store.values(tagger.bias).into_owned(),
            scripts: plain(tagger.script_weights),
            script_bias: store.values(tagger.script_bias).into_owned(),
            embeddings: plain(tagger.embeddings),
        }
    }

    /// Number of columns of what layers above read.
    pub fn outputs(&self) -> usize {
        self.embeddings.columns()
    }

    /// Number of multiplications for a word, scripts apart.
    pub fn products(&self) -> usize {
        [&self.below, &self.embedded, &self.weights, &self.embeddings].map(Weights::products).iter().sum()
    }

    /// What is said of each word, from the first `columns` of `rows` and the embeddings of words. `given` has
    /// the class of each word and group, if known.
    pub fn tag(
        &self,
        rows: &Matrix<f32>,
        columns: usize,
        (embedded, places): (&Matrix<f32>, &[u32]),
        given: &[Option<u32>],
        rounded: &mut Rows,
    ) -> TaggedWords {
        self.embedded.round((0..embedded.rows()).map(|row| embedded.row(row)), rounded);
        let of_words = self.embedded.product(rounded, |_| &self.hidden_bias);
        self.below.round((0..rows.rows()).map(|row| &rows.row(row)[..columns]), rounded);
        let mut hidden = self.below.product(rounded, |row| of_words.row(places[row] as usize));
        leak(hidden.values_mut());
        self.weights.round((0..hidden.rows()).map(|row| hidden.row(row)), rounded);
        let mut probabilities = self.weights.product(rounded, |_| &self.bias);
        for (row, given) in given.chunks_exact(self.groups.len().max(1)).enumerate() {
            let row = probabilities.row_mut(row);
            softmaxes(row, &self.groups);
            for (group, &class) in self.groups.iter().zip(given) {
                if let Some(class) = class {
                    row[group.clone()].fill(0.0);
                    row[class as usize] = 1.0;
                }
            }
        }
        TaggedWords { probabilities, hidden }
    }

    /// What layers above read, into the columns of `to` from `column` on.
    pub fn embed(&self, tagged: &TaggedWords, to: &mut Matrix<f32>, column: usize, rounded: &mut Rows) {
        let probabilities = &tagged.probabilities;
        self.embeddings.round((0..probabilities.rows()).map(|row| probabilities.row(row)), rounded);
        let zeros = vec![0.0; self.outputs()];
        self.embeddings.multiply(rounded, |_| &zeros, to, column);
    }

    /// The scores of all scripts for some words.
    pub fn scripts(&self, tagged: &TaggedWords, words: &[usize]) -> Matrix<f32> {
        let mut rounded = Rows::default();
        self.scripts.round(words.iter().map(|&word| tagged.hidden.row(word)), &mut rounded);
        self.scripts.product(&rounded, |_| &self.script_bias)
    }
}
