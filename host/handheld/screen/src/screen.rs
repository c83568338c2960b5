//! The game on a screen: a game, and what is shown of it. It changes by frames of input and slices of the engine's work
//! alone, so that equal inputs give equal games on every machine.

use barrow_core::minions::{Game, GameConfig, Side};

use crate::buttons::{Buttons, Touch};
use crate::engine::Engine;
use crate::level::Machine;
use crate::save::{SAVE_BYTES, SaveError, read_save, write_save};
use crate::table::Table;
use crate::ui::{Page, Purpose, Ui};

/// Frames without input after which the engine searches the player's turn ahead.
const PAUSE: u16 = 90;

/// Request of the screen to the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Write the game to the save memory.
    Save,
    /// Hand the save memory to [`GameScreen::load`].
    Load,
}

/// Game on a screen.
pub struct GameScreen {
    pub(crate) table: Table,
    pub(crate) ui: Ui,
    pub(crate) machine: Machine,
    pub(crate) effect: Option<Effect>,
    /// Whether a search of the engine belongs to another state than this one, and has to begin anew.
    pub(crate) engine_is_stale: bool,
}

impl GameScreen {
    /// Screen of a machine that has just been switched on.
    pub fn new(machine: Machine) -> GameScreen {
        let table = Table::new(GameConfig::default(), 1);
        let ui = Ui::new(&machine);
        GameScreen { table, ui, machine, effect: None, engine_is_stale: false }
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
        self.engine_is_stale = true;
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
        self.ui.idle = if buttons == Buttons::default() { self.ui.idle.saturating_add(1) } else { 0 };
        let pressed = self.ui.held.press(buttons);
        let tap = self.ui.held.tap(touch);
        if let Some(tap) = tap {
            self.tap(tap);
        }
        if pressed != Buttons::default() {
            self.press(pressed);
        }
        if self.ui.idle == PAUSE {
            self.think_ahead();
        }
        tap.is_some() || pressed != Buttons::default()
    }

    /// Lets the engine do one slice of work, if there is any.
    pub fn think(&mut self, engine: &mut impl Engine) {
        let Some(mut job) = self.ui.job else { return };
        if job.done {
            return;
        }
        let level = self.machine.level(self.ui.level);
        let nodes = u32::from(self.machine.nodes_per_slice);
        let game = self.table.start();
        if self.engine_is_stale || job.slices == 0 {
            engine.begin();
            // The slices of before, once more: a search is a function of its slices.
            for _ in 0..job.slices {
                engine.work(game, nodes);
            }
            self.engine_is_stale = false;
        }
        if !job.hurried && job.slices < level.slices && engine.work(game, nodes) {
            job.slices += 1;
        } else {
            job.done = true;
        }
        job.done |= job.slices >= level.slices;
        self.ui.job = Some(job);
        if job.done {
            self.answer(engine);
        }
    }

    /// The game as it is shown, and whether cards of a side are hidden.
    pub fn position(&self) -> (&Game, Option<Side>) {
        let hidden = (!self.table.is_over()).then_some(self.ui.person.opponent());
        (self.table.shown(), hidden)
    }
}
