//! What can be typed after `tanglewood draw` and `tanglewood serve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tanglewood::System;
use tanglewood::draw::Theme;
use tanglewood::system::Direction;

use super::{OutputArgument, one_direction, system};

/// Draw trees, derivations and systems
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood draw treebank.conllu --sentence weblog-0042 -o tree.svg
  tanglewood draw treebank.conllu --derivation all-s0s1 -o steps.svg
  tanglewood draw treebank.conllu -o treebank.html
  tanglewood draw --system-diagram mh4+ -o mh4.png
  tanglewood draw treebank.conllu --sentence 7 --layout wrap -o tree.pdf
  tanglewood draw treebank.conllu --sentence 7 -o tree.tex

What is written depends on the ending of the file: .svg, .png, .pdf, .tex
or .html. A page (.html) has all sentences, the others have one: the first
unless --sentence names another. Without -o, SVG goes to standard output.
PNG and PDF need fonts on this machine; LaTeX (.tex) needs the package
tikz-dependency where it is compiled.
Exit code 1 if --derivation cannot build a tree that is drawn.")]
pub struct DrawArguments {
    /// A CoNLL-U file (also .gz, .xz, .zst), or - for standard input
    #[arg(value_name = "FILE", required_unless_present = "system_diagram")]
    pub file: Option<PathBuf>,
    /// Only this sentence: its sent_id, or its index counted from 0, whichever fits first
    #[arg(long, value_name = "ID|INDEX")]
    pub sentence: Option<String>,
    /// Draw how this system builds the tree, step by step
    #[arg(long, value_name = "NAME", value_parser = system)]
    pub derivation: Option<System>,
    /// Reading direction of the derivation
    #[arg(long, value_name = "ltr|rtl", value_parser = one_direction, default_value = "ltr")]
    pub direction: Direction,
    /// Draw the inventory of this system instead of a sentence
    #[arg(long, value_name = "NAME", value_parser = system, conflicts_with_all = ["file", "sentence", "derivation"])]
    pub system_diagram: Option<System>,
    /// How words are arranged: on one line; on several, no wider than --width; on one, close together, with
    /// relations below the words; or one below the other
    #[arg(long, value_enum, default_value_t)]
    pub layout: LayoutArgument,
    /// How wide --layout wrap may be, in pixels of the screen
    #[arg(long, value_name = "N", default_value_t = 960)]
    pub width: u32,
    /// Colours; auto is light or dark as the reader prefers, and light in PNG and PDF
    #[arg(long, value_enum, default_value_t)]
    pub theme: ThemeArgument,
    /// Leave out tags
    #[arg(long)]
    pub no_tags: bool,
    #[command(flatten)]
    pub output: OutputArgument,
}

/// Explore trees, systems and scores in a browser
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tanglewood serve
  tanglewood serve en_ewt-ud-dev.conllu
  tanglewood serve --port 8000 --model english.model

Open the address it prints. Only this machine can reach it unless --host
says otherwise: there is no password, so think before you do that.
Ctrl-C stops it.")]
pub struct ServeArguments {
    /// CoNLL-U files (also .gz, .xz, .zst) or directories to look through; they are read once, and not
    /// written
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Port to listen on; 0 for any that is free
    #[arg(long, value_name = "P", default_value_t = 7878)]
    pub port: u16,
    /// Address or name to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// The model that parses what is typed without heads: a name that `tanglewood models` lists, or a file;
    /// without this option the one that is built in
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LayoutArgument {
    #[default]
    Line,
    Wrap,
    Compact,
    Vertical,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ThemeArgument {
    #[default]
    Auto,
    Light,
    Dark,
}

impl From<ThemeArgument> for Theme {
    fn from(argument: ThemeArgument) -> Theme {
        match argument {
            ThemeArgument::Auto => Theme::Auto,
            ThemeArgument::Light => Theme::Light,
            ThemeArgument::Dark => Theme::Dark,
        }
    }
}
