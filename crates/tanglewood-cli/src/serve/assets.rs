//! The page's files, inside the program.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use tanglewood::draw::{Theme, style_sheet};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file.
#[derive(Clone)]
pub struct Asset {
    pub path: &'static str,
    kind: &'static str,
    content: Cow<'static, str>,
}

impl Asset {
    fn fixed(path: &'static str, kind: &'static str, content: &'static str) -> Asset {
        Asset { path, kind, content: Cow::Borrowed(content) }
    }

    pub fn response(&self) -> Response {
        let mut response = Response::new(Body::from(self.content.clone().into_owned()));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        response
    }
}

/// All of them.
pub fn all() -> Vec<Asset> {
    vec![
        Asset::fixed("/", HTML, include_str!("assets/index.html")),
        Asset::fixed("/icon.svg", SVG, include_str!("assets/icon.svg")),
        Asset::fixed("/page.css", CSS, include_str!("../page.css")),
        Asset::fixed("/explorer.css", CSS, include_str!("assets/explorer.css")),
        Asset::fixed("/workbench.css", CSS, include_str!("assets/workbench.css")),
        Asset { path: "/pictures.css", kind: CSS, content: Cow::Owned(style_sheet(Theme::Auto)) },
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
        Asset::fixed("/score-view.js", SCRIPT, include_str!("assets/score-view.js")),
        Asset::fixed("/examples.js", SCRIPT, include_str!("assets/examples.js")),
    ]
}
