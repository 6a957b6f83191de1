//! A score for each arc.

use super::{TransitionScores, View};
use crate::Tree;
use crate::system::Address;

/// A matrix of scores: `score(head, dependent)`, with nodes 0..=n; −∞ forbids an arc.
///
/// ```
/// use tanglewood::scores::ArcScores;
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 2, 1.5);
/// scores.set(2, 1, 0.5);
/// assert_eq!(scores.of_tree(&tanglewood::Tree::from_heads(&[2, 0])?), 2.0);
/// # Ok::<(), tanglewood::TreeError>(())
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
    #[error("the score of {head} → {dependent} is {score:e}; expected at most {limit:e} in size", limit = ArcScores::LARGEST)]
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
}

impl ArcScores {
    /// The largest size of a finite score: the sum over the longest sentence stays far from overflow.
    pub const LARGEST: f64 = 1e300;

    /// Scores of 0 for all arcs between n words and the root.
    pub fn new(words: usize) -> ArcScores {
        let nodes = words + 1;
        let mut scores = vec![0.0; nodes * nodes];
        for node in 0..nodes {
            scores[node * nodes] = f64::NEG_INFINITY;
            scores[node * nodes + node] = f64::NEG_INFINITY;
        }
        ArcScores { nodes, scores }
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

    /// The scores in rows, one for each head, that give a number for each node; column 0 and the diagonal are ignored, and so is what they give beyond.
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
        if words > Tree::MAX_WORDS {
            return Err(ScoresError::TooLong(words));
        }
        let nodes = words + 1;
        let mut scores = ArcScores::new(words);
        for (head, columns) in scores.scores.chunks_exact_mut(nodes).enumerate() {
            let mut given = row(head).into_iter();
            for (dependent, to) in columns.iter_mut().enumerate() {
                let Some(score) = given.next() else {
                    return Err(ScoresError::Ragged { row: head, found: dependent, expected: nodes });
                };
                if dependent == 0 || dependent == head {
                    continue;
                }
                // NaN is not within any bounds.
                if !(-ArcScores::LARGEST..=ArcScores::LARGEST).contains(&score) && score != f64::NEG_INFINITY
                {
                    return Err(if score.is_finite() {
                        ScoresError::TooLarge { head, dependent, score }
                    } else {
                        ScoresError::NotAScore { head, dependent, score }
                    });
                }
                *to = score;
            }
        }
        Ok(scores)
    }

    /// Scores that allow the arcs of one tree, at 0, and forbid all others.
    pub fn only(tree: &Tree) -> ArcScores {
        let mut scores = ArcScores::new(tree.len());
        scores.scores.fill(f64::NEG_INFINITY);
        for (head, dependent) in tree.arcs() {
            scores.set(head, dependent, 0.0);
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

    /// The scores of all arcs from a head, by dependent; −∞ for those that cannot be: the head itself and the root.
    ///
    /// # Panics
    /// If the node is out of range.
    pub fn row(&self, head: usize) -> &[f64] {
        &self.scores[head * self.nodes..][..self.nodes]
    }

    /// The score of an arc.
    #[inline]
    pub fn get(&self, head: usize, dependent: usize) -> f64 {
        self.scores[head * self.nodes + dependent]
    }

    /// Changes the score of an arc.
    ///
    /// # Panics
    /// If a node is out of range, the dependent is the root or the head itself, or the score is NaN or +∞.
    pub fn set(&mut self, head: usize, dependent: usize, score: f64) {
        assert!(head < self.nodes && dependent < self.nodes, "{head} → {dependent} in {} words", self.len());
        assert!(dependent != 0 && head != dependent, "{head} → {dependent} is no arc");
        assert!(!score.is_nan() && score != f64::INFINITY, "a score of {score}");
        self.scores[head * self.nodes + dependent] = score;
    }

    /// Forbids every other head for a dependent.
    pub fn require(&mut self, head: usize, dependent: usize) {
        for other in (0..self.nodes).filter(|&other| other != head && other != dependent) {
            self.set(other, dependent, f64::NEG_INFINITY);
        }
    }

    /// The sum of a tree's arc scores, from the first word to the last.
    ///
    /// # Panics
    /// If the tree has another number of words.
    pub fn of_tree(&self, tree: &Tree) -> f64 {
        assert_eq!(tree.len(), self.len(), "tree and scores differ in length");
        tree.arcs().map(|(head, dependent)| self.get(head, dependent)).sum()
    }

    /// All arcs, forbidden ones too, word by word.
    pub(crate) fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let nodes = self.nodes;
        let heads = move |word| (0..nodes).filter(move |&head| head != word);
        (1..nodes).flat_map(move |word| heads(word).map(move |head| (head, word)))
    }

    /// The expected sum of a tree's scores, given how probable arcs are; of those scores that count.
    pub(crate) fn expected(&self, marginals: &[Vec<f64>], counts: impl Fn(f64) -> bool) -> f64 {
        self.arcs()
            .map(|(head, word)| (marginals[head][word], self.get(head, word)))
            .filter(|&(marginal, score)| marginal > 0.0 && counts(score))
            .map(|(marginal, score)| marginal * score)
            .sum()
    }

    /// The largest finite score in size.
    pub(crate) fn largest(&self) -> f64 {
        let sizes = self.arcs().map(|(head, word)| self.get(head, word).abs());
        sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
    }

    /// The scores of the mirrored sentence.
    pub fn mirrored(&self) -> ArcScores {
        let place = |node: usize| if node == 0 { 0 } else { self.nodes - node };
        let mut mirrored = self.clone();
        for head in 0..self.nodes {
            for dependent in 1..self.nodes {
                mirrored.scores[place(head) * self.nodes + place(dependent)] = self.get(head, dependent);
            }
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
