//! Every refutation is checked by VeriPB, an independent program; without it these tests only say so.
//! Install it with `cargo install veripb --locked`, run with `--features proof`.

use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::problems::{Constraint, Shape, add, lit_holds, model_of};
use barrow_core::hex::Hex;
use barrow_core::minions::{Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel, fen};
use barrow_core::rng::Rng;
use barrow_solver::attack::{
    AttackModel, AttackSolver, Equivalence, Goal, LargeRoom, OrdinaryRoom, limits_for,
};
use barrow_solver::cdcl::{Answer, Limits, Lit, Solver};
use barrow_solver_testing::opb::{load, problems_in};
use barrow_testing::{BENCH_POSITIONS, Signature};

/// Whether the checker is there; says so when it is not.
pub(crate) fn has_checker() -> bool {
    let found = Command::new("veripb").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        println!("veripb is not installed: proofs are not checked");
    }
    found
}

/// Problem and derivation.
#[derive(Default)]
pub(crate) struct Proof {
    pub(crate) problem: String,
    pub(crate) steps: String,
}

/// A folder for one test's files, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Verdict of the checker: its output when it accepts, its complaint when it does not.
    pub(crate) fn check(&self, proof: &Proof) -> Result<String, String> {
        let files = ["problem.opb", "proof.pbp"].map(|name| self.0.join(name));
        for (file, text) in files.iter().zip([&proof.problem, &proof.steps]) {
            fs::write(file, text).unwrap();
        }
        let output = Command::new("veripb").arg("--opb").args(&files).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Random calls on one solver. Every clash of assumptions and every refutation is a step. Returns their number.
fn log_random_calls(rng: &mut Rng, shape: Shape, (learnt, cuts): (usize, bool), proof: &mut Proof) -> usize {
    let Shape { vars, clocks, .. } = shape;
    let limits = Limits {
        vars: vars + 8,
        clocks,
        ticks: clocks,
        edges: 512,
        clauses: 1 << 13,
        store: 1 << 15,
        learnt,
    };
    let mut memory = vec![u32::MAX; limits.words()];
    let mut solver = Solver::new(&mut memory, &limits).unwrap();
    solver.prove(&mut proof.problem, &mut proof.steps);
    for _ in 0..vars {
        solver.new_var().unwrap();
    }
    if cuts {
        solver.use_cutting_planes(0);
    }
    for constraint in shape.problem(rng) {
        add(&mut solver, &constraint).unwrap();
    }
    let mut clashes = 0;
    for _ in 0..8 {
        for _ in 0..rng.below(3) {
            add(&mut solver, &shape.constraint(rng)).unwrap();
        }
        let mut assumptions = if rng.chance(1, 4) { Vec::new() } else { shape.lits(rng, 6) };
        let group = rng.chance(1, 3).then(|| solver.new_group().ok()).flatten();
        if let Some(group) = group {
            match shape.constraint(rng) {
                Constraint::Clause(lits) => solver.add_clause_in(group, &lits),
                Constraint::AtMostOne(lits) => solver.add_at_most_one_in(group, &lits),
                Constraint::Linear(terms, degree) => solver.add_linear_in(group, &terms, degree),
                Constraint::Order { earlier, later, strict, .. } => {
                    solver.add_order(group.lit(), earlier, later, strict)
                }
            }
            .unwrap();
            assumptions.push(group.lit());
        }
        let preferences = if rng.chance(1, 2) { Vec::new() } else { shape.lits(rng, 8) };
        match solver.solve_preferring(&assumptions, &preferences, u64::MAX).unwrap() {
            Answer::Sat => {
                let model = model_of(&solver, vars);
                let lits: Vec<Lit> =
                    preferences.iter().copied().filter(|&lit| lit_holds(lit, model)).collect();
                if !lits.is_empty() {
                    solver.block(&lits).unwrap();
                }
            }
            _ => clashes += 1,
        }
        if let Some(group) = group.filter(|_| rng.chance(1, 2)) {
            solver.release(group).unwrap();
        }
    }
    solver.conclude().unwrap();
    clashes
}

#[test]
fn refutations_of_random_problems_are_accepted() {
    if !has_checker() {
        return;
    }
    let folder = Folder::new("random");
    let (mut clashes, mut refuted) = (0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let vars = 10 + rng.below(40) as usize;
        let lits = if rng.chance(1, 2) { (3, 3) } else { (2, 6) };
        let shape = Shape { vars, clocks: 2 + rng.below(8) as usize, lits };
        let mut proof = Proof::default();
        let scarce = rng.chance(1, 2);
        let learnt = match seed % 7 {
            0 => 0,
            _ if scarce => 2 * Limits::clause_words(vars + 8),
            _ => 1 << 12,
        };
        clashes += log_random_calls(&mut rng, shape, (learnt, seed % 2 == 0), &mut proof);
        let verdict = folder.check(&proof).unwrap_or_else(|complaint| panic!("seed {seed}: {complaint}"));
        let unsatisfiable = proof.steps.contains("conclusion UNSAT");
        refuted += usize::from(unsatisfiable);
        let expected = if unsatisfiable { "s VERIFIED UNSATISFIABLE" } else { "s VERIFIED NO CONCLUSION" };
        assert!(verdict.contains(expected), "seed {seed}: {verdict}");
    }
    assert!(clashes > 3_000 && refuted > 500, "{clashes} clashes, {refuted} refutations");
}

/// Wishes kept and the preference that is denied, as facts, make the yardstick's boards unsatisfiable.
#[test]
fn denied_preferences_of_the_yardstick_are_accepted() {
    if !has_checker() {
        return;
    }
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = crate_folder.join("../../shared/data/attack-yardstick");
    let some = crate_folder.join("../benches/data/attack");
    let files = problems_in(if all.is_dir() { &all } else { &some }).unwrap();
    let folder = Folder::new("yardstick");
    let mut denied = 0;
    for path in &files {
        let problem = load(path).unwrap();
        let limits = Limits {
            vars: problem.vars,
            clocks: 0,
            ticks: 0,
            edges: 0,
            clauses: 1 << 16,
            store: 1 << 16,
            learnt: 1 << 13,
        };
        let mut memory = vec![0; limits.words()];
        let mut kept: Vec<Lit> = Vec::new();
        for &preference in &problem.preferences {
            kept.push(preference);
            let mut proof = Proof::default();
            let mut solver = Solver::new(&mut memory, &limits).unwrap();
            solver.prove(&mut proof.problem, &mut proof.steps);
            problem.fill(&mut solver).unwrap();
            for &lit in &kept {
                solver.add_clause(&[lit]).unwrap();
            }
            if solver.solve(&[]).unwrap() == Answer::Sat {
                continue;
            }
            solver.conclude().unwrap();
            let verdict =
                folder.check(&proof).unwrap_or_else(|complaint| panic!("{}: {complaint}", path.display()));
            assert!(verdict.contains("s VERIFIED UNSATISFIABLE"), "{}: {verdict}", path.display());
            denied += 1;
            kept.pop();
        }
    }
    assert!(denied >= files.len(), "only {denied} preferences were denied");
}

/// A derivation that is not one is refused.
#[test]
fn corrupted_proofs_are_rejected() {
    if !has_checker() {
        return;
    }
    let folder = Folder::new("corrupted");
    let mut rejected = [0; 4];
    for seed in 0..80 {
        let mut rng = Rng::new(seed);
        let shape = Shape { vars: 30, clocks: 6, lits: (3, 3) };
        let mut proof = Proof::default();
        log_random_calls(&mut rng, shape, (1 << 12, false), &mut proof);
        if !proof.steps.contains("conclusion UNSAT") {
            // A claim without a derivation.
            let end = proof.steps.find("output NONE").unwrap();
            let steps = format!("{}rup >= 1 ;\n{}", &proof.steps[..end], &proof.steps[end..]);
            let claimed = Proof { steps: steps.replace("conclusion NONE", "conclusion UNSAT"), ..proof };
            rejected[0] += usize::from(folder.check(&claimed).is_err());
            continue;
        }
        // The first learnt clause with only one of its literals left, turned round.
        let lines: Vec<&str> = proof.steps.lines().collect();
        let learnt = lines.iter().position(|line| line.starts_with("@l") && line.matches("+1").count() > 1);
        let Some(index) = learnt else { continue };
        let words: Vec<&str> = lines[index].split(' ').collect();
        let literal = words[3];
        let turned = literal.strip_prefix('~').map_or(format!("~{literal}"), str::to_owned);
        let turned = format!("{} rup +1 {turned} >= 1 ;", words[0]);
        let mut changed = lines.clone();
        changed[index] = &turned;
        let steps = changed.join("\n");
        rejected[1] += usize::from(folder.check(&Proof { problem: proof.problem.clone(), steps }).is_err());
        // No step but the last.
        let kept =
            |line: &&str| !line.starts_with('@') && !line.starts_with("del ") || line.starts_with("output");
        let steps: Vec<&str> = proof.steps.lines().filter(kept).collect();
        let steps = steps.join("\n");
        rejected[2] += usize::from(folder.check(&Proof { problem: proof.problem.clone(), steps }).is_err());
        // Half of the problem.
        let half: Vec<&str> = proof.problem.lines().step_by(2).collect();
        rejected[3] +=
            usize::from(folder.check(&Proof { problem: half.join("\n"), steps: proof.steps }).is_err());
    }
    assert!(rejected.iter().all(|&count| count >= 3), "{rejected:?}");
}

/// Writes the proof of all that is refuted on the first board of a position: which goals exclude one another, and plans.
fn log_attacks(line: &str, text: &mut Proof, objective: &mut String) -> fmt::Result {
    let game = fen::parse(line, &GameConfig::default().with_ruleset(Ruleset::Spooky)).unwrap();
    let mut room = OrdinaryRoom::new();
    let model = AttackModel::new(&game.view(0).unwrap(), &mut room).unwrap();
    let limits = limits_for(&model).unwrap();
    let mut memory = vec![0; limits.words()];
    let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
    let mut solver =
        AttackSolver::proving(&model, &limits, &mut memory, &mut text.problem, &mut text.steps).unwrap();
    let whole = solver.write_objective(&goals, objective)?;
    write!(objective, "{whole}")?;
    for denied in 1..goals.len() {
        write!(objective, "{:?}", solver.excludes(&goals[..denied], goals[denied]))?;
    }
    for same in [Equivalence::Removals, Equivalence::Fighters] {
        write!(objective, "{:?}", solver.plan(&goals, 100))?;
        solver.forbid(same).unwrap();
    }
    solver.conclude()
}

/// A board on which half of the hexes hold pieces of both sides.
pub(crate) fn crowded_board(seed: u64) -> Game {
    let ruleset = [Ruleset::Spooky, Ruleset::Server][seed as usize % 2];
    let mut builder = Builder::new(GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap(), seed);
    let board = builder.board(0).unwrap();
    let mut rng = Rng::new(seed);
    for hex in Hex::all() {
        let side = if rng.chance(1, 2) { Side::Yellow } else { Side::Blue };
        let unit = *rng.choose(&UnitLabel::ALL).unwrap();
        if rng.chance(1, 2) && (ruleset == Ruleset::Server || unit != UnitLabel::Acolyte) {
            board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
        }
    }
    builder.build().unwrap()
}

/// Writes the proof of the wishes that are denied one by one when the budget is small. Returns which are granted, and
/// whether all could be written.
fn log_denials(game: &Game, budget: u64, text: &mut Proof) -> (Vec<bool>, bool) {
    let mut room = Box::new(LargeRoom::new());
    let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
    let limits = limits_for(&model).unwrap();
    let mut memory = vec![0; limits.words()];
    let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
    let mut solver =
        AttackSolver::proving(&model, &limits, &mut memory, &mut text.problem, &mut text.steps).unwrap();
    solver.best_plan(&goals, budget).unwrap();
    let granted = goals.iter().map(|&goal| solver.grants(goal)).collect();
    (granted, solver.conclude().is_ok())
}

/// Proofs are what they were, whether or not the checker is there.
#[test]
fn proofs_have_their_known_signature() {
    let mut signature = Signature::default();
    for seed in 0..60 {
        let shape = Shape { vars: [8, 14, 30][seed as usize % 3], clocks: 5, lits: (1, 4) };
        let mut proof = Proof::default();
        let clashes =
            log_random_calls(&mut Rng::new(seed), shape, ([90, 2_000][seed as usize % 2], false), &mut proof);
        signature.mix((clashes, &proof.problem, &proof.steps));
    }
    for line in BENCH_POSITIONS.lines().take(8) {
        let (mut proof, mut objective) = (Proof::default(), String::new());
        log_attacks(line, &mut proof, &mut objective).unwrap();
        signature.mix((objective, &proof.problem, &proof.steps));
    }
    let mut denied = 0;
    for seed in 0..10 {
        for budget in [2_000, 8_000] {
            let mut proof = Proof::default();
            let answer = log_denials(&crowded_board(seed), budget, &mut proof);
            denied += proof.steps.lines().filter(|step| step.starts_with("@u ")).count();
            signature.mix((answer, &proof.problem, &proof.steps));
        }
    }
    assert!(denied > 20, "only {denied} steps");
    signature.check(0x1b91_8736_2d58_9428);
}

/// A text with room for so many bytes.
struct ShortText(usize);

impl Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// A proof of which a part is missing is an error, whichever part it is.
#[test]
fn proofs_that_cannot_be_written_are_errors() {
    let limits =
        Limits { vars: 8, clocks: 2, ticks: 2, edges: 4, clauses: 1 << 8, store: 1 << 10, learnt: 1 << 10 };
    let mut memory = vec![0; limits.words()];
    let mut conclude = |problem: usize, steps: usize| {
        let (mut problem, mut steps) = (ShortText(problem), ShortText(steps));
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        solver.prove(&mut problem, &mut steps);
        let (first, second) = (solver.new_var().unwrap().lit(true), solver.new_var().unwrap().lit(true));
        for clause in [[first, second], [first, !second], [!first, second], [!first, !second]] {
            solver.add_clause(&clause).unwrap();
        }
        assert_eq!(solver.solve(&[]).unwrap(), Answer::Unsat);
        let written = solver.conclude();
        (written, problem.0, steps.0)
    };
    let room = 1_000;
    let (written, problem_left, steps_left) = conclude(room, room);
    assert_eq!(written, Ok(()));
    let (problem, steps) = (room - problem_left, room - steps_left);
    assert!(problem > 40 && steps > 80, "{problem} and {steps} bytes");
    for short in 0..problem {
        assert_eq!(conclude(short, room).0, Err(fmt::Error), "{short} bytes of the problem");
    }
    for short in 0..steps {
        assert_eq!(conclude(room, short).0, Err(fmt::Error), "{short} bytes of the steps");
    }
}
