//! Pages that need nothing but themselves.

use std::fmt::Write;

use tanglewood::draw::{Escaped, Theme, style_sheet};

/// A picture on a page.
#[derive(Default)]
pub struct Picture {
    /// What stands above it; nothing if empty.
    pub heading: String,
    /// Lines below the heading.
    pub notes: Vec<String>,
    /// The picture, without a style sheet of its own; none if empty.
    pub svg: String,
    /// Whether it begins on the right, and so is seen from there.
    pub from_right: bool,
}

/// How all pages look.
const SHEET: &str = include_str!("page.css");

/// A page of pictures, one below the other.
pub fn of_pictures(title: &str, theme: Theme, pictures: &[Picture]) -> String {
    let mut body = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(body, "<h1>{}</h1>", Escaped(title));
    for picture in pictures {
        body += &figure(picture);
    }
    page(title, theme, &body)
}

/// A picture with its heading and notes.
pub fn figure(picture: &Picture) -> String {
    let mut text = String::from("<figure>\n");
    if !picture.heading.is_empty() {
        let _ = writeln!(text, "<figcaption>{}</figcaption>", Escaped(&picture.heading));
    }
    for note in &picture.notes {
        let _ = writeln!(text, "<p dir=\"auto\">{}</p>", Escaped(note));
    }
    if !picture.svg.is_empty() {
        let direction = if picture.from_right { " dir=\"rtl\"" } else { "" };
        let _ = writeln!(text, "<div class=\"picture\" tabindex=\"0\"{direction}>{}</div>", picture.svg);
    }
    text + "</figure>\n"
}

/// A page with the given body.
pub fn page(title: &str, theme: Theme, body: &str) -> String {
    let scheme = match theme {
        Theme::Auto => "light dark",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let title = Escaped(title);
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"{scheme}\">
<title>{title}</title>
<style>
:root {{ color-scheme: {scheme}; }}
{SHEET}{}</style>
</head>
<body>
<main>
{body}</main>
</body>
</html>
",
        style_sheet(theme)
    )
}
