//! Reach: the hexes to which a piece can go, now or once certain enemies are gone (seed 000, "possibly from hexes
//! blocked by enemy pieces").

use barrow_core::hex::{Hex, HexSet, flood};
use heapless::Vec;

/// Most alternative sets of enemies that block the paths to one hex: three steps never lead to more.
pub(super) const ALTERNATIVES: usize = 6;

/// A hex in reach, with the smallest sets of enemies whose absence opens a path; no set when a path is open.
#[derive(Clone, Debug)]
pub(super) struct ReachableHex {
    pub(super) hex: Hex,
    pub(super) blockers: Vec<HexSet, ALTERNATIVES, u8>,
}

/// Hexes among the `wanted` that a piece on `from` could reach in this many steps. `open` is the terrain that admits
/// the piece; flying pieces pass over enemies but cannot end on one.
pub(super) fn reachable_hexes(
    from: Hex,
    steps: u8,
    open: HexSet,
    hostile: HexSet,
    flying: bool,
    wanted: HexSet,
) -> impl Iterator<Item = ReachableHex> {
    let passable = if flying { open } else { open - hostile };
    let reached = if open.contains(from) { flood(from, steps, passable) } else { from.to_set() };
    let free = reached - hostile;
    let direct = (wanted & free).into_iter().map(|hex| ReachableHex { hex, blockers: Vec::new() });
    let blocked = wanted - free;
    let opened = blocked.into_iter().map(move |hex| {
        let mut blockers = Vec::new();
        if flying {
            if reached.contains(hex) {
                let _ = blockers.push(hex.to_set());
            }
        } else {
            walk(from, hex, steps, open, hostile, HexSet::EMPTY, &mut blockers);
        }
        ReachableHex { hex, blockers }
    });
    direct.chain(opened.filter(|reachable| !reachable.blockers.is_empty()))
}

/// Follows every path to `goal`, at most three steps long, and keeps the smallest sets of enemies met.
fn walk(
    at: Hex,
    goal: Hex,
    steps: u8,
    open: HexSet,
    hostile: HexSet,
    met: HexSet,
    found: &mut Vec<HexSet, ALTERNATIVES, u8>,
) {
    if at == goal {
        if found.iter().any(|other| other.is_subset(met)) {
            return;
        }
        found.retain(|other| !met.is_subset(*other));
        let _ = found.push(met);
        return;
    }
    if at.distance(goal) > steps {
        return;
    }
    for &next in at.neighbours() {
        if open.contains(next) {
            let met = if hostile.contains(next) { met.with(next) } else { met };
            walk(next, goal, steps - 1, open, hostile, met, found);
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use barrow_core::rng::Rng;

    use super::*;

    fn named(name: &str) -> Hex {
        Hex::named(name).unwrap()
    }

    fn set(names: &[&str]) -> HexSet {
        names.iter().map(|name| named(name)).collect()
    }

    #[test]
    fn a_wall_of_enemies_offers_its_gaps_to_be() {
        let hostile = set(&["d1", "d2", "c3", "b3"]);
        let found: std::vec::Vec<_> =
            reachable_hexes(named("c2"), 2, HexSet::ALL, hostile, false, set(&["e2", "d1", "c1"])).collect();
        let of = |name: &str| found.iter().find(|way| way.hex == named(name)).unwrap();
        assert!(of("c1").blockers.is_empty());
        assert_eq!(of("d1").blockers.as_slice(), [set(&["d1"])]);
        // Two steps from c2 to e2 lead over d2; e1 and d3 are no neighbours of c2.
        assert_eq!(of("e2").blockers.as_slice(), [set(&["d2"])]);
    }

    /// The minimal sets of enemies on all paths, without a limit to their number.
    fn smallest_sets(from: Hex, goal: Hex, steps: u8, hostile: HexSet) -> std::vec::Vec<HexSet> {
        let (mut walks, mut sets) = (std::vec![(from, HexSet::EMPTY)], std::vec::Vec::new());
        for _ in 0..steps {
            let next = |&(at, met): &(Hex, HexSet)| {
                at.neighbours().iter().map(move |&to| (to, met | (to.to_set() & hostile)))
            };
            walks = walks.iter().flat_map(next).collect();
            sets.extend(walks.iter().filter(|walk| walk.0 == goal).map(|walk| walk.1));
        }
        let all = sets.clone();
        sets.retain(|set| !all.iter().any(|other| other != set && other.is_subset(*set)));
        sets.sort_unstable_by_key(|set| set.bits());
        sets.dedup();
        sets
    }

    #[test]
    fn no_way_is_left_out() {
        let (mut rng, from, mut most) = (Rng::new(4), named("e4"), 0);
        for _ in 0..3000 {
            let density = rng.below(8);
            let hostile: HexSet = Hex::all().filter(|&hex| hex != from && rng.below(8) <= density).collect();
            let near = HexSet::ball(from, 3).without(from);
            for reachable in reachable_hexes(from, 3, HexSet::ALL, hostile, false, near) {
                let mut found = reachable.blockers.to_vec();
                found.sort_unstable_by_key(|set| set.bits());
                let mut expected = smallest_sets(from, reachable.hex, 3, hostile);
                expected.retain(|set| !set.is_empty());
                assert_eq!(found, expected, "{hostile:?} {}", reachable.hex);
                most = most.max(found.len());
            }
        }
        assert!((3..=ALTERNATIVES).contains(&most), "{most}");
    }

    #[test]
    fn fliers_only_need_their_last_hex_free() {
        let hostile = set(&["d2", "e2"]);
        let found: std::vec::Vec<_> =
            reachable_hexes(named("c2"), 2, HexSet::ALL, hostile, true, set(&["e2", "f2", "e1"])).collect();
        assert_eq!(found.len(), 2);
        assert!(found.iter().any(|way| way.hex == named("e1") && way.blockers.is_empty()));
        assert!(found.iter().any(|way| way.blockers.as_slice() == [set(&["e2"])]));
    }
}
