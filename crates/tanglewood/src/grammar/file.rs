//! A grammar as text, in which every change is noticed.
//!
//! The first line says what it is and which version, the last one has a checksum of all before. Between them
//! are settings, notes, symbols, labels and distributions or the parameters of networks, each a line with its
//! number of lines and then these. Fields are separated by tabs; numbers are written so that the same ones
//! are read.

use std::fmt::Write;
use std::str::FromStr;

use super::conditionals::Model;
use super::counts::CONTEXT_TYPES;
use super::labels::{Key, Labels};
use super::mixture::{Context, Entry, Mixture};
use super::network::{HIDDEN, Network};
use super::symbols::{Symbol, Symbols};
use super::{Conditionals, Grammar, GrammarFileError, Settings};
use crate::System;
use crate::shown::Quoted;

/// The first lines of grammars of multinomials, and of networks.
const TITLES: [&str; 2] = ["tanglewood grammar 1", "tanglewood grammar 2"];

/// What the first line of any version begins with.
const ANY_TITLE: &str = "tanglewood grammar ";

impl Grammar {
    /// Whether bytes begin as those of a grammar do, of this version or another.
    pub fn is_grammar(bytes: &[u8]) -> bool {
        bytes.starts_with(ANY_TITLE.as_bytes())
    }

    /// The grammar as text.
    pub fn to_text(&self) -> String {
        let title = TITLES[usize::from(matches!(self.model, Model::Network(_)))];
        let mut text = format!("{title}\n");
        let roots = if self.settings.has_single_root() { "single" } else { "several" };
        // Writing to a string cannot fail.
        let mut line = |fields: std::fmt::Arguments<'_>| {
            let _ = text.write_fmt(fields);
            text.push('\n');
        };
        line(format_args!("system\t{}", self.settings.system().name()));
        line(format_args!("roots\t{roots}"));
        line(format_args!("ahead\t{:?}", self.ahead));
        line(format_args!("notes\t{}", self.notes.len()));
        self.notes.iter().for_each(|(name, value)| line(format_args!("{name}\t{value}")));
        line(format_args!("symbols\t{}", self.symbols.known().len()));
        self.symbols.known().for_each(|name| line(format_args!("{name}")));
        line(format_args!("labels\t{}", self.labels.entries().len()));
        for ((dependent, head), label) in self.labels.entries() {
            match head {
                Some((head, right)) => {
                    line(format_args!("{dependent}\t{head}\t{}\t{label}", u8::from(*right)))
                }
                None => line(format_args!("{dependent}\t-\t-\t{label}")),
            }
        }
        match &self.model {
            Model::Mixture(mixture) => {
                let entries = mixture.entries();
                line(format_args!("contexts\t{}", entries.len()));
                for ([number, a, b, c], Entry { rest, events }) in entries {
                    let mut fields = String::new();
                    events.iter().for_each(|(event, share)| fields.push_str(&format!("\t{event} {share:?}")));
                    line(format_args!("{number} {a} {b} {c}\t{rest:?}{fields}"));
                }
            }
            Model::Network(network) => {
                if let Conditionals::Neural { seed } = self.settings.conditionals() {
                    line(format_args!("seed\t{seed}"));
                }
                let rows = network.parameters.chunks(HIDDEN);
                line(format_args!("parameters\t{}", rows.len()));
                for row in rows {
                    let numbers: Vec<String> = row.iter().map(|number| format!("{number:?}")).collect();
                    line(format_args!("{}", numbers.join(" ")));
                }
            }
        }
        let sum = checksum(text.as_bytes());
        text.push_str(&format!("checksum\t{sum:016x}\n"));
        text
    }

    /// The grammar in a text.
    ///
    /// # Errors
    /// If the text is not one that [`Grammar::to_text`] gives, or has been changed since.
    pub fn from_text(bytes: &[u8]) -> Result<Grammar, GrammarFileError> {
        let (mut lines, is_neural) = Lines::new(bytes)?;
        let name = lines.value("system", "the name of a system")?;
        let system = System::named(name).map_err(|_| {
            lines.error(format!("{} is no system", Quoted(name.as_bytes())), "the name of a system")
        })?;
        let single_root = match lines.value("roots", "`single` or `several`")? {
            "single" => true,
            "several" => false,
            other => return Err(lines.error(Quoted(other.as_bytes()).to_string(), "`single` or `several`")),
        };
        let settings = Settings::new(system).single_root(single_root);
        let ahead: f64 = lines.number_after("ahead")?;
        lines.check(ahead > 0.0 && ahead < 1.0, "a number between 0 and 1")?;
        let notes = lines.many("notes", |lines| {
            let (name, value) = lines.pair("a name and a value")?;
            Ok((name.to_owned(), value.to_owned()))
        })?;
        let names = lines.many("symbols", |lines| Ok(lines.next("a symbol")?.to_owned()))?;
        let count = names.len();
        let symbols = Symbols::new(names);
        lines.check(symbols.known().len() == count, "symbols that differ")?;
        lines.check(symbols.known().all(|name| !name.is_empty()), "symbols that are not empty")?;
        let labels = lines.many("labels", |lines| lines.label(symbols.len()))?;
        let kinds = settings.kinds().map_err(|error| lines.error(error.to_string(), "another system"))?;
        let (settings, model) = if is_neural {
            let seed = lines.number_after("seed")?;
            let rows = lines.many("parameters", Lines::parameters)?;
            let Some(network) = Network::with(symbols.len(), kinds.len(), rows.concat()) else {
                return Err(
                    lines.error("other parameters".to_owned(), "those of a network for these symbols")
                );
            };
            (settings.with_conditionals(Conditionals::Neural { seed }), Model::Network(network))
        } else {
            let end = symbols.len().max(kinds.len()).max(2);
            (settings, Model::Mixture(Mixture::new(lines.many("contexts", |lines| lines.context(end))?)))
        };
        lines.end()?;
        Ok(Grammar { settings, symbols, kinds, model, ahead, labels: Labels::new(labels), notes })
    }
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// The lines of a text whose checksum is right.
struct Lines<'t> {
    lines: std::str::Lines<'t>,
    /// Of the line at hand.
    number: usize,
}

impl<'t> Lines<'t> {
    /// And whether the grammar has networks.
    fn new(bytes: &'t [u8]) -> Result<(Lines<'t>, bool), GrammarFileError> {
        let at_start = |found: String, expected| GrammarFileError { line: 1, found, expected };
        if !Grammar::is_grammar(bytes) {
            return Err(at_start(
                "no grammar".to_owned(),
                "a file that `tanglewood grammar fit` has written",
            ));
        }
        let text = str::from_utf8(bytes)
            .map_err(|_| at_start("bytes that are not UTF-8".to_owned(), "the file as it was written"))?;
        let first = text.lines().next().unwrap_or_default();
        let Some(version) = TITLES.into_iter().position(|title| first == title) else {
            let version = first.trim_start_matches(ANY_TITLE);
            return Err(at_start(
                format!("version {}", Quoted(version.as_bytes())),
                "version 1 or 2; another program wrote this",
            ));
        };
        let body = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
        let (body, last) = text.split_at(body);
        let wanted = format!("checksum\t{:016x}\n", checksum(body.as_bytes()));
        if last != wanted {
            let line = text.lines().count();
            let found = "a checksum that is not that of the text".to_owned();
            return Err(GrammarFileError { line, found, expected: "the file as it was written, whole" });
        }
        let mut lines = body.lines();
        lines.next();
        Ok((Lines { lines, number: 1 }, version == 1))
    }

    fn error(&self, found: String, expected: &'static str) -> GrammarFileError {
        GrammarFileError { line: self.number, found, expected }
    }

    fn check(&self, holds: bool, expected: &'static str) -> Result<(), GrammarFileError> {
        if holds { Ok(()) } else { Err(self.error("something else".to_owned(), expected)) }
    }

    fn next(&mut self, expected: &'static str) -> Result<&'t str, GrammarFileError> {
        self.number += 1;
        self.lines.next().ok_or_else(|| self.error("the end".to_owned(), expected))
    }

    fn pair(&mut self, expected: &'static str) -> Result<(&'t str, &'t str), GrammarFileError> {
        let line = self.next(expected)?;
        line.split_once('\t').ok_or_else(|| self.error(Quoted(line.as_bytes()).to_string(), expected))
    }

    /// The value on a line with this name.
    fn value(&mut self, name: &str, expected: &'static str) -> Result<&'t str, GrammarFileError> {
        let (found, value) = self.pair(expected)?;
        if found == name {
            Ok(value)
        } else {
            Err(self.error(Quoted(found.as_bytes()).to_string(), expected))
        }
    }

    fn number<N: FromStr>(&self, text: &str) -> Result<N, GrammarFileError> {
        text.parse().map_err(|_| self.error(Quoted(text.as_bytes()).to_string(), "a number"))
    }

    fn number_after<N: FromStr>(&mut self, name: &str) -> Result<N, GrammarFileError> {
        let value = self.value(name, "a name and a number")?;
        self.number(value)
    }

    /// As many lines as the line with this name says.
    fn many<T>(
        &mut self,
        name: &str,
        mut read: impl FnMut(&mut Lines<'t>) -> Result<T, GrammarFileError>,
    ) -> Result<Vec<T>, GrammarFileError> {
        let count: usize = self.number_after(name)?;
        // Not with room for `count`, which may be any number.
        let mut found = Vec::new();
        for _ in 0..count {
            found.push(read(self)?);
        }
        Ok(found)
    }

    /// A kind of arc and its label.
    fn label(&mut self, symbols: usize) -> Result<(Key, String), GrammarFileError> {
        let expected = "dependent, head, side and label";
        let line = self.next(expected)?;
        let fields: Vec<&str> = line.split('\t').collect();
        let [dependent, head, right, label] = fields[..] else {
            return Err(self.error(Quoted(line.as_bytes()).to_string(), expected));
        };
        let dependent: Symbol = self.number(dependent)?;
        let head = match head {
            "-" => None,
            _ => Some((self.number::<Symbol>(head)?, right == "1")),
        };
        let largest = head.map_or(0, |(head, _)| head).max(dependent);
        self.check((largest as usize) < symbols, "symbols that are listed above")?;
        self.check(!label.is_empty(), "a label that is not empty")?;
        Ok(((dependent, head), label.to_owned()))
    }

    /// A context and its distribution over events below `end`.
    fn context(&mut self, end: usize) -> Result<(Context, Entry), GrammarFileError> {
        let expected = "a context, a rest, and events";
        let line = self.next(expected)?;
        let mut fields = line.split('\t');
        let (Some(context), Some(rest)) = (fields.next(), fields.next()) else {
            return Err(self.error(Quoted(line.as_bytes()).to_string(), expected));
        };
        let numbers: Vec<u32> =
            context.split(' ').map(|number| self.number(number)).collect::<Result<_, _>>()?;
        let context: Context = numbers
            .try_into()
            .map_err(|_| self.error(Quoted(context.as_bytes()).to_string(), "four numbers"))?;
        let rest: f64 = self.number(rest)?;
        let mut events: Vec<(u32, f64)> = Vec::new();
        for field in fields {
            let (event, share) = field
                .split_once(' ')
                .ok_or_else(|| self.error(Quoted(field.as_bytes()).to_string(), "event and share"))?;
            events.push((self.number(event)?, self.number(share)?));
        }
        let in_order = events.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let total: f64 = events.iter().map(|(_, share)| share).sum();
        let fits =
            events.iter().all(|&(event, share)| (event as usize) < end && (0.0..=1.0).contains(&share));
        let is_distribution = in_order && fits && (total - 1.0).abs() < 1e-6 && rest > 0.0 && rest <= 1.0;
        self.check(is_distribution && context[0] < CONTEXT_TYPES, "a distribution")?;
        Ok((context, Entry { rest, events }))
    }

    /// Some parameters of a network.
    fn parameters(&mut self) -> Result<Vec<f64>, GrammarFileError> {
        let line = self.next("numbers")?;
        line.split(' ').map(|number| self.number(number)).collect()
    }

    fn end(&mut self) -> Result<(), GrammarFileError> {
        self.number += 1;
        match self.lines.next() {
            None => Ok(()),
            Some(line) => Err(self.error(Quoted(line.as_bytes()).to_string(), "the end")),
        }
    }
}
