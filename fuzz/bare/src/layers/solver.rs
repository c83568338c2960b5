//! The constraint solver by itself, and plans and counts of attacks on a board.

use core::hint::black_box;

use barrow_core::minions::View;
use barrow_core::minions::turn_search::ports::{Attack, AttackGoal, AttackPlanner, Outline};
use barrow_solver::attack::{
    AttackModel, AttackSolver, Equivalence, Goal, OrdinaryRoom, Planner, limits_for, memory_for, perft,
};
use barrow_solver::cdcl::{Capacity, Limits, Lit, Solver};

use crate::input::{hex, number, print, use_up};

/// Everything that the solver offers.
pub fn run() {
    let mut words = [0_u32; 4096];
    let words = black_box(&mut words[..]);
    if let Err(error) = constraints(words) {
        print(error);
    }
    let game = crate::input::game();
    let Some(view) = game.view(number() as usize) else { return };
    let mut attack = Attack::default();
    let goals = [AttackGoal::Kill(hex()); 3];
    let goals = black_box(&goals[..]);
    use_up(Planner::new(words).plan(&view, goals, black_box(&[Outline::default(); 2]), &mut attack));
    use_up(&attack);
    if let Err(error) = plans(&view, words) {
        print(error);
    }
}

const NO_LIMITS: Limits = Limits { vars: 0, clocks: 0, ticks: 0, edges: 0, clauses: 0, store: 0, learnt: 0 };

fn constraints(words: &mut [u32]) -> Result<(), Capacity> {
    let mut solver = Solver::new(words, &black_box(NO_LIMITS))?;
    for _ in 0..black_box(9) {
        use_up(solver.new_var()?);
    }
    let Some(lit) = Lit::new(number() as usize) else { return Ok(()) };
    let lits = [lit; 5];
    let lits = black_box(&lits[..]);
    let group = solver.new_group()?;
    for _ in 0..black_box(9) {
        solver.add_clause(lits)?;
        solver.add_at_most_one(lits)?;
        solver.add_linear(black_box(&[(3, lit); 4]), number() as i32)?;
        solver.add_order(black_box(lit), number() as u8, number() as u8, black_box(true))?;
        solver.add_clause_in(group, lits)?;
        solver.add_at_most_one_in(group, lits)?;
        solver.block_in(group, lits)?;
        solver.block(lits)?;
        use_up(solver.solve(lits)?);
        use_up(solver.solve_preferring(lits, lits, number())?);
        solver.times(black_box(&mut [0; 3]));
        solver.core().for_each(use_up);
        use_up((solver.holds(black_box(lit)), solver.statistics()));
    }
    solver.release(group)
}

fn plans(view: &View<'_>, words: &mut [u32]) -> Result<(), Capacity> {
    let mut room = OrdinaryRoom::new();
    use_up(perft(view, &mut room, words, number())?);
    use_up(AttackModel::reduced(view, &mut room).lacking());
    let model = AttackModel::new(view, &mut room)?;
    use_up(memory_for(&model)?);
    use_up(AttackSolver::new(&model, &limits_for(&model)?, words)?.statistics());
    let mut solver = AttackSolver::prepare(&model, words)?;
    for _ in 0..black_box(9) {
        use_up(solver.plan(black_box(&[Goal::Kill(hex()); 3]), number())?);
        use_up(solver.best_plan(black_box(&[Goal::Kill(hex()); 3]), number())?);
        use_up(solver.grants(black_box(Goal::Kill(hex()))));
        solver.forbid(black_box(Equivalence::Everything))?;
    }
    Ok(())
}
