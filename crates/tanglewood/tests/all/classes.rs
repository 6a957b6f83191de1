use std::collections::BTreeSet;

use tanglewood::Tree;
use tanglewood::classes::{ArcStatistics, Class, crossing_arcs, crossing_pairs, gap_degree};

use crate::brute_force::{Random, all_trees};

/// The definitions, word by word.
mod twin {
    use super::*;

    pub fn crosses((a, b): (usize, usize), (c, d): (usize, usize)) -> bool {
        let inside = |x: usize, (l, r): (usize, usize)| l.min(r) < x && x < l.max(r);
        let outside = |x: usize, (l, r): (usize, usize)| x < l.min(r) || x > l.max(r);
        let one_way = |x, y, arc| inside(x, arc) && outside(y, arc);
        one_way(c, d, (a, b)) || one_way(d, c, (a, b))
    }

    pub fn subtree(tree: &Tree, node: usize) -> BTreeSet<usize> {
        let mut words = BTreeSet::from([node]);
        while let Some(more) =
            (1..=tree.len()).find(|&w| !words.contains(&w) && words.contains(&tree.head(w)))
        {
            words.insert(more);
        }
        words
    }

    pub fn projective(tree: &Tree) -> bool {
        tree.arcs().all(|(head, word)| {
            let below = subtree(tree, head);
            (head.min(word)..=head.max(word)).all(|between| below.contains(&between))
        })
    }

    pub fn no_crossing(tree: &Tree, counts: impl Fn((usize, usize)) -> bool) -> bool {
        let arcs: Vec<_> = tree.arcs().filter(|&arc| counts(arc)).collect();
        arcs.iter().all(|&a| arcs.iter().all(|&b| !crosses(a, b)))
    }

    pub fn two_planar(tree: &Tree) -> bool {
        let arcs: Vec<_> = tree.arcs().collect();
        (0..1u32 << arcs.len()).any(|colours| {
            (0..arcs.len()).all(|a| {
                (0..a).all(|b| (colours >> a & 1) != (colours >> b & 1) || !crosses(arcs[a], arcs[b]))
            })
        })
    }

    pub fn gap_degree(tree: &Tree) -> usize {
        let gaps = |node| {
            let words: Vec<usize> = subtree(tree, node).into_iter().collect();
            words.windows(2).filter(|pair| pair[1] != pair[0] + 1).count()
        };
        (1..=tree.len()).map(gaps).max().unwrap_or(0)
    }

    pub fn well_nested(tree: &Tree) -> bool {
        let subtrees: Vec<_> = (1..=tree.len()).map(|node| subtree(tree, node)).collect();
        subtrees.iter().all(|one| {
            subtrees.iter().filter(|other| one.is_disjoint(other)).all(|other| {
                !one.iter().any(|&l1| {
                    other.iter().any(|&l2| {
                        l1 < l2 && one.iter().any(|&r1| l2 < r1 && other.iter().any(|&r2| r1 < r2))
                    })
                })
            })
        })
    }

    pub fn one_endpoint_crossing(tree: &Tree) -> bool {
        tree.arcs().all(|arc| {
            let crossing: Vec<_> = tree.arcs().filter(|&other| crosses(arc, other)).collect();
            crossing.is_empty()
                || (0..=tree.len())
                    .any(|node| crossing.iter().all(|&(head, word)| head == node || word == node))
        })
    }

    pub fn contains(class: Class, tree: &Tree) -> bool {
        match class {
            Class::Projective => projective(tree),
            Class::Planar => no_crossing(tree, |(head, _)| head != 0),
            Class::TwoPlanar => two_planar(tree),
            Class::GapDegreeOne => gap_degree(tree) <= 1,
            Class::WellNested => well_nested(tree),
            Class::WellNestedGapDegreeOne => gap_degree(tree) <= 1 && well_nested(tree),
            Class::OneEndpointCrossing => one_endpoint_crossing(tree),
        }
    }
}

fn agree_with_twins(tree: &Tree) {
    for class in Class::ALL {
        assert_eq!(class.contains(tree), twin::contains(class, tree), "{} {tree:?}", class.name());
    }
    assert_eq!(gap_degree(tree), twin::gap_degree(tree), "{tree:?}");
    assert_eq!(Class::Projective.contains(tree), twin::no_crossing(tree, |_| true));
    let arcs: Vec<_> = tree.arcs().collect();
    let crossing: Vec<bool> =
        arcs.iter().map(|&arc| arcs.iter().any(|&other| twin::crosses(arc, other))).collect();
    assert_eq!(crossing_arcs(tree), crossing, "{tree:?}");
}

#[test]
fn every_class_agrees_with_its_definition_up_to_six_words() {
    (0..=6).flat_map(all_trees).for_each(|tree| agree_with_twins(&tree));
}

#[test]
fn every_class_agrees_with_its_definition_on_random_longer_trees() {
    let mut random = Random(1);
    for _ in 0..300 {
        let n = 7 + random.below(8);
        agree_with_twins(&random.tree(n));
    }
}

/// Trees with n words in [projective, 1-endpoint-crossing, well-nested with gap degree ≤ 1, 2-planar].
fn census(n: usize, single_root: bool) -> [usize; 4] {
    let classes =
        [Class::Projective, Class::OneEndpointCrossing, Class::WellNestedGapDegreeOne, Class::TwoPlanar];
    let trees = all_trees(n);
    let counted = trees.iter().filter(|tree| !single_root || tree.has_single_root());
    classes.map(|class| counted.clone().filter(|tree| class.contains(tree)).count())
}

#[test]
fn golden_class_sizes_up_to_six_words() {
    assert_eq!(census(3, false), [12, 16, 16, 16]);
    assert_eq!(census(4, false), [55, 125, 121, 125]);
    assert_eq!(census(5, false), [273, 1104, 1103, 1242]);
    assert_eq!(census(6, false), [1428, 10024, 11102, 14371]);
    assert_eq!(census(5, true), [143, 545, 569, 603]);
    assert_eq!(census(6, true), [728, 4876, 5652, 6756]);
}

#[test]
#[ignore = "slow: all 262,144 trees with seven words"]
fn golden_class_sizes_for_seven_words() {
    assert_eq!(census(7, false), [7752, 92344, 118432, 184024]);
    assert_eq!(census(7, true), [3876, 44496, 59774, 84676]);
}

#[test]
fn statistics_count_arcs_crossings_and_lengths() {
    let tree = Tree::from_heads(&[3, 4, 0, 3]).unwrap();
    assert_eq!(crossing_pairs(&tree).collect::<Vec<_>>(), [(1, 2), (2, 3)]);
    let expected = ArcStatistics { arcs: 4, crossing: 3, pairs: 2, total_length: 8, longest: 3 };
    assert_eq!(ArcStatistics::of(&tree), expected);
    let mut twice = expected;
    twice.add(&expected);
    assert_eq!(twice, ArcStatistics { arcs: 8, crossing: 6, pairs: 4, total_length: 16, longest: 3 });
}

#[test]
fn the_longest_sentences_are_classified_in_reasonable_time() {
    // A chain, a star, and nodes that hang from two alternating words: long and deep, long and flat, many
    // crossings.
    let n = 20_000;
    let chain: Vec<usize> = (0..n).collect();
    let star = vec![0; n];
    let alternating: Vec<usize> =
        (1..=n).map(|word| if word <= 2 { word - 1 } else { 1 + word % 2 }).collect();
    for heads in [chain, star, alternating] {
        let tree = Tree::from_heads(&heads).unwrap();
        for class in Class::ALL {
            class.contains(&tree);
        }
    }
}
