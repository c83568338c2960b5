//! The engine and the reference play the same game, and are compared after everything that happens.

use barrow_core::minions::{
    Action, Board, Builder, Change, Game, GameTurn, IllegalReason, IllegalTurn, Movable, Outcome, Side,
    SideArray, UndoLog,
};

use super::actions::Deed;
use crate::reference::convert::{difference, forecast, from_game};
use crate::reference::state::State;

pub struct Duel {
    pub game: Game,
    pub reference: State,
    /// The position when the turn began, or was met.
    start: Game,
    /// What was accepted since.
    accepted: Vec<Deed>,
    /// For the log of one action.
    memory: Vec<Change>,
    /// A fixed capacity ran out: the two may part company, so the game should end here.
    pub crowded: bool,
}

impl Duel {
    pub fn new(game: Game) -> Duel {
        let reference = from_game(&game);
        check(&game, &reference);
        Duel {
            start: game.clone(),
            game,
            reference,
            accepted: Vec::new(),
            memory: vec![Change::default(); 1024],
            crowded: false,
        }
    }

    /// Tries one action on both; returns whether it was accepted. Checks that verdicts agree, that a refusal
    /// leaves no trace, that undoing restores every bit, and that the results agree.
    pub fn attempt(&mut self, deed: &Deed) -> bool {
        let before = self.game.clone();
        let mut log = UndoLog::new(&mut self.memory);
        let mark = log.mark();
        let verdict = apply(&mut self.game, deed, &mut log);
        if verdict == Err(IllegalReason::Capacity) {
            assert!(self.reference.is_crowded(), "no capacity should have run out for {deed:?}");
            self.crowded = true;
        }
        let expected = match deed {
            Deed::General(action) => self.reference.general(*action).map(|next| (next, 1)),
            Deed::Board(board, actions) => self.reference.act(usize::from(*board), actions),
        };
        match (verdict, expected) {
            (Ok(used), Some((next, expected_used))) => {
                assert_eq!(used, expected_used, "{deed:?}");
                let after = self.game.clone();
                let (old, new) = (before.state().key(), after.state().key());
                assert_eq!(old == new, after == before, "the key does not show {deed:?}");
                self.game.undo(mark, &mut log);
                assert!(self.game == before, "undo of {deed:?} does not restore the position");
                self.game = after;
                self.reference = next;
                check(&self.game, &self.reference);
                self.accepted.push(deed.clone());
                true
            }
            (Err(_), None) => {
                assert!(self.game == before, "refused {deed:?} has changed the position");
                false
            }
            (Err(_), Some(_)) if self.crowded => false,
            (Ok(_), None) => panic!("accepted against the rules: {deed:?}"),
            (Err(reason), Some(_)) => {
                panic!("refused against the rules: {deed:?} because {reason}")
            }
        }
    }

    /// Plays the turn so far again from its beginning, and takes it back as a whole.
    fn rewind(&self) {
        let mut memory = vec![Change::default(); 8192];
        let mut log = UndoLog::new(&mut memory);
        let mark = log.mark();
        let mut game = self.start.clone();
        for deed in &self.accepted {
            apply(&mut game, deed, &mut log).expect("it was accepted before");
        }
        assert!(game == self.game, "the same actions led elsewhere");
        game.undo(mark, &mut log);
        assert!(game == self.start, "undo of a whole turn does not restore the position");
    }

    /// Ends the turn on both; returns whether that was accepted.
    pub fn end_turn(&mut self) -> bool {
        self.rewind();
        self.reference.coming = forecast(&self.game);
        let before = self.game.clone();
        let outcome = self.game.end_turn();
        self.settle(&before, outcome, self.reference.end_turn())
    }

    /// Plays a whole turn on both; returns whether it was accepted.
    pub fn play(&mut self, turn: &GameTurn) -> bool {
        self.reference.coming = forecast(&self.game);
        let before = self.game.clone();
        let outcome = self.game.play(turn);
        if outcome.is_err_and(|refusal| refusal.reason == IllegalReason::Capacity) {
            self.crowded = true;
        }
        self.settle(&before, outcome, self.reference.play(turn))
    }

    fn settle(
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
                self.crowded |= outcome.lost_to_capacity > 0;
                self.reference = next;
                self.start = self.game.clone();
                self.accepted.clear();
                if !self.crowded {
                    check(&self.game, &self.reference);
                }
                true
            }
            (Err(_), None) => {
                assert!(self.game == *before, "a refused turn has changed the position");
                false
            }
            (Err(_), Some(_)) if self.crowded => false,
            (Ok(_), None) => panic!("a turn accepted against the rules"),
            (Err(refusal), Some(_)) => {
                panic!("a turn refused against the rules: {refusal}")
            }
        }
    }
}

fn apply(game: &mut Game, deed: &Deed, log: &mut UndoLog<'_>) -> Result<usize, IllegalReason> {
    match deed {
        Deed::General(action) => game.apply(Action::General(*action), log).map(|()| 1),
        Deed::Board(board, actions) => game.apply_next(*board, actions, log),
    }
}

/// Equal to the reference, valid, and with the keys that the position has by itself.
fn check(game: &Game, reference: &State) {
    if let Some(text) = difference(reference, game) {
        panic!("{text}");
    }
    assert_eq!(game.validate(), Ok(()));
    assert_eq!(rebuilt(game).state().key(), game.state().key(), "the key depends on history");
}

/// The same position laid out afresh through the setters, so that its keys owe nothing to how it came about.
pub fn rebuilt(game: &Game) -> Game {
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
