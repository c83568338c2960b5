//! The attack model against the rules: on small crowded boards everything that can be achieved is found by
//! trying every action, and must be what the solver finds.
//!
//! `BARROW_TRUTH_BOARDS` sets the number of boards.

mod truth;

use std::collections::HashSet;
use std::env;
use std::hash::Hash;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::Game;
use barrow_core::rng::Rng;
use barrow_solver::attack::{AttackPlan, AttackSolver, Planned, Sameness, Survey, limits_for};
use truth::{Cast, Outcome, PIECES, brute_force, crowd};

/// Situations that the brute force looks at on one board before it gives up.
const BUDGET: usize = 40_000;

fn bits(set: HexSet, pieces: &[Hex]) -> u8 {
    pieces.iter().enumerate().fold(0, |all, (index, &hex)| all | u8::from(set.contains(hex)) << index)
}

fn outcome(plan: &AttackPlan, cast: &Cast) -> Outcome {
    let mut stands = [0; PIECES];
    for (stand, &hex) in stands.iter_mut().zip(&cast.friends) {
        *stand = u8::from(plan.fighters.contains(hex));
    }
    Outcome { killed: bits(plan.killed, &cast.foes), unsummoned: bits(plan.unsummoned, &cast.foes), stands }
}

fn solved(game: &Game, cast: &Cast, same: Sameness) -> HashSet<Outcome> {
    let view = game.view(0).unwrap();
    let survey = Survey::new(&view).unwrap();
    let mut limits = limits_for(&survey).unwrap();
    limits.clauses += 1 << 18;
    limits.lists += 1 << 16;
    let mut memory = vec![0; limits.words()];
    let mut solver = AttackSolver::new(&survey, &limits, &mut memory).unwrap();
    let mut found = HashSet::new();
    while let Planned::Plan(plan) = solver.plan(&[], u64::MAX).unwrap() {
        found.insert(outcome(&plan, cast));
        solver.forbid(same).unwrap();
    }
    found
}

/// Counts what the rules allow and the solver misses; what the solver makes up is an error.
fn missed<T: Hash + Eq + Ord + Copy + std::fmt::Debug>(
    game: &Game,
    cast: &Cast,
    true_ones: &HashSet<T>,
    found: &HashSet<T>,
    what: &str,
) -> usize {
    if let Some(invented) = found.difference(true_ones).next() {
        panic!("{what}: {invented:?} is impossible, {cast:?}, {game:?}");
    }
    let missed: Vec<&T> = true_ones.difference(found).collect();
    if !missed.is_empty() && env::var("BARROW_TRUTH_SHOW").is_ok() {
        println!("{what}: missed {missed:?} {cast:?}");
        show(game);
    }
    missed.len()
}

fn show(game: &Game) {
    let view = game.view(0).unwrap();
    for (hex, piece) in view.board.iter_all() {
        let filler = piece.exhausted() && !view.unit(piece).blink;
        if !filler {
            println!("  {hex} {piece:?} {:?}", piece.unit());
        }
    }
    let fillers: Vec<String> = view
        .board
        .iter_all()
        .filter(|(_, piece)| piece.exhausted())
        .map(|(hex, _)| hex.to_string())
        .collect();
    println!("  fillers {fillers:?}");
}

#[test]
fn what_can_be_achieved_is_what_the_solver_finds() {
    let wanted: usize = env::var("BARROW_TRUTH_BOARDS").map_or(3_000, |text| text.parse().unwrap());
    let (mut boards, mut skipped, mut seed) = (0, 0, 0);
    // For each ruleset: outcomes, and those missed.
    let mut removals = [(0, 0); 2];
    while boards < wanted {
        seed += 1;
        let game = crowd(&mut Rng::new(seed), 6);
        let cast = Cast::new(&game);
        if cast.friends.len() > PIECES || cast.foes.len() > PIECES || cast.foes.is_empty() {
            continue;
        }
        let Some(true_ones) = brute_force(&game, &cast, BUDGET) else {
            skipped += 1;
            continue;
        };
        if true_ones.len() < 3 {
            continue;
        }
        boards += 1;
        let what = format!("seed {seed}");
        let ruleset = usize::from(game.config().rules.split_moves);
        let all: HashSet<_> = true_ones.iter().map(Outcome::removals).collect();
        let found = solved(&game, &cast, Sameness::Removals).iter().map(Outcome::removals).collect();
        removals[ruleset].0 += all.len();
        removals[ruleset].1 += missed(&game, &cast, &all, &found, &what);
    }
    println!("{boards} boards, {skipped} too large");
    for (name, (outcomes, missed)) in ["spooky", "server"].iter().zip(removals) {
        println!("{name}: {missed} of {outcomes} sets of removals missed");
    }
}
