//! The embeddings of the words of a batch. Words that look the same are looked up once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::encoding::{Encoded, Word};
use crate::layers::share;
use crate::matrix::Matrix;
use crate::network::{Network, Source};
use crate::packing::Packing;
use crate::parameters::Tensor;
use crate::store::Store;

/// Which tables there are, side by side in this order.
#[derive(Clone, Debug)]
pub struct InputScorer {
    tables: Vec<(Source, Tensor)>,
    columns: usize,
}

/// The words of a batch.
#[derive(Clone, Debug)]
pub struct Words {
    /// Row of each word in the packed batch.
    pub packing: Packing,
    /// For each packed row its row of `embedded`.
    pub places: Vec<u32>,
    /// One row for all words that look the same.
    pub embedded: Matrix<f32>,
}

/// A word, hashed by a few of its numbers: those of its n-grams depend on each other.
#[derive(PartialEq, Eq)]
struct Key<'a>(Word<'a>);

impl Hash for Key<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let &Key((number, [characters, vectors, upos, xpos, feats])) = self;
        state.write_u32(number);
        let some = [0, characters.len() / 2, characters.len().saturating_sub(1)];
        let of_characters = some.iter().filter_map(|&at| characters.get(at));
        let others = [vectors, upos, xpos, feats].into_iter().flatten();
        of_characters.chain(others).for_each(|&id| state.write_u32(id));
    }
}

/// A quick hash of numbers. A batch is small: words that are made to collide do little harm.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

impl InputScorer {
    /// The tables of a network.
    pub fn new(network: &Network) -> InputScorer {
        let tables = network.embeddings.iter().map(|(source, embedding)| (*source, embedding.table()));
        InputScorer { tables: tables.collect(), columns: network.inputs }
    }

    /// Computes the input embeddings of a batch, each distinct word once.
    pub fn embed(&self, store: &Store, sentences: &[&Encoded]) -> Words {
        let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.len()).collect();
        let packing = Packing::new(&lengths);
        let mut known: HashMap<Key<'_>, u32, BuildHasherDefault<KeyHasher>> = HashMap::default();
        let mut distinct = Vec::with_capacity(packing.words());
        let place = |(rank, time)| {
            let sentence = sentences[packing.sentence(rank)];
            let word = sentence.word(time);
            *known.entry(Key(word)).or_insert_with(|| {
                distinct.push(word);
                distinct.len() as u32 - 1
            })
        };
        let places = packing.packed().map(place).collect();
        let mut embedded = Matrix::zeros(distinct.len(), self.columns);
        let mut tags = Vec::new();
        for (row, &(number, [characters, vectors, upos, xpos, feats])) in distinct.iter().enumerate() {
            tags.clear();
            [upos, xpos, feats].into_iter().for_each(|of_column| tags.extend_from_slice(of_column));
            let mut to = embedded.row_mut(row);
            for &(source, table) in &self.tables {
                let bag = match source {
                    Source::Words => &[number],
                    Source::Characters => characters,
                    Source::Tags => &tags,
                    Source::Vectors => vectors,
                };
                let (columns, rest) = to.split_at_mut(table.columns);
                store.add_rows(table, bag, share(bag), columns);
                to = rest;
            }
        }
        Words { packing, places, embedded }
    }
}
