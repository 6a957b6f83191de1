//! Running the explorer's server, and talking to it without a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::harness::heeding_signals;

/// A server on a port of its own; it goes away at the end of the test.
pub struct Server {
    pub child: Child,
    pub address: SocketAddr,
}

/// What came back.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The message of a refusal.
    pub fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap().to_owned()
    }
}

impl Server {
    pub fn start(arguments: &[&str]) -> Server {
        let mut child = heeding_signals()
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        Server { child, address: address.parse().unwrap() }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes, perhaps closes, and reads whatever comes until the other side closes.
    pub fn raw(&self, request: &[u8], close: bool) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may have closed already.
        let _ = stream.write_all(request);
        if close {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// One request, with `Connection: close`.
    pub fn request(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Response {
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            head += &format!("Host: {}\r\n", self.address);
        }
        for header in headers {
            head += &format!("{header}\r\n");
        }
        let mut stream = self.connect();
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        parse(&answer)
    }

    pub fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, question: &Value) -> Response {
        self.request("POST", path, &["Content-Type: application/json"], question.to_string().as_bytes())
    }

    /// True if the server still answers as it should.
    pub fn is_well(&self) -> bool {
        let question = serde_json::json!({ "text": "3 4 0 3", "system": "all", "direction": "ltr" });
        let answer = self.post("/api/tree", &question);
        answer.status == 200 && answer.json()["run"]["covered"] == true
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse(answer: &[u8]) -> Response {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(answer)));
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Response { status, head, body: answer[end + 4..].to_vec() }
}
