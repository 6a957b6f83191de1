//! Matrices of arc scores.

use tanglewood::Tree;
use tanglewood::inference::InferenceError;
use tanglewood::scores::{ArcScores, ScoresError};

use crate::support::{Ask, any};

fn rows(score: f64) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.5; 4]; 4];
    rows[2][3] = score;
    rows
}

#[test]
fn what_is_no_score_is_refused_with_its_place() {
    for score in [f64::NAN, f64::INFINITY] {
        let found = ArcScores::from_rows(&rows(score));
        assert!(matches!(found, Err(ScoresError::NotAScore { head: 2, dependent: 3, .. })), "{found:?}");
    }
    for score in [1.1e300, -1.1e300] {
        let found = ArcScores::from_rows(&rows(score));
        assert_eq!(found, Err(ScoresError::TooLarge { head: 2, dependent: 3, score }));
    }
    for score in [1e300, -1e300, f64::NEG_INFINITY, 0.0] {
        assert_eq!(ArcScores::from_rows(&rows(score)).unwrap().get(2, 3), score);
    }
}

#[test]
fn column_0_the_diagonal_and_padding_are_not_looked_at() {
    let mut padded = rows(0.5);
    for (head, row) in padded.iter_mut().enumerate() {
        row[0] = f64::NAN;
        row[head] = f64::INFINITY;
        row.extend([f64::NAN; 3]);
    }
    let scores = ArcScores::from_row_iter(3, |head| padded[head].iter().copied()).unwrap();
    assert_eq!(scores, ArcScores::from_rows(&rows(0.5)).unwrap());
    let part = ArcScores::from_row_iter(1, |head| padded[head].iter().copied()).unwrap();
    assert_eq!((part.len(), part.get(0, 1)), (1, 0.5));
}

#[test]
fn rows_have_to_be_long_enough() {
    let found = ArcScores::from_row_iter(3, |head| vec![0.0; 4 - head]);
    assert_eq!(found, Err(ScoresError::Ragged { row: 1, found: 3, expected: 4 }));
    assert_eq!(ArcScores::from_row_iter(usize::MAX, |_| []), Err(ScoresError::TooLong(usize::MAX)));
}

#[test]
fn what_is_no_arc_or_no_score_cannot_be_set() {
    let mut scores = ArcScores::new(2);
    for (head, dependent) in [(0, 0), (1, 0), (1, 1), (3, 1), (0, 3), (usize::MAX, 1)] {
        let found = scores.set(head, dependent, 1.0);
        assert_eq!(found, Err(ScoresError::NoArc { head, dependent, words: 2 }));
        assert_eq!(scores.get(head, dependent), f64::NEG_INFINITY);
    }
    assert!(matches!(scores.set(0, 1, f64::NAN), Err(ScoresError::NotAScore { .. })));
    assert!(matches!(scores.set(0, 1, f64::INFINITY), Err(ScoresError::NotAScore { .. })));
    assert_eq!(scores, ArcScores::new(2));
    assert_eq!(scores.set(0, 1, 2.0), Ok(()));
    assert_eq!((scores.get(0, 1), scores.row(3).len()), (2.0, 0));
    scores.require(7, 9);
    assert_eq!(ArcScores::try_new(2).map(|scores| scores.len()), Ok(2));
    assert!(ArcScores::try_new(usize::MAX).is_err());
}

#[test]
fn trees_of_another_length_are_no_trees_of_the_sentence() {
    let tree = Tree::from_heads(&[0, 1, 2]).unwrap();
    assert_eq!(ArcScores::new(2).of_tree(&tree), f64::NEG_INFINITY);
    assert_eq!(ArcScores::new(3).of_tree(&tree), 0.0);
    let error = any(true).log_probability(&ArcScores::new(2), &tree);
    assert_eq!(error, Err(InferenceError::Lengths { tree: 3, scores: 2 }));
}

#[test]
fn large_scores_that_cancel_leave_a_tree_the_others() {
    let rows = [[0.0, 1e30, 0.0, 0.0], [0.0, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, -1e30], [0.0; 4]];
    let scores = ArcScores::from_rows(&rows).unwrap();
    assert_eq!(scores.of_tree(&Tree::from_heads(&[0, 1, 2]).unwrap()), 0.5);
}
