//! Pictures as SVG, for notebooks: [`tanglewood::draw`] with a limit on length.

use tanglewood::draw::{self, Style, Word};
use tanglewood::{Derivation, Direction, Tree};

/// The longest sentence that is drawn: a picture is to be looked at.
const MOST_WORDS: usize = 1000;

/// The longest sentence whose derivation is drawn; each step is a picture.
const MOST_STEPS: usize = 400;

/// A tree: words in a row, arcs above them, those that cross others in a second colour.
///
/// # Errors
/// If the sentence is too long.
pub fn tree(tree: &Tree, forms: Option<&[String]>, labels: Option<&[String]>) -> Result<String, String> {
    fits(tree.len(), MOST_WORDS)?;
    Ok(draw::tree(tree, &words(tree.len(), forms, labels), &Style::default()))
}

/// A derivation, step by step.
///
/// # Errors
/// If the sentence is too long, or the derivation does not build a tree.
pub fn derivation(
    derivation: &Derivation,
    forms: Option<&[String]>,
    direction: Direction,
) -> Result<String, String> {
    fits(derivation.words(), MOST_STEPS / 2)?;
    let words = words(derivation.words(), forms, None);
    draw::derivation(derivation, &words, direction, &Style::default()).map_err(|error| error.to_string())
}

fn fits(words: usize, most: usize) -> Result<(), String> {
    if words > most {
        return Err(format!("{words} words are too many for a picture; expected at most {most}"));
    }
    Ok(())
}

/// Words that are not known are numbers.
fn words(count: usize, forms: Option<&[String]>, labels: Option<&[String]>) -> Vec<Word> {
    let word = |at: usize| {
        let form = forms.map_or_else(|| (at + 1).to_string(), |forms| forms[at].clone());
        Word {
            form,
            tag: String::new(),
            relation: labels.map_or_else(String::new, |labels| labels[at].clone()),
        }
    };
    (0..count).map(word).collect()
}
