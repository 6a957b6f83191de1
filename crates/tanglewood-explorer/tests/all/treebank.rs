//! Files of sentences.

use serde_json::json;
use tanglewood::sample::TREEBANK;
use tanglewood_explorer::{Abilities, Explorer, Model, TreebankFile};

use crate::{ask, bare};

#[test]
fn all_trees_cover_every_sentence() {
    let file = TreebankFile::new("sample".to_owned(), TREEBANK.as_bytes().to_vec());
    let explorer = Explorer::new(Model::None, vec![file], Abilities::default());
    for (name, expected) in [("any", 0), ("mst", 0), ("attardi", 10)] {
        let question = json!({ "filter": { "not_covered_by": name, "crossing": true } });
        let (status, answer) = ask(&explorer, "sentences", &question);
        assert_eq!((status, &answer["total"]), (200, &json!(expected)), "{name}: {answer}");
    }
}

#[test]
fn what_is_packed_is_refused_where_it_cannot_be_unpacked() {
    let reply = bare().answer("open?name=x.gz", vec![0x1F, 0x8B, 8, 0]);
    assert_eq!(reply.status, 422);
    assert!(String::from_utf8(reply.bytes).unwrap().contains("unpack it first"));
    let reply = bare().answer("open?name=x.conllu", TREEBANK.as_bytes().to_vec());
    assert_eq!(reply.status, 200);
}
