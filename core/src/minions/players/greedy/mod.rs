//! The baseline: a simple brain that takes what it can get this turn.
//!
//! Each turn it steps its techs by counters, kills enemy necromancers where a bounded search finds out how, makes
//! the best immediate trades, walks to graveyards and forward, keeps its necromancers out of danger, and places
//! all the units its money buys. It looks at no reply of the opponent beyond the hexes that enemies can strike.
//!
//! Every later brain is measured against this one, so its play is frozen: no change here may alter a turn.

mod attack_effect;
mod captures;
pub(super) mod distance;
mod moves;
mod necromancer_kill;
pub(super) mod spawn;
pub(super) mod spells;
pub(super) mod techs;
pub(super) mod threat;

use crate::minions::{BoardAction, Change, Game, GameTurn, Side, UnitLabel, View};
use crate::rng::Rng;

use super::Brain;
use super::draft::{DRAFT_LOG, Draft};

/// The baseline player. Its choice is a function of its seed and of the position.
///
/// ```
/// use barrow_core::minions::players::Greedy;
/// use barrow_core::minions::{Game, GameConfig};
/// let mut game = Game::new(GameConfig::default(), 1);
/// let turn = Greedy::new(7).choose(&game);
/// assert_eq!(turn, Greedy::new(7).choose(&game));
/// assert!(game.play(&turn).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Greedy {
    seed: u64,
    /// Enemies that the hunt for a necromancer removes at most to open the way.
    blockers: u8,
}

impl Greedy {
    /// A player; the seed decides between what it deems almost equal.
    pub const fn new(seed: u64) -> Greedy {
        Greedy { seed, blockers: necromancer_kill::BLOCKERS }
    }

    /// The same player without its long hunts: it kills a necromancer only where nobody has to be removed from the
    /// way. For searches that ask a solver for the other kills anyway; it takes half the time.
    pub const fn hasty(seed: u64) -> Greedy {
        Greedy { seed, blockers: 0 }
    }

    /// A legal turn for the side to move; see [`Brain::choose`].
    pub fn choose(&mut self, game: &Game) -> GameTurn {
        let mut memory = [Change::default(); DRAFT_LOG];
        let mut draft = Draft::new(game, &mut memory);
        if game.state().is_over() {
            return draft.finish();
        }
        let mut dice = self.dice(game);
        let caution = caution(game);
        techs::command(&mut draft);
        for board in 0..draft.num_boards() {
            keep_dearest(&mut draft, board);
            let seen = if necromancer_kill::kill_necromancer(&mut draft, board, self.blockers) {
                None
            } else {
                captures::make_trades(&mut draft, board, caution)
            };
            moves::walk_all(&mut draft, board, caution, seen, &mut dice);
            spells::cast_charms(&mut draft, board, caution);
        }
        reinforce_all(&mut draft, caution);
        draft.finish()
    }

    /// Chance for this position: from the turn and the money, so that it does not hang on how positions are hashed.
    fn dice(&self, game: &Game) -> Rng {
        let state = game.state();
        let money = Side::ALL.map(|side| u64::from(state.souls(side)));
        let [yellow, blue] = money;
        Rng::new(self.seed ^ Rng::new(u64::from(state.turn()) << 40 | yellow << 20 | blue).next_u64())
    }
}

impl Brain for Greedy {
    fn choose(&mut self, game: &Game) -> GameTurn {
        Greedy::choose(self, game)
    }
}

/// Percentage of its worth that exposing a minion costs: long games make bold.
pub(super) fn caution(game: &Game) -> i32 {
    let turns = game.state().turn().min(400) as i32;
    (55 - turns / 3).max(10)
}

/// Keeps the dearest unit when a board was set up again.
fn keep_dearest(draft: &mut Draft<'_>, board: u8) {
    let Some(view) = draft.view(board) else { return };
    let price = |unit: &UnitLabel| (view.rules.unit(*unit).cost, *unit);
    let unit = if view.rules.reset_choice == crate::minions::tables::ruleset::ResetChoice::Mandatory {
        if !view.board.state().is_reset() {
            return;
        }
        view.board.reserves(view.side).map(|(unit, _)| unit).max_by_key(price)
    } else {
        let dearest = view.board.candidates(view.side).max_by_key(price);
        if dearest.is_none() {
            return;
        }
        dearest
    };
    draft.act(board, BoardAction::Keep { unit });
    draft.commit();
}

/// Spends the money: an equal share for every board that can place units, what one leaves goes to the next.
fn reinforce_all(draft: &mut Draft<'_>, caution: i32) {
    let side = draft.game().side_to_move();
    let can_place = |view: &View<'_>| view.board.state().allows_spawn() && !view.board.marks().won;
    let boards = draft.num_boards();
    let mut hungry =
        (0..boards).filter(|&board| draft.view(board).as_ref().is_some_and(can_place)).count() as u32;
    for board in 0..boards {
        let souls = draft.state().souls(side);
        if draft.view(board).as_ref().is_some_and(can_place) {
            let share = souls / hungry.max(1);
            spawn::reinforce(draft, board, share, caution);
            hungry = hungry.saturating_sub(1);
        } else if !draft.is_won(board) {
            spawn::reinforce(draft, board, 0, caution);
        }
    }
}
