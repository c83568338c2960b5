//! States that are taken and loaded while a real search goes on: the same buttons give the same game, and little is
//! searched twice.

use barrow_core::minions::{BOARD_CAP, DraftMemory, Game, GameTurn};
use barrow_core::rng::Rng;
use barrow_nnue::embedded_nets;
use barrow_nnue::nets::Network;
use barrow_screen::buttons::Buttons;
use barrow_screen::cartridge::CartridgeSearch;
use barrow_screen::engine::Engine;
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::SAVE_BYTES;
use barrow_screen::screen::GameScreen;

const SLICES: u16 = 24;

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[Level { name: "test", about: "searches a little", slices: SLICES }],
    default_level: 0,
    max_boards: BOARD_CAP as u8,
    nodes_per_slice: 1,
};

/// Search that counts its slices.
struct Counted {
    search: Box<CartridgeSearch>,
    slices: usize,
}

impl Engine for Counted {
    fn begin(&mut self) {
        self.search.begin();
    }

    fn work(&mut self, game: &Game, nodes: u32) -> bool {
        self.slices += 1;
        self.search.work(game, nodes)
    }

    fn answer(&mut self, game: &Game) -> Option<GameTurn> {
        self.search.answer(game)
    }

    fn draft(&mut self) -> &mut DraftMemory {
        self.search.draft()
    }
}

struct Toy {
    screen: GameScreen,
    engine: Counted,
}

impl Toy {
    fn new() -> Toy {
        let mut search = Box::new(CartridgeSearch::new());
        search.take_network(Network::from_bytes(embedded_nets::TINY).unwrap());
        Toy { screen: GameScreen::new(MACHINE), engine: Counted { search, slices: 0 } }
    }

    fn frame(&mut self, buttons: Buttons) {
        self.screen.frame(buttons, None);
        self.screen.think(&mut self.engine);
        self.screen.take_effect();
    }

    fn state(&self) -> Box<[u8; SAVE_BYTES]> {
        let mut state = Box::new([0; SAVE_BYTES]);
        self.screen.save(&mut state);
        state
    }
}

/// Buttons of each frame: a game on one board is begun, two turns are ended and answered, and once the engine searches ahead
/// for the player, and is interrupted.
fn script() -> Vec<Buttons> {
    let mut buttons = Vec::new();
    let mut press = |all: &[Buttons], wait: usize| {
        for &button in all {
            buttons.extend([button, Buttons::default()]);
        }
        buttons.extend(vec![Buttons::default(); wait]);
    };
    press(&[Buttons::A, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN, Buttons::LEFT, Buttons::START], 100);
    press(&[Buttons::START, Buttons::A, Buttons::A], 40);
    press(&[Buttons::SELECT], 130);
    press(&[Buttons::START, Buttons::A, Buttons::A], 40);
    buttons
}

/// States after each frame, and the slices that the engine has worked.
fn straight() -> (Vec<Box<[u8; SAVE_BYTES]>>, usize) {
    let mut toy = Toy::new();
    let states = script().into_iter().map(|buttons| {
        toy.frame(buttons);
        toy.state()
    });
    let states = states.collect();
    assert_eq!(toy.screen.table().start().state().turn(), 4);
    (states, toy.engine.slices)
}

#[test]
fn frames_that_are_run_ahead_and_taken_back_leave_the_game_as_it_is_and_are_searched_once() {
    let (states, slices) = straight();
    let mut toy = Toy::new();
    for (buttons, expected) in script().into_iter().zip(&states) {
        toy.frame(buttons);
        let state = toy.state();
        assert!(state == *expected);
        for _ in 0..3 {
            toy.frame(buttons);
        }
        toy.screen.load(state.as_slice()).unwrap();
    }
    // Where a turn was ended ahead of time, the search before it is done once more.
    let searched = toy.engine.slices;
    assert!(searched <= slices + 2 * usize::from(SLICES), "{searched} {slices}");
}

#[test]
fn states_that_are_loaded_in_any_order_go_on_the_same() {
    let (states, _) = straight();
    let script = script();
    let mut rng = Rng::new(3);
    let mut toy = Toy::new();
    for _ in 0..60 {
        let from = rng.below(states.len() as u32) as usize;
        toy.screen.load(states[from].as_slice()).unwrap();
        let frames = 1 + rng.below(60) as usize;
        for (buttons, expected) in script.iter().zip(&states).skip(from + 1).take(frames) {
            toy.frame(*buttons);
            assert!(toy.state() == *expected);
        }
    }
}
