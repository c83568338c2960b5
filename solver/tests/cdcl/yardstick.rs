//! Boards of the attack-planning yardstick: which preferences are kept is known from eleven other solvers.

use std::path::Path;

use barrow_solver::cdcl::{Answer, Limits, Lit, Solver};
use barrow_solver_testing::opb::{Problem, load, name_of, problems_in};

/// A digit per preference, 1 when it is kept.
fn granted(solver: &Solver<'_>, preferences: &[Lit]) -> String {
    preferences.iter().map(|&preference| if solver.holds(preference) { '1' } else { '0' }).collect()
}

/// The same by one call for each preference, and whether every core clashes by itself.
fn granted_one_by_one(solver: &mut Solver<'_>, preferences: &[Lit]) -> String {
    let mut kept = Vec::new();
    let mut answers = String::new();
    for &preference in preferences {
        kept.push(preference);
        if solver.solve(&kept) == Ok(Answer::Sat) {
            answers.push('1');
        } else {
            answers.push('0');
            let core: Vec<Lit> = solver.core().collect();
            assert!(core.contains(&preference), "what was kept before clashes already");
            assert_eq!(solver.solve(&core), Ok(Answer::Unsat));
            kept.pop();
        }
    }
    answers
}

#[test]
fn the_preferences_kept_are_those_that_others_keep() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/data/attack");
    let expected = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
    let files = problems_in(&folder).unwrap();
    assert_eq!(files.len(), expected.lines().count());
    for path in &files {
        let problem = load(path).unwrap();
        let Problem { vars, preferences, .. } = &problem;
        let limits = Limits {
            vars: *vars,
            clocks: 0,
            ticks: 0,
            edges: 0,
            clauses: 1 << 15,
            store: 1 << 15,
            learnt: 1 << 13,
        };
        let mut memory = vec![0; limits.words()];
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        problem.fill(&mut solver).unwrap();
        assert_eq!(solver.solve_preferring(&[], preferences, u64::MAX), Ok(Answer::Sat));
        let kept = granted(&solver, preferences);
        let line = format!("{} {kept}", name_of(path));
        assert!(expected.lines().any(|other| other == line), "{line}");
        assert_eq!(granted_one_by_one(&mut solver, preferences), kept, "{line}");
    }
}
