//! The search ahead of the player's turn: it begins when the player pauses, with whatever input, and whenever the turn has begun.

use barrow_core::minions::{BOARD_CAP, DraftMemory, Game, GameTurn};
use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::engine::Engine;
use barrow_screen::level::{Level, Machine};
use barrow_screen::screen::GameScreen;
use barrow_screen::ui::Purpose;

/// More slices than frames of a pause.
const SLICES: u16 = 120;

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[Level { name: "slow", about: "takes its time", slices: SLICES }],
    default_level: 0,
    max_boards: BOARD_CAP as u8,
    nodes_per_slice: 1,
};

/// Engine that counts its searches and finds nothing, so that the simple player's turn is played.
#[derive(Default)]
struct Counted {
    draft: DraftMemory,
    begun: usize,
    slices: usize,
}

impl Engine for Counted {
    fn begin(&mut self) {
        self.begun += 1;
    }

    fn work(&mut self, _: &Game, _: u32) -> bool {
        self.slices += 1;
        true
    }

    fn answer(&mut self, _: &Game) -> Option<GameTurn> {
        None
    }

    fn draft(&mut self) -> &mut DraftMemory {
        &mut self.draft
    }
}

struct Toy {
    screen: GameScreen,
    engine: Counted,
}

impl Toy {
    /// A game on one board that has just begun.
    fn begin() -> Toy {
        let mut toy = Toy { screen: GameScreen::new(MACHINE), engine: Counted::default() };
        toy.press(&[Buttons::A, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN, Buttons::LEFT, Buttons::START]);
        assert!(toy.screen.is_persons_turn());
        toy
    }

    fn frame(&mut self, buttons: Buttons, touch: Option<Touch>) {
        self.screen.frame(buttons, touch);
        self.screen.think(&mut self.engine);
        self.screen.take_effect();
    }

    fn press(&mut self, buttons: &[Buttons]) {
        for &button in buttons {
            self.frame(button, None);
            self.frame(Buttons::default(), None);
        }
    }

    fn rest(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.frame(Buttons::default(), None));
    }

    fn searches_ahead(&self) -> bool {
        self.screen.ui().job.is_some_and(|job| job.purpose == Purpose::Ahead)
    }
}

#[test]
fn the_turn_after_a_long_one_of_the_engine_is_searched_ahead_once() {
    let mut toy = Toy::begin();
    toy.press(&[Buttons::START, Buttons::A, Buttons::A]);
    assert!(toy.screen.is_waited_for());
    toy.rest(usize::from(SLICES) + 1);
    assert!(toy.screen.is_persons_turn() && toy.searches_ahead());
    toy.rest(usize::from(SLICES));
    let searched = (toy.engine.begun, toy.engine.slices);
    assert!(!toy.screen.is_thinking() && toy.searches_ahead());
    assert_eq!(searched, (2, 2 * usize::from(SLICES)));
    // Neither further pauses nor the hint begin it anew.
    toy.rest(500);
    toy.press(&[
        Buttons::START,
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::A,
    ]);
    toy.rest(500);
    assert_eq!((toy.engine.begun, toy.engine.slices), searched);
    assert!(!toy.screen.ui().hint.is_empty() && !toy.screen.is_thinking());
}

#[test]
fn touches_are_input_and_pauses_between_them_are_pauses() {
    let mut toy = Toy::begin();
    // In a corner where there is nothing to touch.
    let touch = Some(Touch { x: 239, y: 80 });
    for _ in 0..6 {
        toy.frame(Buttons::default(), touch);
        toy.rest(60);
        assert!(!toy.searches_ahead());
    }
    toy.frame(Buttons::default(), touch);
    toy.rest(89);
    assert!(!toy.searches_ahead());
    toy.rest(1);
    assert!(toy.searches_ahead());
}
