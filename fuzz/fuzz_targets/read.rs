//! Reading and validating arbitrary bytes.

#![no_main]

mod count;

use std::io::{self, Read};
use std::sync::Mutex;

use tanglewood::conllu::{Block, Blocks, Column, Kind, Row, Sentence, Sentences, Validator};

counted_target!(|data: &[u8]| {
    let (size, text) = data.split_first().unwrap_or((&1, &[]));
    let mut validator = Validator::new();
    let mut whole = Sentences::of(text);
    let mut blocks =
        Blocks::new(Pieces { rest: text, size: usize::from(size % 16) + 1, interrupt: *size > 127 });
    // Kept from one run to the next: a new megabyte each time would take most of the time.
    static BLOCK: Mutex<Option<Block>> = Mutex::new(None);
    let mut kept = BLOCK.lock().expect("a panic ends the process");
    let block = kept.get_or_insert_default();
    let mut line = 1;
    while blocks.read_into(block).expect("short sentences and no errors") {
        for sentence in block.sentences() {
            let same = whole.next().expect("as many sentences");
            assert_eq!((sentence.bytes(), sentence.first_line()), (same.bytes(), line));
            assert_eq!(same.first_line(), line);
            line += sentence.bytes().iter().filter(|&&byte| byte == b'\n').count() as u64;
            check(&mut validator, &sentence, line);
            assert_eq!(validator.problems(&sentence), validator.problems(&same));
        }
    }
    assert!(whole.next().is_none());
});

/// What validating says of a sentence before line `next_line` fits together.
fn check(validator: &mut Validator, sentence: &Sentence<'_>, next_line: u64) {
    let problems = validator.problems(sentence);
    for problem in &problems {
        assert!((sentence.first_line()..=next_line).contains(&problem.line), "{problem}");
        let line = sentence.lines().nth((problem.line - sentence.first_line()) as usize).expect("a line");
        assert!((1..=line.content.len() + 1).contains(&problem.column), "{problem}");
        assert!(!problem.found.is_empty() && !problem.expected.is_empty());
        assert!(!problem.to_string().contains(char::is_control), "{problem:?}");
    }
    assert!(problems.is_sorted_by_key(|problem| (problem.line, problem.column)));
    let first = problems.iter().find(|problem| problem.kind.prevents_tree());
    match validator.tree(sentence) {
        Err(problem) if sentence.is_blank() => {
            assert_eq!((problem.kind, &*problems), (Kind::NoWords, &[][..]))
        }
        Err(problem) => assert_eq!(Some(&problem), first),
        Ok(tree) => {
            assert_eq!(first, None);
            let rows: Vec<Row<'_>> = sentence.rows().collect();
            let heads: Vec<&[u8]> = (1..=tree.len())
                .map(|word| rows.iter().find(|row| row.id.to_string() == word.to_string()).expect("its row"))
                .map(|row| row.get(Column::Head))
                .collect();
            assert!(
                tree.heads()
                    .map(|head| head.to_string())
                    .eq(heads.iter().map(|head| String::from_utf8_lossy(head)))
            );
        }
    }
    let _ = (sentence.sent_id(), sentence.metadata(""), sentence.comments().count());
}

/// Hands out a few bytes at a time, perhaps with an interruption before each piece.
struct Pieces<'a> {
    rest: &'a [u8],
    size: usize,
    interrupt: bool,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if !self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let limit = buffer.len().min(self.size);
        self.rest.read(&mut buffer[..limit])
    }
}
