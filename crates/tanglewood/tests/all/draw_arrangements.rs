//! Trees on one line, on several, close together, and from top to bottom; trees as LaTeX.

use tanglewood::Tree;
use tanglewood::conllu::{Sentences, Validator};
use tanglewood::draw::{self, Arrangement, Style, Word};
use tanglewood::sample::TREEBANK;

/// A text of a picture: its class, its anchor, its baseline, and what it says.
struct Text {
    class: String,
    x: f64,
    y: f64,
    said: String,
}

/// The value of an attribute in a line of markup.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

fn texts(svg: &str) -> Vec<Text> {
    let lines = svg.lines().filter(|line| line.starts_with("<text"));
    let text = |line: &str| Text {
        class: attribute(line, "class").unwrap_or_default().to_owned(),
        x: number(line, "x"),
        y: number(line, "y"),
        said: line.split(['>', '<']).nth(2).unwrap_or_default().to_owned(),
    };
    lines.map(text).collect()
}

impl Text {
    /// Left, right, top and bottom, in a font that is not wide.
    fn bounds(&self) -> [f64; 4] {
        let size = match self.class.split(' ').next() {
            Some("form") => 18.0,
            Some("node") => 14.0,
            Some("tag") => 11.0,
            _ => 12.0,
        };
        let width = 0.5 * size * self.said.chars().count() as f64;
        let left = match self.class.split(' ').nth(1) {
            Some("start") => self.x,
            Some("end") => self.x - width,
            _ => self.x - width / 2.0,
        };
        [left, left + width, self.y - 0.7 * size, self.y + 0.1 * size]
    }

    fn overlaps(&self, other: &Text) -> bool {
        let ([left, right, top, bottom], [other_left, other_right, other_top, other_bottom]) =
            (self.bounds(), other.bounds());
        left < other_right && other_left < right && top < other_bottom && other_top < bottom
    }
}

/// Checks that all texts are inside the picture, and that none is on another.
fn assert_legible(svg: &str) {
    let (width, height) = (number(svg, "width"), number(svg, "height"));
    let texts = texts(svg);
    for (at, text) in texts.iter().enumerate().filter(|(_, text)| !text.said.is_empty()) {
        let [left, right, top, bottom] = text.bounds();
        let inside = left >= 0.0 && right <= width && top >= 0.0 && bottom <= height;
        assert!(inside, "{} sticks out of {width} × {height}: {:?}", text.said, text.bounds());
        for other in texts[at + 1..].iter().filter(|other| !other.said.is_empty()) {
            assert!(!text.overlaps(other), "{} is on {} in {svg}", text.said, other.said);
        }
    }
}

fn sample() -> Vec<(Tree, Vec<Word>)> {
    let mut validator = Validator::new();
    let read = |sentence| (validator.tree(&sentence).unwrap(), Word::of(&sentence));
    Sentences::of(TREEBANK.as_bytes()).map(read).collect()
}

/// A tree with long arcs and crossings: every word hangs from the one three before, the first three from the
/// last.
fn tangled(words: usize) -> (Tree, Vec<Word>) {
    let heads: Vec<usize> = (1..=words)
        .map(|word| {
            if word == words {
                0
            } else if word <= 3 {
                words
            } else {
                word - 3
            }
        })
        .collect();
    let words = (1..=words).map(|word| Word::new(&format!("word{word}"), "NOUN", "nmod:poss")).collect();
    (Tree::from_heads(&heads).unwrap(), words)
}

#[test]
fn every_arrangement_shows_every_word_arc_and_relation_legibly() {
    let mut trees = sample();
    trees.extend([1, 2, 5, 23, 60].map(tangled));
    for (tree, words) in trees {
        for arrangement in [
            Arrangement::Line,
            Arrangement::Wrap(600.0),
            Arrangement::Wrap(0.0),
            Arrangement::Compact,
            Arrangement::Vertical,
        ] {
            let svg = draw::arranged(&tree, &words, arrangement, &Style::default());
            assert_legible(&svg);
            assert_eq!(svg.matches("data-word=").count(), tree.len());
            // An arc has one tip, on however many lines it is.
            assert_eq!(svg.matches("class=\"tip\"").count(), tree.len(), "{arrangement:?}");
            let relations = texts(&svg).iter().filter(|text| text.class.starts_with("relation")).count();
            assert!(relations >= tree.len(), "{arrangement:?}");
        }
    }
}

#[test]
fn a_wrapped_tree_is_no_wider_than_asked_for_and_as_high_as_needed() {
    let (tree, words) = tangled(60);
    let line = draw::arranged(&tree, &words, Arrangement::Line, &Style::default());
    let wrapped = draw::arranged(&tree, &words, Arrangement::Wrap(900.0), &Style::default());
    assert!(number(&line, "width") > 3000.0);
    assert!(number(&wrapped, "width") <= 900.0);
    assert!(number(&wrapped, "height") > number(&line, "height"));
    let lines: std::collections::BTreeSet<String> =
        texts(&wrapped).iter().filter(|text| text.class == "form").map(|text| text.y.to_string()).collect();
    assert!(lines.len() > 3, "{lines:?}");
}

#[test]
fn a_compact_tree_takes_less_room_and_a_vertical_one_is_narrow() {
    let widths = |arrangement: Arrangement| -> f64 {
        let drawn =
            |(tree, words): &(Tree, Vec<Word>)| draw::arranged(tree, words, arrangement, &Style::default());
        sample().iter().map(|sentence| number(&drawn(sentence), "width")).sum()
    };
    assert!(widths(Arrangement::Compact) < 0.8 * widths(Arrangement::Line));
    let (tree, words) = tangled(40);
    let [line, compact, vertical] = [Arrangement::Line, Arrangement::Compact, Arrangement::Vertical]
        .map(|arrangement| draw::arranged(&tree, &words, arrangement, &Style::default()));
    assert!(number(&compact, "height") < number(&line, "height"));
    assert!(number(&vertical, "width") < 400.0);
}

#[test]
fn scripts_from_right_to_left_begin_on_the_right_in_every_horizontal_arrangement() {
    let tree = Tree::from_heads(&[2, 0, 2]).unwrap();
    let words = ["הילד", "אכל", "תפוח"].map(|form| Word::new(form, "", "dep"));
    for arrangement in [Arrangement::Line, Arrangement::Wrap(500.0), Arrangement::Compact] {
        let svg = draw::arranged(&tree, &words, arrangement, &Style::default());
        let forms: Vec<f64> = texts(&svg)
            .iter()
            .filter(|text| words.iter().any(|word| word.form == text.said))
            .map(|text| text.x)
            .collect();
        assert!(forms.is_sorted_by(|a, b| a > b), "{forms:?}");
    }
}

#[test]
fn latex_has_a_cell_for_each_word_and_none_of_its_characters_is_a_command() {
    let tree = Tree::from_heads(&[2, 0, 1]).unwrap();
    let words =
        [Word::new("a&b_%\\x", "X#", "nmod:poss"), Word::new("{c}", "", "root"), Word::new("", "", "$")];
    let tex = draw::tikz(&tree, &words, true);
    assert!(tex.contains("a\\&b\\_\\%\\textbackslash{}x \\& \\{c\\} \\& 3 \\\\\n"), "{tex}");
    assert!(tex.contains("{\\tiny X\\#} \\& {\\tiny } \\& {\\tiny } \\\\\n"), "{tex}");
    assert!(tex.contains("\\depedge[edge style={orange!80!black}]{1}{3}{\\$}"), "{tex}");
    assert!(tex.contains("\\deproot[edge style={orange!80!black}]{2}{root}"), "{tex}");
    assert!(!draw::tikz(&tree, &words, false).contains("\\tiny"));
}

#[test]
fn an_arrow_between_words_of_any_script_points_from_head_to_dependent() {
    assert_eq!(draw::arrow("ate", "apple"), "ate → apple");
    let hebrew = draw::arrow("אכל", "תפוח");
    // Marks on both sides of the arrow keep it from joining the words' direction.
    assert_eq!(hebrew.matches('\u{200E}').count(), 4);
    assert!(hebrew.find("אכל") < hebrew.find("תפוח"));
}
