//! Buttons: what is held, what has just been pressed, and the repetition of a direction that stays held.

/// Set of buttons, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Buttons(pub u16);

impl Buttons {
    /// Chooses.
    pub const A: Buttons = Buttons(1);
    /// Goes back, or takes back.
    pub const B: Buttons = Buttons(2);
    /// Goes to the next piece that can do something.
    pub const SELECT: Buttons = Buttons(4);
    /// Opens the menu.
    pub const START: Buttons = Buttons(8);
    /// Right.
    pub const RIGHT: Buttons = Buttons(16);
    /// Left.
    pub const LEFT: Buttons = Buttons(32);
    /// Up.
    pub const UP: Buttons = Buttons(64);
    /// Down.
    pub const DOWN: Buttons = Buttons(128);
    /// Next board.
    pub const R: Buttons = Buttons(256);
    /// Previous board.
    pub const L: Buttons = Buttons(512);

    const REPEATING: u16 = 0xf0;

    /// Whether one of these buttons is in the set.
    pub const fn has(self, others: Buttons) -> bool {
        self.0 & others.0 != 0
    }
}

/// Place on the screen that is touched, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// Pixels from the left.
    pub x: u8,
    /// Pixels from the top.
    pub y: u8,
}

/// Frames until a held direction is repeated first, and between repetitions after that.
const DELAY: u8 = 15;
const PACE: u8 = 5;

/// Input of the frames so far, as far as the next one depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Held {
    /// Buttons held in the last frame.
    pub buttons: Buttons,
    /// Frames until a held direction is repeated.
    pub wait: u8,
    /// Whether the screen was touched in the last frame.
    pub touched: bool,
}

impl Held {
    /// Buttons that count as pressed in a frame in which these are held.
    pub fn press(&mut self, now: Buttons) -> Buttons {
        let mut pressed = now.0 & !self.buttons.0;
        let directions = now.0 & Buttons::REPEATING;
        if pressed & Buttons::REPEATING != 0 || directions == 0 {
            self.wait = DELAY;
        } else {
            self.wait = self.wait.saturating_sub(1);
            if self.wait == 0 {
                self.wait = PACE;
                pressed |= directions;
            }
        }
        self.buttons = now;
        Buttons(pressed)
    }

    /// Place that is touched and was not in the last frame.
    pub fn tap(&mut self, touch: Option<Touch>) -> Option<Touch> {
        let new = touch.filter(|_| !self.touched);
        self.touched = touch.is_some();
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_repeat_and_other_buttons_do_not() {
        let mut held = Held::default();
        let mut count = |now: Buttons, frames: usize| (0..frames).filter(|_| held.press(now).0 != 0).count();
        assert_eq!(count(Buttons::A, 100), 1);
        assert_eq!(count(Buttons::default(), 10), 0);
        assert_eq!(count(Buttons::LEFT, 15), 1);
        assert_eq!(count(Buttons::LEFT, 11), 3);
    }
}
