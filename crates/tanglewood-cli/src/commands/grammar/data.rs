//! Reading sentences to learn from.

use std::path::PathBuf;

use tanglewood::conllu::{Column, Id, Validator};
use tanglewood::grammar::Observed;

use crate::arguments::FitArguments;
use crate::failure::Failure;
use crate::input;
use crate::parallel::blocks_of;
use crate::progress::{Progress, say};
use crate::text::counted;

/// The sentences of some files, those that are not too long.
pub fn read(paths: &[PathBuf], with_trees: bool, arguments: &FitArguments) -> Result<Vec<Observed>, Failure> {
    let sources = input::sources(paths)?;
    let progress = Progress::over(&sources);
    let mut validator = Validator::new();
    let (mut sentences, mut skipped, mut longer) = (Vec::new(), 0, 0);
    for source in &sources {
        for block in blocks_of(source, &progress) {
            let block = block?;
            for sentence in block.sentences().filter(|sentence| !sentence.is_blank() && !sentence.is_gap()) {
                let tree = match with_trees {
                    true => validator.tree(&sentence).map(Some),
                    false => validator.words(&sentence).map(|_| None),
                };
                let tree = match tree {
                    Ok(tree) => tree,
                    Err(problem) if arguments.invalid.skip_invalid => {
                        progress.say(format_args!("skipped: {}:{problem}", source.name));
                        skipped += 1;
                        continue;
                    }
                    Err(problem) => return Err(Failure::Problem { file: source.name.clone(), problem }),
                };
                let words = arguments.on.values(&sentence);
                if words.len() > arguments.max_length {
                    longer += 1;
                    continue;
                }
                let rows = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
                let labels = rows.map(|row| String::from_utf8_lossy(row.get(Column::Deprel)).into_owned());
                sentences.push(Observed { words, tree: tree.map(|tree| (tree, labels.collect())) });
            }
        }
    }
    progress.finish();
    if skipped > 0 {
        say(format_args!("skipped {}", counted(skipped, "invalid sentence")));
    }
    if longer > 0 {
        let limit = arguments.max_length;
        say(format_args!("left out: {} of more than {limit} words", counted(longer, "sentence")));
    }
    Ok(sentences)
}
