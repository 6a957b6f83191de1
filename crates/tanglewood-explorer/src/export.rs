//! A sentence as a file: a drawing, LaTeX, CoNLL-U, or a page.

use serde::Deserialize;
use tanglewood::draw::{self, Arrangement, Style, Theme};

use crate::answer::Refusal;
use crate::explorer::Renderer;
use crate::notation::entries;
use crate::page::{self, Picture};

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

/// Formats that need no more than this library: endings, and how the page calls them.
const FORMATS: [(&str, &str); 4] =
    [("svg", "SVG"), ("tex", "LaTeX"), ("conllu", "CoNLL-U"), ("html", "page")];

/// Endings and names of all formats.
pub fn formats(renderers: &[Renderer]) -> Vec<(&'static str, String)> {
    let drawn = renderers.iter().map(|renderer| (renderer.ending, renderer.ending.to_uppercase()));
    let mut formats: Vec<(&str, String)> =
        FORMATS.iter().map(|&(ending, name)| (ending, name.to_owned())).collect();
    formats.splice(1..1, drawn);
    formats
}

/// The type and the content of the file for a sentence of the text.
pub fn export(question: &Question, renderers: &[Renderer]) -> Result<(&'static str, Vec<u8>), Refusal> {
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
    let format = question.format.as_str();
    if let Some(renderer) = renderers.iter().find(|renderer| renderer.ending == format) {
        return Ok((renderer.kind, (renderer.render)(&drawn(true)).map_err(Refusal::new)?));
    }
    Ok(match format {
        "svg" => ("image/svg+xml", drawn(true).into_bytes()),
        "tex" => ("application/x-tex", draw::tikz(&tree, &words, true).into_bytes()),
        "conllu" => ("text/plain; charset=utf-8", entry.conllu()?.into_bytes()),
        "html" => {
            let from_right = arrangement != Arrangement::Vertical && draw::runs_from_right(&words);
            let picture = Picture { svg: drawn(false), from_right, ..Picture::default() };
            let page = page::of_pictures(&entry.name, Theme::Auto, &[picture]);
            ("text/html; charset=utf-8", page.into_bytes())
        }
        _ => {
            let endings: Vec<&str> = formats(renderers).into_iter().map(|(ending, _)| ending).collect();
            return Err(Refusal::new(format!("expected format {}", endings.join(", "))));
        }
    })
}
