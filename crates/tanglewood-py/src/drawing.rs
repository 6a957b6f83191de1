//! Pictures of trees as SVG: all that this crate knows of drawing is behind [`svg`].

use std::fmt::Write;

use tanglewood::Tree;
use tanglewood::classes::crossing_arcs;

use crate::derivation::Step;

/// What is to be seen.
pub struct Picture<'a> {
    pub tree: &'a Tree,
    pub forms: Option<&'a [String]>,
    pub labels: Option<&'a [String]>,
    /// Steps of a derivation, below the words.
    pub steps: &'a [Step],
}

const STYLE: &str = "text{font-family:system-ui,sans-serif;font-size:15px;fill:#1f2328;text-anchor:middle}\
.small{font-size:11px;fill:#57606a}.step{font-size:12px;text-anchor:start}\
.arc{fill:none;stroke:#57606a;stroke-width:1.4}.tip{fill:#57606a}\
.crossing{stroke:#d1480b;stroke-width:2}.crossing-tip,.crossing-label{fill:#d1480b}";

/// Longer derivations end in an ellipsis: a picture is to be looked at.
const MOST_STEPS: usize = 400;

/// How many nodes of stack and buffer a line shows.
const SHOWN: usize = 6;

/// The longest sentence that is drawn.
const MOST_WORDS: usize = 1000;

/// The height of a level of arcs, and of a line of text.
const LEVEL: usize = 24;
const LINE: usize = 20;

/// A picture: words in a row, arcs above them, those that cross others in a second colour.
///
/// # Errors
/// If the sentence is too long.
pub fn svg(picture: &Picture<'_>) -> Result<String, String> {
    let tree = picture.tree;
    if tree.len() > MOST_WORDS {
        return Err(format!(
            "{} words are too many for a picture; expected at most {MOST_WORDS}",
            tree.len()
        ));
    }
    let form = |node: usize| match (node, picture.forms) {
        (0, _) => "ROOT".to_owned(),
        (_, Some(forms)) => forms[node - 1].clone(),
        (_, None) => node.to_string(),
    };
    let centres = centres(&(0..=tree.len()).map(form).collect::<Vec<_>>());
    let levels = levels(tree);
    let top = levels.iter().max().map_or(1, |most| most + 1);
    let words_at = top * LEVEL + 30;
    let steps: Vec<String> = lines(picture.steps, &form);
    let longest = steps.iter().map(|line| line.chars().count() * 7).max().unwrap_or(0);
    let width = (centres.last().map_or(60, |last| last.1)).max(longest + 20);
    let height = words_at + 20 + if steps.is_empty() { 0 } else { steps.len() * LINE + 10 };
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"><title>Dependency tree</title><style>{STYLE}</style>"#
    );
    let crossing = crossing_arcs(tree);
    for (head, word) in tree.arcs() {
        let (prefix, extra) = if crossing[word - 1] { ("crossing-", " crossing") } else { ("", "") };
        let from = leaves_at(head, word, centres[head].0);
        let to = centres[word].0;
        let (base, peak) = (words_at - 18, words_at - 18 - (levels[word - 1] + 1) * LEVEL);
        // A write to a string does not fail.
        let _ = write!(
            svg,
            r#"<path class="arc{extra}" d="M{from},{base} C{from},{peak} {to},{peak} {to},{tip}"/><path class="{prefix}tip tip" d="M{left},{tip} h8 l-4,7 z"/>"#,
            tip = base - 6,
            left = to as isize - 4,
        );
        if let Some(labels) = picture.labels {
            let label = escaped(&labels[word - 1]);
            let (x, y) = (usize::midpoint(from, to), base - (base - peak) * 3 / 4 - 4);
            let _ = write!(svg, r#"<text class="small {prefix}label" x="{x}" y="{y}">{label}</text>"#);
        }
    }
    for (node, &(centre, _)) in centres.iter().enumerate() {
        let _ = write!(svg, r#"<text x="{centre}" y="{words_at}">{}</text>"#, escaped(&form(node)));
    }
    for (at, line) in steps.iter().enumerate() {
        let y = words_at + 30 + at * LINE;
        let _ = write!(svg, r#"<text class="step" x="10" y="{y}">{}</text>"#, escaped(line));
    }
    svg.push_str("</svg>");
    Ok(svg)
}

/// For each node the centre of its text, and where the text ends.
fn centres(texts: &[String]) -> Vec<(usize, usize)> {
    let mut left = 10;
    let mut centre = |text: &String| {
        // No font is known here; wide scripts take about two columns.
        let columns: usize = text.chars().map(|character| if character > '\u{2E7F}' { 2 } else { 1 }).sum();
        let width = (columns * 9).max(24);
        let centre = left + width / 2;
        left += width + 16;
        (centre, left)
    };
    texts.iter().map(&mut centre).collect()
}

/// Arcs leave beside the place where the arc into the head arrives.
fn leaves_at(head: usize, word: usize, centre: usize) -> usize {
    if head < word { centre + 5 } else { centre - 5 }
}

/// How high each word's arc is: above all shorter ones below it.
fn levels(tree: &Tree) -> Vec<usize> {
    let mut order: Vec<usize> = (1..=tree.len()).collect();
    order.sort_by_key(|&word| tree.head(word).abs_diff(word));
    // The highest level so far above each gap between neighbours.
    let mut highest = vec![0; tree.len() + 1];
    let mut levels = vec![0; tree.len()];
    for word in order {
        let gaps = tree.head(word).min(word)..tree.head(word).max(word);
        let level = highest[gaps.clone()].iter().copied().max().unwrap_or(0);
        highest[gaps].fill(level + 1);
        levels[word - 1] = level;
    }
    levels
}

/// A line of text for each step.
fn lines(steps: &[Step], form: &dyn Fn(usize) -> String) -> Vec<String> {
    let texts = |nodes: &mut dyn Iterator<Item = usize>| nodes.map(form).collect::<Vec<_>>().join(" ");
    // What is near the ends that transitions see.
    let stack = |nodes: &[usize]| {
        let hidden = nodes.len().saturating_sub(SHOWN);
        let mark = if hidden > 0 { "… " } else { "" };
        format!("{mark}{}", texts(&mut nodes[hidden..].iter().copied()))
    };
    let buffer = |nodes: &[usize]| {
        let mark = if nodes.len() > SHOWN { " …" } else { "" };
        format!("{}{mark}", texts(&mut nodes.iter().copied().take(SHOWN)))
    };
    let line = |(at, step): (usize, &Step)| {
        let arc = step.arc.map_or(String::new(), |(head, word)| format!("  {} → {}", form(head), form(word)));
        format!("{}. {}{arc}   [{}]  [{}]", at + 1, step.transition, stack(&step.stack), buffer(&step.buffer))
    };
    let mut lines: Vec<String> = steps.iter().enumerate().take(MOST_STEPS).map(line).collect();
    if steps.len() > MOST_STEPS {
        lines.push("…".to_owned());
    }
    lines
}

/// Text that XML takes as text. Characters that it cannot have become a replacement.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            other if other.is_control() => escaped.push('\u{FFFD}'),
            other => escaped.push(other),
        }
    }
    escaped
}
