//! The view of a model: its best trees with their probabilities, what it would say if some arcs were required
//! or forbidden, and how that differs from the tree that is given.

use serde::Deserialize;
use serde_json::{Value, json};
use tanglewood::conllu::{Sentence, Sentences, Validator};
use tanglewood::draw::{self, Style, Theme, Word};
use tanglewood::inference::{Distribution, Inference, InferenceError, Over};
use tanglewood::scores::ArcScores;
use tanglewood::system::TreeClass;
use tanglewood::{Direction, Marginals, Tree};

use crate::answer::{Answer, Refusal};
use crate::limits;
use crate::model::Model;
use crate::notation::entries;
use crate::parsing::{Parser, ScoredSentence, TypedText};

const STYLE: Style = Style { theme: Theme::Auto, tags: true, sheet: false };
/// Heads that are listed for each word.
const HEADS: usize = 4;

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
pub struct Question {
    /// Sentences with heads or without, in any notation.
    text: String,
    #[serde(default)]
    sentence: usize,
    system: String,
    direction: String,
    #[serde(default)]
    k: usize,
    /// Arcs that must not be in the tree: head and dependent.
    #[serde(default)]
    forbid: Vec<[usize; 2]>,
    /// Arcs that have to be.
    #[serde(default)]
    require: Vec<[usize; 2]>,
}

/// A sentence to be parsed.
struct Given {
    conllu: Vec<u8>,
    /// Whether it has heads.
    is_gold: bool,
}

/// The answer to a question.
pub fn answer(model: &Model, question: &Question) -> Answer {
    let parser = model.parser()?;
    let class = TreeClass::named(&question.system)?;
    let direction: Direction =
        question.direction.parse().map_err(|_| Refusal::new("expected direction ltr, rtl or either"))?;
    let sentences = sentences(parser, &question.text)?;
    let index = question.sentence.min(sentences.len().saturating_sub(1));
    let given = sentences.get(index).ok_or_else(|| Refusal::new("there is no sentence yet; type one"))?;
    let sentence = Sentences::of(&given.conllu).next().ok_or_else(|| Refusal::new("an empty sentence"))?;
    let words = Word::of(&sentence);
    let most = limits::chart_words(&class).min(limits::PARSED_WORDS);
    if words.len() > most {
        let message = format!("{} words; for {class} expected at most {most}", words.len());
        return Err(Refusal::of_system(message));
    }
    let scored = parser.scored(&sentence)?;
    let scores = constrained(scored.arcs(), question)?;
    let inference = Inference::new(class.clone()).direction(direction).memory(limits::CHART_BYTES);
    let trees = inference.k_best(&scores, question.k.clamp(1, limits::BEST)).map_err(no_tree)?;
    // Where a tree may have several derivations, sums over these would say little about trees.
    let all_trees = Inference::new(TreeClass::Any);
    let (sums, over) = match inference.sums_over() {
        Over::Trees if class != TreeClass::Any => (&inference, format!("the trees of {class}")),
        _ => (&all_trees, "all trees".to_owned()),
    };
    let distribution = sums.distribution(&scores).map_err(no_tree)?;
    let marginals = distribution.marginals().map_err(no_tree)?;
    let view =
        View { words: tagged(words, &scored), scored: &scored, distribution: &distribution, marginals };
    let trees: Vec<Labelled> = trees.into_iter().map(|parse| view.labelled(parse.tree)).collect();
    let best = trees.first().ok_or_else(|| no_tree(InferenceError::NoTree))?;
    let mut conllu = Vec::new();
    scored.write(&mut conllu, &sentence, &best.tree)?;
    Ok(json!({
        "sentences": sentences.len(),
        "index": index,
        "forms": view.words.iter().map(|word| word.form.as_str()).collect::<Vec<_>>(),
        "from_right": draw::runs_from_right(&view.words),
        "trees": trees.iter().map(|tree| view.describe(tree, best)).collect::<Vec<_>>(),
        "heads": (1..=view.words.len()).map(|word| view.likely_heads(word)).collect::<Vec<_>>(),
        "gold": if given.is_gold { view.gold(&sentence, best)? } else { Value::Null },
        "matrix": matrix_text(&scores),
        "conllu": String::from_utf8_lossy(&conllu),
        "over": over,
        "arcs_alone": scored.scores_transitions(),
    }))
}

/// The sentences of a text: lines without heads are cut into words, and may be several sentences.
fn sentences(parser: &Parser, text: &str) -> Result<Vec<Given>, Refusal> {
    let mut given = Vec::new();
    let mut typed = TypedText::new();
    for entry in entries(text)? {
        let (conllu, is_gold) = match entry.plain() {
            Some(plain) => (parser.bare(&mut typed, plain, entry.line())?, false),
            None => {
                entry.tree()?;
                (entry.conllu()?.into_bytes(), true)
            }
        };
        let parts = Sentences::of(&conllu).filter(|sentence| !sentence.is_blank() && !sentence.is_gap());
        given.extend(parts.map(|sentence| Given { conllu: sentence.bytes().to_vec(), is_gold }));
    }
    Ok(given)
}

/// The scores with what is required and forbidden.
fn constrained(mut scores: ArcScores, question: &Question) -> Result<ArcScores, Refusal> {
    let refuse = |error: &dyn ToString| Refusal::new(error.to_string());
    for &[head, dependent] in &question.require {
        // Says whether there is such an arc; its score stays.
        let score = if head.max(dependent) <= scores.len() { scores.get(head, dependent) } else { 0.0 };
        scores.set(head, dependent, score).map_err(|error| refuse(&error))?;
        scores.require(head, dependent);
    }
    for &[head, dependent] in &question.forbid {
        scores.set(head, dependent, f64::NEG_INFINITY).map_err(|error| refuse(&error))?;
    }
    Ok(scores)
}

fn no_tree(error: InferenceError) -> Refusal {
    match error {
        InferenceError::NoTree => Refusal::new(
            "no tree has all arcs that are required and none that are forbidden; take one of these back",
        ),
        other => Refusal::new(other.to_string()),
    }
}

/// The words with the model's tags where they have none.
fn tagged(words: Vec<Word>, scored: &ScoredSentence<'_>) -> Vec<Word> {
    let tags = scored.tags().into_iter().map(|tags| tags.upos.unwrap_or_default());
    let with_tag = |(word, tag): (Word, String)| match word.tag.is_empty() {
        true => Word { tag, ..word },
        false => word,
    };
    words.into_iter().zip(tags).map(with_tag).collect()
}

/// A tree with relations.
struct Labelled {
    tree: Tree,
    relations: Vec<String>,
}

/// What all trees of a sentence share.
struct View<'a> {
    words: Vec<Word>,
    scored: &'a ScoredSentence<'a>,
    distribution: &'a Distribution<'a>,
    marginals: &'a Marginals,
}

impl View<'_> {
    fn labelled(&self, tree: Tree) -> Labelled {
        Labelled { relations: self.scored.relations(&tree), tree }
    }

    /// A tree, drawn with the probabilities of its arcs, and what distinguishes it from another.
    fn describe(&self, tree: &Labelled, other: &Labelled) -> Value {
        let arcs: Vec<f64> = tree.tree.arcs().map(|(head, word)| self.marginals.get(head, word)).collect();
        let drawn = |((word, relation), arc): ((&Word, &String), &f64)| {
            Word::new(&word.form, &word.tag, &format!("{relation} {arc:.2}"))
        };
        let words: Vec<Word> = self.words.iter().zip(&tree.relations).zip(&arcs).map(drawn).collect();
        json!({
            "heads": tree.tree.heads().collect::<Vec<_>>(),
            "relations": tree.relations,
            "probability": self.probability(&tree.tree),
            "arcs": arcs,
            "svg": draw::tree(&tree.tree, &words, &STYLE),
            "differences": differences(tree, other),
        })
    }

    /// Of a tree among all; none for one that is not among them.
    fn probability(&self, tree: &Tree) -> Option<f64> {
        self.distribution.log_probability(tree).ok().map(f64::exp)
    }

    /// The most probable heads of a word.
    fn likely_heads(&self, word: usize) -> Vec<(usize, f64)> {
        let others = (0..=self.words.len()).filter(|&head| head != word);
        let mut heads: Vec<(usize, f64)> =
            others.map(|head| (head, self.marginals.get(head, word))).collect();
        heads.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        heads.truncate(HEADS);
        heads
    }

    /// The tree that was given, and what is different in the model's best one.
    fn gold(&self, sentence: &Sentence<'_>, best: &Labelled) -> Answer {
        let words = Word::of(sentence);
        let relations = words.iter().map(|word| word.relation.clone()).collect();
        let gold = Labelled { tree: Validator::new().tree(sentence)?, relations };
        let right = |(at, head): (usize, usize)| best.tree.head(at + 1) == head;
        let heads = gold.tree.heads().enumerate().filter(|&arc| right(arc)).count();
        Ok(json!({
            "svg": draw::tree(&gold.tree, &words, &STYLE),
            "probability": self.probability(&gold.tree),
            "same_heads": heads,
            "differences": differences(best, &gold),
        }))
    }
}

/// Words whose head or relation is not the same: the number of the word, head and relation there and here.
fn differences(here: &Labelled, there: &Labelled) -> Vec<Value> {
    let arcs = |labelled: &Labelled| -> Vec<(usize, String)> {
        labelled.tree.heads().zip(labelled.relations.iter().cloned()).collect()
    };
    let pairs = arcs(there).into_iter().zip(arcs(here)).enumerate();
    pairs
        .filter(|(_, (there, here))| there != here)
        .map(|(at, (there, here))| json!({ "word": at + 1, "from": there, "to": here }))
        .collect()
}

/// The scores as the view of scores takes them.
fn matrix_text(scores: &ArcScores) -> String {
    let words = scores.len();
    let cell = |head: usize, dependent: usize| match scores.get(head, dependent) {
        _ if dependent == 0 || head == dependent => "0".to_owned(),
        score if score == f64::NEG_INFINITY => "-".to_owned(),
        score => format!("{score:.3}"),
    };
    let row = |head: usize| (0..=words).map(|dependent| cell(head, dependent)).collect::<Vec<_>>().join(" ");
    (0..=words).map(row).collect::<Vec<_>>().join("\n")
}
