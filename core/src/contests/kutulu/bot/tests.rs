//! The bot in small states.

extern crate std;
use super::local_game::SearchRoot;
use super::yell::{spooks_of_step, step_after_yell};
use super::*;
use crate::contests::kutulu::{
    Action, Constants, Direction, EXPLORERS, Effect, EffectKind, Explorer, Map, MapTables, Minion,
    MinionPhase, State, pool_map,
};
use crate::contests::lcg48::Lcg48;
use crate::rng::Rng;
use crate::search::smitsimax::{Node, Simultaneous};
use std::vec;

const CONSTANTS: Constants = Constants { lonely: 3, group: 1, spawn_time: 3, life: 40 };

fn tables(rows: &[&'static str]) -> MapTables {
    MapTables::new(&Map::read(rows[0].len(), rows.len(), rows.iter().copied()).unwrap())
}

/// Explorers at these squares, in turn 1.
fn state(tables: &MapTables, places: &[(i16, i16)]) -> State {
    let mut state = State::empty(CONSTANTS, Lcg48::new(1));
    for (id, &(x, y)) in places.iter().enumerate() {
        let cell = tables.map().at(x, y).unwrap();
        state.alive |= 1 << id;
        state.explorers[id] = Explorer { cell, sanity: 250, plans: 2, lights: 3, ..Explorer::default() };
    }
    state
}

fn add_wanderer(tables: &MapTables, state: &mut State, x: i16, y: i16, target: Option<u8>) {
    let cell = tables.map().at(x, y).unwrap();
    let id = state.next_id;
    let minion = Minion { id, cell, phase: MinionPhase::Wandering, counter: 30, target, ..Minion::default() };
    state.minions.push(minion).unwrap();
    state.next_id += 1;
}

fn choose(tables: &MapTables, state: &State, own: usize) -> (Action, DecisionReport) {
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = SearchPlayer::new(tables, Tuning::DEFAULT, 3);
    player.choose(tables, state, own, &mut nodes, &mut |simulations| simulations < 1500)
}

#[test]
fn kutulu_rule_12_4_depth_follows_walks_and_crowd() {
    // A long hallway: 729 walks of length 6, alone. The open floor: 257 of length 4.
    let hallway = tables(&["....................."]);
    let scene = SearchRoot::new(&hallway, &state(&hallway, &[(10, 0)]), 0, &Tuning::DEFAULT);
    assert_eq!((hallway.branch(hallway.map().at(10, 0).unwrap(), 6), scene.depth), (729, 6));
    let floor = MapTables::new(&pool_map(1).unwrap());
    let mut open = state(&floor, &[(5, 5)]);
    assert_eq!(SearchRoot::new(&floor, &open, 0, &Tuning::DEFAULT).depth, 4);
    for _ in 0..8 {
        add_wanderer(&floor, &mut open, 5, 7, None);
    }
    assert_eq!(SearchRoot::new(&floor, &open, 0, &Tuning::DEFAULT).depth, 3);
    // With all the work there is, as deep as may be.
    let tuning = Tuning { branch_budget: u32::MAX, ..Tuning::DEFAULT };
    assert_eq!(SearchRoot::new(&floor, &open, 0, &tuning).depth, tuning.depth[1]);
}

#[test]
fn kutulu_rule_12_4_what_is_far_away_is_left_out() {
    let hallway = tables(&["........................"]);
    let mut state = state(&hallway, &[(0, 0), (14, 0), (15, 0)]);
    add_wanderer(&hallway, &mut state, 12, 0, None);
    add_wanderer(&hallway, &mut state, 13, 0, None);
    let far =
        Minion { is_slasher: true, counter: 3, id: 6, cell: state.minions[1].cell, ..Minion::default() };
    state.minions.push(far).unwrap();
    let tuning = Tuning { depth: [6, 6], ..Tuning::DEFAULT };
    let scene = SearchRoot::new(&hallway, &state, 0, &tuning);
    assert_eq!(scene.state.minions.iter().map(|minion| minion.id).collect::<vec::Vec<_>>(), [4, 6]);
    let acts = [0, 1, 2, 3].map(|id| scene.local_game.acts(&scene.state, id));
    assert_eq!(acts, [true, true, false, false]);
}

#[test]
fn it_walks_away_from_a_wanderer() {
    let hallway = tables(&["....................."]);
    let mut state = state(&hallway, &[(10, 0), (20, 0)]);
    add_wanderer(&hallway, &mut state, 8, 0, Some(0));
    let (action, report) = choose(&hallway, &state, 0);
    assert_eq!((action, report.decision), (Action::Step(Direction::Right), DecidedBy::Search));
    assert!(report.depth == 5 && report.simulations >= 1500 && report.nodes > 50, "{report:?}");
}

#[test]
fn kutulu_rule_12_5_a_yell_that_feeds_the_minions() {
    // Two wanderers from the right reach 1, who cannot move; 0 steps up into the side street.
    let street = tables(&["#.#######", "........."]);
    let mut state = state(&street, &[(1, 1), (2, 1), (8, 1)]);
    add_wanderer(&street, &mut state, 4, 1, Some(1));
    assert_eq!(step_after_yell(&street, &state, 0, &Tuning::DEFAULT), None, "20 points are not enough");
    add_wanderer(&street, &mut state, 4, 1, Some(1));
    assert_eq!(step_after_yell(&street, &state, 0, &Tuning::DEFAULT), Some(Direction::Up));
    let (action, report) = choose(&street, &state, 0);
    assert_eq!((action, report.decision, report.simulations), (Action::Yell, DecidedBy::Yell, 0));
    let dear = Tuning { yell_worth: 41, ..Tuning::DEFAULT };
    assert_eq!(step_after_yell(&street, &state, 0, &dear), None);
    // Not twice, and not while somebody else holds either of them.
    let mut spent = state;
    spent.explorers[0].yelled_at = 2;
    assert_eq!(step_after_yell(&street, &spent, 0, &Tuning::DEFAULT), None);
    for victim in [0, 1] {
        let mut locked = state;
        let effect = Effect { kind: EffectKind::Yell { victim }, caster: Some(2), left: 1 };
        locked.effects.push(effect).unwrap();
        assert_eq!(step_after_yell(&street, &locked, 0, &Tuning::DEFAULT), None);
    }
}

#[test]
fn after_a_yell_it_steps_aside_unless_that_hurts() {
    let street = tables(&["#.#######", "........."]);
    let mut before = state(&street, &[(1, 1), (2, 1), (8, 1)]);
    add_wanderer(&street, &mut before, 4, 1, Some(1));
    add_wanderer(&street, &mut before, 4, 1, Some(1));
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = SearchPlayer::new(&street, Tuning::DEFAULT, 3);
    let mut more = |simulations| simulations < 100;
    let mut turn =
        |player: &mut SearchPlayer, state: &State| player.choose(&street, state, 0, &mut nodes, &mut more).0;
    let mut after = before;
    let yell = turn(&mut player, &before);
    after.play(&street, &[Some(yell), Some(Action::Wait), Some(Action::Wait), None]).unwrap();
    let mut twin = player.clone();
    assert_eq!(turn(&mut player, &after), Action::Step(Direction::Up));
    add_wanderer(&street, &mut after, 1, 0, Some(0));
    assert!(spooks_of_step(&street, &after, 0, Direction::Up) > 0);
    assert_ne!(turn(&mut twin, &after), Action::Step(Direction::Up));
}

#[test]
fn kutulu_rule_12_5_plans_in_company_or_among_the_last_two() {
    let hallway = tables(&["........................"]);
    let decide = |sanity: u8, places: &[(i16, i16)]| {
        let mut state = state(&hallway, places);
        state.explorers[0].sanity = sanity;
        choose(&hallway, &state, 0).1.decision
    };
    assert_eq!(decide(209, &[(0, 0), (2, 0), (9, 0)]), DecidedBy::Plan);
    assert_eq!(decide(210, &[(0, 0), (2, 0), (9, 0)]), DecidedBy::Search);
    assert_eq!(decide(209, &[(0, 0), (3, 0), (20, 0)]), DecidedBy::Search);
    assert_eq!(decide(247, &[(0, 0), (20, 0)]), DecidedBy::Plan);
    assert_eq!(decide(248, &[(0, 0), (20, 0)]), DecidedBy::Search);
    let mut spent = state(&hallway, &[(0, 0), (20, 0)]);
    spent.explorers[0].sanity = 200;
    spent.explorers[0].plans = 0;
    assert_eq!(choose(&hallway, &spent, 0).1.decision, DecidedBy::Search);
}

#[test]
fn kutulu_rule_12_5_light_turns_a_wanderer_to_another() {
    // The wanderer is at 12, we at 6, somebody else at 19: with light our way costs more than 7.
    let hallway = tables(&["........................"]);
    let mut state = state(&hallway, &[(6, 0), (19, 0), (23, 0)]);
    add_wanderer(&hallway, &mut state, 12, 0, Some(0));
    assert!(light::is_useful(&hallway, &state, 0));
    assert!(!light::is_useful(&hallway, &state, 1), "it does not follow explorer 1");
    assert_eq!(choose(&hallway, &state, 0).0, Action::Light);
    // A second one follows somebody else; lit by 1 alone it would come to us.
    state.explorers[0].lights = 0;
    assert_ne!(choose(&hallway, &state, 0).0, Action::Light);
}

/// The own choice by a tuning in a state.
fn choose_by(tuning: Tuning, tables: &MapTables, state: &State, own: usize) -> Action {
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = SearchPlayer::new(tables, tuning, 3);
    player.choose(tables, state, own, &mut nodes, &mut |simulations| simulations < 1500).0
}

#[test]
fn a_plan_in_the_tree_heals_whoever_needs_it() {
    let hallway = tables(&["........................"]);
    let skills = Skills { plan: true, ..Skills::NONE };
    // In the first turn or never: what may be done later is put off.
    let tuning = Tuning { skills, skill_turns: 1, ..Tuning::SEED };
    let mut state = state(&hallway, &[(0, 0), (1, 0), (9, 0)]);
    let later = Tuning { skill_turns: 2, ..tuning };
    assert_ne!(choose_by(later, &hallway, &state, 0), Action::Plan, "nobody is hurt");
    state.explorers[0].sanity = 120;
    assert_eq!(choose_by(tuning, &hallway, &state, 0), Action::Plan);
    let dear = Outlook { plan: 1000, ..Outlook::SANITY };
    assert_ne!(choose_by(Tuning { outlook: dear, ..tuning }, &hallway, &state, 0), Action::Plan);
    state.explorers[0].plans = 0;
    assert_ne!(choose_by(tuning, &hallway, &state, 0), Action::Plan);
}

#[test]
fn of_the_last_two_each_wants_to_outlive_the_other() {
    // The other one has 4 points left and loses 3 or more a turn; then 50 a turn are lost to being alone.
    let hallway = tables(&["........................"]);
    let mut state = state(&hallway, &[(0, 0), (20, 0)]);
    state.explorers[1].sanity = 4;
    state.explorers[1].plans = 0;
    let outlook = Outlook { duel: true, outlive: 400, ..Outlook::SANITY };
    let tuning = Tuning { outlook, ..Tuning::SEED };
    let scene = SearchRoot::new(&hallway, &state, 0, &tuning);
    let mut end = scene.state;
    for _ in 0..6 {
        scene.local_game.play(&mut end, &[Some(Action::Wait), Some(Action::Wait), None, None]);
    }
    assert_eq!((end.living_count(), end.turn), (1, state.turn + 2), "the duel is over and nothing goes on");
    let scores = [0, 1].map(|id| scene.local_game.score(&scene.state, &end, id));
    assert!(scores[0] > 400 && scores[1] == -scores[0], "{scores:?}");
}

#[test]
fn the_own_explorer_counts_what_the_others_lose_and_they_do_not() {
    let hallway = tables(&["........................"]);
    let root = state(&hallway, &[(0, 0), (1, 0), (2, 0)]);
    let outlook = Outlook { rivalry: 50, ..Outlook::SANITY };
    let tuning = Tuning { outlook, ..Tuning::SEED };
    let scene = SearchRoot::new(&hallway, &root, 0, &tuning);
    let mut end = root;
    end.explorers[0].sanity -= 1;
    end.explorers[2].sanity -= 20;
    // In quarters of a point: half of the mean of 0 and 20 is 5 points.
    let scores = [0, 1, 2].map(|id| scene.local_game.score(&root, &end, id));
    assert_eq!(scores, [20 - 4, 0, -80]);
}

#[test]
fn a_plan_that_runs_on_is_worth_what_it_will_restore() {
    let hallway = tables(&["........................"]);
    let root = state(&hallway, &[(0, 0), (1, 0), (9, 0)]);
    let outlook = Outlook { plan: 1, ..Outlook::SANITY };
    let worth = |sanity: u8, player: usize| {
        let mut end = root;
        end.explorers[player].sanity = sanity;
        end.effects.push(Effect { kind: EffectKind::Plan, caster: Some(0), left: 2 }).unwrap();
        super::outlook::leaf_value(&hallway, &outlook, &root, &end, player)
    };
    // Two turns of 3 points, for the caster doubled by company, and never above full sanity; in quarters.
    assert_eq!([worth(200, 0), worth(200, 1), worth(200, 2)], [48, 24, 0]);
    assert_eq!(worth(248, 0), 8);
}

#[test]
fn a_wanderer_is_feared_the_nearer_it_is_unless_it_follows_somebody_else() {
    let hallway = tables(&["........................"]);
    let root = state(&hallway, &[(0, 0), (9, 0)]);
    let outlook = Outlook { wanderer: 2, ..Outlook::SANITY };
    let fear = |x: i16, target: Option<u8>| {
        let mut end = root;
        add_wanderer(&hallway, &mut end, x, 0, target);
        super::outlook::leaf_value(&hallway, &outlook, &root, &end, 0)
    };
    // Two quarters of a point for each step below four.
    assert_eq!([fear(1, Some(0)), fear(3, Some(0)), fear(4, Some(0))], [-6, -2, 0]);
    assert_eq!([fear(2, None), fear(2, Some(1))], [-4, 0]);
}

#[test]
fn sparring_partners_flee_gather_and_plan() {
    let hallway = tables(&["....................."]);
    let mut lone = state(&hallway, &[(10, 0), (20, 0)]);
    let [_, right, _, left] = Direction::ALL.map(Action::Step);
    for sparring in Sparring::ALL {
        assert_eq!(sparring.choose(&hallway, &lone, 0), right, "{sparring:?}");
        let mut chased = lone;
        add_wanderer(&hallway, &mut chased, 12, 0, Some(0));
        // Who looks ahead knows that there is time to wait.
        let flees = if sparring == Sparring::FivePly { [left, Action::Wait] } else { [left, left] };
        assert!(flees.contains(&sparring.choose(&hallway, &chased, 0)), "{sparring:?}");
    }
    lone.explorers[0].sanity = 200;
    let plans = Sparring::ALL.map(|sparring| sparring.choose(&hallway, &lone, 0) == Action::Plan);
    assert_eq!(plans, [true, false, true]);
}

#[test]
fn the_locked_and_the_dead_do_nothing() {
    let hallway = tables(&["....."]);
    let mut locked = state(&hallway, &[(0, 0), (1, 0)]);
    let effect = Effect { kind: EffectKind::Yell { victim: 0 }, caster: Some(1), left: 1 };
    locked.effects.push(effect).unwrap();
    let idle = |action: (Action, DecisionReport)| (action.0, action.1.decision);
    assert_eq!(idle(choose(&hallway, &locked, 0)), (Action::Wait, DecidedBy::Idle));
    assert_eq!(idle(choose(&hallway, &locked, 3)), (Action::Wait, DecidedBy::Idle));
    assert_eq!(idle(choose(&hallway, &locked, 77)), (Action::Wait, DecidedBy::Idle));
}

#[test]
fn kutulu_rule_12_5_an_opening_runs_to_the_nearest() {
    let map = pool_map(5).unwrap();
    let tables = MapTables::new(&map);
    let mut game = State::start(&map, CONSTANTS, Lcg48::new(4));
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = SearchPlayer::new(&tables, Tuning::DEFAULT, 3);
    let mut steps = 0;
    let start = tables.distance(game.explorers[0].cell, game.explorers[1].cell).unwrap();
    while game.turn <= 12 {
        let (action, report) = player.choose(&tables, &game, 0, &mut nodes, &mut |_| false);
        steps += u32::from(report.decision == DecidedBy::Opening);
        game.play(&tables, &[Some(action), Some(Action::Wait), Some(Action::Wait), Some(Action::Wait)])
            .unwrap();
    }
    let now = tables.distance(game.explorers[0].cell, game.explorers[1].cell).unwrap();
    assert!(steps >= 8 && now + 8 <= start, "{steps} steps, {start} to {now}");
}

#[test]
fn baselines_do_what_they_say() {
    let hallway = tables(&["....................."]);
    let mut state = state(&hallway, &[(10, 0), (20, 0)]);
    let mut rng = Rng::new(2);
    let mut choose = |baseline: Baseline, state: &State| baseline.choose(&hallway, state, 0, &mut rng);
    assert!((0..50).all(|_| choose(Baseline::Wait, &state) == Action::Wait));
    let drawn: vec::Vec<Action> = (0..200).map(|_| choose(Baseline::Random, &state)).collect();
    let [_, right, _, left] = Direction::ALL.map(Action::Step);
    assert!([Action::Wait, left, right].iter().all(|action| drawn.contains(action)));
    assert_eq!(choose(Baseline::OneTurn, &state), Action::Wait);
    add_wanderer(&hallway, &mut state, 9, 0, Some(0));
    assert_eq!(choose(Baseline::OneTurn, &state), right);
    assert_eq!(choose(Baseline::OneTurnRandom, &state), right);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let play = || {
        let map = pool_map(9).unwrap();
        let tables = MapTables::new(&map);
        let mut game = State::start(&map, CONSTANTS, Lcg48::new(4));
        let mut nodes = vec![Node::EMPTY; NODES];
        let mut players = [1, 2, 3, 4].map(|seed| SearchPlayer::new(&tables, Tuning::DEFAULT, seed));
        while game.turn <= 40 {
            let mut actions = [None; EXPLORERS];
            for id in game.living() {
                let more = &mut |simulations| simulations < 64;
                actions[id] = Some(players[id].choose(&tables, &game, id, &mut nodes, more).0);
            }
            game.play(&tables, &actions).unwrap();
        }
        game
    };
    let game = play();
    assert!(game == play() && game.living_count() > 1, "{game:?}");
}
