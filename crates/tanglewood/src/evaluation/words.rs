//! One side of a stretch: the words of all its sentences in a row.

use super::alignment::Spot;
use super::reading::{Field, Reading};
use super::relations::Role;
use crate::classes::{crossing_arcs, is_projective};

/// The words of some sentences, numbered from 0 on.
pub(super) struct Words<'a> {
    readings: &'a [Reading],
    pub sentences: Vec<SentenceSpan>,
    /// For each word, its sentence and its place there.
    places: Vec<(u32, u32)>,
    pub spots: Vec<Spot>,
    /// None for words that hang from the root.
    pub heads: Vec<Option<usize>>,
    /// Whether the arc to the head crosses another one.
    pub crossing: Vec<bool>,
    /// First and last character of each token.
    pub tokens: Vec<(usize, usize)>,
    /// The function words that hang from each word, one word after the other, and where they start for each.
    children: Vec<usize>,
    first_child: Vec<usize>,
}

/// Where a sentence is.
pub(super) struct SentenceSpan {
    pub characters: (usize, usize),
    pub words: std::ops::Range<usize>,
    pub nonprojective: bool,
}

impl<'a> Words<'a> {
    pub fn of(readings: &'a [Reading]) -> Words<'a> {
        let mut words = Words {
            readings,
            sentences: Vec::with_capacity(readings.len()),
            places: Vec::new(),
            spots: Vec::new(),
            heads: Vec::new(),
            crossing: Vec::new(),
            tokens: Vec::new(),
            children: Vec::new(),
            first_child: Vec::new(),
        };
        let mut start = 0;
        for (at, reading) in readings.iter().enumerate() {
            words.add(at as u32, reading, start);
            start += reading.characters().len();
        }
        words.find_children();
        words
    }

    fn add(&mut self, at: u32, reading: &Reading, start: usize) {
        let tokens = reading.tokens();
        let first = self.spots.len();
        self.tokens
            .extend(tokens.iter().map(|token| (start + token.start as usize, start + token.end as usize)));
        for (place, word) in reading.words().iter().enumerate() {
            let token = tokens[word.token as usize];
            self.places.push((at, place as u32));
            self.spots.push(Spot {
                start: start + token.start as usize,
                end: start + token.end as usize,
                multiword: word.multiword,
            });
        }
        let mut nonprojective = false;
        if let Some(tree) = reading.tree() {
            self.heads.extend(tree.heads().map(|head| head.checked_sub(1).map(|head| first + head)));
            nonprojective = !is_projective(tree);
            if nonprojective {
                self.crossing.extend(crossing_arcs(tree));
            }
        }
        self.crossing.resize(self.spots.len(), false);
        self.sentences.push(SentenceSpan {
            characters: (start, start + reading.characters().len()),
            words: first..self.spots.len(),
            nonprojective,
        });
    }

    fn find_children(&mut self) {
        let is_child = |word: usize| self.role(word) == Role::Function;
        let mut first_child = vec![0; self.len() + 2];
        let arcs = || {
            (0..self.len()).filter(|&word| is_child(word)).filter_map(|word| Some((word, self.heads[word]?)))
        };
        for (_, head) in arcs() {
            first_child[head + 2] += 1;
        }
        for word in 1..first_child.len() {
            first_child[word] += first_child[word - 1];
        }
        let mut children = vec![0; first_child.last().copied().unwrap_or(0)];
        for (word, head) in arcs() {
            // What is counted up here is the start of the next one: in the end each has its own start.
            let place = &mut first_child[head + 1];
            children[*place] = word;
            *place += 1;
        }
        (self.children, self.first_child) = (children, first_child);
    }

    pub fn len(&self) -> usize {
        self.spots.len()
    }

    pub fn get(&self, word: usize, field: Field) -> &'a str {
        let (sentence, place) = self.places[word];
        self.readings[sentence as usize].get(place as usize, field)
    }

    pub fn role(&self, word: usize) -> Role {
        let (sentence, place) = self.places[word];
        self.readings[sentence as usize].words()[place as usize].role
    }

    /// What MISC says the probability of the head is.
    pub fn probability(&self, word: usize) -> Option<f64> {
        let (sentence, place) = self.places[word];
        self.readings[sentence as usize].words()[place as usize].probability
    }

    /// The function words that hang from a word, in order.
    pub fn function_words(&self, word: usize) -> &[usize] {
        &self.children[self.first_child[word]..self.first_child[word + 1]]
    }
}
