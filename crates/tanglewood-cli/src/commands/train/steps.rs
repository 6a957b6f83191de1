//! What is learned: as asked for, or all that the treebank has.

use tanglewood_nn::Step;

use super::data::Summary;
use crate::failure::Failure;

/// The steps to learn, in their order.
pub fn of(asked: &[Step], treebank: &Summary) -> Result<Vec<Step>, Failure> {
    if asked.is_empty() {
        let has = |step: &Step| match step {
            Step::Segment => treebank.has_text,
            // What the columns of the treebank are like decides about these.
            Step::Tag | Step::Lemma => true,
            Step::Parse => true,
        };
        return Ok(Step::ALL.into_iter().filter(has).collect());
    }
    if asked.contains(&Step::Segment) && !treebank.has_text {
        let message = "the training data has neither `# text` nor SpaceAfter, so that nothing is known of its text; \
                       leave out the step segment";
        return Err(Failure::Other(message.to_owned()));
    }
    let with_tree = asked.contains(&Step::Parse);
    if let Some(step) = asked.iter().find(|step| matches!(step, Step::Tag | Step::Lemma) && !with_tree) {
        return Err(Failure::Other(format!(
            "the step {step} is learned together with parse; name both, and leave out parse when you use the model"
        )));
    }
    Ok(Step::ALL.into_iter().filter(|step| asked.contains(step)).collect())
}
