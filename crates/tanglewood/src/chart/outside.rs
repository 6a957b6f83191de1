//! Posteriors: the recurrences, run backwards.
//!
//! The posterior of an item is the share of all derivations' weight in which it occurs; that of an arc likewise. The goal's is 1. Going
//! through the layers from the last to the first, each item hands its posterior to the premises of each way to derive it, in
//! proportion to that way's weight. Hooks are items, too: they collect posteriors and hand them on. So the outside pass has the same
//! exponents as the inside pass. Shares are ratios of weights, which do not overflow where the weights themselves are fine.

use super::degree1::Degree1;
use super::degree2::{Deepest, Degree2, First, Hook, Removals, Turned};
use super::weights::{FrontWeights, Weights};
use crate::scores::TransitionScores;
use crate::semiring::Additive;

/// Posteriors of arcs: `[head][dependent]`.
pub(super) struct ArcPosteriors {
    nodes: usize,
    pub arcs: Vec<f64>,
}

impl ArcPosteriors {
    fn new(words: usize) -> ArcPosteriors {
        ArcPosteriors { nodes: words + 1, arcs: vec![0.0; (words + 1) * (words + 1)] }
    }

    /// Hands the posterior of removing the node in a slot to the arcs from its possible heads.
    fn split<S: Additive, T: TransitionScores + ?Sized>(
        &mut self,
        posterior: f64,
        weights: &Weights<'_, S, T>,
        stack: &[usize],
        front: usize,
        slot: usize,
    ) {
        if posterior == 0.0 {
            return;
        }
        let whole = weights.heads(stack, front, slot).fold(S::ZERO, |sum, (_, _, weight)| sum.plus(weight));
        for (_, head, weight) in weights.heads(stack, front, slot) {
            self.arcs[head * self.nodes + stack[slot]] += posterior * S::share(weight, whole);
        }
    }
}

/// Posteriors of reduces in all windows with one front, collected before they are split among heads.
struct WindowPosteriors {
    size: usize,
    /// By slot and (s2, s1, s0).
    top: [Vec<f64>; 2],
    /// By s0, where the root is s1.
    bottom: Vec<f64>,
}

impl WindowPosteriors {
    fn new(front: usize) -> WindowPosteriors {
        let table = || vec![0.0; front * front * front];
        WindowPosteriors { size: front, top: [table(), table()], bottom: vec![0.0; front] }
    }

    fn at(&self, s2: usize, s1: usize, s0: usize) -> usize {
        (s2 * self.size + s1) * self.size + s0
    }

    fn split<S: Additive, T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
        arcs: &mut ArcPosteriors,
    ) {
        for s0 in 1..self.size {
            arcs.split(self.bottom[s0], weights, &[s0, 0], self.size, 0);
            for s1 in 1..s0 {
                for s2 in 0..s1 {
                    for slot in [0, 1] {
                        let posterior = self.top[slot][self.at(s2, s1, s0)];
                        arcs.split(posterior, weights, &[s0, s1, s2], self.size, slot);
                    }
                }
            }
        }
    }
}

impl<S: Additive> Degree2<S> {
    /// Posteriors of arcs. The chart's total must not be zero.
    pub(super) fn arc_posteriors<T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
    ) -> ArcPosteriors {
        let words = self.layout.words;
        let mut pass = Outside {
            chart: self,
            items: self.layers.iter().map(|layer| vec![0.0; layer.len()]).collect(),
            prefix: vec![0.0; words + 2],
            arcs: ArcPosteriors::new(words),
            deepest: self.deepest(weights),
        };
        pass.prefix[words + 1] = 1.0;
        for j in (2..=words + 1).rev() {
            pass.layer(j, weights);
        }
        pass.arcs
    }
}

struct Outside<'c, S> {
    chart: &'c Degree2<S>,
    /// Posteriors, where the chart has weights.
    items: Vec<Vec<f64>>,
    prefix: Vec<f64>,
    arcs: ArcPosteriors,
    deepest: Deepest<S>,
}

/// E with the posteriors of its numbers.
struct HookPosteriors<S> {
    hook: Hook<S>,
    rows: Vec<f64>,
    kept: Vec<f64>,
}

impl<S: Additive> HookPosteriors<S> {
    fn new(chart: &Degree2<S>, j: usize, h2: usize, front: &FrontWeights<S>, turned: &Turned<S>) -> Self {
        let mut hook = Hook::default();
        hook.build(chart, j, h2, front, turned);
        HookPosteriors { rows: vec![0.0; hook.rows.len()], kept: vec![0.0; hook.kept.len()], hook }
    }

    /// Undoes [`Hook::apply`]: hands the posteriors of a row to first premises and to E.
    fn undo_apply(
        &mut self,
        first: &First,
        h2: Option<usize>,
        out: &[S],
        posteriors: &[f64],
        chart: &Degree2<S>,
        items: &mut [Vec<f64>],
    ) {
        let low = h2.map_or(first.i, |h2| h2 + 1);
        let j = self.hook.j();
        for k in low + 1..j {
            let start = first.start(chart.layout, k, h2);
            for h3 in low..k {
                let weight = chart.layers[k][start + h3 - low];
                if weight == S::ZERO {
                    continue;
                }
                let mut hand = |x: usize, hook: S, to: &mut f64| {
                    let part = posteriors[x - low] * S::share(weight.times(hook), out[x - low]);
                    *to += part;
                    items[k][start + h3 - low] += part;
                };
                let kept = self.hook.kept_place(k, h3);
                hand(h3, self.hook.kept[kept], &mut self.kept[kept]);
                for x in k..j {
                    let place = self.hook.place(k, h3, x);
                    hand(x, self.hook.rows[place], &mut self.rows[place]);
                }
            }
        }
    }

    /// Undoes [`Hook::build`]: hands the posteriors of E to second premises and reduces.
    fn undo_build(
        &self,
        h2: usize,
        front: &FrontWeights<S>,
        chart: &Degree2<S>,
        items: &mut [f64],
        windows: &mut WindowPosteriors,
    ) {
        let j = self.hook.j();
        let layer = &chart.layers[j];
        let mut hand = |place: usize, slot: usize, h4: usize, h5: usize, whole: S, posterior: f64| {
            let weight = layer[place].times(front.row(slot, h2, h4)[h5]);
            let part = posterior * S::share(weight, whole);
            items[place] += part;
            let window = windows.at(h2, h4, h5);
            windows.top[slot][window] += part;
        };
        for k in h2 + 2..j {
            for h3 in h2 + 1..k {
                let start = chart.layout.start(j, h3, k);
                let kept = self.hook.kept_place(k, h3);
                for h5 in k..j {
                    hand(start + h5 - k, 0, h3, h5, self.hook.kept[kept], self.kept[kept]);
                    let place = self.hook.place(k, h3, h5);
                    hand(start + h5 - k, 1, h3, h5, self.hook.rows[place], self.rows[place]);
                }
                if chart.layout.off_diagonal {
                    for h4 in k..j - 1 {
                        let row = start + chart.layout.row(j, k, h4);
                        for h5 in h4 + 1..j {
                            let (stays, goes) = (self.hook.place(k, h3, h4), self.hook.place(k, h3, h5));
                            hand(row + h5 - h4 - 1, 0, h4, h5, self.hook.rows[stays], self.rows[stays]);
                            hand(row + h5 - h4 - 1, 1, h4, h5, self.hook.rows[goes], self.rows[goes]);
                        }
                    }
                }
            }
        }
    }
}

impl<S: Additive> Outside<'_, S> {
    fn layer<T: TransitionScores + ?Sized>(&mut self, j: usize, weights: &Weights<'_, S, T>) {
        let chart = self.chart;
        let layout = chart.layout;
        let front = weights.at_front(j, 2);
        let mut windows = WindowPosteriors::new(j);
        self.undo_prefix(j, &front, &mut windows);
        let mut turned = Turned::new(layout, j);
        for h3 in 1..j {
            turned.add(chart, j, h3);
        }
        // Hooks are used by smaller h1 than their h2, so they are complete when the walk by ascending h1 has passed it.
        let hook = |h2: usize| HookPosteriors::new(chart, j, h2, &front, &turned);
        let mut hooks: Vec<HookPosteriors<S>> =
            (0..if layout.off_diagonal { j - 1 } else { 0 }).map(hook).collect();
        for h1 in 0..=j - 2 {
            let mut own = if layout.off_diagonal { None } else { Some(hook(h1)) };
            for i in h1 + 1..j - 1 {
                let mut first = First::default();
                first.set(layout, j, h1, i);
                let row = |items: &[Vec<f64>], start: usize, length: usize| {
                    items[j][start..start + length].to_vec()
                };
                let start = layout.start(j, h1, i);
                let length = j - i;
                let posteriors = row(&self.items, start, length);
                let diagonal = own.as_mut().unwrap_or_else(|| &mut hooks[h1]);
                diagonal.undo_apply(
                    &first,
                    None,
                    chart.diagonal(j, h1, i),
                    &posteriors,
                    chart,
                    &mut self.items,
                );
                if layout.off_diagonal && h1 != 0 {
                    let mut removals = RemovalPosteriors::new(chart, j, &first, h1, &front, &self.deepest);
                    for h2 in i..j - 1 {
                        let place = start + layout.row(j, i, h2);
                        let posteriors = row(&self.items, place, j - 1 - h2);
                        let out = chart.row(j, h1, i, h2);
                        hooks[h2].undo_apply(&first, Some(h2), out, &posteriors, chart, &mut self.items);
                        removals.undo_apply(
                            h2,
                            out,
                            &posteriors,
                            chart,
                            &front,
                            &self.deepest,
                            &mut self.items[j],
                        );
                    }
                    removals.undo_build(h1, &first, chart, &front, weights, self);
                }
            }
            let layer = &mut self.items[j];
            let own = own.as_ref().unwrap_or_else(|| &hooks[h1]);
            own.undo_build(h1, &front, chart, layer, &mut windows);
        }
        windows.split(weights, &mut self.arcs);
    }

    fn undo_prefix(&mut self, j: usize, front: &FrontWeights<S>, windows: &mut WindowPosteriors) {
        let chart = self.chart;
        for k in 1..j {
            for h5 in k..j {
                let second = chart.layout.start(j, 0, k) + h5 - k;
                let weight = chart.prefix[k].times(chart.layers[j][second].times(front.bottom[h5]));
                let part = self.prefix[j] * S::share(weight, chart.prefix[j]);
                self.prefix[k] += part;
                self.items[j][second] += part;
                windows.bottom[h5] += part;
            }
        }
    }
}

/// F with the posteriors of its numbers.
struct RemovalPosteriors<S> {
    removals: Removals<S>,
    rows: Vec<f64>,
    by_buffer: Vec<f64>,
}

impl<S: Additive> RemovalPosteriors<S> {
    fn new(
        chart: &Degree2<S>,
        j: usize,
        first: &First,
        h1: usize,
        front: &FrontWeights<S>,
        deepest: &Deepest<S>,
    ) -> RemovalPosteriors<S> {
        let mut removals = Removals::default();
        removals.build(chart, j, first, h1, front, deepest);
        RemovalPosteriors {
            rows: vec![0.0; removals.rows.len()],
            by_buffer: vec![0.0; removals.by_buffer.len()],
            removals,
        }
    }

    /// Undoes [`Removals::apply`] for one h4.
    #[expect(clippy::too_many_arguments, reason = "mirrors the loop nest it undoes")]
    fn undo_apply(
        &mut self,
        h4: usize,
        out: &[S],
        posteriors: &[f64],
        chart: &Degree2<S>,
        front: &FrontWeights<S>,
        deepest: &Deepest<S>,
        items: &mut [f64],
    ) {
        let (i, j) = self.removals.span();
        let context = front.context_row(h4);
        let mut hand = |k: usize, h3: usize, low: usize, start: usize| {
            let at = self.removals.row_of(k, h3);
            for h5 in low..j {
                let place = start + h5 - low;
                let second = context
                    .map_or(chart.layers[j][place], |context| chart.layers[j][place].times(context[h5]));
                let mut hand = |removed: S, to: &mut f64| {
                    let part = posteriors[h5 - h4 - 1] * S::share(second.times(removed), out[h5 - h4 - 1]);
                    *to += part;
                    items[place] += part;
                };
                hand(self.removals.by_buffer[at], &mut self.by_buffer[at]);
                if deepest.by_s1 {
                    let place = self.removals.place(at, h4);
                    hand(self.removals.rows[place], &mut self.rows[place]);
                }
                if deepest.by_s0 {
                    let place = self.removals.place(at, h5);
                    hand(self.removals.rows[place], &mut self.rows[place]);
                }
            }
        };
        for k in i + 1..=h4 {
            for h3 in i..k {
                hand(k, h3, h4 + 1, chart.layout.start(j, h3, k) + chart.layout.row(j, k, h4));
            }
        }
        for k in h4 + 1..j {
            hand(k, h4, k, chart.layout.start(j, h4, k));
        }
    }

    /// Undoes [`Removals::build`].
    fn undo_build<T: TransitionScores + ?Sized>(
        &self,
        h1: usize,
        first: &First,
        chart: &Degree2<S>,
        front: &FrontWeights<S>,
        weights: &Weights<'_, S, T>,
        outside: &mut Outside<'_, S>,
    ) {
        let (i, j) = self.removals.span();
        for k in i + 1..j {
            for h3 in i..k {
                let at = self.removals.row_of(k, h3);
                for h2 in std::iter::once(h1).chain(i..h3) {
                    let place = match h2 == h1 {
                        true => first.starts[k] + h3 - i,
                        false => first.start(chart.layout, k, Some(h2)) + h3 - h2 - 1,
                    };
                    let weight = chart.layers[k][place];
                    if weight == S::ZERO {
                        continue;
                    }
                    let mut handed = 0.0;
                    for head in std::iter::once(h3).chain(k..j) {
                        let row = self.removals.place(at, head);
                        if self.rows[row] != 0.0 {
                            let product =
                                weight.times(outside.deepest.weights[h2 * outside.deepest.nodes + head]);
                            let part = self.rows[row] * S::share(product, self.removals.rows[row]);
                            outside.arcs.arcs[head * outside.arcs.nodes + h2] += part;
                            handed += part;
                        }
                    }
                    if self.by_buffer[at] != 0.0 {
                        let product = weight.times(front.deepest_by_buffer[h2]);
                        let part = self.by_buffer[at] * S::share(product, self.removals.by_buffer[at]);
                        weights.split_deepest_by_buffer(j, h2, |head, share| {
                            outside.arcs.arcs[head * outside.arcs.nodes + h2] += part * share;
                        });
                        handed += part;
                    }
                    outside.items[k][place] += handed;
                }
            }
        }
    }
}

impl<S: Additive> Degree1<S> {
    /// Posteriors of arcs. The chart's total must not be zero.
    pub(super) fn arc_posteriors<T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
    ) -> ArcPosteriors {
        let words = self.words;
        let mut arcs = ArcPosteriors::new(words);
        let mut items: Vec<Vec<f64>> = self.layers.iter().map(|layer| vec![0.0; layer.len()]).collect();
        let mut prefix = vec![0.0; words + 2];
        prefix[words + 1] = 1.0;
        let place = |i: usize, h: usize, j: usize| (j - i) * (j - i - 1) / 2 + (h - i);
        for j in (2..=words + 1).rev() {
            let front = weights.at_front(j, 1);
            // Reduces by (slot, s1, s0), and at the bottom.
            let mut windows = [vec![0.0; j * j], vec![0.0; j * j]];
            let mut bottom = vec![0.0; j];
            for k in 1..j {
                for d in k..j {
                    let weight = self.layers[j][place(k, d, j)].times(front.bottom[d]);
                    let part = prefix[j] * S::share(self.prefix[k].times(weight), self.prefix[j]);
                    prefix[k] += part;
                    items[j][place(k, d, j)] += part;
                    bottom[d] += part;
                }
            }
            for i in 1..j - 1 {
                for k in i + 1..j {
                    for g in i..k {
                        for d in k..j {
                            let both = self.layers[k][place(i, g, k)].times(self.layers[j][place(k, d, j)]);
                            for (slot, kept) in [(0, g), (1, d)] {
                                let weight = both.times(front.pair_row(slot, g)[d]);
                                let out = place(i, kept, j);
                                let part = items[j][out] * S::share(weight, self.layers[j][out]);
                                items[k][place(i, g, k)] += part;
                                items[j][place(k, d, j)] += part;
                                windows[slot][g * j + d] += part;
                            }
                        }
                    }
                }
            }
            for s0 in 1..j {
                arcs.split(bottom[s0], weights, &[s0, 0], j, 0);
                for s1 in 1..s0 {
                    for slot in [0, 1] {
                        arcs.split(windows[slot][s1 * j + s0], weights, &[s0, s1], j, slot);
                    }
                }
            }
        }
        arcs
    }
}
