//! Distance fields over a board, and the goals that pieces walk to.

use super::weights::{Pull, Weights};
use crate::hex::{Hex, HexSet};
use crate::minions::{Piece, Side, TileType, UnitLabel, View};

/// Distance in steps of a hex from which no goal is reached.
const FAR: u8 = 30;

/// Distance field: steps from every hex to the nearest goal.
pub(in crate::minions::players) struct Field([u8; Hex::COUNT]);

impl Field {
    /// Distances over `open` hexes. A goal need not be open itself to be reached from its neighbours.
    #[inline]
    pub(in crate::minions::players) fn new(goals: HexSet, open: HexSet) -> Field {
        Field::from(HexSet::ALL, goals, open)
    }

    /// Distances from the hexes `starts` only, over `open` hexes; every other hex is far away.
    #[inline]
    pub(in crate::minions::players) fn from(starts: HexSet, goals: HexSet, open: HexSet) -> Field {
        let mut field = Field([FAR; Hex::COUNT]);
        field.fill(starts, goals, open);
        field
    }

    /// Sets the distances of the hexes that are not far away. Apart, so that the field is made where it is to stand.
    #[inline(never)]
    fn fill(&mut self, starts: HexSet, goals: HexSet, open: HexSet) {
        let mut missing = starts;
        let mut unreached = open - goals;
        let mut front = goals;
        let mut distance = 0;
        while !front.is_empty() && distance < FAR {
            for hex in front & missing {
                if let Some(slot) = self.0.get_mut(hex.index()) {
                    *slot = distance;
                }
            }
            missing -= front;
            if missing.is_empty() {
                break;
            }
            front = front.grown_within(unreached);
            unreached -= front;
            distance += 1;
        }
    }

    /// Steps to the nearest goal, or a number larger than any path.
    pub(in crate::minions::players) fn steps(&self, hex: Hex) -> i32 {
        i32::from(self.0.get(hex.index()).copied().unwrap_or(FAR))
    }
}

/// Distance field that is kept, with the goals and the open hexes that it is of.
pub(in crate::minions::players) struct Way {
    goals: HexSet,
    open: HexSet,
    field: Field,
}

/// Places of distance fields to prey. In a search most are asked for again: enemy necromancers seldom move, and most pieces
/// walk the same terrain.
pub(in crate::minions::players) struct Ways<'m>(pub(in crate::minions::players) &'m mut [Option<Way>]);

impl Ways<'_> {
    /// Distances over `open` hexes, computed in place of another field unless they are kept.
    pub(in crate::minions::players) fn over(&mut self, goals: HexSet, open: HexSet) -> &Field {
        static NOWHERE: Field = Field([FAR; Hex::COUNT]);
        let place = Ways::hash(goals, open).checked_rem(self.0.len());
        let Some(slot) = place.and_then(|place| self.0.get_mut(place)) else { return &NOWHERE };
        let is_other = |way: &Way| way.goals != goals || way.open != open;
        if slot.as_ref().is_some_and(is_other) {
            *slot = None;
        }
        &slot.get_or_insert_with(|| Way { goals, open, field: Field::new(goals, open) }).field
    }

    fn hash(goals: HexSet, open: HexSet) -> usize {
        let first = goals.first().map_or(Hex::COUNT, Hex::index) as u32;
        let halves = (open.bits() >> 64) as u64 ^ open.bits() as u64;
        let words = (halves >> 32) as u32 ^ halves as u32;
        let mixed = (words ^ first.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize
    }
}

/// Necromancer of a side on this board, with its hex.
pub(in crate::minions::players) fn home_of(view: &View<'_>, side: Side) -> Option<(Hex, Piece)> {
    view.board.iter(side).find(|&(_, piece)| view.unit(piece).necromancer)
}

/// Goals of the pieces of the side to move on one board.
#[derive(Clone, Copy, Default)]
pub(in crate::minions::players) struct Goals {
    /// Graveyards that no own piece holds or has been sent to.
    pub(in crate::minions::players) graveyards: HexSet,
    /// The enemy necromancer, or all enemies when there is none.
    pub(in crate::minions::players) prey: HexSet,
    /// All graveyards.
    pub(in crate::minions::players) all_graveyards: HexSet,
    /// Tiles that send most of their occupants away at the end of the turn.
    pub(in crate::minions::players) mist: HexSet,
}

impl Goals {
    /// Goals on a board as it stands.
    pub(in crate::minions::players) fn new(view: &View<'_>) -> Goals {
        let all_graveyards = view.map.all(TileType::Graveyard);
        let enemy = view.side.opponent();
        let prey = home_of(view, enemy).map_or(view.board.pieces(enemy), |(hex, _)| hex.to_set());
        Goals {
            graveyards: all_graveyards - view.board.pieces(view.side),
            prey,
            all_graveyards,
            mist: view.map.all(TileType::Mist),
        }
    }

    /// Pull of the goals on units of this type.
    #[inline]
    pub(in crate::minions::players) fn pull_on<'w>(&self, weights: &'w Weights, unit: UnitLabel) -> &'w Pull {
        match (unit == UnitLabel::Zombie, self.graveyards.is_empty()) {
            (true, false) => &weights.zombies,
            (true, true) => &weights.idle_zombies,
            (false, false) => &weights.others,
            (false, true) => &weights.idle_others,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_field_from_some_starts_agrees_there_with_the_whole_field() {
        let mut rng = Rng::new(8);
        let mut set =
            |rounds: u32| -> HexSet { (0..rounds).filter_map(|_| Hex::new(rng.below(100) as u8)).collect() };
        let mut slots = [const { None }; 3];
        for _ in 0..500 {
            let (starts, goals, open) = (set(12), set(3), set(150));
            let (some, whole) = (Field::from(starts, goals, open), Field::new(goals, open));
            let room = set(2).len();
            // A field of others, one that is computed, one that is kept.
            for (goals, open) in [(open, goals), (goals, open), (goals, open)] {
                let expected = if room == 0 { [FAR; Hex::COUNT] } else { Field::new(goals, open).0 };
                assert_eq!(Ways(&mut slots[..room]).over(goals, open).0, expected);
            }
            for hex in Hex::all() {
                let expected = if starts.contains(hex) { whole.steps(hex) } else { i32::from(FAR) };
                assert_eq!(some.steps(hex), expected, "{hex}");
            }
        }
    }
}
