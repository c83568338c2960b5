//! A game by WebSocket: the messages of the session (`host/web/session`), with a game that is stored behind them.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use barrow_session::contests::LiveContest;
use barrow_session::load::{load, new_game};
use barrow_session::messages::{Answer, Ask, NewGame, Place, Refusal, Reply, Request};
use barrow_session::session::{Session, searched_text, under_review};
use serde::Serialize;
use serde_json::Value;

use super::client::Client;
use super::game_messages::{OpenRequest, OpenedGame};
use super::game_searches::GameSearches;
use super::link::Link;
use super::live_games::{LiveGame, position_text, stored_text};
use super::long_texts::LONG;
use super::outbox::Outbox;
use super::shared::Shared;
use super::sockets::Conversation;
use super::store::{Role, now};
use crate::text::quoted::shortened;

/// Conversation about a game, and about another one when that is opened.
pub(super) struct GameConversation {
    shared: Arc<Shared>,
    client: Client,
    outbox: Arc<Outbox>,
    searches: GameSearches,
    seat: Mutex<Option<Seat>>,
    contest: Arc<Mutex<LiveContest>>,
}

/// Place at a game.
#[derive(Clone)]
enum Seat {
    /// At a game that is stored.
    Stored(Arc<LiveGame>, Role),
    /// At a game that is stored nowhere, alone.
    Alone(Arc<Mutex<Session>>),
}

/// Why a request was not obeyed.
enum Fault {
    /// The rules of the game, or of the server, are against it.
    Refused(Refusal),
    /// The server failed.
    Failed(anyhow::Error),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        Fault::Refused(refusal)
    }
}

impl From<anyhow::Error> for Fault {
    fn from(error: anyhow::Error) -> Fault {
        Fault::Failed(error)
    }
}

fn refused<T>(words: &str) -> Result<T, Fault> {
    Err(Fault::Refused(words.into()))
}

impl GameConversation {
    /// Conversation whose answers go to an outbox. No game is open yet.
    pub(super) fn new(shared: Arc<Shared>, client: Client, outbox: Arc<Outbox>) -> GameConversation {
        let searches = GameSearches::new(shared.clone(), client, outbox.clone());
        GameConversation { shared, client, outbox, searches, seat: Mutex::default(), contest: Arc::default() }
    }

    fn send(&self, message: &impl Serialize) {
        match serde_json::to_string(message) {
            Ok(text) => drop(self.outbox.put(text.into(), None)),
            Err(error) => tracing::error!("a message without text: {error}"),
        }
    }

    fn refuse(&self, id: Option<u64>, words: &str) {
        self.send(&Answer { id, reply: None, error: Some(shortened(words)) });
    }

    /// Answer to a request; nothing where it is answered otherwise.
    fn obey(&self, request: &Request) -> Result<Option<Reply>, Fault> {
        let id = request.id;
        match &request.ask {
            Ask::New(_) | Ask::Load { keep: true, .. } => self.create(&request.ask).map(Some),
            Ask::Load { .. } => self.sit_alone(&request.ask).map(Some),
            Ask::Stop => {
                self.searches.stop();
                Ok(Some(Reply::Done))
            }
            Ask::Search(search) => {
                let seat = self.seat()?;
                let position = match &search.place {
                    // Reading a text takes a while, in which the players need not wait.
                    Place::Text(text) => searched_text(text),
                    place => self.with_session(&seat, |session| session.searched(place))?,
                };
                self.searches.search(id, search.clone(), position?)?;
                Ok(None)
            }
            Ask::Review(ask) => {
                let record = self.with_session(&self.seat()?, |session| session.table().record().clone())?;
                self.searches.review(id, ask, under_review(&record, ask)?)?;
                Ok(None)
            }
            Ask::Contests | Ask::Watch { .. } | Ask::Match(_) | Ask::MatchTurn => {
                self.searches.contest(id, request.ask.clone(), self.contest.clone())?;
                Ok(None)
            }
            Ask::Book { .. } if self.seat().is_err() => Ok(Some(Session::new()?.obey(&request.ask)?)),
            ask => match self.seat()? {
                Seat::Stored(_, Role::Watcher) if ask.changes_game() => refused("this link is only to watch"),
                Seat::Stored(game, _) => {
                    let answer = |reply| self.send(&Answer::new(id, reply));
                    if self.shared.live.obey(&game, request, &self.outbox, answer)? {
                        self.shared.metrics.changes.fetch_add(1, Relaxed);
                    }
                    Ok(None)
                }
                Seat::Alone(session) => Ok(Some(locked(&session).answer(request)?)),
            },
        }
    }

    /// Uses the session of a game.
    fn with_session<T>(&self, seat: &Seat, work: impl FnOnce(&mut Session) -> T) -> Result<T> {
        match seat {
            Seat::Stored(game, _) => self.shared.live.with_session(game, work),
            Seat::Alone(session) => Ok(work(&mut locked(session))),
        }
    }

    /// Opens a game that is stored. The position follows the answer.
    fn open(&self, id: u64, text: &str) -> Result<(), Fault> {
        let Some(link) = Link::parse(text) else { return refused("there is no such game") };
        let Some(role) = self.sit_down(link)? else { return refused("there is no such game") };
        self.opened(Some(id), link, role);
        let seat = self.seat()?;
        let put = |session: &mut Session| position_text(session).map(|text| self.outbox.put(text, None));
        self.with_session(&seat, put)??;
        Ok(())
    }

    /// Makes a new game, stores it, and opens it.
    fn create(&self, ask: &Ask) -> Result<Reply, Fault> {
        // Before the game is read, which may take a while.
        if self.shared.may_create(self.client).is_err() {
            self.shared.metrics.refused.fetch_add(1, Relaxed);
            return refused("too many new games; wait a little");
        }
        let mut session = Session::new()?;
        let reply = session.obey(ask)?;
        let link = store_new(&self.shared, &session)??;
        if let Some(role) = self.sit_down(link)? {
            self.opened(None, link, role);
        }
        Ok(reply)
    }

    /// Makes a new game that is stored nowhere, and opens it.
    fn sit_alone(&self, ask: &Ask) -> Result<Reply, Fault> {
        let mut session = Session::new()?;
        let reply = session.obey(ask)?;
        self.take_seat(Seat::Alone(Arc::new(Mutex::new(session))));
        Ok(reply)
    }

    fn opened(&self, id: Option<u64>, link: Link, role: Role) {
        let (play, watch) = match role {
            Role::Player => (Some(link.to_string()), link.to_watch()),
            Role::Watcher => (None, link),
        };
        self.send(&OpenedGame { id, reply: "game", play, watch: watch.to_string() });
    }

    /// Joins the game of a link and leaves the one before. `None` if there is no such game.
    fn sit_down(&self, link: Link) -> Result<Option<Role>> {
        let Some((game, role)) = self.shared.live.join(link, &self.outbox)? else { return Ok(None) };
        self.take_seat(Seat::Stored(game, role));
        Ok(Some(role))
    }

    /// Takes a place at a game and leaves the one before.
    fn take_seat(&self, seat: Seat) {
        self.searches.stop();
        let before = locked(&self.seat).replace(seat);
        self.leave(before);
    }

    fn leave(&self, seat: Option<Seat>) {
        if let Some(Seat::Stored(game, _)) = seat {
            self.shared.live.leave(&game, &self.outbox);
        }
    }

    fn seat(&self) -> Result<Seat, Fault> {
        match &*locked(&self.seat) {
            Some(seat) => Ok(seat.clone()),
            None => refused("no game is open: new, load and open do that"),
        }
    }

    fn report(&self, id: Option<u64>, fault: Fault) {
        match fault {
            Fault::Refused(Refusal(words)) => self.refuse(id, &words),
            Fault::Failed(error) => {
                tracing::error!("{error:#}");
                self.refuse(id, "the server cannot do this now");
            }
        }
    }
}

impl Conversation for GameConversation {
    fn receive(&self, text: &str) {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return self.refuse(None, &format!("no JSON: {error}")),
        };
        let id = value.get("id").and_then(Value::as_u64);
        if value.get("ask").and_then(Value::as_str) == Some("open") {
            return match serde_json::from_value::<OpenRequest>(value) {
                Ok(request) => {
                    if let Err(fault) = self.open(request.id, &request.link) {
                        self.report(id, fault);
                    }
                }
                Err(error) => self.refuse(id, &error.to_string()),
            };
        }
        match serde_json::from_value::<Request>(value) {
            Ok(request) => match self.obey(&request) {
                Ok(Some(reply)) => self.send(&Answer { id, reply: Some(reply), error: None }),
                Ok(None) => {}
                Err(fault) => self.report(id, fault),
            },
            Err(error) => self.refuse(id, &error.to_string()),
        }
    }

    /// Whether a message may take long: a long one, or one that opens or reviews a game, whose text in the store may be long.
    fn takes_long(&self, text: &str) -> bool {
        text.len() >= LONG || ["\"open\"", "\"review\""].iter().any(|ask| text.contains(ask))
    }

    fn close(&self) {
        self.searches.stop();
        let seat = locked(&self.seat).take();
        self.leave(seat);
    }
}

/// New game of a text, from the start if it is empty. The inner error is why there is none.
pub(super) fn create_game(shared: &Shared, text: &str) -> Result<Result<Link, Refusal>> {
    let table = if text.trim().is_empty() { new_game(&NewGame::default()) } else { load(text, None, None) };
    match table {
        Ok(table) => store_new(shared, &Session::at(table)),
        Err(words) => Ok(Err(Refusal(shortened(&words)))),
    }
}

/// Stores a new game under a new link.
fn store_new(shared: &Shared, session: &Session) -> Result<Result<Link, Refusal>> {
    let link = Link::random()?;
    let stored = shared.store.create(link, &stored_text(session), now())?;
    Ok(if stored { Ok(link) } else { Err("the server has as many games as it may".into()) })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
