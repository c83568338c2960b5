//! Where a side can strike in its next turn, and how hard.

use core::cell::OnceCell;

use heapless::Vec;

use crate::hex::{Hex, HexSet, flood};
use crate::minions::{Attack, Piece, Unit, View};

/// Hexes of a board with one number each.
pub(in crate::minions::players) type Numbers = [u16; Hex::COUNT];

/// What one piece can do to others next turn.
#[derive(Clone, Copy)]
pub(in crate::minions::players) struct Strike {
    /// Where it stands.
    from: Hex,
    /// Hexes it can come to, those where somebody stands included.
    reach: HexSet,
    /// Hexes it can hit.
    pub(in crate::minions::players) zone: HexSet,
    /// Damage with all its attacks; unsummoning counts as damage to what cannot be unsummoned.
    pub(in crate::minions::players) damage: u16,
    /// Removes most pieces at one blow.
    removes: bool,
}

/// All strikes of the enemy as things stand, and their sums by hex.
pub(in crate::minions::players) struct Threats {
    damage: Numbers,
    removers: Numbers,
    strikes: Vec<Strike, { Hex::COUNT }, u8>,
}

impl Threats {
    fn new(view: &View<'_>) -> Threats {
        let mut threats = Threats { damage: [0; Hex::COUNT], removers: [0; Hex::COUNT], strikes: Vec::new() };
        for (from, piece) in view.board.iter(view.side.opponent()) {
            if let Some(strike) = Strike::new(view, from, piece, false) {
                threats.count(&strike);
                // There are never more strikes than hexes.
                let _ = threats.strikes.push(strike);
            }
        }
        threats
    }

    fn count(&mut self, strike: &Strike) {
        add_within(&mut self.damage, strike.zone, strike.damage);
        if strike.removes {
            add_within(&mut self.removers, strike.zone, 1);
        }
    }

    /// Takes in that pieces of the side to move have come to some hexes and left others.
    fn update(&mut self, view: &View<'_>, taken: HexSet, left: HexSet) {
        for index in 0..self.strikes.len() {
            // Where nobody comes nobody is in the way.
            let near = |old: &Strike| old.reach.intersects(taken) || old.reach.grown().intersects(left);
            let Some(old) = self.strikes.get(index).copied().filter(near) else { continue };
            let Some(piece) = view.board.piece(old.from) else { continue };
            let Some(new) = Strike::new(view, old.from, piece, false) else { continue };
            self.recount(&old, old.zone - new.zone, true);
            self.recount(&old, new.zone - old.zone, false);
            if let Some(slot) = self.strikes.get_mut(index) {
                *slot = new;
            }
        }
    }

    fn recount(&mut self, strike: &Strike, hexes: HexSet, lost: bool) {
        if hexes.is_empty() {
            return;
        }
        let sign = |amount: u16| if lost { amount.wrapping_neg() } else { amount };
        add_within(&mut self.damage, hexes, sign(strike.damage));
        if strike.removes {
            add_within(&mut self.removers, hexes, sign(1));
        }
    }

    /// Whether a minion with this defense on this hex could be removed, once `gone` no longer takes part.
    #[inline]
    fn removes(&self, hex: Hex, defense: u16, gone: Option<&Strike>) -> bool {
        let mut damage = at(&self.damage, hex);
        let mut removers = at(&self.removers, hex);
        if let Some(strike) = gone
            && strike.zone.contains(hex)
        {
            damage = damage.saturating_sub(strike.damage);
            removers = removers.saturating_sub(u16::from(strike.removes));
        }
        removers > 0 || damage >= defense
    }
}

fn at(numbers: &Numbers, hex: Hex) -> u16 {
    numbers.get(hex.index()).copied().unwrap_or(0)
}

/// Adds an amount to the numbers of some hexes. All hexes are gone through, sixteen at a time, since that is a few
/// instructions on machines with wide registers, and zones are large.
fn add_within(numbers: &mut Numbers, zone: HexSet, amount: u16) {
    const LANES: usize = u16::BITS as usize;
    let bits = zone.bits();
    for (chunk, lanes) in numbers.chunks_mut(LANES).enumerate() {
        let mask = (bits >> (chunk * LANES)) as u16;
        for (lane, number) in lanes.iter_mut().enumerate() {
            let here = mask & (1 << lane) != 0;
            *number = number.wrapping_add(if here { amount } else { 0 });
        }
    }
}

impl Strike {
    /// The strike of a piece as if its side were to move and it were fresh. `piercing` ignores that pieces block each
    /// other's way, for those who must expect that the way is cleared first.
    #[inline]
    fn new(view: &View<'_>, from: Hex, piece: Piece, piercing: bool) -> Option<Strike> {
        let now = view.current(piece);
        let each = match now.attack {
            Attack::None => return None,
            Attack::Damage(amount) => u16::from(amount),
            Attack::Unsummon => 1,
            Attack::Deathtouch => 0,
        };
        if now.range == 0 {
            return None;
        }
        let unit = view.unit(piece);
        let (reach, stands) = if now.lumbering {
            (from.to_set(), from.to_set())
        } else if piercing {
            let reach = flood(from, now.speed, view.board.walkable(view.map, unit));
            (reach, reach)
        } else {
            let reach = flood(from, now.speed, view.passable(piece.side(), unit));
            (reach, (reach - view.board.all_pieces()).with(from))
        };
        let zone = (0..now.range).fold(stands, |zone, _| zone.grown());
        let removes = matches!(now.attack, Attack::Unsummon | Attack::Deathtouch);
        Some(Strike { from, reach, zone, damage: each * u16::from(now.num_attacks), removes })
    }

    /// The strike of the enemy on a hex if its way were free.
    pub(in crate::minions::players) fn piercing(view: &View<'_>, from: Hex) -> Option<Strike> {
        Strike::new(view, from, view.enemy(from).ok()?, true)
    }
}

/// What a unit is worth in hundredths of a soul: its price less most of the rebate, which its owner gets back.
pub(in crate::minions::players) fn worth(unit: &Unit) -> i32 {
    if unit.necromancer { 0 } else { i32::from(unit.cost) * 100 - i32::from(unit.rebate) * 60 }
}

/// What it costs to have a piece on a hex at the end of the turn, in hundredths of a soul. Seen from the side to move;
/// what the enemy can do is found out when it is asked for, from the board as it is then.
pub(in crate::minions::players) struct Exposure {
    walking: OnceCell<Threats>,
    /// Damage by hex if all ways were free.
    piercing: OnceCell<Numbers>,
    /// Percentage of a minion's worth that being exposed costs.
    caution: i32,
}

impl Exposure {
    /// `caution` is the percentage of its worth that an exposed minion costs.
    pub(in crate::minions::players) fn new(caution: i32) -> Exposure {
        Exposure { walking: OnceCell::new(), piercing: OnceCell::new(), caution }
    }

    /// Finds out now what the enemy can do: pieces that come to stand in its way later do not count.
    pub(in crate::minions::players) fn fix(&self, view: &View<'_>) {
        if self.caution != 0 {
            self.walking.get_or_init(|| Threats::new(view));
        }
    }

    /// Takes in that pieces of the side to move have come to some hexes and left others, and nothing else has changed.
    pub(in crate::minions::players) fn update(&mut self, view: &View<'_>, taken: HexSet, left: HexSet) {
        if let Some(walking) = self.walking.get_mut() {
            walking.update(view, taken, left);
        }
    }

    /// What hexes cost a piece of this type and defense, once the enemy with the strike `gone` is removed.
    pub(in crate::minions::players) fn danger<'a>(
        &'a self,
        view: &View<'_>,
        unit: &Unit,
        defense: u16,
        gone: Option<&'a Strike>,
    ) -> Danger<'a> {
        if unit.necromancer {
            let damage = self.piercing.get_or_init(|| piercing(view));
            let gone = gone.and_then(|strike| Strike::piercing(view, strike.from));
            return Danger::Necromancer { exposure: self, damage, gone, defense };
        }
        let price = worth(unit) * self.caution / 100;
        // What costs nothing need not be found out.
        if price == 0 {
            return Danger::None;
        }
        Danger::Minion { threats: self.walking.get_or_init(|| Threats::new(view)), price, defense, gone }
    }

    /// The strike of the enemy on a hex, if it has one.
    pub(in crate::minions::players) fn strike(&self, view: &View<'_>, from: Hex) -> Option<&Strike> {
        let walking = self.walking.get_or_init(|| Threats::new(view));
        walking.strikes.iter().find(|strike| strike.from == from)
    }

    fn necromancer(&self, damage: u16, defense: u16) -> i32 {
        let damage = i32::from(damage);
        let defense = i32::from(defense);
        // Being one attacker short of dead is uncomfortable too.
        let lethal = if damage >= defense { 4000 + 100 * (damage - defense).min(30) } else { 0 };
        lethal + damage * (60 + self.caution)
    }

    /// How much the enemy on `from` contributes to the danger of a necromancer on `home`.
    pub(in crate::minions::players) fn menace(
        &self,
        view: &View<'_>,
        from: Hex,
        home: Hex,
        defense: u16,
    ) -> i32 {
        match strike_at(view, from, home) {
            Some(own) => {
                let all = self.pierced(view, home);
                self.necromancer(all, defense) - self.necromancer(all.saturating_sub(own), defense)
            }
            None => 0,
        }
    }

    /// Whether the enemy could kill a necromancer with this defense here if its way were free.
    pub(in crate::minions::players) fn is_lethal(&self, view: &View<'_>, hex: Hex, defense: u16) -> bool {
        self.pierced(view, hex) >= defense
    }

    /// Damage that the enemy could do on a hex if all ways were free.
    fn pierced(&self, view: &View<'_>, hex: Hex) -> u16 {
        if let Some(known) = self.piercing.get() {
            return at(known, hex);
        }
        let enemies = view.board.pieces(view.side.opponent());
        enemies.into_iter().filter_map(|from| strike_at(view, from, hex)).fold(0, u16::wrapping_add)
    }
}

/// What hexes cost one piece, in hundredths of a soul.
pub(in crate::minions::players) enum Danger<'a> {
    /// Nothing.
    None,
    /// Its worth, or a part of it, where it could be removed.
    Minion { threats: &'a Threats, price: i32, defense: u16, gone: Option<&'a Strike> },
    /// The more the more damage could be done to it.
    Necromancer { exposure: &'a Exposure, damage: &'a Numbers, gone: Option<Strike>, defense: u16 },
}

impl Danger<'_> {
    #[inline]
    pub(in crate::minions::players) fn cost(&self, hex: Hex) -> i32 {
        match self {
            Danger::None => 0,
            Danger::Minion { threats, price, defense, gone } => {
                if threats.removes(hex, *defense, *gone) {
                    *price
                } else {
                    0
                }
            }
            Danger::Necromancer { exposure, damage, gone, defense } => {
                let spared =
                    gone.filter(|strike| strike.zone.contains(hex)).map_or(0, |strike| strike.damage);
                exposure.necromancer(at(damage, hex).saturating_sub(spared), *defense)
            }
        }
    }
}

/// Damage of an enemy on a hex if its way were free; `None` where it does not reach the hex.
fn strike_at(view: &View<'_>, from: Hex, hex: Hex) -> Option<u16> {
    let now = view.current(view.enemy(from).ok()?);
    if from.distance(hex) > now.speed.saturating_add(now.range) {
        return None;
    }
    Strike::piercing(view, from).filter(|strike| strike.zone.contains(hex)).map(|strike| strike.damage)
}

/// Damage of all enemies by hex if all ways were free.
fn piercing(view: &View<'_>) -> Numbers {
    let mut damage = [0; Hex::COUNT];
    for from in view.board.pieces(view.side.opponent()) {
        if let Some(strike) = Strike::piercing(view, from) {
            add_within(&mut damage, strike.zone, strike.damage);
        }
    }
    damage
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::players::Greedy;
    use crate::minions::{Action, BoardAction, Game, GameConfig, MapLabel, Ruleset, UndoLog};
    use crate::rng::Rng;

    #[test]
    fn threats_followed_move_by_move_are_those_found_anew() {
        let mut rng = Rng::new(5);
        let mut moves = 0;
        for (seed, ruleset) in [(1, Ruleset::Server), (2, Ruleset::Spooky), (3, Ruleset::Server)] {
            let maps = [MapLabel::ALL[seed as usize], MapLabel::ALL[seed as usize + 4]];
            let mut game = Game::new(GameConfig::new(ruleset, &maps).unwrap(), seed);
            for turn in 0..24 {
                for board in 0..maps.len() {
                    let mut trial = game.clone();
                    let mut threats = Threats::new(&trial.view(board).unwrap());
                    for from in trial.view(board).unwrap().board.pieces(game.side_to_move()) {
                        let reach = trial.view(board).unwrap().reach(from);
                        if reach.is_empty() {
                            continue;
                        }
                        let to = reach.into_iter().nth(rng.below(reach.len() as u32) as usize).unwrap();
                        let walk = Action::Board(board as u8, BoardAction::walk(from, to));
                        trial.apply(walk, &mut UndoLog::off()).unwrap();
                        let view = trial.view(board).unwrap();
                        threats.update(&view, to.to_set(), from.to_set());
                        let anew = Threats::new(&view);
                        assert_eq!((threats.damage, threats.removers), (anew.damage, anew.removers));
                        let zones = |threats: &Threats, index: usize| threats.strikes[index].zone;
                        assert!((0..anew.strikes.len()).all(|at| zones(&threats, at) == zones(&anew, at)));
                        moves += 1;
                    }
                }
                let turn = Greedy::new(turn).choose(&game);
                game.play(&turn).unwrap();
                if game.state().is_over() {
                    break;
                }
            }
        }
        assert!(moves > 300, "{moves}");
    }
}
