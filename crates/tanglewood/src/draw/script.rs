//! Which way a script runs, and words of any script within text that runs from left to right.

use super::Word;

/// True if and only if a picture of the words begins on the right: most of their letters belong to scripts
/// that run from right to left.
pub fn runs_from_right(words: &[Word]) -> bool {
    forms_run_from_right(words.iter().map(|word| word.form.as_str()))
}

/// A word within a sentence of another script: Unicode's isolates keep it from changing the order of what
/// stands around it. For text that a browser shows.
///
/// ```
/// assert_eq!(tanglewood::draw::isolated("ילד"), "\u{2068}ילד\u{2069}");
/// ```
pub fn isolated(text: &str) -> String {
    format!("\u{2068}{text}\u{2069}")
}

/// "head → dependent", read in this order whatever the script. Isolates are unknown to many fonts and
/// terminals; where they are needed, a mark without width on each side of the arrow does the same.
///
/// ```
/// assert_eq!(tanglewood::draw::arrow("ate", "apple"), "ate → apple");
/// assert_eq!(tanglewood::draw::arrow("אכל", "ילד"), "\u{200E}אכל\u{200E} → \u{200E}ילד\u{200E}");
/// ```
pub fn arrow(head: &str, dependent: &str) -> String {
    if head.chars().chain(dependent.chars()).any(is_right_to_left) {
        format!("\u{200E}{head}\u{200E} → \u{200E}{dependent}\u{200E}")
    } else {
        format!("{head} → {dependent}")
    }
}

/// True if and only if most of the letters belong to scripts that run from right to left. Such a sentence is
/// laid out from right to left as a whole.
pub(super) fn forms_run_from_right<'a>(forms: impl Iterator<Item = &'a str>) -> bool {
    let mut balance = 0i64;
    for character in forms.flat_map(str::chars).filter(|character| character.is_alphabetic()) {
        balance += if is_right_to_left(character) { 1 } else { -1 };
    }
    balance > 0
}

/// The blocks that Unicode sets aside for scripts that run from right to left: Hebrew, Arabic, Syriac,
/// Thaana, N'Ko and others.
fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}
