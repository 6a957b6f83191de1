//! Batches of sentences of similar length.

use tanglewood::inference::Random;

use crate::encoding::Example;

/// Cuts a treebank into batches of about the same number of words. Sentences of a batch have similar lengths,
/// so that none waits for another; batches come in random order.
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
    /// Batches of about `words` words.
    pub fn new(words: usize, seed: u64) -> Batches {
        Batches { words: words.max(1), seed }
    }

    /// The batches of an epoch, as indices of sentences, those of the silver data after those of the training
    /// data: the same for the same seed. There are `share` words of silver data for each word of the training
    /// data, as far as there are any; one epoch goes on in them where the one before has stopped.
    pub fn epoch(&self, gold: &[Example], silver: &[Example], share: f64, epoch: u64) -> Vec<Vec<usize>> {
        let mut random = Random::new(self.seed ^ epoch.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.bits();
        let length = |at: usize| gold.get(at).unwrap_or_else(|| &silver[at - gold.len()]).len();
        let chosen = (0..gold.len()).chain(portion(gold, silver, share, epoch));
        let mut order: Vec<(f64, usize)> = chosen
            .filter(|&at| length(at) > 0)
            .map(|at| (length(at) as f64 * (1.0 + JITTER * random.uniform()), at))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut batches: Vec<Vec<usize>> = Vec::new();
        let mut cost = 0;
        for (_, at) in order {
            let length = length(at);
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

/// The silver sentences of an epoch, by their indices after those of the training data. All portions have the
/// same number of sentences, and follow each other round and round.
fn portion(gold: &[Example], silver: &[Example], share: f64, epoch: u64) -> impl Iterator<Item = usize> {
    let words = |examples: &[Example]| examples.iter().map(Example::len).sum::<usize>().max(1) as f64;
    let portion = (share.max(0.0) * words(gold) / words(silver)).min(1.0);
    let count = (portion * silver.len() as f64).round() as usize;
    let start = (epoch as usize).wrapping_mul(count);
    let (gold, silver) = (gold.len(), silver.len());
    (0..count).map(move |at| gold + start.wrapping_add(at) % silver)
}
