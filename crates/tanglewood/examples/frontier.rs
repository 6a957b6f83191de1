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
use tanglewood::draw::{Point, Style, frontier};

/// The lowest share that is shown.
const FLOOR: f64 = 75.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut points = Vec::new();
    for file in std::env::args().skip(1) {
        points.extend(read(&std::fs::read_to_string(file)?)?);
    }
    // Where the direction makes no difference, one point is enough.
    let both: Vec<(String, f64)> =
        points.iter().filter(|point| point.filled).map(|point| (point.name.clone(), point.share)).collect();
    points.retain(|point| point.filled || !both.contains(&(point.name.clone(), point.share)));
    let title = "non-projective sentences covered: filled, in either direction; hollow, from left to right";
    print!("{}", frontier(&points, title, &Style::default()));
    Ok(())
}

/// The points of the last row; filled if they are for either direction.
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
            points.push(Point { name: name.to_owned(), exponent, share, filled: direction == "either" });
        }
    }
    Ok(points)
}
