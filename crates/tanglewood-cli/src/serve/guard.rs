//! Who may ask, and what every answer says about itself.
//!
//! A page from elsewhere can make a browser send requests to this machine. Under a name of its own that leads
//! here (DNS rebinding) it could even read the answers: so the name a request was sent to has to be one that
//! nobody else can own. A request that says it comes from another page is refused, too.

use std::net::IpAddr;

use hyper::Uri;
use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

/// Only what this server sends is run, shown or asked for; nothing may put the page into a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What goes with every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// Knows the name under which the server was asked to run.
#[derive(Clone, Debug)]
pub struct Guard {
    host: String,
}

impl Guard {
    pub fn new(host: &str) -> Guard {
        Guard { host: host.to_owned() }
    }

    /// True if and only if the request was sent to one host: an address, to `localhost` or to the name given,
    /// and by no other page.
    pub fn admits(&self, target: &Uri, headers: &HeaderMap) -> bool {
        // Of two, others may believe the one and we the other.
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        let Ok(host) = host.to_str() else { return false };
        // A target that is a whole address, as proxies are sent it, names a host as well.
        if target.authority().is_some_and(|named| named.as_str() != host) {
            return false;
        }
        let same_page = match headers.get(ORIGIN).map(HeaderValue::to_str) {
            None => true,
            Some(Ok(origin)) => origin.strip_prefix("http://") == Some(host),
            Some(Err(_)) => false,
        };
        same_page && self.knows(name_of(host))
    }

    fn knows(&self, name: &str) -> bool {
        let address = name.trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || name.eq_ignore_ascii_case(&self.host)
            || address.parse::<IpAddr>().is_ok()
    }

    /// Adds what every answer says.
    pub fn sign(headers: &mut HeaderMap) {
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(host: &str, origin: Option<&'static str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
        }
        Guard::new("tree.example").admits(&Uri::default(), &headers)
    }

    #[test]
    fn only_names_that_nobody_else_can_own_are_admitted() {
        for host in
            ["localhost", "localhost:7878", "127.0.0.1:1", "[::1]:7878", "192.168.0.7", "tree.example:80"]
        {
            assert!(admits(host, None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:7878", "127.0.0.1.evil.example", "", "[::1"] {
            assert_eq!(admits(host, None), host == "[::1", "{host}");
        }
    }

    #[test]
    fn other_pages_are_not_admitted() {
        assert!(admits("localhost:7878", Some("http://localhost:7878")));
        assert!(!admits("localhost:7878", Some("http://evil.example")));
        assert!(!admits("localhost:7878", Some("http://localhost:80")));
        assert!(!admits("localhost:7878", Some("null")));
        assert!(!Guard::new("x").admits(&Uri::default(), &HeaderMap::new()));
    }

    #[test]
    fn two_hosts_are_not_admitted() {
        for (first, second) in [("localhost", "evil.example"), ("localhost", "localhost")] {
            let mut headers = HeaderMap::new();
            headers.append(HOST, first.parse().unwrap());
            assert!(Guard::new("x").admits(&Uri::default(), &headers));
            headers.append(HOST, second.parse().unwrap());
            assert!(!Guard::new("x").admits(&Uri::default(), &headers));
        }
    }
}
