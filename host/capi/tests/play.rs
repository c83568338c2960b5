//! Answers of the interface against those of the libraries: positions, legal actions, undo, turns, values, plans, searches.

mod support;

use core::ffi::c_char;
use core::ptr::{null, null_mut};

use barrow_capi::*;
use barrow_core::minions::players::Greedy;
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::turn_search::ports::Evaluator;
use barrow_core::minions::{Game, GameConfig, Ruleset};
use barrow_nnue::embedded_nets::TINY;
use barrow_nnue::nets::Network;
use barrow_nnue::ports::OraclePort;
use barrow_nnue::shape::Tiny;
use support::{Memory, TERMINATED, error_of, game, read, search};

/// Text of a position with everything that belongs to it.
fn position(game: *mut BarrowGame) -> String {
    // SAFETY: the handle is open.
    read(|buffer, capacity, length| unsafe { barrow_game_write(game, 1, buffer, capacity, length) })
}

/// Sets a game to a position of the library.
fn set(game: *mut BarrowGame, to: &Game) {
    let text = fen::Extended(to).to_string();
    // SAFETY: the handle is open and the text is there.
    let status = unsafe { barrow_game_read(game, text.as_ptr().cast::<c_char>(), text.len(), 0) };
    assert_eq!(status, BARROW_OK, "{}", error_of(game.cast()));
    assert_eq!(position(game), text);
}

fn midgames(step: usize) -> impl Iterator<Item = Game> {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    barrow_testing::MIDGAME.lines().step_by(step).map(move |line| fen::parse(line, &config).unwrap())
}

/// Legal actions of a board or of the general.
fn legal(game: *mut BarrowGame, board: u32) -> Vec<String> {
    let mut count = 0;
    // SAFETY: the handle is open.
    let lines = read(|buffer, capacity, length| unsafe {
        barrow_game_legal(game, board, buffer, capacity, length, &raw mut count)
    });
    let lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), count as usize);
    lines
}

#[test]
fn legal_actions_can_be_applied_and_undone() {
    let (_memory, game) = game();
    let start = Game::new(GameConfig::default(), 3);
    let mut applied = 0;
    for from in midgames(60).chain([start]) {
        set(game, &from);
        let before = position(game);
        for board in (0..from.config().num_boards() as u32).chain([BARROW_GENERAL]) {
            for line in legal(game, board) {
                // SAFETY: the handle is open and the text is there.
                unsafe {
                    let status = barrow_game_apply(game, line.as_ptr().cast(), line.len());
                    assert_eq!(status, BARROW_OK, "{line}: {}", error_of(game.cast()));
                    assert_ne!(position(game), before, "{line}");
                    assert_eq!(barrow_game_undo(game), BARROW_OK);
                }
                assert_eq!(position(game), before, "{line}");
                applied += 1;
            }
        }
        let mut ignored = 0;
        // SAFETY: the handle is open.
        unsafe {
            assert_eq!(barrow_game_undo(game), BARROW_TOO_EARLY);
            assert_eq!(barrow_game_legal(game, 8, null_mut(), 0, &raw mut ignored, null_mut()), BARROW_RANGE);
        }
    }
    assert!(applied > 1000, "{applied}");
}

#[test]
fn a_refused_turn_changes_nothing_and_a_full_log_is_told() {
    let (_memory, game) = game();
    let before = position(game);
    // SAFETY: the handle is open and the texts are there.
    unsafe {
        let turn = c"turn\naction tech 0\naction board 0 move d1e1\naction board 0 move a0b0\nendturn";
        assert_eq!(barrow_game_play(game, turn.as_ptr(), TERMINATED), BARROW_ILLEGAL);
        assert_eq!(error_of(game.cast()), "board 0, action 1: there is no piece on that hex");
        assert_eq!(position(game), before);
        let both = c"action board 0 move d1e1\naction board 0 move a0b0";
        assert_eq!(barrow_game_apply(game, both.as_ptr(), TERMINATED), BARROW_ILLEGAL);
        assert_eq!(position(game), before);
        let nothing = c"action tech 0";
        for _ in 0..64 {
            assert_eq!(barrow_game_apply(game, nothing.as_ptr(), TERMINATED), BARROW_OK);
        }
        let full = position(game);
        assert_eq!(barrow_game_apply(game, nothing.as_ptr(), TERMINATED), BARROW_CAPACITY);
        assert_eq!(position(game), full);
        for _ in 0..64 {
            assert_eq!(barrow_game_undo(game), BARROW_OK);
        }
        assert_eq!(position(game), before);
    }
}

#[test]
fn an_empty_turn_is_named_by_its_first_or_last_line() {
    let (_memory, game) = game();
    let mut facts = BarrowFacts::default();
    // SAFETY: the handle is open and the texts are there.
    unsafe {
        for (turns, lines) in [c"endturn", c"turn", c"turn\nendturn", c"\n endturn\n"].into_iter().enumerate()
        {
            assert_eq!(barrow_game_facts(game, &raw mut facts, size_of_val(&facts)), BARROW_OK);
            assert_eq!(facts.turns, turns as u32);
            let played = barrow_game_play(game, lines.as_ptr(), TERMINATED);
            assert_eq!(played, BARROW_OK, "{}", error_of(game.cast()));
        }
        for lines in [c"", c"\n \n"] {
            assert_eq!(barrow_game_play(game, lines.as_ptr(), TERMINATED), BARROW_UNREADABLE);
            assert_eq!(error_of(game.cast()), "there is no line");
        }
        let late = c"endturn\naction tech 0";
        assert_eq!(barrow_game_play(game, late.as_ptr(), TERMINATED), BARROW_UNREADABLE);
        assert_eq!(error_of(game.cast()), "line 2: the turn has ended before");
    }
}

#[test]
fn no_turn_is_ended_by_what_is_applied() {
    let (_memory, game) = game();
    let mut facts = BarrowFacts::default();
    // SAFETY: the handle is open and the texts are there.
    unsafe {
        for (lines, line) in [(c"endturn", 1), (c"turn\n\nendturn", 3)] {
            assert_eq!(barrow_game_apply(game, lines.as_ptr(), TERMINATED), BARROW_UNREADABLE);
            let text = format!("line {line}: only barrow_game_end_turn and barrow_game_play end a turn");
            assert_eq!(error_of(game.cast()), text);
        }
        // Around actions both lines are passed over.
        let whole = c"turn\naction tech 0\naction board 0 move d1e1\nendturn";
        assert_eq!(barrow_game_apply(game, whole.as_ptr(), TERMINATED), BARROW_OK);
        assert_eq!(barrow_game_facts(game, &raw mut facts, size_of_val(&facts)), BARROW_OK);
        assert_eq!((facts.turns, facts.applied), (0, 1));
    }
}

#[test]
fn greedy_works_in_memory_of_the_caller_if_that_suffices() {
    let (game_memory, game) = game();
    let size = barrow_greedy_size();
    let mut memory = support::Memory::new(size);
    let (lent, mut text) = (memory.start(), [0u8; 8192]);
    let within_game = game.cast::<core::ffi::c_void>();
    // SAFETY: the handle is open and the memory is there.
    unsafe {
        assert_eq!(barrow_game_start(game, c"server".as_ptr(), 6, core::ptr::null(), 0, 5), BARROW_OK);
        let (buffer, capacity, none) = (text.as_mut_ptr().cast(), text.len(), core::ptr::null_mut());
        let faults = [
            (core::ptr::null_mut(), size, BARROW_NULL),
            (lent.byte_add(8), size, BARROW_MISALIGNED),
            (lent, size - 1, BARROW_MEMORY_TOO_SMALL),
            (lent, usize::MAX, BARROW_RANGE),
            (within_game, size, BARROW_OVERLAP),
        ];
        for (place, size, status) in faults {
            assert_eq!(barrow_game_greedy_in(game, 9, place, size, buffer, capacity, none), status);
        }
        assert_eq!(barrow_game_greedy_in(game, 9, lent, size, lent.cast(), size, none), BARROW_OVERLAP);
        let lent = read(|buffer, capacity, length| {
            barrow_game_greedy_in(game, 9, lent, size, buffer, capacity, length)
        });
        assert_eq!(
            lent,
            read(|buffer, capacity, length| barrow_game_greedy(game, 9, buffer, capacity, length))
        );
    }
    drop(game_memory);
}

#[test]
fn a_game_of_greedy_is_the_same_through_the_interface_to_its_end() {
    let (_memory, game) = game();
    let (_copy_memory, copy) = support::game();
    let mut library = Game::new(GameConfig::default(), 5);
    let mut turns = 0;
    // SAFETY: the handles are open and the texts are there.
    unsafe {
        assert_eq!(barrow_game_start(game, c"server".as_ptr(), 6, core::ptr::null(), 0, 5), BARROW_OK);
        while !library.state().is_over() && turns < 400 {
            let text = read(|buffer, capacity, length| barrow_game_greedy(game, 9, buffer, capacity, length));
            let turn = Greedy::new(9).choose(&library);
            assert_eq!(text, umi::TurnText::new(&library, &turn).to_string());
            // Line by line and as a whole come to the same, unless a point is sold or a card bought on the way.
            library.play(&turn).unwrap();
            assert_eq!(barrow_game_copy(copy, game), BARROW_OK);
            assert_eq!(barrow_game_play(game, text.as_ptr().cast(), text.len()), BARROW_OK);
            assert_eq!(position(game), fen::Extended(&library).to_string());
            let whole = barrow_game_apply(copy, text.as_ptr().cast(), text.len());
            assert_eq!((whole, barrow_game_end_turn(copy)), (BARROW_OK, BARROW_OK));
            assert_eq!(position(copy), position(game));
            turns += 1;
        }
        let mut facts = BarrowFacts::default();
        assert_eq!(barrow_game_facts(game, &raw mut facts, size_of_val(&facts)), BARROW_OK);
        assert_eq!((facts.over, facts.turns), (u32::from(turns < 400), turns));
        assert_eq!(facts.key, library.state().key());
        if facts.over == 1 {
            assert_eq!(barrow_game_end_turn(game), BARROW_GAME_OVER);
            assert_eq!(barrow_game_play(game, c"turn".as_ptr(), TERMINATED), BARROW_GAME_OVER);
            let (_memory, search) = search(0);
            assert_eq!(barrow_search_begin(search, game, 0), BARROW_GAME_OVER);
        }
    }
    assert!(turns > 10);
}

/// A handle with the tiny network.
fn tiny() -> (Memory, *mut BarrowNet) {
    let mut memory = Memory::new(barrow_net_size());
    let mut net = null_mut();
    // SAFETY: the memory stays with the handle, the network's file is part of the program.
    unsafe {
        assert_eq!(barrow_net_open(memory.start(), memory.size(), &raw mut net), BARROW_OK);
        assert_eq!(barrow_net_load(net, TINY.as_ptr(), TINY.len()), BARROW_OK);
    }
    (memory, net)
}

#[test]
fn positions_are_valued_as_by_the_network_and_bad_files_are_refused() {
    let (_memory, game) = game();
    let (_net_memory, net) = tiny();
    let network = Network::<Tiny>::from_bytes(TINY).unwrap();
    // SAFETY: the handles are open, and bytes are there for as long as they are used.
    unsafe {
        for from in midgames(100) {
            set(game, &from);
            let (mut win, mut error) = (-1, -1);
            assert_eq!(barrow_evaluate(game, net, &raw mut win, &raw mut error), BARROW_OK);
            let estimate = OraclePort::new(network).evaluate(&from);
            assert_eq!((win, error), (estimate.win, estimate.error));
            assert_eq!(barrow_evaluate(game, null_mut(), &raw mut win, null_mut()), BARROW_OK);
            assert!((0..=BARROW_CERTAIN).contains(&win));
            assert_eq!(barrow_evaluate(game, net, &raw mut win, game.cast()), BARROW_OVERLAP);
            assert_eq!(barrow_evaluate(game, net, net.cast(), null_mut()), BARROW_OVERLAP);
        }
        let about = read(|buffer, capacity, length| barrow_net_write(net, buffer, capacity, length));
        assert!(about.starts_with("tiny, "), "{about}");
        for (start, length) in
            [(1, TINY.len() - 1), (0, TINY.len() - 1), (0, 100), (64, TINY.len() - 64), (0, 0)]
        {
            assert_eq!(barrow_net_load(net, TINY.as_ptr().add(start), length), BARROW_BAD_NET);
            assert!(!error_of(net.cast()).is_empty());
        }
        // What was loaded stays.
        assert_eq!(read(|buffer, capacity, length| barrow_net_write(net, buffer, capacity, length)), about);
        assert_eq!(barrow_net_load_embedded(net, c"huge".as_ptr(), TERMINATED), BARROW_BAD_NET);
    }
}

/// The turns of a search in slices of so many nodes.
fn searched(game: *mut BarrowGame, net: *mut BarrowNet, slice: u64) -> Vec<(String, u32)> {
    let (mut memory, search) = search(200);
    let (mut slices, mut ignored) = (0, 0);
    // SAFETY: the handles are open.
    let turns = unsafe {
        assert_eq!(barrow_search_run(search, 1), BARROW_TOO_EARLY);
        assert_eq!(barrow_search_set_net(search, net), BARROW_OK);
        assert_eq!(barrow_search_set_seed(search, 4), BARROW_OK);
        assert_eq!(barrow_search_set_nodes(search, 60), BARROW_OK);
        assert_eq!(barrow_search_begin(search, game, 0), BARROW_OK);
        let missing = barrow_search_turn(search, 0, null_mut(), 0, &raw mut ignored);
        assert_eq!((missing, barrow_search_run(search, 0)), (BARROW_TOO_EARLY, BARROW_RANGE));
        let mut statistics = BarrowStatistics::default();
        loop {
            let status = barrow_search_run(search, slice);
            slices += 1;
            assert_eq!(
                barrow_search_statistics(search, &raw mut statistics, size_of_val(&statistics)),
                BARROW_OK
            );
            assert_eq!(statistics.nodes, 60.min(slice.saturating_mul(slices)));
            assert!((0..=BARROW_CERTAIN).contains(&statistics.win));
            if status == BARROW_FINISHED {
                break;
            }
            assert_eq!(status, BARROW_OK);
        }
        assert_eq!(barrow_search_run(search, 1), BARROW_FINISHED);
        let turns = (0..statistics.turns).map(|rank| {
            let text =
                read(|buffer, capacity, length| barrow_search_turn(search, rank, buffer, capacity, length));
            let mut turn = BarrowTurn::default();
            let status = barrow_search_turn_statistics(search, rank, &raw mut turn, size_of_val(&turn));
            assert_eq!(status, BARROW_OK);
            (text, turn.visits)
        });
        let turns: Vec<(String, u32)> = turns.collect();
        let beyond = barrow_search_turn(search, statistics.turns, null_mut(), 0, &raw mut ignored);
        assert_eq!(beyond, BARROW_RANGE);
        turns
    };
    assert!(memory.is_intact());
    turns
}

#[test]
fn a_search_finds_the_same_legal_turns_however_it_is_divided() {
    let (_memory, game) = game();
    let (_net_memory, net) = tiny();
    for (from, net) in midgames(150).take(2).zip([net, null_mut()]) {
        set(game, &from);
        let turns = searched(game, net, 1);
        assert_eq!(turns, searched(game, net, 7));
        assert_eq!(turns, searched(game, net, u64::MAX));
        assert!(turns.len() > 1);
        for (turn, _) in &turns {
            set(game, &from);
            // SAFETY: the handle is open and the text is there.
            let status = unsafe { barrow_game_play(game, turn.as_ptr().cast(), turn.len()) };
            assert_eq!(status, BARROW_OK, "{}", error_of(game.cast()));
        }
    }
}

#[test]
fn a_search_with_too_few_words_for_plans_finds_legal_turns_and_a_planner_says_what_is_needed() {
    const WORDS: u32 = 7;
    let (_memory, game) = game();
    let mut memory = Memory::new(barrow_search_size(16, WORDS));
    let mut search = null_mut();
    let mut planner_memory = Memory::new(barrow_planner_size(WORDS));
    let mut planner = null_mut();
    let (mut length, mut count) = (0, 0);
    // SAFETY: the memory stays with the handles, and the buffer has two bytes.
    unsafe {
        let opened = barrow_search_open(memory.start(), memory.size(), 16, WORDS, &raw mut search);
        assert_eq!((opened, barrow_search_begin(search, game, 0)), (BARROW_OK, BARROW_OK));
        assert_eq!(barrow_search_run(search, 20), BARROW_OK);
        let turn = read(|buffer, capacity, length| barrow_search_turn(search, 0, buffer, capacity, length));
        let (size, start) = (planner_memory.size(), planner_memory.start());
        assert_eq!(barrow_planner_open(start, size, WORDS, &raw mut planner), BARROW_OK);
        let planned =
            barrow_planner_plan(planner, game, 0, null(), 0, 400, null_mut(), null_mut(), 0, &raw mut length);
        assert_eq!(planned, BARROW_CAPACITY);
        assert!(error_of(planner.cast()).contains("words, 7 are there"), "{}", error_of(planner.cast()));
        // The number of legal actions and the length of their text are told where the text does not fit.
        let mut buffer = [0; 2];
        let listed = barrow_game_legal(game, 0, buffer.as_mut_ptr(), 2, &raw mut length, &raw mut count);
        assert_eq!(listed, BARROW_BUFFER_TOO_SMALL);
        let lines =
            read(|buffer, capacity, length| barrow_game_legal(game, 0, buffer, capacity, length, null_mut()));
        assert_eq!((length, count as usize), (lines.len(), lines.lines().count()));
        assert_eq!(barrow_game_play(game, turn.as_ptr().cast(), turn.len()), BARROW_OK);
    }
}
