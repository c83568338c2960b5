//! Games of A Code of Ice and Fire with the input as commands: the engine and a slow referee agree after every line,
//! positions stay valid, and the text of the bot's turn has the effect of the turn.
//!
//! Most games are of a few turns, of which the bot plans one; in one input of 64 they may be long, and the bot plans as many
//! turns as it likes, with ten times the work.

#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;

use barrow_core::contests::ice_and_fire::bot::{CutNode, Options, plan, write_line};
use barrow_core::contests::ice_and_fire::input::TurnInput;
use barrow_core::contests::ice_and_fire::{Game, Map, Rules};
use barrow_fuzz::one_in;
use libfuzzer_sys::fuzz_target;

use barrow_testing::ice_and_fire::Referee;

/// Largest number of turns in most games.
const TURNS: usize = 8;

/// Largest number of turns that the bot plans in most games.
const PLANS: usize = 1;

/// Cuts that the bot evaluates in a turn of most games.
const WORK: u32 = 40;

thread_local! {
    /// The start of a game on each map, for the engine and for the referee, under each set of rules.
    static STARTS: RefCell<HashMap<(u8, bool), (Game, Referee)>> = RefCell::default();
}

/// The start of a game, for the engine and for the referee.
fn start(seed: u8, rules: &Rules) -> (Game, Referee) {
    STARTS.with_borrow_mut(|starts| {
        let made = || {
            let map = Map::generate(seed.into(), rules);
            let mut slow = Referee::new(&map);
            slow.begin(0);
            (Game::new(&map), slow)
        };
        starts.entry((seed, *rules == Rules::CONTEST)).or_insert_with(made).clone()
    })
}

/// Generates a command from four bytes.
fn command(&[kind, id, x, y]: &[u8; 4]) -> String {
    let (x, y) = (x % 13, y % 13);
    match kind % 8 {
        0..4 => format!("MOVE {} {x} {y}", u32::from(id) + u32::from(kind / 8) * 8),
        4 => format!("TRAIN {} {x} {y}", id % 5),
        5 => format!("TRAIN 1 {x} {y}"),
        6 => format!("BUILD MINE {x} {y}"),
        _ => format!("BUILD TOWER {x} {y}"),
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&[seed, switches, per_line], rest)) = data.split_first_chunk() else { return };
    let rules = if switches & 1 == 0 { Rules::PERMANENT } else { Rules::CONTEST };
    let (mut game, mut slow) = start(seed, &rules);
    let is_long = one_in(64, data);
    let (turns, mut plans_left, work) =
        if is_long { (usize::MAX, usize::MAX, 10 * WORK) } else { (TURNS, PLANS, WORK) };
    let options = Options {
        lines: switches >> 6,
        work,
        orders: switches >> 4 & 3,
        mines: switches >> 1 & 1,
        ..if switches & 8 == 0 { Options::PLAIN } else { Options::FULL }
    };
    let mut memory = vec![CutNode::EMPTY; options.lines.into()];
    for commands in rest.as_chunks().0.chunks(usize::from(per_line % 16) + 1).take(turns) {
        if game.outcome().is_some() {
            break;
        }
        let mover = game.state().mover();
        let text = TurnInput::new(&game, mover).to_string();
        assert_eq!(text, slow.input(mover.index()));
        let mut line = commands.iter().map(command).collect::<Vec<_>>().join(";");
        if commands[0][0] >= 128 && plans_left > 0 {
            plans_left -= 1;
            let turn = plan(game.state(), &rules, &options, &mut memory);
            line.clear();
            write_line(&game, &rules, &turn.draft, &mut line).expect("writing to a string");
            let mut copy = game.clone();
            let report = copy.execute(&rules, &line).expect("the bot's lines are recognised");
            assert_eq!((report.done as usize, report.rejected), (turn.draft.actions().len(), 0), "{line}");
            assert_eq!(copy.state(), turn.draft.state());
        }
        let report = game.execute(&rules, &line).expect("all commands are recognised");
        assert_eq!(report.done, slow.execute(&rules, mover.index(), &line), "{line}");
        assert_eq!(game.state().check(), Ok(()));
        assert_eq!(game.state().conqueror().is_some(), slow.captured);
        game.pass();
        slow.begin(mover.opponent().index());
    }
});
