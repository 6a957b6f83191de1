//! A tree with a line for each word, and arcs at the side: as long as a sentence is, as narrow as its words.

use super::Word;
use super::arcs::{Ends, levels, ports};
use super::layout::{RELATION, TAG, root_label};
use super::measure::width;
use super::style::Style;
use super::svg::{Place, Svg};
use super::texts::Texts;
use crate::Tree;
use crate::classes::crossing_arcs;

/// The height of a word's line, unless many arcs meet there.
const ROW: f64 = 24.0;
/// From one level of arcs to the next.
const LEVEL: f64 = 12.0;
const MARGIN: f64 = 14.0;
const FORM: f64 = 14.0;
/// Arcs at a word are nearer to each other than in other arrangements, by this factor: one of them at most
/// has a tip.
const CLOSER: f64 = 0.65;
/// Between columns of text.
const GAP: f64 = 16.0;

/// A tree as SVG, from top to bottom.
pub(super) fn vertical(tree: &Tree, words: &[Word], style: &Style) -> String {
    let count = tree.len();
    let texts = Texts::new(count, words, style.tags);
    let dependents: Vec<usize> = (0..count).filter(|&word| tree.head(word + 1) != 0).collect();
    let ends: Vec<Ends> =
        dependents.iter().map(|&word| Ends { head: tree.head(word + 1) - 1, dependent: word }).collect();
    let levels = levels(&ends);
    let highest = levels.iter().copied().max().unwrap_or(0);
    let offsets: Vec<(f64, f64)> = ports(&ends, count, |row| tree.head(row + 1) == 0)
        .into_iter()
        .map(|(first, second)| (CLOSER * first, CLOSER * second))
        .collect();
    let (middles, height) = rows(count, &ends, &offsets);
    let ground = MARGIN + LEVEL * (highest as f64 + 1.5);
    let middle = |row: usize| middles[row];
    let widest = |texts: &[String], size: f64| texts.iter().map(|text| width(text, size)).fold(0.0, f64::max);
    let number_at = ground + 10.0 + width(&count.to_string(), RELATION);
    let form_at = number_at + 10.0;
    let tag_at = form_at + widest(&texts.forms, FORM) + GAP;
    let relation_at = if texts.has_tags() { tag_at + widest(&texts.tags, TAG) + GAP } else { tag_at };
    let relation = |word: usize| match tree.head(word + 1) {
        0 => root_label(&texts.relations[word]),
        _ => texts.relations[word].clone(),
    };
    let relations: Vec<String> = (0..count).map(relation).collect();
    let total = relation_at + widest(&relations, RELATION) + MARGIN;

    let mut svg = Svg::new(total, height, &texts.sentence(), style);
    let crosses = crossing_arcs(tree);
    let class = |word: usize| if crosses[word] { "arc crossing" } else { "arc" };
    for wanted in [false, true] {
        for word in (0..count).filter(|&word| crosses[word] == wanted) {
            svg.add(format_args!(
                "<g class=\"{}\" data-head=\"{}\" data-dependent=\"{}\">",
                class(word),
                tree.head(word + 1),
                word + 1
            ));
            let to = match dependents.binary_search(&word) {
                Ok(arc) => {
                    let (top, bottom) = (
                        middle(ends[arc].left()) + offsets[arc].0,
                        middle(ends[arc].right()) + offsets[arc].1,
                    );
                    let (from, to) =
                        if ends[arc].head < ends[arc].dependent { (top, bottom) } else { (bottom, top) };
                    let side = ground - LEVEL * (levels[arc] as f64 + 0.5);
                    write_line(&mut svg, from, to, side, ground);
                    to
                }
                Err(_) => {
                    let (y, end) = (Place(middle(word)), Place(ground - 8.0));
                    svg.add(format_args!("<path class=\"line\" d=\"M{} {y}H{end}\"/>", Place(MARGIN / 2.0)));
                    middle(word)
                }
            };
            svg.add(format_args!(
                "<path class=\"tip\" d=\"M{} {}v8l8 -4z\"/>",
                Place(ground - 8.0),
                Place(to - 4.0)
            ));
            svg.add("</g>");
        }
    }
    for (word, relation) in relations.iter().enumerate() {
        let baseline = middle(word) + 5.0;
        svg.add(format_args!("<g class=\"word\" data-word=\"{}\">", word + 1));
        svg.text("small end", number_at, baseline, &(word + 1).to_string());
        svg.text("node start", form_at, baseline, &texts.forms[word]);
        if texts.has_tags() {
            svg.text("tag start", tag_at, baseline, &texts.tags[word]);
        }
        svg.add(format_args!("<g class=\"{}\">", class(word)));
        svg.text("relation start", relation_at, baseline, relation);
        svg.add("</g></g>");
    }
    svg.finish()
}

/// The middle of each row, as near to each other as texts and arcs permit, and the height of all.
fn rows(count: usize, ends: &[Ends], offsets: &[(f64, f64)]) -> (Vec<f64>, f64) {
    let mut half = vec![ROW / 2.0; count];
    for (end, offset) in ends.iter().zip(offsets) {
        half[end.left()] = half[end.left()].max(offset.0.abs() + 5.0);
        half[end.right()] = half[end.right()].max(offset.1.abs() + 5.0);
    }
    let mut edge = MARGIN;
    let mut middles = Vec::with_capacity(count);
    for half in half {
        middles.push(edge + half);
        edge += 2.0 * half;
    }
    (middles, edge + MARGIN)
}

/// Out to the side, along, and back to the tip.
fn write_line(svg: &mut Svg, from: f64, to: f64, side: f64, ground: f64) {
    let corner = 6.0f64.min((to - from).abs() / 2.0);
    let turn = if to > from { corner } else { -corner };
    svg.add(format_args!(
        "<path class=\"line\" d=\"M{} {from}H{in_}Q{side} {from} {side} {}V{}Q{side} {to} {in_} {to}H{}\"/>",
        Place(ground),
        Place(from + turn),
        Place(to - turn),
        Place(ground - 8.0),
        from = Place(from),
        to = Place(to),
        side = Place(side),
        in_ = Place(side + corner),
    ));
}
