//! The site's files, as they are written for a host that knows nothing of them.

#![allow(missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A site without the module, the model and the report.
fn site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_tanglewood-site"))
        .arg(repository())
        .arg(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    folder
}

/// All pages below a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|ending| ending == "html") {
            found.push(path);
        }
    }
    found
}

/// What stands in an attribute, each time.
fn attribute<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    text.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_page_has_a_policy_and_links_lead_somewhere() {
    let site = site();
    let pages = pages(site.path());
    assert!(pages.len() > 20, "{pages:?}");
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let policy =
            attribute(&text, "content").into_iter().find(|content| content.starts_with("default-src"));
        assert!(policy.is_some_and(|policy| policy.starts_with("default-src 'none';")), "{}", page.display());
        for link in attribute(&text, "href").into_iter().chain(attribute(&text, "src")) {
            let file = link.split('#').next().unwrap();
            let made_later = file.ends_with("report.html");
            if file.is_empty() || file.contains("://") || file.starts_with("mailto:") || made_later {
                continue;
            }
            let target = page.parent().unwrap().join(file);
            assert!(target.exists(), "{} links to {link}", page.display());
        }
    }
}

#[test]
fn anchors_within_the_documentation_exist() {
    let site = site();
    for page in pages(site.path()) {
        let text = fs::read_to_string(&page).unwrap();
        for link in attribute(&text, "href").into_iter().filter(|link| !link.contains("://")) {
            let Some((file, anchor)) = link.split_once('#') else { continue };
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let there = fs::read_to_string(&target).unwrap();
            assert!(attribute(&there, "id").contains(&anchor), "{} links to {link}", page.display());
        }
    }
}

#[test]
fn the_explorer_asks_a_worker_and_may_run_nothing_but_its_own_scripts() {
    let site = site();
    let page = fs::read_to_string(site.path().join("index.html")).unwrap();
    assert!(page.contains("data-answers=\"worker\"") && page.contains("docs/index.html"));
    let policy = attribute(&page, "content").into_iter().find(|content| content.starts_with("default-src"));
    assert_eq!(
        policy,
        Some(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
        )
    );
    for name in ["worker.js", "in-browser.js", "server.js", "main.js", "pictures.css"] {
        assert!(site.path().join(name).is_file(), "{name}");
    }
}
