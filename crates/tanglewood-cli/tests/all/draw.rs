use snapbox::{Data, IntoData, assert_data_eq};

use crate::harness::{CROSSING, Folder, SAMPLE, root, sentence, tanglewood};

/// What the program draws, as text.
fn drawn(arguments: &[&str]) -> String {
    let output = tanglewood(arguments).assert().get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

/// Compares with a file of the repository, which `SNAPSHOTS=overwrite` rewrites.
fn assert_is_file(picture: String, path: &str) {
    assert_data_eq!(picture.into_data().raw(), Data::read_from(&root().join(path), None).raw());
}

#[test]
fn a_tree() {
    let picture = drawn(&["draw", SAMPLE, "--sentence", "en-extraposed-pp-1", "--no-tags"]);
    assert_is_file(picture, "docs/images/crossing.svg");
}

#[test]
fn a_tree_with_tags_in_the_dark() {
    let picture = drawn(&["draw", SAMPLE, "--sentence", "de-extraposed-relative-2", "--theme", "dark"]);
    assert_is_file(picture, "crates/tanglewood-cli/tests/pictures/dark.svg");
}

#[test]
fn a_derivation() {
    let picture =
        drawn(&["draw", SAMPLE, "--sentence", "sv-preposition-stranding-1", "--derivation", "all-s0s1"]);
    assert_is_file(picture, "docs/images/derivation.svg");
}

#[test]
fn a_system() {
    assert_is_file(drawn(&["draw", "--system-diagram", "mh4+"]), "docs/images/mh4.svg");
}

#[test]
fn a_sentence_in_a_script_from_right_to_left() {
    let hebrew = "1\tהילד\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tאכל\t_\tVERB\t_\t_\t0\troot\t_\t_\n3\tתפוח\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n\n";
    let output = tanglewood(["draw", "-"]).stdin(hebrew).assert().success().get_output().stdout.clone();
    assert_is_file(String::from_utf8(output).unwrap(), "crates/tanglewood-cli/tests/pictures/hebrew.svg");
}

#[test]
fn a_system_that_gets_stuck_is_drawn_as_far_as_it_gets_and_the_answer_is_no() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING));
    let run = folder.run(["draw", "a.conllu", "--derivation", "arc-standard", "-o", "a.svg"]);
    let output = run.code(1).get_output().stderr.clone();
    assert!(String::from_utf8(output).unwrap().contains("arc-standard cannot build sentence 0 (x)"));
    assert!(String::from_utf8(folder.read("a.svg")).unwrap().contains(">shift</text>"));
}

#[test]
fn png_where_there_are_fonts_and_a_clear_error_where_there_are_none() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING));
    let output = folder.run(["draw", "a.conllu", "-o", "a.png"]).get_output().clone();
    if output.status.success() {
        assert!(folder.read("a.png").starts_with(b"\x89PNG"));
    } else {
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("PNG needs fonts, and none is installed"), "{message}");
        assert_eq!(folder.names(), ["a.conllu"]);
    }
}

#[test]
fn a_page_has_all_sentences_and_needs_nothing_else() {
    let folder = Folder::with("a.conllu", sentence("<b>one", CROSSING) + &sentence("two", CROSSING));
    folder.run(["draw", "a.conllu", "-o", "a.html"]).success();
    let page = String::from_utf8(folder.read("a.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("Sentence 0 (&lt;b&gt;one)"));
    assert!(!page.contains("src=") && !page.contains("href="));
}

#[test]
fn a_page_of_one_derivation_has_the_arcs_so_far_at_each_step() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING));
    for direction in ["ltr", "rtl"] {
        let arguments =
            ["draw", "a.conllu", "--sentence", "x", "--derivation", "all", "--direction", direction];
        folder.run(arguments.iter().chain(&["-o", "a.html"])).success();
        let page = String::from_utf8(folder.read("a.html")).unwrap();
        // The tree, and for each of nine steps and for the end two pictures.
        assert_eq!(page.matches("<svg").count(), 1 + 2 * 10);
        assert!(page.contains("Step 9: s1&gt;s0") && page.contains("Step 10: the end"));
        let (_, end) = page.split_once("Step 10: the end").unwrap();
        assert_eq!(end.matches("data-head=").count(), 4);
    }
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let long: Vec<usize> = (0..2001).collect();
    let folder = Folder::with("a.conllu", sentence("x", CROSSING))
        .and("long.conllu", sentence("y", &long))
        .and("none.conllu", "");
    for (arguments, message) in [
        (&["draw", "a.conllu", "-o", "a.gif"][..], "expected a name that ends in .svg, .png or .html"),
        (
            &["draw", "a.conllu", "--sentence", "7"],
            "no sentence `7` in a.conllu; expected a sent_id, or an index from 0 to 0",
        ),
        (&["draw", "long.conllu"], "sentence 0 has 2001 words; expected at most 2000"),
        (&["draw", "none.conllu"], "there is no sentence in none.conllu"),
        (&["draw"], "required"),
    ] {
        let output = folder.run(arguments).code(2).get_output().stderr.clone();
        let output = String::from_utf8(output).unwrap();
        assert!(output.contains(message), "{output}");
    }
    assert_eq!(folder.names().len(), 3);
}

#[test]
fn systems_as_a_page_have_a_diagram_each() {
    let page = drawn(&["systems", "all", "mh4+", "--format", "html"]);
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("O(n⁷) time"));
}

#[test]
fn the_report_of_coverage_needs_nothing_else_and_escapes_everything() {
    // attardi can build the first and not the second.
    let text = sentence("one", CROSSING)
        + &sentence("<script>alert(1)</script>", &[4, 5, 6, 0, 4, 4]).replace("w2", "<script>");
    let folder =
        Folder::with("xx_a-ud-test.conllu", text).and("yy_b-ud-test.conllu", sentence("two", &[2, 0, 2]));
    let arguments = [
        "coverage",
        ".",
        "--systems",
        "arc-standard,attardi,kuhlmann-2",
        "--by",
        "treebank",
        "--format",
        "html",
    ];
    folder.run(arguments.iter().chain(&["-o", "r.html", "--jobs", "1"])).success();
    let report = String::from_utf8(folder.read("r.html")).unwrap();
    assert!(report.contains("2 of 3 sentences are non-projective"));
    assert!(report.contains(">xx_a</th>") && report.contains(">yy</th>"));
    assert!(report.contains("dep × dep") && report.contains("&lt;script&gt;"));
    assert_eq!(report.matches("<script>").count(), 1, "that of the page itself");
    assert!(!report.replace("http://www.w3.org/2000/svg", "").contains("http"));
    folder.run(arguments.iter().chain(&["-o", "r3.html", "--jobs", "3"])).success();
    assert_eq!(folder.read("r3.html"), report.as_bytes());
}
