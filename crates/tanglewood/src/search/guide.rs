//! What decides the next transition.

use crate::transition::{Configuration, Derivation, IllegalTransition, Transition};

/// Something that knows what to do next: a classifier, or an oracle.
pub trait Guide {
    /// The transition to make in this configuration; nothing to give up.
    fn next(&mut self, configuration: &Configuration) -> Option<Transition>;
}

impl<G: Guide + ?Sized> Guide for &mut G {
    fn next(&mut self, configuration: &Configuration) -> Option<Transition> {
        (**self).next(configuration)
    }
}

/// A derivation guides along its own path, so that an oracle guides to its tree. What it says elsewhere means
/// nothing.
impl Guide for &Derivation {
    fn next(&mut self, configuration: &Configuration) -> Option<Transition> {
        let shifts = configuration.front();
        let reduces = shifts - configuration.stack().len();
        self.transitions().get(shifts + reduces).copied()
    }
}

/// A run that did not reach a terminal configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the run is stuck with {stack} nodes on the stack and {buffer} in the buffer: {}",
    match .reason { Some(reason) => reason.to_string(), None => "the guide gave up".to_owned() },
    stack = .configuration.stack().len(),
    buffer = .configuration.buffer().len()
)]
pub struct Stuck {
    /// Where it ended.
    pub configuration: Configuration,
    /// Why the guide's last transition could not be made; nothing if the guide gave up.
    pub reason: Option<IllegalTransition>,
}

/// The complete run on which a guide leads.
///
/// ```
/// use tanglewood::search::follow;
/// use tanglewood::{Oracle, System, Tree};
/// let tree = Tree::from_heads(&[3, 4, 0, 3])?;
/// let oracle = Oracle::new(&System::named("attardi")?);
/// let run = follow(&oracle.derivation(&tree)?, tree.len())?;
/// assert_eq!(run.tree()?, tree);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the guide gives up, or asks for something impossible.
pub fn follow(mut guide: impl Guide, words: usize) -> Result<Derivation, Stuck> {
    let mut configuration = Configuration::start(words);
    let mut transitions = Vec::with_capacity(2 * words + 1);
    while !configuration.is_terminal() {
        let Some(transition) = guide.next(&configuration) else {
            return Err(Stuck { configuration, reason: None });
        };
        if let Err(reason) = configuration.apply(transition) {
            return Err(Stuck { configuration, reason: Some(reason) });
        }
        transitions.push(transition);
    }
    Ok(Derivation::new(words, transitions))
}
