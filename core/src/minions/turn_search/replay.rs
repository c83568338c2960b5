//! Replay of known turns: their actions are copied out of the shared tree, as many at once as fit, so that it is not locked
//! while they are played.

use heapless::Vec;

use crate::minions::{Action, Game};

use super::kept_positions::KeptPositions;
use super::path::Leg;
use super::play_actions::play;
use super::ports::ATTACK_CAP;
use super::shared_tree::{Access, SharedTree};

/// Actions of candidates, several turns of common length.
type CopiedActions = Vec<Action, ATTACK_CAP, u16>;

/// Parts of turns that are copied at once at most.
const PARTS: usize = 64;

/// Ends of the parts of [`CopiedActions`].
type Ends = Vec<u16, PARTS, u8>;

/// Turns of a path that are played again, from this one on.
pub(super) struct Replay<'p> {
    legs: &'p [Leg],
    /// Parts of the first leg that have been played: the general's choice, the attacks of the boards, then their
    /// finishes.
    part: usize,
}

impl<'p> Replay<'p> {
    /// The replay of these turns.
    pub(super) fn new(legs: &'p [Leg]) -> Replay<'p> {
        Replay { legs, part: 0 }
    }

    /// Number of turns that have not been played to their end.
    pub(super) fn left(&self) -> usize {
        self.legs.len()
    }

    /// Plays all turns to their ends, and keeps the positions after them. `None` when a turn cannot be played: the first of
    /// those left.
    pub(super) fn play<'m>(
        &mut self,
        tree: &mut impl Access<'m>,
        game: &mut Game,
        kept: &mut KeptPositions<'_>,
    ) -> Option<()> {
        let parts = 1 + 2 * game.config().num_boards();
        while !self.legs.is_empty() {
            let (mut actions, mut ends) = (CopiedActions::new(), Ends::new());
            let mut skipped = self.part;
            for &leg in self.legs {
                if !tree.lock(leg.node).copy_parts(leg, (skipped, parts), &mut actions, &mut ends) {
                    break;
                }
                skipped = 0;
            }
            ends.first()?;
            let mut start = 0;
            for &end in &ends {
                play(game, actions.get(start..usize::from(end))?)?;
                start = usize::from(end);
                self.part += 1;
                if self.part == parts {
                    let (leg, rest) = self.legs.split_first()?;
                    end_turn(tree, *leg, game)?;
                    kept.keep_new(game.state());
                    (self.legs, self.part) = (rest, 0);
                }
            }
        }
        Some(())
    }
}

/// Ends a turn, and records it if it has won. `None` when the turn cannot be ended.
pub(super) fn end_turn<'m>(tree: &mut impl Access<'m>, leg: Leg, game: &mut Game) -> Option<()> {
    let side = game.side_to_move();
    game.end_turn().ok()?;
    if game.state().winner() == Some(side) {
        tree.lock(leg.node).won_by(leg.edge);
    }
    Some(())
}

impl SharedTree<'_> {
    /// Copies the parts of a turn, from one of them on, as far as they fit. Returns whether all did.
    fn copy_parts(
        &self,
        leg: Leg,
        (first, parts): (usize, usize),
        actions: &mut CopiedActions,
        ends: &mut Ends,
    ) -> bool {
        let Some(edge) = self.tree.edge(leg.edge) else { return false };
        let (picks, boards) = (&edge.payload, parts / 2);
        let general = core::iter::once(self.candidates.actions(picks.general));
        let attacks = picks.boards.iter().take(boards).map(|pick| self.candidates.actions(pick.0));
        let finishes = picks.boards.iter().take(boards).map(|pick| self.candidates.actions(pick.1));
        for piece in general.chain(attacks).chain(finishes).skip(first) {
            if ends.is_full() || actions.extend_from_slice(piece).is_err() {
                return false;
            }
            let _ = ends.push(actions.len() as u16);
        }
        true
    }
}
