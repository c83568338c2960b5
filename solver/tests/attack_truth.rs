//! The attack model against the rules: on small crowded boards everything that can be achieved is found by
//! trying every action, and must be what the solver finds.
//!
//! `BARROW_TRUTH_BOARDS` sets the number of boards; with it set, boards with more to try are looked at, too.

mod truth;

use std::collections::HashSet;
use std::env;
use std::fmt::Debug;
use std::hash::Hash;

use barrow_core::minions::Game;
use barrow_core::rng::Rng;
use barrow_solver::attack::{
    AttackModel, AttackSolver, Equivalence, OrdinaryRoom, OverkillPolicy, PlanAnswer, limits_for, memory_for,
    perft,
};
use barrow_testing::rounds;
use truth::questions::{Answers, ask};
use truth::{Cast, Detail, Outcome, PIECES, brute_force, crowd, replay};

/// Number of boards, and of situations that the brute force looks at on one of them before it gives up.
fn effort() -> (usize, usize) {
    match env::var("BARROW_TRUTH_BOARDS") {
        Ok(text) => (text.parse().unwrap(), 4_000),
        Err(_) => (rounds(1_000) as usize, 1_500),
    }
}

/// Whether a board is one of those on which the solver learns by cutting planes from its first conflict on: half of them.
fn by_cuts(game: &Game) -> bool {
    let view = game.view(0).unwrap();
    view.board.pieces(view.side).len().is_multiple_of(2)
}

/// Answers of the solver when plans that are the same in this respect are given once, with an overkill policy or by a model
/// for long searches.
fn solved(game: &Game, cast: &Cast, policy: Option<OverkillPolicy>, same: Equivalence) -> HashSet<Outcome> {
    let view = game.view(0).unwrap();
    let mut room = OrdinaryRoom::new();
    let model = AttackModel::new(&view, &mut room).unwrap();
    let model = match policy {
        Some(policy) => model.with_overkill_policy(policy),
        None => model.for_long_searches(),
    };
    assert!(model.is_complete());
    let mut limits = limits_for(&model).unwrap();
    limits.clauses += 1 << 18;
    limits.store += 1 << 16;
    let mut memory = vec![0; limits.words()];
    let mut solver = AttackSolver::new(&model, &limits, &mut memory).unwrap();
    if by_cuts(game) {
        solver.use_cutting_planes(0);
    }
    let mut found = HashSet::new();
    while let PlanAnswer::Plan(plan) = solver.plan(&[], u64::MAX).unwrap() {
        let outcome = replay(game, cast, &plan.actions);
        let first = found.iter().all(|other: &Outcome| other.removals() != outcome.removals());
        assert!(same != Equivalence::Removals || first, "{:?} are given twice", outcome.removals());
        found.insert(outcome);
        solver.forbid(same).unwrap();
    }
    found
}

/// Count of comparisons for each ruleset: outcomes, and how many of them were missed.
#[derive(Default)]
struct Tally {
    counts: [(usize, usize); 2],
}

impl Tally {
    /// Counts what the rules allow and the solver misses; what the solver makes up is an error.
    fn compare<T: Hash + Eq + Ord + Copy + Debug>(
        &mut self,
        (game, cast, seed): (&Game, &Cast, u64),
        true_ones: &HashSet<T>,
        found: &HashSet<T>,
    ) {
        if let Some(invented) = found.difference(true_ones).next() {
            panic!("seed {seed}: {invented:?} is impossible, {cast:?}");
        }
        let missed: Vec<&T> = true_ones.difference(found).collect();
        if !missed.is_empty() && env::var("BARROW_TRUTH_SHOW").is_ok() {
            println!("seed {seed}: missed {missed:?} {cast:?}");
            show(game);
        }
        let server = usize::from(game.config().rules.split_moves);
        self.counts[server].0 += true_ones.len();
        self.counts[server].1 += missed.len();
    }

    /// Nothing may be missed.
    fn report(&self, what: &str) {
        for (name, (outcomes, missed)) in ["spooky", "server"].iter().zip(self.counts) {
            println!("{name}: {missed} of {outcomes} {what} missed");
        }
        assert!(self.counts.iter().all(|&(outcomes, missed)| outcomes > 0 && missed == 0), "{what} missed");
    }
}

fn show(game: &Game) {
    let view = game.view(0).unwrap();
    let (mut fillers, mut free) = (String::new(), String::new());
    for (hex, piece) in view.board.iter_all() {
        if piece.exhausted() && !view.unit(piece).blink {
            fillers.extend([hex.to_string().as_str(), " "]);
        } else {
            println!("  {hex} {:?} {piece:?}", piece.unit());
        }
    }
    let near = view.board.pieces(view.side.opponent()).grown().grown() - view.board.all_pieces();
    near.iter().for_each(|hex| free.extend([hex.to_string().as_str(), " "]));
    println!("  exhausted friends on {fillers}, free hexes near enemies {free}");
}

/// Calls `compare` with as many boards as wanted, of which each allows several outcomes.
fn each_board(detail: Detail, mut compare: impl FnMut((&Game, &Cast, u64), &HashSet<Outcome>)) {
    let (wanted, budget) = effort();
    let (mut boards, mut skipped, mut seed) = (0, 0, 0);
    while boards < wanted {
        seed += 1;
        let game = crowd(&mut Rng::new(seed), 6);
        let cast = Cast::new(&game);
        if cast.friends.len() > PIECES || cast.foes.len() > PIECES || cast.foes.is_empty() {
            continue;
        }
        let Some(true_ones) = brute_force(&game, &cast, budget, detail) else {
            skipped += 1;
            continue;
        };
        if true_ones.len() > 2 {
            boards += 1;
            compare((&game, &cast, seed), &true_ones);
        }
    }
    println!("{boards} boards, {skipped} had too many situations");
}

#[test]
fn what_can_be_achieved_is_what_the_solver_finds() {
    let (mut removals, mut fighters, mut stands) = (Tally::default(), Tally::default(), Tally::default());
    each_board(Detail::Nothing, |board, true_ones| {
        let (game, cast, _) = board;
        let all = true_ones.iter().map(Outcome::removals).collect();
        // Whoever may fight only where it is needed removes no less.
        for policy in [Some(OverkillPolicy::Allowed), Some(OverkillPolicy::AllHitsNeeded), None] {
            let found = solved(game, cast, policy, Equivalence::Removals);
            removals.compare(board, &all, &found.iter().map(Outcome::removals).collect());
        }
        let all = true_ones.iter().map(Outcome::fighters).collect();
        let found = solved(game, cast, Some(OverkillPolicy::AllHitsLand), Equivalence::Fighters);
        fighters.compare(board, &all, &found.iter().map(Outcome::fighters).collect());
        if true_ones.len() <= 500 {
            let all = true_ones.iter().map(Outcome::stands).collect();
            let found = solved(game, cast, Some(OverkillPolicy::AllHitsLand), Equivalence::FightingHexes);
            stands.compare(board, &all, &found.iter().map(Outcome::stands).collect());
        }
    });
    removals.report("sets of removals");
    fighters.report("sets of removals and fighters");
    stands.report("sets of removals and fighters with their hexes");
}

#[test]
fn perft_counts_the_minimal_attacks() {
    let mut minimal = Tally::default();
    each_board(Detail::Hits, |board, true_ones| {
        let (game, cast, seed) = board;
        let all: HashSet<_> =
            true_ones.iter().filter(|outcome| outcome.is_minimal(game, cast)).map(Outcome::stands).collect();
        let found = solved(game, cast, Some(OverkillPolicy::AllHitsNeeded), Equivalence::FightingHexes);
        let found: HashSet<_> = found.iter().map(Outcome::stands).collect();
        minimal.compare(board, &all, &found);
        let view = game.view(0).unwrap();
        let mut room = OrdinaryRoom::new();
        let model = AttackModel::new(&view, &mut room).unwrap();
        let model = model.with_overkill_policy(OverkillPolicy::AllHitsNeeded);
        let mut memory = vec![0; memory_for(&model).unwrap()];
        assert_eq!(perft(&view, &mut room, &mut memory, u64::MAX), Ok(found.len() as u64), "seed {seed}");
        assert_eq!(perft(&view, &mut room, &mut memory, 1), Ok(1));
    });
    minimal.report("minimal attacks");
}

#[test]
fn questions_are_answered_as_the_rules_answer_them() {
    let mut answers = [Answers::default(); 2];
    each_board(Detail::Ends, |(game, cast, seed), true_ones| {
        let view = game.view(0).unwrap();
        let jumps = cast.friends.iter().any(|&at| !view.teleports(at).is_empty());
        // Who uses a teleporter after others have made room is left out.
        if !jumps {
            let server = usize::from(game.config().rules.split_moves);
            ask(game, cast, true_ones, &mut Rng::new(seed), 20, &mut answers[server]);
        }
    });
    for (name, Answers { questions, possible, missed }) in ["spooky", "server"].iter().zip(answers) {
        println!("{name}: {questions} questions, {possible} with yes, {missed} of them missed");
        let few = rounds(1_000) as usize;
        assert!(possible > few && questions - possible > few && missed == 0);
    }
}
