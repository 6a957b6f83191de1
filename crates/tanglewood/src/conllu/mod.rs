//! CoNLL-U, byte for byte.
//!
//! Reading and validating are separate. *Reading* cuts a stream into blocks of whole sentences ([`Blocks`])
//! and blocks into [`Sentence`]s, which are slices of the input: written one after the other they are the
//! input again, whatever it was. *Validating* ([`Validator`]) says what is wrong with a sentence and gives
//! its tree.
//!
//! Byte-order mark, CRLF, a missing final newline and extra blank lines are not mistakes: they are read and
//! kept.
//!
//! ```
//! use tanglewood::conllu::{Sentences, Validator};
//! let text = b"# text = Hi .\n1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n";
//! let mut validator = Validator::new();
//! for sentence in Sentences::of(text) {
//!     assert_eq!(validator.tree(&sentence)?, tanglewood::Tree::from_heads(&[0, 1])?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Memory is bounded: a block holds about a megabyte, or one sentence if that is longer, and a sentence
//! longer than [`MAX_SENTENCE_BYTES`] is an error.

mod block;
mod deps;
mod edit;
mod id;
mod problem;
mod row;
mod sentence;
mod split;
mod validate;

pub use block::{Block, Blocks, MAX_SENTENCE_BYTES, ReadError, for_each_sentence};
pub use edit::EditError;
pub use id::Id;
pub use problem::{Kind, Problem};
pub use row::{Column, Row};
pub use sentence::{Line, Sentence, Sentences};
pub use validate::{MAX_LINE_BYTES, MAX_PROBLEMS, Validator};
