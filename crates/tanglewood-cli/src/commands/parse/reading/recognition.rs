//! Telling CoNLL-U from running text.
//!
//! A source is CoNLL-U if its first line that is neither blank nor a comment has ten columns; otherwise it is
//! text, whatever its name. No more is read than up to the end of that line, and no more than [`LOOKED_AT`]
//! bytes.

use std::io::{self, Read};

use crate::arguments::InputKind;
use crate::failure::Failure;
use crate::input::is_named_conllu;

/// What is looked at, at most.
const LOOKED_AT: usize = 1 << 16;

/// What a source is, and all of it.
pub fn recognise(
    name: &str,
    mut source: Box<dyn Read + Send>,
    can_segment: bool,
) -> Result<(InputKind, Box<dyn Read + Send>), Failure> {
    let mut start = Vec::new();
    // Without such a line there is just the name to go by.
    let unknown = if can_segment && !is_named_conllu(name) { InputKind::Text } else { InputKind::Conllu };
    let kind = loop {
        let whole = start.len() >= LOOKED_AT;
        if let Some(kind) = kind_of(&start, whole, can_segment).or(whole.then_some(unknown)) {
            break kind;
        }
        match read_some(&mut source, &mut start) {
            Ok(true) => {}
            Ok(false) => break kind_of(&start, true, can_segment).unwrap_or(unknown),
            Err(error) => return Err(Failure::File { doing: "read", file: name.to_owned(), error }),
        }
    };
    Ok((kind, Box::new(io::Cursor::new(start).chain(source))))
}

/// Reads what is there; false at the end.
fn read_some(source: &mut impl Read, start: &mut Vec<u8>) -> io::Result<bool> {
    let before = start.len();
    start.resize(LOOKED_AT, 0);
    let read = loop {
        match source.read(&mut start[before..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    start.truncate(before + *read.as_ref().unwrap_or(&0));
    read.map(|read| read > 0)
}

/// What begins like this; nothing if there is no line yet that says so. If `whole`, there is no more to look
/// at.
fn kind_of(start: &[u8], whole: bool, can_segment: bool) -> Option<InputKind> {
    let mut rest = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    while !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n');
        let line = match end {
            None if !whole => return None,
            end => &rest[..end.unwrap_or(rest.len())],
        };
        rest = end.map_or(&[], |end| &rest[end + 1..]);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            continue;
        }
        // With a model that takes nothing else, something with columns is CoNLL-U that is not quite right,
        // and the place of what is wrong helps more.
        let columns = 1 + line.iter().filter(|&&byte| byte == b'\t').count();
        let is_conllu = columns == 10 || (columns > 1 && !can_segment);
        return Some(if is_conllu { InputKind::Conllu } else { InputKind::Text });
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "1\tHi\t_\t_\t_\t_\t_\t_\t_\t_";

    fn kind(text: &str) -> Option<InputKind> {
        kind_of(text.as_bytes(), false, true)
    }

    #[test]
    fn the_first_line_that_is_no_comment_decides() {
        assert_eq!(kind(&format!("# a\n\n\r\n{ROW}\nwords\n")), Some(InputKind::Conllu));
        assert_eq!(kind(&format!("\u{FEFF}{ROW}\r\n")), Some(InputKind::Conllu));
        assert_eq!(kind(&format!("# a\nwords\n{ROW}\n")), Some(InputKind::Text));
        assert_eq!(kind("1\t2\t3\n"), Some(InputKind::Text));
        assert_eq!(kind("a\tb\tc\td\te\tf\tg\th\ti\tj\n"), Some(InputKind::Conllu));
        assert_eq!(kind(&format!("{ROW}\t_\n")), Some(InputKind::Text));
    }

    #[test]
    fn a_line_without_its_end_decides_only_at_the_end() {
        assert_eq!(kind(ROW), None);
        assert_eq!(kind("# a\n"), None);
        assert_eq!(kind_of(ROW.as_bytes(), true, true), Some(InputKind::Conllu));
        assert_eq!(kind_of(b"", true, true), None);
        assert_eq!(kind_of(b"# a\n\n", true, true), None);
        assert_eq!(kind_of(b"1\tHi\n", false, false), Some(InputKind::Conllu));
        assert_eq!(kind_of(b"Hi\n", false, false), Some(InputKind::Text));
    }
}
