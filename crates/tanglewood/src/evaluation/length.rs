//! Scores by the length of sentences.

/// Counts over gold sentences of similar length.
///
/// The words are those of the gold sentences, so that shares of them are recalls. With the same tokens in
/// both files, recall, precision and F1 are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LengthCounts {
    /// Gold sentences.
    pub sentences: u64,
    /// Those with all words, heads and relations right.
    pub exact: u64,
    /// Their words.
    pub words: u64,
    /// Those with the right head.
    pub right_heads: u64,
    /// Those with the right head and relation.
    pub right_arcs: u64,
    /// Their content words.
    pub content_words: u64,
    /// Those with the right head and relation.
    pub right_content_arcs: u64,
}

/// Lengths are put together like this: from these numbers of words on, up to the next.
pub const LENGTHS: [usize; 7] = [1, 6, 11, 21, 31, 41, 61];

/// In which group a length is.
pub(super) fn group_of(words: usize) -> usize {
    LENGTHS.iter().rposition(|&least| least <= words).unwrap_or(0)
}

impl LengthCounts {
    /// Adds other counts.
    pub fn merge(&mut self, other: &LengthCounts) {
        self.sentences += other.sentences;
        self.exact += other.exact;
        self.words += other.words;
        self.right_heads += other.right_heads;
        self.right_arcs += other.right_arcs;
        self.content_words += other.content_words;
        self.right_content_arcs += other.right_content_arcs;
    }
}
