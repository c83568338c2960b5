//! The bot: whatever parts are switched on, every action of a turn is accepted, and equal positions give equal turns.

use barrow_core::contests::ice_and_fire::bot::{Assets, CutNode, Expansion, Options, plan, write_line};
use barrow_core::contests::ice_and_fire::input::InputReader;
use barrow_core::contests::ice_and_fire::{Game, Map, Player, Rules, SLOTS};
use barrow_core::contests::partners::Sparring;
use proptest::prelude::*;

use super::cuts::wild;
use super::scene::Scene;

fn options() -> impl Strategy<Value = Options> {
    let switches = any::<[bool; 12]>();
    let numbers = (0_u8..7, 0_u8..3, 1_u8..6, 0_u8..12, 0_u8..9, 0_u8..4, 0_u8..4, 0_u8..40, 0_u32..20_000);
    (switches, numbers, any::<[bool; 2]>(), 0_u8..150).prop_map(
        |(on, (cuts, mines, orders, lines, width, replies, saving, last, work), [chosen, near], gold)| {
            Options {
                hold: on[11],
                expansion: Expansion {
                    last,
                    chosen,
                    apart: if near { 0 } else { 5 },
                    plans: 20,
                    ..Expansion::NONE
                },
                assets: Assets { gold, ..Assets::PLAIN },
                verify: replies,
                cuts,
                defend: on[0],
                defend_move: on[1],
                defend_tower: on[2],
                defend_train: on[3],
                moves: on[4],
                replan_moves: on[5],
                unblock: on[6],
                second_pass: on[7],
                towers: on[8],
                train: on[9],
                replan_train: on[10],
                mines,
                orders,
                lines,
                width,
                replies,
                saving,
                work,
                ..Options::PLAIN
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ice_and_fire_turns_are_accepted_and_repeat(
        map in 0_u64..500, seed in any::<u64>(), turns in 0_u32..60, options in options(), contest in any::<bool>(),
    ) {
        let rules = if contest { Rules::CONTEST } else { Rules::PERMANENT };
        let state = wild(map, seed, turns);
        let mut memory = vec![CutNode::EMPTY; 8];
        let turn = plan(&state, &rules, &options, &mut memory);
        let mut after = state;
        for action in turn.draft.actions() {
            prop_assert!(after.apply(&rules, *action).is_ok(), "{:?}", action);
            prop_assert_eq!(after.check(), Ok(()));
        }
        prop_assert_eq!(&after, turn.draft.state());
        let again = plan(&state, &rules, &options, &mut memory);
        prop_assert_eq!(again.draft.actions(), turn.draft.actions());
        prop_assert_eq!(again.evaluated, turn.evaluated);
        // As text the referee accepts them too.
        let mut game = Game::from_parts(state, std::array::from_fn::<u32, SLOTS, _>(|index| index as u32));
        let mut line = String::new();
        write_line(&game, &rules, &turn.draft, &mut line).unwrap();
        let report = game.execute(&rules, &line).unwrap();
        prop_assert_eq!((report.done as usize, report.rejected), (turn.draft.actions().len(), 0));
        prop_assert_eq!(game.state(), turn.draft.state());
    }
}

#[test]
fn ice_and_fire_bot_takes_headquarters_at_once() {
    let mut rows = ["A..........."; 12];
    rows[10] = "A..........B";
    rows[11] = "AAAAAAAABBBB";
    let game = Scene::new(&rows, [20, 20]).unit(1, 7, 11).turn(Player::Zero);
    for options in [Options::PLAIN, Options::FULL] {
        let mut memory = vec![CutNode::EMPTY; options.lines.into()];
        let turn = plan(game.state(), &Rules::PERMANENT, &options, &mut memory);
        assert_eq!(turn.draft.state().conqueror(), Some(Player::Zero));
        let mut line = String::new();
        write_line(&game, &Rules::PERMANENT, &turn.draft, &mut line).unwrap();
        assert_eq!(line, "MOVE 1 8 11;TRAIN 1 9 11;TRAIN 1 10 11;TRAIN 1 11 11");
    }
}

#[test]
fn ice_and_fire_bot_defends_its_headquarters() {
    // Player 0 walks along the lower edge; player 1 has gold for one tower.
    let mut rows = ["A..........."; 12];
    rows[10] = "A........BBB";
    rows[11] = "AAAAAAAABBBB";
    let scene = |gold| Scene::new(&rows, [30, gold]).unit(1, 7, 11).turn(Player::One);
    let falls = |options: &Options, gold| {
        let game = scene(gold);
        let turn = plan(game.state(), &Rules::PERMANENT, options, &mut []);
        let mut next = *turn.draft.state();
        next.end_turn();
        let reply = plan(&next, &Rules::PERMANENT, &Options::PLAIN, &mut []);
        reply.draft.state().conqueror().is_some()
    };
    let idle = Options {
        defend: false,
        towers: false,
        train: false,
        mines: 0,
        cuts: 0,
        moves: false,
        ..Options::PLAIN
    };
    assert!(falls(&idle, 20));
    assert!(!falls(&Options::PLAIN, 20));
    let towers_only = Options { defend: true, second_pass: true, ..idle };
    assert!(!falls(&towers_only, 20));
}

/// The game of a whole input of the contest's protocol.
fn read_game(text: &str) -> Game {
    let mut reader = InputReader::new();
    let games = text.lines().filter_map(|line| reader.line(line).unwrap());
    games.last().unwrap()
}

#[test]
fn ice_and_fire_answer_does_not_flip_with_the_budget() {
    // A lost game: playouts that ended with the work once beat those that had seen the headquarters fall.
    let game = read_game(include_str!("../data/ice-and-fire-budget-flips.txt"));
    let answer = |work| {
        let mut memory = vec![CutNode::EMPTY; Options::FULL.lines.into()];
        let options = Options { work, ..Options::FULL };
        let turn = plan(game.state(), &Rules::PERMANENT, &options, &mut memory);
        let mut line = String::new();
        write_line(&game, &Rules::PERMANENT, &turn.draft, &mut line).unwrap();
        line
    };
    let answers = [25_000, 30_000, 35_000, 40_000, 60_000].map(answer);
    assert!(answers.iter().all(|line| *line == answers[0]), "{answers:#?}");
    assert_ne!(answers[0], "WAIT");
}

#[test]
fn ice_and_fire_bot_delays_the_fall_of_its_headquarters() {
    // Twelve cells, 92 gold and a unit of level three at the border. The fall is beyond the usual playout, in which waiting
    // looks thriftier; who kills the unit stands two rounds longer.
    let start = read_game(include_str!("../data/ice-and-fire-waits-with-gold.txt"));
    let rules = Rules::PERMANENT;
    let turn = |game: &Game, options: &Options| {
        let mut memory = vec![CutNode::EMPTY; options.lines.into()];
        let turn = plan(game.state(), &rules, options, &mut memory);
        let mut line = String::new();
        write_line(game, &rules, &turn.draft, &mut line).unwrap();
        line
    };
    let turns_to_the_end = |first: &str| {
        let mut game = start.clone();
        game.execute(&rules, first).unwrap();
        game.pass();
        let mut turns = 1;
        while game.outcome().is_none() {
            let line = turn(&game, &Options { lines: 0, ..Options::FULL });
            game.execute(&rules, &line).unwrap();
            game.pass();
            turns += 1;
        }
        turns
    };
    let first = turn(&start, &Options::FULL);
    assert_eq!(turn(&start, &Options { verify: 0, ..Options::FULL }), "WAIT");
    assert!(turns_to_the_end(&first) > turns_to_the_end("WAIT"), "{first}");
}

#[test]
fn ice_and_fire_sparring_partners_play_by_the_rules_and_to_an_end() {
    for rules in [Rules::PERMANENT, Rules::CONTEST] {
        for (seed, one) in (0..).zip(Sparring::ALL) {
            for other in Sparring::ALL {
                let mut game = Game::new(&Map::generate(seed, &rules));
                while game.outcome().is_none() {
                    let sparring = if game.state().mover() == Player::Zero { one } else { other };
                    let draft = sparring.turn(game.state(), &rules);
                    let mut line = String::new();
                    write_line(&game, &rules, &draft, &mut line).unwrap();
                    let report = game.execute(&rules, &line).unwrap();
                    assert_eq!((report.done as usize, report.rejected), (draft.actions().len(), 0));
                    game.pass();
                }
            }
        }
    }
}

#[test]
fn ice_and_fire_plain_bot_beats_the_greedy_one() {
    let rules = Rules::PERMANENT;
    let mut wins = 0;
    for seed in 0..6 {
        for bots in [[Options::PLAIN, Options::GREEDY], [Options::GREEDY, Options::PLAIN]] {
            let mut game = Game::new(&Map::generate(seed, &rules));
            while game.outcome().is_none() {
                let options = &bots[game.state().mover().index()];
                let turn = plan(game.state(), &rules, options, &mut []);
                let mut line = String::new();
                write_line(&game, &rules, &turn.draft, &mut line).unwrap();
                assert_eq!(game.execute(&rules, &line).unwrap().rejected, 0);
                game.pass();
            }
            let winner = game.outcome().unwrap().winner();
            wins += u32::from(winner.is_some_and(|winner| bots[winner.index()] == Options::PLAIN));
        }
    }
    assert!(wins >= 11, "{wins} of 12");
}
