//! Posteriors from a degree-2 chart.

use super::ArcPosteriors;
use crate::chart::degree2::Degree2;
use crate::chart::kept::{AddKept, Kept};
use crate::chart::layer::Layer;
use crate::chart::shallow::Popped;
use crate::chart::simd::Kernel;
use crate::chart::weights::Weights;
use crate::chart::windows::WindowWeights;
use crate::scores::TransitionScores;
use crate::semiring::Additive;

impl<S: Additive> Degree2<S> {
    /// Posteriors of arcs. The chart's total must not be zero.
    pub(in crate::chart) fn arc_posteriors<T: TransitionScores + ?Sized>(
        &self,
        weights: &Weights<'_, S, T>,
    ) -> ArcPosteriors {
        let words = self.layout.words;
        let nodes = words + 1;
        let mut pass = Outside {
            chart: self,
            items: vec![0.0; self.cells.len()],
            prefix: vec![0.0; words + 2],
            arcs: ArcPosteriors::new(words),
            windows: WindowWeights::new(weights),
            kept: if self.layout.off_diagonal {
                Hook::All(Kept::new(words), Layer::new(words))
            } else {
                Hook::Diagonal(Popped::new(words))
            },
            hooks: Vec::new(),
            reduces: [vec![0.0; nodes * nodes * nodes], vec![0.0; nodes * nodes * nodes]],
            nodes,
        };
        pass.prefix[nodes] = 1.0;
        for j in (2..=nodes).rev() {
            pass.layer(j, weights);
        }
        pass.arcs
    }
}

struct Outside<'c, S> {
    chart: &'c Degree2<S>,
    /// Posteriors of the items, where the chart has their weights.
    items: Vec<f64>,
    prefix: Vec<f64>,
    arcs: ArcPosteriors,
    windows: WindowWeights<S>,
    kept: Hook<S>,
    /// Posteriors of E, where `kept` has its weights.
    hooks: Vec<f64>,
    /// Posteriors of removing s0 and s1 in the layer's windows, by (s1, s0, s2).
    reduces: [Vec<f64>; 2],
    nodes: usize,
}

impl<S: Additive> Outside<'_, S> {
    fn layer<T: TransitionScores + ?Sized>(&mut self, j: usize, weights: &Weights<'_, S, T>) {
        self.windows.move_to(weights, j);
        self.kept.make(self.chart, j, &self.windows);
        self.hooks = vec![0.0; self.kept.cells().len()];
        self.reduces.iter_mut().for_each(|table| table.fill(0.0));
        self.undo_prefix(j, weights);
        // E of k is used by smaller i only, so it is complete when the walk by ascending i arrives at k.
        for i in 1..j {
            self.undo_kept(i, j);
            if i + 1 < j {
                self.undo_diagonal(i, j);
                if self.chart.layout.off_diagonal {
                    (1..i).for_each(|h1| self.undo_off_diagonal(h1, i, j, weights));
                }
            }
        }
        for s1 in 1..j {
            for s0 in s1 + 1..j {
                for s2 in 0..s1 {
                    for slot in [0, 1] {
                        let posterior = self.reduces[slot][self.window(s1, s0, s2)];
                        self.arcs.split(posterior, weights, &[s0, s1, s2], j, slot);
                    }
                }
            }
        }
    }

    fn window(&self, s1: usize, s0: usize, s2: usize) -> usize {
        (s1 * self.nodes + s0) * self.nodes + s2
    }

    fn undo_prefix<T: TransitionScores + ?Sized>(&mut self, j: usize, weights: &Weights<'_, S, T>) {
        let chart = self.chart;
        for h5 in 1..j {
            let mut removed = 0.0;
            for k in 1..=h5 {
                let second = chart.layout.diagonal_item(0, k, h5, j);
                let weight = chart.prefix[k].times(chart.cells[second].times(self.windows.bottom[h5]));
                let part = self.prefix[j] * S::share(weight, chart.prefix[j]);
                self.prefix[k] += part;
                self.items[second] += part;
                removed += part;
            }
            self.arcs.split(removed, weights, &[h5, 0], j, 0);
        }
    }

    /// Hands the posteriors of E for one k to second premises and reduces.
    fn undo_kept(&mut self, k: usize, j: usize) {
        let chart = self.chart;
        let layout = &chart.layout;
        for h3 in 1..k {
            for h2 in 0..h3 {
                let at = self.kept.place(h2, k, h3, h3);
                let (posterior, whole) = (self.hooks[at], self.kept.cells()[at]);
                for h5 in k..j {
                    self.hand_on(layout.diagonal_item(h3, k, h5, j), 0, [h2, h3, h5], posterior, whole);
                }
                if !layout.off_diagonal {
                    continue;
                }
                for x in k..j {
                    let at = self.kept.place(h2, k, h3, x);
                    let (posterior, whole) = (self.hooks[at], self.kept.cells()[at]);
                    self.hand_on(layout.diagonal_item(h3, k, x, j), 1, [h2, h3, x], posterior, whole);
                    for h4 in k..x {
                        self.hand_on(layout.item(h3, k, h4, x, j), 1, [h2, h4, x], posterior, whole);
                    }
                    for h5 in x + 1..j {
                        self.hand_on(layout.item(h3, k, x, h5, j), 0, [h2, x, h5], posterior, whole);
                    }
                }
            }
        }
    }

    /// To one second premise and the reduce of a slot in a window.
    fn hand_on(&mut self, second: usize, slot: usize, [s2, s1, s0]: [usize; 3], posterior: f64, whole: S) {
        if posterior == 0.0 {
            return;
        }
        let weight = self.chart.cells[second].times(self.windows.one(slot, s1, s0, s2));
        let part = posterior * S::share(weight, whole);
        self.items[second] += part;
        let window = self.window(s1, s0, s2);
        self.reduces[slot][window] += part;
    }

    /// Hands the posteriors of diagonal items to first premises and E, or to second premises and reduces where E is one product.
    fn undo_diagonal(&mut self, i: usize, j: usize) {
        let chart = self.chart;
        let layout = &chart.layout;
        for h1 in 0..i {
            for x in i..j {
                let out = layout.diagonal_item(h1, i, x, j);
                let (posterior, whole) = (self.items[out], chart.cells[out]);
                if posterior == 0.0 {
                    continue;
                }
                for k in x + 1..j {
                    let first = layout.diagonal_item(h1, i, x, k);
                    let at = self.kept.place(h1, k, x, x);
                    let part = posterior * S::share(chart.cells[first].times(self.kept.cells()[at]), whole);
                    self.items[first] += part;
                    self.hooks[at] += part;
                }
                for k in i + 1..=x {
                    for h3 in i..k {
                        let first = layout.diagonal_item(h1, i, h3, k);
                        if layout.off_diagonal {
                            let at = self.kept.place(h1, k, h3, x);
                            let part =
                                posterior * S::share(chart.cells[first].times(self.kept.cells()[at]), whole);
                            self.items[first] += part;
                            self.hooks[at] += part;
                        } else {
                            let second = layout.diagonal_item(h3, k, x, j);
                            let weight = chart.cells[second].times(self.windows.one(1, h3, x, h1));
                            let part = posterior * S::share(chart.cells[first].times(weight), whole);
                            self.items[first] += part;
                            self.items[second] += part;
                            let window = self.window(h3, x, h1);
                            self.reduces[1][window] += part;
                        }
                    }
                }
            }
        }
    }

    /// Hands the posteriors of the items of (h1, i, j) with h2 ≥ i on.
    fn undo_off_diagonal<T: TransitionScores + ?Sized>(
        &mut self,
        h1: usize,
        i: usize,
        j: usize,
        weights: &Weights<'_, S, T>,
    ) {
        let chart = self.chart;
        let layout = &chart.layout;
        let mut removed = Removals::new(chart, h1, i, j, &self.windows);
        for h2 in i..j - 1 {
            for x in h2 + 1..j {
                let out = layout.item(h1, i, h2, x, j);
                let (posterior, whole) = (self.items[out], chart.cells[out]);
                if posterior == 0.0 {
                    continue;
                }
                for k in x + 1..j {
                    let first = layout.item(h1, i, h2, x, k);
                    let at = self.kept.place(h2, k, x, x);
                    let part = posterior * S::share(chart.cells[first].times(self.kept.cells()[at]), whole);
                    self.items[first] += part;
                    self.hooks[at] += part;
                }
                for k in h2 + 2..=x {
                    for h3 in h2 + 1..k {
                        let first = layout.item(h1, i, h2, h3, k);
                        let at = self.kept.place(h2, k, h3, x);
                        let part =
                            posterior * S::share(chart.cells[first].times(self.kept.cells()[at]), whole);
                        self.items[first] += part;
                        self.hooks[at] += part;
                    }
                }
                let context = self.windows.context(h2, x);
                let by_s1 = self.windows.by_s1.then_some(h2);
                let by_s0 = self.windows.by_s0.then_some(x);
                let heads = [Some(removed.buffer), by_s1, by_s0];
                let with_h3_below = (i + 1..=h2).flat_map(|k| (i..k).map(move |h3| (k, h3)));
                for (k, h3) in with_h3_below.chain((h2 + 1..=x).map(|k| (k, h2))) {
                    let diagonal = h3 == h2;
                    let second = if diagonal {
                        layout.diagonal_item(h2, k, x, j)
                    } else {
                        layout.item(h3, k, h2, x, j)
                    };
                    for head in heads.into_iter().flatten() {
                        let at = removed.place(k, h3, head);
                        let weight = chart.cells[second].times(context).times(removed.weights[at]);
                        let part = posterior * S::share(weight, whole);
                        self.items[second] += part;
                        removed.posteriors[at] += part;
                    }
                }
            }
        }
        self.undo_removals(&removed, h1, weights);
    }

    /// Hands the posteriors of F to first premises and arcs.
    fn undo_removals<T: TransitionScores + ?Sized>(
        &mut self,
        removed: &Removals<S>,
        h1: usize,
        weights: &Weights<'_, S, T>,
    ) {
        let chart = self.chart;
        let (i, j) = (removed.i, removed.j);
        for k in i + 1..j {
            for h3 in i..k {
                for h2 in std::iter::once(h1).chain(i..h3) {
                    let first = first_place(chart, h1, i, h2, h3, k);
                    for head in std::iter::once(h3).chain(k..j) {
                        let at = removed.place(k, h3, head);
                        let weight = chart.cells[first].times(self.windows.deepest_row(head)[h2]);
                        let part = removed.posteriors[at] * S::share(weight, removed.weights[at]);
                        self.items[first] += part;
                        self.arcs.add(head, h2, part);
                    }
                    let at = removed.place(k, h3, removed.buffer);
                    let weight = chart.cells[first].times(self.windows.deepest_by_buffer[h2]);
                    let part = removed.posteriors[at] * S::share(weight, removed.weights[at]);
                    self.items[first] += part;
                    if part != 0.0 {
                        weights.split_deepest_by_buffer(j, h2, |head, share| {
                            self.arcs.add(head, h2, part * share)
                        });
                    }
                }
            }
        }
    }
}

/// E for one layer.
enum Hook<S> {
    All(Kept<S>, Layer<S>),
    Diagonal(Popped<S>),
}

impl<S: Additive> Hook<S> {
    /// Makes E for layer j.
    fn make(&mut self, chart: &Degree2<S>, j: usize, windows: &WindowWeights<S>) {
        match self {
            Hook::All(kept, layer) => {
                layer.read(chart, j);
                (1..j).rev().for_each(|k| AddKept { kept, chart, layer, k, j, windows }.run());
            }
            Hook::Diagonal(popped) => popped.fill(chart, j, windows),
        }
    }

    /// Where E is; with diagonal items only, x = h3.
    fn place(&self, h2: usize, k: usize, h3: usize, x: usize) -> usize {
        match self {
            Hook::All(kept, _) => kept.place(h2, k, h3, x),
            Hook::Diagonal(popped) => popped.place(h2, k, h3),
        }
    }

    fn cells(&self) -> &[S] {
        match self {
            Hook::All(kept, _) => &kept.cells,
            Hook::Diagonal(popped) => &popped.cells,
        }
    }
}

/// The place of [h1, i, h2, h3, k], diagonal or not.
fn first_place<S: Additive>(
    chart: &Degree2<S>,
    h1: usize,
    i: usize,
    h2: usize,
    h3: usize,
    k: usize,
) -> usize {
    if h2 == h1 { chart.layout.diagonal_item(h1, i, h3, k) } else { chart.layout.item(h1, i, h2, h3, k) }
}

/// F for one (h1, i, j), with posteriors.
struct Removals<S> {
    i: usize,
    j: usize,
    /// Stands for a head in the buffer.
    buffer: usize,
    weights: Vec<S>,
    posteriors: Vec<f64>,
}

impl<S: Additive> Removals<S> {
    fn new(chart: &Degree2<S>, h1: usize, i: usize, j: usize, windows: &WindowWeights<S>) -> Removals<S> {
        let span = j - i;
        let size = span * span * (span + 1);
        let mut removals =
            Removals { i, j, buffer: j, weights: vec![S::ZERO; size], posteriors: vec![0.0; size] };
        for k in i + 1..j {
            for h3 in i..k {
                for h2 in std::iter::once(h1).chain(i..h3) {
                    let first = chart.cells[first_place(chart, h1, i, h2, h3, k)];
                    for head in std::iter::once(h3).chain(k..j) {
                        let at = removals.place(k, h3, head);
                        removals.weights[at].add(first.times(windows.deepest_row(head)[h2]));
                    }
                    let at = removals.place(k, h3, removals.buffer);
                    removals.weights[at].add(first.times(windows.deepest_by_buffer[h2]));
                }
            }
        }
        removals
    }

    fn place(&self, k: usize, h3: usize, head: usize) -> usize {
        let span = self.j - self.i;
        ((k - self.i) * span + h3 - self.i) * (span + 1) + head - self.i
    }
}
