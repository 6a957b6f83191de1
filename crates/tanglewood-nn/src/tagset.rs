//! What a tagger chooses among: one group of classes for UPOS, one for XPOS, one for each feature of FEATS.

use crate::encoding::Encoded;
use crate::steps::WordTags;
use crate::vocabulary::Vocabulary;

/// Classes of which a word has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// UPOS (0), XPOS (1) or FEATS (2).
    pub column: usize,
    /// Classes of this group among those of all groups.
    pub classes: std::ops::Range<usize>,
}

impl Group {
    /// The class that says that a word lacks a feature.
    fn absent(&self) -> Option<u32> {
        (self.column == 2).then_some(self.classes.start as u32)
    }
}

/// All groups of classes of a vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tagset {
    groups: Vec<Group>,
    /// The group and the class of each tag of the vocabulary.
    of_tag: Vec<(u32, u32)>,
    /// The tag of each class; none for the first one of a feature, which says that a word does not have it.
    tags: Vec<Option<u32>>,
    /// Combinations of classes that words had, one of each group, by their first class, sorted.
    seen: Vec<Vec<Vec<u32>>>,
}

impl Tagset {
    /// The groups of a vocabulary.
    pub fn new(vocabulary: &Vocabulary) -> Tagset {
        let mut set = Tagset { of_tag: vec![(0, 0); vocabulary.tag_count()], ..Tagset::default() };
        let mut first = 0;
        for (column, names) in vocabulary.tags.iter().enumerate() {
            let numbers = first..first + names.len() as u32;
            first = numbers.end;
            if column < 2 {
                set.add(column, false, numbers);
                continue;
            }
            // In the order of FEATS: by name, whatever the case.
            let mut features: Vec<(String, Vec<u32>)> = Vec::new();
            for (name, number) in names.iter().zip(numbers) {
                let feature = name.split('=').next().unwrap_or(name);
                match features.iter_mut().find(|(known, _)| known == feature) {
                    Some((_, values)) => values.push(number),
                    None => features.push((feature.to_owned(), vec![number])),
                }
            }
            features.sort_by_cached_key(|(feature, _)| (feature.to_lowercase(), feature.clone()));
            for (_, values) in features {
                set.add(column, true, values);
            }
        }
        set.seen.resize(set.groups.first().map_or(0, |group| group.classes.len()), Vec::new());
        for tags in &vocabulary.tag_sets {
            let mut classes: Vec<Option<u32>> = set.groups.iter().map(Group::absent).collect();
            for &(group, class) in tags.iter().filter_map(|&tag| set.of_tag.get(tag as usize)) {
                classes[group as usize] = Some(class);
            }
            // Words that lack a tag say nothing about which tags go together.
            let classes: Option<Vec<u32>> = classes.into_iter().collect();
            if let Some((classes, first)) =
                classes.and_then(|all| all.first().copied().map(|first| (all, first)))
            {
                set.seen[first as usize].push(classes);
            }
        }
        set.seen.iter_mut().for_each(|seen| seen.sort_unstable());
        set
    }

    /// Another group; with `optional`, a word may have none of its tags.
    fn add(&mut self, column: usize, optional: bool, tags: impl IntoIterator<Item = u32>) {
        let start = self.tags.len();
        self.tags.extend(optional.then_some(None));
        for tag in tags {
            self.of_tag[tag as usize] = (self.groups.len() as u32, self.tags.len() as u32);
            self.tags.push(Some(tag));
        }
        if self.tags.len() > start {
            self.groups.push(Group { column, classes: start..self.tags.len() });
        }
    }

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Number of classes in all groups together.
    pub fn classes(&self) -> usize {
        self.tags.len()
    }

    /// The class that a word has of each group, as far as its sentence says so in the columns `seen`. FEATS
    /// without a feature mean that the word has none if any word of the sentence has one.
    pub fn classes_of(&self, sentence: &Encoded, word: usize, seen: [bool; 3]) -> Vec<Option<u32>> {
        let features = seen[2] && sentence.has_features;
        let none = |group: &Group| group.absent().filter(|_| features);
        let mut classes: Vec<Option<u32>> = self.groups.iter().map(none).collect();
        for (bags, _) in sentence.tags.iter().zip(seen).filter(|&(_, seen)| seen) {
            for &tag in bags.get(word) {
                let (group, class) = self.of_tag[tag as usize];
                classes[group as usize] = Some(class);
            }
        }
        classes
    }

    /// The likeliest tags by name, given the probabilities of all classes: the likeliest of all combinations
    /// that were seen; where that contradicts what is given, the likeliest class of each group by itself.
    pub fn named(&self, probabilities: &[f32], vocabulary: &Vocabulary) -> WordTags {
        let one_by_one = self.one_by_one(probabilities);
        // No combination is likelier than that of the likeliest classes, and most often it was seen.
        let was_seen = one_by_one.first().is_some_and(|&first| {
            self.seen.get(first as usize).is_some_and(|seen| seen.binary_search(&one_by_one).is_ok())
        });
        let likeliest = if was_seen { None } else { self.likeliest(probabilities) };
        let classes = likeliest.unwrap_or(one_by_one);
        let mut found: [Option<String>; 3] = Default::default();
        for (group, class) in self.groups.iter().zip(classes) {
            let to = found[group.column].get_or_insert_default();
            let Some(tag) = self.tags[class as usize] else { continue };
            if !to.is_empty() {
                to.push('|');
            }
            to.push_str(vocabulary.tag_name(tag));
        }
        let [upos, xpos, mut feats] = found;
        if let Some(feats) = feats.as_mut().filter(|feats| feats.is_empty()) {
            feats.push('_');
        }
        WordTags { upos, xpos, feats, lemma: None }
    }

    /// The combination with the largest product of probabilities, if any has one above zero.
    fn likeliest(&self, probabilities: &[f32]) -> Option<Vec<u32>> {
        let logs: Vec<f32> = probabilities.iter().map(|probability| probability.ln().min(0.0)).collect();
        let mut first: Vec<usize> = (0..self.seen.len()).collect();
        first.sort_by(|&a, &b| logs[b].total_cmp(&logs[a]));
        let mut best: Option<(f32, &Vec<u32>)> = None;
        for class in first {
            // Probabilities are at most one, so that the first one bounds the product.
            if best.is_some_and(|(score, _)| logs[class] <= score) {
                break;
            }
            for classes in &self.seen[class] {
                let least = best.map_or(f32::NEG_INFINITY, |(score, _)| score);
                let mut score = 0.0;
                let likelier = classes.iter().all(|&class| {
                    score += logs[class as usize];
                    score > least
                });
                if likelier {
                    best = Some((score, classes));
                }
            }
        }
        best.map(|(_, classes)| classes.clone())
    }

    fn one_by_one(&self, probabilities: &[f32]) -> Vec<u32> {
        let best = |group: &Group| {
            let of_group = probabilities[group.classes.clone()].iter().enumerate();
            let best = of_group.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
            (group.classes.start + best.map_or(0, |(at, _)| at)) as u32
        };
        self.groups.iter().map(best).collect()
    }
}
