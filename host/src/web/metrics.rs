//! Figures of a running server, in the text form that Prometheus reads.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the classes of response times, in milliseconds.
const BOUNDS_MS: [u64; 8] = [1, 2, 5, 10, 25, 50, 100, 1000];

/// Counters of a server since its start.
#[derive(Default)]
pub(super) struct Metrics {
    /// Responses by the first digit of their status, 1 to 5.
    responses: [AtomicU64; 5],
    /// Response times: how many fall into each class, and one class for what is longer.
    times: [AtomicU64; BOUNDS_MS.len() + 1],
    time_us: AtomicU64,
    /// Messages received by WebSockets.
    pub(super) messages: AtomicU64,
    /// Requests and connections that a rate or another limit has refused.
    pub(super) refused: AtomicU64,
    /// Clients that were given up because they did not read.
    pub(super) too_slow: AtomicU64,
    /// Open WebSockets.
    pub(super) sockets: AtomicU64,
    /// Searches done.
    pub(super) searches: AtomicU64,
    /// Changes of games stored.
    pub(super) changes: AtomicU64,
}

/// Figures that are asked for when the metrics are.
pub(super) struct Gauges {
    /// Searches that wait.
    pub(super) waiting: usize,
    /// Searches that run.
    pub(super) running: usize,
    /// Games with open WebSockets.
    pub(super) live_games: usize,
    /// Games of the store.
    pub(super) stored_games: u64,
}

impl Metrics {
    /// Counts a response.
    pub(super) fn count_response(&self, status: u16, time: Duration) {
        if let Some(count) =
            usize::from(status / 100).checked_sub(1).and_then(|class| self.responses.get(class))
        {
            count.fetch_add(1, Relaxed);
        }
        let class = BOUNDS_MS.iter().take_while(|&&bound| time > Duration::from_millis(bound)).count();
        self.times[class].fetch_add(1, Relaxed);
        self.time_us.fetch_add(time.as_micros() as u64, Relaxed);
    }

    /// Metrics as text.
    pub(super) fn text(&self, gauges: &Gauges) -> String {
        let mut text = String::new();
        let mut row = |name: &str, kind: &str, help: &str, values: &[(String, f64)]| {
            let _ = writeln!(text, "# HELP barrow_{name} {help}\n# TYPE barrow_{name} {kind}");
            for (labels, value) in values {
                let _ = writeln!(text, "barrow_{name}{labels} {value}");
            }
        };
        let get = |count: &AtomicU64| count.load(Relaxed) as f64;
        let classes = |(class, count)| (format!("{{class=\"{}xx\"}}", class + 1), get(count));
        let responses: Vec<_> = self.responses.iter().enumerate().map(classes).collect();
        row("http_responses_total", "counter", "Responses by class of status.", &responses);
        let mut below = 0.0;
        let mut times = Vec::new();
        for (count, bound) in self.times.iter().zip(BOUNDS_MS.map(|bound| bound as f64 / 1000.0)) {
            below += get(count);
            times.push((format!("_bucket{{le=\"{bound}\"}}"), below));
        }
        below += self.times.last().map_or(0.0, get);
        times.push(("_bucket{le=\"+Inf\"}".to_owned(), below));
        times.push(("_sum".to_owned(), get(&self.time_us) / 1e6));
        times.push(("_count".to_owned(), below));
        row("http_response_seconds", "histogram", "Time of responses.", &times);
        for (name, kind, help, value) in [
            ("socket_messages_total", "counter", "Messages received by WebSockets.", get(&self.messages)),
            ("refused_total", "counter", "Requests that a limit has refused.", get(&self.refused)),
            ("too_slow_total", "counter", "Clients given up because they did not read.", get(&self.too_slow)),
            ("searches_total", "counter", "Searches done.", get(&self.searches)),
            ("game_changes_total", "counter", "Changes of games stored.", get(&self.changes)),
            ("sockets", "gauge", "Open WebSockets.", get(&self.sockets)),
            ("searches_waiting", "gauge", "Searches that wait.", gauges.waiting as f64),
            ("searches_running", "gauge", "Searches that run.", gauges.running as f64),
            ("live_games", "gauge", "Games with open WebSockets.", gauges.live_games as f64),
            ("stored_games", "gauge", "Games of the store.", gauges.stored_games as f64),
        ] {
            row(name, kind, help, &[(String::new(), value)]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_times_are_cumulative_and_every_line_is_a_sample_or_a_comment() {
        let metrics = Metrics::default();
        for (status, milliseconds) in [(200, 1), (204, 3), (404, 60), (500, 5000)] {
            metrics.count_response(status, Duration::from_millis(milliseconds));
        }
        let text = metrics.text(&Gauges { waiting: 3, running: 2, live_games: 1, stored_games: 7 });
        for line in [
            "barrow_http_responses_total{class=\"2xx\"} 2",
            "barrow_http_response_seconds_bucket{le=\"0.001\"} 1",
            "barrow_http_response_seconds_bucket{le=\"0.005\"} 2",
            "barrow_http_response_seconds_bucket{le=\"0.1\"} 3",
            "barrow_http_response_seconds_bucket{le=\"+Inf\"} 4",
            "barrow_http_response_seconds_sum 5.064",
            "barrow_http_response_seconds_count 4",
            "barrow_searches_waiting 3",
            "barrow_stored_games 7",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in\n{text}");
        }
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with("barrow_") && value.parse::<f64>().is_ok(), "{line}");
        }
    }
}
