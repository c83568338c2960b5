//! Games at a terminal, without one: keys go to the state, and frames are read as text.

mod choices;
mod guide;
mod wild_keys;

use std::time::Duration;

use barrow_core::hex::Hex;
use barrow_core::minions::players::Greedy;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset, Side};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::effect::Effect;
use super::engine_thread::SearchAnswer;
use super::keys::Key;
use super::level::Level;
use super::palette::Palette;
use super::play_state::{Beginning, Layer, PlayState};
use super::screen::draw;
use crate::engine::SearchResult;
use crate::notation::{AnnotatedGame, PlayRecord, Players, left_at};

/// A game that has begun.
fn state_of(game: Game, person: Side) -> (PlayState, Vec<Effect>) {
    let beginning = Beginning { game, person, level: Level::DEFAULT, turn_time: None, record_file: None };
    let mut state = PlayState::new(beginning);
    let effects = state.begin(&[]);
    (state, effects)
}

fn start() -> PlayState {
    state_of(Game::new(GameConfig::default(), 0), Side::Yellow).0
}

/// The screen as text, blanks at the ends of lines left out.
fn screen(state: &PlayState, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    draw(&mut buffer, state, Palette { color: true });
    let mut text = String::new();
    for y in 0..height {
        let line: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Presses keys: a letter stands for itself, and others go by name between angle brackets.
fn press(state: &mut PlayState, keys: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut rest = keys;
    while let Some(letter) = rest.chars().next() {
        let mut next = &rest[letter.len_utf8()..];
        let mut key = Key::Char(letter);
        if letter == '<'
            && let Some((name, after)) = next.split_once('>')
        {
            next = after;
            key = match name {
                "enter" => Key::Enter,
                "esc" => Key::Escape,
                "tab" => Key::Tab,
                "up" => Key::Up,
                "down" => Key::Down,
                "left" => Key::Left,
                "right" => Key::Right,
                "back" => Key::Backspace,
                "ctrl-c" => Key::Interrupt,
                _ => panic!("no key {name}"),
            };
        }
        rest = next;
        effects.extend(state.press(key));
    }
    effects
}

fn go_to(state: &mut PlayState, name: &str) {
    state.hex = Hex::named(name).unwrap();
}

/// Answers the search that was asked for with a simple player's turn.
fn answer(state: &mut PlayState, effects: &[Effect]) -> Vec<Effect> {
    let request = effects.iter().find_map(|effect| match effect {
        Effect::Search(request) => Some(request),
        _ => None,
    });
    let request = request.expect("a search was asked for");
    let turn = Greedy::new(1).choose(&request.game);
    state.answer(SearchAnswer { id: request.id, result: SearchResult::unsearched(turn, 0.5) })
}

fn records(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Record(_))).count()
}

#[test]
fn a_turn_is_entered_taken_back_and_ended() {
    let mut state = start();
    go_to(&mut state, "d2");
    press(&mut state, "<enter>");
    assert!(state.aim.is_some(), "{}", state.message);
    press(&mut state, "<right><enter>");
    assert_eq!(state.entry.lines(), ["action board 0 move d2e2"], "{}", state.message);
    assert!(screen(&state, 80, 24).contains("board 0: zombie d2 walks to e2"));
    press(&mut state, "u");
    assert!(state.entry.lines().is_empty() && state.shown == state.game);
    press(&mut state, "u");
    assert!(state.message.contains("nothing to take back"));
    press(&mut state, "t<enter>");
    assert_eq!(state.entry.lines(), ["action tech 1"]);
    assert!(matches!(state.layers[..], [Layer::Menu(_)]), "further steps may follow");
    let effects = press(&mut state, "<esc>e");
    assert_eq!(records(&effects), 1);
    assert_eq!(state.game.side_to_move(), Side::Blue);
    assert!(screen(&state, 80, 24).starts_with("Turn 2, Blue to move, the engine thinks"));
    let effects = answer(&mut state, &effects);
    assert_eq!(records(&effects), 1);
    assert!(state.is_persons_turn());
    assert!(screen(&state, 80, 24).contains("Blue has played"));
    press(&mut state, "<esc>");
    assert!(state.layers.is_empty());
}

#[test]
fn what_the_rules_forbid_is_explained_and_changes_nothing() {
    let mut state = start();
    go_to(&mut state, "d2");
    press(&mut state, "<enter>");
    go_to(&mut state, "h5");
    press(&mut state, "<enter>");
    assert!(state.message.contains("no legal path is short enough"), "{}", state.message);
    assert!(state.aim.is_some(), "another hex can be chosen");
    press(&mut state, "<esc>:0 d2j9<enter>");
    assert!(state.message.starts_with("not possible: "), "{}", state.message);
    assert!(matches!(&state.layers[..], [Layer::Prompt(prompt)] if prompt.text == "0 d2j9"));
    press(&mut state, "<esc>p");
    assert!(state.message.contains("first turn"), "{}", state.message);
    press(&mut state, "bk");
    assert!(state.entry.lines().is_empty());
    // While the engine has the move there is nothing to enter.
    let effects = press(&mut state, "e<down><enter>");
    assert_eq!(records(&effects), 1);
    for keys in ["t<esc>", ":", "u", "h", "e", "r"] {
        press(&mut state, keys);
        assert!(!state.is_persons_turn() && state.entry.lines().is_empty(), "{keys}");
    }
    assert!(state.message.contains("Blue has the move"), "{}", state.message);
    assert!(matches!(press(&mut state, "m")[..], [Effect::StopSearch]));
}

#[test]
fn a_hint_replaces_the_turn_and_an_answer_that_nobody_waits_for_is_dropped() {
    let mut state = start();
    press(&mut state, ":0 d2e2<enter>");
    let asked = press(&mut state, "h");
    answer(&mut state, &asked);
    assert!(screen(&state, 80, 24).contains("Yellow wins with "));
    press(&mut state, "<enter>");
    assert!(state.entry.turn().is_ok() && !state.entry.lines().is_empty());
    assert!(state.message.starts_with("the hint is entered"), "{}", state.message);
    let asked = press(&mut state, "h");
    let effects = press(&mut state, "e");
    assert!(matches!(effects[0], Effect::StopSearch) && records(&effects) == 1);
    assert!(answer(&mut state, &asked).is_empty());
    assert_eq!(records(&answer(&mut state, &effects)), 1);
}

#[test]
fn the_engine_keeps_its_cards_to_itself() {
    let mut game = Game::new(GameConfig::default(), 3);
    for seed in 0..9 {
        game.play(&Greedy::new(seed).choose(&game)).unwrap();
    }
    let engine = game.side_to_move().opponent();
    let held = game.state().boards().iter().any(|board| !board.hand(engine).is_empty());
    assert!(held, "the test wants a position with cards");
    let person = engine.opponent();
    let (mut state, _) = state_of(game, person);
    for (index, board) in state.game.clone().state().boards().iter().enumerate() {
        state.board = index;
        let hand = board.hand(engine);
        let text = screen(&state, 200, 60);
        let line =
            text.lines().find(|line| line.starts_with(engine.name()) && line.contains("income")).unwrap();
        assert!(hand.is_empty() || line.contains(&format!("hand of {}", hand.len())), "{line}");
        press(&mut state, "v");
        let Some(Layer::Page(page)) = state.layers.pop() else { panic!("a page") };
        let lines = page.lines.iter().filter(|line| line.starts_with(&format!("  {}:", engine.name())));
        for line in lines {
            assert!(!line.contains(" hand ") || line.contains(" hand of "), "{line}");
        }
    }
    press(&mut state, "r");
    press(&mut state, "<down><down><down><enter>");
    assert!(state.is_over() && state.hidden().is_none(), "{}", state.message);
}

#[test]
fn a_turn_ends_when_its_time_is_up() {
    let mut state = start();
    state.clocks.limit = Some(Duration::from_mins(1));
    press(&mut state, ":0 d2e2<enter>");
    assert!(!state.tick(Duration::from_secs(59)));
    assert!(state.tick(Duration::from_secs(1)));
    let effects = state.time_is_up();
    assert_eq!(records(&effects), 1);
    assert_eq!(state.game.side_to_move(), Side::Blue);
    assert!(!state.tick(Duration::from_secs(1000)), "the engine has its own limits");
}

#[test]
fn leaving_asks_for_what_no_file_has() {
    let mut state = start();
    assert!(matches!(press(&mut state, "q")[..], [Effect::Leave]), "nothing is lost");
    press(&mut state, ":0 d2e2<enter>");
    assert!(press(&mut state, "q").is_empty());
    assert!(screen(&state, 80, 24).contains("Leave the game?"));
    assert!(press(&mut state, "<enter>").is_empty() && state.layers.is_empty());
    assert!(matches!(press(&mut state, "q<down><enter>")[..], [Effect::SaveAndLeave]));
    assert!(matches!(press(&mut state, "<ctrl-c><ctrl-c>")[..], [Effect::SaveAndLeave]));
    assert!(state.is_unsaved());
    assert!(matches!(press(&mut state, "<esc><ctrl-c><down><down><enter>")[..], [Effect::Leave]));
    assert!(!state.is_unsaved(), "the player said so");
}

#[test]
fn a_saved_game_comes_back_with_the_turn_that_was_being_entered() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("a.mgn").display().to_string();
    let mut state = start();
    let players = Players { person: Side::Yellow, limits: "nodes 1".to_owned(), network: None };
    let mut record = PlayRecord::new(players.game(&state.game, None), None, false).unwrap();
    let mut effects = press(&mut state, "t<enter><esc>e");
    effects.extend(answer(&mut state, &effects));
    for effect in effects {
        if let Effect::Record(turn) = effect {
            record.turn(&turn.before, &turn.turn, crate::notation::TurnNotes::default()).unwrap();
        }
    }
    press(&mut state, "<esc>:1 d2e2<enter>");
    let (game, lines) = state.left();
    assert_eq!(record.save(&name, false, left_at(game, lines)).unwrap(), 2);
    // It exists now: what replaces it can be typed.
    let told = format!("{:#}", record.save(&name, false, left_at(game, lines)).unwrap_err());
    assert!(told.contains(&format!("exists already; `save! {name}` replaces it")), "{told}");
    let mut typing = start();
    assert!(
        matches!(&press(&mut typing, ":save! b.mgn<enter>")[..], [Effect::SaveOver(file)] if file == "b.mgn")
    );
    assert_eq!(record.save(&name, true, left_at(game, lines)).unwrap(), 2);
    let read = crate::notation::read_game(&name, None, &crate::notation::FileSettings::default()).unwrap();
    let mut other = start();
    // A game that was given up is not gone on with.
    let resigned = AnnotatedGame { ending: Some("Blue resignation".parse().unwrap()), ..read.clone() };
    let refused = other.opened(&resigned).err().unwrap().to_string();
    assert!(refused.starts_with("the game is over, Blue has won (resignation); "), "{refused}");
    let effects = other.opened(&read).unwrap();
    assert!(effects.is_empty(), "it is the player's turn");
    assert_eq!(other.shown, state.shown);
    assert_eq!(other.entry.lines(), ["action board 1 move d2e2"]);
    assert_eq!(other.turns, state.turns);
    assert!(!other.is_unsaved());
}

#[test]
fn a_board_that_was_reset_asks_for_the_unit_to_keep() {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let mut game = Game::new(config, 2);
    let awaits = |game: &Game| (0..2).find(|&board| game.view(board).is_some_and(|view| view.awaits_setup()));
    for seed in 0..200 {
        if game.state().is_over() || awaits(&game).is_some() {
            break;
        }
        game.play(&Greedy::new(seed).choose(&game)).unwrap();
    }
    let board = awaits(&game).expect("a board is won in such a game");
    let side = game.side_to_move();
    let (mut state, _) = state_of(game, side);
    assert!(state.message.contains("was reset") && state.board == board, "{}", state.message);
    press(&mut state, "e<down><enter>");
    assert!(state.message.starts_with("the turn cannot end: "), "{}", state.message);
    press(&mut state, "k<enter>e");
    assert_eq!(state.game.side_to_move(), side.opponent(), "{}", state.message);
}

#[test]
fn a_small_terminal_says_so_and_a_wide_one_has_boards_side_by_side() {
    let state = start();
    for (width, height) in [(79, 24), (80, 23), (10, 2), (1, 1), (0, 0)] {
        let text = screen(&state, width, height);
        assert!(!text.contains("board 0"), "{text}");
    }
    assert!(screen(&state, 60, 20).contains("has 60 x 20 characters"));
    let narrow = screen(&state, 80, 24);
    assert!(narrow.contains("> board 0 of 0 to 1") && !narrow.contains("board 1 of 0 to 1"));
    for (width, height) in [(144, 24), (80, 39)] {
        let text = screen(&state, width, height);
        assert!(text.contains("> board 0 of 0 to 1") && text.contains("  board 1 of 0 to 1"), "{text}");
    }
}

#[test]
fn the_help_fits_the_narrowest_screen() {
    let mut state = start();
    press(&mut state, "?");
    let mut seen = String::new();
    for _ in 0..4 {
        seen += &screen(&state, 80, 24);
        press(&mut state, "<right>");
    }
    for line in super::help::HELP.lines() {
        assert!(seen.contains(&format!("| {line}")), "{line}");
    }
}

#[test]
fn a_game_that_is_over_says_who_has_won() {
    let config = "1 AllLand S,P,W,G,T,H,K,X,A,U,J,V,M,L,O,C,R,Q,B,E,Y,D,1,2,3";
    let config = fen::parse_config(config, Ruleset::Spooky).unwrap();
    let levels = "L".repeat(25);
    let text = format!("50|0 0|0 {levels}|{levels} n|||||0/0/2N7/0/0/0/7D2/7n2/0/0 0 5");
    let game = fen::parse(&text, &config).unwrap();
    let (mut state, _) = state_of(game, Side::Yellow);
    let effects = press(&mut state, ":h6h7<enter>e");
    assert_eq!(records(&effects), 1);
    assert!(effects.iter().all(|effect| !matches!(effect, Effect::Search(_))));
    assert!(screen(&state, 80, 24).contains("you have won"));
    press(&mut state, "b");
    assert!(state.message.contains("the game is over"));
}
