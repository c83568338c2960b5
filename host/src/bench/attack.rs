//! Time of attack planning: for a board, the plan that removes every enemy, the dearest first. The rules must accept
//! each plan.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use barrow_core::minions::{Game, UndoLog, View};
use barrow_solver::attack::{AttackModel, AttackPlan, AttackSolver, Goal, PlanAnswer, limits_for};
use schemars::JsonSchema;
use serde::Serialize;

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
}

/// Times and sizes of one board. Times are in microseconds.
struct Sample {
    attackers: usize,
    defenders: usize,
    build: f64,
    prophecy: f64,
    memory: usize,
    accepted: usize,
}

/// Measures attack planning board by board, in memory that all boards share: nothing is allocated while the clock runs.
pub struct AttackTimer {
    rounds: u32,
    memory: Vec<u32>,
    samples: Vec<Sample>,
}

impl AttackTimer {
    /// A timer that plans on each board `rounds` times, at least once, and keeps the fastest time.
    pub fn new(rounds: u32) -> AttackTimer {
        AttackTimer { rounds: rounds.max(1), memory: Vec::new(), samples: Vec::new() }
    }

    /// Plans on every board of a position. Fails if the solver has no plan, or the rules refuse the plan.
    pub fn measure(&mut self, game: &Game) -> Result<()> {
        for board in 0..game.config().num_boards() {
            let sample = plan_board(game, board, &mut self.memory, self.rounds);
            self.samples.push(sample.with_context(|| format!("board {board}"))?);
        }
        Ok(())
    }

    /// Times and sizes of all boards; `None` before the first board.
    pub fn report(&self) -> Option<AttackReport> {
        (!self.samples.is_empty()).then(|| summarise(&self.samples))
    }
}

fn plan_board(game: &Game, board: usize, memory: &mut Vec<u32>, rounds: u32) -> Result<Sample> {
    let view = game.view(board).context("no such board")?;
    let goals = dearest_first(&view);
    let mut sample =
        Sample { attackers: 0, defenders: 0, build: f64::MAX, prophecy: f64::MAX, memory: 0, accepted: 0 };
    for _ in 0..rounds {
        let start = Instant::now();
        let model = AttackModel::new(&view)?;
        let limits = limits_for(&model)?;
        if memory.len() < limits.words() {
            memory.resize(limits.words(), 0);
        }
        let mut solver = AttackSolver::new(&model, &limits, memory)?;
        let built = start.elapsed().as_secs_f64() * 1e6;
        let planned = solver.plan(&goals, u64::MAX)?;
        let total = start.elapsed().as_secs_f64() * 1e6;
        let PlanAnswer::Plan(plan) = planned else { bail!("there is no plan at all") };
        if total < sample.build + sample.prophecy {
            (sample.build, sample.prophecy) = (built, total - built);
        }
        (sample.attackers, sample.defenders) = model.size();
        sample.memory = 4 * limits.words() + size_of::<AttackModel>() + size_of::<AttackSolver<'_, '_>>();
        sample.accepted = goals.iter().filter(|&&goal| solver.grants(goal)).count();
        play(game, board, &plan)?;
    }
    Ok(sample)
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

fn summarise(samples: &[Sample]) -> AttackReport {
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
    }
}
