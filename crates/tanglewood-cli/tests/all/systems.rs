use snapbox::str;

use crate::harness::{tanglewood, text_of};

#[test]
fn a_system_is_shown_with_cost_summary_source_and_inventory() {
    tanglewood(["systems", "all-s0s1"])
        .assert()
        .success()
        .stdout_eq(str![[r#"
all-s0s1: O(n⁶) time, O(n⁴) space, degree 2, linear oracle
  every pair among s0..s2 and b0, but s2 is never removed
  Shi, Gómez-Rodríguez and Lee 2018 (all-s0s1 for D = 2)
             head s2 s1 s0 │ b0
     dependent s1  ●  ·  ● │  ●
     dependent s0  ●  ●  · │  ●

"#]])
        .stderr_eq("");
}

#[test]
fn a_lookahead_system_is_described_by_the_one_it_extends() {
    tanglewood(["systems", "arc-hybrid+"]).assert().success().stdout_eq(str![[r#"
arc-hybrid+: O(n³) time, O(n²) space, degree ∞, linear oracle
  arc-hybrid, with every word of the buffer in reach as a head
             head s1 s0 │ ahead
     dependent s0  ●  · │     ●

"#]]);
}

#[test]
fn a_summary_names_the_depth_that_was_asked_for() {
    tanglewood(["systems", "attardi:3"]).assert().success().stdout_eq(str![[r#"
attardi:3: O(n¹⁰) time, O(n⁷) space, degree 3, linear oracle
  s0 with any of s1..s3, both ways
  Attardi 2006; Cohen, Gómez-Rodríguez and Satta 2011
             head s3 s2 s1 s0
     dependent s3  ·  ·  ·  ●
     dependent s2  ·  ·  ·  ●
     dependent s1  ·  ·  ·  ●
     dependent s0  ●  ●  ●  ·

"#]]);
}

#[test]
fn an_inventory_written_out_is_a_system_too() {
    tanglewood(["systems", "s0>s1 s1>s0 b0>s1"]).assert().success().stdout_eq(str![[r#"
s1>s0 s0>s1 b0>s1: O(n⁴) time, O(n³) space, degree 2, linear oracle
             head s1 s0 │ b0
     dependent s1  ·  ● │  ●
     dependent s0  ●  · │  ·

"#]]);
}

#[test]
fn an_inventory_that_is_not_removal_closed_needs_an_oracle_by_search() {
    tanglewood(["systems", "s0>s1 s2>s0"]).assert().success().stdout_eq(str![[r#"
s2>s0 s0>s1: O(n⁶) time, O(n⁴) space, degree 2, oracle by search
             head s2 s1 s0
     dependent s1  ·  ·  ●
     dependent s0  ●  ·  ·

"#]]);
}

#[test]
fn a_system_with_bounded_frames_says_so() {
    tanglewood(["systems", "mh4", "mh5+"]).assert().success().stdout_eq(str![[r#"
mh4: O(n⁴) time, O(n³) space, degree 2, oracle by contraction and deduction
  every pair in a frame of 4 nodes, b0 the last, in which all else has been removed
  Gómez-Rodríguez, Carroll and Weir 2011
             head s2 s1 s0 │ b0
     dependent s1  ●  ·  ● │  ●
     dependent s0  ●  ●  · │  ●

mh5+: O(n⁵) time, O(n⁴) space, degree ∞, oracle by contraction and deduction
  mh5, with every word of the buffer in reach as a head
             head s3 s2 s1 s0 │ ahead
     dependent s2  ●  ·  ●  ● │     ●
     dependent s1  ●  ●  ·  ● │     ●
     dependent s0  ●  ●  ●  · │     ●

"#]]);
}

#[test]
fn without_names_every_named_system_is_listed() {
    let text = text_of(tanglewood(["systems"]).assert());
    let titles = text.lines().filter(|line| !line.starts_with(' ') && !line.is_empty());
    let names: Vec<&str> = titles.filter_map(|title| Some(title.split_once(':')?.0)).collect();
    assert_eq!(
        names,
        [
            "arc-standard",
            "arc-hybrid",
            "arc-hybrid+",
            "kuhlmann-2",
            "attardi",
            "all-deg1",
            "all-deg1+",
            "all",
            "all+",
            "all-s0s1",
            "all-s0s1+",
            "mh3",
            "mh3+",
            "mh4",
            "mh4+",
            "mh5",
            "mh5+"
        ]
    );
    assert!(!text.contains("sD") && !text.contains("K nodes"), "numbers are filled in");
}

#[test]
fn json_has_the_same_facts() {
    tanglewood(["systems", "--format", "json", "all-s0s1", "all+", "mh4"]).assert().success().stdout_eq(
        str![[r#"
[
  {
    "name": "all-s0s1",
    "inventory": [
      "s1>s0",
      "s2>s0",
      "b0>s0",
      "s0>s1",
      "s2>s1",
      "b0>s1"
    ],
    "time": 6,
    "space": 4,
    "degree": 2,
    "removal_closed": true,
    "frame": null,
    "summary": "every pair among s0..s2 and b0, but s2 is never removed",
    "citation": "Shi, Gómez-Rodríguez and Lee 2018 (all-s0s1 for D = 2)"
  },
  {
    "name": "all+",
    "inventory": [
      "s1>s0",
      "s2>s0",
      "ahead>s0",
      "s0>s1",
      "s2>s1",
      "ahead>s1",
      "s0>s2",
      "s1>s2",
      "ahead>s2"
    ],
    "time": 7,
    "space": 5,
    "degree": null,
    "removal_closed": true,
    "frame": null,
    "summary": "all, with every word of the buffer in reach as a head",
    "citation": null
  },
  {
    "name": "mh4",
    "inventory": [
      "s1>s0",
      "s2>s0",
      "b0>s0",
      "s0>s1",
      "s2>s1",
      "b0>s1"
    ],
    "time": 4,
    "space": 3,
    "degree": 2,
    "removal_closed": true,
    "frame": 4,
    "summary": "every pair in a frame of 4 nodes, b0 the last, in which all else has been removed",
    "citation": "Gómez-Rodríguez, Carroll and Weir 2011"
  }
]

"#]],
    );
}

#[test]
fn a_wrong_name_gets_the_nearest_ones_suggested() {
    tanglewood(["systems", "atardi"]).assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: no system is called `atardi`; did you mean `attardi` or `attardi:3`?

"#]]);
}

#[test]
fn a_name_like_no_other_is_sent_to_the_list() {
    tanglewood(["systems", "eisner"]).assert().code(2).stderr_eq(str![[r#"
error: no system is called `eisner`; `tanglewood systems` lists the names

"#]]);
}

#[test]
fn a_mistake_in_an_inventory_is_pointed_out() {
    tanglewood(["systems", "s0>s1 s1>x"]).assert().code(2).stderr_eq(str![[r#"
error: `x` is not a slot; expected s0 to s15, b0 to b15, or ahead

"#]]);
    tanglewood(["systems", "s0>b0"]).assert().code(2).stderr_eq(str![[r#"
error: `s0>b0` removes a node that is not on the stack; expected a dependent slot s0, s1, …

"#]]);
}

#[test]
fn depths_and_plus_signs_that_make_no_sense_are_explained() {
    tanglewood(["systems", "attardi:99"]).assert().code(2).stderr_eq(str![[r#"
error: `99` in `attardi:99` is not a depth; expected a number from 1 to 15

"#]]);
    tanglewood(["systems", "arc-standard:2"]).assert().code(2).stderr_eq(str![[r#"
error: `arc-standard` exists for one depth only; leave out `:2`

"#]]);
    tanglewood(["systems", "attardi+"]).assert().code(2).stderr_eq(str![[r#"
error: `attardi` takes no head from the buffer, so `attardi+` would be the same system; leave out the `+`

"#]]);
}

#[test]
fn all_trees_can_be_named_too() {
    let text = text_of(tanglewood(["systems", "any", "arc-standard"]).assert());
    assert!(text.starts_with("any: O(n²) time, O(n²) space\n  all trees"), "{text}");
    assert!(text.contains("\n\narc-standard: "), "{text}");
    let json = text_of(tanglewood(["systems", "mst", "--format", "json"]).assert());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["name"], &json[0]["time"]), (&"any".into(), &2.into()));
    let page = text_of(tanglewood(["systems", "any", "--format", "html"]).assert());
    assert!(page.contains("<figcaption>any</figcaption>"), "{page}");
}
