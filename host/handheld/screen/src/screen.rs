//! The game on a screen: a game, and what is shown of it. It changes by frames of input and slices of the engine's work
//! alone, so that equal inputs give equal games on every machine.

use barrow_core::minions::{Game, GameConfig, Side};

use crate::buttons::{Buttons, Touch};
use crate::engine::Engine;
use crate::level::Machine;
use crate::save::{SAVE_BYTES, SaveError, read_save, write_save};
use crate::table::Table;
use crate::ui::{Page, Purpose, Ui};

/// Frames without input, at least, after which the engine searches the player's turn ahead.
const PAUSE: u16 = 90;

/// Request of the screen to the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Write the game to the save memory.
    Save,
    /// Hand the save memory to [`GameScreen::load`].
    Load,
}

/// Search that the engine has in its memory. It is no part of a saved state: it only spares work that was done before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Searched {
    /// Key of the record up to the position that is searched.
    start: u64,
    /// Slices of work done.
    slices: u16,
    /// Whether the engine has answered, after which no more work is done in the same memory.
    is_answered: bool,
}

/// Game on a screen.
pub struct GameScreen {
    pub(crate) table: Table,
    pub(crate) ui: Ui,
    pub(crate) machine: Machine,
    pub(crate) effect: Option<Effect>,
    /// Search of the engine, once there was one.
    pub(crate) searched: Option<Searched>,
    /// Whether a state was loaded since the engine worked, so that its search may belong to another one.
    pub(crate) was_loaded: bool,
}

impl GameScreen {
    /// Screen of a machine that has just been switched on.
    pub fn new(machine: Machine) -> GameScreen {
        let table = Table::new(GameConfig::default(), 1);
        let ui = Ui::new(&machine);
        GameScreen { table, ui, machine, effect: None, searched: None, was_loaded: false }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Game with the turn that is being entered.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// State of the screen.
    pub fn ui(&self) -> &Ui {
        &self.ui
    }

    /// Looks whether the save memory has a game, which the title then offers.
    pub fn look_at_save(&mut self, memory: &[u8]) {
        self.ui.is_saved = crate::save::is_sound(memory);
    }

    /// Takes note that the save memory has a game.
    pub fn note_saved(&mut self) {
        self.ui.is_saved = true;
    }

    /// Request of the screen since the last call.
    pub fn take_effect(&mut self) -> Option<Effect> {
        self.effect.take()
    }

    /// Writes the whole state into a container of constant size.
    pub fn save(&self, memory: &mut [u8; SAVE_BYTES]) {
        write_save(&self.ui, &self.table, memory);
    }

    /// Goes on with a saved state. On error nothing has changed.
    pub fn load(&mut self, memory: &[u8]) -> Result<(), SaveError> {
        let mut ui = read_save(memory, &mut self.table, &self.machine)?;
        ui.in_game &= !self.table.record().is_empty();
        self.ui = ui;
        self.was_loaded = true;
        Ok(())
    }

    /// Goes on with the game of the save memory; the input of this machine stays.
    pub fn load_game(&mut self, memory: &[u8]) {
        let (held, frame) = (self.ui.held, self.ui.frame);
        match self.load(memory) {
            Ok(()) => {
                (self.ui.held, self.ui.frame, self.ui.is_saved) = (held, frame, true);
                self.ui.page = if self.table.is_over() { Page::Result } else { Page::Board };
            }
            Err(error) => self.ui.refuse(error.text()),
        }
    }

    /// Whether the player has the move.
    pub fn is_persons_turn(&self) -> bool {
        self.ui.in_game && !self.table.is_over() && self.table.start().side_to_move() == self.ui.person
    }

    /// Whether a search of the engine has work left.
    pub fn is_thinking(&self) -> bool {
        self.ui.job.is_some_and(|job| !job.done)
    }

    /// Whether a search has work left that the player waits for.
    pub fn is_waited_for(&self) -> bool {
        self.ui.job.is_some_and(|job| !job.done && job.purpose != Purpose::Ahead)
    }

    /// Takes the input of one frame. True when it may have changed what is shown.
    pub fn frame(&mut self, buttons: Buttons, touch: Option<Touch>) -> bool {
        self.ui.frame = self.ui.frame.wrapping_add(1);
        let rests = buttons == Buttons::default() && touch.is_none();
        self.ui.idle = if rests { self.ui.idle.saturating_add(1) } else { 0 };
        let pressed = self.ui.held.press(buttons);
        let tap = self.ui.held.tap(touch);
        if let Some(tap) = tap {
            self.tap(tap);
        }
        if pressed != Buttons::default() {
            self.press(pressed);
        }
        // Not at one frame alone: the player's turn may begin amid the pause.
        if self.ui.idle >= PAUSE {
            self.think_ahead();
        }
        tap.is_some() || pressed != Buttons::default()
    }

    /// Lets the engine do one slice of work, if there is any. Slices that it has done before a state was loaded are counted and
    /// not done again, which gives the same turns: a search is a function of its slices.
    pub fn think(&mut self, engine: &mut impl Engine) {
        let Some(mut job) = self.ui.job else { return };
        if job.done {
            return;
        }
        let level = self.machine.level(self.ui.level);
        if self.was_loaded || job.slices == 0 {
            let start = self.table.record().start_key();
            if self.searched.is_none_or(|found| found.start != start || found.slices < job.slices) {
                self.search_to(engine, job.slices);
            }
            self.was_loaded = false;
        }
        if !job.hurried && job.slices < level.slices && self.work(engine, job.slices) {
            job.slices += 1;
        } else {
            job.done = true;
        }
        job.done |= job.slices >= level.slices;
        self.ui.job = Some(job);
        if job.done {
            // A search that is further on than this state answers something else.
            if self.searched.is_some_and(|found| found.slices != job.slices) {
                self.search_to(engine, job.slices);
            }
            self.answer(engine);
            if let Some(found) = &mut self.searched {
                found.is_answered = true;
            }
        }
    }

    /// Does the slice that comes after so many. False when there is nothing left to do.
    fn work(&mut self, engine: &mut impl Engine, slices: u16) -> bool {
        if self.searched.is_some_and(|found| found.slices > slices) {
            return true;
        }
        if self.searched.is_none_or(|found| found.is_answered) {
            self.search_to(engine, slices);
        }
        let worked = engine.work(self.table.start(), u32::from(self.machine.nodes_per_slice));
        // What the engine has in memory where there was nothing to do, is not known.
        self.searched = self.searched.filter(|_| worked);
        if let Some(found) = &mut self.searched {
            found.slices += 1;
        }
        worked
    }

    /// Makes the engine's search one of exactly so many slices of the present turn.
    fn search_to(&mut self, engine: &mut impl Engine, slices: u16) {
        let start = self.table.record().start_key();
        let goes_on = |found: &Searched| found.start == start && found.slices <= slices && !found.is_answered;
        let done = self.searched.filter(goes_on).map(|found| found.slices);
        if done.is_none() {
            engine.begin();
        }
        for _ in done.unwrap_or(0)..slices {
            engine.work(self.table.start(), u32::from(self.machine.nodes_per_slice));
        }
        self.searched = Some(Searched { start, slices, is_answered: false });
    }

    /// The game as it is shown, and whether cards of a side are hidden.
    pub fn position(&self) -> (&Game, Option<Side>) {
        let hidden = (!self.table.is_over()).then_some(self.ui.person.opponent());
        (self.table.shown(), hidden)
    }
}
