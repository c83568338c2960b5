//! The bot in small states.

extern crate std;
use super::crowd::Scene;
use super::yell::{spooks_of_step, step_after_yell};
use super::*;
use crate::contests::kutulu::{
    Action, Constants, Direction, EXPLORERS, Effect, EffectKind, Explorer, Map, Maze, Minion, Mood, State,
    pool_map,
};
use crate::contests::lcg48::Lcg48;
use crate::rng::Rng;
use crate::search::smitsimax::{Node, Simultaneous};
use std::vec;

const CONSTANTS: Constants = Constants { lonely: 3, group: 1, spawn_time: 3, life: 40 };

fn maze(rows: &[&'static str]) -> Maze {
    Maze::new(&Map::read(rows[0].len(), rows.len(), rows.iter().copied()).unwrap())
}

/// Explorers at these squares, in turn 1.
fn state(maze: &Maze, places: &[(i16, i16)]) -> State {
    let mut state = State::empty(CONSTANTS, Lcg48::new(1));
    for (id, &(x, y)) in places.iter().enumerate() {
        let cell = maze.map().at(x, y).unwrap();
        state.alive |= 1 << id;
        state.explorers[id] = Explorer { cell, sanity: 250, plans: 2, lights: 3, ..Explorer::default() };
    }
    state
}

fn add_wanderer(maze: &Maze, state: &mut State, x: i16, y: i16, target: Option<u8>) {
    let cell = maze.map().at(x, y).unwrap();
    let id = state.next_id;
    let minion = Minion { id, cell, mood: Mood::Wandering, counter: 30, target, ..Minion::default() };
    state.minions.push(minion).unwrap();
    state.next_id += 1;
}

fn choose(maze: &Maze, state: &State, own: usize) -> (Action, Report) {
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = Player::new(maze, Tuning::DEFAULT, 3);
    player.choose(maze, state, own, &mut nodes, &mut |simulations| simulations < 1500)
}

#[test]
fn kutulu_rule_12_4_depth_follows_walks_and_crowd() {
    // A long hallway: 729 walks of length 6, alone. The open floor: 257 of length 4.
    let hallway = maze(&["....................."]);
    let scene = Scene::new(&hallway, &state(&hallway, &[(10, 0)]), 0, &Tuning::DEFAULT);
    assert_eq!((hallway.branch(hallway.map().at(10, 0).unwrap(), 6), scene.depth), (729, 6));
    let floor = Maze::new(&pool_map(1).unwrap());
    let mut open = state(&floor, &[(5, 5)]);
    assert_eq!(Scene::new(&floor, &open, 0, &Tuning::DEFAULT).depth, 4);
    for _ in 0..8 {
        add_wanderer(&floor, &mut open, 5, 7, None);
    }
    assert_eq!(Scene::new(&floor, &open, 0, &Tuning::DEFAULT).depth, 3);
}

#[test]
fn kutulu_rule_12_4_what_is_far_away_is_left_out() {
    let hallway = maze(&["........................"]);
    let mut state = state(&hallway, &[(0, 0), (14, 0), (15, 0)]);
    add_wanderer(&hallway, &mut state, 12, 0, None);
    add_wanderer(&hallway, &mut state, 13, 0, None);
    let far =
        Minion { is_slasher: true, counter: 3, id: 6, cell: state.minions[1].cell, ..Minion::default() };
    state.minions.push(far).unwrap();
    let tuning = Tuning { depth: [6, 6], ..Tuning::DEFAULT };
    let scene = Scene::new(&hallway, &state, 0, &tuning);
    assert_eq!(scene.state.minions.iter().map(|minion| minion.id).collect::<vec::Vec<_>>(), [4, 6]);
    let acts = [0, 1, 2, 3].map(|id| scene.crowd.acts(&scene.state, id));
    assert_eq!(acts, [true, true, false, false]);
}

#[test]
fn it_walks_away_from_a_wanderer() {
    let hallway = maze(&["....................."]);
    let mut state = state(&hallway, &[(10, 0), (20, 0)]);
    add_wanderer(&hallway, &mut state, 8, 0, Some(0));
    let (action, report) = choose(&hallway, &state, 0);
    assert_eq!((action, report.decision), (Action::Step(Direction::Right), Decision::Search));
    assert!(report.depth == 5 && report.simulations >= 1500 && report.nodes > 50, "{report:?}");
}

#[test]
fn kutulu_rule_12_5_a_yell_that_feeds_the_minions() {
    // Two wanderers from the right reach 1, who cannot move; 0 steps up into the side street.
    let street = maze(&["#.#######", "........."]);
    let mut state = state(&street, &[(1, 1), (2, 1), (8, 1)]);
    add_wanderer(&street, &mut state, 4, 1, Some(1));
    assert_eq!(step_after_yell(&street, &state, 0, &Tuning::DEFAULT), None, "20 points are not enough");
    add_wanderer(&street, &mut state, 4, 1, Some(1));
    assert_eq!(step_after_yell(&street, &state, 0, &Tuning::DEFAULT), Some(Direction::Up));
    let (action, report) = choose(&street, &state, 0);
    assert_eq!((action, report.decision, report.simulations), (Action::Yell, Decision::Yell, 0));
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
    let street = maze(&["#.#######", "........."]);
    let mut before = state(&street, &[(1, 1), (2, 1), (8, 1)]);
    add_wanderer(&street, &mut before, 4, 1, Some(1));
    add_wanderer(&street, &mut before, 4, 1, Some(1));
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = Player::new(&street, Tuning::DEFAULT, 3);
    let mut more = |simulations| simulations < 100;
    let mut turn =
        |player: &mut Player, state: &State| player.choose(&street, state, 0, &mut nodes, &mut more).0;
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
    let hallway = maze(&["........................"]);
    let decide = |sanity: u8, places: &[(i16, i16)]| {
        let mut state = state(&hallway, places);
        state.explorers[0].sanity = sanity;
        choose(&hallway, &state, 0).1.decision
    };
    assert_eq!(decide(209, &[(0, 0), (2, 0), (9, 0)]), Decision::Plan);
    assert_eq!(decide(210, &[(0, 0), (2, 0), (9, 0)]), Decision::Search);
    assert_eq!(decide(209, &[(0, 0), (3, 0), (20, 0)]), Decision::Search);
    assert_eq!(decide(247, &[(0, 0), (20, 0)]), Decision::Plan);
    assert_eq!(decide(248, &[(0, 0), (20, 0)]), Decision::Search);
    let mut spent = state(&hallway, &[(0, 0), (20, 0)]);
    spent.explorers[0].sanity = 200;
    spent.explorers[0].plans = 0;
    assert_eq!(choose(&hallway, &spent, 0).1.decision, Decision::Search);
}

#[test]
fn kutulu_rule_12_5_light_turns_a_wanderer_to_another() {
    // The wanderer is at 12, we at 6, somebody else at 19: with light our way costs more than 7.
    let hallway = maze(&["........................"]);
    let mut state = state(&hallway, &[(6, 0), (19, 0), (23, 0)]);
    add_wanderer(&hallway, &mut state, 12, 0, Some(0));
    assert!(light::is_useful(&hallway, &state, 0));
    assert!(!light::is_useful(&hallway, &state, 1), "it does not follow explorer 1");
    assert_eq!(choose(&hallway, &state, 0).0, Action::Light);
    // A second one follows somebody else; lit by 1 alone it would come to us.
    state.explorers[0].lights = 0;
    assert_ne!(choose(&hallway, &state, 0).0, Action::Light);
}

#[test]
fn the_locked_and_the_dead_do_nothing() {
    let hallway = maze(&["....."]);
    let mut locked = state(&hallway, &[(0, 0), (1, 0)]);
    let effect = Effect { kind: EffectKind::Yell { victim: 0 }, caster: Some(1), left: 1 };
    locked.effects.push(effect).unwrap();
    let idle = |action: (Action, Report)| (action.0, action.1.decision);
    assert_eq!(idle(choose(&hallway, &locked, 0)), (Action::Wait, Decision::Idle));
    assert_eq!(idle(choose(&hallway, &locked, 3)), (Action::Wait, Decision::Idle));
    assert_eq!(idle(choose(&hallway, &locked, 77)), (Action::Wait, Decision::Idle));
}

#[test]
fn kutulu_rule_12_5_an_opening_runs_to_the_nearest() {
    let map = pool_map(5).unwrap();
    let maze = Maze::new(&map);
    let mut game = State::start(&map, CONSTANTS, Lcg48::new(4));
    let mut nodes = vec![Node::EMPTY; NODES];
    let mut player = Player::new(&maze, Tuning::DEFAULT, 3);
    let mut steps = 0;
    let start = maze.distance(game.explorers[0].cell, game.explorers[1].cell).unwrap();
    while game.turn <= 12 {
        let (action, report) = player.choose(&maze, &game, 0, &mut nodes, &mut |_| false);
        steps += u32::from(report.decision == Decision::Opening);
        game.play(&maze, &[Some(action), Some(Action::Wait), Some(Action::Wait), Some(Action::Wait)])
            .unwrap();
    }
    let now = maze.distance(game.explorers[0].cell, game.explorers[1].cell).unwrap();
    assert!(steps >= 8 && now + 8 <= start, "{steps} steps, {start} to {now}");
}

#[test]
fn baselines_do_what_they_say() {
    let hallway = maze(&["....................."]);
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
        let maze = Maze::new(&map);
        let mut game = State::start(&map, CONSTANTS, Lcg48::new(4));
        let mut nodes = vec![Node::EMPTY; NODES];
        let mut players = [1, 2, 3, 4].map(|seed| Player::new(&maze, Tuning::DEFAULT, seed));
        while game.turn <= 40 {
            let mut actions = [None; EXPLORERS];
            for id in game.living() {
                let more = &mut |simulations| simulations < 64;
                actions[id] = Some(players[id].choose(&maze, &game, id, &mut nodes, more).0);
            }
            game.play(&maze, &actions).unwrap();
        }
        game
    };
    let game = play();
    assert!(game == play() && game.living_count() > 1, "{game:?}");
}
