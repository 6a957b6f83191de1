//! What is measured, by name.

/// Something that has a precision, a recall and an F1.
///
/// Those up to [`Metric::Blex`] are the measures of the CoNLL 2018 shared task; the others are additions.
/// Relations are compared without their subtypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Tokens with the same characters.
    Tokens,
    /// Sentences with the same characters.
    Sentences,
    /// Words that are aligned.
    Words,
    /// Universal part of speech.
    Upos,
    /// The treebank's own part of speech.
    Xpos,
    /// Universal features.
    Ufeats,
    /// UPOS, XPOS and universal features.
    AllTags,
    /// Lemmas; any is right where the gold standard has none.
    Lemmas,
    /// Right head.
    Uas,
    /// Right head and relation.
    Las,
    /// Right head and relation of content words.
    Clas,
    /// CLAS with right tags, where the function words that hang from a word must be right, too.
    Mlas,
    /// CLAS with right lemmas.
    Blex,
    /// Right relation, whatever the head.
    Relations,
    /// Whole sentences with all words and heads right.
    ExactHeads,
    /// Whole sentences with all words, heads and relations right.
    ExactTrees,
    /// Sentences with crossing arcs, found as such.
    Nonprojective,
}

impl Metric {
    /// All of them, in the order of tables.
    pub const ALL: [Metric; 17] = [
        Metric::Tokens,
        Metric::Sentences,
        Metric::Words,
        Metric::Upos,
        Metric::Xpos,
        Metric::Ufeats,
        Metric::AllTags,
        Metric::Lemmas,
        Metric::Uas,
        Metric::Las,
        Metric::Clas,
        Metric::Mlas,
        Metric::Blex,
        Metric::Relations,
        Metric::ExactHeads,
        Metric::ExactTrees,
        Metric::Nonprojective,
    ];

    /// The name in tables; the shared task's own where it has one.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Tokens => "Tokens",
            Metric::Sentences => "Sentences",
            Metric::Words => "Words",
            Metric::Upos => "UPOS",
            Metric::Xpos => "XPOS",
            Metric::Ufeats => "UFeats",
            Metric::AllTags => "AllTags",
            Metric::Lemmas => "Lemmas",
            Metric::Uas => "UAS",
            Metric::Las => "LAS",
            Metric::Clas => "CLAS",
            Metric::Mlas => "MLAS",
            Metric::Blex => "BLEX",
            Metric::Relations => "relations",
            Metric::ExactHeads => "exact heads",
            Metric::ExactTrees => "exact trees",
            Metric::Nonprojective => "non-projective",
        }
    }
}
