//! Questions about an attack: can all these goals come true together? On true outcomes the answer is read off.

use std::collections::HashSet;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::Game;
use barrow_core::rng::Rng;
use barrow_solver::attack::{
    AttackModel, AttackSolver, Goal, OrdinaryRoom, OverkillPolicy, PlanAnswer, limits_for,
};

use super::{Cast, Outcome, replay};

fn place(all: &[Hex], hex: Hex) -> usize {
    all.iter().position(|&at| at == hex).unwrap()
}

/// Whether a goal comes true.
fn holds(outcome: &Outcome, cast: &Cast, goal: Goal) -> bool {
    let foe = |at: Hex| 1 << place(&cast.foes, at);
    let friend = |at: Hex| place(&cast.friends, at);
    let index = |hex: Hex| hex.index() as u8 + 1;
    match goal {
        Goal::Remove(at) => (outcome.killed | outcome.unsummoned) & foe(at) != 0,
        Goal::Spare(at) => (outcome.killed | outcome.unsummoned) & foe(at) == 0,
        Goal::Kill(at) => outcome.killed & foe(at) != 0,
        Goal::Unsummon(at) => outcome.unsummoned & foe(at) != 0,
        Goal::Passive(at) => outcome.stands[friend(at)] == 0,
        Goal::FightFrom(at, from) => outcome.stands[friend(at)] == index(from),
        Goal::Occupy(at, to) => {
            at != to && outcome.stands[friend(at)] == 0 && outcome.ends[friend(at)] == index(to)
        }
    }
}

/// Something that is true of a piece in this outcome.
fn goal_of(rng: &mut Rng, outcome: &Outcome, cast: &Cast) -> Goal {
    if cast.friends.is_empty() || rng.chance(2, 5) {
        let at = *rng.choose(&cast.foes).unwrap();
        let (any, sent) = (Goal::Remove(at), Goal::Unsummon(at));
        let exact = if holds(outcome, cast, sent) { sent } else { Goal::Kill(at) };
        return match holds(outcome, cast, any) {
            true if rng.chance(1, 2) => any,
            true => exact,
            false => Goal::Spare(at),
        };
    }
    let friend = rng.below(cast.friends.len() as u32) as usize;
    let at = cast.friends[friend];
    let hex = |index: u8| index.checked_sub(1).and_then(Hex::new);
    match (hex(outcome.stands[friend]), hex(outcome.ends[friend])) {
        (Some(from), _) => Goal::FightFrom(at, from),
        (None, Some(to)) if to != at && rng.chance(3, 4) => Goal::Occupy(at, to),
        _ => Goal::Passive(at),
    }
}

/// A few goals, about half of the time such that all can come true, otherwise taken from several outcomes or made up.
fn goals(rng: &mut Rng, outcomes: &[Outcome], cast: &Cast) -> Vec<Goal> {
    let one = *rng.choose(outcomes).unwrap();
    let mixed = rng.chance(1, 2);
    let mut all = Vec::new();
    for _ in 0..2 + rng.below(7) {
        let outcome = if mixed { *rng.choose(outcomes).unwrap() } else { one };
        let mut goal = goal_of(rng, &outcome, cast);
        if let Goal::Occupy(at, _) = goal
            && mixed
            && rng.chance(1, 2)
        {
            let near: Vec<Hex> = HexSet::ball(at, 3).into_iter().collect();
            goal = Goal::Occupy(at, *rng.choose(&near).unwrap());
        }
        all.push(goal);
    }
    all
}

/// Whether the solver can make all of these come true. What it then does is checked.
fn granted(game: &Game, cast: &Cast, outcomes: &HashSet<Outcome>, goals: &[Goal]) -> bool {
    let view = game.view(0).unwrap();
    let movers = goals.iter().filter_map(|goal| match goal {
        Goal::Occupy(at, _) => Some(*at),
        _ => None,
    });
    let mut room = OrdinaryRoom::new();
    let model = AttackModel::with_movers(&view, movers.collect(), &mut room)
        .unwrap()
        .with_overkill_policy(OverkillPolicy::AllHitsLand);
    let limits = limits_for(&model).unwrap();
    let mut memory = vec![0; limits.words()];
    let mut solver = AttackSolver::new(&model, &limits, &mut memory).unwrap();
    if crate::by_cuts(game) {
        solver.use_cutting_planes(0);
    }
    // Of pieces that cannot take part it goes without saying that they are spared and do not fight.
    let said = |goal: &&Goal| match **goal {
        Goal::Spare(at) => model.targets().any(|target| target == at),
        Goal::Passive(at) => model.attackers().any(|attacker| attacker == at),
        _ => true,
    };
    let asked: Vec<Goal> = goals.iter().filter(said).copied().collect();
    let PlanAnswer::Plan(plan) = solver.plan(&asked, u64::MAX).unwrap() else {
        panic!("there is always a plan")
    };
    let outcome = replay(game, cast, &plan.actions);
    assert!(outcomes.contains(&outcome), "{outcome:?} is impossible");
    let all = asked.iter().all(|&goal| solver.grants(goal));
    assert!(!all || goals.iter().all(|&goal| holds(&outcome, cast, goal)), "{plan:?} breaks its word");
    all
}

/// Count of questions: how many of them the rules answer with yes, and how many of these the solver denies.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Answers {
    pub(crate) questions: usize,
    pub(crate) possible: usize,
    pub(crate) missed: usize,
}

/// Asks this many questions about a board. What the rules forbid and the solver grants is an error.
pub(crate) fn ask(
    game: &Game,
    cast: &Cast,
    outcomes: &HashSet<Outcome>,
    rng: &mut Rng,
    count: usize,
    answers: &mut Answers,
) {
    let mut sorted: Vec<Outcome> = outcomes.iter().copied().collect();
    sorted.sort_unstable();
    for _ in 0..count {
        let goals = goals(rng, &sorted, cast);
        let possible = sorted.iter().any(|outcome| goals.iter().all(|&goal| holds(outcome, cast, goal)));
        let granted = granted(game, cast, outcomes, &goals);
        assert!(possible || !granted, "{goals:?} is impossible, {cast:?}");
        answers.questions += 1;
        answers.possible += usize::from(possible);
        answers.missed += usize::from(possible && !granted);
        if possible && !granted && std::env::var("BARROW_TRUTH_SHOW").is_ok() {
            println!("denied {goals:?} {cast:?}");
        }
    }
}
