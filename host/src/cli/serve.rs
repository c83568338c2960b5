//! `barrow serve`: the board in a browser, with the engine of this machine.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;

use super::usage::{UsageError, require};
use crate::engine::network::EngineNetwork;
use crate::engine::{MAX_MIB, MAX_THREADS};
use crate::quantity::{mebibytes, milliseconds};
use crate::verbose;
use crate::web::{self, ClientCaps, Origins, Rate, SearchSettings, ServerSettings};

/// Arguments of `serve`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Address to listen at; port 0 is any that is free
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080", value_parser = resolved)]
    addr: SocketAddr,
    /// Folder of the games; several servers may have the same one
    #[arg(long, value_name = "DIR", default_value = "barrow-games")]
    data: PathBuf,
    /// Path before all of the server's own, for a proxy that keeps it, such as /barrow
    #[arg(long, value_name = "PATH", default_value = "", value_parser = prefix, hide_default_value = true)]
    prefix: String,
    /// Origin whose pages may speak to the server besides those of its own number, such as https://boards.example.org; can be repeated
    #[arg(long, value_name = "URL")]
    origin: Vec<String>,
    /// Believe the last address of X-Forwarded-For: only behind a proxy that adds it
    #[arg(long)]
    behind_proxy: bool,
    /// Searches at the same time; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: Option<u16>,
    /// Threads of each search
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Memory of each search
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = mebibytes(1..=MAX_MIB as u64))]
    hash: u64,
    /// Time of an analysis that names no limit [default: 1000, or that of the longest search]
    #[arg(long, value_name = "MS", value_parser = milliseconds(0))]
    movetime: Option<u64>,
    /// Time of the longest search
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = milliseconds(1))]
    longest: u64,
    /// Network file to think with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Requests a second of a client in the long run, and messages of each of its WebSockets
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// New games an hour of a client in the long run
    #[arg(long, value_name = "N", default_value_t = 720, value_parser = clap::value_parser!(u32).range(1..))]
    game_rate: u32,
    /// WebSockets of a client
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    sockets: u32,
    /// Games that are kept at most
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    games: u64,
    /// Days after its last change for which a game is kept
    #[arg(long, value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u64).range(1..=36_500))]
    keep: u64,
}

/// Milliseconds of a search that names no limit, where nothing else is said.
const MOVETIME: u64 = 1000;

impl Arguments {
    /// Milliseconds of a search that names no limit. Fails when that is more than the longest search has.
    fn movetime(&self) -> Result<u64, UsageError> {
        let (time, longest) = (self.movetime.unwrap_or(MOVETIME.min(self.longest)), self.longest);
        require(time <= longest, format!("--movetime: {time} ms are more than --longest, {longest} ms"))?;
        Ok(time)
    }
}

/// Path that begins with a slash, without one at its end, of plain signs.
fn prefix(text: &str) -> Result<String, String> {
    let path = text.trim_end_matches('/');
    let is_plain = |part: &str| {
        let signs = part.chars().all(|sign| sign.is_ascii_alphanumeric() || "-._~".contains(sign));
        !part.is_empty() && signs && !matches!(part, "." | "..")
    };
    match path.strip_prefix('/') {
        Some(parts) if parts.split('/').all(is_plain) => Ok(path.to_owned()),
        None if path.is_empty() => Ok(String::new()),
        _ => Err("a path such as /barrow is expected".to_owned()),
    }
}

/// Socket address of a host and a port, the first where there are several.
fn resolved(name: &str) -> Result<SocketAddr, String> {
    let mut found = name.to_socket_addrs().map_err(|error| error.to_string())?;
    found.next().ok_or_else(|| "no address has this name".to_owned())
}

/// Serves until it is interrupted.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let origins = Origins::new(&arguments.origin)
        .map_err(|text| UsageError(format!("--origin: {text} is none; one is https://boards.example.org")))?;
    let movetime = arguments.movetime()?;
    let rate = f64::from(arguments.rate);
    let caps = ClientCaps::default();
    // Nobody sits before a server, and what goes wrong in it no request tells.
    verbose::begin_warnings();
    web::serve(ServerSettings {
        address: arguments.addr,
        data: arguments.data.clone(),
        prefix: arguments.prefix.clone(),
        origins,
        behind_proxy: arguments.behind_proxy,
        searches: SearchSettings {
            workers: arguments.workers.map_or(cores, usize::from),
            threads: usize::from(arguments.threads),
            hash: arguments.hash as usize,
            network: arguments.net.as_deref().map(EngineNetwork::open).transpose()?,
        },
        movetime: Duration::from_millis(movetime),
        longest: Duration::from_millis(arguments.longest),
        caps: ClientCaps {
            requests: Rate { per_second: rate, burst: 4.0 * rate },
            messages: Rate { per_second: rate, burst: 4.0 * rate },
            new_games: Rate { per_second: f64::from(arguments.game_rate) / 3600.0, ..caps.new_games },
            sockets: arguments.sockets as usize,
            ..caps
        },
        games: arguments.games,
        keep: Duration::from_hours(24 * arguments.keep),
    })?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_begins_with_a_slash_and_ends_without_one() {
        assert_eq!(prefix("/barrow/").as_deref(), Ok("/barrow"));
        assert_eq!(prefix("/games/barrow").as_deref(), Ok("/games/barrow"));
        assert_eq!(["", "/"].map(prefix), [Ok(String::new()), Ok(String::new())]);
        for text in ["barrow", "//barrow", "/a//b", "/..", "/a b", "/{x}", "/*"] {
            assert!(prefix(text).is_err(), "{text}");
        }
    }
}
