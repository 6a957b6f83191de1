//! Changing heads, relations and tags.

use serde_json::{Value, json};

use crate::{ask, bare, refused};

fn question(text: &str, sentence: usize, edit: Value) -> Value {
    json!({ "text": text, "sentence": sentence, "system": "all", "direction": "ltr", "edit": edit })
}

fn edited(text: &str, sentence: usize, edit: Value) -> String {
    let (status, answer) = ask(&bare(), "tree", &question(text, sentence, edit));
    assert_eq!(status, 200, "{answer}");
    answer["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_relation_is_changed_and_nothing_else() {
    assert_eq!(edited("a/2/det b/0/root", 0, json!({ "word": 1, "relation": "amod" })), "a/2/amod b/0/root");
    assert_eq!(edited("2 0", 0, json!({ "word": 1, "relation": "amod" })), "/2/amod 0");
    assert_eq!(edited("a/2/det b/0", 0, json!({ "word": 1, "relation": "" })), "a/2 b/0");
    let conllu = "# x\n1\ta\t_\tX\t_\t_\t2\tdet\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    let changed = edited(conllu, 0, json!({ "word": 1, "relation": "amod", "tag": "ADJ" }));
    assert_eq!(changed, conllu.replace("\tX\t", "\tADJ\t").replace("\tdet\t", "\tamod\t"));
    assert_eq!(edited(conllu, 0, json!({ "word": 1, "tag": "" })), conllu.replace("\tX\t", "\t_\t"));
}

#[test]
fn a_head_and_a_relation_are_changed_together() {
    assert_eq!(
        edited("a/2/det b/0/root c/2/x", 0, json!({ "word": 3, "head": 1, "relation": "y" })),
        "a/2/det b/0/root c/1/y"
    );
    // Without a relation, roots become roots, and what was one is no longer.
    assert_eq!(edited("a/2/det b/0/root", 0, json!({ "word": 1, "head": 0 })), "a/0/root b/0/root");
}

#[test]
fn a_tag_makes_conllu_of_all_sentences_in_short() {
    let text = edited("a/0\nb/2 c/0", 1, json!({ "word": 2, "tag": "NOUN" }));
    assert_eq!(text.matches("\n\n").count(), 2, "{text}");
    assert!(text.contains("2\tc\t_\tNOUN\t_\t_\t0"), "{text}");
}

#[test]
fn what_is_no_name_is_refused() {
    for (kind, name) in [("relation", "a b"), ("relation", "a/b"), ("tag", "a\tb"), ("tag", "a\nb")] {
        let message = refused(&bare(), "tree", &question("a/0", 0, json!({ "word": 1, kind: name })));
        assert!(message.contains(kind), "{message}");
    }
    let message = refused(&bare(), "tree", &question("a/0", 0, json!({ "word": 2, "tag": "X" })));
    assert!(message.contains("there is no word 2"), "{message}");
}
