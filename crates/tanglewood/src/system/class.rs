//! The trees among which an answer is looked for.

use std::fmt;
use std::str::FromStr;

use super::catalogue::ALL_TREES;
use super::{Complexity, NameError, System};

/// All trees, or those that a system can build.
///
/// ```
/// use tanglewood::system::TreeClass;
/// assert_eq!(TreeClass::named("mst")?, TreeClass::Any);
/// assert_eq!(TreeClass::named("mh4+")?.name(), "mh4+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeClass {
    /// All trees.
    Any,
    /// The trees of a system.
    System(System),
}

impl TreeClass {
    /// Names that stand for all trees.
    pub const ANY: [&'static str; 2] = ALL_TREES;

    /// The class of a name: that of a [system](System::named), or one of [`TreeClass::ANY`].
    ///
    /// # Errors
    /// If there is no such name.
    pub fn named(name: &str) -> Result<TreeClass, NameError> {
        if TreeClass::ANY.contains(&name) {
            Ok(TreeClass::Any)
        } else {
            System::named(name).map(TreeClass::System)
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.system().map_or(TreeClass::ANY[0], System::name)
    }

    /// What finding the best tree costs: the exponents of time and space. For all trees both are 2 (Tarjan
    /// 1977).
    pub fn complexity(&self) -> Complexity {
        self.system().map_or(Complexity { time: 2, space: 2 }, System::complexity)
    }

    /// The system, unless it is all trees.
    pub fn system(&self) -> Option<&System> {
        match self {
            TreeClass::Any => None,
            TreeClass::System(system) => Some(system),
        }
    }
}

impl From<System> for TreeClass {
    fn from(system: System) -> TreeClass {
        TreeClass::System(system)
    }
}

impl From<&System> for TreeClass {
    fn from(system: &System) -> TreeClass {
        TreeClass::System(system.clone())
    }
}

impl From<&TreeClass> for TreeClass {
    fn from(class: &TreeClass) -> TreeClass {
        class.clone()
    }
}

impl FromStr for TreeClass {
    type Err = NameError;

    fn from_str(name: &str) -> Result<TreeClass, NameError> {
        TreeClass::named(name)
    }
}

impl fmt::Display for TreeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
