//! `tanglewood systems`

use std::io::Write;

use serde::Serialize;
use tanglewood::System;
use tanglewood::draw::{self, Style, Theme};
use tanglewood::system::{Degree, TreeClass};
use tanglewood_explorer::page::{self, Picture};

use crate::Outcome;
use crate::arguments::{SystemsArguments, SystemsFormat};
use crate::failure::Verdict;
use crate::output::Output;
use crate::text::order_of;

/// What is said of all trees.
const ALL_TREES: &str = "all trees, crossing or not; no transitions build them, maximum spanning trees do";

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
    let systems: Vec<TreeClass> = if arguments.names.is_empty() {
        System::all().into_iter().map(TreeClass::from).collect()
    } else {
        arguments.names.iter().map(|name| TreeClass::named(name)).collect::<Result<_, _>>()?
    };
    let mut out = Output::standard();
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

fn entry(class: &TreeClass) -> Entry {
    let cost = class.complexity();
    let Some(system) = class.system() else {
        return Entry {
            name: class.name().to_owned(),
            inventory: Vec::new(),
            time: cost.time,
            space: cost.space,
            degree: None,
            removal_closed: true,
            frame: None,
            summary: Some(ALL_TREES.to_owned()),
            citation: None,
        };
    };
    let inventory = system.inventory();
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
    let oracle = match system.frame() {
        Some(_) => "oracle by contraction and deduction",
        None if inventory.is_removal_closed() => "linear oracle",
        None => "oracle by search",
    };
    format!("{}, degree {}, {oracle}", orders(&system.into()), inventory.degree())
}

/// Time and space of exact inference.
fn orders(class: &TreeClass) -> String {
    let cost = class.complexity();
    format!("{} time, {} space", order_of(cost.time), order_of(cost.space))
}

/// The diagram of a system, with what is said about it in the table. All trees have none.
fn picture(class: &TreeClass) -> Picture {
    let Some(system) = class.system() else {
        let notes = vec![orders(class), ALL_TREES.to_owned()];
        return Picture { heading: class.name().to_owned(), notes, ..Picture::default() };
    };
    let lines = [Some(cost(system)), summary(system), citation(system).map(str::to_owned)];
    let svg = draw::inventory(system, &Style { sheet: false, ..Style::default() });
    let notes = lines.into_iter().flatten().collect();
    Picture { heading: system.name().to_owned(), notes, svg, ..Picture::default() }
}

fn show(class: &TreeClass, out: &mut impl Write) -> std::io::Result<()> {
    let Some(system) = class.system() else {
        return writeln!(out, "{class}: {}\n  {ALL_TREES}", orders(class));
    };
    writeln!(out, "{system}: {}", cost(system))?;
    for line in [summary(system).as_deref(), citation(system)].into_iter().flatten() {
        writeln!(out, "  {line}")?;
    }
    for line in system.inventory().diagram().lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}
