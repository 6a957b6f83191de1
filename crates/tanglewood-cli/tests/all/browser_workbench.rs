//! The explorer's page as a place to work: what is seen at once, undo and Back, long texts, fingers, other
//! scripts.

use serde_json::json;
use tanglewood::sample::TREEBANK;

use crate::browser::{assert_no_errors, wait_for_text};
use crate::chromium::Browser;
use crate::harness::Folder;
use crate::host::pages;

/// The sample treebank's first sentences.
fn sentences(count: usize) -> String {
    TREEBANK.split_inclusive("\n\n").take(count).collect()
}

/// A sentence in short, in which most words hang from the one two before.
fn long(words: usize) -> String {
    let head = |word: usize| if word <= 2 { word - 1 } else { word - 2 };
    (1..=words).map(|word| format!("word{word}/{}/dep", head(word))).collect::<Vec<_>>().join(" ")
}

/// Replaces the text at once: typing a megabyte takes a browser its time.
fn set_text(browser: &mut Browser, text: &str) {
    browser.value(&format!(
        "(() => {{ const e = document.querySelector('#text'); e.value = {}; e.dispatchEvent(new Event('input')); }})()",
        json!(text)
    ));
}

fn text(browser: &mut Browser) -> String {
    browser.value("document.querySelector('#text').value").as_str().unwrap().to_owned()
}

/// True if and only if a part of the page is within the window, as far as it is high.
fn is_seen(browser: &mut Browser, selector: &str) -> bool {
    let seen = format!(
        "(() => {{ const r = document.querySelector({}).getBoundingClientRect(); return r.height > 0 && r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth; }})()",
        json!(selector)
    );
    browser.value(&seen) == true
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_long_text_stretches_neither_the_page_nor_the_address() {
    for (_host, mut browser) in pages("") {
        browser.size(1440, 900);
        set_text(&mut browser, &sentences(64));
        browser.wait("document.querySelector('#sentence').options.length === 64");
        assert_eq!(browser.value("document.documentElement.scrollHeight"), 900);
        assert!(is_seen(&mut browser, "#tree") && is_seen(&mut browser, "#text"));
        browser.wait("location.hash.includes('kept=')");
        assert!(browser.value("location.href.length").as_u64().unwrap() < 200);
        // The same address shows the same, and numbers of lines follow the text.
        let link = browser.value("location.href").as_str().unwrap().to_owned();
        browser.open(&link);
        browser.wait("document.querySelector('#sentence').options.length === 64");
        browser.value("document.querySelector('#text').scrollTop = 1e6");
        let last = sentences(64).lines().count().to_string();
        browser.wait(&format!("document.querySelector('#text-gutter').textContent.includes('{last}')"));
        // A file of more than a megabyte is refused, and the page stays as high as the window.
        set_text(&mut browser, &TREEBANK.repeat(18));
        wait_for_text(&mut browser, "#text-message", "expected a shorter text");
        assert_eq!(browser.value("document.documentElement.scrollHeight"), 900);
        assert!(browser.value("document.querySelectorAll('#text-gutter div').length").as_u64().unwrap() < 60);
        browser.size(390, 844);
        assert!(browser.value("document.documentElement.scrollHeight").as_u64().unwrap() < 2000);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_links_of_every_kind_open() {
    for (host, mut browser) in pages("#text=a%2F2+b%2F0&system=all&direction=rtl&step=2") {
        wait_for_text(&mut browser, "#where", "Step 2 of 5");
        assert_eq!(browser.value("document.querySelector('#direction').value"), "rtl");
        // A text that is too long for an address is packed for a link that is given away.
        let packed = "import('./long-text.js').then(m => m.pack('x/0 y/1\\n'.repeat(400)))";
        let packed = browser.value(packed).as_str().unwrap().to_owned();
        assert!(packed.len() < 200, "{packed}");
        browser.open(&format!("{}#packed={packed}", host.url()));
        browser.wait("document.querySelector('#sentence').options.length === 400");
        browser.open(&format!("{}#kept=nowhere", host.url()));
        wait_for_text(&mut browser, "#text-message", "not kept in this browser any more");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_parse_keeps_every_line_and_can_be_undone() {
    for (_host, mut browser) in pages("") {
        browser.wait("!document.querySelector('#parse').hidden");
        assert!(browser.text("#text-label").contains("Parse turns into trees"));
        let typed = "Vem pratar du med ?\nSie kommt .\nEr geht .";
        browser.paste("#text", typed);
        wait_for_text(&mut browser, "#text-message", "Parse has the model find them");
        browser.click("#parse");
        browser.wait("document.querySelector('#sentence').options.length >= 3");
        let parsed = text(&mut browser);
        for line in typed.lines() {
            assert!(parsed.contains(&format!("# text = {line}")), "{parsed}");
        }
        browser.click("#undo");
        browser.wait(&format!("document.querySelector('#text').value === {}", json!(typed)));
        browser.click("#redo");
        browser.wait(&format!("document.querySelector('#text').value === {}", json!(parsed)));
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_undo_and_redo_bring_back_text_heads_and_scores() {
    for (_host, mut browser) in pages("#text=a%2F2+b%2F0+c%2F2") {
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 3");
        assert_eq!(browser.value("document.querySelector('#undo').disabled"), true);
        browser.value("document.querySelector('#tree [data-word=\"3\"]').focus()");
        browser.key("Enter");
        browser.key("Home");
        browser.key("Enter");
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/1'");
        browser.paste("#text", "x/0 y/1");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 2");
        browser.control("z");
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/1'");
        browser.wait("document.querySelector('#tree g[data-head=\"1\"][data-dependent=\"3\"]')");
        browser.click("h1");
        browser.control("z");
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/2'");
        browser.control("y");
        browser.wait("document.querySelector('#text').value === 'a/2 b/0 c/1'");
        browser.click("nav [data-view=scores]");
        browser.wait("document.querySelector('#heat td')");
        browser.paste("#matrix", "0 1 2\n0 0 3\n0 4 0");
        wait_for_text(&mut browser, "#trees", "score 6, heads 2 0");
        browser.click("#undo");
        wait_for_text(&mut browser, "#trees", "score 30, heads 3 4 0 3");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_back_returns_to_the_view_before_and_stays_on_the_page() {
    for (host, mut browser) in pages("") {
        browser.wait("document.querySelector('#where').textContent.includes('Step 0')");
        browser.paste("#text", "a/0 b/1\nc/0 d/1");
        browser.wait("document.querySelector('#sentence').options.length === 2");
        browser.click("#next-sentence");
        browser.wait("document.querySelector('#sentence').value === '1'");
        browser.click("tr[data-system='mh4+'] [data-direction=rtl]");
        browser.wait("document.querySelector('#direction').value === 'rtl'");
        browser.click("nav [data-view=scores]");
        browser.wait("document.querySelector('#heat td')");
        for before in [
            "!document.querySelector('#tree-view').hidden && document.querySelector('#direction').value === 'rtl'",
            "document.querySelector('#direction').value === 'ltr' && document.querySelector('#sentence').value === '1'",
            "document.querySelector('#sentence').value === '0'",
            "document.querySelector('#text').value.startsWith('A/2/det')",
        ] {
            browser.value("history.back()");
            browser.wait(before);
        }
        assert!(browser.value("location.href").as_str().unwrap().starts_with(&host.url()));
        browser.value("history.forward()");
        browser.wait("document.querySelector('#text').value.startsWith('a/0')");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_tree_steps_and_systems_are_on_the_first_screen() {
    for (_host, mut browser) in pages("") {
        browser.size(1440, 900);
        wait_for_text(&mut browser, "#where", "Step 0");
        for part in ["#tree", ".stepper", "#configuration", "#coverage", "#text"] {
            assert!(is_seen(&mut browser, part), "{part}");
        }
        // Also where a system gets stuck, and in a smaller window.
        browser.click("tr[data-system='arc-standard'] [data-direction=ltr]");
        wait_for_text(&mut browser, "#why", "cannot build");
        assert!(is_seen(&mut browser, "#tree svg") && is_seen(&mut browser, ".stepper"));
        browser.size(1024, 700);
        assert_eq!(browser.value("document.documentElement.scrollHeight"), 700);
        assert!(is_seen(&mut browser, "#tree") && is_seen(&mut browser, ".stepper"));
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_on_a_phone_a_cross_leads_to_the_reason() {
    for (_host, mut browser) in pages("#text=3+4+0+3") {
        browser.size(390, 844);
        assert!(is_seen(&mut browser, "#tree svg") && is_seen(&mut browser, "#forward"));
        assert_eq!(browser.value("document.querySelector('#text').offsetHeight"), 0);
        browser.click(".parts [data-part=systems]");
        assert_eq!(browser.value("document.querySelector('#tree').offsetHeight"), 0);
        browser.click("tr[data-system='arc-standard'] [data-direction=ltr]");
        wait_for_text(&mut browser, "#where", "stuck");
        assert!(is_seen(&mut browser, "#tree svg"));
        assert!(
            browser.value("document.querySelector('#why').getBoundingClientRect().top").as_f64().unwrap()
                < 844.0
        );
        browser.click(".parts [data-part=source]");
        assert!(is_seen(&mut browser, "#text"));
        assert_eq!(browser.value("document.documentElement.scrollWidth"), 390);
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_steps_scroll_to_the_words_they_are_about() {
    for (_host, mut browser) in pages("") {
        browser.size(1440, 900);
        browser.paste("#text", &long(45));
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 45");
        wait_for_text(&mut browser, "#where", "Step 0 of 91");
        assert_eq!(browser.value("document.querySelector('#tree').scrollLeft"), 0);
        let within = "(() => { const o = document.querySelector('#tree').getBoundingClientRect(); const parts = [...document.querySelectorAll('#tree g[data-head].current .tip')]; return parts.every(p => { const r = p.getBoundingClientRect(); return r.left >= o.left && r.right <= o.right; }); })()";
        let steps = browser.value("Number(document.querySelector('#slider').max)").as_u64().unwrap();
        // The tree may come, and be scrolled, a moment after the step is named.
        browser.value("(() => { window.furthest = 0; const tree = document.querySelector('#tree'); tree.addEventListener('scroll', () => { window.furthest = Math.max(window.furthest, tree.scrollLeft); }); })()");
        for step in (0..steps).step_by(7) {
            browser.value(&format!("(() => {{ const s = document.querySelector('#slider'); s.value = {step}; s.dispatchEvent(new Event('input')); }})()"));
            wait_for_text(&mut browser, "#where", &format!("Step {step} of"));
            assert_eq!(browser.value(within), true, "step {step}");
            let item = "(() => { const o = document.querySelector('#steps').getBoundingClientRect(); const r = document.querySelector('#steps [aria-current]').getBoundingClientRect(); return r.top >= o.top - 1 && r.bottom <= o.bottom + 1; })()";
            assert_eq!(browser.value(item), true, "step {step}");
        }
        browser.wait("window.furthest > 300");
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_finger_drags_words_taps_choose_them_and_elsewhere_it_scrolls() {
    for (_host, mut browser) in pages("") {
        browser.size(390, 844);
        browser.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
        browser.click(".parts [data-part=source]");
        browser.paste("#text", "one/2 two/0 three/2 four/3 five/4 six/5 seven/6 eight/7 nine/8");
        browser.click(".parts [data-part=tree]");
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 9");
        browser
            .value("window.cancelled = 0; addEventListener('pointercancel', () => window.cancelled++, true)");
        let word = |number: usize| {
            format!(
                "(() => {{ const r = document.querySelector('#tree [data-word=\"{number}\"] .form').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
            )
        };
        let (from, to) = (browser.place(&word(3)), browser.place(&word(1)));
        browser.finger(from, to);
        browser.wait("document.querySelector('#text').value.includes('three/1')");
        assert_eq!(browser.value("window.cancelled"), 0);
        browser.wait("document.querySelector('#tree g[data-head=\"1\"][data-dependent=\"3\"]')");
        for number in [3, 2] {
            let place = browser.place(&word(number));
            browser.finger(place, place);
        }
        browser.wait("document.querySelector('#text').value.includes('three/2')");
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_words_from_right_to_left_leave_the_order_around_them_alone() {
    for (_host, mut browser) in pages("") {
        let words: Vec<String> =
            (1..=40).map(|word| format!("מילה{word}/{}/dep", if word == 1 { 0 } else { word - 1 })).collect();
        browser.paste("#text", &words.join(" "));
        browser.wait("document.querySelectorAll('#tree [data-word]').length === 40");
        wait_for_text(&mut browser, "#where", "Step 0 of 81");
        // The sentence is seen from its beginning, which is on the right.
        let first = "(() => { const o = document.querySelector('#tree').getBoundingClientRect(); const r = document.querySelector('#tree [data-word=\"1\"]').getBoundingClientRect(); return r.left >= o.left && r.right <= o.right; })()";
        assert_eq!(browser.value(first), true);
        // In "head → dependent" the head is on the left, as the arrow says.
        let reduce = "[...document.querySelectorAll('#steps button[data-arc]')][0].click()";
        browser.value(reduce);
        wait_for_text(&mut browser, "#where", "→ \u{2068}");
        let order = "(() => { const text = document.querySelector('#where').firstChild; const at = text.data.indexOf('→'); const box = (from, to) => { const range = document.createRange(); range.setStart(text, from); range.setEnd(text, to); return range.getBoundingClientRect(); }; const arrow = box(at, at + 1); const dependent = box(at + 3, at + 5); const head = text.data.lastIndexOf('\u{2069}', at); return box(head - 2, head).right <= arrow.left + 1 && arrow.right <= dependent.left + 1; })()";
        assert_eq!(browser.value(order), true);
        assert!(!browser.text("#direction").contains("left to right"));
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_what_is_pointed_at_lights_up_everywhere() {
    for (_host, mut browser) in pages("#text=3+4+0+3") {
        wait_for_text(&mut browser, "#where", "Step 0 of 9");
        let point = |selector: &str| {
            format!(
                "document.querySelector({}).dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}))",
                json!(selector)
            )
        };
        browser.value(&point("#tree g[data-dependent='1'] .line"));
        let crossed = "[...new Set([...document.querySelectorAll('#tree .crossed')].map(part => part.dataset.dependent))].join(' ')";
        assert_eq!(browser.value(crossed), "2");
        assert_eq!(browser.value("document.querySelectorAll('#steps .lit').length"), 1);
        browser.value(&point("#configuration [data-node='2']"));
        assert_eq!(
            browser.value("document.querySelector('#tree [data-word=\"2\"]').classList.contains('lit')"),
            true
        );
        assert_eq!(browser.value("document.querySelectorAll('#tree .crossed').length"), 0);
        browser.click("#last");
        wait_for_text(&mut browser, "#where", "done");
        browser.click("#back");
        wait_for_text(&mut browser, "#where", "Step 8");
        assert_eq!(browser.value("document.querySelectorAll('#tree g[data-head].built').length"), 3);
        assert_eq!(browser.value("document.querySelectorAll('#tree g[data-head].current').length"), 1);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_two_systems_are_side_by_side_where_they_part() {
    for (host, mut browser) in pages("#text=3+4+0+3") {
        wait_for_text(&mut browser, "#where", "Step 0 of 9");
        browser.paste("#beside", "arc-standard");
        browser.key("Enter");
        wait_for_text(
            &mut browser,
            "#parting-text",
            "They part after 3 steps: all-s0s1 b0>s1, arc-standard shift.",
        );
        browser.click("#parting");
        browser.wait("document.querySelectorAll('#beside-configuration [data-node]').length > 0");
        wait_for_text(&mut browser, "#beside-where", "arc-standard, step 3 of 5: next shift");
        wait_for_text(&mut browser, "#where", "Step 3 of 9");
        browser.wait("location.hash.includes('beside=arc-standard') && location.hash.includes('step=3')");
        let link = browser.value("location.href").as_str().unwrap().to_owned();
        browser.open(&link);
        wait_for_text(&mut browser, "#beside-where", "arc-standard, step 3 of 5: next shift");
        browser.paste("#beside", "all-s0s1");
        browser.key("Enter");
        wait_for_text(&mut browser, "#parting-text", "do the same at every step");
        browser.paste("#beside", "al");
        browser.key("Enter");
        wait_for_text(&mut browser, "#beside-message", "no system is called `al`");
        assert!(link.starts_with(&host.url()));
        assert_no_errors(&browser);
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_a_printed_report_is_as_wide_as_its_paper() {
    let folder = Folder::with("xx_a-ud.conllu", TREEBANK);
    folder
        .run(["coverage", ".", "--systems", "all", "--classes", "--format", "html", "-o", "r.html"])
        .success();
    let mut browser = Browser::start();
    browser.open(&format!("file://{}", folder.path("r.html").display()));
    // A4 across without its margins, at 96 pixels to the inch.
    browser.size(1031, 703);
    browser.media("print", "light");
    assert!(browser.value("document.documentElement.scrollWidth").as_u64().unwrap() <= 1031);
    let widest = "Math.max(...[...document.querySelectorAll('svg, table, pre')].map(part => part.getBoundingClientRect().right))";
    assert!(browser.value(widest).as_f64().unwrap() <= 1031.0);
    // Nothing has shrunk until it cannot be read: a form of 18 units is 9 pixels high at least.
    let smallest = "Math.min(...[...document.querySelectorAll('svg .form')].map(form => form.getBoundingClientRect().height))";
    assert!(browser.value(smallest).as_f64().unwrap() >= 9.0);
    assert_eq!(browser.value("getComputedStyle(document.querySelector('.screen')).display"), "none");
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_what_is_seen_can_be_saved() {
    for (_host, mut browser) in pages("#text=a%2F2+b%2F0") {
        let folder = Folder::new();
        let place = folder.path("").display().to_string();
        browser.call("Page.setDownloadBehavior", json!({ "behavior": "allow", "downloadPath": place }));
        for format in ["svg", "tex", "conllu"] {
            browser.value(&format!("(() => {{ const save = document.querySelector('#save'); save.value = '{format}'; save.dispatchEvent(new Event('change')); }})()"));
            let name = format!("tree.{format}");
            let begun = std::time::Instant::now();
            while !folder.names().contains(&name) {
                assert!(begun.elapsed().as_secs() < 30, "{name}: {:?}", folder.names());
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        }
        assert!(String::from_utf8(folder.read("tree.svg")).unwrap().contains(">b</text>"));
        assert_no_errors(&browser);
    }
}
