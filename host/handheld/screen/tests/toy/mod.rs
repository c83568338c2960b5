//! Screen with what a machine has around it, which obeys its effects and never searches.

use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::engine::NoSearch;
use barrow_screen::save::SAVE_BYTES;
use barrow_screen::screen::{Effect, GameScreen};

/// Screen and save memory.
pub struct Toy {
    pub screen: GameScreen,
    pub memory: [u8; SAVE_BYTES],
}

impl Toy {
    /// Shows a frame with these buttons down and this touch.
    pub fn frame(&mut self, buttons: Buttons, touch: Option<Touch>) {
        self.screen.frame(buttons, touch);
        self.screen.think(&mut NoSearch::default());
        match self.screen.take_effect() {
            Some(Effect::Save) => {
                self.screen.note_saved();
                self.screen.save(&mut self.memory);
            }
            Some(Effect::Load) => self.screen.load_game(&self.memory.clone()),
            None => {}
        }
    }

    /// Presses and releases buttons one after the other.
    pub fn press(&mut self, buttons: &[Buttons]) {
        for &button in buttons {
            self.frame(button, None);
            self.frame(Buttons::default(), None);
        }
    }
}
