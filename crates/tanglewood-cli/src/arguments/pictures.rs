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

What is written depends on the ending of the file: .svg, .png or .html.
SVG and PNG have one sentence, the first unless --sentence names another;
a page has all of them. Without -o, SVG goes to standard output. PNG
needs fonts on this machine, the others do not.
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
    /// Colours; auto is light or dark as the reader prefers, and light in PNG
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
  tanglewood serve --port 8000 --model english.model

Open the address it prints. Only this machine can reach it unless --host
says otherwise: there is no password, so think before you do that.
Ctrl-C stops it.")]
pub struct ServeArguments {
    /// Port to listen on; 0 for any that is free
    #[arg(long, value_name = "P", default_value_t = 7878)]
    pub port: u16,
    /// Address or name to listen on
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// A model that parses sentences typed without heads
    #[arg(long, value_name = "MODEL")]
    pub model: Option<PathBuf>,
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
