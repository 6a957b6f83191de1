//! Pairs of nodes in the window of a reduce.

use super::{HeadKind, View};

/// A pair of places in the window, of which one is below the top of the stack.
///
/// A context may be a sum over pairs: windows of three or four nodes then are tables of n² numbers, and
/// charts can ask for them as quickly as for those of the top alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowPair {
    /// The node below the top, and the top.
    S1S0,
    /// The node below the top, and the front of the buffer.
    S1B0,
    /// The third node of the stack, and the top.
    S2S0,
    /// The third node of the stack, and the second.
    S2S1,
}

impl WindowPair {
    /// All of them.
    pub const ALL: [WindowPair; 4] = [WindowPair::S1S0, WindowPair::S1B0, WindowPair::S2S0, WindowPair::S2S1];

    /// The pairs that a reduce sees, and their nodes, the deeper one first.
    ///
    /// It is what the reduce cannot do without in any system: the stack down to the node below the dependent,
    /// or to the head if that is deeper. If s2 or a deeper node is removed, s2 is left out: exact inference
    /// in windows could not do with it.
    pub fn of_reduce(
        view: View<'_>,
        head: HeadKind,
        dependent: usize,
    ) -> impl Iterator<Item = (WindowPair, [usize; 2])> + use<> {
        let sees_s2 = match head {
            _ if dependent > 1 => false,
            HeadKind::Stack(head) => head >= 2 || dependent == 1,
            HeadKind::Ahead => dependent == 1,
        };
        let s0 = view.stack.first().copied();
        let s1 = view.stack.get(1).copied();
        let s2 = view.stack.get(2).copied().filter(|_| sees_s2);
        let places = [(s1, s0), (s1, Some(view.front)), (s2, s0), (s2, s1)];
        WindowPair::ALL
            .into_iter()
            .zip(places)
            .filter_map(|(pair, (deeper, other))| Some((pair, [deeper?, other?])))
    }
}
