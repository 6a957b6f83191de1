use tanglewood::conllu::{Sentences, Validator};
use tanglewood::draw::{self, Layout, Style, Theme, Word};
use tanglewood::inference::Random;
use tanglewood::sample::TREEBANK;
use tanglewood::{Configuration, Direction, Oracle, System, Tree};

/// The sample treebank as trees and words.
fn sample() -> Vec<(Tree, Vec<Word>)> {
    let mut validator = Validator::new();
    Sentences::of(TREEBANK.as_bytes())
        .map(|sentence| (validator.tree(&sentence).unwrap(), Word::of(&sentence)))
        .collect()
}

/// A random tree of `words` words in which every word got a head among those before it in a random order:
/// most arcs cross.
fn random_tree(words: usize, random: &mut Random) -> Tree {
    let mut order: Vec<usize> = (1..=words).collect();
    for at in (1..words).rev() {
        order.swap(at, (random.uniform() * (at + 1) as f64) as usize);
    }
    let mut heads = vec![0; words];
    for at in 1..words {
        heads[order[at] - 1] = order[(random.uniform() * at as f64) as usize];
    }
    Tree::from_heads(&heads).unwrap()
}

/// Words whose forms, tags and relations are of all lengths, and missing at times.
fn random_words(words: usize, random: &mut Random) -> Vec<Word> {
    let mut text = |longest: f64| {
        let letters = ["a", "W", "m", "ß", "語", "नि", "e\u{301}", "…"];
        let length = (random.uniform() * longest) as usize;
        (0..length).map(|_| letters[(random.uniform() * 8.0) as usize]).collect::<String>()
    };
    (0..words).map(|_| Word { form: text(40.0), tag: text(12.0), relation: text(20.0) }).collect()
}

/// Checks that all texts of a layout are inside the picture and none is on another.
fn assert_no_overlap(layout: &Layout, what: &dyn Fn() -> String) {
    let labels: Vec<_> = layout.labels().filter(|label| !label.text.is_empty()).collect();
    for (at, label) in labels.iter().enumerate() {
        let inside = label.bounds.left >= 0.0
            && label.bounds.top >= 0.0
            && label.bounds.right <= layout.width
            && label.bounds.bottom <= layout.height;
        assert!(inside, "{label:?} sticks out of {}", what());
        for other in &labels[at + 1..] {
            assert!(!label.bounds.overlap(&other.bounds), "{label:?} and {other:?} overlap in {}", what());
        }
    }
}

#[test]
fn no_two_labels_overlap_on_the_sample_treebank() {
    for (tree, words) in sample() {
        assert_no_overlap(&Layout::new(&tree, &words, true), &|| format!("{words:?}"));
    }
}

#[test]
fn no_two_labels_overlap_on_random_trees() {
    let mut random = Random::new(7);
    for round in 0..1000 {
        let words = 1 + round % 40;
        let tree = random_tree(words, &mut random);
        let texts = random_words(words, &mut random);
        assert_no_overlap(&Layout::new(&tree, &texts, true), &|| format!("{tree:?}"));
    }
}

#[test]
fn overlapping_labels_would_be_noticed() {
    let (tree, words) = sample().swap_remove(0);
    let mut layout = Layout::new(&tree, &words, true);
    layout.forms[1].bounds.left = layout.forms[0].bounds.left;
    let caught = std::panic::catch_unwind(|| assert_no_overlap(&layout, &String::new));
    assert!(caught.is_err());
}

#[test]
fn arcs_on_the_same_height_have_at_most_a_word_in_common_and_no_point() {
    let mut random = Random::new(11);
    for words in 2..40 {
        let layout = Layout::new(&random_tree(words, &mut random), &[], true);
        let arcs: Vec<_> = layout.arcs.iter().filter(|arc| arc.head > 0).collect();
        for (at, arc) in arcs.iter().enumerate() {
            for other in arcs[at + 1..].iter().filter(|other| other.height == arc.height) {
                let (left, right) = (arc.from.min(arc.to), arc.from.max(arc.to));
                let (other_left, other_right) = (other.from.min(other.to), other.from.max(other.to));
                assert!(right < other_left || other_right < left, "{arc:?} {other:?}");
            }
        }
    }
}

#[test]
fn arcs_are_above_the_arcs_inside_them() {
    for (tree, words) in sample() {
        let layout = Layout::new(&tree, &words, true);
        let spans = |arc: &draw::Arc| (arc.head.min(arc.dependent), arc.head.max(arc.dependent));
        for arc in layout.arcs.iter().filter(|arc| arc.head > 0) {
            for inner in layout.arcs.iter().filter(|inner| inner.head > 0 && *inner != arc) {
                let ((left, right), (from, to)) = (spans(arc), spans(inner));
                if left <= from && to <= right {
                    assert!(arc.height < inner.height);
                }
            }
        }
    }
}

#[test]
fn crossing_arcs_are_marked() {
    let tree = Tree::from_heads(&[3, 4, 0, 3]).unwrap();
    let svg = draw::tree(&tree, &[], &Style::default());
    assert!(svg.contains("<g class=\"arc crossing\" data-head=\"4\" data-dependent=\"2\">"));
    assert!(svg.contains("<g class=\"arc\" data-head=\"3\" data-dependent=\"4\">"));
}

#[test]
fn a_sentence_in_a_script_from_right_to_left_begins_on_the_right() {
    let tree = Tree::from_heads(&[0, 1, 1]).unwrap();
    let word = |form| Word::new(form, "", "");
    let hebrew = Layout::new(&tree, &[word("הילד"), word("אכל"), word("(UD)")], true);
    assert!(hebrew.from_right);
    assert!(hebrew.forms[0].centre() > hebrew.forms[1].centre());
    assert!(hebrew.forms[1].centre() > hebrew.forms[2].centre());
    let english = Layout::new(&tree, &[word("the"), word("boy"), word("הילד")], true);
    assert!(!english.from_right);
    assert!(english.forms[0].centre() < english.forms[1].centre());
    assert_no_overlap(&hebrew, &String::new);
}

#[test]
fn combining_characters_take_no_room_and_stay_with_their_letters() {
    let tree = Tree::from_heads(&[0]).unwrap();
    let width = |form: &str| {
        let bounds = Layout::new(&tree, &[Word::new(form, "", "")], true).forms[0].bounds;
        bounds.right - bounds.left
    };
    assert_eq!(width("e\u{301}e\u{301}"), width("ee"));
    let long = "e\u{301}".repeat(100);
    let layout = Layout::new(&tree, &[Word::new(&long, "", "")], true);
    assert_eq!(layout.forms[0].text, format!("{}…", "e\u{301}".repeat(32)));
    let tower = format!("e{}", "\u{301}".repeat(100_000));
    assert!(Layout::new(&tree, &[Word::new(&tower, "", "")], true).forms[0].text.len() < 2000);
}

#[test]
fn everything_in_a_picture_is_escaped() {
    let tree = Tree::from_heads(&[0]).unwrap();
    let nasty = "<script>alert('&\"')</script>\u{0}\u{1b}";
    let svg = draw::tree(&tree, &[Word::new(nasty, nasty, nasty)], &Style::default());
    assert!(!svg.contains("<script>") && !svg.contains('\u{0}') && !svg.contains('\u{1b}'));
    assert!(svg.contains("&lt;script&gt;alert(&#39;&amp;&quot;&#39;)"));
}

#[test]
fn pictures_are_light_dark_or_both() {
    let tree = Tree::from_heads(&[0]).unwrap();
    let svg = |theme| draw::tree(&tree, &[], &Style { theme, ..Style::default() });
    assert!(svg(Theme::Auto).contains("prefers-color-scheme: dark"));
    assert!(svg(Theme::Auto).contains("#ffffff") && svg(Theme::Auto).contains("#0d1117"));
    assert!(!svg(Theme::Light).contains("#0d1117"));
    assert!(!svg(Theme::Dark).contains("#ffffff"));
}

#[test]
fn missing_words_are_numbers_and_an_empty_tree_is_an_empty_picture() {
    let tree = Tree::from_heads(&[2, 0]).unwrap();
    assert!(draw::tree(&tree, &[], &Style::default()).contains(">2</text>"));
    assert!(draw::tree(&Tree::from_heads(&[]).unwrap(), &[], &Style::default()).ends_with("</svg>\n"));
}

#[test]
fn a_derivation_has_a_row_for_each_step_and_a_curve_for_each_reduce() {
    for name in ["all-s0s1", "mh4+"] {
        for (tree, words) in sample() {
            let Ok(derivation) = Oracle::new(&System::named(name).unwrap()).derivation(&tree) else {
                continue;
            };
            let svg = draw::derivation(&derivation, &words, Direction::Ltr, &Style::default()).unwrap();
            assert_eq!(svg.matches(">shift</text>").count(), tree.len() + 1);
            // One tip for each reduce, and one for each shift.
            assert_eq!(svg.matches("class=\"tip\"").count(), 2 * tree.len() + 1);
        }
    }
}

#[test]
fn a_step_shows_the_arcs_so_far() {
    let (tree, words) = sample().swap_remove(0);
    let derivation = Oracle::new(&System::named("all-s0s1").unwrap()).derivation(&tree).unwrap();
    let start = Configuration::start(tree.len());
    let svg = draw::progress(&tree, &words, &start, None, |node| node, &Style::default());
    assert!(!svg.contains("data-head"));
    for step in derivation.steps().unwrap() {
        let removed = (1..=tree.len()).filter(|&node| step.after.head(node).is_some()).count();
        let svg = draw::progress(&tree, &words, &step.after, None, |node| node, &Style::default());
        assert_eq!(svg.matches("data-head").count(), removed);
        assert_eq!(svg.matches("class=\"word removed\"").count(), removed);
    }
}

#[test]
fn a_diagram_has_an_arc_for_each_reduce() {
    for system in System::all() {
        let svg = draw::inventory(&system, &Style::default());
        assert_eq!(svg.matches("class=\"tip\"").count(), system.inventory().len(), "{system}");
    }
    let deep = System::named("all:15").unwrap();
    assert_eq!(draw::inventory(&deep, &Style::default()).matches("class=\"tip\"").count(), 256);
}
