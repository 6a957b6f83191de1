//! What the explorer is asked by HTTP: the first byte says which question, the rest is its body.

#![no_main]

mod count;

use std::sync::LazyLock;

use tanglewood::sample::TREEBANK;
use tanglewood_explorer::{Abilities, Explorer, Model, Parser, QUESTIONS, TreebankFile};
use tanglewood_nn::Trained;

/// With a small model and a treebank, so that every question can be answered.
static EXPLORER: LazyLock<Explorer> = LazyLock::new(|| {
    let model = include_bytes!("../../crates/tanglewood-nn/tests/data/version-1.model");
    let (trained, about) = Trained::read(&model[..]).expect("a model");
    let model = Model::Ready(Box::new(Parser::new(trained, &about).expect("it parses")));
    let file = TreebankFile::new("sample".to_owned(), TREEBANK.as_bytes().to_vec());
    Explorer::new(model, vec![file], Abilities::default())
});

counted_target!(|data: &[u8]| {
    let (which, body) = data.split_first().unwrap_or((&0, &[]));
    let (name, _) = QUESTIONS[usize::from(*which) % QUESTIONS.len()];
    let reply = EXPLORER.answer(name, body.to_vec());
    assert!((200..500).contains(&reply.status), "{}", reply.status);
    assert!(
        reply.kind != "application/json" || serde_json::from_slice::<serde_json::Value>(&reply.bytes).is_ok()
    );
});
