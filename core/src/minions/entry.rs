//! Free entry of a turn, as a user interface allows it (rules §4): actions come in any order, but a board counts
//! as all its attack-phase actions and then all its spawn-phase actions.
//!
//! For every board the entry keeps the picture after the attack-phase actions alone. An attack-phase action that
//! comes late must be legal both there and in the picture shown; the spawn-phase actions are then replayed on top
//! of it, and those that have become illegal are dropped.

use heapless::Vec;

use super::action::{Action, BOARD_ACTION_CAP, BoardAction, GeneralAction};
use super::board::{Board, Marks};
use super::config::BOARD_CAP;
use super::game::Game;
use super::illegal::IllegalReason;
use super::side::Side;
use super::undo::UndoLog;
use super::unit::UnitLabel;

/// A turn being entered. The game it is used with always shows the position so far.
#[derive(Clone, Debug)]
pub struct TurnEntry {
    boards: Vec<BoardEntry, BOARD_CAP, u8>,
}

#[derive(Clone, Debug)]
struct BoardEntry {
    /// The board after the attack-phase actions alone.
    attack_picture: Board,
    /// Spawn-phase actions in force, in order of entry.
    spawn_phase: Vec<BoardAction, BOARD_ACTION_CAP, u8>,
}

impl TurnEntry {
    /// Begins a turn on this position, which must be the start of a turn.
    pub fn new(game: &Game) -> TurnEntry {
        let boards = game.state.boards.iter();
        let entry = |board: &Board| BoardEntry { attack_picture: board.clone(), spawn_phase: Vec::new() };
        TurnEntry { boards: boards.map(entry).collect() }
    }

    /// Spawn-phase actions of a board that are in force, in order of entry.
    pub fn spawn_phase(&self, board: usize) -> &[BoardAction] {
        self.boards.get(board).map_or(&[], |entry| &entry.spawn_phase)
    }

    /// Enters an action of the general. On error nothing has changed.
    pub fn enter_general(&mut self, game: &mut Game, action: GeneralAction) -> Result<(), IllegalReason> {
        game.apply(Action::General(action), &mut UndoLog::off())?;
        if let GeneralAction::Assign { board, .. } = action {
            self.copy_supplies(game, usize::from(board), true);
        }
        Ok(())
    }

    /// Enters the first action of a list on a board, or the simultaneous move it begins; returns how many actions
    /// that took. On error nothing has changed.
    pub fn enter(
        &mut self,
        game: &mut Game,
        board: u8,
        actions: &[BoardAction],
    ) -> Result<usize, IllegalReason> {
        let Some(&first) = actions.first() else { return Ok(0) };
        let index = usize::from(board);
        let entry = self.boards.get_mut(index).ok_or(IllegalReason::NoSuchBoard)?;
        let log = &mut UndoLog::off();
        match first {
            BoardAction::Buy { .. } | BoardAction::Keep { .. } => {
                game.apply_next(board, actions, log)?;
                self.copy_supplies(game, index, false);
                return Ok(1);
            }
            BoardAction::Resign => {
                game.apply_next(board, actions, log)?;
                let marks = Marks { resigned: true, ..entry.attack_picture.marks() };
                entry.attack_picture.set_marks(marks);
                return Ok(1);
            }
            _ if first.is_spawn_phase() => return entry.append(game, board, actions),
            _ => {}
        }
        if entry.spawn_phase.is_empty() && !shown_board(game, index)?.marks().spawn_phase {
            let used = game.apply_next(board, actions, log)?;
            entry.attack_picture = shown_board(game, index)?.clone();
            return Ok(used);
        }
        entry.insert(game, board, actions)
    }

    /// Repeats on the attack picture what the general or the purse just brought to the board shown.
    fn copy_supplies(&mut self, game: &Game, index: usize, card: bool) {
        let side = game.state.side;
        let (Some(entry), Some(shown)) = (self.boards.get_mut(index), game.state.boards.get(index)) else {
            return;
        };
        let picture = &mut entry.attack_picture;
        if card {
            if let Some(&newest) = shown.hand(side).last() {
                let _ = picture.push_card(side, newest);
            }
            picture.set_marks(Marks { picks: shown.marks().picks, ..picture.marks() });
        } else {
            entry.copy_reserves(shown, side);
        }
    }
}

impl BoardEntry {
    /// Purchases and kept units lie in both pictures: what is shown, plus what the spawn phase has placed.
    fn copy_reserves(&mut self, shown: &Board, side: Side) {
        for unit in UnitLabel::ALL {
            let placed = self.spawn_phase.iter();
            let placed = placed
                .filter(|&&action| matches!(action, BoardAction::Spawn { unit: other, .. } if other == unit));
            let count = shown.reserve(side, unit).saturating_add(placed.count() as u8);
            self.attack_picture.set_reserve(side, unit, count);
        }
        self.attack_picture.set_free(side, shown.free(side));
        let marks = Marks { set_up: shown.marks().set_up, ..self.attack_picture.marks() };
        self.attack_picture.set_marks(marks);
    }

    /// Plays an action at the end of the spawn phase.
    fn append(
        &mut self,
        game: &mut Game,
        board: u8,
        actions: &[BoardAction],
    ) -> Result<usize, IllegalReason> {
        if self.spawn_phase.is_full() {
            return Err(IllegalReason::Capacity);
        }
        let used = game.apply_next(board, actions, &mut UndoLog::off())?;
        if let Some(&action) = actions.first() {
            let _ = self.spawn_phase.push(action);
        }
        Ok(used)
    }

    /// Plays an action that came after spawn-phase actions where it belongs.
    fn insert(
        &mut self,
        game: &mut Game,
        board: u8,
        actions: &[BoardAction],
    ) -> Result<usize, IllegalReason> {
        let index = usize::from(board);
        let shown = shown_board(game, index)?.clone();
        let early = play_on(game, board, &self.attack_picture, actions);
        let mut open = shown.clone();
        open.set_marks(Marks { spawn_phase: false, ..open.marks() });
        let late = play_on(game, board, &open, actions);
        put(game, index, &shown);
        let only_attack = actions.first().is_some_and(BoardAction::is_attack_phase);
        match (early, late) {
            (Ok((picture, used)), Ok(_)) => {
                self.attack_picture = picture;
                self.replay(game, board);
                Ok(used)
            }
            (Err(_), Ok(_)) if !only_attack => self.append(game, board, actions),
            (Err(reason), _) | (_, Err(reason)) => Err(reason),
        }
    }

    /// Shows the attack picture and plays the spawn phase on it again, dropping what has become illegal.
    fn replay(&mut self, game: &mut Game, board: u8) {
        put(game, usize::from(board), &self.attack_picture);
        let log = &mut UndoLog::off();
        self.spawn_phase.retain(|&action| game.apply_next(board, &[action], log).is_ok());
    }
}

fn shown_board(game: &Game, index: usize) -> Result<&Board, IllegalReason> {
    game.state.boards.get(index).ok_or(IllegalReason::NoSuchBoard)
}

fn put(game: &mut Game, index: usize, board: &Board) {
    if let Some(slot) = game.state.boards.get_mut(index) {
        slot.clone_from(board);
    }
}

/// Plays the beginning of a list on a given picture of a board; the game is left showing the result.
fn play_on(
    game: &mut Game,
    board: u8,
    picture: &Board,
    actions: &[BoardAction],
) -> Result<(Board, usize), IllegalReason> {
    let index = usize::from(board);
    put(game, index, picture);
    let used = game.apply_next(board, actions, &mut UndoLog::off())?;
    Ok((shown_board(game, index)?.clone(), used))
}
