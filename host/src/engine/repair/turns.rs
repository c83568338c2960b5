//! Repaired turns: those boards of a turn on which it loses are played anew, out of one purse, and the others as before.

use barrow_core::minions::{Action, BoardAction, Game, GameTurn, GeneralAction, UndoLog};

use super::aim::Aim;
use super::draft::Draft;
use super::parry::Parry;
use super::seek::{Means, seek};
use super::stakes::{is_exposed, is_lost};

/// Times that boards are added to those that are played anew: what is left of the money may not do for the others.
const ROUNDS: usize = 4;

/// Lists of actions of the search that are taken over for a board at most.
const LISTS: usize = 8;

/// Actions that take the place of a turn's on some boards.
type Drafts = [(usize, Vec<BoardAction>)];

/// The turn with other actions on some boards, as far as it is legal, and the position in the middle of the turn. Extra spells are
/// not bought, boards of `but` are left alone, and others buy units only where `buys` says so.
fn joined(game: &Game, base: &GameTurn, drafts: &Drafts, but: Option<usize>, buys: bool) -> (Game, GameTurn) {
    let (mut game, mut turn) = (game.clone(), GameTurn::new());
    let budget = game.state().budget();
    for action in base.general_actions(budget) {
        let levels = game.state().tech(game.side_to_move());
        if !matches!(action, GeneralAction::BuySpell | GeneralAction::Sell)
            && game.apply(Action::General(action), &mut UndoLog::off()).is_ok()
        {
            turn.push_general(game.config(), levels, action);
        }
    }
    let anew = |board: usize| drafts.iter().position(|(known, _)| *known == board);
    // What is played anew comes first: it has the first claim on the purse.
    let mut boards: Vec<usize> =
        (0..game.config().num_boards()).filter(|&board| but != Some(board)).collect();
    boards.sort_by_key(|&board| anew(board).unwrap_or(usize::MAX));
    for board in boards {
        let actions: Vec<BoardAction> = match anew(board) {
            Some(place) => drafts[place].1.clone(),
            None if buys => base.board(board).to_vec(),
            None => {
                let bought = |action: &&BoardAction| !matches!(action, BoardAction::Buy { .. });
                base.board(board).iter().filter(bought).copied().collect()
            }
        };
        let mut draft = Draft::new(game, board);
        draft.play(&actions);
        for &action in &draft.actions {
            turn.push(board, action);
        }
        game = draft.game;
    }
    (game, turn)
}

/// What turns do on a board, each once.
fn actions_on(board: usize, turns: &[GameTurn]) -> Vec<Vec<BoardAction>> {
    let mut all: Vec<Vec<BoardAction>> = Vec::new();
    for turn in turns {
        let actions = turn.board(board);
        if all.len() < LISTS && all.iter().all(|known| known != actions) {
            all.push(actions.to_vec());
        }
    }
    all
}

/// Repairer of turns of a position.
pub(super) struct Repairer<'a, 'm> {
    /// The position at the start of the turn.
    pub game: &'a Game,
    /// Turns that a search considered, the best first; at least one.
    pub turns: &'a [GameTurn],
    /// Solver, effort, random choices.
    pub means: Means<'m>,
    /// Value of a position at the end of a turn, for the side that played it.
    pub value: &'a mut dyn FnMut(&Game) -> f64,
}

impl Repairer<'_, '_> {
    /// A turn after which no attack of the opponent's is known to win the game, made of the best one.
    pub(super) fn parried(&mut self) -> Option<GameTurn> {
        self.parried_with(Vec::new())
    }

    /// The same turn with these drafts.
    fn parried_with(&mut self, mut drafts: Vec<(usize, Vec<BoardAction>)>) -> Option<GameTurn> {
        let base = self.turns.first()?;
        let is_known = !drafts.is_empty();
        let points = self.game.state().points(self.game.side_to_move().opponent());
        let missing = usize::from(self.game.config().points_needed.saturating_sub(points));
        let mut given_up = Vec::new();
        for round in 0..ROUNDS {
            let (position, turn) = joined(self.game, base, &drafts, None, true);
            let after = Draft::new(position, 0).ended()?;
            let over = after.state().is_over();
            if over || (is_known || round > 0) && !self.loses(&after) {
                return (!over || after.state().winner() == Some(self.game.side_to_move())).then_some(turn);
            }
            let dangers: Vec<usize> =
                (0..after.config().num_boards()).filter(|&board| self.is_killed(&after, board)).collect();
            let mut progress = false;
            for board in dangers {
                if given_up.contains(&board) || drafts.iter().any(|(known, _)| *known == board) {
                    continue;
                }
                progress = true;
                match self.draft(base, &drafts, board, &mut Parry::default()) {
                    Some(actions) => drafts.push((board, actions)),
                    None if given_up.len() + 1 < missing => given_up.push(board),
                    None => return None,
                }
            }
            if !progress {
                return None;
            }
        }
        None
    }

    /// Whether attacks of the opponent's, whose turn it is, are proved to win the game.
    fn loses(&mut self, after: &Game) -> bool {
        is_lost(after, self.game.side_to_move(), self.means.prover, self.means.effort)
    }

    /// Whether an attack of the opponent's, whose turn it is, kills the necromancer of a board.
    fn is_killed(&mut self, after: &Game, board: usize) -> bool {
        let exposed = after.view(board).is_some_and(|view| is_exposed(&view, view.side.opponent()));
        exposed && self.means.effort.request() && self.means.prover.kills_on(after, board)
    }

    /// A turn with one board played anew so that an aim is reached there by which the game is won at the next turn; no attack
    /// wins it for the opponent before.
    pub(super) fn winning(&mut self, board: usize, aim: &mut impl Aim) -> Option<GameTurn> {
        let base = self.turns.first()?;
        let actions = self.draft(base, &[], board, aim)?;
        let turn = self.parried_with(vec![(board, actions.clone())])?;
        let mut after = self.game.clone();
        after.play(&turn).ok()?;
        let won = after.state().winner() == Some(self.game.side_to_move());
        let is_safe = won || self.means.prover.is_safe(&after).is_yes();
        (is_safe && turn.board(board) == actions).then_some(turn)
    }

    /// The actions on a board that reach an aim after which the position is worth most.
    fn draft(
        &mut self,
        base: &GameTurn,
        drafts: &Drafts,
        board: usize,
        aim: &mut impl Aim,
    ) -> Option<Vec<BoardAction>> {
        let (position, _) = joined(self.game, base, drafts, Some(board), false);
        let known = actions_on(board, self.turns);
        let found = seek(&position, board, &known, aim, &mut self.means);
        let worth = |draft: &Draft, value: &mut dyn FnMut(&Game) -> f64| {
            draft.ended().map_or(0.0, |ended| value(&ended))
        };
        let mut best: Option<(f64, Vec<BoardAction>)> = None;
        for draft in found {
            let worth = worth(&draft, self.value);
            if best.as_ref().is_none_or(|best| worth > best.0) {
                best = Some((worth, draft.actions));
            }
        }
        best.map(|(_, actions)| actions)
    }
}
