//! Spell finish (server rules §14): a card that finishes off a wounded enemy takes the place of an attack.
//!
//! The planner knows no spells. It plans on a board on which the target already has the damage of the spell; the plan
//! is played on the real board, and the card is cast as soon as the target is weak enough.

use heapless::Vec;

use super::ports::{ATTACK_CAP, Attack, AttackGoal};
use crate::heapless_vec;
use crate::hex::Hex;
use crate::minions::{Action, Board, BoardAction, CastParams, Game, Piece, Spell, UndoLog, View};
use crate::rng::Rng;

use super::attack_families::Goals;

/// Pairs of a card and a target that are compared on one board at most.
const HELP_CAP: usize = 48;

/// A card with the enemy that the card is to finish off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Help {
    spell: Spell,
    at: Hex,
}

/// Damage of a card to a minion that is damaged already; `None` for cards that remove no minion. An unsummoned minion
/// is gone for the turn whatever its damage.
fn wound(spell: Spell, defense: u16) -> Option<u16> {
    match spell {
        Spell::Fester => Some(1),
        Spell::Dismember => Some(3),
        Spell::Unsummon => Some(defense.saturating_sub(1)),
        _ => None,
    }
}

/// Whether a card of the hand could finish off a minion.
pub(super) fn may_help(view: &View<'_>) -> bool {
    view.rules.spells && view.board.hand(view.side).iter().any(|&spell| wound(spell, 1).is_some())
}

/// A random card of the hand with an enemy minion that the card could finish off; costly minions are likelier.
pub(super) fn choose(view: &View<'_>, rng: &mut Rng) -> Option<Help> {
    let mut helps: Vec<(Help, u32), HELP_CAP, u8> = Vec::new();
    let hand = view.board.hand(view.side);
    for (place, &spell) in hand.iter().enumerate() {
        if hand.iter().take(place).any(|&other| other == spell) {
            continue;
        }
        for (at, piece) in view.board.iter(view.side.opponent()) {
            let (unit, now) = (view.unit(piece), view.current(piece));
            let Some(wound) = wound(spell, now.defense) else { continue };
            // A wound that would suffice alone must still be opened by a blow.
            if unit.necromancer
                || now.defense < 2
                || wound == 0
                || spell == Spell::Unsummon && unit.persistent
            {
                continue;
            }
            let saved = u32::from(wound.min(now.defense - 1));
            let weight = 1 + u32::from(unit.cost) * (1 + saved);
            let _ = helps.push((Help { spell, at }, weight));
        }
    }
    let sum: u32 = helps.iter().map(|help| help.1).sum();
    let mut left = rng.below(sum.max(1));
    helps.iter().find(|help| left.checked_sub(help.1).map(|rest| left = rest).is_none()).map(|help| help.0)
}

impl Help {
    /// Inserts the target as the first goal after the necromancers.
    pub(super) fn put_first(&self, goals: &mut Goals) {
        let place = goals.iter().position(|goal| !matches!(goal, AttackGoal::Kill(_))).unwrap_or(goals.len());
        // A full list has room for one more once its last wish is gone.
        if goals.is_full() {
            goals.pop();
        }
        let place = place.min(goals.len());
        let _ = heapless_vec::insert(goals, place, AttackGoal::Remove(self.at));
    }

    /// The board for the planner: the target has the damage of the card in advance.
    pub(super) fn foreseen(&self, view: &View<'_>) -> Board {
        let mut board = view.board.clone();
        if let Some(piece) = board.piece(self.at) {
            let defense = view.current(piece).defense;
            let wound = wound(self.spell, defense).unwrap_or(0).min(defense.saturating_sub(1));
            board.set_piece(self.at, Some(piece.with_damage(piece.damage() + wound)));
        }
        board
    }

    /// Plays a plan made for [`Help::foreseen`], with the card cast where it is due. On success `attack` holds all
    /// actions. `None` when the card is not needed or an action is illegal; `game` is then in the middle of the plan.
    pub(super) fn play(&self, game: &mut Game, board: u8, attack: &mut Attack) -> Option<()> {
        let mut done: Vec<BoardAction, ATTACK_CAP, u8> = Vec::new();
        let mut cast = false;
        let mut rest = attack.actions.as_slice();
        while !rest.is_empty() {
            let used = game.apply_next(board, rest, &mut UndoLog::off()).ok()?;
            let (now, later) = rest.split_at_checked(used)?;
            done.extend_from_slice(now).ok()?;
            rest = later;
            if !cast && self.is_due(game, usize::from(board), now)? {
                let action = BoardAction::Cast { spell: self.spell, params: CastParams::Piece(self.at) };
                game.apply(Action::Board(board, action), &mut UndoLog::off()).ok()?;
                done.push(action).ok()?;
                cast = true;
            }
        }
        if !cast {
            return None;
        }
        attack.actions = done;
        if self.spell == Spell::Unsummon && attack.outline.killed.contains(self.at) {
            attack.outline.killed.remove(self.at);
            attack.outline.unsummoned.insert(self.at);
        }
        Some(())
    }

    /// Whether the target has just been attacked and the card would now remove it.
    fn is_due(&self, game: &Game, board: usize, last: &[BoardAction]) -> Option<bool> {
        let hit =
            last.iter().any(|action| matches!(action, BoardAction::Attack { to, .. } if *to == self.at));
        let view = game.view(board)?;
        let weak = |piece: Piece| {
            let defense = view.current(piece).defense;
            let wound = wound(self.spell, defense).unwrap_or(0);
            piece.damage() > 0
                && piece.damage() + wound.max(u16::from(self.spell == Spell::Unsummon)) >= defense
        };
        Some(hit && view.enemy(self.at).is_ok_and(weak))
    }
}
