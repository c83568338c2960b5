//! Table: the position at the start of the turn, the position as entered, and the record that leads to both.
//!
//! Actions may be entered in any order (rules §4). One of the attack phase that comes late is put before the spawn phase
//! of its board, and what was entered before it is played once more behind it. A mark says how much that was: so the action
//! that was entered last can be told, wherever it stands.

use barrow_core::minions::{Action, BoardAction, Game, GameConfig, IllegalReason, Outcome, Side, UndoLog};
use heapless::Vec;

use crate::coding::{Entry, encode};
use crate::record::{Entries, Group, Record};

/// Pieces of a simultaneous move at most.
pub const MOVERS: usize = 12;

/// Game with the turn that is being entered.
pub struct Table {
    start: Game,
    shown: Game,
    record: Record,
    resigned: Option<Side>,
}

/// Reason why a record is not that of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadRecord {
    /// The position cannot be read.
    Position,
    /// An entry cannot be read, or is not legal.
    Entry,
}

impl Table {
    /// A game from its start; the seed determines the order of the decks.
    pub fn new(config: GameConfig, seed: u64) -> Table {
        let start = Game::new(config, seed);
        let shown = start.clone();
        Table { start, shown, record: Record::EMPTY, resigned: None }
    }

    /// Begins another game.
    pub fn begin(&mut self, config: GameConfig, seed: u64) {
        self.start = Game::new(config, seed);
        self.shown.clone_from(&self.start);
        self.resigned = None;
        self.record.replace(&[], [0; 3]);
        self.record.rebase(&self.start);
    }

    /// Position at the start of the turn.
    pub fn start(&self) -> &Game {
        &self.start
    }

    /// Position as entered.
    pub fn shown(&self) -> &Game {
        &self.shown
    }

    /// Record of the game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Side that resigned the game.
    pub fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.resigned.is_some() || self.start.state().is_over()
    }

    /// Winner of the game.
    pub fn winner(&self) -> Option<Side> {
        self.resigned.map(Side::opponent).or(self.start.state().winner())
    }

    /// Enters an action, or the moves of several pieces at the same moment, all but the last of them joined. On error
    /// nothing has changed.
    pub fn enter(&mut self, actions: &[Action]) -> Result<(), IllegalReason> {
        let Some(&first) = actions.first() else { return Ok(()) };
        match apply(&mut self.shown, actions) {
            Ok(()) => self.append(actions),
            Err(IllegalReason::WrongPhase) => match first {
                Action::Board(board, _) => self.enter_late(board, actions),
                Action::General(_) => Err(IllegalReason::WrongPhase),
            },
            Err(reason) => Err(reason),
        }
    }

    fn append(&mut self, actions: &[Action]) -> Result<(), IllegalReason> {
        let offset = self.record.entered().rest();
        self.insert(offset, None, actions).inspect_err(|_| self.rebuild())
    }

    /// Adds actions to the record, behind a mark if there is one. The record begins anew where it is full.
    fn insert(
        &mut self,
        offset: usize,
        mark: Option<Entry>,
        actions: &[Action],
    ) -> Result<(), IllegalReason> {
        let mut entries: Vec<Entry, { MOVERS + 1 }, u8> = Vec::new();
        for entry in mark.into_iter().chain(actions.iter().map(|&action| Entry::Action(action))) {
            entries.push(entry).map_err(|_| IllegalReason::Capacity)?;
        }
        let done = self.record.insert(offset, &entries)
            || (self.record.rebase(&self.start) && self.record.insert(offset, &entries));
        if done { Ok(()) } else { Err(IllegalReason::Capacity) }
    }

    /// Enters actions of the attack phase before what ended that phase on their board.
    fn enter_late(&mut self, board: u8, actions: &[Action]) -> Result<(), IllegalReason> {
        let entries = self.record.entered();
        let all = entries.rest();
        let ends_phase = |group: &Group| {
            matches!(group.first, Some(Entry::Action(Action::Board(other, action)))
                if other == board && (action.is_spawn_phase() || action == BoardAction::EndPhase))
        };
        let offset = entries.groups().find(ends_phase).map_or(all, |group| group.start);
        self.insert(offset, Some(Entry::Late((all - offset) as u16)), actions)?;
        let bytes = self.record.entered().rest() - all;
        match self.replay() {
            Ok(()) => Ok(()),
            Err(reason) => {
                self.record.remove(offset, bytes);
                self.rebuild();
                Err(reason)
            }
        }
    }

    /// Takes back the action that was entered last, moves of the same moment together. False when there is none.
    ///
    /// The action is the first one behind which there is as much as when it was entered: what was entered after another one
    /// with this property stands before it.
    pub fn undo(&mut self) -> bool {
        let entries = self.record.entered();
        let all = entries.rest();
        let is_newest = |group: &Group| group.behind == all - group.end;
        let Some(newest) = entries.groups().find(is_newest).or_else(|| entries.groups().last()) else {
            return false;
        };
        self.record.remove(newest.start, newest.end - newest.start);
        if self.replay().is_err() {
            // The marks of a record that was made up may lie.
            self.clear_turn();
        }
        true
    }

    /// Takes the whole turn back.
    pub fn clear_turn(&mut self) {
        self.record.clear_turn();
        self.rebuild();
    }

    /// Takes note of how long the turn that is being entered was searched for.
    pub fn note_search(&mut self, slices: u16) {
        let note = Entry::Searched(slices);
        if !self.record.insert(0, &[note]) && self.record.rebase(&self.start) {
            self.record.insert(0, &[note]);
        }
    }

    /// Ends the turn of the side to move. On error nothing has changed.
    pub fn end_turn(&mut self) -> Result<Outcome, IllegalReason> {
        let room = self.record.push(&Entry::EndTurn)
            || (self.record.rebase(&self.start) && self.record.push(&Entry::EndTurn));
        if !room {
            return Err(IllegalReason::Capacity);
        }
        match self.shown.end_turn() {
            Ok(outcome) => {
                self.record.close_turn();
                self.start.go_to(self.shown.state());
                Ok(outcome)
            }
            Err(illegal) => {
                let all = self.record.entered().rest();
                self.record.remove(all - encode(&Entry::EndTurn).len(), encode(&Entry::EndTurn).len());
                Err(illegal.reason)
            }
        }
    }

    /// Resigns the game for the side to move.
    pub fn resign(&mut self) {
        self.clear_turn();
        if self.record.push(&Entry::ResignGame)
            || (self.record.rebase(&self.start) && self.record.push(&Entry::ResignGame))
        {
            self.record.close_turn();
        }
        self.resigned = Some(self.start.side_to_move());
    }

    /// Plays the entered actions on the position at the start of the turn.
    fn replay(&mut self) -> Result<(), IllegalReason> {
        self.shown.go_to(self.start.state());
        play(&mut self.shown, self.record.entered()).map(|_| ()).map_err(|(reason, _)| reason)
    }

    /// Plays the entered actions once more; they were legal before.
    fn rebuild(&mut self) {
        let _ = self.replay();
    }

    /// Replaces the game by that of a record. On error nothing has changed.
    ///
    /// The record is played twice: first to see whether it is legal, with the position as entered as scratch, which can
    /// be rebuilt.
    pub fn load(&mut self, bytes: &[u8], ends: [u16; 3], max_boards: u8) -> Result<(), BadRecord> {
        let result = self.check(bytes, ends, max_boards);
        if result.is_err() {
            self.shown.clone_from(&self.start);
            self.rebuild();
            return result;
        }
        self.record.replace(bytes, ends);
        if let Ok(game) = Game::from_fen(self.record.base()) {
            self.start = game;
        }
        self.resigned = play(&mut self.start, self.record.played()).unwrap_or(None);
        self.shown.clone_from(&self.start);
        self.rebuild();
        Ok(())
    }

    /// Forgets the record of the game.
    pub fn forget(&mut self) {
        self.record.replace(&[], [0; 3]);
        self.resigned = None;
    }

    fn check(&mut self, bytes: &[u8], [base, turn, end]: [u16; 3], max_boards: u8) -> Result<(), BadRecord> {
        let part = |from, to| bytes.get(usize::from(from)..usize::from(to));
        let text =
            part(0, base).and_then(|text| core::str::from_utf8(text).ok()).ok_or(BadRecord::Position)?;
        let played = Entries::new(part(base, turn).ok_or(BadRecord::Entry)?);
        let entered = Entries::new(part(turn, end).ok_or(BadRecord::Entry)?);
        if usize::from(end) > crate::record::RECORD_BYTES || !played.are_sound() || !entered.are_sound() {
            return Err(BadRecord::Entry);
        }
        self.shown = Game::from_fen(text).map_err(|_| BadRecord::Position)?;
        if self.shown.config().num_boards() > usize::from(max_boards) {
            return Err(BadRecord::Position);
        }
        let resigned = play(&mut self.shown, played).map_err(|_| BadRecord::Entry)?;
        if !ends_turns(played) || (resigned.is_some() && entered.rest() > 0) {
            return Err(BadRecord::Entry);
        }
        let is_of_turn = |entry| matches!(entry, Entry::Action(_) | Entry::Late(_));
        if !entered.into_iter().all(is_of_turn) {
            return Err(BadRecord::Entry);
        }
        play(&mut self.shown, entered).map(|_| ()).map_err(|_| BadRecord::Entry)
    }
}

/// Whether the last of these entries ends a turn or the game, if there is one, none follows a resignation, and none is a mark of
/// a turn that is being entered.
fn ends_turns(entries: Entries<'_>) -> bool {
    let (mut ended, mut resigned) = (true, false);
    for entry in entries {
        if resigned || matches!(entry, Entry::Late(_)) {
            return false;
        }
        ended = matches!(entry, Entry::EndTurn | Entry::ResignGame);
        resigned = entry == Entry::ResignGame;
    }
    ended
}

/// Applies an action, or moves of the same moment.
fn apply(game: &mut Game, actions: &[Action]) -> Result<(), IllegalReason> {
    let log = &mut UndoLog::off();
    match actions {
        [action] => game.apply(*action, log),
        _ => {
            let mut moves: Vec<BoardAction, MOVERS, u8> = Vec::new();
            let mut on = 0;
            for action in actions {
                let Action::Board(board, action) = *action else { return Err(IllegalReason::Unjoined) };
                on = board;
                moves.push(action).map_err(|_| IllegalReason::Capacity)?;
            }
            let used = game.apply_next(on, &moves, log)?;
            if used == moves.len() { Ok(()) } else { Err(IllegalReason::Unjoined) }
        }
    }
}

/// Plays entries; returns who resigned. On error the entries before the one that was refused stay played, and the error
/// has their number.
pub fn play(game: &mut Game, entries: Entries<'_>) -> Result<Option<Side>, (IllegalReason, usize)> {
    let mut group: Vec<Action, MOVERS, u8> = Vec::new();
    for (index, entry) in entries.enumerate() {
        let refused = |reason| (reason, index);
        match entry {
            Entry::Action(action) => {
                group.push(action).map_err(|_| refused(IllegalReason::Capacity))?;
                if !matches!(action, Action::Board(_, action) if action.is_joined()) {
                    apply(game, &group).map_err(refused)?;
                    group.clear();
                }
            }
            _ if !group.is_empty() => return Err(refused(IllegalReason::Unjoined)),
            Entry::EndTurn => {
                game.end_turn().map_err(|illegal| refused(illegal.reason))?;
            }
            Entry::ResignGame => return Ok(Some(game.side_to_move())),
            Entry::Searched(_) | Entry::Late(_) => {}
        }
    }
    if group.is_empty() { Ok(None) } else { Err((IllegalReason::Unjoined, 0)) }
}
