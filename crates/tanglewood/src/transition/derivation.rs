//! Complete runs, as values.

use std::fmt;
use std::str::FromStr;

use super::configuration::{Configuration, IllegalTransition, Transition};
use super::frames::Frames;
use crate::Tree;
use crate::system::{Address, Inventory, System};

/// A sequence of transitions for a sentence of a given length.
///
/// It is written, and read back, as the transitions' names separated by spaces.
///
/// ```
/// use tanglewood::{Oracle, System, Tree};
/// let tree = Tree::from_heads(&[2, 0])?;
/// let derivation = Oracle::new(&System::named("arc-standard")?).derivation(&tree)?;
/// assert_eq!(derivation.to_string(), "shift shift shift s0>s1 s1>s0");
/// assert_eq!(derivation.tree()?, tree);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Derivation {
    words: usize,
    transitions: Vec<Transition>,
}

/// One step of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub transition: Transition,
    /// The arc (head, dependent) this adds, if it is a reduce.
    pub arc: Option<(usize, usize)>,
    /// The configuration afterwards.
    pub after: Configuration,
}

/// Why a sequence of transitions does not give a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DerivationError {
    /// A transition that cannot be carried out where it stands.
    #[error("step {step}: {reason}")]
    Illegal {
        /// Counted from 1.
        step: usize,
        /// What is wrong with it.
        reason: IllegalTransition,
    },
    /// The last configuration is not terminal.
    #[error(
        "the derivation stops after {steps} steps with {stack} nodes on the stack and {buffer} in the buffer; expected the root alone and an empty buffer"
    )]
    Unfinished {
        /// How many steps there are.
        steps: usize,
        /// Stack size at the end.
        stack: usize,
        /// Buffer size at the end.
        buffer: usize,
    },
}

impl Derivation {
    /// A derivation for a sentence of `words` words. Whether it makes sense is for [`Derivation::tree`] to
    /// say.
    pub fn new(words: usize, transitions: Vec<Transition>) -> Derivation {
        Derivation { words, transitions }
    }

    /// The transitions in order.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// How many words the sentence has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The tree it builds.
    ///
    /// # Errors
    /// If a step is impossible, or the end is not a terminal configuration.
    pub fn tree(&self) -> Result<Tree, DerivationError> {
        self.replay(|_| Ok(()))
    }

    /// The tree it builds if all its reduces are in the inventory.
    ///
    /// # Errors
    /// As [`Derivation::tree`], and if some reduce is not in the inventory.
    pub fn tree_in(&self, inventory: &Inventory) -> Result<Tree, DerivationError> {
        self.replay(|transition| in_inventory(transition, inventory))
    }

    /// The tree it builds if the system permits all its transitions: those of the inventory, within the bound
    /// on frames if there is one.
    ///
    /// # Errors
    /// As [`Derivation::tree_in`], and if a reduce needs too large a frame.
    pub fn tree_in_system(&self, system: &System) -> Result<Tree, DerivationError> {
        let mut frames = system.frame().map(Frames::new);
        self.replay(|transition| {
            in_inventory(transition, system.inventory())?;
            if let Some(frames) = &mut frames {
                if !frames.permit(transition) {
                    return Err(IllegalTransition::OutOfFrame(transition));
                }
                frames.apply(transition);
            }
            Ok(())
        })
    }

    /// Every step with the configuration it leads to.
    ///
    /// # Errors
    /// If a step is impossible.
    pub fn steps(&self) -> Result<Vec<Step>, DerivationError> {
        let mut steps = Vec::with_capacity(self.transitions.len());
        self.each_step(|transition, arc, after| steps.push(Step { transition, arc, after: after.clone() }))?;
        Ok(steps)
    }

    /// Calls `visit` with every transition, its arc (head, dependent) and the configuration it leads to.
    /// Unlike [`Derivation::steps`], it keeps no configurations: those of a sentence of n words take O(n²)
    /// memory.
    ///
    /// # Errors
    /// If a step is impossible; the steps before it have been visited.
    pub fn each_step(
        &self,
        mut visit: impl FnMut(Transition, Option<(usize, usize)>, &Configuration),
    ) -> Result<(), DerivationError> {
        let mut configuration = Configuration::start(self.words);
        for (at, &transition) in self.transitions.iter().enumerate() {
            let illegal = |reason| DerivationError::Illegal { step: at + 1, reason };
            let arc = match transition {
                Transition::Shift => None,
                Transition::Reduce { head, dependent } => {
                    Some(configuration.arc(head, dependent).map_err(illegal)?)
                }
            };
            configuration.apply(transition).map_err(illegal)?;
            visit(transition, arc, &configuration);
        }
        Ok(())
    }

    fn replay(
        &self,
        mut check: impl FnMut(Transition) -> Result<(), IllegalTransition>,
    ) -> Result<Tree, DerivationError> {
        let mut configuration = Configuration::start(self.words);
        for (at, &transition) in self.transitions.iter().enumerate() {
            check(transition)
                .and_then(|()| configuration.apply(transition))
                .map_err(|reason| DerivationError::Illegal { step: at + 1, reason })?;
        }
        configuration.tree().ok_or_else(|| DerivationError::Unfinished {
            steps: self.transitions.len(),
            stack: configuration.stack().len(),
            buffer: configuration.buffer().len(),
        })
    }
}

fn in_inventory(transition: Transition, inventory: &Inventory) -> Result<(), IllegalTransition> {
    match transition {
        Transition::Reduce { head, dependent } if !inventory.permits(head, dependent) => {
            Err(IllegalTransition::NotInInventory(transition))
        }
        _ => Ok(()),
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, transition) in self.transitions.iter().enumerate() {
            write!(f, "{}{transition}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// A text that is not a transition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a transition; expected `shift` or head>dependent such as s0>s1 or b3>s0")]
pub struct DerivationParseError(String);

impl FromStr for Transition {
    type Err = DerivationParseError;

    fn from_str(text: &str) -> Result<Transition, DerivationParseError> {
        if text == "shift" {
            return Ok(Transition::Shift);
        }
        let place = |text: &str, kind: char| -> Option<usize> {
            let digits = text.strip_prefix(kind)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
        };
        let parse = || {
            let (head, dependent) = text.split_once('>')?;
            let stack = place(head, 's').map(Address::Stack);
            let head = stack.or_else(|| place(head, 'b').map(Address::Buffer))?;
            Some(Transition::Reduce { head, dependent: place(dependent, 's')? })
        };
        parse().ok_or_else(|| DerivationParseError(text.to_owned()))
    }
}

impl FromStr for Derivation {
    type Err = DerivationParseError;

    /// The number of words is the number of shifts less one, for the root.
    fn from_str(text: &str) -> Result<Derivation, DerivationParseError> {
        let transitions: Vec<Transition> =
            text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let shifts = transitions.iter().filter(|&&transition| transition == Transition::Shift).count();
        Ok(Derivation { words: shifts.saturating_sub(1), transitions })
    }
}
