//! Money and reinforcements: what to buy for a board and where to place it.

use crate::hex::{Hex, HexSet};
use crate::minions::tables::unit::UNIT_COUNT;
use crate::minions::{BoardAction, CastParams, Game, Side, Spell, Tech, TileType, UnitLabel, View};

use super::super::draft::Draft;
use super::distance::{Field, Goals, home_of};
use super::threat::Exposure;

/// General usefulness of the units by tech number, 1 to 22, in percent of a soul's worth per soul of price.
const STRENGTH: [i32; 22] =
    [105, 105, 80, 90, 110, 95, 115, 95, 120, 95, 85, 115, 115, 110, 95, 90, 120, 110, 105, 80, 95, 110];

/// Usefulness of a unit against what the enemy has, 100 being average; `count` tells how many of a type it has.
pub(in crate::minions::players) fn usefulness(unit: UnitLabel, count: impl Fn(UnitLabel) -> i32) -> i32 {
    let number = Tech::UnitTech(unit).number();
    let base = STRENGTH.get(usize::from(number).wrapping_sub(1)).copied().unwrap_or(70);
    // The unit with a number is meant to beat those one and two before it, and the one three after it.
    let worth = [(-1, 10), (-2, 10), (3, 10), (1, -8), (2, -8), (-3, -8)];
    let each = worth.map(|(step, percent)| {
        let rival =
            number.checked_add_signed(step).filter(|rival| (1..=STRENGTH.len() as u8).contains(rival));
        match rival.and_then(Tech::with_number) {
            Some(Tech::UnitTech(rival)) => count(rival).min(3) * percent,
            _ => 0,
        }
    });
    base + each.iter().sum::<i32>()
}

/// Pieces of a type that a side has on a board, reinforcements included.
pub(in crate::minions::players) fn strength_of(view: &View<'_>, side: Side, unit: UnitLabel) -> i32 {
    let placed = view.board.iter(side).filter(|(_, piece)| piece.unit() == unit).count() as i32;
    placed + i32::from(view.board.reserve(side, unit))
}

/// Adds what a side has on a board, reinforcements included, to counts by type.
pub(in crate::minions::players) fn count_units(view: &View<'_>, side: Side, counts: &mut [i32; UNIT_COUNT]) {
    for (slot, &waiting) in counts.iter_mut().zip(view.board.reserve_counts(side)) {
        *slot += i32::from(waiting);
    }
    for (_, piece) in view.board.iter(side) {
        if let Some(slot) = counts.get_mut(piece.unit().index()) {
            *slot += 1;
        }
    }
}

/// Raises zombies, uses a spawner tile, places what waits, and buys and places more for up to `budget` souls.
pub(super) fn reinforce(draft: &mut Draft<'_>, board: u8, mut budget: u32, caution: i32) {
    raise_zombies(draft, board, caution);
    use_tile(draft, board);
    let mut placement = None;
    while let Some((unit, at)) = best_waiting(draft, board, caution, &mut placement) {
        if !place(draft, board, unit, at) {
            break;
        }
        note(draft, board, &mut placement, at);
    }
    for _ in 0..Hex::COUNT {
        let best = best_purchase(draft, board, budget, caution, &mut placement);
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

/// Tells what is known of the places of a board that one of them was taken.
fn note(draft: &Draft<'_>, board: u8, placement: &mut Option<Placement>, at: Hex) {
    if let (Some(placement), Some(view)) = (placement, draft.view(board)) {
        placement.exposure.update(&view, at.to_set(), HexSet::EMPTY);
        placement.goals.graveyards.remove(at);
    }
}

pub(in crate::minions::players) fn raise_zombies(draft: &mut Draft<'_>, board: u8, caution: i32) {
    let spell = Spell::RaiseZombie;
    loop {
        let Some(view) = draft.view(board) else { return };
        if !view.board.hand(view.side).contains(&spell) {
            return;
        }
        let hexes = HexSet::ALL - view.board.all_pieces();
        let legal = hexes.into_iter().filter(|&hex| view.can_cast(spell, CastParams::Hex(hex))).collect();
        let best = Placement::new(&view, caution).best_among(&view, UnitLabel::Zombie, legal);
        let Some((_, at)) = best else { return };
        if !draft.act(board, BoardAction::Cast { spell, params: CastParams::Hex(at) }) {
            return;
        }
        draft.commit();
    }
}

fn place(draft: &mut Draft<'_>, board: u8, unit: UnitLabel, at: Hex) -> bool {
    draft.act(board, BoardAction::Spawn { unit, at })
}

fn use_tile(draft: &mut Draft<'_>, board: u8) {
    let Some(view) = draft.view(board) else { return };
    for at in view.map.all(TileType::Spawner) - view.board.all_pieces() {
        if draft.act(board, BoardAction::UseTile { at }) {
            draft.commit();
            return;
        }
    }
}

fn best_waiting(
    draft: &mut Draft<'_>,
    board: u8,
    caution: i32,
    placement: &mut Option<Placement>,
) -> Option<(UnitLabel, Hex)> {
    draft.commit();
    let view = draft.view(board)?;
    view.board.reserves(view.side).next()?;
    let placement = placement.get_or_insert_with(|| Placement::new(&view, caution));
    let units = view.board.reserves(view.side).map(|(unit, _)| unit);
    units
        .filter_map(|unit| placement.best(&view, unit).map(|(score, at)| (score, unit, at)))
        .max()
        .map(|(_, unit, at)| (unit, at))
}

fn best_purchase(
    draft: &Draft<'_>,
    board: u8,
    budget: u32,
    caution: i32,
    placement: &mut Option<Placement>,
) -> Option<(UnitLabel, Hex)> {
    let view = draft.view(board)?;
    if (view.spawn_zone() - view.board.all_pieces()).is_empty() {
        return None;
    }
    let unit = best_unit(draft.game(), &view, board, budget)?;
    let placement = placement.get_or_insert_with(|| Placement::new(&view, caution));
    match placement.best(&view, unit) {
        Some((_, at)) => Some((unit, at)),
        // Only terrain that the best unit cannot enter is left.
        None => UnitLabel::ALL
            .into_iter()
            .filter(|&unit| is_affordable(draft.game(), board, unit, budget))
            .find_map(|unit| placement.best(&view, unit).map(|(_, at)| (unit, at))),
    }
}

fn is_affordable(game: &Game, board: u8, unit: UnitLabel, budget: u32) -> bool {
    u32::from(game.config().rules.unit(unit).cost) <= budget && game.may_buy(usize::from(board), unit).is_ok()
}

/// The unit that is worth most for its price now.
fn best_unit(game: &Game, view: &View<'_>, board: u8, budget: u32) -> Option<UnitLabel> {
    let enemy = view.side.opponent();
    let mut census = [0_i32; UNIT_COUNT];
    for (_, piece) in view.board.iter(enemy) {
        if let Some(slot) = census.get_mut(piece.unit().index()) {
            *slot += 1;
        }
    }
    let mut army = [0_i32; UNIT_COUNT];
    count_units(view, view.side, &mut army);
    let owned = |unit: UnitLabel| army.get(unit.index()).copied().unwrap_or(0);
    let graveyards = view.map.all(TileType::Graveyard) - view.board.pieces(view.side);
    let zombies = owned(UnitLabel::Zombie);
    let wanted = 3 + graveyards.len() as i32;
    UnitLabel::ALL.into_iter().filter(|&unit| is_affordable(game, board, unit, budget)).max_by_key(|&unit| {
        let cost = i32::from(view.rules.unit(unit).cost);
        let value = if unit == UnitLabel::Zombie {
            // Cheap feet for graveyards; a crowd of them is of little use.
            70 + (wanted - zombies).clamp(-8, 6) * 7
        } else {
            let own = owned(unit);
            usefulness(unit, |other| census.get(other.index()).copied().unwrap_or(0)) - own * 4
        };
        // The richer the side, the less the price matters and the more the room.
        let spare = (budget / 4).min(12) as i32;
        (value * (cost + spare) / (4 + spare), unit)
    })
}

/// Where units are best placed on a board.
struct Placement {
    exposure: Exposure,
    goals: Goals,
    /// Hexes next to a necromancer that the enemy could kill if its way were free.
    shelter: HexSet,
}

impl Placement {
    fn new(view: &View<'_>, caution: i32) -> Placement {
        let exposure = Exposure::new(caution);
        let shelter = match home_of(view, view.side) {
            Some((home, piece)) if exposure.is_lethal(view, home, view.current(piece).defense) => {
                HexSet::ring(home, 1)
            }
            _ => HexSet::EMPTY,
        };
        Placement { exposure, goals: Goals::new(view), shelter }
    }

    fn best(&self, view: &View<'_>, label: UnitLabel) -> Option<(i32, Hex)> {
        self.best_among(view, label, view.spawn_hexes(label))
    }

    fn best_among(&self, view: &View<'_>, label: UnitLabel, hexes: HexSet) -> Option<(i32, Hex)> {
        if hexes.is_empty() {
            return None;
        }
        let unit = view.rules.unit(label);
        let open = view.board.walkable(view.map, unit);
        let to_graveyards = Field::from(hexes, self.goals.graveyards, open);
        let to_prey = Field::from(hexes, self.goals.prey, open);
        let danger = self.exposure.danger(view, unit, u16::from(unit.defense), None);
        let score = |hex: Hex| {
            let mut score = self.goals.pull(label, hex, &to_graveyards, &to_prey);
            score -= danger.cost(hex);
            score += i32::from(self.shelter.contains(hex)) * 350;
            if self.goals.mist.contains(hex) && !unit.persistent {
                score -= 1000;
            }
            // Terrain that it could be placed on but not leave is a waste.
            score - i32::from(!open.contains(hex)) * 500
        };
        hexes.into_iter().map(|hex| (score(hex), hex)).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_useful_against_those_it_is_meant_to_beat() {
        // Unit N is meant to beat N-1, N-2 and N+3.
        let beats = |number: i32, other: i32| [number - 1, number - 2, number + 3].contains(&other);
        for unit in UnitLabel::ALL {
            let number = i32::from(Tech::UnitTech(unit).number());
            let base = usefulness(unit, |_| 0);
            for rival in UnitLabel::ALL {
                let other = i32::from(Tech::UnitTech(rival).number());
                let known = (1..=22).contains(&other);
                let worth = i32::from(beats(number, other)) * 10 - i32::from(beats(other, number)) * 8;
                for many in [1, 3, 7] {
                    let expected = base + if known { many.min(3) * worth } else { 0 };
                    let count = |label: UnitLabel| if label == rival { many } else { 0 };
                    assert_eq!(usefulness(unit, count), expected, "{unit:?} {rival:?}");
                }
            }
        }
    }
}
