//! The plot of coverage against cost.

use tanglewood::draw::{Caption, Point, Style, frontier};

/// A label: its left edge, its baseline, and what it says.
type Label = (f64, f64, String);

fn attribute(line: &str, name: &str) -> f64 {
    let rest = line.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
    rest.split('"').next().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

fn labels(svg: &str) -> Vec<Label> {
    let lines = svg.lines().filter(|line| line.contains("class=\"relation start\""));
    lines
        .map(|line| {
            let said = line.split(['>', '<']).nth(2).unwrap_or_default().to_owned();
            (attribute(line, "x"), attribute(line, "y"), said)
        })
        .collect()
}

/// The heights of points, in the order in which they are drawn.
fn marks(svg: &str) -> Vec<f64> {
    let (_, plot) = svg.split_once("class=\"curve best\"").unwrap();
    plot.lines()
        .filter_map(|line| match line {
            _ if line.starts_with("<circle") => Some(attribute(line, "cy")),
            _ if line.starts_with("<rect class=\"paper\"") => None,
            _ if line.starts_with("<rect") => Some(attribute(line, "y") + 4.0),
            _ => None,
        })
        .collect()
}

fn point(name: &str, exponent: u32, share: f64) -> Point {
    Point { name: name.to_owned(), exponent, share, filled: true, paper: name == "all" }
}

fn published() -> Vec<Point> {
    vec![
        point("arc-standard", 4, 0.0),
        point("mh3+", 3, 93.22),
        point("mh4", 4, 86.88),
        point("mh4+", 4, 99.76),
        point("mh5", 5, 97.70),
        point("mh5+", 5, 99.94),
        point("mh6+", 6, 99.99),
        point("all-s0s1", 6, 91.85),
        point("all-s0s1+", 6, 99.79),
        point("all", 7, 98.32),
        point("all-deg1+", 7, 98.31),
        point("attardi", 7, 90.24),
        point("everything", 7, 100.0),
    ]
}

#[test]
fn all_points_are_there_with_their_shares_also_those_that_cover_nothing_or_everything() {
    let svg = frontier(&published(), &Caption::default(), &Style::default());
    let said: Vec<String> = labels(&svg).into_iter().map(|(_, _, said)| said).collect();
    assert_eq!(said.len(), published().len());
    for name in
        ["arc-standard 0.00 %", "everything 100.00 %", "mh4+ 99.76 %", "all-s0s1+ 99.79 %", "mh5+ 99.94 %"]
    {
        assert!(said.iter().any(|label| label == name), "{name}: {said:?}");
    }
    assert_eq!(marks(&svg).len(), published().len());
    // Lines go behind labels: each stands on a piece of paper of its own.
    let (_, plot) = svg.split_once("class=\"curve best\"").unwrap();
    assert_eq!(plot.matches("<rect class=\"paper\"").count(), published().len());
}

#[test]
fn labels_are_in_the_order_of_their_points_and_a_line_apart() {
    let svg = frontier(&published(), &Caption::default(), &Style::default());
    let (labels, marks) = (labels(&svg), marks(&svg));
    for (at, ((x, y, said), mark)) in labels.iter().zip(&marks).enumerate() {
        for ((other_x, other_y, other), other_mark) in labels[at + 1..].iter().zip(&marks[at + 1..]) {
            if x == other_x {
                assert!(other_y - y >= 14.9, "{said} and {other}");
                assert!(other_mark >= mark, "{said} and {other}");
            } else {
                // Columns are wide enough for the labels of the one before.
                assert!(other_x - x > 6.0 * said.chars().count() as f64, "{said} and {other}");
            }
        }
    }
}

#[test]
fn shares_near_a_hundred_percent_can_be_told_apart() {
    let points = [point("a", 4, 99.76), point("b", 4, 99.79), point("c", 4, 99.94), point("d", 4, 90.0)];
    let marks = marks(&frontier(&points, &Caption::default(), &Style::default()));
    // From the top: c, b, a, d.
    assert!(
        marks[1] - marks[0] > 60.0 && marks[2] - marks[1] > 8.0 && marks[3] - marks[2] > 150.0,
        "{marks:?}"
    );
}

#[test]
fn the_line_goes_in_steps_the_paper_is_marked_and_the_footer_says_where_it_comes_from() {
    let caption = Caption {
        title: "not covered <here>".to_owned(),
        filled: "systems".to_owned(),
        hollow: "classes".to_owned(),
        footer: vec!["made from x & y".to_owned()],
    };
    let svg = frontier(&published(), &caption, &Style::default());
    let path = svg.lines().find(|line| line.contains("curve best")).unwrap();
    let path = path.split(" d=\"").nth(1).unwrap();
    assert!(path.contains('H') && path.contains('V') && !path.contains('L'), "{path}");
    // One in the legend, one in the plot.
    assert_eq!(svg.matches("<rect class=\"dot\"").count(), 2);
    assert!(svg.contains(">systems of Shi et al. 2018</text>"));
    assert!(svg.contains(">made from x &amp; y</text>") && svg.contains("not covered &lt;here&gt;"));
    assert!(!svg.contains(">classes</text>"), "there are none");
    // Nothing at all is no reason to fail.
    assert!(frontier(&[], &caption, &Style::default()).contains("</svg>"));
}
