//! Writing SVG.

use std::fmt::{self, Display, Formatter, Write};

use super::style::{Style, style_sheet};

/// A text as XML: nothing in it is taken for markup, and what XML does not allow is replaced.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => {
                    f.write_char('\u{FFFD}')?
                }
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// A coordinate: no more digits than can be seen.
pub struct Place(pub f64);

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round();
        // Adding zero makes −0 a 0.
        write!(f, "{}", tenths / 10.0 + 0.0)
    }
}

/// A picture that is being written.
pub struct Svg {
    text: String,
}

impl Svg {
    /// The start of a picture: its size, and what it shows in words.
    pub fn new(width: f64, height: f64, title: &str, style: &Style) -> Svg {
        let (width, height) = (width.ceil(), height.ceil());
        let mut svg = Svg { text: String::new() };
        svg.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tw\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">"
        ));
        svg.add(format_args!("<title>{}</title>", Escaped(title)));
        if style.sheet {
            svg.add(format_args!("<style>\n{}</style>", style_sheet(style.theme)));
        }
        svg.add(format_args!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"));
        svg
    }

    /// One more line of markup.
    pub fn add(&mut self, markup: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{markup}");
    }

    /// A text with its class, around `x` unless the class says otherwise.
    pub fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.add(format_args!(
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            Place(x),
            Place(y),
            Escaped(text)
        ));
    }

    /// The whole picture.
    pub fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }
}
