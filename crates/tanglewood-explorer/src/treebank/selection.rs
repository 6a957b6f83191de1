//! The sentences that a filter lets through.

use std::sync::Arc;

use tanglewood::conllu::Validator;

use super::filter::{Filter, Uncovering};
use super::{Treebank, TreebankFile};
use crate::answer::Refusal;

/// Sentences, each by its file and its place in it.
#[derive(Debug, Default)]
pub struct Selection {
    pub places: Vec<(u32, u32)>,
}

/// Sentences for one thread to work on.
const SHARE: usize = 512;

impl Treebank {
    /// The sentences that a filter lets through, in the order of the files.
    pub fn select(&self, filter: &Filter) -> Result<Arc<Selection>, Refusal> {
        let uncovering = filter.uncovering()?;
        let files = self.files();
        if !filter.file.is_empty() && !files.iter().any(|file| file.name == filter.file) {
            return Err(Refusal::new(format!("no file `{}` is open", filter.file)));
        }
        let key = serde_json::to_string(filter).map_err(|error| Refusal::new(error.to_string()))?;
        Ok(self.remember(&key, || {
            let mut places = Vec::new();
            for (at, file) in files.iter().enumerate() {
                if filter.file.is_empty() || file.name == filter.file {
                    let found = self.select_in(file, filter, uncovering.as_ref());
                    places.extend(found.into_iter().map(|place| (at as u32, place as u32)));
                }
            }
            Selection { places }
        }))
    }

    fn select_in(&self, file: &TreebankFile, filter: &Filter, uncovering: Option<&Uncovering>) -> Vec<usize> {
        let covered = uncovering.map(|uncovering| {
            let key = format!("{} {} {}", uncovering.class, uncovering.direction, file.name);
            self.coverage(key, || coverage(file, uncovering))
        });
        let reads = !filter.search.is_empty() || !filter.label.is_empty();
        let wanted = |at: &usize| {
            filter.admits(&file.entries()[*at])
                && covered.as_ref().is_none_or(|covered| !covered[*at])
                && (!reads || file.sentence(*at).is_some_and(|sentence| filter.finds(&sentence)))
        };
        in_parallel(file.entries().len(), |range| range.filter(wanted).collect::<Vec<_>>())
            .into_iter()
            .flatten()
            .collect()
    }
}

/// For each sentence whether the system covers it; those that are no trees count as covered.
fn coverage(file: &TreebankFile, uncovering: &Uncovering) -> Vec<bool> {
    in_parallel(file.entries().len(), |range| {
        let mut validator = Validator::new();
        let covered = |at: usize| {
            let tree = file.sentence(at).and_then(|sentence| validator.tree(&sentence).ok());
            tree.is_none_or(|tree| uncovering.covers(&tree))
        };
        range.map(covered).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect()
}

/// Ranges of `0..count`, each worked on by one of as many threads as there are cores; results in order. A
/// single range needs no thread, which also serves where there are none, as in a browser.
pub fn in_parallel<T: Send>(count: usize, work: impl Fn(std::ops::Range<usize>) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = count.div_ceil(threads).max(SHARE);
    if threads == 1 || share >= count {
        return vec![work(0..count)];
    }
    let ranges = (0..count).step_by(share).map(|start| start..(start + share).min(count));
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = ranges.map(|range| scope.spawn(move || work(range))).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}
