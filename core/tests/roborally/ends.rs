//! How races end, who may announce, what a locked register without a card gets, and how large all this is.

use barrow_core::contests::roborally::{
    Board, BoardBuilder, Card, CardSet, Cell, Decisions, Direction, Dock, Outcome, Profile, ProgramError,
    Robot, State, StateError, Status,
};

/// An empty floor of five by five with a flag in a corner and a dock for each robot in the first column.
fn floor() -> Board {
    let mut plan = BoardBuilder::new(5, 5).expect("small");
    plan.flag(4, 4).expect("inside");
    for y in 0..4 {
        plan.dock(0, y, Direction::West).expect("inside");
    }
    plan.finish().expect("a board")
}

fn card(number: u8) -> Card {
    Card::new(number).expect("a card")
}

/// Everybody in `leavers` drives off the board in the first register; the others have no cards.
fn leave(state: &mut State, board: &Board, leavers: &[usize]) {
    state.start_turn();
    for &robot in leavers {
        state.set_register(robot, 0, Some(card(49 + robot as u8))).expect("a register");
    }
    state.run_registers(board);
    state.clean_up(board, Decisions::default());
}

#[test]
fn roborally_rule_7_the_last_robot_wins() {
    let board = floor();
    let mut state = State::new(&board, Profile::Classic, 3, 1).expect("three docks");
    leave(&mut state, &board, &[1]);
    assert_eq!((state.outcome(), state.turn()), (Outcome::Racing, 1));
    assert_eq!(state.robot(1).map(|robot| robot.status), Some(Status::Out));
    leave(&mut state, &board, &[0]);
    assert_eq!((state.outcome(), state.winner()), (Outcome::Last(2), Some(2)));
    let over = state;
    leave(&mut state, &board, &[2]);
    assert_eq!((state.turn(), state.robot(2)), (over.turn(), over.robot(2)));
}

#[test]
fn roborally_rule_7_nobody_wins_when_nobody_is_left() {
    let board = floor();
    let mut state = State::new(&board, Profile::Classic, 2, 1).expect("two docks");
    leave(&mut state, &board, &[0, 1]);
    assert_eq!((state.outcome(), state.winner()), (Outcome::Nobody, None));
}

#[test]
fn roborally_rule_6_lives_are_spent_one_by_one() {
    let board = floor();
    let mut state = State::new(&board, Profile::Classic, 2, 2).expect("two docks");
    leave(&mut state, &board, &[0]);
    let back = state.robot(0).expect("a robot");
    assert_eq!((back.status, back.lives, back.damage, back.cell), (Status::Active, 1, 2, Cell::new(0, 0)));
    leave(&mut state, &board, &[0]);
    assert_eq!(state.outcome(), Outcome::Last(1));
}

/// A robot in the middle of the floor.
fn robot(damage: u8, status: Status) -> Robot {
    let archive = Dock { cell: Cell::new(0, 0), facing: Direction::North };
    Robot {
        cell: Cell::new(2, 2),
        facing: Direction::North,
        damage,
        lives: 3,
        next_flag: 1,
        archive,
        status,
        announced: false,
        is_virtual: false,
    }
}

#[test]
fn roborally_rule_4_who_may_announce_and_program() {
    let board = floor();
    let one = |damage, status| {
        State::from_robots(&board, Profile::Classic, &[robot(damage, status)]).expect("valid")
    };
    assert_eq!(one(0, Status::Active).announce(0), Err(ProgramError::Announcement));
    assert_eq!(one(3, Status::PoweredDown).announce(0), Err(ProgramError::Announcement));
    assert_eq!(one(3, Status::Active).announce(1), Err(ProgramError::Announcement));
    assert_eq!(one(1, Status::Active).announce(0), Ok(()));

    let hand: CardSet = [1, 2, 49, 50].map(card).into_iter().collect();
    let mut damaged = one(5, Status::Active);
    let mut program = |cards: &[u8]| {
        let cards: Vec<Card> = cards.iter().map(|&number| card(number)).collect();
        damaged.program(0, hand, &cards)
    };
    assert_eq!(program(&[1, 2, 49, 50, 84]), Err(ProgramError::Length));
    assert_eq!(program(&[1, 2, 49, 49]), Err(ProgramError::Card));
    assert_eq!(program(&[1, 2, 49, 51]), Err(ProgramError::Card));
    assert_eq!(program(&[50, 2, 49, 1]), Ok(()));
    assert_eq!(one(3, Status::PoweredDown).program(0, hand, &[]), Err(ProgramError::NotProgramming));
}

#[test]
fn roborally_rule_4_bare_locks_are_dealt_a_card() {
    let board = floor();
    let mut state = State::from_robots(&board, Profile::Classic, &[robot(7, Status::Active)]).expect("valid");
    state.set_register(0, 3, Some(card(9))).expect("a register");
    assert_eq!(state.empty_locked_registers().collect::<Vec<_>>(), [(0, 2), (0, 4)]);
    assert_eq!((state.hand_size(0), state.free_registers(0), state.deck().len()), (2, 2, 83));
}

#[test]
fn impossible_states_are_refused() {
    let board = floor();
    let refused = |robots: &[Robot]| State::from_robots(&board, Profile::Classic, robots).err();
    let good = robot(3, Status::Active);
    assert_eq!(refused(&[good]), None);
    assert_eq!(refused(&[]), Some(StateError::Robots));
    assert_eq!(refused(&[good, good]), Some(StateError::Place));
    assert_eq!(refused(&[Robot { cell: Cell::new(5, 0), ..good }]), Some(StateError::Place));
    assert_eq!(refused(&[Robot { damage: 10, ..good }]), Some(StateError::Number));
    assert_eq!(refused(&[Robot { next_flag: 3, ..good }]), Some(StateError::Number));
    assert_eq!(refused(&[Robot { lives: 0, ..good }]), Some(StateError::Number));
    assert_eq!(refused(&[Robot { status: Status::Skipping, ..good }]), Some(StateError::Status));
    assert_eq!(refused(&[Robot { is_virtual: true, ..good }]), Some(StateError::Status));
    let astray = Dock { cell: Cell::new(-1, 0), facing: Direction::North };
    assert_eq!(refused(&[Robot { archive: astray, ..good }]), Some(StateError::Archive));
    let mut state = State::from_robots(&board, Profile::Classic, &[good]).expect("valid");
    state.set_register(0, 0, Some(card(5))).expect("a register");
    assert_eq!(state.check(&board), Ok(()));
    state.set_register(0, 1, Some(card(5))).expect("a register");
    assert_eq!(state.check(&board), Err(StateError::Card));
    assert_eq!(state.set_register(1, 0, None), Err(StateError::NoRobot));
    assert_eq!(state.set_register(0, 5, None), Err(StateError::Number));
}

#[test]
fn roborally_rule_15_the_state_is_small() {
    assert!(size_of::<State>() <= 256, "{}", size_of::<State>());
}
