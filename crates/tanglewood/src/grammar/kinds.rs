//! The kinds of reduces among which a grammar chooses.

use super::GrammarError;
use crate::System;
use crate::chart::ChartKind;
use crate::scores::HeadKind;
use crate::system::Address;

/// A kind of reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A slot is removed by a head of some kind.
    Reduce { head: HeadKind, slot: usize },
    /// The deepest node of a window of three is removed. Exact inference cannot tell there what kind of head
    /// it gets, so all are equally probable.
    Deepest,
}

/// What is known about a configuration wherever a reduce is scored, and decides which reduces are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Situation {
    /// Whether s1 is the root.
    pub above_root: bool,
    /// Whether the buffer is empty.
    pub at_end: bool,
}

/// The kinds of reduces of a system.
#[derive(Clone, Debug)]
pub(super) struct Kinds {
    kinds: Vec<Kind>,
    single_root: bool,
    /// By slot: the number of the kind with a head ahead, and with a head in each stack slot.
    numbers: Vec<[Option<usize>; HEADS]>,
    /// Heads of the deepest node: the number of those on the stack, and of those in the buffer.
    deepest_heads: [usize; 2],
    lookahead: bool,
}

/// Stack slots in which heads may be, and one more for heads ahead.
const HEADS: usize = 5;

impl Kinds {
    /// # Errors
    /// If there is no dense chart for the system, or it has heads in the buffer other than b0 or all.
    pub fn new(system: &System, single_root: bool) -> Result<Kinds, GrammarError> {
        let unsupported = |why| Err(GrammarError::Unsupported { system: system.name().to_owned(), why });
        let Some(chart) = ChartKind::of(system, false) else {
            return unsupported("it has no dense chart");
        };
        let inventory = system.inventory();
        let removes_deepest = chart == ChartKind::Degree2;
        let mut kinds = Kinds {
            kinds: Vec::new(),
            single_root,
            numbers: Vec::new(),
            deepest_heads: [0, 0],
            lookahead: false,
        };
        for slot in 0..=inventory.deepest_dependent() {
            let on_stack = (0..HEADS - 1).filter(|&place| inventory.permits(Address::Stack(place), slot));
            let reach = inventory.reach_of_heads(slot);
            if !matches!(reach, 0 | 1 | usize::MAX) {
                return unsupported("a head in the buffer that is neither b0 nor any node");
            }
            if slot == 2 && removes_deepest {
                if reach == usize::MAX {
                    return unsupported(
                        "it removes s2 with heads anywhere ahead; `all-s0s1+` has the same trees as `all+`",
                    );
                }
                kinds.deepest_heads = [on_stack.count(), reach];
                kinds.kinds.push(Kind::Deepest);
                continue;
            }
            kinds.lookahead |= reach == usize::MAX;
            let ahead = (reach > 0).then_some(HeadKind::Ahead);
            let mut numbers = [None; HEADS];
            for head in on_stack.map(HeadKind::Stack).chain(ahead) {
                numbers[place(head)] = Some(kinds.kinds.len());
                kinds.kinds.push(Kind::Reduce { head, slot });
            }
            kinds.numbers.push(numbers);
        }
        Ok(kinds)
    }

    /// Number of kinds.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    pub fn get(&self, kind: usize) -> Kind {
        self.kinds[kind]
    }

    /// Whether any node of the buffer may be a head.
    pub fn lookahead(&self) -> bool {
        self.lookahead
    }

    /// The number of the kind of a reduce; that of [`Kind::Deepest`] for slots that are not told apart by
    /// heads.
    #[inline]
    pub fn number(&self, head: HeadKind, slot: usize) -> usize {
        let numbers = self.numbers.get(slot).map(|numbers| numbers[place(head)]);
        numbers.flatten().unwrap_or(self.kinds.len() - 1)
    }

    /// Whether a kind is possible in a situation, as far as that can be told.
    pub fn permits(&self, kind: usize, Situation { above_root, at_end }: Situation) -> bool {
        match self.kinds[kind] {
            Kind::Deepest => !above_root && self.heads_of_deepest(at_end) > 0,
            Kind::Reduce { slot: 1.., .. } if above_root => false,
            Kind::Reduce { head: HeadKind::Ahead, .. } => !at_end,
            // The only root gets its dependent last.
            Kind::Reduce { head: HeadKind::Stack(1), .. } => !above_root || at_end || !self.single_root,
            Kind::Reduce { head: HeadKind::Stack(place), .. } => !above_root || place < 2,
        }
    }

    /// The number of kinds that are possible.
    pub fn permitted(&self, situation: Situation) -> usize {
        (0..self.len()).filter(|&kind| self.permits(kind, situation)).count()
    }

    /// The number of heads that the deepest node of a window may have.
    pub fn heads_of_deepest(&self, at_end: bool) -> usize {
        self.deepest_heads[0] + if at_end { 0 } else { self.deepest_heads[1] }
    }
}

fn place(head: HeadKind) -> usize {
    match head {
        HeadKind::Ahead => 0,
        HeadKind::Stack(place) => place + 1,
    }
}
