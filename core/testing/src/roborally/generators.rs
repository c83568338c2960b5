//! Boards and races of RoboRally generated from bytes; the invariants of a race are checked after every step.

use barrow_core::contests::roborally::bot::{Distances, Evaluation, Evaluator, Weights};
use barrow_core::contests::roborally::numbering::Classes;
use barrow_core::contests::roborally::{
    Board, BoardBuilder, Card, CardSet, Cell, Decisions, Direction, Dock, FATAL_DAMAGE, Profile, REGISTERS,
    Speed, State, Status, Terrain,
};
use barrow_core::search::value::CERTAIN;

use crate::generators::choices::Choices;

fn direction(choices: &mut Choices<'_>) -> Direction {
    Direction::ALL[choices.below(4)]
}

/// Generates a board of at most 8 x 8 cells with dense terrain, lasers, pushers, flags and docks.
pub fn board(choices: &mut Choices<'_>) -> Board {
    let (width, height) = (2 + choices.below(7), 2 + choices.below(7));
    let mut builder = BoardBuilder::new(width, height).expect("a small board");
    for y in 0..height {
        for x in 0..width {
            let side = choices.below(16);
            let direction = Direction::ALL[side % 4];
            let terrain = match choices.below(16) {
                1..=3 => Terrain::Belt(direction, Speed::Normal),
                4 | 5 => Terrain::Belt(direction, Speed::Express),
                6 => Terrain::Pit,
                7 => Terrain::Repair,
                8 => Terrain::RepairOption,
                9 => Terrain::GearClockwise,
                10 => Terrain::GearCounterClockwise,
                _ => Terrain::Floor,
            };
            builder.terrain(x, y, terrain).expect("inside");
            if side > 12 {
                builder.wall(x, y, direction).expect("inside");
            }
        }
    }
    for _ in 0..choices.below(4) {
        let (x, y) = (choices.below(width), choices.below(height));
        builder.laser(x, y, direction(choices), 1 + choices.below(3) as u8).expect("inside");
    }
    for _ in 0..choices.below(4) {
        let (x, y) = (choices.below(width), choices.below(height));
        // A second pusher on a cell is refused.
        let _ = builder.pusher(x, y, direction(choices), 1 + choices.below(31) as u8);
    }
    for place in 0..4 + choices.below(5) {
        let (x, y) = (choices.below(width), choices.below(height));
        let marked = if place < 2 { builder.flag(x, y) } else { builder.dock(x, y, direction(choices)) };
        if marked.is_ok() {
            builder.terrain(x, y, Terrain::Floor).expect("inside");
        }
    }
    // A race needs a flag and a dock.
    let _ = builder.flag(0, 0);
    let _ = builder.dock(1, 1, Direction::North);
    for (x, y) in [(0, 0), (1, 1)] {
        builder.terrain(x, y, Terrain::Floor).expect("inside");
    }
    builder.finish().expect("flags and docks are not in pits")
}

/// Deals hands and generates a legal program for every robot.
fn deal(state: &mut State, choices: &mut Choices<'_>) {
    state.start_turn();
    let mut deck: Vec<Card> = state.deck().iter().collect();
    let mut draw = |choices: &mut Choices<'_>| deck.swap_remove(choices.below(deck.len()));
    while let Some((robot, register)) = { state.empty_locked_registers().next() } {
        let card = draw(choices);
        state.set_register(robot, register, Some(card)).expect("there is such a register");
    }
    for robot in 0..state.robots() {
        let hand: Vec<Card> = (0..state.hand_size(robot)).map(|_| draw(choices)).collect();
        if !state.is_programming(robot) {
            assert!(state.program(robot, CardSet::EMPTY, &[]).is_err());
            continue;
        }
        let cards: CardSet = hand.iter().copied().collect();
        let classes = Classes::of(cards).expect("nine cards at most");
        let registers = state.free_registers(robot);
        let count = classes.sizes().count(registers);
        assert!(count > 0, "a hand fills the registers");
        let number = (choices.below(256) * 256 + choices.below(256)) as u32 % count;
        let program = classes.program(registers, number).expect("below the count");
        state.program(robot, cards, &program).expect("a program out of the hand");
        if choices.below(4) == 3 {
            let damaged = state.robot(robot).is_some_and(|seen| seen.damage > 0);
            let classic = state.profile() == Profile::Classic;
            assert_eq!(state.announce(robot).is_ok(), damaged && classic);
        }
    }
}

/// Decisions of all owners at the end of a turn, allowed ones and others.
fn decisions(board: &Board, state: &State, choices: &mut Choices<'_>) -> Decisions {
    let mut decisions = Decisions {
        stay_down: choices.below(256) as u8,
        reenter_down: choices.below(256) as u8,
        ..Decisions::default()
    };
    let is_destroyed = |&robot: &usize| {
        let seen = state.robot(robot).filter(|_| state.profile() == Profile::Classic);
        seen.is_some_and(|seen| seen.status == Status::Destroyed)
    };
    for robot in (0..state.robots()).filter(is_destroyed) {
        assert_eq!(state.entries(board, robot).next(), state.entry(board, robot));
        let allowed = state.entries(board, robot).nth(choices.below(5));
        decisions.entries[robot] = if choices.below(4) == 3 {
            let cell = Cell::new(choices.below(24) as i8, choices.below(28) as i8);
            Some(Dock { cell, facing: Direction::from_index(choices.below(4) as u8) })
        } else {
            allowed
        };
    }
    decisions
}

/// Generates a race of at most `turns` turns and returns its last state. Panics if a state on the way is not valid.
pub fn race(board: &Board, choices: &mut Choices<'_>, turns: usize) -> State {
    let profile = if choices.below(3) == 2 { Profile::Rallyrobo } else { Profile::Classic };
    let robots = 1 + choices.below(board.docks().len());
    let lives = 1 + choices.below(3) as u8;
    let mut state = State::new(board, profile, robots, lives).expect("as many docks");
    let distances = Distances::new(board);
    let evaluator = Evaluator::new(board, &distances, Evaluation::Hodgepodge(Weights::PAPER));
    for _ in 0..turns {
        if state.is_over() || choices.is_empty() {
            break;
        }
        deal(&mut state, choices);
        assert_eq!(state.check(board), Ok(()), "after the deal");
        for register in 0..REGISTERS {
            let before = state;
            state.run_register(board, register);
            assert_eq!(state.check(board), Ok(()), "after register {register}");
            check_register(&before, &state);
        }
        let decisions = decisions(board, &state, choices);
        state.clean_up(board, decisions);
        assert_eq!(state.check(board), Ok(()), "after clean-up");
        for robot in 0..robots {
            assert!((0..=CERTAIN).contains(&evaluator.scaled_value(&state, robot)));
        }
    }
    state
}

/// Panics if the states before and after a register differ in a way that no register can cause.
fn check_register(before: &State, after: &State) {
    for robot in 0..before.robots() {
        let (was, is) = (before.robot(robot).expect("a robot"), after.robot(robot).expect("the same"));
        assert!(is.next_flag == was.next_flag || is.next_flag == was.next_flag + 1);
        assert!(is.lives == was.lives || is.lives + 1 == was.lives);
        if before.profile() == Profile::Classic {
            assert!(is.damage >= was.damage && (is.damage < FATAL_DAMAGE || is.status != Status::Active));
            let gone = matches!(is.status, Status::Destroyed | Status::Out);
            assert_eq!(is.lives < was.lives, gone && !matches!(was.status, Status::Destroyed | Status::Out));
        }
        for register in 0..REGISTERS {
            assert_eq!(before.register(robot, register), after.register(robot, register));
        }
    }
}
