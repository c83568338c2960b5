//! Plans of attacks: legal, as good as they are said to be, and never again once they are forbidden.

mod support;

use core::ffi::c_char;
use core::ptr::null_mut;

use barrow_capi::*;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset};
use support::{Memory, TERMINATED, error_of, game, read};

/// A warg that can attack a zombie, on a board of any map.
const DUEL: &str = "0|0 0|0 LLL|LLL n|||||0/0/2N7/0/2Wz6/0/0/7n2/0/0 0 5";

/// A position beside a board that was reset and that Yellow has to set up.
const DUEL_BESIDE_RESET: &str = "0|0 1|0 LLL|LLL n|||||0/0/2N7/0/2Wz6/0/0/7n2/0/0 \
    1|Z|wz|||0/2ZZ6/1ZNZ6/1ZZ7/0/0/7zz1/6znz1/6zz2/0 0 5 x1 cfg=spooky:2:AllLand,AllLand:SPW:0|0";

fn midgames(step: usize) -> impl Iterator<Item = Game> {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    barrow_testing::MIDGAME.lines().step_by(step).map(move |line| fen::parse(line, &config).unwrap())
}

/// Reads a position under the configuration of the game.
fn set(game: *mut BarrowGame, text: &str) {
    // SAFETY: the handle is open and the text is there.
    let status = unsafe { barrow_game_read(game, text.as_ptr().cast::<c_char>(), text.len(), 0) };
    assert_eq!(status, BARROW_OK, "{}", error_of(game.cast()));
}

/// Begins a game of one board with this map.
fn start(game: *mut BarrowGame, map: &str) {
    let config = format!("1 {map} S,P,W");
    // SAFETY: the handle is open and the text is there.
    let status = unsafe {
        barrow_game_start(game, c"server".as_ptr(), TERMINATED, config.as_ptr().cast(), config.len(), 0)
    };
    assert_eq!(status, BARROW_OK, "{}", error_of(game.cast()));
}

/// A planner with so many words.
fn planner(words: u32) -> (Memory, *mut BarrowPlanner) {
    let mut memory = Memory::new(barrow_planner_size(words));
    let mut planner = null_mut();
    // SAFETY: the memory is there and stays with the handle.
    let status = unsafe { barrow_planner_open(memory.start(), memory.size(), words, &raw mut planner) };
    assert_eq!(status, BARROW_OK);
    (memory, planner)
}

/// Plan on the first board: its status, the goals that it meets, its text.
fn plan(planner: *mut BarrowPlanner, game: *mut BarrowGame, goals: &str) -> (BarrowStatus, u64, String) {
    let (mut buffer, mut met, mut length) = (vec![0u8; 8192], 0, 0);
    // SAFETY: the handles are open, texts and buffers are there.
    let status = unsafe {
        let (goals, goals_length) = (goals.as_ptr().cast(), goals.len());
        let (text, capacity) = (buffer.as_mut_ptr().cast(), buffer.len());
        barrow_planner_plan(
            planner,
            game,
            0,
            goals,
            goals_length,
            400,
            &raw mut met,
            text,
            capacity,
            &raw mut length,
        )
    };
    buffer.truncate(length);
    (status, met, String::from_utf8(buffer).unwrap())
}

fn forbid(planner: *mut BarrowPlanner) -> BarrowStatus {
    // SAFETY: the handle is open.
    unsafe { barrow_planner_forbid(planner) }
}

/// Forbids attacks until none is left.
fn forbid_all(planner: *mut BarrowPlanner, game: *mut BarrowGame) {
    loop {
        let (status, ..) = plan(planner, game, "");
        if status == BARROW_NO_MORE {
            break;
        }
        assert_eq!(status, BARROW_OK, "{}", error_of(planner.cast()));
        assert_eq!(forbid(planner), BARROW_OK);
    }
}

/// Goals that all enemies on the first board be removed.
fn all_enemies(from: &Game) -> String {
    let view = from.view(0).unwrap();
    let enemies = view.board.pieces(view.side.opponent());
    enemies.into_iter().fold(String::new(), |goals, hex| goals + &format!("remove {hex}\n"))
}

#[test]
fn plans_are_legal_and_those_that_are_forbidden_do_not_come_again() {
    let (_memory, game) = game();
    let (mut memory, planner) = planner(0);
    let (mut found, mut most) = (0, 0);
    assert_eq!(forbid(planner), BARROW_TOO_EARLY);
    for from in midgames(100) {
        set(game, &fen::Extended(&from).to_string());
        let view = from.view(0).unwrap();
        let enemies = view.board.pieces(view.side.opponent());
        let goals = all_enemies(&from);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..6 {
            let (status, met, turn) = plan(planner, game, &goals);
            if status == BARROW_NO_MORE {
                break;
            }
            assert_eq!(status, BARROW_OK, "{}", error_of(planner.cast()));
            // SAFETY: the handle is open and the text is there.
            let applied = unsafe { barrow_game_apply(game, turn.as_ptr().cast(), turn.len()) };
            assert_eq!(applied, BARROW_OK, "{}", error_of(game.cast()));
            // SAFETY: the handle is open.
            let text = read(|buffer, capacity, length| unsafe {
                barrow_game_write(game, 1, buffer, capacity, length)
            });
            let after = Game::from_fen(&text).unwrap();
            let left = after.view(0).unwrap().board.pieces(view.side.opponent());
            for (bit, hex) in enemies.into_iter().enumerate() {
                assert_eq!(met >> bit & 1 == 1, !left.contains(hex));
            }
            assert!(seen.insert(turn.clone()), "planned again: {turn}");
            // SAFETY: the handle is open.
            assert_eq!(unsafe { barrow_game_undo(game) }, BARROW_OK);
            assert_eq!(forbid(planner), BARROW_OK);
        }
        assert!(!seen.is_empty());
        found += seen.len();
        most = most.max(seen.len());
    }
    assert!(found > 10 && most == 6 && memory.is_intact(), "{found} {most}");
}

#[test]
fn a_plan_beside_a_board_to_be_set_up_is_applied_but_is_no_whole_turn() {
    let (_memory, game) = game();
    let (_planner_memory, planner) = planner(0);
    set(game, DUEL_BESIDE_RESET);
    let (status, met, lines) = plan(planner, game, "remove d4");
    assert_eq!((status, met), (BARROW_OK, 1), "{}", error_of(planner.cast()));
    // SAFETY: the handle is open and the texts are there.
    unsafe {
        assert_eq!(barrow_game_apply(game, lines.as_ptr().cast(), lines.len()), BARROW_OK);
        assert_eq!(barrow_game_undo(game), BARROW_OK);
        assert_eq!(barrow_game_play(game, lines.as_ptr().cast(), lines.len()), BARROW_ILLEGAL);
        assert_eq!(error_of(game.cast()), "board 1, action 0: the board must be set up first");
        // With the other board set up it is one.
        let whole = lines + "\naction board 1 setup N Z";
        let played = barrow_game_play(game, whole.as_ptr().cast(), whole.len());
        assert_eq!(played, BARROW_OK, "{}", error_of(game.cast()));
    }
}

#[test]
fn nobody_fights_on_a_board_that_was_resigned_and_nothing_is_planned_in_a_game_that_is_over() {
    let (_memory, game) = game();
    let (_planner_memory, planner) = planner(0);
    start(game, "AllLand");
    set(game, DUEL);
    let apply = |lines: &str| {
        // SAFETY: the handle is open and the text is there.
        unsafe { barrow_game_apply(game, lines.as_ptr().cast(), lines.len()) }
    };
    for end in ["end_phase", "resign"] {
        assert_eq!(apply(&format!("action board 0 {end}")), BARROW_OK);
        let (status, met, lines) = plan(planner, game, "remove d4");
        assert_eq!((status, met), (BARROW_OK, 0), "{end}: {}", error_of(planner.cast()));
        assert_eq!(apply(&lines), BARROW_OK, "{end}: {}", error_of(game.cast()));
    }
    // SAFETY: the handle is open.
    assert_eq!(unsafe { barrow_game_end_turn(game) }, BARROW_OK);
    assert_eq!(plan(planner, game, "remove d4").0, BARROW_GAME_OVER);
    assert_eq!(error_of(planner.cast()), "the game is over");
}

#[test]
fn goals_and_boards_that_are_none_are_refused() {
    let (_memory, game) = game();
    let (_planner_memory, planner) = planner(0);
    assert_eq!(plan(planner, game, "remove d4\nhug d4").0, BARROW_UNREADABLE);
    assert!(error_of(planner.cast()).starts_with("line 2: "));
    let mut length = 0;
    // SAFETY: the handles are open.
    let status = unsafe {
        let (goals, length) = (c"".as_ptr(), &raw mut length);
        barrow_planner_plan(planner, game, 8, goals, TERMINATED, 1, null_mut(), null_mut(), 0, length)
    };
    assert_eq!(status, BARROW_RANGE);
}

#[test]
fn attacks_are_forbidden_under_one_configuration_only() {
    let (_memory, game) = game();
    let (_planner_memory, planner) = planner(0);
    let mut keys = Vec::new();
    for map in ["AllLand", "MidnightLake"] {
        start(game, map);
        set(game, DUEL);
        let mut facts = BarrowFacts::default();
        // SAFETY: the handle is open.
        assert_eq!(unsafe { barrow_game_facts(game, &raw mut facts, size_of_val(&facts)) }, BARROW_OK);
        keys.push(facts.key);
        let (status, met, turn) = plan(planner, game, "remove d4");
        assert_eq!((status, met), (BARROW_OK, 1), "{map}");
        assert!(turn.contains("attack"), "{turn}");
        forbid_all(planner, game);
    }
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn a_plan_that_fails_leaves_what_was_forbidden() {
    let (_memory, game) = game();
    // Enough for the small board, not for the crowded one.
    let (_planner_memory, planner) = planner(6000);
    start(game, "AllLand");
    set(game, DUEL);
    forbid_all(planner, game);
    let (_other_memory, other) = support::game();
    let crowded = midgames(1).max_by_key(|from| all_enemies(from).len()).unwrap();
    set(other, &fen::Extended(&crowded).to_string());
    assert_eq!(plan(planner, other, "").0, BARROW_CAPACITY);
    assert_eq!(plan(planner, game, "remove d4").0, BARROW_NO_MORE);
}

#[test]
fn the_plan_before_can_be_forbidden_after_one_whose_text_did_not_fit() {
    let (_memory, game) = game();
    let (_planner_memory, planner) = planner(0);
    start(game, "AllLand");
    set(game, DUEL);
    let mut short = [0u8; 4];
    // SAFETY: the handles are open, texts and buffers are there.
    let status = unsafe {
        let (goals, text) = (c"remove d4".as_ptr(), short.as_mut_ptr().cast());
        barrow_planner_plan(
            planner,
            game,
            0,
            goals,
            TERMINATED,
            400,
            null_mut(),
            text,
            short.len(),
            null_mut(),
        )
    };
    assert_eq!(status, BARROW_BUFFER_TOO_SMALL);
    assert_eq!(forbid(planner), BARROW_TOO_EARLY);
    assert_eq!(plan(planner, game, "remove d4").0, BARROW_OK);
    assert_eq!(forbid(planner), BARROW_OK);
}

#[test]
fn a_plan_that_cannot_be_forbidden_any_more_stays() {
    let (_memory, game) = game();
    let (_planner_memory, planner) = planner(0);
    let crowded = midgames(1).max_by_key(|from| all_enemies(from).len()).unwrap();
    set(game, &fen::Extended(&crowded).to_string());
    for _ in 0..32 {
        assert_eq!(plan(planner, game, "").0, BARROW_OK);
        assert_eq!(forbid(planner), BARROW_OK);
    }
    assert_eq!(plan(planner, game, "").0, BARROW_OK);
    for _ in 0..2 {
        assert_eq!(forbid(planner), BARROW_CAPACITY);
        assert_eq!(error_of(planner.cast()), "no more attacks can be forbidden");
    }
}
