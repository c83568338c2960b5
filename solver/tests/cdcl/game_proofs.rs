//! A game between searches in which VeriPB checks whatever attack planning refutes: that there is no further attack, and
//! that a goal is excluded by the more important ones.
//!
//! `BARROW_PLIES=40 cargo test --release -p barrow-solver --features proof --test cdcl game_proofs` is a whole game.

use barrow_core::minions::players::{FallbackPolicies, Greedy};
use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::ports::{
    Attack, AttackGoal, AttackPlanner, JoinedPorts, Outline, Planned,
};
use barrow_core::minions::turn_search::{
    AttackCandidate, GeneralCandidate, Line, MoneyCandidate, Picks, Search, SearchOptions, SearchScratch,
    SearchSlices, Slot, SpawnCandidate, Stages,
};
use barrow_core::minions::{Action, Game, GameConfig, GameTurn, GeneralAction, MapLabel, Ruleset, View};
use barrow_core::search::clock::NodeLimit;
use barrow_core::search::tree::{Edge, Node};
use barrow_solver::attack::{
    AttackModel, AttackSolver, Goal, LargeRoom, OrdinaryRoom, OverkillPolicy, PLANNER_WORDS, PlanAnswer,
    Planner, limits_for,
};

use crate::proofs::{Folder, Proof, crowded_board, has_checker};

/// Plies without `BARROW_PLIES`, from a position in which pieces are in contact.
const PLIES: u32 = 3;

/// Plies of a whole game, from the start position.
const WHOLE_GAME: u32 = 40;

/// Nodes of a search.
const NODES: u64 = 40;

/// Refutations checked.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    requests: u64,
    /// Requests to which there was no further attack.
    ended: u64,
    /// Goals that more important ones excluded.
    denied: u64,
}

/// The planner of the search, whose requests are answered a second time with a proof.
struct CheckedPlanner<'m, 't> {
    planner: Planner<'m>,
    folder: &'t Folder,
    tally: &'t mut Tally,
}

impl AttackPlanner for CheckedPlanner<'_, '_> {
    fn plan(
        &mut self,
        view: &View<'_>,
        goals: &[AttackGoal],
        forbidden: &[Outline],
        attack: &mut Attack,
    ) -> Planned {
        let answer = self.planner.plan(view, goals, forbidden, attack);
        if answer != Planned::Unknown {
            self.check(view, goals, forbidden, answer == Planned::NoMore);
        }
        answer
    }
}

impl CheckedPlanner<'_, '_> {
    fn check(&mut self, view: &View<'_>, goals: &[AttackGoal], forbidden: &[Outline], ended: bool) {
        let goals: Vec<Goal> = goals
            .iter()
            .map(|&goal| match goal {
                AttackGoal::Kill(at) => Goal::Kill(at),
                AttackGoal::Remove(at) => Goal::Remove(at),
                AttackGoal::Passive(at) => Goal::Passive(at),
            })
            .collect();
        let mut room = OrdinaryRoom::new();
        let model = AttackModel::new(view, &mut room).unwrap();
        let model = model.with_overkill_policy(OverkillPolicy::AllHitsLand);
        let limits = limits_for(&model).unwrap();
        let mut memory = vec![0; limits.words()];
        let mut proof = Proof::default();
        let mut solver =
            AttackSolver::proving(&model, &limits, &mut memory, &mut proof.problem, &mut proof.steps)
                .unwrap();
        for outline in forbidden {
            solver.forbid_outline(outline).unwrap();
        }
        self.tally.requests += 1;
        let mut denied = 0;
        match solver.plan(&goals, u64::MAX).unwrap() {
            PlanAnswer::NoMore => assert!(ended, "the search was given an attack where there is none"),
            PlanAnswer::Unknown => unreachable!("without a bound the answer is known"),
            PlanAnswer::Plan(_) => {
                assert!(!ended, "the search was denied an attack that there is");
                let answers: Vec<(Goal, bool)> =
                    goals.iter().map(|&goal| (goal, solver.grants(goal))).collect();
                let mut granted = Vec::new();
                for (goal, holds) in answers {
                    if holds {
                        granted.push(goal);
                    } else if let Some(excluded) = solver.excludes(&granted, goal).unwrap() {
                        assert!(excluded, "{goal:?} was denied without need");
                        denied += 1;
                    }
                }
            }
        }
        solver.conclude().unwrap();
        self.tally.ended += u64::from(ended);
        self.tally.denied += denied;
        if ended || denied > 0 {
            let verdict = self.folder.check(&proof).unwrap_or_else(|complaint| panic!("{complaint}"));
            let expected = if ended { "s VERIFIED UNSATISFIABLE" } else { "s VERIFIED NO CONCLUSION" };
            assert!(verdict.contains(expected), "{verdict}");
        }
    }
}

/// The best turn of a search whose refutations are checked.
fn best_turn(game: &Game, folder: &Folder, tally: &mut Tally) -> GameTurn {
    let capacity = 2_000;
    let (mut nodes, mut table) = (vec![Node::EMPTY; capacity], vec![0; 2 * capacity]);
    let mut edges = vec![Edge::vacant(Picks::default()); capacity];
    let mut stages = vec![Stages::EMPTY; capacity];
    let mut generals = vec![Slot::<GeneralCandidate>::EMPTY; 4 * capacity];
    let mut attacks = vec![Slot::<AttackCandidate>::EMPTY; 4 * capacity];
    let mut money = vec![Slot::<MoneyCandidate>::EMPTY; 4 * capacity];
    let mut spawns = vec![Slot::<SpawnCandidate>::EMPTY; 4 * capacity];
    let mut actions = vec![Action::General(GeneralAction::March); 100 * capacity];
    let memory = SearchSlices {
        nodes: &mut nodes,
        edges: &mut edges,
        table: &mut table,
        stages: &mut stages,
        generals: &mut generals,
        attacks: &mut attacks,
        money: &mut money,
        spawns: &mut spawns,
        actions: &mut actions,
    };
    let (mut words, mut scratch) = (vec![0; 4 * PLANNER_WORDS], SearchScratch::new());
    let ports = JoinedPorts {
        evaluator: FallbackPolicies::default(),
        attack_policy: FallbackPolicies::default(),
        attack_planner: CheckedPlanner { planner: Planner::new(&mut words), folder, tally },
        spawn_policy: FallbackPolicies::default(),
        general_policy: FallbackPolicies::default(),
    };
    let mut search = Search::new(memory, &mut scratch, ports, SearchOptions::default(), game).unwrap();
    search.run(&mut NodeLimit(NODES));
    let mut lines = [Line::default()];
    assert_eq!(search.tree().lines(&mut lines), 1);
    search.tree().turn(game, &lines[0]).unwrap()
}

#[test]
fn whatever_is_refuted_in_a_game_is_proved() {
    if !has_checker() {
        return;
    }
    let plies = std::env::var("BARROW_PLIES").ok().and_then(|plies| plies.parse().ok()).unwrap_or(PLIES);
    let folder = Folder::new("game");
    let mut all = Tally::default();
    for ruleset in [Ruleset::Server, Ruleset::Spooky] {
        let config = GameConfig::new(ruleset, &[MapLabel::MidnightLake, MapLabel::BlackenedShores]).unwrap();
        let mut game = Game::new(config, 7);
        let mut ply = 0;
        while plies < WHOLE_GAME && ply < 12 {
            game.play(&Greedy::new(ply).choose(&game)).unwrap();
            ply += 1;
        }
        let mut tally = Tally::default();
        let mut played = 0;
        while played < plies && !game.state().is_over() {
            let turn = best_turn(&game, &folder, &mut tally);
            game.play(&turn).unwrap();
            played += 1;
        }
        println!("{}: {played} plies, {tally:?}", ruleset.name());
        all.ended += tally.ended;
        all.denied += tally.denied;
    }
    assert!(all.ended > 0 && all.denied > 0, "{all:?}");
}

/// Steps and plans that single wishes gave.
#[derive(Default, Debug)]
struct Single {
    steps: usize,
    plans: usize,
}

/// The best plans within budgets too small for the one search for all wishes, which are then granted one by one: every
/// wish that is denied is a step that VeriPB accepts, and plans that are proved grant what the one search grants.
#[test]
fn wishes_denied_one_by_one_are_proved() {
    if !has_checker() {
        return;
    }
    let folder = Folder::new("wishes");
    let mut room = Box::new(LargeRoom::new());
    let mut single = Single::default();
    for seed in 0..60 {
        let game = crowded_board(seed);
        let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
        let model = if seed % 4 < 2 { model } else { model.for_long_searches() };
        // Which of these ends the one search but not the single ones differs from board to board.
        for budget in [2_000, 8_000, 30_000] {
            grant_with_proof(&model, budget, &folder, &mut single)
                .unwrap_or_else(|complaint| panic!("seed {seed}, {budget} propagations: {complaint}"));
        }
    }
    let Single { steps, plans } = single;
    println!("{steps} steps, {plans} plans");
    assert!(steps > 150 && plans > 10, "{steps} steps, {plans} plans");
}

/// Denied wishes on all boards of a file of positions, under both rulesets: `BARROW_POSITIONS=FILE cargo test --release
/// -p barrow-solver --features proof --test cdcl denied_wishes_of_a_file -- --ignored --nocapture`. What a budget of
/// `BARROW_BUDGET` propagations does not decide is no step.
#[test]
#[ignore = "of the positions that BARROW_POSITIONS names"]
fn denied_wishes_of_a_file_are_proved() {
    let number = |name| std::env::var(name).ok().and_then(|text: String| text.parse().ok());
    let budget = number("BARROW_BUDGET").unwrap_or(5_000);
    let positions = std::fs::read_to_string(std::env::var("BARROW_POSITIONS").unwrap()).unwrap();
    let folder = Folder::new("crowded");
    let mut room = Box::new(LargeRoom::new());
    for ruleset in [Ruleset::Spooky, Ruleset::Server] {
        let mut single = Single::default();
        for (line, text) in positions.lines().enumerate() {
            let game = fen::parse(text, &GameConfig::default().with_ruleset(ruleset)).unwrap();
            for board in 0..game.config().num_boards() {
                let model = AttackModel::new(&game.view(board).unwrap(), &mut *room).unwrap().for_removals();
                grant_with_proof(&model, budget, &folder, &mut single)
                    .unwrap_or_else(|complaint| panic!("line {}, board {board}: {complaint}", line + 1));
            }
        }
        println!("{}: {single:?}", ruleset.name());
    }
}

/// Plans with a budget of propagations and has the proof checked. Errors: what is wrong with the proof.
fn grant_with_proof(
    model: &AttackModel<'_>,
    budget: u64,
    folder: &Folder,
    single: &mut Single,
) -> Result<(), String> {
    let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
    let limits = limits_for(model).unwrap();
    let mut memory = vec![0; limits.words()];
    let mut proof = Proof::default();
    let (problem, log) = (&mut proof.problem, &mut proof.steps);
    let mut solver = AttackSolver::proving(model, &limits, &mut memory, problem, log).unwrap();
    let best = solver.best_plan(&goals, budget).unwrap();
    let granted: Vec<bool> = goals.iter().map(|&goal| solver.grants(goal)).collect();
    solver.conclude().unwrap();
    let clashes = proof.steps.lines().filter(|step| step.starts_with("@u ")).count();
    if clashes == 0 {
        return Ok(());
    }
    let verdict = folder.check(&proof)?;
    assert!(verdict.contains("s VERIFIED NO CONCLUSION"), "{verdict}");
    single.steps += clashes;
    if best.is_proved() {
        let mut solver = AttackSolver::new(model, &limits, &mut memory).unwrap();
        // The one search for all wishes takes too long on some crowded boards.
        if solver.plan(&goals, 1_000_000).unwrap() == PlanAnswer::Unknown {
            return Ok(());
        }
        assert_eq!(granted, goals.iter().map(|&goal| solver.grants(goal)).collect::<Vec<_>>());
        assert!(clashes >= granted.iter().filter(|&&holds| !holds).count(), "{clashes} steps");
        single.plans += 1;
    }
    Ok(())
}
