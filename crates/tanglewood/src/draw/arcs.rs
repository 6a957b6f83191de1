//! How high arcs go, and where on a word they begin and end.

/// An arc between two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The column of the head.
    pub head: usize,
    /// The column of the dependent.
    pub dependent: usize,
}

impl Ends {
    pub fn left(self) -> usize {
        self.head.min(self.dependent)
    }

    pub fn right(self) -> usize {
        self.head.max(self.dependent)
    }

    /// True if and only if the other arc lies within this one; ends may be shared.
    fn contains(self, other: Ends) -> bool {
        self.left() <= other.left() && other.right() <= self.right()
    }

    /// True if and only if the two have more than an end in common.
    fn overlaps(self, other: Ends) -> bool {
        self.left() < other.right() && other.left() < self.right()
    }
}

/// The level of each arc, from 1: above all arcs within it, and on a level of its own among those it crosses.
/// So two arcs on the same level have at most a column in common. Quadratic time.
pub fn levels(arcs: &[Ends]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..arcs.len()).collect();
    order.sort_by_key(|&at| (arcs[at].right() - arcs[at].left(), arcs[at].left(), arcs[at].head));
    let mut levels = vec![0; arcs.len()];
    let mut taken = Vec::new();
    for (place, &at) in order.iter().enumerate() {
        let mut level = 1;
        taken.clear();
        for &other in &order[..place] {
            if arcs[at].contains(arcs[other]) {
                level = level.max(levels[other] + 1);
            } else if arcs[at].overlaps(arcs[other]) {
                taken.push(levels[other]);
            }
        }
        taken.sort_unstable();
        for &other in &taken {
            if other == level {
                level += 1;
            }
        }
        levels[at] = level;
    }
    levels
}

/// How far apart two arcs are that meet at a word, unless there are too many of them.
const STEP: f64 = 8.0;
/// How wide all arcs at a word are together, at most.
const SPAN: f64 = 160.0;

/// For each arc how far its left and its right end are from the middle of their columns. At each column, arcs
/// from the left stand left of those to the right, with a root arc between them, and the long ones are
/// nearest to it: so arcs that share a word do not cross.
pub fn ports(arcs: &[Ends], columns: usize, has_middle: impl Fn(usize) -> bool) -> Vec<(f64, f64)> {
    let mut at_column: Vec<Vec<usize>> = vec![Vec::new(); columns];
    for (at, arc) in arcs.iter().enumerate() {
        at_column[arc.left()].push(at);
        at_column[arc.right()].push(at);
    }
    let mut ports = vec![(0.0, 0.0); arcs.len()];
    for (column, meeting) in at_column.iter().enumerate() {
        let length = |at: usize| arcs[at].right() - arcs[at].left();
        let mut from_left: Vec<usize> =
            meeting.iter().copied().filter(|&at| arcs[at].right() == column).collect();
        let mut to_right: Vec<usize> =
            meeting.iter().copied().filter(|&at| arcs[at].left() == column).collect();
        from_left.sort_by_key(|&at| (length(at), arcs[at].head));
        to_right.sort_by_key(|&at| (std::cmp::Reverse(length(at)), std::cmp::Reverse(arcs[at].head)));
        let middle = usize::from(has_middle(column));
        let places = from_left.len() + to_right.len() + middle;
        let step = STEP.min(SPAN / places.max(1) as f64);
        // With a root arc, that one is in the middle of the column.
        let centre = if middle == 1 { from_left.len() as f64 } else { (places as f64 - 1.0) / 2.0 };
        let offset = |place: usize| (place as f64 - centre) * step;
        for (place, &at) in from_left.iter().enumerate() {
            ports[at].1 = offset(place);
        }
        for (place, &at) in to_right.iter().enumerate() {
            ports[at].0 = offset(from_left.len() + middle + place);
        }
    }
    ports
}
