//! Questions and answers without any surroundings. The tests of the server and of the page are the command
//! line's.

#![allow(missing_docs)]

mod deduction;
mod editing;
mod model;
mod treebank;

use serde_json::Value;
use tanglewood_explorer::{Abilities, Explorer, Model, Parser};
use tanglewood_nn::Trained;

/// The model of the scores' tests.
const MODEL: &[u8] = include_bytes!("../../../tanglewood-nn/tests/data/version-1.model");

#[test]
fn what_is_too_large_is_refused_whoever_hands_it_over() {
    let reply = bare().answer("tree", vec![b' '; (1 << 20) + 1]);
    assert_eq!(reply.status, 413);
    assert!(String::from_utf8(reply.bytes).unwrap().contains("expected a shorter text"));
}

/// Without a model and files.
fn bare() -> Explorer {
    Explorer::new(Model::None, Vec::new(), Abilities::default())
}

fn model() -> Model {
    let (trained, about) = Trained::read(MODEL).unwrap();
    Model::Ready(Box::new(Parser::new(trained, &about).unwrap()))
}

/// The status and content of an answer.
fn ask(explorer: &Explorer, question: &str, body: &Value) -> (u16, Value) {
    let reply = explorer.answer(question, body.to_string().into_bytes());
    (reply.status, serde_json::from_slice(&reply.bytes).unwrap())
}

/// The message of a refusal.
fn refused(explorer: &Explorer, question: &str, body: &Value) -> String {
    let (status, answer) = ask(explorer, question, body);
    assert_eq!(status, 422, "{answer}");
    answer["error"]["message"].as_str().unwrap().to_owned()
}
