//! Moves of everybody who has not attacked: graveyards first, then forward, and the necromancer out of danger.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::minions::{BoardAction, Piece, View};
use crate::rng::Rng;

use super::super::draft::Draft;
use super::distance::{Field, Goals};
use super::threat::{Danger, Exposure};

/// Moves the remaining pieces of a board. On a board that is already won only this turn's income matters.
/// `seen` is what was found out of the dangers there, if anything was.
pub(super) fn walk_all(
    draft: &mut Draft<'_>,
    board: u8,
    caution: i32,
    seen: Option<Exposure>,
    dice: &mut Rng,
) {
    let won = draft.is_won(board);
    let mut exposure = seen.filter(|_| !won).unwrap_or(Exposure::new(if won { 0 } else { caution }));
    let mut before = HexSet::EMPTY;
    let mut moved = HexSet::EMPTY;
    // A second pass serves those whose way was blocked by friends.
    for pass in 0..2 {
        let Some(view) = draft.view(board) else { return };
        let mut goals = Goals::new(&view);
        let mut order: Vec<(i32, Hex), { Hex::COUNT }, u8> = Vec::new();
        let everywhere = Field::from(view.board.pieces(view.side), goals.prey, HexSet::ALL);
        for (hex, piece) in view.board.iter(view.side) {
            if view.steps_left(piece).is_ok() && !(pass == 1 && moved.contains(hex)) {
                // The necromancer chooses first, then those nearest to the enemy.
                let rank = if view.unit(piece).necromancer { -1 } else { everywhere.steps(hex) };
                let _ = order.push((rank, hex));
            }
        }
        if order.is_empty() {
            return;
        }
        order.sort_unstable();
        let now = view.board.pieces(view.side);
        if pass == 1 {
            exposure.update(&view, now - before, before - now);
        }
        exposure.fix(&view);
        before = now;
        let mut ways = Ways::default();
        for (_, from) in order {
            let Some(view) = draft.view(board) else { return };
            let Some(piece) = view.board.piece(from) else { continue };
            let walk = Walk { view, exposure: &exposure, goals: &goals, won };
            let to = walk.best(from, piece, &mut ways, dice);
            goals.graveyards.remove(to);
            if to != from && draft.act(board, BoardAction::walk(from, to)) {
                if goals.all_graveyards.contains(from) {
                    goals.graveyards.insert(from);
                }
                moved.insert(to);
                draft.commit();
            }
        }
    }
}

/// Ways to the prey over open hexes, which serve many pieces one after the other.
#[derive(Default)]
struct Ways([Option<(HexSet, Field)>; 2]);

impl Ways {
    /// The way over these hexes: one of the two used last, or a new one in place of the older.
    fn over(&mut self, open: HexSet, prey: HexSet) -> &Field {
        let fits = |known: &Option<(HexSet, Field)>| known.as_ref().is_some_and(|way| way.0 == open);
        let [first, second] = &mut self.0;
        if !fits(first) {
            core::mem::swap(first, second);
            if !fits(first) {
                *first = None;
            }
        }
        &first.get_or_insert_with(|| (open, Field::new(prey, open))).1
    }
}

/// One piece's choice of a hex.
struct Walk<'a> {
    view: View<'a>,
    exposure: &'a Exposure,
    goals: &'a Goals,
    won: bool,
}

impl Walk<'_> {
    fn best(&self, from: Hex, piece: Piece, ways: &mut Ways, dice: &mut Rng) -> Hex {
        let unit = self.view.unit(piece);
        let defense = self.view.current(piece).defense;
        let mut goals = *self.goals;
        if goals.all_graveyards.contains(from) {
            // It may stay on the graveyard it holds.
            goals.graveyards.insert(from);
        }
        let open = self.view.board.walkable(self.view.map, unit);
        let reach = self.view.reach(from).with(from);
        let to_graveyards = &Field::from(reach, goals.graveyards, open);
        let to_prey = ways.over(open, goals.prey);
        let danger =
            if self.won { Danger::None } else { self.exposure.danger(&self.view, unit, defense, None) };
        let mut best = (i32::MIN, from);
        for to in reach {
            let mut score = dice.below(6) as i32 + i32::from(to == from) * 4;
            if self.won {
                score += i32::from(goals.graveyards.contains(to)) * 100 + i32::from(to == from) * 10;
            } else if unit.necromancer {
                // Near the front it can place units, but never at the price of danger.
                score += i32::from(goals.graveyards.contains(to)) * 90 - to_prey.steps(to);
                score -= danger.cost(to);
            } else {
                score += goals.pull(piece.unit(), to, to_graveyards, to_prey);
                score -= danger.cost(to);
            }
            if goals.mist.contains(to) && !unit.persistent {
                score -= 1000;
            }
            if score > best.0 {
                best = (score, to);
            }
        }
        best.1
    }
}
