//! Decision of a searching player: limits, shortlist, search on one or several threads, and the choice among the
//! sums of their statistics.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Result, anyhow};
use barrow_core::contests::roborally::bot::{Evaluator, PlayoutPolicy, PowerSearch, ProgramGame};
use barrow_core::contests::roborally::numbering::{ACTION_CAP, Program};
use barrow_core::rng::Rng;
use barrow_core::search::flat::{self, ALL_SPENT, Arm, Effort, Options};
use barrow_core::search::value::EVEN;

use super::budget::Budget;
use super::choice::{Choice, Hint, Limits, hints};
use super::meter::Meter;
use super::searcher::{PowerAhead, Search};
use super::situation::Situation;

/// Decides by search. `arms` is the memory of the threads' statistics.
pub(super) fn decide(
    search: &Search,
    limits: Limits<'_>,
    situation: Situation<'_>,
    arms: &mut Vec<Vec<Arm>>,
    dice: &mut Rng,
) -> Result<Choice> {
    let Limits { budget, is_stopped, hints: wanted } = limits;
    let budget = budget.unwrap_or(search.budget);
    let meter = Meter::start(budget, is_stopped);
    let is_due = || meter.is_due();
    let Some((game, judge)) = situation.begin(search, &meter, &is_due, dice) else {
        return Ok(Choice::default());
    };
    let reserved = reserve(search, &game);
    arms.resize_with(search.threads.max(1), Vec::new);
    for memory in &mut *arms {
        memory.resize(ACTION_CAP, Arm::default());
    }
    let options = Options { depth: search.depth, selection: search.selection };
    let too_few = |_| anyhow!("more actions than a hand of nine cards has");
    let (own, others) = arms.split_first_mut().ok_or_else(|| anyhow!("a decision without a thread"))?;
    let is_over = AtomicBool::new(false);
    let game_now = &game;
    let (mut report, playouts) = thread::scope(|scope| {
        let helpers: Vec<_> = others
            .iter_mut()
            .map(|memory| {
                let (dice, is_over) = (dice.split(), &is_over);
                let job = Helper { situation, search, budget, is_over };
                let listed = game_now.shortlist();
                scope.spawn(move || job.run(listed, options, memory, dice))
            })
            .collect();
        let whole = |effort| meter.share_of_search(effort, reserved);
        let report = flat::search(game_now, options, own, dice, whole).map_err(too_few);
        is_over.store(true, Ordering::Relaxed);
        let mut playouts = Vec::new();
        for helper in helpers {
            playouts.push(helper.join().map_err(|_| anyhow!("a thread of the decision failed"))?);
        }
        Ok::<_, anyhow::Error>((report?, playouts))
    })?;
    for effort in playouts {
        report.effort.playouts += effort.playouts;
        report.effort.turns += effort.turns;
    }
    let count = flat::FlatGame::actions(&game) as usize;
    if search.threads > 1 {
        (report.action, report.value) = sum_up(arms, count, report.action);
    }
    let is_blind = report.effort.playouts == 0;
    let program = if is_blind { game.best_alone(dice) } else { game.program(report.action) };
    let announces = announces(search, &game, judge, &program, dice, || !meter.is_due());
    let hints = if is_blind {
        vec![Hint { program: program.clone(), value: EVEN, playouts: 0 }]
    } else {
        hints(|action| game.program(action), &arms[0][..count], report.action, wanted)
    };
    Ok(Choice { program, announces, effort: report.effort, value: report.value, hints })
}

/// Whether to announce power down with a program: by the thresholds, or by playouts as long as `more` says so.
pub(super) fn announces(
    search: &Search,
    game: &ProgramGame<'_>,
    judge: Evaluator<'_>,
    program: &Program,
    dice: &mut Rng,
    more: impl FnMut() -> bool,
) -> bool {
    let usual = game.may_announce() && game.announces(program);
    match search.power {
        Some(power) if game.may_announce() && game.damage() >= power.least => {
            power_search(search, power, game.policy(), judge).announces(game, program, usual, dice, more)
        }
        _ => usual,
    }
}

/// The playouts of a player that decide about power down and re-entry.
pub(super) fn power_search<'b>(
    search: &Search,
    PowerAhead { turns, trials, .. }: PowerAhead,
    policy: PlayoutPolicy<'b>,
    judge: Evaluator<'b>,
) -> PowerSearch<'b> {
    PowerSearch {
        policy: PlayoutPolicy { power_down: search.power_down, ..policy },
        judge,
        turns,
        most: trials,
    }
}

/// Share of a decision's time that the search of a program leaves to that of power, where there is one.
fn reserve(search: &Search, game: &ProgramGame<'_>) -> u32 {
    let asks = search.power.is_some_and(|power| game.may_announce() && game.damage() >= power.least);
    if asks { ALL_SPENT / 4 } else { 0 }
}

/// Job of a further thread of a decision.
struct Helper<'a> {
    situation: Situation<'a>,
    search: &'a Search,
    budget: Budget,
    is_over: &'a AtomicBool,
}

impl Helper<'_> {
    /// Searches the listed actions until its own budget is spent or the first thread is done.
    fn run(&self, listed: &[u32], options: Options, arms: &mut [Arm], mut dice: Rng) -> Effort {
        let is_due = || self.is_over.load(Ordering::Relaxed);
        let Some((mut game, _)) = self.situation.game(self.search, &is_due) else { return Effort::default() };
        game.list(listed);
        game.foresee(self.search.foresee, &mut dice, || !is_due());
        let mut budget = self.budget.start();
        let spent = |effort: Effort| if is_due() { ALL_SPENT } else { budget(effort) };
        flat::search(&game, options, arms, &mut dice, spent).map_or(Effort::default(), |report| report.effort)
    }
}

/// Adds the statistics of all threads to those of the first one. Returns the action with the best mean among those
/// with a fair share of the playouts, and its mean.
fn sum_up(arms: &mut [Vec<Arm>], count: usize, fallback: u32) -> (u32, i32) {
    let Some((sums, others)) = arms.split_first_mut() else { return (fallback, EVEN) };
    for memory in others {
        for (sum, arm) in sums.iter_mut().zip(memory.iter()).take(count) {
            sum.stats.merge(&arm.stats);
        }
    }
    let sums = sums.iter().take(count);
    let most = sums.clone().map(|arm| arm.stats.visits()).max().unwrap_or(0);
    let fair = (0..).zip(sums).filter(|(_, arm)| arm.stats.visits() > 0 && arm.stats.visits() >= most / 2);
    let best = fair.max_by_key(|(_, arm)| (arm.stats.mean(), arm.stats.visits()));
    best.map_or((fallback, EVEN), |(action, arm)| (action, arm.stats.mean()))
}
