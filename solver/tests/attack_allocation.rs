//! Once the memory is lent, planning allocates nothing: model, limits, solver, plans, refinement, perft.

use barrow_core::minions::{Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, UnitLabel};
use barrow_core::{hex::Hex, rng::Rng};
use barrow_solver::attack::{
    AttackModel, AttackSolver, Equivalence, Goal, OrdinaryRoom, OverkillPolicy, PlanAnswer, limits_for,
    memory_for, perft,
};

fn melee(seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let config = GameConfig::new(Ruleset::Server, &[MapLabel::BlackenedShores]).unwrap();
    let mut builder = Builder::new(config, seed);
    let board = builder.board(0).unwrap();
    for hex in Hex::all().filter(|hex| (3..7).contains(&hex.y())) {
        if rng.chance(1, 2) {
            continue;
        }
        let side = if hex.y() < 5 { Side::Yellow } else { Side::Blue };
        board.set_piece(hex, Some(Piece::fresh(side, *rng.choose(&UnitLabel::ALL).unwrap(), hex)));
    }
    builder.build().unwrap()
}

#[test]
fn planning_allocates_nothing() {
    let mut memory = vec![0; 1 << 18];
    let mut room = OrdinaryRoom::new();
    for seed in 0..50 {
        let game = melee(seed);
        let view = game.view(0).unwrap();
        let mut plans = 0;
        let counted = allocation_counter::measure(|| {
            for policy in
                [OverkillPolicy::Allowed, OverkillPolicy::AllHitsLand, OverkillPolicy::AllHitsNeeded]
            {
                let model = AttackModel::new(&view, &mut room).unwrap().with_overkill_policy(policy);
                assert!(memory_for(&model).unwrap() <= memory.len());
                let limits = limits_for(&model).unwrap();
                let mut solver = AttackSolver::new(&model, &limits, &mut memory).unwrap();
                let mut goals = [Goal::Remove(Hex::new(0).unwrap()); 40];
                for (goal, at) in goals.iter_mut().zip(model.targets()) {
                    *goal = Goal::Remove(at);
                }
                for _ in 0..5 {
                    if let PlanAnswer::Plan(_) = solver.plan(&goals, 5_000).unwrap() {
                        plans += 1;
                        solver.forbid(Equivalence::Everything).unwrap();
                    }
                }
            }
            assert!(perft(&view, &mut room, &mut memory, 100).unwrap() > 0);
        });
        assert_eq!(counted.count_total, 0, "seed {seed}");
        assert!(plans > 0);
    }
}
