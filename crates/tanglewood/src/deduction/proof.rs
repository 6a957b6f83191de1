//! Derivations as proofs that can be printed and checked.

use std::fmt;

use crate::Derivation;
use crate::transition::Transition;

/// A list of items, each with the rule and the earlier items it follows from. The last one is the goal. See
/// [`Deduction::proof`](super::Deduction::proof).
#[derive(Clone, Debug, PartialEq)]
pub struct Proof {
    score: f64,
    words: usize,
    steps: Vec<ProofStep>,
}

/// One line of a [`Proof`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofStep {
    /// What is proved.
    pub item: Item,
    /// By which rule.
    pub rule: Rule,
    /// From which steps, counted from 0; a shift needs none.
    pub premises: Vec<usize>,
}

/// What a step proves: that there is a run of some kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// \[h₁ … h_{D−1}, i, g₁ … g_D, j\]: some run takes the stack σ|h₁…h_{D−1} with the buffer i… to the
    /// stack σ|g₁…g_D with the buffer j…, without touching σ.
    Window {
        /// h₁ … h_{D−1}, the top last; nothing where the stack has no node.
        left: Vec<Option<usize>>,
        /// i
        start: usize,
        /// g₁ … g_D, the top last; nothing where the stack has no node.
        right: Vec<Option<usize>>,
        /// j
        end: usize,
    },
    /// \[h₁ … h_m\]: some run takes the stack σ with the buffer h₁… to the stack σ|h₁…h_{m−1} with the buffer
    /// h_m…, and no frame in it reaches deeper than h₁.
    Frame(
        /// h₁ … h_m
        Vec<usize>,
    ),
}

/// The name of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `sh`, or `re(head,dependent)` with the slots of head and dependent: the run of the conclusion ends
    /// with this transition.
    Step(Transition),
    /// `co`: the run of the second premise follows that of the first.
    Combine,
}

impl Proof {
    /// From steps in the opposite order: every conclusion before its premises, the second premise's proof
    /// before the first's.
    pub(super) fn from_goal_to_axioms(score: f64, words: usize, mut steps: Vec<ProofStep>) -> Proof {
        let last = steps.len().saturating_sub(1);
        steps.reverse();
        for premise in steps.iter_mut().flat_map(|step| &mut step.premises) {
            *premise = last - *premise;
        }
        Proof { score, words, steps }
    }

    /// The score of the derivation.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The steps; premises come before conclusions.
    pub fn steps(&self) -> &[ProofStep] {
        &self.steps
    }

    /// The derivation that is proved to exist: the rules' transitions, as they stand.
    pub fn derivation(&self) -> Derivation {
        let transitions = self.steps.iter().filter_map(|step| match step.rule {
            Rule::Step(transition) => Some(transition),
            Rule::Combine => None,
        });
        Derivation::new(self.words, transitions.collect())
    }
}

impl Item {
    /// The frame of which these are the first block and the chain after it; windows are not put together.
    pub(super) fn combined(first: Item, second: Item) -> Option<Item> {
        match (first, second) {
            (Item::Frame(block), Item::Frame(chain)) => {
                Some(Item::Frame(block.into_iter().chain(chain.into_iter().skip(1)).collect()))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<Option<usize>> = match self {
            Item::Window { left, start, right, end } => {
                left.iter().chain(&[Some(*start)]).chain(right).chain(&[Some(*end)]).copied().collect()
            }
            Item::Frame(nodes) => nodes.iter().copied().map(Some).collect(),
        };
        for (at, number) in numbers.into_iter().enumerate() {
            f.write_str(if at == 0 { "[" } else { ", " })?;
            match number {
                Some(number) => write!(f, "{number}")?,
                None => f.write_str("ε")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Step(Transition::Shift) => f.write_str("sh"),
            Rule::Step(Transition::Reduce { head, dependent }) => write!(f, "re({head},s{dependent})"),
            Rule::Combine => f.write_str("co"),
        }
    }
}

impl fmt::Display for Proof {
    /// A line per step, numbered from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.steps.iter().map(|step| step.item.to_string()).collect();
        let rules: Vec<String> = self.steps.iter().map(|step| step.rule.to_string()).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let (item_width, rule_width) = (widest(&items), widest(&rules));
        let number_width = self.steps.len().to_string().len();
        for (at, step) in self.steps.iter().enumerate() {
            write!(f, "{:number_width$}. {:item_width$}  ", at + 1, items[at])?;
            if step.premises.is_empty() {
                writeln!(f, "{}", rules[at])?;
            } else {
                let premises: Vec<String> =
                    step.premises.iter().map(|premise| (premise + 1).to_string()).collect();
                writeln!(f, "{:rule_width$}  from {}", rules[at], premises.join(", "))?;
            }
        }
        Ok(())
    }
}
