//! The report of `tanglewood coverage --format html`: one page that needs no network.

use std::fmt::Write;

use tanglewood::System;
use tanglewood::classes::Class;
use tanglewood::coverage::Counts;
use tanglewood::draw::{self, Arrangement, Caption, Escaped, Point, Style, Theme};
use tanglewood_explorer::page::{self, Picture};

use super::coverage::Report;
use super::phenomena::{Kind, Phenomena};
use crate::text::{counted, cut, grouped, percent};

/// How many kinds of crossings are shown.
const SHOWN: usize = 12;

/// How the report looks, beside what all pages share, and how its tables are sorted.
const SHEET: &str = include_str!("coverage_page.css");
const SCRIPT: &str = include_str!("coverage_page.js");

/// Pictures share the page's style sheet.
const STYLE: Style = Style { theme: Theme::Auto, tags: true, sheet: false };

/// Wider examples are drawn on several lines.
const WIDEST: f64 = 1120.0;
/// How many names of files are given.
const FILES: usize = 40;

/// Where the figures of a report come from.
pub struct Provenance {
    /// The command that gives the same report.
    pub command: String,
    /// The files that were read.
    pub inputs: Vec<String>,
}

impl Provenance {
    /// In a few words, for a footer.
    fn short(&self, total: &Counts) -> Vec<String> {
        let files = match &self.inputs[..] {
            [one] => one.clone(),
            files => counted(files.len() as u64, "file"),
        };
        let counts = format!(
            "{files}: {}, {} non-projective; tanglewood {}",
            counted(total.sentences, "sentence"),
            grouped(total.nonprojective),
            env!("CARGO_PKG_VERSION")
        );
        vec![counts, cut(&self.command, 150)]
    }

    /// Everything, at the end of the page.
    fn write(&self, body: &mut String) {
        let named: Vec<&str> = self.inputs.iter().take(FILES).map(String::as_str).collect();
        let more = match self.inputs.len().saturating_sub(FILES) {
            0 => String::new(),
            more => format!(" and {}", counted(more as u64, "other")),
        };
        let _ = writeln!(
            body,
            "<footer>\n<p>Made by tanglewood {} with</p>\n<pre>{}</pre>\n<p>from {}: {}{more}.</p>\n</footer>",
            env!("CARGO_PKG_VERSION"),
            Escaped(&self.command),
            counted(self.inputs.len() as u64, "file"),
            Escaped(&named.join(", "))
        );
    }
}

/// The page.
pub fn page(
    report: &Report<'_>,
    languages: &[(String, Counts)],
    phenomena: &Phenomena,
    provenance: &Provenance,
) -> String {
    let total = report.total();
    let mut body = format!("<style>\n{SHEET}</style>\n<h1>Coverage of non-projective trees</h1>\n");
    // Writing to a string cannot fail.
    let _ = writeln!(
        body,
        "<p class=\"lead\">{} of {} sentences are non-projective: {}; {} of arcs cross. Systems read {}.</p>",
        grouped(total.nonprojective),
        grouped(total.sentences),
        percent(total.nonprojective, total.sentences),
        percent(total.arcs.crossing, total.arcs.arcs),
        match report.direction {
            tanglewood::Direction::Ltr => "from left to right",
            tanglewood::Direction::Rtl => "from right to left",
            tanglewood::Direction::Either => "in either direction",
        }
    );
    if report.skipped > 0 {
        let _ = writeln!(body, "<p>Skipped {}.</p>", counted(report.skipped, "invalid sentence"));
    }
    if total.nonprojective > 0 {
        body += "<h2>Coverage and cost</h2>\n";
        let points = points(report, &total);
        let caption = Caption {
            title: "Non-projective sentences not covered, by the time of exact inference".to_owned(),
            filled: "a system; the line is the best for its cost".to_owned(),
            hollow: "a class of trees".to_owned(),
            footer: provenance.short(&total),
        };
        let svg = draw::frontier(&points, &caption, &STYLE);
        body += &page::figure(&Picture { svg, ..Picture::default() });
    }
    table(report, &total, &mut body);
    shares(languages, &mut body);
    kinds(report, &total, phenomena, &mut body);
    provenance.write(&mut body);
    let _ = writeln!(body, "<script>\n{SCRIPT}</script>");
    page::page("Coverage of non-projective trees", Theme::Auto, &body)
}

/// All systems, and the classes for which the cost of exact inference is known.
fn points(report: &Report<'_>, total: &Counts) -> Vec<Point> {
    let share = |covered: u64| 100.0 * covered as f64 / total.nonprojective as f64;
    let paper = System::paper();
    let systems = report.systems.iter().zip(&total.covered).map(|(system, &covered)| Point {
        name: system.name().to_owned(),
        exponent: system.complexity().time,
        share: share(covered),
        filled: true,
        paper: paper.iter().any(|other| other.name() == system.name()),
    });
    let classes = report.classes.iter().zip(&total.members).filter_map(|(class, &members)| {
        let exponent = match class {
            Class::OneEndpointCrossing => 4,
            Class::WellNestedGapDegreeOne => 7,
            _ => return None,
        };
        let name = class.name().to_owned();
        Some(Point { name, exponent, share: share(members), filled: false, paper: false })
    });
    systems.chain(classes).collect()
}

fn table(report: &Report<'_>, total: &Counts, body: &mut String) {
    let unit = report.grouping.name();
    let _ =
        writeln!(body, "<h2>By {unit}</h2>\n<p class=\"screen\">Choose a column’s title to sort by it.</p>");
    *body += "<div class=\"wide\" tabindex=\"0\"><table class=\"sortable\">\n<thead><tr>";
    let titles = [unit.to_owned(), "sentences".to_owned(), "non-projective".to_owned()];
    for title in titles.into_iter().chain(report.titles()) {
        let _ = write!(body, "<th scope=\"col\"><button type=\"button\">{}</button></th>", Escaped(&title));
    }
    *body += "</tr></thead>\n<tbody>\n";
    for (name, counts) in &report.rows {
        row(name, counts, body);
    }
    *body += "</tbody>\n<tfoot>\n";
    row("all", total, body);
    *body += "</tfoot>\n</table></div>\n";
}

/// A row; cells are sorted by their shares.
fn row(name: &str, counts: &Counts, body: &mut String) {
    let _ = write!(
        body,
        "<tr><th scope=\"row\">{}</th><td data-value=\"{}\">{}</td>",
        Escaped(name),
        counts.sentences,
        grouped(counts.sentences)
    );
    let mut cell = |part: u64, whole: u64| {
        let share = if whole == 0 { -1.0 } else { part as f64 / whole as f64 };
        let _ = write!(
            body,
            "<td data-value=\"{share:.6}\"><b>{}</b> <small>{}</small></td>",
            percent(part, whole),
            grouped(part)
        );
    };
    cell(counts.nonprojective, counts.sentences);
    for covered in Report::values(counts) {
        cell(covered, counts.nonprojective);
    }
    *body += "</tr>\n";
}

/// The share of non-projective sentences of each language, the largest first.
fn shares(languages: &[(String, Counts)], body: &mut String) {
    let share = |counts: &Counts| counts.nonprojective as f64 / counts.sentences.max(1) as f64;
    let mut languages: Vec<&(String, Counts)> = languages.iter().collect();
    languages.sort_by(|a, b| share(&b.1).total_cmp(&share(&a.1)).then_with(|| a.0.cmp(&b.0)));
    let largest = languages.first().map_or(1.0, |(_, counts)| share(counts)).max(f64::MIN_POSITIVE);
    *body += "<h2>Non-projective sentences by language</h2>\n<table class=\"bars\">\n";
    for (name, counts) in languages {
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\">{}</th><td><span class=\"bar\" style=\"width: {:.1}%\"></span></td><td>{}</td><td><small>{} of {}</small></td></tr>",
            Escaped(name),
            100.0 * share(counts) / largest,
            percent(counts.nonprojective, counts.sentences),
            grouped(counts.nonprojective),
            grouped(counts.sentences)
        );
    }
    *body += "</table>\n";
}

/// Kinds of crossings, by the systems that cover any crossing at all: the others would only say that
/// everything is missed.
fn kinds(report: &Report<'_>, total: &Counts, phenomena: &Phenomena, body: &mut String) {
    let counts = |system: usize| total.covered.get(system).is_some_and(|&covered| covered > 0);
    let shown = phenomena.most_missed(SHOWN, counts);
    if shown.is_empty() {
        return;
    }
    *body += "<h2>What is not covered</h2>\n<p>Pairs of relations whose arcs cross, those first that are most often in sentences that a system cannot build. A sentence with several pairs counts for each. Systems that cover no crossing at all are left out.</p>\n";
    let mut drawn: Vec<(&str, &str)> = Vec::new();
    for (kind, tally) in shown {
        let systems = |missed: &dyn Fn(usize) -> Option<String>| -> String {
            let named = (0..report.systems.len()).filter(|&system| counts(system)).filter_map(missed);
            named.collect::<Vec<String>>().join(", ")
        };
        let missed = systems(&|at| {
            let missed = tally.missed[at];
            (missed > 0).then(|| format!("{} {}", report.systems[at], grouped(missed)))
        });
        let sentences = counted(tally.sentences, "non-projective sentence");
        let mut notes = vec![format!("In {sentences}; not covered: {missed}.")];
        let (mut svg, mut from_right) = (String::new(), false);
        if let Some(example) = &tally.example {
            let names = systems(&|at| example.missed[at].then(|| report.systems[at].name().to_owned()));
            let place = match example.file.as_str() {
                "" => String::new(),
                file => format!(" in {file}"),
            };
            if drawn.contains(&(example.file.as_str(), example.name.as_str())) {
                notes.push(format!("For example {}{place}, drawn above.", example.name));
            } else {
                let which =
                    if names.is_empty() { String::new() } else { format!(", which {names} cannot build") };
                notes.push(format!("For example {}{place}{which}:", example.name));
                svg = draw::arranged(&example.tree, &example.words, Arrangement::Wrap(WIDEST), &STYLE);
                from_right = draw::runs_from_right(&example.words);
                drawn.push((&example.file, &example.name));
            }
        }
        *body += &page::figure(&Picture { heading: title(kind), notes, svg, from_right });
    }
}

fn title((first, second): &Kind) -> String {
    let named = |name: &str| if name.is_empty() { "(no relation)".to_owned() } else { name.to_owned() };
    format!("{} × {}", named(first), named(second))
}
