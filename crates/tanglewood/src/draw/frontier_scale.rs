//! The logarithmic axis of shares that are not covered, with a place for nothing at all.

/// Where shares are: small ones on top.
pub struct Scale {
    /// The smallest share with a mark, other than none.
    least: f64,
    /// The largest.
    most: f64,
    /// Whether there is a mark for a share of 0, above all others.
    has_zero: bool,
    top: f64,
    bottom: f64,
}

/// The room between 0 and the smallest mark.
const ZERO: f64 = 36.0;
/// No axis begins below this share, in percent.
const FINEST: f64 = 1e-4;

impl Scale {
    /// A scale for some shares in percent, between two heights. It has at least a decade.
    pub fn of(shares: impl Iterator<Item = f64> + Clone, top: f64, bottom: f64) -> Scale {
        let positive = || shares.clone().filter(|&share| share > 0.0);
        let largest = positive().fold(1.0, f64::max);
        let most = marks().find(|&mark| mark >= largest).unwrap_or(100.0);
        let smallest = positive().fold(most / 10.0, f64::min).max(FINEST);
        let least = marks().filter(|&mark| mark <= smallest * 1.0001).last().unwrap_or(FINEST);
        Scale { least, most, has_zero: shares.clone().any(|share| share <= 0.0), top, bottom }
    }

    /// The marks, from the smallest.
    pub fn marks(&self) -> Vec<f64> {
        let zero = self.has_zero.then_some(0.0).into_iter();
        zero.chain(marks().filter(|mark| (self.least..=self.most).contains(mark))).collect()
    }

    /// Where a share is.
    pub fn y(&self, share: f64) -> f64 {
        if share <= 0.0 && self.has_zero {
            return self.top;
        }
        let top = self.top + if self.has_zero { ZERO } else { 0.0 };
        let place = (share.clamp(self.least, self.most) / self.least).ln() / (self.most / self.least).ln();
        top + (self.bottom - top) * place
    }
}

/// 0.0001, 0.0002, 0.0005, … 100.
fn marks() -> impl Iterator<Item = f64> {
    let decades = ["0.0001", "0.001", "0.01", "0.1", "1", "10", "100"];
    decades
        .into_iter()
        .flat_map(|decade| {
            let decade: f64 = decade.parse().unwrap_or(1.0);
            [1.0, 2.0, 5.0].map(move |factor| rounded(decade * factor))
        })
        .take_while(|&mark| mark <= 100.0)
}

/// Without the last digits that multiplication leaves.
fn rounded(mark: f64) -> f64 {
    (mark * 1e6).round() / 1e6
}
