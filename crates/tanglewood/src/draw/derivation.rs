//! A derivation as SVG: one row per step, each with the transition drawn on the slots it touches.

use super::Word;
use super::configuration::{ABOVE, ROW, Row, form};
use super::measure::width;
use super::script::arrow;
use super::style::Style;
use super::svg::{Place, Svg};
use crate::transition::{DerivationError, Step};
use crate::{Configuration, Derivation, Direction, Transition};

/// A derivation as SVG. A row shows stack and buffer before the step; the last one, where it ends.
///
/// # Errors
/// If a step is impossible.
///
/// ```
/// use tanglewood::draw::{self, Style, Word};
/// use tanglewood::{Direction, Oracle, System, Tree};
/// let tree = Tree::from_heads(&[2, 0])?;
/// let derivation = Oracle::new(&System::named("arc-standard")?).derivation(&tree)?;
/// let words = [Word::new("Hello", "", ""), Word::new("world", "", "")];
/// let svg = draw::derivation(&derivation, &words, Direction::Ltr, &Style::default())?;
/// assert!(svg.contains(">s0&gt;s1</text>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn derivation(
    derivation: &Derivation,
    words: &[Word],
    direction: Direction,
    style: &Style,
) -> Result<String, DerivationError> {
    let steps = derivation.steps()?;
    let number = |node: usize| direction.place(derivation.words(), node);
    let form = |node: usize| form(words, number(node));
    let named = |node: usize| (number(node), form(node));
    let start = Configuration::start(derivation.words());
    let before = std::iter::once(&start).chain(steps.iter().map(|step| &step.after));
    let next = steps.iter().map(|step| Some(step.transition)).chain([None]);
    let rows: Vec<Row> = before.zip(next).map(|(before, next)| Row::new(before, next, &named)).collect();

    let names: Vec<String> = steps.iter().map(|step| step.transition.to_string()).collect();
    let arcs: Vec<String> = steps.iter().map(|step| arc(step, &form)).collect();
    let widest = |widths: &mut dyn Iterator<Item = f64>| widths.fold(0.0, f64::max);
    let names_width = widest(&mut names.iter().map(|name| width(name, 14.0)));
    let middle = 56.0 + names_width + widest(&mut rows.iter().map(Row::stack_width)) + 24.0;
    let arcs_at = middle + widest(&mut rows.iter().map(Row::buffer_width)) + 32.0;
    let total = arcs_at + widest(&mut arcs.iter().map(|arc| width(arc, 12.0))) + 16.0;

    let title = format!("{} steps", steps.len());
    let mut svg = Svg::new(total, ROW * rows.len() as f64 + 8.0, &title, style);
    for (at, row) in rows.iter().enumerate() {
        let top = at as f64 * ROW;
        let baseline = top + ABOVE + 19.0;
        if at > 0 {
            svg.add(format_args!(
                "<path class=\"grid\" opacity=\"0.25\" d=\"M12 {}H{}\"/>",
                Place(top + 2.0),
                Place(total - 12.0)
            ));
        }
        if let Some(name) = names.get(at) {
            svg.text("small end", 36.0, baseline, &(at + 1).to_string());
            svg.text("node start", 48.0, baseline, name);
        }
        row.write(&mut svg, middle, top);
        if let Some(arc) = arcs.get(at) {
            svg.text("small start", arcs_at, baseline, arc);
        }
    }
    Ok(svg.finish())
}

/// The arc a step adds, in words.
fn arc(step: &Step, form: &dyn Fn(usize) -> String) -> String {
    match (step.transition, step.arc) {
        (Transition::Reduce { .. }, Some((head, dependent))) => arrow(&form(head), &form(dependent)),
        _ => String::new(),
    }
}
