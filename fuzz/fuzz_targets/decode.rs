//! Lines of JSON for `tanglewood decode`: the fast reader and a parser of JSON agree, and what was read has
//! an answer in which the numbers are numbers, or none for a reason.

#![no_main]

mod count;

#[path = "../../crates/tanglewood-cli/src/commands/decode/matrix.rs"]
mod matrix;

use std::sync::LazyLock;

use serde::Deserialize;
use tanglewood::inference::Inference;
use tanglewood::scores::ArcScores;
use tanglewood::system::{Direction, TreeClass};

/// Charts grow with a power of the number of words: more would only make each run slow.
const MOST_WORDS: usize = 9;

/// All trees, a window, frames, and a deduction.
static CLASSES: LazyLock<Vec<TreeClass>> = LazyLock::new(|| {
    ["any", "arc-standard", "mh3", "mh4+", "attardi"]
        .map(|name| TreeClass::named(name).expect("a name"))
        .into()
});

// The first byte says what is asked; the rest is a line.
counted_target!(|data: &[u8]| {
    let (asked, line) = data.split_first().unwrap_or((&0, &[]));
    let read = matrix::read(line);
    assert_eq!(read.as_ref().ok(), by_json(line).as_ref());
    let scores = match read {
        Ok(scores) if scores.len() <= MOST_WORDS => scores,
        Ok(_) => return,
        Err(message) => return assert!(!message.contains(char::is_control), "{message:?}"),
    };
    let class = CLASSES[usize::from(*asked) % CLASSES.len()].clone();
    let direction = [Direction::Ltr, Direction::Rtl, Direction::Either][usize::from(asked / 16) % 3];
    let inference = Inference::new(class).direction(direction).single_root(asked & 64 == 0).memory(1 << 26);
    let best = inference.best(&scores);
    if let Ok(best) = &best {
        assert_eq!(best.tree.len(), scores.len());
        assert!(!best.score.is_nan());
    }
    if let Ok(trees) = inference.k_best(&scores, 3) {
        assert!(trees.iter().all(|parse| parse.tree.len() == scores.len() && !parse.score.is_nan()));
        assert!(trees.windows(2).all(|two| two[0].tree != two[1].tree));
    }
    let Ok(sums) = inference.distribution(&scores) else { return };
    assert!(!sums.log_partition().is_nan());
    if let Ok(marginals) = sums.marginals() {
        let within = |share: &f64| (-1e-6..=1.0 + 1e-6).contains(share);
        assert!(marginals.rows().all(|row| row.iter().all(within)), "{marginals:?}");
    }
    let _ = sums.entropy();
    if let Ok(trees) = sums.samples(2, 1) {
        assert!(trees.iter().all(|tree| tree.len() == scores.len()));
    }
});

/// What a line is, as a parser of JSON sees it.
#[derive(Deserialize)]
struct Request {
    scores: Vec<Vec<Option<f64>>>,
}

/// The matrix without the fast reader.
fn by_json(line: &[u8]) -> Option<ArcScores> {
    let request: Request = serde_json::from_slice(line.trim_ascii()).ok()?;
    let numbers =
        |row: Vec<Option<f64>>| row.into_iter().map(|score| score.unwrap_or(f64::NEG_INFINITY)).collect();
    let rows: Vec<Vec<f64>> = request.scores.into_iter().map(numbers).collect();
    ArcScores::from_rows(&rows).ok().filter(|scores| !scores.is_empty())
}
