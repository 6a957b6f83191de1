//! `tanglewood coverage`

use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value, json};
use tanglewood::Tree;
use tanglewood::classes::Class;
use tanglewood::conllu::{Block, Problem, Sentence, Validator};
use tanglewood::coverage::{Counts, Survey};
use tanglewood::system::{Direction, TreeClass};

use super::coverage_page::{self, Provenance};
use super::phenomena::Phenomena;
use super::verify::Verification;
use crate::Outcome;
use crate::arguments::{CoverageArguments, CoverageFormat, Grouping};
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::output::Output;
use crate::parallel::{for_each_block, jobs};
use crate::progress::Progress;
use crate::text::{Table, counted, grouped, percent, terminal_width};

pub fn run(arguments: &CoverageArguments) -> Outcome {
    let sources = input::sources(&arguments.paths)?;
    // Before the work, so that a place that cannot be written to is known at once.
    let mut out = Output::to(arguments.output.file.as_deref(), sources.iter().map(Source::path))?;
    let classes: Vec<Class> = if arguments.classes {
        Class::ALL.into_iter().filter(|&class| class != Class::Projective).collect()
    } else {
        Vec::new()
    };
    let survey = Survey::new(&arguments.systems.0, arguments.direction.direction, &classes);
    let mut counts: Vec<Counts> = sources.iter().map(|_| survey.counts()).collect();
    let progress = Progress::over(&sources);
    let mut skipped = 0;
    let verification = arguments
        .verify
        .map(|words| Verification::new(&arguments.systems.0, arguments.direction.direction, words.get()));
    let (mut verified, mut disagreements) = (0, 0);
    let with_kinds = arguments.format == CoverageFormat::Html;
    let mut phenomena = Phenomena::default();
    let count = |validator: &mut Validator, block: &Block| {
        let mut kinds = with_kinds.then(Phenomena::default);
        let (counts, invalid) = count_block(&survey, validator, block, kinds.as_mut());
        let checked = verification.as_ref().map(|verification| verification.check_block(validator, block));
        (counts, invalid, checked, kinds)
    };
    for_each_block(
        &sources,
        jobs(arguments.jobs.jobs),
        &progress,
        Validator::new,
        count,
        |source, (found, invalid, checked, kinds)| {
            let file = &sources[source].name;
            for problem in invalid {
                if !arguments.invalid.skip_invalid {
                    return Err(Failure::Problem { file: file.clone(), problem });
                }
                progress.say(format_args!("skipped: {file}:{problem}"));
                skipped += 1;
            }
            if let Some(checked) = checked {
                verified += checked.sentences;
                disagreements += checked.disagreements.len() as u64;
                for disagreement in checked.disagreements {
                    progress.say(format_args!("disagreement: {file}:{disagreement}"));
                }
            }
            counts[source].merge(&found);
            if let Some(kinds) = kinds {
                phenomena.merge(kinds.in_file(file));
            }
            Ok(())
        },
    )?;
    if let Some(words) = arguments.verify {
        let sentences = counted(verified, "sentence");
        let result = match disagreements {
            0 => "oracle and deduction agree".to_owned(),
            _ => counted(disagreements, "disagreement"),
        };
        progress.say(format_args!("verified {sentences} of up to {words} words: {result}"));
    }
    if skipped > 0 {
        progress.say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    let languages = match arguments.format {
        CoverageFormat::Html => grouped_rows(Grouping::Language, &sources, counts.clone(), &survey),
        _ => Vec::new(),
    };
    let report = Report {
        grouping: arguments.by,
        systems: &arguments.systems.0,
        direction: arguments.direction.direction,
        classes: &classes,
        rows: grouped_rows(arguments.by, &sources, counts, &survey),
        empty: survey.counts(),
        skipped,
    };
    match arguments.format {
        CoverageFormat::Table => {
            let width = if out.is_terminal() { terminal_width() } else { None };
            report.write_table(width, &mut out)?;
        }
        CoverageFormat::Tsv => report.write_tsv(&mut out)?,
        CoverageFormat::Json => report.write_json(&mut out)?,
        CoverageFormat::Html => {
            let inputs = sources.iter().map(|source| source.name.clone()).collect();
            let provenance = Provenance { command: command(arguments), inputs };
            out.write_all(coverage_page::page(&report, &languages, &phenomena, &provenance).as_bytes())?;
        }
    }
    out.finish()?;
    Ok(if disagreements == 0 { Verdict::Yes } else { Verdict::No })
}

/// The command that gives the same report again: what has no influence on it is left out.
fn command(arguments: &CoverageArguments) -> String {
    let quoted = |text: &str| {
        let plain = |character: char| character.is_alphanumeric() || "-_./:+,@".contains(character);
        if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
    };
    let mut words = vec!["tanglewood".to_owned(), "coverage".to_owned()];
    words.extend(arguments.paths.iter().map(|path| quoted(&path.display().to_string())));
    let systems: Vec<&str> = arguments.systems.0.iter().map(TreeClass::name).collect();
    words.extend(["--systems".to_owned(), quoted(&systems.join(","))]);
    words.extend(["--direction".to_owned(), arguments.direction.direction.to_string()]);
    words.extend(["--by".to_owned(), arguments.by.name().to_owned()]);
    if arguments.classes {
        words.push("--classes".to_owned());
    }
    if arguments.invalid.skip_invalid {
        words.push("--skip-invalid".to_owned());
    }
    words.extend(["--format".to_owned(), "html".to_owned()]);
    words.join(" ")
}

/// The counts of a block, and the problems of sentences that could not be counted. Kinds of crossings are
/// counted if asked for.
fn count_block(
    survey: &Survey,
    validator: &mut Validator,
    block: &Block,
    mut kinds: Option<&mut Phenomena>,
) -> (Counts, Vec<Problem>) {
    let mut counts = survey.counts();
    let mut invalid = Vec::new();
    for sentence in block.sentences().filter(|sentence| !sentence.is_blank()) {
        match validator.tree(&sentence) {
            Ok(tree) => match &mut kinds {
                Some(kinds) => add_with_kinds(survey, &sentence, &tree, &mut counts, kinds),
                None => survey.add(&tree, &mut counts),
            },
            Err(problem) => invalid.push(problem),
        }
    }
    (counts, invalid)
}

/// Counts one more tree, and its kinds of crossings.
pub fn add_with_kinds(
    survey: &Survey,
    sentence: &Sentence<'_>,
    tree: &Tree,
    counts: &mut Counts,
    kinds: &mut Phenomena,
) {
    let before = counts.clone();
    survey.add(tree, counts);
    if counts.nonprojective > before.nonprojective {
        let missed: Vec<bool> =
            before.covered.iter().zip(&counts.covered).map(|(before, after)| before == after).collect();
        kinds.add(sentence, tree, &missed);
    }
}

/// One row per file, treebank or language, in order of first appearance.
fn grouped_rows(
    by: Grouping,
    sources: &[Source],
    counts: Vec<Counts>,
    survey: &Survey,
) -> Vec<(String, Counts)> {
    let mut rows: Vec<(String, Counts)> = Vec::new();
    for (source, counts) in sources.iter().zip(counts) {
        let name = group_of(by, &source.name);
        match rows.iter_mut().find(|(other, _)| by != Grouping::File && *other == name) {
            Some((_, sum)) => sum.merge(&counts),
            None => {
                let mut sum = survey.counts();
                sum.merge(&counts);
                rows.push((name, sum));
            }
        }
    }
    rows
}

/// `en_ewt-ud-train.conllu.gz` belongs to treebank `en_ewt` and language `en`; other files to one named like
/// themselves.
fn group_of(by: Grouping, file: &str) -> String {
    let name = Path::new(file).file_name().map_or(file.into(), |name| name.to_string_lossy());
    let stem = name.split(".conllu").next().unwrap_or(&name);
    let treebank = stem.split_once("-ud").map_or(stem, |(treebank, _)| treebank);
    match by {
        Grouping::File => file.to_owned(),
        Grouping::Treebank => treebank.to_owned(),
        Grouping::Language => treebank.split('_').next().unwrap_or(treebank).to_owned(),
    }
}

/// The finished counts, ready to be written.
pub struct Report<'a> {
    pub grouping: Grouping,
    pub systems: &'a [TreeClass],
    pub direction: Direction,
    pub classes: &'a [Class],
    pub rows: Vec<(String, Counts)>,
    /// Counts of nothing, with the right columns.
    pub empty: Counts,
    pub skipped: u64,
}

impl Report<'_> {
    pub fn total(&self) -> Counts {
        let mut total = self.empty.clone();
        for (_, counts) in &self.rows {
            total.merge(counts);
        }
        total
    }

    /// The titles of the columns after `nonprojective`.
    pub fn titles(&self) -> Vec<String> {
        let system = |system: &TreeClass| match self.direction {
            Direction::Ltr => system.name().to_owned(),
            other => format!("{system}@{other}"),
        };
        self.systems
            .iter()
            .map(system)
            .chain(self.classes.iter().map(|class| class.name().to_owned()))
            .collect()
    }

    /// What stands below them.
    pub fn values(counts: &Counts) -> impl Iterator<Item = u64> + '_ {
        counts.covered.iter().chain(&counts.members).copied()
    }

    /// The table for people, folded if it would be wider than `width`.
    pub fn write_table(&self, width: Option<usize>, out: &mut impl Write) -> std::io::Result<()> {
        let total = self.total();
        if total.sentences == 0 {
            return writeln!(out, "There is no sentence in the input.");
        }
        writeln!(
            out,
            "{} of {} sentences are non-projective: {}; {} of arcs cross",
            grouped(total.nonprojective),
            grouped(total.sentences),
            percent(total.nonprojective, total.sentences),
            percent(total.arcs.crossing, total.arcs.arcs),
        )?;
        writeln!(out, "Of the non-projective ones, covered:")?;
        writeln!(out)?;
        let mut table = Table::new(1);
        let fixed = [self.grouping.name(), "sentences", "non-projective"].map(str::to_owned);
        table.row(fixed.into_iter().chain(self.titles()));
        let share = |part: u64, whole: u64| format!("{} {:>9}", grouped(part), percent(part, whole));
        let mut row = |name: &str, counts: &Counts| {
            let nonprojective = share(counts.nonprojective, counts.sentences);
            let fixed = [name.to_owned(), grouped(counts.sentences), nonprojective];
            let cells = Self::values(counts).map(|covered| share(covered, counts.nonprojective));
            table.row(fixed.into_iter().chain(cells));
        };
        for (name, counts) in &self.rows {
            row(name, counts);
        }
        if self.rows.len() > 1 {
            row("TOTAL", &total);
        }
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

    fn write_tsv(&self, out: &mut impl Write) -> std::io::Result<()> {
        write!(out, "{}\tsentences\tnonprojective", self.grouping.name())?;
        for title in self.titles() {
            write!(out, "\t{title}")?;
        }
        writeln!(out)?;
        let total = ("TOTAL".to_owned(), self.total());
        for (name, counts) in self.rows.iter().chain([&total]) {
            write!(out, "{name}\t{}\t{}", counts.sentences, counts.nonprojective)?;
            for value in Self::values(counts) {
                write!(out, "\t{value}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write) -> std::io::Result<()> {
        let row = |(name, counts): &(String, Counts)| {
            let columns = |names: Vec<&str>, values: &[u64]| -> Map<String, Value> {
                names.into_iter().map(str::to_owned).zip(values.iter().map(|&value| json!(value))).collect()
            };
            let mut row = Map::new();
            row.insert(self.grouping.name().to_owned(), json!(name));
            row.insert("sentences".to_owned(), json!(counts.sentences));
            row.insert("nonprojective".to_owned(), json!(counts.nonprojective));
            let systems = self.systems.iter().map(TreeClass::name).collect();
            row.insert("covered".to_owned(), columns(systems, &counts.covered).into());
            if !self.classes.is_empty() {
                let classes = self.classes.iter().map(|class| class.name()).collect();
                row.insert("classes".to_owned(), columns(classes, &counts.members).into());
            }
            let arcs = &counts.arcs;
            row.insert(
                "arcs".to_owned(),
                json!({
                    "all": arcs.arcs, "crossing": arcs.crossing, "crossing_pairs": arcs.pairs,
                    "total_length": arcs.total_length, "longest": arcs.longest,
                }),
            );
            Value::Object(row)
        };
        let report = json!({
            "direction": self.direction.to_string(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "total": row(&("TOTAL".to_owned(), self.total())),
            "skipped": self.skipped,
        });
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    }
}
