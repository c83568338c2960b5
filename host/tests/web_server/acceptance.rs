//! Acceptance by the web server: its rules, asked action by action (rules §4 to §17).

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{
    BoardAction, Game, GameConfig, GeneralAction, IllegalReason, Path, Side, TechStatus, TurnEntry, UnitLabel,
};

/// Query: one action that the adapter asks the server for. Pieces go by the hex where they stood when the turn began.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Query {
    ExtraSpell,
    /// One step on a tech by the server's number, where the zombie is 0.
    Tech(i16),
    Free(u8, UnitLabel),
    Move(u8, Vec<(Hex, Vec<Hex>)>),
    Attack(u8, Hex, Hex),
    Blink(u8, Hex),
    Buy(u8, UnitLabel),
    Spawn(u8, UnitLabel, Hex),
    Resign(u8),
}

/// A turn of a game on the server.
pub(crate) struct Turn {
    pub(crate) game: Game,
    entry: TurnEntry,
}

/// Pieces of a board at a moment: where each stands that stood somewhere when the turn began.
fn standing(game: &Game, board: u8, origin: Hex) -> Option<Hex> {
    let board = game.state().boards().get(usize::from(board))?;
    board.iter_all().find(|(_, piece)| piece.origin() == Some(origin)).map(|(hex, _)| hex)
}

impl Turn {
    pub(crate) fn new(game: Game) -> Turn {
        let entry = TurnEntry::new(&game);
        Turn { game, entry }
    }

    /// The position that a line describes.
    pub(crate) fn from_fen(config: &GameConfig, line: &str) -> Turn {
        Turn::new(fen::parse_seeded(line, config, 1).unwrap())
    }

    /// Carries a query out, or says in short what was refused and why.
    pub(crate) fn ask(&mut self, query: &Query) -> Result<(), String> {
        let shown = self.game.clone();
        self.carry_out(query).map_err(|reason| format!("{}: {}", name(query), why(&shown, query, reason)))
    }

    fn carry_out(&mut self, query: &Query) -> Result<(), IllegalReason> {
        let at = |game: &Game, board, piece| standing(game, board, piece).ok_or(IllegalReason::NoPiece);
        let (board, actions) = match *query {
            Query::ExtraSpell => return self.entry.enter_general(&mut self.game, GeneralAction::BuySpell),
            Query::Tech(number) => {
                let index = match number {
                    0 => return Err(IllegalReason::TechOwned),
                    _ => u8::try_from(number - 1).map_err(|_| IllegalReason::NoSuchTech)?,
                };
                return self.entry.enter_general(&mut self.game, GeneralAction::Advance { index });
            }
            Query::Free(board, unit) => (board, vec![BoardAction::Keep { unit: Some(unit) }]),
            Query::Move(board, ref movers) => {
                let last = movers.len() - 1;
                let walk = |(place, (piece, path)): (usize, &(Hex, Vec<Hex>))| {
                    if at(&self.game, board, *piece)? != path[0] {
                        return Err(IllegalReason::BadPath);
                    }
                    let path = Path::new(path).ok_or(IllegalReason::TooFar)?;
                    Ok(BoardAction::Walk { path, joined: place < last })
                };
                (board, movers.iter().enumerate().map(walk).collect::<Result<_, _>>()?)
            }
            Query::Attack(board, attacker, target) => {
                let [from, to] = [attacker, target].map(|piece| at(&self.game, board, piece));
                (board, vec![BoardAction::Attack { from: from?, to: to? }])
            }
            Query::Blink(board, piece) => {
                (board, vec![BoardAction::Blink { at: at(&self.game, board, piece)? }])
            }
            Query::Buy(board, unit) => (board, vec![BoardAction::Buy { unit }]),
            Query::Spawn(board, unit, at) => (board, vec![BoardAction::Spawn { unit, at }]),
            Query::Resign(board) => (board, vec![BoardAction::Resign]),
        };
        self.entry.enter(&mut self.game, board, &actions).map(|_| ())
    }

    /// Ends the turn, by `endturn` or by the clock.
    pub(crate) fn end(mut self) -> Game {
        self.game.end_turn().unwrap();
        self.game
    }
}

fn name(query: &Query) -> String {
    match query {
        Query::ExtraSpell => "spell".to_owned(),
        Query::Tech(number) => format!("tech {number}"),
        Query::Free(board, unit) => format!("free {board} {}", unit.name()),
        Query::Move(board, _) => format!("move {board}"),
        Query::Attack(board, ..) => format!("attack {board}"),
        Query::Blink(board, _) => format!("blink {board}"),
        Query::Buy(board, unit) => format!("buy {board} {}", unit.name()),
        Query::Spawn(board, unit, at) => format!("spawn {board} {} {at}", unit.name()),
        Query::Resign(board) => format!("resign {board}"),
    }
}

/// Reason in the words of the recordings.
fn why(game: &Game, query: &Query, reason: IllegalReason) -> String {
    let state = game.state();
    let side = game.side_to_move();
    let said = match (reason, query) {
        // The server looks for a spawner first.
        (IllegalReason::NotInReserve, Query::Spawn(board, _, at))
            if game.view(usize::from(*board)).is_some_and(|view| !view.is_in_spawn_zone(*at)) =>
        {
            "no spawner near"
        }
        (IllegalReason::NotInReserve, _) => "none left",
        (IllegalReason::NoFriendNear, _) => "no spawner near",
        (IllegalReason::OutOfRange, _) => "out of range",
        (IllegalReason::TechOwned, _) => "already owned",
        (IllegalReason::TechTaken, _) => "the opponent's",
        (IllegalReason::TechLocked, _) => "out of order",
        (IllegalReason::NoSuchTech, _) => "no such number",
        (IllegalReason::Occupied, Query::Spawn(board, _, at)) => {
            let board = &state.boards()[usize::from(*board)];
            if board.piece(*at).is_some_and(|piece| piece.side() != side) {
                "on an enemy"
            } else {
                "on a friend"
            }
        }
        (IllegalReason::TechNotOwned, Query::Buy(_, unit)) => {
            if owns(game, side, *unit) {
                "acquired just now"
            } else {
                "not acquired"
            }
        }
        _ => return reason.to_string(),
    };
    said.to_owned()
}

fn owns(game: &Game, side: Side, unit: UnitLabel) -> bool {
    let line = &game.config().techline;
    let index = line.techs().iter().position(|tech| tech.name() == unit.name());
    index.is_some_and(|index| game.state().tech(side).status(index as u8) == TechStatus::Acquired)
}
