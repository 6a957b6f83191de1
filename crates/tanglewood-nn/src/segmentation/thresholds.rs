//! How probable something has to be before it is taken for true.

use serde::{Deserialize, Serialize};

use super::Segmenter;
use super::evaluation::{SegmentationScore, evaluate};
use super::passage::Passage;

/// What log-odds have to exceed. Those of rare events are learned too low, so that the best thresholds on
/// development data are not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// Log-odds that a sentence ends after a token.
    #[serde(rename = "threshold")]
    pub sentence: f32,
    /// Log-odds that a token is a multiword token.
    #[serde(rename = "multiword_threshold", default)]
    pub multiword: f32,
}

/// Multiples of `step` from the nearest to zero to those furthest from it, up to `most` steps.
fn nearest_first(most: i32, step: f32) -> impl Iterator<Item = f32> {
    std::iter::once(0.0).chain((1..=most).flat_map(move |at| [at as f32 * step, at as f32 * -step]))
}

impl Segmenter {
    /// The thresholds in use.
    pub fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// Takes these thresholds, and says how well text is segmented with them.
    pub(super) fn use_thresholds(&mut self, thresholds: Thresholds, gold: &Passage) -> SegmentationScore {
        self.thresholds = thresholds;
        evaluate(gold, &self.found_tokens(gold), thresholds.sentence)
    }

    /// Takes the thresholds with the best scores of words and of sentences, the nearest to zero of equally
    /// good ones, and says what these scores are.
    pub(super) fn choose_thresholds(&mut self, gold: &Passage) -> SegmentationScore {
        let mut best = self.use_thresholds(Thresholds::default(), gold);
        let mut chosen = Thresholds::default();
        let most = if self.multiwords.exist() { 6 } else { 0 };
        for multiword in nearest_first(most, 0.5) {
            let thresholds = Thresholds { multiword, ..chosen };
            let score = self.use_thresholds(thresholds, gold);
            if score.words > best.words {
                (best, chosen) = (score, thresholds);
            }
        }
        self.thresholds = chosen;
        let found = self.found_tokens(gold);
        for sentence in nearest_first(20, 0.1) {
            let score = evaluate(gold, &found, sentence);
            if score.sentences > best.sentences {
                (best, chosen.sentence) = (score, sentence);
            }
        }
        self.thresholds = chosen;
        best
    }
}
