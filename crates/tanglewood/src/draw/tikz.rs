//! A tree as LaTeX, for the package `tikz-dependency`.

use std::fmt::Write;

use super::Word;
use crate::Tree;
use crate::classes::crossing_arcs;

/// A tree as a LaTeX document that needs the packages `standalone` and `tikz-dependency`. Words of scripts
/// that pdfLaTeX does not know need LuaLaTeX or XeLaTeX, with a font that has them.
///
/// ```
/// use tanglewood::Tree;
/// use tanglewood::draw::{Word, tikz};
/// let tree = Tree::from_heads(&[2, 0])?;
/// let words = [Word::new("Hello", "INTJ", "discourse"), Word::new("world", "NOUN", "root")];
/// assert!(tikz(&tree, &words, true).contains(r"\depedge{2}{1}{discourse}"));
/// # Ok::<(), tanglewood::TreeError>(())
/// ```
pub fn tikz(tree: &Tree, words: &[Word], tags: bool) -> String {
    let text = |word: usize, part: fn(&Word) -> &str| words.get(word - 1).map_or("", part);
    let count = tree.len();
    let forms: Vec<String> = (1..=count)
        .map(|word| match text(word, |word| &word.form) {
            "" => word.to_string(),
            form => escaped(form),
        })
        .collect();
    let tag_row: Vec<String> = (1..=count).map(|word| escaped(text(word, |word| &word.tag))).collect();
    let has_tags = tags && tag_row.iter().any(|tag| !tag.is_empty());
    let crosses = crossing_arcs(tree);

    let mut out = String::from(
        "\\documentclass{standalone}\n\\usepackage{iftex}\n\\ifPDFTeX\\usepackage[T1]{fontenc}\\else\\usepackage{fontspec}\\fi\n\\usepackage{tikz-dependency}\n\\begin{document}\n\\begin{dependency}\n\\begin{deptext}[column sep=0.6em]\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{} \\\\", forms.join(" \\& "));
    if has_tags {
        let small = tag_row.iter().map(|tag| format!("{{\\tiny {tag}}}"));
        let _ = writeln!(out, "{} \\\\", small.collect::<Vec<_>>().join(" \\& "));
    }
    out += "\\end{deptext}\n";
    for (head, word) in tree.arcs() {
        let option = if crosses[word - 1] { "[edge style={orange!80!black}]" } else { "" };
        let relation = escaped(text(word, |word| &word.relation));
        let _ = match head {
            0 => {
                let relation = if relation.is_empty() { "root" } else { &relation };
                writeln!(out, "\\deproot{option}{{{word}}}{{{relation}}}")
            }
            _ => writeln!(out, "\\depedge{option}{{{head}}}{{{word}}}{{{relation}}}"),
        };
    }
    out + "\\end{dependency}\n\\end{document}\n"
}

/// A text as LaTeX sets it: none of its characters is a command, and none ends a group or a cell.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out += "\\textbackslash{}",
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(character);
            }
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '"' => out += "\\textquotedbl{}",
            '[' | ']' => {
                out.push('{');
                out.push(character);
                out.push('}');
            }
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}
