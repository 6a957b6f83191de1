//! A progress bar for long jobs, on a terminal only.

use std::io::{IsTerminal, Read};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::input::Source;

/// How many bytes of the input have been read.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar over the sizes of some files; invisible when standard error is not a terminal.
    pub fn over(sources: &[Source]) -> Progress {
        let total = sources.iter().map(|source| source.bytes).sum();
        if !std::io::stderr().is_terminal() || total == 0 {
            return Progress::hidden();
        }
        let bar = ProgressBar::new(total);
        let template = "{bar:40} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        // Quick jobs finish before the first tick and never show it.
        bar.enable_steady_tick(Duration::from_millis(300));
        Progress { bar }
    }

    /// No bar.
    pub fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden() }
    }

    /// Counts what is read through the result.
    pub fn watch(&self, source: impl Read + Send + 'static) -> impl Read + Send + 'static {
        self.bar.wrap_read(source)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
