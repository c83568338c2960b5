//! Plans of attacks on one board: what the goals mean, and how well they are met.

use core::fmt::Write;

use barrow_core::hex::Hex;
use barrow_core::minions::text::umi;
use barrow_core::minions::turn_search::ports::Outline;
use barrow_core::minions::{Game, GameConfig, GameTurn};
use barrow_solver::attack::{
    AttackModel, AttackPlan, AttackSolver, Goal, OrdinaryRoom, OverkillPolicy, PlanAnswer, limits_for,
};

use crate::memory::{Lent, Region};
use crate::message::{Failure, Message};
use crate::outputs::Output;
use crate::status::{BARROW_CAPACITY, BARROW_MEMORY_TOO_SMALL, BARROW_RANGE, BARROW_UNREADABLE};
use crate::texts::Lines;

/// Goals of a plan at most: as many as a number has bits to tell which are met.
const GOAL_CAP: usize = 64;

/// Attacks that can be forbidden at most.
const FORBIDDEN_CAP: usize = 32;

/// List of a few items at most, which are copied over one that stands for nothing.
pub(crate) struct Few<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> Few<T, N> {
    fn new(any: T) -> Few<T, N> {
        Few { items: [any; N], len: 0 }
    }

    /// Adds an item; `None` when there is no room.
    fn push(&mut self, item: T) -> Option<()> {
        *self.items.get_mut(self.len)? = item;
        self.len += 1;
        Some(())
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.items.get(..self.len).unwrap_or_default()
    }
}

/// Goals of a plan, the most important first.
pub(crate) type Goals = Few<Goal, GOAL_CAP>;

/// Goal in the places of a list that hold none.
const NO_GOAL: Goal = Goal::Remove(const { Hex::named("a0").unwrap() });

/// Answer of a planner.
pub(crate) enum Answer {
    /// A plan was written; the bit of each goal that it meets is set, and its outline can be forbidden.
    Plan(u64, Outline),
    /// No attack is left.
    NoMore,
    /// The effort did not suffice, or not all attacks are known.
    Unknown,
}

/// Board that was planned on. The key of a position knows neither maps nor rules.
#[derive(PartialEq, Eq)]
struct About {
    config: GameConfig,
    key: u64,
    board: u32,
}

impl About {
    fn of(game: &Game, board: u32) -> About {
        About { config: game.config().clone(), key: game.state().key(), board }
    }
}

/// Planner with its memory, and the attacks that are forbidden on the board that it was asked about last.
pub(crate) struct Planning {
    words: Lent<u32>,
    len: usize,
    room: Lent<OrdinaryRoom>,
    /// Board that the outlines belong to.
    about: Option<About>,
    forbidden: Few<Outline, FORBIDDEN_CAP>,
    last: Option<Outline>,
}

/// Memory of a planner: words of the solver, and lists of the model of a board.
pub(crate) fn take_memory(region: &mut Region, words: usize) -> Option<(Lent<u32>, Lent<OrdinaryRoom>)> {
    Some((region.take(words, 0)?, region.take_one(OrdinaryRoom::new)?))
}

impl Planning {
    /// A planner with so many words of memory.
    pub(crate) fn new(region: &mut Region, words: usize) -> Option<Planning> {
        let len = words;
        let (words, room) = take_memory(region, words)?;
        Some(Planning { words, len, room, about: None, forbidden: Few::new(Outline::default()), last: None })
    }

    /// Forbids the last plan and all that have its outline; a failure if there is none or no room.
    pub(crate) fn forbid(&mut self, message: &mut Message) -> Result<(), Failure> {
        let last = self.last.ok_or(Failure(crate::status::BARROW_TOO_EARLY))?;
        self.forbidden
            .push(last)
            .ok_or_else(|| message.fail(BARROW_CAPACITY, "no more attacks can be forbidden"))?;
        self.last = None;
        Ok(())
    }

    /// Takes note of an answer about a board, once its caller has it: what was forbidden on another one is allowed again.
    pub(crate) fn note(&mut self, game: &Game, board: u32, answer: &Answer) {
        let about = Some(About::of(game, board));
        if self.about != about {
            self.allow_all();
            self.about = about;
        }
        self.last = if let Answer::Plan(_, outline) = answer { Some(*outline) } else { None };
    }

    /// Allows all attacks again.
    pub(crate) fn allow_all(&mut self) {
        self.forbidden.len = 0;
        self.last = None;
    }

    /// Plans the best attack for these goals with this many conflicts at most, and writes it as a turn. Nothing changes
    /// before [`Planning::note`].
    pub(crate) fn plan(
        &mut self,
        game: &Game,
        board: u32,
        goals: &[Goal],
        conflicts: u64,
        output: &mut Output,
        message: &mut Message,
    ) -> Result<Answer, Failure> {
        let view = game.view(board as usize).ok_or(Failure(BARROW_RANGE))?;
        let about = About::of(game, board);
        let forbidden = if self.about.as_ref() == Some(&about) { self.forbidden.as_slice() } else { &[] };
        let too_large = |message: &mut Message| {
            message.fail(BARROW_CAPACITY, "the board is too crowded to be planned on")
        };
        // SAFETY: the model that borrows the room ends with this function.
        let room = unsafe { self.room.borrow_one() }.ok_or(Failure(BARROW_MEMORY_TOO_SMALL))?;
        let model = AttackModel::new(&view, room)
            .map_err(|_| too_large(message))?
            .with_overkill_policy(OverkillPolicy::AllHitsLand);
        let limits = limits_for(&model).map_err(|_| too_large(message))?;
        if limits.words() > self.len {
            let text = format_args!("planning needs {} words, {} are there", limits.words(), self.len);
            return Err(message.fail(BARROW_CAPACITY, text));
        }
        // SAFETY: the solver that borrows the words ends with this function.
        let words = unsafe { self.words.borrow() };
        let full = |message: &mut Message| message.fail(BARROW_CAPACITY, "the planner's memory is full");
        let mut solver = AttackSolver::new(&model, &limits, words).map_err(|_| full(message))?;
        for outline in forbidden {
            solver.forbid_outline(outline).map_err(|_| full(message))?;
        }
        match solver.plan(goals, conflicts).map_err(|_| full(message))? {
            // There may be attacks that the model does not contain.
            PlanAnswer::NoMore if !model.is_complete() => Ok(Answer::Unknown),
            PlanAnswer::NoMore => Ok(Answer::NoMore),
            PlanAnswer::Unknown => Ok(Answer::Unknown),
            PlanAnswer::Plan(plan) => {
                let mut turn = GameTurn::new();
                for action in &plan.actions {
                    let room = turn.push(board as usize, *action);
                    room.ok_or_else(|| {
                        message.fail(BARROW_CAPACITY, "the plan has more actions than a turn")
                    })?;
                }
                let outline =
                    Outline { killed: plan.killed, unsummoned: plan.unsummoned, fighters: plan.fighters };
                // What does not fit is counted.
                let _ = write!(output, "{}", umi::TurnText::new(game, &turn));
                Ok(Answer::Plan(goals_met(goals, &plan), outline))
            }
        }
    }
}

/// Goals that a plan meets, as bits. Goals about where a friend stands cannot be asked for by text, and count as not met.
fn goals_met(goals: &[Goal], plan: &AttackPlan) -> u64 {
    let removed = plan.killed | plan.unsummoned;
    let met = |goal: &Goal| match *goal {
        Goal::Remove(at) => removed.contains(at),
        Goal::Kill(at) => plan.killed.contains(at),
        Goal::Unsummon(at) => plan.unsummoned.contains(at),
        Goal::Spare(at) => !removed.contains(at),
        Goal::Passive(at) => !plan.fighters.contains(at),
        Goal::FightFrom(..) | Goal::Occupy(..) => false,
    };
    goals.iter().enumerate().fold(0, |bits, (index, goal)| bits | u64::from(met(goal)) << (index % GOAL_CAP))
}

/// Reads goals, one a line: `remove d4`, `kill d4`, `unsummon d4`, `spare d4`, `passive c3`.
pub(crate) fn read_goals(lines: &str, message: &mut Message) -> Result<Goals, Failure> {
    let mut goals = Goals::new(NO_GOAL);
    for (number, line, word) in Lines::of(lines) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut hex = || words.next().and_then(Hex::named);
        let goal = match word {
            "remove" => hex().map(Goal::Remove),
            "kill" => hex().map(Goal::Kill),
            "unsummon" => hex().map(Goal::Unsummon),
            "spare" => hex().map(Goal::Spare),
            "passive" => hex().map(Goal::Passive),
            _ => None,
        };
        let Some(goal) = goal.filter(|_| words.next().is_none()) else {
            let text =
                format_args!("line {number}: expected remove, kill, unsummon, spare or passive, and a hex");
            return Err(message.fail(BARROW_UNREADABLE, text));
        };
        goals.push(goal).ok_or_else(|| message.fail(BARROW_CAPACITY, "more than 64 goals"))?;
    }
    Ok(goals)
}
