//! Running text and CoNLL-U, each rebuilt from the other byte for byte.
//!
//! [`TextWriter`] writes segmented text ([`TextSentence`]s) as CoNLL-U; [`TextRebuilder`] reads CoNLL-U and
//! writes the text it stands for. Whatever the bytes of a text are and wherever it is cut, the second undoes
//! the first. For CoNLL-U from elsewhere the rebuilder follows the usual conventions.
//!
//! ```
//! use tanglewood::conllu::Sentences;
//! use tanglewood::text::{TextRebuilder, TextSentence, TextToken, TextWriter};
//!
//! let tokens = vec![TextToken::new(0..5), TextToken::new(5..6)];
//! let sentence = TextSentence::new(b"Hello!\r\n".to_vec(), tokens)?;
//! let mut writer = TextWriter::new(Vec::new());
//! writer.push(sentence)?;
//! let conllu = writer.finish()?;
//! assert!(String::from_utf8_lossy(&conllu).contains(r"SpacesAfter=\r\n"));
//!
//! let mut rebuilder = TextRebuilder::new(Vec::new());
//! for sentence in Sentences::of(&conllu) {
//!     rebuilder.push(&sentence)?;
//! }
//! assert_eq!(rebuilder.finish()?, b"Hello!\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//!
//! A text is a sequence of *tokens* with *gaps* before, between and after them. A token is a line of CoNLL-U:
//! a range of words if it is a multiword token, otherwise a word. Words inside a range and empty nodes do not
//! appear in the text.
//!
//! | place of a gap | without `SpacesAfter` at the token before it |
//! | --- | --- |
//! | before the first token of a file | nothing |
//! | between two tokens | one space, or nothing if the token before it has `SpaceAfter=No` |
//! | between two sentences, the second of which has `# newpar` or `# newdoc` | a blank line: `\n\n` |
//! | after the last token of a file | `\n` |
//!
//! Any other gap is written to `SpacesAfter=` of the token before it; an empty value says that there is
//! nothing. What precedes the first token is in its `SpacesBefore=`; at other tokens `SpacesBefore=` is read
//! as an addition to the gap. A gap without a token to carry it, as in a file of nothing but spaces, is a
//! comment `# spaces = …` followed by a blank line, with which a [`Validator`](crate::conllu::Validator)
//! finds no problem.
//!
//! `SpaceAfter`, `SpacesAfter`, `SpacesBefore` and `SpacesInToken` mean what they mean to UDPipe, and have
//! the same escapes and two more:
//!
//! | escape | stands for |
//! | --- | --- |
//! | `\s` `\t` `\n` `\r` `\p` `\\` | space, tab, line feed, carriage return, vertical bar, backslash |
//! | `\uXXXX` | other white space, a control character, a line separator or a byte-order mark |
//! | `\xXX` | a byte that is not part of valid UTF-8 |
//!
//! So these come back as they were:
//!
//! | in the text | in CoNLL-U |
//! | --- | --- |
//! | a byte-order mark at the start | `SpacesBefore=\uFEFF` |
//! | CRLF | `SpacesAfter=\r\n` |
//! | NUL and other control characters | `\u0000` in a gap; in a token see below |
//! | bytes that are not UTF-8 | `\xE9` in a gap; in a token see below |
//! | tab or line end inside a token | see below |
//!
//! FORM holds a token as it is, unless the token has control characters, invalid bytes, white space at its
//! ends or a run of white space inside. Then FORM has U+FFFD for the former and one space for a run, and the
//! exact token is in `SpacesInToken=`.
//!
//! `TokenRange=start:end`, if asked for, counts characters from the start of the file. A byte that is not
//! part of valid UTF-8 counts as one character.

mod escape;
mod form;
mod rebuild;
mod sentence;
mod write;

pub use escape::{escape, unescape};
pub use rebuild::TextRebuilder;
pub use sentence::{SpanError, TextSentence, TextToken};
pub use write::{Following, TextWriter};
