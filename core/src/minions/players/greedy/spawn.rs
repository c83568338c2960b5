//! Spawn: which units to buy for a board and where to place them.

use heapless::Vec;

use crate::hex::{Hex, HexSet};
use crate::minions::tables::capacities::UNIT_COUNT;
use crate::minions::{BoardAction, CastParams, Game, Spell, TileType, UnitLabel, View};

use crate::minions::players::appraisal::distance::{Field, Goals, Ways};
use crate::minions::players::appraisal::home::Home;
use crate::minions::players::appraisal::threat::ThreatCosts;
use crate::minions::players::appraisal::units::{count_of, count_pieces};
use crate::minions::players::appraisal::weights::Weights;
use crate::minions::players::turn_draft::TurnDraft;

/// Raises zombies, uses a spawner tile, places the reinforcements, and buys and places more for up to `budget` souls.
#[inline(never)]
pub(super) fn reinforce(
    draft: &mut TurnDraft<'_>,
    board: u8,
    mut budget: u32,
    caution: i32,
    (costs, ways): (&mut ThreatCosts, &mut Ways<'_>),
) {
    raise_zombies(draft, board, caution, (costs, ways));
    use_tile(draft, board);
    costs.forget(caution);
    let mut placement = Placement { costs, ways, known: None };
    while let Some((unit, at)) = best_waiting(draft, board, &mut placement) {
        if !place(draft, board, unit, at) {
            break;
        }
        note(draft, board, &mut placement, at);
    }
    let mut market = Market::new(draft, board, budget, placement.costs.weights);
    for _ in 0..Hex::COUNT {
        let best = best_purchase(draft, board, budget, (&mut market, &mut placement));
        let Some((unit, at)) = best else { break };
        let point = draft.point(board);
        if !draft.act(board, BoardAction::Buy { unit }) || !place(draft, board, unit, at) {
            draft.back_to(point);
            break;
        }
        draft.commit();
        note(draft, board, &mut placement, at);
        let cost = draft.view(board).map_or(0, |view| view.rules.unit(unit).cost);
        budget = budget.saturating_sub(u32::from(cost));
    }
}

/// Updates the threats and goals of a placement after a unit was placed on a hex.
fn note(draft: &TurnDraft<'_>, board: u8, placement: &mut Placement<'_, '_>, at: Hex) {
    if let (Some(known), Some(view)) = (&mut placement.known, draft.view(board)) {
        placement.costs.update(&view, at.to_set(), HexSet::EMPTY);
        known.goals.graveyards.remove(at);
    }
}

/// Raises zombies with all cards for it, each on the best hex.
pub(super) fn raise_zombies(
    draft: &mut TurnDraft<'_>,
    board: u8,
    caution: i32,
    (costs, ways): (&mut ThreatCosts, &mut Ways<'_>),
) {
    let spell = Spell::RaiseZombie;
    loop {
        let Some(view) = draft.view(board) else { return };
        if !view.board.hand(view.side).contains(&spell) {
            return;
        }
        let hexes = HexSet::ALL - view.board.all_pieces();
        let can_raise = |&hex: &Hex| view.can_cast(spell, CastParams::Hex(hex));
        let legal = hexes.into_iter().filter(can_raise).collect::<HexSet>();
        costs.forget(caution);
        let mut placement = Placement { costs: &mut *costs, ways: &mut *ways, known: None };
        placement.survey(&view);
        let best = placement.best_among(&view, UnitLabel::Zombie, legal);
        let Some((_, at)) = best else { return };
        if !draft.act(board, BoardAction::Cast { spell, params: CastParams::Hex(at) }) {
            return;
        }
        draft.commit();
    }
}

fn place(draft: &mut TurnDraft<'_>, board: u8, unit: UnitLabel, at: Hex) -> bool {
    draft.act(board, BoardAction::Spawn { unit, at })
}

fn use_tile(draft: &mut TurnDraft<'_>, board: u8) {
    let Some(view) = draft.view(board) else { return };
    for at in view.map.all(TileType::Spawner) - view.board.all_pieces() {
        if draft.act(board, BoardAction::UseTile { at }) {
            draft.commit();
            return;
        }
    }
}

fn best_waiting(
    draft: &mut TurnDraft<'_>,
    board: u8,
    placement: &mut Placement<'_, '_>,
) -> Option<(UnitLabel, Hex)> {
    draft.commit();
    let view = draft.view(board)?;
    view.board.reserves(view.side).next()?;
    placement.survey(&view);
    let zone = view.spawn_zone();
    let units = view.board.reserves(view.side).map(|(unit, _)| unit);
    units
        .filter_map(|unit| placement.best(&view, unit, zone).map(|(score, at)| (score, unit, at)))
        .max()
        .map(|(_, unit, at)| (unit, at))
}

fn best_purchase(
    draft: &TurnDraft<'_>,
    board: u8,
    budget: u32,
    (market, placement): (&mut Market, &mut Placement<'_, '_>),
) -> Option<(UnitLabel, Hex)> {
    let view = draft.view(board)?;
    let unit = market.best(draft.game(), &view, board, budget, placement.costs.weights)?;
    let zone = market.zone(&view);
    if (zone - view.board.all_pieces()).is_empty() {
        return None;
    }
    placement.survey(&view);
    match placement.best(&view, unit, zone) {
        Some((_, at)) => Some((unit, at)),
        // Only terrain that the best unit cannot enter is left.
        None => UnitLabel::ALL
            .into_iter()
            .filter(|&unit| is_affordable(draft.game(), board, unit, budget))
            .find_map(|unit| placement.best(&view, unit, zone).map(|(_, at)| (unit, at))),
    }
}

fn is_affordable(game: &Game, board: u8, unit: UnitLabel, budget: u32) -> bool {
    u32::from(game.config().rules.unit(unit).cost) <= budget && game.may_buy(usize::from(board), unit).is_ok()
}

/// Market of a board: what purchases depend on and leave as it is, which is the units on offer and the spawn zone.
struct Market {
    /// Units that could be bought at first, with their usefulness.
    offers: Vec<(UnitLabel, i32), UNIT_COUNT, u8>,
    zone: Option<HexSet>,
}

impl Market {
    fn new(draft: &TurnDraft<'_>, board: u8, budget: u32, weights: &Weights) -> Market {
        let mut offers = Vec::new();
        let game = draft.game();
        if let Some(view) = draft.view(board) {
            let mut census = None;
            for unit in UnitLabel::ALL.into_iter().filter(|&unit| is_affordable(game, board, unit, budget)) {
                let census = census.get_or_insert_with(|| {
                    let mut census = [0_i32; UNIT_COUNT];
                    count_pieces(&view, view.side.opponent(), &mut census);
                    census
                });
                let count = |other: UnitLabel| census.get(other.index()).copied().unwrap_or(0);
                // There are no more types than fit.
                let _ = offers.push((unit, weights.usefulness(unit, count)));
            }
        }
        Market { offers, zone: None }
    }

    /// The spawn zone, which only units that were placed here can widen.
    fn zone(&mut self, view: &View<'_>) -> HexSet {
        let known = self.zone.filter(|_| !view.rules.chain_spawn);
        *self.zone.insert(known.unwrap_or_else(|| view.spawn_zone()))
    }

    /// Unit with the best worth for its price among those that can be bought now.
    fn best(
        &self,
        game: &Game,
        view: &View<'_>,
        board: u8,
        budget: u32,
        weights: &Weights,
    ) -> Option<UnitLabel> {
        let purchases = &weights.purchases;
        let affordable = self.offers.iter().filter(|offer| is_affordable(game, board, offer.0, budget));
        let worth = |&&(unit, usefulness): &&(UnitLabel, i32)| {
            let cost = i32::from(view.rules.unit(unit).cost);
            let value = if unit == UnitLabel::Zombie {
                // Zombies are cheap holders of graveyards; more of them are of little use.
                let graveyards = view.map.all(TileType::Graveyard) - view.board.pieces(view.side);
                let wanted = purchases.zombies + graveyards.len() as i32;
                let zombies = count_of(view, view.side, unit);
                purchases.zombie + (wanted - zombies).clamp(-8, 6) * purchases.zombie_lack
            } else if purchases.same_type == 0 {
                usefulness
            } else {
                usefulness - count_of(view, view.side, unit) * purchases.same_type
            };
            // The richer the side, the less the price matters and the more the room.
            let spare = ((budget / purchases.riches.max(1)) as i32).min(purchases.most_riches);
            (value * (cost + spare) / (purchases.thrift + spare).max(1), unit)
        };
        affordable.max_by_key(worth).map(|offer| offer.0)
    }
}

/// Survey of a board for placing units.
struct Survey {
    goals: Goals,
    /// Hexes next to the own necromancer, if the enemy could kill it with a free way; else none.
    shelter: HexSet,
}

/// Placement: what the hexes of a board are judged by when units are placed.
struct Placement<'a, 'm> {
    /// Costs as they were when the board was surveyed, and as later placements changed them.
    costs: &'a mut ThreatCosts,
    ways: &'a mut Ways<'m>,
    /// The board; `None` before it is surveyed.
    known: Option<Survey>,
}

impl Placement<'_, '_> {
    /// Surveys a board, unless that is done.
    fn survey(&mut self, view: &View<'_>) {
        if self.known.is_some() {
            return;
        }
        let shelter = match Home::new(view) {
            Some(home) if self.costs.is_lethal(view, &home) => HexSet::ring(home.at, 1),
            _ => HexSet::EMPTY,
        };
        self.known = Some(Survey { goals: Goals::new(view), shelter });
    }

    fn best(&mut self, view: &View<'_>, label: UnitLabel, zone: HexSet) -> Option<(i32, Hex)> {
        self.best_among(view, label, view.spawn_hexes_in(zone, label))
    }

    fn best_among(&mut self, view: &View<'_>, label: UnitLabel, hexes: HexSet) -> Option<(i32, Hex)> {
        let known = self.known.as_ref().filter(|_| !hexes.is_empty())?;
        // Where they stand: on first use they would be computed on the stack and copied.
        self.costs.compute(view);
        let unit = view.rules.unit(label);
        let open = view.board.walkable(view.map, unit);
        let to_graveyards = Field::from(hexes, known.goals.graveyards, open);
        let to_prey = self.ways.over(known.goals.prey, open);
        let danger = self.costs.of_unit(view, unit, u16::from(unit.defense), None);
        let goals = &known.goals;
        let weights = self.costs.weights;
        let pull = goals.pull_on(weights, label);
        let fleeting = if unit.persistent { HexSet::EMPTY } else { goals.mist };
        let special = goals.graveyards | fleeting | danger.hexes() | known.shelter | !open;
        let score = |hex: Hex| {
            let way = to_prey.steps(hex) * pull.prey + to_graveyards.steps(hex) * pull.graveyard;
            if !special.contains(hex) {
                return -way;
            }
            let seat = if goals.graveyards.contains(hex) { weights.seat } else { 0 };
            let shelter = i32::from(known.shelter.contains(hex)) * weights.purchases.shelter;
            let lost = i32::from(fleeting.contains(hex)) * 1000;
            // A unit must be able to leave the terrain it is placed on.
            seat + shelter - way - danger.cost(hex) - lost - i32::from(!open.contains(hex)) * 500
        };
        hexes.into_iter().map(|hex| (score(hex), hex)).max()
    }
}
