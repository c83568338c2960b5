//! Servers of the test, and what a client says to them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout};
use std::time::{Duration, Instant};

use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::{Message, WebSocket};

use crate::program::{signal, start};

/// Time after which a test gives up on an answer.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// Running server.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    stdout: Option<BufReader<ChildStdout>>,
}

/// Response of a server.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Server {
    /// Server on a free port with its games in `games` of a folder.
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Server {
        let mut words = vec!["serve", "--addr", "127.0.0.1:0", "--data", "games"];
        for usual in [["--hash", "4"], ["--workers", "2"]] {
            if !more.contains(&usual[0]) {
                words.extend(usual);
            }
        }
        let mut child = start(folder, &[&words, more].concat());
        drop(child.stdin.take());
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let rest = line.strip_prefix("listening on http://");
        let address = rest.and_then(|rest| rest.split('/').next()?.parse().ok());
        let Some(address) = address else {
            let mut complaint = String::new();
            child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
            panic!("{line}: {complaint}");
        };
        Server { child, address, stdout: Some(stdout) }
    }

    /// Sends the bytes of a request and reads all that comes back; nothing if the connection is just closed.
    pub(crate) fn raw(&self, request: &[u8]) -> Option<Response> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let mut part = [0; 4096];
        // After a refusal the connection may be cut; what came before counts.
        while let Ok(length @ 1..) = stream.read(&mut part) {
            bytes.extend_from_slice(&part[..length]);
            // The connection may stay open for the next request.
            let whole = parse(&bytes).filter(|response| {
                let length = response.headers.get("content-length").and_then(|length| length.parse().ok());
                length == Some(response.body.len())
            });
            if whole.is_some() {
                return whole;
            }
        }
        parse(&bytes)
    }

    /// Response to a request with headers and body.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Response {
        let lines: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let lines = lines.concat();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{lines}\r\n",
            self.address,
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat()).unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.request("GET", path, &[], b"")
    }

    /// Value of a metric.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let response = self.get("/metrics");
        let line = response.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no metric {name}")).parse().unwrap()
    }

    /// WebSocket with headers; the error is the status of the refusal.
    pub(crate) fn try_socket(&self, path: &str, headers: &[(&'static str, &str)]) -> Result<Socket, u16> {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut request = format!("ws://{}{path}", self.address).into_client_request().unwrap();
        for &(name, value) in headers {
            request.headers_mut().append(name, value.parse().unwrap());
        }
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Socket(socket)),
            Err(HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn socket(&self, path: &str) -> Socket {
        self.try_socket(path, &[]).unwrap_or_else(|status| panic!("{path}: {status}"))
    }

    /// Ends the server as a system does that has no time.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the server by a signal; exit code, standard output after the first line, and standard error.
    pub(crate) fn stop(mut self) -> (Option<i32>, String, String) {
        signal(&self.child, "TERM");
        let (mut output, mut complaint) = (String::new(), String::new());
        self.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        (self.child.wait().unwrap().code(), output, complaint)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn parse(bytes: &[u8]) -> Option<Response> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().unwrap();
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    Some(Response { status, headers, body: bytes[end + 4..].to_vec() })
}

/// WebSocket of a client.
pub(crate) struct Socket(pub(crate) WebSocket<TcpStream>);

impl Socket {
    pub(crate) fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    /// Next message; `None` when the server has closed.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(other) => panic!("{other}"),
            }
        }
    }

    /// Next message for which a condition holds.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().expect("the server has closed");
            if wanted(&message) {
                return message;
            }
        }
    }

    /// Answer to a request with this number that is not one of progress.
    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        self.until(|message| message["id"] == request["id"] && message["final"] != false)
    }

    /// Code with which the server closes.
    pub(crate) fn close_code(&mut self) -> Option<u16> {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Err(_) => return None,
                Ok(_) => {}
            }
        }
    }
}

/// Waits until something holds.
pub(crate) fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Headers of a handshake that names an origin.
pub(crate) fn from_origin(origin: &str) -> [(&'static str, &str); 1] {
    [("origin", origin)]
}
