//! The screen played by touches alone, and what it says: all entries of all pages are within reach, a touch that meets nothing
//! does nothing, a refusal is gone with its page, and the game of the save memory stays until a turn of another one has ended.

use barrow_core::minions::players::Greedy;
use barrow_core::minions::{BOARD_CAP, DraftMemory, MapLabel, Side};
use barrow_screen::art::font;
use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::draw::WIDTH;
use barrow_screen::engine::actions_of;
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::SAVE_BYTES;
use barrow_screen::screen::GameScreen;
use barrow_screen::ui::Page;

mod toy;

use toy::Toy;

const EASY: Level = Level { name: "easy", about: "plays by simple rules", slices: 0 };

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[EASY, EASY, EASY],
    default_level: 0,
    max_boards: MOST,
    nodes_per_slice: 1,
};

/// Height of the middle of a list's row.
const fn row(number: u8) -> u8 {
    12 + 12 * number + 6
}

/// Entries of the menu.
const MENU: usize = 16;
const END_TURN: usize = 0;
const TECHS: usize = 4;
const HINT: usize = 5;
const LEVEL: usize = 11;
const RESIGN: usize = 14;
const TITLE: usize = 15;

/// Boards of a game at most, eight or two.
const MOST: u8 = BOARD_CAP as u8;

const BAR: (u8, u8) = (200, 4);
const MORE: (u8, u8) = (234, row(8));

/// The setting with this number in a game on so many boards: with more than five there are more rows, which are lower.
const fn setting(number: u8, boards: u8) -> (u8, u8) {
    let height = if boards > 5 { 10 } else { 12 };
    (100, 11 + height * number + 5)
}

impl Toy {
    fn new() -> Toy {
        Toy { screen: GameScreen::new(MACHINE), memory: [0; SAVE_BYTES] }
    }

    fn tap(&mut self, (x, y): (u8, u8)) -> Page {
        self.frame(Buttons::default(), Some(Touch { x, y }));
        self.frame(Buttons::default(), None);
        self.screen.ui().page
    }

    /// A game on this many boards, begun by touches.
    fn begin(boards: u8) -> Toy {
        let mut toy = Toy::new();
        assert_eq!(toy.tap((100, 96)), Page::NewGame);
        toy.set_boards(boards);
        assert_eq!(toy.tap(setting(0, boards)), Page::Board);
        toy
    }

    fn set_boards(&mut self, boards: u8) {
        while self.screen.ui().settings.boards != boards {
            self.tap(setting(3, self.screen.ui().settings.boards));
        }
    }

    /// Touches an entry of the menu, further down where it does not stand in the first rows.
    fn menu(&mut self, entry: usize) -> Page {
        assert_eq!(self.tap(BAR), Page::Menu);
        loop {
            let first = self.screen.ui().choice().saturating_sub(4).min(MENU - 9);
            if entry < first + 9 {
                return self.tap((100, row((entry - first) as u8)));
            }
            assert_eq!(self.tap(MORE), Page::Menu);
        }
    }
}

#[test]
fn a_game_is_played_and_resigned_by_touches_alone() {
    let mut toy = Toy::begin(MOST);
    for board in 0..MOST {
        assert_eq!((toy.screen.ui().page, toy.screen.ui().board), (Page::Board, board));
        toy.tap((30, 4));
    }
    assert_eq!(toy.screen.ui().board, 0);
    for turn in 0..3 {
        assert_eq!(toy.screen.table().start().state().turn(), 2 * turn);
        assert_eq!(toy.menu(HINT), Page::Hint);
        assert_eq!(toy.tap((100, row(0))), Page::Board);
        assert_eq!(toy.menu(END_TURN), Page::EndTurn);
        toy.tap((100, row(0)));
    }
    assert_eq!(toy.menu(TECHS), Page::Techs);
    let souls = toy.screen.table().shown().state().souls(Side::Yellow);
    let price = toy.screen.table().shown().config().spell_price();
    let points = toy.screen.table().shown().state().budget().tech_points;
    toy.tap((40, 115));
    let after = toy.screen.table().shown().state();
    if souls >= price {
        assert_eq!((after.souls(Side::Yellow), after.budget().tech_points), (souls - price, points + 1));
    } else {
        assert!(toy.screen.ui().refused);
    }
    toy.tap(BAR);
    assert_eq!(toy.menu(RESIGN), Page::Resign);
    // Behind the way back and the boards.
    let game = if MOST > 7 {
        assert_eq!(toy.tap(MORE), Page::Resign);
        8
    } else {
        1 + MOST
    };
    assert_eq!(toy.tap((100, row(game))), Page::Result);
    assert_eq!(toy.tap((100, 80)), Page::Title);
}

#[test]
fn a_touch_beside_entries_and_hexes_does_nothing() {
    let mut toy = Toy::new();
    // The title has two entries, the settings of two boards eight.
    for y in [80, 125, 140] {
        assert_eq!(toy.tap((100, y)), Page::Title);
    }
    toy.tap((100, 96));
    let before = toy.screen.ui().settings;
    for y in 108..150 {
        toy.tap((100, y));
    }
    assert_eq!(toy.screen.ui().settings, before);
    // A piece that was chosen is let go, and nothing that was entered is taken back.
    let mut toy = Toy::begin(2);
    toy.press(&[Buttons::SELECT, Buttons::SELECT, Buttons::A, Buttons::SELECT, Buttons::A]);
    let entered = toy.screen.table().shown().clone();
    assert_ne!(&entered, toy.screen.table().start());
    toy.press(&[Buttons::SELECT, Buttons::A]);
    assert_ne!(format!("{:?}", toy.screen.ui().aim), "None");
    for _ in 0..3 {
        toy.tap((10, 100));
        assert_eq!(format!("{:?}", toy.screen.ui().aim), "None");
        assert_eq!(toy.screen.table().shown(), &entered);
    }
}

#[test]
fn every_setting_of_many_boards_is_touched_where_it_stands() {
    let mut toy = Toy::begin(MOST);
    assert_eq!(toy.menu(TITLE), Page::Title);
    assert_eq!(toy.tap((100, 92 + 13 + 6)), Page::NewGame);
    for board in 0..MOST {
        let before = toy.screen.ui().settings.maps;
        toy.tap(setting(6 + board, MOST));
        let mut wanted = before;
        wanted[usize::from(board)] = (wanted[usize::from(board)] + 1) % MapLabel::ALL.len() as u8;
        assert_eq!(toy.screen.ui().settings.maps, wanted, "board {board}");
    }
}

#[test]
fn a_refusal_is_gone_with_its_page() {
    let mut toy = Toy::begin(2);
    toy.press(&[Buttons::LEFT, Buttons::UP, Buttons::UP, Buttons::A]);
    assert!(toy.screen.ui().refused && toy.screen.ui().page == Page::Board);
    toy.press(&[Buttons::START]);
    assert!(!toy.screen.ui().refused, "{}", toy.screen.ui().message);
    // So it is with one of another entry.
    toy.press(&[
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::DOWN,
        Buttons::A,
        Buttons::RIGHT,
        Buttons::A,
    ]);
    assert!(toy.screen.ui().refused && toy.screen.ui().page == Page::Techs);
    toy.press(&[Buttons::LEFT]);
    assert!(!toy.screen.ui().refused);
}

#[test]
fn what_is_left_of_a_turn_is_said_in_three_lines_on_any_number_of_boards() {
    for boards in 1..=MOST {
        let toy = Toy::begin(boards);
        let mut rest = toy.screen.rest_of_turn();
        assert!(rest.contains("souls") && rest.ends_with('.'), "{rest}");
        for _ in 0..3 {
            let (line, next) = font::wrapped(&rest, WIDTH - 8);
            assert!(font::width(line) <= WIDTH - 8);
            rest = next.try_into().unwrap();
        }
        assert_eq!(rest, "", "{boards} boards");
    }
}

/// Entries of the page that is shown.
fn entries(toy: &mut Toy) -> usize {
    toy.press(&[Buttons::RIGHT; 32]);
    toy.screen.ui().choice() + 1
}

#[test]
fn turns_on_many_boards_are_proposed_and_shown_whole() {
    let mut toy = Toy::begin(MOST);
    let mut most = 0;
    while toy.screen.table().start().state().turn() < 40 && !toy.screen.table().is_over() {
        toy.press(&[Buttons::START]);
        // A unit to keep stands before.
        let keep = usize::from(entries(&mut toy) > MENU);
        toy.press(&[Buttons::LEFT; 32]);
        toy.press(&[Buttons::DOWN; HINT + 1][..HINT + keep]);
        toy.press(&[Buttons::A]);
        assert_eq!(toy.screen.ui().page, Page::Hint);
        let proposed = entries(&mut toy) - 1;
        toy.press(&[Buttons::LEFT; 32]);
        toy.press(&[Buttons::A]);
        let mut memory = DraftMemory::new();
        let turn = Greedy::new(1).choose_in(toy.screen.table().start(), &mut memory);
        let whole = actions_of(turn, toy.screen.table().start().state().budget()).count();
        assert_eq!((proposed, toy.screen.table().record().entered().count()), (whole, whole));
        most = most.max(whole);
        toy.press(&[Buttons::START, Buttons::A, Buttons::A]);
    }
    assert!(MOST < 8 || most > 100, "{most}");
}

#[test]
fn a_new_game_leaves_the_saved_one_until_a_turn_has_ended() {
    let mut toy = Toy::begin(1);
    toy.press(&[Buttons::START, Buttons::A, Buttons::A]);
    let saved = toy.memory;
    assert_ne!(saved, [0; SAVE_BYTES]);
    let mut next = Toy { screen: GameScreen::new(MACHINE), memory: saved };
    next.screen.look_at_save(&saved);
    next.press(&[Buttons::DOWN, Buttons::A, Buttons::START]);
    assert_eq!(next.screen.ui().page, Page::Board);
    assert!(next.memory == saved);
    next.press(&[Buttons::START, Buttons::A, Buttons::A]);
    assert!(next.memory != saved);
}

#[test]
fn a_machine_with_fewer_levels_and_boards_goes_on_with_a_game_that_it_has_room_for() {
    let small = Machine { levels: &[EASY], max_boards: 1, ..MACHINE };
    for (boards, taken) in [(1, true), (2, false)] {
        let mut toy = Toy::begin(boards);
        // The hardest level, and for the next game more boards than the other machine has.
        assert_eq!(toy.menu(LEVEL), Page::Level);
        toy.tap((100, row(2)));
        assert_eq!(toy.menu(TITLE), Page::Title);
        assert_eq!(toy.tap((100, 92 + 13 + 6)), Page::NewGame);
        toy.set_boards(MOST);
        assert_eq!(toy.screen.ui().level, 2);
        let mut state = [0; SAVE_BYTES];
        toy.screen.save(&mut state);
        let mut other = GameScreen::new(small);
        assert_eq!(other.load(&state).is_ok(), taken, "{boards} boards");
        if taken {
            assert_eq!(other.table().shown(), toy.screen.table().shown());
            assert_eq!((other.ui().level, other.ui().settings.level, other.ui().settings.boards), (0, 0, 1));
        }
    }
}
