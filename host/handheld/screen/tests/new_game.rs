//! Settings of the next game that are chosen while a game goes on: they change nothing of it.

use barrow_core::minions::{BOARD_CAP, DraftMemory, Game, GameTurn, Side};
use barrow_screen::buttons::Buttons;
use barrow_screen::engine::Engine;
use barrow_screen::level::{Level, Machine};
use barrow_screen::screen::GameScreen;
use barrow_screen::ui::Page;

const SLICES: u16 = 40;

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[
        Level { name: "slow", about: "takes its time", slices: SLICES },
        Level { name: "slower", about: "takes more time", slices: 2 * SLICES },
    ],
    default_level: 0,
    max_boards: BOARD_CAP as u8,
    nodes_per_slice: 1,
};

/// Engine that works and finds nothing, so that the simple player's turn is played.
#[derive(Default)]
struct Slow(DraftMemory);

impl Engine for Slow {
    fn begin(&mut self) {}

    fn work(&mut self, _: &Game, _: u32) -> bool {
        true
    }

    fn answer(&mut self, _: &Game) -> Option<GameTurn> {
        None
    }

    fn draft(&mut self) -> &mut DraftMemory {
        &mut self.0
    }
}

struct Toy {
    screen: GameScreen,
    engine: Slow,
}

impl Toy {
    /// A game on one board that has just begun.
    fn begin() -> Toy {
        let mut toy = Toy { screen: GameScreen::new(MACHINE), engine: Slow::default() };
        toy.press(&[Buttons::A, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN, Buttons::LEFT, Buttons::START]);
        assert_eq!((toy.screen.ui().page, toy.screen.ui().person), (Page::Board, Side::Yellow));
        toy
    }

    fn press(&mut self, buttons: &[Buttons]) {
        for &button in buttons {
            for buttons in [button, Buttons::default()] {
                self.screen.frame(buttons, None);
                self.screen.think(&mut self.engine);
            }
        }
    }

    /// Opens the title by the last entry of the menu.
    fn open_title(&mut self) {
        self.press(&[Buttons::START, Buttons::UP, Buttons::A]);
        assert_eq!(self.screen.ui().page, Page::Title);
    }

    /// Opens the settings of a new game, and chooses Blue and the other level there.
    fn choose_other_settings(&mut self) {
        self.open_title();
        self.press(&[Buttons::DOWN, Buttons::A]);
        assert_eq!(self.screen.ui().page, Page::NewGame);
        self.press(&[Buttons::DOWN, Buttons::RIGHT, Buttons::DOWN, Buttons::RIGHT]);
        let settings = self.screen.ui().settings;
        assert_eq!((settings.person, settings.level), (Side::Blue, 1));
    }

    fn end_turn(&mut self) {
        self.press(&[Buttons::START, Buttons::A, Buttons::A]);
        assert!(self.screen.is_waited_for());
    }

    fn turn(&self) -> u32 {
        self.screen.table().start().state().turn()
    }
}

#[test]
fn the_player_keeps_side_level_and_cursor_of_the_game_that_is_gone_on_with() {
    let mut toy = Toy::begin();
    let (hex, before) = (toy.screen.ui().hex, toy.turn());
    toy.choose_other_settings();
    toy.press(&[Buttons::B, Buttons::A]);
    assert_eq!((toy.screen.ui().page, toy.screen.ui().hex), (Page::Board, hex));
    assert!(toy.screen.is_persons_turn());
    // The cards that are hidden are the opponent's.
    assert_eq!(toy.screen.position().1, Some(Side::Blue));
    toy.end_turn();
    let frames = (0..1000).take_while(|_| {
        toy.screen.frame(Buttons::default(), None);
        toy.screen.think(&mut toy.engine);
        toy.screen.is_waited_for()
    });
    let frames = frames.count();
    assert!(frames < usize::from(SLICES), "{frames}");
    assert!(toy.screen.is_persons_turn());
    assert_eq!(toy.turn(), before + 2);
}

#[test]
fn the_engine_moves_while_settings_are_chosen_and_leaves_them_open() {
    let mut toy = Toy::begin();
    toy.end_turn();
    let before = toy.turn();
    toy.choose_other_settings();
    assert!(toy.screen.is_waited_for());
    toy.press(&[Buttons::L; 60]);
    // The engine has made its own turn, and no other.
    assert!(!toy.screen.is_thinking());
    assert_eq!((toy.turn(), toy.screen.ui().page), (before + 1, Page::NewGame));
    toy.press(&[Buttons::B, Buttons::A]);
    assert_eq!(toy.screen.ui().page, Page::Board);
    assert!(toy.screen.is_persons_turn());
}

#[test]
fn the_next_game_begins_with_the_settings_that_were_chosen_for_it() {
    let mut toy = Toy::begin();
    toy.choose_other_settings();
    toy.press(&[Buttons::START]);
    assert_eq!(
        (toy.screen.ui().page, toy.screen.ui().person, toy.screen.ui().level),
        (Page::Board, Side::Blue, 1)
    );
    assert!(toy.screen.is_waited_for());
    assert_eq!(toy.screen.position().1, Some(Side::Yellow));
}
