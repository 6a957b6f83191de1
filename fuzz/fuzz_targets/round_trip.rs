//! Writing what was read.

#![no_main]

mod count;

use tanglewood::conllu::{Column, Id, Row, Sentences};

counted_target!(|text: &[u8]| {
    let (mut copied, mut rewritten, mut replaced, mut numbered) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for sentence in Sentences::of(text) {
        sentence.write(&mut copied).expect("memory never fails");
        sentence.write_edited(&mut rewritten, |_, _| None).expect("no replacement");
        sentence.write_edited(&mut replaced, itself).expect("only what may be written");
        sentence.write_edited(&mut numbered, new_head).expect("a number may be written");
    }
    assert_eq!(copied, text);
    assert_eq!(rewritten, text);
    assert_eq!(replaced, text);

    let old_lines: Vec<_> = Sentences::of(text).flat_map(|sentence| sentence.lines()).collect();
    let new_lines: Vec<_> = Sentences::of(&numbered).flat_map(|sentence| sentence.lines()).collect();
    assert_eq!(old_lines.len(), new_lines.len());
    for (old, new) in old_lines.iter().zip(&new_lines) {
        assert_eq!((old.number, old.mark, old.ending), (new.number, new.mark, new.ending));
        match (Row::parse(old.content), Row::parse(new.content)) {
            (Some(old), Some(new)) => {
                assert_eq!(old.id, new.id);
                for column in Column::ALL {
                    match new_head(&old, column) {
                        Some(head) => assert_eq!(new.get(column), head.as_bytes()),
                        None => assert_eq!(new.get(column), old.get(column)),
                    }
                }
            }
            (None, None) => assert_eq!(old.content, new.content),
            (old, new) => panic!("{old:?} became {new:?}"),
        }
    }
});

/// The text of a column, if it is one that may be written.
fn itself<'t>(row: &Row<'_>, column: Column) -> Option<std::borrow::Cow<'t, str>> {
    let text = std::str::from_utf8(row.get(column)).ok()?;
    (!text.is_empty() && !text.contains('\r')).then(|| text.to_owned().into())
}

/// Some number for every word.
fn new_head<'t>(row: &Row<'_>, column: Column) -> Option<std::borrow::Cow<'t, str>> {
    match row.id {
        Id::Word(word) if column == Column::Head => Some((u64::from(word) * 7919 % 1000).to_string().into()),
        _ => None,
    }
}
