//! Which sentences go together.

use tanglewood::inference::Random;

use crate::encoding::Example;

/// Cuts a treebank into batches of about the same number of words. Sentences of a batch have similar lengths, so that none waits for another;
/// batches come in random order.
#[derive(Clone, Debug)]
pub struct Batches {
    words: usize,
    seed: u64,
}

/// A batch costs what its arcs cost, too: a long sentence counts as more than its words.
const WORDS_PER_ROOT: usize = 64;

/// How much lengths may be shuffled before sorting, as a share: sentences meet others than last time.
const JITTER: f64 = 0.3;

impl Batches {
    /// Batches of about so many words.
    pub fn new(words: usize, seed: u64) -> Batches {
        Batches { words: words.max(1), seed }
    }

    /// The batches of an epoch, as indices of sentences: the same for the same seed.
    pub fn epoch(&self, examples: &[Example], epoch: u64) -> Vec<Vec<usize>> {
        let mut random = Random::new(self.seed ^ epoch.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.bits();
        let mut order: Vec<(f64, usize)> = examples
            .iter()
            .enumerate()
            .filter(|(_, example)| !example.is_empty())
            .map(|(at, example)| (example.len() as f64 * (1.0 + JITTER * random.uniform()), at))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut cost = 0;
        for (_, at) in order {
            let length = examples[at].len();
            let this = length + length * length / WORDS_PER_ROOT;
            match batches.last_mut() {
                Some(batch) if cost + this <= self.words => batch.push(at),
                _ => {
                    batches.push(vec![at]);
                    cost = 0;
                }
            }
            cost += this;
        }
        for last in (1..batches.len()).rev() {
            let other = (random.uniform() * (last + 1) as f64) as usize;
            batches.swap(last, other.min(last));
        }
        batches
    }
}
