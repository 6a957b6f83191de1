//! What the page asks about a treebank: rows of the list, one sentence, and statistics of a selection.

use serde::Deserialize;
use serde_json::{Value, json};
use tanglewood::conllu::Validator;
use tanglewood::coverage::Survey;
use tanglewood::{Direction, System};

use super::filter::{Filter, text_of};
use super::selection::in_parallel;
use super::{Treebank, TreebankFile};
use crate::answer::{Answer, Refusal};

/// How many rows are sent at once.
const ROWS: usize = 200;
/// How many characters of a text the list shows.
const SHOWN: usize = 160;

/// Some rows of the list.
#[derive(Debug, Deserialize)]
pub struct SentencesQuestion {
    #[serde(default)]
    filter: Filter,
    #[serde(default)]
    offset: usize,
    #[serde(default)]
    count: usize,
    /// A sentence whose place in the list is asked for, by file and index.
    #[serde(default)]
    find: Option<(String, usize)>,
}

/// One sentence, by its `sent_id` or its place in the file.
#[derive(Debug, Deserialize)]
pub struct SentenceQuestion {
    file: String,
    #[serde(default)]
    at: usize,
}

/// Counts of a selection.
#[derive(Debug, Deserialize)]
pub struct StatisticsQuestion {
    #[serde(default)]
    filter: Filter,
}

/// What is said of the files when the page is opened.
pub fn opened(treebank: &Treebank) -> Vec<Value> {
    treebank.files().iter().map(|file| about(file)).collect()
}

/// A file in a few numbers.
pub fn about(file: &TreebankFile) -> Value {
    let entries = file.entries();
    json!({
        "name": file.name,
        "sentences": entries.len(),
        "nonprojective": entries.iter().filter(|entry| entry.crossings > 0).count(),
    })
}

/// The rows from an offset on, how many there are in all, and where the sentence is that was asked for.
pub fn sentences(treebank: &Treebank, question: &SentencesQuestion) -> Answer {
    let selection = treebank.select(&question.filter)?;
    let files = treebank.files();
    let row = |&(file, at): &(u32, u32)| -> Option<Value> {
        let (file, at) = (files.get(file as usize)?, at as usize);
        let (entry, sentence) = (file.entries().get(at)?, file.sentence(at)?);
        let text: String = text_of(&sentence).chars().take(SHOWN).collect();
        Some(json!({
            "file": file.name, "at": at, "id": sentence.sent_id(), "text": text,
            "words": entry.words, "crossings": entry.crossings, "valid": entry.valid,
        }))
    };
    let start = question.offset.min(selection.places.len());
    let end = (start + question.count.min(ROWS)).min(selection.places.len());
    let found = question.find.as_ref().and_then(|(name, at)| {
        let is_it = |place: &(u32, u32)| {
            place.1 as usize == *at && files.get(place.0 as usize).is_some_and(|file| file.name == *name)
        };
        selection.places.iter().position(is_it)
    });
    Ok(json!({
        "total": selection.places.len(),
        "offset": start,
        "rows": selection.places[start..end].iter().filter_map(row).collect::<Vec<_>>(),
        "found": found,
    }))
}

/// The text of a sentence.
pub fn sentence(treebank: &Treebank, question: &SentenceQuestion) -> Answer {
    let files = treebank.files();
    let Some(file) = files.iter().find(|file| file.name == question.file) else {
        return Err(Refusal::new(format!(
            "no file `{}` is open; open it first, or start the server with it",
            question.file
        )));
    };
    let count = file.entries().len();
    let Some(sentence) = file.sentence(question.at) else {
        let message = format!("no sentence {} in {}; expected less than {count}", question.at, file.name);
        return Err(Refusal::new(message));
    };
    let text = String::from_utf8_lossy(sentence.bytes()).into_owned();
    Ok(
        json!({ "text": text, "file": file.name, "at": question.at, "id": sentence.sent_id(), "count": count }),
    )
}

/// How long sentences are, how many are non-projective, and how many of those each named system covers.
pub fn statistics(treebank: &Treebank, question: &StatisticsQuestion) -> Answer {
    let selection = treebank.select(&question.filter)?;
    let files = treebank.files();
    let systems = System::all();
    let surveys = [Direction::Ltr, Direction::Either].map(|direction| Survey::new(&systems, direction, &[]));
    let places = &selection.places;
    let counted = in_parallel(places.len(), |range| {
        let mut validator = Validator::new();
        let mut counts = [surveys[0].counts(), surveys[1].counts()];
        let (mut words, mut invalid) = (0u64, 0u64);
        for &(file, at) in &places[range] {
            let tree = files
                .get(file as usize)
                .and_then(|file| file.sentence(at as usize))
                .and_then(|sentence| validator.tree(&sentence).ok());
            let Some(tree) = tree else {
                invalid += 1;
                continue;
            };
            words += tree.len() as u64;
            for (survey, counts) in surveys.iter().zip(&mut counts) {
                survey.add(&tree, counts);
            }
        }
        (counts, words, invalid)
    });
    let mut total = [surveys[0].counts(), surveys[1].counts()];
    let (mut words, mut invalid) = (0, 0);
    for (counts, more_words, more_invalid) in counted {
        total[0].merge(&counts[0]);
        total[1].merge(&counts[1]);
        words += more_words;
        invalid += more_invalid;
    }
    let row = |(at, system): (usize, &System)| {
        json!({
            "system": system.name(), "time": system.complexity().time,
            "ltr": total[0].covered[at], "either": total[1].covered[at],
        })
    };
    Ok(json!({
        "sentences": total[0].sentences,
        "invalid": invalid,
        "words": words,
        "nonprojective": total[0].nonprojective,
        "crossing_arcs": total[0].arcs.crossing,
        "arcs": total[0].arcs.arcs,
        "coverage": systems.iter().enumerate().map(row).collect::<Vec<_>>(),
    }))
}
