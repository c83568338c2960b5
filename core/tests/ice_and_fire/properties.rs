//! Properties of every game: the engine agrees with the slow referee, positions are valid, and what a player is
//! told can be read back.

use barrow_core::contests::ice_and_fire::input::{InputReader, MineSpotLines, TurnInput};
use barrow_core::contests::ice_and_fire::{Game, Map, Rules, State};
use barrow_core::rng::Rng;
use proptest::prelude::*;

use barrow_testing::ice_and_fire::Referee;

/// A line of commands, most of which have a chance to be done.
fn line(game: &Game, dice: &mut Rng) -> String {
    let state = game.state();
    let player = state.mover();
    let mut commands = Vec::new();
    let any = |dice: &mut Rng| (dice.below(13), dice.below(13));
    for _ in 0..dice.below(14) {
        let near = state.playable(player);
        let place = near.iter().nth(dice.below(near.len()) as usize);
        let (x, y) = match place {
            Some(cell) if dice.chance(4, 5) => (cell.x().into(), cell.y().into()),
            _ => any(dice),
        };
        commands.push(match dice.below(8) {
            0..4 => {
                let units = state.units(player);
                let unit = units.iter().nth(dice.below(units.len()) as usize);
                let id = unit.and_then(|cell| game.id(cell)).unwrap_or(dice.below(9));
                let beside =
                    unit.and_then(|cell| cell.to_set().neighbours().iter().nth(dice.below(4) as usize));
                let (x, y) = match beside {
                    Some(cell) if dice.chance(1, 2) => (cell.x().into(), cell.y().into()),
                    _ => any(dice),
                };
                format!("MOVE {id} {x} {y}")
            }
            4 => format!("TRAIN {} {x} {y}", dice.below(5)),
            5 => format!("TRAIN 1 {x} {y}"),
            6 => format!("BUILD MINE {x} {y}"),
            _ => format!("BUILD TOWER {x} {y}"),
        });
    }
    if commands.is_empty() { "WAIT".to_owned() } else { commands.join(";") }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ice_and_fire_games_equal_those_of_the_slow_referee(
        map_seed in 0_u64..5_000, seed in any::<u64>(), contest in any::<bool>(), rich in any::<bool>(),
    ) {
        let rules = if contest { Rules::CONTEST } else { Rules::PERMANENT };
        let map = Map::generate(map_seed, &rules);
        let mut dice = Rng::new(seed);
        let mut game = Game::new(&map);
        let mut slow = Referee::new(&map);
        slow.begin(0);
        while game.outcome().is_none() {
            let mover = game.state().mover();
            let text = TurnInput::new(&game, mover).to_string();
            prop_assert_eq!(&text, &slow.input(mover.index()));
            prop_assert_eq!(game.state().check(), Ok(()));
            // Those who save have more to spend at once, and meet more of the rules.
            let line = if rich && dice.chance(1, 3) { "WAIT".to_owned() } else { line(&game, &mut dice) };
            let report = game.execute(&rules, &line).unwrap();
            prop_assert_eq!(report.done, slow.execute(&rules, mover.index(), &line), "{}", line);
            if game.outcome().is_none() {
                prop_assert_eq!(TurnInput::new(&game, mover).to_string(), slow.input(mover.index()), "{}", line);
            }
            prop_assert_eq!(game.state().conqueror().is_some(), slow.captured);
            game.pass();
            if game.outcome().is_none() {
                slow.begin(mover.opponent().index());
            }
        }
    }

    #[test]
    fn ice_and_fire_games_can_be_followed_from_their_input(map_seed in 0_u64..5_000, seed in any::<u64>()) {
        let rules = Rules::PERMANENT;
        let mut dice = Rng::new(seed);
        let mut game = Game::new(&Map::generate(map_seed, &rules));
        let mut readers = [InputReader::new(), InputReader::new()];
        for reader in &mut readers {
            for line in MineSpotLines(game.state().mine_spots()).to_string().lines() {
                prop_assert_eq!(reader.line(line), Ok(None));
            }
        }
        for _ in 0..40 {
            if game.outcome().is_some() {
                break;
            }
            let mover = game.state().mover();
            let text = TurnInput::new(&game, mover).to_string();
            let mut read = None;
            for line in text.lines() {
                read = readers[mover.index()].line(line).unwrap();
            }
            let read: Game = read.unwrap();
            let state: &State = read.state();
            prop_assert_eq!(state, game.state());
            prop_assert_eq!(TurnInput::new(&read, mover).to_string(), text);
            let line = line(&game, &mut dice);
            game.execute(&rules, &line).unwrap();
            game.pass();
        }
    }
}
