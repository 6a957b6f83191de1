//! The page's files.

use std::borrow::Cow;

use tanglewood::draw::{Theme, style_sheet};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Where the page looks for it; the page itself is at `/`.
    pub path: &'static str,
    /// The type of its content.
    pub kind: &'static str,
    /// What is in it.
    pub content: Cow<'static, str>,
}

impl Asset {
    fn fixed(path: &'static str, kind: &'static str, content: &'static str) -> Asset {
        Asset { path, kind, content: Cow::Borrowed(content) }
    }
}

/// All files of the page.
pub fn assets() -> Vec<Asset> {
    vec![
        Asset::fixed("/", HTML, include_str!("assets/index.html")),
        Asset::fixed("/icon.svg", SVG, include_str!("assets/icon.svg")),
        Asset::fixed("/page.css", CSS, include_str!("page.css")),
        Asset::fixed("/explorer.css", CSS, include_str!("assets/explorer.css")),
        Asset::fixed("/workbench.css", CSS, include_str!("assets/workbench.css")),
        Asset { path: "/pictures.css", kind: CSS, content: style_sheet(Theme::Auto).into() },
        Asset::fixed("/main.js", SCRIPT, include_str!("assets/main.js")),
        Asset::fixed("/state.js", SCRIPT, include_str!("assets/state.js")),
        Asset::fixed("/long-text.js", SCRIPT, include_str!("assets/long-text.js")),
        Asset::fixed("/share.js", SCRIPT, include_str!("assets/share.js")),
        Asset::fixed("/undo.js", SCRIPT, include_str!("assets/undo.js")),
        Asset::fixed("/server.js", SCRIPT, include_str!("assets/server.js")),
        Asset::fixed("/editor.js", SCRIPT, include_str!("assets/editor.js")),
        Asset::fixed("/field-message.js", SCRIPT, include_str!("assets/field-message.js")),
        Asset::fixed("/text-direction.js", SCRIPT, include_str!("assets/text-direction.js")),
        Asset::fixed("/picture.js", SCRIPT, include_str!("assets/picture.js")),
        Asset::fixed("/saving.js", SCRIPT, include_str!("assets/saving.js")),
        Asset::fixed("/scrolling.js", SCRIPT, include_str!("assets/scrolling.js")),
        Asset::fixed("/parts.js", SCRIPT, include_str!("assets/parts.js")),
        Asset::fixed("/treebank.js", SCRIPT, include_str!("assets/treebank.js")),
        Asset::fixed("/virtual-list.js", SCRIPT, include_str!("assets/virtual-list.js")),
        Asset::fixed("/statistics.js", SCRIPT, include_str!("assets/statistics.js")),
        Asset::fixed("/tree-view.js", SCRIPT, include_str!("assets/tree-view.js")),
        Asset::fixed("/comparison.js", SCRIPT, include_str!("assets/comparison.js")),
        Asset::fixed("/coverage.js", SCRIPT, include_str!("assets/coverage.js")),
        Asset::fixed("/dragging.js", SCRIPT, include_str!("assets/dragging.js")),
        Asset::fixed("/linking.js", SCRIPT, include_str!("assets/linking.js")),
        Asset::fixed("/progress.js", SCRIPT, include_str!("assets/progress.js")),
        Asset::fixed("/stepping.js", SCRIPT, include_str!("assets/stepping.js")),
        Asset::fixed("/deduction.js", SCRIPT, include_str!("assets/deduction.js")),
        Asset::fixed("/word-fields.js", SCRIPT, include_str!("assets/word-fields.js")),
        Asset::fixed("/parse-view.js", SCRIPT, include_str!("assets/parse-view.js")),
        Asset::fixed("/what-if.js", SCRIPT, include_str!("assets/what-if.js")),
        Asset::fixed("/score-view.js", SCRIPT, include_str!("assets/score-view.js")),
        Asset::fixed("/examples.js", SCRIPT, include_str!("assets/examples.js")),
    ]
}
