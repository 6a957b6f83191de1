//! A sentence as evaluation sees it: tokens are stretches of characters, and words belong to tokens.

use super::calibration::probability;
use super::relations::{Role, is_space, role, universal, universal_features};
use crate::Tree;
use crate::conllu::{Column, Id, Kind, Problem, Row, Sentence, Validator};

/// A sentence, read once and kept without the file it came from.
///
/// A sentence that is not valid has a [problem](Reading::problem) and no words, but its tokens, as far as
/// they can be made out, so that the text around it can still be aligned.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The characters of the tokens, without any space.
    characters: String,
    tokens: Vec<Token>,
    /// The columns of all words, one after the other.
    columns: String,
    words: Vec<Word>,
    tree: Option<Tree>,
    problem: Option<Problem>,
    has_all_tokens: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub start: u32,
    pub end: u32,
    line: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub token: u32,
    /// Whether it is a part of a multiword token.
    pub multiword: bool,
    pub role: Role,
    /// What MISC says the probability of the head is.
    pub probability: Option<f64>,
    /// Where the columns start, and where each ends.
    bounds: [u32; 7],
}

/// The columns that are compared, in the order in which they are kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Form,
    Lemma,
    Upos,
    Xpos,
    Features,
    Relation,
}

impl Reading {
    /// Reads a sentence.
    pub fn of(sentence: &Sentence<'_>, validator: &mut Validator) -> Reading {
        let mut reading = Reading {
            characters: String::new(),
            tokens: Vec::new(),
            columns: String::new(),
            words: Vec::new(),
            tree: None,
            problem: None,
            has_all_tokens: true,
        };
        match validator.tree(sentence) {
            Ok(tree) => reading.tree = Some(tree),
            Err(problem) => {
                reading.has_all_tokens = validator.problems(sentence).iter().all(concerns_heads_only);
                reading.problem = Some(problem);
            }
        }
        let mut in_range_up_to = 0;
        for line in sentence.lines() {
            let Some(row) = Row::parse(line.content) else { continue };
            match row.id {
                Id::Empty(..) => {}
                Id::Range(_, last) => {
                    in_range_up_to = last;
                    reading.add_token(&row, line.number);
                }
                Id::Word(word) if word <= in_range_up_to => reading.add_word(&row, true),
                Id::Word(_) => {
                    reading.add_token(&row, line.number);
                    reading.add_word(&row, false);
                }
            }
        }
        if reading.problem.is_some() {
            reading.words.clear();
            reading.tree = None;
        }
        reading
    }

    fn add_token(&mut self, row: &Row<'_>, line: u64) {
        let start = self.characters.len();
        self.characters.extend(text(row, Column::Form).chars().filter(|&character| !is_space(character)));
        let end = self.characters.len();
        if start == end && self.problem.is_none() {
            self.has_all_tokens = false;
            self.problem = Some(Problem {
                kind: Kind::EmptyColumn,
                line,
                column: row.get(Column::Id).len() + 2,
                found: "nothing in column FORM".to_owned(),
                expected: "characters by which tokens can be aligned".to_owned(),
            });
        }
        self.tokens.push(Token { start: start as u32, end: end as u32, line });
    }

    fn add_word(&mut self, row: &Row<'_>, multiword: bool) {
        let mut bounds = [self.columns.len() as u32; 7];
        let form = text(row, Column::Form);
        if multiword {
            self.columns.push_str(&form);
        } else {
            self.columns.extend(form.chars().filter(|&character| !is_space(character)));
        }
        bounds[1] = self.columns.len() as u32;
        for (at, column) in [(2, Column::Lemma), (3, Column::Upos), (4, Column::Xpos)] {
            self.columns.push_str(&text(row, column));
            bounds[at] = self.columns.len() as u32;
        }
        for feature in universal_features(&text(row, Column::Feats)) {
            self.columns.push_str(feature);
            self.columns.push('|');
        }
        bounds[5] = self.columns.len() as u32;
        let relation = text(row, Column::Deprel);
        self.columns.push_str(universal(&relation));
        bounds[6] = self.columns.len() as u32;
        let token = (self.tokens.len() as u32).saturating_sub(1);
        let probability = probability(row.get(Column::Misc));
        self.words.push(Word { token, multiword, role: role(universal(&relation)), probability, bounds });
    }

    /// Why the sentence cannot be counted, if it cannot.
    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// False if a problem hides tokens, so that the characters are not all there.
    pub(super) fn has_all_tokens(&self) -> bool {
        self.has_all_tokens
    }

    /// The characters of the tokens, without spaces.
    pub(super) fn characters(&self) -> &str {
        &self.characters
    }

    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// The tree, unless there is a problem.
    pub(super) fn tree(&self) -> Option<&Tree> {
        self.tree.as_ref()
    }

    pub(super) fn get(&self, word: usize, field: Field) -> &str {
        let bounds = &self.words[word].bounds;
        &self.columns[bounds[field as usize] as usize..bounds[field as usize + 1] as usize]
    }

    /// The line of the token that a character belongs to.
    pub(super) fn line_of(&self, character: usize) -> u64 {
        let token = self.tokens.partition_point(|token| token.end as usize <= character);
        self.tokens.get(token).or(self.tokens.last()).map_or(0, |token| token.line)
    }
}

fn text<'a>(row: &Row<'a>, column: Column) -> std::borrow::Cow<'a, str> {
    String::from_utf8_lossy(row.get(column))
}

/// True if the tokens can be trusted in spite of the problem.
fn concerns_heads_only(problem: &Problem) -> bool {
    let of_heads = matches!(
        problem.kind,
        Kind::BadHead | Kind::NoHead | Kind::HeadOutOfRange | Kind::Cycle | Kind::NoRoot
    );
    of_heads || !(problem.kind.prevents_tree() || matches!(problem.kind, Kind::EmptyColumn | Kind::More))
}
