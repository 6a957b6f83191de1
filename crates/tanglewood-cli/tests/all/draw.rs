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
fn trees_can_be_wrapped_close_together_or_vertical() {
    let line = ["draw", SAMPLE, "--sentence", "de-extraposed-relative-1"];
    let with = |more: &[&str]| drawn(&[&line[..], more].concat());
    let width = |svg: &str| -> f64 {
        svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let plain = with(&[]);
    assert_eq!(with(&["--layout", "line"]), plain);
    let wrapped = with(&["--layout", "wrap", "--width", "500"]);
    assert!(width(&wrapped) <= 500.0 && width(&plain) > 500.0);
    assert!(width(&with(&["--layout", "compact"])) < width(&plain));
    assert!(width(&with(&["--layout", "vertical"])) < 400.0);
    for layout in ["wrap", "compact", "vertical"] {
        let path = format!("crates/tanglewood-cli/tests/pictures/{layout}.svg");
        assert_is_file(with(&["--layout", layout, "--width", "500"]), &path);
    }
}

#[test]
fn latex_is_written_for_tikz_dependency() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING));
    folder.run(["draw", "a.conllu", "-o", "a.tex"]).success();
    let tex = String::from_utf8(folder.read("a.tex")).unwrap();
    assert!(tex.starts_with("\\documentclass{standalone}"));
    assert!(tex.contains("w1 \\& w2 \\& w3 \\& w4 \\\\"));
    assert_eq!(tex.matches("\\depedge").count(), 3);
    assert_eq!(tex.matches('{').count(), tex.matches('}').count());
}

#[test]
fn pdf_has_one_page_of_the_picture_s_size_and_its_table_of_objects_is_right() {
    let folder = Folder::with("a.conllu", sentence("x", CROSSING));
    for more in [&["--layout", "compact"][..], &["--derivation", "all"], &[]] {
        let output = folder.run(["draw", "a.conllu", "-o", "a.pdf"].iter().chain(more)).get_output().clone();
        if !output.status.success() {
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(message.contains("PDF needs fonts, and none is installed"), "{message}");
            return;
        }
        let pdf = folder.read("a.pdf");
        let text = String::from_utf8_lossy(&pdf);
        assert!(pdf.starts_with(b"%PDF-1.7") && text.ends_with("%%EOF\n"));
        let start: usize = text.lines().rev().nth(1).unwrap().parse().unwrap();
        assert!(pdf[start..].starts_with(b"xref\n0 5\n"));
        let table = String::from_utf8(pdf[start..].to_vec()).unwrap();
        for (number, line) in table.lines().skip(3).take(4).enumerate() {
            let place: usize = line[..10].parse().unwrap();
            assert!(pdf[place..].starts_with(format!("{} 0 obj", number + 1).as_bytes()), "{line}");
        }
    }
}

#[test]
fn a_page_of_words_from_right_to_left_is_seen_from_the_right() {
    let hebrew = "1\tהילד\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tאכל\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
    let folder = Folder::with("a.conllu", hebrew);
    folder.run(["draw", "a.conllu", "-o", "a.html"]).success();
    assert!(
        String::from_utf8(folder.read("a.html"))
            .unwrap()
            .contains("class=\"picture\" tabindex=\"0\" dir=\"rtl\"")
    );
    let steps = folder.run(["draw", "a.conllu", "--derivation", "all"]).success().get_output().stdout.clone();
    assert!(String::from_utf8(steps).unwrap().contains("\u{200E}אכל\u{200E} → \u{200E}הילד\u{200E}"));
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
        (
            &["draw", "a.conllu", "-o", "a.gif"][..],
            "expected a name that ends in .svg, .png, .pdf, .tex or .html",
        ),
        (
            &["draw", "a.conllu", "--sentence", "7"],
            "no sentence `7` in a.conllu; expected a sent_id, or an index from 0 to 0",
        ),
        (&["draw", "long.conllu"], "sentence 0 has 2001 words; expected at most 2000"),
        (&["draw", "none.conllu"], "there is no sentence in none.conllu"),
        (&["draw"], "required"),
        (&["draw", "a.conllu", "--derivation", "all", "-o", "a.tex"], "LaTeX has trees only"),
        (&["draw", "a.conllu", "--layout", "wrap", "-o", "a.tex"], "leave out --layout"),
        (&["draw", "a.conllu", "--derivation", "all", "--layout", "wrap"], "only trees have a --layout"),
        (&["draw", "a.conllu", "--layout", "round"], "possible values: line, wrap, compact, vertical"),
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
    let command = "tanglewood coverage . --systems arc-standard,attardi,kuhlmann-2 --direction ltr --by treebank --format html";
    assert!(report.contains(&format!("<pre>{command}</pre>")), "it says how it was made");
    assert!(report.contains(concat!("Made by tanglewood ", env!("CARGO_PKG_VERSION"))));
    assert!(report.contains("from 2 files: ./xx_a-ud-test.conllu, ./yy_b-ud-test.conllu."));
    assert!(report.contains("&lt;script&gt;alert(1)&lt;/script&gt; in ./xx_a-ud-test.conllu, which"));
    assert!(report.contains("arc-standard 0.00 %"), "systems that cover nothing are in the plot, too");
    assert!(report.contains("@media print"));
    assert!(!report.replace("http://www.w3.org/2000/svg", "").contains("http"));
    folder.run(arguments.iter().chain(&["-o", "r3.html", "--jobs", "3"])).success();
    assert_eq!(folder.read("r3.html"), report.as_bytes());
}
