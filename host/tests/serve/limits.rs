//! Limits of clients: bodies, rates, WebSockets, and clients that do not read.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;
use tungstenite::Message;

use crate::program::{empty_folder, peak_memory};
use crate::server::{Server, wait_for};

#[test]
fn bodies_and_messages_have_a_length() {
    let server = Server::start(&empty_folder("serve-bodies"), &[]);
    let long = vec![b'x'; (1 << 20) + 1];
    assert_eq!(server.request("POST", "/api/games", &[], &long).status, 413);
    // A body that tells no length is measured as it comes.
    let mut chunked = format!(
        "POST /api/games HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    )
    .into_bytes();
    for chunk in long.chunks(1 << 16) {
        chunked.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
        chunked.extend(chunk);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    assert_eq!(server.raw(&chunked).unwrap().status, 413);
    for path in ["/api/analysis", "/api/game"] {
        let mut socket = server.socket(path);
        // The server may close before it has read everything.
        let _ = socket.0.send(Message::text("x".repeat((1 << 20) + 1)));
        assert!(matches!(socket.close_code(), None | Some(1009)), "{path}");
        let mut socket = server.socket(path);
        socket.0.send(Message::binary(vec![1, 2, 3])).unwrap();
        assert_eq!(socket.close_code(), Some(1003), "{path}");
        // Text that is not UTF-8, bits that have no meaning, a kind of frame that there is not.
        for (frame, code) in [
            (&[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe][..], 1007),
            (&[0xf1, 0x80, 0, 0, 0, 0], 1002),
            (&[0x83, 0x80, 0, 0, 0, 0], 1002),
        ] {
            let mut socket = server.socket(path);
            socket.0.get_mut().write_all(frame).unwrap();
            assert_eq!(socket.close_code(), Some(code), "{path}: {frame:?}");
        }
    }
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn too_many_requests_are_refused_and_say_when_to_come_again() {
    let server = Server::start(&empty_folder("serve-rate"), &["--rate", "1"]);
    let statuses: Vec<u16> = (0..12).map(|_| server.get("/api/about").status).collect();
    assert!(statuses.starts_with(&[200; 4]) && statuses.contains(&429), "{statuses:?}");
    let refused = loop {
        let response = server.get("/");
        if response.status == 429 {
            break response;
        }
    };
    assert!(refused.headers["retry-after"].parse::<u64>().unwrap() >= 1);
}

#[test]
fn addresses_that_a_proxy_forwards_are_clients_of_their_own_only_where_it_is_said() {
    let statuses = |server: &Server| -> Vec<u16> {
        let from = |number: usize| {
            let address = format!("198.51.100.{number}");
            server.request("GET", "/api/about", &[("X-Forwarded-For", &address)], b"").status
        };
        (0..12).map(from).collect()
    };
    let folder = empty_folder("serve-proxy");
    let believing = Server::start(&folder, &["--rate", "1", "--behind-proxy"]);
    assert_eq!(statuses(&believing), [200; 12]);
    let other = Server::start(&folder, &["--rate", "1"]);
    assert!(statuses(&other).contains(&429));
}

#[test]
fn new_games_have_a_rate_and_the_store_has_an_end() {
    let server = Server::start(&empty_folder("serve-new-games"), &["--game-rate", "1", "--rate", "1000"]);
    let statuses: Vec<u16> = (0..22).map(|_| server.request("POST", "/api/games", &[], b"").status).collect();
    assert_eq!((statuses[..20].to_vec(), statuses[21]), (vec![201; 20], 429));
    // Nobody reads a game that may not be made.
    let mut socket = server.socket("/api/game");
    let refused = socket.ask(&json!({ "id": 1, "ask": "load", "text": "nonsense" }));
    assert_eq!(refused["error"], "too many new games; wait a little");
    let server = Server::start(&empty_folder("serve-full"), &["--games", "2"]);
    let statuses: Vec<u16> = (0..3).map(|_| server.request("POST", "/api/games", &[], b"").status).collect();
    assert_eq!(statuses, [201, 201, 422]);
}

#[test]
fn a_client_has_so_many_websockets_and_no_more() {
    let server = Server::start(&empty_folder("serve-sockets"), &["--sockets", "3"]);
    let mut open: Vec<_> = (0..3).map(|_| server.socket("/api/analysis")).collect();
    assert_eq!(server.try_socket("/api/game", &[]).err(), Some(429));
    open.pop();
    wait_for("room for another one", || server.try_socket("/api/game", &[]).is_ok());
}

#[test]
fn a_client_has_so_many_connections_and_no_more_unless_it_is_a_proxy() {
    let folder = empty_folder("serve-connections");
    let request = b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    for (more, answered) in [(&[][..], false), (&["--behind-proxy"], true)] {
        let server = Server::start(&folder, more);
        let mut open: Vec<_> = (0..100).map(|_| TcpStream::connect(server.address).unwrap()).collect();
        assert_eq!(server.raw(request).is_some(), answered, "{more:?}");
        open.pop();
        wait_for("room for another one", || {
            server.raw(request).is_some_and(|response| response.status == 200)
        });
    }
}

/// A client that asks and never reads: it is given up, the memory of the server stays small, and others are served.
#[test]
fn a_client_that_does_not_read_delays_nobody() {
    let folder = empty_folder("serve-slow");
    let server = Server::start(&folder, &["--rate", "100000"]);
    let mut slow = server.socket("/api/analysis");
    let bad = format!("{{\"id\":\"{}\"}}", "x".repeat(1000));
    let message = Message::text(bad);
    slow.0.get_mut().set_nonblocking(true).unwrap();
    wait_for("the end of a client that never reads", || {
        // What the client's own system does not take any more is not sent.
        for _ in 0..200 {
            let _ = slow.0.send(message.clone());
        }
        server.metric("barrow_too_slow_total") > 0
    });
    let mut other = server.socket("/api/analysis");
    other.send_text(r#"{"id":"b","nodes":1}"#);
    assert_eq!(other.next().unwrap()["id"], "b");
    let peak = peak_memory(server.child.id());
    assert!(peak < 400, "{peak} MiB");
}

#[test]
fn a_connection_that_says_nothing_is_closed() {
    let server = Server::start(&empty_folder("serve-silent"), &[]);
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    let mut rest = Vec::new();
    // Whether it is told so or not, it ends.
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&rest));
    assert_eq!(server.get("/health").status, 200);
}
