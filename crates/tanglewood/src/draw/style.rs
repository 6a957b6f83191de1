//! Colours and fonts.

use std::fmt::Write;

/// Light, dark, or whichever the reader prefers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Both, chosen by the reader's `prefers-color-scheme`. Programs that do not know of it show the light
    /// one.
    #[default]
    Auto,
    /// Dark on white.
    Light,
    /// Light on nearly black.
    Dark,
}

/// How a picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Which colours.
    pub theme: Theme,
    /// Whether tags stand below the words.
    pub tags: bool,
    /// Whether the picture brings its own style sheet. Pages with many pictures have [`style_sheet`] once
    /// instead.
    pub sheet: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { theme: Theme::Auto, tags: true, sheet: true }
    }
}

/// The colours of a theme. Written out wherever they are used: not every program that shows SVG knows
/// variables.
struct Palette {
    background: &'static str,
    text: &'static str,
    faint: &'static str,
    line: &'static str,
    crossing: &'static str,
    accent: &'static str,
    fill: &'static str,
}

const LIGHT: Palette = Palette {
    background: "#ffffff",
    text: "#1f2328",
    faint: "#59636e",
    line: "#6e7781",
    crossing: "#c2410c",
    accent: "#0b62c4",
    fill: "#eef2f6",
};

const DARK: Palette = Palette {
    background: "#0d1117",
    text: "#e6edf3",
    faint: "#9da7b3",
    line: "#8b949e",
    crossing: "#ff9a5c",
    accent: "#6cb6ff",
    fill: "#1c2530",
};

/// What does not depend on the theme.
const SHAPES: &str = "\
.tw text { font-family: system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif; text-anchor: middle; }
.tw .form { font-size: 18px; }
.tw .tag { font-size: 11px; }
.tw .node { font-size: 14px; }
.tw .small { font-size: 12px; }
.tw .start { text-anchor: start; }
.tw .end { text-anchor: end; }
.tw .line { fill: none; stroke-width: 1.6; }
.tw .crossing .line, .tw .current .line { stroke-width: 2; }
.tw .relation { font-size: 12px; paint-order: stroke; stroke-width: 3; stroke-linejoin: round; }
.tw .removed { opacity: 0.45; }
.tw .grid { fill: none; stroke-width: 1; }
.tw .curve { fill: none; stroke-width: 2; }
";

/// The rules that all pictures share. Everything is below the class `tw`, which every picture has.
pub fn style_sheet(theme: Theme) -> String {
    let mut sheet = SHAPES.to_owned();
    match theme {
        Theme::Light => colours(&LIGHT, &mut sheet),
        Theme::Dark => colours(&DARK, &mut sheet),
        Theme::Auto => {
            colours(&LIGHT, &mut sheet);
            sheet += "@media (prefers-color-scheme: dark) {\n";
            colours(&DARK, &mut sheet);
            sheet += "}\n";
        }
    }
    sheet
}

fn colours(palette: &Palette, sheet: &mut String) {
    let Palette { background, text, faint, line, crossing, accent, fill } = palette;
    // Writing to a string cannot fail.
    let _ = write!(
        sheet,
        "\
.tw .paper {{ fill: {background}; }}
.tw text {{ fill: {text}; }}
.tw .tag, .tw .relation, .tw .small {{ fill: {faint}; }}
.tw .relation {{ stroke: {background}; }}
.tw .line, .tw .grid {{ stroke: {line}; }}
.tw .tip {{ fill: {line}; }}
.tw .crossing .line {{ stroke: {crossing}; }}
.tw .crossing .tip, .tw .crossing .relation {{ fill: {crossing}; }}
.tw .current .line, .tw .curve {{ stroke: {accent}; }}
.tw .current .tip, .tw .current .relation, .tw .stacked .form, .tw .dot {{ fill: {accent}; }}
.tw .box {{ fill: {fill}; stroke: {line}; stroke-width: 1; }}
.tw .current .box {{ stroke: {accent}; stroke-width: 2; }}
.tw .ring {{ fill: {background}; stroke: {accent}; stroke-width: 1.5; }}
.tw .best {{ stroke: {crossing}; }}
"
    );
}
