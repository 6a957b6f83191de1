//! Dependency trees that are trees by construction.
//!
//! Words are numbered 1..=n in sentence order; node 0 is the artificial root and is nobody's dependent. A
//! [`Tree`] assigns one head to each word such that following heads always ends at node 0. Several words may
//! hang from node 0: whether exactly one does is a property to ask for ([`Tree::has_single_root`]), because
//! the transition systems of the literature are defined without that restriction while treebanks follow it.

use std::fmt;

/// A dependency tree over words 1..=n with the artificial root 0.
///
/// ```
/// use tanglewood::Tree;
/// // 1 ← 2 → 3, and 2 hangs from the root.
/// let tree = Tree::from_heads(&[2, 0, 2])?;
/// assert_eq!(tree.len(), 3);
/// assert_eq!(tree.head(3), 2);
/// assert!(tree.has_single_root());
/// # Ok::<(), tanglewood::TreeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tree {
    /// `heads[m]` is the head of word m; `heads[0]` is 0 and means nothing.
    heads: Box<[u32]>,
}

/// Why a list of heads is not a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A head lies outside the sentence.
    #[error("word {word} has head {head}; expected a number from 0 to {words}")]
    HeadOutOfRange {
        /// The word with the impossible head.
        word: usize,
        /// The head it was given.
        head: usize,
        /// How many words the sentence has.
        words: usize,
    },
    /// Following heads from some word never reaches the root.
    #[error("the heads form a cycle: {}; expected every path of heads to end at 0", Path(.0))]
    Cycle(Vec<usize>),
    /// More words than [`Tree::MAX_WORDS`].
    #[error("{0} words in one sentence; expected at most {max}", max = Tree::MAX_WORDS)]
    TooLong(usize),
}

/// Displays a cycle as `3 → 5 → 3`, shortened in the middle when it is long.
struct Path<'a>(&'a [usize]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for word in self.0.iter().take(SHOWN) {
            write!(f, "{word} → ")?;
        }
        if self.0.len() > SHOWN {
            write!(f, "… → ")?;
        }
        match self.0.first() {
            Some(first) => write!(f, "{first}"),
            None => Ok(()),
        }
    }
}

impl Tree {
    /// The longest sentence a tree may have. Far above any real sentence; it bounds the quadratic class
    /// tests.
    pub const MAX_WORDS: usize = 100_000;

    /// The tree in which word m has head `heads[m - 1]`.
    ///
    /// # Errors
    /// If a head is larger than the number of words, if heads form a cycle (a word that is its own head is
    /// one), or if there are more than [`Tree::MAX_WORDS`] words.
    pub fn from_heads(heads: &[usize]) -> Result<Tree, TreeError> {
        let words = heads.len();
        if words > Tree::MAX_WORDS {
            return Err(TreeError::TooLong(words));
        }
        let mut nodes = Vec::with_capacity(words + 1);
        nodes.push(0);
        for (at, &head) in heads.iter().enumerate() {
            if head > words {
                return Err(TreeError::HeadOutOfRange { word: at + 1, head, words });
            }
            nodes.push(head as u32);
        }
        Tree::from_nodes(nodes.into_boxed_slice()).map_err(TreeError::Cycle)
    }

    /// The tree of a table `nodes[m] = head of m` whose entries are known to be in range; the words of a
    /// cycle if there is one.
    pub(crate) fn from_nodes(nodes: Box<[u32]>) -> Result<Tree, Vec<usize>> {
        debug_assert!(nodes.iter().all(|&head| (head as usize) < nodes.len()));
        match find_cycle(&nodes) {
            None => Ok(Tree { heads: nodes }),
            Some(cycle) => Err(cycle),
        }
    }

    /// Number of words, the root not counted.
    pub fn len(&self) -> usize {
        self.heads.len() - 1
    }

    /// True if and only if there is no word at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The head of a word, 0 if it hangs from the root.
    ///
    /// # Panics
    /// If `word` is 0 or larger than the number of words.
    pub fn head(&self, word: usize) -> usize {
        assert!(word != 0, "the root has no head");
        self.heads[word] as usize
    }

    /// The heads of words 1..=n in order.
    pub fn heads(&self) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        self.heads[1..].iter().map(|&head| head as usize)
    }

    /// All arcs as (head, dependent), in order of the dependent.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
        self.heads().zip(1..=self.len())
    }

    /// The words that hang from node 0, in order.
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        self.arcs().filter(|&(head, _)| head == 0).map(|(_, word)| word)
    }

    /// True if and only if exactly one word hangs from node 0.
    pub fn has_single_root(&self) -> bool {
        self.roots().take(2).count() == 1
    }

    /// The number of dependents of each node 0..=n.
    pub fn dependent_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.heads.len()];
        for (head, _) in self.arcs() {
            counts[head] += 1;
        }
        counts
    }

    /// The mirror image: node 0 stays, word m becomes word n + 1 − m.
    ///
    /// ```
    /// # use tanglewood::Tree;
    /// let tree = Tree::from_heads(&[0, 1, 1])?;
    /// assert_eq!(tree.mirrored(), Tree::from_heads(&[3, 3, 0])?);
    /// assert_eq!(tree.mirrored().mirrored(), tree);
    /// # Ok::<(), tanglewood::TreeError>(())
    /// ```
    pub fn mirrored(&self) -> Tree {
        let n = self.len();
        let mut heads = vec![0; n + 1].into_boxed_slice();
        for (head, word) in self.arcs() {
            heads[n + 1 - word] = if head == 0 { 0 } else { (n + 1 - head) as u32 };
        }
        Tree { heads }
    }

    /// The table `nodes[m] = head of m`, with a meaningless 0 at the root.
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.heads
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree")?;
        f.debug_list().entries(&self.heads[1..]).finish()
    }
}

/// The words of some cycle, from its smallest, if following heads does not always end at 0. Linear time.
pub(crate) fn find_cycle(heads: &[u32]) -> Option<Vec<usize>> {
    // visited_from[m]: the word whose walk towards the root first met m; 0 if none has. Each node is walked
    // over once.
    let mut visited_from = vec![0u32; heads.len()];
    for start in 1..heads.len() as u32 {
        let mut at = start;
        while at != 0 && visited_from[at as usize] == 0 {
            visited_from[at as usize] = start;
            at = heads[at as usize];
        }
        if at != 0 && visited_from[at as usize] == start {
            let mut cycle = vec![at as usize];
            let mut next = heads[at as usize];
            while next != at {
                cycle.push(next as usize);
                next = heads[next as usize];
            }
            let smallest =
                cycle.iter().enumerate().min_by_key(|&(_, word)| word).map_or(0, |(place, _)| place);
            cycle.rotate_left(smallest);
            return Some(cycle);
        }
    }
    None
}
