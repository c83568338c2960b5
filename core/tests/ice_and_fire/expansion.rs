//! The opening's search over plans of expansion, against all ways of expanding on small islands.

use std::collections::HashSet;

use barrow_core::contests::ice_and_fire::bot::{CutNode, Expansion, Options, plan};
use barrow_core::contests::ice_and_fire::{CellSet, Level, Player, Rules, State};

use super::scene::Scene;

/// Options of a bot that wants nothing but cells at the end of a turn.
fn cells_by(turn: u8) -> Options {
    let expansion = Expansion {
        last: turn,
        apart: 1,
        plans: 400,
        horizon: turn,
        least: 1,
        cell: u16::MAX,
        unit: 0,
        income: 0,
        ..Expansion::NONE
    };
    Options { expansion, mines: 0, ..Options::FULL }
}

/// An island of player 0, with the opponent far away behind the void.
fn island(rows: &[&str], gold: i32) -> State {
    let mut all = ["############"; 12];
    all[..rows.len()].copy_from_slice(rows);
    all[10] = "###########B";
    all[11] = "###########B";
    *Scene::new(&all, [gold, 0]).turn(Player::Zero).state()
}

/// Own land in the slow search: land, units and gold.
type Colony = (CellSet, CellSet, i32);

/// All that moves of the units not yet moved, and then trainings, lead to.
fn turns(open: CellSet, home: CellSet, colony: Colony, found: &mut HashSet<Colony>) {
    fn moves(open: CellSet, home: CellSet, waiting: CellSet, colony: Colony, found: &mut HashSet<Colony>) {
        let (own, units, gold) = colony;
        let Some(from) = waiting.first() else {
            trainings(open, colony, found);
            return;
        };
        let rest = waiting - from.to_set();
        moves(open, home, rest, colony, found);
        for to in (from.to_set().neighbours() & open & !units & !home).iter() {
            let units = (units - from.to_set()) | to.to_set();
            moves(open, home, rest, (own | to.to_set(), units, gold), found);
        }
    }
    fn trainings(open: CellSet, (own, units, gold): Colony, found: &mut HashSet<Colony>) {
        if !found.insert((own, units, gold)) || gold < Level::One.cost() {
            return;
        }
        for at in ((own.neighbours() & open) - own).iter() {
            trainings(open, (own | at.to_set(), units | at.to_set(), gold - Level::One.cost()), found);
        }
    }
    moves(open, home, colony.1, colony, found);
}

/// Most cells that player 0 can own after some turns, by all moves in the order of cells and all trainings of level 1.
fn most_cells(start: &State, count: u8) -> u32 {
    let home = Player::Zero.headquarters().to_set();
    let open = home.flood(start.open());
    let zero = Player::Zero;
    let mut known = HashSet::from([(start.active(zero), start.units(zero), start.gold(zero))]);
    for turn in 0..count {
        let mut next = HashSet::new();
        for &(own, units, gold) in &known {
            let income = if turn == 0 { 0 } else { own.len() as i32 - units.len() as i32 };
            turns(open, home, (own, units, gold + income), &mut next);
        }
        known = next;
    }
    known.iter().map(|(own, ..)| own.len()).max().unwrap()
}

#[test]
fn ice_and_fire_openings_take_as_much_land_as_can_be_taken() {
    let islands: [&[&str]; 4] = [
        &["A...########", "....########", "...#########"],
        &["A......#####", "##.#########", "##......####"],
        &["A.##########", "..##########", ".###########", "....########", ".###########", ".###########"],
        &["A.#...######", ".......#####", "###.########", "###.########"],
    ];
    for (number, rows) in islands.iter().enumerate() {
        for (gold, count) in [(10, 4), (20, 3), (20, 4)] {
            let start = island(rows, gold);
            let options = cells_by(start.turn() + count);
            let mut state = start;
            for _ in 0..count {
                let turn = plan(&state, &Rules::PERMANENT, &options, &mut [CutNode::EMPTY]);
                state = *turn.draft.state();
                // The opponent has nothing to do.
                for _ in 0..2 {
                    state.end_turn();
                }
            }
            let found = state.active(Player::Zero).len();
            assert_eq!(found, most_cells(&start, count), "island {number}, gold {gold}, {count} turns");
        }
    }
}

#[test]
fn ice_and_fire_openings_end_where_the_players_meet() {
    let mut rows = ["A..........."; 12];
    rows[11] = "AAAAAAAABBBB";
    let game = Scene::new(&rows, [60, 60]).turn(Player::Zero);
    let with = |last| {
        let expansion = Expansion { last, ..Options::FULL.expansion };
        let options = Options { expansion, ..Options::FULL };
        plan(game.state(), &Rules::PERMANENT, &options, &mut [CutNode::EMPTY, CutNode::EMPTY])
    };
    assert_eq!(with(100).draft.actions(), with(0).draft.actions());
}
