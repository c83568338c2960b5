//! Origins: whose pages may speak to the server. A browser names the page's origin with every WebSocket and every form; a page
//! of a stranger must neither read games nor spend searches of who happens to look at it.

use std::net::IpAddr;

use axum::http::{HeaderMap, Uri, header};

/// Origins that are allowed besides the server's own address.
#[derive(Clone, Debug, Default)]
pub struct Origins(Vec<String>);

impl Origins {
    /// Origins of their texts, such as `https://boards.example.org`. The error is a text that is none.
    pub fn new(texts: &[String]) -> Result<Origins, String> {
        let normal = |text: &String| normal(text).ok_or_else(|| text.clone());
        texts.iter().map(normal).collect::<Result<_, _>>().map(Origins)
    }

    /// Whether a request may be obeyed. One without an origin comes from no page. The server's own address is an origin where
    /// it is a number or `localhost`; a name could be anybody's who has it lead here, so names have to be given.
    pub(super) fn allow(&self, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(header::ORIGIN).iter();
        let (Some(origin), None) = (named.next(), named.next()) else {
            return !headers.contains_key(header::ORIGIN);
        };
        let Some(origin) = origin.to_str().ok().and_then(normal) else { return false };
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let is_own = host.is_some_and(|host| {
            is_address(host) && normal(&format!("http://{host}")).is_some_and(|own| own == origin)
        });
        is_own || self.0.contains(&origin)
    }
}

/// Whether a host, which may have a port, is an address of numbers or `localhost`.
fn is_address(host: &str) -> bool {
    let Ok(uri) = format!("http://{host}/").parse::<Uri>() else { return false };
    let Some(name) = uri.host() else { return false };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

/// Origin in lower case, without the port that its scheme has anyway.
fn normal(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (scheme, authority) = lower.split_once("://")?;
    let authority = authority.strip_suffix('/').unwrap_or(authority);
    let usual = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._:[]".contains(sign);
    if authority.is_empty() || !authority.chars().all(is_plain) {
        return None;
    }
    Some(format!("{scheme}://{}", authority.strip_suffix(usual).unwrap_or(authority)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(origins: &Origins, host: &str, origin: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        headers.insert(header::ORIGIN, origin.parse().unwrap());
        origins.allow(&headers)
    }

    #[test]
    fn own_numbers_and_given_names_are_allowed() {
        let origins = Origins::new(&["https://Boards.example.org/".to_owned()]).unwrap();
        for (host, origin, expected) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080", true),
            ("localhost:8080", "http://LOCALHOST:8080", true),
            ("[::1]:8080", "http://[::1]:8080", true),
            ("127.0.0.1", "http://127.0.0.1:80", true),
            ("localhost:8080", "https://boards.example.org", true),
            ("localhost:8080", "https://boards.example.org:443", true),
            ("localhost:8080", "http://boards.example.org", false),
            ("localhost:8080", "http://localhost:8081", false),
            ("localhost:8080", "http://127.0.0.1:8080", false),
            // A name that leads here, chosen by somebody else.
            ("evil.example:8080", "http://evil.example:8080", false),
            ("127.0.0.1.evil.example:8080", "http://127.0.0.1.evil.example:8080", false),
            ("localhost:8080", "null", false),
            ("localhost:8080", "http://localhost:8080.evil.example", false),
            ("localhost:8080", "https://boards.example.org.evil.example", false),
            ("localhost:8080", "http://user@localhost:8080", false),
            ("localhost:8080", "file://", false),
        ] {
            assert_eq!(allowed(&origins, host, origin), expected, "{host} {origin}");
        }
    }

    #[test]
    fn no_page_is_no_stranger_but_two_origins_are() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "localhost:1".parse().unwrap());
        assert!(Origins::default().allow(&headers));
        headers.append(header::ORIGIN, "http://localhost:1".parse().unwrap());
        assert!(Origins::default().allow(&headers));
        headers.append(header::ORIGIN, "http://localhost:1".parse().unwrap());
        assert!(!Origins::default().allow(&headers));
        assert_eq!(Origins::new(&["boards".to_owned()]).unwrap_err(), "boards");
    }
}
