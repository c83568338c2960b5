//! The engine on a thread of its own: searches are asked for and answered later, so that the screen never waits.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};

use barrow_core::minions::Game;
use barrow_core::minions::turn_search::SearchOptions;

use super::level::Level;
use crate::engine::network::StaticNetwork;
use crate::engine::{Engine, Limits, SearchResult, Signals, or_simple_turn};

/// Stack of the thread, in bytes.
const STACK: usize = 16 << 20;

/// Settings of the engine that no level changes.
#[derive(Clone, Copy, Debug)]
pub struct EngineSettings {
    /// Memory in MiB.
    pub hash: usize,
    /// Threads of a search, unless the level asks for more.
    pub threads: usize,
    /// Seed of what is left to chance.
    pub seed: u64,
    /// Network of the nets; `None` is the built-in one.
    pub network: Option<StaticNetwork>,
}

/// Search that is asked for.
pub struct SearchRequest {
    /// Number, which the answer repeats.
    pub id: u64,
    /// Position.
    pub game: Box<Game>,
    /// Level.
    pub level: Level,
}

/// Answer to a request.
pub struct SearchAnswer {
    /// Number of the request.
    pub id: u64,
    /// Result of the search.
    pub result: SearchResult,
}

/// Engine on a thread of its own.
pub(super) struct EngineThread {
    requests: Option<Sender<(SearchRequest, Limits)>>,
    answers: Receiver<SearchAnswer>,
    /// Signals to the latest search.
    signals: Option<Arc<Signals>>,
    thread: Option<JoinHandle<()>>,
}

impl EngineThread {
    /// Starts the thread. Fails where the system has none left.
    pub(super) fn start(settings: EngineSettings) -> io::Result<EngineThread> {
        let (requests, to_do) = channel::<(SearchRequest, Limits)>();
        let (done, answers) = channel();
        let work = move || {
            let mut made: Option<(usize, Engine)> = None;
            for (SearchRequest { id, game, level }, limits) in to_do {
                let threads = level.threads(settings.threads);
                if made.as_ref().is_none_or(|(known, _)| *known != threads) {
                    made = None;
                }
                let (_, engine) = made.get_or_insert_with(|| (threads, new_engine(settings, threads)));
                let result = or_simple_turn(&game, settings.seed, || engine.search(&game, &limits));
                if done.send(SearchAnswer { id, result }).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("engine".to_owned()).stack_size(STACK).spawn(work)?;
        Ok(EngineThread { requests: Some(requests), answers, signals: None, thread: Some(thread) })
    }

    /// Asks for a search, after those that were asked for before it.
    pub(super) fn ask(&mut self, request: SearchRequest) {
        let limits = request.level.limits();
        self.signals = Some(limits.signals.clone());
        // The thread ends with this value only, so it receives.
        if let Some(requests) = &self.requests {
            let _ = requests.send((request, limits));
        }
    }

    /// Ends the latest search early; its answer comes all the same.
    pub(super) fn stop(&self) {
        if let Some(signals) = &self.signals {
            signals.stop();
        }
    }

    /// The next answer, if one has come. An error when none can come any more.
    pub(super) fn answer(&self) -> Result<Option<SearchAnswer>, io::Error> {
        match self.answers.try_recv() {
            Ok(answer) => Ok(Some(answer)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(io::Error::other("the engine's thread has ended")),
        }
    }
}

fn new_engine(settings: EngineSettings, threads: usize) -> Engine {
    let options = SearchOptions { seed: settings.seed, ..SearchOptions::default() };
    let mut engine = Engine::with_threads(settings.hash, options, threads);
    engine.set_network(settings.network);
    engine
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
