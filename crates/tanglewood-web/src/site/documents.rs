//! The documentation as pages: every Markdown file becomes a page beside it, and links between them lead on.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// Documents at the top of the repository that are pages, too.
const TOP: [&str; 4] = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];

/// Nothing but the style sheets and pictures of the site.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

const SHEET: &str = "body { max-width: 50rem; }
pre { overflow-x: auto; padding: 0.75rem; background: var(--panel); border: 1px solid var(--border); border-radius: 6px; font-size: 0.85rem; }
code { font-family: ui-monospace, \"DejaVu Sans Mono\", monospace; font-size: 0.9em; overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { border: 1px solid var(--border); padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
td code { overflow-wrap: normal; }
p, ul, ol { margin: 0.6rem 0; }
p a { overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; background: #fff; }
nav.site { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.9rem; }
";

/// Writes all pages, the pictures in them, and a list of the pages.
pub fn write(repository: &Path, site: &Path) -> io::Result<()> {
    let mut files: BTreeSet<PathBuf> =
        TOP.iter().map(PathBuf::from).filter(|path| repository.join(path).is_file()).collect();
    list(repository, Path::new("docs"), &mut files)?;
    let mut titles = Vec::new();
    for path in &files {
        let target = site.join(page_of(path));
        fs::create_dir_all(target.parent().unwrap_or(site))?;
        if path.extension().is_some_and(|ending| ending == "md") {
            let text = fs::read_to_string(repository.join(path))?;
            let (title, body) = converted(&text, path, &files);
            fs::write(&target, page(&title, &body, path))?;
            titles.push((page_of(path), title));
        } else {
            fs::copy(repository.join(path), target)?;
        }
    }
    fs::write(site.join("documents.css"), SHEET)?;
    let link = |(path, title): &(PathBuf, String)| {
        format!("<li><a href=\"../{}\">{}</a></li>\n", path.display(), escaped(title))
    };
    let body =
        format!("<h1>Documentation</h1>\n<ul>\n{}</ul>\n", titles.iter().map(link).collect::<String>());
    fs::write(site.join("docs/index.html"), page("Documentation", &body, Path::new("docs/index.md")))
}

/// All files of a folder, by their path in the repository.
fn list(repository: &Path, folder: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(repository.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(repository, &path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}

/// Where a file of the repository is on the site.
fn page_of(path: &Path) -> PathBuf {
    match path.extension().is_some_and(|ending| ending == "md") {
        true => path.with_extension("html"),
        false => path.to_owned(),
    }
}

/// Title and body of a document.
fn converted(text: &str, path: &Path, files: &BTreeSet<PathBuf>) -> (String, String) {
    let mut title = String::new();
    let mut events = Vec::new();
    // Links that lead to nothing on the site are left out, and what they say stays.
    let mut dropped = false;
    // Where the heading began that is being read, and what it says so far.
    let mut heading: Option<(usize, String)> = None;
    let mut seen: Vec<String> = Vec::new();
    let mut tables = 0;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                match target(&dest_url, path, files) {
                    Some(dest_url) => {
                        events.push(Event::Start(Tag::Link {
                            link_type,
                            dest_url: dest_url.into(),
                            title,
                            id,
                        }));
                    }
                    None => dropped = true,
                }
            }
            Event::End(TagEnd::Link) if dropped => dropped = false,
            Event::Start(Tag::Table(alignments)) => {
                // Regions are told apart by their names.
                tables += 1;
                let name = format!("Table {tables}");
                let region =
                    format!("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n");
                events.push(Event::Html(region.into()));
                events.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html(CowStr::Borrowed("</div>\n")));
            }
            Event::Start(Tag::Heading { .. }) => {
                heading = Some((events.len(), String::new()));
                events.push(event);
            }
            Event::End(TagEnd::Heading(level)) => {
                if let Some((at, said)) = heading.take() {
                    if title.is_empty() {
                        title.clone_from(&said);
                    }
                    let name = anchor(&said, &mut seen);
                    let (classes, attrs) = (Vec::new(), Vec::new());
                    events[at] = Event::Start(Tag::Heading { level, id: Some(name.into()), classes, attrs });
                }
                events.push(event);
            }
            Event::Text(ref text) | Event::Code(ref text) => {
                if let Some((_, said)) = &mut heading {
                    *said += text;
                }
                events.push(event);
            }
            other => events.push(other),
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    // What may be wider than the page can be scrolled by key, and a heading of nothing is none. In text, `<`
    // is written otherwise.
    (title, body.replace("<pre>", "<pre tabindex=\"0\">").replace("<th></th>", "<td></td>"))
}

/// Where a link leads on the site; nothing if what it names is not there.
fn target(link: &str, path: &Path, files: &BTreeSet<PathBuf>) -> Option<String> {
    if link.contains("://") || link.starts_with(['#']) || link.starts_with("mailto:") {
        return Some(link.to_owned());
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (link, String::new()),
    };
    let named = plain(&path.parent().unwrap_or(Path::new("")).join(file))?;
    files.contains(&named).then(|| format!("{}{anchor}", page_of(Path::new(file)).display()))
}

/// A path without `..`; nothing if it leads out of the repository.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir if !plain.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            other => plain.push(other),
        }
    }
    Some(plain)
}

/// The name that links use for a heading: in small letters, with hyphens, and a number if it is there
/// already.
fn anchor(heading: &str, seen: &mut Vec<String>) -> String {
    let letter = |character: char| match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        _ if character.is_alphanumeric() => Some(character.to_ascii_lowercase()),
        _ => None,
    };
    let name: String = heading.chars().filter_map(letter).collect();
    let before = seen.iter().filter(|other| **other == name).count();
    seen.push(name.clone());
    if before == 0 { name } else { format!("{name}-{before}") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page around a body.
fn page(title: &str, body: &str, path: &Path) -> String {
    let up = "../".repeat(path.components().count() - 1);
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">
<title>{title}</title>
<link rel=\"icon\" href=\"{up}icon.svg\">
<link rel=\"stylesheet\" href=\"{up}page.css\">
<link rel=\"stylesheet\" href=\"{up}documents.css\">
</head>
<body>
<nav class=\"site\" aria-label=\"Site\"><a href=\"{up}index.html\">Explorer</a> <a href=\"{up}docs/index.html\">Docs</a> <a href=\"{up}report.html\">Frontier</a></nav>
<main>
{body}</main>
</body>
</html>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_between_documents_lead_to_pages_and_others_are_left_out() {
        let files = ["README.md", "docs/a.md", "docs/b/c.md", "docs/p.svg"].map(PathBuf::from).into();
        let text =
            "# One\n[a](docs/a.md#x) [code](crates/x.rs) [web](https://example.org) ![p](docs/p.svg)\n";
        let (title, body) = converted(text, Path::new("README.md"), &files);
        assert_eq!(title, "One");
        assert!(body.contains("<h1 id=\"one\">") && body.contains("href=\"docs/a.html#x\""), "{body}");
        assert!(body.contains(" code ") && body.contains("https://example.org"), "{body}");
        let (_, body) = converted("[up](../a.md)", Path::new("docs/b/c.md"), &files);
        assert!(body.contains("href=\"../a.html\""), "{body}");
    }

    #[test]
    fn headings_of_the_same_name_have_different_anchors() {
        let mut seen = Vec::new();
        assert_eq!(anchor("What `any` is?", &mut seen), "what-any-is");
        assert_eq!(anchor("What any is", &mut seen), "what-any-is-1");
    }
}
