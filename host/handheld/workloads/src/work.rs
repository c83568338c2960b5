//! The work itself, each kind in a function of its own so that its stack is its own.

use barrow_core::minions::players::{FallbackEvaluator, Greedy};
use barrow_core::minions::turn_search::ports::{
    Attack, AttackGoal, AttackPlanner, AttackPolicy, Evaluator, Ports, SharedPorts, Stage,
};
use barrow_core::minions::turn_search::{
    Line, Search, SearchOptions, SearchScratch, SearchSlices, SearchStatistics,
};
use barrow_core::minions::{DraftMemory, Game, GameCopy, GameTurn, umi};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::value::Estimate;
use barrow_nnue::embedded_nets;
use barrow_nnue::kept_sums::KeptSums;
use barrow_nnue::net_policies::NetPolicies;
use barrow_nnue::nets::Network;
use barrow_nnue::shape::Tiny;
use heapless::Vec;

use crate::Machine;
use crate::memory::{Memory, NetParts, Oracle, SearchPlanner, SearchWorkspace};
use crate::positions::{POSITIONS, position};

/// Nodes of each search.
const NODES: u64 = 60;

/// Lines of a search that are counted at most.
const LINES: usize = 16;

/// Does all work, on every position, and prints its results.
pub fn run(machine: &mut impl Machine, memory: &mut Memory) {
    let Ok(network) = Network::<Tiny>::from_bytes(embedded_nets::TINY) else { return };
    machine.measure("net: load", 0, size_of::<NetParts>(), || load(network, &mut memory.net));
    for number in 0..POSITIONS {
        machine.measure("position", number, size_of::<DraftMemory>(), || {
            set_up(number, &mut memory.game, memory.workspace.scratch().draft());
        });
        machine.measure("copy of a game", number, size_of::<Game>(), || {
            copy(&mut memory.game, &mut memory.after)
        });
        by_rules(machine, number, memory);
        plans(machine, number, memory);
        searches(machine, number, memory);
    }
}

#[inline(never)]
pub(crate) fn load(network: Network<'static, Tiny>, parts: &mut Vec<NetParts, 1, u8>) {
    parts.clear();
    let _ = parts.push((Oracle::with_memory(network, KeptSums::default()), NetPolicies::new(network)));
}

#[inline(never)]
fn set_up(number: usize, game: &mut GameCopy, draft: &mut DraftMemory) {
    game.copy(&position(number, draft));
}

#[inline(never)]
fn copy(game: &mut GameCopy, after: &mut GameCopy) {
    if let Some(game) = game.get() {
        after.copy(game);
    }
}

/// The turn of the baseline, played and taken back.
fn by_rules(machine: &mut impl Machine, number: usize, memory: &mut Memory) {
    let Memory { game, after, workspace, .. } = memory;
    let (Some(game), Some(after)) = (game.get(), after.get()) else { return };
    let draft = workspace.scratch().draft();
    machine.measure("greedy turn", number, size_of::<DraftMemory>(), || greedy(game, draft));
    machine.measure("apply and end turn", number, 0, || play(game, &draft.turn, after));
    let text = umi::TurnText::new(game, &draft.turn);
    machine.print(format_args!("{number} greedy: {text}\n{number} key {:016x}", after.state().key()));
    machine.measure("undo", number, size_of::<DraftMemory>(), || undo(game, draft));
    machine.print(format_args!("{number} undone {:016x}", game.state().key()));
}

#[inline(never)]
fn greedy(game: &Game, draft: &mut DraftMemory) {
    Greedy::new(1).choose_in(game, draft);
}

#[inline(never)]
fn play(game: &Game, turn: &GameTurn, after: &mut Game) {
    after.go_to(game.state());
    let _ = after.enter(turn, &mut barrow_core::minions::UndoLog::off());
    let _ = after.end_turn();
}

/// Applies each board's actions and takes them back.
#[inline(never)]
fn undo(game: &mut Game, draft: &mut DraftMemory) {
    for board in 0..game.config().num_boards() {
        let mut first = 0;
        while let Some(&action) = draft.turn.board(board).get(first) {
            let mut log = draft.log();
            let mark = log.mark();
            let _ = game.apply_next(board as u8, &[action], &mut log);
            game.undo(mark, &mut log);
            first += 1;
        }
    }
}

/// The plan of an attack on each board.
fn plans(machine: &mut impl Machine, number: usize, memory: &mut Memory) {
    let Memory { game, planner, .. } = memory;
    let Some(game) = game.get() else { return };
    for board in 0..game.config().num_boards() {
        let count =
            machine.measure("attack plan", number, size_of::<SearchPlanner>(), || plan(game, board, planner));
        machine.print(format_args!("{number} plan {board} {count}"));
    }
}

/// Number of actions of the plan that removes as many enemies as possible.
#[inline(never)]
fn plan(game: &Game, board: usize, planner: &mut SearchPlanner) -> usize {
    let Some(view) = game.view(board) else { return 0 };
    let enemies = view.board.pieces(view.side.opponent());
    let goals: Vec<AttackGoal, 48, u8> =
        barrow_core::list::first(enemies.into_iter().map(AttackGoal::Remove));
    let mut attack = Attack::default();
    planner.plan(&view, &goals, &[], &mut attack);
    attack.actions.len()
}

/// Evaluations and searches.
fn searches(machine: &mut impl Machine, number: usize, memory: &mut Memory) {
    let Memory { game, after, workspace, planner, hand, net } = memory;
    let (Some(game), Some(after), Some((oracle, policies))) = (game.get(), after.get(), net.first_mut())
    else {
        return;
    };
    let estimate = machine.measure("net: evaluation", number, size_of_val(oracle), || evaluate(game, oracle));
    machine.print(format_args!("{number} value {} {}", estimate.win, estimate.error));
    machine.measure("net: board and curve", number, size_of_val(oracle), || evaluate_board(game, oracle));
    machine.measure("prophecy", number, size_of_val(policies), || prophesy(game, policies));
    let common = size_of::<SearchWorkspace>() + size_of::<SearchPlanner>() + size_of::<Game>();
    for (nodes, name) in [(1, "hand: first node"), (NODES, "hand: search")] {
        let lent = common + size_of_val(hand);
        let ports =
            SharedPorts { evaluator: FallbackEvaluator, policies: &mut *hand, attack_planner: &mut *planner };
        let (slices, scratch) = workspace.split();
        let found =
            machine.measure(name, number, lent, || search(game, slices, scratch, ports, nodes, after));
        tell(machine, number, name, &found, after);
    }
    for (nodes, name) in [(1, "tiny: first node"), (NODES, "tiny: search")] {
        let lent = common + size_of_val(oracle) + size_of_val(policies);
        let ports =
            SharedPorts { evaluator: &mut *oracle, policies: &mut *policies, attack_planner: &mut *planner };
        let (slices, scratch) = workspace.split();
        let found =
            machine.measure(name, number, lent, || search(game, slices, scratch, ports, nodes, after));
        tell(machine, number, name, &found, after);
    }
}

#[inline(never)]
fn evaluate(game: &Game, oracle: &mut Oracle) -> Estimate {
    oracle.begin(game);
    oracle.evaluate_begun(game)
}

#[inline(never)]
fn evaluate_board(game: &Game, oracle: &mut Oracle) {
    oracle.evaluate_board(game, 0, Stage::AfterAttack);
    oracle.curve(game, 0);
}

#[inline(never)]
fn prophesy(game: &Game, policies: &mut NetPolicies<'static, Tiny>) {
    policies.prophesy(game, 0, 0);
    policies.menaces(game, 0);
}

/// Result of a search: its statistics, the number of its lines and the visits of the best one.
pub(crate) struct Found {
    statistics: SearchStatistics,
    lines: usize,
    visits: u32,
}

/// Searches, and plays the best turn on `after`.
#[inline(never)]
pub(crate) fn search<P: Ports>(
    game: &Game,
    slices: SearchSlices<'_>,
    scratch: &mut SearchScratch,
    ports: P,
    nodes: u64,
    after: &mut Game,
) -> Option<Found> {
    let mut search = Search::new(slices, scratch, ports, SearchOptions::with_little_stack(), game).ok()?;
    search.run(&mut NodeLimit(nodes));
    let mut lines = [Line::default(); LINES];
    let count = search.tree().lines(&mut lines);
    let best = lines.first()?;
    after.go_to(game.state());
    search.tree().play(after, best)?;
    after.end_turn().ok()?;
    Some(Found { statistics: search.statistics(), lines: count, visits: best.stats.visits() })
}

/// Prints what a search has found.
fn tell(machine: &mut impl Machine, number: usize, name: &str, found: &Option<Found>, after: &Game) {
    let Some(Found { statistics, lines, visits }) = found else {
        return machine.print(format_args!("{number} {name} found nothing"));
    };
    let SearchStatistics { nodes, depth, depth_sum, fullness, .. } = statistics;
    machine.print(format_args!(
        "{number} {name}: nodes {nodes} depth {depth} sum {depth_sum} fullness {fullness} lines {lines} visits {visits} \
         key {:016x}",
        after.state().key()
    ));
}
