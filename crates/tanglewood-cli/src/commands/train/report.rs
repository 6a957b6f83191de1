//! How training is going, for people.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tanglewood_nn::segmentation::{SegmentationScore, SegmenterEpoch};
use tanglewood_nn::training::{Accuracy, Epoch, Losses};

use crate::progress::say;
use crate::text::grouped;

/// A line per epoch, and on a terminal a bar below.
pub struct Report {
    bar: ProgressBar,
    epochs: Option<u64>,
    has_dev: bool,
    /// Of the epoch under way, as far as it was seen.
    seen: Losses,
    begun: Instant,
    best: Option<f64>,
}

impl Report {
    /// A report for this number of epochs, if it is known.
    pub fn new(epochs: Option<u64>, has_dev: bool) -> Report {
        let bar = bar();
        Report { bar, epochs, has_dev, seen: Losses::default(), begun: Instant::now(), best: None }
    }

    /// After a step of the given epoch.
    pub fn step(&mut self, epoch: u64, losses: Losses, progress: f64, elapsed: Duration) {
        self.seen.add(losses);
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_position((1000.0 * progress) as u64);
        let best = self.best.map_or(String::new(), |las| format!("  best LAS {las:.2}"));
        let line = format!(
            "{}  {}  loss {:.3}{best}  {} words/s",
            self.name(epoch),
            left(progress, elapsed),
            self.seen.mean(),
            grouped(self.words_per_second()),
        );
        self.bar.set_message(line);
    }

    /// After an epoch.
    pub fn epoch(&mut self, epoch: &Epoch, speed: u64, progress: f64, elapsed: Duration) {
        let mut line = format!("{}  loss {:.4}", self.name(epoch.number), epoch.losses.mean());
        if self.has_dev {
            let mark = if epoch.best { "best" } else { "" };
            line += &format!("  {}  {mark:4}", scores(&epoch.accuracy));
            if epoch.best {
                self.best = Some(epoch.accuracy.las());
            }
        }
        line += &format!("  {} words/s  {}", grouped(speed), left(progress, elapsed));
        for line in folded(line.trim_end(), width()) {
            self.say(line);
        }
        self.seen = Losses::default();
        self.begun = Instant::now();
    }

    /// A line while the bar may be showing.
    pub fn say(&self, line: impl std::fmt::Display) {
        self.bar.suspend(|| say(line));
    }

    /// How many words a second were learned from in this epoch.
    pub fn words_per_second(&self) -> u64 {
        (self.seen.words as f64 / self.begun.elapsed().as_secs_f64().max(1e-9)) as u64
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn name(&self, epoch: u64) -> String {
        match self.epochs {
            Some(epochs) => format!("epoch {epoch:>width$}/{epochs}", width = epochs.to_string().len()),
            None => format!("epoch {epoch:>3}"),
        }
    }
}

/// The same for the segmenter.
pub struct SegmenterReport {
    bar: ProgressBar,
    epochs: usize,
    has_dev: bool,
    begun: Option<Duration>,
}

impl SegmenterReport {
    pub fn new(epochs: usize, has_dev: bool) -> SegmenterReport {
        SegmenterReport { bar: bar(), epochs, has_dev, begun: None }
    }

    /// Before a step.
    pub fn step(&mut self, progress: f64, elapsed: Duration) {
        let begun = *self.begun.get_or_insert(elapsed);
        if !self.bar.is_hidden() {
            self.bar.set_position((1000.0 * progress) as u64);
            self.bar.set_message(format!("segment  {}", left(progress, elapsed.saturating_sub(begun))));
        }
    }

    /// After an epoch.
    pub fn epoch(&self, epoch: &SegmenterEpoch) {
        let mut line =
            format!("segment {}/{}  loss {:.4}", epoch.number, self.epochs, epoch.loss.iter().sum::<f64>());
        if self.has_dev {
            let mark = if epoch.best { "  best" } else { "" };
            line += &format!("  {}{mark}", f1(&epoch.score));
        }
        self.bar.suspend(|| say(line));
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How good tags, lemmas and trees are, in percent, as far as they are learned.
pub fn scores(accuracy: &Accuracy) -> String {
    let mut line = String::new();
    for (name, share) in ["UPOS", "XPOS", "FEATS", "lemmas"].iter().zip(accuracy.columns()) {
        if let Some(share) = share {
            line += &format!("{name} {share:.2}  ");
        }
    }
    line + &format!("UAS {:.2}  LAS {:.2}", accuracy.uas(), accuracy.las())
}

/// How well text is segmented, in percent.
pub fn f1(score: &SegmentationScore) -> String {
    let [tokens, words, sentences] = [score.tokens, score.words, score.sentences].map(|share| 100.0 * share);
    format!("tokens {tokens:.2}  words {words:.2}  sentences {sentences:.2}")
}

/// A bar that is visible on a terminal only.
fn bar() -> ProgressBar {
    let bar = if std::io::stderr().is_terminal() {
        ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr())
    } else {
        ProgressBar::hidden()
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:20} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

/// How many characters fit into a line of standard error, if that is a terminal.
fn width() -> usize {
    terminal_size::terminal_size_of(std::io::stderr()).map_or(usize::MAX, |(width, _)| usize::from(width.0))
}

/// A line of figures that are two spaces apart, broken between them where it is too long; what follows is
/// indented.
fn folded(line: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in line.split("  ").filter(|part| !part.is_empty()) {
        let length = part.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + length <= width => *line = format!("{line}  {part}"),
            Some(_) => lines.push(format!("    {part}")),
            None => lines.push(part.to_owned()),
        }
    }
    // Where all of it fits, columns stay aligned.
    if lines.len() == 1 { vec![line.to_owned()] } else { lines }
}

/// How long the rest will take, if it goes on like this.
fn left(progress: f64, elapsed: Duration) -> String {
    if progress >= 1.0 {
        return String::new();
    }
    let rest = elapsed.as_secs_f64() / progress.max(1e-6) * (1.0 - progress);
    format!("{} left", hours(rest))
}

/// Seconds as 1:02:03 or 2:03.
pub fn hours(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_folded_between_figures_where_a_terminal_is_narrow() {
        let line = "epoch  3/30  loss 0.1234  UPOS 95.00  XPOS 94.00  FEATS 93.00  lemmas 96.00  UAS 88.00  LAS 85.00  best  3,210 words/s  1:02:03 left";
        assert_eq!(folded(line, usize::MAX), [line]);
        let lines = folded(line, 80);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:?}");
        assert!(lines[1].starts_with("    ") && lines[1].ends_with("1:02:03 left"), "{lines:?}");
    }

    #[test]
    fn times_are_shown_as_clocks_show_them() {
        assert_eq!([0.0, 59.6, 3723.0].map(hours), ["0:00", "1:00", "1:02:03"]);
        assert_eq!(left(0.25, Duration::from_secs(60)), "3:00 left");
        assert_eq!(left(1.0, Duration::from_secs(60)), "");
    }
}
