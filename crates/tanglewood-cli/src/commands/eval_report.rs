//! The results of `tanglewood eval`, as tables and as JSON.

use std::io::Write;

use serde_json::{Map, Value, json};
use tanglewood::evaluation::{
    BINS, CalibrationBin, Comparison, Evaluation, Interval, LENGTHS, LengthCounts, Metric, RESAMPLED, Rates,
    Score,
};

use crate::arguments::EvalGrouping;
use crate::text::{Table, counted, grouped};

/// Everything that was found out.
pub struct Report<'a> {
    pub gold: &'a str,
    /// One system, or two that are compared.
    pub systems: Vec<SystemReport>,
    /// The first system against the second.
    pub comparisons: Option<[Comparison; RESAMPLED.len()]>,
    pub by: &'a [EvalGrouping],
    pub calibration: bool,
    pub rounds: u32,
    pub seed: u64,
}

pub struct SystemReport {
    pub name: String,
    pub evaluation: Evaluation,
    pub intervals: Option<[Interval; RESAMPLED.len()]>,
    pub skipped: u64,
}

/// The rows of the table: parsing first, since that is what this is about.
const ROWS: [Metric; 17] = [
    Metric::Uas,
    Metric::Las,
    Metric::Clas,
    Metric::Mlas,
    Metric::Blex,
    Metric::Relations,
    Metric::ExactHeads,
    Metric::ExactTrees,
    Metric::Nonprojective,
    Metric::Upos,
    Metric::Xpos,
    Metric::Ufeats,
    Metric::AllTags,
    Metric::Lemmas,
    Metric::Words,
    Metric::Tokens,
    Metric::Sentences,
];

impl Report<'_> {
    /// The tables for people, folded if they would be wider than `width`.
    pub fn write_table(&self, width: Option<usize>, out: &mut impl Write) -> std::io::Result<()> {
        for (at, system) in self.systems.iter().enumerate() {
            if system.evaluation.score(Metric::Sentences).gold == 0 {
                return writeln!(out, "There is no sentence in the input.");
            }
            if at > 0 {
                writeln!(out)?;
            }
            system.write_heading(self, out)?;
            write_lines(&system.scores(), width, out)?;
            for by in self.by {
                writeln!(out)?;
                let table = match by {
                    EvalGrouping::Label => system.labels(),
                    EvalGrouping::Length => system.lengths(),
                };
                write_lines(&table, width, out)?;
            }
            if self.calibration {
                writeln!(out)?;
                system.write_calibration(width, out)?;
            }
        }
        if let [first, second] = &self.systems[..] {
            writeln!(out)?;
            writeln!(out, "{} less {}:", first.name, second.name)?;
            writeln!(out)?;
            write_lines(&self.differences(first, second), width, out)?;
            if self.rounds > 0 {
                writeln!(out)?;
                writeln!(
                    out,
                    "p by approximate randomisation, two-sided, {}",
                    counted(u64::from(self.rounds), "round")
                )?;
            }
        }
        Ok(())
    }

    fn differences(&self, first: &SystemReport, second: &SystemReport) -> Table {
        let mut table = Table::new(1);
        table.row(["F1", "difference", INTERVAL, "p"]);
        for (at, metric) in RESAMPLED.into_iter().enumerate() {
            let [one, other] = [first, second].map(|system| system.evaluation.score(metric).f1());
            let (difference, interval, p) = match &self.comparisons {
                Some(comparisons) => {
                    let Comparison { difference, interval, p } = comparisons[at];
                    (difference, signed_range(interval), format!("{p:.4}"))
                }
                None => (one - other, DASH.to_owned(), DASH.to_owned()),
            };
            table.row([metric.name().to_owned(), signed(difference), interval, p]);
        }
        table
    }

    pub fn write_json(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut report = Map::new();
        report.insert("gold".to_owned(), json!(self.gold));
        report.insert(
            "bootstrap".to_owned(),
            json!({ "rounds": self.rounds, "seed": self.seed, "level": 0.95 }),
        );
        report.insert("systems".to_owned(), self.systems.iter().map(SystemReport::json).collect());
        if let [first, second] = &self.systems[..] {
            let comparison = |at: usize, metric: Metric| match &self.comparisons {
                Some(comparisons) => {
                    let Comparison { difference, interval, p } = comparisons[at];
                    json!({ "difference": difference, "interval": [interval.low, interval.high], "p": p })
                }
                None => {
                    let [one, other] = [first, second].map(|system| system.evaluation.score(metric).f1());
                    json!({ "difference": one - other })
                }
            };
            let metrics = RESAMPLED.into_iter().enumerate();
            let comparisons: Map<String, Value> =
                metrics.map(|(at, metric)| (metric.name().to_owned(), comparison(at, metric))).collect();
            report.insert("comparison".to_owned(), comparisons.into());
        }
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    }
}

impl SystemReport {
    fn write_heading(&self, report: &Report<'_>, out: &mut impl Write) -> std::io::Result<()> {
        let gold = |metric| self.evaluation.score(metric).gold;
        let (sentences, words) = (gold(Metric::Sentences), gold(Metric::Words));
        let size = format!("{}, {}", counted(sentences, "sentence"), counted(words, "word"));
        writeln!(out, "{} against {}: {size}", self.name, report.gold)?;
        writeln!(out)
    }

    fn scores(&self) -> Table {
        let mut table = Table::new(1);
        let mut row = |name: &str, cells: [String; 3], last: Option<String>| {
            // Without resampling there is no such column.
            let last = last.filter(|_| self.intervals.is_some());
            table.row(std::iter::once(name.to_owned()).chain(cells).chain(last));
        };
        row("percent", ["precision", "recall", "F1"].map(str::to_owned), Some(INTERVAL.to_owned()));
        for metric in ROWS {
            let place = RESAMPLED.into_iter().position(|resampled| resampled == metric);
            let interval = place.and_then(|place| Some(range(self.intervals?[place])));
            row(metric.name(), cells(self.evaluation.score(metric)), interval);
            if metric == Metric::ExactTrees {
                let crossing = self.evaluation.crossing();
                let rows = [("crossing arcs", crossing.lenient()), ("  in both trees", crossing.strict())];
                for (name, rates) in rows {
                    row(name, rate_cells(rates, crossing.gold, crossing.system), None);
                }
            }
        }
        table
    }

    /// The most frequent relations first.
    fn labels(&self) -> Table {
        let mut table = Table::new(1);
        table.row(["relation", "gold", "system", "correct", "precision", "recall", "F1"]);
        for (label, score) in sorted_labels(&self.evaluation) {
            let counts = [score.gold, score.system, score.correct].map(grouped);
            table.row(std::iter::once(label.to_owned()).chain(counts).chain(cells(score)));
        }
        table
    }

    fn lengths(&self) -> Table {
        let mut table = Table::new(1);
        table.row(["words", "sentences", "UAS", "LAS", "CLAS", "exact trees"]);
        for (name, counts) in named_lengths(&self.evaluation).filter(|(_, counts)| counts.sentences > 0) {
            let LengthCounts { sentences, exact, words, content_words, .. } = *counts;
            let cells = [
                cell(counts.right_heads, words),
                cell(counts.right_arcs, words),
                cell(counts.right_content_arcs, content_words),
                cell(exact, sentences),
            ];
            table.row([name, grouped(sentences)].into_iter().chain(cells));
        }
        table
    }

    fn write_calibration(&self, width: Option<usize>, out: &mut impl Write) -> std::io::Result<()> {
        let calibration = self.evaluation.calibration();
        let Some(error) = calibration.expected_error() else {
            return writeln!(out, "No word has ArcProb in MISC; expected what `parse --confidence` writes.");
        };
        let mut table = Table::new(1);
        table.row(["probability", "words", "mean", "right heads"]);
        let shown = |bin: &CalibrationBin| {
            let share = |share: Option<f64>| share.map_or_else(|| DASH.to_owned(), number);
            [grouped(bin.words), share(bin.confidence()), share(bin.accuracy())]
        };
        for (at, bin) in calibration.bins().iter().enumerate() {
            let name = format!("{}-{}", 100 * at / BINS, 100 * (at + 1) / BINS);
            table.row(std::iter::once(name).chain(shown(bin)));
        }
        table.row(std::iter::once("all".to_owned()).chain(shown(&calibration.total())));
        write_lines(&table, width, out)?;
        writeln!(out)?;
        writeln!(out, "expected calibration error {}", number(error))
    }

    fn json(&self) -> Value {
        let mut scores = Map::new();
        for metric in Metric::ALL {
            let mut score = json_of(self.evaluation.score(metric));
            let place = RESAMPLED.into_iter().position(|resampled| resampled == metric);
            if let (Some(place), Some(intervals)) = (place, &self.intervals) {
                score["interval"] = json!([intervals[place].low, intervals[place].high]);
            }
            scores.insert(metric.name().replace(' ', "_").replace('-', ""), score);
        }
        let crossing = self.evaluation.crossing();
        let rates =
            |rates: Rates| json!({ "precision": rates.precision, "recall": rates.recall, "f1": rates.f1() });
        let labels: Map<String, Value> =
            self.evaluation.labels().iter().map(|(label, score)| (label.clone(), json_of(score))).collect();
        let length = |(words, counts): (String, &LengthCounts)| {
            json!({
                "words": words, "sentences": counts.sentences, "exact_trees": counts.exact,
                "gold": counts.words, "right_heads": counts.right_heads, "right_arcs": counts.right_arcs,
                "gold_content": counts.content_words, "right_content_arcs": counts.right_content_arcs,
            })
        };
        let calibration = self.evaluation.calibration();
        let bin = |bin: &CalibrationBin| {
            json!({
                "words": bin.words, "right": bin.right,
                "confidence": bin.confidence(), "accuracy": bin.accuracy(),
            })
        };
        let mut report = json!({
            "system": self.name,
            "scores": scores,
            "crossing": {
                "gold": crossing.gold, "system": crossing.system, "right_of_gold": crossing.right_of_gold,
                "right_of_system": crossing.right_of_system, "right_of_both": crossing.right_of_both,
                "lenient": rates(crossing.lenient()), "strict": rates(crossing.strict()),
            },
            "labels": labels,
            "lengths": named_lengths(&self.evaluation).map(length).collect::<Vec<_>>(),
            "skipped": self.skipped,
        });
        if let Some(error) = calibration.expected_error() {
            let bins: Vec<Value> = calibration.bins().iter().map(bin).collect();
            report["calibration"] =
                json!({ "words": calibration.words(), "expected_error": error, "bins": bins });
        }
        report
    }
}

fn json_of(score: &Score) -> Value {
    json!({
        "gold": score.gold, "system": score.system, "correct": score.correct, "aligned": score.aligned,
        "precision": score.precision(), "recall": score.recall(), "f1": score.f1(),
    })
}

fn sorted_labels(evaluation: &Evaluation) -> Vec<(&str, &Score)> {
    let mut labels: Vec<_> = evaluation.labels().iter().map(|(label, score)| (&label[..], score)).collect();
    labels.sort_by_key(|(_, score)| std::cmp::Reverse(score.gold));
    labels
}

/// The groups of lengths with names like 11-20.
fn named_lengths(evaluation: &Evaluation) -> impl Iterator<Item = (String, &LengthCounts)> {
    let name = |at: usize| match LENGTHS.get(at + 1) {
        Some(next) => format!("{}-{}", LENGTHS[at], next - 1),
        None => format!("{}+", LENGTHS[at]),
    };
    evaluation.lengths().iter().enumerate().map(move |(at, counts)| (name(at), counts))
}

const INTERVAL: &str = "95 % interval";
const DASH: &str = "–";

/// A share in percent with the shared task's rounding: of the share times 100.
fn number(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// A dash if there is nothing to take a share of.
fn cell(part: u64, whole: u64) -> String {
    if whole == 0 { DASH.to_owned() } else { number(part as f64 / whole as f64) }
}

fn cells(score: &Score) -> [String; 3] {
    let rates = Rates { precision: score.precision(), recall: score.recall() };
    let [precision, recall, f1] = rate_cells(rates, score.gold, score.system);
    [precision, recall, if f1 == DASH { f1 } else { number(score.f1()) }]
}

fn rate_cells(rates: Rates, gold: u64, system: u64) -> [String; 3] {
    let or_dash = |whole: u64, share| if whole == 0 { DASH.to_owned() } else { number(share) };
    [or_dash(system, rates.precision), or_dash(gold, rates.recall), or_dash(gold + system, rates.f1())]
}

fn range(interval: Interval) -> String {
    format!("{} to {}", number(interval.low), number(interval.high))
}

fn signed(share: f64) -> String {
    format!("{:+.2}", 100.0 * share)
}

fn signed_range(interval: Interval) -> String {
    format!("{} to {}", signed(interval.low), signed(interval.high))
}

fn write_lines(table: &Table, width: Option<usize>, out: &mut impl Write) -> std::io::Result<()> {
    for (at, panel) in table.panels(width.unwrap_or(usize::MAX)).iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        for line in panel {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
