//! Strikes: what the pieces of a side could do to one piece of the other in one attack phase, estimated without the solver by floods
//! and a matching of attackers to hexes.

use barrow_core::hex::{Hex, HexSet, flood};
use barrow_core::minions::{Attack, Piece, Side, View};

/// Strike: an attacker with the hexes from which it hits a target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strike {
    /// Hex of the attacker.
    pub at: Hex,
    /// Damage of all its attacks.
    pub damage: u16,
    /// Hexes that it can walk to from which the target is in range.
    pub stands: HexSet,
}

/// Strikes of a side on a target. Pieces of the other side on hexes of `clear` are taken for gone.
pub(super) fn strikes(view: &View<'_>, attacker: Side, target: Hex, clear: HexSet) -> Vec<Strike> {
    strikes_within(view, attacker, target, (view.board.pieces(attacker.opponent()) - clear).with(target))
}

/// Strikes of a side on a target, where these hexes are closed.
pub(super) fn strikes_within(view: &View<'_>, attacker: Side, target: Hex, closed: HexSet) -> Vec<Strike> {
    let strike = |(at, piece): (Hex, Piece)| {
        let now = view.current(piece);
        let damage = match now.attack {
            Attack::Damage(damage) => u16::from(damage) * u16::from(now.num_attacks),
            Attack::Unsummon => u16::from(now.num_attacks),
            Attack::Deathtouch | Attack::None => return None,
        };
        let stands = stands(view, (at, piece), target, closed);
        (!stands.is_empty()).then_some(Strike { at, damage, stands })
    };
    view.board.iter(attacker).filter_map(strike).collect()
}

/// Hexes from which a piece hits a target after a walk.
fn stands(view: &View<'_>, (at, piece): (Hex, Piece), target: Hex, closed: HexSet) -> HexSet {
    let now = view.current(piece);
    if now.range == 0 || at.distance(target) > steps_before_attack(view, piece) + now.range {
        return HexSet::EMPTY;
    }
    walks(view, (at, piece), closed) & HexSet::ball(target, now.range)
}

/// Steps of a piece before it attacks.
fn steps_before_attack(view: &View<'_>, piece: Piece) -> u8 {
    let now = view.current(piece);
    if now.lumbering { 0 } else { now.speed }
}

/// Hexes from which a piece can attack at its side's next turn, where these hexes are closed.
pub(super) fn walks(view: &View<'_>, (at, piece): (Hex, Piece), closed: HexSet) -> HexSet {
    let unit = view.unit(piece);
    let open = view.board.walkable(view.map, unit);
    let passable = if unit.flying { open } else { open - closed };
    flood(at, steps_before_attack(view, piece), passable) - closed
}

/// Most damage that strikes do together, each from a hex of its own: strikes are matched to hexes, the strongest first. As sets
/// of attackers that can be matched are a matroid, that is the most (R. Rado, 1957).
pub(super) fn most_damage(strikes: &mut [Strike]) -> u16 {
    strikes.sort_by_key(|strike| std::cmp::Reverse(strike.damage));
    let mut taken = [u8::MAX; Hex::COUNT];
    let mut sum = 0;
    for index in 0..strikes.len() {
        if matched(strikes, index, &mut taken, &mut HexSet::default()) {
            sum += strikes[index].damage;
        }
    }
    sum
}

/// Finds a hex for a strike, where others may go elsewhere.
fn matched(strikes: &[Strike], index: usize, taken: &mut [u8; Hex::COUNT], tried: &mut HexSet) -> bool {
    for stand in strikes[index].stands {
        if tried.insert(stand) {
            let other = taken[stand.index()];
            if other == u8::MAX || matched(strikes, usize::from(other), taken, tried) {
                taken[stand.index()] = index as u8;
                return true;
            }
        }
    }
    false
}

/// Whether one attack of a side removes the piece on a hex whatever its defense.
pub(super) fn removes_outright(view: &View<'_>, attacker: Side, target: Hex, closed: HexSet) -> bool {
    let Some(piece) = view.board.piece(target) else { return false };
    let unit = view.unit(piece);
    view.board.iter(attacker).any(|entry| {
        let removes = match view.current(entry.1).attack {
            Attack::Deathtouch => !unit.necromancer,
            Attack::Unsummon => !unit.persistent,
            Attack::Damage(_) | Attack::None => false,
        };
        removes && !stands(view, entry, target, closed).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use barrow_core::rng::Rng;

    use super::*;

    /// Most damage, found by trying all hexes for each attacker in turn.
    fn most_by_listing(strikes: &[Strike], free: HexSet) -> u16 {
        let Some((first, others)) = strikes.split_first() else { return 0 };
        let with = (first.stands & free).iter();
        let with = with.map(|hex| first.damage + most_by_listing(others, free.without(hex)));
        with.max().unwrap_or(0).max(most_by_listing(others, free))
    }

    #[test]
    fn the_most_damage_is_that_of_the_best_assignment() {
        let mut rng = Rng::new(7);
        for _ in 0..300 {
            let strike = |rng: &mut Rng| Strike {
                at: Hex::new(0).unwrap(),
                damage: 1 + rng.below(7) as u16,
                stands: (0..6).filter(|_| rng.chance(1, 3)).filter_map(Hex::new).collect(),
            };
            let count = rng.below(6) as usize;
            let mut strikes: Vec<Strike> = (0..count).map(|_| strike(&mut rng)).collect();
            let listed = most_by_listing(&strikes, HexSet::ALL);
            assert_eq!(most_damage(&mut strikes), listed, "{strikes:?}");
        }
    }
}
