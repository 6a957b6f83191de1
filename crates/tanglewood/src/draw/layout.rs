//! Where everything of a tree is.
//!
//! Words stand in columns, wide enough for their text and for the labels of the arcs above them: an arc is
//! never narrower than its label. Arcs on the same level have no more than a word in common, and levels are
//! further apart than labels are high. So no two labels overlap, whatever the tree.

use super::Word;
use super::arcs::{Ends, levels, ports};
use super::measure::width;
use super::script::forms_run_from_right;
use super::texts::Texts;
use crate::Tree;
use crate::classes::crossing_arcs;

/// Sizes of fonts, as in the style sheet.
pub(super) const FORM: f64 = 18.0;
pub(super) const TAG: f64 = 11.0;
pub(super) const RELATION: f64 = 12.0;

/// From one level of arcs to the next.
pub(super) const LEVEL: f64 = 24.0;
/// From the words to the first level.
pub(super) const FIRST_LEVEL: f64 = 26.0;
/// Between two words, at least.
pub(super) const GAP: f64 = 18.0;
/// An arc is wider than its label by this much.
pub(super) const ROOM: f64 = 22.0;
/// Around the picture.
pub(super) const MARGIN: f64 = 16.0;

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Its left side.
    pub left: f64,
    /// Its upper side.
    pub top: f64,
    /// Its right side.
    pub right: f64,
    /// Its lower side.
    pub bottom: f64,
}

impl Bounds {
    /// True if and only if the two have an area in common.
    pub fn overlap(&self, other: &Bounds) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// A text and the place it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What is written there.
    pub text: String,
    /// Where; the text is as wide as that in a wide font, and narrower in others.
    pub bounds: Bounds,
}

impl Label {
    pub(super) fn new(text: String, centre: f64, baseline: f64, size: f64) -> Label {
        let half = width(&text, size) / 2.0;
        let bounds = Bounds {
            left: centre - half,
            top: baseline - 0.8 * size,
            right: centre + half,
            bottom: baseline + 0.25 * size,
        };
        Label { text, bounds }
    }

    /// The middle of the text.
    pub fn centre(&self) -> f64 {
        (self.bounds.left + self.bounds.right) / 2.0
    }

    /// The line it stands on, for a font of the given size.
    pub fn baseline(&self, size: f64) -> f64 {
        self.bounds.bottom - 0.25 * size
    }
}

/// The arc to a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    /// The head; 0 for the root.
    pub head: usize,
    /// The word.
    pub dependent: usize,
    /// Where it leaves the head; for a root arc, where the word is.
    pub from: f64,
    /// Where it comes down on the word.
    pub to: f64,
    /// How high it goes.
    pub height: f64,
    /// Whether it crosses another one.
    pub crosses: bool,
    /// Its relation.
    pub label: Label,
}

/// A tree's picture as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// Where arcs meet words.
    pub ground: f64,
    /// The forms of words 1..=n.
    pub forms: Vec<Label>,
    /// Their tags.
    pub tags: Vec<Label>,
    /// The arcs to words 1..=n.
    pub arcs: Vec<Arc>,
    /// Whether the sentence runs from right to left.
    pub from_right: bool,
}

impl Layout {
    /// The layout of a tree. Words that are missing are shown by their numbers; surplus ones are not.
    /// Quadratic time.
    pub fn new(tree: &Tree, words: &[Word], tags: bool) -> Layout {
        let count = tree.len();
        let Texts { forms, tags, relations } = Texts::new(count, words, tags);

        let rooted: Vec<bool> = tree.heads().map(|head| head == 0).collect();
        let between: Vec<usize> = (0..count).filter(|&word| !rooted[word]).collect();
        let ends: Vec<Ends> =
            between.iter().map(|&word| Ends { head: tree.head(word + 1) - 1, dependent: word }).collect();
        let levels = levels(&ends);
        let ports = ports(&ends, count, |column| rooted[column]);
        let half: Vec<f64> = half_widths(&forms, &tags, &relations, &rooted, &ends, &ports);
        let needed: Vec<f64> = between.iter().map(|&word| width(&relations[word], RELATION) + ROOM).collect();
        let x = columns(&half, &ends, &ports, &needed);
        let total = x.last().zip(half.last()).map_or(0.0, |(x, half)| x + half) + MARGIN;

        let highest = levels.iter().copied().max().unwrap_or(0);
        let top = MARGIN + RELATION;
        let level_height = |level: usize| FIRST_LEVEL + LEVEL * (level as f64 - 1.0);
        let ground = top + level_height(highest + 1) + LEVEL / 2.0;
        let crosses = crossing_arcs(tree);

        let mut arcs: Vec<Option<Arc>> = vec![None; count];
        let verticals = verticals(&x, &ends, &ports, &levels, &rooted);
        for (at, (&word, end)) in between.iter().zip(&ends).enumerate() {
            let (left, right) = (x[end.left()] + ports[at].0, x[end.right()] + ports[at].1);
            let (from, to) = if end.head < end.dependent { (left, right) } else { (right, left) };
            let height = ground - level_height(levels[at]);
            let half = width(&relations[word], RELATION) / 2.0;
            let centre = free_place(left, right, half, &verticals, levels[at]);
            let label = Label::new(relations[word].clone(), centre, height - 6.0, RELATION);
            arcs[word] = Some(Arc {
                head: end.head + 1,
                dependent: word + 1,
                from,
                to,
                height,
                crosses: crosses[word],
                label,
            });
        }
        for word in (0..count).filter(|&word| rooted[word]) {
            let label = Label::new(root_label(&relations[word]), x[word], top, RELATION);
            arcs[word] = Some(Arc {
                head: 0,
                dependent: word + 1,
                from: x[word],
                to: x[word],
                height: top + 6.0,
                crosses: crosses[word],
                label,
            });
        }
        let below = ground + 1.2 * FORM;
        let has_tags = tags.iter().any(|tag| !tag.is_empty());
        let label = |texts: Vec<String>, baseline: f64, size: f64| -> Vec<Label> {
            texts.into_iter().zip(&x).map(|(text, &x)| Label::new(text, x, baseline, size)).collect()
        };
        let mut layout = Layout {
            width: total.max(2.0 * MARGIN),
            height: below + if has_tags { 1.6 * TAG } else { 0.0 } + MARGIN,
            ground,
            from_right: forms_run_from_right(forms.iter().map(String::as_str)),
            forms: label(forms, below, FORM),
            tags: label(tags, below + 1.6 * TAG, TAG),
            arcs: arcs.into_iter().flatten().collect(),
        };
        if layout.from_right {
            layout.mirror();
        }
        layout
    }

    /// Every text in the picture.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        self.forms.iter().chain(&self.tags).chain(self.arcs.iter().map(|arc| &arc.label))
    }

    /// The first word on the right.
    fn mirror(&mut self) {
        let width = self.width;
        let turn = |label: &mut Label| {
            (label.bounds.left, label.bounds.right) = (width - label.bounds.right, width - label.bounds.left);
        };
        self.forms.iter_mut().chain(&mut self.tags).for_each(turn);
        for arc in &mut self.arcs {
            turn(&mut arc.label);
            (arc.from, arc.to) = (width - arc.from, width - arc.to);
        }
    }
}

/// What stands at a root arc that has no relation.
pub(super) fn root_label(relation: &str) -> String {
    if relation.is_empty() { "root".to_owned() } else { relation.to_owned() }
}

/// Half of the width of each column: form, tag, the label of a root arc, and the ends of arcs have to fit.
fn half_widths(
    forms: &[String],
    tags: &[String],
    relations: &[String],
    rooted: &[bool],
    ends: &[Ends],
    ports: &[(f64, f64)],
) -> Vec<f64> {
    let mut half: Vec<f64> = (0..forms.len())
        .map(|word| {
            let root = if rooted[word] { width(&root_label(&relations[word]), RELATION) } else { 0.0 };
            width(&forms[word], FORM).max(width(&tags[word], TAG)).max(root) / 2.0
        })
        .collect();
    for (end, port) in ends.iter().zip(ports) {
        for (column, offset) in [(end.left(), port.0), (end.right(), port.1)] {
            half[column] = half[column].max(offset.abs() + 2.0);
        }
    }
    half
}

/// The middle of each column, as far left as the widths of columns and arcs permit.
pub(super) fn columns(half: &[f64], ends: &[Ends], ports: &[(f64, f64)], needed: &[f64]) -> Vec<f64> {
    let mut ending: Vec<Vec<usize>> = vec![Vec::new(); half.len()];
    for (at, end) in ends.iter().enumerate() {
        ending[end.right()].push(at);
    }
    let mut x: Vec<f64> = Vec::with_capacity(half.len());
    for column in 0..half.len() {
        let mut place = match column.checked_sub(1) {
            None => MARGIN + half[0],
            Some(before) => x[before] + half[before] + GAP + half[column],
        };
        for &at in &ending[column] {
            place = place.max(x[ends[at].left()] + ports[at].0 + needed[at] - ports[at].1);
        }
        x.push(place);
    }
    x
}

/// The vertical lines, from left to right: where they are, and the level they go up to.
pub(super) fn verticals(
    x: &[f64],
    ends: &[Ends],
    ports: &[(f64, f64)],
    levels: &[usize],
    rooted: &[bool],
) -> Vec<(f64, usize)> {
    let mut lines: Vec<(f64, usize)> = Vec::new();
    for ((end, port), &level) in ends.iter().zip(ports).zip(levels) {
        lines.push((x[end.left()] + port.0, level));
        lines.push((x[end.right()] + port.1, level));
    }
    lines.extend(x.iter().zip(rooted).filter(|(_, rooted)| **rooted).map(|(&x, _)| (x, usize::MAX)));
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    lines
}

/// The place for the middle of a label on an arc: as near to the arc's middle as possible where no line goes
/// through it, or the middle if there is no such place.
pub(super) fn free_place(left: f64, right: f64, half: f64, verticals: &[(f64, usize)], level: usize) -> f64 {
    let middle = (left + right) / 2.0;
    let reach = half + 4.0;
    let start = verticals.partition_point(|line| line.0 <= left);
    let inside = verticals[start..].iter().take_while(|line| line.0 < right);
    let mut before = left + 4.0;
    let mut best = None;
    let mut consider = |from: f64, to: f64| {
        if to - from >= 2.0 * reach {
            let place = middle.clamp(from + reach, to - reach);
            if best.is_none_or(|best: f64| (place - middle).abs() < (best - middle).abs()) {
                best = Some(place);
            }
        }
    };
    for line in inside.filter(|line| line.1 > level) {
        consider(before, line.0);
        before = line.0;
    }
    consider(before, right - 4.0);
    best.unwrap_or(middle)
}
