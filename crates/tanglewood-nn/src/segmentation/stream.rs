//! Reading text of any length in pieces.
//!
//! Characters are classified some thousands at a time, each piece with as many characters on either side as
//! can matter; tokens likewise. So the result does not depend on how the text is cut, and memory is bounded:
//! what is held is one piece, and the sentence that is being read, whose length is limited.
//!
//! No more is read than is needed for the next character: a sentence is handed over as soon as the tokens and
//! characters after it that can matter are there, see [`Segmenter::lookahead`].

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

use tanglewood::text::{Following, TextSentence};

use super::assembly::{Assembly, RawToken};
use super::characters::{CharacterBuffer, is_blank};
use super::features::{self, CHARACTER_REACH, GapKind, TokenFeatures};
use super::passage::Boundary;
use super::{Networks, Scorers, Segmenter};
use crate::layers::Bags;
use crate::matrix::Matrix;
use crate::scorer::ContextScorer;

/// A longer token is cut, in characters.
const LONGEST_TOKEN: usize = 1 << 11;

/// A longer gap is cut, in characters.
const LONGEST_GAP: usize = 1 << 14;

/// How much is worked on at once, at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSizes {
    pub characters: usize,
    pub tokens: usize,
}

impl Default for PieceSizes {
    fn default() -> PieceSizes {
        PieceSizes { characters: 1 << 11, tokens: 1 << 9 }
    }
}

/// The sentences of a text. Made by [`Segmenter::segment`].
#[derive(Debug)]
pub struct Segments<'s, R> {
    tokens: TokenStream<'s, R>,
    assembly: Assembly,
    failed: bool,
}

impl Segmenter {
    /// The sentences of a text, in order. One after the other they are the text again, byte for byte.
    ///
    /// Any bytes are text: those that are not part of valid UTF-8 are read as U+FFFD, control characters and
    /// the byte-order mark as spaces. A sentence without an end is cut after a thousand tokens.
    pub fn segment<R: Read>(&self, source: R) -> Segments<'_, R> {
        let PieceSizes { characters, tokens } = PieceSizes::default();
        self.segment_in_pieces(source, characters, tokens)
    }

    /// How much of the text after a sentence is needed before the sentence is certain: tokens, and after
    /// these, characters.
    pub fn lookahead(&self) -> (usize, usize) {
        // A token is complete where the next one begins.
        (self.networks.tokens.reach() + 1, CHARACTER_REACH + self.networks.characters.reach())
    }

    /// The same with other pieces, in characters and in tokens; for tests.
    #[doc(hidden)]
    pub fn segment_in_pieces<R: Read>(&self, source: R, characters: usize, tokens: usize) -> Segments<'_, R> {
        let sizes = PieceSizes { characters, tokens };
        let tokens = TokenStream::new(self, source, sizes);
        Segments { tokens, assembly: Assembly::new(self.thresholds.sentence), failed: false }
    }
}

impl<R: Read> Segments<'_, R> {
    /// The next sentence, if it is certain by what has been read already.
    pub fn next_ready(&mut self) -> Option<TextSentence> {
        loop {
            if let Some(sentence) = self.assembly.next(&self.tokens.buffer, self.tokens.base) {
                return Some(sentence);
            }
            if self.failed || !self.tokens.has_piece() {
                return None;
            }
            // Nothing is read for this piece, so that nothing can fail.
            self.advance().ok()?;
        }
    }

    /// Works on the next piece; false if there was none.
    fn advance(&mut self) -> io::Result<bool> {
        self.tokens.forget(self.assembly.start());
        let any = self.tokens.advance()?;
        self.assembly.extend(self.tokens.take_scored());
        Ok(any)
    }

    /// What comes after the sentence that was handed over last.
    pub fn following(&self) -> Following {
        match self.assembly.first().or_else(|| self.tokens.first_unscored()) {
            Some(token) if token.span.is_empty() => Following::Gap,
            Some(_) => Following::Sentence,
            None => Following::End,
        }
    }
}

impl<R: Read> Iterator for Segments<'_, R> {
    type Item = io::Result<TextSentence>;

    fn next(&mut self) -> Option<io::Result<TextSentence>> {
        while !self.failed {
            if let Some(sentence) = self.next_ready() {
                return Some(Ok(sentence));
            }
            match self.advance() {
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
                Ok(false) => {
                    return self.assembly.finish(&self.tokens.buffer, self.tokens.base).map(Ok);
                }
                Ok(true) => {}
            }
        }
        None
    }
}

/// Tokens of a text, with scores for the ends of sentences. All places are in characters from the start of
/// the text.
#[derive(Debug)]
pub(super) struct TokenStream<'s, R> {
    segmenter: &'s Segmenter,
    source: R,
    sizes: PieceSizes,
    buffer: CharacterBuffer,
    /// Position of the buffer's first character in the text.
    base: usize,
    /// Position of the first character that is not yet classified.
    classified: usize,
    /// The token that is being read.
    open: Option<OpenToken>,
    /// Where the gap that is being read begins, and the token before it unless that has been cut off.
    gap: (usize, Option<RawToken>),
    /// Finished tokens with their features. The first `scored` of them have been scored; those that matter to
    /// later ones are kept.
    finished: VecDeque<(TokenFeatures, RawToken)>,
    scored: usize,
    fresh: Vec<RawToken>,
    at_end: bool,
}

#[derive(Debug)]
struct OpenToken {
    start: usize,
    /// Ends of words inside, from the start.
    ends: Vec<usize>,
}

impl<'s, R: Read> TokenStream<'s, R> {
    pub(super) fn new(segmenter: &'s Segmenter, source: R, sizes: PieceSizes) -> TokenStream<'s, R> {
        TokenStream {
            segmenter,
            source,
            sizes,
            buffer: CharacterBuffer::default(),
            base: 0,
            classified: 0,
            open: None,
            gap: (0, None),
            finished: VecDeque::new(),
            scored: 0,
            fresh: Vec::new(),
            at_end: false,
        }
    }

    /// Tokens that have been scored since the last call.
    pub(super) fn take_scored(&mut self) -> Vec<RawToken> {
        std::mem::take(&mut self.fresh)
    }

    /// The first token that has not been scored yet.
    fn first_unscored(&self) -> Option<&RawToken> {
        self.finished.get(self.scored).map(|(_, token)| token)
    }

    /// True if there is a piece to work on without reading.
    fn has_piece(&self) -> bool {
        let reach = CHARACTER_REACH + self.segmenter.networks.characters.reach();
        let available = self.base + self.buffer.characters().len();
        !self.at_end && (self.buffer.at_end() || available > self.classified + reach)
    }

    /// Works on the next piece; false if there was none.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if self.at_end {
            return Ok(false);
        }
        let reach = CHARACTER_REACH + self.segmenter.networks.characters.reach();
        self.buffer.fill(&mut self.source, self.classified + 1 + reach - self.base)?;
        let available = self.base + self.buffer.characters().len();
        let certain = if self.buffer.at_end() { available } else { available.saturating_sub(reach) };
        let end = certain.min(self.classified + self.sizes.characters);
        if end > self.classified {
            let from = self.classified.saturating_sub(reach);
            let to = available.min(end + reach);
            let piece = &self.buffer.characters()[from - self.base..to - self.base];
            let unfinished = self.buffer.at_end() && to == available && piece.last() != Some(&'\n');
            let scores = match unfinished {
                false => self.segmenter.character_scores(piece),
                // The end of a text is the end of a line, whether or not it says so: that is what was
                // learned.
                true => self.segmenter.character_scores(&[piece, &['\n']].concat()),
            };
            for place in self.classified..end {
                self.read_character(place, scores.row(place - from));
            }
            self.classified = end;
        }
        self.at_end = self.buffer.at_end() && end == available;
        if self.at_end {
            self.end_gap(available, GapKind::End);
        }
        self.score();
        Ok(true)
    }

    /// Forgets characters that no longer matter: those before `kept`, and out of the reach of the next piece.
    fn forget(&mut self, kept: usize) {
        let reach = CHARACTER_REACH + self.segmenter.networks.characters.reach();
        let forgotten = kept.min(self.classified.saturating_sub(reach)) - self.base;
        // Moving the rest costs as much as the rest is long.
        if forgotten > self.sizes.characters {
            self.buffer.forget(forgotten);
            self.base += forgotten;
        }
    }

    fn character(&self, place: usize) -> Option<char> {
        self.buffer.characters().get(place - self.base).copied()
    }

    fn read_character(&mut self, place: usize, scores: &[f32]) {
        let Some(character) = self.character(place) else { return };
        if is_blank(character) {
            // Inside a token it is part of it, which was decided at the character before.
            if self.open.is_none() && place - self.gap.0 >= LONGEST_GAP {
                self.end_gap(place, GapKind::BlankLine);
            }
            return;
        }
        if self.open.is_none() {
            self.end_gap_before(place);
        }
        let start = self.open.get_or_insert_with(|| OpenToken { start: place, ends: Vec::new() }).start;
        let score = |boundary: Boundary| scores[boundary as usize];
        let inside = score(Boundary::None).max(score(Boundary::Word));
        let odds = score(Boundary::Multiword) - score(Boundary::Token);
        let likely = odds > self.segmenter.thresholds.multiword;
        let ends = score(Boundary::Multiword).max(score(Boundary::Token)) > inside;
        if ends || self.must_end(place) || place + 1 - start >= LONGEST_TOKEN {
            self.end_token(place + 1, likely);
        } else if score(Boundary::Word) > score(Boundary::None)
            && let Some(open) = &mut self.open
        {
            open.ends.push(place + 1 - start);
        }
    }

    /// True if the text ends, or a blank follows that cannot be part of a token.
    fn must_end(&self, place: usize) -> bool {
        match self.character(place + 1) {
            None => true,
            Some(next) if !is_blank(next) => false,
            Some(next) => {
                let goes_on = self.segmenter.spaces_in_tokens
                    && matches!(next, ' ' | '\u{A0}' | '\u{202F}')
                    && self.character(place + 2).is_some_and(|character| !is_blank(character));
                !goes_on
            }
        }
    }

    fn end_token(&mut self, end: usize, likely: bool) {
        let Some(OpenToken { start, ends }) = self.open.take() else { return };
        let form = &self.buffer.characters()[start - self.base..end - self.base];
        let words = self.segmenter.multiwords.split(form, likely, &ends);
        self.gap =
            (end, Some(RawToken { span: start..end, gap_end: end, gap: GapKind::End, words, score: 0.0 }));
    }

    /// Ends the gap that is being read where a token begins.
    fn end_gap_before(&mut self, place: usize) {
        let (start, token) = (self.gap.0, self.gap.1.take());
        if let Some(token) = token {
            let gap = &self.buffer.characters()[start - self.base..place - self.base];
            let kind = GapKind::of(gap.iter().copied());
            self.finish_token(token, place, kind);
        }
    }

    /// Ends the gap that is being read where no token begins. Without a token before it, it stands alone.
    fn end_gap(&mut self, place: usize, kind: GapKind) {
        let (start, token) = std::mem::replace(&mut self.gap, (place, None));
        match token {
            Some(token) => self.finish_token(token, place, kind),
            None if start == place => {}
            None => {
                let nothing =
                    RawToken { span: start..start, gap_end: place, gap: kind, words: Vec::new(), score: 0.0 };
                self.finish_token(nothing, place, kind);
            }
        }
    }

    fn finish_token(&mut self, mut token: RawToken, gap_end: usize, kind: GapKind) {
        (token.gap_end, token.gap) = (gap_end, kind);
        let form = &self.buffer.characters()[token.span.start - self.base..token.span.end - self.base];
        let features = TokenFeatures::new(form, kind, &self.segmenter.networks.token_features);
        self.finished.push_back((features, token));
    }

    /// Scores tokens of which all that matters is known.
    fn score(&mut self) {
        let reach = self.segmenter.networks.tokens.reach();
        loop {
            let left = self.finished.len() - self.scored;
            let certain = if self.at_end { left } else { left.saturating_sub(reach) };
            let count = certain.min(self.sizes.tokens);
            if count == 0 {
                return;
            }
            let from = self.scored.saturating_sub(reach);
            let to = self.finished.len().min(self.scored + count + reach);
            let mut bags = Bags::default();
            self.finished.range(from..to).for_each(|(features, _)| bags.push(features.known(true)));
            let scores = self.segmenter.token_scores(&bags);
            for at in self.scored..self.scored + count {
                let row = scores.row(at - from);
                let token = &mut self.finished[at].1;
                token.score = row[1] - row[0];
                self.fresh.push(token.clone());
            }
            self.scored += count;
            let forgotten = self.scored.saturating_sub(reach);
            self.finished.drain(..forgotten);
            self.scored -= forgotten;
        }
    }
}

impl Segmenter {
    fn scorers(&self) -> &Scorers {
        let Networks { characters, tokens, .. } = &self.networks;
        self.scorers.get_or_init(|| {
            let prepared = |network| ContextScorer::new(network, &self.numbers);
            Arc::new(Scorers { characters: prepared(characters), tokens: prepared(tokens) })
        })
    }

    /// What ends after each character, as rows of scores.
    fn character_scores(&self, characters: &[char]) -> Matrix<f32> {
        let features = features::of_characters(characters, &self.networks.character_features, || false);
        self.scorers().characters.scores(&self.numbers, &features)
    }

    /// Whether a sentence ends after each token, as rows of scores.
    fn token_scores(&self, features: &Bags) -> Matrix<f32> {
        self.scorers().tokens.scores(&self.numbers, features)
    }
}
