//! Signals, sent while the program waits for more input.
#![cfg(unix)]

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{CROSSING, Folder, PROGRAM, heeding_signals, sentence};

/// Starts a program that waits for its input's end, with some signals ignored, and sends it one of them;
/// whether it goes on to its end.
fn goes_on(folder: &Folder, ignored: &str, signal: &str) -> bool {
    let script = format!("trap '' {ignored}; exec \"$0\" filter - -o new.txt");
    let mut child = Command::new("sh")
        .args(["-c", &script, PROGRAM])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(sentence("a", CROSSING).as_bytes()).unwrap();
    let start = Instant::now();
    while folder.names().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "the temporary file should have appeared");
        sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    sleep(Duration::from_millis(100));
    drop(stdin);
    child.wait().unwrap().success()
}

/// As under `nohup`, and in the background of a script.
#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    for (ignored, signal) in [("HUP", "-HUP"), ("INT", "-INT"), ("HUP INT TERM", "-TERM")] {
        let folder = Folder::new();
        assert!(goes_on(&folder, ignored, signal), "{ignored} {signal}");
        assert_eq!(folder.read("new.txt"), sentence("a", CROSSING).as_bytes());
    }
    assert!(!goes_on(&Folder::new(), "HUP", "-TERM"));
}

/// Starts a command that reads a pipe, ends it with a signal, and returns that signal's number as the parent
/// sees it.
fn signalled(folder: &Folder, arguments: &[&str], signal: &str) -> Option<i32> {
    let before = folder.names().len();
    let mut child = heeding_signals()
        .args(arguments)
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(sentence("a", CROSSING).as_bytes()).unwrap();
    let start = Instant::now();
    while folder.names().len() == before {
        assert!(start.elapsed() < Duration::from_secs(20), "the temporary file should have appeared");
        sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    // The pipe stays open until after the end.
    let stdin = child.stdin.take();
    let status = child.wait().unwrap();
    drop(stdin);
    status.signal()
}

#[test]
fn an_interrupted_run_leaves_nothing_behind_and_dies_of_the_signal() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        for command in ["filter", "coverage"] {
            let folder = Folder::with("old.txt", "from last time");
            assert_eq!(signalled(&folder, &[command, "-", "-o", "old.txt"], signal), Some(number));
            assert_eq!(folder.names(), ["old.txt"]);
            assert_eq!(folder.read("old.txt"), b"from last time");
        }
    }
}
