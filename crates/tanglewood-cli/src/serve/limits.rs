//! What the server takes on, all in one place. `docs/pictures.md` has the same numbers.

use std::time::Duration;

use tanglewood::System;
use tanglewood::system::TreeClass;

/// Bytes in the body of a request.
pub const BODY_BYTES: usize = 1 << 20;
/// Bytes of a file that is opened from the page.
pub const UPLOAD_BYTES: usize = 256 << 20;
/// Connections at the same time; more have to wait.
pub const CONNECTIONS: usize = 256;
/// From the first byte of a request to its headers' end, and between requests.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// From the end of a request's headers to the answer; its body has to arrive within that.
pub const REQUEST_TIME: Duration = Duration::from_secs(20);
/// A connection is closed after this, whatever it is doing; browsers open another.
pub const CONNECTION_TIME: Duration = Duration::from_secs(120);
/// How long requests that are being answered may take when the server is told to stop.
pub const FAREWELL_TIME: Duration = Duration::from_secs(2);
/// Words in a sentence.
pub const WORDS: usize = 200;
/// Sentences in a text.
pub const SENTENCES: usize = 1000;
/// Trees in a list of the best.
pub const BEST: usize = 20;
/// Bytes that a chart may take.
pub const CHART_BYTES: u64 = 256 << 20;

/// How many words a sentence may have for a system's oracle. Those without a linear one take long where many arcs cross.
pub fn oracle_words(system: &System) -> usize {
    match system.frame() {
        None if system.inventory().is_removal_closed() => WORDS,
        Some(nodes) if nodes <= 5 => WORDS,
        Some(_) => 30,
        None if system.inventory().depth() <= 2 => 30,
        None => 12,
    }
}

/// Words in a sentence that a model parses.
pub const PARSED_WORDS: usize = 100;
/// Words in a text that a model parses.
pub const PARSED_TEXT_WORDS: usize = 2000;

/// How many words a matrix may have for exact inference in a system. The list of the best trees takes many charts.
pub fn chart_words(class: &TreeClass) -> usize {
    let Some(system) = class.system() else { return 60 };
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
