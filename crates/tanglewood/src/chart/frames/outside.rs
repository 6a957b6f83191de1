//! Posteriors for any scores: each item hands its own to the parts of every way to derive it, in proportion to that way's weight. For arc scores
//! there is a faster way, in `backwards.rs`; this one is then its twin in tests.

use super::layout::{Rows3, Rows4};
use super::unwind::{Frame, each_part};
use super::weights::{FrameWeights, WindowWeights};
use super::{FrameChart, Question};
use crate::chart::simd::Instructions;
use crate::scores::TransitionScores;
use crate::semiring::{Additive, Real};

/// Whoever asks for posteriors has made sure of that.
const ENOUGH: &str = "memory for two charts";

/// Posteriors of whole items.
struct Posteriors {
    nodes: usize,
    pairs: Vec<f64>,
    triples: Rows3<Real>,
    quadruples: Rows4<Real>,
}

impl Posteriors {
    fn of(&self, item: &[usize]) -> f64 {
        match *item {
            [a, d] => self.pairs[d * self.nodes + a],
            [a, y, d] => self.triples.get(a, y, d).0,
            [a, y, z, d] => self.quadruples.get(a, y, z, d).0,
            _ => 0.0,
        }
    }

    fn add(&mut self, item: &[usize], part: f64) {
        match *item {
            [a, d] => self.pairs[d * self.nodes + a] += part,
            [a, y, d] => self.triples.at(a, y, d).0 += part,
            [a, y, z, d] => self.quadruples.at(a, y, z, d).0 += part,
            _ => {}
        }
    }
}

impl<S: Additive> FrameChart<S> {
    /// Posteriors of arcs, `[head][dependent]`. The chart's total must not be zero.
    pub fn arc_posteriors<T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
        instructions: Instructions,
    ) -> Vec<f64> {
        let Question { lookahead, single_root, .. } = self.question;
        match &self.arcs {
            Some(tables) => self.posteriors_of_arcs(tables, instructions).expect(ENOUGH),
            None => {
                let mut weights = WindowWeights { scores, lookahead, single_root, front: 0 };
                self.posteriors(scores, &mut weights)
            }
        }
    }

    fn posteriors<T: TransitionScores + ?Sized>(
        &self,
        scores: &T,
        weights: &mut impl FrameWeights<S>,
    ) -> Vec<f64> {
        let nodes = self.words + 1;
        let frame = self.question.frame;
        let mut posteriors = Posteriors {
            nodes,
            pairs: vec![0.0; (nodes + 1) * nodes],
            triples: Rows3::new(if frame > 3 { self.words } else { 0 }).expect(ENOUGH),
            quadruples: Rows4::new(if frame > 4 { self.words } else { 0 }).expect(ENOUGH),
        };
        posteriors.add(&[0, nodes], 1.0);
        let mut arcs = vec![0.0; nodes * nodes];
        // An item of m nodes comes from frames of m + 1, which consist of items that end earlier, begin later, or have m + 1 nodes.
        for d in (2..=nodes).rev() {
            weights.move_to(d);
            for a in 0..d - 1 {
                self.hand_on(Frame::of(&[a, d]), scores, weights, &mut posteriors, &mut arcs);
                for y in (a + 1..d).filter(|_| frame > 3) {
                    self.hand_on(Frame::of(&[a, y, d]), scores, weights, &mut posteriors, &mut arcs);
                }
                for y in (a + 1..d).filter(|_| frame > 4) {
                    for z in y + 1..d {
                        self.hand_on(Frame::of(&[a, y, z, d]), scores, weights, &mut posteriors, &mut arcs);
                    }
                }
            }
        }
        arcs
    }

    /// Divides the posterior of an item among the ways to derive it.
    fn hand_on<T: TransitionScores + ?Sized>(
        &self,
        item: Frame,
        scores: &T,
        weights: &impl FrameWeights<S>,
        posteriors: &mut Posteriors,
        arcs: &mut [f64],
    ) {
        let posterior = posteriors.of(item.nodes());
        if posterior == 0.0 {
            return;
        }
        let whole = self.whole(item.nodes());
        self.ways(item, weights, |way, weight| {
            let part = posterior * S::share(weight, whole);
            if part == 0.0 {
                return;
            }
            let frame = way.frame.nodes();
            let all_rows = self.joined(frame, way.deepest, weights);
            self.partings(frame, way.deepest, weights, |parting, weight| {
                let part = part * S::share(weight, all_rows);
                if part > 0.0 {
                    each_part(frame, parting, |item, _| posteriors.add(item, part));
                }
            });
            let all_heads = way
                .heads::<S, T>(scores, self.question)
                .fold(S::ZERO, |sum, (_, _, weight)| sum.plus(weight));
            for (_, head, weight) in way.heads::<S, T>(scores, self.question) {
                arcs[head * posteriors.nodes + way.dependent()] += part * S::share(weight, all_heads);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::ArcWeights;
    use super::*;
    use crate::System;
    use crate::chart::weights::Weights;
    use crate::random::Random;
    use crate::scores::ArcScores;
    use crate::semiring::{Log, Wide};

    /// Both ways to the posteriors of arc scores, in some semiring.
    fn agree<S: Additive>(system: &System, scores: &ArcScores, single_root: bool) {
        let what = format!("{system}, {} words, single root {single_root}", scores.len());
        let weights: Weights<'_, S> = Weights::new(system, scores, single_root);
        let chart = FrameChart::fill(&weights).expect("little memory");
        if chart.total() == S::ZERO {
            return;
        }
        let tables = chart.arcs.as_ref().expect("arc scores");
        let expected = chart.posteriors(scores, &mut ArcWeights { tables, front: 0 });
        for instructions in Instructions::available() {
            let found = chart.arc_posteriors(scores, instructions);
            for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let (head, word) = (at / (scores.len() + 1), at % (scores.len() + 1));
                assert!((found - expected).abs() < 1e-9, "{what}: {head} → {word}: {found}, not {expected}");
            }
        }
    }

    #[test]
    fn running_backwards_gives_what_dividing_among_all_ways_gives() {
        let mut random = Random::new(5);
        for name in ["mh3", "mh3+", "mh4", "mh4+", "mh5", "mh5+"] {
            let system = System::named(name).expect("a name");
            for words in [1, 2, 3, 4, 5, 7, 8, 9, 12, 17, 18] {
                for (single_root, forbidden) in [(false, 0.0), (true, 0.0), (false, 0.3), (true, 0.3)] {
                    let mut scores = ArcScores::new(words);
                    for (head, word) in scores.arcs() {
                        let score = 8.0 * random.uniform() - 4.0;
                        let is_forbidden = random.uniform() < forbidden;
                        scores.put(head, word, if is_forbidden { f64::NEG_INFINITY } else { score });
                    }
                    agree::<Real>(&system, &scores, single_root);
                    if words < 10 {
                        agree::<Log>(&system, &scores, single_root);
                        agree::<Wide>(&system, &scores, single_root);
                    }
                }
            }
        }
    }
}
