//! Spell finish (server rules §14): a card that finishes off a wounded enemy, or pushes the enemy aside, takes the place of an
//! attack.
//!
//! The planner knows no spells. It plans on a board on which the target already has the damage of the spell, or is gone where
//! the spell needs no blow; the plan is played on the real board, and the card is cast as soon as it removes the target.

use heapless::Vec;

use super::ports::{Attack, AttackGoal};
use crate::heapless_vec;
use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::{Action, Board, BoardAction, CastParams, Game, Spell, TileType, UndoLog, View};
use crate::rng::Rng;
use crate::sort::sort_by_key;

use super::attack_families::Goals;

/// Pairs of a card and a target that are compared on one board at most.
const HELP_CAP: usize = 48;

/// A card with the enemy that the card is to remove from its hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Help {
    spell: Spell,
    at: Hex,
    /// Rank of the hex to which the target is pushed, 0 for the best one.
    push: u8,
}

/// Damage of a card to a minion; `None` for cards that take no minion off its hex. An unsummoned or stumbling minion is off it
/// whatever its damage.
fn wound(spell: Spell, defense: u16) -> Option<u16> {
    match spell {
        Spell::Fester | Spell::Cleave => Some(1),
        Spell::Sunder => Some(2),
        Spell::Dismember => Some(3),
        Spell::Unsummon | Spell::Stumble => Some(defense.saturating_sub(1)),
        _ => None,
    }
}

/// Whether a card needs a target that is damaged already; the others need a friend that attacked somebody else.
const fn needs_damage(spell: Spell) -> bool {
    !matches!(spell, Spell::Cleave | Spell::Sunder)
}

/// Whether the search asks for a card where nothing is decided. Others are worth nothing there (docs/search.md, "Cards that
/// decide").
const fn is_usual(spell: Spell) -> bool {
    matches!(spell, Spell::Fester | Spell::Dismember | Spell::Unsummon)
}

/// Whether a card of the hand could finish off a minion.
pub(super) fn may_help(view: &View<'_>) -> bool {
    view.rules.spells && view.board.hand(view.side).iter().any(|&spell| is_usual(spell))
}

/// A random card of the hand with an enemy minion that the card could finish off; costly minions are likelier.
pub(super) fn choose(view: &View<'_>, rng: &mut Rng) -> Option<Help> {
    let mut helps: Vec<(Help, u32), HELP_CAP, u8> = Vec::new();
    let hand = view.board.hand(view.side);
    for (place, &spell) in hand.iter().enumerate() {
        if !is_usual(spell) || hand.iter().take(place).any(|&other| other == spell) {
            continue;
        }
        for (at, piece) in view.board.iter(view.side.opponent()) {
            let Some(help) = Help::of(view, spell, at) else { continue };
            let (unit, defense) = (view.unit(piece), view.current(piece).defense);
            let saved = u32::from(wound(spell, defense).unwrap_or(0).min(defense.saturating_sub(1)));
            let weight = 1 + u32::from(unit.cost) * (1 + saved);
            let _ = helps.push((help, weight));
        }
    }
    let sum: u32 = helps.iter().map(|help| help.1).sum();
    let mut left = rng.below(sum.max(1));
    helps.iter().find(|help| left.checked_sub(help.1).map(|rest| left = rest).is_none()).map(|help| help.0)
}

impl Help {
    /// A card for a minion of the enemy, if the card can take it off its hex; one that is pushed goes to the best hex.
    pub(super) fn of(view: &View<'_>, spell: Spell, at: Hex) -> Option<Help> {
        let piece = view.enemy(at).ok()?;
        let (unit, defense) = (view.unit(piece), view.current(piece).defense);
        let wound = wound(spell, defense)?;
        // A wound that would suffice alone must still be opened by a blow.
        let blow = needs_damage(spell) && (defense < 2 || wound == 0);
        let stays = spell == Spell::Unsummon && unit.persistent;
        if unit.necromancer || blow || stays {
            return None;
        }
        Some(Help { spell, at, push: 0 })
    }

    /// Casts of the card on the target: one for each hex to which it may be pushed, the best one first; a single one where the card
    /// does not push.
    pub(super) fn pushes(self) -> impl Iterator<Item = Help> {
        let ways = if self.spell == Spell::Stumble { self.at.neighbours().len() as u8 } else { 1 };
        (0..ways).map(move |push| Help { push, ..self })
    }

    /// Inserts the target as the first goal after the necromancers, unless the card needs no blow.
    pub(super) fn put_first(&self, view: &View<'_>, goals: &mut Goals) {
        if self.suffices(view) {
            goals.retain(
                |goal| !matches!(*goal, AttackGoal::Remove(at) | AttackGoal::Kill(at) if at == self.at),
            );
            return;
        }
        let place = goals.iter().position(|goal| !matches!(goal, AttackGoal::Kill(_))).unwrap_or(goals.len());
        // A full list has room for one more once its last wish is gone.
        if goals.is_full() {
            goals.pop();
        }
        let place = place.min(goals.len());
        let _ = heapless_vec::insert(goals, place, AttackGoal::Remove(self.at));
    }

    /// Whether the card alone removes the target.
    fn suffices(&self, view: &View<'_>) -> bool {
        let defense = view.enemy(self.at).map_or(0, |piece| view.current(piece).defense);
        !needs_damage(self.spell) && wound(self.spell, defense).is_some_and(|wound| wound >= defense)
    }

    /// The board for the planner: the target has the damage of the card in advance, or is gone.
    pub(super) fn foreseen(&self, view: &View<'_>) -> Board {
        let mut board = view.board.clone();
        if let Some(piece) = board.piece(self.at) {
            let defense = view.current(piece).defense;
            let wound = wound(self.spell, defense).unwrap_or(0).min(defense.saturating_sub(1));
            let left =
                (!self.suffices(view)).then(|| piece.with_damage(piece.damage().saturating_add(wound)));
            board.set_piece(self.at, left);
        }
        board
    }

    /// Plays a plan made for [`Help::foreseen`], with the card cast where it is due; what needs the hex of the target waits for
    /// that. On success `attack` holds all actions. `None` when the card is not needed or an action is illegal; `game` and
    /// `attack` are then in the middle of the plan.
    pub(super) fn play(&self, game: &mut Game, board: u8, attack: &mut Attack) -> Option<()> {
        let (mut played, mut cast) = (0, false);
        while played < attack.actions.len() {
            let mut next = played;
            let used = loop {
                let rest = attack.actions.get(next..).filter(|rest| !rest.is_empty())?;
                match game.apply_next(board, rest, &mut UndoLog::off()) {
                    Ok(used) => break used,
                    Err(_) if cast => return None,
                    Err(_) => next += rest.iter().take_while(|action| action.is_joined()).count() + 1,
                }
            };
            let part = attack.actions.get_mut(played..next + used)?;
            part.rotate_right(used.min(part.len()));
            played += used;
            if cast {
                continue;
            }
            if let Some(params) = self.due(game, board, attack.actions.get(played..)?) {
                let action = BoardAction::Cast { spell: self.spell, params };
                game.apply(Action::Board(board, action), &mut UndoLog::off()).ok()?;
                heapless_vec::insert(&mut attack.actions, played, action).ok()?;
                played += 1;
                cast = true;
            }
        }
        if !cast {
            return None;
        }
        let outline = &mut attack.outline;
        match self.spell {
            Spell::Unsummon if outline.killed.contains(self.at) => {
                outline.killed.remove(self.at);
                outline.unsummoned.insert(self.at);
            }
            Spell::Unsummon => {}
            Spell::Stumble => _ = outline.killed.remove(self.at),
            _ => _ = outline.killed.insert(self.at),
        }
        Some(())
    }

    /// How the card is to be cast, where it would now remove the target from its hex. `later` are actions that are still to
    /// come: a target is pushed last where they lead, and rather onto land than onto a graveyard.
    fn due(&self, game: &Game, board: u8, later: &[BoardAction]) -> Option<CastParams> {
        let view = game.view(usize::from(board))?;
        let piece = view.enemy(self.at).ok()?;
        let defense = view.current(piece).defense;
        let weak = match self.spell {
            Spell::Unsummon | Spell::Stumble => piece.damage() > 0,
            _ => piece.damage().saturating_add(wound(self.spell, defense).unwrap_or(0)) >= defense,
        };
        if !weak {
            return None;
        }
        if self.spell != Spell::Stumble {
            let params = CastParams::Piece(self.at);
            return view.can_cast(self.spell, params).then_some(params);
        }
        let needed = later.iter().filter_map(end).fold(HexSet::EMPTY, HexSet::with);
        let legal = self.at.neighbours().iter().copied();
        let legal = legal.filter(|&to| view.can_cast(self.spell, CastParams::PieceHex(self.at, to)));
        let mut ways: Vec<Hex, 6, u8> = list::first(legal);
        sort_by_key(&mut ways, |&to| {
            (needed.contains(to), view.map.all(TileType::Graveyard).contains(to), to)
        });
        let to = *ways.get(usize::from(self.push))?;
        Some(CastParams::PieceHex(self.at, to))
    }
}

/// Hex on which a friend ends by an action of an attack.
fn end(action: &BoardAction) -> Option<Hex> {
    match *action {
        BoardAction::Move { to, .. } | BoardAction::Teleport { to, .. } => Some(to),
        BoardAction::Walk { path, .. } => Some(path.to()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::turn_search::ports::Outline;
    use crate::minions::{Builder, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};

    fn hex(name: &str) -> Hex {
        Hex::named(name).unwrap()
    }

    /// A position on open land, Yellow to move with one card.
    fn position(card: Spell, pieces: &[(Side, UnitLabel, &str)]) -> Game {
        let config = GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap();
        let mut builder = Builder::new(config, 1);
        let board = builder.board(0).unwrap();
        for &(side, unit, at) in pieces {
            board.set_piece(hex(at), Some(Piece::fresh(side, unit, hex(at))));
        }
        board.push_card(Side::Yellow, card).unwrap();
        builder.build().unwrap()
    }

    fn walk(from: &str, to: &str) -> BoardAction {
        BoardAction::Move { from: hex(from), to: hex(to), joined: false }
    }

    fn attack_from(from: &str, to: &str) -> BoardAction {
        BoardAction::Attack { from: hex(from), to: hex(to) }
    }

    /// Plays a plan with a card for the enemy on e5.
    fn played(game: &mut Game, spell: Spell, push: usize, plan: &[BoardAction]) -> Option<Attack> {
        let help = Help::of(&game.view(0).unwrap(), spell, hex("e5"))?.pushes().nth(push)?;
        let outline = Outline { killed: hex("e5").to_set(), ..Outline::default() };
        let mut attack = Attack { actions: plan.iter().copied().collect(), outline };
        help.play(game, 0, &mut attack)?;
        Some(attack)
    }

    #[test]
    fn minions_rule_14_stumble_clears_a_hex_for_those_who_wait_for_it() {
        use UnitLabel::{Warg, Zombie};
        let pieces = [
            (Side::Yellow, Zombie, "e4"),
            (Side::Yellow, Warg, "c5"),
            (Side::Yellow, Warg, "g4"),
            (Side::Blue, UnitLabel::Mummy, "e5"),
        ];
        let plan = [walk("c5", "e5"), attack_from("e4", "e5"), walk("g4", "f4")];
        let mut ends = HexSet::EMPTY;
        for push in 0..4 {
            let mut game = position(Spell::Stumble, &pieces);
            let attack = played(&mut game, Spell::Stumble, push, &plan).unwrap();
            assert_eq!(attack.actions.len(), 4);
            assert_eq!(attack.actions[0], attack_from("e4", "e5"));
            let BoardAction::Cast { params: CastParams::PieceHex(_, to), .. } = attack.actions[1] else {
                panic!("{:?}", attack.actions);
            };
            // Nobody is pushed where friends still go.
            assert!(to != hex("f4") && to.distance(hex("e5")) == 1);
            assert!(ends.insert(to));
            assert_eq!(attack.outline.killed, HexSet::EMPTY);
            let view = game.view(0).unwrap();
            assert_eq!(view.board.piece(to).map(Piece::side), Some(Side::Blue));
            assert_eq!(view.board.piece(hex("e5")).map(Piece::side), Some(Side::Yellow));
        }
        // Of the six hexes one is taken, and on another one the enemy would be in the way.
        for push in 4..7 {
            assert!(played(&mut position(Spell::Stumble, &pieces), Spell::Stumble, push, &plan).is_none());
        }
    }

    #[test]
    fn minions_rule_14_cleave_kills_beside_the_enemy_that_was_attacked() {
        use UnitLabel::{Shrieker, Zombie};
        let pieces = [
            (Side::Yellow, Zombie, "e4"),
            (Side::Blue, Shrieker, "e5"),
            (Side::Blue, UnitLabel::Mummy, "f4"),
        ];
        let mut game = position(Spell::Cleave, &pieces);
        let view = game.view(0).unwrap();
        let help = Help::of(&view, Spell::Cleave, hex("e5")).unwrap();
        assert_eq!(view.current(view.board.piece(hex("e5")).unwrap()).defense, 1);
        // The card alone suffices, so that the planner need not think of the target.
        assert_eq!(help.foreseen(&view).piece(hex("e5")), None);
        let attack = played(&mut game, Spell::Cleave, 0, &[attack_from("e4", "f4")]).unwrap();
        assert_eq!(attack.actions.len(), 2);
        assert!(attack.outline.killed.contains(hex("e5")));
        assert_eq!(game.view(0).unwrap().board.piece(hex("e5")), None);
        // Nobody else is attacked: the card cannot be cast.
        assert!(
            played(&mut position(Spell::Cleave, &pieces), Spell::Cleave, 0, &[walk("e4", "d4")]).is_none()
        );
    }

    #[test]
    fn no_card_helps_against_a_necromancer() {
        for spell in Spell::ALL {
            let game = position(spell, &[(Side::Blue, UnitLabel::Necromancer, "e5")]);
            assert_eq!(Help::of(&game.view(0).unwrap(), spell, hex("e5")), None);
        }
    }
}
