//! How wide a text will be.
//!
//! Which font the reader has is not known. The estimate is that of a wide sans-serif font (DejaVu Sans), so
//! that what fits here fits almost everywhere.

use unicode_width::UnicodeWidthChar;

/// The width of a text in a font of the given size.
pub fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

/// A character's width as a share of the font's size. Combining characters have none of their own.
fn em(character: char) -> f64 {
    match character.width() {
        None | Some(0) => return 0.0,
        Some(2) => return 1.1,
        _ => {}
    }
    match character {
        'i' | 'j' | 'l' | '|' | '!' | '\'' | '.' | ',' | ':' | ';' | ' ' | 'I' => 0.36,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.43,
        'm' | 'W' | 'M' | '%' | '@' | '…' | '—' => 1.0,
        'w' | 'Q' | 'O' | 'G' | 'D' | 'H' | 'N' | 'U' | '<' | '>' | '=' | '+' | '→' => 0.84,
        'A'..='Z' => 0.71,
        '!'..='~' => 0.64,
        '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{137F}' | '\u{1780}'..='\u{17FF}' => 0.9,
        _ if character.is_uppercase() => 0.85,
        _ => 0.72,
    }
}

/// How many characters of a word are shown at most.
const SHOWN: usize = 32;

/// A text cut where it is too long to be drawn, never between a character and what combines with it.
pub fn shortened(text: &str) -> String {
    let mut shown = 0;
    let mut joined = false;
    for (at, character) in text.char_indices() {
        let combines = joined || character.width().unwrap_or(0) == 0;
        joined = character == '\u{200D}';
        if !combines {
            if shown == SHOWN {
                return format!("{}…", &text[..at]);
            }
            shown += 1;
        }
        // A thousand accents on one letter would be one character still.
        if at > 16 * SHOWN {
            return format!("{}…", &text[..at]);
        }
    }
    text.to_owned()
}
