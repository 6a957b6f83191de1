//! Which word of the system is which word of the gold standard.
//!
//! The definition is that of the CoNLL 2018 shared task (Zeman et al. 2018, section 5; `conll18_ud_eval.py`
//! 1.2), down to the cases in which it could have been another. Words are the same if their tokens have the
//! same characters of the text. Where one side has a multiword token, its words have no characters of their
//! own: there the smallest region that holds all multiword tokens which overlap is looked for, and inside it
//! the words are aligned as a longest common subsequence of forms in lower case.

use std::collections::HashMap;

/// Where a word is in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub start: usize,
    pub end: usize,
    /// Whether these are the characters of a multiword token and not the word's own.
    pub multiword: bool,
}

impl Spot {
    /// True if the word belongs to a region that ends here.
    fn is_inside(&self, end: usize) -> bool {
        if self.multiword { self.start < end } else { self.end <= end }
    }
}

/// Pairs (gold word, system word), in order.
pub(super) fn align<'a>(
    gold: &[Spot],
    system: &[Spot],
    gold_form: impl Fn(usize) -> &'a str,
    system_form: impl Fn(usize) -> &'a str,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::with_capacity(gold.len());
    let (mut g, mut s) = (0, 0);
    while let (Some(of_gold), Some(of_system)) = (gold.get(g), system.get(s)) {
        if of_gold.multiword || of_system.multiword {
            let region = Region::at(gold, system, g, s);
            let mut names = HashMap::new();
            let mut name = |form: &str| {
                let next = names.len() as u32;
                *names.entry(form.to_lowercase()).or_insert(next)
            };
            let gold_names: Vec<u32> = region.gold.clone().map(|word| name(gold_form(word))).collect();
            let system_names: Vec<u32> = region.system.clone().map(|word| name(system_form(word))).collect();
            let common = common_subsequence(&gold_names, &system_names);
            pairs.extend(common.into_iter().map(|(a, b)| (region.gold.start + a, region.system.start + b)));
            (g, s) = (region.gold.end, region.system.end);
        } else if (of_gold.start, of_gold.end) == (of_system.start, of_system.end) {
            pairs.push((g, s));
            (g, s) = (g + 1, s + 1);
        } else if of_gold.start <= of_system.start {
            g += 1;
        } else {
            s += 1;
        }
    }
    pairs
}

/// The words of a region of multiword tokens.
struct Region {
    gold: std::ops::Range<usize>,
    system: std::ops::Range<usize>,
}

impl Region {
    /// The region that starts at these words, one of which is part of a multiword token.
    fn at(gold: &[Spot], system: &[Spot], mut g: usize, mut s: usize) -> Region {
        // A word that starts before the multiword token is left out, but only one: that is the shared task's
        // definition.
        let starts_before = |word: &Spot, other: &Spot| !word.multiword && word.start < other.start;
        let mut end;
        if gold[g].multiword {
            end = gold[g].end;
            s += usize::from(starts_before(&system[s], &gold[g]));
        } else {
            end = system[s].end;
            g += usize::from(starts_before(&gold[g], &system[s]));
        }
        let first = (g, s);
        let inside = |word: Option<&Spot>, end| word.is_some_and(|word| word.is_inside(end));
        while inside(gold.get(g), end) || inside(system.get(s), end) {
            // In the order of the text.
            let gold_is_next = match (gold.get(g), system.get(s)) {
                (Some(of_gold), Some(of_system)) => of_gold.start <= of_system.start,
                (of_gold, _) => of_gold.is_some(),
            };
            let word = if gold_is_next { gold[g] } else { system[s] };
            if gold_is_next {
                g += 1
            } else {
                s += 1
            }
            if word.multiword {
                end = end.max(word.end);
            }
        }
        Region { gold: first.0..g, system: first.1..s }
    }
}

/// A longest common subsequence, as pairs of places. Of several it is the one that takes equal elements as
/// soon as it meets them, and otherwise leaves out an element of `a` rather than one of `b`.
///
/// Time is |a| · |b|. Of the table of lengths only rows at regular distances are kept, and the rows between
/// them computed again when they are needed: a region is a few words in any real text, but in a made-up one
/// it may be a whole sentence of 100,000.
fn common_subsequence(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() && a[i] == b[j] {
        pairs.push((i, j));
        (i, j) = (i + 1, j + 1);
    }
    if i == a.len() || j == b.len() {
        return pairs;
    }
    let step = a.len().isqrt() + 1;
    let kept = kept_rows(a, b, step);
    let mut rows: Vec<Vec<u32>> = Vec::new();
    let mut first = usize::MAX;
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        if first != i / step * step {
            first = i / step * step;
            rows = rows_between(a, b, first, step, &kept);
        }
        if rows[i - first][j] == rows[i - first + 1][j] { i += 1 } else { j += 1 }
    }
    pairs
}

/// Row i of the table has, for each j, the length of a longest common subsequence of `a[i..]` and `b[j..]`.
/// These are the rows 0, step, 2 step, …
fn kept_rows(a: &[u32], b: &[u32], step: usize) -> Vec<Vec<u32>> {
    let mut kept = Vec::new();
    let mut row = vec![0; b.len() + 1];
    for i in (0..a.len()).rev() {
        row = row_before(a[i], b, &row);
        if i % step == 0 {
            kept.push(row.clone());
        }
    }
    kept.reverse();
    kept
}

/// The rows from `first` to `first + step`, the next one that was kept, or the end.
fn rows_between(a: &[u32], b: &[u32], first: usize, step: usize, kept: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let end = (first + step).min(a.len());
    let mut rows = vec![kept.get(first / step + 1).cloned().unwrap_or_else(|| vec![0; b.len() + 1])];
    for i in (first..end).rev() {
        rows.push(row_before(a[i], b, &rows[rows.len() - 1]));
    }
    rows.reverse();
    rows
}

/// The row for one element more at the front.
fn row_before(element: u32, b: &[u32], after: &[u32]) -> Vec<u32> {
    let mut row = vec![0; b.len() + 1];
    for j in (0..b.len()).rev() {
        let with = if element == b[j] { 1 + after[j + 1] } else { 0 };
        row[j] = with.max(after[j]).max(row[j + 1]);
    }
    row
}
