//! Techs, extra spells and cards: the general's part of a turn.

use crate::minions::tables::capacities::UNIT_COUNT;
use crate::minions::{GeneralAction, Spell, Tech, TechStatus};

use crate::minions::players::appraisal::units::{self, count_units};
use crate::minions::players::appraisal::weights::Weights;
use crate::minions::players::turn_draft::TurnDraft;

/// Plays the general's actions: techs by what they counter and extra spells with spare money, or those that are given; one
/// card per board.
pub(super) fn play_techs(draft: &mut TurnDraft<'_>, given: Option<&[GeneralAction]>, weights: &Weights) {
    match given {
        Some(given) => given.iter().for_each(|&action| _ = draft.act_general(action)),
        None => choose(draft, weights),
    }
    deal_cards(draft);
}

/// Plays techs by what they counter, and buys extra spells with spare money.
fn choose(draft: &mut TurnDraft<'_>, weights: &Weights) {
    spend_points(draft, weights);
    while (is_rich(draft, weights) || wants_first_unit(draft))
        && wants_techs(draft)
        && draft.act_general(GeneralAction::BuySpell)
    {
        spend_points(draft, weights);
    }
}

fn is_rich(draft: &TurnDraft<'_>, weights: &Weights) -> bool {
    let config = draft.game().config();
    let souls = draft.state().souls(draft.game().side_to_move());
    souls >= config.spell_price() + weights.techs.unit_money * config.num_boards() as u32
}

/// Whether the side owns no unit tech yet and one more point gets it one before the opponent can.
fn wants_first_unit(draft: &TurnDraft<'_>) -> bool {
    let side = draft.game().side_to_move();
    let levels = draft.state().tech(side);
    let taken = draft.state().tech(side.opponent()).acquired_bits();
    owned_units(draft) == 0 && levels.unlocked_bits() & !taken != 0
}

fn wants_techs(draft: &TurnDraft<'_>) -> bool {
    let levels = draft.state().tech(draft.game().side_to_move());
    let all = (1_u32 << draft.game().config().techline.len()) - 1;
    let open = levels.unlocked_bits() & !levels.acquired_bits();
    let taken = draft.state().tech(draft.game().side_to_move().opponent()).acquired_bits();
    levels.unlocked_bits() != all || open & !taken != 0
}

fn spend_points(draft: &mut TurnDraft<'_>, weights: &Weights) {
    let techs = &weights.techs;
    while draft.state().budget().tech_points > 0 {
        let best = best_tech(draft, weights);
        let owned = owned_units(draft);
        // The more techs the side owns the better one must be to be preferred to unlocking the next.
        let worthwhile = best
            .filter(|&(value, _)| owned == 0 || value >= techs.worthwhile + techs.worthwhile_more * owned);
        let advance = |(_, index)| GeneralAction::Advance { index };
        let done = worthwhile.is_some_and(|choice| draft.act_general(advance(choice)))
            || (has_locked(draft) && draft.act_general(GeneralAction::March))
            || best.is_some_and(|choice| draft.act_general(advance(choice)))
            || draft.act_general(GeneralAction::Sell);
        if !done {
            return;
        }
    }
}

fn has_locked(draft: &TurnDraft<'_>) -> bool {
    let levels = draft.state().tech(draft.game().side_to_move());
    levels.first_locked(draft.game().config().techline.len()).is_some()
}

fn owned_units(draft: &TurnDraft<'_>) -> i32 {
    units::owned_units(draft.game(), draft.game().side_to_move())
}

/// Most useful tech that can be acquired now, with its usefulness in percent and its line position.
fn best_tech(draft: &TurnDraft<'_>, weights: &Weights) -> Option<(i32, u8)> {
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
            Tech::UnitTech(unit) => weights.usefulness(unit, |other| {
                let known = config.unit_bits(other) & theirs.acquired_bits() != 0;
                census.get(other.index()).copied().unwrap_or(0) + i32::from(known)
            }),
            Tech::Copycat => {
                weights.techs.copycat
                    + weights.techs.copycat_more * theirs.acquired_bits().count_ones() as i32
            }
            Tech::Thaumaturgy => weights.techs.thaumaturgy,
            Tech::Metamagic => weights.techs.metamagic,
        };
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, index));
        }
    }
    best
}

/// Gives each board the preferred card of those left in the row.
fn deal_cards(draft: &mut TurnDraft<'_>) {
    if !draft.game().config().rules.spells {
        return;
    }
    for board in 0..draft.num_boards() {
        let state = draft.state();
        let free = (0..state.row().len()).filter(|&card| !state.is_taken(card));
        let best = free.max_by_key(|&card| state.row().get(card).map_or(0, |&spell| liking(spell)));
        if let Some(card) = best {
            draft.act_general(GeneralAction::Assign { board, card: card as u8 });
        }
    }
}

/// Preference for a card, 1 to 9: high for those that this player knows how to use.
fn liking(spell: Spell) -> u8 {
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
