//! What can be typed: CoNLL-U, or a tree in short.
//!
//! In short, a line is a sentence and a word is `form/head` or `form/head/relation`:
//! `Vem/2/obl pratar/0 du/2/nsubj med/1`. A line of numbers is a tree of words without names. A line of
//! anything else is a plain sentence, without a tree.

use std::borrow::Cow;

use tanglewood::conllu::{Column, Id, Row, Sentence, Sentences, Validator};
use tanglewood::draw::Word;
use tanglewood::{Tree, TreeError};

use crate::answer::Refusal;
use crate::limits;

/// A sentence of the text.
pub struct Entry<'a> {
    /// How it is called in the list of sentences.
    pub name: String,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Conllu(Sentence<'a>),
    Short { line: u64, text: &'a str },
    Plain { line: u64, text: &'a str },
}

/// A change of one word; what is absent stays.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct Edit {
    pub word: usize,
    #[serde(default)]
    pub head: Option<usize>,
    #[serde(default)]
    pub relation: Option<String>,
    #[serde(default)]
    pub tag: Option<String>,
}

impl Edit {
    /// What a word's relation becomes: the one that is asked for; without one, a word that becomes the root
    /// gets that relation, and one that no longer is, `dep`.
    fn relation_after(&self, relation: &str) -> Option<String> {
        if let Some(wanted) = &self.relation {
            return Some(wanted.clone());
        }
        match (relation, self.head?) {
            ("" | "root", 0) | ("", _) => None,
            (_, 0) => Some("root".to_owned()),
            ("root", _) => Some("dep".to_owned()),
            _ => None,
        }
    }

    /// Relations and tags are names: nothing that would break the text they stand in.
    fn check(&self) -> Result<(), Refusal> {
        for (what, name) in [("relation", &self.relation), ("tag", &self.tag)] {
            let Some(name) = name else { continue };
            if name.chars().any(|character| character.is_whitespace() || character.is_control())
                || name.len() > 100
                || (what == "relation" && name.contains('/'))
            {
                let message = format!("`{name}` is no {what}; expected a name without spaces or strokes");
                return Err(Refusal::new(message));
            }
        }
        Ok(())
    }
}

/// The sentences of a text.
pub fn entries(text: &str) -> Result<Vec<Entry<'_>>, Refusal> {
    let entries: Vec<Entry<'_>> = if text.contains('\t') { conllu(text) } else { lines(text) };
    match entries.len() {
        0 => {
            Err(Refusal::new("there is no sentence yet; expected CoNLL-U, or a line such as Hello/2 world/0"))
        }
        1..=limits::SENTENCES => Ok(entries),
        count => {
            let message = format!("{count} sentences; expected at most {}", limits::SENTENCES);
            Err(Refusal::new(message))
        }
    }
}

fn conllu(text: &str) -> Vec<Entry<'_>> {
    let sentences = Sentences::of(text.as_bytes()).filter(|sentence| !sentence.is_blank());
    let name = |at: usize, sentence: &Sentence<'_>| match sentence.sent_id() {
        Some(id) => id.chars().take(80).collect(),
        None => format!("sentence {at}"),
    };
    sentences
        .enumerate()
        .map(|(at, sentence)| Entry { name: name(at, &sentence), kind: Kind::Conllu(sentence) })
        .collect()
}

fn lines(text: &str) -> Vec<Entry<'_>> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .enumerate()
        .map(|(at, (line, text))| {
            let line = line as u64 + 1;
            let with_heads = text.split_whitespace().any(|word| short_word(word).is_some());
            let kind = if with_heads { Kind::Short { line, text } } else { Kind::Plain { line, text } };
            Entry { name: format!("sentence {at}"), kind }
        })
        .collect()
}

/// Form, head and relation of a word in short; the form of a bare number is empty.
fn short_word(word: &str) -> Option<(&str, usize, &str)> {
    if let Ok(head) = word.parse() {
        return Some(("", head, ""));
    }
    let (rest, last) = word.rsplit_once('/')?;
    if let Ok(head) = last.parse() {
        return Some((rest, head, ""));
    }
    let (form, head) = rest.rsplit_once('/')?;
    Some((form, head.parse().ok()?, last))
}

impl<'a> Entry<'a> {
    /// The text of a line that has no tree yet: not all of its words have heads. A number is a word here.
    pub fn plain(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Plain { text, .. } => Some(text),
            Kind::Short { text, .. } => {
                text.split_whitespace().any(|word| short_word(word).is_none()).then_some(text)
            }
            Kind::Conllu(_) => None,
        }
    }

    /// The sentence with its tree as CoNLL-U.
    pub fn conllu(&self) -> Result<String, Refusal> {
        if let Kind::Conllu(sentence) = &self.kind {
            return Ok(String::from_utf8_lossy(sentence.bytes()).into_owned());
        }
        let (tree, words) = self.tree()?;
        let or_nothing = |text: &str| if text.is_empty() { "_".to_owned() } else { text.to_owned() };
        let row = |(at, (word, head)): (usize, (&Word, usize))| {
            let (form, relation) = (or_nothing(&word.form), or_nothing(&word.relation));
            format!("{}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n", at + 1)
        };
        Ok(words.iter().zip(tree.heads()).enumerate().map(row).collect::<String>() + "\n")
    }

    /// The line on which it begins.
    pub fn line(&self) -> u64 {
        match &self.kind {
            Kind::Conllu(sentence) => sentence.first_line(),
            Kind::Short { line, .. } | Kind::Plain { line, .. } => *line,
        }
    }

    /// Its tree and words.
    pub fn tree(&self) -> Result<(Tree, Vec<Word>), Refusal> {
        let (tree, words) = match &self.kind {
            Kind::Conllu(sentence) => (Validator::new().tree(sentence)?, Word::of(sentence)),
            Kind::Short { line, text } => short_tree(*line, text)?,
            Kind::Plain { line, .. } => {
                return Err(Refusal::without_heads(*line));
            }
        };
        if tree.len() > limits::WORDS {
            let message = format!("a sentence of {} words; expected at most {}", tree.len(), limits::WORDS);
            return Err(Refusal::at(self.line(), None, message));
        }
        Ok((tree, words))
    }

    /// True if and only if there is a place for tags.
    pub fn has_tags(&self) -> bool {
        matches!(self.kind, Kind::Conllu(_))
    }

    /// The whole text with one word of this sentence changed.
    pub fn edited(&self, whole: &str, edit: &Edit) -> Result<String, Refusal> {
        edit.check()?;
        match &self.kind {
            Kind::Conllu(sentence) => edited_conllu(whole, sentence, edit),
            Kind::Short { line, text } => Ok(edited_short(whole, *line, text, edit)),
            Kind::Plain { .. } => Err(Refusal::new("a sentence without heads has none to change")),
        }
    }
}

fn short_tree(line: u64, text: &str) -> Result<(Tree, Vec<Word>), Refusal> {
    let mut heads = Vec::new();
    let mut words = Vec::new();
    let mut start = 0;
    for word in text.split_whitespace() {
        start += text[start..].find(word).unwrap_or(0);
        let column = || text[..start].chars().count() + 1;
        let Some((form, head, relation)) = short_word(word) else {
            let shown: String = word.chars().take(40).collect();
            let message = format!("`{shown}` has no head; expected form/head or form/head/relation");
            return Err(Refusal::at(line, Some(column()), message));
        };
        heads.push(head);
        words.push(Word::new(form, "", relation));
        start += word.len();
    }
    let tree =
        Tree::from_heads(&heads).map_err(|error: TreeError| Refusal::at(line, None, error.to_string()))?;
    Ok((tree, words))
}

fn edited_conllu(whole: &str, sentence: &Sentence<'_>, edit: &Edit) -> Result<String, Refusal> {
    let or_nothing = |name: String| if name.is_empty() { "_".to_owned() } else { name };
    let replace = |row: &Row<'_>, column: Column| -> Option<Cow<'static, str>> {
        if row.id != Id::Word(edit.word as u32) {
            return None;
        }
        match column {
            Column::Head => Some(edit.head?.to_string().into()),
            Column::Deprel => {
                let relation = String::from_utf8_lossy(row.get(Column::Deprel));
                Some(or_nothing(edit.relation_after(&relation)?).into())
            }
            Column::Upos => Some(or_nothing(edit.tag.clone()?).into()),
            _ => None,
        }
    };
    let mut edited = Vec::with_capacity(whole.len() + 8);
    for other in Sentences::of(whole.as_bytes()) {
        if other.first_line() == sentence.first_line() {
            other.write_edited(&mut edited, replace).map_err(|error| Refusal::new(error.to_string()))?;
        } else {
            edited.extend_from_slice(other.bytes());
        }
    }
    String::from_utf8(edited).map_err(|error| Refusal::new(error.to_string()))
}

fn edited_short(whole: &str, line: u64, text: &str, edit: &Edit) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .enumerate()
        .map(|(at, word)| match short_word(word) {
            Some((form, head, relation)) if at + 1 == edit.word => {
                let head = edit.head.unwrap_or(head);
                let relation = edit.relation_after(relation).unwrap_or_else(|| relation.to_owned());
                match (form, relation.as_str()) {
                    ("", "") => head.to_string(),
                    (_, "") => format!("{form}/{head}"),
                    (_, relation) => format!("{form}/{head}/{relation}"),
                }
            }
            _ => word.to_owned(),
        })
        .collect();
    let edited = words.join(" ");
    let lines: Vec<&str> = whole
        .lines()
        .enumerate()
        .map(|(at, old)| if at as u64 + 1 == line { &edited } else { old })
        .collect();
    lines.join("\n")
}
