//! Reading and validating, against splitting lines and columns the plain way, on the same bytes in the same
//! run.
//!
//! `cargo bench -p tanglewood --bench conllu [-- FILE...]`; without files, the sample treebank many times
//! over.

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tanglewood::conllu::{Block, Blocks, Validator};
use tanglewood::sample::TREEBANK;

/// A way to read a text; the result only keeps it from being optimised away.
type Contestant = fn(&[u8]) -> usize;

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let text: Vec<u8> = if files.is_empty() {
        TREEBANK.as_bytes().repeat(600)
    } else {
        files.iter().flat_map(|file| std::fs::read(file).expect("a readable file")).collect()
    };
    println!("{:.1} MB, best of 9 runs each, one thread", text.len() as f64 / 1e6);
    let mut contestants: [(&str, Contestant, Duration); 5] = [
        ("plain: lines(), split('\\t'), parse()", plain, Duration::MAX),
        ("plain, with the same checks", plain_with_checks, Duration::MAX),
        ("read: blocks and sentences", read, Duration::MAX),
        ("read + trees", read_trees, Duration::MAX),
        ("read + validate strictly", read_and_validate, Duration::MAX),
    ];
    for _ in 0..9 {
        for (_, run, best) in &mut contestants {
            let start = Instant::now();
            black_box(run(black_box(&text)));
            *best = start.elapsed().min(*best);
        }
    }
    let base = contestants[1].2;
    for (name, _, time) in contestants {
        println!(
            "{name:<40} {:8.0} MB/s   {:5.2} times plain with checks",
            text.len() as f64 / 1e6 / time.as_secs_f64(),
            base.as_secs_f64() / time.as_secs_f64()
        );
    }
}

/// What most readers do: a vector of columns per line, ids and heads parsed, nothing checked.
fn plain(text: &[u8]) -> usize {
    let text = std::str::from_utf8(text).expect("UTF-8");
    let mut sum = 0;
    for line in text.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        if let (Ok(id), Ok(head)) = (columns[0].parse::<usize>(), columns[6].parse::<usize>()) {
            sum += id ^ head;
        }
    }
    sum
}

/// The same, with the checks that validation makes: columns, ids in order, heads in range, a tree.
fn plain_with_checks(text: &[u8]) -> usize {
    let text = std::str::from_utf8(text).expect("UTF-8");
    let mut heads: Vec<usize> = Vec::new();
    let mut sum = 0;
    for line in text.lines() {
        if line.is_empty() {
            assert!(heads.iter().all(|&head| head <= heads.len()));
            sum += tanglewood::Tree::from_heads(&heads).expect("a tree").len();
            heads.clear();
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        assert!(columns.len() == 10 && columns.iter().all(|column| !column.is_empty()));
        for (at, column) in columns.iter().enumerate() {
            assert!(matches!(at, 1 | 2 | 9) || !column.contains(' '));
        }
        if let Ok(id) = columns[0].parse::<usize>() {
            let head: usize = columns[6].parse().expect("a head");
            assert!(id == heads.len() + 1 && (head == 0) == (columns[7].starts_with("root")));
            heads.push(head);
        }
    }
    sum
}

fn for_each_block(text: &[u8], mut visit: impl FnMut(&Block)) {
    let mut blocks = Blocks::new(text);
    let mut block = Block::default();
    while blocks.read_into(&mut block).expect("memory does not fail") {
        visit(&block);
    }
}

fn read(text: &[u8]) -> usize {
    let mut sentences = 0;
    for_each_block(text, |block| sentences += block.sentences().count());
    sentences
}

fn read_trees(text: &[u8]) -> usize {
    let mut validator = Validator::new();
    let mut words = 0;
    for_each_block(text, |block| {
        words +=
            block.sentences().map(|sentence| validator.tree(&sentence).expect("a tree").len()).sum::<usize>();
    });
    words
}

fn read_and_validate(text: &[u8]) -> usize {
    let mut validator = Validator::new();
    let mut problems = 0;
    for_each_block(text, |block| {
        problems += block.sentences().map(|sentence| validator.problems(&sentence).len()).sum::<usize>();
    });
    problems
}
