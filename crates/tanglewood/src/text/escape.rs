//! Any bytes as text without white space, so that they can stand in MISC or in a comment.

use std::fmt::Write;

/// Appends `bytes` to `out` with escapes, as [the module](super) lists them. The result has no white space,
/// no control characters and no vertical bar.
///
/// ```
/// use tanglewood::text::{escape, unescape};
/// let mut escaped = String::new();
/// escape(b" \r\n|\\\x00\xC2\xA0\xE9", &mut escaped);
/// assert_eq!(escaped, r"\s\r\n\p\\\u0000\u00A0\xE9");
/// assert_eq!(unescape(escaped.as_bytes()), b" \r\n|\\\x00\xC2\xA0\xE9");
/// ```
pub fn escape(bytes: &[u8], out: &mut String) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                ' ' => out.push_str(r"\s"),
                '\t' => out.push_str(r"\t"),
                '\n' => out.push_str(r"\n"),
                '\r' => out.push_str(r"\r"),
                '|' => out.push_str(r"\p"),
                '\\' => out.push_str(r"\\"),
                _ if is_hidden(character) || character.is_whitespace() => {
                    // All of them have at most four digits. Writing to a string does not fail.
                    let _ = write!(out, r"\u{:04X}", u32::from(character));
                }
                _ => out.push(character),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, r"\x{byte:02X}");
        }
    }
}

/// The bytes that escaped text stands for. A backslash that begins no escape stands for itself.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, others)) = rest.split_first() {
        rest = others;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let (length, value) = match others.first() {
            Some(b's') => (1, Some(' ')),
            Some(b't') => (1, Some('\t')),
            Some(b'n') => (1, Some('\n')),
            Some(b'r') => (1, Some('\r')),
            Some(b'p') => (1, Some('|')),
            Some(b'\\') => (1, Some('\\')),
            Some(b'u') => (5, hexadecimal(others, 4).and_then(char::from_u32)),
            Some(b'x') => {
                if let Some(byte) = hexadecimal(others, 2) {
                    bytes.push(byte as u8);
                    rest = &others[3..];
                    continue;
                }
                (0, None)
            }
            _ => (0, None),
        };
        match value {
            Some(character) => {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &others[length..];
            }
            None => bytes.push(b'\\'),
        }
    }
    bytes
}

/// The number written with `digits` digits after the first byte.
fn hexadecimal(text: &[u8], digits: usize) -> Option<u32> {
    let digits = text.get(1..=digits)?;
    digits.iter().try_fold(0, |value, &byte| Some(value * 16 + char::from(byte).to_digit(16)?))
}

/// Characters that cannot stand in a line of CoNLL-U as they are: control characters, what some programs take
/// for the end of a line, and the byte-order mark, which some programs drop.
pub(super) fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{FEFF}')
}
