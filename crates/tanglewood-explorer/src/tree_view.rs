//! The view of a tree: drawn, with the systems that cover it, and a derivation step by step.

use serde::Deserialize;
use serde_json::{Value, json};
use tanglewood::classes::crossing_pairs;
use tanglewood::conllu::Sentences;
use tanglewood::deduction::Proof;
use tanglewood::draw::{self, Style, Theme, Word};
use tanglewood::{Configuration, Derivation, Direction, Oracle, System, Transition, Tree};

use crate::answer::{Answer, Refusal};
use crate::limits;
use crate::model::Model;
use crate::notation::{Edit, Entry, entries};
use crate::parsing::{Parser, TypedText};
use crate::systems::Systems;
use crate::{proof, stuck};

/// Pictures share the page's style sheet.
const STYLE: Style = Style { theme: Theme::Auto, tags: true, sheet: false };

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
pub struct Question {
    text: String,
    #[serde(default)]
    sentence: usize,
    system: String,
    direction: String,
    #[serde(default)]
    step: usize,
    #[serde(default)]
    edit: Option<Edit>,
    /// Have the model parse the sentence, if it is one without heads.
    #[serde(default)]
    parse: bool,
    /// The derivation that the deduction finds, with its items.
    #[serde(default)]
    deduction: bool,
    /// Only the step: everything else is known already.
    #[serde(default)]
    step_only: bool,
}

/// The answer to a question.
pub fn answer(systems: &Systems, model: &Model, mut question: Question) -> Answer {
    let mut changed = false;
    if question.parse && model.is_some() {
        (question.text, question.sentence) = parsed(&question, model.parser()?)?;
        changed = true;
    }
    if let Some(edit) = question.edit.take() {
        question.text = edited(&question, &edit)?;
        changed = true;
    }
    let sentences = entries(&question.text)?;
    // After a change of the text the chosen sentence may be gone.
    let index = question.sentence.min(sentences.len() - 1);
    let (tree, words) = sentences[index].tree().map_err(|refusal| refusal.with_model(model.is_some()))?;
    let run = Run::new(&question, &tree)?;
    let step = question.step.min(run.derivation.transitions().len());
    let mut answer = json!({
        "step": step,
        "configuration": run.configuration(&words, step),
    });
    if !question.step_only {
        answer["index"] = json!(index);
        answer["sentences"] = sentences.iter().map(|sentence| sentence.name.as_str()).collect();
        answer["heads"] = tree.heads().collect();
        answer["forms"] = words.iter().map(|word| word.form.as_str()).collect();
        answer["tags"] = words.iter().map(|word| word.tag.as_str()).collect();
        answer["relations"] = words.iter().map(|word| word.relation.as_str()).collect();
        answer["crossings"] = json!(crossing_pairs(&tree).count());
        answer["crossing_pairs"] =
            crossing_pairs(&tree).map(|(first, second)| json!([first, second])).collect();
        answer["tree"] = json!(draw::tree(&tree, &words, &STYLE));
        answer["from_right"] = json!(draw::runs_from_right(&words));
        answer["conllu"] = json!(sentences[index].conllu()?);
        answer["coverage"] = json!(systems.coverage(&tree));
        answer["run"] = run.describe(&words);
        // Another sentence that is wrong does not keep this one from being shown.
        let others = sentences.iter().enumerate().filter(|(at, _)| *at != index);
        let wrong = others.map(|(_, sentence)| sentence.tree()).find_map(Result::err);
        let wrong = wrong.map(|refusal| refusal.with_model(model.is_some()));
        answer["warning"] = wrong.map_or(Value::Null, |refusal| refusal.to_json()["error"].clone());
        answer["text"] = if changed { json!(question.text) } else { Value::Null };
    }
    Ok(answer)
}

/// The text with trees for all lines that have none, as CoNLL-U, and which of its sentences is shown: the
/// first of the line that was chosen.
fn parsed(question: &Question, parser: &Parser) -> Result<(String, usize), Refusal> {
    let entries = entries(&question.text)?;
    let chosen = entries.get(question.sentence).ok_or_else(|| Refusal::new("there is no such sentence"))?;
    if chosen.plain().is_none() {
        return Err(Refusal::new("this sentence has heads already; expected text without heads"));
    }
    let (mut text, mut sentences, mut shown) = (String::new(), 0, 0);
    let mut typed = TypedText::new();
    for (at, entry) in entries.iter().enumerate() {
        if at == question.sentence {
            shown = sentences;
        }
        let conllu = match entry.plain() {
            Some(plain) => parser.parse(&mut typed, plain, entry.line())?,
            None => entry.conllu()?,
        };
        sentences += Sentences::of(conllu.as_bytes()).filter(|sentence| !sentence.is_blank()).count();
        text += &conllu;
    }
    Ok((text, shown))
}

/// The text after a change of a word, if that gives a tree.
fn edited(question: &Question, edit: &Edit) -> Result<String, Refusal> {
    let sentences = entries(&question.text)?;
    let entry = sentences.get(question.sentence).ok_or_else(|| Refusal::new("there is no such sentence"))?;
    let (tree, _) = entry.tree()?;
    if !(1..=tree.len()).contains(&edit.word) {
        return Err(Refusal::new(format!("there is no word {}; expected 1 to {}", edit.word, tree.len())));
    }
    if let Some(head) = edit.head {
        let mut heads: Vec<usize> = tree.heads().collect();
        heads[edit.word - 1] = head;
        Tree::from_heads(&heads).map_err(|error| Refusal::new(error.to_string()))?;
    }
    if edit.tag.is_none() || entry.has_tags() {
        return entry.edited(&question.text, edit);
    }
    // Tags have no place in short: all sentences become CoNLL-U.
    let rewritten = sentences.iter().map(Entry::conllu).collect::<Result<String, _>>()?;
    let sentences = entries(&rewritten)?;
    let entry = sentences.get(question.sentence).ok_or_else(|| Refusal::new("there is no such sentence"))?;
    entry.edited(&rewritten, edit)
}

/// What the oracle of the chosen system does.
struct Run {
    system: System,
    direction: Direction,
    tree: Tree,
    /// The tree as it is read: mirrored from right to left.
    read: Tree,
    derivation: Derivation,
    stuck: Option<Configuration>,
    /// The items of the deduction, or why there are none, if they were asked for.
    items: Option<Result<Proof, String>>,
}

impl Run {
    fn new(question: &Question, tree: &Tree) -> Result<Run, Refusal> {
        let system = System::named(&question.system)?;
        let direction = match question.direction.parse() {
            Ok(Direction::Either) | Err(_) => return Err(Refusal::new("expected direction ltr or rtl")),
            Ok(direction) => direction,
        };
        let most = limits::oracle_words(&system);
        if tree.len() > most {
            let message = format!("{} words; for {system} expected at most {most}", tree.len());
            return Err(Refusal::of_system(message));
        }
        let read = direction.read(tree.clone());
        let (mut derivation, stuck) = match Oracle::new(&system).derivation(&read) {
            Ok(derivation) => (derivation, None),
            Err(error) => (Derivation::new(tree.len(), error.transitions), Some(error.stuck)),
        };
        let items = question.deduction.then(|| match stuck {
            None => proof::of_tree(&system, &read),
            Some(_) => Err(format!("{system} cannot deduce this tree.")),
        });
        if let Some(Ok(proof)) = &items {
            // Of a tree's derivations the deduction may find another one; its steps are those that its items
            // stand for.
            derivation = proof.derivation();
        }
        Ok(Run { system, direction, tree: tree.clone(), read, derivation, stuck, items })
    }

    /// The place in the sentence of a node of the run.
    fn number(&self, node: usize) -> usize {
        self.direction.place(self.tree.len(), node)
    }

    /// The configuration after some steps, and the step that comes next.
    fn at(&self, step: usize) -> (Configuration, Option<Transition>) {
        let mut configuration = Configuration::start(self.tree.len());
        for &transition in &self.derivation.transitions()[..step] {
            // Oracles only make legal steps; if one did not, the view would stay where it is.
            let _ = configuration.apply(transition);
        }
        (configuration, self.derivation.transitions().get(step).copied())
    }

    fn configuration(&self, words: &[Word], step: usize) -> String {
        let (configuration, next) = self.at(step);
        draw::configuration(&configuration, next, words, |node| self.number(node), &STYLE)
    }

    fn describe(&self, words: &[Word]) -> Value {
        let steps = self.derivation.steps().unwrap_or_default();
        let arc = |(head, dependent)| [self.number(head), self.number(dependent)];
        let reasons = self
            .stuck
            .as_ref()
            .map(|stuck| stuck::reasons(&self.system, &self.read, stuck, words, |node| self.number(node)));
        let items = self.items.as_ref().map(|items| match items {
            Ok(proof) => json!({ "items": proof::items(proof) }),
            Err(reason) => json!({ "items": [], "reason": reason }),
        });
        json!({
            "system": self.system.name(),
            "direction": self.direction.to_string(),
            "covered": self.stuck.is_none(),
            "transitions": steps.iter().map(|step| step.transition.to_string()).collect::<Vec<_>>(),
            "arcs": steps.iter().map(|step| step.arc.map(arc)).collect::<Vec<_>>(),
            "reasons": reasons,
            "deduction": items,
            "diagram": draw::inventory(&self.system, &STYLE),
        })
    }
}
