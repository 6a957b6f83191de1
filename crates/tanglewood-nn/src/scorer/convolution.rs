//! A network of convolutions in integers: see [`ContextNetwork`].

use crate::integer::{Rows, Weights};
use crate::layers::{Bags, Convolution, leak, share};
use crate::matrix::{Matrix, add};
use crate::parameters::Tensor;
use crate::segmentation::ContextNetwork;
use crate::store::Store;

/// Embeddings of the features of each element, some convolutions, and scores of classes.
#[derive(Clone, Debug)]
pub struct ContextScorer {
    table: Tensor,
    layers: Vec<ConvolutionScorer>,
    output: ConvolutionScorer,
}

/// A convolution: the rows of its input that a row of its output depends on are one row of a product.
#[derive(Clone, Debug)]
struct ConvolutionScorer {
    weights: Weights,
    bias: Vec<f32>,
    offsets: Vec<isize>,
    rectified: bool,
}

impl ContextScorer {
    /// Prepares the network from the parameters in `store`.
    pub fn new(network: &ContextNetwork, store: &Store) -> ContextScorer {
        ContextScorer {
            table: network.embedding.table(),
            layers: network.layers.iter().map(|layer| ConvolutionScorer::new(layer, store)).collect(),
            output: ConvolutionScorer::new(&network.output, store),
        }
    }

    /// A row of scores for each element.
    pub fn scores(&self, store: &Store, features: &Bags) -> Matrix<f32> {
        let mut current = Matrix::zeros(features.len(), self.table.columns);
        for row in 0..features.len() {
            let bag = features.get(row);
            store.add_rows(self.table, bag, share(bag), current.row_mut(row));
        }
        let mut rounded = Rows::default();
        for (at, layer) in self.layers.iter().enumerate() {
            let mut output = layer.forward(&current, &mut rounded);
            if at > 0 {
                add(output.values_mut(), current.values());
            }
            current = output;
        }
        self.output.forward(&current, &mut rounded)
    }
}

impl ConvolutionScorer {
    fn new(layer: &Convolution, store: &Store) -> ConvolutionScorer {
        ConvolutionScorer {
            weights: Weights::plain(&store.codes(layer.weights), 0..layer.weights.rows),
            bias: store.values(layer.bias).into_owned(),
            offsets: layer.offsets.clone(),
            rectified: layer.rectified,
        }
    }

    fn forward(&self, input: &Matrix<f32>, rounded: &mut Rows) -> Matrix<f32> {
        let columns = input.columns();
        rounded.clear();
        let mut window = vec![0.0; self.offsets.len() * columns];
        for row in 0..input.rows() {
            for (to, &offset) in window.chunks_exact_mut(columns.max(1)).zip(&self.offsets) {
                match row.checked_add_signed(offset).filter(|&from| from < input.rows()) {
                    Some(from) => to.copy_from_slice(input.row(from)),
                    None => to.fill(0.0),
                }
            }
            self.weights.round_one(&window, rounded);
        }
        let mut output = self.weights.product(rounded, |_| &self.bias);
        if self.rectified {
            leak(output.values_mut());
        }
        output
    }
}
