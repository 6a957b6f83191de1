//! Products in integers, against sums written out.

use std::borrow::Cow;

use tanglewood::inference::Random;
use tanglewood_nn::Instructions;
use tanglewood_nn::internals::integer::{Rows, Weights};
use tanglewood_nn::internals::quantise::Codes;

use crate::instructions::limited;

struct Case {
    rows: usize,
    inner: usize,
    columns: usize,
    codes: Vec<i8>,
    scales: Vec<f32>,
    values: Vec<f32>,
}

impl Case {
    fn random([rows, inner, columns]: [usize; 3], seed: u64) -> Case {
        let mut random = Random::new(seed);
        let mut number = |limit: f64| (2.0 * random.uniform() - 1.0) * limit;
        Case {
            rows,
            inner,
            columns,
            codes: (0..inner * columns).map(|_| number(127.4).round() as i8).collect(),
            scales: (0..inner).map(|_| number(0.1).abs() as f32).collect(),
            values: (0..rows * inner).map(|_| number(3.0) as f32).collect(),
        }
    }

    fn weights(&self) -> Weights {
        let bytes = self.codes.iter().map(|&code| code as u8).collect();
        Weights::plain(&Codes::new(self.columns, Cow::Owned(bytes), self.scales.clone()), 0..self.inner)
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.inner..][..self.inner]
    }

    /// The codes of a row and its factor, as the documentation says.
    fn rounded(&self, row: usize) -> (Vec<i64>, f32) {
        let products = || self.row(row).iter().zip(&self.scales).map(|(value, scale)| value * scale);
        let largest = products().fold(0.0f32, |most, product| most.max(product.abs()));
        let factor = Some(127.0 / largest).filter(|factor| factor.is_finite()).unwrap_or(0.0);
        (products().map(|product| (product * factor).round_ties_even() as i64).collect(), largest / 127.0)
    }

    /// Every element by one kind of instructions is the exact sum times the factor of its row, plus the base.
    fn check(&self, instructions: Instructions) {
        let weights = self.weights();
        let base: Vec<f32> = (0..self.columns).map(|column| column as f32 - 7.5).collect();
        let product = limited(instructions, || {
            let mut rows = Rows::default();
            weights.round((0..self.rows).map(|row| self.row(row)), &mut rows);
            weights.product(&rows, |_| &base)
        });
        assert_eq!((product.rows(), product.columns()), (self.rows, self.columns));
        for row in 0..self.rows {
            let (codes, factor) = self.rounded(row);
            for (column, (base, found)) in base.iter().zip(product.row(row)).enumerate() {
                let weight = |k: usize| i64::from(self.codes[k * self.columns + column]);
                let sum: i64 = codes.iter().enumerate().map(|(k, code)| code * weight(k)).sum();
                let expected = base + sum as f32 * factor;
                assert_eq!(found.to_bits(), expected.to_bits(), "{instructions:?} {row} {column}");
            }
        }
    }
}

#[test]
fn products_of_all_shapes_are_exact_sums_by_all_instructions() {
    let mut seed = 0;
    for rows in [0, 1, 2, 5, 6, 7, 13] {
        for inner in [1, 3, 4, 5, 16, 33, 160] {
            for columns in [1, 15, 16, 17, 48, 63, 64, 65, 130] {
                seed += 1;
                let case = Case::random([rows, inner, columns], seed);
                Instructions::ALL.into_iter().for_each(|instructions| case.check(instructions));
            }
        }
    }
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    for (inner, sign) in [(1500, 1.0), (1500, -1.0), (4096, 1.0)] {
        let mut case = Case::random([7, inner, 33], 1);
        for code in [-127, 127] {
            case.codes.fill(code);
            case.scales.fill(1.0);
            case.values.fill(sign * 5.0);
            Instructions::ALL.into_iter().for_each(|instructions| case.check(instructions));
        }
    }
}

#[test]
fn rows_of_zeros_and_tiny_numbers_are_nothing() {
    for value in [0.0, -0.0, 1e-45, 1e-38] {
        let mut case = Case::random([3, 20, 20], 2);
        case.values.fill(value);
        Instructions::ALL.into_iter().for_each(|instructions| case.check(instructions));
    }
}

#[test]
fn what_is_not_a_number_stays_in_its_row() {
    let mut case = Case::random([3, 20, 20], 3);
    let weights = case.weights();
    let zeros = vec![0.0; 20];
    let product = |case: &Case| {
        let mut rows = Rows::default();
        weights.round((0..3).map(|row| case.row(row)), &mut rows);
        weights.product(&rows, |_| &zeros)
    };
    let before = product(&case);
    (case.values[20], case.values[25]) = (f32::NAN, f32::INFINITY);
    let after = product(&case);
    assert_eq!((before.row(0), before.row(2)), (after.row(0), after.row(2)));
}
