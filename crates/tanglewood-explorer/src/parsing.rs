//! A model at work: from text to scores, and from scores to trees.

use std::borrow::Cow;

use tanglewood::Tree;
use tanglewood::conllu::{Column, Id, Row, Sentence, Sentences};
use tanglewood::scores::ArcScores;
use tanglewood::text::{Following, TextSentence, TextToken, TextWriter};
use tanglewood_nn::{About, Decoder, Encoded, Model, Scores, Trained, WordTags};

use crate::answer::Refusal;
use crate::limits;

/// A model and what it is used with.
pub struct Parser {
    trained: Trained,
    decoder: Decoder,
}

/// A text whose lines are being parsed.
pub struct TypedText {
    writer: TextWriter<Vec<u8>>,
    /// Words so far.
    words: usize,
}

impl TypedText {
    pub fn new() -> TypedText {
        TypedText { writer: TextWriter::new(Vec::new()), words: 0 }
    }
}

impl Parser {
    /// From a model that was read.
    ///
    /// # Errors
    /// If it does not parse.
    pub fn new(trained: Trained, about: &About) -> Result<Parser, String> {
        let Some(model) = trained.model() else {
            return Err("it has learned nothing but to segment text; expected a model that parses".to_owned());
        };
        let decoder = Decoder::of_model(model, about).map_err(|error| error.to_string())?;
        Ok(Parser { decoder: Decoder { memory: limits::CHART_BYTES, ..decoder }, trained })
    }

    /// The sentences of a line of the text with the best trees, as CoNLL-U.
    pub fn parse(&self, typed: &mut TypedText, text: &str, line: u64) -> Result<String, Refusal> {
        let bare = self.bare(typed, text, line)?;
        let mut parsed = Vec::with_capacity(2 * bare.len());
        for sentence in Sentences::of(&bare).filter(|sentence| !sentence.is_blank() && !sentence.is_gap()) {
            let scored = self.scored(&sentence)?;
            let tree = scored.best(&self.decoder);
            let tree = tree.ok_or_else(|| Refusal::at(line, None, "no words"))?;
            scored.write(&mut parsed, &sentence, &tree)?;
        }
        Ok(String::from_utf8_lossy(&parsed).into_owned())
    }

    /// The sentences of a line of the text without trees, as CoNLL-U.
    pub fn bare(&self, typed: &mut TypedText, text: &str, line: u64) -> Result<Vec<u8>, Refusal> {
        let refuse = |message: String| Refusal::at(line, None, message);
        for sentence in self.sentences(text) {
            let count: usize = sentence.tokens().iter().map(|token| token.words.len().max(1)).sum();
            if count > limits::PARSED_WORDS {
                let most = limits::PARSED_WORDS;
                return Err(refuse(format!(
                    "a sentence of {count} words; expected at most {most} to be parsed"
                )));
            }
            typed.words += count;
            if typed.words > limits::PARSED_TEXT_WORDS {
                let most = limits::PARSED_TEXT_WORDS;
                return Err(refuse(format!("a text of more than {most} words; expected less to be parsed")));
            }
            let written = typed.writer.push_before(&sentence, Following::Sentence);
            written.map_err(|error| refuse(error.to_string()))?;
        }
        Ok(std::mem::take(typed.writer.get_mut()))
    }

    /// By a segmenter if the model has one; otherwise a sentence with spaces between its words.
    fn sentences(&self, text: &str) -> Vec<TextSentence> {
        if let Some(segmenter) = self.trained.segmenter() {
            // It is a line, and ends like one: segmenters have seen few texts that end otherwise. Reading
            // from memory does not fail.
            let line = format!("{text}\n");
            return segmenter.segment(line.as_bytes()).filter_map(Result::ok).collect();
        }
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let token = |word: &str| TextToken::new(place(word)..place(word) + word.len());
        let tokens = text.split_whitespace().map(token).collect();
        TextSentence::new(text.as_bytes().to_vec(), tokens).into_iter().collect()
    }

    /// What the model says about a sentence.
    pub fn scored(&self, sentence: &Sentence<'_>) -> Result<ScoredSentence<'_>, Refusal> {
        let model = self.trained.model().ok_or_else(|| Refusal::new("the model does not parse"))?;
        let encoded = model.encode(sentence);
        let scores = model.scores(&[&encoded]);
        Ok(ScoredSentence { model, encoded, scores })
    }
}

/// What a model says about one sentence.
pub struct ScoredSentence<'a> {
    model: &'a Model,
    encoded: Encoded,
    scores: Scores<'a>,
}

impl ScoredSentence<'_> {
    fn best(&self, decoder: &Decoder) -> Option<Tree> {
        decoder.decode(&self.scores.sentence(0))
    }

    /// The scores of arcs alone.
    pub fn arcs(&self) -> ArcScores {
        self.scores.arcs(0)
    }

    /// True if and only if the model scores transitions besides arcs.
    pub fn scores_transitions(&self) -> bool {
        self.model.options().scores_transitions()
    }

    /// The best relation of each word, given a tree.
    pub fn relations(&self, tree: &Tree) -> Vec<String> {
        let labels = self.scores.labels(&[Some(tree.clone())]).pop().unwrap_or_default();
        labels.iter().map(|&label| self.model.vocabulary().labels.name(label).to_owned()).collect()
    }

    /// Tags and lemmas, as far as the model has learned them.
    pub fn tags(&self) -> Vec<WordTags> {
        self.scores.tags(0, &self.encoded)
    }

    /// Writes the sentence with a tree. Columns that are there already stay, but for HEAD and DEPREL.
    pub fn write(&self, out: &mut Vec<u8>, sentence: &Sentence<'_>, tree: &Tree) -> Result<(), Refusal> {
        let (relations, tags) = (self.relations(tree), self.tags());
        let replace = |row: &Row<'_>, column: Column| -> Option<Cow<'_, str>> {
            let Id::Word(word) = row.id else { return None };
            let at = word as usize - 1;
            match column {
                Column::Head => return Some(tree.head(at + 1).to_string().into()),
                Column::Deprel => return Some(relations.get(at)?.as_str().into()),
                _ if row.get(column) != b"_" => return None,
                _ => {}
            }
            let tags = tags.get(at)?;
            let found = match column {
                Column::Upos => &tags.upos,
                Column::Xpos => &tags.xpos,
                Column::Feats => &tags.feats,
                Column::Lemma => &tags.lemma,
                _ => &None,
            };
            found.as_deref().map(Cow::Borrowed)
        };
        sentence.write_edited(out, replace).map_err(|error| Refusal::new(error.to_string()))
    }
}
