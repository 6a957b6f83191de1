//! A score for each arc.

use std::borrow::Cow;

use super::{TransitionScores, View};
use crate::Tree;
use crate::memory::{OutOfMemory, table};
use crate::system::{Address, Direction};

/// A matrix of scores: `score(head, dependent)`, with nodes 0..=n; −∞ forbids an arc.
///
/// ```
/// use tanglewood::scores::ArcScores;
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 2, 1.5)?;
/// scores.set(2, 1, 0.5)?;
/// assert_eq!(scores.of_tree(&tanglewood::Tree::from_heads(&[2, 0])?), 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ArcScores {
    nodes: usize,
    /// Row-major, a row per head. Column 0 and the diagonal are −∞.
    scores: Vec<f64>,
}

/// Why a matrix is not a matrix of arc scores.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoresError {
    /// No row at all.
    #[error("the matrix is empty; expected n + 1 rows for n words")]
    Empty,
    /// A row of the wrong length.
    #[error("row {row} has {found} columns; expected {expected}, as many as there are rows")]
    Ragged {
        /// Which row, counted from 0.
        row: usize,
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
    /// NaN or +∞.
    #[error(
        "the score of {head} → {dependent} is {score}; expected a finite number, or −∞ to forbid the arc"
    )]
    NotAScore {
        /// Row.
        head: usize,
        /// Column.
        dependent: usize,
        /// What was found.
        score: f64,
    },
    /// A finite number so large that sums could overflow.
    #[error(
        "the score of {head} → {dependent} is {score:e}; expected at most {limit:e} in size",
        limit = ArcScores::LARGEST
    )]
    TooLarge {
        /// Row.
        head: usize,
        /// Column.
        dependent: usize,
        /// What was found.
        score: f64,
    },
    /// More words than a tree may have.
    #[error("{0} words; expected at most {max}", max = Tree::MAX_WORDS)]
    TooLong(usize),
    /// Not an arc of the sentence.
    #[error(
        "{head} → {dependent} is no arc; expected a head from 0 to {words} and another word as the dependent"
    )]
    NoArc {
        /// Row.
        head: usize,
        /// Column.
        dependent: usize,
        /// Number of words of the sentence.
        words: usize,
    },
    /// The system refused the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

impl ArcScores {
    /// The largest size of a finite score: the sum over the longest sentence stays far from overflow.
    pub const LARGEST: f64 = 1e300;

    /// Scores of 0 for all arcs between n words and the root.
    pub fn new(words: usize) -> ArcScores {
        let nodes = words + 1;
        ArcScores { nodes, scores: vec![0.0; nodes * nodes] }.without_impossible_arcs()
    }

    /// The same as [`ArcScores::new`], for a number of words that may be too large.
    ///
    /// # Errors
    /// If there are more words than a tree may have, or the system refuses the memory.
    pub fn try_new(words: usize) -> Result<ArcScores, ScoresError> {
        if words > Tree::MAX_WORDS {
            return Err(ScoresError::TooLong(words));
        }
        let nodes = words + 1;
        Ok(ArcScores { nodes, scores: table(nodes * nodes, 0.0)? }.without_impossible_arcs())
    }

    fn without_impossible_arcs(mut self) -> ArcScores {
        for node in 0..self.nodes {
            self.put(node, 0, f64::NEG_INFINITY);
            self.put(node, node, f64::NEG_INFINITY);
        }
        self
    }

    /// The scores in a square matrix with a row per head; column 0 and the diagonal are ignored.
    ///
    /// # Errors
    /// If the matrix is not square, or holds NaN, +∞ or a number larger than [`ArcScores::LARGEST`].
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<ArcScores, ScoresError> {
        let nodes = rows.len();
        if nodes == 0 {
            return Err(ScoresError::Empty);
        }
        if nodes > Tree::MAX_WORDS + 1 {
            return Err(ScoresError::TooLong(nodes - 1));
        }
        for (row, columns) in rows.iter().enumerate() {
            let found = columns.as_ref().len();
            if found != nodes {
                return Err(ScoresError::Ragged { row, found, expected: nodes });
            }
        }
        ArcScores::from_row_iter(nodes - 1, |head| rows[head].as_ref().iter().copied())
    }

    /// The scores in rows, one for each head, that give a number for each node; column 0 and the diagonal are
    /// ignored, and so is what they give beyond.
    ///
    /// ```
    /// use tanglewood::scores::ArcScores;
    /// let padded = [[0.0, 1.0, 2.0, f64::NAN], [0.0, 0.0, 3.0, f64::NAN], [0.0, 4.0, 0.0, f64::NAN]];
    /// let scores = ArcScores::from_row_iter(2, |head| padded[head])?;
    /// assert_eq!(scores.get(2, 1), 4.0);
    /// # Ok::<(), tanglewood::scores::ScoresError>(())
    /// ```
    ///
    /// # Errors
    /// If there are too many words, if a row gives too few numbers, or as [`ArcScores::from_rows`].
    pub fn from_row_iter<R: IntoIterator<Item = f64>>(
        words: usize,
        mut row: impl FnMut(usize) -> R,
    ) -> Result<ArcScores, ScoresError> {
        let mut scores = ArcScores::try_new(words)?;
        let nodes = scores.nodes;
        for (head, columns) in scores.scores.chunks_exact_mut(nodes).enumerate() {
            let mut given = row(head).into_iter();
            for (dependent, to) in columns.iter_mut().enumerate() {
                let Some(score) = given.next() else {
                    return Err(ScoresError::Ragged { row: head, found: dependent, expected: nodes });
                };
                // NaN is not within any bounds.
                let is_score = score.abs() <= ArcScores::LARGEST || score == f64::NEG_INFINITY;
                match dependent != 0 && dependent != head {
                    true if is_score => *to = score,
                    true if score.is_finite() => {
                        return Err(ScoresError::TooLarge { head, dependent, score });
                    }
                    true => return Err(ScoresError::NotAScore { head, dependent, score }),
                    false => {}
                }
            }
        }
        Ok(scores)
    }

    /// Scores that allow the arcs of one tree, at 0, and forbid all others.
    pub fn only(tree: &Tree) -> ArcScores {
        let mut scores = ArcScores::new(tree.len());
        scores.scores.fill(f64::NEG_INFINITY);
        for (head, dependent) in tree.arcs() {
            scores.put(head, dependent, 0.0);
        }
        scores
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.nodes - 1
    }

    /// True if and only if there is no word.
    pub fn is_empty(&self) -> bool {
        self.nodes == 1
    }

    /// The scores of all arcs from a head, by dependent; −∞ for those that cannot be: to the head itself and
    /// to the root. Empty if there is no such node.
    pub fn row(&self, head: usize) -> &[f64] {
        self.scores.chunks_exact(self.nodes).nth(head).unwrap_or(&[])
    }

    /// The scores of all arcs from a node of the sentence. What cannot be has to stay −∞.
    pub(crate) fn row_mut(&mut self, head: usize) -> &mut [f64] {
        &mut self.scores[head * self.nodes..][..self.nodes]
    }

    /// The score of an arc; −∞ if there is no such arc.
    #[inline]
    pub fn get(&self, head: usize, dependent: usize) -> f64 {
        if head < self.nodes && dependent < self.nodes {
            self.scores[head * self.nodes + dependent]
        } else {
            f64::NEG_INFINITY
        }
    }

    /// Changes the score of an arc.
    ///
    /// # Errors
    /// If there is no such arc in the sentence, or the score is NaN or +∞.
    pub fn set(&mut self, head: usize, dependent: usize, score: f64) -> Result<(), ScoresError> {
        if dependent == 0 || head == dependent || head.max(dependent) >= self.nodes {
            return Err(ScoresError::NoArc { head, dependent, words: self.len() });
        }
        if score.is_nan() || score == f64::INFINITY {
            return Err(ScoresError::NotAScore { head, dependent, score });
        }
        self.put(head, dependent, score);
        Ok(())
    }

    /// Changes the score of an arc that is known to be one, to something that is known to be a score.
    #[inline]
    pub(crate) fn put(&mut self, head: usize, dependent: usize, score: f64) {
        self.scores[head * self.nodes + dependent] = score;
    }

    /// Forbids every other head for a dependent. Nothing changes if there is no such word.
    pub fn require(&mut self, head: usize, dependent: usize) {
        if dependent < self.nodes {
            for other in (0..self.nodes).filter(|&other| other != head) {
                self.put(other, dependent, f64::NEG_INFINITY);
            }
        }
    }

    /// The sum of a tree's arc scores; −∞ if the tree has another number of words, since it is none of this
    /// sentence.
    ///
    /// What rounding takes from partial sums is summed, too, and added at the end (Neumaier 1974). So a tree
    /// with a larger sum has no smaller score, and large scores that cancel leave the others their digits.
    pub fn of_tree(&self, tree: &Tree) -> f64 {
        if tree.len() != self.len() {
            return f64::NEG_INFINITY;
        }
        let (mut sum, mut lost) = (0.0, 0.0);
        for (head, dependent) in tree.arcs() {
            let score = self.get(head, dependent);
            let longer = sum + score;
            let added = longer - sum;
            lost += (sum - (longer - added)) + (score - added);
            sum = longer;
        }
        if sum.is_finite() { sum + lost } else { sum }
    }

    /// All arcs, forbidden ones too, word by word.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        ArcScores::arcs_of(self.len())
    }

    /// All arcs of a sentence of that many words, word by word.
    pub(crate) fn arcs_of(words: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let nodes = words + 1;
        let heads = move |word| (0..nodes).filter(move |&head| head != word);
        (1..nodes).flat_map(move |word| heads(word).map(move |head| (head, word)))
    }

    /// Whether any arc is forbidden.
    pub(crate) fn has_forbidden_arcs(&self) -> bool {
        let forbidden = self.scores.iter().filter(|&&score| score == f64::NEG_INFINITY).count();
        // Column 0 and the diagonal have no arcs.
        forbidden > 2 * self.nodes - 1
    }

    /// The largest finite score in size.
    pub(crate) fn largest(&self) -> f64 {
        let sizes = self.arcs().map(|(head, word)| self.get(head, word).abs());
        sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
    }

    /// The scores in reading order, or the other way round.
    pub fn read(&self, direction: Direction) -> Cow<'_, ArcScores> {
        if direction == Direction::Rtl { Cow::Owned(self.mirrored()) } else { Cow::Borrowed(self) }
    }

    /// The scores of the mirrored sentence.
    pub fn mirrored(&self) -> ArcScores {
        let place = |node: usize| Direction::Rtl.place(self.len(), node);
        let mut mirrored = self.clone();
        for (head, word) in self.arcs() {
            mirrored.put(place(head), place(word), self.get(head, word));
        }
        mirrored
    }
}

impl TransitionScores for ArcScores {
    fn words(&self) -> usize {
        self.len()
    }

    fn as_arcs(&self) -> Option<&ArcScores> {
        Some(self)
    }

    fn shift(&self, _: Option<usize>, _: usize) -> f64 {
        0.0
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.get(view.node(head), view.stack[dependent])
    }
}
