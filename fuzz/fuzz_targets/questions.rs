//! What the explorer is asked by HTTP: the first byte says which question, the rest is its body.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tanglewood_explorer::{Abilities, Explorer, Model, QUESTIONS};

static EXPLORER: LazyLock<Explorer> =
    LazyLock::new(|| Explorer::new(Model::None, Vec::new(), Abilities::default()));

fuzz_target!(|data: &[u8]| {
    let (which, body) = data.split_first().unwrap_or((&0, &[]));
    let (name, _) = QUESTIONS[usize::from(*which) % QUESTIONS.len()];
    let reply = EXPLORER.answer(name, body.to_vec());
    assert!((200..500).contains(&reply.status), "{}", reply.status);
});
