//! Live games: those that somebody has open. What is in memory follows the store, never the other way: a change is stored
//! before it is answered, and what another server has stored is read again.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow};
use barrow_session::load::{export, load};
use barrow_session::messages::{Answer, Ask, Form, Refusal, Reply, Request};
use barrow_session::session::Session;
use hashbrown::HashMap;

use super::link::{Link, LinkHash};
use super::outbox::Outbox;
use super::store::{Role, Store, StoredGame, StoredText, now};

/// Key of a position in an outbox: only the newest one matters.
const POSITION: &str = "position";

/// Game that somebody has open.
pub(super) struct LiveGame {
    id: LinkHash,
    state: Mutex<State>,
    audience: Mutex<Vec<Arc<Outbox>>>,
}

/// Game as it is in the store.
struct State {
    version: u64,
    text: StoredText,
    session: Session,
}

/// Games that somebody has open.
pub(super) struct LiveGames {
    store: Arc<Store>,
    open: Mutex<HashMap<LinkHash, Arc<LiveGame>>>,
    /// Number of the last change of the store that has been looked at.
    seen: AtomicI64,
}

impl LiveGames {
    /// No open games yet.
    pub(super) fn new(store: Arc<Store>) -> Result<LiveGames> {
        let seen = AtomicI64::new(store.last_change()?);
        Ok(LiveGames { store, open: Mutex::default(), seen })
    }

    /// Opens the game of a link for who reads an outbox. `None` if there is no such game.
    pub(super) fn join(&self, link: Link, outbox: &Arc<Outbox>) -> Result<Option<(Arc<LiveGame>, Role)>> {
        let Some((stored, role)) = self.store.find(link)? else { return Ok(None) };
        let id = stored.id;
        let is_open = locked(&self.open).contains_key(&id);
        // Reading a long game takes a while, in which others open theirs.
        let state = if is_open { None } else { Some(State::of(stored)?) };
        let mut open = locked(&self.open);
        let game = match (open.get(&id), state) {
            (Some(game), _) => game.clone(),
            (None, Some(state)) => {
                let game = Arc::new(LiveGame { id, state: Mutex::new(state), audience: Mutex::default() });
                open.insert(id, game.clone());
                game
            }
            // The last one who had it open has just left.
            (None, None) => {
                drop(open);
                return self.join(link, outbox);
            }
        };
        locked(&game.audience).push(outbox.clone());
        Ok(Some((game, role)))
    }

    /// Ends what [`LiveGames::join`] has begun.
    pub(super) fn leave(&self, game: &LiveGame, outbox: &Arc<Outbox>) {
        let mut open = locked(&self.open);
        let mut audience = locked(&game.audience);
        // Who has opened it twice keeps it open.
        if let Some(place) = audience.iter().position(|other| Arc::ptr_eq(other, outbox)) {
            audience.remove(place);
        }
        if audience.is_empty() {
            open.remove(&game.id);
        }
    }

    /// Number of open games.
    pub(super) fn count(&self) -> usize {
        locked(&self.open).len()
    }

    /// Looks for what other servers have changed, and shows it to who has the games open. A game that cannot be read is
    /// logged and left as it is until it changes again.
    pub(super) fn catch_up(&self) -> Result<()> {
        for (id, number) in self.store.changed_after(self.seen.load(Relaxed))? {
            let game = locked(&self.open).get(&id).cloned();
            if let Some(game) = game {
                let mut state = locked(&game.state);
                match state.refresh(&self.store, id) {
                    Ok(true) => game.show(|| position_text(&mut state.session), None),
                    Ok(false) => {}
                    Err(error) => tracing::warn!("game {id:?}: {error:#}"),
                }
            }
            self.seen.fetch_max(number, Relaxed);
        }
        Ok(())
    }

    /// Lets a session answer. What it changes is stored before, and shown to all others. `answer` is called while the game is
    /// locked, so that nobody is answered with an older position after a newer one was shown. Says whether the game changed.
    pub(super) fn obey(
        &self,
        game: &LiveGame,
        request: &Request,
        from: &Arc<Outbox>,
        answer: impl FnOnce(Result<Reply, Refusal>),
    ) -> Result<bool> {
        let mut state = self.refreshed(game)?;
        if !request.ask.changes_game() {
            answer(state.session.answer(request));
            return Ok(false);
        }
        // Another server may change the game at the same time, and then this one looks again.
        for _ in 0..8 {
            let reply = match state.session.answer(request) {
                Ok(reply) => reply,
                Err(refusal) => {
                    answer(Err(refusal));
                    return Ok(false);
                }
            };
            let text = stored_text(&state.session);
            if text == state.text {
                answer(Ok(reply));
                return Ok(false);
            }
            match self.store.update(game.id, state.version, &text, now()) {
                Ok(true) => {
                    state.version += 1;
                    state.text = text;
                    game.show(|| text_of(&reply), Some(from));
                    answer(Ok(reply));
                    return Ok(true);
                }
                stored => {
                    state.take_back(&self.store, game.id)?;
                    game.show(|| position_text(&mut state.session), None);
                    stored?;
                }
            }
        }
        // Nothing is wrong with the server, and what it was asked for may be possible in a moment.
        answer(Err("others change the game too fast; try again".into()));
        Ok(false)
    }

    /// Uses the session of a game as it is in the store. The game is locked meanwhile.
    pub(super) fn with_session<T>(&self, game: &LiveGame, work: impl FnOnce(&mut Session) -> T) -> Result<T> {
        Ok(work(&mut self.refreshed(game)?.session))
    }

    /// Locks a game as it is in the store. Who reads a change of another server here first shows it to all:
    /// [`LiveGames::catch_up`] then finds nothing new.
    fn refreshed<'game>(&self, game: &'game LiveGame) -> Result<MutexGuard<'game, State>> {
        let mut state = locked(&game.state);
        if state.refresh(&self.store, game.id)? {
            game.show(|| position_text(&mut state.session), None);
        }
        Ok(state)
    }
}

impl LiveGame {
    /// Shows the position to the audience, except to who has changed it and is answered anyway.
    fn show(&self, position: impl FnOnce() -> Result<Arc<str>>, except: Option<&Arc<Outbox>>) {
        let audience = locked(&self.audience);
        let is_meant = |outbox: &&Arc<Outbox>| except.is_none_or(|except| !Arc::ptr_eq(except, outbox));
        if !audience.iter().any(|outbox| is_meant(&outbox)) {
            return;
        }
        let Ok(text) = position() else { return };
        for outbox in audience.iter().filter(is_meant) {
            outbox.put(text.clone(), Some(POSITION.to_owned()));
        }
    }
}

impl State {
    fn of(stored: StoredGame) -> Result<State> {
        let session = session_of(&stored.text).with_context(|| format!("game {:?}", stored.id))?;
        Ok(State { version: stored.version, text: stored.text, session })
    }

    /// Reads the game again if another server has changed it. Says whether it has.
    fn refresh(&mut self, store: &Store, id: LinkHash) -> Result<bool> {
        let is_old = store.version(id)? != Some(self.version);
        if is_old {
            self.reload(store, id)?;
        }
        Ok(is_old)
    }

    /// Takes back what the session did and the store did not take, also where the store cannot be read.
    fn take_back(&mut self, store: &Store, id: LinkHash) -> Result<()> {
        let reloaded = self.reload(store, id);
        if reloaded.is_err() {
            self.session = session_of(&self.text)?;
        }
        reloaded
    }

    fn reload(&mut self, store: &Store, id: LinkHash) -> Result<()> {
        *self = State::of(store.load(id)?.ok_or_else(|| anyhow!("game {id:?} is gone"))?)?;
        Ok(())
    }
}

/// Position of a session as a message that answers no request.
pub(super) fn position_text(session: &mut Session) -> Result<Arc<str>> {
    text_of(&session.obey(&Ask::Position { after: None }).map_err(|Refusal(words)| anyhow!(words))?)
}

/// A reply as a message that answers no request.
fn text_of(reply: &Reply) -> Result<Arc<str>> {
    Ok(serde_json::to_string(&Answer { id: None, reply: Some(reply.clone()), error: None })?.into())
}

/// Text by which a session is stored.
pub(super) fn stored_text(session: &Session) -> StoredText {
    let table = session.table();
    StoredText { record: export(table, Form::Mgn), lines: table.entry().lines().to_vec() }
}

/// Session of its text.
fn session_of(text: &StoredText) -> Result<Session> {
    let mut table = load(&text.record, None, None).map_err(|words| anyhow!(words))?;
    for line in &text.lines {
        table.enter(line).map_err(|words| anyhow!(words))?;
    }
    Ok(Session::at(table))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::path::Path;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use barrow_session::load::new_game;
    use barrow_session::messages::NewGame;
    use serde_json::Value;

    use super::*;

    fn server(folder: &Path) -> LiveGames {
        LiveGames::new(Arc::new(Store::open(folder, 9).unwrap())).unwrap()
    }

    fn stored_game(server: &LiveGames) -> (Link, String) {
        let mut session = Session::at(new_game(&NewGame::default()).unwrap());
        let link = Link::random().unwrap();
        assert!(server.store.create(link, &stored_text(&session), 1).unwrap());
        let Ok(Reply::Position(view)) = session.obey(&Ask::Position { after: None }) else { panic!() };
        (link, view.march.unwrap())
    }

    fn request(ask: Ask) -> Request {
        Request { id: 1, seen: None, ask }
    }

    /// Client with the game of a link open.
    fn client(server: &LiveGames, link: Link) -> (Arc<LiveGame>, Arc<Outbox>) {
        let outbox = Arc::<Outbox>::default();
        (server.join(link, &outbox).unwrap().unwrap().0, outbox)
    }

    /// Lines entered in each position that a client has not read yet.
    fn unread(outbox: &Outbox) -> Vec<usize> {
        let mut read = Vec::new();
        while let Poll::Ready(Some(text)) = pin!(outbox.next()).poll(&mut Context::from_waker(Waker::noop()))
        {
            let position: Value = serde_json::from_str(&text).unwrap();
            read.extend(position["lines"].as_array().map(Vec::len));
        }
        read
    }

    #[test]
    fn the_last_position_that_a_client_is_sent_is_the_newest_whoever_asked_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(folder.path());
        let (link, march) = stored_game(&server);
        let clients = [(); 2].map(|()| client(&server, link));
        std::thread::scope(|scope| {
            for (game, outbox) in &clients {
                let (server, march) = (&server, &march);
                scope.spawn(move || {
                    for number in 0..100 {
                        let line = march.clone();
                        let ask = if number % 2 == 0 { Ask::Enter { line } } else { Ask::Undo };
                        let put = |reply| {
                            let text = serde_json::to_string(&Answer::new(number, reply)).unwrap();
                            assert!(outbox.put(text.into(), None));
                        };
                        server.obey(game, &request(ask), outbox, put).unwrap();
                    }
                });
            }
        });
        let entered = server.with_session(&clients[0].0, |session| session.table().entry().lines().len());
        for (_, outbox) in &clients {
            assert_eq!(unread(outbox).last(), entered.as_ref().ok());
        }
    }

    #[test]
    fn what_cannot_be_stored_is_not_played_even_where_the_store_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let server = server(folder.path());
        let (link, march) = stored_game(&server);
        let (game, outbox) = client(&server, link);
        let store = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
        let rename = |from: &str, to: &str| {
            store.execute_batch(&format!("ALTER TABLE game RENAME COLUMN {from} TO {to}")).unwrap();
        };
        let enter = request(Ask::Enter { line: march });
        rename("record", "away");
        assert!(server.obey(&game, &enter, &outbox, |_| panic!("it was not stored")).is_err());
        rename("away", "record");
        let lines = || server.with_session(&game, |session| session.table().entry().lines().len()).unwrap();
        assert_eq!(lines(), 0);
        assert!(server.obey(&game, &enter, &outbox, |reply| assert!(reply.is_ok())).unwrap());
        assert_eq!(lines(), 1);
    }

    #[test]
    fn what_one_request_finds_of_another_server_is_shown_to_all() {
        let folder = tempfile::tempdir().unwrap();
        let [here, there] = [(); 2].map(|()| server(folder.path()));
        let (link, march) = stored_game(&here);
        let ((game, asks), (_, watches)) = (client(&here, link), client(&here, link));
        let (same, other) = client(&there, link);
        assert!(
            there
                .obey(&same, &request(Ask::Enter { line: march }), &other, |reply| assert!(reply.is_ok()))
                .unwrap()
        );
        here.obey(&game, &request(Ask::Export { form: Form::Fen }), &asks, |reply| assert!(reply.is_ok()))
            .unwrap();
        assert_eq!((unread(&watches), unread(&asks)), (vec![1], vec![1]));
        here.catch_up().unwrap();
        assert!(unread(&watches).is_empty());
    }
}
