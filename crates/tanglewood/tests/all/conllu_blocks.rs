//! Reading streams block by block.

use std::io::{self, Read};
use std::ops::ControlFlow;

use tanglewood::conllu::{
    Block, Blocks, MAX_SENTENCE_BYTES, ReadError, Sentences, Validator, for_each_sentence,
};

/// How much is read at once.
const BLOCK_BYTES: usize = 1 << 20;

/// Hands out pieces of the given sizes, over and over; a size of 0 is an interruption.
pub struct Pieces<'a> {
    rest: &'a [u8],
    sizes: &'a [usize],
    at: usize,
    interrupted: bool,
}

impl<'a> Pieces<'a> {
    pub fn new(text: &'a [u8], sizes: &'a [usize]) -> Pieces<'a> {
        Pieces { rest: text, sizes, at: 0, interrupted: false }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes[self.at % self.sizes.len()];
        self.at += 1;
        // Never twice in a row, so that the end is reached.
        self.interrupted = size == 0 && !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let limit = buffer.len().min(size.max(1));
        self.rest.read(&mut buffer[..limit])
    }
}

struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::new(io::ErrorKind::ConnectionReset, "the cable broke"))
    }
}

/// Line and bytes of all sentences.
pub fn sentences_in_blocks(source: impl Read) -> Vec<(u64, Vec<u8>)> {
    let mut sentences = Vec::new();
    for_each_sentence(source, |sentence| {
        sentences.push((sentence.first_line(), sentence.bytes().to_vec()));
        Ok::<_, ReadError>(ControlFlow::Continue(()))
    })
    .unwrap();
    sentences
}

/// Sentence number `number`, of `words` words.
fn sentence(number: usize, words: usize) -> String {
    let rows =
        (1..=words).map(|word| format!("{word}\tmuch-longer-wörd\tw\tX\t_\t_\t{}\tdep\t_\t_\n", word - 1));
    format!("# sent_id = {number}\n{}\n", rows.collect::<String>())
}

/// The first block, or the error, and how many bytes it has.
fn first_block(source: impl Read) -> Result<usize, ReadError> {
    let mut block = Block::default();
    Blocks::new(source).read_into(&mut block).map(|_| block.bytes().len())
}

/// Comments without blank line.
fn endless() -> impl Read {
    struct Endless;
    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b'#');
            buffer[0] = b'\n';
            Ok(buffer.len())
        }
    }
    (&b"#"[..]).chain(Endless)
}

#[test]
fn a_file_of_many_blocks_has_the_same_sentences_and_trees() {
    let text: String = (0..5000).map(|number| sentence(number, 1 + number * 7 % 80)).collect();
    for text in [text.replace('\n', "\r\n"), text] {
        assert!(text.len() > 5 * BLOCK_BYTES);
        let mut blocks = Blocks::new(text.as_bytes());
        let mut block = Block::default();
        let mut validator = Validator::new();
        let mut rest = Sentences::of(text.as_bytes());
        let mut read = 0;
        while blocks.read_into(&mut block).unwrap() {
            assert!(block.bytes().len() <= BLOCK_BYTES);
            for sentence in block.sentences() {
                let expected = rest.next().unwrap();
                assert_eq!(
                    (sentence.first_line(), sentence.bytes()),
                    (expected.first_line(), expected.bytes())
                );
                assert!(validator.tree(&sentence).is_ok());
            }
            read += 1;
        }
        assert!(rest.next().is_none());
        assert!(read > 5, "{read}");
    }
}

#[test]
fn sentences_that_end_at_the_edge_of_a_block_are_cut_there_or_later() {
    for ending in ["\n\n", "\r\n\r\n"] {
        for offset in 0..=8 {
            let comment = "#".repeat(BLOCK_BYTES - 4 - offset);
            for text in [
                format!("{comment}{ending}# second{ending}"),
                format!("{comment}{ending}{}# third", &ending[ending.len() / 2..]),
                format!("# first{ending}{}{ending}# third", &comment[7 + ending.len()..]),
                format!("\u{feff}{}{ending}", &comment[3..]),
            ] {
                let expected: Vec<_> = Sentences::of(text.as_bytes())
                    .map(|sentence| (sentence.first_line(), sentence.bytes().to_vec()))
                    .collect();
                assert!(sentences_in_blocks(text.as_bytes()) == expected, "{ending:?} {offset}");
            }
        }
    }
}

#[test]
fn small_reads_and_interruptions_do_not_matter() {
    let text: String = (0..1500).map(|number| sentence(number, 1 + number * 7 % 80)).collect();
    let expected: Vec<_> = Sentences::of(text.as_bytes())
        .map(|sentence| (sentence.first_line(), sentence.bytes().to_vec()))
        .collect();
    assert!(sentences_in_blocks(Pieces::new(text.as_bytes(), &[3, 0, 7, 1, 4099, 2, 0, 0, 5])) == expected);
}

#[test]
fn a_sentence_of_three_megabytes_is_read() {
    let text = sentence(1, 2) + &sentence(2, 99_000) + &sentence(3, 2);
    assert!(text.len() > 3 * BLOCK_BYTES);
    let lines: Vec<u64> = sentences_in_blocks(text.as_bytes()).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 5, 99_007]);
    let read: Vec<u8> =
        sentences_in_blocks(text.as_bytes()).into_iter().flat_map(|(_, bytes)| bytes).collect();
    assert!(read == text.as_bytes());
}

#[test]
fn the_longest_sentence_is_read_and_one_byte_more_is_an_error() {
    let comment = |length: usize| io::repeat(b'#').take(length as u64);
    for ending in ["", "\n", "\n\n", "\r\n\r\n"] {
        let longest = MAX_SENTENCE_BYTES - ending.len();
        let read = first_block(comment(longest).chain(ending.as_bytes())).unwrap();
        assert_eq!(read, MAX_SENTENCE_BYTES, "{ending:?}");
        let error = first_block(comment(longest + 1).chain(ending.as_bytes())).unwrap_err();
        assert!(matches!(error, ReadError::SentenceTooLong { line: 1 }), "{ending:?}");
    }
}

#[test]
fn the_longest_sentence_may_follow_one_that_ends_just_after_a_block() {
    let second = "# short\n".repeat(MAX_SENTENCE_BYTES / 8);
    for ending in ["\n\n", "\r\n\r\n"] {
        for excess in 0..=4 {
            let first = "#".repeat(BLOCK_BYTES + excess - ending.len()) + ending;
            let lengths: Vec<usize> = sentences_in_blocks(first.as_bytes().chain(second.as_bytes()))
                .iter()
                .map(|(_, bytes)| bytes.len())
                .collect();
            assert_eq!(lengths, [BLOCK_BYTES + excess, MAX_SENTENCE_BYTES], "{ending:?} {excess}");
        }
    }
}

#[test]
fn a_sentence_without_end_is_an_error_at_its_line() {
    let before = sentence(1, 3) + &sentence(2, 40_000);
    let mut read = Vec::new();
    let error = for_each_sentence(before.as_bytes().chain(endless()), |sentence| {
        read.extend_from_slice(sentence.bytes());
        Ok(ControlFlow::Continue(()))
    })
    .unwrap_err();
    assert!(read == before.as_bytes());
    let ReadError::SentenceTooLong { line } = error else { panic!("{error}") };
    assert_eq!(line, 40_008);
    assert_eq!(
        error.to_string(),
        "40008:1: a sentence of more than 16 MB starts here; expected a blank line after each sentence"
    );
}

#[test]
fn a_source_that_fails_midway_gives_its_blocks_and_then_its_error() {
    let text: String = (0..3000).map(|number| sentence(number, 40)).collect();
    let mut read = Vec::new();
    let error = for_each_sentence(text.as_bytes().chain(Failing), |sentence| {
        read.extend_from_slice(sentence.bytes());
        Ok(ControlFlow::Continue(()))
    })
    .unwrap_err();
    assert!(text.as_bytes().starts_with(&read));
    assert!(text.len() - read.len() < BLOCK_BYTES + 2000, "only what is in no full block is missing");
    let ReadError::Io(error) = error else { panic!("{error}") };
    assert_eq!(
        (error.kind(), error.to_string()),
        (io::ErrorKind::ConnectionReset, "the cable broke".to_owned())
    );
    assert!(matches!(first_block(Failing), Err(ReadError::Io(_))));
}

#[test]
fn a_flood_of_blank_lines_is_read_in_small_blocks() {
    let flood = 30 << 20;
    let mut blocks = Blocks::new(io::repeat(b'\n').take(flood).chain(&b"# end"[..]));
    let mut block = Block::default();
    let (mut lines, mut last_line) = (0, 0);
    while blocks.read_into(&mut block).unwrap() {
        assert!(block.bytes().len() <= BLOCK_BYTES);
        for sentence in block.sentences() {
            lines += 1;
            last_line = sentence.first_line();
        }
    }
    assert_eq!((lines, last_line), (flood + 1, flood + 1));
}

#[test]
fn a_visit_can_stop_early() {
    let mut visited = 0;
    let text = sentence(1, 1) + &sentence(2, 1);
    for_each_sentence(text.as_bytes(), |_| {
        visited += 1;
        Ok::<_, ReadError>(ControlFlow::Break(()))
    })
    .unwrap();
    assert_eq!(visited, 1);
}

#[test]
fn what_is_ready_is_handed_out_at_once() {
    let text: String = (0..40).map(|number| sentence(number, 3 + number % 5)).collect();
    for sizes in [&[1][..], &[7, 0, 100], &[1 << 20]] {
        let mut blocks = Blocks::new(Pieces::new(text.as_bytes(), sizes));
        let (mut block, mut found, mut count) = (Block::default(), Vec::new(), 0);
        while blocks.read_ready_into(&mut block, 1000).unwrap() {
            let sentences =
                block.sentences().map(|sentence| (sentence.first_line(), sentence.bytes().to_vec()));
            found.extend(sentences);
            count += 1;
        }
        assert_eq!(found, sentences_in_blocks(text.as_bytes()));
        // Byte by byte, each sentence is its own block; large reads are cut at the given size.
        assert!(if sizes == [1] { count == 40 } else { count > 2 }, "{count} blocks");
    }
}

#[test]
fn a_sentence_without_end_is_an_error_also_if_it_would_be_ready_at_once() {
    let mut blocks = Blocks::new(endless());
    let mut block = Block::default();
    let error = loop {
        match blocks.read_ready_into(&mut block, 1 << 16) {
            Ok(more) => assert!(more),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ReadError::SentenceTooLong { .. }), "{error}");
}
