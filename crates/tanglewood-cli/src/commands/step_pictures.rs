//! A derivation as a page: for each step stack and buffer, and the tree as far as it has been built.

use tanglewood::draw::{self, Style, Word};
use tanglewood::transition::{DerivationError, Step};
use tanglewood::{Configuration, Derivation, Direction, Tree};
use tanglewood_explorer::page::Picture;

/// Longer sentences have no page of steps: it would grow with the square of their length.
pub const MAX_WORDS: usize = 100;

/// A picture for each step, and one for the end. `tree` is the sentence's, however it is read.
pub fn step_pictures(
    derivation: &Derivation,
    tree: &Tree,
    words: &[Word],
    direction: Direction,
    style: &Style,
) -> Result<Vec<Picture>, DerivationError> {
    let number = |node: usize| direction.place(tree.len(), node);
    let steps = derivation.steps()?;
    let start = Configuration::start(tree.len());
    let before = std::iter::once(&start).chain(steps.iter().map(|step| &step.after));
    let next = steps.iter().map(Some).chain([None]);
    let picture = |(at, (configuration, next)): (usize, (&Configuration, Option<&Step>))| {
        let transition = next.map(|step| step.transition);
        let arc = next.and_then(|step| step.arc);
        let name = transition.map_or("the end".to_owned(), |transition| transition.to_string());
        let slots = draw::configuration(configuration, transition, words, number, style);
        let so_far = draw::progress(tree, words, configuration, arc, number, style);
        let from_right = draw::runs_from_right(words);
        let heading = format!("Step {}: {name}", at + 1);
        Picture { heading, notes: Vec::new(), svg: slots + &so_far, from_right }
    };
    Ok(before.zip(next).enumerate().map(picture).collect())
}
