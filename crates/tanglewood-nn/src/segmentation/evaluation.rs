//! How well text is segmented.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::passage::Passage;

/// F1 scores between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SegmentationScore {
    /// F1 of tokens.
    pub tokens: f64,
    /// Of words: a word is right if its token is, and its form.
    pub words: f64,
    /// F1 of sentences.
    pub sentences: f64,
}

/// A token, its words, and the log-odds that a sentence ends with it; infinite if that is certain.
#[derive(Clone, Debug)]
pub(super) struct FoundToken {
    pub span: Range<usize>,
    pub words: Vec<String>,
    pub score: f32,
}

/// The scores of some tokens with a threshold for the ends of sentences.
pub(super) fn evaluate(gold: &Passage, found: &[FoundToken], threshold: f32) -> SegmentationScore {
    let mut right = (0, 0);
    let count = |words: &[String]| words.len().max(1);
    let mut rest = found.iter().peekable();
    for token in &gold.tokens {
        while rest.next_if(|other| other.span.start < token.span.start).is_some() {}
        if let Some(other) = rest.next_if(|other| other.span == token.span) {
            right.0 += 1;
            right.1 += match (token.words.is_empty(), other.words.is_empty()) {
                (true, true) => 1,
                _ => token.words.iter().zip(&other.words).filter(|(left, right)| left == right).count(),
            };
        }
    }
    let words = |tokens: &mut dyn Iterator<Item = usize>| tokens.sum::<usize>();
    let gold_words = words(&mut gold.tokens.iter().map(|token| count(&token.words)));
    let found_words = words(&mut found.iter().map(|token| count(&token.words)));
    SegmentationScore {
        tokens: f1(right.0, gold.tokens.len(), found.len()),
        words: f1(right.1, gold_words, found_words),
        sentences: sentences(gold, found, threshold),
    }
}

fn sentences(gold: &Passage, found: &[FoundToken], threshold: f32) -> f64 {
    let spans = |tokens: &mut dyn Iterator<Item = (&Range<usize>, bool)>| {
        let mut spans = Vec::new();
        let mut start = None;
        for (span, ends) in tokens {
            let first = *start.get_or_insert(span.start);
            if ends {
                spans.push(first..span.end);
                start = None;
            }
        }
        spans
    };
    let gold = spans(&mut gold.tokens.iter().map(|token| (&token.span, token.ends_sentence)));
    let found = spans(&mut found.iter().map(|token| (&token.span, token.score > threshold)));
    let mut right = 0;
    let mut rest = found.iter().peekable();
    for span in &gold {
        while rest.next_if(|other| other.start < span.start).is_some() {}
        right += usize::from(rest.next_if(|other| *other == span).is_some());
    }
    f1(right, gold.len(), found.len())
}

fn f1(right: usize, gold: usize, found: usize) -> f64 {
    if gold + found == 0 { 1.0 } else { 2.0 * right as f64 / (gold + found) as f64 }
}
