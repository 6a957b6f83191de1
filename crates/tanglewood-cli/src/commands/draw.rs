//! `tanglewood draw`

use std::io::Write;
use std::path::Path;

use tanglewood::conllu::{Block, Blocks, Sentence, Validator};
use tanglewood::draw::{self, Arrangement, Style, Word};
use tanglewood::transition::DerivationError;
use tanglewood::{Derivation, Direction, Oracle, System, Tree};
use tanglewood_explorer::page::{self, Picture};

use super::step_pictures::{self, step_pictures};
use crate::Outcome;
use crate::arguments::{DrawArguments, LayoutArgument};
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::output::Output;
use crate::pdf;
use crate::png;
use crate::progress::{Progress, say};
use crate::text::counted;

/// Longer sentences are not drawn: nobody could read the picture.
pub const MAX_WORDS: usize = 2000;
/// How many sentences a page has at most.
const MAX_SENTENCES: usize = 500;

/// What kind of file to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
    Pdf,
    Tex,
    Html,
}

pub fn run(arguments: &DrawArguments) -> Outcome {
    let kind = kind(arguments.output.file.as_deref())?;
    check(arguments, kind)?;
    // PNG and PDF have no reader whose preference could be asked for.
    let style = Style { theme: arguments.theme.into(), tags: !arguments.no_tags, sheet: kind != Kind::Html };
    let mut verdict = Verdict::Yes;
    let pictures = match (&arguments.system_diagram, &arguments.file) {
        (Some(system), _) => {
            vec![Picture { svg: draw::inventory(system, &style), ..Picture::default() }]
        }
        (None, Some(file)) => sentences(arguments, file, kind, &style, &mut verdict)?,
        (None, None) => return Err(Failure::Other("expected a FILE or --system-diagram NAME".to_owned())),
    };
    let mut out = Output::to(arguments.output.file.as_deref(), arguments.file.as_deref())?;
    match (kind, pictures.first()) {
        (Kind::Html, _) => {
            let title =
                arguments.file.as_ref().map_or("Tanglewood".to_owned(), |file| file.display().to_string());
            out.write_all(page::of_pictures(&title, style.theme, &pictures).as_bytes())?;
        }
        (Kind::Svg | Kind::Tex, Some(picture)) => out.write_all(picture.svg.as_bytes())?,
        (Kind::Png, Some(picture)) => out.write_all(&png::render(&picture.svg)?)?,
        (Kind::Pdf, Some(picture)) => out.write_all(&pdf::render(&picture.svg)?)?,
        (_, None) => {}
    }
    out.finish()?;
    Ok(verdict)
}

/// By the ending of the file; SVG for standard output.
fn kind(file: Option<&Path>) -> Result<Kind, Failure> {
    let Some(file) = file.filter(|file| file.as_os_str() != "-") else { return Ok(Kind::Svg) };
    match file
        .extension()
        .map(|ending| ending.to_ascii_lowercase())
        .as_deref()
        .and_then(|ending| ending.to_str())
    {
        Some("svg") => Ok(Kind::Svg),
        Some("png") => Ok(Kind::Png),
        Some("pdf") => Ok(Kind::Pdf),
        Some("tex") => Ok(Kind::Tex),
        Some("html" | "htm") => Ok(Kind::Html),
        _ => {
            let message = format!(
                "cannot draw {}: expected a name that ends in .svg, .png, .pdf, .tex or .html",
                file.display()
            );
            Err(Failure::Other(message))
        }
    }
}

/// Nothing that was asked for is left out silently.
fn check(arguments: &DrawArguments, kind: Kind) -> Result<(), Failure> {
    let refuse = |message: &str| Err(Failure::Other(message.to_owned()));
    let is_tree = arguments.derivation.is_none() && arguments.system_diagram.is_none();
    if kind == Kind::Tex && !is_tree {
        return refuse("LaTeX has trees only; write SVG, PNG or PDF instead of .tex");
    }
    if arguments.layout != LayoutArgument::Line && kind == Kind::Tex {
        return refuse("LaTeX lays out trees by itself; leave out --layout, or write SVG, PNG or PDF");
    }
    if arguments.layout != LayoutArgument::Line && !is_tree {
        return refuse("only trees have a --layout; leave it out for derivations and systems");
    }
    Ok(())
}

/// A tree as asked for.
fn drawn(arguments: &DrawArguments, kind: Kind, tree: &Tree, words: &[Word], style: &Style) -> String {
    if kind == Kind::Tex {
        return draw::tikz(tree, words, style.tags);
    }
    let arrangement = match arguments.layout {
        LayoutArgument::Line => Arrangement::Line,
        LayoutArgument::Wrap => Arrangement::Wrap(f64::from(arguments.width)),
        LayoutArgument::Compact => Arrangement::Compact,
        LayoutArgument::Vertical => Arrangement::Vertical,
    };
    draw::arranged(tree, words, arrangement, style)
}

/// The pictures of the sentences asked for: the one that is named, the first, or, on a page, all.
fn sentences(
    arguments: &DrawArguments,
    file: &Path,
    kind: Kind,
    style: &Style,
    verdict: &mut Verdict,
) -> Result<Vec<Picture>, Failure> {
    let sources = input::sources(&[file.to_owned()])?;
    let [source] = &sources[..] else {
        return Err(Failure::Other(format!("{} is a directory; expected one file", file.display())));
    };
    let single = arguments.sentence.is_some() || kind != Kind::Html;
    let mut pictures = Vec::new();
    let (mut count, mut left_out, mut drawn_sentences) = (0u64, 0u64, 0usize);
    let mut validator = Validator::new();
    for_each_sentence(source, |index, sentence| {
        count = index + 1;
        let is_wanted =
            |wanted: &str| sentence.sent_id().as_deref() == Some(wanted) || wanted.parse() == Ok(index);
        if !arguments.sentence.as_deref().is_none_or(is_wanted) {
            return Ok(true);
        }
        if drawn_sentences == MAX_SENTENCES {
            left_out += 1;
            return Ok(true);
        }
        let tree = validator.tree(&sentence);
        let tree = tree.map_err(|problem| Failure::Problem { file: source.name.clone(), problem })?;
        if tree.len() > MAX_WORDS {
            return Err(Failure::Other(format!(
                "sentence {index} has {} words; expected at most {MAX_WORDS}, choose another with --sentence",
                tree.len()
            )));
        }
        let (drawn, covered) = picture(arguments, kind, index, &sentence, &tree, style)?;
        if !covered {
            *verdict = Verdict::No;
        }
        pictures.extend(drawn);
        drawn_sentences += 1;
        Ok(!single)
    })?;
    if left_out > 0 {
        say(format_args!(
            "a page has {MAX_SENTENCES} sentences at most; left out {}",
            counted(left_out, "sentence")
        ));
    }
    match &arguments.sentence {
        _ if !pictures.is_empty() => Ok(pictures),
        Some(wanted) if count > 0 => Err(Failure::Other(format!(
            "no sentence `{wanted}` in {}; expected a sent_id, or an index from 0 to {}",
            source.name,
            count - 1
        ))),
        _ => Err(Failure::Other(format!("there is no sentence in {}", source.name))),
    }
}

/// Sentences with their indices, until `visit` says that there have been enough.
fn for_each_sentence(
    source: &Source,
    mut visit: impl FnMut(u64, Sentence<'_>) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut blocks = Blocks::new(source.open(&Progress::hidden())?);
    let mut block = Block::default();
    let mut index = 0;
    while blocks.read_into(&mut block).map_err(|error| Failure::reading(&source.name, error))? {
        for sentence in block.sentences().filter(|sentence| !sentence.is_blank()) {
            if !visit(index, sentence)? {
                return Ok(());
            }
            index += 1;
        }
    }
    Ok(())
}

/// The picture of a sentence, or of its derivation, and whether there is one. A page of one sentence has a
/// picture for each step.
fn picture(
    arguments: &DrawArguments,
    kind: Kind,
    index: u64,
    sentence: &Sentence<'_>,
    tree: &Tree,
    style: &Style,
) -> Result<(Vec<Picture>, bool), Failure> {
    let words = Word::of(sentence);
    let id = sentence.sent_id().map_or(String::new(), |id| format!(" ({id})"));
    let mut notes: Vec<String> =
        ["text", "text_en"].iter().filter_map(|key| sentence.metadata(key)).map(Into::into).collect();
    let heading = format!("Sentence {index}{id}");
    let from_right = draw::runs_from_right(&words) && arguments.layout != LayoutArgument::Vertical;
    let Some(system) = &arguments.derivation else {
        let svg = drawn(arguments, kind, tree, &words, style);
        return Ok((vec![Picture { heading, notes, svg, from_right }], true));
    };
    let (derivation, covered) = run_of(system, arguments.direction, tree);
    if !covered {
        notes.push(format!("{system} cannot build this tree: it gets this far"));
        say(format_args!("{system} cannot build sentence {index}{id}; the drawing shows how far it gets"));
    }
    let failed = |error: DerivationError| Failure::Other(error.to_string());
    let on_a_page = !style.sheet;
    let mut pictures = Vec::new();
    if on_a_page {
        pictures.push(Picture { heading, notes, svg: draw::tree(tree, &words, style), from_right });
    }
    if on_a_page && arguments.sentence.is_some() && tree.len() <= step_pictures::MAX_WORDS {
        pictures
            .extend(step_pictures(&derivation, tree, &words, arguments.direction, style).map_err(failed)?);
    } else {
        let svg = draw::derivation(&derivation, &words, arguments.direction, style).map_err(failed)?;
        pictures.push(Picture { svg, ..Picture::default() });
    }
    Ok((pictures, covered))
}

/// How a system builds a tree, or how far it gets, and which of the two.
fn run_of(system: &System, direction: Direction, tree: &Tree) -> (Derivation, bool) {
    let mirrored = (direction == Direction::Rtl).then(|| tree.mirrored());
    match Oracle::new(system).derivation(mirrored.as_ref().unwrap_or(tree)) {
        Ok(derivation) => (derivation, true),
        Err(stuck) => (Derivation::new(tree.len(), stuck.transitions), false),
    }
}
