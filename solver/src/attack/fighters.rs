//! Fighters of a model: who attacks and who is attacked. Where memory is too small for everybody, they are fewer, so that what is
//! wanted most can still be planned.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::View;
use barrow_core::minions::turn_search::ports::AttackGoal;

/// Distance from an enemy within which a friend is near.
const NEAR: u8 = 4;

/// Distance from the first target within which others are attacked as well, before it is attacked alone.
const ABOUT: u8 = 1;

/// Pieces that may fight in a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fighters {
    /// Hexes of the friends that may attack.
    pub(super) attackers: HexSet,
    /// Hexes of the enemies that may be attacked.
    pub(super) targets: HexSet,
}

impl Fighters {
    /// All pieces of both sides.
    pub(super) const ALL: Fighters = Fighters { attackers: HexSet::ALL, targets: HexSet::ALL };

    /// Fighters fewer than these: first nobody is attacked but the first enemy that is to fall and has friends near, and those beside it; then
    /// it alone; then it is attacked by the nearest half of those who could, and so on. Where no enemy is to fall nobody fights.
    #[inline(never)]
    pub(super) fn fewer(self, view: &View<'_>, goals: &[AttackGoal]) -> Fighters {
        let Fighters { attackers, targets } = self;
        let ready = |at: &Hex| view.friend(*at).is_ok_and(|piece| view.ready_to_attack(piece).is_ok());
        let able = attackers & view.board.pieces(view.side);
        let able = able.iter().filter(ready).fold(HexSet::EMPTY, HexSet::with);
        let fall = || {
            goals.iter().filter_map(|goal| match *goal {
                AttackGoal::Kill(at) | AttackGoal::Remove(at) => Some(at),
                AttackGoal::Passive(_) => None,
            })
        };
        let near = |at: &Hex| !(HexSet::ball(*at, NEAR) & able).is_empty();
        let Some(target) = fall().find(near).or(fall().next()) else {
            return Fighters { attackers: HexSet::EMPTY, targets };
        };
        let about = HexSet::ball(target, ABOUT);
        if targets == HexSet::ALL {
            return Fighters { attackers, targets: about };
        }
        if targets == about {
            return Fighters { attackers, targets: target.to_set() };
        }
        Fighters { attackers: nearest(target, able, able.len() / 2), targets }
    }
}

/// Hexes of a set that are nearest to a target, so many.
fn nearest(target: Hex, mut hexes: HexSet, count: usize) -> HexSet {
    let mut nearest = HexSet::EMPTY;
    while nearest.len() < count
        && let Some(at) = hexes.iter().min_by_key(|at| (at.distance(target), *at))
    {
        nearest.insert(at);
        hexes.remove(at);
    }
    nearest
}

#[cfg(test)]
mod tests {
    extern crate std;

    use barrow_core::minions::text::fen;
    use barrow_core::minions::{GameConfig, Ruleset};
    use barrow_testing::BENCH_POSITIONS;

    use super::*;

    #[test]
    fn fewer_and_fewer_fight_until_nobody_does() {
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        for line in BENCH_POSITIONS.lines() {
            let game = fen::parse(line, &config).unwrap();
            let view = game.view(0).unwrap();
            let enemy = view.board.pieces(view.side.opponent()).iter().next().unwrap();
            let (mut fighters, mut steps) = (Fighters::ALL, 0);
            while !fighters.attackers.is_empty() {
                let fewer = fighters.fewer(&view, &[AttackGoal::Remove(enemy)]);
                assert!(fewer.targets.is_subset(fighters.targets) && fewer.targets.contains(enemy));
                assert!(fewer.attackers.is_subset(fighters.attackers) && fewer != fighters);
                // Nobody who is left is further away than somebody who is not.
                if fewer.attackers != fighters.attackers && fighters.attackers != HexSet::ALL {
                    let far = |set: HexSet| set.iter().map(|at| at.distance(enemy));
                    let out = fighters.attackers - fewer.attackers;
                    assert!(far(fewer.attackers).max() <= far(out).min());
                }
                (fighters, steps) = (fewer, steps + 1);
            }
            assert!(steps < 10, "{steps}");
            assert!(Fighters::ALL.fewer(&view, &[AttackGoal::Passive(enemy)]).attackers.is_empty());
        }
    }
}
