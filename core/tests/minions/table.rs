//! A table to play an example on: set up pieces, enter legal and illegal actions, query the position.
//!
//! ```text
//! let mut table = Table::new("Y zombie c2, B zombie d2");
//! table.illegal("c2-d2", Blocked);
//! table.legal("c2->d2");
//! assert!(table.is_empty("d2"));
//! ```
//!
//! Every action is also checked against the invariants of the engine: an illegal action changes nothing, a legal one can
//! be undone, the position stays valid, and the list of legal actions agrees.

use barrow_core::minions::rules::entry::TurnEntry;
use barrow_core::minions::{
    Action, Board, BoardAction, BoardState, Builder, Change, Current, Game, GameConfig, IllegalReason,
    MapLabel, Outcome, Piece, Ruleset, Side, SideArray, Spell, TechStatus, TileType, UndoLog, UnitLabel,
};

use crate::notation::{Entered, hex, read, spells, tech, unit};

/// Creates a configuration of ruleset `server` on maps whose names are separated by spaces.
pub(crate) fn server(maps: &str) -> GameConfig {
    let maps: Vec<MapLabel> =
        maps.split_whitespace().map(|name| MapLabel::from_name(name).unwrap()).collect();
    GameConfig::new(Ruleset::Server, &maps).unwrap()
}

/// Creates a configuration of ruleset `spooky` on maps whose names are separated by spaces.
pub(crate) fn spooky(maps: &str) -> GameConfig {
    server(maps).with_ruleset(Ruleset::Spooky)
}

/// A game of an example. All methods concern board 0 until [`Table::turn_to`] selects another one.
#[derive(Clone)]
pub(crate) struct Table {
    game: Box<Game>,
    entry: Option<Box<TurnEntry>>,
    board: u8,
}

impl Table {
    /// Creates a table with one board of map AllLand: the given pieces, state `Normal`, Yellow to move, no souls.
    pub(crate) fn new(pieces: &str) -> Table {
        Table::of(server("AllLand"), pieces)
    }

    /// Creates a table like [`Table::new`] on other maps; the pieces are on the first board.
    pub(crate) fn on(maps: &str, pieces: &str) -> Table {
        Table::of(server(maps), pieces)
    }

    /// Creates a table like [`Table::new`] with any configuration.
    pub(crate) fn of(config: GameConfig, pieces: &str) -> Table {
        let game = Box::new(Builder::new(config, 1).build().unwrap());
        Table { game, entry: None, board: 0 }.with_pieces(pieces)
    }

    /// Creates a table with the start position of a game.
    pub(crate) fn start(config: GameConfig) -> Table {
        Table { game: Box::new(Game::new(config, 1)), entry: None, board: 0 }
    }

    /// Changes the position through a builder, before free entry begins.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Builder)) -> Table {
        assert!(self.entry.is_none());
        let mut builder = Builder::from_game(*self.game);
        change(&mut builder);
        self.game = Box::new(builder.build().unwrap());
        self
    }

    fn with_board(self, change: impl FnOnce(&mut Board)) -> Table {
        let index = usize::from(self.board);
        self.with(|builder| change(builder.board(index).unwrap()))
    }

    /// Adds pieces: `Y zombie c2 d2, B warg e2`.
    pub(crate) fn with_pieces(self, pieces: &str) -> Table {
        self.with_board(|board| {
            for item in pieces.split([',', ';']).filter(|item| !item.trim().is_empty()) {
                let mut words = item.split_whitespace();
                let side = match words.next() {
                    Some("Y") => Side::Yellow,
                    Some("B") => Side::Blue,
                    _ => panic!("{item:?} names no side"),
                };
                let unit = unit(words.next().unwrap());
                for at in words.map(hex) {
                    assert!(board.set_piece(at, Some(Piece::fresh(side, unit, at))).is_none(), "{item}");
                }
            }
        })
    }

    /// Adds reinforcements: `zombie zombie haunt`.
    pub(crate) fn with_reserve(self, side: Side, units: &str) -> Table {
        self.with_board(|board| {
            for unit in units.split_whitespace().map(unit) {
                board.set_reserve(side, unit, board.reserve(side, unit) + 1);
            }
        })
    }

    /// Adds cards to a hand, oldest first: `shield earthquake`.
    pub(crate) fn with_hand(self, side: Side, cards: &str) -> Table {
        self.with_board(|board| {
            for card in spells(cards) {
                board.push_card(side, card).unwrap();
            }
        })
    }

    pub(crate) fn with_state(self, state: BoardState) -> Table {
        self.with_board(|board| board.set_state(state))
    }

    /// Replaces the spell row.
    pub(crate) fn with_row(self, cards: &str) -> Table {
        self.with(|builder| {
            builder.row(&spells(cards), 0).unwrap();
        })
    }

    pub(crate) fn with_souls(self, yellow: u32, blue: u32) -> Table {
        self.with(|builder| {
            builder.souls(SideArray::new(yellow, blue));
        })
    }

    pub(crate) fn with_mover(self, side: Side) -> Table {
        self.with(|builder| {
            builder.turn(side, side.index() as u32);
        })
    }

    /// Sets the tech levels of a side, valid since before this turn: everything up to `last` unlocked, `owned` acquired.
    pub(crate) fn with_tech(self, side: Side, last: &str, owned: &str) -> Table {
        let (config, state) = (self.game.config(), self.game.state());
        let mut levels = state.tech(side);
        for index in 0..=tech(config, last) {
            levels.set(index, levels.status(index).max(TechStatus::Unlocked));
        }
        for name in owned.split_whitespace() {
            levels.set(tech(config, name), TechStatus::Acquired);
        }
        let mut all = SideArray::new(state.tech(Side::Yellow), state.tech(Side::Blue));
        all[side] = levels;
        self.with(|builder| {
            builder.tech(all, all);
        })
    }

    /// Begins free entry: actions may be entered in any order from now on (rules §4).
    pub(crate) fn with_free_entry(self) -> Table {
        let entry = Some(Box::new(TurnEntry::new(&self.game)));
        Table { entry, ..self }
    }

    /// Selects the board of all following calls.
    pub(crate) fn turn_to(&mut self, board: u8) -> &mut Table {
        self.board = board;
        self
    }
}

impl Table {
    /// Enters actions, separated by `;`. Panics if one is illegal.
    #[track_caller]
    pub(crate) fn legal(&mut self, texts: &str) {
        for text in texts.split(';') {
            let entered = read(self.game.config(), self.board, text);
            if let Err(reason) = self.enter(&entered) {
                panic!("{text} is refused: {reason}");
            }
            self.game.validate().unwrap();
        }
    }

    /// Enters an action. Panics unless it is illegal for the given reason.
    #[track_caller]
    pub(crate) fn illegal(&mut self, text: &str, expected: IllegalReason) {
        let before = self.game.clone();
        let entered = read(self.game.config(), self.board, text);
        match self.enter(&entered) {
            Ok(()) => panic!("{text} is accepted"),
            Err(reason) => assert_eq!(reason, expected, "{text}"),
        }
        assert!(self.game == before, "{text} is refused but changes something");
    }

    fn enter(&mut self, entered: &Entered) -> Result<(), IllegalReason> {
        let listed = self.is_listed(entered);
        self.check_plain_move(entered);
        let result = match (&mut self.entry, entered) {
            (Some(entry), Entered::General(action)) => entry.enter_general(&mut self.game, *action),
            (Some(entry), Entered::Captain(actions)) => {
                entry.enter(&mut self.game, self.board, actions).map(|used| assert_eq!(used, actions.len()))
            }
            (None, _) => self.apply_and_undo(entered),
        };
        if let (None, Some(listed)) = (&self.entry, listed) {
            assert_eq!(listed, result.is_ok(), "{entered:?}: enumeration and rules disagree");
        }
        result
    }

    /// Checks that a legal path may also be entered by its ends alone, and a single step as a path.
    fn check_plain_move(&self, entered: &Entered) {
        if let Entered::Captain(actions) = entered
            && let [BoardAction::Walk { path, .. }] = actions.as_slice()
        {
            let (mut walked, mut moved) = (self.game.clone(), self.game.clone());
            let by_walk = walked.apply_next(self.board, actions, &mut UndoLog::off()).is_ok();
            let plain = BoardAction::walk(path.from(), path.to());
            let by_move = moved.apply_next(self.board, &[plain], &mut UndoLog::off()).is_ok();
            if path.steps().len() == 1 {
                assert_eq!((by_walk, *walked), (by_move, *moved), "{entered:?}");
            } else {
                assert!(by_move || !by_walk, "{entered:?}");
            }
        }
    }

    /// Applies an action, undoes it, and applies it again; the positions must be equal.
    fn apply_and_undo(&mut self, entered: &Entered) -> Result<(), IllegalReason> {
        let before = self.game.clone();
        let mut memory = vec![Change::default(); 4096];
        let mut log = UndoLog::new(&mut memory);
        let mark = log.mark();
        self.apply(entered, &mut log)?;
        let after = self.game.clone();
        self.game.undo(mark, &mut log);
        assert!(self.game == before, "{entered:?} cannot be undone");
        self.apply(entered, &mut UndoLog::off())?;
        assert!(self.game == after, "{entered:?} differs the second time");
        Ok(())
    }

    fn apply(&mut self, entered: &Entered, log: &mut UndoLog<'_>) -> Result<(), IllegalReason> {
        match entered {
            Entered::General(action) => self.game.apply(Action::General(*action), log),
            Entered::Captain(actions) => {
                let used = self.game.apply_next(self.board, actions, log)?;
                assert_eq!(used, actions.len());
                Ok(())
            }
        }
    }

    /// Whether the list of legal actions includes an action; `None` for kinds of actions that are not listed.
    fn is_listed(&self, entered: &Entered) -> Option<bool> {
        let mut listed = false;
        match entered {
            Entered::General(action) => {
                self.game.legal_general_actions(|other| listed |= other == Action::General(*action));
            }
            Entered::Captain(actions) => {
                let action = match actions.as_slice() {
                    [BoardAction::Walk { path, .. }] if path.steps().len() == 1 => {
                        BoardAction::walk(path.from(), path.to())
                    }
                    [BoardAction::Walk { .. } | BoardAction::Resign | BoardAction::EndPhase] => return None,
                    [action] => *action,
                    _ => return None,
                };
                let board = usize::from(self.board);
                self.game.legal_board_actions(board, |other| listed |= other == action);
                if let BoardAction::Walk { path, .. } = action
                    && path.from().distance(path.to()) > 1
                {
                    return None;
                }
            }
        }
        Some(listed)
    }

    /// Ends the turn.
    #[track_caller]
    pub(crate) fn end(&mut self) -> Outcome {
        let outcome = self.game.end_turn().unwrap();
        self.game.validate().unwrap();
        assert_eq!(outcome.lost_to_capacity, 0);
        if self.entry.is_some() {
            self.entry = Some(Box::new(TurnEntry::new(&self.game)));
        }
        outcome
    }
}

impl Table {
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn board(&self) -> &Board {
        &self.game.state().boards()[usize::from(self.board)]
    }

    #[track_caller]
    pub(crate) fn piece(&self, at: &str) -> Piece {
        self.board().piece(hex(at)).unwrap_or_else(|| panic!("{at} is empty"))
    }

    /// Returns side and unit on a hex, such as `Y zombie`. Panics on an empty hex.
    #[track_caller]
    pub(crate) fn stands(&self, at: &str) -> String {
        let piece = self.piece(at);
        format!("{} {}", &piece.side().name()[..1], piece.unit().name())
    }

    pub(crate) fn is_empty(&self, at: &str) -> bool {
        self.board().piece(hex(at)).is_none()
    }

    #[track_caller]
    pub(crate) fn damage(&self, at: &str) -> u16 {
        self.piece(at).damage()
    }

    /// Returns the figures of a piece with its modifiers.
    #[track_caller]
    pub(crate) fn current(&self, at: &str) -> Current {
        let piece = self.piece(at);
        Current::new(self.game.config().rules.unit(piece.unit()), piece.modifiers())
    }

    /// Returns all pieces of a side, row by row: `zombie c1, necromancer c2`.
    pub(crate) fn pieces(&self, side: Side) -> String {
        let pieces = self.board().iter(side).map(|(hex, piece)| format!("{} {hex}", piece.unit().name()));
        pieces.collect::<Vec<_>>().join(", ")
    }

    /// Returns the reinforcements in master-list order, such as `zombie 2, warg 1`; an empty text for none.
    pub(crate) fn reserve(&self, side: Side) -> String {
        let reserves = self.board().reserves(side).map(|(unit, count)| format!("{} {count}", unit.name()));
        reserves.collect::<Vec<_>>().join(", ")
    }

    /// Returns the unit types that a side may keep, in master-list order.
    pub(crate) fn candidates(&self, side: Side) -> String {
        self.board().candidates(side).map(UnitLabel::name).collect::<Vec<_>>().join(" ")
    }

    /// Returns the cards in a hand, oldest first.
    pub(crate) fn hand(&self, side: Side) -> String {
        names(self.board().hand(side))
    }

    /// Returns the spell row, taken cards included.
    pub(crate) fn row(&self) -> String {
        names(self.game.state().row())
    }

    pub(crate) fn mana(&self) -> i16 {
        self.board().mana()
    }

    pub(crate) fn pending(&self, side: Side) -> u16 {
        self.board().pending(side)
    }

    pub(crate) fn state(&self) -> BoardState {
        self.board().state()
    }

    pub(crate) fn tile(&self, at: &str) -> TileType {
        self.board().tile(self.game.config().map(usize::from(self.board)), hex(at))
    }

    /// Returns the souls of Yellow and Blue.
    pub(crate) fn souls(&self) -> [u32; 2] {
        Side::ALL.map(|side| self.game.state().souls(side))
    }

    /// Returns the board points of Yellow and Blue.
    pub(crate) fn points(&self) -> [u8; 2] {
        Side::ALL.map(|side| self.game.state().points(side))
    }

    pub(crate) fn mover(&self) -> Side {
        self.game.side_to_move()
    }

    pub(crate) fn winner(&self) -> Option<Side> {
        self.game.state().winner()
    }

    pub(crate) fn tech(&self, side: Side, name: &str) -> TechStatus {
        self.game.state().tech(side).status(tech(self.game.config(), name))
    }

    pub(crate) fn tech_points(&self) -> u8 {
        self.game.state().budget().tech_points
    }
}

fn names(cards: &[Spell]) -> String {
    cards.iter().map(|spell| spell.name()).collect::<Vec<_>>().join(" ")
}
