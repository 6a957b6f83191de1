//! Words without a text around them.

use tanglewood::text::{Following, TextSentence, TextToken, TextWriter};

/// Words as a sentence in CoNLL-U, as `tanglewood parse --input tokens` has it; nothing if there are none.
pub fn to_conllu<'a>(words: impl Iterator<Item = Option<&'a str>>) -> Result<Option<Vec<u8>>, String> {
    let (mut text, mut tokens) = (Vec::new(), Vec::new());
    for (at, word) in words.enumerate() {
        let word = match word {
            None => return Err(format!("token {at} is null; expected a string")),
            Some("") => return Err(format!("token {at} is empty; expected a word")),
            Some(word) => word,
        };
        let start = text.len();
        text.extend_from_slice(word.as_bytes());
        tokens.push(TextToken::new(start..text.len()));
        text.push(b' ');
    }
    if tokens.is_empty() {
        return Ok(None);
    }
    let sentence = TextSentence::new(text, tokens).map_err(|error| error.to_string())?;
    let mut writer = TextWriter::new(Vec::new());
    // What was between the words is not known: all is as usual.
    writer.push_before(&sentence, Following::Sentence).map_err(|error| error.to_string())?;
    Ok(Some(std::mem::take(writer.get_mut())))
}
