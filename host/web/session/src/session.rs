//! A session: a table, and what each request does at it. Searches are begun by whoever has an engine.

use barrow_core::minions::{Game, Ruleset};

use crate::book::book;
use crate::choices::{choices, none};
use crate::load::{export, load, new_game};
use crate::messages::{Ask, NewGame, Place, Refusal, Reply, Request, ReviewAsk};
use crate::notation::AnnotatedGame;
use crate::position_view::position_view;
use crate::review::GameUnderReview;
use crate::table::Table;
use crate::text::counted::counted;
use crate::text::quoted::quoted;

/// A game with one page.
pub struct Session {
    table: Table,
}

/// Position that is to be searched.
pub struct Searched {
    /// Position.
    pub game: Game,
    /// Turns of the game before the position, where it is one of the game.
    pub after: Option<usize>,
}

impl Session {
    /// A session with a new game of the default configuration.
    pub fn new() -> Result<Session, Refusal> {
        Ok(Session { table: new_game(&NewGame::default())? })
    }

    /// A session at a table.
    pub fn at(table: Table) -> Session {
        Session { table }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Obeys a request of a page, unless it changes a game that has gone on since the page saw it.
    pub fn answer(&mut self, request: &Request) -> Result<Reply, Refusal> {
        let turns = self.table.turns();
        if request.must_have().is_some_and(|seen| seen != turns) {
            return Err(Refusal(format!("the game has gone on; turns so far: {turns}")));
        }
        self.obey(&request.ask)
    }

    /// Obeys a request; what is refused changes nothing. Searches are refused: they are not for the session.
    pub fn obey(&mut self, ask: &Ask) -> Result<Reply, Refusal> {
        match ask {
            Ask::Book { ruleset } => {
                let rules = match ruleset {
                    Some(name) => Ruleset::from_name(name)
                        .ok_or_else(|| format!("no such ruleset: {}", quoted(name)))?,
                    None => self.table.now().config().ruleset,
                };
                return Ok(Reply::Book(book(rules)));
            }
            Ask::Export { form } => return Ok(Reply::Text { text: export(&self.table, *form) }),
            Ask::Position { after } => return self.position(*after),
            Ask::Choices(subject) => {
                let over = self.table.going_on().err();
                let found = || choices(self.table.entry(), subject);
                return Ok(Reply::Choices(over.map_or_else(found, |why| Ok(none(subject.board, why)))?));
            }
            Ask::Check { line } => {
                return Ok(Reply::Checked { why: self.table.check(line).err() });
            }
            Ask::Search(_) | Ask::Review(_) | Ask::Stop => return Err("there is no engine here".into()),
            Ask::Contests | Ask::Watch { .. } | Ask::Match(_) | Ask::MatchTurn => {
                return Err("contest games are watched elsewhere".into());
            }
            Ask::New(asked) => self.table = new_game(asked)?,
            Ask::Load { text, ruleset, config, keep: _ } => {
                self.table = load(text, ruleset.as_deref(), config.as_deref())?;
            }
            Ask::Enter { line } => self.table.enter(line)?,
            Ask::Undo => self.table.undo()?,
            Ask::Clear => self.table.clear(),
            Ask::Propose { turn } => self.table.propose(turn)?,
            Ask::EndTurn => self.table.end_turn()?,
            Ask::Play { turn, value } => self.table.play(turn, *value)?,
            Ask::TakeBack { turns } => self.table.take_back(*turns)?,
            Ask::Resign => self.table.resign()?,
        }
        self.position(None)
    }

    fn position(&self, after: Option<usize>) -> Result<Reply, Refusal> {
        Ok(Reply::Position(Box::new(position_view(&self.table, after)?)))
    }

    /// Position that a search asks for. Fails where the game is over there.
    pub fn searched(&self, place: &Place) -> Result<Searched, Refusal> {
        let found = match place {
            Place::Now => Searched { game: self.table.now().clone(), after: Some(self.table.turns()) },
            Place::After(turns) => {
                let game = self.table.after(*turns);
                let game =
                    game.ok_or_else(|| format!("the game has {}", counted(self.table.turns(), "turn")))?;
                Searched { game, after: Some(*turns) }
            }
            Place::Text(text) => return searched_text(text),
        };
        found.going_on()
    }
}

impl Searched {
    fn going_on(self) -> Result<Searched, Refusal> {
        if self.game.state().is_over() { Err("the game is over".into()) } else { Ok(self) }
    }
}

/// Position of a text that a search asks for. Fails where the game is over there.
pub fn searched_text(text: &str) -> Result<Searched, Refusal> {
    Searched { game: load(text, None, None)?.now().clone(), after: None }.going_on()
}

/// Review of a game. Fails where there is nothing to review.
pub fn under_review(game: &AnnotatedGame, ask: &ReviewAsk) -> Result<GameUnderReview, Refusal> {
    if ask.nodes == 0 {
        return Err("nodes must be at least 1".into());
    }
    if game.turns.is_empty() {
        return Err("there is nothing to review".into());
    }
    GameUnderReview::of(game, ask.blunder).map_err(|error| Refusal(format!("{error:#}")))
}
