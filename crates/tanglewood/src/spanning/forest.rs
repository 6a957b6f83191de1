//! Nested sets of words, each with the arc chosen to enter it.
//!
//! Words are nodes 1..=n. A cycle that is contracted becomes a node of its own, above the nodes it was made
//! of. Every node remembers the arc that was chosen for it when it was on top: where it comes from, which
//! word it enters, and its value, that is, its score less what the sets inside had paid already. Those values
//! are the dual variables of the problem (see [`duals`](super::duals)).

/// The sets. Node 0 is the root of the sentence: nothing contains it, and as a parent it means "none".
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    pub parent: Vec<u32>,
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
    /// Where the chosen arc comes from: a word or 0.
    pub source: Vec<u32>,
    /// The word that the chosen arc enters.
    pub target: Vec<u32>,
    /// The value of the chosen arc.
    pub value: Vec<f64>,
    /// Words that unwinding still has to enter.
    pending: Vec<u32>,
}

impl Forest {
    /// The words alone, without arcs.
    pub fn reset(&mut self, words: usize) {
        self.parent.clear();
        self.parent.resize(words + 1, 0);
        self.first_child.clear();
        self.first_child.resize(words + 1, 0);
        self.next_sibling.clear();
        self.next_sibling.resize(words + 1, 0);
        self.source.clear();
        self.source.resize(words + 1, 0);
        self.target.clear();
        self.target.extend(0..=words as u32);
        self.value.clear();
        self.value.resize(words + 1, f64::NEG_INFINITY);
    }

    /// Number of nodes, 0 included.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// A node above those of a cycle.
    pub fn contract(&mut self, cycle: &[u32]) -> usize {
        let node = self.len();
        let mut before = 0;
        for &part in cycle {
            self.parent[part as usize] = node as u32;
            self.next_sibling[part as usize] = before;
            before = part;
        }
        self.parent.push(0);
        self.first_child.push(before);
        self.next_sibling.push(0);
        self.source.push(0);
        self.target.push(0);
        self.value.push(f64::NEG_INFINITY);
        node
    }

    /// The nodes right below a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let known = |node: u32| (node != 0).then_some(node as usize);
        std::iter::successors(known(self.first_child[node]), move |&child| known(self.next_sibling[child]))
    }

    /// The head of each word: an arc that enters a set opens the cycle inside it at one place; all else in
    /// the cycle stays. Linear time, since each node is left alone, or opened once.
    pub fn unwind(&mut self, words: usize) -> Box<[u32]> {
        let mut heads = vec![0; words + 1].into_boxed_slice();
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        pending.extend((1..self.len()).filter(|&node| self.parent[node] == 0).map(|node| node as u32));
        while let Some(entered) = pending.pop() {
            let mut node = self.target[entered as usize];
            heads[node as usize] = self.source[entered as usize];
            while node != entered {
                let set = self.parent[node as usize];
                let others = self.children(set as usize).map(|other| other as u32);
                pending.extend(others.filter(|&other| other != node));
                node = set;
            }
        }
        self.pending = pending;
        heads
    }
}
