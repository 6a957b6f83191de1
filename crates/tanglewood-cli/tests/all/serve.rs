use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{PROGRAM, tanglewood};
use crate::server::Server;

/// A sentence in short, in which every word hangs from the one before.
fn chain(words: usize) -> String {
    (0..words).map(|head| format!("w/{head}")).collect::<Vec<_>>().join(" ")
}

/// The most memory the server has had, in megabytes, where that can be known.
fn peak_memory(server: &Server) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn the_page_and_its_parts_come_with_a_policy() {
    let server = Server::start(&[]);
    assert!(server.address.ip().is_loopback());
    for path in ["/", "/main.js", "/explorer.css", "/pictures.css", "/api/about"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        let head = answer.head.to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
        assert!(
            head.contains("x-content-type-options: nosniff") && !head.contains("unsafe-inline"),
            "{head}"
        );
    }
    // A page with that policy can have no script or style of its own.
    let page = String::from_utf8(server.get("/").body).unwrap();
    assert!(!page.contains("style=") && !page.contains("<style") && !page.contains("onclick"));
    assert!(!page.contains("http"), "everything comes from here");
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.request("DELETE", "/", &[], b"").status, 405);
}

#[test]
fn a_tree_comes_back_with_coverage_and_derivation() {
    let server = Server::start(&[]);
    let text = "A/2/det <script>alert(1)</script>/0/root";
    let answer =
        server.post("/api/tree", &json!({ "text": text, "system": "all", "direction": "ltr", "step": 3 }));
    let answer = answer.json();
    assert_eq!(answer["heads"], json!([2, 0]));
    assert_eq!(answer["step"], 3);
    assert_eq!(answer["run"]["transitions"].as_array().unwrap().len(), 5);
    assert!(
        answer["coverage"].as_array().unwrap().iter().all(|row| row["ltr"] == true && row["rtl"] == true)
    );
    assert!(!answer["tree"].as_str().unwrap().contains("<script"));
}

#[test]
fn a_system_that_cannot_says_why() {
    let server = Server::start(&[]);
    let question = json!({ "text": "3 4 0 3", "system": "arc-standard", "direction": "ltr" });
    let answer = server.post("/api/tree", &question).json();
    assert_eq!(answer["run"]["covered"], false);
    let reasons = answer["run"]["reasons"].to_string();
    assert!(reasons.contains("is complete, its head 4 is in s0: s0>s2 is not in the inventory"), "{reasons}");
}

#[test]
fn heads_are_changed_in_either_notation_and_everything_else_stays() {
    let server = Server::start(&[]);
    let edit = |text: &str, sentence: usize, word: usize, head: usize| {
        let question = json!({ "text": text, "sentence": sentence, "system": "all", "direction": "ltr", "edit": { "word": word, "head": head } });
        server.post("/api/tree", &question)
    };
    assert_eq!(edit("a/2/det b/0/root c/2", 0, 3, 1).json()["text"], "a/2/det b/0/root c/1");
    assert_eq!(edit("# note\n2 0\n0 1", 1, 2, 0).json()["text"], "# note\n2 0\n0 0");
    let rows = "# x\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\r\n2\tb\t_\tX\t_\t_\t1\tdep\t_\tA=b\n\n";
    assert_eq!(edit(rows, 0, 2, 0).json()["text"], rows.replace("1\tdep", "0\troot"));
    assert_eq!(
        edit("2 0 2", 0, 2, 1).message(),
        "the heads form a cycle: 1 → 2 → 1; expected every path of heads to end at 0"
    );
    assert_eq!(edit("2 0 2", 0, 9, 1).status, 422);
    assert_eq!(edit("2 0 2", 0, 1, 9).status, 422);
}

#[test]
fn mistakes_are_reported_at_their_lines() {
    let server = Server::start(&[]);
    let tree =
        |text: &str| server.post("/api/tree", &json!({ "text": text, "system": "all", "direction": "ltr" }));
    let scores = |text: &str| {
        server.post("/api/scores", &json!({ "matrix": text, "system": "all", "direction": "ltr" }))
    };
    for (answer, line, message) in [
        (tree("# x\n1\ta\t_\t_\t_\t_\t7\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n"), Some(2), "7"),
        (tree("\n\na/0 b"), Some(3), "`b` has no head"),
        (tree("\n2 1"), Some(2), "cycle"),
        (tree("Hello world"), Some(1), "a sentence without heads"),
        (tree(""), None, "there is no sentence yet"),
        (scores("0 1 2\n0 0 x\n0 1 0"), Some(2), "`x` in place 3 is no score"),
        (scores("0 1 2\n0 0 1\n0 1"), Some(3), "2 numbers; expected 3"),
        (scores("[[0,1],\n[0,}]"), Some(2), "expected value"),
        (scores("0 NaN\n0 0"), Some(1), "is no score"),
        (scores("0"), None, "a matrix for no words"),
    ] {
        assert_eq!(answer.status, 422);
        assert!(answer.message().contains(message), "{}", answer.message());
        assert_eq!(answer.json()["error"]["line"].as_u64(), line, "{message}");
    }
    let unknown = server.post("/api/tree", &json!({ "text": "0", "system": "atardi", "direction": "ltr" }));
    assert!(unknown.message().contains("did you mean `attardi`"));
}

#[test]
fn scores_give_the_best_trees_and_marginals() {
    let server = Server::start(&[]);
    let question = json!({ "matrix": "0 1 2\n0 0 3\n0 4 0", "words": "a b", "system": "all", "direction": "ltr", "k": 5 });
    let answer = server.post("/api/scores", &question).json();
    assert_eq!(answer["trees"][0]["heads"], json!([2, 0]));
    assert_eq!(answer["trees"].as_array().unwrap().len(), 2);
    assert!((answer["marginals"][2][1].as_f64().unwrap() - 0.9366210616669624).abs() < 1e-9);
}

#[test]
fn requests_under_other_names_and_from_other_pages_are_refused() {
    let server = Server::start(&[]);
    assert_eq!(server.request("GET", "/", &["Host: evil.example"], b"").status, 403);
    assert_eq!(server.request("GET", "/", &["Host: localhost:1"], b"").status, 200);
    assert_eq!(server.request("GET", "/", &["Origin: http://evil.example"], b"").status, 403);
    let form = server.request("POST", "/api/tree", &["Content-Type: text/plain"], b"{}");
    assert_eq!(form.status, 415);
}

#[test]
fn a_thousand_malformed_requests_do_no_harm() {
    let server = Server::start(&[]);
    let good = b"POST /api/tree HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 52\r\n\r\n{\"text\":\"3 4 0 3\",\"system\":\"all\",\"direction\":\"ltr\"}\r\n";
    let mut random = 12345u64;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % below
    };
    for round in 0..1000 {
        let mut request = good.to_vec();
        match round % 4 {
            0 => request.truncate(next(good.len())),
            1 => (0..1 + next(8)).for_each(|_| {
                let at = next(request.len());
                request[at] = next(256) as u8;
            }),
            2 => request = (0..next(400)).map(|_| next(256) as u8).collect(),
            _ => {
                let body = [
                    "{",
                    "null",
                    "[]",
                    "{\"text\":1}",
                    "{\"text\":\"\\ud800\"}",
                    "{\"text\":\"x\",\"system\":\"\",\"direction\":\"\"}",
                ][next(6)];
                request = format!("POST /api/{} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", ["tree", "scores"][next(2)], body.len()).into_bytes();
            }
        }
        // Who says that nothing more comes is answered; the others close.
        let complete = round % 4 == 3;
        let answer = server.raw(&request, !complete);
        if complete {
            assert!(answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
        }
    }
    assert!(server.is_well());
}

#[test]
fn a_body_of_a_hundred_megabytes_is_refused_without_being_kept() {
    let server = Server::start(&[]);
    let body = vec![b' '; 100 << 20];
    let answer = server.request("POST", "/api/tree", &["Content-Type: application/json"], &body);
    assert_eq!(answer.status, 413);
    assert!(answer.message().contains("more than 1048576 bytes"));
    assert!(server.is_well());
    if let Some(megabytes) = peak_memory(&server) {
        assert!(megabytes < 80, "{megabytes} MB");
    }
}

#[test]
fn a_sentence_of_ten_thousand_words_is_refused_and_the_longest_allowed_one_is_answered() {
    let server = Server::start(&[]);
    let tree = |words: usize| {
        server.post("/api/tree", &json!({ "text": chain(words), "system": "all", "direction": "ltr" }))
    };
    assert_eq!(tree(10_000).message(), "a sentence of 10000 words; expected at most 200");
    assert_eq!(tree(200).status, 200);
    let matrix = vec![vec![0.0; 400]; 400];
    let answer = server.post(
        "/api/scores",
        &json!({ "matrix": json!(matrix).to_string(), "system": "all", "direction": "ltr" }),
    );
    assert!(answer.message().contains("a matrix for 399 words; for all expected at most 16"));
    assert!(server.is_well());
}

#[test]
fn two_hundred_connections_at_once_all_get_their_answer() {
    let server = Server::start(&[]);
    let question = json!({ "text": chain(40), "system": "all", "direction": "ltr" });
    std::thread::scope(|scope| {
        let answers: Vec<_> =
            (0..200).map(|_| scope.spawn(|| server.post("/api/tree", &question).status)).collect();
        assert!(answers.into_iter().all(|answer| answer.join().unwrap() == 200));
    });
    assert!(server.is_well());
}

#[test]
fn slow_clients_are_let_go_and_others_do_not_have_to_wait() {
    let server = Server::start(&[]);
    let mut slow: Vec<_> = (0..150)
        .map(|at| {
            let mut stream = server.connect();
            let request: &[u8] = match at % 3 {
                0 => b"",
                1 => b"GET / HTTP/1.1\r\nHost: local",
                _ => b"POST /api/tree HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
            };
            stream.write_all(request).unwrap();
            stream
        })
        .collect();
    let start = Instant::now();
    assert!(server.is_well());
    assert!(start.elapsed() < Duration::from_secs(5));
    // Ten seconds for headers, twenty for a request; 60 s is the time-out for reading here.
    for (at, stream) in slow.iter_mut().enumerate() {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        if at % 3 == 2 {
            assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("took too long"), "{answer}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(40));
    assert!(server.is_well());
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_it_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        assert!(server.is_well());
        // A connection that is open but idle does not hold it up.
        let _idle = server.connect();
        let pid = server.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_port_in_use_and_a_model_that_is_none_are_errors() {
    let server = Server::start(&[]);
    let port = server.address.port().to_string();
    let output = tanglewood(["serve", "--port", &port]).assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8(output).unwrap().contains("it is in use; choose another with --port"));
    tanglewood(["serve", "--port", "0", "--model", "README.md"]).assert().code(2);
}

#[test]
fn a_sentence_can_be_had_as_a_file_of_every_kind() {
    let server = Server::start(&[]);
    let ask = |format: &str, layout: &str| {
        let text = "a/0 b/1\n<c>/3 d/1/dep e/0";
        let question = json!({ "text": text, "sentence": 1, "format": format, "layout": layout });
        server.post("/api/export", &question)
    };
    for (format, kind, start) in [
        ("svg", "image/svg+xml", "<svg"),
        ("png", "image/png", "\u{FFFD}PNG"),
        ("pdf", "application/pdf", "%PDF-1.7"),
        ("tex", "application/x-tex", "\\documentclass"),
        ("conllu", "text/plain", "1\t<c>\t"),
        ("html", "text/html", "<!DOCTYPE html>"),
    ] {
        let answer = ask(format, "wrap");
        if answer.status == 422 {
            assert!(answer.message().contains("needs fonts, and none is installed"), "{}", answer.message());
            continue;
        }
        assert!(answer.head.to_lowercase().contains(&format!("content-type: {kind}")), "{}", answer.head);
        assert!(answer.head.to_lowercase().contains("content-security-policy: default-src 'none'"));
        let text = String::from_utf8_lossy(&answer.body);
        assert!(text.starts_with(start), "{format}");
        assert!(matches!(format, "conllu" | "tex") || !text.contains("<c>"), "{format}");
    }
    assert!(ask("gif", "line").message().contains("expected format svg"));
    assert!(ask("svg", "round").message().contains("expected layout line"));
}

#[test]
fn errors_about_a_system_name_say_so_and_name_the_nearest() {
    let server = Server::start(&[]);
    for (path, question) in [
        ("/api/tree", json!({ "text": "0", "system": "atardi", "direction": "ltr" })),
        ("/api/scores", json!({ "matrix": "0 1\n0 0", "system": "atardi", "direction": "ltr" })),
    ] {
        let answer = server.post(path, &question);
        assert_eq!(answer.status, 422);
        assert_eq!(answer.json()["error"]["field"], "system", "{path}");
        assert_eq!(answer.json()["error"]["nearest"][0], "attardi", "{path}");
    }
    let classes = server.get("/api/about").json()["classes"].clone();
    assert!(classes.as_array().unwrap().contains(&json!("any")));
    let all = json!({ "matrix": "0 1\n0 0", "system": "any", "direction": "ltr" });
    assert_eq!(server.post("/api/scores", &all).status, 200);
}

#[test]
fn a_sentence_without_heads_is_told_what_can_be_done_about_it() {
    let question = json!({ "text": "Hello world", "system": "all", "direction": "ltr" });
    let message = Server::start(&[]).post("/api/tree", &question).message();
    assert!(message.ends_with("Parse has the model find them"), "{message}");
}

#[test]
fn the_model_that_is_built_in_is_read_when_it_is_needed() {
    let server = Server::start(&[]);
    assert_eq!(server.get("/api/about").json()["model"], true);
    let question = json!({ "text": "Hello world", "system": "any", "direction": "ltr" });
    let answer = server.post("/api/parse", &question);
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json()["forms"], json!(["Hello", "world"]));
}

#[test]
fn a_model_parses_what_is_typed() {
    let server = Server::start(&[
        "--model",
        concat!(env!("CARGO_MANIFEST_DIR"), "/../tanglewood-nn/tests/data/version-1.model"),
    ]);
    assert_eq!(server.get("/api/about").json()["model"], true);
    let question =
        json!({ "text": "Vem pratar du med ?", "system": "all", "direction": "ltr", "parse": true });
    let answer = server.post("/api/tree", &question).json();
    assert_eq!(answer["forms"], json!(["Vem", "pratar", "du", "med", "?"]));
    assert_eq!(answer["heads"].as_array().unwrap().len(), 5);
    assert!(answer["text"].as_str().unwrap().contains("# text = Vem pratar du med ?\n1\tVem\t"));
    let long = vec!["w"; 101].join(" ");
    let question = json!({ "text": long, "system": "all", "direction": "ltr", "parse": true });
    let message = server.post("/api/tree", &question).message();
    assert!(message.contains("expected at most 100 to be parsed"), "{message}");
}

#[test]
fn a_model_parses_all_lines_of_text() {
    let server = Server::start(&["--model", crate::trained::text_name()]);
    let ask = |text: &str, sentence: usize| {
        let question = json!({
            "text": text, "sentence": sentence, "system": "all", "direction": "ltr", "parse": true,
        });
        server.post("/api/tree", &question)
    };
    let answer = ask("Hi/2 there/0\n\nEr kommt, 2 Tage. Er geht.\nNein!", 1).json();
    assert_eq!(answer["forms"], json!(["Er", "kommt", ",", "2", "Tage", "."]));
    assert_eq!(answer["sentences"].as_array().unwrap().len(), 4);
    assert!(answer["text"].as_str().unwrap().starts_with("1\tHi\t_\t_\t_\t_\t2\t"), "{answer}");
    assert_eq!(ask("Er kommt.\nEr geht.", 1).json()["forms"], json!(["Er", "geht", "."]));
    assert!(ask("Hi/2 there/0", 0).message().contains("has heads already"));
    assert!(ask(&"w w w w w w w w w w.\n".repeat(300), 0).message().contains("more than 2000 words"));
}

#[test]
fn who_lets_others_in_is_warned() {
    for (host, warned) in [("0.0.0.0", true), ("127.0.0.1", false)] {
        let mut child = Command::new(PROGRAM)
            .args(["serve", "--port", "0", "--host", host])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        assert_eq!(said.contains("warning: whoever can reach 0.0.0.0:"), warned, "{said}");
    }
}

#[test]
fn clients_that_close_their_side_get_their_answer() {
    let server = Server::start(&[]);
    let body = json!({ "text": chain(40), "system": "all", "direction": "ltr" }).to_string();
    let post = format!(
        "POST /api/tree HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    for request in [&b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..], post.as_bytes()] {
        for _ in 0..100 {
            let answer = server.raw(request, true);
            assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
        }
    }
}

#[test]
fn a_request_to_two_hosts_is_refused() {
    let server = Server::start(&[]);
    for second in ["localhost", "evil.example"] {
        let request = format!("GET / HTTP/1.1\r\nHost: localhost\r\nHost: {second}\r\n\r\n");
        let answer = server.raw(request.as_bytes(), true);
        assert!(answer.starts_with(b"HTTP/1.1 403"), "{}", String::from_utf8_lossy(&answer));
    }
    for (named, code) in [("evil.example", "403"), ("localhost", "200")] {
        let request = format!("GET http://{named}/ HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let answer = server.raw(request.as_bytes(), true);
        let begin = format!("HTTP/1.1 {code}");
        assert!(answer.starts_with(begin.as_bytes()), "{named}: {}", String::from_utf8_lossy(&answer));
    }
}

/// More of them than there are places, each with more answers under way than fit in between.
#[test]
fn clients_that_never_read_do_not_keep_others_out() {
    let server = Server::start(&[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    let deaf = || {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let stream = runtime.block_on(socket.connect(server.address)).unwrap().into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
        let _ = (&stream).write_all(&request);
        stream
    };
    let start = Instant::now();
    let _deaf: Vec<_> = (0..260).map(|_| deaf()).collect();
    assert!(server.is_well());
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
}
