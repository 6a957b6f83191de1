//! A sentence of running text: its bytes, and where its tokens are.

use std::ops::Range;

/// A token of running text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextToken {
    /// The bytes of the sentence that it consists of.
    pub span: Range<usize>,
    /// The words that a multiword token stands for; empty for all other tokens.
    pub words: Vec<String>,
}

impl TextToken {
    /// A token that is one word.
    pub fn new(span: Range<usize>) -> TextToken {
        TextToken { span, words: Vec::new() }
    }
}

/// Some bytes of a text with their tokens. The sentences of a text, one after the other, are the text again:
/// gaps before the first token of a text belong to its first sentence, all other gaps to the sentence before
/// them.
///
/// A sentence without tokens is a gap that no token can carry, such as a text of nothing but spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextSentence {
    bytes: Vec<u8>,
    tokens: Vec<TextToken>,
}

/// Tokens that are empty, out of order, or not within the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("token {token} is empty, or not within {bytes} bytes and after the token before it")]
pub struct SpanError {
    /// The first such token, counted from 0.
    pub token: usize,
    /// Length of the sentence.
    pub bytes: usize,
}

impl TextSentence {
    /// A sentence with its tokens in order.
    ///
    /// # Errors
    /// If a token is empty, overlaps with the one before it, or goes beyond the sentence.
    pub fn new(bytes: Vec<u8>, tokens: Vec<TextToken>) -> Result<TextSentence, SpanError> {
        let mut end = 0;
        for (token, TextToken { span, .. }) in tokens.iter().enumerate() {
            if span.start < end || span.is_empty() || span.end > bytes.len() {
                return Err(SpanError { token, bytes: bytes.len() });
            }
            end = span.end;
        }
        Ok(TextSentence { bytes, tokens })
    }

    /// All bytes, gaps included.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The tokens in order.
    pub fn tokens(&self) -> &[TextToken] {
        &self.tokens
    }

    /// The gap before token `at`, counted from 0; before the number of tokens, the one after the last token.
    pub fn gap_before(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.tokens[at - 1].span.end };
        let end = self.tokens.get(at).map_or(self.bytes.len(), |token| token.span.start);
        &self.bytes[start..end]
    }

    /// From the first token to the last.
    pub(super) fn content(&self) -> &[u8] {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => &self.bytes[first.span.start..last.span.end],
            _ => &[],
        }
    }
}
