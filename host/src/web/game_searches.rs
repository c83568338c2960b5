//! Searches of a game's WebSocket: of a position, until its limits or a stop.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use barrow_core::minions::turn_search::SearchOptions;
use barrow_session::analysis::Standing;
use barrow_session::contests::{self, LiveContest};
use barrow_session::messages::{Answer, Ask, Refusal, Reply, ReviewAsk, SearchAsk};
use barrow_session::review::GameUnderReview;
use barrow_session::session::Searched;

use super::client::Client;
use super::game_analysis::analysis_of;
use super::outbox::Outbox;
use super::shared::Shared;
use crate::engine::{Engine, Limits, SearchResult, Signals};
use crate::review::searched_by;

/// Searches of a WebSocket that are not finished.
const UNFINISHED: usize = 64;

/// Searches of a WebSocket.
pub(super) struct GameSearches {
    shared: Arc<Shared>,
    client: Client,
    outbox: Arc<Outbox>,
    unfinished: Arc<Mutex<Vec<Arc<Signals>>>>,
}

/// Search that is not finished; it counts until it is dropped.
struct Unfinished {
    signals: Arc<Signals>,
    among: Arc<Mutex<Vec<Arc<Signals>>>>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        locked(&self.among).retain(|signals| !Arc::ptr_eq(signals, &self.signals));
    }
}

/// Request that a search answers.
struct Asked {
    id: u64,
    outbox: Arc<Outbox>,
    shared: Arc<Shared>,
}

impl Asked {
    /// Sends a reply; one of progress takes the place of an older one.
    fn send(&self, reply: Result<Reply, Refusal>, is_final: bool) {
        let key = if is_final { None } else { Some(format!("progress {}", self.id)) };
        match serde_json::to_string(&Answer::new(self.id, reply)) {
            Ok(text) => drop(self.outbox.put(text.into(), key)),
            Err(error) => tracing::error!("an answer without text: {error}"),
        }
    }
}

impl GameSearches {
    /// No searches yet. Their answers go to an outbox.
    pub(super) fn new(shared: Arc<Shared>, client: Client, outbox: Arc<Outbox>) -> GameSearches {
        GameSearches { shared, client, outbox, unfinished: Arc::default() }
    }

    /// Searches a position, which is one of the game after so many turns if these are given. It takes the longest time of the
    /// server at most, whatever is asked: a level of the page that thinks longer plays all the same.
    pub(super) fn search(&self, id: u64, ask: SearchAsk, position: Searched) -> Result<(), Refusal> {
        let longest = self.shared.settings.longest;
        let time = ask.movetime.map_or(longest, Duration::from_millis).min(longest);
        let (asked, unfinished) = self.begin(id)?;
        self.shared.searches.add(
            self.client,
            Box::new(move |engine| search(engine, &asked, &unfinished, &ask, &position, time)),
        );
        Ok(())
    }

    /// Reviews a game, a position after the other: each waits in the queue by itself, so that others are served in between.
    pub(super) fn review(&self, id: u64, ask: &ReviewAsk, game: GameUnderReview) -> Result<(), Refusal> {
        let (asked, unfinished) = self.begin(id)?;
        let (nodes, progress) = (ask.nodes, ask.progress);
        let client = self.client;
        let review = GameReviewSearch { asked, unfinished, client, nodes, progress, game };
        self.shared.searches.add(client, Box::new(move |engine| review.step(engine)));
        Ok(())
    }

    /// Lets bots of a contest play, or a record be followed, where searches are made.
    pub(super) fn contest(&self, id: u64, ask: Ask, live: Arc<Mutex<LiveContest>>) -> Result<(), Refusal> {
        let (asked, unfinished) = self.begin(id)?;
        let work = move |_: &mut Engine| {
            let _until_answered = unfinished;
            if let Some(reply) = contests::obey(&mut locked(&live), &ask) {
                asked.send(reply, true);
            }
        };
        self.shared.searches.add(self.client, Box::new(work));
        Ok(())
    }

    /// Ends all searches; each gives its last answer.
    pub(super) fn stop(&self) {
        locked(&self.unfinished).iter().for_each(|signals| signals.stop());
    }

    fn begin(&self, id: u64) -> Result<(Asked, Unfinished), Refusal> {
        if self.shared.searches.room(self.client) == 0 {
            return Err("too many positions wait to be searched".into());
        }
        let mut all = locked(&self.unfinished);
        if all.len() >= UNFINISHED {
            return Err(Refusal(format!("{UNFINISHED} searches are not finished yet")));
        }
        let signals = Arc::<Signals>::default();
        all.push(signals.clone());
        let asked = Asked { id, outbox: self.outbox.clone(), shared: self.shared.clone() };
        Ok((asked, Unfinished { signals, among: self.unfinished.clone() }))
    }
}

/// Review of a game under way.
struct GameReviewSearch {
    asked: Asked,
    unfinished: Unfinished,
    client: Client,
    nodes: u64,
    progress: bool,
    game: GameUnderReview,
}

impl GameReviewSearch {
    /// Searches the next position and answers. What is left waits behind the searches of others.
    fn step(mut self, engine: &mut Engine) {
        let signals = self.unfinished.signals.clone();
        let stopped = signals.is_stopped();
        if let Some((place, position)) = self.game.next().filter(|_| !stopped) {
            let longest = self.asked.shared.settings.longest;
            let limits = Limits { signals: signals.clone(), ..Limits::new(longest, self.nodes) };
            let found = engine.search(position, &limits);
            self.game.set(place, searched_by(&found));
        }
        let is_final = signals.is_stopped() || self.game.next().is_none();
        if is_final || self.progress {
            self.asked.send(Ok(Reply::Review(Box::new(self.game.message(is_final)))), is_final);
        }
        if !is_final {
            let shared = self.asked.shared.clone();
            shared.searches.add(self.client, Box::new(move |engine| self.step(engine)));
        }
    }
}

/// Searches and answers. One that was stopped before it began searches a single node.
fn search(
    engine: &mut Engine,
    asked: &Asked,
    unfinished: &Unfinished,
    ask: &SearchAsk,
    position: &Searched,
    time: Duration,
) {
    let limits = Limits {
        signals: unfinished.signals.clone(),
        watched: ask.progress,
        ..Limits::new(time, ask.nodes.unwrap_or(u64::MAX).max(1))
    };
    engine.set_options(SearchOptions { seed: ask.seed, ..SearchOptions::default() });
    engine.set_explains(ask.stages);
    let started = Instant::now();
    let network = asked.shared.settings.searches.network;
    let send = |found: &SearchResult, is_final| {
        let seconds = started.elapsed().as_secs_f64();
        let standing = Standing { is_final, after: position.after, seconds, candidates: ask.candidates };
        let reply = Reply::Analysis(Box::new(analysis_of(&position.game, found, network, standing)));
        asked.send(Ok(reply), is_final);
    };
    let found = engine.search_observed(&position.game, &limits, &mut |found| {
        if ask.progress {
            send(found, false);
        }
    });
    asked.shared.metrics.searches.fetch_add(1, Relaxed);
    send(&found, true);
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
