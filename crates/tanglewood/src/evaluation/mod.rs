//! How good a parser's output is, measured against a gold standard.
//!
//! The measures of the CoNLL 2018 shared task (Zeman et al. 2018, *CoNLL 2018 Shared Task: Multilingual
//! Parsing from Raw Text to Universal Dependencies*, section 5) are computed as by its own script,
//! `conll18_ud_eval.py` 1.2, to the last digit: among them UAS, LAS and CLAS, as precision, recall and F1
//! over words that are aligned by the characters of their tokens. The two files may be split into tokens,
//! words and sentences differently. Two things that the script refuses are accepted: several words that hang
//! from the root, and empty nodes inside multiword tokens.
//!
//! Beyond these there are exact matches of whole trees, crossing arcs, scores by relation and by length,
//! intervals of confidence, a test of whether one system is better than another ([`bootstrap`], [`compare`]),
//! and whether a system is as often right as it says ([`Calibration`]).
//!
//! ```
//! use tanglewood::evaluation::{Metric, evaluate};
//! let gold = "1\tIt\tit\t_\t_\t_\t2\tnsubj\t_\t_\n2\trains\train\t_\t_\t_\t0\troot\t_\t_\n\n";
//! let system = gold.replace("nsubj", "expl");
//! let evaluation = evaluate(gold.as_bytes(), system.as_bytes()).unwrap();
//! assert_eq!(evaluation.score(Metric::Uas).f1(), 1.0);
//! assert_eq!(evaluation.score(Metric::Las).f1(), 0.5);
//! ```
//!
//! Large files need not be in memory: [`Stretches`] aligns sentences as they come.

mod alignment;
mod calibration;
mod count;
mod crossing;
mod length;
mod metric;
mod reading;
mod relations;
mod resampling;
mod score;
mod stretches;
mod words;

use std::collections::BTreeMap;

use crate::conllu::{Problem, Sentences, Validator};
use count::Aligned;
use words::Words;

pub use calibration::{BINS, Calibration, CalibrationBin};
pub use crossing::{Crossing, Rates};
pub use length::{LENGTHS, LengthCounts};
pub use metric::Metric;
pub use reading::Reading;
pub use resampling::{
    Comparison, Interval, PairedRound, RESAMPLED, Unit, Values, bootstrap, compare, intervals, pair_units,
    paired_rounds,
};
pub use score::Score;
pub use stretches::{Difference, Place, Side, Stretch, Stretches, Unaligned};

/// All counts over some text. Counts of several texts can be [added](Evaluation::merge).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    scores: [Score; Metric::ALL.len()],
    crossing: Crossing,
    labels: BTreeMap<String, Score>,
    lengths: [LengthCounts; LENGTHS.len()],
    calibration: Calibration,
}

impl Evaluation {
    /// Counts of nothing.
    pub fn new() -> Evaluation {
        Evaluation::default()
    }

    /// Counts one more stretch, and returns its share for [`bootstrap`] and [`pair_units`]. A stretch with
    /// [problems](Stretch::problems) is not counted.
    pub fn add(&mut self, stretch: &Stretch) -> Unit {
        let before = self.scores;
        if stretch.problems().next().is_none() {
            let (gold, system) = (Words::of(&stretch.gold), Words::of(&stretch.system));
            Aligned::new(gold, system).count(self);
        }
        Unit::between(stretch.gold.len(), &before, &self.scores)
    }

    /// Adds counts over other text.
    pub fn merge(&mut self, other: &Evaluation) {
        for (sum, more) in self.scores.iter_mut().zip(&other.scores) {
            sum.merge(more);
        }
        self.crossing.merge(&other.crossing);
        for (label, more) in &other.labels {
            self.count_label(label, |sum| sum.merge(more));
        }
        for (sum, more) in self.lengths.iter_mut().zip(&other.lengths) {
            sum.merge(more);
        }
        self.calibration.merge(&other.calibration);
    }

    /// The counts of a measure.
    pub fn score(&self, metric: Metric) -> &Score {
        &self.scores[metric as usize]
    }

    /// Crossing arcs.
    pub fn crossing(&self) -> &Crossing {
        &self.crossing
    }

    /// For each relation, without subtype, how many arcs have it, and how many of these have the right head
    /// and relation.
    pub fn labels(&self) -> &BTreeMap<String, Score> {
        &self.labels
    }

    /// Counts by the length of the gold sentence, one entry for each of [`LENGTHS`].
    pub fn lengths(&self) -> &[LengthCounts; LENGTHS.len()] {
        &self.lengths
    }

    /// Words by the probability that the system gives to their heads.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    fn count(&mut self, metric: Metric, gold: usize, system: usize, correct: usize, aligned: usize) {
        let [gold, system, correct, aligned] = [gold, system, correct, aligned].map(|count| count as u64);
        self.scores[metric as usize].merge(&Score { gold, system, correct, aligned });
    }

    /// Changes the score of a label. Nearly always the label is there already and need not be copied.
    fn count_label(&mut self, label: &str, change: impl FnOnce(&mut Score)) {
        match self.labels.get_mut(label) {
            Some(score) => change(score),
            None => change(self.labels.entry(label.to_owned()).or_default()),
        }
    }
}

/// Compares two whole files.
///
/// # Errors
/// If a sentence is not valid, or if the two files do not have the same characters.
pub fn evaluate(gold: &[u8], system: &[u8]) -> Result<Evaluation, Unaligned<(Side, Problem)>> {
    let mut evaluation = Evaluation::new();
    for stretch in Stretches::new(readings(Side::Gold, gold), readings(Side::System, system)) {
        evaluation.add(&stretch?);
    }
    Ok(evaluation)
}

fn readings(side: Side, text: &[u8]) -> impl Iterator<Item = Result<Reading, (Side, Problem)>> {
    let mut validator = Validator::new();
    Sentences::of(text).filter(|sentence| !sentence.is_blank()).map(move |sentence| {
        let reading = Reading::of(&sentence, &mut validator);
        match reading.problem() {
            Some(problem) => Err((side, problem.clone())),
            None => Ok(reading),
        }
    })
}
