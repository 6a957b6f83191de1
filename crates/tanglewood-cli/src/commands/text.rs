//! `tanglewood text`

use tanglewood::conllu::Validator;
use tanglewood::text::TextRebuilder;

use crate::Outcome;
use crate::arguments::TextArguments;
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::output::Output;
use crate::parallel::blocks_of;
use crate::progress::Progress;

pub fn run(arguments: &TextArguments) -> Outcome {
    let sources = input::sources(&arguments.paths)?;
    let mut out = Output::to(arguments.output.file.as_deref(), sources.iter().map(Source::path))?;
    let progress = Progress::beside_output(&sources, &out);
    let mut validator = Validator::new();
    for source in &sources {
        let mut rebuilder = TextRebuilder::new(&mut out);
        for block in blocks_of(source, &progress) {
            for sentence in block?.sentences() {
                match validator.words(&sentence) {
                    Ok(_) => {}
                    Err(_) if sentence.is_gap() || sentence.is_blank() => {}
                    Err(problem) => return Err(Failure::Problem { file: source.name.clone(), problem }),
                }
                rebuilder.push(&sentence)?;
            }
        }
        rebuilder.finish()?;
    }
    progress.finish();
    out.finish()?;
    Ok(Verdict::Yes)
}
