//! Hostile and malformed requests: each is answered by a clean 4xx, says nothing of the machine, and harms nobody.

use crate::program::empty_folder;
use crate::server::{Server, from_origin};

/// Paths that lead nowhere, or out of the page's files.
const PATHS: [&str; 46] = [
    "/../games.sqlite",
    "/../../../../etc/passwd",
    "/..%2fgames.sqlite",
    "/%2e%2e/games.sqlite",
    "/%2e%2e%2fgames.sqlite",
    "/%2E%2E%2F%2E%2E%2Fetc%2Fpasswd",
    "/..%5cgames.sqlite",
    "/..\\games.sqlite",
    "/....//games.sqlite",
    "/%252e%252e/games.sqlite",
    "/%c0%ae%c0%ae/etc/passwd",
    "//etc/passwd",
    "/etc/passwd",
    "/./etc/passwd",
    "/index.html/",
    "/index.html/..",
    "/index.html/../index.html",
    "/index.html%00",
    "/index.html%00.css",
    "/index.html;x",
    "/index.html%20",
    "/INDEX.HTML",
    "/%00",
    "/%ff",
    "/%fe%fe",
    "/%zz",
    "/%",
    "/games.sqlite",
    "/games.sqlite-wal",
    "/games/games.sqlite",
    "/site/",
    "/site/index.html",
    "/.git/config",
    "/.env",
    "/file:///etc/passwd",
    "/http://example.org/",
    "/api",
    "/api/",
    "/api/nothing",
    "/api/games/",
    "/api/games/0123456789abcdef0123456789abcdef",
    "/api/game/x",
    "/api/about/../../etc/passwd",
    "/health/",
    "/metrics/x",
    "/wp-login.php",
];

/// Methods on paths that do not have them.
const METHODS: [&str; 18] = [
    "POST /",
    "PUT /",
    "DELETE /",
    "PATCH /index.html",
    "OPTIONS /",
    "TRACE /",
    "BREW /",
    "PROPFIND /",
    "POST /health",
    "POST /metrics",
    "POST /api/about",
    "PUT /api/games",
    "DELETE /api/games",
    "PATCH /api/games",
    "GET /api/game",
    "GET /api/analysis",
    "POST /api/game",
    "PUT /api/analysis",
];

/// Heads of requests that are none. `HOST` is the server's address.
const HEADS: [&str; 19] = [
    "GET\r\n\r\n",
    "GET /\r\n\r\n",
    "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/2.0\r\nHost: HOST\r\n\r\n",
    "GET  / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "GET / HTTP/1.1\r\nHost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: HOST\r\n: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: HOST\r\nX Y: z\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: HOST\r\nX: a\0b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: HOST\r\n folded: x\r\n\r\n",
    "G\0T / HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "\u{16}\u{3}\u{1}\0\u{5}\r\n\r\n",
    "{\"id\":\"a\"}\r\n\r\n",
    "POST /api/games HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
    "POST /api/games HTTP/1.1\r\nHost: HOST\r\nContent-Length: many\r\n\r\n",
    "POST /api/games HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "POST /api/games HTTP/1.1\r\nHost: HOST\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    "POST /api/games HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip\r\n\r\n",
    "POST /api/games HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n",
];

/// Headers of a handshake that is none: each of them instead of, or besides, what a browser sends.
const HANDSHAKES: [&str; 7] = [
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "Upgrade: websocket\r\nConnection: close\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
];

/// Texts of which no game can be made.
const TEXTS: [&[u8]; 20] = [
    b"nonsense",
    b"{",
    b"{}",
    b"[[[[[[[[[[[[[[[[[[[[",
    b"\0",
    b"\xff\xfe",
    b"\xc3\x28",
    b"1|1",
    b"1|1 0|0",
    b"-1|1 0|0 UL|UL",
    b"99999999999999999999|1 0|0 UL|UL",
    b"10|12 0|0 ULLL|ULLL n|I|i|||0/0/0/0/0/0/0/0/0/0 1 2",
    b"[Mgn \"1\"]\n\n1. nothing",
    b"[Mgn \"2\"]",
    b"[Mgn \"1\"]\nstart 1|1 0|0",
    b"[Mgn \"1",
    b"'; DROP TABLE game; --",
    b"<script>alert(1)</script>",
    b"../../etc/passwd",
    b"GET / HTTP/1.1\r\n\r\n",
];

/// Headers `Authorization` that name no game.
const LINKS: [&str; 12] = [
    "",
    "Bearer",
    "Bearer ",
    "Basic dXNlcjpwYXNz",
    "Bearer x",
    "Bearer 0123456789abcdef0123456789abcdef",
    "Bearer 0123456789ABCDEF0123456789ABCDEF",
    "Bearer 0123456789abcdef0123456789abcde",
    "Bearer 0123456789abcdef0123456789abcdef0",
    "Bearer ' OR 1=1 --",
    "Bearer ../../../../../../../../etc/pass",
    "Bearer %30123456789abcdef0123456789abcd",
];

/// Origins of strangers, for a server at an address of numbers.
const ORIGINS: [&str; 8] = [
    "null",
    "http://example.org",
    "https://example.org",
    "http://localhost",
    "http://127.0.0.1:1",
    "http://127.0.0.1.example.org",
    "file://",
    "chrome-extension://abcdefgh",
];

/// All requests of the tables, as their bytes.
fn requests(server: &Server) -> Vec<Vec<u8>> {
    let host = server.address.to_string();
    let tail = format!(" HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    let text = |text: String| text.into_bytes();
    let mut all = Vec::new();
    all.extend(PATHS.map(|path| text(format!("GET {path}{tail}\r\n"))));
    all.extend(METHODS.map(|line| text(format!("{line}{tail}Content-Length: 0\r\n\r\n"))));
    all.extend(HEADS.map(|head| text(head.replace("HOST", &host))));
    for path in ["/api/game", "/api/analysis"] {
        all.extend(
            HANDSHAKES.map(|headers| text(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n"))),
        );
    }
    all.extend(TEXTS.map(|body| {
        let head = format!("POST /api/games{tail}Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), body].concat()
    }));
    all.extend(LINKS.map(|link| text(format!("GET /api/games{tail}Authorization: {link}\r\n\r\n"))));
    all.extend(
        ORIGINS.map(|origin| {
            text(format!("POST /api/games{tail}Origin: {origin}\r\nContent-Length: 0\r\n\r\n"))
        }),
    );
    // Too long: a path, a header, all headers, their number.
    all.push(text(format!("GET /{}{tail}\r\n", "a".repeat(70_000))));
    all.push(text(format!("GET /{tail}X: {}\r\n\r\n", "a".repeat(100_000))));
    all.push(text(format!("GET /{tail}{}\r\n", format!("X: {}\r\n", "a".repeat(2000)).repeat(40))));
    all.push(text(format!("GET /{tail}{}\r\n", "X: a\r\n".repeat(500))));
    all
}

#[test]
fn every_hostile_request_is_refused_cleanly() {
    let server = Server::start(&empty_folder("serve-hostile"), &["--rate", "1000", "--game-rate", "1000000"]);
    let requests = requests(&server);
    assert!(requests.len() >= 140, "{}", requests.len());
    let mut faults = Vec::new();
    for request in &requests {
        let shown = String::from_utf8_lossy(&request[..request.len().min(300)]);
        let Some(response) = server.raw(request) else {
            faults.push(format!("no answer to {shown}"));
            continue;
        };
        if !(400..500).contains(&response.status) {
            faults.push(format!("{}: {shown}", response.status));
        }
        let body = String::from_utf8_lossy(&response.body);
        assert!(body.len() < 400 && !body.contains("root:") && !body.contains("panicked"), "{shown}: {body}");
        for place in ["sqlite", "/home", "/root", "/work", ".rs"] {
            assert!(!body.contains(place) || shown.contains(place), "{shown}: {body}");
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(server.metric("barrow_http_responses_total{class=\"5xx\"}"), 0);
    assert_eq!(server.metric("barrow_stored_games"), 0);
}

#[test]
fn pages_of_strangers_open_no_websocket() {
    let folder = empty_folder("serve-origins");
    let server = Server::start(&folder, &["--origin", "https://boards.example.org"]);
    for path in ["/api/game", "/api/analysis"] {
        for origin in ORIGINS {
            let refused = server.try_socket(path, &from_origin(origin));
            assert_eq!(refused.err(), Some(403), "{path} {origin}");
        }
        let own = format!("http://{}", server.address);
        for origin in [&*own, "https://boards.example.org"] {
            assert!(server.try_socket(path, &from_origin(origin)).is_ok(), "{path} {origin}");
        }
    }
    // Two origins are as good as none that is known.
    let own = format!("http://{}", server.address);
    let two = [("origin", &*own), ("origin", "http://example.org")];
    assert_eq!(server.try_socket("/api/game", &two).err(), Some(403));
}

/// Messages that are no requests, for both kinds of WebSockets.
const MESSAGES: [&str; 22] = [
    "",
    "nonsense",
    "{",
    "{}",
    "[]",
    "null",
    "7",
    "\"text\"",
    "{\"id\":null}",
    "{\"id\":{}}",
    "{\"id\":\"a\",\"position\":7}",
    "{\"id\":\"a\",\"position\":\"1|2\"}",
    "{\"id\":\"a\",\"nodes\":0}",
    "{\"id\":\"a\",\"nodes\":-1}",
    "{\"id\":\"a\",\"nodes\":1e99}",
    "{\"id\":\"a\",\"movetime\":99999999999}",
    "{\"id\":\"a\",\"positions\":[\"startpos\",\"\\u0000\"]}",
    "{\"id\":\"a\",\"turns\":[[\"action board 9 move a1a2\"]]}",
    "{\"id\":\"a\",\"action\":\"shutdown\"}",
    "{\"id\":\"a\",\"after\":[18446744073709551616]}",
    "{\"id\":1,\"ask\":\"dance\"}",
    "{\"id\":-1,\"ask\":\"undo\"}",
];

#[test]
fn a_bad_message_gets_one_line_and_the_next_is_obeyed() {
    let server = Server::start(&empty_folder("serve-messages"), &["--rate", "1000"]);
    let deep = format!("{{\"id\":\"a\",\"turns\":{}{}}}", "[".repeat(9000), "]".repeat(9000));
    let long = format!("{{\"id\":\"a\",\"position\":\"{}\"}}", "x".repeat(900_000));
    let many = format!("{{\"id\":\"a\",\"positions\":[{}\"startpos\"]}}", "\"startpos\",".repeat(5000));
    let messages: Vec<&str> = MESSAGES.into_iter().chain([&*deep, &long, &many]).collect();
    let mut analysis = server.socket("/api/analysis");
    // An empty line is none, as on standard input.
    for message in messages.iter().filter(|message| !message.is_empty()) {
        analysis.send_text(message);
        let answer = analysis.next().unwrap();
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(error.len() < 400 && !error.contains('\n'), "{error}");
    }
    analysis.send_text("{\"id\":\"v\",\"action\":\"version\"}");
    assert_eq!(analysis.next().unwrap()["version"], env!("CARGO_PKG_VERSION"));
    let mut game = server.socket("/api/game");
    for message in &messages {
        game.send_text(message);
        let answer = game.next().unwrap();
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{message}: {answer}"));
        assert!(error.len() < 400 && !error.contains('\n'), "{error}");
    }
    assert_eq!(server.get("/health").status, 200);
}
