//! How the words of a tree are arranged.

use super::style::Style;
use super::{Word, compact, tree, vertical, wrapped};
use crate::Tree;

/// How a tree is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Arrangement {
    /// All words on one line, relations at the arcs: see [`Layout`](super::Layout).
    #[default]
    Line,
    /// As many lines as it takes to be no wider than this, if no word and label alone is. An arc between
    /// lines goes out at the edge of one and comes in at the edge of the other.
    Wrap(f64),
    /// All words on one line, as near to each other as they can be; relations stand below the words.
    Compact,
    /// A line for each word, arcs at the side.
    Vertical,
}

/// A tree as SVG in some arrangement.
///
/// ```
/// use tanglewood::Tree;
/// use tanglewood::draw::{self, Arrangement, Style, Word};
/// let tree = Tree::from_heads(&[2, 0])?;
/// let words = [Word::new("Hello", "INTJ", "discourse"), Word::new("world", "NOUN", "root")];
/// let svg = draw::arranged(&tree, &words, Arrangement::Vertical, &Style::default());
/// assert!(svg.contains(">discourse</text>"));
/// # Ok::<(), tanglewood::TreeError>(())
/// ```
pub fn arranged(tree_drawn: &Tree, words: &[Word], arrangement: Arrangement, style: &Style) -> String {
    match arrangement {
        Arrangement::Line => tree::tree(tree_drawn, words, style),
        Arrangement::Wrap(width) => wrapped::wrapped(tree_drawn, words, width, style),
        Arrangement::Compact => compact::compact(tree_drawn, words, style),
        Arrangement::Vertical => vertical::vertical(tree_drawn, words, style),
    }
}
