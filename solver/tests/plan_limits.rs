//! Plans that are too long, plans that are forbidden twice or before there is one, and boards of more pieces than take part.

use barrow_core::hex::Hex;
use barrow_core::minions::{
    Board, Builder, Game, GameConfig, MapLabel, Piece, Ruleset, Side, UndoLog, UnitLabel,
};
use barrow_solver::attack::{
    AttackModel, AttackPlan, AttackSolver, Equivalence, Goal, LargeRoom, PIECE_CAP, PLAN_CAP, PlanAnswer,
};
use barrow_solver::cdcl::{Capacity, Resource};

fn game(ruleset: Ruleset, fill: impl FnOnce(&mut Board)) -> Game {
    let mut builder = Builder::new(GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap(), 1);
    fill(builder.board(0).unwrap());
    builder.build().unwrap()
}

/// Horrors, which attack twenty times for one damage, on every third column, and so many against them.
fn horrors(ruleset: Ruleset, foes: usize) -> Game {
    game(ruleset, |board| {
        let mut put = |at, side| board.set_piece(at, Some(Piece::fresh(side, UnitLabel::Horror, at)));
        Hex::all().filter(|at| at.x() % 3 == 1).for_each(|at| {
            put(at, Side::Yellow);
        });
        Hex::all().filter(|at| at.x() % 3 != 1).take(foes).for_each(|at| {
            put(at, Side::Blue);
        });
    })
}

/// Plays a plan and holds what is left to what it says.
fn play(game: &Game, plan: &AttackPlan) {
    let (mut after, mut rest) = (game.clone(), &plan.actions[..]);
    while !rest.is_empty() {
        rest = &rest[after.apply_next(0, rest, &mut UndoLog::off()).unwrap()..];
    }
    let [before, left] = [game, &after].map(|game| game.state().boards()[0].pieces(Side::Blue));
    assert_eq!(before - left, plan.killed | plan.unsummoned);
}

fn removals(model: &AttackModel<'_>) -> Vec<Goal> {
    model.targets().map(Goal::Remove).collect()
}

#[test]
#[cfg_attr(not(feature = "every-board"), ignore = "there is room for fewer pieces")]
fn a_plan_that_is_too_long_gives_up_what_matters_least() {
    let (mut room, mut memory) = (Box::new(LargeRoom::new()), vec![0; 1 << 20]);
    for (ruleset, foes) in [(Ruleset::Server, 39), (Ruleset::Spooky, 39), (Ruleset::Server, 60)] {
        let game = horrors(ruleset, foes);
        let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
        let goals = removals(&model);
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        let too_long = Capacity { what: Resource::Actions, needed: PLAN_CAP + 1, available: PLAN_CAP };
        assert_eq!(solver.plan(&goals, u64::MAX), Err(too_long));
        let best = solver.best_plan(&goals, 100_000).unwrap();
        play(&game, &best.plan);
        assert!(!best.is_proved() && best.plan.actions.len() <= PLAN_CAP, "{foes}");
        assert!(best.decided > 10 && best.plan.killed.len() >= best.decided, "{}", best.decided);
        for (index, &goal) in goals.iter().enumerate() {
            let Goal::Remove(at) = goal else { unreachable!() };
            assert_eq!(solver.grants(goal), best.plan.killed.contains(at));
            assert!(index >= best.decided || solver.grants(goal));
        }
    }
    // One that is just short enough is given as ever.
    let game = horrors(Ruleset::Server, 30);
    let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
    let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
    let best = solver.best_plan(&removals(&model), 100_000).unwrap();
    play(&game, &best.plan);
    assert!(best.is_proved() && best.plan.killed.len() == 30 && best.plan.actions.len() > PLAN_CAP / 2);
}

#[test]
fn forbidding_is_about_the_last_plan_and_does_not_change_it() {
    let [friend, foe] = ["c3", "c4"].map(|name| Hex::named(name).unwrap());
    let game = game(Ruleset::Server, |board| {
        board.set_piece(friend, Some(Piece::fresh(Side::Yellow, UnitLabel::Horror, friend)));
        board.set_piece(foe, Some(Piece::fresh(Side::Blue, UnitLabel::Zombie, foe)));
    });
    let (mut room, mut memory) = (Box::new(LargeRoom::new()), vec![0; 1 << 17]);
    let model = AttackModel::new(&game.view(0).unwrap(), &mut *room).unwrap();
    let remove = [Goal::Remove(foe)];
    let planned = |answer| match answer {
        Ok(PlanAnswer::Plan(plan)) => plan,
        other => panic!("{other:?}"),
    };
    for times in 1..=2 {
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        assert!(!solver.grants(remove[0]));
        assert!(planned(solver.plan(&remove, u64::MAX)).killed.contains(foe));
        for _ in 0..times {
            assert!(solver.grants(remove[0]));
            solver.forbid(Equivalence::Removals).unwrap();
            assert!(solver.grants(remove[0]) && !solver.grants(Goal::Spare(foe)));
        }
        assert!(planned(solver.plan(&remove, u64::MAX)).killed.is_empty(), "forbidden {times} times");
        solver.forbid(Equivalence::Removals).unwrap();
        assert_eq!(solver.plan(&remove, u64::MAX), Ok(PlanAnswer::NoMore));
        assert!(!solver.grants(remove[0]) && !solver.grants(Goal::Spare(foe)));
        // There is nothing to be forbidden.
        solver.forbid(Equivalence::Everything).unwrap();
        assert_eq!(solver.plan(&[], u64::MAX), Ok(PlanAnswer::NoMore));
    }
    let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
    solver.forbid(Equivalence::Removals).unwrap();
    assert!(planned(solver.plan(&[Goal::Spare(foe), Goal::Passive(friend)], u64::MAX)).killed.is_empty());
}

#[test]
fn pieces_beyond_those_that_take_part_are_told() {
    let mut room = Box::new(LargeRoom::new());
    for (friends, foes) in [(90, 10), (30, 60)] {
        let game = game(Ruleset::Spooky, |board| {
            for (index, at) in Hex::all().enumerate().take(friends + foes) {
                let friend = (index + 1) * friends / (friends + foes) > index * friends / (friends + foes);
                let (side, unit) =
                    if friend { (Side::Yellow, UnitLabel::Warg) } else { (Side::Blue, UnitLabel::Zombie) };
                board.set_piece(at, Some(Piece::fresh(side, unit, at)));
            }
        });
        let view = game.view(0).unwrap();
        let lacking = Capacity { what: Resource::Pieces, needed: PIECE_CAP + 1, available: PIECE_CAP };
        let all_fit = cfg!(feature = "every-board");
        assert_eq!(AttackModel::new(&view, &mut *room).err(), (!all_fit).then_some(lacking));
        let model = AttackModel::reduced(&view, &mut *room);
        assert_eq!(model.lacking(), (!all_fit).then_some(lacking));
        assert_eq!(model.is_complete(), all_fit);
        let mut memory = vec![0; 1 << 20];
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        let best = solver.best_plan(&removals(&model), 100_000).unwrap();
        play(&game, &best.plan);
        let granted = removals(&model).into_iter().filter(|&goal| solver.grants(goal)).count();
        assert_eq!(granted, best.plan.killed.len());
        assert!(granted > 3, "{granted}");
    }
}
