//! Halts: where steps need not be made at once, a friend may make room for another, wait until this one has opened
//! a way, and go on (rules §23, 5).
//!
//! Only friends on whose hex others want to fight have a reason to do so, and only on their way to hexes that are
//! not free yet. Considered are hexes that they can walk to right now, at most [`HALTS`] of them for each.

use barrow_core::hex::{Hex, HexSet, flood, shortest};
use barrow_core::minions::View;

use super::approach::approaches;
use super::survey::{Halt, Leg, Survey};

/// Most halts of one friend.
const HALTS: usize = 6;

impl Survey {
    /// Adds the halts of a contested friend. The answer is their hexes.
    pub(super) fn add_halts(&mut self, view: &View<'_>, index: usize) -> HexSet {
        let mut halts = HexSet::EMPTY;
        let Some(&friend) = self.friends.get(index) else { return halts };
        let Some(piece) = view.board.piece(friend.at) else { return halts };
        let steps = view.steps_left(piece).unwrap_or(0);
        if !view.rules.split_moves || friend.attacks == 0 || friend.num_modes < 2 || steps < 2 {
            return halts;
        }
        let modes = Survey::mode_range(&friend, true);
        let mut later = HexSet::EMPTY;
        let mut all = HexSet::EMPTY;
        for mode in self.modes.get(modes.clone()).unwrap_or(&[]) {
            all.insert(mode.hex);
            if mode.num_sets > 0 || self.friendly.contains(mode.hex) {
                later.insert(mode.hex);
            }
        }
        // Back to where it stood: only if somebody else could have fought from there and blinked away by then.
        let returns = all.contains(friend.at)
            && self.modes.iter().any(|mode| {
                let other = self.friends.get(usize::from(mode.friend));
                mode.hex == friend.at && other.is_some_and(|other| other.blink && other.at != friend.at)
            });
        if returns {
            later.insert(friend.at);
        } else {
            later.remove(friend.at);
        }
        let unit = view.unit(piece);
        let open = view.board.walkable(view.map, unit);
        let passable = if unit.flying { open } else { open - self.hostile };
        let stops = (flood(friend.at, steps - 1, passable) - self.hostile - self.closed).without(friend.at);
        // The number of hexes that can still be reached decides which halts are kept.
        let mut best: heapless::Vec<(usize, Hex, u8), { Hex::COUNT }, u8> = heapless::Vec::new();
        for hex in stops {
            let taken = shortest(friend.at, hex, steps, passable).unwrap_or(steps);
            let left = steps.saturating_sub(taken);
            let useful = (flood(hex, left, open) & later).without(hex).len();
            if useful > 0 {
                let _ = best.push((useful, hex, left));
            }
        }
        best.sort_unstable_by_key(|&(useful, hex, _)| (core::cmp::Reverse(useful), hex));
        for &(_, hex, left) in best.iter().take(HALTS) {
            if self.halts.is_full() || self.legs.len() + modes.len() > super::survey::LEG_CAP {
                break;
            }
            let first_leg = self.legs.len() as u16;
            let reached = flood(hex, left, open) & all;
            let mut ways = approaches(hex, left, open, self.hostile, unit.flying, reached.without(hex))
                .collect::<heapless::Vec<_, { Hex::COUNT }, u8>>()
                .into_iter();
            let mut legs: [Leg; Hex::COUNT] = [Leg { exists: false, first_set: 0, num_sets: 0 }; Hex::COUNT];
            for way in ways.by_ref() {
                if let Some(leg) = legs.get_mut(way.hex.index()) {
                    let first_set = self.sets.len() as u16;
                    *leg = Leg { exists: true, first_set, num_sets: way.blockers.len() as u8 };
                    if self.sets.extend_from_slice(&way.blockers).is_err() {
                        leg.exists = false;
                    }
                }
            }
            for position in modes.clone() {
                let hex = self.modes.get(position).map(|mode| mode.hex);
                let leg = hex
                    .filter(|hex| returns || *hex != friend.at)
                    .and_then(|hex| legs.get(hex.index()).copied());
                let none = Leg { exists: false, first_set: 0, num_sets: 0 };
                let _ = self.legs.push(leg.unwrap_or(none));
            }
            let _ = self.halts.push(Halt { friend: index as u8, hex, first_leg });
            halts.insert(hex);
        }
        halts
    }
}
