//! Boards of the attack-planning yardstick: which wishes are kept is known from eleven other solvers.

use std::path::Path;

use barrow_solver::cdcl::{Answer, Limits, Lit, Solver};
use barrow_solver_testing::opb::{Problem, load, name_of, problems_in};

/// A digit per wish, 1 when it is kept.
fn granted(solver: &Solver<'_>, wishes: &[Lit]) -> String {
    wishes.iter().map(|&wish| if solver.holds(wish) { '1' } else { '0' }).collect()
}

/// The same by one call for each wish, and whether every core clashes by itself.
fn granted_one_by_one(solver: &mut Solver<'_>, wishes: &[Lit]) -> String {
    let mut kept = Vec::new();
    let mut answers = String::new();
    for &wish in wishes {
        kept.push(wish);
        if solver.solve(&kept) == Ok(Answer::Sat) {
            answers.push('1');
        } else {
            answers.push('0');
            let core: Vec<Lit> = solver.core().collect();
            assert!(core.contains(&wish), "what was kept before clashes already");
            assert_eq!(solver.solve(&core), Ok(Answer::Unsat));
            kept.pop();
        }
    }
    answers
}

#[test]
fn the_wishes_kept_are_those_that_others_keep() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/data/attack");
    let expected = std::fs::read_to_string(folder.join("expected.txt")).unwrap();
    let files = problems_in(&folder).unwrap();
    assert_eq!(files.len(), expected.lines().count());
    for path in &files {
        let problem = load(path).unwrap();
        let Problem { vars, wishes, .. } = &problem;
        let limits =
            Limits { vars: *vars, clocks: 0, edges: 0, clauses: 1 << 15, lists: 1 << 15, learnt: 1 << 13 };
        let mut memory = vec![0; limits.words()];
        let mut solver = Solver::new(&mut memory, &limits).unwrap();
        problem.fill(&mut solver).unwrap();
        assert_eq!(solver.solve_wishing(&[], wishes, u64::MAX), Ok(Answer::Sat));
        let kept = granted(&solver, wishes);
        let line = format!("{} {kept}", name_of(path));
        assert!(expected.lines().any(|other| other == line), "{line}");
        assert_eq!(granted_one_by_one(&mut solver, wishes), kept, "{line}");
    }
}
