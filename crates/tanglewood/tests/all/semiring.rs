//! Laws of the semirings that sums are computed in.

use tanglewood::semiring::{Additive, Boolean, Count, Divide, Entropic, Log, Real, Semiring, Viterbi, Wide};

#[test]
fn ordinary_scores_come_out_of_large_ones_unharmed() {
    let product = |scores: &[f64]| scores.iter().map(|&s| Wide::from_score(s)).fold(Wide::ONE, Wide::times);
    let (large, small) = (product(&[1e30, 0.5]).plus(product(&[1e30, 0.25])), product(&[-1e30]));
    let expected = (0.5f64.exp() + 0.25f64.exp()).ln();
    assert!((large.times(small).ln() - expected).abs() < 1e-14);
    assert!((Wide::share(product(&[1e30, 0.5]), large) - (0.5 - expected).exp()).abs() < 1e-14);
}

#[test]
fn wide_numbers_have_no_end() {
    let mut power = Wide::from_score(0.75);
    for _ in 0..10 {
        power = power.times(power);
    }
    assert!((power.ln() - 768.0).abs() < 1e-9);
    assert!((Wide::ONE.over(power).ln() + 768.0).abs() < 1e-9);
    let mut sum = Wide::ZERO;
    for _ in 0..400 {
        sum = sum.plus(sum).plus(Wide::ONE);
    }
    assert!((sum.ln() - 400.0 * 2f64.ln()).abs() < 1e-9);
}

#[test]
fn zero_annihilates_and_is_neutral() {
    let large = Wide::from_score(1e30);
    assert_eq!(Wide::ZERO.times(large).plus(Wide::from_score(f64::NEG_INFINITY)), Wide::ZERO);
    assert_eq!(Wide::ZERO.plus(large), large);
    assert_eq!(Wide::ZERO.over(large), Wide::ZERO);
}

#[test]
fn entropies_of_products_add_up_and_those_of_quotients_are_subtracted() {
    let flat = |count: usize| {
        let one = Entropic::<Real>::from_score(0.5);
        (0..count).fold(Entropic::ZERO, |sum, _| sum.plus(one))
    };
    let (three, four) = (flat(3), flat(4));
    assert!((three.entropy - 3f64.ln()).abs() < 1e-15);
    assert!((three.times(four).entropy - 12f64.ln()).abs() < 1e-15);
    assert!((three.over(four).entropy - 0.75f64.ln()).abs() < 1e-15);
}

#[test]
fn adding_a_number_to_itself_changes_nothing_if_and_only_if_the_semiring_is_idempotent() {
    fn is_idempotent<S: Semiring>() -> bool {
        [0.0, 0.5, -2.0, f64::NEG_INFINITY].map(S::from_score).into_iter().all(|one| one.plus(one) == one)
    }
    macro_rules! check {
        ($($semiring:ty),*) => {$(
            assert_eq!(is_idempotent::<$semiring>(), <$semiring>::IDEMPOTENT, stringify!($semiring));
        )*};
    }
    check!(Boolean, Viterbi<f32>, Viterbi<f64>, Count, Log, Real, Wide, Entropic<Wide>);
}
