//! `tanglewood eval`

use std::io::Write;
use std::path::Path;

use tanglewood::conllu::Validator;
use tanglewood::draw;
use tanglewood::evaluation::{
    Difference, Evaluation, Reading, Side, Stretch, Stretches, Unaligned, Unit, bootstrap, compare,
    intervals, pair_units, paired_rounds,
};

use super::eval_report::{Report, SystemReport};
use crate::Outcome;
use crate::arguments::{EvalArguments, TableFormat};
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::output::{self, Output};
use crate::parallel::{blocks_of, in_order, jobs};
use crate::progress::{Progress, say};
use crate::text::{counted, terminal_width};

/// How many stretches of text a thread is given at once.
const BATCH: usize = 64;

/// How many rounds of resampling a thread is given at once.
const ROUNDS: u32 = 20;

pub fn run(arguments: &EvalArguments) -> Outcome {
    let gold = one_file(&arguments.gold)?;
    let system = one_file(&arguments.system)?;
    let other = arguments.against.as_deref().map(one_file).transpose()?;
    check_standard_input(arguments)?;
    check_outputs(arguments)?;
    // Before the work, so that a place that cannot be written to is known at once.
    let read = [&gold, &system].into_iter().chain(&other).map(Source::path);
    let mut out = Output::to(arguments.output.file.as_deref(), read.clone())?;
    let plot = arguments.plot.as_deref().map(|path| Output::to(Some(path), read)).transpose()?;
    let mut reports = Vec::new();
    let mut all_units = Vec::new();
    for system in std::iter::once(&system).chain(&other) {
        match measure(&gold, system, arguments)? {
            Ok(Measured { evaluation, units, skipped }) => {
                let rounds = resample(arguments, |rounds| bootstrap(&units, arguments.seed, rounds))?;
                let name = system.name.clone();
                reports.push(SystemReport { name, evaluation, intervals: intervals(&rounds), skipped });
                all_units.push(units);
            }
            Err(difference) => {
                say_difference(&gold, system, &difference);
                return Ok(Verdict::No);
            }
        }
    }
    let mut comparisons = None;
    if let [first, second] = &all_units[..] {
        let pairs = pair_units(first, second);
        let rounds = resample(arguments, |rounds| paired_rounds(&pairs, arguments.seed, rounds))?;
        comparisons = compare(&pairs, &rounds);
    }
    let report = Report {
        gold: &gold.name,
        systems: reports,
        comparisons,
        by: &arguments.by,
        calibration: arguments.calibration,
        rounds: arguments.bootstrap,
        seed: arguments.seed,
    };
    // Before the table is written, since it may be that nothing can be drawn.
    let plot = plot.map(|plot| Ok::<_, Failure>((reliability(&report)?, plot))).transpose()?;
    match arguments.format {
        TableFormat::Table => {
            let width = if out.is_terminal() { terminal_width() } else { None };
            report.write_table(width, &mut out)?;
        }
        TableFormat::Json => report.write_json(&mut out)?,
    }
    if let Some((picture, mut plot)) = plot {
        plot.write_all(picture.as_bytes())?;
        plot.finish()?;
    }
    out.finish()?;
    Ok(Verdict::Yes)
}

/// A picture of how often heads are right, by their probability.
fn reliability(report: &Report<'_>) -> Result<String, Failure> {
    let unsure = |system: &&SystemReport| system.evaluation.calibration().words() == 0;
    if let Some(system) = report.systems.iter().find(unsure) {
        return Err(Failure::Other(format!(
            "{}: no word has ArcProb in MISC, so there is nothing to draw; expected what `tanglewood parse --confidence` writes",
            system.name
        )));
    }
    let systems: Vec<_> =
        report.systems.iter().map(|system| (&system.name[..], system.evaluation.calibration())).collect();
    Ok(draw::reliability(&systems, &draw::Style::default()))
}

fn one_file(path: &Path) -> Result<Source, Failure> {
    let mut sources = input::sources(&[path.to_owned()])?;
    match (sources.pop(), path.is_dir()) {
        (Some(source), false) => Ok(source),
        _ => Err(Failure::Other(format!("{} is a directory; expected one file", path.display()))),
    }
}

/// Standard input can be read only once, and with two systems the gold standard is read twice.
fn check_standard_input(arguments: &EvalArguments) -> Result<(), Failure> {
    let is_standard = |path: &Path| path.as_os_str() == "-";
    let paths = [Some(&arguments.gold), Some(&arguments.system), arguments.against.as_ref()];
    if paths.into_iter().flatten().filter(|path| is_standard(path)).count() > 1 {
        let message = "two files are -; expected at most one, since standard input can be read only once";
        return Err(Failure::Other(message.to_owned()));
    }
    if arguments.against.is_some() && is_standard(&arguments.gold) {
        let message = "GOLD is -, but --against reads it twice; expected a file";
        return Err(Failure::Other(message.to_owned()));
    }
    Ok(())
}

/// Of two results that go to one place, one would be lost, or both be mixed.
fn check_outputs(arguments: &EvalArguments) -> Result<(), Failure> {
    let Some(plot) = arguments.plot.as_deref() else { return Ok(()) };
    let table = arguments.output.file.as_deref().unwrap_or(Path::new("-"));
    if output::are_the_same(table, plot)? {
        let message = "the table and its picture have the same place; name another file after --plot or -o";
        return Err(Failure::Other(message.to_owned()));
    }
    Ok(())
}

/// What came out of comparing two files.
struct Measured {
    evaluation: Evaluation,
    units: Vec<Unit>,
    skipped: u64,
}

/// Some stretches of text; or the difference at which the files stop being the same, which is the last item.
enum Batch {
    Stretches(Vec<Stretch>),
    Difference(Difference),
}

/// The scores; or the difference, if the files cannot be aligned.
fn measure(
    gold: &Source,
    system: &Source,
    arguments: &EvalArguments,
) -> Result<Result<Measured, Difference>, Failure> {
    let progress = Progress::over(&[gold.clone(), system.clone()]);
    let skip_invalid = arguments.invalid.skip_invalid;
    let name = |side| if side == Side::Gold { &gold.name } else { &system.name };
    let mut stretches =
        Stretches::new(readings(gold, &progress, skip_invalid), readings(system, &progress, skip_invalid));
    let batches = std::iter::from_fn(|| {
        let batch: Result<Vec<Stretch>, _> = stretches.by_ref().take(BATCH).collect();
        match batch {
            Ok(batch) if batch.is_empty() => None,
            Ok(batch) => Some(Ok(Batch::Stretches(batch))),
            Err(Unaligned::Difference(difference)) => Some(Ok(Batch::Difference(difference))),
            Err(Unaligned::Source(failure)) => Some(Err(failure)),
            Err(Unaligned::Unreadable(side, problem)) => {
                Some(Err(Failure::Problem { file: name(side).clone(), problem }))
            }
        }
    });
    let count = |_: &mut (), batch: Batch| match batch {
        Batch::Stretches(stretches) => {
            let mut evaluation = Evaluation::new();
            let units: Vec<Unit> = stretches.iter().map(|stretch| evaluation.add(stretch)).collect();
            let problems = stretches.iter().flat_map(Stretch::problems);
            let problems: Vec<_> = problems.map(|(side, problem)| (side, problem.clone())).collect();
            Ok((evaluation, units, problems))
        }
        Batch::Difference(difference) => Err(difference),
    };
    let (mut evaluation, mut units, mut skipped) = (Evaluation::new(), Vec::new(), 0);
    let mut difference = None;
    let outcome = in_order(
        batches,
        jobs(arguments.jobs.jobs),
        || (),
        count,
        |counted| {
            match counted {
                Ok((more, more_units, problems)) => {
                    evaluation.merge(&more);
                    units.extend(more_units);
                    for (side, problem) in problems {
                        progress.say(format_args!("skipped: {}:{problem}", name(side)));
                        skipped += 1;
                    }
                }
                Err(found) => difference = Some(found),
            }
            Ok(())
        },
    );
    progress.finish();
    outcome?;
    if let Some(difference) = difference {
        return Ok(Err(difference));
    }
    if skipped > 0 {
        let sentences = counted(skipped, "invalid sentence");
        say(format_args!("skipped {sentences}, with the same text in the other file"));
    }
    Ok(Ok(Measured { evaluation, units, skipped }))
}

/// The sentences of a file. One that is not valid is an error, unless such are to be skipped.
fn readings<'a>(
    source: &'a Source,
    progress: &'a Progress,
    skip_invalid: bool,
) -> impl Iterator<Item = Result<Reading, Failure>> + Send + 'a {
    let mut validator = Validator::new();
    blocks_of(source, progress).flat_map(move |block| {
        let block = match block {
            Ok(block) => block,
            Err(failure) => return vec![Err(failure)],
        };
        let sentences = block.sentences().filter(|sentence| !sentence.is_blank());
        let readings = sentences.map(|sentence| {
            let reading = Reading::of(&sentence, &mut validator);
            match reading.problem().filter(|_| !skip_invalid) {
                Some(problem) => {
                    Err(Failure::Problem { file: source.name.clone(), problem: problem.clone() })
                }
                None => Ok(reading),
            }
        });
        readings.collect()
    })
}

fn say_difference(gold: &Source, system: &Source, difference: &Difference) {
    let (gold, system) = (&gold.name, &system.name);
    match (&difference.gold, &difference.system) {
        (Some(expected), Some(found)) => {
            let (line, expected) = (expected.line, expected.quoted());
            let found = format!("{}: {}", found.line, found.quoted());
            say(format_args!("{system}:{found}; expected {expected}, as in {gold}:{line}"));
        }
        (None, Some(found)) => {
            let found = format!("{}: {}", found.line, found.quoted());
            say(format_args!("{system}:{found}; expected the end, as in {gold}"));
        }
        (Some(expected), None) => {
            let (line, expected) = (expected.line, expected.quoted());
            say(format_args!("{system}: the file ends; expected {expected}, as in {gold}:{line}"));
        }
        (None, None) => {}
    }
    say(
        "The files cannot be aligned: apart from spaces, both must have the same characters in the same order.",
    );
}

/// The rounds of resampling that were asked for, in order, shared among threads.
fn resample<T: Send>(
    arguments: &EvalArguments,
    work: impl Fn(std::ops::Range<u32>) -> Vec<T> + Sync,
) -> Result<Vec<T>, Failure> {
    let rounds = arguments.bootstrap;
    let parts = (0..rounds.div_ceil(ROUNDS)).map(|part| Ok(part * ROUNDS..rounds.min((part + 1) * ROUNDS)));
    let mut all = Vec::new();
    in_order(
        parts,
        jobs(arguments.jobs.jobs),
        || (),
        |_, part| work(part),
        |values| {
            all.extend(values);
            Ok(())
        },
    )?;
    Ok(all)
}
