//! The explorer's page in a real browser. `cargo xtask test` runs these if there is a Chromium.

use std::time::Instant;

use serde_json::json;
use tanglewood::conllu::Sentences;
use tanglewood::draw::Word;
use tanglewood::sample::TREEBANK;

use crate::chromium::Browser;
use crate::harness::Folder;
use crate::host::{hosts, pages};

/// Waits for what is said below the text field, or above the table if all is well.
pub fn wait_for_text(browser: &mut Browser, selector: &str, text: &str) {
    browser.wait(&format!(
        "document.querySelector({}).textContent.includes({})",
        json!(selector),
        json!(text)
    ));
}

pub fn covered(browser: &mut Browser, system: &str, direction: &str) -> bool {
    browser.text(&format!("tr[data-system=\"{system}\"] [data-direction={direction}]")) == "✓"
}

/// Nothing went wrong in the page beside what was expected.
pub fn assert_no_errors(browser: &Browser) {
    // Refusals are answers with a status that browsers log.
    let unexpected: Vec<_> = browser.errors.iter().filter(|error| !error.contains("422")).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_pasting_a_sentence_draws_it_and_says_who_covers_it() {
    for (_host, mut browser) in pages("") {
        let text = "# x\n1\tA\t_\tX\t_\t_\t3\tdep\t_\t_\n2\t<script>window.hacked=true</script>\t_\tX\t_\t_\t4\tdep\t_\t_\n3\tC\t_\tX\t_\t_\t0\troot\t_\t_\n4\tD\t_\tX\t_\t_\t3\tdep\t_\t_\n\n";
        browser.paste("#text", text);
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 4");
        wait_for_text(&mut browser, "#summary", "2 pairs of arcs cross");
        assert!(!covered(&mut browser, "arc-standard", "ltr"));
        assert!(covered(&mut browser, "attardi", "ltr"));
        assert!(browser.text("#tree [data-word='2'] title").contains("<script>"));
        assert!(browser.text("#tree [data-word='2'] .form").starts_with("<script>"));
        assert_eq!(browser.value("typeof window.hacked"), "undefined");
        assert_eq!(browser.value("document.querySelectorAll('#tree .crossing .line').length"), 3);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_steps_go_forwards_and_backwards_by_button_and_key() {
    for (_host, mut browser) in pages("#text=3+4+0+3") {
        let arcs = "document.querySelectorAll('#tree g[data-head].built').length";
        wait_for_text(&mut browser, "#where", "Step 0 of 9: next shift");
        browser.click("#forward");
        wait_for_text(&mut browser, "#where", "Step 1 of 9");
        browser.key("ArrowRight");
        wait_for_text(&mut browser, "#where", "Step 2 of 9");
        browser.click("h1");
        browser.key("End");
        wait_for_text(&mut browser, "#where", "Step 9 of 9: done");
        assert_eq!(browser.value(arcs), 4);
        browser.key("ArrowLeft");
        wait_for_text(&mut browser, "#where", "Step 8 of 9: next s1>s0, ROOT → \u{2068}3\u{2069}");
        browser.click("#back");
        wait_for_text(&mut browser, "#where", "Step 7 of 9");
        browser.key("Home");
        wait_for_text(&mut browser, "#where", "Step 0 of 9");
        assert_eq!(browser.value(arcs), 0);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_dragging_an_arc_changes_the_head_and_so_does_the_keyboard() {
    for (_host, mut browser) in pages("#text=a%2F2+b%2F0+c%2F2+d%2F3") {
        wait_for_text(&mut browser, "#summary", "projective");
        browser.value("document.querySelector('#tree').scrollIntoView({ block: 'center' })");
        let middle_of_arc = "(() => { const p = document.querySelector('#tree g[data-dependent=\"4\"] .hit'); const at = p.getPointAtLength(p.getTotalLength() / 2); const s = new DOMPoint(at.x, at.y).matrixTransform(p.getScreenCTM()); return [s.x, s.y]; })()";
        let word = |number: usize| {
            format!(
                "(() => {{ const r = document.querySelector('#tree [data-word=\"{number}\"] .form').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
            )
        };
        let (from, to) = (browser.place(middle_of_arc), browser.place(&word(1)));
        browser.drag(from, to);
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/2 d/1'");
        wait_for_text(&mut browser, "#summary", "non-projective");
        assert!(!covered(&mut browser, "arc-standard", "ltr"));
        // To the top edge: the root. With two roots nothing crosses any more but the second root's arc.
        browser.wait("document.querySelector('#tree g[data-head=\"1\"][data-dependent=\"4\"] .hit')");
        let from = browser.place(&word(4));
        let top = browser.place("(() => { const r = document.querySelector('#tree svg').getBoundingClientRect(); return [r.x + 20, r.y + 8]; })()");
        browser.drag(from, top);
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/2 d/0'");
        // A drag that would make a cycle is refused, and nothing changes.
        browser.wait("document.querySelector('#tree g[data-head=\"0\"][data-dependent=\"4\"]')");
        let (from, to) = (browser.place(&word(2)), browser.place(&word(3)));
        browser.drag(from, to);
        wait_for_text(&mut browser, "#text-message", "the heads form a cycle: 2 → 3 → 2");
        assert_eq!(browser.value("document.querySelector('#text').value"), "a/2 b/0 c/2 d/0");
        // The same with the keyboard: c under a.
        browser.value("document.querySelector('#tree [data-word=\"3\"]').focus()");
        browser.key("Enter");
        wait_for_text(&mut browser, "#tree-hint", "Choose the new head of \u{2068}c\u{2069}");
        browser.key("ArrowLeft");
        browser.key("ArrowLeft");
        browser.key("Enter");
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/1 d/0'");
        browser.wait("document.querySelector('#text-message').textContent === ''");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_switching_the_system_shows_how_or_why_not() {
    for (_host, mut browser) in pages("#text=3+4+0+3") {
        browser.click("tr[data-system='arc-standard'] [data-direction=ltr]");
        wait_for_text(&mut browser, "#why", "arc-standard cannot build this tree");
        wait_for_text(&mut browser, "#why", "is not in the inventory");
        wait_for_text(&mut browser, "#where", ": stuck");
        browser.paste("#system", "mh4+");
        browser.key("Enter");
        browser.wait("document.querySelector('#why').hidden");
        wait_for_text(&mut browser, "#where", "Step 0 of 9");
        browser.paste("#system", "atardi");
        browser.key("Enter");
        wait_for_text(&mut browser, "#system-message", "did you mean `attardi`");
        assert_eq!(browser.text("#text-message"), "");
        assert_eq!(browser.text("#system-message button"), "attardi");
        browser.click("#system-message button");
        browser.wait("document.querySelector('#system').value === 'attardi'");
        browser.wait("document.querySelector('#system-message').textContent === ''");
        browser.wait("!document.querySelector('#tree-view').classList.contains('stale')");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_matrix_gives_trees_and_a_heat_map() {
    for (_host, mut browser) in pages("#view=scores") {
        assert!(browser.text("#trees li:first-child").contains("score 30, heads 3 4 0 3"));
        browser.paste("#matrix", "0 1 2\n0 0 3\n0 4 0");
        wait_for_text(&mut browser, "#trees", "score 6, heads 2 0");
        assert_eq!(browser.value("document.querySelectorAll('#heat td').length"), 6);
        assert_eq!(browser.text("#heat tr:nth-child(4) td:nth-child(2)"), "0.94");
        browser.click("#trees li:nth-child(2) button");
        browser.wait("document.querySelector('#heat tr:nth-child(2) td:nth-child(2)').className === 'best'");
        browser.paste("#matrix", "0 1 2\n0 0 3\n0 4");
        wait_for_text(&mut browser, "#matrix-message", "Line 3: 2 numbers; expected 3");
        assert_eq!(browser.value("getComputedStyle(document.querySelector('#heat')).opacity"), "0.4");
        assert_eq!(browser.value("getComputedStyle(document.querySelector('#best')).opacity"), "0.4");
        assert_eq!(browser.text("#matrix-gutter .bad"), "3");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_link_reproduces_the_view() {
    for (host, mut browser) in pages("") {
        browser.paste("#text", "a/3 b/4 c/0/root d/3\nx/0 y/1");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 4");
        browser.click("tr[data-system='all'] [data-direction=rtl]");
        browser.wait("document.querySelector('#direction').value === 'rtl'");
        browser.click("#last");
        wait_for_text(&mut browser, "#where", "done");
        browser.click("#back");
        wait_for_text(&mut browser, "#where", "Step 8 of 9");
        let view = "['#where', '#coverage', '#tree', '#configuration'].map(id => document.querySelector(id).textContent).concat(document.querySelector('#text').value, document.querySelector('#system').value, document.querySelector('#direction').value)";
        let before = browser.value(view);
        browser.wait("location.hash.includes('step=8')");
        let link = browser.value("location.href").as_str().unwrap().to_owned();
        assert!(link.starts_with(&host.url()));
        browser.open(&link);
        wait_for_text(&mut browser, "#where", "Step 8 of 9");
        assert_eq!(browser.value(view), before);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_bad_input_is_shown_at_its_line() {
    for (_host, mut browser) in pages("") {
        browser.paste("#text", "# x\n1\ta\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t9\tdep\t_\t_\n");
        wait_for_text(&mut browser, "#text-message", "Line 3, column");
        assert_eq!(browser.text("#text-gutter .bad"), "3");
        assert_eq!(browser.value("document.querySelector('#tree-view').classList.contains('stale')"), true);
        assert_eq!(browser.value("document.querySelector('#text').getAttribute('aria-invalid')"), "true");
        browser.paste("#text", "# x\n1\ta\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n");
        browser.wait("document.querySelector('#text-message').textContent === ''");
        assert_eq!(browser.value("document.querySelector('#text-gutter .bad')"), json!(null));
        // A mistake in another sentence is shown, too, and does not keep this one from being drawn.
        browser.paste("#text", "a/0 b/1 c/1\n\nd/7");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 3");
        wait_for_text(&mut browser, "#text-message", "Line 3: word 1 has head 7");
        assert_eq!(browser.text("#text-gutter .bad"), "3");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_the_first_tree_is_there_within_two_seconds() {
    for host in hosts(&[]) {
        // Other programs may be running: of three, the best counts. Each browser begins with nothing in its
        // cache.
        let times: Vec<f64> = (0..3)
            .map(|_| {
                let mut browser = Browser::start();
                let begun = Instant::now();
                browser.open(&host.url());
                browser.wait("document.querySelector('#tree svg') && document.querySelector('#coverage td')");
                begun.elapsed().as_secs_f64()
            })
            .collect();
        println!("first tree, with a server: {}: {times:.2?} s", host.is_server());
        assert!(times.iter().any(|&time| time < 2.0), "{times:?}");
    }
}

/// A sentence in which every word hangs from the one two before, so that each arc crosses two others; the
/// last word hangs from the given one.
fn crossing_chain(words: usize, last: usize) -> String {
    let heads = (1..words).map(|word: usize| if word <= 2 { word - 1 } else { word - 2 });
    let heads = heads.chain([last]).enumerate();
    heads.map(|(at, head)| format!("word{at}/{head}/dep")).collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_forty_words_are_redrawn_within_50_ms_and_a_hundred_within_150() {
    for (_host, mut browser) in pages("") {
        for (words, most) in [(40, 50.0), (100, 150.0)] {
            browser.value("performance.clearMeasures()");
            browser.paste("#text", &crossing_chain(words, 1));
            // The tree is drawn before coverage is there, with which the measure ends.
            browser.wait(&format!(
                "document.querySelectorAll('#tree [data-word]').length === {words} \
                 && performance.getEntriesByName('edit to coverage').length > 0"
            ));
            // Other programs may be running: of three rounds, the best counts.
            let medians: Vec<f64> = (0..3).map(|_| median_of_edits(&mut browser, words)).collect();
            assert!(medians.iter().any(|&median| median < most), "{words} words: {medians:?}");
        }
        assert_no_errors(&browser);
    }
}

/// Changes the last head again and again, and gives the median time from a change to what is drawn, in
/// milliseconds.
fn median_of_edits(browser: &mut Browser, words: usize) -> f64 {
    browser.value("performance.clearMeasures()");
    for edit in 2..=20 {
        browser.paste("#text", &crossing_chain(words, edit));
        browser.wait(&format!("performance.getEntriesByName('edit to coverage').length === {}", edit - 1));
        let head = format!("document.querySelector('#tree [data-dependent=\"{words}\"]').dataset.head");
        assert_eq!(browser.value(&head), edit.to_string());
    }
    let times =
        browser.value("performance.getEntriesByName('edit to coverage').map(entry => entry.duration)");
    let mut times: Vec<f64> = times.as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!("edit to redrawn coverage, {words} words: median {median:.1} ms, worst {worst:.1} ms");
    median
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_no_two_labels_overlap_as_they_are_really_drawn() {
    for (_host, mut browser) in pages("") {
        browser.paste("#text", TREEBANK);
        browser.wait("document.querySelector('#sentence').options.length === 84");
        let overlaps = "(() => { const boxes = [...document.querySelectorAll('#tree text')].map(t => [t.textContent, t.getBBox()]); return boxes.flatMap(([a, r], i) => boxes.slice(i + 1).filter(([, s]) => r.x < s.x + s.width && s.x < r.x + r.width && r.y + 2 < s.y + s.height - 2 && s.y + 2 < r.y + r.height - 2).map(([b]) => `${a}|${b}`)); })()";
        for (at, sentence) in Sentences::of(TREEBANK.as_bytes()).enumerate() {
            let forms: Vec<String> = Word::of(&sentence).into_iter().map(|word| word.form).collect();
            browser.value(&format!("(() => {{ const s = document.querySelector('#sentence'); s.value = {at}; s.dispatchEvent(new Event('change')); }})()"));
            let drawn = format!(
                "document.querySelector('#tree svg title').textContent === {}",
                json!(forms.join(" "))
            );
            browser.wait(&drawn);
            assert_eq!(browser.value(overlaps), json!([]), "{forms:?}");
        }
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_the_page_fits_a_phone_and_the_dark() {
    for (_host, mut browser) in pages("") {
        browser.size(390, 844);
        for view in ["tree", "scores"] {
            browser.click(&format!("nav [data-view={view}]"));
            browser.wait(&format!(
                "!document.querySelector('#{}-view').hidden",
                if view == "tree" { "tree" } else { "score" }
            ));
            browser.wait("document.querySelector('#heat td, #coverage td')");
            assert_eq!(browser.value("document.documentElement.scrollWidth"), 390, "{view}");
        }
        browser.wait("document.querySelector('#best .paper')");
        browser.media("screen", "dark");
        assert_eq!(browser.value("getComputedStyle(document.body).backgroundColor"), "rgb(13, 17, 23)");
        assert_eq!(
            browser.value("getComputedStyle(document.querySelector('#best .paper')).fill"),
            "rgb(13, 17, 23)"
        );
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_the_report_opens_from_a_file_and_its_table_can_be_sorted() {
    let sample = TREEBANK
        .split("\n\n")
        .filter(|sentence| sentence.contains("# lang = de"))
        .collect::<Vec<_>>()
        .join("\n\n");
    let folder = Folder::with("xx_a-ud.conllu", sample).and("yy_b-ud.conllu", TREEBANK);
    folder.run(["coverage", ".", "--systems", "all", "--format", "html", "-o", "report.html"]).success();
    let mut browser = Browser::start();
    browser.call("Network.enable", json!({}));
    browser.call(
        "Network.emulateNetworkConditions",
        json!({ "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 }),
    );
    browser.open(&format!("file://{}", folder.path("report.html").display()));
    let first = "document.querySelector('.sortable tbody th').textContent";
    assert!(browser.value(first).as_str().unwrap().contains("xx_a"));
    browser.click(".sortable thead th:nth-child(2) button");
    assert!(browser.value(first).as_str().unwrap().contains("yy_b"));
    assert_eq!(
        browser.value("document.querySelector('.sortable thead th:nth-child(2)').ariaSort"),
        "descending"
    );
    assert!(browser.value("document.querySelectorAll('svg.tw').length").as_u64().unwrap() > 3);
    assert_no_errors(&browser);
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_model_parses_a_sentence_that_is_typed() {
    for (_host, mut browser) in pages("") {
        browser.wait("!document.querySelector('#parse').hidden");
        browser.paste("#text", "Vem pratar du med ?");
        wait_for_text(&mut browser, "#text-message", "a sentence without heads");
        browser.click("#parse");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 5");
        let text = browser.value("document.querySelector('#text').value");
        assert!(text.as_str().unwrap().contains("# text = Vem pratar du med ?"), "{text}");
        browser.wait("document.querySelector('#text-message').textContent === ''");
        assert_no_errors(&browser);
    }
}
