//! Too little memory: whatever is asked, the program ends with an exit code of its own, and leaves what was
//! there.
#![cfg(target_os = "linux")]

use tanglewood::sample::TREEBANK;

use crate::harness::{Folder, PROGRAM};
use crate::server::Server;
use crate::trained::{bare, name};

/// Inputs that need much memory where it is not expected.
fn folder() -> Folder {
    let forms: Vec<String> = (0..3000).map(|at| format!("w{}", at % 11)).collect();
    let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
    let row = |id: usize| {
        format!(
            "{id}\tw{}\t_\tX\t_\t_\t{}\t{}\t_\t_\n",
            id % 11,
            id - 1,
            if id == 1 { "root" } else { "dep" }
        )
    };
    let endless: String = (1..=20_000).map(row).collect::<String>() + "\n";
    let matrix: Vec<Vec<f64>> =
        (0..=60).map(|head| (0..=60).map(|word| f64::from((head * 31 + word * 17) % 23)).collect()).collect();
    Folder::with("long.conllu", bare(&forms))
        .and("endless.conllu", endless)
        .and("sample.conllu", TREEBANK)
        .and("scores.jsonl", serde_json::json!({ "scores": matrix }).to_string())
        .and("out", "from last time")
}

#[test]
fn without_memory_there_is_an_error_and_nothing_else() {
    let folder = folder();
    let model = name();
    let commands: [&[&str]; 11] = [
        &["decode", "scores.jsonl", "--system", "all", "--marginals", "-o", "out"],
        &["decode", "scores.jsonl", "--system", "mh4+", "--marginals", "--k", "5", "-o", "out"],
        &["parse", model, "long.conllu", "-o", "out"],
        &["parse", "en", "long.conllu", "--decoder", "mst", "-o", "out"],
        &["parse", model, "long.conllu", "--decoder", "beam:8", "-o", "out"],
        &["train", "endless.conllu", "--steps", "parse", "--epochs", "1", "-o", "out"],
        &["train", "sample.conllu", "--epochs", "1", "-o", "out"],
        &["coverage", "endless.conllu", "-o", "out"],
        &["eval", "endless.conllu", "endless.conllu", "-o", "out"],
        &["check", "endless.conllu"],
        &["grammar", "fit", "sample.conllu", "--em", "1", "-o", "out"],
    ];
    for megabytes in [100, 200] {
        for command in commands {
            let code = limited(&folder, megabytes, &[command, &["--jobs", "2"]].concat());
            if code == 2 {
                assert!(folder.read("out") == b"from last time", "{megabytes} MB, {command:?}");
            }
            std::fs::write(folder.path("out"), "from last time").unwrap();
            for name in folder.names().iter().filter(|name| name.starts_with("out.")) {
                std::fs::remove_file(folder.path(name)).unwrap();
            }
        }
    }
}

/// Runs a command within an address space of this number of megabytes, and returns the exit code, which is
/// the program's own.
fn limited(folder: &Folder, megabytes: usize, arguments: &[&str]) -> i32 {
    let limited = snapbox::cmd::Command::new("prlimit")
        .args([&format!("--as={megabytes}000000"), PROGRAM])
        .args(arguments)
        .current_dir(folder.path(""));
    let run = limited.assert();
    let output = run.get_output();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{megabytes} MB, {arguments:?}: {:?}: {said}", output.status);
    assert!(!said.contains("panicked"), "{megabytes} MB, {arguments:?}: {said}");
    code.unwrap_or_default()
}

/// Every command but `serve`, which has a test of its own, on real data. Within 500 MB all of it works.
#[test]
#[ignore = "needs the UD 2.16 treebanks"]
fn real_treebanks_in_little_memory() {
    let treebanks = std::env::var_os("TANGLEWOOD_TREEBANKS")
        .expect("TANGLEWOOD_TREEBANKS names the folder with treebanks");
    let treebanks = std::path::PathBuf::from(treebanks).join("ud-2.16");
    let read = |name: &str| std::fs::read_to_string(treebanks.join(name)).unwrap();
    let (train, test) = (read("en_ewt-ud-train.conllu"), read("en_ewt-ud-test.conllu"));
    let few: String = test.split_inclusive("\n\n").take(60).collect();
    let matrix = |words: usize| {
        let score = |head: usize, word: usize| ((head * 31 + word * 17 + head * word) % 97) as f64 / 8.0;
        let row = |head: usize| (0..=words).map(|word| score(head, word)).collect::<Vec<f64>>();
        serde_json::json!({ "scores": (0..=words).map(row).collect::<Vec<_>>() }).to_string() + "\n"
    };
    let folder = Folder::with("train.conllu", train)
        .and("test.conllu", test)
        .and("few.conllu", few)
        .and("scores.jsonl", [10, 40, 80, 160].map(matrix).concat());
    folder.run(["text", "test.conllu", "-o", "test.txt"]).success();
    folder.run(["grammar", "fit", "few.conllu", "--em", "1", "-o", "few.grammar"]).success();
    let commands = [
        "systems",
        "systems mh4 attardi:3 --format json",
        "coverage train.conllu",
        "coverage test.conllu --systems all --format html -o coverage.html",
        "check train.conllu test.conllu",
        "filter train.conllu --nonprojective -o filtered.conllu",
        "text train.conllu -o train.txt",
        "oracle --system mh4 test.conllu",
        "oracle --system attardi few.conllu --format json",
        "decode --system mh4+ scores.jsonl",
        "decode --system mh4+ --direction either --marginals scores.jsonl",
        "decode --system any --marginals --k 20 scores.jsonl",
        "decode --system all --marginals scores.jsonl",
        "decode --system attardi:3 scores.jsonl",
        "train few.conllu --dev few.conllu --size small --epochs 1 -o few.model",
        "parse en test.txt -o parsed.conllu",
        "parse en test.conllu --confidence -o parsed.conllu",
        "parse en few.conllu --nbest 5 --output json -o parsed.json",
        "parse en few.conllu --decoder beam:16 -o parsed.conllu",
        "models",
        "info en",
        "eval test.conllu test.conllu",
        "eval few.conllu few.conllu --against few.conllu --format json -o scores.json",
        "grammar fit few.conllu --em 2 -o other.grammar",
        "grammar parse few.grammar few.conllu -o parsed.conllu",
        "grammar score few.grammar few.conllu",
        "grammar sample few.grammar --count 20",
        "draw few.conllu -o few.svg",
        "draw few.conllu -o few.pdf",
        "draw few.conllu -o few.png",
        "completions bash",
        "man pages",
        "tour",
    ];
    for megabytes in [200, 300, 500] {
        for command in commands {
            let code = limited(&folder, megabytes, &command.split(' ').collect::<Vec<_>>());
            println!("{megabytes} MB: {code}  {command}");
            assert!(megabytes < 500 || code < 2, "{command}");
        }
    }
}

/// A server in little memory starts and answers, or says that it cannot.
#[test]
fn a_server_in_little_memory_answers_or_ends() {
    for megabytes in [200, 300, 500] {
        let mut child = std::process::Command::new("prlimit")
            .args([&format!("--as={megabytes}000000"), PROGRAM, "serve", "--model", "en", "--port", "0"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.as_mut().unwrap()), &mut line)
            .unwrap();
        if line.starts_with("http://") {
            let address = line.trim().trim_start_matches("http://").trim_end_matches('/').parse().unwrap();
            let server = Server { child, address };
            let question = serde_json::json!({ "text": "It works.", "system": "mh4", "direction": "ltr" });
            assert!(matches!(server.post("/api/parse", &question).status, 200 | 500), "{megabytes} MB");
            assert!(server.is_well(), "{megabytes} MB");
        } else {
            assert_eq!(child.wait().unwrap().code(), Some(2), "{megabytes} MB");
        }
    }
}

/// Pictures take megabytes while they are drawn. The threads of a server draw one after the other, and what
/// they had is not kept, neither by them nor by the allocator.
#[test]
#[cfg(target_env = "gnu")]
fn a_server_gives_back_what_pictures_took() {
    let server = Server::start(&[]);
    let row = |id: usize| {
        let relation = if id == 1 { "root" } else { "dep" };
        format!("{id}\tword{id}\t_\tX\t_\t_\t{}\t{relation}\t_\t_\n", id - 1)
    };
    let draw = |words: usize| {
        let text = (1..=words).map(row).collect::<String>() + "\n";
        let reply = server.post("/api/export", &serde_json::json!({ "text": text, "format": "png" }));
        assert_eq!(reply.status, 200, "{reply:?}");
    };
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() / 1024
    };
    draw(60);
    let before = resident();
    [20, 40, 59, 58, 30, 57, 25, 56, 55, 54, 21, 53, 35].into_iter().for_each(draw);
    let after = resident();
    assert!(after < before + 15, "from {before} to {after} MB");
}
