//! Names of systems.
//!
//! A family gives, for each depth D, a subset of R_D: all reduces with dependents s0..sD and heads among the
//! other stack slots up to sD or b0. A name is a family, optionally followed by `:D`, optionally followed by
//! `+`, which replaces b0 by `ahead`; or `mh` and the number of nodes in a frame, optionally with `+`; or it
//! is an inventory written out.

use std::fmt;
use std::ops::RangeInclusive;

use super::complexity::Complexity;
use super::inventory::{Inventory, InventoryError, Reduce};
use super::slot::Slot;

/// Names that stand for all trees, and so for no system of transitions.
pub(super) const ALL_TREES: [&str; 2] = ["any", "mst"];

/// A rule that picks an inventory out of R_D for every depth D.
#[derive(Clone, Copy)]
pub struct Family {
    /// The name, without `:D`.
    pub name: &'static str,
    /// What D is when it is not written.
    pub default_depth: u8,
    /// The only depth, for families that have just one member.
    pub fixed_depth: bool,
    /// One line about it.
    pub summary: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    member: fn(Reduce, u8) -> bool,
}

/// All families with a name.
pub const FAMILIES: [Family; 7] = [
    Family {
        name: "arc-standard",
        default_depth: 1,
        fixed_depth: true,
        summary: "the two topmost stack nodes; projective trees",
        citation: "Nivre 2004",
        member: |reduce, _| on_stack(reduce),
    },
    Family {
        name: "arc-hybrid",
        default_depth: 1,
        fixed_depth: true,
        summary: "only the top is removed, by its stack neighbour or the next word: projective trees; with +, by any word ahead",
        citation: "Kuhlmann, Gómez-Rodríguez and Satta 2011",
        member: |reduce, _| reduce.dependent == 0,
    },
    Family {
        name: "kuhlmann-2",
        default_depth: 1,
        fixed_depth: true,
        summary: "arc-standard, and the next word may take s1; crossings to the left only",
        citation: "Cohen, Gómez-Rodríguez and Satta 2011; Kuhlmann's remark",
        member: |reduce, _| on_stack(reduce) || reduce.dependent == 1,
    },
    Family {
        name: "attardi",
        default_depth: 2,
        fixed_depth: false,
        summary: "s0 with any of s1..sD, both ways",
        citation: "Attardi 2006; Cohen, Gómez-Rodríguez and Satta 2011",
        member: |reduce, _| involves_top(reduce),
    },
    Family {
        name: "all-deg1",
        default_depth: 2,
        fixed_depth: false,
        summary: "attardi, and all pairs of neighbours",
        citation: "Shi, Gómez-Rodríguez and Lee 2018",
        member: |reduce, _| involves_top(reduce) || between_neighbours(reduce),
    },
    Family {
        name: "all",
        default_depth: 2,
        fixed_depth: false,
        summary: "every pair among s0..sD and b0",
        citation: "Shi, Gómez-Rodríguez and Lee 2018",
        member: |_, _| true,
    },
    Family {
        name: "all-s",
        default_depth: 2,
        fixed_depth: false,
        summary: "every pair among s0..sD and b0, but sD is never removed",
        citation: "Shi, Gómez-Rodríguez and Lee 2018 (all-s0s1 for D = 2)",
        member: |reduce, depth| reduce.dependent < depth,
    },
];

/// The family with bounded frames. Its names have their number without a colon.
const MULTI_HEADED: Family = Family {
    name: "mh",
    default_depth: 2,
    fixed_depth: false,
    summary: "every pair in a frame of K nodes, b0 the last, in which all else has been removed",
    citation: "Gómez-Rodríguez, Carroll and Weir 2011",
    member: |reduce, depth| reduce.dependent < depth,
};

/// Further names: (name, what it stands for).
const ALIASES: [(&str, &str); 3] =
    [("all-s0s1", "all-s:2"), ("all-s0s1+", "all-s:2+"), ("projective", "mh3")];

fn on_stack(reduce: Reduce) -> bool {
    matches!(reduce.head, Slot::Stack(_))
}

fn involves_top(reduce: Reduce) -> bool {
    on_stack(reduce) && (reduce.dependent == 0 || reduce.head == Slot::Stack(0))
}

fn between_neighbours(reduce: Reduce) -> bool {
    match reduce.head {
        Slot::Stack(head) => head.abs_diff(reduce.dependent) == 1,
        _ => reduce.dependent == 0,
    }
}

impl Family {
    /// The member of this family for depth D.
    fn inventory(&self, depth: u8) -> Result<Inventory, InventoryError> {
        let dependents = 0..=depth;
        let pairs = dependents.flat_map(|dependent| {
            let stack = (0..=depth).filter(move |&head| head != dependent).map(Slot::Stack);
            stack.chain([Slot::Buffer(0)]).map(move |head| Reduce { dependent, head })
        });
        Inventory::new(pairs.filter(|&reduce| (self.member)(reduce, depth)))
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Family").field(&self.name).finish()
    }
}

/// A transition system: an inventory, perhaps a bound on frames, and the name it goes by.
///
/// **Frames.** In the systems `mh3`, `mh4`, … every reduce happens inside a *frame*: some of the topmost
/// stack nodes and b0, which among them have taken or removed everything in between without help from further
/// down. A frame of `mhK` has at most K nodes. The inventory alone would permit more runs; what the bound
/// buys is a chart with K − 1 indices and time O(n^K). (Gómez-Rodríguez, Carroll and Weir 2011 call frames
/// multi-headed items.) [`Frames`](crate::transition::Frames) has the definition.
///
/// ```
/// use tanglewood::system::System;
/// let system = System::named("all-s0s1")?;
/// assert_eq!(system.inventory().len(), 6);
/// assert_eq!(system.inventory().complexity().time, 6);
///
/// let own = System::named("s0>s1 s1>s0 b0>s1")?;
/// assert_eq!(own.inventory(), System::named("kuhlmann-2")?.inventory());
/// # Ok::<(), tanglewood::system::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct System {
    name: String,
    inventory: Inventory,
    /// How many nodes a frame may have, if that is bounded.
    frame: Option<usize>,
}

/// Why a text names no system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// No such family.
    #[error("no system is called `{name}`; {}", suggestion(.nearest))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Names that look like it, the most similar first; may be empty.
        nearest: Vec<String>,
    },
    /// All trees, where a system with transitions is needed.
    #[error("`{name}` stands for all trees, which no transitions build; expected a system such as mh4+ here")]
    AllTrees {
        /// What was asked for.
        name: String,
    },
    /// A depth that is no number in range.
    #[error("`{depth}` in `{name}` is not a depth; expected a number from 1 to {max}", max = Slot::DEEPEST)]
    Depth {
        /// What was asked for.
        name: String,
        /// The part after the colon.
        depth: String,
    },
    /// A depth for a family with a single member.
    #[error("`{family}` exists for one depth only; leave out `:{depth}`")]
    FixedDepth {
        /// The family.
        family: &'static str,
        /// The part after the colon.
        depth: String,
    },
    /// A number of nodes that no frame has.
    #[error("`{nodes}` in `{name}` is not a number of nodes; expected {min} to {max}, as in mh4", min = System::FRAMES.start(), max = System::FRAMES.end())]
    Frame {
        /// What was asked for.
        name: String,
        /// The part after `mh`.
        nodes: String,
    },
    /// A `+` without any buffer head to extend.
    #[error(
        "`{name}` takes no head from the buffer, so `{name}+` would be the same system; leave out the `+`"
    )]
    NothingAhead {
        /// The name without its `+`.
        name: String,
    },
    /// An inventory written out, with a mistake in it.
    #[error(transparent)]
    Inventory(#[from] InventoryError),
}

fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => "`tanglewood systems` lists the names".to_owned(),
        [one] => format!("did you mean `{one}`?"),
        [first @ .., last] => format!("did you mean `{}` or `{last}`?", first.join("`, `")),
    }
}

impl System {
    /// The system of that name: `attardi`, `attardi:3`, `all-s0s1`, `all+`, …, or an inventory such as
    /// `s0>s1 s1>s0 b0>s1`.
    ///
    /// # Errors
    /// If there is no such system; the error suggests similar names.
    pub fn named(name: &str) -> Result<System, NameError> {
        if name.contains('>') {
            let inventory: Inventory = name.parse()?;
            return Ok(System::from(inventory));
        }
        let target = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, target)| target);
        if let Some(nodes) = target.strip_prefix(MULTI_HEADED.name) {
            return System::multi_headed(name, nodes);
        }
        let (base, lookahead) = match target.strip_suffix('+') {
            Some(base) => (base, true),
            None => (target, false),
        };
        let (family_name, depth_text) = match base.split_once(':') {
            Some((family, depth)) => (family, Some(depth)),
            None => (base, None),
        };
        if ALL_TREES.contains(&name) {
            return Err(NameError::AllTrees { name: name.to_owned() });
        }
        let Some(family) = FAMILIES.iter().find(|family| family.name == family_name) else {
            return Err(NameError::Unknown { name: name.to_owned(), nearest: nearest(name) });
        };
        let depth = match depth_text {
            None => family.default_depth,
            Some(text) if family.fixed_depth => {
                return Err(NameError::FixedDepth { family: family.name, depth: text.to_owned() });
            }
            Some(text) => text
                .parse()
                .ok()
                .filter(|depth| (1..=Slot::DEEPEST).contains(depth))
                .ok_or_else(|| NameError::Depth { name: name.to_owned(), depth: text.to_owned() })?,
        };
        let mut inventory = family.inventory(depth)?;
        if lookahead {
            inventory = with_lookahead(&inventory)
                .ok_or_else(|| NameError::NothingAhead { name: base.to_owned() })?;
        }
        Ok(System { name: name.to_owned(), inventory, frame: None })
    }

    /// How many nodes frames may have.
    pub const FRAMES: RangeInclusive<usize> = 3..=8;

    /// The system whose name is `mh` and what follows. Inside a frame of K nodes every node may be the head
    /// of every inner one: that is `all-s` for D = K − 2.
    fn multi_headed(name: &str, rest: &str) -> Result<System, NameError> {
        let (nodes, lookahead) = rest.strip_suffix('+').map_or((rest, ""), |nodes| (nodes, "+"));
        let error = || NameError::Frame { name: name.to_owned(), nodes: nodes.to_owned() };
        let frame: usize = nodes.parse().map_err(|_| error())?;
        if !System::FRAMES.contains(&frame) {
            return Err(error());
        }
        let unbounded = System::named(&format!("all-s:{}{lookahead}", frame - 2))?;
        Ok(System { name: name.to_owned(), frame: Some(frame), ..unbounded })
    }

    /// The name it was asked for by; for an inventory written out, its canonical spelling.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// How many nodes a frame may have, if that is bounded: the K of `mhK`.
    pub fn frame(&self) -> Option<usize> {
        self.frame
    }

    /// What exact inference costs: O(n^K) time and O(n^(K−1)) space with frames of K nodes; otherwise see
    /// [`Inventory::complexity`].
    pub fn complexity(&self) -> Complexity {
        match self.frame {
            Some(nodes) => Complexity { time: nodes as u32, space: nodes as u32 - 1 },
            None => self.inventory.complexity(),
        }
    }

    /// The systems of Shi, Gómez-Rodríguez and Lee (2018), in the order of their table.
    pub fn paper() -> Vec<System> {
        Self::listed(&["attardi", "all-deg1", "all", "all-s0s1"])
    }

    /// Every named system at its default depth.
    pub fn all() -> Vec<System> {
        Self::listed(&NAMES)
    }

    fn listed(names: &[&str]) -> Vec<System> {
        names.iter().filter_map(|name| System::named(name).ok()).collect()
    }

    /// The family this system's name belongs to, if it has one.
    pub fn family(&self) -> Option<&'static Family> {
        if self.frame.is_some() {
            return Some(&MULTI_HEADED);
        }
        let target =
            ALIASES.iter().find(|(alias, _)| *alias == self.name).map_or(&*self.name, |(_, target)| target);
        let family = target.trim_end_matches('+').split(':').next()?;
        FAMILIES.iter().find(|candidate| candidate.name == family)
    }
}

/// The names in the order in which `tanglewood systems` shows them.
const NAMES: [&str; 17] = [
    "arc-standard",
    "arc-hybrid",
    "arc-hybrid+",
    "kuhlmann-2",
    "attardi",
    "all-deg1",
    "all-deg1+",
    "all",
    "all+",
    "all-s0s1",
    "all-s0s1+",
    "mh3",
    "mh3+",
    "mh4",
    "mh4+",
    "mh5",
    "mh5+",
];

impl From<Inventory> for System {
    /// The system of an inventory, which goes by its spelling.
    fn from(inventory: Inventory) -> System {
        System { name: inventory.to_string(), inventory, frame: None }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The inventory with b0 replaced by `ahead`, if it has b0 at all.
fn with_lookahead(inventory: &Inventory) -> Option<Inventory> {
    let front = Slot::Buffer(0);
    let reduces = inventory.reduces();
    if !reduces.iter().any(|reduce| reduce.head == front) {
        return None;
    }
    let extended = |reduce: &Reduce| match reduce.head {
        Slot::Buffer(0) => Reduce { head: Slot::Ahead, ..*reduce },
        _ => *reduce,
    };
    Inventory::new(reduces.iter().map(extended)).ok()
}

/// Up to three known names that resemble the given one.
fn nearest(name: &str) -> Vec<String> {
    let wanted = name.to_lowercase().replace('_', "-");
    let known = NAMES.iter().copied().chain(["attardi:3", "all:3", "all-s:3", "all-deg1:3"]);
    let mut ranked: Vec<(f64, &str)> =
        known.map(|known| (strsim::jaro_winkler(&wanted, known), known)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked
        .into_iter()
        .filter(|&(similarity, _)| similarity > 0.8)
        .take(3)
        .map(|(_, name)| name.to_owned())
        .collect()
}
