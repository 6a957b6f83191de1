//! Coverage against the cost of exact inference, as a plot.

use super::measure::width;
use super::style::Style;
use super::svg::{Place, Svg};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 64.0;
/// From one label to the next below it.
const LINE: f64 = 14.0;

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
}

/// Shares above the exponents of time, and a line through those that nothing cheaper or equally cheap is above.
///
/// ```
/// use tanglewood::draw::{Point, Style, frontier};
/// let point = Point { name: "mh4".to_owned(), exponent: 4, share: 87.5, filled: true };
/// assert!(frontier(&[point], "covered", &Style::default()).contains(">mh4</text>"));
/// ```
pub fn frontier(points: &[Point], title: &str, style: &Style) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, title, style);
    svg.text("small start", 16.0, 24.0, title);
    let scale = Scale::of(points);
    for share in scale.marks() {
        let y = Place(scale.y(share));
        svg.add(format_args!("<path class=\"grid\" opacity=\"0.35\" d=\"M{LEFT} {y}H{}\"/>", WIDTH - RIGHT));
        svg.text("small end", LEFT - 8.0, scale.y(share) + 4.0, &format!("{share} %"));
    }
    for exponent in scale.exponents() {
        let power: String = exponent.to_string().chars().map(superscript).collect();
        svg.text("small", scale.x(exponent), HEIGHT - BOTTOM + 24.0, &format!("O(n{power})"));
    }
    svg.text("small", WIDTH / 2.0, HEIGHT - 14.0, "time of exact inference");
    svg.add(format_args!("<path class=\"curve best\" d=\"{}\"/>", best(points, &scale)));
    for exponent in scale.exponents() {
        let mut column: Vec<&Point> = points.iter().filter(|point| point.exponent == exponent).collect();
        column.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.name.cmp(&b.name)));
        for (point, baseline) in column.iter().zip(baselines(&column, &scale)) {
            let class = if point.filled { "dot" } else { "ring" };
            let (x, y) = (scale.x(exponent), scale.y(point.share));
            svg.add(format_args!(
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
                Place(x),
                Place(y)
            ));
            // At the right edge there is no room to the right.
            let fits = x + 10.0 + width(&point.name, 12.0) < WIDTH;
            let (class, x) = if fits { ("relation start", x + 10.0) } else { ("relation end", x - 10.0) };
            svg.text(class, x, baseline, &point.name);
        }
    }
    svg.finish()
}

/// Where the names in one column stand: beside their points, pushed down where they would overlap, and up again where that goes too far.
fn baselines(column: &[&Point], scale: &Scale) -> Vec<f64> {
    let mut places = Vec::new();
    let mut lowest = f64::NEG_INFINITY;
    for point in column {
        lowest = f64::max(lowest + LINE, scale.y(point.share) + 4.0);
        places.push(lowest);
    }
    let mut limit = HEIGHT - BOTTOM + 4.0;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - LINE;
    }
    places
}

/// Where shares and exponents are.
struct Scale {
    floor: f64,
    step: f64,
    first: u32,
    last: u32,
}

impl Scale {
    fn of(points: &[Point]) -> Scale {
        let least = points.iter().map(|point| point.share).fold(100.0, f64::min).clamp(0.0, 100.0);
        let step = [1.0, 2.0, 5.0, 10.0, 20.0].into_iter().find(|step| 100.0 - least <= 7.0 * step);
        let step = step.unwrap_or(20.0);
        let floor = ((least / step).floor() * step).min(100.0 - step);
        let exponents = || points.iter().map(|point| point.exponent);
        Scale { floor, step, first: exponents().min().unwrap_or(3), last: exponents().max().unwrap_or(7) }
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let count = ((100.0 - self.floor) / self.step).round() as u32;
        let (floor, step) = (self.floor, self.step);
        (0..=count).map(move |mark| floor + step * f64::from(mark))
    }

    fn exponents(&self) -> std::ops::RangeInclusive<u32> {
        self.first..=self.last
    }

    fn x(&self, exponent: u32) -> f64 {
        let columns = f64::from(self.last - self.first + 1);
        LEFT + (WIDTH - LEFT - RIGHT) * (f64::from(exponent - self.first) + 0.3) / columns
    }

    fn y(&self, share: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (share - self.floor) / (100.0 - self.floor)
    }
}

fn best(points: &[Point], scale: &Scale) -> String {
    let mut best = f64::NEG_INFINITY;
    let mut path = String::new();
    for exponent in scale.exponents() {
        let here = points.iter().filter(|point| point.exponent == exponent).map(|point| point.share);
        let top = here.fold(f64::NEG_INFINITY, f64::max);
        if top > best {
            best = top;
            let command = if path.is_empty() { 'M' } else { 'L' };
            path += &format!("{command}{} {}", Place(scale.x(exponent)), Place(scale.y(top)));
        }
    }
    path
}

fn superscript(digit: char) -> char {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).and_then(|digit| digits.get(digit as usize).copied()).unwrap_or(digit)
}
