//! Halts: where steps need not be made at once, a friend may make room for another, wait until a way has opened,
//! and go on (rules §23, item 5).
//!
//! Only friends on whose hex others want to stand have a reason to halt, and only on their way to hexes that they
//! cannot go to at once: those that are blocked or occupied, and those where somebody may stand for a while. A
//! second halt has a reason only where somebody wants the first one's hex. No piece takes more than three steps, so
//! that there are no more than two halts, and the number of steps to each is its distance.

use barrow_core::hex::{Hex, HexSet};

use super::model::{Deed, Friend, Mode, PIECE_CAP, Survey};
use crate::cdcl::MAX_CLOCKS;

/// Most halts of all friends together. With more, none is considered.
const HALT_CAP: usize = 256;

/// Most friends that halt, so that not too many meet on one hex.
const HALTING_CAP: usize = 32;

/// Hexes to which at least one friend, and to which at least two, may come.
#[derive(Clone, Copy, Default)]
struct Tally {
    once: HexSet,
    twice: HexSet,
}

impl Tally {
    fn add(&mut self, hexes: HexSet) {
        self.twice |= self.once & hexes;
        self.once |= hexes;
    }

    /// Hexes to which somebody else may come than the one who may come to these.
    fn without(self, own: HexSet) -> HexSet {
        (self.once - own) | self.twice
    }
}

impl Friend {
    /// Steps that it has left on a hex on which it halted first.
    fn steps_after(&self, halt: Hex) -> u8 {
        self.steps.saturating_sub(self.at.distance(halt))
    }

    /// Hexes over which two steps from one hex to another lead.
    pub(super) fn between(&self, from: Hex, to: Hex) -> HexSet {
        from.to_set().neighbours() & to.to_set().neighbours() & self.open
    }

    /// Hexes to which it could go on from a first halt, were no enemy in the way.
    pub(super) fn onward(&self, halt: Hex) -> HexSet {
        let next = halt.to_set().neighbours() & self.open;
        let reached = if self.steps_after(halt) >= 2 { next | (next.neighbours() & self.open) } else { next };
        reached.without(halt)
    }
}

impl Survey {
    /// Lets friends on whose hex others want to stand halt. The answer are all hexes on which somebody may halt
    /// away from its own.
    pub(super) fn add_halts(&mut self) -> HexSet {
        let (mut visits, mut calls) = (Tally::default(), Tally::default());
        for friend in &self.friends {
            visits.add(self.visits(friend));
            calls.add(self.calls(friend));
        }
        for index in 0..self.friends.len() {
            let Some(&friend) = self.friends.get(index) else { continue };
            if friend.contested && friend.steps >= 2 {
                let visits = visits.without(self.visits(&friend));
                let calls = calls.without(self.calls(&friend));
                let (halts, rests) = self.halts_of(&friend, visits, calls);
                if let Some(friend) = self.friends.get_mut(index) {
                    (friend.halts, friend.rests) = (friend.halts | halts, friend.rests | rests);
                }
            }
        }
        let mut halts = HexSet::EMPTY;
        for friend in &self.friends {
            halts |= (friend.halts | friend.rests).without(friend.at);
        }
        halts
    }

    /// Whether the halts are few enough to be put into constraints.
    pub(super) fn halts_fit(&self) -> bool {
        let halts: usize = self.friends.iter().map(|friend| friend.halts.len() + friend.rests.len()).sum();
        let halting = self.friends.iter().filter(|friend| !friend.halts.is_empty()).count();
        halts <= HALT_CAP && halting <= HALTING_CAP && self.num_clocks() <= MAX_CLOCKS
    }

    /// Clocks that the constraints speak of.
    pub(super) fn num_clocks(&self) -> usize {
        self.foes.len() + self.friends.iter().map(Friend::num_clocks).sum::<usize>()
    }

    /// Hexes to which a friend may come.
    fn visits(&self, friend: &Friend) -> HexSet {
        (self.goals(friend) | friend.halts | friend.rests).without(friend.at)
    }

    /// Hexes on which it may stand for a while.
    fn calls(&self, friend: &Friend) -> HexSet {
        let fights = self.modes.get(Survey::mode_range(friend, true)).unwrap_or(&[]);
        let stands = fights.iter().filter(|_| friend.blink).map(|mode| mode.hex);
        (stands.collect::<HexSet>() | friend.halts | friend.rests).without(friend.at)
    }

    /// Hexes on which its walk may end.
    fn goals(&self, friend: &Friend) -> HexSet {
        let fights = self.modes.get(Survey::mode_range(friend, true)).unwrap_or(&[]);
        let asides = self.modes.get(Survey::mode_range(friend, false)).unwrap_or(&[]);
        let walks = |mode: &&Mode| mode.deed != Deed::Jump;
        fights.iter().chain(asides).filter(walks).map(|mode| mode.hex).collect()
    }

    /// Hexes on which its walk may end, but which it cannot go to at once; `calls` are the hexes where others may
    /// stand for a while.
    fn later(&self, friend: &Friend, calls: HexSet) -> HexSet {
        let later = self.goals(friend) - (self.walks(friend) - self.hostile - self.friendly - calls);
        if calls.contains(friend.at) { later } else { later.without(friend.at) }
    }

    /// First and second halts that may matter. Others may come to `visits`, and stand for a while on `calls`.
    fn halts_of(&self, friend: &Friend, visits: HexSet, calls: HexSet) -> (HexSet, HexSet) {
        let foes: HexSet = self.foes.iter().map(|foe| foe.at).collect();
        let later = self.later(friend, calls);
        let stops = friend.open - self.closed - (self.hostile - foes);
        let near = friend.at.to_set().neighbours();
        let mut first = near & stops;
        if friend.steps >= 3 {
            first |= (near & friend.open).neighbours() & (stops - near);
        }
        first.remove(friend.at);
        let mut halts = HexSet::EMPTY;
        for halt in first {
            if friend.onward(halt).intersects(later) {
                halts.insert(halt);
            }
        }
        let mut rests = HexSet::EMPTY;
        if friend.steps >= 3 {
            let taken = self.hostile | self.friendly.without(friend.at) | calls;
            for rest in (halts & near & visits).neighbours() & stops & taken {
                if (rest.to_set().neighbours() & friend.open).intersects(later.without(rest)) {
                    rests.insert(rest);
                }
            }
        }
        (halts, rests)
    }
}

impl Friend {
    /// Clocks that its constraints speak of.
    fn num_clocks(&self) -> usize {
        let halts = usize::from(!self.halts.is_empty()) + usize::from(!self.rests.is_empty());
        1 + usize::from(self.attacks > 0) + usize::from(self.blink) + halts
    }
}

const _: () = assert!(PIECE_CAP + 2 * HALTING_CAP < super::encode::WIDTH);

#[cfg(test)]
mod tests {
    extern crate std;
    use barrow_core::minions::{Builder, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};

    use super::*;

    /// Voids in this many rows, rows of enemies on both sides of them.
    fn pack(ruleset: Ruleset, rows: u8) -> Survey {
        let config = GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 0);
        let board = builder.board(0).unwrap();
        for hex in Hex::all().filter(|hex| hex.y() < rows + 2 && hex.x() % 4 > 0) {
            let side = if (1..=rows).contains(&hex.y()) { Side::Yellow } else { Side::Blue };
            board.set_piece(hex, Some(Piece::fresh(side, UnitLabel::Void, hex)));
        }
        Survey::new(&builder.build().unwrap().view(0).unwrap()).unwrap()
    }

    #[test]
    fn a_survey_says_when_halts_are_left_out() {
        let small = pack(Ruleset::Server, 1);
        assert!(small.is_complete() && small.friends.iter().any(|friend| !friend.rests.is_empty()));
        let large = pack(Ruleset::Server, 3);
        assert!(!large.is_complete() && large.friends.iter().all(|friend| friend.halts.is_empty()));
        assert!(large.num_clocks() <= MAX_CLOCKS);
        let at_once = pack(Ruleset::Spooky, 3);
        assert!(at_once.is_complete() && at_once.friends.iter().all(|friend| friend.halts.is_empty()));
    }
}
