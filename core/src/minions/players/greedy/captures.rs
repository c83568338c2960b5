//! Captures: which enemy minion to remove next, with which attackers, and from which hexes.

use heapless::Vec;

use crate::heapless_vec;
use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::{BoardAction, CastParams, Piece, Spell, TileType, View};

use super::attack_effect::{
    ATTACKER_CAP, AttackEffect, Attacker, Removal, attackers, resistance, ring_of_fire,
};
use crate::minions::players::appraisal::distance::home_of;
use crate::minions::players::appraisal::threat::{Threat, ThreatCosts};
use crate::minions::players::turn_draft::TurnDraft;

/// Captures made on one board in one turn at most.
const CAPTURES: usize = 40;

/// Attackers considered for one target at most.
const CANDIDATES: usize = 7;

/// Attackers that take part in one capture at most.
const PARTS: usize = 4;

/// Part of one attacker in a capture: its walk and its attacks.
#[derive(Clone, Copy)]
struct Part {
    from: Hex,
    at: Hex,
    hits: u8,
}

/// Capture: a way to remove one enemy.
#[derive(Clone)]
struct Capture {
    target: Hex,
    parts: Vec<Part, PARTS, u8>,
    /// Spell that deals the damage which the attackers leave.
    finish: Option<Spell>,
    gain: i32,
}

/// Makes the best capture of a board until none gains. Returns whether the threats in `costs` still hold.
#[inline(never)]
pub(super) fn make_captures(
    draft: &mut TurnDraft<'_>,
    board: u8,
    caution: i32,
    costs: &mut ThreatCosts,
) -> bool {
    let mut failed = HexSet::EMPTY;
    costs.forget(caution);
    for _ in 0..CAPTURES {
        let Some(capture) = draft.view(board).and_then(|view| best_capture(view, costs, failed)) else {
            return true;
        };
        let before = pieces(draft, board);
        let point = draft.point(board);
        if play(draft, board, &capture) {
            draft.commit();
            follow(draft, board, costs, before);
        } else {
            draft.back_to(point);
            failed.insert(capture.target);
        }
    }
    false
}

/// Hexes of the side to move and of its enemy.
fn pieces(draft: &TurnDraft<'_>, board: u8) -> (HexSet, HexSet) {
    draft.view(board).map_or((HexSet::EMPTY, HexSet::EMPTY), |view| {
        (view.board.pieces(view.side), view.board.pieces(view.side.opponent()))
    })
}

/// Updates the threats after a capture, which moves friends and removes enemies and changes nothing else that threats
/// depend on.
fn follow(draft: &TurnDraft<'_>, board: u8, costs: &mut ThreatCosts, before: (HexSet, HexSet)) {
    let now = pieces(draft, board);
    if let Some(view) = draft.view(board) {
        costs.update_all(&view, (now.0 - before.0, before.0 - now.0), before.1 - now.1);
    }
}

/// The best capture on a board; the threats are computed if there are attackers.
#[inline(never)]
fn best_capture(view: View<'_>, costs: &mut ThreatCosts, failed: HexSet) -> Option<Capture> {
    // Filled where it stands, since it is large; there is room for all.
    let mut ready: Vec<Ready, ATTACKER_CAP, u8> = Vec::new();
    let _ = list::append(&mut ready, attackers(&view).map(|attacker| Ready::new(&view, attacker)));
    if ready.is_empty() {
        return None;
    }
    costs.compute_threats(&view);
    Captures::new(view, costs, &ready).best(failed)
}

fn play(draft: &mut TurnDraft<'_>, board: u8, capture: &Capture) -> bool {
    for part in &capture.parts {
        if part.at != part.from && !draft.act(board, BoardAction::walk(part.from, part.at)) {
            return false;
        }
        for _ in 0..part.hits {
            if !draft.act(board, BoardAction::Attack { from: part.at, to: capture.target }) {
                return false;
            }
        }
    }
    if let Some(spell) = capture.finish {
        let cast = BoardAction::Cast { spell, params: CastParams::Piece(capture.target) };
        if !draft.act(board, cast) {
            return false;
        }
    }
    draft.view(board).is_some_and(|view| view.board.piece(capture.target).is_none())
}

/// Hexes kept per candidate: one more than the attackers before it can have taken.
const SPOTS: usize = PARTS;

/// Candidate attacker of one target.
struct Candidate<'a> {
    attacker: &'a Attacker,
    effect: AttackEffect,
    /// Hexes from which the attacker reaches the target.
    ring: HexSet,
    /// The cheapest hexes of `ring` with their costs, the cheapest first.
    spots: Vec<(i32, Hex), SPOTS, u8>,
}

impl Candidate<'_> {
    /// Damage to the target at most; a removal counts as any damage.
    fn power(&self) -> u16 {
        if self.effect.removal == Removal::None {
            self.effect.damage.saturating_mul(u16::from(self.attacker.hits()))
        } else {
            u16::MAX
        }
    }
}

/// Target of a capture.
struct Target {
    piece: Piece,
    /// Gain from the hex being free of it, in hundredths of a soul.
    prize: i32,
}

/// Attacker with the hexes it can attack from on the board as it stands, and the hexes it can hit from there.
struct Ready {
    attacker: Attacker,
    spots: HexSet,
    zone: HexSet,
}

impl Ready {
    fn new(view: &View<'_>, attacker: Attacker) -> Ready {
        let spots = attacker.spots(view);
        let reach = attacker.now.range.max(attacker.now.range_flying);
        let zone = (0..reach).fold(spots, |zone, _| zone.grown());
        Ready { attacker, spots, zone }
    }
}

/// Captures of one position: the attackers and what their captures are judged by.
struct Captures<'a> {
    view: View<'a>,
    costs: &'a ThreatCosts,
    attackers: &'a [Ready],
    home: Option<(Hex, Piece)>,
    graveyards: HexSet,
    /// Damage and price of the spells in hand that can end a capture.
    spells: Vec<(Spell, u16, i32), 2, u8>,
}

impl<'a> Captures<'a> {
    fn new(view: View<'a>, costs: &'a ThreatCosts, attackers: &'a [Ready]) -> Self {
        let mut spells = Vec::new();
        if view.rules.spells {
            let hand = view.board.hand(view.side);
            let [one, three] = costs.weights.captures.spells;
            for (spell, damage, price, mana) in [(Spell::Fester, 1, one, 1), (Spell::Dismember, 3, three, 2)]
            {
                if hand.contains(&spell) && view.mana_reserve() >= mana {
                    let _ = spells.push((spell, damage, price));
                }
            }
        }
        Captures {
            costs,
            attackers,
            home: home_of(&view, view.side),
            graveyards: view.map.all(TileType::Graveyard),
            spells,
            view,
        }
    }

    fn best(&self, failed: HexSet) -> Option<Capture> {
        let mut best: Option<Capture> = None;
        for (hex, target) in self.view.board.iter(self.view.side.opponent()) {
            if failed.contains(hex) || self.view.unit(target).necromancer {
                continue;
            }
            self.ways(hex, target, &mut best);
        }
        best
    }

    /// Gain from removing the target in this way, in hundredths of a soul.
    fn gain(&self, target: &Target, removal: Removal) -> i32 {
        let unit = self.view.unit(target.piece);
        let soulbound = self.view.current(target.piece).soulbound;
        let killed = removal != Removal::Unsummoned && !soulbound;
        let weights = self.costs.weights;
        let returned = i32::from(unit.cost) * weights.captures.unsummoned;
        target.prize + if killed { weights.worth(unit) } else { returned }
    }

    /// Gain from an enemy no longer standing on a hex, in hundredths of a soul: graveyards and the own necromancer.
    fn prize(&self, hex: Hex) -> i32 {
        let mut prize = 0;
        if self.graveyards.contains(hex) {
            let held = (self.view.board.pieces(self.view.side.opponent()) & self.graveyards).len();
            prize += match held {
                0..=6 => self.costs.weights.captures.freed,
                7 => 500,
                _ => 4000,
            };
        }
        if let Some((home, necromancer)) = self.home {
            let defense = self.view.current(necromancer).defense;
            prize += self.costs.share_of(&self.view, hex, home, defense).min(3000);
        }
        prize
    }

    /// Enumerates the captures of one enemy and keeps the best so far.
    fn ways(&self, at: Hex, target: Piece, best: &mut Option<Capture>) {
        let mut candidates: Vec<Candidate<'_>, CANDIDATES, u8> = Vec::new();
        for Ready { attacker, spots, .. } in self.attackers.iter().filter(|ready| ready.zone.contains(at)) {
            let Some(effect) = AttackEffect::new(&self.view, attacker, target) else { continue };
            let ring = *spots & ring_of_fire(&self.view, attacker, at, target);
            let candidate = Candidate { attacker, effect, ring, spots: Vec::new() };
            if !ring.is_empty() && candidates.push(candidate).is_err() {
                break;
            }
        }
        if candidates.is_empty() {
            return;
        }
        let missing = resistance(&self.view, target);
        if !self.suffices(&candidates, missing) {
            return;
        }
        let gone = self.costs.threat_from(&self.view, at);
        for candidate in &mut candidates {
            self.price_spots(candidate, gone);
        }
        let target = Target { piece: target, prize: self.prize(at) };
        let capture = Capture { target: at, parts: Vec::new(), finish: None, gain: 0 };
        self.add_attackers(&candidates, &target, missing, HexSet::EMPTY, &capture, best);
    }

    /// Whether these candidates together, with one spell, can deal the missing damage.
    fn suffices(&self, candidates: &[Candidate<'_>], missing: u16) -> bool {
        let spell = self.spells.iter().map(|&(_, damage, _)| damage).max().unwrap_or(0);
        let all = candidates.iter().map(Candidate::power).fold(spell, u16::saturating_add);
        all >= missing
    }

    /// Computes the cheapest hexes of a candidate; `gone` is the threat of the target.
    fn price_spots(&self, candidate: &mut Candidate<'_>, gone: Option<&Threat>) {
        let attacker = candidate.attacker;
        let unit = self.view.unit(attacker.piece);
        let defense = attacker.now.defense;
        let before = self.costs.of_unit(&self.view, unit, defense, None).cost(attacker.from);
        // Dear units are kept for dear targets.
        let weights = &self.costs.weights.captures;
        let seat = |hex| i32::from(self.graveyards.contains(hex)) * weights.seat;
        let always = i32::from(unit.cost) * weights.part - before + seat(attacker.from);
        let enemies = self.view.board.pieces(self.view.side.opponent());
        let danger = self.costs.of_unit(&self.view, unit, defense, gone);
        for spot in candidate.ring {
            let mut cost = always + danger.cost(spot) - seat(spot);
            if attacker.hits() > 1 {
                cost -= (HexSet::ball(spot, attacker.now.range) & enemies).len().min(6) as i32
                    * weights.next_prey;
            }
            let entry = (cost, spot);
            let place = candidate.spots.iter().position(|&known| entry < known);
            let place = place.unwrap_or(candidate.spots.len());
            if place < SPOTS {
                candidate.spots.truncate(SPOTS - 1);
                // There is room now.
                let _ = heapless_vec::insert(&mut candidate.spots, place, entry);
            }
        }
    }

    /// Adds each of the remaining candidates to a capture that still lacks `missing` damage. `capture.gain` holds the
    /// costs so far, as a negative number.
    fn add_attackers(
        &self,
        candidates: &[Candidate<'_>],
        target: &Target,
        missing: u16,
        used: HexSet,
        capture: &Capture,
        best: &mut Option<Capture>,
    ) {
        for (index, candidate) in candidates.iter().enumerate() {
            if !self.suffices(candidates.get(index..).unwrap_or(&[]), missing) {
                return;
            }
            let free = candidate.spots.iter().find(|&&(_, spot)| !used.contains(spot));
            let Some(&(cost, spot)) = free else { continue };
            let mut next = capture.clone();
            next.gain -= cost;
            let alone = candidate.effect.removal;
            let wanted = if alone == Removal::None {
                missing.div_ceil(candidate.effect.damage.max(1)).min(u16::from(candidate.attacker.hits()))
            } else {
                1
            };
            let part = Part { from: candidate.attacker.from, at: spot, hits: wanted as u8 };
            if next.parts.push(part).is_err() {
                return;
            }
            let dealt = candidate.effect.damage * wanted;
            if alone != Removal::None || dealt >= missing {
                next.gain += self.gain(target, alone);
                offer(best, next);
                continue;
            }
            let left = missing - dealt;
            for &(spell, damage, price) in &self.spells {
                if damage >= left {
                    let mut finished = next.clone();
                    finished.finish = Some(spell);
                    finished.gain += self.gain(target, Removal::None) - price;
                    offer(best, finished);
                }
            }
            let rest = candidates.get(index + 1..).unwrap_or(&[]);
            self.add_attackers(rest, target, left, used.with(spot), &next, best);
        }
    }
}

fn offer(best: &mut Option<Capture>, capture: Capture) {
    if capture.gain > 0 && best.as_ref().is_none_or(|other| capture.gain > other.gain) {
        *best = Some(capture);
    }
}
