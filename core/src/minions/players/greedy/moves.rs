//! Moves of the pieces that have not attacked: to graveyards first, then forward; the necromancer out of danger.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::minions::{BoardAction, Piece, Unit, View};
use crate::rng::Rng;
use crate::sort::sort;

use crate::minions::players::appraisal::distance::{Field, Goals, Ways};
use crate::minions::players::appraisal::threat::ThreatCosts;
use crate::minions::players::turn_draft::TurnDraft;

/// Moves the remaining pieces of a board. On a board that is already won only this turn's income matters.
/// `known` says whether the threats in `costs` are those of the board as it stands.
#[inline(never)]
pub(super) fn move_all(
    draft: &mut TurnDraft<'_>,
    board: u8,
    caution: i32,
    (costs, known): (&mut ThreatCosts, bool),
    ways: &mut Ways<'_>,
    rng: &mut Rng,
) {
    let won = draft.is_won(board);
    if won || !known {
        costs.forget(if won { 0 } else { caution });
    }
    let mut before = HexSet::EMPTY;
    let mut moved = HexSet::EMPTY;
    // A second pass moves pieces whose way was blocked by friends.
    for pass in 0..2 {
        let Some(view) = draft.view(board) else { return };
        let mut goals = Goals::new(&view);
        let mut order: Vec<(i8, Hex), { Hex::COUNT }, u8> = Vec::new();
        let nearness = Nearness::new(&view, goals.prey);
        for (hex, piece) in view.board.iter(view.side) {
            if view.steps_left(piece).is_ok() && !(pass == 1 && moved.contains(hex)) {
                // The necromancer chooses first, then those nearest to the enemy.
                let rank = if view.unit(piece).necromancer { -1 } else { nearness.steps(hex) as i8 };
                let _ = order.push((rank, hex));
            }
        }
        if order.is_empty() {
            return;
        }
        sort(&mut order);
        let now = view.board.pieces(view.side);
        if pass == 1 {
            costs.update(&view, now - before, before - now);
        }
        costs.compute(&view);
        before = now;
        for &(_, from) in &order {
            let Some(view) = draft.view(board) else { return };
            let Some(piece) = view.board.piece(from) else { continue };
            let walk = Walk { view, costs, goals: &goals, won };
            let to = walk.best(from, piece, ways, rng);
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

/// Steps of pieces to the nearest enemy that they walk to, whatever the terrain.
enum Nearness {
    /// There is one such enemy.
    One(Hex),
    /// There are several.
    Many(Field),
}

impl Nearness {
    #[inline]
    fn new(view: &View<'_>, prey: HexSet) -> Nearness {
        match prey.first() {
            Some(hex) if prey == hex.to_set() => Nearness::One(hex),
            _ => Nearness::Many(Field::from(view.board.pieces(view.side), prey, HexSet::ALL)),
        }
    }

    #[inline]
    fn steps(&self, hex: Hex) -> i32 {
        match self {
            Nearness::One(prey) => i32::from(prey.distance(hex)),
            Nearness::Many(field) => field.steps(hex),
        }
    }
}

/// Inputs for the choice of one piece's hex.
struct Walk<'a> {
    view: View<'a>,
    costs: &'a ThreatCosts,
    goals: &'a Goals,
    won: bool,
}

impl Walk<'_> {
    fn best(&self, from: Hex, piece: Piece, ways: &mut Ways<'_>, rng: &mut Rng) -> Hex {
        let (unit, weights) = (self.view.unit(piece), self.costs.weights);
        let defense = self.view.current(piece).defense;
        let mut goals = *self.goals;
        if goals.all_graveyards.contains(from) {
            // The graveyard that the piece holds counts as free for it.
            goals.graveyards.insert(from);
        }
        let open = self.view.board.walkable(self.view.map, unit);
        let reach = self.view.reach(from).with(from);
        let to_prey = ways.over(goals.prey, open);
        if self.won {
            return best_of(from, reach, rng, |to| {
                i32::from(goals.graveyards.contains(to)) * 100 + i32::from(to == from) * 10
                    - self.lost(to, unit)
            });
        }
        let danger = self.costs.of_unit(&self.view, unit, defense, None);
        if unit.necromancer {
            // Near the front it can place units, but never at the price of danger.
            return best_of(from, reach, rng, |to| {
                let seat = i32::from(goals.graveyards.contains(to)) * weights.purchases.necromancer_seat;
                seat - to_prey.steps(to) - danger.cost(to) - self.lost(to, unit)
            });
        }
        let to_graveyards = &Field::from(reach, goals.graveyards, open);
        let pull = goals.pull_on(weights, piece.unit());
        let special = goals.graveyards | goals.mist | danger.hexes();
        best_of(from, reach, rng, |to| {
            let way = to_prey.steps(to) * pull.prey + to_graveyards.steps(to) * pull.graveyard;
            if !special.contains(to) {
                return -way;
            }
            let seat = if goals.graveyards.contains(to) { weights.seat } else { 0 };
            seat - way - danger.cost(to) - self.lost(to, unit)
        })
    }

    /// Cost of a hex from which the unit would be sent away.
    #[inline]
    fn lost(&self, to: Hex, unit: &Unit) -> i32 {
        if self.goals.mist.contains(to) && !unit.persistent { 1000 } else { 0 }
    }
}

/// The hex of greatest worth, where it is all but equal one at random; standing still is a little better.
#[inline]
fn best_of(from: Hex, reach: HexSet, rng: &mut Rng, worth: impl Fn(Hex) -> i32) -> Hex {
    let mut best = (i32::MIN, from);
    for to in reach {
        let score = rng.below(6) as i32 + i32::from(to == from) * 4 + worth(to);
        if score > best.0 {
            best = (score, to);
        }
    }
    best.1
}
