//! Time of attack planning: for a board, the plan that removes every enemy, the dearest first. The rules must accept
//! each plan.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use barrow_core::minions::{Game, UndoLog, View};
use barrow_solver::attack::{AttackModel, AttackPlan, AttackSolver, Goal, LargeRoom};
use barrow_solver::cdcl::{Capacity, Resource};
use schemars::JsonSchema;
use serde::Serialize;

use crate::interrupt;

/// Percentiles of the times of a phase, in microseconds, over all boards.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Percentiles {
    /// Median.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Maximum.
    pub max: f64,
}

/// Median and maximum of a count, over all boards.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Counts {
    /// Median.
    pub p50: usize,
    /// Maximum.
    pub max: usize,
}

/// Times and sizes of attack planning.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AttackReport {
    /// Number of boards.
    pub boards: usize,
    /// Pieces of the side to move that can take part in an attack.
    pub attackers: Counts,
    /// Enemy pieces that an attack can reach.
    pub defenders: Counts,
    /// Model of the board and encoding of its constraints.
    pub build_us: Percentiles,
    /// Search for the plan.
    pub prophecy_us: Percentiles,
    /// Both phases.
    pub total_us: Percentiles,
    /// Memory of model and solver.
    pub memory_bytes: Counts,
    /// Removals that the plans grant, over all boards.
    pub accepted: usize,
    /// Boards whose plan is proved the best.
    pub proved: usize,
    /// Boards whose model had to be reduced.
    pub reduced: usize,
    /// Boards without a plan.
    pub refused: usize,
}

/// Times and sizes of one board. Times are in microseconds.
struct Sample {
    attackers: usize,
    defenders: usize,
    build: f64,
    prophecy: f64,
    memory: usize,
    accepted: usize,
    proved: bool,
    reduced: bool,
}

/// Measures attack planning board by board, in memory that all boards share: nothing is allocated while the clock runs.
pub struct AttackTimer {
    rounds: u32,
    /// Propagations that a plan may take.
    budget: u64,
    room: Box<LargeRoom>,
    memory: Vec<u32>,
    samples: Vec<Sample>,
    refused: usize,
}

impl AttackTimer {
    /// A timer that plans on each board `rounds` times, at least once, and keeps the fastest time. A plan may take so
    /// many propagations.
    pub fn new(rounds: u32, budget: u64) -> AttackTimer {
        let (memory, samples) = (vec![0; 1 << 14], Vec::new());
        AttackTimer { rounds: rounds.max(1), budget, room: Box::default(), memory, samples, refused: 0 }
    }

    /// Plans on a board of a position. Fails if the solver refuses the board, or the rules refuse the plan; the boards
    /// measured before stay.
    pub fn measure(&mut self, game: &Game, board: usize) -> Result<()> {
        match self.plan_board(game, board) {
            Ok(sample) => self.samples.push(sample),
            Err(error) => {
                self.refused += 1;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Number of boards without a plan.
    pub fn refused(&self) -> usize {
        self.refused
    }

    /// Times and sizes of all boards; `None` before the first board with a plan.
    pub fn report(&self) -> Option<AttackReport> {
        (!self.samples.is_empty()).then(|| summarise(&self.samples, self.refused))
    }

    fn plan_board(&mut self, game: &Game, board: usize) -> Result<Sample> {
        ensure!(!game.state().is_over(), "the game is over");
        let view = game.view(board).context("no such board")?;
        let goals = dearest_first(&view);
        let mut fastest: Option<Sample> = None;
        let mut rounds = 0;
        // After an interrupt nobody asks for the figures any more.
        while rounds < self.rounds && !(rounds > 0 && interrupt::requested()) {
            let start = Instant::now();
            let model = AttackModel::reduced(&view, &mut *self.room).for_removals();
            let mut solver = match AttackSolver::prepare(&model, &mut self.memory) {
                Ok(solver) => solver,
                Err(Capacity { what: Resource::Memory, needed, .. }) => {
                    self.memory.resize(needed, 0);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let built = start.elapsed().as_secs_f64() * 1e6;
            let best = solver.best_plan(&goals, self.budget)?;
            let total = start.elapsed().as_secs_f64() * 1e6;
            rounds += 1;
            if best.none {
                bail!("there is no plan at all");
            }
            play(game, board, &best.plan)?;
            if fastest.as_ref().is_none_or(|fastest| total < fastest.build + fastest.prophecy) {
                let (attackers, defenders) = model.size();
                fastest = Some(Sample {
                    attackers,
                    defenders,
                    build: built,
                    prophecy: total - built,
                    memory: 4 * solver.words() + model.bytes() + size_of::<AttackSolver<'_, '_>>(),
                    accepted: goals.iter().filter(|&&goal| solver.grants(goal)).count(),
                    proved: best.is_proved() && model.is_complete(),
                    reduced: !model.is_complete(),
                });
            }
        }
        fastest.context("no round")
    }
}

/// A goal for the removal of every enemy piece, necromancers first, then by price.
fn dearest_first(view: &View<'_>) -> Vec<Goal> {
    let mut targets: Vec<_> = view
        .board
        .iter(view.side.opponent())
        .map(|(hex, piece)| (!view.unit(piece).necromancer, u8::MAX - view.unit(piece).cost, hex))
        .collect();
    targets.sort_unstable();
    targets.into_iter().map(|(_, _, hex)| Goal::Remove(hex)).collect()
}

/// Plays a plan through the rules. An action that they refuse is a defect of the solver.
fn play(game: &Game, board: usize, plan: &AttackPlan) -> Result<()> {
    let mut game = game.clone();
    let mut index = 0;
    while let Some(rest) = plan.actions.get(index..).filter(|rest| !rest.is_empty()) {
        match game.apply_next(board as u8, rest, &mut UndoLog::off()) {
            Ok(used) => index += used,
            Err(reason) => bail!("the rules refuse action {index} of the plan: {reason}"),
        }
    }
    Ok(())
}

fn summarise(samples: &[Sample], refused: usize) -> AttackReport {
    let percentiles = |value: fn(&Sample) -> f64| {
        let mut all: Vec<f64> = samples.iter().map(value).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all.get(((all.len() - 1) as f64 * share) as usize).copied().unwrap_or(0.0);
        Percentiles { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1.0) }
    };
    let counts = |value: fn(&Sample) -> usize| {
        let mut all: Vec<usize> = samples.iter().map(value).collect();
        all.sort_unstable();
        Counts {
            p50: all.get((all.len() - 1) / 2).copied().unwrap_or(0),
            max: all.last().copied().unwrap_or(0),
        }
    };
    AttackReport {
        boards: samples.len(),
        attackers: counts(|sample| sample.attackers),
        defenders: counts(|sample| sample.defenders),
        build_us: percentiles(|sample| sample.build),
        prophecy_us: percentiles(|sample| sample.prophecy),
        total_us: percentiles(|sample| sample.build + sample.prophecy),
        memory_bytes: counts(|sample| sample.memory),
        accepted: samples.iter().map(|sample| sample.accepted).sum(),
        proved: samples.iter().filter(|sample| sample.proved).count(),
        reduced: samples.iter().filter(|sample| sample.reduced).count(),
        refused,
    }
}
