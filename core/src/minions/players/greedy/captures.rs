//! Captures: which enemy minion to remove next, with which attackers, and from which hexes.

use core::cell::Cell;
use core::cmp::Ordering;

use heapless::Vec;

use crate::heapless_vec;
use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::{BoardAction, CastParams, Current, Piece, Spell, TileType, View};

use super::attack_effect::{
    ATTACKER_CAP, AttackEffect, Fighter, Removal, fighters, hits, resistance, ring_of_fire,
};
use crate::minions::players::appraisal::home::Home;
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

/// Parts of a capture in the order of play.
type Parts = Vec<Part, PARTS, u8>;

/// Capture: a way to remove one enemy.
struct Capture {
    target: Hex,
    parts: Parts,
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
    let mut ready = Squad::new();
    if let Some(view) = draft.view(board) {
        muster(&mut ready, &view, HexSet::EMPTY);
    }
    for _ in 0..CAPTURES {
        let Some(capture) = draft.view(board).and_then(|view| best_capture(view, &ready, costs, failed))
        else {
            return true;
        };
        let before = pieces(draft, board);
        let point = draft.point(board);
        if play(draft, board, &capture) {
            draft.commit();
            follow(draft, board, costs, &mut ready, before);
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

/// Updates the attackers and the threats after a capture, which moves friends and removes enemies and changes nothing else that threats
/// depend on.
fn follow(
    draft: &TurnDraft<'_>,
    board: u8,
    costs: &mut ThreatCosts,
    ready: &mut Squad,
    before: (HexSet, HexSet),
) {
    let now = pieces(draft, board);
    if let Some(view) = draft.view(board) {
        muster(ready, &view, now.1 ^ before.1);
        costs.update_all(&view, (now.0 - before.0, before.0 - now.0), before.1 - now.1);
    }
}

/// The best capture on a board; the threats are computed if there are attackers.
#[inline(never)]
fn best_capture(view: View<'_>, ready: &[Ready], costs: &mut ThreatCosts, failed: HexSet) -> Option<Capture> {
    if ready.is_empty() {
        return None;
    }
    costs.compute_threats(&view);
    Captures::new(view, costs, ready).best(failed)
}

/// Makes the list of attackers that enemies are near, or updates it after enemies on some hexes have gone and pieces of the
/// side to move have moved or attacked. What an attacker walks over stays as it was where it is as it was and none of these
/// hexes is next to that.
#[inline(never)]
fn muster(ready: &mut Squad, view: &View<'_>, gone: HexSet) {
    let enemies = view.board.pieces(view.side.opponent());
    let mut place = 0;
    for fighter in fighters(view).take(ATTACKER_CAP).filter(|fighter| fighter.is_near(enemies)) {
        // Those that have moved or died.
        while ready.get(place).is_some_and(|known| known.from < fighter.from) {
            let _ = heapless_vec::remove(ready, place);
        }
        match ready.get_mut(place).filter(|known| known.from == fighter.from) {
            Some(known) if known.piece == fighter.piece && !known.walks.grown().intersects(gone) => {
                known.stay.set(UNKNOWN);
            }
            Some(known) => *known = Ready::new(view, &fighter),
            // There are no more attackers than fit.
            None => drop(heapless_vec::insert(ready, place, Ready::new(view, &fighter))),
        }
        place += 1;
    }
    ready.truncate(place);
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

/// The cheapest hexes of a candidate with their costs, the cheapest first.
type Spots = Vec<(i32, Hex), SPOTS, u8>;

/// Candidate attacker of one target.
struct Candidate<'a> {
    attacker: &'a Ready,
    effect: AttackEffect,
    /// Hexes from which the attacker reaches the target.
    ring: HexSet,
    /// The cheapest hexes of `ring` with their costs, the cheapest first.
    spots: Spots,
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

/// Target of a capture, with the candidates that could take part.
struct Target<'a> {
    at: Hex,
    /// Gain from its death, in hundredths of a soul.
    killed: i32,
    /// Gain from its return to the reinforcements, in hundredths of a soul.
    unsummoned: i32,
    candidates: &'a [Candidate<'a>],
    /// Damage at most of the candidates from each on and of one spell together.
    powers: Powers,
}

/// Damage that candidates do at most, those from each on together.
type Powers = Vec<u16, CANDIDATES, u8>;

impl Target<'_> {
    /// Whether the candidates from this one on, with one spell, can deal the missing damage.
    fn suffices(&self, from: usize, missing: u16) -> bool {
        self.powers.get(from).is_some_and(|&power| power >= missing)
    }
}

/// Beginning of a capture, which still lacks damage.
struct Beginning<'p> {
    parts: &'p mut Parts,
    /// Gain so far: the costs of the parts, as a negative number.
    gain: i32,
    /// Hexes that the parts attack from.
    used: HexSet,
    /// Damage that is missing.
    missing: u16,
}

/// Attacker, which walks over hexes that may have others on them.
struct Ready {
    from: Hex,
    piece: Piece,
    now: Current,
    /// Hexes from which it could attack if no friend stood there.
    walks: HexSet,
    /// Hexes that it could hit from there.
    zone: HexSet,
    /// Cost of staying where it stands, or [`UNKNOWN`].
    stay: Cell<i32>,
}

/// Cost that is not known yet.
const UNKNOWN: i32 = i32::MIN;

/// Attackers of a board in the order of their hexes.
type Squad = Vec<Ready, ATTACKER_CAP, u8>;

impl Ready {
    fn new(view: &View<'_>, fighter: &Fighter) -> Ready {
        let Fighter { from, piece, now } = *fighter;
        let walks = fighter.walks(view);
        let zone = (0..now.range.max(now.range_flying)).fold(walks, |zone, _| zone.grown());
        Ready { from, piece, now, walks, zone, stay: Cell::new(UNKNOWN) }
    }

    /// Attacks left this turn.
    fn hits(&self) -> u8 {
        hits(&self.now, self.piece)
    }
}

/// Captures of one position: the attackers and what their captures are judged by.
struct Captures<'a> {
    view: View<'a>,
    costs: &'a ThreatCosts,
    attackers: &'a [Ready],
    /// Hexes with a piece.
    taken: HexSet,
    /// Hexes that some attacker could hit if no friend stood in its way.
    zone: HexSet,
    home: Option<Home>,
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
            taken: view.board.all_pieces(),
            zone: attackers.iter().fold(HexSet::EMPTY, |zone, ready| zone | ready.zone),
            home: Home::new(&view),
            graveyards: view.map.all(TileType::Graveyard),
            spells,
            view,
        }
    }

    fn best(&self, failed: HexSet) -> Option<Capture> {
        let mut best: Option<Capture> = None;
        let enemies = self.view.board.pieces(self.view.side.opponent());
        for hex in (enemies & self.zone) - failed {
            let Some(target) = self.view.board.piece(hex) else { continue };
            if !self.view.unit(target).necromancer {
                self.ways(hex, target, &mut best);
            }
        }
        best
    }

    /// Gains from a target being killed and from its being unsummoned, in hundredths of a soul. What is soulbound is
    /// unsummoned in either case.
    fn gains(&self, at: Hex, target: Piece) -> (i32, i32) {
        let unit = self.view.unit(target);
        let weights = self.costs.weights;
        let prize = self.prize(at);
        let unsummoned = prize + i32::from(unit.cost) * weights.captures.unsummoned;
        let soulbound = self.view.current(target).soulbound;
        (if soulbound { unsummoned } else { prize + weights.worth(unit) }, unsummoned)
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
        if let Some(home) = &self.home {
            prize += self.costs.share_of(&self.view, hex, home).min(3000);
        }
        prize
    }

    /// Enumerates the captures of one enemy and keeps the best so far.
    fn ways(&self, at: Hex, target: Piece, best: &mut Option<Capture>) {
        let mut candidates: Vec<Candidate<'_>, CANDIDATES, u8> = Vec::new();
        for attacker in self.attackers.iter().filter(|ready| ready.zone.contains(at)) {
            let Some(effect) = AttackEffect::new(&self.view, &attacker.now, target) else { continue };
            let spots = (attacker.walks - self.taken).with(attacker.from);
            let ring = spots & ring_of_fire(&self.view, &attacker.now, at, target);
            let candidate = Candidate { attacker, effect, ring, spots: Vec::new() };
            if !ring.is_empty() && candidates.push(candidate).is_err() {
                break;
            }
        }
        if candidates.is_empty() {
            return;
        }
        let missing = resistance(&self.view, target);
        let powers = self.powers(&candidates);
        if powers.first().is_none_or(|&power| power < missing) {
            return;
        }
        let gone = self.costs.threat_from(&self.view, at);
        for candidate in &mut candidates {
            self.price_spots(candidate, gone);
        }
        let (killed, unsummoned) = self.gains(at, target);
        let target = Target { at, killed, unsummoned, candidates: &candidates, powers };
        let beginning = Beginning { parts: &mut Parts::new(), gain: 0, used: HexSet::EMPTY, missing };
        self.add_attackers(&target, 0, beginning, best);
    }

    /// Damage at most of the candidates from each on and of one spell together.
    fn powers(&self, candidates: &[Candidate<'_>]) -> Powers {
        let mut sum = self.spells.iter().map(|&(_, damage, _)| damage).max().unwrap_or(0);
        let mut powers: Powers = list::first(candidates.iter().map(Candidate::power));
        for power in powers.iter_mut().rev() {
            sum = sum.saturating_add(*power);
            *power = sum;
        }
        powers
    }

    /// Computes the cheapest hexes of a candidate; `gone` is the threat of the target.
    fn price_spots(&self, candidate: &mut Candidate<'_>, gone: Option<&Threat>) {
        let attacker = candidate.attacker;
        let unit = self.view.unit(attacker.piece);
        let defense = attacker.now.defense;
        if attacker.stay.get() == UNKNOWN {
            attacker.stay.set(self.costs.of_unit(&self.view, unit, defense, None).cost(attacker.from));
        }
        let before = attacker.stay.get();
        // Dear units are kept for dear targets.
        let weights = &self.costs.weights.captures;
        let seat = |hex| i32::from(self.graveyards.contains(hex)) * weights.seat;
        let always = i32::from(unit.cost) * weights.part - before + seat(attacker.from);
        let enemies = self.view.board.pieces(self.view.side.opponent());
        let danger = self.costs.of_unit(&self.view, unit, defense, gone);
        let spots = &mut candidate.spots;
        if attacker.hits() <= 1
            && let Some((deadly, price)) = danger.of_minion()
        {
            // Hexes of a kind cost the same, so that the first of the cheapest kinds are the cheapest.
            let (safe, deadly) = (candidate.ring - deadly, candidate.ring & deadly);
            let (seats, profit) = (self.graveyards, weights.seat);
            debug_assert!(price >= 0 && profit > 0, "seats are worth something, and danger is not");
            add_kind(spots, safe & seats, always - profit);
            match price.cmp(&profit) {
                Ordering::Less => add_kind(spots, deadly & seats, always + price - profit),
                Ordering::Equal => add_kind(spots, (safe - seats) | (deadly & seats), always),
                Ordering::Greater => {}
            }
            if price != profit {
                add_kind(spots, safe - seats, always);
            }
            if price > profit {
                add_kind(spots, deadly & seats, always + price - profit);
            }
            add_kind(spots, deadly - seats, always + price);
            return;
        }
        for spot in candidate.ring {
            let mut cost = always + danger.cost(spot) - seat(spot);
            if attacker.hits() > 1 {
                cost -= (HexSet::ball(spot, attacker.now.range) & enemies).len().min(6) as i32
                    * weights.next_prey;
            }
            add_spot(spots, (cost, spot));
        }
    }

    /// Adds each of the candidates from this one on to a capture that still lacks damage.
    fn add_attackers(
        &self,
        target: &Target<'_>,
        from: usize,
        beginning: Beginning<'_>,
        best: &mut Option<Capture>,
    ) {
        let Beginning { parts, gain, used, missing } = beginning;
        for (index, candidate) in target.candidates.iter().enumerate().skip(from) {
            if !target.suffices(index, missing) {
                return;
            }
            let free = candidate.spots.iter().find(|&&(_, spot)| !used.contains(spot));
            let Some(&(cost, spot)) = free else { continue };
            let gain = gain - cost;
            let alone = candidate.effect.removal;
            let wanted = if alone == Removal::None {
                missing.div_ceil(candidate.effect.damage.max(1)).min(u16::from(candidate.attacker.hits()))
            } else {
                1
            };
            let part = Part { from: candidate.attacker.from, at: spot, hits: wanted as u8 };
            if parts.push(part).is_err() {
                return;
            }
            let dealt = candidate.effect.damage * wanted;
            if alone != Removal::None || dealt >= missing {
                let removed = if alone == Removal::Unsummoned { target.unsummoned } else { target.killed };
                offer(best, target.at, parts, gain + removed, None);
                parts.pop();
                continue;
            }
            let left = missing - dealt;
            for &(spell, damage, price) in &self.spells {
                if damage >= left {
                    offer(best, target.at, parts, gain + target.killed - price, Some(spell));
                }
            }
            let more = Beginning { parts: &mut *parts, gain, used: used.with(spot), missing: left };
            self.add_attackers(target, index + 1, more, best);
            parts.pop();
        }
    }
}

/// Adds hexes of the same cost to the cheapest, which cost less, as far as there is room.
fn add_kind(spots: &mut Spots, hexes: HexSet, cost: i32) {
    let room = spots.capacity() - spots.len();
    hexes.into_iter().take(room).for_each(|spot| _ = spots.push((cost, spot)));
}

/// Adds a hex with its cost to the cheapest, if it is one of them.
fn add_spot(spots: &mut Spots, entry: (i32, Hex)) {
    let place = spots.iter().position(|&known| entry < known).unwrap_or(spots.len());
    if place < SPOTS {
        spots.truncate(SPOTS - 1);
        // There is room now.
        let _ = heapless_vec::insert(spots, place, entry);
    }
}

/// Makes a capture with these parts the best if it gains more than the best so far.
fn offer(best: &mut Option<Capture>, target: Hex, parts: &Parts, gain: i32, finish: Option<Spell>) {
    if gain > 0 && best.as_ref().is_none_or(|other| gain > other.gain) {
        *best = Some(Capture { target, parts: parts.clone(), finish, gain });
    }
}
