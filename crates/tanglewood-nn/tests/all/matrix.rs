use tanglewood::inference::Random;
use tanglewood_nn::Instructions;
use tanglewood_nn::internals::matrix::{Matrix, dot, multiply, multiply_add};
use tanglewood_nn::internals::panels::Panels;
use tanglewood_nn::internals::real::Real;

use crate::instructions::limited;

fn random<T: Real>(rows: usize, columns: usize, seed: u64) -> Matrix<T> {
    let mut random = Random::new(seed);
    let mut matrix = Matrix::zeros(rows, columns);
    matrix.values_mut().iter_mut().for_each(|value| *value = T::of(random.uniform() - 0.5));
    matrix
}

#[test]
fn products_of_parts_and_transposes_agree_with_sums() {
    for (rows, inner, columns) in [(1, 1, 1), (2, 3, 4), (7, 5, 9), (40, 33, 20)] {
        let left: Matrix<f64> = random(rows + 2, inner + 3, 1);
        // Transposed: its rows are the product's columns.
        let right: Matrix<f64> = random(columns + 1, inner + 2, 2);
        let before = random(rows + 1, columns + 5, 3);
        for add in [false, true] {
            let mut target = before.clone();
            let to = target.part_mut(1..rows + 1, 2..columns + 2);
            let (a, b) = (left.part(2..rows + 2, 1..inner + 1), right.part(0..columns, 2..inner + 2));
            if add {
                multiply_add(to, a, b.transposed())
            } else {
                multiply(to, a, b.transposed())
            }
            for row in 0..target.rows() {
                for column in 0..target.columns() {
                    let inside = row >= 1 && (2..columns + 2).contains(&column);
                    let kept = if inside && !add { 0.0 } else { before.row(row)[column] };
                    let sum: f64 = if inside {
                        (0..inner).map(|k| left.row(row + 1)[k + 1] * right.row(column - 2)[k + 2]).sum()
                    } else {
                        0.0
                    };
                    assert!((target.row(row)[column] - kept - sum).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn empty_products_are_zero() {
    let (left, right) = (Matrix::<f32>::zeros(3, 0), Matrix::<f32>::zeros(0, 2));
    let mut target = Matrix::zeros(3, 2);
    target.values_mut().fill(1.0);
    multiply_add(target.view_mut(), left.view(), right.view());
    assert!(target.values().iter().all(|&value| value == 1.0));
    multiply(Matrix::<f32>::zeros(0, 2).view_mut(), Matrix::zeros(0, 3).view(), Matrix::zeros(3, 2).view());
}

#[test]
fn dot_takes_all_elements() {
    for len in 0..20 {
        let values: Vec<f64> = (0..len).map(f64::from).collect();
        assert_eq!(dot(&values, &values), values.iter().map(|value| value * value).sum::<f64>());
    }
}

fn panels_agree<T: Real>(tolerance: f64) {
    for (inner, columns) in [(1, 1), (5, 32), (33, 31), (160, 70)] {
        let weights: Matrix<T> = random(columns, inner, 1);
        let panels = Panels::of(weights.view().transposed());
        for rows in 0..20 {
            let left: Matrix<T> = random(rows + 2, inner + 3, 2);
            let before: Matrix<T> = random(rows, columns + 5, 3);
            let part = left.part(1..rows + 1, 2..inner + 2);
            for add in [false, true] {
                let (mut plain, mut panelled) = (before.clone(), before.clone());
                let (to, panelled_to) =
                    (plain.part_mut(0..rows, 4..columns + 4), panelled.part_mut(0..rows, 4..columns + 4));
                if add {
                    multiply_add(to, part, weights.view().transposed());
                    panels.multiply_add(panelled_to, part);
                } else {
                    multiply(to, part, weights.view().transposed());
                    panels.multiply(panelled_to, part);
                }
                for (plain, panelled) in plain.values().iter().zip(panelled.values()) {
                    assert!((plain.wide() - panelled.wide()).abs() < tolerance);
                }
            }
        }
    }
}

#[test]
fn products_with_panels_agree_with_others() {
    panels_agree::<f64>(1e-12);
    for instructions in Instructions::ALL {
        limited(instructions, || panels_agree::<f32>(1e-5));
    }
}

#[test]
fn rows_of_products_with_panels_do_not_depend_on_others() {
    let left: Matrix<f32> = random(19, 160, 1);
    let panels = Panels::of(random(160, 48, 2).view());
    let product = |first: usize, rows: usize, instructions| {
        let mut target = Matrix::zeros(rows, 48);
        limited(instructions, || panels.multiply(target.view_mut(), left.part(first..first + rows, 0..160)));
        target
    };
    let all = product(0, 19, Instructions::Portable);
    for instructions in Instructions::ALL {
        for rows in 1..=19 {
            assert_eq!(product(0, rows, instructions).values(), &all.values()[..48 * rows]);
        }
        assert_eq!(product(18, 1, instructions).values(), &all.values()[48 * 18..]);
    }
}
