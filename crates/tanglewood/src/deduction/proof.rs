//! Derivations as proofs that can be printed and checked.

use std::fmt;

use crate::Derivation;
use crate::transition::Transition;

/// A list of items, each with the rule and the earlier items it follows from. The last one is the goal.
///
/// ```
/// use tanglewood::deduction::Deduction;
/// use tanglewood::{System, Tree};
/// let deduction = Deduction::new(System::named("arc-standard")?.inventory(), false);
/// let proof = deduction.proof_of_tree(&Tree::from_heads(&[2, 0])?)?.expect("the tree is projective");
/// let printed = "\
/// 1. [0, 0, 1]  sh
/// 2. [1, 1, 2]  sh
/// 3. [2, 2, 3]  sh
/// 4. [1, 2, 3]  re(s0,s1)  from 2, 3
/// 5. [0, 0, 3]  re(s1,s0)  from 1, 4
/// ";
/// assert_eq!(proof.to_string(), printed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    pub premises: Option<[usize; 2]>,
}

/// An item \[h₁ … h_{D−1}, i, g₁ … g_D, j\]: some run takes the stack σ|h₁…h_{D−1} with the buffer i… to the stack σ|g₁…g_D with the
/// buffer j…, without touching σ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// h₁ … h_{D−1}, the top last; nothing where the stack has no node.
    pub left: Vec<Option<usize>>,
    /// i
    pub start: usize,
    /// g₁ … g_D, the top last; nothing where the stack has no node.
    pub right: Vec<Option<usize>>,
    /// j
    pub end: usize,
}

/// The name of a rule: `sh`, or `re(head,dependent)` with the slots of head and dependent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule(
    /// The transition with which the run of the conclusion ends.
    pub Transition,
);

impl Proof {
    /// From steps in the opposite order: every conclusion before its premises, the second premise's proof before the first's.
    pub(super) fn from_goal_to_axioms(score: f64, words: usize, mut steps: Vec<ProofStep>) -> Proof {
        let last = steps.len().saturating_sub(1);
        steps.reverse();
        for step in &mut steps {
            step.premises = step.premises.map(|premises| premises.map(|premise| last - premise));
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
        Derivation::new(self.words, self.steps.iter().map(|step| step.rule.0).collect())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (start, end) = ([Some(self.start)], [Some(self.end)]);
        let numbers = self.left.iter().chain(&start).chain(&self.right).chain(&end);
        for (at, number) in numbers.enumerate() {
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
        match self.0 {
            Transition::Shift => f.write_str("sh"),
            Transition::Reduce { head, dependent } => write!(f, "re({head},s{dependent})"),
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
            match step.premises {
                None => writeln!(f, "{}", rules[at])?,
                Some([first, second]) => {
                    writeln!(f, "{:rule_width$}  from {}, {}", rules[at], first + 1, second + 1)?;
                }
            }
        }
        Ok(())
    }
}
