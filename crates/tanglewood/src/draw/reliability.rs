//! Reliability: how many heads are right, against the probability they were given.

use super::measure::width;
use super::style::Style;
use super::svg::{Place, Svg};
use crate::evaluation::Calibration;

const LEFT: f64 = 64.0;
const TOP: f64 = 44.0;
/// The side of the square with the curves.
const SIDE: f64 = 360.0;
const LINE: f64 = 16.0;
const SIZE: f64 = 12.0;

/// A square with a curve for each system: mean probability and share of right heads of each bin, the area of
/// a point by its number of words. A system that is as often right as it says is on the diagonal. The first
/// system has filled points, all others have hollow ones.
///
/// ```
/// use tanglewood::draw::{Style, reliability};
/// use tanglewood::evaluation::evaluate;
/// let gold = "1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
/// let system = gold.replace("\t_\n", "\tArcProb=0.8\n");
/// let evaluation = evaluate(gold.as_bytes(), system.as_bytes()).unwrap();
/// let plot = reliability(&[("mine", evaluation.calibration())], &Style::default());
/// assert!(plot.contains("mine: 1 word, expected calibration error 0.2000"));
/// ```
pub fn reliability(systems: &[(&str, &Calibration)], style: &Style) -> String {
    let legends: Vec<String> = systems.iter().map(|(name, calibration)| legend(name, calibration)).collect();
    let legend_width = legends.iter().map(|line| width(line, SIZE) + 40.0).fold(0.0, f64::max);
    let total = (LEFT + SIDE + 24.0).max(legend_width);
    let height = TOP + SIDE + 56.0 + LINE * legends.len() as f64;
    let (x, y) = (|share: f64| LEFT + SIDE * share, |share: f64| TOP + SIDE * (1.0 - share));
    let mut svg = Svg::new(total, height, "Reliability of the probabilities of heads", style);
    svg.text("small start", 16.0, 24.0, "right heads");
    for mark in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        svg.add(format_args!(
            "<path class=\"grid\" opacity=\"0.3\" d=\"M{} {}H{}\"/>",
            Place(x(0.0)),
            Place(y(mark)),
            Place(x(1.0))
        ));
        svg.text("small end", LEFT - 8.0, y(mark) + 4.0, &format!("{mark:.1}"));
        svg.text("small", x(mark), TOP + SIDE + 18.0, &format!("{mark:.1}"));
    }
    svg.text("small start", LEFT, TOP + SIDE + 36.0, "probability of the head");
    let [start, end] = [0.0, 1.0].map(|share| format!("{} {}", Place(x(share)), Place(y(share))));
    svg.add(format_args!("<path class=\"grid\" d=\"M{start}L{end}\"/>"));
    // The first one is drawn last, so that nothing hides it.
    for (at, (_, calibration)) in systems.iter().enumerate().rev() {
        let words = calibration.words().max(1) as f64;
        let points: Vec<(f64, f64, f64)> = calibration
            .bins()
            .iter()
            .filter_map(|bin| Some((bin.confidence()?, bin.accuracy()?, bin.words as f64 / words)))
            .collect();
        let path = points
            .iter()
            .map(|&(confidence, accuracy, _)| format!("{} {}", Place(x(confidence)), Place(y(accuracy))));
        let path = path.collect::<Vec<_>>().join("L");
        if !path.is_empty() {
            svg.add(format_args!("<path class=\"curve\" opacity=\"0.6\" d=\"M{path}\"/>"));
        }
        let class = if at == 0 { "dot" } else { "ring" };
        for (confidence, accuracy, share) in points {
            svg.add(format_args!(
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                Place(x(confidence)),
                Place(y(accuracy)),
                Place(2.5 + 9.0 * share.sqrt())
            ));
        }
    }
    for (at, line) in legends.iter().enumerate() {
        let baseline = TOP + SIDE + 56.0 + LINE * at as f64;
        let class = if at == 0 { "dot" } else { "ring" };
        svg.add(format_args!(
            "<circle class=\"{class}\" cx=\"22\" cy=\"{}\" r=\"4\"/>",
            Place(baseline - 4.0)
        ));
        svg.text("small start", 32.0, baseline, line);
    }
    svg.finish()
}

fn legend(name: &str, calibration: &Calibration) -> String {
    let words = calibration.words();
    let plural = if words == 1 { "" } else { "s" };
    match calibration.expected_error() {
        Some(error) => format!("{name}: {words} word{plural}, expected calibration error {error:.4}"),
        None => format!("{name}: no probabilities"),
    }
}
