//! Segmented text as CoNLL-U.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::escape::escape;
use super::form::{characters, shown};
use super::sentence::TextSentence;

/// Writes the sentences of one text as CoNLL-U, with forms and MISC; all other columns are `_`.
///
/// Sentences are numbered. How the gap after a sentence is written depends on what follows: a sentence that
/// is [pushed](TextWriter::push) is written when the next one is there, one that is pushed
/// [with what follows](TextWriter::push_before) at once.
#[derive(Debug)]
pub struct TextWriter<W> {
    out: W,
    ranges: bool,
    pending: Option<TextSentence>,
    /// Number of sentences with tokens that were written.
    sentences: u64,
    /// Number of characters before the next sentence to be written, counted if ranges are wanted.
    characters: u64,
    /// Whether the next sentence to be written begins a paragraph.
    paragraph: bool,
    line: String,
}

/// What comes after a sentence of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// A sentence with tokens.
    Sentence,
    /// A sentence without tokens, or something that is not known yet: nothing is left to conventions.
    Gap,
    /// Nothing: the text ends.
    End,
}

/// What follows a sentence, with the beginning of a paragraph told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Sentence,
    Paragraph,
    /// A gap of its own: nothing is left to conventions.
    Gap,
    End,
}

impl<W: Write> TextWriter<W> {
    /// Begins a text.
    pub fn new(out: W) -> TextWriter<W> {
        TextWriter {
            out,
            ranges: false,
            pending: None,
            sentences: 0,
            characters: 0,
            paragraph: true,
            line: String::new(),
        }
    }

    /// Also writes `TokenRange=start:end` for every token.
    pub fn ranges(self, ranges: bool) -> TextWriter<W> {
        TextWriter { ranges, ..self }
    }

    /// Takes the next sentence.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn push(&mut self, sentence: TextSentence) -> io::Result<()> {
        self.write_pending(&sentence)?;
        self.pending = Some(sentence);
        Ok(())
    }

    /// Takes the next sentence and writes it at once, given what comes after it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn push_before(&mut self, sentence: &TextSentence, following: Following) -> io::Result<()> {
        self.write_pending(sentence)?;
        self.write(sentence, following)
    }

    /// The next sentence begins a paragraph, even if no blank line precedes it.
    pub fn begin_paragraph(&mut self) {
        self.paragraph = true;
    }

    /// What is written to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    fn write_pending(&mut self, next: &TextSentence) -> io::Result<()> {
        match self.pending.take() {
            Some(before) if next.tokens().is_empty() => self.write(&before, Following::Gap),
            Some(before) => self.write(&before, Following::Sentence),
            None => Ok(()),
        }
    }

    /// Writes what is left, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if let Some(sentence) = self.pending.take() {
            self.write(&sentence, Following::End)?;
        }
        Ok(self.out)
    }

    fn write(&mut self, sentence: &TextSentence, following: Following) -> io::Result<()> {
        // A paragraph may begin after several gaps: what was found before the first of them counts.
        let paragraph = has_blank_line(sentence.gap_before(sentence.tokens().len()))
            || (sentence.tokens().is_empty() && self.paragraph);
        let next = match following {
            Following::Gap => Next::Gap,
            Following::End => Next::End,
            Following::Sentence if paragraph => Next::Paragraph,
            Following::Sentence => Next::Sentence,
        };
        self.line.clear();
        if sentence.tokens().is_empty() {
            if !sentence.bytes().is_empty() {
                self.line.push_str("# spaces = ");
                escape(sentence.bytes(), &mut self.line);
                self.line.push_str("\n\n");
            }
        } else {
            self.write_comments(sentence);
            self.write_tokens(sentence, next);
        }
        if self.ranges {
            self.characters += characters(sentence.bytes());
        }
        self.paragraph = paragraph;
        self.out.write_all(self.line.as_bytes())
    }

    fn write_comments(&mut self, sentence: &TextSentence) {
        if self.sentences == 0 {
            self.line.push_str("# newdoc\n");
        }
        if self.paragraph {
            self.line.push_str("# newpar\n");
        }
        self.sentences += 1;
        // Writing to a string does not fail.
        let _ = writeln!(self.line, "# sent_id = {}\n# text = {}", self.sentences, shown(sentence.content()));
    }

    fn write_tokens(&mut self, sentence: &TextSentence, next: Next) {
        let mut id = 0;
        let mut place = self.characters;
        let last = sentence.tokens().len() - 1;
        for (at, token) in sentence.tokens().iter().enumerate() {
            let text = &sentence.bytes()[token.span.clone()];
            let form = shown(text);
            let before = sentence.gap_before(at);
            let mut misc = after(sentence.gap_before(at + 1), if at == last { Some(next) } else { None });
            if at == 0 && !before.is_empty() {
                escape(before, attribute(&mut misc, "SpacesBefore"));
            }
            if form.as_bytes() != text {
                escape(text, attribute(&mut misc, "SpacesInToken"));
            }
            if self.ranges {
                let start = place + characters(before);
                place = start + characters(text);
                let _ = write!(attribute(&mut misc, "TokenRange"), "{start}:{place}");
            }
            let misc = if misc.is_empty() { "_" } else { &misc };
            if token.words.len() < 2 {
                id += 1;
                let _ = writeln!(self.line, "{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}");
                continue;
            }
            let _ = writeln!(
                self.line,
                "{}-{}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}",
                id + 1,
                id + token.words.len()
            );
            for word in &token.words {
                id += 1;
                let _ = writeln!(self.line, "{id}\t{}\t_\t_\t_\t_\t_\t_\t_\t_", shown(word.as_bytes()));
            }
        }
        self.line.push('\n');
    }
}

/// MISC for the gap after a token, before `next` or inside a sentence.
fn after(gap: &[u8], next: Option<Next>) -> String {
    let mut misc = String::new();
    let usual: &[u8] = match next {
        None | Some(Next::Sentence) if gap.is_empty() => {
            attribute(&mut misc, "SpaceAfter").push_str("No");
            return misc;
        }
        None | Some(Next::Sentence) => b" ",
        Some(Next::Paragraph) => b"\n\n",
        Some(Next::End) => b"\n",
        Some(Next::Gap) => b"",
    };
    if gap.is_empty() {
        // Nothing at all, where usually there is something: both attributes, for programs that know only the
        // first.
        attribute(&mut misc, "SpaceAfter").push_str("No");
        attribute(&mut misc, "SpacesAfter");
    } else if gap != usual {
        escape(gap, attribute(&mut misc, "SpacesAfter"));
    }
    misc
}

/// Begins an attribute; its value is to be appended.
fn attribute<'m>(misc: &'m mut String, name: &str) -> &'m mut String {
    if !misc.is_empty() {
        misc.push('|');
    }
    misc.push_str(name);
    misc.push('=');
    misc
}

/// True if and only if there are two line ends or more: `\n`, `\r\n` or `\r`.
fn has_blank_line(gap: &[u8]) -> bool {
    let feeds = gap.iter().filter(|&&byte| byte == b'\n').count();
    let lone_returns = gap.windows(2).filter(|pair| pair[0] == b'\r' && pair[1] != b'\n').count();
    feeds + lone_returns + usize::from(gap.last() == Some(&b'\r')) >= 2
}
