//! The general's part: techs by counters, extra spells for the rich, cards for the boards.

use crate::minions::tables::unit::UNIT_COUNT;
use crate::minions::{Game, GeneralAction, Side, Spell, Tech, TechStatus};

use super::super::draft::Draft;
use super::spawn::{count_units, usefulness};

/// Souls per board that stay for units when extra spells are bought.
const UNIT_MONEY: u32 = 14;

/// Plays the general's actions.
pub(super) fn command(draft: &mut Draft<'_>) {
    spend_points(draft);
    while (is_rich(draft) || wants_first_unit(draft))
        && wants_techs(draft)
        && draft.command(GeneralAction::BuySpell)
    {
        spend_points(draft);
    }
    deal_cards(draft);
}

fn is_rich(draft: &Draft<'_>) -> bool {
    let config = draft.game().config();
    let souls = draft.state().souls(draft.game().side_to_move());
    souls >= config.spell_price() + UNIT_MONEY * config.num_boards() as u32
}

/// Whether the side owns no unit yet and one more point would get it one before the opponent can.
fn wants_first_unit(draft: &Draft<'_>) -> bool {
    let side = draft.game().side_to_move();
    let levels = draft.state().tech(side);
    let taken = draft.state().tech(side.opponent()).acquired_bits();
    owned_units(draft) == 0 && levels.unlocked_bits() & !taken != 0
}

fn wants_techs(draft: &Draft<'_>) -> bool {
    let levels = draft.state().tech(draft.game().side_to_move());
    let all = (1_u32 << draft.game().config().techline.len()) - 1;
    let open = levels.unlocked_bits() & !levels.acquired_bits();
    let taken = draft.state().tech(draft.game().side_to_move().opponent()).acquired_bits();
    levels.unlocked_bits() != all || open & !taken != 0
}

fn spend_points(draft: &mut Draft<'_>) {
    while draft.state().budget().tech_points > 0 {
        let best = best_tech(draft);
        let owned = owned_units(draft);
        // The more it owns the better a tech must be to be worth more than a look at the next one.
        let worthwhile = best.filter(|&(value, _)| owned == 0 || value >= 92 + 4 * owned);
        let advance = |(_, index)| GeneralAction::Advance { index };
        let done = worthwhile.is_some_and(|choice| draft.command(advance(choice)))
            || (has_locked(draft) && draft.command(GeneralAction::March))
            || best.is_some_and(|choice| draft.command(advance(choice)))
            || draft.command(GeneralAction::Sell);
        if !done {
            return;
        }
    }
}

fn has_locked(draft: &Draft<'_>) -> bool {
    let levels = draft.state().tech(draft.game().side_to_move());
    levels.first_locked(draft.game().config().techline.len()).is_some()
}

fn owned_units(draft: &Draft<'_>) -> i32 {
    owned_by(draft.game(), draft.game().side_to_move())
}

/// Units of the line whose techs a side owns.
pub(in crate::minions::players) fn owned_by(game: &Game, side: Side) -> i32 {
    (game.state().tech(side).acquired_bits() & game.config().techline.all_units()).count_ones() as i32
}

/// The most useful tech that can be acquired now.
fn best_tech(draft: &Draft<'_>) -> Option<(i32, u8)> {
    let (state, config) = (draft.state(), draft.game().config());
    let side = draft.game().side_to_move();
    let mut census = [0_i32; UNIT_COUNT];
    for board in 0..draft.num_boards() {
        let Some(view) = draft.view(board) else { continue };
        count_units(&view, side.opponent(), &mut census);
    }
    let levels = state.tech(side);
    let theirs = state.tech(side.opponent());
    let mut best = None;
    for (index, &tech) in config.techline.techs().iter().enumerate() {
        let index = index as u8;
        if levels.status(index) != TechStatus::Unlocked || state.tech_step(config, index).is_err() {
            continue;
        }
        let value = match tech {
            Tech::UnitTech(unit) => usefulness(unit, |other| {
                let known = config.unit_bits(other) & theirs.acquired_bits() != 0;
                census.get(other.index()).copied().unwrap_or(0) + i32::from(known)
            }),
            Tech::Copycat => 50 + 6 * theirs.acquired_bits().count_ones() as i32,
            Tech::Thaumaturgy => 45,
            Tech::Metamagic => 30,
        };
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, index));
        }
    }
    best
}

/// Gives every board the best card that is left.
fn deal_cards(draft: &mut Draft<'_>) {
    if !draft.game().config().rules.spells {
        return;
    }
    for board in 0..draft.num_boards() {
        let state = draft.state();
        let free = (0..state.row().len()).filter(|&card| !state.is_taken(card));
        let best = free.max_by_key(|&card| state.row().get(card).map_or(0, |&spell| liking(spell)));
        if let Some(card) = best {
            draft.command(GeneralAction::Assign { board, card: card as u8 });
        }
    }
}

/// How much this brain likes a card: high for those it knows how to use.
pub(in crate::minions::players) fn liking(spell: Spell) -> u8 {
    match spell {
        Spell::RaiseZombie => 9,
        Spell::Dismember | Spell::Weaken => 7,
        Spell::Fester => 6,
        Spell::Shield | Spell::Protection => 5,
        Spell::FreezeRay | Spell::Shackle => 4,
        Spell::Lumbering => 3,
        Spell::DoubleCantrip => 2,
        _ => 1,
    }
}
