//! A sentence as a file: a drawing, LaTeX, CoNLL-U, or a page.

use serde::Deserialize;
use tanglewood::draw::{self, Arrangement, Style, Theme};

use super::answer::Refusal;
use super::notation::entries;
use crate::page::{self, Picture};
use crate::{pdf, png};

/// How wide a wrapped drawing is.
const WIDTH: f64 = 960.0;

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
pub struct Question {
    text: String,
    #[serde(default)]
    sentence: usize,
    /// The ending of the file.
    format: String,
    #[serde(default)]
    layout: String,
}

/// What is to be saved.
pub struct Exported {
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

/// The file for a sentence of the text.
pub fn export(question: &Question) -> Result<Exported, Refusal> {
    let sentences = entries(&question.text)?;
    let entry = sentences.get(question.sentence).ok_or_else(|| Refusal::new("there is no such sentence"))?;
    let (tree, words) = entry.tree()?;
    let arrangement = match question.layout.as_str() {
        "" | "line" => Arrangement::Line,
        "wrap" => Arrangement::Wrap(WIDTH),
        "compact" => Arrangement::Compact,
        "vertical" => Arrangement::Vertical,
        _ => return Err(Refusal::new("expected layout line, wrap, compact or vertical")),
    };
    let drawn = |sheet: bool| {
        draw::arranged(&tree, &words, arrangement, &Style { theme: Theme::Auto, tags: true, sheet })
    };
    let failed = |failure: crate::failure::Failure| Refusal::new(failure.to_string());
    let (kind, bytes) = match question.format.as_str() {
        "svg" => ("image/svg+xml", drawn(true).into_bytes()),
        "png" => ("image/png", png::render(&drawn(true)).map_err(failed)?),
        "pdf" => ("application/pdf", pdf::render(&drawn(true)).map_err(failed)?),
        "tex" => ("application/x-tex", draw::tikz(&tree, &words, true).into_bytes()),
        "conllu" => ("text/plain; charset=utf-8", entry.conllu()?.into_bytes()),
        "html" => {
            let from_right = arrangement != Arrangement::Vertical && draw::runs_from_right(&words);
            let picture = Picture { svg: drawn(false), from_right, ..Picture::default() };
            let page = page::of_pictures(&entry.name, Theme::Auto, &[picture]);
            ("text/html; charset=utf-8", page.into_bytes())
        }
        _ => return Err(Refusal::new("expected format svg, png, pdf, tex, conllu or html")),
    };
    Ok(Exported { kind, bytes })
}
