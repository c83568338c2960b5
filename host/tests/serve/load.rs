//! Load: 200 watchers of a game and 20 analyses in the queue, while other requests are timed. Not part of everyday tests:
//!
//!     cargo test --release -p barrow --test serve -- --ignored --nocapture load
//!
//! On a machine that does other things too, the times hold what threads of the server waited for a processor; that is
//! printed beside the processor time that they had.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::program::{empty_folder, peak_memory};
use crate::server::{Server, Socket};

const WATCHERS: usize = 200;
const ANALYSES: usize = 20;
const SECONDS: u64 = 20;

/// Times of one kind of request, in milliseconds.
struct Times {
    name: &'static str,
    all: Mutex<Vec<f64>>,
}

impl Times {
    fn new(name: &'static str) -> Times {
        Times { name, all: Mutex::default() }
    }

    fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        self.all.lock().unwrap().push(started.elapsed().as_secs_f64() * 1000.0);
        result
    }

    /// Prints the figures, and returns all times.
    fn report(&self) -> Vec<f64> {
        let mut all = self.all.lock().unwrap().clone();
        all.sort_by(f64::total_cmp);
        let at = |percent: usize| all[(all.len() - 1) * percent / 100];
        let (name, count) = (self.name, all.len());
        println!(
            "{name:<24} {count:>6} requests, p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
            at(50),
            at(99),
            at(100)
        );
        all
    }
}

/// Watches a game and counts what comes.
fn watched(mut socket: Socket, link: &str, over: &AtomicBool, seen: &AtomicUsize) {
    socket.send(&json!({ "id": 1, "ask": "open", "link": link }));
    socket.0.get_mut().set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    while !over.load(Relaxed) {
        if socket.0.read().is_ok_and(|message| message.is_text()) {
            seen.fetch_add(1, Relaxed);
        }
    }
}

/// Seconds that threads of a process had a processor, and that they waited for one. Threads that search are nicer.
fn processor_seconds(process: u32, is_search: bool) -> [f64; 2] {
    // The name of a thread may have blanks and ends with a bracket; the nice value is the 17th word behind it.
    let nice = |stat: &str| stat.rsplit(')').next()?.split_whitespace().nth(16)?.parse::<i32>().ok();
    let usual = std::fs::read_to_string(format!("/proc/{process}/stat")).ok().and_then(|stat| nice(&stat));
    let mut sums = [0.0; 2];
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
        let read = |file: &str| std::fs::read_to_string(thread.path().join(file)).unwrap_or_default();
        if (nice(&read("stat")) > usual) == is_search {
            for (sum, word) in sums.iter_mut().zip(read("schedstat").split_whitespace()) {
                *sum += word.parse::<f64>().unwrap_or_default() / 1e9;
            }
        }
    }
    sums
}

/// Prints the figures of all kinds of requests, and what the threads of the server had.
fn report_all<const N: usize>(kinds: [&Times; N], process: u32) {
    let all: Vec<f64> = kinds.into_iter().flat_map(Times::report).collect();
    Times { name: "all together", all: Mutex::new(all) }.report();
    for (name, is_search) in [("threads that answer", false), ("threads that search", true)] {
        let [had, waited] = processor_seconds(process, is_search);
        println!("{name}: {had:.1} s of processor time, {waited:.1} s waited for one");
    }
}

/// Has a position analysed.
fn analysed_once(mut socket: Socket, index: usize) {
    socket.send(&json!({ "id": index.to_string(), "movetime": 2000, "progress": true }));
    socket.until(|message| message["final"] == true);
}

#[test]
#[ignore = "a measurement of 20 seconds"]
fn load() {
    let folder = empty_folder("serve-load");
    let server =
        Server::start(&folder, &["--rate", "100000", "--game-rate", "100000000", "--sockets", "1000"]);
    let made = server.request("POST", "/api/games", &[], b"");
    let link = |role: &str| made.json()[role].as_str().unwrap().to_owned();
    let (play, watch) = (link("play"), link("watch"));
    let (over, seen, analysed) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let [page, about, text, create, change, choices, opening] = [
        "GET /",
        "GET /api/about",
        "GET /api/games",
        "POST /api/games",
        "enter, undo",
        "choices",
        "open a WebSocket",
    ]
    .map(Times::new);
    scope(|scope| {
        let (server, watch, over, seen, analysed) = (&server, &watch, &over, &seen, &analysed);
        for _ in 0..WATCHERS {
            let socket = opening.time(|| server.socket("/api/game"));
            scope.spawn(move || watched(socket, watch, over, seen));
        }
        for index in 0..ANALYSES {
            let socket = server.socket("/api/analysis");
            scope.spawn(move || {
                analysed_once(socket, index);
                analysed.fetch_add(1, Relaxed);
            });
        }
        let end = Instant::now() + Duration::from_secs(SECONDS);
        let is_over = move || Instant::now() > end;
        let pause = || sleep(Duration::from_millis(10));
        let (page, about, text, create, play) = (&page, &about, &text, &create, &play);
        scope.spawn(move || {
            while !is_over() {
                assert_eq!(page.time(|| server.get("/")).status, 200);
                assert_eq!(about.time(|| server.get("/api/about")).status, 200);
                pause();
            }
        });
        scope.spawn(move || {
            let bearer = format!("Bearer {play}");
            while !is_over() {
                let headers = [("Authorization", &*bearer)];
                assert_eq!(text.time(|| server.request("GET", "/api/games", &headers, b"")).status, 200);
                assert_eq!(create.time(|| server.request("POST", "/api/games", &[], b"")).status, 201);
                pause();
            }
        });
        let mut socket = server.socket("/api/game");
        socket.ask(&json!({ "id": 1, "ask": "open", "link": play }));
        let position = socket.ask(&json!({ "id": 2, "ask": "position" }));
        while !is_over() {
            for ask in [
                json!({ "id": 3, "ask": "enter", "line": position["march"] }),
                json!({ "id": 4, "ask": "undo" }),
            ] {
                assert_eq!(change.time(|| socket.ask(&ask))["reply"], "position");
                pause();
            }
            choices.time(|| socket.ask(&json!({ "id": 5, "ask": "choices", "board": 0 })));
        }
        over.store(true, Relaxed);
    });
    report_all([&page, &about, &text, &create, &change, &choices, &opening], server.child.id());
    println!(
        "{WATCHERS} watchers have seen {} messages, {} analyses are done",
        seen.into_inner(),
        analysed.into_inner()
    );
    println!("peak memory of the server: {} MiB", peak_memory(server.child.id()));
    assert_eq!(server.metric("barrow_http_responses_total{class=\"5xx\"}"), 0);
}
