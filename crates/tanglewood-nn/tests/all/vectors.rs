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
    assert_eq!(message("the 1 x\n"), "1:1: found \"x\"; expected a word and 2 numbers, separated by spaces");
    assert_eq!(
        message("the 1 inf\n"),
        "1:1: found \"inf\"; expected a word and 2 numbers, separated by spaces"
    );
    assert_eq!(
        message("the 1 2\n\n"),
        "2:1: found 0 numbers; expected a word and 2 numbers, separated by spaces"
    );
    assert_eq!(message(""), "there are no vectors; expected a word and its numbers on each line");
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
