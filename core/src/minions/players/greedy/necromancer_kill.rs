//! Necromancer kill: a bounded depth-first search over attackers and attack hexes, in which the rules judge every step.
//! Friends make room, and single enemies in the way are removed first.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::{Attack, BoardAction, Piece, View};
use crate::sort::{sort, sort_by_key};

use super::attack_effect::{
    ATTACKER_CAP, AttackEffect, Attacker, Removal, attackers, fighters, resistance, ring_of_fire,
};
use crate::minions::players::turn_draft::TurnDraft;

/// Attacks tried in one search at most.
const BUDGET: u32 = 2500;

/// Enemies removed to open the way at most.
pub(super) const BLOCKERS: u8 = 3;

/// Ways tried to remove one enemy: the least useful attacker from afar or from close by, the next one, and the third.
const WAYS: usize = 6;

/// Attackers of one kill at most.
const SQUAD: usize = 12;

/// Attackers compared for the removal of one enemy at most.
const REMOVERS: usize = 16;

/// Necromancers tried on one board at most; there is more than one only in positions made by hand.
const TARGETS: usize = 4;

/// Attackers of a kill with the hexes they could attack from and the damage they could do.
type Squad = Vec<(Attacker, HexSet, u16), SQUAD, u8>;

/// Search for the kill of one necromancer.
struct NecromancerKill<'d, 'm> {
    draft: &'d mut TurnDraft<'m>,
    board: u8,
    necromancer: Hex,
    budget: u32,
}

/// Kills the enemy necromancer of a board if the search finds a way that removes at most `blockers` others first.
/// Returns whether it did; if not, the draft is unchanged.
pub(super) fn kill_necromancer(draft: &mut TurnDraft<'_>, board: u8, blockers: u8) -> bool {
    let Some(view) = draft.view(board) else { return false };
    let enemies = view.board.iter(view.side.opponent());
    let necromancers = enemies.filter(|&(_, piece)| view.unit(piece).necromancer).map(|(hex, _)| hex);
    let necromancers: Vec<Hex, TARGETS, u8> = list::first(necromancers);
    for &necromancer in &necromancers {
        let point = draft.point(board);
        let mut search = NecromancerKill { draft, board, necromancer, budget: BUDGET };
        let mut found = search.is_conceivable() && search.attack_all(HexSet::EMPTY);
        for depth in 1..=blockers {
            found = found || search.is_conceivable() && search.clear_way(depth);
        }
        if found {
            draft.commit();
            return true;
        }
        draft.back_to(point);
    }
    false
}

impl NecromancerKill<'_, '_> {
    fn view(&self) -> Option<View<'_>> {
        self.draft.view(self.board)
    }

    /// Whether the damage would suffice if no piece blocked another.
    fn is_conceivable(&self) -> bool {
        let Some(view) = self.view() else { return false };
        let Some(target) = view.board.piece(self.necromancer) else { return false };
        let damage: u16 = fighters(&view)
            .take(ATTACKER_CAP)
            .filter(|attacker| {
                let walk = if attacker.now.lumbering { 0 } else { attacker.now.speed };
                attacker.from.distance(self.necromancer) <= walk + attacker.now.range
            })
            .filter_map(|attacker| {
                AttackEffect::new(&view, &attacker.now, target)
                    .map(|effect| effect.damage * u16::from(attacker.hits()))
            })
            .sum();
        damage >= resistance(&view, target)
    }

    /// Fills a squad with the attackers whose attacks on the necromancer do damage, the strongest first, but for those on
    /// `spared` hexes.
    // Apart, so that the recursion does not hold the list of all attackers.
    #[inline(never)]
    fn gather(&self, view: &View<'_>, target: Piece, spared: HexSet, squad: &mut Squad) {
        let all = attackers(view).filter(|attacker| !spared.contains(attacker.from));
        let mut all: Vec<Attacker, ATTACKER_CAP, u8> = list::first(all);
        sort_by_key(&mut all, |attacker| {
            let power = AttackEffect::new(view, &attacker.now, target).map_or(0, |effect| effect.damage);
            (core::cmp::Reverse(power * u16::from(attacker.hits())), attacker.from)
        });
        for &attacker in &all {
            let Some(effect) = AttackEffect::new(view, &attacker.now, target) else { continue };
            let spots = attacker.walks & ring_of_fire(view, &attacker.now, self.necromancer, target);
            if effect.damage > 0
                && !spots.is_empty()
                && squad.push((attacker, spots, effect.damage * u16::from(attacker.hits()))).is_err()
            {
                break;
            }
        }
    }

    /// Searches attacks on the necromancer by all attackers but those on `spared` hexes until it is dead.
    fn attack_all(&mut self, mut spared: HexSet) -> bool {
        let Some(view) = self.view() else { return false };
        let Some(target) = view.board.piece(self.necromancer) else { return view.board.marks().won };
        let missing = resistance(&view, target);
        let mut squad = Squad::new();
        self.gather(&view, target, spared, &mut squad);
        let mut strength: u16 = squad.iter().map(|member| member.2).sum();
        for (attacker, spots, power) in &squad {
            // The attackers not spared so far must still be strong enough.
            if strength < missing || self.budget == 0 {
                return false;
            }
            let mut order: Vec<(u8, Hex), { Hex::COUNT }, u8> = Vec::new();
            for spot in *spots {
                // Hexes that few others can use come first.
                let rivals = squad.iter().filter(|member| member.1.contains(spot)).count();
                let near = 4 - spot.distance(self.necromancer).min(4);
                let _ = order.push((rivals as u8 * 8 + near, spot));
            }
            sort(&mut order);
            for &(_, spot) in &order {
                let point = self.draft.point(self.board);
                if self.attack_from(attacker, spot) && self.attack_all(spared) {
                    return true;
                }
                self.draft.back_to(point);
                if self.budget == 0 {
                    return false;
                }
            }
            spared.insert(attacker.from);
            strength -= power;
        }
        false
    }

    /// Walks an attacker to a hex, where a friend may have to make room, and makes all its attacks.
    fn attack_from(&mut self, attacker: &Attacker, spot: Hex) -> bool {
        self.budget = self.budget.saturating_sub(1);
        if spot != attacker.from
            && !(self.make_room(spot) && self.draft.act(self.board, BoardAction::walk(attacker.from, spot)))
        {
            return false;
        }
        let mut hit = false;
        for _ in 0..attacker.hits() {
            if !self.draft.act(self.board, BoardAction::Attack { from: spot, to: self.necromancer }) {
                break;
            }
            hit = true;
            if self.view().is_some_and(|view| view.board.marks().won) {
                break;
            }
        }
        hit
    }

    /// Frees a hex if need be, where a friend on it can step aside. Returns whether the hex is free.
    fn make_room(&mut self, spot: Hex) -> bool {
        let Some(view) = self.view() else { return false };
        if !view.board.all_pieces().contains(spot) {
            return true;
        }
        // A friend that can still attack steps aside towards the necromancer, any other away from it.
        let Some(friend) = view.board.piece(spot) else { return false };
        let now = view.current(friend);
        let helps = !now.lumbering && !matches!(now.attack, Attack::None | Attack::Deathtouch);
        let aside = view.reach(spot).into_iter().min_by_key(|hex| {
            let distance = hex.distance(self.necromancer);
            (if helps { distance } else { u8::MAX - distance }, *hex)
        });
        aside.is_some_and(|to| self.draft.act(self.board, BoardAction::walk(spot, to)))
    }

    /// Removes exactly `depth` enemies near the necromancer with as little force as possible, then attacks it.
    fn clear_way(&mut self, depth: u8) -> bool {
        if depth == 0 {
            return self.attack_all(HexSet::EMPTY);
        }
        for &blocker in &self.blockers() {
            for way in 0..WAYS {
                if self.budget == 0 {
                    return false;
                }
                let point = self.draft.point(self.board);
                if self.remove(blocker, way) && self.is_conceivable() && self.clear_way(depth - 1) {
                    return true;
                }
                self.draft.back_to(point);
            }
        }
        false
    }

    /// Enemies near the necromancer, the nearest first.
    #[inline(never)]
    fn blockers(&self) -> Vec<Hex, { Hex::COUNT }, u8> {
        let Some(view) = self.view() else { return Vec::new() };
        let mut order: Vec<(u8, u16, Hex), { Hex::COUNT }, u8> = Vec::new();
        for (hex, piece) in view.board.iter(view.side.opponent()) {
            let distance = hex.distance(self.necromancer);
            if distance <= 3 && hex != self.necromancer {
                let _ = order.push((distance, resistance(&view, piece), hex));
            }
        }
        sort(&mut order);
        list::first(order.iter().map(|entry| entry.2))
    }

    /// Removes an enemy with the attackers that can do least against the necromancer. Even ways attack from as far from
    /// the necromancer as they can, odd ways from close by; `way / 2` attackers are passed over.
    fn remove(&mut self, enemy: Hex, way: usize) -> bool {
        let mut passed = way / 2;
        let close = way % 2 == 1;
        let mut used = HexSet::EMPTY;
        for _ in 0..3 {
            let Some((attacker, spot)) = self.cheapest(enemy, &mut passed, close, used) else { return false };
            used = used.with(attacker.from).with(spot);
            self.budget = self.budget.saturating_sub(1);
            if spot != attacker.from && !self.draft.act(self.board, BoardAction::walk(attacker.from, spot)) {
                return false;
            }
            for _ in 0..attacker.hits() {
                if !self.draft.act(self.board, BoardAction::Attack { from: spot, to: enemy }) {
                    break;
                }
                if self.view().is_none_or(|view| !view.board.all_pieces().contains(enemy)) {
                    return true;
                }
            }
        }
        false
    }

    /// Attacker to use next on an enemy, with its hex: first those that remove the enemy alone, then by least power
    /// against the necromancer.
    #[inline(never)]
    fn cheapest(&self, enemy: Hex, skip: &mut usize, close: bool, used: HexSet) -> Option<(Attacker, Hex)> {
        let view = self.view()?;
        let target = view.board.piece(enemy)?;
        let target_piece = view.board.piece(self.necromancer)?;
        let needed = resistance(&view, target);
        let mut order: Vec<(u16, Attacker, Hex), REMOVERS, u8> = Vec::new();
        for attacker in attackers(&view) {
            let Some(effect) = AttackEffect::new(&view, &attacker.now, target) else { continue };
            let spots = attacker.spots(&view) & ring_of_fire(&view, &attacker.now, enemy, target);
            let nearness = |hex: &Hex| {
                let distance = hex.distance(self.necromancer);
                (if close { distance } else { u8::MAX - distance }, *hex)
            };
            let Some(spot) = spots.into_iter().min_by_key(nearness) else { continue };
            if used.contains(attacker.from) {
                continue;
            }
            let total = effect.damage * u16::from(attacker.hits());
            let alone = effect.removal != Removal::None || total >= needed;
            let power =
                AttackEffect::new(&view, &attacker.now, target_piece).map_or(0, |effect| effect.damage);
            let arrives =
                attacker.walks.intersects(ring_of_fire(&view, &attacker.now, self.necromancer, target_piece));
            let loss = power * u16::from(attacker.hits()) / if arrives { 1 } else { 4 };
            let rank = loss + if alone { 0 } else { 100 };
            if order.push((rank, attacker, spot)).is_err() {
                break;
            }
        }
        sort_by_key(&mut order, |entry| {
            (entry.0, u8::MAX - entry.1.from.distance(self.necromancer), entry.1.from)
        });
        let place = (*skip).min(order.len().saturating_sub(1));
        *skip -= place;
        order.get(place).map(|entry| (entry.1, entry.2))
    }
}
