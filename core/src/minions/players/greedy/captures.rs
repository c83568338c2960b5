//! Immediate trades: which enemy to remove next, with whom, and from where.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::minions::{BoardAction, CastParams, Piece, Spell, TileType, View};

use super::super::draft::Draft;
use super::attack_effect::{Attacker, Blow, Removal, attackers, resistance, ring_of_fire};
use super::distance::home_of;
use super::threat::{Exposure, Strike, worth};

/// Trades made at most on one board in one turn.
const TRADES: usize = 40;

/// Attackers considered for one target.
const SQUAD: usize = 7;

/// Attackers that join on one target.
const TOGETHER: usize = 4;

/// One attacker's part in a trade.
#[derive(Clone, Copy)]
struct Part {
    from: Hex,
    at: Hex,
    hits: u8,
}

/// A way to remove an enemy.
#[derive(Clone)]
struct Trade {
    target: Hex,
    parts: Vec<Part, TOGETHER, u8>,
    /// A spell that deals the rest of the damage.
    finish: Option<Spell>,
    gain: i32,
}

/// Makes the best trade again and again until none is worth its price.
pub(super) fn make_trades(draft: &mut Draft<'_>, board: u8, caution: i32) -> Option<Exposure> {
    let mut failed = HexSet::EMPTY;
    for _ in 0..TRADES {
        let market = Market::new(draft.view(board)?, caution);
        let Some(trade) = market.best(failed) else { return Some(market.exposure) };
        let point = draft.point(board);
        if carry_out(draft, board, &trade) {
            draft.commit();
        } else {
            draft.back_to(point);
            failed.insert(trade.target);
        }
    }
    None
}

fn carry_out(draft: &mut Draft<'_>, board: u8, trade: &Trade) -> bool {
    for part in &trade.parts {
        if part.at != part.from && !draft.act(board, BoardAction::walk(part.from, part.at)) {
            return false;
        }
        for _ in 0..part.hits {
            if !draft.act(board, BoardAction::Attack { from: part.at, to: trade.target }) {
                return false;
            }
        }
    }
    if let Some(spell) = trade.finish {
        let cast = BoardAction::Cast { spell, params: CastParams::Piece(trade.target) };
        if !draft.act(board, cast) {
            return false;
        }
    }
    draft.view(board).is_some_and(|view| view.board.piece(trade.target).is_none())
}

/// Hexes of a candidate that are remembered: one more than others can have taken before.
const SPOTS: usize = TOGETHER;

/// A candidate for the attack on one target.
struct Candidate<'a> {
    attacker: &'a Attacker,
    blow: Blow,
    /// Where it can attack from.
    ring: HexSet,
    /// The best of these with their costs, the cheapest first.
    spots: Vec<(i32, Hex), SPOTS, u8>,
}

impl Candidate<'_> {
    /// Most damage it can do to the target; what removes at one blow does any.
    fn power(&self) -> u16 {
        if self.blow.removal == Removal::None {
            self.blow.damage.saturating_mul(u16::from(self.attacker.hits()))
        } else {
            u16::MAX
        }
    }
}

/// An enemy to be removed.
struct Target {
    piece: Piece,
    /// What its absence brings.
    prize: i32,
}

/// An attacker with the hexes that it can attack from as things stand, and those that it can hit from there.
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

/// Everything that the trades of one moment are judged by.
struct Market<'a> {
    view: View<'a>,
    exposure: Exposure,
    attackers: Vec<Ready, { super::attack_effect::ATTACKER_CAP }, u8>,
    home: Option<(Hex, Piece)>,
    graveyards: HexSet,
    /// Damage and price of the spells in hand that can end a trade.
    spells: Vec<(Spell, u16, i32), 2, u8>,
}

impl<'a> Market<'a> {
    fn new(view: View<'a>, caution: i32) -> Self {
        let mut spells = Vec::new();
        if view.rules.spells {
            let hand = view.board.hand(view.side);
            for (spell, damage, price, mana) in [(Spell::Fester, 1, 40, 1), (Spell::Dismember, 3, 80, 2)] {
                if hand.contains(&spell) && view.mana_reserve() >= mana {
                    let _ = spells.push((spell, damage, price));
                }
            }
        }
        Market {
            exposure: Exposure::new(caution),
            attackers: attackers(&view).into_iter().map(|attacker| Ready::new(&view, attacker)).collect(),
            home: home_of(&view, view.side),
            graveyards: view.map.all(TileType::Graveyard),
            spells,
            view,
        }
    }

    fn best(&self, failed: HexSet) -> Option<Trade> {
        let mut best: Option<Trade> = None;
        for (hex, target) in self.view.board.iter(self.view.side.opponent()) {
            if failed.contains(hex) || self.view.unit(target).necromancer {
                continue;
            }
            self.ways(hex, target, &mut best);
        }
        best
    }

    /// What removing an enemy brings, in hundredths of a soul.
    fn gain(&self, target: &Target, removal: Removal) -> i32 {
        let unit = self.view.unit(target.piece);
        let soulbound = self.view.current(target.piece).soulbound;
        let killed = removal != Removal::Unsummoned && !soulbound;
        target.prize + if killed { worth(unit) } else { i32::from(unit.cost) * 45 }
    }

    /// What it brings that an enemy no longer stands on a hex, however it goes.
    fn prize(&self, hex: Hex) -> i32 {
        let mut prize = 0;
        if self.graveyards.contains(hex) {
            let held = (self.view.board.pieces(self.view.side.opponent()) & self.graveyards).len();
            prize += match held {
                0..=6 => 100,
                7 => 500,
                _ => 4000,
            };
        }
        if let Some((home, necromancer)) = self.home {
            let defense = self.view.current(necromancer).defense;
            prize += self.exposure.menace(&self.view, hex, home, defense).min(3000);
        }
        prize
    }

    /// Looks at the ways to remove one enemy and keeps the best trade so far.
    fn ways(&self, at: Hex, target: Piece, best: &mut Option<Trade>) {
        let mut candidates: Vec<Candidate<'_>, SQUAD, u8> = Vec::new();
        for Ready { attacker, spots, .. } in self.attackers.iter().filter(|ready| ready.zone.contains(at)) {
            let Some(blow) = Blow::new(&self.view, attacker, target) else { continue };
            let ring = *spots & ring_of_fire(&self.view, attacker, at, target);
            let candidate = Candidate { attacker, blow, ring, spots: Vec::new() };
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
        let gone = self.exposure.strike(&self.view, at);
        for candidate in &mut candidates {
            self.price_spots(candidate, gone);
        }
        let target = Target { piece: target, prize: self.prize(at) };
        let trade = Trade { target: at, parts: Vec::new(), finish: None, gain: 0 };
        self.extend(&candidates, &target, missing, HexSet::EMPTY, &trade, best);
    }

    /// Whether all of these together could do so much damage, with the help of a spell.
    fn suffices(&self, candidates: &[Candidate<'_>], missing: u16) -> bool {
        let spell = self.spells.iter().map(|&(_, damage, _)| damage).max().unwrap_or(0);
        let all = candidates.iter().map(Candidate::power).fold(spell, u16::saturating_add);
        all >= missing
    }

    /// Fills in a candidate's best hexes.
    fn price_spots(&self, candidate: &mut Candidate<'_>, gone: Option<&Strike>) {
        let attacker = candidate.attacker;
        let unit = self.view.unit(attacker.piece);
        let defense = attacker.now.defense;
        let before = self.exposure.danger(&self.view, unit, defense, None).cost(attacker.from);
        // Dear units have more important things to do.
        let always =
            i32::from(unit.cost) * 4 - before + i32::from(self.graveyards.contains(attacker.from)) * 90;
        let enemies = self.view.board.pieces(self.view.side.opponent());
        let danger = self.exposure.danger(&self.view, unit, defense, gone);
        for spot in candidate.ring {
            let mut cost = always + danger.cost(spot);
            cost -= i32::from(self.graveyards.contains(spot)) * 90;
            if attacker.hits() > 1 {
                cost -= (HexSet::ball(spot, attacker.now.range) & enemies).len().min(6) as i32 * 15;
            }
            let entry = (cost, spot);
            let place = candidate.spots.iter().position(|&known| entry < known);
            let place = place.unwrap_or(candidate.spots.len());
            if place < SPOTS {
                candidate.spots.truncate(SPOTS - 1);
                // There is room now.
                let _ = candidate.spots.insert(place, entry);
            }
        }
    }

    /// Adds each of the remaining candidates to a trade that still lacks `missing` damage. `trade.gain` holds the
    /// costs so far, as a negative number.
    fn extend(
        &self,
        candidates: &[Candidate<'_>],
        target: &Target,
        missing: u16,
        used: HexSet,
        trade: &Trade,
        best: &mut Option<Trade>,
    ) {
        for (index, candidate) in candidates.iter().enumerate() {
            if !self.suffices(candidates.get(index..).unwrap_or(&[]), missing) {
                return;
            }
            let free = candidate.spots.iter().find(|&&(_, spot)| !used.contains(spot));
            let Some(&(cost, spot)) = free else { continue };
            let mut next = trade.clone();
            next.gain -= cost;
            let alone = candidate.blow.removal;
            let wanted = if alone == Removal::None {
                missing.div_ceil(candidate.blow.damage.max(1)).min(u16::from(candidate.attacker.hits()))
            } else {
                1
            };
            let part = Part { from: candidate.attacker.from, at: spot, hits: wanted as u8 };
            if next.parts.push(part).is_err() {
                return;
            }
            let dealt = candidate.blow.damage * wanted;
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
            self.extend(rest, target, left, used.with(spot), &next, best);
        }
    }
}

fn offer(best: &mut Option<Trade>, trade: Trade) {
    if trade.gain > 0 && best.as_ref().is_none_or(|other| trade.gain > other.gain) {
        *best = Some(trade);
    }
}
