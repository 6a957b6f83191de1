use proptest::prelude::*;
use tanglewood::{Tree, TreeError};

use crate::brute_force::all_trees;

#[test]
fn there_are_as_many_trees_as_cayley_says() {
    for (n, expected) in [(0, 1), (1, 1), (2, 3), (3, 16), (4, 125), (5, 1296), (6, 16807)] {
        assert_eq!(all_trees(n).len(), expected, "{n} words");
    }
    let single: Vec<usize> =
        (1..=6).map(|n| all_trees(n).iter().filter(|tree| tree.has_single_root()).count()).collect();
    assert_eq!(single, [1, 2, 9, 64, 625, 7776]);
}

#[test]
fn a_cycle_is_named_from_its_smallest_word() {
    assert_eq!(Tree::from_heads(&[0, 4, 2, 3]), Err(TreeError::Cycle(vec![2, 4, 3])));
    assert_eq!(
        Tree::from_heads(&[0, 4, 2, 3]).unwrap_err().to_string(),
        "the heads form a cycle: 2 → 4 → 3 → 2; expected every path of heads to end at 0"
    );
    assert_eq!(Tree::from_heads(&[1]), Err(TreeError::Cycle(vec![1])));
}

#[test]
fn a_head_beyond_the_sentence_is_an_error() {
    let error = Tree::from_heads(&[0, 3]).unwrap_err();
    assert_eq!(error, TreeError::HeadOutOfRange { word: 2, head: 3, words: 2 });
    assert_eq!(error.to_string(), "word 2 has head 3; expected a number from 0 to 2");
}

#[test]
fn too_many_words_are_an_error() {
    assert_eq!(Tree::from_heads(&vec![0; 100_001]), Err(TreeError::TooLong(100_001)));
    assert!(Tree::from_heads(&vec![0; 100_000]).is_ok());
}

proptest! {
    /// A list of heads is a tree if and only if walking up from every word ends at 0 within n steps.
    #[test]
    fn exactly_the_trees_are_accepted(heads in prop::collection::vec(0usize..9, 0..9)) {
        let n = heads.len();
        let in_range = heads.iter().all(|&head| head <= n);
        let reaches_root = in_range && (1..=n).all(|word| {
            let mut at = word;
            for _ in 0..n { if at != 0 { at = heads[at - 1]; } }
            at == 0
        });
        prop_assert_eq!(Tree::from_heads(&heads).is_ok(), reaches_root);
        if let Ok(tree) = Tree::from_heads(&heads) {
            prop_assert_eq!(tree.heads().collect::<Vec<_>>(), heads);
            prop_assert_eq!(tree.mirrored().mirrored(), tree);
        }
    }
}
