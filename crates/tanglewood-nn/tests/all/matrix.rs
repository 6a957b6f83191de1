use tanglewood::inference::Random;
use tanglewood_nn::internals::matrix::{Matrix, dot, multiply, multiply_add};

fn random(rows: usize, columns: usize, seed: u64) -> Matrix<f64> {
    let mut random = Random::new(seed);
    let mut matrix = Matrix::zeros(rows, columns);
    matrix.values_mut().iter_mut().for_each(|value| *value = random.uniform() - 0.5);
    matrix
}

#[test]
fn products_of_parts_and_transposes_agree_with_sums() {
    for (rows, inner, columns) in [(1, 1, 1), (2, 3, 4), (7, 5, 9), (40, 33, 20)] {
        let left = random(rows + 2, inner + 3, 1);
        // Transposed: its rows are the product's columns.
        let right = random(columns + 1, inner + 2, 2);
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
