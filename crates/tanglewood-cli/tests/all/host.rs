//! Who answers the explorer's page: a server, or a worker of a static site. Both have to pass the same tests.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use crate::chromium::Browser;
use crate::server::Server;

/// Where a page comes from; it goes away at the end of the test.
pub enum Host {
    Server(Server),
    Site(SocketAddr),
}

impl Host {
    pub fn url(&self) -> String {
        match self {
            Host::Server(server) => server.url(),
            Host::Site(address) => format!("http://{address}/"),
        }
    }

    pub fn is_server(&self) -> bool {
        matches!(self, Host::Server(_))
    }
}

/// A server with these arguments, then the site that `TANGLEWOOD_SITE` names, if there is one. Each is
/// started when it is its turn.
pub fn hosts(arguments: &[&str]) -> impl Iterator<Item = Host> + use<> {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    let server = std::iter::once_with(move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        Host::Server(Server::start(&arguments))
    });
    let site = std::env::var_os("TANGLEWOOD_SITE").map(PathBuf::from);
    server.chain(site.map(|folder| Host::Site(serve_files(folder))))
}

/// A page of each host that has just been opened and is ready.
pub fn pages(fragment: &str) -> impl Iterator<Item = (Host, Browser)> {
    hosts(&[]).map(move |host| {
        let browser = page(&host, fragment);
        (host, browser)
    })
}

/// A page that has just been opened and is ready.
pub fn page(host: &Host, fragment: &str) -> Browser {
    println!("{}", if host.is_server() { "with a server" } else { "without a server" });
    let mut browser = Browser::start();
    browser.open(&format!("{}{fragment}", host.url()));
    browser.wait("document.querySelector('#coverage tbody tr, #heat td, #parsed svg')");
    // What is known about the surroundings comes last.
    browser.wait("document.querySelector('#save').options.length > 1");
    browser
}

/// Serves a folder as any host of static files does, until the tests end.
fn serve_files(folder: PathBuf) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            std::thread::spawn(move || answer(stream, &folder));
        }
    });
    address
}

fn answer(mut stream: TcpStream, folder: &Path) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let request = lines.next().and_then(Result::ok).unwrap_or_default();
    // The headers say nothing that matters here.
    while lines.next().and_then(Result::ok).is_some_and(|line| !line.is_empty()) {}
    let path = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let (status, content) = match std::fs::read(folder.join(path)) {
        Ok(content) if !path.contains("..") => ("200 OK", content),
        _ => ("404 Not Found", Vec::new()),
    };
    let length = content.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&content);
}
