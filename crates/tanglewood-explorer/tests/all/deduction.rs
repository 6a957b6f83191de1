//! The items of the deduction.

use serde_json::{Value, json};

use crate::{ask, bare};

fn run(text: &str, system: &str, direction: &str) -> Value {
    let question = json!({ "text": text, "system": system, "direction": direction, "deduction": true });
    let (status, answer) = ask(&bare(), "tree", &question);
    assert_eq!(status, 200, "{answer}");
    answer["run"].clone()
}

#[test]
fn every_step_has_an_item_and_premises_come_first() {
    for system in ["all-s0s1", "attardi", "mh4+", "all"] {
        for direction in ["ltr", "rtl"] {
            let run = run("3 4 0 3", system, direction);
            assert_eq!(run["covered"], true, "{system} {direction}");
            let items = run["deduction"]["items"].as_array().unwrap();
            let steps: Vec<u64> = items.iter().filter_map(|item| item["steps"].as_u64()).collect();
            let transitions = run["transitions"].as_array().unwrap().len() as u64;
            assert_eq!(steps, (1..=transitions).collect::<Vec<_>>(), "{system} {direction}");
            for (at, item) in items.iter().enumerate() {
                let from = item["from"].as_array().unwrap();
                assert!(
                    from.iter().all(|premise| (1..=at as u64).contains(&premise.as_u64().unwrap())),
                    "{item}"
                );
            }
        }
    }
}

#[test]
fn a_tree_that_cannot_be_built_has_no_items_but_a_reason() {
    let run = run("3 4 0 3", "arc-standard", "ltr");
    assert_eq!(run["deduction"]["items"], json!([]));
    assert_eq!(run["deduction"]["reason"], "arc-standard cannot deduce this tree.");
}

#[test]
fn long_sentences_have_no_items_and_nobody_waits_for_them() {
    let heads: Vec<String> = (0..60).map(|head| head.to_string()).collect();
    let run = run(&heads.join(" "), "all", "ltr");
    assert!(run["deduction"]["reason"].as_str().unwrap().contains("60 words"), "{run}");
    assert_eq!(run["covered"], true);
}
