use std::collections::HashSet;

use tanglewood::System;
use tanglewood::system::{Degree, Inventory};

use crate::brute_force::{derivation_counts, subset_of_r};

fn system(name: &str) -> System {
    System::named(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn reduces(name: &str) -> HashSet<String> {
    system(name).inventory().reduces().iter().map(ToString::to_string).collect()
}

fn set(pairs: &str) -> HashSet<String> {
    pairs.split(' ').map(str::to_owned).collect()
}

#[test]
fn named_systems_have_the_published_inventories() {
    assert_eq!(reduces("arc-standard"), set("s0>s1 s1>s0"));
    assert_eq!(reduces("arc-hybrid"), set("b0>s0 s1>s0"));
    assert_eq!(reduces("arc-hybrid+"), set("ahead>s0 s1>s0"));
    assert_eq!(reduces("kuhlmann-2"), set("s0>s1 s1>s0 b0>s1"));
    assert_eq!(reduces("attardi"), set("s0>s1 s1>s0 s0>s2 s2>s0"));
    assert_eq!(reduces("attardi:3"), set("s0>s1 s1>s0 s0>s2 s2>s0 s0>s3 s3>s0"));
    assert_eq!(reduces("all-deg1"), set("s0>s1 s1>s0 s0>s2 s2>s0 s1>s2 s2>s1 b0>s0"));
    assert_eq!(reduces("all-deg1+"), set("s0>s1 s1>s0 s0>s2 s2>s0 s1>s2 s2>s1 ahead>s0"));
    assert_eq!(reduces("all"), set("s0>s1 s1>s0 s0>s2 s2>s0 s1>s2 s2>s1 b0>s0 b0>s1 b0>s2"));
    assert_eq!(reduces("all-s0s1"), set("s0>s1 s1>s0 s2>s0 s2>s1 b0>s0 b0>s1"));
    assert_eq!(reduces("all-s0s1+"), set("s0>s1 s1>s0 s2>s0 s2>s1 ahead>s0 ahead>s1"));
    assert_eq!(reduces("all-s:2"), reduces("all-s0s1"));
    assert_eq!(reduces("attardi:1"), reduces("arc-standard"));
    assert_eq!(reduces("all:3").len(), 16);
    assert_eq!(reduces("all-s:3").len(), 12);
}

#[test]
fn all_s0s1_never_reduces_s2() {
    assert!(system("all-s0s1").inventory().reduces().iter().all(|reduce| reduce.dependent < 2));
}

#[test]
fn cost_and_degree_follow_from_the_table() {
    use Degree::{Bounded, Unbounded};
    let expected = [
        ("arc-standard", 4, 3, Bounded(1)),
        ("arc-hybrid", 3, 2, Bounded(1)),
        ("arc-hybrid+", 3, 2, Unbounded),
        ("kuhlmann-2", 4, 3, Bounded(2)),
        ("attardi", 7, 5, Bounded(2)),
        ("all-deg1", 7, 5, Bounded(2)),
        ("all", 7, 5, Bounded(3)),
        ("all+", 7, 5, Unbounded),
        ("all-s0s1", 6, 4, Bounded(2)),
        ("all-s0s1+", 6, 4, Unbounded),
        ("attardi:3", 10, 7, Bounded(3)),
        ("all:3", 10, 7, Bounded(4)),
        ("all-s:3", 9, 6, Bounded(3)),
    ];
    for (name, time, space, degree) in expected {
        let inventory = system(name).inventory().clone();
        let cost = inventory.complexity();
        assert_eq!((cost.time, cost.space, inventory.degree()), (time, space, degree), "{name}");
    }
}

#[test]
fn all_named_systems_are_removal_closed() {
    let deeper =
        ["attardi:3", "attardi:4", "all-deg1:3", "all:3", "all-s:3", "all:3+", "all-s:3+", "all-deg1:3+"];
    let names: Vec<String> = System::all().iter().map(|system| system.name().to_owned()).collect();
    for name in names.iter().map(String::as_str).chain(deeper) {
        assert!(system(name).inventory().is_removal_closed(), "{name}");
    }
}

#[test]
fn some_inventories_are_not_removal_closed() {
    for text in ["s0>s2", "s0>s1 s1>s0 s2>s1 s2>s0 b0>s1", "s1>s0 b0>s1", "s0>s1 s1>s0 ahead>s1"] {
        assert!(!text.parse::<Inventory>().unwrap().is_removal_closed(), "{text}");
    }
}

#[test]
fn inventories_survive_being_written_and_read() {
    for inventory in (1..512).filter_map(subset_of_r) {
        assert_eq!(inventory.to_string().parse(), Ok(inventory));
    }
    let spelled: Inventory = "b3>s0,ahead>s1, s15>s14".parse().unwrap();
    assert_eq!(spelled.to_string(), "b3>s0 ahead>s1 s15>s14");
    assert_eq!(spelled.depth(), 15);
}

#[test]
fn wrong_names_get_a_remedy() {
    let expected = [
        ("atardi", "no system is called `atardi`; did you mean `attardi` or `attardi:3`?"),
        ("all_s0s1", "no system is called `all_s0s1`; did you mean `all-s0s1`, `all-s0s1+` or `all-s:3`?"),
        ("xyzzy", "no system is called `xyzzy`; `tanglewood systems` lists the names"),
        ("attardi:x", "`x` in `attardi:x` is not a depth; expected a number from 1 to 15"),
        ("attardi:0", "`0` in `attardi:0` is not a depth; expected a number from 1 to 15"),
        ("attardi:16", "`16` in `attardi:16` is not a depth; expected a number from 1 to 15"),
        ("arc-standard:2", "`arc-standard` exists for one depth only; leave out `:2`"),
        (
            "attardi+",
            "`attardi` takes no head from the buffer, so `attardi+` would be the same system; leave out the `+`",
        ),
        ("s0>", "`` is not a slot; expected s0 to s15, b0 to b15, or ahead"),
        (
            "s0>s1 s0>b1",
            "`s0>b1` removes a node that is not on the stack; expected a dependent slot s0, s1, …",
        ),
        ("s1>s1", "`s1>s1` makes a node its own head; expected two different slots"),
        ("s0>s16", "`s16` is not a slot; expected s0 to s15, b0 to b15, or ahead"),
        ("s0>s1 foo", "`foo` is not a pair of slots; expected head>dependent, such as s0>s1 or b0>s0"),
        (">", "`` is not a slot; expected s0 to s15, b0 to b15, or ahead"),
    ];
    for (name, message) in expected {
        assert_eq!(System::named(name).unwrap_err().to_string(), message);
    }
}

/// Trees that some run builds.
fn trees(inventory: &Inventory, n: usize) -> HashSet<Vec<usize>> {
    derivation_counts(inventory, n).into_keys().collect()
}

#[test]
fn with_all_words_ahead_as_heads_the_deepest_slot_need_not_be_removed() {
    for (name, smaller) in [("all+", "all-s0s1+"), ("all:1+", "arc-hybrid+"), ("all:3+", "all-s:3+")] {
        let found = system(name).inventory().without_needless_removals();
        assert_eq!(found.as_ref(), Some(system(smaller).inventory()), "{name}");
    }
    for name in ["all", "all-deg1+", "all-s0s1+", "attardi", "arc-hybrid+", "kuhlmann-2"] {
        assert_eq!(system(name).inventory().without_needless_removals(), None, "{name}");
    }
    // All tables with the pairs that are needed, and any others with up to three stack nodes.
    let others = ["s1>s0", "s2>s0", "s2>s1", "s0>s2", "s1>s2", "ahead>s2", "b0>s2"];
    let mut smaller_ones = 0;
    for bits in 0..1 << others.len() {
        let chosen = (0..others.len()).filter(|bit| bits >> bit & 1 == 1).map(|bit| others[bit]);
        let pairs: Vec<&str> = chosen.chain(["s0>s1", "ahead>s0", "ahead>s1"]).collect();
        let inventory: Inventory = pairs.join(" ").parse().unwrap();
        let Some(smaller) = inventory.without_needless_removals() else { continue };
        smaller_ones += 1;
        assert!(smaller.len() < inventory.len());
        for n in 1..=5 {
            assert_eq!(trees(&smaller, n), trees(&inventory, n), "{inventory}, {n} words");
        }
    }
    assert!(smaller_ones > 5, "{smaller_ones}");
}
