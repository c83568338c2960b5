//! Decision of a player by SmitsiMax: limits, shortlist, a tree for each robot by whole programs or by registers, and the
//! program that most simulations went.

use barrow_core::contests::roborally::ROBOT_CAP;
use barrow_core::contests::roborally::bot::{RegisterAction, RegisterGame, WholeGame};
use barrow_core::contests::roborally::numbering::Program;
use barrow_core::rng::Rng;
use barrow_core::search::flat::{ALL_SPENT, Effort};
use barrow_core::search::smitsimax::{Choice as Line, Node, SCORE_LIMIT, Simultaneous, SmitsiMax};
use barrow_core::search::value::{CERTAIN, EVEN};

use super::choice::{Choice, FEWEST, Hint, Limits};
use super::decision;
use super::meter::Meter;
use super::searcher::{ByTrees, Steps};
use super::situation::Situation;

/// Memory of the trees of a player.
#[derive(Default)]
pub(super) struct Nodes {
    registers: Vec<Node<RegisterAction>>,
    programs: Vec<Node<u16>>,
}

/// Nodes of all trees: as many as seven robots of which nothing is known can have, and a hand of nine cards.
const NODES: usize = 1 << 18;

/// Nodes of all trees of whole programs: of all that a hand has, and of those foreseen for seven robots.
const PROGRAM_NODES: usize = 1 << 14;

/// Simulations of one turn between two looks at the clock; of more turns it is looked at after each.
const BATCH: u32 = 16;

/// A line of the deciding robot's tree as a program, with its statistics.
struct Told {
    program: Program,
    value: i32,
    visits: u32,
}

/// Decides by a tree for each robot. `nodes` is the memory of the trees.
pub(super) fn decide(
    player: &ByTrees,
    limits: Limits<'_>,
    situation: Situation<'_>,
    nodes: &mut Nodes,
    dice: &mut Rng,
) -> Choice {
    let Limits { budget, is_stopped, hints: wanted } = limits;
    let search = &player.search;
    let meter = Meter::start(budget.unwrap_or(search.budget), is_stopped);
    let is_due = || meter.is_due();
    let Some((game, judge)) = situation.begin(search, &meter, &is_due, dice) else {
        return Choice::default();
    };
    let (effort, mut told) = match player.steps {
        Steps::Programs => {
            let whole = WholeGame::new(game.clone(), player.others, search.depth);
            let program = |line: &[Option<u16>]| {
                let action = line.first().copied().flatten();
                whole.decision().program(u32::from(action.unwrap_or(0)))
            };
            nodes.programs.resize(PROGRAM_NODES, Node::EMPTY);
            let root = (whole.root(), WholeGame::DEPTH);
            grow(&whole, root, player, (situation.robot, program), (&meter, &mut nodes.programs), dice)
        }
        Steps::Registers => {
            let steps = RegisterGame::new(game.clone(), player.others, search.depth);
            let program = |line: &[Option<RegisterAction>]| steps.program(line.iter().copied().flatten());
            nodes.registers.resize(NODES, Node::EMPTY);
            let root = (steps.root(), RegisterGame::DEPTH);
            grow(&steps, root, player, (situation.robot, program), (&meter, &mut nodes.registers), dice)
        }
    };
    let chosen = told.first().map(|first| (first.program.clone(), first.value));
    let (program, value) = chosen.unwrap_or_else(|| (game.best_alone(dice), EVEN));
    let announces = decision::announces(search, &game, judge, &program, dice, || !meter.is_due());
    if told.is_empty() {
        told.push(Told { program: program.clone(), value, visits: 0 });
    }
    Choice { program, announces, effort, value, hints: hints(told, wanted) }
}

/// Simulates until the search's time is over. Returns its work and the lines of a robot, the one that most simulations
/// went node by node first.
fn grow<G, F>(
    game: &G,
    (root, depth): (G::World, usize),
    player: &ByTrees,
    (robot, program): (usize, F),
    (meter, nodes): (&Meter<'_>, &mut [Node<G::Action>]),
    dice: &mut Rng,
) -> (Effort, Vec<Told>)
where
    G: Simultaneous<ROBOT_CAP>,
    G::Action: Copy,
    F: Fn(&[Option<G::Action>]) -> Program,
{
    let turns = player.search.depth;
    let mut trees = SmitsiMax::<_, ROBOT_CAP>::new(nodes, player.settings, dice.next_u64());
    let mut effort = Effort::default();
    let batch = if turns > 1 { 1 } else { BATCH };
    while meter.share_of_search(effort, 0) < ALL_SPENT {
        trees.run(game, &root, depth, batch);
        effort.playouts += u64::from(batch);
        effort.turns += u64::from(batch * turns);
    }
    let told = |line: &[Option<G::Action>], last: Line<G::Action>| {
        let mean = last.sum / i64::from(last.visits.max(1));
        let value = (mean * i64::from(CERTAIN / SCORE_LIMIT)) as i32;
        Told { program: program(line), value, visits: last.visits }
    };
    let most: Vec<Line<G::Action>> = trees.line(robot).collect();
    let Some(last) = most.last() else { return (effort, Vec::new()) };
    let line: Vec<Option<G::Action>> = most.iter().map(|choice| Some(choice.action)).collect();
    let mut lines = vec![told(&line, *last)];
    trees.each_line(robot, |line, last| lines.push(told(line, last)));
    (effort, lines)
}

/// The best programs with their means: the chosen one first, then by mean those with enough simulations.
fn hints(mut told: Vec<Told>, wanted: usize) -> Vec<Hint<Program>> {
    let fewest = told.iter().map(|line| line.visits).max().unwrap_or(0) / FEWEST;
    let chosen = told.remove(0);
    told.retain(|line| line.visits >= fewest && line.program != chosen.program);
    told.sort_by_key(|line| -line.value);
    let lines = std::iter::once(chosen).chain(told).take(wanted);
    lines.map(|Told { program, value, visits }| Hint { program, value, playouts: visits }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests::roborally::course::Course;
    use crate::contests::roborally::player_spec::PlayerSpec;
    use barrow_core::contests::roborally::{Card, CardSet, Course as Named, Profile, State};

    #[test]
    fn as_many_programs_are_told_as_are_wanted() {
        let board = Named::named("twister").expect("a course").board().expect("a board");
        let course = Course::new(board);
        let state = State::new(&course.board, Profile::Classic, 2, 3).expect("docks");
        let cards = [44, 75, 13, 17, 15, 82, 19, 73, 67];
        let hand: CardSet = cards.into_iter().filter_map(Card::new).collect();
        for steps in ["programs", "registers"] {
            let spec = format!("smitsimax:steps={steps},playouts=4000,focus=32,foresee=16");
            let PlayerSpec::ByTrees(player) = spec.parse().expect("a player") else { panic!("it has trees") };
            let situation = Situation { course: &course, state: &state, robot: 1, hand };
            let limits = Limits { budget: None, is_stopped: &mut || false, hints: 5 };
            let choice = decide(&player, limits, situation, &mut Nodes::default(), &mut Rng::new(3));
            let programs: std::collections::HashSet<Vec<u8>> = choice
                .hints
                .iter()
                .map(|hint| hint.program.iter().map(|card| card.number()).collect())
                .collect();
            assert!(choice.hints.len() > 1 && choice.hints.len() <= 5, "{steps} {:?}", choice.hints);
            assert_eq!(programs.len(), choice.hints.len(), "{steps}");
            assert_eq!(
                (choice.hints[0].program.clone(), choice.hints[0].value),
                (choice.program, choice.value)
            );
            let later: Vec<i32> = choice.hints.iter().skip(1).map(|hint| hint.value).collect();
            assert!(later.is_sorted_by(|left, right| left >= right), "{later:?}");
        }
    }
}
