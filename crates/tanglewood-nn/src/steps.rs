//! What a model can do with a text, step by step.

use serde::{Deserialize, Serialize};

/// One of the steps from text to trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// From text to sentences, tokens and words.
    Segment,
    /// UPOS, XPOS and FEATS of each word.
    Tag,
    /// LEMMA of each word.
    Lemma,
    /// HEAD and DEPREL of each word.
    Parse,
}

impl Step {
    /// All steps, in the order in which they are taken.
    pub const ALL: [Step; 4] = [Step::Segment, Step::Tag, Step::Lemma, Step::Parse];

    /// Name of the step.
    pub fn name(self) -> &'static str {
        match self {
            Step::Segment => "segment",
            Step::Tag => "tag",
            Step::Lemma => "lemma",
            Step::Parse => "parse",
        }
    }

    /// The step of this name.
    pub fn named(name: &str) -> Option<Step> {
        Step::ALL.into_iter().find(|step| step.name() == name)
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a model says of a word besides its place in the tree. Nothing for a column that it has not learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordTags {
    /// UPOS.
    pub upos: Option<String>,
    /// XPOS.
    pub xpos: Option<String>,
    /// FEATS, sorted as Universal Dependencies has them; `_` for a word without features.
    pub feats: Option<String>,
    /// LEMMA.
    pub lemma: Option<String>,
}
