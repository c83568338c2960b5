//! State that all requests of a server share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::sync::watch;

use super::assets::Assets;
use super::client::Client;
use super::live_games::LiveGames;
use super::long_texts::LongTexts;
use super::metrics::Metrics;
use super::rate::Buckets;
use super::searches::Searches;
use super::settings::ServerSettings;
use super::sockets::OpenSockets;
use super::store::Store;

/// State that all requests share.
pub(super) struct Shared {
    /// Settings.
    pub(super) settings: ServerSettings,
    /// Games that are stored.
    pub(super) store: Arc<Store>,
    /// Games with open WebSockets.
    pub(super) live: LiveGames,
    /// Searches of all clients.
    pub(super) searches: Arc<Searches>,
    /// Files of the page.
    pub(super) assets: Assets,
    /// Figures.
    pub(super) metrics: Metrics,
    /// Open WebSockets.
    pub(super) sockets: Arc<OpenSockets>,
    /// Connections.
    pub(super) connections: Arc<OpenSockets>,
    /// Turns of long texts.
    pub(super) long_texts: LongTexts,
    /// Rates of requests.
    pub(super) requests: Buckets<Client>,
    /// Rates of new games.
    pub(super) new_games: Buckets<Client>,
    /// Whether the server stops.
    pub(super) stop: watch::Receiver<bool>,
}

impl Shared {
    /// Opens the store and reads the page.
    pub(super) fn open(settings: ServerSettings, stop: watch::Receiver<bool>) -> Result<Shared> {
        let store = Arc::new(Store::open(&settings.data, settings.games)?);
        Ok(Shared {
            live: LiveGames::new(store.clone())?,
            searches: Arc::default(),
            assets: Assets::read(&settings.data.join("site"))?,
            metrics: Metrics::default(),
            sockets: Arc::default(),
            connections: Arc::default(),
            long_texts: LongTexts::default(),
            requests: Buckets::new(settings.caps.requests),
            new_games: Buckets::new(settings.caps.new_games),
            store,
            settings,
            stop,
        })
    }

    /// Whether a client may make another game now. The error is the time after which it may.
    pub(super) fn may_create(&self, client: Client) -> Result<(), Duration> {
        self.new_games.take(client, Instant::now())
    }
}
