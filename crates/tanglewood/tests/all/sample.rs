use std::collections::{HashMap, HashSet};

use tanglewood::classes::{Class, crossing_pairs};
use tanglewood::conllu::{Column, Id, Sentences, Validator};
use tanglewood::sample::TREEBANK;

#[test]
fn the_sample_treebank_is_what_it_says() {
    let mut validator = Validator::new();
    let (mut sentences, mut crossing) = (0, 0);
    let mut ids = HashSet::new();
    let mut languages: HashMap<String, usize> = HashMap::new();
    let (mut ranges, mut empty_nodes) = (0, 0);
    for sentence in Sentences::of(TREEBANK.as_bytes()) {
        let id = sentence.sent_id().expect("every sentence has an id").into_owned();
        assert_eq!(validator.problems(&sentence), [], "{id}");
        let tree = validator.tree(&sentence).unwrap();
        let projective = Class::Projective.contains(&tree);
        let phenomenon =
            sentence.metadata("phenomenon").unwrap_or_else(|| panic!("{id} names no phenomenon"));
        assert_eq!(phenomenon.starts_with("projective"), projective, "{id}: {phenomenon}");
        assert!(tree.has_single_root(), "{id}");
        *languages.entry(sentence.metadata("lang").unwrap().into_owned()).or_default() += 1;
        ranges += usize::from(sentence.rows().any(|row| matches!(row.id, Id::Range(..))));
        empty_nodes += usize::from(sentence.rows().any(|row| matches!(row.id, Id::Empty(..))));
        // No sentence crosses only because of its punctuation.
        let words: Vec<_> = sentence.rows().filter(|row| matches!(row.id, Id::Word(_))).collect();
        let punctuation = |word: usize| words[word - 1].get(Column::Upos) == b"PUNCT";
        let real = crossing_pairs(&tree).any(|(first, second)| !punctuation(first) && !punctuation(second));
        assert_eq!(real, !projective, "{id}");
        assert!(ids.insert(id));
        sentences += 1;
        crossing += usize::from(!projective);
    }
    assert!(sentences >= 60 && 2 * crossing >= sentences, "{crossing} of {sentences} cross");
    assert!(languages.len() >= 8, "{languages:?}");
    assert!(ranges >= 8 && empty_nodes >= 2);
}
