//! Visited attacks: what the search tried on a board in a recorded turn, replayed for the targets of Death Prophet and
//! for the values that Oracle gives to a board after its attack.

use barrow_core::minions::Game;

use super::piece_outcomes::{PieceFates, PieceOutcomes, mixed, play_attacks};
use crate::records::game_record::read_turn;
use crate::records::root_record::{BoardRecord, RootRecord, VisitedAttack};

/// Attack that a search has visited, replayed.
#[derive(Clone, Debug)]
pub(super) struct ReplayedAttack {
    /// Visits of turns with the attack.
    pub(super) visits: u32,
    /// Mean win chance of these turns.
    pub(super) value: f32,
    /// Game after the attack; the general and the other boards have done nothing.
    pub(super) game: Game,
    /// Outcomes of the pieces of the board.
    pub(super) outcomes: PieceOutcomes,
}

/// Attacks of a board that can be replayed without the general's actions, the most visited first. An attack with a card
/// that the general has to buy cannot.
pub(super) fn replayed(before: &Game, board: usize, root: &RootRecord) -> Vec<ReplayedAttack> {
    let attacks = root.boards.get(board).map_or(&[][..], |BoardRecord { attacks, .. }| attacks);
    attacks.iter().filter_map(|attack| replay(before, board, attack)).collect()
}

fn replay(before: &Game, board: usize, attack: &VisitedAttack) -> Option<ReplayedAttack> {
    let (mut text, number) = ("turn".to_owned(), board.to_string());
    for action in &attack.actions {
        text.extend(["\naction board ", &number, " ", action]);
    }
    let turn = read_turn(before, &text).ok()?;
    let (game, mut outcomes) = play_attacks(before, &turn).ok()?;
    let outcomes = std::mem::take(outcomes.get_mut(board)?);
    Some(ReplayedAttack { visits: attack.visits, value: attack.value as f32, game, outcomes })
}

/// Fates of the pieces of a board: shares of the visits of these attacks. `None` when there are no visits.
pub(super) fn fates(attacks: &[ReplayedAttack]) -> Option<PieceFates> {
    let weighted: Vec<(f32, &PieceOutcomes)> =
        attacks.iter().map(|attack| (attack.visits as f32, &attack.outcomes)).collect();
    mixed(&weighted)
}
