//! Which sentences are wanted.

use serde::{Deserialize, Serialize};
use tanglewood::conllu::{Column, Id, Sentence};
use tanglewood::system::TreeClass;
use tanglewood::{Direction, Oracle, Tree};

use super::Indexed;
use crate::answer::Refusal;
use crate::limits;

/// What is asked for; everything that is empty or absent lets all sentences through.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Filter {
    /// One file only.
    pub file: String,
    /// Part of the text, in upper or lower case.
    pub search: String,
    /// A relation that some word has; `nmod` also stands for `nmod:poss`.
    pub label: String,
    pub shortest: u32,
    pub longest: Option<u32>,
    /// Non-projective ones only.
    pub crossing: bool,
    /// Only those that this system cannot build.
    pub not_covered_by: String,
    /// The direction it reads in: `ltr`, `rtl`, or `either`.
    pub direction: String,
}

/// The system that must not cover a sentence.
pub struct Uncovering {
    pub class: TreeClass,
    pub direction: Direction,
    /// None for all trees.
    oracle: Option<Oracle>,
}

impl Filter {
    /// The system and direction that are asked about.
    pub fn uncovering(&self) -> Result<Option<Uncovering>, Refusal> {
        if self.not_covered_by.is_empty() {
            return Ok(None);
        }
        let class = TreeClass::named(&self.not_covered_by).map_err(|error| {
            let mut refusal = Refusal::from(error);
            refusal.field = Some("not-covered-by");
            refusal
        })?;
        let direction = match self.direction.as_str() {
            "" => Direction::Ltr,
            name => name.parse().map_err(|_| Refusal::new("expected direction ltr, rtl or either"))?,
        };
        let oracle = class.system().map(Oracle::new);
        Ok(Some(Uncovering { class, direction, oracle }))
    }

    /// What can be decided by the index alone.
    pub fn admits(&self, entry: &Indexed) -> bool {
        entry.words >= self.shortest
            && self.longest.is_none_or(|longest| entry.words <= longest)
            && (!self.crossing || entry.crossings > 0)
            && (self.not_covered_by.is_empty() || entry.valid)
    }

    /// What the sentence itself has to be asked for.
    pub fn finds(&self, sentence: &Sentence<'_>) -> bool {
        let relation = |label: &str| label == self.label || label.split(':').next() == Some(&self.label);
        let has_label = || {
            let mut words = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
            words.any(|row| relation(&String::from_utf8_lossy(row.get(Column::Deprel))))
        };
        let is_found = || {
            let wanted = self.search.to_lowercase();
            sentence.sent_id().is_some_and(|id| id == self.search.as_str())
                || text_of(sentence).to_lowercase().contains(&wanted)
        };
        (self.label.is_empty() || has_label()) && (self.search.is_empty() || is_found())
    }
}

impl Uncovering {
    /// True if the system builds the tree. Trees that are too long for an oracle that searches count as
    /// built: nobody knows better.
    pub fn covers(&self, tree: &Tree) -> bool {
        let (Some(system), Some(oracle)) = (self.class.system(), &self.oracle) else { return true };
        tree.len() > limits::oracle_words(system) || oracle.covers_in(self.direction, tree)
    }
}

/// A sentence's text, or its words if it has none.
pub fn text_of(sentence: &Sentence<'_>) -> String {
    if let Some(text) = sentence.metadata("text") {
        return text.into_owned();
    }
    let words = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
    let forms = words.map(|row| String::from_utf8_lossy(row.get(Column::Form)).into_owned());
    forms.collect::<Vec<_>>().join(" ")
}
