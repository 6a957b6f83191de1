//! A piece of running text with the right answers, made from a treebank.

use tanglewood::inference::Random;

use super::characters::is_blank;
use super::features::GapKind;
use super::treebank::TreebankSentence;

/// Classes that the network predicts for a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Nothing ends after it.
    None,
    /// A word ends after it, inside a multiword token.
    Word,
    /// A token ends after it.
    Token,
    /// A multiword token ends after it.
    Multiword,
}

/// Number of kinds of boundaries.
pub const BOUNDARIES: usize = 4;

/// Some text, what ends after each of its characters, and its tokens.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// Characters of the text.
    pub characters: Vec<char>,
    /// Class of each character; none for blanks.
    pub boundaries: Vec<Option<Boundary>>,
    /// The tokens in order.
    pub tokens: Vec<PassageToken>,
}

/// A token of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassageToken {
    /// Characters of the token within the passage.
    pub span: std::ops::Range<usize>,
    /// Kind of gap after the token.
    pub gap: GapKind,
    /// Whether the token ends a sentence.
    pub ends_sentence: bool,
    /// The words of a multiword token.
    pub words: Vec<String>,
}

impl Passage {
    /// The text of some sentences in a row; with a source of randomness some gaps are changed, since real
    /// text is less regular than a treebank.
    pub fn new(sentences: &[TreebankSentence], mut noise: Option<&mut Random>) -> Passage {
        let mut passage = Passage::default();
        for (at, sentence) in sentences.iter().enumerate() {
            let last = sentence.tokens.len().saturating_sub(1);
            for (place, token) in sentence.tokens.iter().enumerate() {
                let start = passage.characters.len();
                passage.characters.extend(&token.form);
                let end = passage.characters.len();
                let labels =
                    token.form.iter().map(|&character| (!is_blank(character)).then_some(Boundary::None));
                passage.boundaries.extend(labels);
                for &word_end in &token.ends {
                    passage.boundaries[start + word_end - 1] = Some(Boundary::Word);
                }
                let multiword = !token.words.is_empty();
                passage.boundaries[end - 1] =
                    Some(if multiword { Boundary::Multiword } else { Boundary::Token });
                let next = sentences.get(at + 1);
                let new_paragraph = next.is_some_and(|next| next.paragraph);
                let (mut gap, place) = match (place == last, next) {
                    (false, _) => (token.gap.as_str(), GapPlace::Inside),
                    (true, None) => ("\n", GapPlace::End),
                    (true, Some(_)) if new_paragraph && !token.exact => ("\n\n", GapPlace::Paragraph),
                    (true, Some(_)) => (token.gap.as_str(), GapPlace::Sentence),
                };
                if let Some(random) = noise.as_deref_mut() {
                    gap = place.changed(gap, random);
                }
                passage.characters.extend(gap.chars());
                passage.boundaries.resize(passage.characters.len(), None);
                let kind = if place == GapPlace::End { GapKind::End } else { GapKind::of(gap.chars()) };
                passage.tokens.push(PassageToken {
                    span: start..end,
                    gap: kind,
                    ends_sentence: place != GapPlace::Inside,
                    words: token.words.clone(),
                });
            }
        }
        passage
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GapPlace {
    Inside,
    Sentence,
    Paragraph,
    End,
}

impl GapPlace {
    /// The gap, or with a small probability a different one, so that the network sees noise.
    fn changed<'g>(self, gap: &'g str, random: &mut Random) -> &'g str {
        let chance = random.uniform();
        // Each gap with the probability that it, or one before it in the list, is taken.
        let others: &[(f64, &str)] = match (self, gap) {
            (GapPlace::Inside, " ") => &[(0.01, "\n"), (0.015, "  "), (0.017, "\t"), (0.018, "\u{A0}")],
            (GapPlace::Sentence, " ") => &[(0.05, "\n"), (0.08, "  "), (0.085, "\r\n")],
            (GapPlace::Sentence, "") => &[(0.05, "\n"), (0.1, " ")],
            (GapPlace::Paragraph, _) => &[(0.1, "\n"), (0.15, " "), (0.16, "\n\n\n"), (0.17, "\r\n\r\n")],
            _ => &[],
        };
        others.iter().find(|(limit, _)| chance < *limit).map_or(gap, |(_, other)| other)
    }
}
