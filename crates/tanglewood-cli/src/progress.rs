//! A progress bar for long jobs, on a terminal only.

use std::fmt::Display;
use std::io::{IsTerminal, Read, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use tanglewood::shown::shown;

use crate::input::Source;
use crate::output::Output;

/// A line on standard error, in which what a terminal would obey is escaped. If that is closed, nobody wants
/// to know, and the work goes on.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", shown(&line.to_string()));
}

/// How many bytes of the input have been read.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// When the bar becomes visible: quick jobs never show it. None if nobody would see it.
    visible_from: Option<Instant>,
}

impl Progress {
    /// A bar for a command that prints its results as it goes. On a terminal those show how far it is, and a
    /// bar would get in their way.
    pub fn beside_output(sources: &[Source], out: &Output) -> Progress {
        if out.is_terminal() { Progress::hidden() } else { Progress::over(sources) }
    }

    /// A bar over the sizes of some files; invisible when standard error is not a terminal.
    pub fn over(sources: &[Source]) -> Progress {
        let total = sources.iter().map(|source| source.bytes).sum();
        if !std::io::stderr().is_terminal() || total == 0 {
            return Progress::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        let template = "{bar:40} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress { bar, visible_from: Some(Instant::now() + Duration::from_millis(300)) }
    }

    /// No bar.
    pub fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), visible_from: None }
    }

    /// Tells the user something while the bar may be showing.
    pub fn say(&self, line: impl Display) {
        self.bar.suspend(|| say(line));
    }

    /// Counts what is read through the result.
    pub fn watch<R: Read>(&self, source: R) -> Watched<R> {
        Watched { progress: self.clone(), source }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn advance(&self, bytes: usize) {
        if self.bar.is_hidden() && self.visible_from.is_some_and(|from| Instant::now() >= from) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(bytes as u64);
    }
}

/// A source whose bytes are counted.
pub struct Watched<R> {
    progress: Progress,
    source: R,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.source.read(bytes)?;
        self.progress.advance(read);
        Ok(read)
    }
}
