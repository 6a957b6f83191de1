//! A real browser, driven through its DevTools protocol.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Headless Chromium with one page. It goes away at the end of the test.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    last: u64,
    /// Exceptions and errors that the page has had.
    pub errors: Vec<String>,
    _profile: TempDir,
}

const FLAGS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
    "about:blank",
];

impl Browser {
    /// Starts the browser that `TANGLEWOOD_CHROMIUM` names, or `chromium`.
    pub fn start() -> Browser {
        let program = std::env::var_os("TANGLEWOOD_CHROMIUM").unwrap_or_else(|| "chromium".into());
        let profile = tempfile::tempdir().unwrap();
        let child = Command::new(program)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(FLAGS)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium, which cargo xtask test looks for");
        let (port, path) = debugging_address(profile.path());
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.set_nodelay(true).unwrap();
        let (socket, _) = tungstenite::client(format!("ws://127.0.0.1:{port}{path}"), stream).unwrap();
        let mut browser =
            Browser { child, socket, session: String::new(), last: 0, errors: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        browser.size(1300, 1000);
        browser
    }

    /// Carries out a command and gives back its result.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": parameters });
        if !self.session.is_empty() {
            command["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == self.last {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            match message["method"].as_str() {
                Some("Runtime.exceptionThrown") => {
                    self.errors.push(message["params"]["exceptionDetails"].to_string());
                }
                Some("Log.entryAdded") if message["params"]["entry"]["level"] == "error" => {
                    self.errors.push(message["params"]["entry"].to_string());
                }
                _ => {}
            }
        }
    }

    /// Opens an address as if it had been typed.
    pub fn open(&mut self, url: &str) {
        // Otherwise a change of the fragment alone would not load the page again.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call("Page.navigate", json!({ "url": url }));
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let result = self.call("Runtime.evaluate", parameters);
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let expression = format!("document.querySelector({}).textContent", json!(selector));
        self.value(&expression).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(&format!("Boolean({expression})")) != json!(true) {
            if start.elapsed() > Duration::from_secs(20) {
                let page = self.value("document.body.innerText");
                panic!("waited in vain for {expression}; errors: {:?}; page: {page}", self.errors);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn click(&mut self, selector: &str) {
        let place = self.place(&format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{ block: 'center' }}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()",
            json!(selector)
        ));
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    /// The place on the screen that an expression gives.
    pub fn place(&mut self, expression: &str) -> (f64, f64) {
        let place = self.value(expression);
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mousePressed", from);
        self.mouse("mouseMoved", ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0));
        self.mouse("mouseMoved", to);
        self.mouse("mouseReleased", to);
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let buttons = u8::from(kind != "mouseReleased");
        let parameters =
            json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", parameters);
    }

    /// A finger that is put down, moved in a few steps, and lifted.
    pub fn finger(&mut self, from: (f64, f64), to: (f64, f64)) {
        let touch = |browser: &mut Browser, kind: &str, place: Option<(f64, f64)>| {
            let points: Vec<Value> = place.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
            browser.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        };
        touch(self, "touchStart", Some(from));
        for step in 1..=8 {
            let share = f64::from(step) / 8.0;
            let place = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            touch(self, "touchMove", Some(place));
        }
        touch(self, "touchEnd", None);
    }

    /// A key with Ctrl held down.
    pub fn control(&mut self, key: &str) {
        let event = |kind: &str| json!({ "type": kind, "key": key, "code": key, "modifiers": 2 });
        self.call("Input.dispatchKeyEvent", event("rawKeyDown"));
        self.call("Input.dispatchKeyEvent", event("keyUp"));
    }

    /// Light or dark, screen or paper.
    pub fn media(&mut self, medium: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": medium, "features": features }));
    }

    pub fn key(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            single if single.len() == 1 => single,
            _ => "",
        };
        let down = json!({ "type": "keyDown", "key": key, "code": key, "text": text });
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "code": key }));
    }

    /// Replaces what is in a field, as pasting does.
    pub fn paste(&mut self, selector: &str, text: &str) {
        self.value(&format!(
            "(() => {{ const e = document.querySelector({}); e.focus(); e.select(); }})()",
            json!(selector)
        ));
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Chooses a file in a field for files, as a person would.
    pub fn choose_file(&mut self, selector: &str, file: &str) {
        // Browsers take no path that goes up.
        let file = std::fs::canonicalize(file).unwrap();
        let document = self.call("DOM.getDocument", json!({}));
        let found = json!({ "nodeId": document["root"]["nodeId"], "selector": selector });
        let field = self.call("DOM.querySelector", found);
        self.call("DOM.setFileInputFiles", json!({ "files": [file], "nodeId": field["nodeId"] }));
    }

    pub fn size(&mut self, width: u32, height: u32) {
        let mobile = width < 600;
        let parameters =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", parameters);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the browser listens: it writes that into its profile.
fn debugging_address(profile: &Path) -> (u16, String) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        let text = std::fs::read_to_string(profile.join("DevToolsActivePort")).unwrap_or_default();
        if let Some((port, path)) = text.split_once('\n')
            && let Ok(port) = port.parse()
            && path.starts_with('/')
        {
            return (port, path.trim().to_owned());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("Chromium did not start");
}
