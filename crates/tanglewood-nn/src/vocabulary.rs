//! What a model knows by name: words, tags and labels.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use tanglewood::conllu::{Column, Id, Row, Sentence};
use tanglewood::shown::Quoted;

use crate::characters::normalised;
use crate::lemmas::{LemmaCounts, LemmaList, Lemmas};
pub use crate::names::Names;
use crate::options::Options;

/// Words, tags, labels and lemma scripts that a model knows by number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// Normalised forms; the first one, which is empty, stands for unknown words.
    pub words: Names,
    /// Values of UPOS, of XPOS, and single features `Feature=Value`.
    pub tags: [Names; 3],
    /// Labels, subtypes included.
    pub labels: Names,
    /// Forms that have a pretrained vector.
    #[serde(default, skip_serializing_if = "Names::is_empty")]
    pub vectors: Names,
    /// Tags that words had together, by their numbers; nothing if the model does not tag.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tag_sets: Vec<Vec<u32>>,
    /// Lemmas; nothing if the model says nothing about them.
    #[serde(default, skip_serializing_if = "Lemmas::is_empty")]
    pub lemmas: Lemmas,
}

impl Vocabulary {
    /// What occurs in a treebank, and the words that occur in silver sentences. The most frequent come first;
    /// what is equally frequent is sorted by name.
    pub fn of<'a, I, S>(sentences: I, silver: S, options: &Options) -> Vocabulary
    where
        I: IntoIterator<Item = Sentence<'a>, IntoIter: Clone>,
        S: IntoIterator<Item = Sentence<'a>>,
    {
        let sentences = sentences.into_iter();
        let mut vocabulary = Vocabulary::of_columns(sentences.clone(), silver.into_iter(), options);
        if options.tagging > 0 {
            let words = sentences.flat_map(|sentence| words_of(&sentence));
            let sets: BTreeSet<Vec<u32>> =
                words.map(|row| vocabulary.tags_of(&row, options).concat()).collect();
            vocabulary.tag_sets = sets.into_iter().collect();
        }
        vocabulary
    }

    /// The same with lemmas of a list, for forms that the sentences do not have with this UPOS. The sentences
    /// are those of the treebank that the vocabulary is of.
    pub fn with_lemmas<'a>(
        mut self,
        list: &LemmaList,
        sentences: impl IntoIterator<Item = Sentence<'a>>,
    ) -> Vocabulary {
        let mut counts = LemmaCounts::default();
        sentences.into_iter().flat_map(|sentence| words_of(&sentence)).for_each(|row| counts.add(&row));
        self.lemmas = self.lemmas.with_lexicon_of(&counts, list);
        self
    }

    /// The numbers of the tags of a word, by column.
    pub(crate) fn tags_of(&self, row: &Row<'_>, options: &Options) -> [Vec<u32>; 3] {
        std::array::from_fn(|column| {
            let mut known = Vec::new();
            for_each_tag(row, column, options, |tag| known.extend(self.tag(column, tag)));
            known
        })
    }

    fn of_columns<'a>(
        sentences: impl Iterator<Item = Sentence<'a>>,
        silver: impl Iterator<Item = Sentence<'a>>,
        options: &Options,
    ) -> Vocabulary {
        let mut words = Counts::default();
        let mut tags = [Counts::default(), Counts::default(), Counts::default()];
        let mut labels = Counts::default();
        let mut lemmas = LemmaCounts::default();
        for sentence in sentences {
            for row in words_of(&sentence) {
                words.add(&normalised(&text(&row, Column::Form)));
                for (column, counts) in tags.iter_mut().enumerate() {
                    for_each_tag(&row, column, options, |tag| counts.add(tag));
                }
                labels.add(&text(&row, Column::Deprel));
                if options.tagging > 0 && options.lemmas {
                    lemmas.add(&row);
                }
            }
        }
        for row in silver.flat_map(|sentence| words_of(&sentence)) {
            words.add(&normalised(&text(&row, Column::Form)));
        }
        let mut known = vec![String::new()];
        known.extend(words.names(options.min_count));
        Vocabulary {
            words: known.into_iter().collect(),
            tags: tags.map(|counts| counts.names(1).into_iter().collect()),
            labels: labels.names(1).into_iter().collect(),
            vectors: Names::default(),
            tag_sets: Vec::new(),
            lemmas: lemmas.finish(options.min_count),
        }
    }

    /// Whether all names can stand in a column of CoNLL-U.
    ///
    /// # Errors
    /// The name that is not allowed.
    pub fn check(&self) -> Result<(), String> {
        let tags = self.tags.iter().flat_map(Names::iter).map(|tag| ("tag", tag));
        let labels = self.labels.iter().map(|label| ("label", label));
        let scripts = self.lemmas.scripts.iter().map(|script| ("script of lemmas", script));
        match labels.chain(tags).chain(scripts).find(|(_, name)| !fits_column(name)) {
            Some((what, name)) => Err(format!("{} is no {what}", Quoted(name.as_bytes()))),
            None => Ok(()),
        }
    }

    /// Number of distinct tags of all columns together.
    pub fn tag_count(&self) -> usize {
        self.tags.iter().map(Names::len).sum()
    }

    /// The number of a tag among those of all three columns.
    pub fn tag(&self, column: usize, tag: &str) -> Option<u32> {
        let before: usize = self.tags[..column].iter().map(Names::len).sum();
        Some(before as u32 + self.tags[column].number(tag)?)
    }

    /// The name of a tag by its number among those of all three columns.
    pub fn tag_name(&self, mut number: u32) -> &str {
        for names in &self.tags {
            match (number as usize).checked_sub(names.len()) {
                None => return names.name(number),
                Some(rest) => number = rest as u32,
            }
        }
        "_"
    }
}

/// True if and only if a text can be all or a part of a column.
pub(crate) fn fits_column(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\t', '\n'])
}

/// The rows that are words: not ranges, not empty nodes.
pub(crate) fn words_of<'a>(sentence: &Sentence<'a>) -> impl Iterator<Item = Row<'a>> + use<'a> {
    sentence.rows().filter(|row| matches!(row.id, Id::Word(_)))
}

/// A column as text.
pub(crate) fn text<'a>(row: &Row<'a>, column: Column) -> std::borrow::Cow<'a, str> {
    String::from_utf8_lossy(row.get(column))
}

/// The tags of a word in UPOS (0), XPOS (1) or FEATS (2), if the model reads that column.
pub(crate) fn for_each_tag(row: &Row<'_>, column: usize, options: &Options, mut visit: impl FnMut(&str)) {
    let (read, column) =
        [(options.upos, Column::Upos), (options.xpos, Column::Xpos), (options.feats, Column::Feats)][column];
    let value = text(row, column);
    if !read || value == "_" || value.is_empty() {
        return;
    }
    match column {
        Column::Feats => value.split('|').for_each(visit),
        _ => visit(&value),
    }
}

#[derive(Default)]
struct Counts(HashMap<String, usize>);

impl Counts {
    fn add(&mut self, name: &str) {
        match self.0.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(self.0.insert(name.to_owned(), 1)),
        }
    }

    fn names(self, min_count: usize) -> Vec<String> {
        let mut names: Vec<(String, usize)> =
            self.0.into_iter().filter(|&(ref name, count)| count >= min_count && !name.is_empty()).collect();
        names.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        names.into_iter().map(|(name, _)| name).collect()
    }
}
