//! Pretrained vectors, and lists of lemmas, of any bytes: refused in few words, or all there.

#![no_main]

mod count;

use tanglewood_nn::{LemmaList, Vectors};

/// A message is short, and nothing that a terminal would obey.
fn check(message: &str) {
    assert!(message.len() < 500 && !message.contains(char::is_control), "{message}");
}

counted_target!(|data: &[u8]| {
    match Vectors::read(data, 50) {
        Ok(vectors) => assert!(vectors.len() <= 50 && vectors.columns() > 0),
        Err(error) => check(&error.to_string()),
    }
    match LemmaList::read(data) {
        Ok(lemmas) => assert!(lemmas.len() <= data.len()),
        Err(error) => check(&error.to_string()),
    }
});
