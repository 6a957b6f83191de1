//! A tree with its labels, ready to be written.

use tanglewood::Tree;
use tanglewood_nn::LabelScores;
use tanglewood_nn::Names;

use super::given::Given;

/// The relation for arcs between the pieces of a sentence that had to be cut: the one that Universal
/// Dependencies has for want of a better one.
const BETWEEN_PIECES: &str = "dep";

/// One tree of a sentence.
pub struct Answer {
    /// The tree.
    pub tree: Tree,
    /// The sum of its arcs' scores.
    pub score: f64,
    /// The relation of each word.
    pub labels: Vec<String>,
    /// What the model thinks of it, if that was asked for.
    pub confidence: Option<Confidence>,
}

/// Probabilities of a tree and its parts.
pub struct Confidence {
    /// Of each word's head.
    pub arcs: Vec<Option<f64>>,
    /// Of each word's label, given its head; none for a label that the model does not know.
    pub labels: Vec<Option<f64>>,
    /// The logarithm of the tree's.
    pub log_tree: Option<f64>,
    /// What they are over.
    pub over: String,
}

/// Which labels go where.
pub struct Labels<'a> {
    names: &'a Names,
    /// For each label whether it is `root` or a subtype of it. All are free to go anywhere if there is
    /// nothing else, or no such label.
    is_root: Option<Vec<bool>>,
}

impl<'a> Labels<'a> {
    pub fn new(names: &'a Names) -> Labels<'a> {
        let is_root: Vec<bool> =
            names.iter().map(|name| name == "root" || name.starts_with("root:")).collect();
        let mixed = is_root.contains(&true) && is_root.contains(&false);
        Labels { names, is_root: mixed.then_some(is_root) }
    }

    /// The labels of a tree: those that are given, the best ones otherwise. The root's is `root`, and no
    /// other's is.
    pub fn choose(&self, tree: &Tree, given: &Given, scores: &LabelScores, sentence: usize) -> Vec<String> {
        let choice = |(head, word): (usize, usize)| match given.label(word) {
            Some(label) => label.to_owned(),
            None => self.best(scores.of(sentence, word), head == 0).to_owned(),
        };
        tree.arcs().map(choice).collect()
    }

    fn best(&self, scores: &[f32], at_root: bool) -> &str {
        let allowed = |label: usize| self.is_root.as_ref().is_none_or(|is_root| is_root[label] == at_root);
        let candidates = scores.iter().enumerate().filter(|&(label, _)| allowed(label));
        let best = candidates.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        best.map_or("_", |(label, _)| self.names.name(label as u32))
    }

    /// The probabilities of labels, given the heads.
    pub fn probabilities(
        &self,
        labels: &[String],
        scores: &LabelScores,
        sentence: usize,
    ) -> Vec<Option<f64>> {
        let probability = |(at, label): (usize, &String)| {
            let number = self.names.number(label)? as usize;
            let scores = scores.of(sentence, at + 1);
            let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weight = |score: f32| f64::from(score - largest).exp();
            let whole: f64 = scores.iter().map(|&score| weight(score)).sum();
            Some(weight(scores[number]) / whole).filter(|share| share.is_finite())
        };
        labels.iter().enumerate().map(probability).collect()
    }
}

/// One tree out of those of a sentence's pieces: the root of each piece but the first hangs from the root of
/// the one before.
pub fn join(pieces: Vec<Answer>) -> Option<Answer> {
    let (mut heads, mut labels) = (Vec::new(), Vec::new());
    let (mut arcs, mut of_labels, mut over) = (Vec::new(), Vec::new(), None);
    let mut score = 0.0;
    let mut root_before = 0;
    for piece in pieces {
        let offset = heads.len();
        let root = piece.tree.roots().next()?;
        heads.extend(piece.tree.heads().map(|head| if head == 0 { root_before } else { head + offset }));
        labels.extend(piece.labels);
        score += piece.score;
        if let Some(confidence) = piece.confidence {
            arcs.extend(confidence.arcs);
            of_labels.extend(confidence.labels);
            over = Some(confidence.over);
        }
        if offset > 0 {
            let at = offset + root - 1;
            labels[at] = BETWEEN_PIECES.to_owned();
            // Nothing was asked about these.
            if let (Some(arc), Some(label)) = (arcs.get_mut(at), of_labels.get_mut(at)) {
                (*arc, *label) = (None, None);
            }
        }
        root_before = root + offset;
    }
    let tree = Tree::from_heads(&heads).ok()?;
    let confidence = over.map(|over| Confidence { arcs, labels: of_labels, log_tree: None, over });
    Some(Answer { tree, score, labels, confidence })
}
