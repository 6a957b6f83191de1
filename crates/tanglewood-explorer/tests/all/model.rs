//! What a model says.

use serde_json::{Value, json};
use tanglewood_explorer::{Abilities, Explorer, MODEL_AWAITED, Model};

use crate::{ask, bare, model, refused};

const GOLD: &str = "Vem/2/obl pratar/0/root du/2/nsubj med/1/case ?/2/punct";

fn with_model() -> Explorer {
    Explorer::new(model(), Vec::new(), Abilities::default())
}

fn question(text: &str, more: Value) -> Value {
    let mut question = json!({ "text": text, "system": "any", "direction": "ltr", "k": 5 });
    question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    question
}

fn parsed(text: &str, more: Value) -> Value {
    let (status, answer) = ask(&with_model(), "parse", &question(text, more));
    assert_eq!(status, 200, "{answer}");
    answer
}

fn heads(tree: &Value) -> Vec<u64> {
    tree["heads"].as_array().unwrap().iter().map(|head| head.as_u64().unwrap()).collect()
}

#[test]
fn without_a_model_none_is_promised() {
    assert!(refused(&bare(), "parse", &question("Hello world", json!({}))).contains("no model here"));
    let tree = json!({ "text": "Hello world", "system": "all", "direction": "ltr" });
    assert!(refused(&bare(), "tree", &tree).contains("a server started with --model could find them"));
    assert!(refused(&with_model(), "tree", &tree).contains("Parse has the model find them"));
}

#[test]
fn a_model_that_is_awaited_is_asked_for_and_then_answers() {
    let explorer = Explorer::new(Model::Awaited, Vec::new(), Abilities::default());
    let question = question("Vem pratar du med ?", json!({}));
    assert_eq!(ask(&explorer, "parse", &question).0, MODEL_AWAITED);
    let tree = json!({ "text": "Hello world", "system": "all", "direction": "ltr", "parse": true });
    assert_eq!(ask(&explorer, "tree", &tree).0, MODEL_AWAITED);
    let about: Value = serde_json::from_slice(&explorer.answer("about", Vec::new()).bytes).unwrap();
    assert_eq!(about["model"], true);
    explorer.set_model(model());
    assert_eq!(ask(&explorer, "parse", &question).0, 200);
    assert_eq!(ask(&explorer, "tree", &tree).0, 200);
}

#[test]
fn trees_are_in_order_and_probabilities_are_those_of_all_trees() {
    for (system, direction, over) in [
        ("any", "ltr", "all trees"),
        ("mh4+", "either", "all trees"),
        ("arc-hybrid", "ltr", "the trees of arc-hybrid"),
    ] {
        let answer =
            parsed("Vem pratar du med ?", json!({ "system": system, "direction": direction, "k": 20 }));
        let trees = answer["trees"].as_array().unwrap();
        let shares: Vec<f64> = trees.iter().map(|tree| tree["probability"].as_f64().unwrap()).collect();
        assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
        assert!(shares.iter().sum::<f64>() <= 1.0 + 1e-9);
        assert_eq!(answer["over"], over);
        assert_eq!(trees[0]["differences"], json!([]));
        for tree in &trees[1..] {
            // What is said to differ is what differs.
            let different: Vec<u64> = tree["differences"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|difference| difference["from"][0] != difference["to"][0])
                .map(|difference| difference["word"].as_u64().unwrap())
                .collect();
            let (here, best) = (heads(tree), heads(&trees[0]));
            let expected: Vec<u64> = (1..=here.len())
                .filter(|word| here[word - 1] != best[word - 1])
                .map(|word| word as u64)
                .collect();
            assert_eq!(different, expected);
        }
    }
}

#[test]
fn the_best_tree_changes_with_what_is_required_and_forbidden() {
    let text = "Vem pratar du med ?";
    let free = parsed(text, json!({ "k": 20 }));
    let best = heads(&free["trees"][0]);
    for word in 1..=best.len() {
        let arc = [best[word - 1], word as u64];
        let without = parsed(text, json!({ "forbid": [arc] }));
        assert_ne!(heads(&without["trees"][0])[word - 1], arc[0]);
        let (then, likely) = (&without["trees"][0], &without["heads"][word - 1][0]);
        assert!(then["probability"].as_f64().unwrap() <= 1.0 + 1e-9);
        // To require what is the best head then changes nothing more.
        let other = heads(then)[word - 1];
        let with = parsed(text, json!({ "require": [[other, word]] }));
        assert_eq!(heads(&with["trees"][0])[word - 1], other);
        assert!(likely[1].as_f64().unwrap() > 0.0);
    }
    // The second best of all trees is the best without some arc of the best.
    let second = heads(&free["trees"][1]);
    let candidates: Vec<Vec<u64>> = (1..=best.len())
        .map(|word| heads(&parsed(text, json!({ "forbid": [[best[word - 1], word]] }))["trees"][0]))
        .collect();
    assert!(candidates.contains(&second), "{second:?} {candidates:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let explorer = with_model();
    let roots = question("Vem pratar du med ?", json!({ "require": [[0, 1], [0, 2]] }));
    assert!(refused(&explorer, "parse", &roots).contains("no tree has all arcs that are required"));
    let outside = question("Vem pratar", json!({ "forbid": [[9, 1]] }));
    assert!(refused(&explorer, "parse", &outside).contains('9'));
    let unknown = question("Vem pratar", json!({ "system": "mh" }));
    refused(&explorer, "parse", &unknown);
    let long = "Wort ".repeat(101);
    assert!(refused(&explorer, "parse", &question(&long, json!({}))).contains("101 words"));
}

#[test]
fn a_given_tree_is_compared_with_the_best() {
    let answer = parsed(GOLD, json!({}));
    let gold = &answer["gold"];
    let best = heads(&answer["trees"][0]);
    let same = [2, 0, 2, 1, 2].iter().zip(&best).filter(|(gold, best)| gold == best).count();
    assert_eq!(gold["same_heads"], same as u64);
    assert!(gold["probability"].as_f64().unwrap() > 0.0);
    assert!(gold["svg"].as_str().unwrap().contains("nsubj"));
    assert_eq!(parsed("Vem pratar du med ?", json!({}))["gold"], Value::Null);
}

#[test]
fn the_matrix_gives_the_same_trees_in_the_view_of_scores() {
    let answer = parsed("Vem pratar du med ?", json!({}));
    let scores = json!({ "matrix": answer["matrix"], "system": "any", "direction": "ltr", "k": 1 });
    let (status, view) = ask(&bare(), "scores", &scores);
    assert_eq!(status, 200, "{view}");
    assert_eq!(heads(&view["trees"][0]), heads(&answer["trees"][0]));
    let difference = view["marginals"][2][1].as_f64().unwrap();
    let likely = answer["heads"][0].as_array().unwrap().iter().find(|head| head[0] == 2).unwrap();
    assert!((difference - likely[1].as_f64().unwrap()).abs() < 0.01);
}

#[test]
fn several_sentences_are_gone_through() {
    let answer = parsed("Vem pratar du med ?\nSie kommt .", json!({ "sentence": 1 }));
    assert_eq!((&answer["sentences"], &answer["index"]), (&json!(2), &json!(1)));
    assert_eq!(answer["forms"], json!(["Sie", "kommt", "."]));
    assert!(answer["conllu"].as_str().unwrap().contains("# text = Sie kommt ."));
}
