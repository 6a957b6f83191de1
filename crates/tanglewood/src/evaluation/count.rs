//! Counting one stretch of text.

use super::alignment::align;
use super::length::group_of;
use super::reading::Field;
use super::relations::Role;
use super::words::{SentenceSpan, Words};
use super::{Evaluation, Metric};

/// Both sides of a stretch, aligned.
pub(super) struct Aligned<'a> {
    gold: Words<'a>,
    system: Words<'a>,
    pairs: Vec<(usize, usize)>,
    /// For each word of the system, the gold word it is aligned with.
    gold_of: Vec<Option<usize>>,
    /// For each gold word, what is right about the system's word for it.
    verdicts: Vec<Verdict>,
}

/// What is right about the system's word for a gold word; nothing if there is none.
#[derive(Clone, Copy, Default)]
struct Verdict {
    /// The system's word.
    word: Option<usize>,
    head: bool,
    relation: bool,
}

impl<'a> Aligned<'a> {
    pub fn new(gold: Words<'a>, system: Words<'a>) -> Aligned<'a> {
        let form = |words: &Words<'a>, word| words.get(word, Field::Form);
        let pairs = align(&gold.spots, &system.spots, |word| form(&gold, word), |word| form(&system, word));
        let mut gold_of = vec![None; system.len()];
        for &(of_gold, of_system) in &pairs {
            gold_of[of_system] = Some(of_gold);
        }
        let mut verdicts = vec![Verdict::default(); gold.len()];
        for &(g, s) in &pairs {
            verdicts[g] = Verdict {
                word: Some(s),
                head: match (gold.heads[g], system.heads[s]) {
                    (None, None) => true,
                    (Some(of_gold), Some(of_system)) => gold_of[of_system] == Some(of_gold),
                    _ => false,
                },
                relation: gold.get(g, Field::Relation) == system.get(s, Field::Relation),
            };
        }
        Aligned { gold, system, pairs, gold_of, verdicts }
    }

    pub fn count(&self, into: &mut Evaluation) {
        self.count_words(into);
        self.count_labels(into);
        self.count_crossing(into);
        self.count_sentences(into);
        self.count_probabilities(into);
        let tokens = same_spans(&self.gold.tokens, &self.system.tokens).into_iter().flatten().count();
        into.count(Metric::Tokens, self.gold.tokens.len(), self.system.tokens.len(), tokens, tokens);
    }

    fn count_words(&self, into: &mut Evaluation) {
        let totals = [self.gold.len(), self.system.len()];
        let content_words =
            |words: &Words<'_>| (0..words.len()).filter(|&word| words.role(word) == Role::Content).count();
        let content_totals = [content_words(&self.gold), content_words(&self.system)];
        let mut all = [0; 9];
        let (mut content, mut content_right) = (0, [0; 3]);
        for &(g, s) in &self.pairs {
            let same = |field| self.gold.get(g, field) == self.system.get(s, field);
            let Verdict { head, relation, .. } = self.verdicts[g];
            let (upos, xpos, features) = (same(Field::Upos), same(Field::Xpos), same(Field::Features));
            let lemma = self.gold.get(g, Field::Lemma) == "_" || same(Field::Lemma);
            let arc = head && relation;
            let right = [true, upos, xpos, features, upos && xpos && features, lemma, head, arc, relation];
            for (sum, right) in all.iter_mut().zip(right) {
                *sum += usize::from(right);
            }
            if self.gold.role(g) == Role::Content {
                content += 1;
                let with_function_words = arc && upos && features && self.same_function_words(g, s);
                for (sum, right) in content_right.iter_mut().zip([arc, with_function_words, arc && lemma]) {
                    *sum += usize::from(right);
                }
            }
        }
        let of_all = [
            Metric::Words,
            Metric::Upos,
            Metric::Xpos,
            Metric::Ufeats,
            Metric::AllTags,
            Metric::Lemmas,
            Metric::Uas,
            Metric::Las,
            Metric::Relations,
        ];
        for (metric, right) in of_all.into_iter().zip(all) {
            into.count(metric, totals[0], totals[1], right, self.pairs.len());
        }
        for (metric, right) in [Metric::Clas, Metric::Mlas, Metric::Blex].into_iter().zip(content_right) {
            into.count(metric, content_totals[0], content_totals[1], right, content);
        }
    }

    /// True if the function words that hang from two aligned words are aligned, with the same relations, tags
    /// and features.
    fn same_function_words(&self, g: usize, s: usize) -> bool {
        let (gold, system) = (self.gold.function_words(g), self.system.function_words(s));
        gold.len() == system.len()
            && gold.iter().zip(system).all(|(&g, &s)| {
                let same = |field| self.gold.get(g, field) == self.system.get(s, field);
                self.gold_of[s] == Some(g)
                    && [Field::Relation, Field::Upos, Field::Features].into_iter().all(same)
            })
    }

    fn count_labels(&self, into: &mut Evaluation) {
        for (g, verdict) in self.verdicts.iter().enumerate() {
            into.count_label(self.gold.get(g, Field::Relation), |score| {
                score.gold += 1;
                score.aligned += u64::from(verdict.word.is_some());
                score.correct += u64::from(verdict.head && verdict.relation);
            });
        }
        for s in 0..self.system.len() {
            into.count_label(self.system.get(s, Field::Relation), |score| score.system += 1);
        }
    }

    fn count_crossing(&self, into: &mut Evaluation) {
        let crossing = &mut into.crossing;
        let of = |words: &Words<'_>| words.crossing.iter().filter(|&&crosses| crosses).count() as u64;
        crossing.gold += of(&self.gold);
        crossing.system += of(&self.system);
        for &(g, s) in self.pairs.iter().filter(|&&(g, _)| self.verdicts[g].head) {
            let (in_gold, in_system) = (self.gold.crossing[g], self.system.crossing[s]);
            crossing.right_of_gold += u64::from(in_gold);
            crossing.right_of_system += u64::from(in_system);
            crossing.right_of_both += u64::from(in_gold && in_system);
        }
    }

    fn count_sentences(&self, into: &mut Evaluation) {
        let (gold, system) = (&self.gold.sentences, &self.system.sentences);
        let spans = |sentences: &[SentenceSpan]| -> Vec<_> {
            sentences.iter().map(|sentence| sentence.characters).collect()
        };
        let mut same = 0;
        let (mut exact_heads, mut exact_trees) = (0, 0);
        let (mut nonprojective_same, mut nonprojective_in_both) = (0, 0);
        for (sentence, other) in gold.iter().zip(same_spans(&spans(gold), &spans(system))) {
            let other = other.map(|place| &system[place]);
            same += usize::from(other.is_some());
            let (heads, tree) = other.map_or((false, false), |other| self.is_exact(sentence, other));
            exact_heads += usize::from(heads);
            exact_trees += usize::from(tree);
            if sentence.nonprojective {
                nonprojective_same += usize::from(other.is_some());
                nonprojective_in_both += usize::from(other.is_some_and(|other| other.nonprojective));
            }
            self.count_length(sentence, tree, into);
        }
        into.count(Metric::Sentences, gold.len(), system.len(), same, same);
        into.count(Metric::ExactHeads, gold.len(), system.len(), exact_heads, same);
        into.count(Metric::ExactTrees, gold.len(), system.len(), exact_trees, same);
        let count =
            |sentences: &[SentenceSpan]| sentences.iter().filter(|sentence| sentence.nonprojective).count();
        let totals = [count(gold), count(system)];
        into.count(Metric::Nonprojective, totals[0], totals[1], nonprojective_in_both, nonprojective_same);
    }

    fn count_probabilities(&self, into: &mut Evaluation) {
        for (word, gold) in self.gold_of.iter().enumerate() {
            if let Some(probability) = self.system.probability(word) {
                into.calibration.add(probability, gold.is_some_and(|gold| self.verdicts[gold].head));
            }
        }
    }

    /// Whether all words and heads of a sentence are right, and whether the relations are, too.
    fn is_exact(&self, gold: &SentenceSpan, system: &SentenceSpan) -> (bool, bool) {
        let same_words = gold.words.len() == system.words.len();
        let mut words = gold.words.clone().zip(system.words.clone());
        let heads =
            same_words && words.all(|(g, s)| self.verdicts[g].word == Some(s) && self.verdicts[g].head);
        (heads, heads && gold.words.clone().all(|g| self.verdicts[g].relation))
    }

    fn count_length(&self, sentence: &SentenceSpan, exact: bool, into: &mut Evaluation) {
        let counts = &mut into.lengths[group_of(sentence.words.len())];
        counts.sentences += 1;
        counts.exact += u64::from(exact);
        for word in sentence.words.clone() {
            let Verdict { head, relation, .. } = self.verdicts[word];
            counts.words += 1;
            counts.right_heads += u64::from(head);
            counts.right_arcs += u64::from(head && relation);
            if self.gold.role(word) == Role::Content {
                counts.content_words += 1;
                counts.right_content_arcs += u64::from(head && relation);
            }
        }
    }
}

/// For each gold span, the place of the same span of the system's, if there is one.
fn same_spans(gold: &[(usize, usize)], system: &[(usize, usize)]) -> Vec<Option<usize>> {
    let mut place = 0;
    let same = gold.iter().map(|span| {
        while system.get(place).is_some_and(|other| other.0 < span.0) {
            place += 1;
        }
        (system.get(place) == Some(span)).then_some(place)
    });
    same.collect()
}
