//! Every route, and what holds for all of them.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;

use crate::program::{assert_refused, barrow_in, empty_folder};
use crate::server::{PATIENCE, Server};

#[test]
fn every_route_answers() {
    let folder = empty_folder("serve-routes");
    let server = Server::start(&folder, &[]);
    let page = server.get("/");
    assert_eq!((page.status, &*page.headers["content-type"]), (200, "text/html; charset=utf-8"));
    assert_eq!(server.get("/index.html").body, page.body);
    let known = server.request("GET", "/", &[("If-None-Match", &page.headers["etag"])], b"");
    assert_eq!((known.status, known.body.len()), (304, 0));
    // A proxy that compresses makes the tag weak.
    for tag in [&*format!("\"other\", W/{}", page.headers["etag"]), "*"] {
        assert_eq!(server.request("GET", "/", &[("If-None-Match", tag)], b"").status, 304, "{tag}");
    }
    let head = server.request("HEAD", "/", &[], b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.headers["content-length"], page.body.len().to_string());
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/page");
    for name in ["style.css", "js/app.js", "js/engine.js"] {
        assert_eq!(server.get(&format!("/{name}")).body, fs::read(files.join(name)).unwrap(), "{name}");
    }
    let health = server.get("/health");
    assert_eq!((health.status, health.text()), (200, "ok\n"));
    assert_eq!(server.get("/api/about").json()["program"], "barrow");
    let made = server.request("POST", "/api/games", &[], b"");
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
    for (role, scheme) in [("play", "Bearer"), ("watch", "bearer")] {
        let bearer = format!("{scheme} {}", made.json()[role].as_str().unwrap());
        let text = server.request("GET", "/api/games", &[("Authorization", &bearer)], b"");
        assert_eq!((text.status, &*text.headers["cache-control"]), (200, "no-store"));
        assert!(text.text().starts_with("[Mgn \"1\"]"), "{}", text.text());
    }
    assert_eq!(server.metric("barrow_stored_games"), 1);
    assert!(server.metric("barrow_http_responses_total{class=\"2xx\"}") >= 6);
}

/// A client that ends what it sends with its request, as scripts with `nc -N` do, still reads.
#[test]
fn who_has_ended_what_it_sends_is_answered() {
    let server = Server::start(&empty_folder("serve-half"), &[]);
    for (request, status) in [
        ("GET /health HTTP/1.1\r\nHost: x\r\n\r\n", "200"),
        ("POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "201"),
        // A body that breaks off is none.
        ("POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc", "400"),
    ] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = String::new();
        // The server closes the connection then.
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.split(' ').nth(1), Some(status), "{request}: {answer}");
    }
    assert_eq!(server.metric("barrow_stored_games"), 1);
}

#[test]
fn every_response_forbids_what_the_page_does_not_need() {
    let server = Server::start(&empty_folder("serve-headers"), &[]);
    for path in ["/", "/health", "/nothing", "/api/game"] {
        let headers = server.get(path).headers;
        assert!(headers["content-security-policy"].starts_with("default-src 'none'; "), "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert_eq!(headers["cross-origin-embedder-policy"], "require-corp");
    }
}

#[test]
fn a_method_that_a_path_has_not_is_refused_in_words_and_told_which_there_are() {
    let server = Server::start(&empty_folder("serve-methods"), &[]);
    for (path, methods) in [("/", "GET,HEAD"), ("/api/games", "GET,HEAD,POST"), ("/health", "GET,HEAD")] {
        let refused = server.request("PUT", path, &[], b"");
        assert_eq!((refused.status, &*refused.headers["allow"]), (405, methods), "{path}");
        assert_eq!(refused.text(), "the method is none of this path's\n");
    }
}

#[test]
fn a_prefix_stands_before_every_path() {
    let server = Server::start(&empty_folder("serve-prefix"), &["--prefix", "/games/barrow/"]);
    for path in
        ["/games/barrow/", "/games/barrow/index.html", "/games/barrow/health", "/games/barrow/metrics"]
    {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
    let without_slash = server.get("/games/barrow");
    assert_eq!((without_slash.status, &*without_slash.headers["location"]), (308, "/games/barrow/"));
    for path in ["/", "/health", "/games", "/games/barrowhealth", "/barrow/"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    server.socket("/games/barrow/api/analysis");
}

#[test]
fn a_built_site_is_served_over_the_page_of_the_program() {
    let folder = empty_folder("serve-site");
    fs::create_dir_all(folder.join("games/site")).unwrap();
    fs::write(folder.join("games/site/engine.wasm"), b"\0asm").unwrap();
    let server = Server::start(&folder, &[]);
    let engine = server.get("/engine.wasm");
    assert_eq!((&*engine.headers["content-type"], &*engine.body), ("application/wasm", &b"\0asm"[..]));
    assert_eq!((server.get("/").status, server.get("/site/engine.wasm").status), (200, 404));
}

#[test]
fn a_stop_is_in_good_order_and_says_nothing_more() {
    let folder = empty_folder("serve-stop");
    let server = Server::start(&folder, &[]);
    let mut socket = server.socket("/api/analysis");
    socket.send_text(r#"{"id":"long","movetime":60000}"#);
    crate::server::wait_for("a search", || server.metric("barrow_searches_running") == 1);
    let (code, output, complaint) = server.stop();
    assert_eq!((code, &*output, &*complaint), (Some(0), "", ""));
    assert_eq!(socket.close_code(), Some(1001));
    // Nothing is left of the journal: whoever copies the store needs no other file.
    let files = fs::read_dir(folder.join("games")).unwrap();
    assert_eq!(files.map(|file| file.unwrap().file_name()).collect::<Vec<_>>(), ["games.sqlite"]);
}

#[test]
fn a_fault_of_the_store_is_told_whoever_runs_the_server_but_not_ten_times_a_second() {
    let folder = empty_folder("serve-fault");
    let server = Server::start(&folder, &[]);
    let store = rusqlite::Connection::open(folder.join("games/games.sqlite")).unwrap();
    store.execute_batch("DROP TABLE game").unwrap();
    assert_eq!(server.request("POST", "/api/games", &[], b"").status, 503);
    // In this time there are ten looks for what other servers have changed.
    std::thread::sleep(std::time::Duration::from_secs(1));
    let (_, _, log) = server.stop();
    let lines = log.lines().filter(|line| line.contains("no such table: game")).count();
    assert!((2..=3).contains(&lines), "{log}");
}

#[test]
fn what_cannot_be_served_is_said_in_a_line() {
    let folder = empty_folder("serve-bad");
    let server = Server::start(&folder, &[]);
    let address = server.address.to_string();
    assert_refused(&barrow_in(&folder, &["serve", "--addr", &address, "--data", "others"]), &address);
    fs::write(folder.join("file"), "").unwrap();
    assert_refused(&barrow_in(&folder, &["serve", "--addr", "127.0.0.1:0", "--data", "file"]), "file");
    fs::create_dir(folder.join("spoilt")).unwrap();
    fs::write(
        folder.join("spoilt/games.sqlite"),
        "no tables at all, but text that is long enough".repeat(99),
    )
    .unwrap();
    assert_refused(
        &barrow_in(&folder, &["serve", "--addr", "127.0.0.1:0", "--data", "spoilt"]),
        "games.sqlite",
    );
}
