//! Every reply on a small board: all positions to which the rules let a turn lead, each once. For games of one board whose
//! side to move has few pieces, and neither souls to spend nor cards.

use barrow_core::hex::Hex;
use barrow_core::minions::{Action, BoardAction, Game, Side, UndoLog, UnitLabel, View};
use hashbrown::HashSet;

/// Largest number of pieces of the side to move. With no more, swaps and rotations of three are all simultaneous moves.
const MAX_PIECES: usize = 3;

/// Largest number of situations within the turn that are looked at.
const MAX_SITUATIONS: usize = 60_000;

/// Iterator over the replies.
pub struct Replies {
    open: Vec<Game>,
    met: HashSet<u64>,
    ended: HashSet<u64>,
}

impl Replies {
    /// Whether the replies of a side are a matter of few pieces on one board.
    pub(super) fn are_few(game: &Game, side: Side) -> bool {
        let (state, rules) = (game.state(), &game.config().rules);
        let price = u32::from(rules.unit(UnitLabel::Zombie).cost);
        let few = |view: View<'_>| !view.awaits_setup() && view.board.pieces(side).len() <= MAX_PIECES;
        game.config().num_boards() == 1
            && !rules.spells
            && state.souls(side) < price
            && game.view(0).is_some_and(few)
    }

    /// The replies of the side to move. `None` where they are not a matter of few pieces on one board.
    pub fn new(game: &Game) -> Option<Replies> {
        let state = game.state();
        let is_small = Replies::are_few(game, game.side_to_move());
        is_small.then(|| Replies {
            open: vec![game.clone()],
            met: HashSet::from_iter([state.key()]),
            ended: HashSet::new(),
        })
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty() && self.met.len() <= MAX_SITUATIONS
    }

    /// The position after the next reply.
    pub fn next_end(&mut self) -> Option<Game> {
        while let Some(game) = self.open.pop() {
            if self.met.len() > MAX_SITUATIONS {
                self.open.push(game);
                return None;
            }
            self.expand(&game);
            let mut ended = game;
            if ended.end_turn().is_ok() && self.ended.insert(ended.state().key()) {
                return Some(ended);
            }
        }
        None
    }

    /// Adds the situations after each next action.
    fn expand(&mut self, game: &Game) {
        let Some(view) = game.view(0) else { return };
        let mut lists: Vec<Vec<BoardAction>> = Vec::new();
        game.legal_board_actions(0, |action| {
            if !matches!(action, BoardAction::Resign | BoardAction::EndPhase) {
                lists.push(vec![action]);
            }
        });
        let joined = |from, to| BoardAction::Move { from, to, joined: true };
        view.swaps(|first, second| lists.push(vec![joined(first, second), BoardAction::walk(second, first)]));
        let friends: Vec<Hex> = view.board.pieces(view.side).iter().collect();
        if let [a, b, c] = friends[..] {
            for [a, b, c] in [[a, b, c], [a, c, b]] {
                lists.push(vec![joined(a, b), joined(b, c), BoardAction::walk(c, a)]);
            }
        }
        for list in lists {
            let mut next = game.clone();
            let played = match list[..] {
                [action] => next.apply(Action::Board(0, action), &mut UndoLog::off()).is_ok(),
                _ => next.apply_next(0, &list, &mut UndoLog::off()).is_ok(),
            };
            if played && self.met.insert(next.state().key()) {
                self.open.push(next);
            }
        }
    }
}
