//! A tree as SVG.

use super::Word;
use super::layout::{Arc, FORM, Layout, RELATION, TAG};
use super::style::Style;
use super::svg::{Escaped, Place, Svg};
use crate::{Configuration, Tree};

/// How far arcs' corners are rounded.
pub(super) const CORNER: f64 = 10.0;

/// A tree as SVG: words and tags, the arcs above them with their relations, those that cross in a second
/// colour.
///
/// ```
/// use tanglewood::Tree;
/// use tanglewood::draw::{self, Style, Word};
/// let tree = Tree::from_heads(&[2, 0])?;
/// let words = [Word::new("Hello", "INTJ", "discourse"), Word::new("world", "NOUN", "root")];
/// let svg = draw::tree(&tree, &words, &Style::default());
/// assert!(svg.starts_with("<svg") && svg.contains(">Hello</text>"));
/// # Ok::<(), tanglewood::TreeError>(())
/// ```
pub fn tree(tree: &Tree, words: &[Word], style: &Style) -> String {
    draw(&Layout::new(tree, words, style.tags), words, style, |_| Some("arc"), |_| "word")
}

/// The part of a tree that has been built at some point of a derivation: the arcs so far, words on the stack
/// in the accent colour, removed ones faded, and the arc that comes next, if there is one. Everything is
/// where [`tree`](fn@tree) has it.
///
/// `number` gives the place in the sentence of a node of the derivation, which differs when reading from
/// right to left.
pub fn progress(
    tree: &Tree,
    words: &[Word],
    configuration: &Configuration,
    next: Option<(usize, usize)>,
    number: impl Fn(usize) -> usize,
    style: &Style,
) -> String {
    let mut states = vec!["word waiting"; tree.len() + 1];
    for node in configuration.stack().filter(|&node| node <= tree.len()) {
        states[number(node)] = "word stacked";
    }
    for node in (1..=tree.len()).filter(|&node| configuration.head(node).is_some()) {
        states[number(node)] = "word removed";
    }
    let next = next.map(|(_, dependent)| number(dependent));
    let arc = |word: usize| match states[word] {
        _ if next == Some(word) => Some("arc current"),
        "word removed" => Some("arc"),
        _ => None,
    };
    draw(&Layout::new(tree, words, style.tags), words, style, arc, |word| states[word])
}

fn draw(
    layout: &Layout,
    words: &[Word],
    style: &Style,
    arc_class: impl Fn(usize) -> Option<&'static str>,
    word_class: impl Fn(usize) -> &'static str,
) -> String {
    let sentence: Vec<&str> = layout.forms.iter().map(|form| form.text.as_str()).collect();
    let mut svg = Svg::new(layout.width, layout.height, &sentence.join(" "), style);
    let shown = || layout.arcs.iter().filter_map(|arc| arc_class(arc.dependent).map(|class| (arc, class)));
    // Lines first, so that they are below all labels; those that cross above the others.
    for crossing in [false, true] {
        for (arc, class) in shown().filter(|(arc, _)| arc.crosses == crossing) {
            write_arc(&mut svg, arc, class, layout.ground);
        }
    }
    for (arc, class) in shown().filter(|(arc, _)| !arc.label.text.is_empty()) {
        let crossing = if arc.crosses { " crossing" } else { "" };
        let (x, y) = (arc.label.centre(), arc.label.baseline(RELATION));
        svg.add(format_args!("<g class=\"{class}{crossing}\" data-dependent=\"{}\">", arc.dependent));
        svg.text("relation", x, y, &arc.label.text);
        svg.add("</g>");
    }
    for (at, (form, tag)) in layout.forms.iter().zip(&layout.tags).enumerate() {
        svg.add(format_args!("<g class=\"{}\" data-word=\"{}\">", word_class(at + 1), at + 1));
        if let Some(word) = words.get(at).filter(|word| word.form != form.text && form.text.ends_with('…'))
        {
            let beginning: String = word.form.chars().take(1000).collect();
            svg.add(format_args!("<title>{}</title>", Escaped(&beginning)));
        }
        svg.text("form", form.centre(), form.baseline(FORM), &form.text);
        if !tag.text.is_empty() {
            svg.text("tag", tag.centre(), tag.baseline(TAG), &tag.text);
        }
        svg.add("</g>");
    }
    svg.finish()
}

fn write_arc(svg: &mut Svg, arc: &Arc, class: &str, ground: f64) {
    let crossing = if arc.crosses { " crossing" } else { "" };
    svg.add(format_args!(
        "<g class=\"{class}{crossing}\" data-head=\"{}\" data-dependent=\"{}\">",
        arc.head, arc.dependent
    ));
    let (to, height, tip) = (Place(arc.to), Place(arc.height), ground - 8.0);
    if arc.head == 0 {
        svg.add(format_args!("<path class=\"line\" d=\"M{to} {height}V{}\"/>", Place(tip)));
    } else {
        let corner = CORNER.min((arc.to - arc.from).abs() / 2.0);
        let turn = if arc.to > arc.from { corner } else { -corner };
        svg.add(format_args!(
            "<path class=\"line\" d=\"M{from} {}V{down}Q{from} {height} {} {height}H{}Q{to} {height} {to} {down}V{}\"/>",
            Place(ground),
            Place(arc.from + turn),
            Place(arc.to - turn),
            Place(tip),
            from = Place(arc.from),
            down = Place(arc.height + corner),
        ));
    }
    svg.add(format_args!("<path class=\"tip\" d=\"M{} {}h8l-4 8z\"/>", Place(arc.to - 4.0), Place(tip)));
    svg.add("</g>");
}
