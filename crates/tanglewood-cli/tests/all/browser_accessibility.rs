//! The page checked by axe, if that can be had: `TANGLEWOOD_AXE` names its script, or npm installs it into a
//! temporary folder.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::chromium::Browser;
use crate::host::{hosts, pages};

/// The script of axe, unless there is none to be had.
fn axe() -> Option<String> {
    if let Some(file) = std::env::var_os("TANGLEWOOD_AXE") {
        return Some(std::fs::read_to_string(file).expect("the file that TANGLEWOOD_AXE names"));
    }
    let folder = tempfile::tempdir().ok()?;
    let installed = Command::new("npm")
        .args(["install", "--silent", "--no-audit", "--no-fund", "axe-core@4"])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !installed.is_ok_and(|status| status.success()) {
        return None;
    }
    std::fs::read_to_string(folder.path().join("node_modules/axe-core/axe.min.js")).ok()
}

/// What axe finds wrong, in a few words for each.
fn violations(browser: &mut Browser, axe: &str) -> Vec<String> {
    browser.value(&format!("{axe}; null"));
    let found = browser.value("axe.run().then(result => result.violations.map(found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 120)).join(' | ')}`))");
    found.as_array().unwrap().iter().map(Value::to_string).collect()
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_axe_finds_nothing_on_desktop_and_phone_in_light_and_dark() {
    let Some(axe) = axe() else {
        println!("skipped: there is no axe; set TANGLEWOOD_AXE to axe.min.js, or have npm and a registry");
        return;
    };
    for (_host, mut browser) in pages("#text=3+4+0+3%0A2+0") {
        for (width, height) in [(1440, 900), (838, 800), (390, 844)] {
            for scheme in ["light", "dark"] {
                browser.size(width, height);
                browser.media("screen", scheme);
                browser.click("nav [data-view=tree]");
                browser.wait("document.querySelector('#where').textContent.includes('Step')");
                browser.value("document.querySelector('#deduction').open = true");
                browser.wait("document.querySelector('#items li')");
                browser.value("document.querySelector('#tree [data-word=\"1\"]').focus()");
                let parts: &[&str] = if width < 760 { &["tree", "systems", "source"] } else { &["tree"] };
                for part in parts {
                    browser.value(&format!("document.querySelector('.parts [data-part={part}]').click()"));
                    assert_eq!(violations(&mut browser, &axe), [""; 0], "{width} {scheme} {part}");
                }
                browser.click("nav [data-view=scores]");
                browser.wait("document.querySelector('#heat td')");
                assert_eq!(violations(&mut browser, &axe), [""; 0], "{width} {scheme} scores");
                browser.click("nav [data-view=parse]");
                browser.wait("document.querySelector('#parsed svg')");
                assert_eq!(violations(&mut browser, &axe), [""; 0], "{width} {scheme} model");
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_axe_finds_nothing_in_the_pages_around_the_explorer() {
    let (Some(axe), Some(site)) = (axe(), hosts(&[]).find(|host| !host.is_server())) else {
        println!("skipped: there is no axe, or no site");
        return;
    };
    let mut browser = Browser::start();
    for path in
        ["README.html", "docs/index.html", "docs/pictures.html", "docs/commands/parse.html", "report.html"]
    {
        browser.open(&format!("{}{path}", site.url()));
        browser.wait("document.querySelector('h1')");
        for (width, height) in [(1440, 900), (838, 800), (390, 844)] {
            for scheme in ["light", "dark"] {
                browser.size(width, height);
                browser.media("screen", scheme);
                assert_eq!(violations(&mut browser, &axe), [""; 0], "{path} {width} {scheme}");
                let wide = browser.value("document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= u64::from(width), "{path} {width}: {wide}");
            }
        }
    }
}

#[test]
#[ignore = "needs Chromium; cargo xtask test runs it"]
fn browser_what_fields_say_while_they_are_empty_is_not_cut_off() {
    // The width of a text in the field's own font, against the room that the field has for it.
    let cut = "[...document.querySelectorAll('input[placeholder]')].filter(field => field.offsetWidth > 0).filter(field => { const style = getComputedStyle(field); const canvas = document.createElement('canvas').getContext('2d'); canvas.font = style.font; const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight); return canvas.measureText(field.placeholder).width > room; }).map(field => field.id)";
    for (_host, mut browser) in pages("#text=3+4+0+3") {
        for (width, height) in [(1440, 900), (838, 800), (390, 844)] {
            browser.size(width, height);
            for view in ["tree", "parse", "scores"] {
                browser.click(&format!("nav [data-view={view}]"));
                browser.wait(&format!("document.body.dataset.view === '{view}'"));
                assert_eq!(browser.value(cut), serde_json::json!([]), "{width} {view}");
            }
        }
    }
}
