//! What a grammar generates: tags or words, as numbers.

use std::collections::{BTreeMap, HashMap};

/// The number of a tag or word.
pub type Symbol = u32;

/// The tags or words that a grammar knows. All others are one symbol, [`Symbols::UNKNOWN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, Symbol>,
}

impl Symbols {
    /// Node 0. It is never generated.
    pub const ROOT: Symbol = 0;
    /// What follows the last word; also what stands below the root, where there is nothing.
    pub const END: Symbol = 1;
    /// Any tag or word that is not known.
    pub const UNKNOWN: Symbol = 2;

    const SPECIAL: [&str; 3] = ["<root>", "<end>", "<unknown>"];

    /// The symbols of these names. Repetitions do not matter, nor does the order; names that no file could
    /// hold stay unknown.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Symbols {
        let special = Symbols::SPECIAL.map(str::to_owned);
        let mut known: Vec<String> = names.into_iter().map(Into::into).filter(|name| fits(name)).collect();
        known.sort_unstable();
        known.dedup();
        known.retain(|name| !special.contains(name));
        let names: Vec<String> = special.into_iter().chain(known).collect();
        let numbers = (0..).zip(&names).map(|(number, name)| (name.clone(), number)).collect();
        Symbols { names, numbers }
    }

    /// The symbols that occur at least `least` times.
    pub fn frequent<'n>(names: impl IntoIterator<Item = &'n str>, least: usize) -> Symbols {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        Symbols::new(counts.into_iter().filter(|(_, count)| *count >= least).map(|(name, _)| name))
    }

    /// The number of a tag or word; [`Symbols::UNKNOWN`] if it is not known.
    pub fn number(&self, name: &str) -> Symbol {
        let known = self.numbers.get(name).copied();
        // A word that is spelled like one of the special names is none.
        known.filter(|&number| number > Symbols::UNKNOWN).unwrap_or(Symbols::UNKNOWN)
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol as usize).map_or(Symbols::SPECIAL[2], String::as_str)
    }

    /// Number of symbols, the three special ones included.
    #[expect(clippy::len_without_is_empty, reason = "the special symbols are always there")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The names of known tags or words, in order.
    pub fn known(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names[Symbols::SPECIAL.len()..].iter().map(String::as_str)
    }
}

/// Whether a name fits on a line of a file.
fn fits(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(char::is_control)
}
