//! The items of a deduction beside the steps of the derivation that it proves.

use serde_json::{Value, json};
use tanglewood::deduction::{Deduction, Proof, Rule};
use tanglewood::{System, Tree};

use crate::limits;

/// The deduction of a tree that the system builds, or why it is not shown.
pub fn of_tree(system: &System, tree: &Tree) -> Result<Proof, String> {
    let (words, most) = (tree.len(), limits::PROOF_WORDS);
    if words > most {
        return Err(format!("{words} words; items are shown for at most {most}."));
    }
    match Deduction::new(system).proof_of_tree(tree) {
        Ok(Some(proof)) => Ok(proof),
        Ok(None) => Err(format!("{system} cannot deduce this tree.")),
        Err(error) => Err(format!("The deduction is too large: {error}.")),
    }
}

/// Items in order, each with its rule, the numbers of its premises from 1, and the number of steps after
/// which it is proved, if its rule is a step.
pub fn items(proof: &Proof) -> Vec<Value> {
    let mut steps = 0;
    let item = |step: &tanglewood::deduction::ProofStep| {
        let is_step = matches!(step.rule, Rule::Step(_));
        steps += usize::from(is_step);
        let premises: Vec<usize> = step.premises.iter().map(|premise| premise + 1).collect();
        json!({
            "item": step.item.to_string(), "rule": step.rule.to_string(), "from": premises,
            "steps": is_step.then_some(steps),
        })
    };
    proof.steps().iter().map(item).collect()
}
