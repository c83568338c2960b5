//! UMI: every turn of random play can be printed, read back and played.

use barrow_core::hex::Hex;
use barrow_core::minions::text::umi;
use barrow_core::minions::{
    Action, BoardAction, Game, GameConfig, GameTurn, MapLabel, Path, Ruleset, UndoLog, View,
};
use barrow_core::rng::Rng;
use proptest::prelude::*;

use barrow_testing::random_play::{play_at_random, random_game};
use barrow_testing::rounds;

/// Parses the printed lines of a turn.
fn read(game: &Game, text: &str) -> GameTurn {
    let mut lines = text.lines();
    let mut reader = umi::TurnReader::new(game, lines.next().unwrap()).unwrap();
    for line in lines {
        reader.read(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    reader.finish(game).unwrap()
}

fn print(game: &Game, turn: &GameTurn) -> String {
    umi::TurnText::new(game, turn).to_string()
}

/// Plays a random simultaneous move: two pieces change places, or one moves to the place of another.
fn play_simultaneous_move(game: &mut Game, board: usize, rng: &mut Rng) -> Option<[BoardAction; 2]> {
    let mut pairs = Vec::new();
    let view: View<'_> = game.view(board)?;
    view.swaps(|one, two| pairs.push([(one, two), (two, one)]));
    for (front, _) in view.board.iter(view.side) {
        for to in view.reach(front) {
            let followers = view.board.iter(view.side).filter(|&(hex, _)| hex.distance(front) == 1);
            pairs.extend(followers.map(|(hex, _)| [(hex, front), (front, to)]));
        }
    }
    let &[first, second] = rng.choose(&pairs)?;
    let named = rng.chance(1, 2);
    let walk = |(from, to): (Hex, Hex), joined| match Path::new(&[from, to]) {
        Some(path) if named && from.distance(to) == 1 => BoardAction::Walk { path, joined },
        _ => BoardAction::Move { from, to, joined },
    };
    let group = [walk(first, true), walk(second, false)];
    game.apply_next(board as u8, &group, &mut UndoLog::off()).ok()?;
    Some(group)
}

/// Generates a legal turn of many random actions.
fn random_turn(start: &Game, rng: &mut Rng, actions: u32) -> GameTurn {
    let mut game = start.clone();
    let mut turn = GameTurn::new();
    // UMI has the setup action of a board before its other actions.
    for board in 0..game.config().num_boards() {
        let mut setups = Vec::new();
        game.legal_board_actions(board, |action| setups.push(action));
        setups.retain(|action| matches!(action, BoardAction::Keep { .. }));
        if let Some(&action) = rng.choose(&setups) {
            game.apply(Action::Board(board as u8, action), &mut UndoLog::off()).unwrap();
            turn.push(board, action).unwrap();
        }
    }
    for _ in 0..actions {
        let board = rng.below(game.config().num_boards() as u32) as usize;
        if rng.chance(1, 4) {
            for action in play_simultaneous_move(&mut game, board, rng).into_iter().flatten() {
                turn.push(board, action).unwrap();
            }
            continue;
        }
        let levels = game.state().tech(game.side_to_move());
        match play_at_random(&mut game, rng) {
            Some(Action::Board(board, action)) => turn.push(usize::from(board), action).unwrap(),
            Some(Action::General(action)) => turn.push_general(game.config(), levels, action).unwrap(),
            None => {}
        }
    }
    turn
}

fn maps() -> impl Strategy<Value = Vec<MapLabel>> {
    prop::collection::vec(prop::sample::select(MapLabel::ALL.to_vec()), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: rounds(300) as u32, max_global_rejects: 3000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn turns_of_random_play_round_trip(
        seed in any::<u64>(), server in any::<bool>(), maps in maps(), turns in 0u32..16, actions in 0u32..60,
    ) {
        let ruleset = if server { Ruleset::Server } else { Ruleset::Spooky };
        let start = random_game(seed, ruleset, &maps, turns, 0);
        prop_assume!(!start.state().is_over());
        let turn = random_turn(&start, &mut Rng::new(seed ^ 1), actions);
        let mut played = start.clone();
        prop_assert_eq!(played.enter(&turn, &mut UndoLog::off()), Ok(()));

        let text = print(&start, &turn);
        let again = read(&start, &text);
        prop_assert_eq!(print(&start, &again), text.clone());
        let mut replayed = start.clone();
        let entered = replayed.enter(&again, &mut UndoLog::off());
        prop_assert_eq!(entered, Ok(()), "{}", text);
        // Without spells the printed turn may enter the spawn phase of a board later; nothing else differs.
        for board in 0..maps.len() {
            let resigned = turn.board(board).contains(&BoardAction::Resign);
            prop_assert!(resigned || same_board(&replayed, &played, board), "{}", text);
        }
        prop_assert_eq!(replayed.state().souls(start.side_to_move()), played.state().souls(start.side_to_move()));
    }

    #[test]
    fn any_words_are_read_or_refused(words in "(action|turn|board|tech|move_cyclic|[a-z0-9 -]{0,12}| )*") {
        let game = Game::new(GameConfig::default(), 0);
        if let Ok(mut reader) = umi::TurnReader::new(&game, "turn") {
            for line in [words.clone(), format!("action {words}"), format!("action board 0 {words}")] {
                let before = reader.finish(&game);
                if reader.read(&line).is_err() {
                    prop_assert_eq!(reader.finish(&game), before);
                }
            }
        }
    }
}

/// Whether a board is equal in both games except for the marks of phases.
fn same_board(one: &Game, other: &Game, index: usize) -> bool {
    let [mut one, mut other] = [one, other].map(|game| game.state().boards()[index].clone());
    for board in [&mut one, &mut other] {
        board.set_marks(barrow_core::minions::Marks { spawn_phase: false, ..board.marks() });
    }
    one == other
}
