//! Matrices of arc scores.

use tanglewood::scores::{ArcScores, ScoresError};

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
