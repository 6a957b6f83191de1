//! A tree on several lines, none wider than asked for.
//!
//! Each line is laid out like a tree of its own, with its two edges as further columns: an arc that leaves
//! the line ends at an edge, and goes on from the edge of the next.

use super::Word;
use super::arcs::{Ends, levels, ports};
use super::layout::{
    FIRST_LEVEL, FORM, GAP, LEVEL, Label, MARGIN, RELATION, ROOM, TAG, columns, free_place, root_label,
    verticals,
};
use super::measure::width;
use super::script::forms_run_from_right;
use super::style::Style;
use super::svg::{Place, Svg};
use super::texts::Texts;
use super::tree::CORNER;
use crate::Tree;
use crate::classes::crossing_arcs;

/// A tree as SVG, on as many lines as it takes.
pub(super) fn wrapped(tree: &Tree, words: &[Word], widest: f64, style: &Style) -> String {
    let texts = Texts::new(tree.len(), words, style.tags);
    let lines = broken(tree, &texts, widest);
    let total = lines.iter().map(|line| line.width).fold(2.0 * MARGIN, f64::max);
    let from_right = forms_run_from_right(texts.forms.iter().map(String::as_str));
    let page = Page { tree, texts: &texts, total, from_right, crosses: crossing_arcs(tree) };
    let height: f64 = lines.iter().map(|line| line.height(&texts)).sum::<f64>() + 2.0 * MARGIN;
    let mut svg = Svg::new(total, height, &texts.sentence(), style);
    let mut top = MARGIN;
    for line in &lines {
        page.write_line(&mut svg, line, top);
        top += line.height(&texts);
    }
    svg.finish()
}

/// Words `start..end`, counted from 0, with what there is of arcs above them. Column 0 is the left edge, then
/// come the words, and the last column is the right edge.
struct Line {
    start: usize,
    end: usize,
    /// The words whose arcs are seen, and where these begin and end.
    dependents: Vec<usize>,
    ends: Vec<Ends>,
    levels: Vec<usize>,
    ports: Vec<(f64, f64)>,
    x: Vec<f64>,
    width: f64,
}

/// As many words on each line as fit, and one at least.
fn broken(tree: &Tree, texts: &Texts, widest: f64) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut start = 0;
    while start < tree.len() {
        let mut line = Line::new(tree, texts, start, start + 1);
        while line.end < tree.len() {
            let longer = Line::new(tree, texts, start, line.end + 1);
            if longer.width > widest {
                break;
            }
            line = longer;
        }
        start = line.end;
        lines.push(line);
    }
    lines
}

impl Line {
    fn new(tree: &Tree, texts: &Texts, start: usize, end: usize) -> Line {
        let words = end - start;
        let column = |word: usize| match word {
            _ if word < start => 0,
            _ if word >= end => words + 1,
            _ => word - start + 1,
        };
        let rooted = |column: usize| (1..=words).contains(&column) && tree.head(start + column) == 0;
        let mut dependents = Vec::new();
        let mut ends = Vec::new();
        for word in (0..tree.len()).filter(|&word| tree.head(word + 1) != 0) {
            let arc = Ends { head: column(tree.head(word + 1) - 1), dependent: column(word) };
            if arc.head != arc.dependent {
                dependents.push(word);
                ends.push(arc);
            }
        }
        let levels = levels(&ends);
        let mut ports = ports(&ends, words + 2, rooted);
        for (end, port) in ends.iter().zip(&mut ports) {
            if end.left() == 0 {
                port.0 = 0.0;
            }
            if end.right() == words + 1 {
                port.1 = 0.0;
            }
        }
        let mut half = vec![0.0; words + 2];
        for word in start..end {
            let root = if rooted(word - start + 1) {
                width(&root_label(&texts.relations[word]), RELATION)
            } else {
                0.0
            };
            let text = width(&texts.forms[word], FORM).max(width(&texts.tags[word], TAG)).max(root);
            half[word - start + 1] = text / 2.0;
        }
        for (end, port) in ends.iter().zip(&ports) {
            half[end.left()] = half[end.left()].max(port.0.abs() + 2.0);
            half[end.right()] = half[end.right()].max(port.1.abs() + 2.0);
        }
        let passes = |end: &Ends| end.left() == 0 && end.right() == words + 1;
        let needed: Vec<f64> = dependents
            .iter()
            .zip(&ends)
            .map(
                |(&word, end)| {
                    if passes(end) { 0.0 } else { width(&texts.relations[word], RELATION) + ROOM }
                },
            )
            .collect();
        let x = columns(&half, &ends, &ports, &needed);
        let width = x.last().copied().unwrap_or(0.0) + GAP;
        Line { start, end, dependents, ends, levels, ports, x, width }
    }

    fn highest(&self) -> usize {
        self.levels.iter().copied().max().unwrap_or(0)
    }

    /// From the top of the line to where arcs meet words.
    fn ground(&self) -> f64 {
        RELATION + FIRST_LEVEL + LEVEL * (self.highest() as f64 + 0.5)
    }

    fn height(&self, texts: &Texts) -> f64 {
        self.ground() + 1.2 * FORM + if texts.has_tags() { 1.6 * TAG } else { 0.0 } + 14.0
    }
}

/// What all lines share.
struct Page<'a> {
    tree: &'a Tree,
    texts: &'a Texts,
    total: f64,
    from_right: bool,
    crosses: Vec<bool>,
}

impl Page<'_> {
    /// Where something is once the first word is on the side where it belongs.
    fn at(&self, x: f64) -> f64 {
        if self.from_right { self.total - x } else { x }
    }

    fn class(&self, word: usize) -> &'static str {
        if self.crosses[word] { "arc crossing" } else { "arc" }
    }

    fn write_line(&self, svg: &mut Svg, line: &Line, top: f64) {
        let ground = top + line.ground();
        // All lines reach to the edge of the page.
        let mut x = line.x.clone();
        if let Some(edge) = x.last_mut() {
            *edge = self.total;
        }
        if let Some(edge) = x.first_mut() {
            *edge = 0.0;
        }
        let height_of = |level: usize| ground - FIRST_LEVEL - LEVEL * (level as f64 - 1.0);
        let rooted: Vec<bool> = (0..x.len())
            .map(|column| {
                (1..=line.end - line.start).contains(&column) && self.tree.head(line.start + column) == 0
            })
            .collect();
        let verticals = verticals(&x, &line.ends, &line.ports, &line.levels, &rooted);
        let mut labels = Vec::new();
        for crossing in [false, true] {
            for (at, &word) in
                line.dependents.iter().enumerate().filter(|(_, word)| self.crosses[**word] == crossing)
            {
                let (end, port) = (line.ends[at], line.ports[at]);
                let (left, right) = (x[end.left()] + port.0, x[end.right()] + port.1);
                let height = height_of(line.levels[at]);
                self.write_arc(svg, word, end, x.len() - 1, (left, right), height, ground);
                let passes = end.left() == 0 && end.right() == x.len() - 1;
                let text = &self.texts.relations[word];
                if !passes && !text.is_empty() {
                    let half = width(text, RELATION) / 2.0;
                    let centre = free_place(left, right, half, &verticals, line.levels[at]);
                    labels.push((word, text.clone(), self.at(centre), height - 6.0));
                }
            }
        }
        for column in (1..x.len() - 1).filter(|&column| rooted[column]) {
            let word = line.start + column - 1;
            self.write_root(svg, word, self.at(x[column]), top + RELATION + 6.0, ground);
            labels.push((word, root_label(&self.texts.relations[word]), self.at(x[column]), top + RELATION));
        }
        for (word, text, centre, baseline) in labels {
            svg.add(format_args!("<g class=\"{}\" data-dependent=\"{}\">", self.class(word), word + 1));
            svg.text("relation", centre, baseline, &text);
            svg.add("</g>");
        }
        for word in line.start..line.end {
            let centre = self.at(x[word - line.start + 1]);
            let form = Label::new(self.texts.forms[word].clone(), centre, ground + 1.2 * FORM, FORM);
            svg.add(format_args!("<g class=\"word\" data-word=\"{}\">", word + 1));
            svg.text("form", form.centre(), form.baseline(FORM), &form.text);
            if !self.texts.tags[word].is_empty() {
                svg.text("tag", centre, ground + 1.2 * FORM + 1.6 * TAG, &self.texts.tags[word]);
            }
            svg.add("</g>");
        }
    }

    /// What there is of an arc on this line, between two places. An end at an edge stays open.
    #[allow(clippy::too_many_arguments)]
    fn write_arc(
        &self,
        svg: &mut Svg,
        word: usize,
        end: Ends,
        last: usize,
        (left, right): (f64, f64),
        height: f64,
        ground: f64,
    ) {
        let open = |column: usize| column == 0 || column == last;
        let (from, to) = if end.head < end.dependent { (left, right) } else { (right, left) };
        let (from, to) = (self.at(from), self.at(to));
        let corner = CORNER.min((to - from).abs() / 2.0);
        let turn = if to > from { corner } else { -corner };
        let mut path = match open(end.head) {
            true => format!("M{} {}", Place(from), Place(height)),
            false => format!(
                "M{from} {}V{}Q{from} {height} {} {height}",
                Place(ground),
                Place(height + corner),
                Place(from + turn),
                from = Place(from),
                height = Place(height)
            ),
        };
        path += &match open(end.dependent) {
            true => format!("H{}", Place(to)),
            false => format!(
                "H{}Q{to} {height} {to} {}V{}",
                Place(to - turn),
                Place(height + corner),
                Place(ground - 8.0),
                to = Place(to),
                height = Place(height)
            ),
        };
        let head = self.tree.head(word + 1);
        svg.add(format_args!(
            "<g class=\"{}\" data-head=\"{head}\" data-dependent=\"{}\"><path class=\"line\" d=\"{path}\"/>",
            self.class(word),
            word + 1
        ));
        if !open(end.dependent) {
            write_tip(svg, to, ground);
        }
        svg.add("</g>");
    }

    fn write_root(&self, svg: &mut Svg, word: usize, x: f64, top: f64, ground: f64) {
        svg.add(format_args!(
            "<g class=\"{}\" data-head=\"0\" data-dependent=\"{}\"><path class=\"line\" d=\"M{} {}V{}\"/>",
            self.class(word),
            word + 1,
            Place(x),
            Place(top),
            Place(ground - 8.0)
        ));
        write_tip(svg, x, ground);
        svg.add("</g>");
    }
}

fn write_tip(svg: &mut Svg, x: f64, ground: f64) {
    svg.add(format_args!("<path class=\"tip\" d=\"M{} {}h8l-4 8z\"/>", Place(x - 4.0), Place(ground - 8.0)));
}
