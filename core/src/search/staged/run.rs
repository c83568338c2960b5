//! The loop: down the tree, one new turn, its value, and back up to every stage that took part.

use heapless::Vec;

use crate::minions::{Action, BOARD_CAP, Game, GameTurn, GeneralAction, Side};
use crate::rng::Rng;
use crate::search::ports::{
    AttackPlanner, AttackPolicy, CERTAIN, Clock, EVEN, Estimate, Evaluator, GeneralPolicy, KNOTS, SpawnPolicy,
};
use crate::search::stats::{FULL_WEIGHT, Stats};
use crate::search::tree::Tree;

use super::compose::{Composer, replay, room_for};
use super::pool::{Choice, NONE, Pool};
use super::{Memory, Options, Picks, Team};

/// Most turns on one way down.
const DEPTH_CAP: usize = 32;

/// Doubt at which a value counts half, in 1/65,536 of a win chance. That usual values count less than half makes the
/// search explore more, which loses against its like at 80 nodes a turn and wins against Greedy at 1,100.
const DOUBT: i32 = 4_096;

/// Width of the confidence intervals that prune, in sixteenths of a standard error: beyond doubt means four.
const PRUNE: u32 = 64;

/// Visits before a candidate can be bad beyond doubt.
const PRUNE_VISITS: u32 = 12;

/// What a turn more or less until the end of a decided game is worth.
const TURN: i32 = 32;

/// A step of the way down.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    edge: u32,
    side: Side,
}

/// One of the best turns found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line {
    /// Which one, for [`Search::turn`].
    pub edge: u32,
    /// Its statistics for the side to move.
    pub stats: Stats,
}

impl Line {
    /// Lower confidence bound, by which the turn to play is chosen: little tried is little trusted.
    pub fn bound(&self) -> i32 {
        self.stats.lower(24, &Stats::prior(0, 0, FULL_WEIGHT / 4))
    }

    /// What lines are ordered by: the bound, or the mean in games that are all but lost, where bounds tell how
    /// often a turn was tried rather than what came of it.
    pub fn order(&self) -> (i32, i32) {
        let bound = self.bound();
        if bound < CERTAIN / 64 { (0, self.stats.mean()) } else { (bound, self.stats.mean()) }
    }
}

/// How a search stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Iterations: full turns composed or followed to a position that was judged.
    pub nodes: u64,
    /// Longest way down, in turns.
    pub depth: u8,
    /// Sum of the lengths of all ways down.
    pub depth_sum: u64,
    /// Use of the fullest memory in thousandths.
    pub fullness: u32,
}

/// A search from one position.
pub struct Search<'m, E, A, P, S, G> {
    pub(super) tree: Tree<'m, Picks>,
    pub(super) pool: Pool<'m>,
    pub(super) team: Team<E, A, P, S, G>,
    pub(super) options: Options,
    pub(super) root: Game,
    pub(super) root_node: u32,
    pub(super) report: Report,
}

impl<'m, E, A, P, S, G> Search<'m, E, A, P, S, G>
where
    E: Evaluator,
    A: AttackPolicy,
    P: AttackPlanner,
    S: SpawnPolicy,
    G: GeneralPolicy,
{
    /// Prepares a search of a position. `None` when the memory holds not even one node, or the game is over.
    pub fn new(
        memory: Memory<'m>,
        team: Team<E, A, P, S, G>,
        options: Options,
        game: &Game,
    ) -> Option<Search<'m, E, A, P, S, G>> {
        if game.state().is_over() {
            return None;
        }
        let Memory { nodes, edges, table, stages, choices, actions } = memory;
        let mut tree = Tree::new(nodes, edges, table);
        let pool = Pool::new(stages, choices, actions);
        let root_node = tree.node_of(game.state().key())?.0;
        Some(Search { tree, pool, team, options, root: game.clone(), root_node, report: Report::default() })
    }

    /// Searches until the clock says stop; at least one turn is composed.
    pub fn run(&mut self, clock: &mut impl Clock) {
        loop {
            if !self.iterate() || clock.is_over(self.report.nodes) {
                return;
            }
        }
    }

    /// How the search stands.
    pub fn report(&self) -> Report {
        Report { fullness: self.tree.fullness().max(self.pool.fullness()), ..self.report }
    }

    /// One way down and up. False when nothing more can be done.
    fn iterate(&mut self) -> bool {
        let mut game = self.root.clone();
        let mut path: Vec<Step, DEPTH_CAP, u8> = Vec::new();
        let mut node = self.root_node;
        let estimate = loop {
            if let Some(known) = decided(&game) {
                break at_length(known, path.len());
            }
            if path.len() >= usize::from(self.options.depth).min(DEPTH_CAP) {
                break self.team.evaluator.evaluate(&game);
            }
            let side = game.side_to_move();
            let Some(edge) = self.step(node, &mut game) else {
                if path.is_empty() {
                    return false;
                }
                break self.team.evaluator.evaluate(&game);
            };
            if game.end_turn().is_err() || path.push(Step { node, edge, side }).is_err() {
                return false;
            }
            match self.descend(edge, &game) {
                Some((child, false)) => node = child,
                Some((child, true)) => {
                    let estimate = self.judge(&game, path.len());
                    self.tree.add(child, NONE, estimate.win, self.weight(estimate));
                    break estimate;
                }
                None => break self.judge(&game, path.len()),
            }
        };
        self.report.nodes += 1;
        self.report.depth = self.report.depth.max(path.len() as u8);
        self.report.depth_sum += path.len() as u64;
        self.back_up(&path, game.side_to_move(), estimate);
        true
    }

    fn judge(&mut self, game: &Game, length: usize) -> Estimate {
        let known = decided(game).map(|known| at_length(known, length));
        known.unwrap_or_else(|| self.team.evaluator.evaluate(game))
    }

    /// How much a value counts in what it is backed up to: the more doubtful the less.
    fn weight(&self, estimate: Estimate) -> u32 {
        if self.options.confidence {
            (FULL_WEIGHT as i32 * DOUBT / (DOUBT + estimate.error.max(0))).max(1) as u32
        } else {
            FULL_WEIGHT
        }
    }

    /// The node an edge leads to, and whether it is new. `None` when the tree is full.
    fn descend(&mut self, edge: u32, game: &Game) -> Option<(u32, bool)> {
        if let Some(child) = self.tree.child(edge) {
            return Some((child, false));
        }
        // Without transpositions a key of its own for every edge.
        let salt = if self.options.transpositions { 0 } else { Rng::new(u64::from(edge) + 1).next_u64() };
        let (child, new) = self.tree.node_of(game.state().key() ^ salt)?;
        self.tree.set_child(edge, child);
        Some((child, new))
    }

    /// Chooses or composes a turn at a node and plays it, except for its end. `None` when there is none.
    fn step(&mut self, node: u32, game: &mut Game) -> Option<u32> {
        let boards = game.config().num_boards();
        let (choices, actions) = room_for(boards, &self.pool);
        if self.wants_more(node) && self.tree.has_room(1) && self.pool.has_room(1, choices, actions) {
            let stages = match self.tree.payload(node) {
                NONE => {
                    let index = self.pool.add_stages()?;
                    self.tree.set_payload(node, index);
                    index
                }
                index => index,
            };
            let visits = u64::from(self.tree.stats(node).visits());
            let mut composer = Composer {
                pool: &mut self.pool,
                team: &mut self.team,
                options: &self.options,
                stages,
                game,
                rng: Rng::new(self.options.seed ^ Rng::new(self.tree.key(node) ^ visits).next_u64()),
            };
            let picks = composer.compose()?;
            if let Some((edge, _)) = self.tree.edges(node).find(|(_, edge)| edge.payload.same(&picks)) {
                return Some(edge);
            }
            return self.tree.add_edge(node, picks);
        }
        let edge = self.best(node)?;
        let picks = self.tree.edge(edge)?.payload;
        self.follow(&picks, game)?;
        Some(edge)
    }

    /// Whether a new turn is worth composing: there is none yet, or fewer than the visits warrant and the bound of
    /// an unknown turn reaches that of the best known one.
    fn wants_more(&self, node: u32) -> bool {
        let count = self.tree.edges(node).count() as u64;
        if count == 0 {
            return true;
        }
        let visits = u64::from(self.tree.stats(node).visits());
        if count * count > 6 * visits {
            return false;
        }
        if !self.options.confidence || count < 4 {
            return true;
        }
        // An unknown turn is like the known ones: their mean and spread bound what can be hoped of it.
        let mut known = Stats::default();
        let mut best = 0;
        for (_, edge) in self.tree.edges(node) {
            known.add(edge.stats.mean(), FULL_WEIGHT);
            best = best.max(edge.stats.lower(16, &Stats::default()));
        }
        known.mean() + 3 * known.deviation() + CERTAIN / 200 >= best
    }

    /// The edge to follow.
    fn best(&self, node: u32) -> Option<u32> {
        let sum: u64 = self.tree.edges(node).map(|(_, edge)| 1 + u64::from(edge.payload.plausibility)).sum();
        let prior = |picks: &Picks| ((1 + u64::from(picks.plausibility)) * 65_535 / sum.max(1)) as u32;
        self.tree.best_by_puct(node, self.tree.stats(node).mean(), 2 * self.options.exploration, prior)
    }

    /// Plays a known turn, except for its end.
    fn follow(&self, picks: &Picks, game: &mut Game) -> Option<()> {
        replay(&self.pool, picks.general, game)?;
        let boards = game.config().num_boards();
        for &(attack, _) in picks.boards.iter().take(boards) {
            replay(&self.pool, attack, game)?;
        }
        for &(_, finish) in picks.boards.iter().take(boards) {
            replay(&self.pool, finish, game)?;
        }
        Some(())
    }

    fn back_up(&mut self, path: &[Step], side: Side, estimate: Estimate) {
        let weight = self.weight(estimate);
        for step in path.iter().rev() {
            let value = if step.side == side { estimate.win } else { CERTAIN - estimate.win };
            self.tree.add(step.node, step.edge, value, weight);
            let Some(picks) = self.tree.edge(step.edge).map(|edge| edge.payload) else { continue };
            let stages = self.tree.payload(step.node);
            self.teach(picks.general, value, weight);
            for (board, (attack, finish)) in picks.boards.into_iter().enumerate() {
                if attack == NONE {
                    break;
                }
                self.teach(attack, value, weight);
                self.teach(finish, value, weight);
                self.account(stages, board, finish, value, weight);
                if self.options.confidence {
                    self.prune(stages, board);
                }
            }
        }
    }

    fn teach(&mut self, choice: u32, value: i32, weight: u32) {
        if let Some(choice) = self.pool.choice_mut(choice) {
            choice.stats.add(value, weight);
        }
    }

    /// Books a value on the sum of money that a board was given.
    fn account(&mut self, stages: u32, board: usize, finish: u32, value: i32, weight: u32) {
        let given = self.pool.choice(finish).given;
        let knot = KNOTS.iter().rposition(|&souls| u16::from(souls) <= given).unwrap_or(0) as u16;
        let Some(head) = self.pool.stages(stages).boards.get(board).map(|entry| entry.money) else { return };
        let known = self.pool.list(head).find(|(_, money)| money.given == knot).map(|(index, _)| index);
        if let Some(known) = known {
            self.teach(known, value, weight);
            return;
        }
        let mut entry = Choice { given: knot, next: head, ..Choice::EMPTY };
        entry.stats.add(value, weight);
        if let Some(index) = self.pool.add_choice(entry, [])
            && let Some(stages) = self.pool.stages_mut(stages)
            && let Some(slot) = stages.boards.get_mut(board)
        {
            slot.money = index;
        }
    }

    /// Drops attacks whose upper bound is below the lower bound of the best one.
    fn prune(&mut self, stages: u32, board: usize) {
        let Some(head) = self.pool.stages(stages).boards.get(board).map(|entry| entry.attacks) else {
            return;
        };
        let none = Stats::default();
        let lower = |choice: &Choice| {
            if choice.stats.visits() < PRUNE_VISITS { 0 } else { choice.stats.lower(PRUNE, &none) }
        };
        let best = self.pool.list(head).map(|(_, choice)| lower(choice)).max().unwrap_or(0);
        let hopeless = self.pool.list(head).find(|(_, choice)| {
            !choice.pruned && choice.stats.visits() >= PRUNE_VISITS && choice.stats.upper(PRUNE, &none) < best
        });
        if let Some((index, _)) = hopeless
            && let Some(choice) = self.pool.choice_mut(index)
        {
            choice.pruned = true;
        }
    }

    /// Fills `lines` with the turns found so far, the best by lower confidence bound first, and says how many there
    /// are; more than fit are left out.
    pub fn lines(&self, lines: &mut [Line]) -> usize {
        self.lines_at(self.root_node, lines)
    }

    /// The other side's answers to the turn of a line, in the same order; none when the tree has not come so far.
    pub fn replies(&self, line: &Line, lines: &mut [Line]) -> usize {
        self.tree.child(line.edge).map_or(0, |node| self.lines_at(node, lines))
    }

    fn lines_at(&self, node: u32, lines: &mut [Line]) -> usize {
        let mut count = 0;
        for (edge, known) in self.tree.edges(node) {
            let line = Line { edge, stats: known.stats };
            let place =
                lines.iter().take(count).position(|other| line.order() > other.order()).unwrap_or(count);
            if place < lines.len() {
                count = (count + 1).min(lines.len());
                if let Some(tail) = lines.get_mut(place..count) {
                    tail.rotate_right(1);
                    if let Some(slot) = tail.first_mut() {
                        *slot = line;
                    }
                }
            }
        }
        count
    }

    /// The turn of a line.
    pub fn turn(&self, line: &Line) -> Option<GameTurn> {
        let picks = self.tree.edge(line.edge)?.payload;
        let mut turn = GameTurn::new();
        for action in self.pool.actions(picks.general) {
            let Action::General(action) = *action else { continue };
            match action {
                GeneralAction::BuySpell => turn.num_spells_bought += 1,
                GeneralAction::Sell => turn.sell = true,
                GeneralAction::March => turn.marches += 1,
                GeneralAction::Advance { index } => turn.tech_spells.push(index).ok()?,
                GeneralAction::Assign { board, card } => turn.board_spells.push((board, card)).ok()?,
            }
        }
        for (board, &(attack, finish)) in picks.boards.iter().enumerate().take(BOARD_CAP) {
            for choice in [attack, finish] {
                for action in self.pool.actions(choice) {
                    if let Action::Board(_, action) = *action {
                        turn.push(board, action)?;
                    }
                }
            }
        }
        Some(turn)
    }

    /// Value of the position for the side to move, as far as the search knows.
    pub fn value(&self) -> Stats {
        self.tree.stats(self.root_node)
    }

    /// What the stages of the position that is searched remember, for those who want to know why.
    pub fn stages(&self) -> (&Pool<'m>, u32) {
        (&self.pool, self.tree.payload(self.root_node))
    }
}

/// A decided game after so many turns: an early win is better than a late one, and a late loss than an early one.
fn at_length(known: Estimate, length: usize) -> Estimate {
    let later = length as i32 * TURN;
    let win = match known.win {
        0 => later,
        CERTAIN => CERTAIN - later,
        win => win,
    };
    Estimate { win, ..known }
}

/// The value of a game that is over, for the side whose turn it would be.
fn decided(game: &Game) -> Option<Estimate> {
    let state = game.state();
    let win = match state.winner() {
        Some(winner) if winner == game.side_to_move() => CERTAIN,
        Some(_) => 0,
        None if state.is_drawn() => EVEN,
        None => return None,
    };
    Some(Estimate { win, error: 0 })
}
