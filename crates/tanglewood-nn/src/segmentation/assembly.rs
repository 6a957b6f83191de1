//! Sentences from scored tokens.

use std::collections::VecDeque;
use std::ops::Range;

use tanglewood::text::{TextSentence, TextToken};

use super::characters::CharacterBuffer;
use super::features::GapKind;

/// A sentence of more tokens is cut where its end is likeliest.
const MOST_TOKENS: usize = 1000;

/// A sentence of more characters is cut.
const MOST_CHARACTERS: usize = 1 << 16;

/// A token with what follows it. All places are in characters from the start of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RawToken {
    /// Empty for a gap that stands alone.
    pub span: Range<usize>,
    /// Where the next token begins, or the text ends.
    pub gap_end: usize,
    /// Kind of gap after the token.
    pub gap: GapKind,
    /// The words of a multiword token.
    pub words: Vec<String>,
    /// Log-odds that a sentence ends here.
    pub score: f32,
}

/// Puts tokens together until a sentence is complete.
#[derive(Debug)]
pub(super) struct Assembly {
    threshold: f32,
    tokens: VecDeque<RawToken>,
    /// How many of the tokens are known not to end the sentence.
    seen: usize,
    /// First character of the current sentence.
    start: usize,
    /// Length in bytes of the characters of the buffer before `start`, and where the buffer began when it was
    /// computed.
    offset: (usize, usize),
}

impl Assembly {
    pub(super) fn new(threshold: f32) -> Assembly {
        Assembly { threshold, tokens: VecDeque::new(), seen: 0, start: 0, offset: (0, 0) }
    }

    /// First character of the next sentence.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The first token after the last sentence.
    pub(super) fn first(&self) -> Option<&RawToken> {
        self.tokens.front()
    }

    /// Appends scored tokens.
    pub(super) fn extend(&mut self, tokens: Vec<RawToken>) {
        self.tokens.extend(tokens);
    }

    /// The next sentence, if it is complete. The buffer begins at the character `base`.
    pub(super) fn next(&mut self, buffer: &CharacterBuffer, base: usize) -> Option<TextSentence> {
        while let Some(token) = self.tokens.get(self.seen) {
            self.seen += 1;
            let alone = |token: &RawToken| token.span.is_empty();
            let ends = token.score > self.threshold
                || matches!(token.gap, GapKind::BlankLine | GapKind::End)
                || alone(token)
                || self.tokens.get(self.seen).is_some_and(alone);
            let too_long = self.seen >= MOST_TOKENS || token.gap_end - self.start > MOST_CHARACTERS;
            if ends {
                return self.emit(self.seen, buffer, base);
            }
            if too_long {
                // Not in the first half, so that no cut leaves a crumb.
                let half = self.seen / 2;
                let best = (half..self.seen)
                    .max_by(|&left, &right| self.tokens[left].score.total_cmp(&self.tokens[right].score))
                    .unwrap_or(half);
                return self.emit(best + 1, buffer, base);
            }
        }
        None
    }

    /// The last sentence, when the text has ended.
    pub(super) fn finish(&mut self, buffer: &CharacterBuffer, base: usize) -> Option<TextSentence> {
        match self.tokens.len() {
            0 => None,
            tokens => self.emit(tokens, buffer, base),
        }
    }

    /// The first tokens as a sentence.
    fn emit(&mut self, tokens: usize, buffer: &CharacterBuffer, base: usize) -> Option<TextSentence> {
        let end = self.tokens[tokens - 1].gap_end;
        let lengths = &buffer.lengths()[self.start - base..end - base];
        let first_byte = self.first_byte(buffer, base);
        let mut bytes = 0;
        let mut place = self.start;
        let mut bytes_at = |target: usize| {
            bytes += lengths[place - self.start..target - self.start]
                .iter()
                .map(|&length| usize::from(length))
                .sum::<usize>();
            place = target;
            bytes
        };
        let mut found = Vec::with_capacity(tokens);
        for token in self.tokens.drain(..tokens).filter(|token| !token.span.is_empty()) {
            let span = bytes_at(token.span.start)..bytes_at(token.span.end);
            found.push(TextToken { span, words: token.words });
        }
        let length = bytes_at(end);
        let text = buffer.bytes()[first_byte..first_byte + length].to_vec();
        self.seen = 0;
        self.start = end;
        self.offset = (first_byte + length, base);
        // Tokens are in order and within the text, so that this is always a sentence.
        TextSentence::new(text, found).ok()
    }

    /// Where the sentence begins among the bytes of the buffer.
    fn first_byte(&mut self, buffer: &CharacterBuffer, base: usize) -> usize {
        if self.offset.1 != base {
            // Characters have been forgotten since.
            let bytes = buffer.lengths()[..self.start - base].iter().map(|&length| usize::from(length)).sum();
            self.offset = (bytes, base);
        }
        self.offset.0
    }
}
