//! The generative model: sentences and their trees, as runs of a transition system that generates words.
//!
//! The model is after Cohen, Gómez-Rodríguez and Satta (2011), for any system with a dense chart. A sentence
//! is a sequence of *symbols*: tags or words. A run generates it **one symbol ahead**: b0 has been generated,
//! what follows has not. So the probability of a run is a product over its transitions,
//!
//! * **shift or reduce**, by (s0, b0): p(shift | s0, b0). With the root on top, or an empty buffer, there is
//!   no choice;
//! * after a shift, **the next symbol**, which may be the end of the sentence: p(x | s0, s1), where s0 is
//!   what has just been shifted and s1 what is below it. The first symbol comes after the shift of the root;
//! * for a reduce, **its kind**: which slot is removed, and where its head is, by (s0, s1, b0). With
//!   lookahead heads, which of the buffer it is has a geometric distribution.
//!
//! That is all that the charts show for every transition alike, so inside and outside weights are exact and
//! cost what they cost for arc scores. Probabilities are interpolated from detailed contexts to general ones:
//! (s0, b0), s0, nothing; (s0, s1, b0), (s0, s1), nothing; (s0, s1), s0, nothing; see `mixture.rs`. Or they
//! come from small networks, see `network.rs` and [`Conditionals`]. A reduce that is impossible since s1 is
//! the root, or the buffer is empty, is none of the choices. Other reasons do not show in the window: that s2
//! is the root, that a frame would be too large, that the sentence ends before the head that was promised.
//! Runs that meet them are lost, so that the probabilities of all sentences sum to less than one;
//! [`Grammar::sample`] tells how many are.
//!
//! **Estimation** is by expectation and maximisation: [`Grammar::expectations`] has the expected number of
//! each event, over all runs of a tree that is given, or over all runs of all trees; [`Grammar::updated`] has
//! the relative frequencies. The log-likelihood never falls from one to the next. The [first](Grammar::first)
//! grammar comes from runs that are equally probable, or from arcs by their lengths (Klein and Manning 2004).
//!
//! ```
//! use tanglewood::grammar::{Decoder, Example, Grammar, Settings, Start, Symbols};
//! use tanglewood::{System, Tree};
//!
//! let symbols = Symbols::new(["DET", "NOUN", "VERB"]);
//! let words = ["DET", "NOUN", "VERB"].map(|tag| symbols.number(tag));
//! let example = Example::with_tree(words.to_vec(), Tree::from_heads(&[2, 3, 0])?);
//! let settings = Settings::new(System::named("mh4")?);
//! let first = settings.expectations(&example, Start::Harmonic)?;
//! let mut grammar = Grammar::first(settings, symbols, &first)?;
//! for _ in 0..3 {
//!     grammar = grammar.updated(&grammar.expectations(&example)?);
//! }
//! assert_eq!(grammar.parse(&words, Decoder::Mbr, 1)?.tree, Tree::from_heads(&[2, 3, 0])?);
//! assert!(grammar.log_probability(&words)? < 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ascent;
mod conditionals;
mod corpus;
mod counts;
mod error;
mod estimation;
mod file;
mod kinds;
mod labels;
mod mixture;
mod network;
mod parsing;
mod sampling;
mod scores;
mod settings;
mod symbols;
#[cfg(test)]
mod tests;
mod triples;

pub use conditionals::Conditionals;
pub use corpus::{Corpus, HeldOut, Observed, PartExpectations, Workers, one_by_one};
pub use counts::Expectations;
pub use error::{GrammarError, GrammarFileError};
pub use estimation::Example;
pub use labels::Labels;
pub use parsing::{Decoder, GrammarParse};
pub use sampling::{Sample, Sampler};
pub use settings::{Settings, Start};
pub use symbols::{Symbol, Symbols};

use conditionals::{Distribution, Model};
use counts::Choice;
use kinds::Kinds;
use scores::GrammarScores;

use crate::inference::Inference;

/// A generative model of sentences and their trees.
#[derive(Clone, Debug)]
pub struct Grammar {
    settings: Settings,
    symbols: Symbols,
    kinds: Kinds,
    model: Model,
    /// The probability that a head ahead is the next node, if it is none of those before.
    ahead: f64,
    labels: Labels,
    /// What the program has to remember, see [`Grammar::notes`].
    notes: Vec<(String, String)>,
}

impl Grammar {
    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The same grammar with another limit of bytes that charts may take.
    pub fn with_memory(self, bytes: u64) -> Grammar {
        Grammar { settings: self.settings.memory(bytes), ..self }
    }

    /// The tags or words it knows.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Labels for the arcs it finds.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The same grammar with other labels.
    pub fn with_labels(self, labels: Labels) -> Grammar {
        Grammar { labels, ..self }
    }

    /// Names and values that are kept with the grammar and mean nothing to it.
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// The value of a note.
    pub fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Keeps a note in the place of one of the same name. Control characters become spaces.
    pub fn set_note(&mut self, name: &str, value: &str) {
        let [name, value] =
            [name, value].map(|text| text.replace(|character: char| character.is_control(), " "));
        self.notes.retain(|(known, _)| *known != name);
        self.notes.push((name, value));
    }

    /// The logarithm of the probability that a run generates these symbols, summed over all runs and trees.
    ///
    /// # Errors
    /// If there are no words, or the chart would take too much memory.
    pub fn log_probability(&self, words: &[Symbol]) -> Result<f64, GrammarError> {
        Ok(self.inference().log_total(&self.scores(words)?, None)?)
    }

    /// The logarithm of the probability of one outcome of a choice.
    fn ln(&self, choice: Choice, event: u32) -> f64 {
        self.distribution(choice).probability(event).ln()
    }

    /// The probabilities of the outcomes of a choice.
    fn distribution(&self, choice: Choice) -> Distribution<'_> {
        self.model.distribution(choice, self.symbols.len(), &self.kinds)
    }

    fn inference(&self) -> &Inference {
        self.settings.inference()
    }

    /// The scores of a sentence's transitions.
    fn scores(&self, words: &[Symbol]) -> Result<GrammarScores<'_>, GrammarError> {
        self.settings.check(words.len())?;
        Ok(GrammarScores::new(self, &nodes(words))?)
    }
}

/// The root, the words and the end.
fn nodes(words: &[Symbol]) -> Vec<Symbol> {
    [&[Symbols::ROOT], words, &[Symbols::END]].concat()
}
