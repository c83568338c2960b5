//! A game: configuration and position, and the operations that play it.
//!
//! `apply` and `undo` work on single actions with a log in the caller's memory; `play` plays a whole turn or nothing.

use super::action::{Action, BoardAction, GameTurn, GeneralAction};
use super::illegal::{IllegalReason, IllegalTurn};
use super::turn_end::{Deal, Outcome};
use super::undo::{Edit, UndoLog, UndoMark, changes_of_moves};
use super::view::View;
use crate::hex::Hex;
use crate::minions::position::state::GameState;
use crate::minions::tables::capacities::CHANGES_PER_ACTION;
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::spell::Spell;

/// A game in progress (seed 000 "Game").
#[derive(PartialEq, Eq, Debug)]
pub struct Game {
    pub(crate) config: GameConfig,
    pub(crate) state: GameState,
}

impl Clone for Game {
    fn clone(&self) -> Game {
        Game { config: self.config.clone(), state: self.state.clone() }
    }

    fn clone_from(&mut self, source: &Game) {
        self.config.clone_from(&source.config);
        self.state.clone_from(&source.state);
    }
}

impl Edit<'_, '_> {
    /// The board as the side to move sees it.
    pub(crate) fn view(&self, board: u8) -> Result<View<'_>, IllegalReason> {
        View::new(self.config, &self.state.boards, usize::from(board), self.state.side)
            .ok_or(IllegalReason::NoSuchBoard)
    }

    fn room(&self, changes: usize) -> Result<(), IllegalReason> {
        if self.log.has_room(changes) { Ok(()) } else { Err(IllegalReason::Capacity) }
    }

    /// Applies the first action of a list, or the simultaneous move it begins. Returns how many it took.
    fn board_actions(&mut self, board: u8, actions: &[BoardAction]) -> Result<usize, IllegalReason> {
        let Some(&first) = actions.first() else { return Ok(0) };
        let view = self.view(board)?;
        let marks = view.board.marks();
        if self.state.is_over() {
            return Err(IllegalReason::GameOver);
        }
        if marks.resigned {
            return Err(IllegalReason::Resigned);
        }
        if marks.spawn_phase && first.is_attack_phase() {
            return Err(IllegalReason::WrongPhase);
        }
        self.room(CHANGES_PER_ACTION)?;
        match first {
            BoardAction::Move { .. } | BoardAction::Walk { .. } => {
                let movers = 1 + actions.iter().take_while(|action| action.is_joined()).count();
                let group = actions.get(..movers).ok_or(IllegalReason::Unjoined)?;
                self.room(changes_of_moves(movers))?;
                self.move_together(board, group)?;
                return Ok(movers);
            }
            BoardAction::Attack { from, to } => self.attack(board, from, to)?,
            BoardAction::Teleport { from, to } => self.teleport(board, from, to)?,
            BoardAction::Blink { at } => self.blink(board, at)?,
            BoardAction::Spawn { unit, at } => self.spawn(board, unit, at)?,
            BoardAction::UseTile { at } => self.use_tile(board, at)?,
            BoardAction::Cast { spell, params } => {
                if spell == Spell::RisingHorde {
                    self.room(changes_of_moves(Hex::COUNT))?;
                }
                self.cast(board, spell, params)?;
            }
            BoardAction::Discard { spell } => self.discard(board, spell)?,
            BoardAction::UseAbility { user, ability, terrain, to } => {
                self.use_ability(board, user, ability, terrain, to)?;
            }
            BoardAction::Buy { unit } => self.buy(board, unit)?,
            BoardAction::Keep { unit } => self.keep(board, unit)?,
            BoardAction::Resign => self.resign(board)?,
            BoardAction::EndPhase => self.change_marks(board, |marks| marks.spawn_phase = true),
        }
        if first.is_spawn_phase() {
            self.change_marks(board, |marks| marks.spawn_phase = true);
        }
        Ok(1)
    }

    fn general_action(&mut self, action: GeneralAction) -> Result<(), IllegalReason> {
        if self.state.is_over() {
            return Err(IllegalReason::GameOver);
        }
        self.room(CHANGES_PER_ACTION)?;
        self.general(action)
    }
}

impl Game {
    /// A game from the start position. `seed` determines the order of both decks.
    pub fn new(config: GameConfig, seed: u64) -> Game {
        let state = GameState::start(&config, seed);
        Game { config, state }
    }

    /// Configuration of the game.
    pub fn config(&self) -> &GameConfig {
        &self.config
    }

    /// The position.
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// Replaces the position by another one of the same game.
    pub fn go_to(&mut self, state: &GameState) {
        self.state.clone_from(state);
    }

    /// Side to move.
    pub fn side_to_move(&self) -> Side {
        self.state.side
    }

    /// A board as the side to move sees it.
    pub fn view(&self, board: usize) -> Option<View<'_>> {
        View::new(&self.config, &self.state.boards, board, self.state.side)
    }

    fn edit<'a, 'm>(&'a mut self, log: &'a mut UndoLog<'m>) -> Edit<'a, 'm> {
        Edit { config: &self.config, state: &mut self.state, log }
    }

    /// Plays one action. On error nothing has changed. A joined move is refused: use [`Game::apply_next`]. A resignation leaves
    /// what was applied before it, also where it drops a board's other actions in a whole turn (divergence 38, [`Game::enter`]).
    pub fn apply(&mut self, action: Action, log: &mut UndoLog<'_>) -> Result<(), IllegalReason> {
        match &action {
            Action::General(action) => self.edit(log).general_action(*action),
            Action::Board(board, action) => {
                self.apply_next(*board, core::slice::from_ref(action), log).map(|_| ())
            }
        }
    }

    /// Plays the first action of a board's list, or the whole simultaneous move it begins, and returns how many
    /// actions that took (0 for an empty list). On error nothing has changed.
    pub fn apply_next(
        &mut self,
        board: u8,
        actions: &[BoardAction],
        log: &mut UndoLog<'_>,
    ) -> Result<usize, IllegalReason> {
        self.edit(log).board_actions(board, actions)
    }

    /// Undoes everything applied since `mark`; the position is then bit for bit as it was.
    ///
    /// That holds for what was applied with this log. An end of the turn, [`Game::go_to`] and [`Game::append_cards`] leave no
    /// trace in it: a mark from before them means nothing after them.
    pub fn undo(&mut self, mark: UndoMark, log: &mut UndoLog<'_>) {
        self.edit(log).undo_to(mark);
    }

    /// Appends given cards to both queues, as a recorded game does before a purchase of a spell (rules §7), and returns the number
    /// of cards for which there was no room. A queue may be longer than n + 11 until the purchase, which [`Game::validate`] refuses.
    pub fn append_cards(&mut self, cards: SideArray<&[Spell]>) -> u16 {
        self.state.append_cards(cards)
    }

    /// Ends the turn of the side to move. On error nothing has changed, and the error, which knows nothing of what was played
    /// before, is about action 0.
    pub fn end_turn(&mut self) -> Result<Outcome, IllegalTurn> {
        self.end_turn_with(Deal::Decks)
    }

    /// Ends the turn with cards from a given source. Given cards beyond a queue of n + 11 are lost and counted
    /// ([`Outcome::lost_to_capacity`]).
    pub fn end_turn_with(&mut self, deal: Deal<'_>) -> Result<Outcome, IllegalTurn> {
        if self.state.is_over() {
            return Err(IllegalTurn { board: None, action: 0, reason: IllegalReason::GameOver });
        }
        let mut log = UndoLog::off();
        if let Err((board, reason)) = self.edit(&mut log).check_end() {
            return Err(IllegalTurn { board: Some(board), action: 0, reason });
        }
        Ok(self.state.end_turn(&self.config, deal))
    }

    /// Plays a whole turn and ends it: the general's part, then each board's list. On error nothing has changed,
    /// and the error names the first action that is not legal.
    pub fn play(&mut self, turn: &GameTurn) -> Result<Outcome, IllegalTurn> {
        let before = self.state.clone();
        // The end of a turn knows nothing of what was played before.
        let entered = |board: u8| turn.board(usize::from(board)).len() as u16;
        let placed =
            |refused: IllegalTurn| IllegalTurn { action: refused.board.map_or(0, entered), ..refused };
        let result = self.enter(turn, &mut UndoLog::off()).and_then(|()| self.end_turn().map_err(placed));
        if result.is_err() {
            self.state = before;
        }
        result
    }

    /// Plays all actions of a turn without ending it. On error the actions before the illegal one stay applied;
    /// with a recording log they can be undone.
    pub fn enter(&mut self, turn: &GameTurn, log: &mut UndoLog<'_>) -> Result<(), IllegalTurn> {
        for (index, action) in turn.general_actions(self.state.budget).enumerate() {
            let refused = |reason| IllegalTurn { board: None, action: index as u16, reason };
            self.apply(Action::General(action), log).map_err(refused)?;
        }
        for board in 0..turn.board_actions.len() {
            let actions = turn.board(board);
            // Where resigning drops everything else, only the resignation is played (divergence 38).
            let resigns = actions.contains(&BoardAction::Resign);
            if resigns && self.config.rules.resign_drops_actions {
                let refused = |reason| IllegalTurn { board: Some(board as u8), action: 0, reason };
                self.apply(Action::Board(board as u8, BoardAction::Resign), log).map_err(refused)?;
                continue;
            }
            let mut index = 0;
            while let Some(rest @ [_, ..]) = actions.get(index..) {
                let refused = |reason| IllegalTurn { board: Some(board as u8), action: index as u16, reason };
                index += self.apply_next(board as u8, rest, log).map_err(refused)?.max(1);
            }
        }
        Ok(())
    }

    /// Turn of these actions of the general, which are legal one after the other in this position. `None` when a turn
    /// has no room for them.
    pub fn general_turn(&self, actions: impl IntoIterator<Item = GeneralAction>) -> Option<GameTurn> {
        let mut levels = self.state.tech(self.state.side);
        let mut turn = GameTurn::new();
        for action in actions {
            turn.push_general(&self.config, levels, action)?;
            let step = match action {
                GeneralAction::March => levels.first_locked(self.config.techline.len()),
                GeneralAction::Advance { index } => Some(index),
                _ => None,
            };
            if let Some(index) = step {
                levels.set(index, levels.status(index).next());
            }
        }
        Some(turn)
    }

    /// Souls that a board would earn for a side if that side's turn ended now (rules §5).
    pub fn income(&self, board: usize, side: Side) -> u16 {
        let Some(target) = self.state.boards.get(board) else { return 0 };
        super::turn_end::income(target, self.config.map(board), &self.config.rules, side)
    }
}
