//! A tree in little room: words close together, relations below them.

use super::Word;
use super::arcs::{Ends, levels, ports};
use super::layout::{RELATION, TAG, root_label};
use super::measure::width;
use super::script::forms_run_from_right;
use super::style::Style;
use super::svg::{Place, Svg};
use super::texts::Texts;
use crate::Tree;
use crate::classes::crossing_arcs;

/// The size of forms, as in the style sheet.
const FORM: f64 = 14.0;
/// From one level of arcs to the next.
const LEVEL: f64 = 11.0;
const FIRST_LEVEL: f64 = 18.0;
/// Between two words.
const GAP: f64 = 9.0;
const MARGIN: f64 = 12.0;
/// From one line of text to the next.
const LINE: f64 = 16.0;

/// A tree as SVG whose words are only as far apart as their texts.
pub(super) fn compact(tree: &Tree, words: &[Word], style: &Style) -> String {
    let count = tree.len();
    let mut texts = Texts::new(count, words, style.tags);
    for word in (0..count).filter(|&word| tree.head(word + 1) == 0) {
        texts.relations[word] = root_label(&texts.relations[word]);
    }
    let dependents: Vec<usize> = (0..count).filter(|&word| tree.head(word + 1) != 0).collect();
    let ends: Vec<Ends> =
        dependents.iter().map(|&word| Ends { head: tree.head(word + 1) - 1, dependent: word }).collect();
    let levels = levels(&ends);
    let ports = ports(&ends, count, |column| tree.head(column + 1) == 0);

    let mut half: Vec<f64> = (0..count)
        .map(|word| {
            let below = width(&texts.tags[word], TAG).max(width(&texts.relations[word], RELATION));
            width(&texts.forms[word], FORM).max(below) / 2.0
        })
        .collect();
    for (end, port) in ends.iter().zip(&ports) {
        half[end.left()] = half[end.left()].max(port.0.abs() + 2.0);
        half[end.right()] = half[end.right()].max(port.1.abs() + 2.0);
    }
    let mut x: Vec<f64> = Vec::with_capacity(count);
    let mut edge = MARGIN;
    for half in &half {
        x.push(edge + half);
        edge += 2.0 * half + GAP;
    }
    let total = (edge - GAP + MARGIN).max(2.0 * MARGIN);
    let highest = levels.iter().copied().max().unwrap_or(0);
    let ground = MARGIN + FIRST_LEVEL + LEVEL * highest as f64;
    let rows = if texts.has_tags() { 3.0 } else { 2.0 };
    let from_right = forms_run_from_right(texts.forms.iter().map(String::as_str));
    let at = |x: f64| if from_right { total - x } else { x };

    let mut svg = Svg::new(total, ground + LINE * rows + MARGIN, &texts.sentence(), style);
    let crosses = crossing_arcs(tree);
    let class = |word: usize| if crosses[word] { "arc crossing" } else { "arc" };
    for wanted in [false, true] {
        for word in (0..count).filter(|&word| crosses[word] == wanted) {
            let head = tree.head(word + 1);
            svg.add(format_args!(
                "<g class=\"{}\" data-head=\"{head}\" data-dependent=\"{}\">",
                class(word),
                word + 1
            ));
            let (to, tip) = match dependents.binary_search(&word) {
                Ok(arc) => {
                    let (left, right) =
                        (x[ends[arc].left()] + ports[arc].0, x[ends[arc].right()] + ports[arc].1);
                    let (from, to) =
                        if ends[arc].head < ends[arc].dependent { (left, right) } else { (right, left) };
                    let height = ground - FIRST_LEVEL - LEVEL * (levels[arc] as f64 - 1.0);
                    write_line(&mut svg, at(from), at(to), height, ground);
                    (at(to), ground - 6.0)
                }
                Err(_) => {
                    svg.add(format_args!(
                        "<path class=\"line\" d=\"M{} {}V{}\"/>",
                        Place(at(x[word])),
                        Place(MARGIN),
                        Place(ground - 6.0)
                    ));
                    (at(x[word]), ground - 6.0)
                }
            };
            svg.add(format_args!("<path class=\"tip\" d=\"M{} {}h6l-3 6z\"/>", Place(to - 3.0), Place(tip)));
            svg.add("</g>");
        }
    }
    for (word, &middle) in x.iter().enumerate() {
        svg.add(format_args!("<g class=\"word\" data-word=\"{}\">", word + 1));
        let mut baseline = ground + LINE;
        svg.text("node", at(middle), baseline, &texts.forms[word]);
        if texts.has_tags() {
            baseline += LINE;
            svg.text("tag", at(middle), baseline - 2.0, &texts.tags[word]);
        }
        svg.add(format_args!("<g class=\"{}\">", class(word)));
        svg.text("relation", at(middle), baseline + LINE - 2.0, &texts.relations[word]);
        svg.add("</g></g>");
    }
    svg.finish()
}

/// Up, along, and down to the tip.
fn write_line(svg: &mut Svg, from: f64, to: f64, height: f64, ground: f64) {
    let corner = 6.0f64.min((to - from).abs() / 2.0);
    let turn = if to > from { corner } else { -corner };
    svg.add(format_args!(
        "<path class=\"line\" d=\"M{from} {}V{down}Q{from} {height} {} {height}H{}Q{to} {height} {to} {down}V{}\"/>",
        Place(ground),
        Place(from + turn),
        Place(to - turn),
        Place(ground - 6.0),
        from = Place(from),
        to = Place(to),
        height = Place(height),
        down = Place(height + corner),
    ));
}
