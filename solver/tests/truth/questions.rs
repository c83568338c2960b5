//! Questions about an attack: can all these wishes come true together? On true outcomes the answer is read off.

use std::collections::HashSet;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::Game;
use barrow_core::rng::Rng;
use barrow_solver::attack::{AttackSolver, Economy, Planned, Survey, Wish, limits_for};

use super::{Cast, Outcome, replay};

fn place(all: &[Hex], hex: Hex) -> usize {
    all.iter().position(|&at| at == hex).unwrap()
}

/// Whether a wish comes true.
fn holds(outcome: &Outcome, cast: &Cast, wish: Wish) -> bool {
    let foe = |at: Hex| 1 << place(&cast.foes, at);
    let friend = |at: Hex| place(&cast.friends, at);
    let index = |hex: Hex| hex.index() as u8 + 1;
    match wish {
        Wish::Remove(at) => (outcome.killed | outcome.unsummoned) & foe(at) != 0,
        Wish::Spare(at) => (outcome.killed | outcome.unsummoned) & foe(at) == 0,
        Wish::Kill(at) => outcome.killed & foe(at) != 0,
        Wish::Unsummon(at) => outcome.unsummoned & foe(at) != 0,
        Wish::Passive(at) => outcome.stands[friend(at)] == 0,
        Wish::FightFrom(at, from) => outcome.stands[friend(at)] == index(from),
        Wish::Occupy(at, to) => {
            at != to && outcome.stands[friend(at)] == 0 && outcome.ends[friend(at)] == index(to)
        }
    }
}

/// Something that is true of a piece in this outcome.
fn wish_of(rng: &mut Rng, outcome: &Outcome, cast: &Cast) -> Wish {
    if cast.friends.is_empty() || rng.chance(2, 5) {
        let at = *rng.choose(&cast.foes).unwrap();
        let (any, sent) = (Wish::Remove(at), Wish::Unsummon(at));
        let exact = if holds(outcome, cast, sent) { sent } else { Wish::Kill(at) };
        return match holds(outcome, cast, any) {
            true if rng.chance(1, 2) => any,
            true => exact,
            false => Wish::Spare(at),
        };
    }
    let friend = rng.below(cast.friends.len() as u32) as usize;
    let at = cast.friends[friend];
    let hex = |index: u8| index.checked_sub(1).and_then(Hex::new);
    match (hex(outcome.stands[friend]), hex(outcome.ends[friend])) {
        (Some(from), _) => Wish::FightFrom(at, from),
        (None, Some(to)) if to != at && rng.chance(3, 4) => Wish::Occupy(at, to),
        _ => Wish::Passive(at),
    }
}

/// A few wishes, about half of the time such that all can come true, otherwise taken from several outcomes or made up.
fn wishes(rng: &mut Rng, outcomes: &[Outcome], cast: &Cast) -> Vec<Wish> {
    let one = *rng.choose(outcomes).unwrap();
    let mixed = rng.chance(1, 2);
    let mut all = Vec::new();
    for _ in 0..2 + rng.below(7) {
        let outcome = if mixed { *rng.choose(outcomes).unwrap() } else { one };
        let mut wish = wish_of(rng, &outcome, cast);
        if let Wish::Occupy(at, _) = wish
            && mixed
            && rng.chance(1, 2)
        {
            let near: Vec<Hex> = HexSet::ball(at, 3).into_iter().collect();
            wish = Wish::Occupy(at, *rng.choose(&near).unwrap());
        }
        all.push(wish);
    }
    all
}

/// Whether the solver can make all of these come true. What it then does is checked.
fn granted(game: &Game, cast: &Cast, outcomes: &HashSet<Outcome>, wishes: &[Wish]) -> bool {
    let view = game.view(0).unwrap();
    let movers = wishes.iter().filter_map(|wish| match wish {
        Wish::Occupy(at, _) => Some(*at),
        _ => None,
    });
    let survey = Survey::with_movers(&view, movers.collect()).unwrap().with_economy(Economy::Landing);
    let limits = limits_for(&survey).unwrap();
    let mut memory = vec![0; limits.words()];
    let mut solver = AttackSolver::new(&survey, &limits, &mut memory).unwrap();
    // Of pieces that cannot take part it goes without saying that they are spared and do not fight.
    let said = |wish: &&Wish| match **wish {
        Wish::Spare(at) => survey.targets().any(|target| target == at),
        Wish::Passive(at) => survey.attackers().any(|attacker| attacker == at),
        _ => true,
    };
    let asked: Vec<Wish> = wishes.iter().filter(said).copied().collect();
    let Planned::Plan(plan) = solver.plan(&asked, u64::MAX).unwrap() else {
        panic!("there is always a plan")
    };
    let outcome = replay(game, cast, &plan.actions);
    assert!(outcomes.contains(&outcome), "{outcome:?} is impossible");
    let all = asked.iter().all(|&wish| solver.grants(wish));
    assert!(!all || wishes.iter().all(|&wish| holds(&outcome, cast, wish)), "{plan:?} breaks its word");
    all
}

/// What was asked: questions, how many of them the rules answer with yes, and how many of these the solver denies.
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
        let wishes = wishes(rng, &sorted, cast);
        let possible = sorted.iter().any(|outcome| wishes.iter().all(|&wish| holds(outcome, cast, wish)));
        let granted = granted(game, cast, outcomes, &wishes);
        assert!(possible || !granted, "{wishes:?} is impossible, {cast:?}");
        answers.questions += 1;
        answers.possible += usize::from(possible);
        answers.missed += usize::from(possible && !granted);
        if possible && !granted && std::env::var("BARROW_TRUTH_SHOW").is_ok() {
            println!("denied {wishes:?} {cast:?}");
        }
    }
}
