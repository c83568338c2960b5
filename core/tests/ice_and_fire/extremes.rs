//! Numbers that only programs that embed the bot can ask for: rules, weights and purses at the ends of their types.

use barrow_core::contests::ice_and_fire::bot::{
    Assets, CutNode, Expansion, Options, Weights, plan, write_line,
};
use barrow_core::contests::ice_and_fire::input::{InputReader, MineSpotLines, TurnInput};
use barrow_core::contests::ice_and_fire::{Game, Map, MineSpotCount, Rules};
use barrow_core::rng::Rng;

/// A number at one end of its type, at zero, or small.
fn extreme(dice: &mut Rng) -> i32 {
    match dice.below(8) {
        0 | 1 => i32::MAX,
        2 | 3 => i32::MIN,
        4 => 0,
        5 => -1,
        _ => dice.below(2_000_000) as i32 - 1_000_000,
    }
}

fn wild_rules(dice: &mut Rng) -> Rules {
    Rules { mine_cost: extreme(dice), mine_step: extreme(dice), mine_spots: MineSpotCount::Drawn }
}

fn wild_options(dice: &mut Rng) -> Options {
    let weights = Weights {
        income: extreme(dice),
        units: extreme(dice),
        tower: extreme(dice),
        upkeep: extreme(dice),
        mover: extreme(dice),
        fear: extreme(dice),
        reserve: extreme(dice),
    };
    let most = |dice: &mut Rng| if dice.chance(1, 2) { u16::MAX } else { 0 };
    let assets = Assets {
        gold: u8::MAX,
        unit: most(dice),
        tower: most(dice),
        cell: most(dice),
        mine: most(dice),
        upkeep: most(dice),
    };
    let expansion = Expansion {
        last: if dice.chance(1, 2) { u8::MAX } else { 0 },
        plans: 40,
        horizon: u8::MAX,
        least: u8::MAX,
        cell: most(dice),
        unit: most(dice),
        income: most(dice),
        chosen: dice.chance(1, 2),
        ..Expansion::NONE
    };
    Options {
        weights,
        assets,
        expansion,
        towers: dice.chance(1, 2),
        hold: dice.chance(1, 2),
        saving: if dice.chance(1, 2) { u8::MAX } else { 0 },
        lines: dice.below(3) as u8 * 4,
        work: 3_000,
        cuts: 40,
        ..Options::FULL
    }
}

#[test]
fn ice_and_fire_numbers_at_the_ends_of_their_types_are_no_trouble() {
    let mut dice = Rng::new(5);
    for seed in 0..40 {
        let rules = wild_rules(&mut dice);
        let options = [wild_options(&mut dice), wild_options(&mut dice)];
        let mut game = Game::new(&Map::generate(seed, &rules));
        let mut memory = vec![CutNode::EMPTY; 8];
        for turn in 0..24 {
            if game.outcome().is_some() {
                break;
            }
            let planned = plan(game.state(), &rules, &options[turn % 2], &mut memory);
            let mut line = String::new();
            write_line(&game, &rules, &planned.draft, &mut line).unwrap();
            let report = game.execute(&rules, &line).unwrap();
            assert_eq!(report.rejected, 0, "{line}");
            assert_eq!(game.state().check(), Ok(()));
            game.pass();
        }
    }
}

/// Openings that go on until the players' lands touch.
const EARLY: Expansion = Expansion { last: 9, apart: 1, plans: 40, ..Expansion::NONE };

#[test]
fn ice_and_fire_purses_of_any_size_are_played_with() {
    let rules = Rules::PERMANENT;
    let mut dice = Rng::new(6);
    for seed in 0..12 {
        let mut game = Game::new(&Map::generate(seed, &rules));
        for _ in 0..6 {
            let planned = plan(game.state(), &rules, &Options::PLAIN, &mut []);
            let mut line = String::new();
            write_line(&game, &rules, &planned.draft, &mut line).unwrap();
            game.execute(&rules, &line).unwrap();
            game.pass();
        }
        let spots = MineSpotLines(game.state().mine_spots()).to_string();
        let input = TurnInput::new(&game, game.state().mover()).to_string();
        for _ in 0..4 {
            let mut reader = InputReader::new();
            let money: Vec<String> = (0..4).map(|_| extreme(&mut dice).to_string()).collect();
            let lines = spots.lines().chain(money.iter().map(String::as_str)).chain(input.lines().skip(4));
            let rich = lines.filter_map(|line| reader.line(line).unwrap()).last().unwrap();
            for options in [
                Options { work: 3_000, hold: true, saving: 9, expansion: EARLY, ..Options::FULL },
                Options::PLAIN,
            ] {
                let mut memory = vec![CutNode::EMPTY; 8];
                plan(rich.state(), &rules, &options, &mut memory);
            }
        }
    }
}
