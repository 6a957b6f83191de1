//! Coverage against the cost of exact inference, as a plot.
//!
//! The systems worth telling apart cover almost everything, so the plot shows what they do *not* cover, on a
//! logarithmic axis: the higher, the less is missing. Every point has its name and share beside it, joined to
//! it by a line.

use super::frontier_scale::Scale;
use super::measure::width;
use super::style::Style;
use super::svg::{Place, Svg};

const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 92.0;
/// The height of the part with the points.
const PLOT: f64 = 400.0;
/// From one label to the next below it.
const LINE: f64 = 15.0;
/// From a column of points to its labels.
const LEADER: f64 = 34.0;
const SIZE: f64 = 12.0;

/// A system or class in the plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it is called.
    pub name: String,
    /// Time is O(n^exponent).
    pub exponent: u32,
    /// The share covered, in percent.
    pub share: f64,
    /// Whether it is drawn filled.
    pub filled: bool,
    /// Whether it is one of the paper's systems; those are squares.
    pub paper: bool,
}

/// What is written around a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What is plotted.
    pub title: String,
    /// What filled points stand for; nothing if empty.
    pub filled: String,
    /// What hollow points stand for; nothing if empty.
    pub hollow: String,
    /// Lines below the plot: where the figures come from.
    pub footer: Vec<String>,
}

/// What is not covered above the exponents of time, and steps along the points that nothing cheaper or
/// equally cheap beats.
///
/// ```
/// use tanglewood::draw::{Caption, Point, Style, frontier};
/// let point = Point { name: "mh4".to_owned(), exponent: 4, share: 87.5, filled: true, paper: false };
/// let plot = frontier(&[point], &Caption::default(), &Style::default());
/// assert!(plot.contains(">mh4 87.50 %</text>"));
/// ```
pub fn frontier(points: &[Point], caption: &Caption, style: &Style) -> String {
    let mut exponents: Vec<u32> = points.iter().map(|point| point.exponent).collect();
    exponents.sort_unstable();
    exponents.dedup();
    let columns: Vec<f64> = columns(points, &exponents);
    let edge = columns.last().copied().unwrap_or(LEFT);
    let footer_width = caption.footer.iter().map(|line| width(line, SIZE) + 32.0).fold(0.0, f64::max);
    let total = (edge + RIGHT).max(640.0).max(footer_width);
    let scale = Scale::of(points.iter().map(missing), TOP, TOP + PLOT);
    let bottom = TOP + PLOT + 58.0;
    let height = bottom + LINE * caption.footer.len() as f64 + 12.0;

    let mut svg = Svg::new(total, height, &caption.title, style);
    svg.text("node start", 16.0, 26.0, &caption.title);
    write_legend(&mut svg, points, caption);
    for mark in scale.marks() {
        let y = scale.y(mark);
        svg.add(format_args!(
            "<path class=\"grid\" opacity=\"0.3\" d=\"M{LEFT} {}H{}\"/>",
            Place(y),
            Place(total - RIGHT)
        ));
        svg.text("small end", LEFT - 8.0, y + 4.0, &format!("{mark} %"));
    }
    let x = |place: usize| columns[place];
    for (place, &exponent) in exponents.iter().enumerate() {
        let power: String = exponent.to_string().chars().map(superscript).collect();
        svg.text("small", x(place), TOP + PLOT + 24.0, &format!("O(n{power})"));
    }
    svg.text("small start", LEFT + 20.0, TOP + PLOT + 42.0, "time of exact inference");
    svg.text("small start", 16.0, TOP - 26.0, "not covered, logarithmic");
    svg.add(format_args!(
        "<path class=\"curve best\" opacity=\"0.6\" d=\"{}\"/>",
        steps(points, &exponents, &x, &scale, total - RIGHT)
    ));
    for (place, &exponent) in exponents.iter().enumerate() {
        let mut column: Vec<&Point> = points.iter().filter(|point| point.exponent == exponent).collect();
        column.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.name.cmp(&b.name)));
        write_column(&mut svg, &column, x(place), &scale);
    }
    for (at, line) in caption.footer.iter().enumerate() {
        svg.text("small start", 16.0, bottom + LINE * (at as f64 + 1.0), line);
    }
    svg.finish()
}

/// Where the points of each exponent are, each column as wide as its labels; and where the last one ends.
fn columns(points: &[Point], exponents: &[u32]) -> Vec<f64> {
    let mut x = LEFT + 28.0;
    let mut columns = Vec::with_capacity(exponents.len() + 1);
    for &exponent in exponents {
        columns.push(x);
        let here = points.iter().filter(|point| point.exponent == exponent);
        let widest = here.map(|point| width(&label(point), SIZE)).fold(0.0, f64::max);
        x += LEADER + widest + 36.0;
    }
    columns.push(x - 24.0);
    columns
}

/// The share that is not covered, in percent.
fn missing(point: &Point) -> f64 {
    (100.0 - point.share).clamp(0.0, 100.0)
}

fn label(point: &Point) -> String {
    format!("{} {:.2} %", point.name, point.share)
}

/// What the kinds of points mean, as far as they occur.
fn write_legend(svg: &mut Svg, points: &[Point], caption: &Caption) {
    let mut x = 22.0;
    let mut entry = |svg: &mut Svg, paper: bool, filled: bool, text: &str| {
        write_mark(svg, x, 44.0, paper, filled);
        svg.text("small start", x + 10.0, 48.0, text);
        x += width(text, SIZE) + 36.0;
    };
    for (filled, meaning) in [(true, &caption.filled), (false, &caption.hollow)] {
        if !meaning.is_empty() && points.iter().any(|point| point.filled == filled) {
            entry(svg, false, filled, meaning);
        }
    }
    if points.iter().any(|point| point.paper) {
        entry(svg, true, true, "systems of Shi et al. 2018");
    }
}

fn write_mark(svg: &mut Svg, x: f64, y: f64, paper: bool, filled: bool) {
    let class = if filled { "dot" } else { "ring" };
    if paper {
        svg.add(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"8\" height=\"8\"/>",
            Place(x - 4.0),
            Place(y - 4.0)
        ));
    } else {
        svg.add(format_args!("<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>", Place(x), Place(y)));
    }
}

/// Points of one exponent from the top, with lines to their labels. Points that would hide each other stand
/// side by side.
fn write_column(svg: &mut Svg, column: &[&Point], x: f64, scale: &Scale) {
    let heights: Vec<f64> = column.iter().map(|point| scale.y(missing(point))).collect();
    let baselines = spread(&heights, TOP - 10.0, TOP + PLOT);
    let mut aside = 0.0;
    for (at, (point, &y)) in column.iter().zip(&heights).enumerate() {
        let hidden = at > 0 && y - heights[at - 1] < 9.0;
        aside = if hidden && aside < 18.0 { aside + 9.0 } else { 0.0 };
        let (dot, label_at) = (x - aside, x + LEADER);
        svg.add(format_args!(
            "<path class=\"grid\" opacity=\"0.6\" d=\"M{} {}L{} {}H{}\"/>",
            Place(dot + 5.0),
            Place(y),
            Place(x + LEADER - 10.0),
            Place(baselines[at] - 4.0),
            Place(label_at - 3.0)
        ));
        write_mark(svg, dot, y, point.paper, point.filled);
        // The line of the best and the grid go behind the label, not through it.
        svg.add(format_args!(
            "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            Place(label_at - 2.0),
            Place(baselines[at] - 10.0),
            Place(width(&label(point), SIZE) + 4.0),
            Place(LINE - 2.0)
        ));
        svg.text("relation start", label_at, baselines[at], &label(point));
    }
}

/// Baselines of labels: beside their points, in the same order, a line apart, between two limits if there is
/// room.
fn spread(heights: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut places: Vec<f64> = Vec::with_capacity(heights.len());
    // Labels that touch form a group around the mean of what its members would like.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    for &height in heights {
        // Above its point, where neither the line nor the grid goes through it.
        groups.push((height - 5.0, 1));
        while let [.., above, below] = &groups[..] {
            let reach = |group: &(f64, usize)| LINE * group.1 as f64 / 2.0;
            if above.0 + reach(above) <= below.0 - reach(below) {
                break;
            }
            let count = above.1 + below.1;
            let middle = (above.0 * above.1 as f64 + below.0 * below.1 as f64) / count as f64;
            groups.pop();
            groups.pop();
            groups.push((middle, count));
        }
    }
    for (middle, count) in groups {
        let first = middle - LINE * (count as f64 - 1.0) / 2.0;
        places.extend((0..count).map(|at| first + LINE * at as f64));
    }
    let mut limit = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - LINE;
    }
    let mut limit = top;
    for place in &mut places {
        *place = place.max(limit);
        limit = *place + LINE;
    }
    places
}

/// From one exponent to the next nothing better can be had, so the line is level until there is.
fn steps(points: &[Point], exponents: &[u32], x: &dyn Fn(usize) -> f64, scale: &Scale, end: f64) -> String {
    let mut best = f64::NEG_INFINITY;
    let mut path = String::new();
    for (place, &exponent) in exponents.iter().enumerate() {
        let here = points.iter().filter(|point| point.exponent == exponent).map(|point| point.share);
        let top = here.fold(f64::NEG_INFINITY, f64::max);
        if top > best {
            best = top;
            let (x, y) = (Place(x(place)), Place(scale.y(100.0 - top)));
            path += &if path.is_empty() { format!("M{x} {y}") } else { format!("H{x}V{y}") };
        }
    }
    if path.is_empty() { path } else { format!("{path}H{}", Place(end)) }
}

fn superscript(digit: char) -> char {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).and_then(|digit| digits.get(digit as usize).copied()).unwrap_or(digit)
}
