//! Differential testing: the engine and the slow reference play the same game and are compared after each action and
//! each turn.

use barrow_core::minions::{
    Action, Board, Builder, Change, Game, GameTurn, IllegalReason, IllegalTurn, Movable, Outcome, Side,
    SideArray, UndoLog,
};

use crate::generators::actions::Step;
use crate::reference::convert::{difference, from_game, upcoming_cards};
use crate::reference::state::State;

/// Number of steps after which the key is compared with that of a freshly built copy.
const REBUILT: usize = 4;

/// A game played by engine and reference in step.
pub struct Differential {
    /// Position of the engine.
    pub game: Game,
    /// Position of the reference.
    reference: State,
    /// Position at the start of the turn, or the first position of the comparison.
    start: Game,
    /// Legal steps since `start`.
    accepted: Vec<Step>,
    /// Memory of the undo log of one turn.
    memory: Vec<Change>,
    /// Whether a fixed capacity of the engine ran out. Engine and reference may differ from then on, so that the
    /// comparison should end.
    pub overflowed: bool,
}

impl Differential {
    /// Starts a comparison from a position of the engine.
    pub fn new(game: Game) -> Differential {
        let reference = from_game(&game);
        check(&game, &reference);
        Differential {
            start: game.clone(),
            game,
            reference,
            accepted: Vec::new(),
            memory: vec![Change::default(); 8192],
            overflowed: false,
        }
    }

    /// Plays a step of a turn in engine and reference; returns whether it is legal. Panics unless both agree on that and
    /// on the position afterwards, an illegal step changes nothing, and undo restores every bit.
    pub fn step(&mut self, step: &Step) -> bool {
        let before = self.game.clone();
        let mut log = UndoLog::new(&mut self.memory);
        let mark = log.mark();
        let result = apply(&mut self.game, step, &mut log);
        if result == Err(IllegalReason::Capacity) {
            assert!(self.reference.may_overflow(), "no capacity should have run out for {step:?}");
            self.overflowed = true;
        }
        let expected = match step {
            Step::General(action) => self.reference.general(*action).map(|next| (next, 1)),
            Step::Board(board, actions) => self.reference.act(usize::from(*board), actions),
        };
        match (result, expected) {
            (Ok(used), Some((next, expected_used))) => {
                assert_eq!(used, expected_used, "{step:?}");
                let after = self.game.clone();
                let (old, new) = (before.state().key(), after.state().key());
                assert_eq!(old == new, after == before, "the key does not show {step:?}");
                self.game.undo(mark, &mut log);
                assert!(self.game == before, "undo of {step:?} does not restore the position");
                self.game = after;
                self.reference = next;
                compare(&self.game, &self.reference);
                self.accepted.push(step.clone());
                // A wrong key stays wrong, so that it need not be looked for at once.
                if self.accepted.len().is_multiple_of(REBUILT) {
                    check_key(&self.game);
                }
                true
            }
            (Err(_), None) => {
                assert!(self.game == before, "refused {step:?} has changed the position");
                false
            }
            (Err(_), Some(_)) if self.overflowed => false,
            (Ok(_), None) => panic!("accepted against the rules: {step:?}"),
            (Err(reason), Some(_)) => {
                panic!("refused against the rules: {step:?} because {reason}")
            }
        }
    }

    /// Replays the steps of this turn from its start and undoes all of them; panics unless both positions are equal bit
    /// for bit to those of before.
    fn replay_turn(&mut self) {
        let mut log = UndoLog::new(&mut self.memory);
        let mark = log.mark();
        let mut game = self.start.clone();
        for step in &self.accepted {
            apply(&mut game, step, &mut log).expect("it was accepted before");
        }
        assert!(game == self.game, "the same actions led elsewhere");
        game.undo(mark, &mut log);
        assert!(game == self.start, "undo of a whole turn does not restore the position");
    }

    /// Ends the turn in engine and reference; returns whether that is legal. Panics if they disagree.
    pub fn end_turn(&mut self) -> bool {
        self.replay_turn();
        self.reference.upcoming = upcoming_cards(&self.game);
        let before = self.game.clone();
        let outcome = self.game.end_turn();
        self.compare_turn_end(&before, outcome, self.reference.end_turn())
    }

    /// Plays a whole turn in engine and reference; returns whether it is legal. Panics if they disagree.
    pub fn play(&mut self, turn: &GameTurn) -> bool {
        self.reference.upcoming = upcoming_cards(&self.game);
        let before = self.game.clone();
        let outcome = self.game.play(turn);
        if outcome.is_err_and(|refusal| refusal.reason == IllegalReason::Capacity) {
            self.overflowed = true;
        }
        self.compare_turn_end(&before, outcome, self.reference.play(turn))
    }

    /// Compares what engine and reference return for the end of a turn.
    fn compare_turn_end(
        &mut self,
        before: &Game,
        outcome: Result<Outcome, IllegalTurn>,
        expected: Option<State>,
    ) -> bool {
        match (outcome, expected) {
            (Ok(outcome), Some(next)) => {
                for side in Side::ALL {
                    let gained = next.points[side.index()] - self.reference.points[side.index()];
                    assert_eq!(u32::from(outcome.points[side]), gained, "points in the outcome");
                }
                assert_eq!(outcome.winner, next.winner);
                self.overflowed |= outcome.lost_to_capacity > 0;
                self.reference = next;
                self.start = self.game.clone();
                self.accepted.clear();
                if !self.overflowed {
                    check(&self.game, &self.reference);
                }
                true
            }
            (Err(_), None) => {
                assert!(self.game == *before, "a refused turn has changed the position");
                false
            }
            (Err(_), Some(_)) if self.overflowed => false,
            (Ok(_), None) => panic!("a turn accepted against the rules"),
            (Err(refusal), Some(_)) => {
                panic!("a turn refused against the rules: {refusal}")
            }
        }
    }
}

fn apply(game: &mut Game, step: &Step, log: &mut UndoLog<'_>) -> Result<usize, IllegalReason> {
    match step {
        Step::General(action) => game.apply(Action::General(*action), log).map(|()| 1),
        Step::Board(board, actions) => game.apply_next(*board, actions, log),
    }
}

/// Panics unless a game is equal to the reference, valid, and has the key of a freshly built copy.
fn check(game: &Game, reference: &State) {
    compare(game, reference);
    check_key(game);
}

/// Panics unless a game is equal to the reference and valid.
fn compare(game: &Game, reference: &State) {
    if let Some(text) = difference(reference, game) {
        panic!("{text}");
    }
    assert_eq!(game.validate(), Ok(()));
}

/// Panics unless a game has the key of a freshly built copy.
fn check_key(game: &Game) {
    assert_eq!(rebuilt(game).state().key(), game.state().key(), "the key depends on history");
}

/// Rebuilds a position through the public setters, so that its key does not depend on its history.
fn rebuilt(game: &Game) -> Game {
    let state = game.state();
    let mut builder = Builder::new(game.config().clone(), 0);
    builder.turn(game.side_to_move(), state.turn()).winner(state.winner()).drawn(state.is_drawn());
    builder.souls(SideArray(Side::ALL.map(|side| state.souls(side))));
    builder.points(SideArray(Side::ALL.map(|side| state.points(side))));
    let tech = SideArray(Side::ALL.map(|side| state.tech(side)));
    builder.tech(tech, SideArray(Side::ALL.map(|side| state.tech_at_start(side))));
    builder.budget(state.budget());
    let taken =
        (0..state.row().len()).filter(|&card| state.is_taken(card)).fold(0, |bits, card| bits | 1 << card);
    builder.row(state.row(), taken).expect("it fitted before");
    for side in Side::ALL {
        builder.deck(side, state.deck(side).clone());
    }
    for (index, board) in state.boards().iter().enumerate() {
        *builder.board(index).expect("as many boards") = rebuilt_board(board);
    }
    let copy = builder.build().expect("it was valid before");
    assert!(copy == *game, "a copy made of public parts differs");
    copy
}

fn rebuilt_board(board: &Board) -> Board {
    let mut copy = Board::empty();
    for (hex, piece) in board.iter_all() {
        copy.set_piece(hex, Some(piece));
    }
    for kind in Movable::ALL {
        copy.set_movable(kind, board.movable(kind));
    }
    for side in Side::ALL {
        for (unit, count) in board.reserves(side) {
            copy.set_reserve(side, unit, count);
        }
        for &card in board.hand(side) {
            copy.push_card(side, card).expect("it fitted before");
        }
        copy.set_pending(side, board.pending(side));
        copy.set_free(side, board.free(side));
        board.candidates(side).for_each(|unit| copy.add_candidate(side, unit));
    }
    copy.set_mana(board.mana());
    copy.set_state(board.state());
    copy.set_marks(board.marks());
    copy
}
