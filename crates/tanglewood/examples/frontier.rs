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
use tanglewood::draw::{Caption, Point, Style, frontier};

fn main() -> Result<(), Box<dyn Error>> {
    let mut points: Vec<Point> = Vec::new();
    let mut footer = None;
    for file in std::env::args().skip(1) {
        let table = std::fs::read_to_string(file)?;
        for point in read(&table)? {
            // Classes are in every table, and the same whatever the direction.
            if !points.contains(&point) {
                points.push(point);
            }
        }
        footer = Some(provenance(&table)?);
    }
    // Where the direction makes no difference, one point is enough.
    let both: Vec<(String, f64)> =
        points.iter().filter(|point| point.filled).map(|point| (point.name.clone(), point.share)).collect();
    points.retain(|point| point.filled || !both.contains(&(point.name.clone(), point.share)));
    let caption = Caption {
        title: "Non-projective sentences not covered, by the time of exact inference".to_owned(),
        filled: "read in either direction; the line is the best for its cost".to_owned(),
        hollow: "read from the first word, and classes of trees".to_owned(),
        footer: footer.into_iter().collect(),
    };
    print!("{}", frontier(&points, &caption, &Style::default()));
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
        let paper = System::paper().iter().any(|system| system.name() == name);
        points.push(Point { name: name.to_owned(), exponent, share, filled: direction == "either", paper });
    }
    Ok(points)
}

/// What was counted: files, sentences, and non-projective ones.
fn provenance(table: &str) -> Result<String, Box<dyn Error>> {
    let totals: Vec<&str> = table.lines().last().ok_or("an empty table")?.split('\t').collect();
    let [_, sentences, nonprojective, ..] = totals[..] else { return Err("a table without counts".into()) };
    let files = table.lines().count().saturating_sub(2);
    Ok(format!(
        "{files} files, {sentences} sentences, {nonprojective} of them non-projective; tanglewood {}",
        env!("CARGO_PKG_VERSION")
    ))
}
