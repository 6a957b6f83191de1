//! Text as it can be shown in FORM and in `# text`.

use super::escape::is_hidden;

/// The text with one U+FFFD for each control character and invalid byte, one space for each run of white
/// space, and none at the ends. U+FFFD if nothing is left.
///
/// A single character of white space that is no control character, such as a no-break space inside a number,
/// stays as it is.
pub(super) fn shown(text: &[u8]) -> String {
    let mut shown = String::with_capacity(text.len());
    // The white space since the last other character: nothing, one character, or a space for a run.
    let mut space: Option<char> = None;
    let mut push = |character: char| {
        if character.is_whitespace() {
            let alone = space.is_none() && !is_hidden(character);
            space = Some(if alone { character } else { ' ' });
            return;
        }
        if let Some(space) = space.take()
            && !shown.is_empty()
        {
            shown.push(space);
        }
        shown.push(if is_hidden(character) { char::REPLACEMENT_CHARACTER } else { character });
    };
    for chunk in text.utf8_chunks() {
        chunk.valid().chars().for_each(&mut push);
        chunk.invalid().iter().for_each(|_| push(char::REPLACEMENT_CHARACTER));
    }
    if shown.is_empty() {
        shown.push(char::REPLACEMENT_CHARACTER);
    }
    shown
}

/// Number of characters; a byte that is not part of valid UTF-8 counts as one.
pub(super) fn characters(text: &[u8]) -> u64 {
    text.utf8_chunks().map(|chunk| (chunk.valid().chars().count() + chunk.invalid().len()) as u64).sum()
}
