//! Turns: beginning a game, ending turns, the engine's answers and its proposals.

use core::fmt::Write;

use barrow_core::minions::{Action, GameTurn, Side};
use heapless::Vec;

use crate::coding::{Entry, encode};
use crate::engine::{Engine, actions_of, simple_turn};
use crate::record::Entries;
use crate::screen::{Effect, GameScreen};
use crate::table::MOVERS;
use crate::ui::{Job, Message, Page, Purpose, home};

impl GameScreen {
    /// Begins a game with the settings.
    pub(crate) fn begin_game(&mut self) {
        // When the player presses the button is chance enough.
        self.ui.settings.seed = self.ui.frame;
        let settings = self.ui.settings;
        self.table.begin(settings.config(), u64::from(settings.seed));
        (self.ui.person, self.ui.level) = (settings.person, settings.level);
        self.ui.in_game = true;
        self.ui.board = 0;
        self.ui.hex = home(settings.person);
        self.ui.page = Page::Board;
        self.begin_turn();
        // Not saved before a turn has ended: the game of the save memory is still whole.
    }

    /// Shows the start of a turn; the engine begins to think about its own.
    pub(crate) fn begin_turn(&mut self) {
        self.ui.aim = crate::aim::Aim::None;
        self.ui.job = None;
        self.ui.hint.clear();
        // Who chooses the settings of the next game is not called away from them.
        if !matches!(self.ui.page, Page::Title | Page::NewGame) {
            self.ui.open(if self.table.is_over() { Page::Result } else { Page::Board });
        }
        if self.table.is_over() {
            return;
        }
        let side = self.table.start().side_to_move();
        let mut message = Message::new();
        if self.is_persons_turn() {
            let shown = self.table.shown();
            let waits = (0..shown.config().num_boards()).find(|&board| {
                shown.view(board).is_some_and(|view| {
                    view.awaits_setup() || view.board.free(view.side) > 0 && view.board.state().is_reset()
                })
            });
            if let Some(board) = waits {
                self.ui.board = board as u8;
                let _ = write!(message, "Board {} begins anew: keep a unit (START, Keep).", board + 1);
            } else {
                let turn = self.table.start().state().turn() + 1;
                let _ = write!(message, "Turn {turn}: your move. A chooses, START opens the menu.");
            }
            self.ui.hex = if self.table.start().state().turn() < 2 { home(side) } else { self.ui.hex };
        } else {
            self.ui.job = Some(Job { purpose: Purpose::Turn, slices: 0, done: false, hurried: false });
            let _ = write!(message, "{} thinks. You may look around.", side.name());
        }
        self.ui.say(&message);
    }

    /// Lets the engine search the player's turn ahead once the player pauses.
    pub(crate) fn think_ahead(&mut self) {
        let level = self.machine.level(self.ui.level);
        if self.ui.job.is_none() && self.is_persons_turn() && level.slices > 0 {
            self.ui.job = Some(Job { purpose: Purpose::Ahead, slices: 0, done: false, hurried: false });
        }
    }

    /// Ends the player's turn.
    pub(crate) fn end_turn(&mut self) {
        match self.table.end_turn() {
            Ok(_) => {
                self.begin_turn();
                self.effect = Some(Effect::Save);
            }
            Err(reason) => {
                self.ui.page = Page::Board;
                self.ui.refuse(reason.text());
            }
        }
    }

    /// Asks for a turn that the engine proposes.
    pub(crate) fn ask_hint(&mut self) {
        self.ui.open(Page::Hint);
        match self.ui.job {
            Some(job) if job.done => {}
            Some(job) => self.ui.job = Some(Job { purpose: Purpose::Hint, ..job }),
            None => {
                self.ui.job = Some(Job { purpose: Purpose::Hint, slices: 0, done: false, hurried: false })
            }
        }
    }

    /// Puts the proposed turn in the place of what was entered.
    pub(crate) fn play_hint(&mut self) {
        self.table.clear_turn();
        let hint = self.ui.hint.clone();
        let mut group: Vec<Action, MOVERS, u8> = Vec::new();
        let mut refused = false;
        for entry in Entries::new(&hint) {
            let Entry::Action(action) = entry else { continue };
            refused |= group.push(action).is_err();
            if !is_joined(&action) {
                refused |= self.table.enter(&group).is_err();
                group.clear();
            }
        }
        // Where the turn was cut off amid moves of the same moment.
        refused |= !group.is_empty();
        self.ui.page = Page::Board;
        self.ui.aim = crate::aim::Aim::None;
        if refused {
            self.ui.refuse("Part of the proposed turn is not possible any more.");
        } else {
            self.ui.say("The proposed turn is entered. START, End turn plays it.");
        }
    }

    /// Ends the engine's search at once.
    pub(crate) fn play_now(&mut self) {
        self.ui.page = Page::Board;
        if let Some(job) = &mut self.ui.job {
            job.hurried = true;
        }
    }

    /// Takes what the search has found as the engine's turn, or as a proposal.
    pub(crate) fn answer(&mut self, engine: &mut impl Engine) {
        let Some(job) = self.ui.job else { return };
        let found = if job.slices > 0 { engine.answer(self.table.start()) } else { None };
        match job.purpose {
            Purpose::Turn => {
                let played = found.is_some_and(|turn| self.play(&turn));
                if !played {
                    // Legal in every position, whatever the search has memory for.
                    let turn = simple_turn(self.table.start(), engine.draft());
                    self.play(turn);
                }
                self.table.note_search(if played { job.slices } else { 0 });
                let before = self.table.start().side_to_move();
                let ended = self.table.end_turn();
                self.begin_turn();
                self.effect = Some(Effect::Save);
                if ended.is_ok() && !self.table.is_over() {
                    self.tell_of_turn(before);
                }
            }
            Purpose::Hint | Purpose::Ahead => match &found {
                Some(turn) => self.keep_hint(turn),
                None => self.keep_hint(simple_turn(self.table.start(), engine.draft())),
            },
        }
    }

    fn tell_of_turn(&mut self, side: Side) {
        let mut message = Message::new();
        let turn = self.table.start().state().turn() + 1;
        let _ = write!(message, "{} has moved. Turn {turn}: your move.", side.name());
        self.ui.say(&message);
    }

    /// Enters a whole turn, except for its end. False, and nothing is entered, when a part of it is refused.
    fn play(&mut self, turn: &GameTurn) -> bool {
        let mut done = true;
        let budget = self.table.start().state().budget();
        let mut group: Vec<Action, MOVERS, u8> = Vec::new();
        for action in actions_of(turn, budget) {
            done = done && group.push(action).is_ok();
            if !is_joined(&action) {
                done = done && self.table.enter(&group).is_ok();
                group.clear();
            }
        }
        if !done {
            self.table.clear_turn();
        }
        done
    }

    fn keep_hint(&mut self, turn: &GameTurn) {
        self.ui.hint.clear();
        for action in actions_of(turn, self.table.start().state().budget()) {
            let code = encode(&Entry::Action(action));
            if self.ui.hint.extend_from_slice(&code).is_err() {
                break;
            }
        }
    }
}

fn is_joined(action: &Action) -> bool {
    matches!(action, Action::Board(_, action) if action.is_joined())
}
