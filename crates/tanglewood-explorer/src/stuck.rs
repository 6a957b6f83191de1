//! Why a system cannot go on.

use tanglewood::draw::{self, Word};
use tanglewood::{Configuration, System, Tree};

/// For each word on the stack, from the top, why it cannot be removed. Node numbers are those of the run.
pub fn reasons(
    system: &System,
    tree: &Tree,
    stuck: &Configuration,
    words: &[Word],
    number: impl Fn(usize) -> usize,
) -> Vec<String> {
    let name = |node: usize| match number(node).checked_sub(1) {
        None => "ROOT".to_owned(),
        Some(at) => match words.get(at).map(|word| word.form.as_str()) {
            None | Some("") => (at + 1).to_string(),
            Some(form) => draw::isolated(&form.chars().take(40).collect::<String>()),
        },
    };
    let stack: Vec<usize> = stuck.stack().collect();
    let place = |node: usize| stack.iter().rev().position(|&other| other == node);
    let mut reasons = Vec::new();
    for (slot, &node) in stack.iter().rev().enumerate().filter(|(_, node)| **node != 0) {
        let waiting: Vec<String> = stack
            .iter()
            .filter(|&&other| other != 0 && tree.head(other) == node)
            .map(|&other| name(other))
            .collect();
        let head = tree.head(node);
        let reason = match (waiting.is_empty(), place(head)) {
            (false, _) => format!("s{slot} {} has to wait for {}", name(node), waiting.join(", ")),
            (true, Some(at)) => {
                let pair = format!("s{at}>s{slot}");
                let missing = match pair.parse() {
                    Ok(reduce) if system.inventory().contains(reduce) => "fits no frame of the system",
                    _ => "is not in the inventory",
                };
                format!(
                    "s{slot} {} is complete, its head {} is in s{at}: {pair} {missing}",
                    name(node),
                    name(head)
                )
            }
            (true, None) => {
                format!("s{slot} {} is complete, but its head {} is gone", name(node), name(head))
            }
        };
        reasons.push(reason);
    }
    reasons
}
