//! Treebanks to learn from, and what there is to say about them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tanglewood::classes::is_projective;
use tanglewood::conllu::{Block, Column, Id, Kind, Problem, Sentence, Validator};
use tanglewood::system::Direction;
use tanglewood::{Oracle, System};

use crate::failure::Failure;
use crate::input::{self, Source};
use crate::parallel::blocks_of;
use crate::progress::{Progress, say};
use crate::text::{counted, grouped, percent};

/// Some files in memory.
pub struct Treebank {
    sources: Vec<Source>,
    /// With the index of the source.
    blocks: Vec<(usize, Block)>,
}

/// Sentences with trees, and what they are like.
pub struct Checked<'a> {
    pub sentences: Vec<Sentence<'a>>,
    pub summary: Summary,
}

/// What a treebank is like.
#[derive(Default)]
pub struct Summary {
    files: u64,
    pub words: u64,
    pub labels: BTreeSet<String>,
    /// Whether it says what the running text is like.
    pub has_text: bool,
    nonprojective: u64,
    /// Trees that the system can build.
    covered: u64,
    skipped: u64,
    /// Breaches of conventions that a tree does not depend on: their name, how many sentences have them, and
    /// where the first is.
    unusual: Vec<(&'static str, u64, String)>,
    sentences: u64,
}

impl Treebank {
    pub fn read(paths: &[PathBuf]) -> Result<Treebank, Failure> {
        let sources = input::sources(paths)?;
        let progress = Progress::over(&sources);
        let mut blocks = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            for block in blocks_of(source, &progress) {
                blocks.push((index, block?));
            }
        }
        progress.finish();
        Ok(Treebank { sources, blocks })
    }

    /// The names of the files, without the folders they are in.
    pub fn names(&self) -> String {
        const SHOWN: usize = 20;
        let name = |source: &Source| {
            let file = Path::new(&source.name).file_name();
            file.map_or_else(|| source.name.clone(), |name| name.to_string_lossy().into_owned())
        };
        let mut names: Vec<String> = self.sources.iter().take(SHOWN).map(name).collect();
        if self.sources.len() > SHOWN {
            names.push(format!("and {} more", self.sources.len() - SHOWN));
        }
        names.join(", ")
    }

    /// The sentences with their trees. One without a tree is an error, unless such are to be left out.
    pub fn check(
        &self,
        (system, direction): (&System, Direction),
        skip_invalid: bool,
    ) -> Result<Checked<'_>, Failure> {
        let oracle = Oracle::new(system);
        let mut validator = Validator::new();
        let mut summary = Summary { files: self.sources.len() as u64, ..Summary::default() };
        let mut sentences = Vec::new();
        for (source, block) in &self.blocks {
            let file = &self.sources[*source].name;
            for sentence in block.sentences().filter(|sentence| !sentence.is_blank()) {
                match validator.tree(&sentence) {
                    Ok(tree) => {
                        summary.words += tree.len() as u64;
                        summary.nonprojective += u64::from(!is_projective(&tree));
                        summary.covered += u64::from(oracle.covers_in(direction, &tree));
                        summary.look_at(file, &sentence, &validator.problems(&sentence));
                        sentences.push(sentence);
                    }
                    Err(problem) if skip_invalid => {
                        say(format_args!("skipped: {file}:{problem}"));
                        summary.skipped += 1;
                    }
                    Err(problem) => return Err(Failure::Problem { file: file.clone(), problem }),
                }
            }
        }
        summary.sentences = sentences.len() as u64;
        Ok(Checked { sentences, summary })
    }
}

impl Summary {
    fn look_at(&mut self, file: &str, sentence: &Sentence<'_>, problems: &[Problem]) {
        let mut missing = 0u64;
        self.has_text = self.has_text || has_text(sentence);
        for row in sentence.rows().filter(|row| matches!(row.id, Id::Word(_))) {
            let label = row.get(Column::Deprel);
            if matches!(label, b"_" | b"") {
                missing += 1;
            }
            if !self.labels.contains(&*String::from_utf8_lossy(label)) {
                self.labels.insert(String::from_utf8_lossy(label).into_owned());
            }
        }
        if missing > 0 {
            self.note("words without a relation", format!("{file}:{}", sentence.first_line()));
        }
        for (kind, what) in [
            (Kind::SeveralRoots, "several roots"),
            (Kind::RootRelation, "`root` elsewhere than at the root, or another relation there"),
        ] {
            if let Some(problem) = problems.iter().find(|problem| problem.kind == kind) {
                self.note(what, format!("{file}:{}:{}", problem.line, problem.column));
            }
        }
    }

    fn note(&mut self, what: &'static str, place: String) {
        match self.unusual.iter_mut().find(|(name, ..)| *name == what) {
            Some((_, count, _)) => *count += 1,
            None => self.unusual.push((what, 1, place)),
        }
    }

    /// What people want to know before they train for hours.
    pub fn say(&self, what: &str, (system, direction): (&System, Direction)) {
        let sentences = counted(self.sentences, "sentence");
        say(format_args!(
            "{what}: {}, {sentences}, {}, {}",
            counted(self.files, "file"),
            counted(self.words, "word"),
            counted(self.labels.len() as u64, "label"),
        ));
        let reading = match direction {
            Direction::Ltr => "from left to right",
            Direction::Rtl => "from right to left",
            Direction::Either => "in either direction",
        };
        say(format_args!(
            "  {} non-projective, {}; {system} read {reading} builds {} of {} trees, {}",
            grouped(self.nonprojective),
            percent(self.nonprojective, self.sentences),
            grouped(self.covered),
            grouped(self.sentences),
            percent(self.covered, self.sentences),
        ));
        for (what, count, first) in &self.unusual {
            say(format_args!("  {} with {what}, the first at {first}", counted(*count, "sentence")));
        }
        if self.skipped > 0 {
            say(format_args!("  left out: {}", counted(self.skipped, "invalid sentence")));
        }
    }

    /// How many trees the system cannot build.
    pub fn not_covered(&self) -> u64 {
        self.sentences - self.covered
    }

    /// The labels that do not occur in other data.
    pub fn labels_not_in<'a>(&'a self, other: &'a Summary) -> Vec<&'a str> {
        self.labels.difference(&other.labels).map(String::as_str).collect()
    }
}

/// True if there is a comment with the text, or something is said about spaces.
fn has_text(sentence: &Sentence<'_>) -> bool {
    let says_spaces = |misc: &[u8]| {
        misc.split(|&byte| byte == b'|')
            .any(|attribute| attribute.starts_with(b"SpaceAfter=") || attribute.starts_with(b"SpacesAfter="))
    };
    sentence.metadata("text").is_some() || sentence.rows().any(|row| says_spaces(row.get(Column::Misc)))
}
