//! The explorer with files of sentences.

use std::time::Instant;

use serde_json::{Value, json};

use crate::harness::{CROSSING, Folder, PROJECTIVE, SAMPLE, invalid_sentence, root, sentence};
use crate::server::Server;

fn rows(server: &Server, filter: Value, offset: usize, count: usize) -> Value {
    let question = json!({ "filter": filter, "offset": offset, "count": count });
    server.post("/api/sentences", &question).json()
}

fn sample() -> Server {
    Server::start(&[root().join(SAMPLE).to_str().unwrap()])
}

#[test]
fn a_file_is_listed_with_lengths_and_crossings() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING) + &invalid_sentence("bad"))
        .and("b.conllu", sentence("<y>", PROJECTIVE));
    let names = ["a.conllu", "b.conllu"].map(|name| folder.path(name).display().to_string());
    let server = Server::start(&[&names[0], &names[1]]);
    let files = server.get("/api/about").json()["files"].clone();
    assert_eq!(files[0], json!({ "name": names[0], "sentences": 2, "nonprojective": 1 }));
    let answer = rows(&server, json!({}), 0, 100);
    assert_eq!(answer["total"], 3);
    let first = json!({
        "file": names[0], "at": 0, "id": "x", "text": "w1 w2 w3 w4", "words": 4, "crossings": 2, "valid": true,
    });
    assert_eq!(answer["rows"][0], first);
    assert_eq!(answer["rows"][1]["valid"], false);
    assert_eq!(rows(&server, json!({}), 2, 100)["rows"][0]["id"], "<y>");
    assert_eq!(rows(&server, json!({}), 7, 100)["rows"], json!([]));
    let found = json!({ "count": 0, "find": [names[1], 0] });
    assert_eq!(server.post("/api/sentences", &found).json()["found"], 2);
    let text = server.post("/api/sentence", &json!({ "file": names[0], "at": 0 })).json()["text"].clone();
    assert_eq!(text, sentence("x", CROSSING));
    let gone = server.post("/api/sentence", &json!({ "file": names[0], "at": 9 }));
    assert!(gone.message().contains("no sentence 9 in"));
    let other = server.post("/api/sentence", &json!({ "file": "/etc/passwd", "at": 0 }));
    assert!(other.message().contains("no file `/etc/passwd` is open"), "only what was opened is read");
}

#[test]
fn filters_let_through_what_they_say() {
    let server = sample();
    let total = |filter: Value| rows(&server, filter, 0, 0)["total"].as_u64().unwrap();
    assert_eq!(total(json!({})), 84);
    assert_eq!(total(json!({ "crossing": true })), 61);
    // As `tanglewood coverage` counts them.
    assert_eq!(total(json!({ "not_covered_by": "attardi" })), 61 - 51);
    assert_eq!(total(json!({ "not_covered_by": "all", "crossing": true })), 61 - 58);
    assert!(total(json!({ "not_covered_by": "attardi", "direction": "either" })) < 10);
    let short = total(json!({ "longest": 8 }));
    assert_eq!(short + total(json!({ "shortest": 9 })), 84);
    assert_eq!(
        total(json!({ "search": "GESTERN EINEN MANN" })),
        total(json!({ "search": "gestern einen mann" }))
    );
    assert_eq!(total(json!({ "search": "de-extraposed-relative-1" })), 1);
    assert_eq!(total(json!({ "search": "no such words" })), 0);
    let relatives = rows(&server, json!({ "label": "acl" }), 0, 200);
    assert!(relatives["total"].as_u64().unwrap() > 3, "acl:relcl is one, too");
    let wrong = server.post("/api/sentences", &json!({ "filter": { "not_covered_by": "atardi" } }));
    assert_eq!(wrong.json()["error"]["field"], "not-covered-by");
    assert_eq!(wrong.json()["error"]["nearest"][0], "attardi");
}

#[test]
fn statistics_agree_with_the_table_of_coverage() {
    let server = sample();
    let answer = server.post("/api/statistics", &json!({})).json();
    assert_eq!(answer["sentences"], 84);
    assert_eq!(answer["nonprojective"], 61);
    let row = |name: &str| {
        let rows = answer["coverage"].as_array().unwrap();
        rows.iter().find(|row| row["system"] == name).unwrap()["ltr"].as_u64().unwrap()
    };
    assert_eq!([row("attardi"), row("all-deg1"), row("all"), row("all-s0s1")], [51, 54, 58, 54]);
    let some = server.post("/api/statistics", &json!({ "filter": { "not_covered_by": "all" } })).json();
    assert_eq!(some["nonprojective"], 3);
}

#[test]
fn a_file_can_be_opened_from_the_page_compressed_or_not() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/api/about").json()["files"], json!([]));
    let bytes = "Content-Type: application/octet-stream";
    let send =
        |name: &str, body: &[u8]| server.request("POST", &format!("/api/open?name={name}"), &[bytes], body);
    let plain = sentence("x", CROSSING);
    let answer = send("my%20file.conllu", plain.as_bytes()).json();
    assert_eq!(answer["name"], "my file.conllu");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    std::io::Write::write_all(&mut packed, plain.repeat(3).as_bytes()).unwrap();
    let answer = send("b.conllu.gz", &packed.finish().unwrap()).json();
    assert_eq!(answer["files"][1]["sentences"], 3);
    assert_eq!(rows(&server, json!({}), 0, 9)["total"], 4);
    // The same name again takes the place of the file before; of many only the last are kept.
    for at in 0..9 {
        assert_eq!(send(&format!("{}.conllu", at % 7), plain.as_bytes()).status, 200);
    }
    assert_eq!(server.get("/api/about").json()["files"].as_array().unwrap().len(), 4);
    assert!(send("x", b"no CoNLL-U").message().contains("there is no tree in that file"));
    let form = server.request("POST", "/api/open", &["Content-Type: text/plain"], b"x");
    assert_eq!(form.status, 415);
    assert!(server.is_well());
}

#[test]
fn a_hundred_thousand_sentences_are_opened_and_answered_quickly() {
    let some: String = (0..100)
        .map(|at| sentence(&format!("s{at}"), if at % 8 == 0 { CROSSING } else { PROJECTIVE }))
        .collect();
    let folder = Folder::with("big.conllu", some.repeat(1000));
    let name = folder.path("big.conllu").display().to_string();
    let server = Server::start(&[&name]);
    assert_eq!(rows(&server, json!({}), 0, 0)["total"], 100_000);
    let begun = Instant::now();
    let answer = rows(&server, json!({}), 99_990, 200);
    assert_eq!(answer["rows"].as_array().unwrap().len(), 10);
    println!("rows of 100,000 sentences: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    let begun = Instant::now();
    assert_eq!(rows(&server, json!({ "not_covered_by": "arc-standard" }), 0, 0)["total"], 13_000);
    println!("a system over 100,000 sentences: {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
    assert!(begun.elapsed().as_secs() < 15);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    crate::harness::tanglewood(["serve", "--port", "0", "no-such-file.conllu"]).assert().code(2);
}
