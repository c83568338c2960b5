//! Killing the enemy necromancer this turn: a bounded search over attackers and attack hexes, in which the rules
//! themselves judge every step. Friends make room, and single enemies in the way are removed first.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::minions::{Attack, BoardAction, View};

use super::super::draft::Draft;
use super::attack_effect::{
    ATTACKER_CAP, Attacker, Blow, Removal, attackers, fighters, resistance, ring_of_fire,
};

/// Attacks tried at most in one search.
const BUDGET: u32 = 2500;

/// Enemies removed at most to open the way.
pub(super) const BLOCKERS: u8 = 3;

/// Ways tried to remove one enemy: with the least useful attacker from afar or from close by, with the next, ….
const WAYS: usize = 6;

/// The hunt for one necromancer.
struct Hunt<'d, 'm> {
    draft: &'d mut Draft<'m>,
    board: u8,
    prey: Hex,
    budget: u32,
}

/// Kills the enemy necromancer of a board if the search finds out how, after removing at most `blockers` others.
/// Otherwise nothing has changed.
pub(super) fn kill_necromancer(draft: &mut Draft<'_>, board: u8, blockers: u8) -> bool {
    let Some(view) = draft.view(board) else { return false };
    let enemies = view.board.iter(view.side.opponent());
    let prey: Vec<Hex, 4, u8> =
        enemies.filter(|&(_, piece)| view.unit(piece).necromancer).map(|(hex, _)| hex).take(4).collect();
    for prey in prey {
        let point = draft.point(board);
        let mut hunt = Hunt { draft, board, prey, budget: BUDGET };
        let mut found = hunt.is_conceivable() && hunt.strike(HexSet::EMPTY);
        for depth in 1..=blockers {
            found = found || hunt.is_conceivable() && hunt.clear_the_way(depth);
        }
        if found {
            draft.commit();
            return true;
        }
        draft.back_to(point);
    }
    false
}

impl Hunt<'_, '_> {
    fn view(&self) -> Option<View<'_>> {
        self.draft.view(self.board)
    }

    /// Whether the damage would suffice if nothing stood in anybody's way.
    fn is_conceivable(&self) -> bool {
        let Some(view) = self.view() else { return false };
        let Some(target) = view.board.piece(self.prey) else { return false };
        let damage: u16 = fighters(&view)
            .take(ATTACKER_CAP)
            .filter(|attacker| {
                let walk = if attacker.now.lumbering { 0 } else { attacker.now.speed };
                attacker.from.distance(self.prey) <= walk + attacker.now.range
            })
            .filter_map(|attacker| {
                Blow::new(&view, &attacker, target).map(|blow| blow.damage * u16::from(attacker.hits()))
            })
            .sum();
        damage >= resistance(&view, target)
    }

    /// Attacks the necromancer with everybody but those on `spared` hexes until it is dead.
    fn strike(&mut self, mut spared: HexSet) -> bool {
        let mut squad: Vec<(Attacker, HexSet, u16), 12, u8> = Vec::new();
        let missing;
        {
            let Some(view) = self.view() else { return false };
            let Some(target) = view.board.piece(self.prey) else { return view.board.marks().won };
            missing = resistance(&view, target);
            let mut all = attackers(&view);
            all.retain(|attacker| !spared.contains(attacker.from));
            all.sort_unstable_by_key(|attacker| {
                let power = Blow::new(&view, attacker, target).map_or(0, |blow| blow.damage);
                (core::cmp::Reverse(power * u16::from(attacker.hits())), attacker.from)
            });
            for attacker in all {
                let Some(blow) = Blow::new(&view, &attacker, target) else { continue };
                let spots = attacker.walks & ring_of_fire(&view, &attacker, self.prey, target);
                if blow.damage > 0
                    && !spots.is_empty()
                    && squad.push((attacker, spots, blow.damage * u16::from(attacker.hits()))).is_err()
                {
                    break;
                }
            }
        }
        let mut strength: u16 = squad.iter().map(|member| member.2).sum();
        let crowded = squad.clone();
        for (attacker, spots, power) in &squad {
            // Without those spared so far the rest must still be strong enough.
            if strength < missing || self.budget == 0 {
                return false;
            }
            let mut order: Vec<(usize, Hex), { Hex::COUNT }, u8> = Vec::new();
            for spot in *spots {
                // Hexes that few others can use come first.
                let rivals = crowded.iter().filter(|member| member.1.contains(spot)).count();
                let near = usize::from(4 - spot.distance(self.prey).min(4));
                let _ = order.push((rivals * 8 + near, spot));
            }
            order.sort_unstable();
            for (_, spot) in order {
                let point = self.draft.point(self.board);
                if self.assault(attacker, spot) && self.strike(spared) {
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

    /// Walks an attacker to a hex, where a friend may have to make room, and attacks with all it has.
    fn assault(&mut self, attacker: &Attacker, spot: Hex) -> bool {
        self.budget = self.budget.saturating_sub(1);
        if spot != attacker.from
            && !(self.make_room(spot) && self.draft.act(self.board, BoardAction::walk(attacker.from, spot)))
        {
            return false;
        }
        let mut hit = false;
        for _ in 0..attacker.hits() {
            if !self.draft.act(self.board, BoardAction::Attack { from: spot, to: self.prey }) {
                break;
            }
            hit = true;
            if self.view().is_some_and(|view| view.board.marks().won) {
                break;
            }
        }
        hit
    }

    /// Makes sure that no piece stands on a hex, if a friend there can step aside.
    fn make_room(&mut self, spot: Hex) -> bool {
        let Some(view) = self.view() else { return false };
        if !view.board.all_pieces().contains(spot) {
            return true;
        }
        // A friend that can still attack stays close, others go out of the way.
        let Some(friend) = view.board.piece(spot) else { return false };
        let now = view.current(friend);
        let helps = !now.lumbering && !matches!(now.attack, Attack::None | Attack::Deathtouch);
        let aside = view.reach(spot).into_iter().min_by_key(|hex| {
            let distance = hex.distance(self.prey);
            (if helps { distance } else { u8::MAX - distance }, *hex)
        });
        aside.is_some_and(|to| self.draft.act(self.board, BoardAction::walk(spot, to)))
    }

    /// Removes exactly `depth` enemies near the necromancer with as little force as possible, then strikes.
    fn clear_the_way(&mut self, depth: u8) -> bool {
        if depth == 0 {
            return self.strike(HexSet::EMPTY);
        }
        let mut blockers: Vec<Hex, { Hex::COUNT }, u8> = Vec::new();
        {
            let Some(view) = self.view() else { return false };
            let mut order: Vec<(u8, u16, Hex), { Hex::COUNT }, u8> = Vec::new();
            for (hex, piece) in view.board.iter(view.side.opponent()) {
                let distance = hex.distance(self.prey);
                if distance <= 3 && hex != self.prey {
                    let _ = order.push((distance, resistance(&view, piece), hex));
                }
            }
            order.sort_unstable();
            blockers.extend(order.iter().map(|entry| entry.2));
        }
        for blocker in blockers {
            for way in 0..WAYS {
                if self.budget == 0 {
                    return false;
                }
                let point = self.draft.point(self.board);
                if self.remove(blocker, way) && self.is_conceivable() && self.clear_the_way(depth - 1) {
                    return true;
                }
                self.draft.back_to(point);
            }
        }
        false
    }

    /// Removes an enemy with those that can do least against the necromancer. Even ways attack from as far from
    /// the necromancer as they can, odd ones from close by; `way / 2` attackers are passed over.
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

    /// The attacker to use next on an enemy, with its hex: one that removes it at once if there is one, then the
    /// one with the least power against the necromancer.
    fn cheapest(&self, enemy: Hex, skip: &mut usize, close: bool, used: HexSet) -> Option<(Attacker, Hex)> {
        let view = self.view()?;
        let target = view.board.piece(enemy)?;
        let prey = view.board.piece(self.prey)?;
        let needed = resistance(&view, target);
        let mut order: Vec<(u16, Attacker, Hex), 16, u8> = Vec::new();
        for attacker in attackers(&view) {
            let Some(blow) = Blow::new(&view, &attacker, target) else { continue };
            let spots = attacker.spots(&view) & ring_of_fire(&view, &attacker, enemy, target);
            let nearness = |hex: &Hex| {
                let distance = hex.distance(self.prey);
                (if close { distance } else { u8::MAX - distance }, *hex)
            };
            let Some(spot) = spots.into_iter().min_by_key(nearness) else { continue };
            if used.contains(attacker.from) {
                continue;
            }
            let total = blow.damage * u16::from(attacker.hits());
            let alone = blow.removal != Removal::None || total >= needed;
            let power = Blow::new(&view, &attacker, prey).map_or(0, |blow| blow.damage);
            let arrives = attacker.walks.intersects(ring_of_fire(&view, &attacker, self.prey, prey));
            let loss = power * u16::from(attacker.hits()) / if arrives { 1 } else { 4 };
            let rank = loss + if alone { 0 } else { 100 };
            if order.push((rank, attacker, spot)).is_err() {
                break;
            }
        }
        order.sort_unstable_by_key(|entry| {
            (entry.0, u8::MAX - entry.1.from.distance(self.prey), entry.1.from)
        });
        let place = (*skip).min(order.len().saturating_sub(1));
        *skip -= place;
        order.get(place).map(|entry| (entry.1, entry.2))
    }
}
