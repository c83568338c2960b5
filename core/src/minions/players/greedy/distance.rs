//! Distances to goals, and what the goals of a board are.

use crate::hex::{Hex, HexSet};
use crate::minions::{Piece, Side, TileType, UnitLabel, View};

/// Distance in steps that stands for "not at all".
const FAR: u8 = 30;

/// Steps from every hex to the nearest goal.
pub(in crate::minions::players) struct Field([u8; Hex::COUNT]);

impl Field {
    /// Distances over `open` hexes; goals count as reached from next to them even when they are not open.
    pub(in crate::minions::players) fn new(goals: HexSet, open: HexSet) -> Field {
        Field::from(HexSet::ALL, goals, open)
    }

    /// The same, but only for those who start from some hexes; all others are far away.
    pub(in crate::minions::players) fn from(starts: HexSet, goals: HexSet, open: HexSet) -> Field {
        let mut steps = [FAR; Hex::COUNT];
        let mut missing = starts;
        let mut reached = goals;
        let mut front = goals;
        let mut distance = 0;
        while !front.is_empty() && distance < FAR {
            for hex in front & missing {
                if let Some(slot) = steps.get_mut(hex.index()) {
                    *slot = distance;
                }
            }
            missing -= front;
            if missing.is_empty() {
                break;
            }
            front = (front.grown() & open) - reached;
            reached |= front;
            distance += 1;
        }
        Field(steps)
    }

    /// Steps to the nearest goal, or a large number.
    pub(in crate::minions::players) fn steps(&self, hex: Hex) -> i32 {
        i32::from(self.0.get(hex.index()).copied().unwrap_or(FAR))
    }
}

/// The necromancer of a side.
pub(in crate::minions::players) fn home_of(view: &View<'_>, side: Side) -> Option<(Hex, Piece)> {
    view.board.iter(side).find(|&(_, piece)| view.unit(piece).necromancer)
}

/// Where the pieces of a board want to go.
#[derive(Clone, Copy, Default)]
pub(in crate::minions::players) struct Goals {
    /// Graveyards nobody of the own side holds or has been sent to.
    pub(in crate::minions::players) graveyards: HexSet,
    /// The enemy necromancer, or all enemies when there is none.
    pub(in crate::minions::players) prey: HexSet,
    /// All graveyards.
    pub(in crate::minions::players) all_graveyards: HexSet,
    /// Tiles that send most of their occupants away at the end of the turn.
    pub(in crate::minions::players) mist: HexSet,
}

impl Goals {
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

    /// What standing on a hex is worth to a piece of this type, exposure left out, in hundredths of a soul.
    pub(in crate::minions::players) fn pull(
        &self,
        unit: UnitLabel,
        hex: Hex,
        to_graveyards: &Field,
        to_prey: &Field,
    ) -> i32 {
        let zombie = unit == UnitLabel::Zombie;
        let (graves, prey) = match (zombie, self.graveyards.is_empty()) {
            (true, false) => (16, 4),
            (true, true) => (0, 9),
            (false, false) => (6, 14),
            (false, true) => (0, 16),
        };
        let mut pull = -to_prey.steps(hex) * prey;
        if self.graveyards.contains(hex) {
            pull += 160;
        }
        pull - to_graveyards.steps(hex) * graves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_field_for_some_starts_says_there_what_the_whole_one_says() {
        let mut rng = Rng::new(8);
        let mut set =
            |rounds: u32| -> HexSet { (0..rounds).filter_map(|_| Hex::new(rng.below(100) as u8)).collect() };
        for _ in 0..500 {
            let (starts, goals, open) = (set(12), set(3), set(150));
            let (some, whole) = (Field::from(starts, goals, open), Field::new(goals, open));
            for hex in Hex::all() {
                let expected = if starts.contains(hex) { whole.steps(hex) } else { i32::from(FAR) };
                assert_eq!(some.steps(hex), expected, "{hex}");
            }
        }
    }
}
