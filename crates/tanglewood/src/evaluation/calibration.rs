//! Whether a parser is as often right as it says: its probabilities of heads against how many of these are
//! right.

/// Number of bins: probabilities from 0 to 0.1, from 0.1 to 0.2, and so on.
pub const BINS: usize = 10;

/// Probabilities are added up in billionths: sums then are the same in any order.
const UNIT: f64 = 1e9;

/// Words by the probability that the system gives to their heads: `ArcProb` in MISC, as
/// `tanglewood parse --confidence` writes it.
///
/// A word that is not in the gold standard has a wrong head. Words without a probability are not counted.
///
/// ```
/// use tanglewood::evaluation::evaluate;
/// let gold = "1\tIt\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\trains\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
/// let system = gold.replace("nsubj\t_\t_", "nsubj\t_\tArcProb=0.7").replace("root\t_\t_", "root\t_\tArcProb=0.9");
/// let evaluation = evaluate(gold.as_bytes(), system.as_bytes()).unwrap();
/// assert_eq!(evaluation.calibration().words(), 2);
/// // Both heads are right: 0.3 and 0.1 are missing.
/// assert!((evaluation.calibration().expected_error().unwrap() - 0.2).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calibration {
    bins: [CalibrationBin; BINS],
}

/// The words whose heads have a probability in some range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalibrationBin {
    /// Number of words.
    pub words: u64,
    /// Number of words with the right head.
    pub right: u64,
    /// The sum of their probabilities, in billionths.
    sum: u64,
}

impl CalibrationBin {
    /// The mean of the probabilities; none if there is no word.
    pub fn confidence(&self) -> Option<f64> {
        (self.words > 0).then(|| self.sum as f64 / UNIT / self.words as f64)
    }

    /// The share of right heads; none if there is no word.
    pub fn accuracy(&self) -> Option<f64> {
        (self.words > 0).then(|| self.right as f64 / self.words as f64)
    }

    fn merge(&mut self, other: &CalibrationBin) {
        self.words += other.words;
        self.right += other.right;
        self.sum += other.sum;
    }
}

impl Calibration {
    /// Counts one word. What is not a number from 0 to 1 is no probability, and is not counted.
    pub(super) fn add(&mut self, probability: f64, right: bool) {
        if (0.0..=1.0).contains(&probability) {
            let bin = &mut self.bins[((probability * BINS as f64) as usize).min(BINS - 1)];
            bin.merge(&CalibrationBin {
                words: 1,
                right: u64::from(right),
                sum: (probability * UNIT).round() as u64,
            });
        }
    }

    /// Adds counts over other text.
    pub(super) fn merge(&mut self, other: &Calibration) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, other)| bin.merge(other));
    }

    /// The bins, from probability 0 on.
    pub fn bins(&self) -> &[CalibrationBin; BINS] {
        &self.bins
    }

    /// All words together.
    pub fn total(&self) -> CalibrationBin {
        let mut total = CalibrationBin::default();
        self.bins.iter().for_each(|bin| total.merge(bin));
        total
    }

    /// Number of words that have a probability.
    pub fn words(&self) -> u64 {
        self.total().words
    }

    /// Expected calibration error: the distance of mean probability and share of right heads in a bin, on
    /// average over words (Naeini et al. 2015; Guo et al. 2017). None if no word has a probability.
    pub fn expected_error(&self) -> Option<f64> {
        let distance = |bin: &CalibrationBin| (bin.sum as f64 / UNIT - bin.right as f64).abs();
        let words = self.words();
        (words > 0).then(|| self.bins.iter().map(distance).sum::<f64>() / words as f64)
    }
}

/// The value of `ArcProb` in a MISC column.
pub(super) fn probability(misc: &[u8]) -> Option<f64> {
    let value = misc.split(|&byte| byte == b'|').find_map(|item| item.strip_prefix(b"ArcProb="))?;
    std::str::from_utf8(value).ok()?.parse().ok()
}
