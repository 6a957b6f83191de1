//! What is written of each word: forms, tags and relations, short enough to be drawn.

use super::Word;
use super::measure::shortened;

/// Forms, tags and relations of words 1..=n.
pub struct Texts {
    pub forms: Vec<String>,
    pub tags: Vec<String>,
    pub relations: Vec<String>,
}

impl Texts {
    /// Words that are missing are shown by their numbers; surplus ones are not.
    pub fn new(count: usize, words: &[Word], with_tags: bool) -> Texts {
        let text = |word: usize, part: fn(&Word) -> &str| words.get(word).map_or("", part);
        let form = |word| match text(word, |word| &word.form) {
            "" => (word + 1).to_string(),
            form => shortened(form),
        };
        let tag = |word| if with_tags { shortened(text(word, |word| &word.tag)) } else { String::new() };
        Texts {
            forms: (0..count).map(form).collect(),
            tags: (0..count).map(tag).collect(),
            relations: (0..count).map(|word| shortened(text(word, |word| &word.relation))).collect(),
        }
    }

    /// The sentence as far as it is shown.
    pub fn sentence(&self) -> String {
        self.forms.join(" ")
    }

    pub fn has_tags(&self) -> bool {
        self.tags.iter().any(|tag| !tag.is_empty())
    }
}
