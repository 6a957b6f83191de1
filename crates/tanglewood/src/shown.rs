//! Foreign text in messages and tables: what is in a file, or what it is called, may hold anything, and a
//! terminal obeys some of it. Here characters that do something other than show are escaped, so that no text
//! can change colours, move the cursor or begin a line.

use std::borrow::Cow;
use std::fmt;

/// A text of which every character can be seen: others are escaped as in Rust, such as `\n` and `\u{1b}`.
///
/// ```
/// use tanglewood::shown::shown;
/// assert_eq!(shown("größer"), "größer");
/// assert_eq!(shown("a\tb\u{1b}[31m"), r"a\tb\u{1b}[31m");
/// ```
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_invisible(character) {
            true => escaped.extend(character.escape_debug()),
            false => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// Shows a piece of input in a message: quoted, [escaped](shown), cut when long.
///
/// ```
/// use tanglewood::shown::Quoted;
/// assert_eq!(Quoted(b"a\tb").to_string(), r"`a\tb`");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'a>(pub &'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 40;
        // Four bytes a character are enough, and keep this cheap for lines of a megabyte.
        let text = String::from_utf8_lossy(&self.0[..self.0.len().min(4 * SHOWN + 4)]);
        let (kept, dots) = match text.char_indices().nth(SHOWN) {
            Some((end, _)) => (&text[..end], "…"),
            None => (&text[..], ""),
        };
        write!(f, "`{}{dots}`", shown(kept))
    }
}

/// Characters that do something other than show: control characters, soft hyphen, joiners, direction marks,
/// byte-order mark.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}
