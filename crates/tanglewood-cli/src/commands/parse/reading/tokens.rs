//! Tokens as CoNLL-U: one a line with a blank line after each sentence, or a sentence a line with spaces
//! between the tokens.

use std::io::{self, Read};

use tanglewood::text::{Following, TextSentence, TextToken, TextWriter};

use super::lines::Lines;
use super::{BLOCK_BYTES, SENTENCE_BYTES};
use crate::arguments::InputKind;

/// Tokens that are being put together.
pub struct TokenLines {
    lines: Lines,
    writer: TextWriter<Vec<u8>>,
    /// Whether a line is a token; not known before the first line that is not blank, unless it was said.
    one_a_line: Option<bool>,
    /// The sentence so far: tokens with a space after each.
    text: Vec<u8>,
    tokens: Vec<TextToken>,
    line: Vec<u8>,
}

impl TokenLines {
    pub fn new(kind: InputKind, source: Box<dyn Read + Send>, ranges: bool, waits: bool) -> TokenLines {
        let one_a_line = match kind {
            InputKind::Vertical => Some(true),
            InputKind::Horizontal => Some(false),
            _ => None,
        };
        TokenLines {
            lines: Lines::new(source, waits),
            writer: TextWriter::new(Vec::new()).ranges(ranges),
            one_a_line,
            text: Vec::new(),
            tokens: Vec::new(),
            line: Vec::new(),
        }
    }

    /// The next sentences; nothing at the end.
    pub fn next(&mut self) -> io::Result<Vec<u8>> {
        let mut line = std::mem::take(&mut self.line);
        while self.lines.next(&mut line)? {
            self.take(&line)?;
            let written = self.writer.get_mut().len();
            if written >= BLOCK_BYTES || (written > 0 && self.lines.must_wait()) {
                self.line = line;
                return Ok(std::mem::take(self.writer.get_mut()));
            }
        }
        self.end_sentence()?;
        Ok(std::mem::take(self.writer.get_mut()))
    }

    fn take(&mut self, line: &[u8]) -> io::Result<()> {
        let content = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if content.is_empty() {
            return self.end_sentence();
        }
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
        if *self.one_a_line.get_or_insert_with(|| !content.contains(&b' ')) {
            // What follows a tab says something about the token.
            let token = content.split(|&byte| byte == b'\t').next().unwrap_or(content).trim_ascii();
            return self.push(token);
        }
        for token in content.split(is_space).filter(|token| !token.is_empty()) {
            self.push(token)?;
        }
        self.end_sentence()
    }

    fn push(&mut self, token: &[u8]) -> io::Result<()> {
        if self.text.len() + token.len() >= SENTENCE_BYTES {
            self.end_sentence()?;
        }
        let start = self.text.len();
        self.text.extend_from_slice(token);
        self.tokens.push(TextToken::new(start..self.text.len()));
        self.text.push(b' ');
        Ok(())
    }

    fn end_sentence(&mut self) -> io::Result<()> {
        if self.tokens.is_empty() {
            return Ok(());
        }
        let (text, tokens) = (std::mem::take(&mut self.text), std::mem::take(&mut self.tokens));
        let sentence = TextSentence::new(text, tokens).map_err(io::Error::other)?;
        // What was between the tokens is not known: all is as usual.
        self.writer.push_before(&sentence, Following::Sentence)
    }
}
