//! Stopovers: where moves may be split, a friend may make room for another, wait on a hex until a path has opened, and
//! go on (rules §23, item 5).
//!
//! Only friends whose hex others may come to have a reason for a stopover, and only on their way to hexes that they
//! cannot go to at once: those that are blocked or occupied, and those where another friend may be for a while. A
//! second stopover has a reason only if another friend may come to the first one's hex. No piece takes more than three
//! steps, so that a friend makes at most two stopovers, and the number of steps to each is its distance.

use barrow_core::hex::{Hex, HexSet};

use super::elements::{Friend, Mode, ModeKind};
use super::encode::WIDTH;
use super::model::{AttackModel, ROOMY_CLOCKS};

/// Most stopovers of all friends together. With more, none is considered.
const STOPOVER_CAP: usize = 256;

/// Most friends with stopovers, so that the arrivals on one hex fit in one constraint.
const STOPPING_CAP: usize = 32;

/// Count of friends that may come to each hex, as far as one and two.
#[derive(Clone, Copy, Default)]
struct Tally {
    once: HexSet,
    twice: HexSet,
}

impl Tally {
    /// Counts a friend that may come to these hexes.
    fn add(&mut self, hexes: HexSet) {
        self.twice |= self.once & hexes;
        self.once |= hexes;
    }

    /// Hexes to which another friend may come than the one counted for these.
    fn without(self, own: HexSet) -> HexSet {
        (self.once - own) | self.twice
    }
}

impl Friend {
    /// Steps left after a first stopover on a hex.
    fn steps_after(&self, stopover: Hex) -> u8 {
        self.steps.saturating_sub(self.at.distance(stopover))
    }

    /// Hexes between two hexes that are two steps apart.
    pub(super) fn between(&self, from: Hex, to: Hex) -> HexSet {
        from.to_set().neighbours() & to.to_set().neighbours() & self.open
    }

    /// Hexes to which the friend could go on from a first stopover, were no enemy in the way.
    pub(super) fn onward(&self, stopover: Hex) -> HexSet {
        let next = stopover.to_set().neighbours() & self.open;
        let reached =
            if self.steps_after(stopover) >= 2 { next | (next.neighbours() & self.open) } else { next };
        reached.without(stopover)
    }
}

impl AttackModel<'_> {
    /// Adds stopovers of the friends whose hex others may come to. Returns the hexes of all friends' stopovers, each
    /// friend's own hex apart.
    pub(super) fn add_stopovers(&mut self) -> HexSet {
        let (mut visits, mut calls) = (Tally::default(), Tally::default());
        for friend in self.friends.iter() {
            visits.add(self.visits(friend));
            calls.add(self.calls(friend));
        }
        for index in 0..self.friends.len() {
            let Some(&friend) = self.friends.get(index) else { continue };
            if friend.contested && friend.steps >= 2 {
                let visits = visits.without(self.visits(&friend));
                let calls = calls.without(self.calls(&friend));
                let (first, second) = self.stopovers_of(&friend, visits, calls);
                if let Some(friend) = self.friends.get_mut(index) {
                    (friend.first_stopovers, friend.second_stopovers) =
                        (friend.first_stopovers | first, friend.second_stopovers | second);
                }
            }
        }
        let mut all = HexSet::EMPTY;
        for friend in self.friends.iter() {
            all |= (friend.first_stopovers | friend.second_stopovers).without(friend.at);
        }
        all
    }

    /// Whether the stopovers are few enough to be encoded.
    pub(super) fn stopovers_fit(&self) -> bool {
        let stopovers: usize = self
            .friends
            .iter()
            .map(|friend| friend.first_stopovers.len() + friend.second_stopovers.len())
            .sum();
        let stopping = self.friends.iter().filter(|friend| !friend.first_stopovers.is_empty()).count();
        // All arrivals on one hex are in one constraint.
        let stopping_cap = STOPPING_CAP.min((WIDTH - 1).saturating_sub(self.friends.len()) / 2);
        stopovers <= STOPOVER_CAP && stopping <= stopping_cap && self.num_clocks() <= ROOMY_CLOCKS
    }

    /// Clocks of the encoded model, those of single pairs apart.
    pub(super) fn num_clocks(&self) -> usize {
        self.foes.len() + self.friends.iter().map(Friend::num_clocks).sum::<usize>()
    }

    /// Hexes to which a friend may come.
    fn visits(&self, friend: &Friend) -> HexSet {
        (self.walk_ends(friend) | friend.first_stopovers | friend.second_stopovers).without(friend.at)
    }

    /// Hexes on which a friend may be for a while and leave again.
    fn calls(&self, friend: &Friend) -> HexSet {
        let fights = self.modes.get(AttackModel::mode_range(friend, true)).unwrap_or(&[]);
        let stands = fights.iter().filter(|_| friend.blink).map(|mode| mode.hex);
        (stands.collect::<HexSet>() | friend.first_stopovers | friend.second_stopovers).without(friend.at)
    }

    /// Hexes on which a friend's walk may end.
    fn walk_ends(&self, friend: &Friend) -> HexSet {
        let fights = self.modes.get(AttackModel::mode_range(friend, true)).unwrap_or(&[]);
        let asides = self.modes.get(AttackModel::mode_range(friend, false)).unwrap_or(&[]);
        let walks = |mode: &&Mode| mode.kind != ModeKind::Teleport;
        fights.iter().chain(asides).filter(walks).map(|mode| mode.hex).collect::<HexSet>()
    }

    /// Hexes on which a friend's walk may end, but to which it cannot go at once; `calls` are the hexes where others
    /// may be for a while.
    fn later(&self, friend: &Friend, calls: HexSet) -> HexSet {
        let later = self.walk_ends(friend) - (self.walks(friend) - self.hostile - self.friendly - calls);
        if calls.contains(friend.at) { later } else { later.without(friend.at) }
    }

    /// First and second stopovers of a friend that may matter. Others may come to `visits`, and be for a while on
    /// `calls`.
    fn stopovers_of(&self, friend: &Friend, visits: HexSet, calls: HexSet) -> (HexSet, HexSet) {
        let foes = self.foes.iter().map(|foe| foe.at).collect::<HexSet>();
        let later = self.later(friend, calls);
        let stops = friend.open - self.closed - (self.hostile - foes);
        let near = friend.at.to_set().neighbours();
        let mut candidates = near & stops;
        if friend.steps >= 3 {
            candidates |= (near & friend.open).neighbours() & (stops - near);
        }
        candidates.remove(friend.at);
        let mut first = HexSet::EMPTY;
        for hex in candidates {
            if friend.onward(hex).intersects(later) {
                first.insert(hex);
            }
        }
        let mut second = HexSet::EMPTY;
        if friend.steps >= 3 {
            let taken = self.hostile | self.friendly.without(friend.at) | calls;
            for hex in (first & near & visits).neighbours() & stops & taken {
                if (hex.to_set().neighbours() & friend.open).intersects(later.without(hex)) {
                    second.insert(hex);
                }
            }
        }
        (first, second)
    }
}

impl Friend {
    /// Clocks of the friend.
    fn num_clocks(&self) -> usize {
        let stopovers =
            usize::from(!self.first_stopovers.is_empty()) + usize::from(!self.second_stopovers.is_empty());
        1 + usize::from(self.attacks > 0) + usize::from(self.blink) + stopovers
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use barrow_core::minions::{Builder, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};

    use crate::attack::constraint_sink::CountingSink;
    use crate::attack::encode::encode;
    use crate::attack::lists::{LargeRoom, OrdinaryRoom};

    use super::*;

    /// A model of voids in this many rows, with rows of enemies on both sides.
    fn pack(ruleset: Ruleset, rows: u8, room: &mut OrdinaryRoom) -> AttackModel<'_> {
        let config = GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 0);
        let board = builder.board(0).unwrap();
        for hex in Hex::all().filter(|hex| hex.y() < rows + 2 && hex.x() % 4 > 0) {
            let side = if (1..=rows).contains(&hex.y()) { Side::Yellow } else { Side::Blue };
            board.set_piece(hex, Some(Piece::fresh(side, UnitLabel::Void, hex)));
        }
        AttackModel::new(&builder.build().unwrap().view(0).unwrap(), room).unwrap()
    }

    #[test]
    fn clocks_are_as_many_as_an_encoding_makes() {
        for (ruleset, rows) in [(Ruleset::Server, 1), (Ruleset::Server, 3), (Ruleset::Spooky, 1)] {
            let mut room = OrdinaryRoom::new();
            let model = pack(ruleset, rows, &mut room);
            let mut sink = CountingSink::new();
            encode(&model, &mut sink).unwrap();
            assert_eq!(sink.limits.clocks, model.num_clocks(), "{ruleset:?}, {rows} rows");
        }
    }

    /// Whether stopovers are few enough of so many friends, of whom the first can fight, and the first have so many hexes
    /// to stop on, every fourth of them twice.
    fn fit(friends: usize, fighters: usize, stopping: usize, hexes: usize) -> bool {
        let mut room = std::boxed::Box::new(LargeRoom::new());
        let builder = Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 0);
        let mut model = AttackModel::new(&builder.build().unwrap().view(0).unwrap(), &mut *room).unwrap();
        for index in 0..friends {
            let stops = Hex::all().take(if index < stopping { hexes } else { 0 });
            let first_stopovers: HexSet = stops.collect();
            let second_stopovers = if index % 4 == 1 { first_stopovers } else { HexSet::EMPTY };
            let attacks = u8::from(index < fighters);
            let friend = Friend { attacks, first_stopovers, second_stopovers, ..Friend::EMPTY };
            model.friends.push(friend).unwrap();
        }
        model.number();
        assert_eq!(model.numbers.clocks, model.num_clocks());
        model.stopovers_fit()
    }

    #[test]
    #[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
    fn stopovers_fit_up_to_four_limits() {
        // Hexes, those of second stopovers included.
        assert!(fit(8, 0, 8, 25) && !fit(8, 0, 8, 26));
        assert!(fit(4, 4, 3, 64) && !fit(4, 4, 3, 65));
        // Friends that stop.
        assert!(fit(40, 0, STOPPING_CAP, 1) && !fit(40, 0, STOPPING_CAP + 1, 1));
        // With more friends, arrivals on one hex: 127 without one for each of 71 are two for each of 28, and without one
        // for each of 72 two for each of 27.
        assert!(fit(71, 0, 28, 1) && !fit(71, 0, 29, 1));
        assert!(fit(72, 0, 27, 1) && !fit(72, 0, 28, 1));
        // Clocks: one for each friend, for each that fights, that stops, and that stops again.
        assert!(fit(72, 26, 24, 1) && !fit(72, 27, 24, 1));
    }

    #[test]
    fn a_model_says_when_stopovers_are_left_out() {
        let mut rooms = [(); 3].map(|()| OrdinaryRoom::new());
        let [first, second, third] = &mut rooms;
        let small = pack(Ruleset::Server, 1, first);
        assert!(
            small.is_complete() && small.friends.iter().any(|friend| !friend.second_stopovers.is_empty())
        );
        let large = pack(Ruleset::Server, 3, second);
        assert!(!large.is_complete() && large.friends.iter().all(|friend| friend.first_stopovers.is_empty()));
        assert!(large.num_clocks() <= ROOMY_CLOCKS);
        let at_once = pack(Ruleset::Spooky, 3, third);
        assert!(
            at_once.is_complete() && at_once.friends.iter().all(|friend| friend.first_stopovers.is_empty())
        );
    }
}
