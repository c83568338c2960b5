//! Settings of a server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::origin::Origins;
use super::rate::Rate;
use super::searches::SearchSettings;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Address that it listens at.
    pub address: SocketAddr,
    /// Folder of its games.
    pub data: PathBuf,
    /// Path before all of its own, such as `/barrow`; empty for none.
    pub prefix: String,
    /// Origins whose pages may speak to it, besides its own address.
    pub origins: Origins,
    /// Whether `X-Forwarded-For` says who a client is.
    pub behind_proxy: bool,
    /// Searches.
    pub searches: SearchSettings,
    /// Time of a query of the analysis engine that names no limit.
    pub movetime: Duration,
    /// Time of the longest search.
    pub longest: Duration,
    /// Limits of a client.
    pub caps: ClientCaps,
    /// Games in the store at most.
    pub games: u64,
    /// Time after its last change for which a game is kept.
    pub keep: Duration,
}

/// Limits of clients.
#[derive(Clone, Copy, Debug)]
pub struct ClientCaps {
    /// Requests of a client.
    pub requests: Rate,
    /// Messages of a WebSocket; those beyond it wait.
    pub messages: Rate,
    /// New games of a client.
    pub new_games: Rate,
    /// WebSockets of a client.
    pub sockets: usize,
    /// WebSockets of all clients.
    pub all_sockets: usize,
    /// Connections of a client, besides WebSockets; none behind a proxy, where all are the proxy's.
    pub own_connections: usize,
    /// Connections of all clients.
    pub connections: usize,
    /// Bytes of the body of a request, and of a message.
    pub body: usize,
}

impl Default for ClientCaps {
    fn default() -> ClientCaps {
        ClientCaps {
            requests: Rate { per_second: 50.0, burst: 200.0 },
            messages: Rate { per_second: 50.0, burst: 200.0 },
            new_games: Rate { per_second: 0.2, burst: 20.0 },
            sockets: 32,
            all_sockets: 1000,
            own_connections: 100,
            connections: 2000,
            body: 1 << 20,
        }
    }
}
