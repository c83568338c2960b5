//! The first turn of a position: the whole turn of a simple player, after the techs that the evaluator values most. The
//! turn is taken apart into candidates of all stages.

use super::candidates::GeneralCandidate;
use super::compose::{BoardActions, Composer, GeneralActions, replay};
use super::general_stage::{GeneralChoices, list_choices_in};
use super::picks::Picks;
use super::ports::{Evaluator, GeneralChoice, GeneralPolicy, Outline, Ports};
use super::shared_tree::Access;
use crate::hex::Hex;
use crate::list;
use crate::minions::tables::capacities::GENERAL_ACTION_CAP;
use crate::minions::{Action, BOARD_CAP, Board, BoardAction, Game, GameTurn, Piece, UndoLog};

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
    while let Some(&first) = rest.first() {
        let strike = Strike::of(game.state().boards().get(board)?, first);
        let used = game.apply_next(board as u8, rest, &mut UndoLog::off()).ok()?;
        if let Some(strike) = strike {
            strike.enter(game.state().boards().get(board)?, &mut outline);
        }
        rest = rest.get(used..)?;
    }
    Some(outline)
}

/// An attack of one piece on another, before it is played.
struct Strike {
    /// Hex on which the attacker began the turn.
    fighter: Hex,
    /// Hex of the target.
    at: Hex,
    target: Piece,
    /// Units of the target's type in its side's reserve, to which it goes when it is unsummoned.
    reserve: u8,
}

impl Strike {
    /// The strike of an action, if it is one.
    fn of(board: &Board, action: BoardAction) -> Option<Strike> {
        let BoardAction::Attack { from, to } = action else { return None };
        let (attacker, target) = (board.piece(from)?, board.piece(to)?);
        let reserve = board.reserve(target.side(), target.unit());
        Some(Strike { fighter: attacker.origin().unwrap_or(from), at: to, target, reserve })
    }

    /// Enters the strike into the outline of an attack, after it was played.
    fn enter(&self, after: &Board, outline: &mut Outline) {
        outline.fighters.insert(self.fighter);
        if after.piece(self.at).is_none() {
            let is_back = after.reserve(self.target.side(), self.target.unit()) > self.reserve;
            let removed = if is_back { &mut outline.unsummoned } else { &mut outline.killed };
            removed.insert(self.at);
        }
    }
}

/// The actions of a board up to the last attack, and those after it.
fn cut(all: &[BoardAction]) -> (&[BoardAction], &[BoardAction]) {
    let end = all.iter().rposition(BoardAction::is_attack).map_or(0, |last| last + 1);
    all.split_at_checked(end).unwrap_or((all, &[]))
}

/// Whether a turn casts spells.
fn casts(turn: &GameTurn) -> bool {
    let cast = |action: &BoardAction| matches!(action, BoardAction::Cast { .. });
    (0..BOARD_CAP).any(|board| turn.board(board).iter().any(cast))
}
