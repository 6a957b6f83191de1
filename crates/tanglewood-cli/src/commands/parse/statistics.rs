//! How sentences were parsed, and where the time went.

use std::time::{Duration, Instant};

use tanglewood::inference::Path;

use super::decoder::Way;
use crate::progress::say;
use crate::text::{counted, grouped, percent};

/// What time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Reading,
    Encoding,
    Scoring,
    Decoding,
    Labelling,
    Writing,
}

const STAGES: [(Stage, &str); 6] = [
    (Stage::Reading, "reading"),
    (Stage::Encoding, "encoding"),
    (Stage::Scoring, "scoring"),
    (Stage::Decoding, "decoding"),
    (Stage::Labelling, "labelling"),
    (Stage::Writing, "writing"),
];

const WAYS: [(Way, &str); 10] = [
    (Way::Exact(Path::Certificate), "by certificate"),
    (Way::Exact(Path::Pruned), "pruned"),
    (Way::Exact(Path::Chart), "by chart"),
    (Way::Exact(Path::Deduction), "by deduction"),
    (Way::Search, "by search"),
    (Way::Mst, "by mst"),
    (Way::Narrow, "by chart of frames of three, being too long for --max-memory"),
    (Way::TooLarge, "by mst, being too long for --max-memory"),
    (Way::NotInSystem, "by mst, with given heads that the system cannot have"),
    (Way::DeadEnd, "by mst, after a dead end"),
];

/// Counts and times, of one thread or of all.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub sentences: u64,
    pub words: u64,
    /// Sentences that were cut into pieces.
    pub cut: u64,
    ways: [u64; WAYS.len()],
    times: [Duration; STAGES.len()],
}

impl Statistics {
    /// One more answer that was found this way.
    pub fn count(&mut self, way: Way) {
        if let Some(at) = WAYS.iter().position(|&(other, _)| other == way) {
            self.ways[at] += 1;
        }
    }

    /// Adds the time since then, and starts anew.
    pub fn lap(&mut self, stage: Stage, since: &mut Instant) {
        let now = Instant::now();
        self.spend(stage, now - std::mem::replace(since, now));
    }

    pub fn spend(&mut self, stage: Stage, time: Duration) {
        self.times[stage as usize] += time;
    }

    /// Adds those of other sentences.
    pub fn merge(&mut self, other: &Statistics) {
        self.sentences += other.sentences;
        self.words += other.words;
        self.cut += other.cut;
        self.ways.iter_mut().zip(other.ways).for_each(|(sum, more)| *sum += more);
        self.times.iter_mut().zip(other.times).for_each(|(sum, more)| *sum += more);
    }

    /// Prints the statistics on standard error, given the elapsed time and the number of threads.
    pub fn say(&self, elapsed: Duration, threads: usize) {
        let seconds = elapsed.as_secs_f64();
        say(format_args!(
            "{}, {} in {seconds:.2} s with {}: {} words/s",
            counted(self.sentences, "sentence"),
            counted(self.words, "word"),
            counted(threads as u64, "thread"),
            grouped((self.words as f64 / seconds.max(1e-9)) as u64),
        ));
        let answers: u64 = self.ways.iter().sum();
        for (&(_, name), &count) in WAYS.iter().zip(&self.ways).filter(|(_, count)| **count > 0) {
            say(format_args!("  {} {name}, {}", grouped(count), percent(count, answers)));
        }
        if self.cut > 0 {
            say(format_args!("  {} cut into pieces, being too long for any decoder", grouped(self.cut)));
        }
        let times = STAGES.iter().zip(&self.times);
        let times: Vec<String> =
            times.map(|((_, name), time)| format!("{name} {:.2} s", time.as_secs_f64())).collect();
        say(format_args!("  {}", times.join(", ")));
    }
}
