//! `tanglewood systems`

use std::io::Write;

use serde::Serialize;
use tanglewood::System;
use tanglewood::draw::{self, Style, Theme};
use tanglewood::system::Degree;

use crate::Outcome;
use crate::arguments::{SystemsArguments, SystemsFormat};
use crate::failure::Verdict;
use crate::output::Output;
use crate::page::{self, Picture};
use crate::text::order_of;

/// What is shown of a system.
#[derive(Serialize)]
struct Entry {
    name: String,
    inventory: Vec<String>,
    time: u32,
    space: u32,
    /// None if heads may be anywhere in the buffer.
    degree: Option<u32>,
    removal_closed: bool,
    /// How many nodes a frame may have, if that is bounded.
    frame: Option<usize>,
    summary: Option<String>,
    citation: Option<&'static str>,
}

pub fn run(arguments: &SystemsArguments) -> Outcome {
    let systems: Vec<System> = if arguments.names.is_empty() {
        System::all()
    } else {
        arguments.names.iter().map(|name| System::named(name)).collect::<Result<_, _>>()?
    };
    let mut out = Output::to(None)?;
    match arguments.format {
        SystemsFormat::Json => {
            let entries: Vec<Entry> = systems.iter().map(entry).collect();
            serde_json::to_writer_pretty(&mut out, &entries).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        SystemsFormat::Html => {
            let pictures: Vec<Picture> = systems.iter().map(picture).collect();
            let page = page::of_pictures("Transition systems", Theme::Auto, &pictures);
            out.write_all(page.as_bytes())?;
        }
        SystemsFormat::Table => {
            for (at, system) in systems.iter().enumerate() {
                if at > 0 {
                    writeln!(out)?;
                }
                show(system, &mut out)?;
            }
        }
    }
    out.finish()?;
    Ok(Verdict::Yes)
}

fn entry(system: &System) -> Entry {
    let inventory = system.inventory();
    let cost = system.complexity();
    Entry {
        name: system.name().to_owned(),
        inventory: inventory.reduces().iter().map(ToString::to_string).collect(),
        time: cost.time,
        space: cost.space,
        degree: match inventory.degree() {
            Degree::Bounded(degree) => Some(degree),
            Degree::Unbounded => None,
        },
        removal_closed: inventory.is_removal_closed(),
        frame: system.frame(),
        summary: summary(system),
        citation: citation(system),
    }
}

/// One line about the system, if it has a name. A lookahead system is described by the one it extends.
fn summary(system: &System) -> Option<String> {
    if let Some(base) = system.name().strip_suffix('+') {
        return Some(format!("{base}, with every word of the buffer in reach as a head"));
    }
    let deepest = format!("s{}", system.inventory().depth());
    let nodes = format!("{} nodes", system.frame().unwrap_or_default());
    system.family().map(|family| family.summary.replace("sD", &deepest).replace("K nodes", &nodes))
}

/// Where it was published; lookahead systems are this project's own.
fn citation(system: &System) -> Option<&'static str> {
    system.family().filter(|_| !system.name().ends_with('+')).map(|family| family.citation)
}

/// What it costs, in one line.
fn cost(system: &System) -> String {
    let inventory = system.inventory();
    let cost = system.complexity();
    let oracle = match system.frame() {
        Some(_) => "oracle by contraction and deduction",
        None if inventory.is_removal_closed() => "linear oracle",
        None => "oracle by search",
    };
    let (time, space) = (order_of(cost.time), order_of(cost.space));
    format!("{time} time, {space} space, degree {}, {oracle}", inventory.degree())
}

/// The diagram of a system, with what is said about it in the table.
fn picture(system: &System) -> Picture {
    let lines = [Some(cost(system)), summary(system), citation(system).map(str::to_owned)];
    let svg = draw::inventory(system, &Style { sheet: false, ..Style::default() });
    let notes = lines.into_iter().flatten().collect();
    Picture { heading: system.name().to_owned(), notes, svg, ..Picture::default() }
}

fn show(system: &System, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{system}: {}", cost(system))?;
    for line in [summary(system).as_deref(), citation(system)].into_iter().flatten() {
        writeln!(out, "  {line}")?;
    }
    for line in system.inventory().diagram().lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}
