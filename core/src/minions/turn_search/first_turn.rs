//! The first turn of a position: the whole turn of a simple player, after the techs that the evaluator values most. The
//! turn is taken apart into candidates of all stages.

use super::candidates::GeneralCandidate;
use super::compose::{BoardActions, Composer, GeneralActions, replay};
use super::general_stage::{GeneralChoices, list_choices_in};
use super::picks::Picks;
use super::ports::{Evaluator, GeneralChoice, GeneralPolicy, Outline, Ports};
use super::shared_tree::Access;
use crate::hex::{Hex, HexSet};
use crate::list;
use crate::minions::tables::capacities::GENERAL_ACTION_CAP;
use crate::minions::{
    Action, BOARD_CAP, Board, BoardAction, CastParams, Game, GameTurn, Piece, Side, Spell, UndoLog,
};

/// Choices of techs and extra spells that the evaluator values for a first turn at most, the most plausible ones: it knows
/// little of what is hardly ever played, and values some of it too much.
const VALUED: usize = 8;

impl<'m, T: Access<'m>, P: Ports> Composer<'_, T, P> {
    /// Drafts the first turn, if a simple player is at hand.
    pub(super) fn draft_first_turn(&mut self) -> bool {
        let techs = if self.options.techs { self.most_valued_techs() } else { None };
        let found = self.ports.general_policy().whole_turn(self.game, techs.as_ref(), self.draft);
        // A turn with more actions of the general than a candidate holds is left to the stages.
        let (budget, turn) = (self.game.state().budget(), &self.draft.turn);
        let fits = turn.general_actions(budget).count() <= GENERAL_ACTION_CAP;
        found && fits && (self.options.spells || !casts(turn))
    }

    /// The choice of techs and extra spells after which the evaluator values the position most, of the most plausible ones. The
    /// draft is lost.
    #[inline(never)]
    fn most_valued_techs(&mut self) -> Option<GeneralChoice> {
        let (trial, _, mut log) = self.draft.begin(self.game)?;
        let mut found = GeneralChoices::new();
        list_choices_in(trial, &mut log, self.ports.general_policy(), VALUED, &mut found);
        if found.len() > 1 {
            self.ports.evaluator().begin(self.game);
        }
        let evaluator = self.ports.evaluator();
        let mut best: Option<(i32, &GeneralChoice)> = None;
        let start = log.mark();
        for (_, choice) in &found {
            let legal = choice.iter().all(|&action| trial.apply(Action::General(action), &mut log).is_ok());
            let value = if found.len() > 1 { evaluator.evaluate_general(trial).win } else { 0 };
            trial.undo(start, &mut log);
            // Of equal ones the most plausible comes first.
            if legal && best.is_none_or(|(most, _)| value > most) {
                best = Some((value, choice));
            }
        }
        best.map(|(_, choice)| choice.clone())
    }

    /// Takes the whole turn in the draft apart into candidates of the stages, and plays the turn, except for its end.
    #[inline(never)]
    pub(super) fn adopt(&mut self) -> Option<Picks> {
        let mut picks = Picks::default();
        let budget = self.game.state().budget();
        let actions = self.draft.turn.general_actions(budget).map(Action::General);
        let actions: GeneralActions = list::all(actions).ok()?;
        let stages = self.stages;
        let entry = GeneralCandidate { prior: u16::MAX, ..GeneralCandidate::EMPTY };
        picks.general =
            self.tree.lock(self.node).candidates.add_general(stages, entry, actions.iter().copied())?;
        replay(self.tree, self.node, picks.general, self.game)?;
        let boards = self.game.config().num_boards();
        for board in 0..boards {
            let attack = BoardActions::from_slice(cut(self.draft.turn.board(board)).0).ok()?;
            let outline = play_attack(self.game, board, &attack)?;
            picks.boards.get_mut(board)?.0 = self.add_unjudged(board, &attack, outline)?;
        }
        // Boards do not depend on each other, so that what is left to play leads to where the draft has come.
        self.game.go_to(self.draft.game.get()?.state());
        for board in 0..boards {
            let finish = BoardActions::from_slice(cut(self.draft.turn.board(board)).1).ok()?;
            let rules = &self.game.config().rules;
            let spent = finish.iter().map(|action| match *action {
                BoardAction::Buy { unit } => u32::from(rules.unit(unit).cost),
                _ => 0,
            });
            let spent = spent.sum();
            let slot = picks.boards.get_mut(board)?;
            slot.1 = self.add_spawn(board, picks.general, slot.0, (spent, spent, true), &finish)?;
        }
        picks.plausibility = u16::MAX;
        Some(picks)
    }
}

/// Plays the actions of a board's attack, and says who fights and who falls.
// Apart, so that it is in the program once, whatever the ports.
#[inline(never)]
fn play_attack(game: &mut Game, board: usize, attack: &[BoardAction]) -> Option<Outline> {
    let mut outline = Outline::default();
    let mut rest = attack;
    let side = game.side_to_move();
    while let Some(&first) = rest.first() {
        let strike = Strike::of(game.state().boards().get(board)?, side, first);
        let used = game.apply_next(board as u8, rest, &mut UndoLog::off()).ok()?;
        if let Some(strike) = strike {
            strike.enter(game.state().boards().get(board)?, &mut outline);
        }
        rest = rest.get(used..)?;
    }
    Some(outline)
}

/// An attack or a card on an enemy, before it is played.
struct Strike {
    /// Hex on which the attacker began the turn; none of a card.
    fighter: Option<Hex>,
    /// Hex of the target.
    at: Hex,
    target: Piece,
    /// Units of the target's type in its side's reserve, to which it goes when it is unsummoned.
    reserve: u8,
}

impl Strike {
    /// The strike of an action of a side, if it is one.
    fn of(board: &Board, side: Side, action: BoardAction) -> Option<Strike> {
        let (fighter, at) = match action {
            BoardAction::Attack { from, to } => (Some(board.piece(from)?.origin().unwrap_or(from)), to),
            BoardAction::Cast { params: CastParams::Piece(at), .. } => (None, at),
            _ => return None,
        };
        let target = board.piece(at).filter(|target| target.side() != side)?;
        let reserve = board.reserve(target.side(), target.unit());
        Some(Strike { fighter, at, target, reserve })
    }

    /// Enters the strike into the outline of an attack, after it was played.
    fn enter(&self, after: &Board, outline: &mut Outline) {
        outline.fighters |= self.fighter.map_or(HexSet::EMPTY, Hex::to_set);
        if after.piece(self.at).is_none() {
            let is_back = after.reserve(self.target.side(), self.target.unit()) > self.reserve;
            let removed = if is_back { &mut outline.unsummoned } else { &mut outline.killed };
            removed.insert(self.at);
        }
    }
}

/// The actions of a board up to the last attack, and the card that ends it, and those after it.
fn cut(all: &[BoardAction]) -> (&[BoardAction], &[BoardAction]) {
    let is_finish = |action: &BoardAction| {
        matches!(action, BoardAction::Cast { spell: Spell::Fester | Spell::Dismember, .. })
    };
    let mut end = all.iter().rposition(BoardAction::is_attack).map_or(0, |last| last + 1);
    end += usize::from(end > 0 && all.get(end).is_some_and(is_finish));
    all.split_at_checked(end).unwrap_or((all, &[]))
}

/// Whether a turn casts spells.
fn casts(turn: &GameTurn) -> bool {
    let cast = |action: &BoardAction| matches!(action, BoardAction::Cast { .. });
    (0..BOARD_CAP).any(|board| turn.board(board).iter().any(cast))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minions::{Builder, GameConfig, MapLabel, Ruleset, UnitLabel};

    fn hex(name: &str) -> Hex {
        Hex::named(name).unwrap()
    }

    #[test]
    fn an_enemy_that_a_card_finishes_is_of_the_attack() {
        let mut builder = Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 1);
        let board = builder.board(0).unwrap();
        for (side, unit, at) in [
            (Side::Yellow, UnitLabel::Zombie, "e4"),
            (Side::Blue, UnitLabel::Ghost, "e5"),
            (Side::Yellow, UnitLabel::Warg, "c8"),
        ] {
            board.set_piece(hex(at), Some(Piece::fresh(side, unit, hex(at))));
        }
        board.push_card(Side::Yellow, Spell::Dismember).unwrap();
        board.push_card(Side::Yellow, Spell::Shield).unwrap();
        let start = builder.build().unwrap();
        let on = |spell, at| BoardAction::Cast { spell, params: CastParams::Piece(hex(at)) };
        let turn = [
            BoardAction::Attack { from: hex("e4"), to: hex("e5") },
            on(Spell::Dismember, "e5"),
            on(Spell::Shield, "c8"),
        ];
        let (attack, finish) = cut(&turn);
        assert_eq!((attack, finish), (&turn[..2], &turn[2..]));
        let outline = play_attack(&mut start.clone(), 0, attack).unwrap();
        let (killed, fighters) = (hex("e5").to_set(), hex("e4").to_set());
        assert_eq!(outline, Outline { killed, fighters, ..Outline::default() });
        // A card on a friend is no strike, and a turn without attacks has none.
        assert_eq!(play_attack(&mut start.clone(), 0, finish), Some(Outline::default()));
        assert_eq!(cut(&turn[1..]), (&[][..], &turn[1..]));
    }
}
