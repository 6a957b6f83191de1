//! The explorer's page, which asks a worker.

use std::fs;
use std::io;
use std::path::Path;

use tanglewood_explorer::assets;

/// The server's policy and what WebAssembly needs. What says who may put the page into a frame cannot be said
/// within a page.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/// Where to go from the page, in the place of a comment.
const LINKS: &str =
    r#"<nav aria-label="Site"><a href="docs/index.html">Docs</a> <a href="report.html">Frontier</a></nav>"#;

/// Files that take the server's place.
const WORKER: [(&str, &str); 2] = [
    ("in-browser.js", include_str!("../../page/in-browser.js")),
    ("worker.js", include_str!("../../page/worker.js")),
];

/// Writes the page and its files.
pub fn write(site: &Path) -> io::Result<()> {
    fs::create_dir_all(site)?;
    for asset in assets() {
        match asset.path {
            "/" => fs::write(site.join("index.html"), page(&asset.content)?)?,
            path => fs::write(site.join(path.trim_start_matches('/')), asset.content.as_bytes())?,
        }
    }
    for (name, content) in WORKER {
        fs::write(site.join(name), content)?;
    }
    Ok(())
}

/// The page with what distinguishes it from the server's.
fn page(served: &str) -> io::Result<String> {
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>");
    let changes = [
        ("data-answers=\"server\"", "data-answers=\"worker\""),
        ("<title>", &policy),
        ("<!-- links -->", LINKS),
    ];
    changes.iter().try_fold(served.to_owned(), |page, (from, to)| match page.matches(from).count() {
        1 => Ok(page.replace(from, to)),
        count => Err(io::Error::other(format!("the page has `{from}` {count} times; expected once"))),
    })
}
