//! Files of sentences that can be looked through.

mod filter;
mod selection;
mod upload;
mod views;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::{Id, Sentence, Sentences, Validator};

pub use selection::Selection;
pub use upload::open;
pub use views::{opened, sentence, sentences, statistics};

/// Uploaded files at the same time; the oldest makes room.
const UPLOADS: usize = 4;
/// How many answers to filters are remembered.
const REMEMBERED: usize = 16;

/// A file, with an index of its sentences.
pub struct TreebankFile {
    pub(crate) name: String,
    bytes: Vec<u8>,
    entries: Vec<Indexed>,
    uploaded: bool,
}

/// What is known of a sentence without looking at it again.
#[derive(Clone, Copy, Debug)]
pub struct Indexed {
    start: usize,
    end: usize,
    pub words: u32,
    /// Pairs of arcs that cross.
    pub crossings: u32,
    /// Whether it is a tree.
    pub valid: bool,
}

impl TreebankFile {
    /// A file that is there from the start.
    pub fn new(name: String, bytes: Vec<u8>) -> TreebankFile {
        TreebankFile::indexed(name, bytes, false)
    }

    /// Finds the sentences, and counts their words and crossings.
    fn indexed(name: String, bytes: Vec<u8>, uploaded: bool) -> TreebankFile {
        let mut validator = Validator::new();
        let start_of = |sentence: &Sentence<'_>| sentence.bytes().as_ptr() as usize - bytes.as_ptr() as usize;
        let index = |sentence: Sentence<'_>| {
            let start = start_of(&sentence);
            let tree = validator.tree(&sentence).ok();
            let words = match &tree {
                Some(tree) => tree.len(),
                None => sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).count(),
            };
            let crossings = tree.as_ref().map_or(0, |tree| crossing_pairs(tree).count());
            Indexed {
                start,
                end: start + sentence.bytes().len(),
                words: u32::try_from(words).unwrap_or(u32::MAX),
                crossings: u32::try_from(crossings).unwrap_or(u32::MAX),
                valid: tree.is_some(),
            }
        };
        let found = Sentences::of(&bytes).filter(|sentence| !sentence.is_blank() && !sentence.is_gap());
        let entries = found.map(index).collect();
        TreebankFile { name, bytes, entries, uploaded }
    }

    /// What is known of its sentences.
    pub(crate) fn entries(&self) -> &[Indexed] {
        &self.entries
    }

    /// The sentence at a place, counted from 0.
    pub(crate) fn sentence(&self, at: usize) -> Option<Sentence<'_>> {
        let entry = self.entries.get(at)?;
        Sentences::of(self.bytes.get(entry.start..entry.end)?).next()
    }
}

/// All files, and what has been worked out about them.
#[derive(Default)]
pub struct Treebank {
    files: RwLock<Vec<Arc<TreebankFile>>>,
    remembered: Mutex<Vec<(String, Arc<Selection>)>>,
    coverage: Mutex<HashMap<String, Arc<Vec<bool>>>>,
}

impl Treebank {
    pub fn new(files: Vec<TreebankFile>) -> Treebank {
        Treebank { files: RwLock::new(files.into_iter().map(Arc::new).collect()), ..Treebank::default() }
    }

    /// The files as they are now.
    pub fn files(&self) -> Vec<Arc<TreebankFile>> {
        self.files.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes a file that was sent. One of the same name is replaced, and what was worked out is forgotten.
    pub fn add(&self, mut file: TreebankFile) -> Arc<TreebankFile> {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        // Files that the server was started with stay what they are.
        while files.iter().any(|other| !other.uploaded && other.name == file.name) {
            file.name += " (opened here)";
        }
        files.retain(|other| other.name != file.name);
        let uploaded: Vec<String> =
            files.iter().filter(|file| file.uploaded).map(|file| file.name.clone()).collect();
        for name in uploaded.iter().take((uploaded.len() + 1).saturating_sub(UPLOADS)) {
            files.retain(|other| other.name != *name);
        }
        let file = Arc::new(file);
        files.push(file.clone());
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.coverage.lock().unwrap_or_else(PoisonError::into_inner).clear();
        file
    }

    /// The answer to a filter, worked out once.
    fn remember(&self, key: &str, work_out: impl FnOnce() -> Selection) -> Arc<Selection> {
        let lock = || self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, selection)) = lock().iter().find(|(other, _)| other == key) {
            return selection.clone();
        }
        let selection = Arc::new(work_out());
        let mut remembered = lock();
        if remembered.len() == REMEMBERED {
            remembered.remove(0);
        }
        remembered.push((key.to_owned(), selection.clone()));
        selection
    }

    /// For each sentence of a file whether a system covers it, worked out once.
    fn coverage(&self, key: String, work_out: impl FnOnce() -> Vec<bool>) -> Arc<Vec<bool>> {
        let lock = || self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let worked_out = Arc::new(work_out());
        let mut known = lock();
        if known.len() >= 8 * REMEMBERED {
            known.clear();
        }
        known.insert(key, worked_out.clone());
        worked_out
    }
}
