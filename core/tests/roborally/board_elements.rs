//! Belts and pushers in places that no worked example has.

use barrow_core::contests::roborally::{
    Board, BoardBuilder, Cell, Direction, Profile, Robot, Speed, State, Status, Terrain,
};

/// A floor of six by three with what `lay` puts on it, and a dock and a flag out of the way.
fn floor(lay: impl Fn(&mut BoardBuilder)) -> Board {
    let mut plan = BoardBuilder::new(6, 3).expect("small");
    plan.flag(5, 2).expect("inside");
    plan.dock(0, 2, Direction::North).expect("inside");
    lay(&mut plan);
    plan.finish().expect("a board")
}

/// Where a robot that looks north stands and looks after the first register, without cards, from a cell.
fn after_register(board: &Board, cell: Cell) -> (Cell, Direction) {
    let robot = Robot {
        cell,
        facing: Direction::North,
        damage: 0,
        lives: 3,
        next_flag: 1,
        archive: board.docks()[0],
        status: Status::Active,
        announced: false,
        is_virtual: false,
    };
    let mut state = State::from_robots(board, Profile::Classic, &[robot]).expect("valid");
    state.run_register(board, 0);
    let after = state.robot(0).expect("one");
    (after.cell, after.facing)
}

#[test]
fn roborally_rule_2_a_belt_that_leads_back_does_not_turn() {
    for (exit, facing) in [
        (Direction::East, Direction::North),
        (Direction::West, Direction::North),
        (Direction::North, Direction::West),
        (Direction::South, Direction::East),
    ] {
        let board = floor(|plan| {
            let belt = |exit| Terrain::Belt(exit, Speed::Normal);
            plan.terrain(1, 1, belt(Direction::East)).expect("inside");
            plan.terrain(2, 1, belt(exit)).expect("inside");
        });
        assert_eq!(after_register(&board, Cell::new(1, 1)), (Cell::new(2, 1), facing), "{exit:?}");
    }
}

#[test]
fn roborally_rule_5_d_who_is_pushed_onto_a_pusher_is_not_pushed_again() {
    let board = floor(|plan| {
        for x in 1..4 {
            plan.pusher(x, 1, Direction::East, 1).expect("inside");
        }
    });
    for x in 1..4 {
        let (cell, _) = after_register(&board, Cell::new(x, 1));
        assert_eq!(cell, Cell::new(x + 1, 1));
    }
}
