//! What is learned: as asked for, or all that the treebank has.

use tanglewood_nn::Step;

use super::data::Summary;
use crate::arguments::TrainArguments;
use crate::failure::Failure;

/// The steps to learn, in their order.
pub fn of(arguments: &TrainArguments, treebank: &Summary) -> Result<Vec<Step>, Failure> {
    let asked = &arguments.steps;
    if asked.is_empty() {
        let has = |step: &Step| match step {
            Step::Segment => treebank.has_text,
            // Columns that the treebank lacks are not learned, which is not known before it has been read.
            Step::Tag => !arguments.no_tags,
            Step::Lemma | Step::Parse => true,
        };
        return Ok(Step::ALL.into_iter().filter(has).collect());
    }
    if asked.contains(&Step::Segment) && !treebank.has_text {
        let message = "the training data has neither `# text` nor SpaceAfter, so that nothing is known of its text; \
                       leave out the step segment";
        return Err(Failure::Other(message.to_owned()));
    }
    if asked.contains(&Step::Tag) && arguments.no_tags {
        return Err(Failure::Other("--no-tags goes against the step tag; leave out one of them".to_owned()));
    }
    let with_tree = asked.contains(&Step::Parse);
    if let Some(step) = asked.iter().find(|step| matches!(step, Step::Tag | Step::Lemma) && !with_tree) {
        return Err(Failure::Other(format!(
            "the step {step} is learned together with parse; name both, and leave out parse when you use the model"
        )));
    }
    Ok(Step::ALL.into_iter().filter(|step| asked.contains(step)).collect())
}
