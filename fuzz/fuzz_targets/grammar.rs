//! Grammars with anything in them, with a checksum that fits: refused, or written again as they were, and
//! able to parse.

#![no_main]

mod count;
mod forge;

use tanglewood::grammar::{Decoder, Grammar};

counted_target!(|data: &[u8]| {
    let _ = Grammar::from_text(data);
    let text = forge::grammar(data);
    let Ok(grammar) = Grammar::from_text(&text) else { return };
    let again = Grammar::from_text(grammar.to_text().as_bytes()).expect("what was written can be read");
    assert_eq!(again.to_text(), grammar.to_text());
    let grammar = grammar.with_memory(1 << 24);
    let words: Vec<_> = (0..3).map(|at| at % grammar.symbols().len() as u32).collect();
    let _ = grammar.log_probability(&words);
    let _ = grammar.parse(&words, Decoder::Mbr, 1);
    let _ = grammar.sample(1, 5).draw();
});
