//! How much is answered, whoever asks. `docs/pictures.md` has the same numbers.

use tanglewood::System;
use tanglewood::system::TreeClass;

/// Bytes in a question.
pub const BODY_BYTES: usize = 1 << 20;
/// Bytes of a file that is opened from the page.
pub const UPLOAD_BYTES: usize = 256 << 20;
/// Words in a sentence.
pub const WORDS: usize = 200;
/// Sentences in a text.
pub const SENTENCES: usize = 1000;
/// Trees in a list of the best.
pub const BEST: usize = 20;
/// Bytes that a chart may take.
pub const CHART_BYTES: u64 = 256 << 20;
/// Words in a sentence that a model parses.
pub const PARSED_WORDS: usize = 100;
/// Words in a text that a model parses.
pub const PARSED_TEXT_WORDS: usize = 2000;
/// Words in a sentence whose deduction is shown.
pub const PROOF_WORDS: usize = 40;

/// How many words a sentence may have for a system's oracle. Those without a linear one take long where many
/// arcs cross.
pub fn oracle_words(system: &System) -> usize {
    match system.frame() {
        None if system.inventory().is_removal_closed() => WORDS,
        Some(nodes) if nodes <= 5 => WORDS,
        Some(_) => 30,
        None if system.inventory().depth() <= 2 => 30,
        None => 12,
    }
}

/// How many words a matrix may have for exact inference in a system. The list of the best trees takes many
/// charts.
pub fn chart_words(class: &TreeClass) -> usize {
    let Some(system) = class.system() else { return PARSED_WORDS };
    let dense = match system.frame() {
        Some(nodes) => nodes <= 5,
        None => system.inventory().depth() <= 2,
    };
    match system.complexity().time {
        _ if !dense => 6,
        0..=3 => 60,
        4 => 40,
        5 => 25,
        6 => 20,
        _ => 16,
    }
}
