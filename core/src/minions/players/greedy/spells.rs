//! Spells at the end of the attack phase, and discards that keep the hand small.

use crate::hex::Hex;
use crate::minions::{Attack, BoardAction, CastParams, Spell, View};

use crate::minions::players::appraisal::distance::home_of;
use crate::minions::players::appraisal::threat::{Threat, ThreatCosts};
use crate::minions::players::appraisal::weights::Weights;
use crate::minions::players::turn_draft::TurnDraft;

/// Cards that a hand keeps at most.
const HAND: usize = 12;

/// Spells cast on own minions.
const HELPERS: [Spell; 2] = [Spell::Shield, Spell::Protection];

/// Spells cast on enemy minions.
const HAMPERERS: [Spell; 4] = [Spell::Weaken, Spell::FreezeRay, Spell::Shackle, Spell::Lumbering];

/// Whether the hand holds a spell to cast or too many cards.
pub(super) fn has_spells(view: &View<'_>) -> bool {
    let hand = view.board.hand(view.side);
    hand.len() > HAND || hand.iter().any(|spell| HELPERS.contains(spell) || HAMPERERS.contains(spell))
}

/// Casts spells that protect the dearest threatened minion and hamper the most dangerous enemy, and discards the oldest
/// cards of a hand that has grown too large.
#[inline(never)]
pub(super) fn cast_spells(draft: &mut TurnDraft<'_>, board: u8, caution: i32, costs: &mut ThreatCosts) {
    if !draft.game().config().rules.spells {
        return;
    }
    if !draft.is_won(board) {
        for spell in HELPERS {
            cast(draft, board, spell, |view| dearest_exposed(view, caution, costs));
        }
        for spell in HAMPERERS {
            cast(draft, board, spell, |view| most_dangerous(view, spell, costs.weights));
        }
    }
    while let Some(&spell) = draft
        .view(board)
        .map(|view| view.board.hand(view.side))
        .filter(|hand| hand.len() > HAND)
        .and_then(|hand| hand.first())
    {
        if !draft.act(board, BoardAction::Discard { spell }) {
            return;
        }
        draft.commit();
    }
}

fn cast(draft: &mut TurnDraft<'_>, board: u8, spell: Spell, target: impl FnOnce(&View<'_>) -> Option<Hex>) {
    let Some(view) = draft.view(board) else { return };
    if !view.board.hand(view.side).contains(&spell) {
        return;
    }
    if let Some(at) = target(&view)
        && draft.act(board, BoardAction::Cast { spell, params: CastParams::Piece(at) })
    {
        draft.commit();
    }
}

/// Own minion that would be the greatest loss among those that the enemy can remove.
fn dearest_exposed(view: &View<'_>, caution: i32, costs: &mut ThreatCosts) -> Option<Hex> {
    costs.forget(caution.max(10));
    costs.compute(view);
    let minions = view.board.iter(view.side).filter(|&(_, piece)| !view.unit(piece).necromancer);
    minions
        .filter_map(|(hex, piece)| {
            let unit = view.unit(piece);
            let cost = costs.of_unit(view, unit, view.current(piece).defense, None).cost(hex);
            (cost > 0 && costs.weights.worth(unit) >= 250).then_some((cost, hex))
        })
        .max()
        .map(|(_, hex)| hex)
}

/// Enemy minion that a spell harms most: one that threatens the necromancer or dear minions.
fn most_dangerous(view: &View<'_>, spell: Spell, weights: &Weights) -> Option<Hex> {
    let enemy = view.side.opponent();
    let home = home_of(view, view.side).map(|(hex, _)| hex);
    let mut best = None;
    for (hex, piece) in view.board.iter(enemy) {
        let (unit, now) = (view.unit(piece), view.current(piece));
        let fits = match spell {
            Spell::Weaken => matches!(now.attack, Attack::Damage(_)),
            Spell::Shackle => now.speed > 1 || now.range > 1,
            Spell::Lumbering => !now.lumbering && now.speed > 1,
            _ => now.attack != Attack::None,
        };
        if unit.necromancer || !fits {
            continue;
        }
        let Some(threat) = Threat::unblocked(view, hex) else { continue };
        if !threat.zone.intersects(view.board.pieces(view.side)) {
            continue;
        }
        let near_home = home.is_some_and(|home| threat.zone.contains(home));
        let score = weights.worth(unit) + i32::from(near_home) * 200 * i32::from(threat.damage);
        if score >= 300 && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, hex));
        }
    }
    best.map(|(_, hex)| hex)
}
