//! Decision of a player by SmitsiMax: the shortlist, simulations in batches, and the program that most of them went.

use barrow_core::contests::roborally::ROBOT_CAP;
use barrow_core::contests::roborally::bot::{
    Evaluation, PlayoutPolicy, ProgramGame, RegisterAction, RegisterGame,
};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{ALL_SPENT, Effort};
use barrow_core::search::smitsimax::{Node, SCORE_LIMIT, SmitsiMax};
use barrow_core::search::value::{CERTAIN, EVEN};

use super::choice::{Choice, Hint, Limits};
use super::decision::{self, Situation};
use super::meter::Meter;
use super::player_spec::ByRegisters;

/// Memory of the trees of a player.
pub(super) type Nodes = Vec<Node<RegisterAction>>;

/// Nodes of all trees: as many as seven robots of which nothing is known can have, and a hand of nine cards.
const NODES: usize = 1 << 18;

/// Simulations of one turn between two looks at the clock; of more turns it is looked at after each.
const BATCH: u32 = 16;

/// Decides by a tree for each robot. `nodes` is the memory of the trees.
pub(super) fn decide(
    player: &ByRegisters,
    needs_solo: bool,
    limits: Limits<'_>,
    situation: Situation<'_>,
    nodes: &mut Nodes,
    dice: &mut Rng,
) -> Choice {
    let Situation { course, state, robot, hand } = situation;
    let Limits { budget, is_stopped, hints: wanted } = limits;
    let search = &player.search;
    let meter = Meter::start(budget.unwrap_or(search.budget), is_stopped);
    let is_due = || meter.is_due();
    let table = course.evaluator(Evaluation::Hodgepodge(search.weights), state.profile(), needs_solo);
    let judge = course.evaluator(search.evaluation, state.profile(), needs_solo);
    let policy = PlayoutPolicy {
        evaluator: table,
        strategy: search.strategy,
        power_down: search.power_down,
        is_due: &is_due,
    };
    let Some(mut game) = ProgramGame::new(policy, judge, *state, robot, hand, search.space) else {
        return Choice::default();
    };
    game.shorten(search.focus, dice, || meter.has_time_to_try());
    game.foresee(search.foresee, dice, || meter.has_time_to_try());
    meter.begin_search();
    nodes.resize(NODES, Node::EMPTY);
    let game = RegisterGame::new(game, player.others, search.depth);
    let root = game.root();
    let mut trees = SmitsiMax::<_, ROBOT_CAP>::new(nodes, player.settings, dice.next_u64());
    let mut effort = Effort::default();
    let batch = if search.depth > 1 { 1 } else { BATCH };
    while meter.share_of_search(effort, 0) < ALL_SPENT {
        trees.run(&game, &root, RegisterGame::DEPTH, batch);
        effort.playouts += u64::from(batch);
        effort.turns += u64::from(batch * search.depth);
    }
    let first = trees.line(robot).next();
    let program = if first.is_none() {
        game.decision().best_alone(dice)
    } else {
        game.program(trees.line(robot).map(|choice| choice.action))
    };
    let last = trees.line(robot).last();
    let value = last.map_or(EVEN, |last| {
        let mean = last.sum / i64::from(last.visits.max(1));
        (mean * i64::from(CERTAIN / SCORE_LIMIT)) as i32
    });
    let announces = decision::announces(search, game.decision(), judge, &program, dice, || !meter.is_due());
    let playouts = last.map_or(0, |last| last.visits);
    let hint = Hint { program: program.clone(), value, playouts };
    let hints = if wanted > 0 { vec![hint] } else { Vec::new() };
    Choice { program, announces, effort, value, hints }
}
