//! Visited attacks: what the search tried on a board in a recorded turn, replayed for the targets of Death Prophet,
//! for the values that Oracle gives to a board after its attack, and for the finishes that Dark Seer learns from.

use barrow_core::minions::Game;
use barrow_core::rng::Rng;

use super::piece_outcomes::{PieceFates, PieceOutcomes, mixed, play_attacks};
use super::placements::Finish;
use crate::records::root_record::{BoardRecord, RootRecord, VisitedAttack, VisitedSpawn};
use barrow_session::notation::read_turn;

/// Attack that a search has visited, replayed.
#[derive(Clone, Debug)]
pub(super) struct ReplayedAttack<'a> {
    /// Visits of turns with the attack.
    pub(super) visits: u32,
    /// Mean win chance of these turns.
    pub(super) value: f32,
    /// Game after the attack; the general and the other boards have done nothing.
    pub(super) game: Game,
    /// Outcomes of the pieces of the board.
    pub(super) outcomes: PieceOutcomes,
    /// Finishes that were tried after the attack.
    spawns: &'a [VisitedSpawn],
}

impl ReplayedAttack<'_> {
    /// Finish drawn by lot, each with the share of its visits. `None` when there is none, or the drawn one cannot be
    /// replayed. Cards of a finish are left out.
    pub(super) fn finish(&self, board: usize, dice: &mut Rng) -> Option<Finish> {
        let visits = self.spawns.iter().map(|spawn| spawn.visits).sum::<u32>();
        let mut left = if visits > 0 { dice.below(visits) } else { return None };
        let spawn = self.spawns.iter().find(|spawn| {
            let here = left < spawn.visits;
            left = left.saturating_sub(spawn.visits);
            here
        })?;
        let needs_card = |line: &&String| line.starts_with("cast") || line.starts_with("discard");
        let lines = spawn.actions.iter().filter(|line| !needs_card(line));
        let turn = read_turn(&self.game, &turn_text(board, lines)).ok()?;
        Finish::of(&self.game, board, turn.board(board), u32::from(spawn.given))
    }
}

/// Attacks of a board that can be replayed without the general's actions, the most visited first. An attack with a card
/// that the general has to buy cannot.
pub(super) fn replayed<'a>(before: &Game, board: usize, root: &'a RootRecord) -> Vec<ReplayedAttack<'a>> {
    let attacks = root.boards.get(board).map_or(&[][..], |BoardRecord { attacks, .. }| attacks);
    attacks.iter().filter_map(|attack| replay(before, board, attack)).collect()
}

fn replay<'a>(before: &Game, board: usize, attack: &'a VisitedAttack) -> Option<ReplayedAttack<'a>> {
    let turn = read_turn(before, &turn_text(board, &attack.actions)).ok()?;
    let (game, mut outcomes) = play_attacks(before, &turn).ok()?;
    let outcomes = std::mem::take(outcomes.get_mut(board)?);
    Some(ReplayedAttack {
        visits: attack.visits,
        value: attack.value as f32,
        game,
        outcomes,
        spawns: &attack.spawns,
    })
}

/// Text of a turn of these actions on a board.
fn turn_text<'a>(board: usize, actions: impl IntoIterator<Item = &'a String>) -> String {
    let (mut text, number) = ("turn".to_owned(), board.to_string());
    for action in actions {
        text.extend(["\naction board ", &number, " ", action]);
    }
    text
}

/// Fates of the pieces of a board: shares of the visits of these attacks. `None` when there are no visits.
pub(super) fn fates(attacks: &[ReplayedAttack<'_>]) -> Option<PieceFates> {
    let weighted: Vec<(f32, &PieceOutcomes)> =
        attacks.iter().map(|attack| (attack.visits as f32, &attack.outcomes)).collect();
    mixed(&weighted)
}
