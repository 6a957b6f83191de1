//! 1-endpoint-crossing trees (Pitler, Kannan and Marcus 2013).

use super::crossing::{crossing_pairs, spans};
use crate::Tree;

/// True if and only if, for every arc, all arcs that cross it share an endpoint. Root arcs count.
pub fn is_one_endpoint_crossing(tree: &Tree) -> bool {
    let spans = spans(tree);
    // For each arc: the endpoints that all crossing arcs seen so far have in common.
    let mut shared: Vec<Option<[Option<u32>; 2]>> = vec![None; spans.len()];
    crossing_pairs(tree).all(|(first, second)| {
        let (first, second) = (first - 1, second - 1);
        [(first, second), (second, first)].into_iter().all(|(arc, other)| {
            let ends = [spans[other].left, spans[other].right];
            let common = match shared[arc] {
                None => ends.map(Some),
                Some(before) => before.map(|end| end.filter(|end| ends.contains(end))),
            };
            shared[arc] = Some(common);
            common.iter().any(Option::is_some)
        })
    })
}
