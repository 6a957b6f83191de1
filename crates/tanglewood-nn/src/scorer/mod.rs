//! A network prepared for parsing: from encoded sentences to scores, as [`Network`] has them, by products in
//! integers.
//!
//! [`Network::forward`] in single precision is what this has to agree with, up to rounding. Here nothing
//! depends on the processor: sums of products are integers, and all other operations are done in the same
//! order everywhere. What is said of a sentence does not depend on the other sentences of a batch, either.

mod biaffine;
mod convolution;
mod input;
mod lstm;
mod tagger;
mod windows;

use std::sync::OnceLock;

use crate::encoding::Encoded;
use crate::integer::{Rows, Weights};
use crate::layers::{Hidden, leak};
use crate::matrix::Matrix;
use crate::network::{Network, SentenceScores};
use crate::packing::Packing;
use crate::store::Store;
use biaffine::{ArcScorer, LabelScorer};
use input::{InputScorer, Words};
use lstm::LstmScorer;
use tagger::{TaggerScorer, given};
use windows::ReaderScorer;

pub use convolution::ContextScorer;
pub use tagger::TaggedWords;

/// The weights of a network, packed. Tables of embeddings stay where they are, see [`Store`].
#[derive(Clone, Debug)]
pub struct Scorer {
    input: InputScorer,
    lstms: Vec<LstmScorer>,
    taggers: Option<[TaggerScorer; 2]>,
    hidden: HiddenScorer,
    arcs: ArcScorer,
    labels: LabelScorer,
    readers: Vec<ReaderScorer>,
}

/// Scores of a batch of sentences.
#[derive(Clone, Debug)]
pub struct Scored {
    /// Row of each word in the packed batch.
    pub packing: Packing,
    /// Scores by rank of sentence.
    pub scores: Vec<SentenceScores<f32>>,
    /// What the last tagger reads, if there is one, and what it says: many never ask.
    to_tag: Option<ToTag>,
    tagged: OnceLock<TaggedWords>,
    /// The vectors of words as dependents and heads, for arcs, labels and moves; in unpacked rows.
    words: Matrix<f32>,
}

/// Input of the last tagger, kept until tags are asked for.
#[derive(Clone, Debug)]
struct ToTag {
    /// The last layer, in packed rows.
    rows: Matrix<f32>,
    /// The words, each once, and which of them is in each packed row.
    embedded: Matrix<f32>,
    places: Vec<u32>,
    given: Vec<Option<u32>>,
}

impl Scorer {
    /// Prepares the network from the parameters in `store`.
    pub fn new(network: &Network, store: &Store) -> Scorer {
        let taggers = network.taggers.as_ref();
        Scorer {
            input: InputScorer::new(network),
            lstms: network.lstms.iter().map(|lstm| LstmScorer::new(lstm, store)).collect(),
            taggers: taggers.map(|taggers| {
                taggers.each_ref().map(|tagger| TaggerScorer::new(tagger, network.inputs, store))
            }),
            hidden: HiddenScorer::new(&network.hidden, store),
            arcs: ArcScorer::new(&network.arcs, store),
            labels: LabelScorer::new(&network.labels, network.arc_columns, store),
            readers: network.readers.iter().map(|reader| ReaderScorer::new(reader, store)).collect(),
        }
    }

    /// Scores of all arcs, and of transitions and tags if the network has them.
    pub fn score(&self, network: &Network, store: &Store, sentences: &[&Encoded]) -> Scored {
        let Words { packing, places, embedded } = self.input.embed(store, sentences);
        let place = |row: usize| places[row] as usize;
        let mut rounded = Rows::default();
        let given = self.taggers.as_ref().map(|_| given(network.tagset(), &packing, sentences));
        let mut rows: Option<Matrix<f32>> = None;
        for (layer, lstm) in self.lstms.iter().enumerate() {
            let projected = lstm.project(rows.as_ref().unwrap_or(&embedded), &mut rounded);
            let first_tagger = self.taggers.as_ref().filter(|_| layer == 0).map(|taggers| &taggers[0]);
            let more = first_tagger.map_or(0, TaggerScorer::outputs);
            let mut output = Matrix::zeros(packing.words(), lstm.outputs() + more);
            match layer {
                0 => lstm.run(&packing, &projected, place, &mut output, &mut rounded),
                _ => lstm.run(&packing, &projected, |row| row, &mut output, &mut rounded),
            }
            if let (Some(tagger), Some(given)) = (first_tagger, &given) {
                let words = tagger.tag(&output, lstm.outputs(), (&embedded, &places), given, &mut rounded);
                tagger.embed(&words, &mut output, lstm.outputs(), &mut rounded);
            }
            rows = Some(output);
        }
        let rows = rows.unwrap_or_else(|| embedded.gathered(&places));
        let words = self.hidden.forward(packing.unpacked().map(|row| rows.row(row)), &mut rounded);
        let queries = self.arcs.queries(&words, &mut rounded);
        let ranks = 0..packing.sentences();
        let arcs = ranks.map(|rank| self.arcs.scores(&words, &queries, packing.rows(rank)));
        let mut scores: Vec<_> = arcs.map(|arcs| SentenceScores { arcs, runs: Vec::new() }).collect();
        for reader in &self.readers {
            let tables = reader.scores(&packing, &words, &mut rounded);
            scores.iter_mut().zip(tables).for_each(|(scores, tables)| scores.runs.push(tables));
        }
        let to_tag = given.map(|given| ToTag { rows, embedded, places, given });
        Scored { packing, scores, to_tag, tagged: OnceLock::new(), words }
    }

    /// What the last tagger says, in packed rows; nothing if there is none.
    pub fn tagged<'s>(&self, scored: &'s Scored) -> Option<&'s TaggedWords> {
        let ([_, tagger], ToTag { rows, embedded, places, given }) =
            self.taggers.as_ref().zip(scored.to_tag.as_ref())?;
        Some(scored.tagged.get_or_init(|| {
            tagger.tag(rows, rows.columns(), (embedded, places), given, &mut Rows::default())
        }))
    }

    /// Scores of labels: a row for each word, sentences by rank. `heads` has a head for each word, 0 for the
    /// root.
    pub fn labels(&self, scored: &Scored, heads: &[Vec<u32>]) -> Matrix<f32> {
        let starts = (0..scored.packing.sentences()).map(|rank| scored.packing.rows(rank).start);
        let rows = starts.zip(heads).flat_map(|(start, heads)| {
            heads.iter().map(move |&head| (head as usize).checked_sub(1).map(|word| start + word))
        });
        self.labels.scores(&scored.words, rows)
    }

    /// The scores of all scripts of lemmas, for some words by their packed rows.
    pub fn scripts(&self, tagged: &TaggedWords, rows: &[usize]) -> Matrix<f32> {
        match &self.taggers {
            Some([_, tagger]) => tagger.scripts(tagged, rows),
            None => Matrix::zeros(rows.len(), 0),
        }
    }

    /// Number of multiplications of [`score`](Scorer::score) in products of matrices, for a word that was not
    /// met before in its batch; those for scores of arcs with each head apart.
    pub fn products(&self) -> usize {
        let lstms = self.lstms.iter().map(LstmScorer::products).sum::<usize>();
        let tagger = self.taggers.as_ref().map_or(0, |[first, _]| first.products());
        lstms + tagger + self.hidden.weights.products() + self.arcs.products()
    }
}

/// A hidden layer: see [`Hidden`].
#[derive(Clone, Debug)]
struct HiddenScorer {
    weights: Weights,
    bias: Vec<f32>,
}

impl HiddenScorer {
    fn new(hidden: &Hidden, store: &Store) -> HiddenScorer {
        let weights = Weights::plain(&store.codes(hidden.weights), 0..hidden.weights.rows);
        HiddenScorer { weights, bias: store.values(hidden.bias).into_owned() }
    }

    fn forward<'a>(&self, rows: impl Iterator<Item = &'a [f32]>, rounded: &mut Rows) -> Matrix<f32> {
        self.weights.round(rows, rounded);
        let mut output = self.weights.product(rounded, |_| &self.bias);
        leak(output.values_mut());
        output
    }
}
