//! Draws coverage against the exponent of time, from tables that the program wrote:
//!
//! ```text
//! tanglewood coverage TREEBANKS --systems NAMES --classes --format tsv > ltr.tsv
//! tanglewood coverage TREEBANKS --systems NAMES --direction either --format tsv > either.tsv
//! cargo run -p tanglewood --example frontier -- ltr.tsv either.tsv > frontier.svg
//! ```

#![allow(missing_docs)]

use std::error::Error;

use tanglewood::System;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 560.0;
/// The lowest share that is shown.
const FLOOR: f64 = 75.0;

/// A column of a table: what it is, its cost, and the share of non-projective sentences it covers.
struct Point {
    label: String,
    exponent: u32,
    share: f64,
    either: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut points = Vec::new();
    for file in std::env::args().skip(1) {
        points.extend(read(&std::fs::read_to_string(file)?)?);
    }
    // Where the direction makes no difference, one point is enough.
    let both: Vec<(String, f64)> =
        points.iter().filter(|point| point.either).map(|point| (point.label.clone(), point.share)).collect();
    points.retain(|point| point.either || !both.contains(&(point.label.clone(), point.share)));
    println!("{}", draw(&points));
    Ok(())
}

/// The points of the last row.
fn read(table: &str) -> Result<Vec<Point>, Box<dyn Error>> {
    let header: Vec<&str> = table.lines().next().ok_or("an empty table")?.split('\t').collect();
    let totals: Vec<&str> = table.lines().last().ok_or("an empty table")?.split('\t').collect();
    let whole: f64 = totals.get(2).ok_or("a table without counts")?.parse()?;
    let mut points = Vec::new();
    for (name, count) in header.iter().zip(&totals).skip(3) {
        let (name, direction) = name.split_once('@').unwrap_or((name, "ltr"));
        let exponent = match (name, System::named(name)) {
            (_, Ok(system)) => system.complexity().time,
            ("1-endpoint-crossing", _) => 4,
            ("well-nested-gap<=1", _) => 7,
            _ => continue,
        };
        let share = 100.0 * count.parse::<f64>()? / whole;
        if share >= FLOOR {
            points.push(Point { label: name.to_owned(), exponent, share, either: direction == "either" });
        }
    }
    Ok(points)
}

fn x(exponent: u32) -> f64 {
    70.0 + (f64::from(exponent) - 2.7) * (WIDTH - 130.0) / 4.9
}

fn y(share: f64) -> f64 {
    HEIGHT - 60.0 - (share - FLOOR) * (HEIGHT - 100.0) / (100.0 - FLOOR)
}

fn draw(points: &[Point]) -> String {
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
"##
    );
    for share in (0..=5).map(|step| FLOOR + 5.0 * f64::from(step)) {
        let height = y(share);
        svg += &format!(
            "<path d=\"M70 {height:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"62\" y=\"{:.1}\" text-anchor=\"end\">{share} %</text>\n",
            WIDTH - 20.0,
            height + 4.0
        );
    }
    for exponent in 3..=7 {
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">O(n<tspan dy=\"-4\" font-size=\"9\">{exponent}</tspan><tspan dy=\"4\">)</tspan></text>\n",
            x(exponent),
            HEIGHT - 34.0
        );
    }
    svg += &format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">time of exact inference</text>\n",
        WIDTH / 2.0,
        HEIGHT - 10.0
    );
    svg += "<text x=\"16\" y=\"24\">non-projective sentences covered: ● in either direction, ○ from left to right</text>\n";
    svg += &frontier(points);
    for exponent in 3..=7 {
        let mut column: Vec<&Point> = points.iter().filter(|point| point.exponent == exponent).collect();
        column.sort_by(|a, b| b.share.total_cmp(&a.share));
        let mut lowest = f64::NEG_INFINITY;
        for point in column {
            // Labels are pushed down where they would overlap.
            lowest = f64::max(lowest + 12.5, y(point.share) + 4.0);
            let fill = if point.either { "#1b6ca8" } else { "#fff" };
            let escaped = point.label.replace('<', "&lt;");
            svg += &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"#1b6ca8\"/><text x=\"{:.1}\" y=\"{lowest:.1}\" paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"3\">{escaped}</text>\n",
                x(exponent),
                y(point.share),
                x(exponent) + 9.0,
            );
        }
    }
    svg + "</svg>"
}

/// A line through the points that no cheaper or equally cheap one is above.
fn frontier(points: &[Point]) -> String {
    let mut best = f64::NEG_INFINITY;
    let mut path = String::new();
    for exponent in 3..=7 {
        let here = points.iter().filter(|point| point.exponent == exponent).map(|point| point.share);
        let top = here.fold(f64::NEG_INFINITY, f64::max);
        if top > best {
            best = top;
            let command = if path.is_empty() { 'M' } else { 'L' };
            path += &format!("{command}{:.1} {:.1}", x(exponent), y(top));
        }
    }
    format!("<path d=\"{path}\" fill=\"none\" stroke=\"#e08a1e\" stroke-width=\"2\"/>\n")
}
