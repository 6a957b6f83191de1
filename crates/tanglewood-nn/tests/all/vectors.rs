use tanglewood_nn::Vocabulary;
use tanglewood_nn::{About, Model};
use tanglewood_nn::{Vectors, VectorsError};

use crate::sample;

fn message(text: &str) -> String {
    Vectors::read(text.as_bytes(), 10).expect_err(text).to_string()
}

#[test]
fn the_line_with_counts_may_be_missing() -> Result<(), VectorsError> {
    let with = Vectors::read("2 2\nthe 1 2\nof 3 -4e-1\n".as_bytes(), 10)?;
    assert_eq!(with, Vectors::read("the 1 2 \r\nof 3 -4e-1".as_bytes(), 10)?);
    assert_eq!(Vectors::read("the 1 2\nthe 5 6\nof 3 4\n".as_bytes(), 10)?.len(), 2);
    assert_eq!(Vectors::read("the 1 2\nof 3 4\n".as_bytes(), 1)?.len(), 1);
    Ok(())
}

#[test]
fn messages_say_where_and_what() {
    assert_eq!(
        message("the 1 2\nof 3\n"),
        "2:1: found 1 numbers; expected a word and 2 numbers, separated by spaces"
    );
    assert_eq!(message("the 1 x\n"), "1:1: found `x`; expected a word and 2 numbers, separated by spaces");
    assert_eq!(
        message("the 1 inf\n"),
        "1:1: found `inf`; expected a word and 2 numbers, separated by spaces"
    );
    assert_eq!(
        message("the 1 2\n\n"),
        "2:1: found 0 numbers; expected a word and 2 numbers, separated by spaces"
    );
    assert_eq!(message(""), "there are no vectors; expected a word and its numbers on each line");
}

#[test]
fn counts_on_the_first_line_have_to_be_right() {
    assert_eq!(
        message("2 3\nthe 1 2\nof 3 4\n"),
        "2:1: found 2 numbers; expected a word and 3 numbers, separated by spaces"
    );
    for (said, text) in [(3, "3 2\nthe 1 2\nof 3 4\n"), (1, "1 2\nthe 1 2\nof 3 4\n")] {
        assert_eq!(
            message(text),
            format!(
                "1:1: found {said} as the number of vectors, and there are 2; the file is cut off, or not what it says"
            )
        );
    }
    // A word that comes again was counted, and what is not read is not.
    assert!(Vectors::read("2 2\nthe 1 2\nthe 3 4\n".as_bytes(), 10).is_ok());
    assert!(Vectors::read("9 2\nthe 1 2\nof 3 4\n".as_bytes(), 2).is_ok());
}

#[test]
fn lines_have_a_limit_and_are_not_repeated_whole() {
    let endless = std::io::BufReader::new(std::io::Read::chain(&b"the 1 2\n"[..], std::io::repeat(b'x')));
    let error = Vectors::read(endless, 10).expect_err("endless").to_string();
    assert_eq!(error, "2:1: found a line of more than 1048576 bytes; expected a word and its numbers");
    let long = message(&format!("the 1 \u{1b}[31m{}\n", "x".repeat(100_000)));
    assert!(long.len() < 200 && long.contains("`\\u{1b}[31mxxx"), "{long}");
    let many = message(&format!("the{}\n", " 1".repeat(5000)));
    assert_eq!(
        many,
        "1:1: found 5000 numbers; expected a word and at most 4096 numbers, separated by spaces"
    );
}

#[test]
fn a_model_with_vectors_reads_them_and_keeps_them_in_its_file() -> Result<(), Box<dyn std::error::Error>> {
    let block = sample::block();
    let vocabulary = Vocabulary::of(block.sentences(), [], &sample::options());
    let vectors = Vectors::read("issue 1 2 3\nthe 4 5 6\n".as_bytes(), 10)?;
    let model = Model::with_vectors(sample::options(), vocabulary, vectors, 1);
    let encoded = model.encode(&block.sentences().next().ok_or("no sentence")?);
    assert!(encoded.vectors.get(0).is_empty());
    assert_eq!((encoded.vectors.get(6), encoded.vectors.get(7)), (&[1][..], &[0][..]));
    let mut file = Vec::new();
    model.write(&About::default(), &mut file)?;
    let (again, _) = Model::read(&file[..])?;
    assert_eq!(again.parameters(), model.parameters());
    assert_eq!(again.vocabulary(), model.vocabulary());
    Ok(())
}
