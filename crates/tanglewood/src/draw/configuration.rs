//! Stack and buffer as boxes, and a reduce as an arc between the slots it touches.

use super::Word;
use super::measure::{shortened, width};
use super::style::Style;
use super::svg::{Place, Svg};
use crate::system::Address;
use crate::{Configuration, Transition};

/// Smallest number of nodes that is shown of stack and buffer, if they have that many.
const SHOWN: usize = 5;
/// The height of a box.
const BOX: f64 = 28.0;
/// Between boxes.
const GAP: f64 = 8.0;
/// Room for a reduce above the boxes.
pub(super) const ABOVE: f64 = 34.0;
/// The height of a row: a reduce, boxes, names of slots.
pub(super) const ROW: f64 = ABOVE + BOX + 22.0;
const SIZE: f64 = 14.0;

/// One configuration as SVG, with the transition that comes next drawn on the slots it touches.
///
/// `number` gives the place in the sentence of a node of the derivation, which differs when reading from
/// right to left.
pub fn configuration(
    configuration: &Configuration,
    next: Option<Transition>,
    words: &[Word],
    number: impl Fn(usize) -> usize,
    style: &Style,
) -> String {
    let row = Row::new(configuration, next, &|node| (number(node), form(words, number(node))));
    let (left, right) = (row.stack_width(), row.buffer_width());
    let title = format!("stack and buffer{}", next.map_or(String::new(), |next| format!("; next: {next}")));
    let mut svg = Svg::new(left + right + 48.0, ROW + 6.0, &title, style);
    row.write(&mut svg, left + 24.0, 0.0);
    svg.finish()
}

/// A word of the sentence, by its number; the root has a name, too.
pub(super) fn form(words: &[Word], number: usize) -> String {
    match number.checked_sub(1).map(|at| words.get(at)) {
        None => "ROOT".to_owned(),
        Some(Some(word)) if !word.form.is_empty() => shortened(&word.form),
        Some(_) => number.to_string(),
    }
}

/// A box, or dots for what is not shown.
struct Slot {
    /// None for dots.
    address: Option<Address>,
    /// The node's place in the sentence; 0 for the root and for dots.
    number: usize,
    form: String,
}

impl Slot {
    fn dots() -> Slot {
        Slot { address: None, number: 0, form: "…".to_owned() }
    }

    fn width(&self) -> f64 {
        width(&self.form, SIZE) + if self.address.is_some() { 16.0 } else { 4.0 }
    }
}

/// A configuration, ready to be drawn.
pub(super) struct Row {
    /// Deepest first.
    stack: Vec<Slot>,
    buffer: Vec<Slot>,
    next: Option<Transition>,
}

impl Row {
    pub fn new(
        configuration: &Configuration,
        next: Option<Transition>,
        named: &dyn Fn(usize) -> (usize, String),
    ) -> Row {
        let (deepest, ahead) = match next {
            Some(Transition::Reduce { head: Address::Stack(head), dependent }) => (head.max(dependent), 0),
            Some(Transition::Reduce { head: Address::Buffer(head), dependent }) => (dependent, head),
            _ => (0, 0),
        };
        let slot = |address: Address, node: usize| {
            let (number, form) = named(node);
            Slot { address: Some(address), number, form }
        };
        let depth = configuration.stack().len();
        let shown = depth.min(SHOWN.max(deepest + 1));
        let mut stack: Vec<Slot> = if depth > shown { vec![Slot::dots()] } else { Vec::new() };
        let nodes = configuration.stack().skip(depth - shown);
        stack.extend(nodes.zip((0..shown).rev()).map(|(node, place)| slot(Address::Stack(place), node)));

        let waiting = configuration.buffer();
        let shown = waiting.len().min(SHOWN);
        let mut buffer: Vec<Slot> = waiting
            .clone()
            .take(shown)
            .enumerate()
            .map(|(at, node)| slot(Address::Buffer(at), node))
            .collect();
        // A head far ahead is shown, too.
        let far = waiting.clone().nth(ahead).filter(|_| ahead >= shown);
        let mut last = shown;
        if let Some(node) = far {
            if ahead > shown {
                buffer.push(Slot::dots());
            }
            buffer.push(slot(Address::Buffer(ahead), node));
            last = ahead + 1;
        }
        if waiting.len() > last {
            buffer.push(Slot::dots());
        }
        Row { stack, buffer, next }
    }

    pub fn stack_width(&self) -> f64 {
        self.stack.iter().map(|slot| slot.width() + GAP).sum()
    }

    pub fn buffer_width(&self) -> f64 {
        self.buffer.iter().map(|slot| slot.width() + GAP).sum()
    }

    /// Draws it with the line between stack and buffer at `middle`.
    pub fn write(&self, svg: &mut Svg, middle: f64, top: f64) {
        let y = top + ABOVE;
        svg.add(format_args!(
            "<path class=\"grid\" d=\"M{} {}v{}\"/>",
            Place(middle),
            Place(y - 5.0),
            Place(BOX + 10.0)
        ));
        let mut ends = [None, None];
        let mut x = middle - self.stack_width();
        for slot in &self.stack {
            self.write_slot(svg, slot, x, y, &mut ends);
            x += slot.width() + GAP;
        }
        x = middle + GAP;
        for slot in &self.buffer {
            self.write_slot(svg, slot, x, y, &mut ends);
            x += slot.width() + GAP;
        }
        match (self.next, ends) {
            (Some(Transition::Reduce { .. }), [Some(head), Some(dependent)]) => {
                write_reduce(svg, head, dependent, y)
            }
            (Some(Transition::Shift), _) => write_shift(svg, middle, y),
            _ => {}
        }
    }

    /// A box, with its name if it is one of the first slots; notes where head and dependent of a reduce are.
    fn write_slot(&self, svg: &mut Svg, slot: &Slot, x: f64, y: f64, ends: &mut [Option<f64>; 2]) {
        let centre = x + slot.width() / 2.0;
        let Some(address) = slot.address else {
            svg.text("small", centre, y + BOX / 2.0 + 4.0, &slot.form);
            return;
        };
        let mut class = "slot";
        if let Some(Transition::Reduce { head, dependent }) = self.next {
            if address == head {
                ends[0] = Some(centre);
                class = "slot current";
            } else if address == Address::Stack(dependent) {
                ends[1] = Some(centre);
                class = "slot current";
            }
        }
        svg.add(format_args!("<g class=\"{class}\" data-node=\"{}\">", slot.number));
        svg.add(format_args!(
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{BOX}\" rx=\"5\"/>",
            Place(x),
            Place(y),
            Place(slot.width())
        ));
        svg.text("node", centre, y + BOX / 2.0 + 5.0, &slot.form);
        svg.text("tag", centre, y + BOX + 14.0, &address.to_string());
        svg.add("</g>");
    }
}

/// A curve from head to dependent.
fn write_reduce(svg: &mut Svg, head: f64, dependent: f64, y: f64) {
    let turn = if dependent > head { 10.0 } else { -10.0 };
    svg.add("<g class=\"current\">");
    svg.add(format_args!(
        "<path class=\"curve\" d=\"M{head} {y}C{} {top} {} {top} {dependent} {}\"/>",
        Place(head + turn),
        Place(dependent - turn),
        Place(y - 7.0),
        head = Place(head),
        dependent = Place(dependent),
        y = Place(y - 1.0),
        top = Place(y - ABOVE + 2.0),
    ));
    svg.add(format_args!(
        "<path class=\"tip\" d=\"M{} {}h8l-4 8z\"/>",
        Place(dependent - 4.0),
        Place(y - 9.0)
    ));
    svg.add("</g>");
}

/// A small arrow over the line between buffer and stack.
fn write_shift(svg: &mut Svg, middle: f64, y: f64) {
    svg.add("<g class=\"current\">");
    svg.add(format_args!(
        "<path class=\"curve\" d=\"M{} {y}h-18\"/><path class=\"tip\" d=\"M{} {y}l8 -4v8z\"/>",
        Place(middle + 12.0),
        Place(middle - 14.0),
        y = Place(y - 13.0)
    ));
    svg.add("</g>");
}
