//! The explorer's page with files of sentences.

use std::time::Instant;

use crate::browser::{assert_no_errors, wait_for_text};
use crate::chromium::Browser;
use crate::harness::{CROSSING, Folder, PROJECTIVE, SAMPLE, root, sentence};
use crate::host::{Host, hosts, page, pages};
use crate::server::Server;

/// The pages of all hosts with a file, once the list is there. A server is started with it; on a site it is
/// opened.
fn with_file(file: &str) -> impl Iterator<Item = (Host, Browser)> {
    hosts(&[file]).map(move |host| {
        let mut browser = page(&host, "");
        browser.size(1440, 900);
        if !host.is_server() {
            browser.choose_file("#open-file", file);
        }
        browser.wait("document.querySelector('#sentence-list [role=option]')");
        browser.wait("document.querySelector('#sentence-list [aria-selected=true]')");
        (host, browser)
    })
}

const CHOSEN: &str = "document.querySelector('#sentence-list [aria-selected=true]')?.dataset.place";

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_sentences_of_a_file_are_gone_through_by_key_and_click() {
    for (host, mut browser) in with_file(root().join(SAMPLE).to_str().unwrap()) {
        wait_for_text(&mut browser, "#sentence-count", "84 sentences");
        browser.wait(&format!("{CHOSEN} === '0'"));
        wait_for_text(&mut browser, "#where", "Step 0");
        assert!(browser.value("document.documentElement.scrollHeight").as_u64().unwrap() <= 900);
        for (key, place) in [("n", "1"), ("n", "2"), ("p", "1")] {
            browser.click("h1");
            browser.key(key);
            browser.wait(&format!("{CHOSEN} === '{place}'"));
        }
        browser.click("#sentence-list [data-place='5']");
        browser.wait(&format!("{CHOSEN} === '5'"));
        browser.wait("location.hash.includes('at=5')");
        let link = browser.value("location.href").as_str().unwrap().to_owned();
        assert!(link.contains("tangles.conllu") && !link.contains("text="), "{link}");
        let text = browser.value("document.querySelector('#text').value");
        assert!(text.as_str().unwrap().starts_with("# sent_id = "), "{text}");
        // With the list in focus, arrow keys go through it.
        browser.value("document.querySelector('#sentence-list').focus()");
        browser.key("End");
        browser.wait(&format!("{CHOSEN} === '83'"));
        // A link names file and sentence; a changed sentence is in it. On a site the file has to be opened
        // again.
        browser.open(&link);
        if !host.is_server() {
            wait_for_text(&mut browser, "#text-message", "is open");
            continue;
        }
        browser.wait(&format!("{CHOSEN} === '5'"));
        assert_eq!(browser.value("document.querySelector('#text').value"), text);
        browser.value("document.querySelector('#tree [data-word=\"1\"]').focus()");
        browser.key("Enter");
        browser.key("0");
        browser.wait("location.hash.includes('text=') || location.hash.includes('kept=')");
        browser.click("#undo");
        browser.wait("!location.hash.includes('text=') && !location.hash.includes('kept=')");
        browser.open(&format!("{}#file=gone.conllu&at=3", host.url()));
        wait_for_text(&mut browser, "#text-message", "no file `gone.conllu` is open");
        let unexpected: Vec<_> = browser.errors.iter().filter(|error| !error.contains("422")).collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_the_list_is_narrowed_down_and_counted() {
    for (_host, mut browser) in with_file(root().join(SAMPLE).to_str().unwrap()) {
        browser.click("#crossing");
        wait_for_text(&mut browser, "#sentence-count", "61 sentences");
        browser.paste("#not-covered-by", "atardi");
        wait_for_text(&mut browser, "#not-covered-by-message", "did you mean `attardi`");
        browser.click("#not-covered-by-message button");
        wait_for_text(&mut browser, "#sentence-count", "10 sentences");
        browser.value("document.querySelector('#statistics').open = true");
        wait_for_text(&mut browser, "#statistics-body", "10 trees");
        wait_for_text(&mut browser, "#statistics-body", "attardi0.00 %");
        browser.paste("#not-covered-by", "");
        browser.paste("#search", "gestern");
        browser
            .wait("document.querySelector('#sentence-list [role=option]')?.textContent.includes('gestern')");
        browser.paste("#search", "no such words anywhere");
        wait_for_text(&mut browser, "#sentence-count", "0 sentences");
        assert_no_errors(&browser);
    }
}

/// A treebank of `hundreds` times a hundred short sentences.
fn large(hundreds: usize) -> Folder {
    let heads = |at: usize| if at.is_multiple_of(8) { CROSSING } else { PROJECTIVE };
    let some: String = (0..100).map(|at| sentence(&format!("s{at}"), heads(at))).collect();
    Folder::with("large.conllu", some.repeat(hundreds))
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_hundred_thousand_sentences_are_scrolled_through() {
    let folder = large(1000);
    for (_host, mut browser) in with_file(folder.path("large.conllu").to_str().unwrap()) {
        wait_for_text(&mut browser, "#sentence-count", "100,000 sentences");
        let mut times = Vec::new();
        for place in [50_000, 99_999, 12_345, 77_777, 3] {
            let begun = Instant::now();
            browser.value(&format!("document.querySelector('#sentence-list').scrollTop = {place} * 48"));
            browser.wait(&format!("document.querySelector('#sentence-list [data-place=\"{place}\"]')"));
            times.push(begun.elapsed().as_secs_f64() * 1e3);
            let rows = browser.value("document.querySelectorAll('#sentence-list [role=option]').length");
            assert!(rows.as_u64().unwrap() < 120, "{rows}");
        }
        println!("rows after a jump in 100,000 sentences: {times:.0?} ms");
        assert!(times.iter().any(|&time| time < 500.0), "{times:?}");
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_16_000_sentences_open_within_a_second_and_a_half() {
    // As long as sentences of treebanks are: 20 words.
    let heads: Vec<usize> = (0..20).map(|word| if word == 10 { 5 } else { word }).collect();
    let some: String = (0..100).map(|at| sentence(&format!("s{at}"), &heads)).collect();
    let folder = Folder::with("mid.conllu", some.repeat(160));
    let file = folder.path("mid.conllu");
    let is_there = "document.querySelector('#sentence-list [aria-selected=true]') && document.querySelector('#tree svg')";
    let mut times = Vec::new();
    for _ in 0..3 {
        // With a server: from its start to the list and the first tree.
        let mut browser = Browser::start();
        let begun = Instant::now();
        let server = Server::start(&[file.to_str().unwrap()]);
        browser.open(&server.url());
        browser.wait(is_there);
        times.push(begun.elapsed().as_secs_f64());
    }
    println!("16,000 sentences, server and page: {times:.2?} s");
    assert!(times.iter().any(|&time| time < 1.5), "{times:?}");
    for host in hosts(&[]) {
        // From the page that is open.
        let mut times = Vec::new();
        for _ in 0..3 {
            let mut browser = page(&host, "");
            let begun = Instant::now();
            browser.choose_file("#open-file", file.to_str().unwrap());
            browser.wait(is_there);
            wait_for_text(&mut browser, "#sentence-count", "16,000 sentences");
            times.push(begun.elapsed().as_secs_f64());
        }
        println!("16,000 sentences, opened from the page: {times:.2?} s");
        assert!(times.iter().any(|&time| time < 1.5), "{times:?}");
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_file_is_opened_from_the_page() {
    for (_host, mut browser) in pages("") {
        assert_eq!(browser.value("document.querySelector('#sentences-part').hidden"), true);
        let text = sentence("<b>", CROSSING) + &sentence("two", PROJECTIVE);
        browser.value(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], 'mine.conllu')); const field = document.querySelector('#open-file'); field.files = data.files; field.dispatchEvent(new Event('change')); }})()",
        serde_json::json!(text)
    ));
        wait_for_text(&mut browser, "#sentence-count", "2 sentences");
        wait_for_text(&mut browser, "#sentence-list", "4 words, 2 crossings; <b>");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 4");
        browser.wait("document.body.dataset.part === 'sentences'");
        browser.size(390, 844);
        browser.click(".parts [data-part=sentences]");
        browser.click("#sentence-list [data-place='1']");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 3");
        browser.wait("document.querySelector('#tree').offsetHeight > 50");
        assert_eq!(browser.value("document.documentElement.scrollWidth"), 390);
        assert_no_errors(&browser);
    }
}
