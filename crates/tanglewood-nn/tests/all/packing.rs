use tanglewood_nn::internals::matrix::Matrix;
use tanglewood_nn::internals::packing::Packing;

#[test]
fn longer_sentences_come_first_and_equal_ones_keep_their_order() {
    let packing = Packing::new(&[2, 5, 1, 5]);
    let order: Vec<usize> = (0..4).map(|rank| packing.sentence(rank)).collect();
    assert_eq!(order, [1, 3, 0, 2]);
    assert_eq!((packing.words(), packing.times()), (13, 5));
    let running: Vec<usize> = (0..5).map(|time| packing.block(time).len()).collect();
    assert_eq!(running, [4, 3, 2, 2, 2]);
}

#[test]
fn packing_undoes_unpacking() {
    let packing = Packing::new(&[3, 1, 4, 1, 5]);
    let mut matrix = Matrix::<f32>::zeros(packing.words(), 2);
    matrix.values_mut().iter_mut().enumerate().for_each(|(at, value)| *value = at as f32);
    assert_eq!(packing.pack(&packing.unpack(&matrix)), matrix);
    assert_eq!(packing.unpack(&packing.pack(&matrix)), matrix);
}
