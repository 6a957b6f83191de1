//! The table a system consists of.

use std::fmt;
use std::str::FromStr;

use super::slot::{Address, Slot, SlotError};

/// One permitted kind of arc: the node in slot `head` takes the node in stack slot `dependent`, which is
/// removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reduce {
    /// Where the removed node sits, counted from the top of the stack.
    pub dependent: u8,
    /// Where its head sits.
    pub head: Slot,
}

/// A set of [`Reduce`]s. Not empty; no reduce has a node as its own head.
///
/// Written as `head>dependent` pairs:
///
/// ```
/// use tanglewood::system::Inventory;
/// let inventory: Inventory = "s0>s1 s1>s0 b0>s1".parse()?;
/// assert_eq!(inventory.len(), 3);
/// assert_eq!(inventory.to_string(), "s1>s0 s0>s1 b0>s1");
/// # Ok::<(), tanglewood::system::InventoryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Inventory {
    /// Sorted, without repetitions.
    reduces: Vec<Reduce>,
    /// Entry d: the head slots of dependents in stack slot d. As long as the deepest dependent needs.
    heads: Vec<Heads>,
}

/// The head slots permitted for one dependent slot, as bit sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Heads {
    stack: u16,
    buffer: u16,
    ahead: bool,
}

/// Why a text is not an inventory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InventoryError {
    /// No pair at all.
    #[error("the inventory is empty; expected pairs such as `s0>s1 s1>s0`")]
    Empty,
    /// A piece of text that is not of the form `head>dependent`.
    #[error("`{0}` is not a pair of slots; expected head>dependent, such as s0>s1 or b0>s0")]
    NotAPair(String),
    /// A head or dependent that is no slot.
    #[error(transparent)]
    Slot(#[from] SlotError),
    /// A dependent that is not on the stack.
    #[error("`{0}` removes a node that is not on the stack; expected a dependent slot s0, s1, …")]
    DependentNotOnStack(String),
    /// A slot that is head and dependent at once.
    #[error("`{0}` makes a node its own head; expected two different slots")]
    OwnHead(String),
}

impl Inventory {
    /// The inventory of the given reduces; repetitions do not matter.
    ///
    /// # Errors
    /// If there is none, if a slot is deeper than [`Slot::DEEPEST`], or if head and dependent are the same
    /// slot.
    pub fn new(reduces: impl IntoIterator<Item = Reduce>) -> Result<Inventory, InventoryError> {
        let mut reduces: Vec<Reduce> = reduces.into_iter().collect();
        reduces.sort_unstable();
        reduces.dedup();
        let Some(last) = reduces.last() else { return Err(InventoryError::Empty) };
        let mut heads = vec![Heads::default(); usize::from(last.dependent) + 1];
        for &reduce in &reduces {
            let too_deep = |slot: Slot| Err(SlotError(slot.to_string()).into());
            if reduce.dependent > Slot::DEEPEST {
                return too_deep(Slot::Stack(reduce.dependent));
            }
            let entry = &mut heads[usize::from(reduce.dependent)];
            match reduce.head {
                Slot::Stack(place) | Slot::Buffer(place) if place > Slot::DEEPEST => {
                    return too_deep(reduce.head);
                }
                Slot::Stack(place) if place == reduce.dependent => {
                    return Err(InventoryError::OwnHead(reduce.to_string()));
                }
                Slot::Stack(place) => entry.stack |= 1 << place,
                Slot::Buffer(place) => entry.buffer |= 1 << place,
                Slot::Ahead => entry.ahead = true,
            }
        }
        Ok(Inventory { reduces, heads })
    }

    /// The reduces, ordered by dependent slot and then by head slot.
    pub fn reduces(&self) -> &[Reduce] {
        &self.reduces
    }

    /// How many reduces there are; never 0.
    #[expect(clippy::len_without_is_empty, reason = "an inventory is never empty")]
    pub fn len(&self) -> usize {
        self.reduces.len()
    }

    /// True if and only if the reduce is in the table as written. `ahead` does not stand for `b0` here; see
    /// [`Inventory::permits`].
    pub fn contains(&self, reduce: Reduce) -> bool {
        self.reduces.binary_search(&reduce).is_ok()
    }

    /// True if and only if a node at `head` may take, and remove, the node in stack slot `dependent`.
    #[inline]
    pub fn permits(&self, head: Address, dependent: usize) -> bool {
        let Some(heads) = self.heads.get(dependent) else { return false };
        match head {
            Address::Stack(place) => place < 16 && heads.stack >> place & 1 == 1,
            Address::Buffer(place) => heads.ahead || (place < 16 && heads.buffer >> place & 1 == 1),
        }
    }

    /// The deepest stack slot that occurs, as head or dependent; the D of the degree-D families.
    pub fn depth(&self) -> usize {
        let deepest = |reduce: &Reduce| match reduce.head {
            Slot::Stack(head) => reduce.dependent.max(head),
            Slot::Buffer(_) | Slot::Ahead => reduce.dependent,
        };
        self.reduces.iter().map(deepest).max().map_or(0, usize::from)
    }

    /// One more than the deepest stack slot in which the head of a node in stack slot `dependent` may be.
    #[inline]
    pub(crate) fn depth_of_heads(&self, dependent: usize) -> usize {
        self.heads.get(dependent).map_or(0, |heads| 16 - heads.stack.leading_zeros() as usize)
    }

    /// One more than the furthest buffer place in which the head of a node in stack slot `dependent` may be.
    #[inline]
    pub(crate) fn reach_of_heads(&self, dependent: usize) -> usize {
        self.heads.get(dependent).map_or(0, |heads| {
            if heads.ahead { usize::MAX } else { 16 - heads.buffer.leading_zeros() as usize }
        })
    }

    /// The deepest stack slot from which a node is removed.
    pub fn deepest_dependent(&self) -> usize {
        self.heads.len() - 1
    }
}

impl fmt::Display for Reduce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>s{}", self.head, self.dependent)
    }
}

impl FromStr for Reduce {
    type Err = InventoryError;

    fn from_str(text: &str) -> Result<Reduce, InventoryError> {
        let (head, dependent) =
            text.split_once('>').ok_or_else(|| InventoryError::NotAPair(text.to_owned()))?;
        match dependent.parse()? {
            Slot::Stack(dependent) => Ok(Reduce { dependent, head: head.parse()? }),
            Slot::Buffer(_) | Slot::Ahead => Err(InventoryError::DependentNotOnStack(text.to_owned())),
        }
    }
}

impl fmt::Display for Inventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, reduce) in self.reduces.iter().enumerate() {
            write!(f, "{}{reduce}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl FromStr for Inventory {
    type Err = InventoryError;

    /// Pairs separated by spaces or commas.
    fn from_str(text: &str) -> Result<Inventory, InventoryError> {
        let pairs = text.split([' ', ',']).filter(|pair| !pair.is_empty());
        let reduces: Vec<Reduce> = pairs.map(str::parse).collect::<Result<_, _>>()?;
        Inventory::new(reduces)
    }
}
