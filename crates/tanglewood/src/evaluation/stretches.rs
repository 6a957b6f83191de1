//! Which sentences of two files belong together.
//!
//! Sentences may be split differently, as long as the characters are the same. A *stretch* is a part of the
//! text that starts and ends with sentences in both files and whose last token is the same in both; most
//! often it is one sentence. Words of different stretches are never aligned: if the last tokens are the same,
//! both sides of the alignment get past them at the same time, whatever comes before. So files of any size
//! are aligned stretch by stretch, with the same result as in one piece. If the last tokens never agree, the
//! stretch is the whole file.

use std::fmt;

use super::reading::Reading;
use crate::conllu::Problem;
use crate::shown::Quoted;

/// One of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    Gold,
    System,
}

/// Sentences of both files with the same characters.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    pub(super) gold: Vec<Reading>,
    pub(super) system: Vec<Reading>,
    /// How many characters the gold side is ahead. Since the side behind is always continued first, they are
    /// the end of its last sentence.
    lead: isize,
}

/// Where the characters of two files differ for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// There in the gold standard; none if it ends before.
    pub gold: Option<Place>,
    /// There in the system's output; none if it ends before.
    pub system: Option<Place>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The characters from there to the end of the sentence, without spaces.
    pub characters: String,
}

impl Place {
    /// The characters for a message: quoted, those that cannot be seen escaped, cut when long.
    pub fn quoted(&self) -> impl fmt::Display + '_ {
        Quoted(self.characters.as_bytes())
    }
}

/// Why two files cannot be aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unaligned<E> {
    /// A file cannot be read.
    Source(E),
    /// Their characters differ.
    Difference(Difference),
    /// A sentence hides its tokens where the two files are split into sentences differently. Nobody knows
    /// what to leave out of the other one.
    Unreadable(Side, Problem),
}

impl Stretch {
    /// How many sentences of the gold standard it has.
    pub fn gold_sentences(&self) -> usize {
        self.gold.len()
    }

    /// The problems of its sentences. With any, the stretch is not counted.
    pub fn problems(&self) -> impl Iterator<Item = (Side, &Problem)> {
        let gold = self.gold.iter().map(|reading| (Side::Gold, reading));
        let system = self.system.iter().map(|reading| (Side::System, reading));
        gold.chain(system).filter_map(|(side, reading)| Some((side, reading.problem()?)))
    }

    /// True if both sides end with the same token.
    fn is_complete(&self) -> bool {
        let last_token = |readings: &[Reading]| {
            let last = readings.last()?.tokens().last()?;
            Some(last.end - last.start)
        };
        let last = last_token(&self.gold);
        self.lead == 0 && last.is_some() && last == last_token(&self.system)
    }

    /// Adds a sentence to the side that is not ahead.
    fn add<E>(&mut self, side: Side, reading: Reading) -> Result<(), Unaligned<E>> {
        if let Some(problem) = reading.problem().filter(|_| !reading.has_all_tokens()) {
            return Err(Unaligned::Unreadable(side, problem.clone()));
        }
        let (this, other, sign) = match side {
            Side::Gold => (&mut self.gold, &self.system, 1),
            Side::System => (&mut self.system, &self.gold, -1),
        };
        if let Some(last) = other.last() {
            let from = last.characters().len() - self.lead.unsigned_abs();
            let (expected, found) = (&last.characters()[from..], reading.characters());
            if !expected.starts_with(found) && !found.starts_with(expected) {
                let same = expected.chars().zip(found.chars()).take_while(|(a, b)| a == b);
                let same: usize = same.map(|(character, _)| character.len_utf8()).sum();
                let (here, there) = (Some(place(&reading, same)), Some(place(last, from + same)));
                return Err(Unaligned::Difference(difference(side, here, there)));
            }
        }
        self.lead += sign * reading.characters().len() as isize;
        this.push(reading);
        Ok(())
    }

    /// The difference when this side has ended and the other is ahead.
    fn ended(&self, side: Side) -> Difference {
        let other = if side == Side::Gold { &self.system } else { &self.gold };
        let goes_on =
            other.last().map(|last| place(last, last.characters().len() - self.lead.unsigned_abs()));
        difference(side, None, goes_on)
    }
}

fn place(reading: &Reading, character: usize) -> Place {
    Place { line: reading.line_of(character), characters: reading.characters()[character..].to_owned() }
}

fn difference(side: Side, here: Option<Place>, there: Option<Place>) -> Difference {
    match side {
        Side::Gold => Difference { gold: here, system: there },
        Side::System => Difference { gold: there, system: here },
    }
}

/// The stretches of two files, in order. The first error is the last item.
#[derive(Debug)]
pub struct Stretches<G, S> {
    gold: G,
    system: S,
    at_end: bool,
}

impl<E, G, S> Stretches<G, S>
where
    G: Iterator<Item = Result<Reading, E>>,
    S: Iterator<Item = Result<Reading, E>>,
{
    /// Starts at the beginning of both.
    pub fn new(gold: G, system: S) -> Stretches<G, S> {
        Stretches { gold, system, at_end: false }
    }

    fn read(&mut self, side: Side) -> Result<Option<Reading>, Unaligned<E>> {
        let next = match side {
            Side::Gold => self.gold.next(),
            Side::System => self.system.next(),
        };
        next.transpose().map_err(Unaligned::Source)
    }

    fn read_stretch(&mut self) -> Result<Option<Stretch>, Unaligned<E>> {
        let mut stretch = Stretch::default();
        while !stretch.is_complete() {
            if stretch.lead != 0 {
                let side = if stretch.lead < 0 { Side::Gold } else { Side::System };
                match self.read(side)? {
                    Some(reading) => stretch.add(side, reading)?,
                    None => return Err(Unaligned::Difference(stretch.ended(side))),
                }
                continue;
            }
            match (self.read(Side::Gold)?, self.read(Side::System)?) {
                (Some(gold), Some(system)) if stretch.gold.is_empty() && hides_tokens([&gold, &system]) => {
                    // Their characters are not known; sentences at the same place are taken for the same.
                    stretch.gold.push(gold);
                    stretch.system.push(system);
                    break;
                }
                (Some(gold), Some(system)) => {
                    stretch.add(Side::Gold, gold)?;
                    stretch.add(Side::System, system)?;
                }
                (None, None) => break,
                (gold, system) => {
                    let place = |reading: Option<Reading>| reading.map(|reading| place(&reading, 0));
                    let difference = Difference { gold: place(gold), system: place(system) };
                    return Err(Unaligned::Difference(difference));
                }
            }
        }
        Ok(Some(stretch).filter(|stretch| !stretch.gold.is_empty()))
    }
}

fn hides_tokens(readings: [&Reading; 2]) -> bool {
    readings.iter().any(|reading| !reading.has_all_tokens())
}

impl<E, G, S> Iterator for Stretches<G, S>
where
    G: Iterator<Item = Result<Reading, E>>,
    S: Iterator<Item = Result<Reading, E>>,
{
    type Item = Result<Stretch, Unaligned<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at_end {
            return None;
        }
        let next = self.read_stretch().transpose();
        self.at_end = !matches!(next, Some(Ok(_)));
        next
    }
}
