//! Finding the best derivation again, as [`deduction`](crate::deduction) does: by looking for rule applications that give an item the weight it has.

use super::chart::{Chart, linked, write_block, write_window};
use super::inner::Inner;
use crate::deduction::{Item, Proof, ProofStep, Rule};
use crate::scores::TransitionScores;
use crate::semiring::{Semiring, Viterbi};
use crate::transition::Transition;

/// A block or a chain that was derived, with its ends and weight.
#[derive(Clone, Copy)]
struct Derived {
    kind: Kind,
    start: usize,
    end: usize,
    inner: Inner,
    weight: Viterbi<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Block,
    Chain,
}

/// What a reduce was made in.
enum Frame {
    /// A single block.
    One(Derived),
    /// A block, and the chain that follows it.
    Two([Derived; 2]),
}

/// A proof from its goal to its axioms: each conclusion is followed by the proof of its second premise, then of its first.
#[derive(Default)]
struct Steps {
    steps: Vec<ProofStep>,
    /// What is to be proved, and the premise of which step it is.
    pending: Vec<(Derived, Option<[usize; 2]>)>,
}

impl<T: TransitionScores + ?Sized> Chart<'_, Viterbi<f64>, T> {
    /// The best derivation, if there is one.
    pub fn proof(&self) -> Option<Proof> {
        let score = self.total();
        let [end, cell, item] = self.goal().filter(|_| score != Viterbi::ZERO)?;
        let weight = self.columns[end][cell].items[item].weights.block;
        let goal = Derived { kind: Kind::Block, start: 0, end, inner: Inner::NONE, weight };
        let mut proof = Steps { steps: Vec::new(), pending: vec![(goal, None)] };
        while let Some((derived, needed_for)) = proof.pending.pop() {
            if let Some([conclusion, place]) = needed_for {
                proof.steps[conclusion].premises[place] = proof.steps.len();
            }
            let derived = self.as_block(derived);
            if derived.kind == Kind::Chain {
                proof.combine(self.first_block(derived)?);
            } else if derived.end == derived.start + 1 {
                proof.conclude(derived.nodes(), Rule::Step(Transition::Shift), 0);
            } else {
                let (frame, reduce) = self.last_link(derived)?;
                let conclusion = proof.conclude(derived.nodes(), Rule::Step(reduce), 1);
                match frame {
                    Frame::One(block) => proof.pending.push((block, Some([conclusion, 0]))),
                    Frame::Two(parts) => {
                        proof.steps[conclusion].premises[0] = conclusion + 1;
                        proof.combine(parts);
                    }
                }
            }
        }
        Some(Proof::from_goal_to_axioms(score.0, self.rules.words(), proof.steps))
    }

    /// A chain that may as well be a single block is one.
    fn as_block(&self, derived: Derived) -> Derived {
        let cell = self.cell(derived.start, derived.end).map(|cell| &self.columns[derived.end][cell]);
        let item = cell.and_then(|cell| Some(cell.items[cell.find(derived.inner)?]));
        match item {
            Some(item) if item.weights.block == derived.weight => Derived { kind: Kind::Block, ..derived },
            _ => derived,
        }
    }

    /// The block and the chain that give a chain of several blocks the weight it has.
    fn first_block(&self, chain: Derived) -> Option<[Derived; 2]> {
        let nodes: Vec<usize> = chain.inner.nodes().chain([chain.start]).collect();
        self.parts(chain.start, chain.end, |window, _, weight| {
            (weight == chain.weight && window == nodes).then_some(())
        })
        .map(|(parts, ())| parts)
    }

    /// The frame and the reduce that give a block the weight it has.
    fn last_link(&self, block: Derived) -> Option<(Frame, Transition)> {
        let Derived { start, end, inner, weight, .. } = block;
        let link = |window: &[usize], above: usize, frame: Viterbi<f64>| {
            let gives = |link| {
                linked(frame, link) == weight
                    && Inner::without(&window[..window.len() - 1], link.dependent) == inner
            };
            self.links(window, end, above).find(|&link| gives(link)).map(|link| link.transition())
        };
        let cell = &self.columns[end][self.cell(start, end)?];
        let mut window = Vec::new();
        let one_node_more = &cell.items[cell.with_up_to(inner.len())..cell.with_up_to(inner.len() + 1)];
        for item in one_node_more.iter().filter(|item| item.weights.block != Viterbi::ZERO) {
            write_block(item.inner, start, &mut window);
            if let Some(reduce) = link(&window, 0, item.weights.block) {
                let block = Derived { inner: item.inner, weight: item.weights.block, ..block };
                return Some((Frame::One(block), reduce));
            }
        }
        let (parts, reduce) = self.parts(start, end, link)?;
        Some((Frame::Two(parts), reduce))
    }

    /// The first block and chain, with these outer ends, that `wanted` answers for. It is given the stack nodes of the frame they are together, how many
    /// of them are the chain's, and the weight.
    fn parts<R>(
        &self,
        start: usize,
        end: usize,
        wanted: impl Fn(&[usize], usize, Viterbi<f64>) -> Option<R>,
    ) -> Option<([Derived; 2], R)> {
        let mut window = Vec::new();
        for seconds in self.columns[end].iter().take_while(|seconds| seconds.start > start) {
            let middle = seconds.start;
            let Some(firsts) = self.cell(start, middle) else { continue };
            for first in &self.columns[middle][firsts].items {
                let Some(shifted) = self.shifted(start, first, middle) else { continue };
                for second in &seconds.items[..self.fitting(first, seconds)] {
                    let above = write_window([first, second], [start, middle], &mut window);
                    if let Some(found) = wanted(&window, above, shifted.times(second.weights.chain)) {
                        let block = Derived {
                            kind: Kind::Block,
                            start,
                            end: middle,
                            inner: first.inner,
                            weight: first.weights.block,
                        };
                        let chain = Derived {
                            kind: Kind::Chain,
                            start: middle,
                            end,
                            inner: second.inner,
                            weight: second.weights.chain,
                        };
                        return Some(([block, chain], found));
                    }
                }
            }
        }
        None
    }
}

impl Derived {
    /// From left to right.
    fn nodes(&self) -> Vec<usize> {
        let inner = self.inner.nodes().rev();
        [self.start].into_iter().chain(inner).chain([self.end]).collect()
    }
}

impl Steps {
    /// Writes a step down, and returns its number.
    fn conclude(&mut self, nodes: Vec<usize>, rule: Rule, premises: usize) -> usize {
        self.steps.push(ProofStep { item: Item::Frame(nodes), rule, premises: vec![0; premises] });
        self.steps.len() - 1
    }

    /// The step from two parts to the whole; the parts are still to be proved.
    fn combine(&mut self, parts: [Derived; 2]) {
        let nodes = parts[0].nodes().into_iter().chain(parts[1].nodes().into_iter().skip(1)).collect();
        let number = self.conclude(nodes, Rule::Combine, 2);
        let [block, chain] = parts;
        self.pending.extend([(block, Some([number, 0])), (chain, Some([number, 1]))]);
    }
}
