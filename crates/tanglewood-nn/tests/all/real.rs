use tanglewood_nn::internals::real::{Real, fast_exp};

fn grid() -> impl Iterator<Item = f32> {
    (-200_000..200_000).map(|at| at as f32 * 4.4e-4)
}

#[test]
fn fast_exp_has_the_promised_relative_error() {
    for x in grid().filter(|x| (-87.0..=88.0).contains(x)) {
        let exact = f64::from(x).exp();
        assert!((f64::from(fast_exp(x)) - exact).abs() <= 3e-7 * exact, "{x}");
    }
}

#[test]
fn fast_exp_stays_finite_for_any_number() {
    for x in [f32::MIN, -1e4, -88.0, 89.0, 1e4, f32::MAX, f32::NEG_INFINITY, f32::INFINITY] {
        assert!(fast_exp(x).is_finite() && fast_exp(x) > 0.0, "{x}");
    }
}

#[test]
fn sigmoid_and_tanh_have_the_promised_absolute_error() {
    for x in grid() {
        let exact = f64::from(x);
        let sigmoid = 1.0 / (1.0 + (-exact).exp());
        assert!((f64::from(Real::sigmoid(x)) - sigmoid).abs() < 3e-7, "{x}");
        assert!((f64::from(Real::tanh(x)) - exact.tanh()).abs() < 3e-7, "{x}");
    }
}
