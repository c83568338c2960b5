//! The screen played by its buttons alone: whole games, states that are saved and gone on with, containers that are refused.

use barrow_core::minions::{BOARD_CAP, Side};
use barrow_core::rng::Rng;
use barrow_screen::art::palette::Colour;
use barrow_screen::buttons::{Buttons, Touch};
use barrow_screen::draw::{Canvas, HEIGHT, Surface, WIDTH};
use barrow_screen::level::{Level, Machine};
use barrow_screen::save::{SAVE_BYTES, SaveError};
use barrow_screen::screen::GameScreen;
use barrow_screen::ui::Page;

mod toy;

use toy::Toy;

const MACHINE: Machine = Machine {
    name: "test",
    levels: &[Level { name: "easy", about: "plays by simple rules", slices: 0 }],
    default_level: 0,
    max_boards: BOARD_CAP as u8,
    nodes_per_slice: 1,
};

impl Toy {
    fn new() -> Toy {
        let mut screen = GameScreen::new(MACHINE);
        screen.look_at_save(&[0; SAVE_BYTES]);
        Toy { screen, memory: [0; SAVE_BYTES] }
    }

    fn state(&self) -> [u8; SAVE_BYTES] {
        let mut state = [0; SAVE_BYTES];
        self.screen.save(&mut state);
        state
    }

    /// Begins a game with the customary settings on this many boards.
    fn begin(boards: usize) -> Toy {
        let mut toy = Toy::new();
        toy.press(&[Buttons::A, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN]);
        while usize::from(toy.screen.ui().settings.boards) != boards {
            toy.press(&[Buttons::RIGHT]);
        }
        toy.press(&[Buttons::START]);
        assert_eq!(toy.screen.ui().page, Page::Board);
        toy
    }

    /// Lets the engine propose a turn, and plays it.
    fn play_hint(&mut self) {
        let menu =
            [Buttons::START, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN, Buttons::DOWN];
        self.press(&menu);
        // A unit to keep comes before.
        if self.screen.selected().contains("Techs") {
            self.press(&[Buttons::DOWN]);
        }
        assert_eq!(self.screen.selected(), "Hint");
        self.press(&[Buttons::A, Buttons::A, Buttons::START, Buttons::A, Buttons::A]);
    }
}

#[derive(Clone)]
struct Pixels(Vec<Colour>);

impl Surface for Pixels {
    fn span(&mut self, x: usize, y: usize, pixels: &[Colour]) {
        assert!(x + pixels.len() <= WIDTH && y < HEIGHT, "{x} {y} {}", pixels.len());
        self.0[y * WIDTH + x..][..pixels.len()].copy_from_slice(pixels);
    }
}

fn drawn_afresh(screen: &GameScreen) -> Pixels {
    let mut pixels = Pixels(vec![0; WIDTH * HEIGHT]);
    Canvas::new().draw(screen, &mut pixels);
    pixels
}

fn random_input(rng: &mut Rng) -> (Buttons, Option<Touch>) {
    let touch = rng
        .chance(1, 12)
        .then(|| Touch { x: rng.below(WIDTH as u32) as u8, y: rng.below(HEIGHT as u32) as u8 });
    // Mostly A and directions, else nothing is ever done.
    let buttons = match rng.below(12) {
        0..=4 => Buttons::A,
        5 => Buttons::START,
        6 => Buttons::SELECT,
        _ => Buttons(1 << rng.below(10)),
    };
    (buttons, touch)
}

/// A monkey at the buttons: nothing panics, every state can be gone on with, and what is drawn bit by bit is what is drawn
/// afresh.
#[test]
fn any_buttons_give_states_that_go_on_the_same() {
    let mut pages = 0_u32;
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut toy =
            if seed % 2 == 0 { Toy::new() } else { Toy::begin(1 + seed as usize % BOARD_CAP.min(4)) };
        let mut canvas = Canvas::new();
        let mut pixels = Pixels(vec![0; WIDTH * HEIGHT]);
        let mut other = Toy::new();
        for step in 0..1500 {
            let (buttons, touch) = random_input(&mut rng);
            if step % 50 == 0 {
                other.memory = toy.memory;
                other.screen.load(&toy.state()).unwrap();
                assert_eq!(other.state(), toy.state());
            }
            for held in [buttons, Buttons::default()] {
                toy.frame(held, touch);
                other.frame(held, touch);
            }
            assert!(other.state() == toy.state(), "seed {seed}, step {step}");
            canvas.draw(&toy.screen, &mut pixels);
            pages |= 1 << toy.screen.ui().page as u32;
            if step % 25 == 0 {
                assert!(pixels.0 == drawn_afresh(&toy.screen).0, "seed {seed}, step {step}");
            }
        }
    }
    assert!(pages.count_ones() > 12, "{pages:b}");
}

#[test]
fn a_whole_game_is_played_by_buttons_and_gone_on_with_after_switching_off() {
    let mut toy = Toy::begin(1);
    for turn in 0..200 {
        if toy.screen.table().is_over() {
            break;
        }
        if turn == 5 {
            let mut next = Toy { screen: GameScreen::new(MACHINE), memory: toy.memory };
            next.screen.look_at_save(&next.memory);
            next.press(&[Buttons::A]);
            assert_eq!(next.screen.ui().page, Page::Board);
            assert_eq!(next.screen.table().shown(), toy.screen.table().shown());
            toy = next;
        }
        let before = toy.screen.table().start().state().turn();
        toy.play_hint();
        assert!(toy.screen.table().is_over() || toy.screen.table().start().state().turn() == before + 2);
    }
    assert!(toy.screen.table().winner().is_some());
    assert_eq!(toy.screen.ui().page, Page::Result);
    toy.press(&[Buttons::A]);
    assert_eq!(toy.screen.ui().page, Page::Title);
}

#[test]
fn damaged_foreign_and_truncated_containers_change_nothing() {
    let mut toy = Toy::begin(2);
    toy.play_hint();
    let good = toy.state();
    let mut target = Toy::begin(1);
    let before = target.state();
    let mut refuse = |bytes: &[u8], error: SaveError| {
        assert_eq!(target.screen.load(bytes), Err(error));
        assert!(target.state() == before);
    };
    refuse(&[], SaveError::Size);
    refuse(&good[..SAVE_BYTES - 1], SaveError::Size);
    refuse(&[0; SAVE_BYTES], SaveError::Foreign);
    for place in [8, 10, 11] {
        let mut bad = good;
        bad[place] ^= 1;
        refuse(&bad, SaveError::Version);
    }
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let mut bad = good;
        bad[12 + rng.below(SAVE_BYTES as u32 - 12) as usize] ^= 1 << rng.below(8);
        refuse(&bad, SaveError::Checksum);
    }
}

/// Containers whose checksum is right and whose content is not: whoever makes them up gets an error or a game, never a
/// panic, and on an error nothing has changed.
#[test]
fn containers_that_were_made_up_are_refused_or_played() {
    let mut toy = Toy::begin(2);
    toy.play_hint();
    let good = toy.state();
    let mut rng = Rng::new(3);
    let mut target = Toy::begin(1);
    let (mut refused, mut taken) = (0, 0);
    for _ in 0..600 {
        let mut bad = good;
        for _ in 0..1 + rng.below(2) {
            // State of the screen and the used part of the record.
            bad[16 + rng.below(2600) as usize] = rng.below(256) as u8;
        }
        barrow_screen::save::sign(&mut bad);
        let before = target.state();
        match target.screen.load(&bad) {
            Ok(()) => {
                taken += 1;
                target.press(&[Buttons::A, Buttons::START, Buttons::B, Buttons::RIGHT, Buttons::A]);
                drawn_afresh(&target.screen);
            }
            Err(error) => {
                assert_eq!(error, SaveError::Content);
                assert!(target.state() == before);
                refused += 1;
            }
        }
    }
    assert!(refused > 50 && taken > 50, "{refused} {taken}");
}

#[test]
fn undo_takes_back_one_action_at_a_time() {
    let mut toy = Toy::begin(1);
    let start = toy.screen.table().shown().clone();
    // The cursor is on the necromancer: a step to the next zombie, which walks to the right.
    toy.press(&[Buttons::SELECT, Buttons::SELECT, Buttons::A, Buttons::SELECT, Buttons::A]);
    assert_ne!(toy.screen.table().shown(), &start, "{}", toy.screen.ui().message);
    toy.press(&[Buttons::B, Buttons::B]);
    assert_eq!(toy.screen.table().shown(), &start);
    assert_eq!(toy.screen.ui().person, Side::Yellow);
}
