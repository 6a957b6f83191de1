//! Which steps are taken: as asked for, or as usual for the input; and whether the model can take them.

use tanglewood_nn::{Step, WordTags};

use crate::failure::Failure;

/// Steps after segmentation, which every text needs and CoNLL-U never does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    pub tag: bool,
    pub lemma: bool,
    pub parse: bool,
}

/// The steps for CoNLL-U and for all other input.
#[derive(Clone, Copy, Debug)]
pub struct StepsByInput {
    pub conllu: Steps,
    pub text: Steps,
}

impl StepsByInput {
    /// The steps that were asked for; if none were, all that the model `can` take, of CoNLL-U only the tree.
    pub fn new(asked: &[Step], can: &[Step]) -> Result<StepsByInput, Failure> {
        if let Some(missing) = asked.iter().find(|step| !can.contains(step)) {
            let can: Vec<&str> = can.iter().map(|step| step.name()).collect();
            return Err(Failure::Other(format!(
                "the model has not learned the step {missing}; it can do {}",
                can.join(", ")
            )));
        }
        if asked.is_empty() {
            let parse: &[Step] = if can.contains(&Step::Parse) { &[Step::Parse] } else { &[] };
            return Ok(StepsByInput { conllu: Steps::of(parse), text: Steps::of(can) });
        }
        Ok(StepsByInput { conllu: Steps::of(asked), text: Steps::of(asked) })
    }
}

impl Steps {
    fn of(steps: &[Step]) -> Steps {
        let has = |step| steps.contains(&step);
        Steps { tag: has(Step::Tag), lemma: has(Step::Lemma), parse: has(Step::Parse) }
    }

    /// True if and only if the network has to look at the words.
    pub fn any(self) -> bool {
        self.tag || self.lemma || self.parse
    }

    /// True if and only if columns besides HEAD and DEPREL are wanted.
    pub fn tags(self) -> bool {
        self.tag || self.lemma
    }

    /// Of what is said of a word, what was asked for.
    pub fn wanted(self, tags: WordTags) -> WordTags {
        WordTags {
            upos: tags.upos.filter(|_| self.tag),
            xpos: tags.xpos.filter(|_| self.tag),
            feats: tags.feats.filter(|_| self.tag),
            lemma: tags.lemma.filter(|_| self.lemma),
        }
    }
}
