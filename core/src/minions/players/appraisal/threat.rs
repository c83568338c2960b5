//! Threats: which hexes the enemy can hit in its next turn with how much damage, and what that costs a piece.

use core::cell::{Cell, OnceCell};

use heapless::Vec;

use super::home::Home;
use super::weights::Weights;
use crate::hex::{Hex, HexCounters, HexSet, flood};
use crate::minions::{Attack, BOARD_CAP, Piece, Unit, View};

/// Damage by hex: a hundred enemies cannot do 2,048 (`no_damage_is_lost`).
type DamageCounters = HexCounters<11>;

/// Number of removers by hex.
type RemoverCounters = HexCounters<7>;

/// Threat of one piece: what it can do to others in its next turn.
#[derive(Clone, Copy)]
pub(in crate::minions::players) struct Threat {
    /// Hex of the piece.
    from: Hex,
    /// Hexes that the piece can reach, occupied ones included.
    reach: HexSet,
    /// Hexes that the piece can hit.
    pub(in crate::minions::players) zone: HexSet,
    /// Damage of all attacks together; an unsummoning attack counts 1, its damage to persistent pieces.
    pub(in crate::minions::players) damage: u16,
    /// Whether one attack removes a piece whatever its defense.
    removes: bool,
}

/// Threats of all enemies on the board as it stands, and their sums by hex.
pub(in crate::minions::players) struct Threats {
    damage: DamageCounters,
    removers: RemoverCounters,
    reached: ReachedDamage,
    list: Vec<Threat, { Hex::COUNT }, u8>,
}

/// Places of [`ReachedDamage`]; small machines, which play on two boards, have room for four.
const KNOWN_DAMAGES: usize = if BOARD_CAP > 2 { 8 } else { 4 };

/// Hexes that a damage is reached on, by that damage: pieces of a board have few different defenses, and are many.
#[derive(Default)]
struct ReachedDamage {
    damages: [Cell<u16>; KNOWN_DAMAGES],
    hexes: [Cell<HexSet>; KNOWN_DAMAGES],
}

impl ReachedDamage {
    /// Hexes on which the damage is at least so large, counted where that is not known yet.
    #[inline]
    fn at_least(&self, damage: u16, counters: &DamageCounters) -> HexSet {
        let place = usize::from(damage) % KNOWN_DAMAGES;
        let (Some(known), Some(hexes)) = (self.damages.get(place), self.hexes.get(place)) else {
            return counters.at_least(damage);
        };
        if known.get() != damage || damage == 0 {
            known.set(damage);
            hexes.set(counters.at_least(damage));
        }
        hexes.get()
    }

    /// Forgets everything.
    fn clear(&self) {
        self.damages.iter().for_each(|damage| damage.set(0));
    }
}

impl Threats {
    /// No threats. Not a constant: that would be copied with the list's thousands of bytes without content.
    #[inline]
    fn none() -> Threats {
        Threats {
            damage: DamageCounters::ZERO,
            removers: RemoverCounters::ZERO,
            reached: ReachedDamage::default(),
            list: Vec::new(),
        }
    }

    fn new(view: &View<'_>) -> Threats {
        let mut threats = Threats::none();
        threats.fill(view);
        threats
    }

    /// Adds all threats of a board; there must be none yet.
    fn fill(&mut self, view: &View<'_>) {
        for (from, piece) in view.board.iter(view.side.opponent()) {
            if let Some(threat) = Threat::new(view, from, piece, false) {
                self.count(&threat, threat.zone);
                // There are never more threats than hexes.
                let _ = self.list.push(threat);
            }
        }
    }

    /// Counts a threat on some hexes.
    fn count(&mut self, threat: &Threat, hexes: HexSet) {
        self.damage.add(hexes, threat.damage);
        if threat.removes {
            self.removers.add(hexes, 1);
        }
    }

    /// Counts a threat no longer on some hexes.
    fn discount(&mut self, threat: &Threat, hexes: HexSet) {
        self.reached.clear();
        self.damage.subtract(hexes, threat.damage);
        if threat.removes {
            self.removers.subtract(hexes, 1);
        }
    }

    /// Updates the threats after pieces of the side to move have come to some hexes and left others.
    fn update(&mut self, view: &View<'_>, taken: HexSet, left: HexSet) {
        // A threat changes only where a piece has entered its reach or left its reach or edge.
        let near = taken | left.grown();
        for index in 0..self.list.len() {
            let changes = |old: &&Threat| old.reach.intersects(near);
            let Some(&old) = self.list.get(index).filter(changes) else { continue };
            let Some(piece) = view.board.piece(old.from) else { continue };
            let Some(new) = Threat::new(view, old.from, piece, false) else { continue };
            if let Some(slot) = self.list.get_mut(index) {
                *slot = new;
            }
            let (lost, won) = (old.zone - new.zone, new.zone - old.zone);
            if !(lost | won).is_empty() {
                self.discount(&old, lost);
                self.count(&new, won);
            }
        }
    }

    /// Takes away the threat of the enemy on a hex, if it has any.
    fn remove(&mut self, from: Hex) {
        let Some(place) = self.list.iter().position(|threat| threat.from == from) else { return };
        let Some(last) = self.list.pop() else { return };
        let gone = self.list.get_mut(place).map_or(last, |slot| core::mem::replace(slot, last));
        self.discount(&gone, gone.zone);
    }

    /// Hexes on which a minion with this defense could be removed, once `gone` no longer takes part.
    fn deadly(&self, defense: u16, gone: Option<&Threat>) -> HexSet {
        let deadly = |removers: u16, damage: Option<u16>| {
            damage.map_or(HexSet::EMPTY, |damage| self.reached.at_least(damage, &self.damage))
                | self.removers.at_least(removers)
        };
        let outside = deadly(1, Some(defense));
        match gone {
            Some(threat) if defense > 0 => {
                let inside = deadly(1 + u16::from(threat.removes), defense.checked_add(threat.damage));
                (outside - threat.zone) | (inside & threat.zone)
            }
            _ => outside,
        }
    }
}

impl Threat {
    /// Threat of a piece as if its side were to move and it were fresh. With `unblocked`, pieces do not block each other:
    /// the enemy may clear the way first.
    #[inline]
    fn new(view: &View<'_>, from: Hex, piece: Piece, unblocked: bool) -> Option<Threat> {
        let now = view.current(piece);
        let each = damage_of_attack(now.attack)?;
        if now.range == 0 {
            return None;
        }
        let unit = view.unit(piece);
        let (reach, stands) = if now.lumbering {
            (from.to_set(), from.to_set())
        } else if unblocked {
            let reach = flood(from, now.speed, view.board.walkable(view.map, unit));
            (reach, reach)
        } else {
            let reach = flood(from, now.speed, view.passable(piece.side(), unit));
            (reach, (reach - view.board.all_pieces()).with(from))
        };
        let zone = if now.lumbering {
            HexSet::ball(from, now.range)
        } else {
            (0..now.range).fold(stands, |zone, _| zone.grown())
        };
        let removes = matches!(now.attack, Attack::Unsummon | Attack::Deathtouch);
        Some(Threat { from, reach, zone, damage: each * u16::from(now.num_attacks), removes })
    }

    /// Threat of the enemy on hex `from` if no piece blocked its way.
    pub(in crate::minions::players) fn unblocked(view: &View<'_>, from: Hex) -> Option<Threat> {
        Threat::new(view, from, view.enemy(from).ok()?, true)
    }
}

/// The value of a cell, computed on first use; never `None`. The cell's own method would panic if computing the value
/// asked for it.
#[inline]
fn known<T>(cell: &OnceCell<T>, compute: impl FnOnce() -> T) -> Option<&T> {
    if cell.get().is_none() {
        fill(cell, compute);
    }
    cell.get()
}

/// Computes the value of an empty cell, apart from the places that find it there.
#[cold]
#[inline(never)]
fn fill<T>(cell: &OnceCell<T>, compute: impl FnOnce() -> T) {
    let _ = cell.set(compute());
}

/// Threat costs: what it costs the side to move to have a piece on a hex at the end of its turn, in hundredths of a
/// soul. The enemy's threats are computed on first use, from the board as it stands then.
pub(in crate::minions::players) struct ThreatCosts {
    blocked: OnceCell<Threats>,
    /// Damage by hex if no piece blocked another.
    unblocked: OnceCell<DamageCounters>,
    /// Weights of the player, which costs are computed with.
    pub(in crate::minions::players) weights: &'static Weights,
    /// Percentage of its worth that a minion costs where it can be removed.
    caution: i32,
}

impl ThreatCosts {
    /// Costs with nothing computed yet; `caution` is the percentage of its worth that a minion costs where it can be
    /// removed.
    pub(in crate::minions::players) fn new(weights: &'static Weights, caution: i32) -> ThreatCosts {
        ThreatCosts { blocked: OnceCell::new(), unblocked: OnceCell::new(), weights, caution }
    }

    /// Forgets what was computed, in place: costs are large, and a small stack holds few of them.
    pub(in crate::minions::players) fn forget(&mut self, caution: i32) {
        self.blocked = OnceCell::new();
        self.unblocked = OnceCell::new();
        self.caution = caution;
    }

    /// Computes the threats now, so that pieces that block the enemy later do not count.
    pub(in crate::minions::players) fn compute(&mut self, view: &View<'_>) {
        if self.caution != 0 {
            self.compute_threats(view);
        }
    }

    /// Computes the threats now and where they stand, whatever the caution.
    #[inline(never)]
    pub(in crate::minions::players) fn compute_threats(&mut self, view: &View<'_>) {
        if self.blocked.get().is_none() && self.blocked.set(Threats::none()).is_ok() {
            self.blocked.get_mut().into_iter().for_each(|threats| threats.fill(view));
        }
    }

    /// Updates the threats after pieces of the side to move have come to some hexes and left others, all else being equal.
    pub(in crate::minions::players) fn update(&mut self, view: &View<'_>, taken: HexSet, left: HexSet) {
        if let Some(blocked) = self.blocked.get_mut() {
            blocked.update(view, taken, left);
        }
    }

    /// Updates the threats after a turn of events on a board: pieces of the side to move have come to some hexes and left
    /// others, and enemies have gone.
    pub(in crate::minions::players) fn update_all(
        &mut self,
        view: &View<'_>,
        (taken, left): (HexSet, HexSet),
        gone: HexSet,
    ) {
        self.unblocked = OnceCell::new();
        if let Some(blocked) = self.blocked.get_mut() {
            gone.into_iter().for_each(|from| blocked.remove(from));
            blocked.update(view, taken, left | gone);
        }
    }

    /// Costs of all hexes for a unit of this type and defense, with the enemy of the threat `gone` removed.
    pub(in crate::minions::players) fn of_unit<'a>(
        &'a self,
        view: &View<'_>,
        unit: &Unit,
        defense: u16,
        gone: Option<&Threat>,
    ) -> HexCosts<'a> {
        if unit.necromancer {
            let Some(damage) = known(&self.unblocked, || unblocked_damage(view)) else {
                return HexCosts::None;
            };
            let gone = gone.and_then(|threat| Threat::unblocked(view, threat.from));
            return HexCosts::Necromancer { costs: self, damage, gone, defense };
        }
        let price = self.weights.worth(unit) * self.caution / 100;
        // The threats need not be computed for a unit that costs nothing.
        if price == 0 {
            return HexCosts::None;
        }
        let Some(threats) = self.blocked(view) else { return HexCosts::None };
        HexCosts::Minion { deadly: threats.deadly(defense, gone), price }
    }

    /// Threat of the enemy on hex `from`, if it can attack.
    pub(in crate::minions::players) fn threat_from(&self, view: &View<'_>, from: Hex) -> Option<&Threat> {
        self.blocked(view)?.list.iter().find(|threat| threat.from == from)
    }

    /// Threats of the enemy, computed on first use.
    #[inline]
    fn blocked(&self, view: &View<'_>) -> Option<&Threats> {
        known(&self.blocked, || Threats::new(view))
    }

    fn necromancer(&self, damage: u16, defense: u16) -> i32 {
        let damage = i32::from(damage);
        let defense = i32::from(defense);
        // Being one attacker short of dead is uncomfortable too.
        let weights = self.weights;
        let surplus = weights.lethal_surplus * (damage - defense).min(30);
        let lethal = if damage >= defense { weights.lethal + surplus } else { 0 };
        lethal + damage * (weights.unease + self.caution)
    }

    /// Share of the enemy on `from` in the cost of a necromancer's place.
    pub(in crate::minions::players) fn share_of(&self, view: &View<'_>, from: Hex, home: &Home) -> i32 {
        let Some(own) = unblocked_threat_on(view, from, home.at) else { return 0 };
        let all = self.damage_at(view, home);
        self.necromancer(all, home.defense) - self.necromancer(all.saturating_sub(own), home.defense)
    }

    /// Whether the enemy could kill a necromancer on its place if no piece blocked another.
    pub(in crate::minions::players) fn is_lethal(&self, view: &View<'_>, home: &Home) -> bool {
        self.damage_at(view, home) >= home.defense
    }

    /// Damage that the enemy could do on a necromancer's place if no piece blocked another.
    fn damage_at(&self, view: &View<'_>, home: &Home) -> u16 {
        let damage = home.damage.get().unwrap_or_else(|| self.damage_on(view, home.at));
        home.damage.set(Some(damage));
        damage
    }

    /// Damage that the enemy could do on a hex if no piece blocked another.
    fn damage_on(&self, view: &View<'_>, hex: Hex) -> u16 {
        if let Some(known) = self.unblocked.get() {
            return known.at(hex);
        }
        let enemies = view.board.pieces(view.side.opponent());
        enemies.into_iter().filter_map(|from| unblocked_threat_on(view, from, hex)).fold(0, u16::wrapping_add)
    }
}

/// Costs of hexes for one piece, in hundredths of a soul.
pub(in crate::minions::players) enum HexCosts<'a> {
    /// Every hex is free of cost.
    None,
    /// A minion costs `price` on the hexes where the enemy can remove it.
    Minion { deadly: HexSet, price: i32 },
    /// A necromancer costs the more the more damage the enemy could do to it.
    Necromancer { costs: &'a ThreatCosts, damage: &'a DamageCounters, gone: Option<Threat>, defense: u16 },
}

impl HexCosts<'_> {
    /// Hexes that cost a minion something, and how much; `None` for a necromancer.
    #[inline]
    pub(in crate::minions::players) fn of_minion(&self) -> Option<(HexSet, i32)> {
        match *self {
            HexCosts::None => Some((HexSet::EMPTY, 0)),
            HexCosts::Minion { deadly, price } => Some((deadly, price)),
            HexCosts::Necromancer { .. } => None,
        }
    }

    /// Hexes whose cost is not 0, and others if that is quicker.
    #[inline]
    pub(in crate::minions::players) fn hexes(&self) -> HexSet {
        match self {
            HexCosts::None => HexSet::EMPTY,
            HexCosts::Minion { deadly, .. } => *deadly,
            HexCosts::Necromancer { .. } => HexSet::ALL,
        }
    }

    #[inline]
    pub(in crate::minions::players) fn cost(&self, hex: Hex) -> i32 {
        match self {
            HexCosts::None => 0,
            HexCosts::Minion { deadly, price } => {
                if deadly.contains(hex) {
                    *price
                } else {
                    0
                }
            }
            HexCosts::Necromancer { costs, damage, gone, defense } => {
                let spared =
                    gone.filter(|threat| threat.zone.contains(hex)).map_or(0, |threat| threat.damage);
                costs.necromancer(damage.at(hex).saturating_sub(spared), *defense)
            }
        }
    }
}

/// Damage of the enemy on `from` to a hex if no piece blocked its way; `None` where it does not reach the hex.
fn unblocked_threat_on(view: &View<'_>, from: Hex, hex: Hex) -> Option<u16> {
    let piece = view.enemy(from).ok()?;
    let now = view.current(piece);
    let (near, distance) = (now.range, from.distance(hex));
    if distance > now.speed.saturating_add(near) || near == 0 {
        return None;
    }
    let each = damage_of_attack(now.attack)?;
    // From where it stands, or from some hex near enough: the zone of the threat need not be known as a whole.
    let hits = distance <= near
        || !now.lumbering
            && flood(from, now.speed, view.board.walkable(view.map, view.unit(piece)))
                .intersects(HexSet::ball(hex, near));
    hits.then_some(each * u16::from(now.num_attacks))
}

/// Damage of one attack, of which an unsummoning one counts 1; `None` if it is none.
#[inline]
fn damage_of_attack(attack: Attack) -> Option<u16> {
    match attack {
        Attack::None => None,
        Attack::Damage(amount) => Some(u16::from(amount)),
        Attack::Unsummon => Some(1),
        Attack::Deathtouch => Some(0),
    }
}

/// Damage of all enemies by hex if no piece blocked another.
fn unblocked_damage(view: &View<'_>) -> DamageCounters {
    let mut damage = DamageCounters::ZERO;
    for from in view.board.pieces(view.side.opponent()) {
        if let Some(threat) = Threat::unblocked(view, from) {
            damage.add(threat.zone, threat.damage);
        }
    }
    damage
}

#[cfg(test)]
#[path = "threat_tests.rs"]
mod tests;
