//! The explorer's view of a model, and what can be done to single words. Which trees a model finds is not
//! tested here.

use std::time::Instant;

use serde_json::Value;

use crate::browser::{assert_no_errors, wait_for_text};
use crate::chromium::Browser;
use crate::host::pages;

/// Heads of the tree that is shown, by the numbers of their words.
fn heads(browser: &mut Browser, place: &str) -> Vec<Value> {
    let heads = format!(
        "[...document.querySelectorAll('{place} g[data-dependent][data-head]')].sort((a, b) => a.dataset.dependent - b.dataset.dependent).map(arc => Number(arc.dataset.head))"
    );
    browser.value(&heads).as_array().unwrap().clone()
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_sentence_is_parsed_while_it_is_typed_with_confidences() {
    for (_host, mut browser) in pages("#view=parse") {
        browser.wait("document.querySelectorAll('#parsed [data-word]').length >= 9");
        browser.paste("#typed", "Dogs bark .");
        browser.wait("document.querySelectorAll('#parsed [data-word]').length === 3");
        // Each arc has a probability between 0 and 1.
        let shares = "[...document.querySelectorAll('#parsed .relation')].map(label => Number(label.textContent.split(' ').at(-1)))";
        let shares = browser.value(shares);
        let shares = shares.as_array().unwrap();
        assert_eq!(shares.len(), 3);
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(&share.as_f64().unwrap())), "{shares:?}");
        browser.wait("document.querySelectorAll('#readings > li').length === 5");
        assert!(browser.text("#readings > li:nth-child(2)").contains(" of "));
        browser.click("#readings > li:nth-child(2) button");
        browser.wait("document.querySelector('#readings > li:nth-child(2) button').ariaPressed === 'true'");
        // Undo brings the sentence back, and the address stands for it.
        browser.wait("location.hash.includes('typed=Dogs')");
        browser.click("#undo");
        browser.wait("document.querySelector('#typed').value.startsWith('A review')");
        browser.paste("#typed", "");
        wait_for_text(&mut browser, "#typed-message", "there is no sentence yet");
        assert_eq!(browser.value("getComputedStyle(document.querySelector('#parsed')).opacity"), "0.4");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_an_arc_that_is_forbidden_or_required_gives_another_tree() {
    for (_host, mut browser) in pages("#view=parse&typed=Dogs+bark+at+cats+.") {
        browser.wait("document.querySelectorAll('#parsed [data-word]').length === 5");
        let before = heads(&mut browser, "#parsed");
        browser.click("#parsed [data-word='4'] .form");
        browser.wait("document.querySelector('#what-if-word').value === '4'");
        assert_eq!(browser.text("#heads .best button"), "forbid");
        browser.click("#heads .best button");
        wait_for_text(&mut browser, "#conditions", "is forbidden");
        let after = heads(&mut browser, "#parsed");
        assert_ne!(before[3], after[3]);
        browser.wait("location.hash.includes('forbid=')");
        let link = browser.value("location.href").as_str().unwrap().to_owned();
        browser.click("#conditions button");
        browser.wait("document.querySelector('#conditions').childElementCount === 0");
        assert_eq!(heads(&mut browser, "#parsed"), before);
        // Another head is required.
        browser.click("#heads tr:not(.best) button");
        wait_for_text(&mut browser, "#conditions", "is required");
        assert_ne!(heads(&mut browser, "#parsed")[3], before[3]);
        browser.open(&link);
        wait_for_text(&mut browser, "#conditions", "is forbidden");
        assert_eq!(heads(&mut browser, "#parsed"), after);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_given_tree_is_beside_the_model_s_and_its_matrix_in_the_scores() {
    for (_host, mut browser) in pages("") {
        browser.paste("#text", "Dogs/2/nsubj bark/0/root at/4/case cats/1/obl");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 4");
        browser.wait("!document.querySelector('#ask-model').hidden");
        browser.click("#ask-model");
        browser.wait("document.querySelectorAll('#gold [data-word]').length === 4");
        assert_eq!(heads(&mut browser, "#gold"), [2, 0, 4, 1]);
        let model = heads(&mut browser, "#parsed");
        let same = model.iter().zip([2, 0, 4, 1]).filter(|(model, gold)| **model == *gold).count();
        let said = browser.text("#gold-summary");
        assert!(said.contains(&format!("{same} of 4 heads")) || said.contains("says the same"), "{said}");
        browser.click("#to-scores");
        browser.wait("document.querySelectorAll('#heat td').length === 20");
        assert_eq!(heads(&mut browser, "#best"), model);
        assert_eq!(browser.value("document.querySelector('#words').value"), "Dogs bark at cats");
        browser.value("history.back()");
        browser.wait("!document.querySelector('#parse-view').hidden");
        browser.click("#to-tree");
        browser.wait("!document.querySelector('#tree-view').hidden");
        browser.wait("document.querySelector('#text').value.includes('\\tDogs\\t')");
        assert_eq!(heads(&mut browser, "#tree"), model);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_forty_words_are_parsed_while_one_types() {
    for (_host, mut browser) in pages("#view=parse") {
        browser.wait("document.querySelector('#parsed [data-word]')");
        let words = "The dog that we saw in the garden of the house barked at a cat ".repeat(2);
        let mut times = Vec::new();
        for round in 0..8 {
            let begun = Instant::now();
            browser.value("performance.clearMeasures()");
            browser.paste("#typed", &format!("{words} and it ran away{} .", " again".repeat(round)));
            browser.wait("performance.getEntriesByName('edit to parse').length === 1");
            let time = browser.value("performance.getEntriesByName('edit to parse')[0].duration");
            times.push(time.as_f64().unwrap());
            assert!(begun.elapsed().as_secs() < 20);
        }
        times.sort_by(f64::total_cmp);
        println!("edit to parse, 35 to 42 words: median {:.0} ms, worst {:.0} ms", times[4], times[7]);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_relations_and_tags_are_changed_by_menu_and_key() {
    for (_host, mut browser) in pages("#text=a%2F2%2Fdet+b%2F0%2Froot") {
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 2");
        assert_eq!(browser.value("document.querySelector('#word-group').hidden"), true);
        browser.value("document.querySelector('#tree [data-word=\"1\"]').focus()");
        assert_eq!(browser.value("document.querySelector('#relation').value"), "det");
        browser.key("r");
        assert_eq!(browser.value("document.activeElement.id"), "relation");
        browser.paste("#relation", "amod");
        browser.key("Enter");
        browser.wait("document.querySelector('#text').value === 'a/2/amod b/0/root'");
        browser.wait("document.activeElement.dataset.word === '1'");
        // Escape leaves a word as it is.
        browser.key("t");
        browser.paste("#tag", "X");
        browser.key("Escape");
        assert_eq!(browser.value("document.activeElement.dataset.word"), "1");
        assert_eq!(browser.value("document.querySelector('#tag').value"), "");
        browser.key("t");
        browser.paste("#tag", "ADJ");
        browser.key("Enter");
        browser.wait("document.querySelector('#text').value.startsWith('1\\ta\\t_\\tADJ')");
        browser.wait("document.querySelector('#tree [data-word=\"1\"]').textContent.includes('ADJ')");
        browser.click("#undo");
        browser.wait("document.querySelector('#text').value === 'a/2/amod b/0/root'");
        browser.value("document.querySelector('#tree [data-word=\"2\"]').focus()");
        browser.paste("#relation", "not one");
        browser.key("Enter");
        wait_for_text(&mut browser, "#text-message", "is no relation");
        // Lists to choose from have the names of Universal Dependencies.
        assert!(browser.value("document.querySelector('#relations').options.length").as_u64().unwrap() > 37);
        assert_eq!(browser.value("document.querySelector('#tags').options.length"), 17);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_items_of_the_deduction_follow_the_steps() {
    for (_host, mut browser) in pages("#text=3+4+0+3") {
        wait_for_text(&mut browser, "#where", "Step 0 of 9");
        browser.value("document.querySelector('#deduction').open = true");
        browser.wait("document.querySelectorAll('#items li').length === 9");
        assert_eq!(browser.value("document.querySelectorAll('#items .unproved').length"), 9);
        browser.click("#last");
        wait_for_text(&mut browser, "#where", "done");
        assert_eq!(browser.value("document.querySelectorAll('#items .unproved').length"), 0);
        browser.value("document.querySelector('#items li:nth-child(4) button').click()");
        wait_for_text(&mut browser, "#where", "Step 4 of 9");
        assert_eq!(browser.value("document.querySelectorAll('#items .unproved').length"), 5);
        browser.click("tr[data-system='arc-standard'] [data-direction=ltr]");
        wait_for_text(&mut browser, "#deduction-hint", "cannot deduce this tree");
        assert_no_errors(&browser);
    }
}
