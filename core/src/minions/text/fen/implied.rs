//! Values that Spooky's form implies without a field: the winner, free units and mana at the start of a turn.

use crate::minions::position::board::{Board, BoardState};
use crate::minions::tables::config::GameConfig;
use crate::minions::tables::ruleset::{ResetChoice, Rules};
use crate::minions::tables::side::{Side, SideArray};
use crate::minions::tables::terrain::TileType;

/// Winner by the board points alone. When both sides have reached the target, the side that moved last has won: the
/// side to move where a won game stands still, else its opponent.
pub(super) fn implied_winner(config: &GameConfig, points: SideArray<u8>, mover: Side) -> Option<Side> {
    let last = if config.rules.turn_passes_after_win { mover.opponent() } else { mover };
    [last, last.opponent()].into_iter().find(|&side| points[side] >= config.points_needed)
}

/// Free units of a side that a board in this state implies (rules §17). Where the choice is mandatory the count
/// has no effect and stays as at the start of the game.
pub(super) fn implied_free(rules: &Rules, state: BoardState, side: Side, mover: Side) -> u8 {
    let due = match (rules.reset_choice, state) {
        (ResetChoice::Mandatory, _) | (_, BoardState::FirstTurn | BoardState::Reset1) => true,
        (_, BoardState::Reset2) => side == mover,
        (_, BoardState::Normal) => false,
    };
    u8::from(due)
}

/// Whether a side's unit letters are read as the candidates of which it may keep one; otherwise they are
/// reinforcements.
pub(super) fn reads_candidates(rules: &Rules, state: BoardState, side: Side, mover: Side) -> bool {
    let apart = rules.reset_choice == ResetChoice::Optional && state.is_reset();
    apart && implied_free(rules, state, side, mover) > 0
}

/// Mana of the side to move at the start of its turn (rules §7.1).
pub(super) fn implied_mana(config: &GameConfig, index: usize, board: &Board, mover: Side) -> i16 {
    if !config.rules.spells {
        return 0;
    }
    let nodes = (board.pieces(mover) & config.map(index).all(TileType::SorceryNode)).len() as i16;
    let extra = board.iter(mover).map(|(_, piece)| i16::from(config.rules.unit(piece.unit()).extra_mana));
    extra.fold(nodes, i16::saturating_add)
}
