//! A system's inventory as a picture: slots as boxes, reduces as arcs from head to dependent.

use super::arcs::{Ends, levels, ports};
use super::measure::width;
use super::style::Style;
use super::svg::{Place, Svg};
use crate::System;
use crate::system::Slot;

const BOX: f64 = 30.0;
const LEVEL: f64 = 16.0;

/// A system's inventory as SVG: the stack on the left, the buffer on the right, an arc from head to dependent
/// for each reduce. Arcs above have their head on the right, arcs below on the left.
///
/// ```
/// use tanglewood::System;
/// use tanglewood::draw::{self, Style};
/// let svg = draw::inventory(&System::named("all-s0s1")?, &Style::default());
/// assert_eq!(svg.matches("class=\"tip\"").count(), 6);
/// # Ok::<(), tanglewood::system::NameError>(())
/// ```
pub fn inventory(system: &System, style: &Style) -> String {
    let slots = slots(system);
    let column = |slot: Slot| slots.iter().position(|&other| other == slot).unwrap_or(0);
    let reduces = system.inventory().reduces().iter();
    let ends = reduces
        .map(|reduce| Ends { head: column(reduce.head), dependent: column(Slot::Stack(reduce.dependent)) });
    let (above, below): (Vec<Ends>, Vec<Ends>) = ends.partition(|ends| ends.dependent < ends.head);

    let names: Vec<String> = slots.iter().map(|&slot| name(slot)).collect();
    let stack = slots.iter().filter(|slot| matches!(slot, Slot::Stack(_))).count();
    let most = (0..slots.len()).map(|column| meeting(&above, column).max(meeting(&below, column))).max();
    let wide = |name: &String| (width(name, 14.0) + 22.0).max(8.0 * most.unwrap_or(0) as f64 + 10.0);
    let mut x = Vec::new();
    let mut edge = 20.0;
    for (at, name) in names.iter().enumerate() {
        if at == stack {
            edge += 20.0;
        }
        x.push(edge + wide(name) / 2.0);
        edge += wide(name) + 16.0;
    }
    let highest = |arcs: &[Ends]| levels(arcs).into_iter().max().map_or(0.0, |top| 16.0 + LEVEL * top as f64);
    let title_height = 30.0;
    let top = title_height + highest(&above).max(8.0);
    let title = format!("{system}: {}", system.inventory());
    let heading = system.name();
    let total = (edge + 4.0).max(width(heading, 14.0) + 40.0);
    let mut svg = Svg::new(total, top + BOX + highest(&below).max(8.0) + 12.0, &title, style);
    svg.text("node", total / 2.0, 22.0, heading);
    if stack < slots.len() {
        let line = x[stack] - wide(&names[stack]) / 2.0 - 18.0;
        svg.add(format_args!(
            "<path class=\"grid\" stroke-dasharray=\"4 3\" d=\"M{} {}v{}\"/>",
            Place(line),
            Place(top - 6.0),
            Place(BOX + 12.0)
        ));
    }
    for (name, &x) in names.iter().zip(&x) {
        svg.add(format_args!(
            "<rect class=\"box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{BOX}\" rx=\"5\"/>",
            Place(x - wide(name) / 2.0),
            Place(top),
            Place(wide(name))
        ));
        svg.text("node", x, top + BOX / 2.0 + 5.0, name);
    }
    write_arcs(&mut svg, &above, &x, top, -1.0);
    write_arcs(&mut svg, &below, &x, top + BOX, 1.0);
    svg.finish()
}

/// The slots that occur, deepest first, and all that are nearer than one that occurs.
fn slots(system: &System) -> Vec<Slot> {
    let inventory = system.inventory();
    let stack = (0..=inventory.depth() as u8).rev().map(Slot::Stack);
    let furthest = inventory.reduces().iter().filter_map(|reduce| match reduce.head {
        Slot::Buffer(place) => Some(place),
        _ => None,
    });
    let buffer = furthest.max().map_or(0..0, |furthest| 0..furthest + 1).map(Slot::Buffer);
    let ahead = inventory.reduces().iter().any(|reduce| reduce.head == Slot::Ahead).then_some(Slot::Ahead);
    stack.chain(buffer).chain(ahead).collect()
}

fn name(slot: Slot) -> String {
    match slot {
        Slot::Ahead => "b0 b1 b2 …".to_owned(),
        other => other.to_string(),
    }
}

fn meeting(arcs: &[Ends], column: usize) -> usize {
    arcs.iter().filter(|ends| ends.head == column || ends.dependent == column).count()
}

/// Arcs on one side of the boxes; `side` is −1 above and 1 below.
fn write_arcs(svg: &mut Svg, arcs: &[Ends], x: &[f64], edge: f64, side: f64) {
    let ports = ports(arcs, x.len(), |_| false);
    for ((ends, level), port) in arcs.iter().zip(levels(arcs)).zip(&ports) {
        let (left, right) = (x[ends.left()] + port.0, x[ends.right()] + port.1);
        let (from, to) = if ends.head < ends.dependent { (left, right) } else { (right, left) };
        let height = edge + side * (16.0 + LEVEL * (level as f64 - 1.0) + 8.0);
        let corner = 8.0;
        let turn = if to > from { corner } else { -corner };
        svg.add(format_args!(
            "<path class=\"line\" d=\"M{from} {}V{down}Q{from} {height} {} {height}H{}Q{to} {height} {to} {down}V{}\"/>",
            Place(edge),
            Place(from + turn),
            Place(to - turn),
            Place(edge + side * 8.0),
            down = Place(height - side * corner),
            from = Place(from),
            to = Place(to),
            height = Place(height),
        ));
        let (base, point) = (edge + side * 8.0, -side * 8.0);
        svg.add(format_args!(
            "<path class=\"tip\" d=\"M{} {}h8l-4 {}z\"/>",
            Place(to - 4.0),
            Place(base),
            Place(point)
        ));
    }
}
