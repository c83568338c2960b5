//! Plans on random boards: the game accepts every one, and each does what it promised.

use std::fmt::Debug;
use std::thread;

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::turn_search::ports::{self, AttackGoal, AttackPlanner};
use barrow_core::minions::{
    Action, Attack, BoardAction, Builder, Game, GameConfig, MapLabel, Modifier, Piece, Ruleset, Side,
    UndoLog, UnitLabel,
};
use barrow_core::rng::Rng;
use barrow_solver::attack::{
    AttackModel, AttackPlan, AttackSolver, Equivalence, FixedRoom, Foe, Friend, Goal, LargeRoom, Mode,
    OrdinaryRoom, OverkillPolicy, Pair, PlanAnswer, Planner, PlannerWorkspace, SmallRoom, limits_for,
    memory_for, perft,
};
use barrow_testing::{Signature, rounds};

/// A board with this many pieces a side at most, close together, some damaged, modified, or part of the way
/// through their turn.
fn random_game(rng: &mut Rng, most: u32) -> Game {
    let ruleset = if rng.chance(1, 2) { Ruleset::Server } else { Ruleset::Spooky };
    let map = *rng.choose(&MapLabel::ALL).unwrap();
    let config = GameConfig::new(ruleset, &[map]).unwrap();
    let mut builder = Builder::new(config, rng.next_u64());
    let centre = Hex::new(rng.below(100) as u8).unwrap();
    let radius = 2 + rng.below(3) as u8;
    let board = builder.board(0).unwrap();
    let spots: Vec<Hex> = Hex::all().filter(|hex| hex.distance(centre) <= radius).collect();
    for side in Side::ALL {
        for _ in 0..=rng.below(most) {
            let hex = *rng.choose(&spots).unwrap();
            let unit = *rng.choose(&UnitLabel::ALL).unwrap();
            if board.piece(hex).is_some() || (ruleset == Ruleset::Spooky && unit == UnitLabel::Acolyte) {
                continue;
            }
            let mut piece = Piece::fresh(side, unit, hex);
            if ruleset == Ruleset::Server && rng.chance(1, 5) {
                let modifier = *rng.choose(&Modifier::ALL).unwrap();
                piece = piece.with_modifiers(piece.modifiers().with(modifier, 1).unwrap());
            }
            let attack = unit.server().attack;
            if side == Side::Yellow && rng.chance(1, 6) {
                let attacks = u8::from(rng.chance(1, 3) && attack != Attack::None);
                piece = piece.with_record(rng.below(3) as u8, attacks, rng.chance(1, 2), rng.chance(1, 4));
            } else if side == Side::Blue && rng.chance(1, 6) {
                let defense = u32::from(unit.server().defense.min(unit.spooky().defense));
                piece = piece.with_damage(rng.below(defense) as u16);
            }
            board.set_piece(hex, Some(piece));
        }
    }
    builder.build().unwrap()
}

fn random_goals(rng: &mut Rng, model: &AttackModel<'_>, movers: HexSet) -> Vec<Goal> {
    let mut goals: Vec<Goal> = model
        .targets()
        .map(|at| match rng.below(6) {
            0 => Goal::Kill(at),
            1 => Goal::Unsummon(at),
            2 => Goal::Spare(at),
            _ => Goal::Remove(at),
        })
        .collect();
    goals.extend(model.attackers().filter(|_| rng.chance(1, 4)).map(Goal::Passive));
    let mut near = |at| {
        let near: Vec<Hex> = HexSet::ball(at, 3).into_iter().collect();
        *rng.choose(&near).unwrap()
    };
    goals.extend(movers.into_iter().map(|at| Goal::Occupy(at, near(at))));
    goals.extend(model.attackers().step_by(3).map(|at| Goal::FightFrom(at, near(at))));
    rng.shuffle(&mut goals);
    goals
}

/// Plays the plan and compares what happened with what it says and with what it granted.
fn check(game: &Game, plan: &AttackPlan, solver: &AttackSolver<'_, '_>, goals: &[Goal], what: &str) {
    let before = game.view(0).unwrap();
    let mut after = game.clone();
    let mut index = 0;
    while index < plan.actions.len() {
        let rest = &plan.actions[index..];
        let used = after.apply_next(0, rest, &mut UndoLog::off());
        index += used.unwrap_or_else(|reason| panic!("{what}: action {index} of {plan:?}: {reason}"));
    }
    let board = &after.state().boards()[0];
    let mover = game.side_to_move();
    for (at, piece) in before.board.iter(mover.opponent()) {
        let gone = board.piece(at).is_none_or(|now| now.side() == mover);
        assert_eq!(
            gone,
            plan.killed.contains(at) || plan.unsummoned.contains(at),
            "{what}: {piece:?} on {at}"
        );
    }
    for &goal in goals.iter().filter(|&&goal| solver.grants(goal)) {
        let kept = match goal {
            Goal::Remove(at) => plan.killed.contains(at) || plan.unsummoned.contains(at),
            Goal::Kill(at) => plan.killed.contains(at),
            Goal::Unsummon(at) => plan.unsummoned.contains(at),
            Goal::Spare(at) => !plan.killed.contains(at) && !plan.unsummoned.contains(at),
            Goal::Passive(at) => !plan.fighters.contains(at),
            // Hits that come too late are left out, so that it may not fight at all.
            Goal::FightFrom(at, from) => {
                let strikes = |action: &BoardAction| match action {
                    BoardAction::Attack { from: hex, .. } => *hex == from,
                    _ => false,
                };
                !plan.fighters.contains(at) || plan.actions.iter().any(strikes)
            }
            Goal::Occupy(at, to) => {
                let there = board.piece(to).and_then(Piece::origin);
                !plan.fighters.contains(at) && there == before.board.piece(at).and_then(Piece::origin)
            }
        };
        assert!(kept, "{what}: {goal:?} was granted");
    }
}

fn run(seed: u64, most: u32) -> usize {
    let mut rng = Rng::new(seed);
    let game = random_game(&mut rng, most);
    let view = game.view(0).unwrap();
    let friends = view.board.pieces(view.side).into_iter();
    let movers: HexSet =
        if rng.chance(1, 2) { friends.filter(|_| rng.chance(1, 3)).collect() } else { HexSet::EMPTY };
    let mut room = OrdinaryRoom::new();
    let model = AttackModel::with_movers(&view, movers, &mut room).unwrap();
    let limits = limits_for(&model).unwrap();
    let mut memory = vec![0; limits.words()];
    let mut solver = AttackSolver::new(&model, &limits, &mut memory).unwrap();
    let goals = random_goals(&mut rng, &model, movers);
    let mut plans = 0;
    for _ in 0..3 {
        match solver.plan(&goals, u64::MAX).unwrap() {
            PlanAnswer::Plan(plan) => check(&game, &plan, &solver, &goals, &format!("seed {seed}")),
            PlanAnswer::NoMore => break,
            PlanAnswer::Unknown => unreachable!("there is no budget"),
        }
        plans += 1;
        solver.forbid(Equivalence::Everything).unwrap();
    }
    plans
}

/// Number of plans for the boards of these seeds, each with few pieces and with many.
fn count_plans(seeds: std::ops::Range<u64>) -> usize {
    seeds.map(|seed| run(seed, 6) + run(seed, 20)).sum()
}

#[test]
fn the_game_accepts_every_plan_and_it_keeps_its_promises() {
    let seeds = rounds(100_000);
    let plans: usize = thread::scope(|scope| {
        let halves = [0..seeds / 2, seeds / 2..seeds].map(|seeds| scope.spawn(move || count_plans(seeds)));
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(plans as u64 > 3 * seeds, "only {plans} plans were made");
}

/// Goals that the solver grants.
fn granted(solver: &AttackSolver<'_, '_>, goals: &[Goal]) -> Vec<bool> {
    goals.iter().map(|&goal| solver.grants(goal)).collect()
}

#[test]
fn whatever_the_budget_the_first_wishes_are_decided_as_far_as_it_is_said() {
    let mut rng = Rng::new(22);
    let (mut room, mut memory) = (OrdinaryRoom::new(), vec![0; 1 << 18]);
    let (mut open, mut complete) = (0, 0);
    for seed in 0..rounds(400) {
        let game = random_game(&mut rng, 30);
        let view = game.view(0).unwrap();
        let model = AttackModel::new(&view, &mut room).unwrap();
        let mut goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
        goals.extend(model.attackers().filter(|_| rng.chance(1, 6)).map(Goal::Passive));
        rng.shuffle(&mut goals);
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        assert!(matches!(solver.plan(&goals, u64::MAX), Ok(PlanAnswer::Plan(_))));
        let optimum = granted(&solver, &goals);
        for budget in [0, 400, 4_000, 40_000] {
            let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
            let best = solver.best_plan(&goals, budget).unwrap();
            check(&game, &best.plan, &solver, &goals, &format!("seed {seed}, budget {budget}"));
            assert_eq!((best.wishes, best.none), (goals.len(), false));
            let own = granted(&solver, &goals);
            assert_eq!(own[..best.decided], optimum[..best.decided], "seed {seed}, budget {budget}");
            open += u32::from(!best.is_proved());
            complete += u32::from(best.is_proved() && budget < 40_000);
        }
    }
    assert!(open > 4 && complete > 20, "{open} open, {complete} complete");
}

#[test]
fn what_does_not_fit_is_left_out_and_the_plan_is_playable() {
    let mut rng = Rng::new(23);
    let mut memory = vec![0; 1 << 18];
    let mut room = FixedRoom::<6, 40, 16, 12>::new();
    let mut reduced = 0;
    let boards = rounds(1_000);
    for seed in 0..boards {
        let game = random_game(&mut rng, 16);
        let view = game.view(0).unwrap();
        let model = AttackModel::reduced(&view, &mut room);
        reduced += u64::from(model.lacking().is_some());
        let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        let best = solver.best_plan(&goals, u64::MAX).unwrap();
        check(&game, &best.plan, &solver, &goals, &format!("seed {seed}"));
    }
    assert!(25 * reduced > boards, "{reduced}");
}

#[test]
fn a_full_board_is_planned() {
    let mut rng = Rng::new(24);
    // With the model, 40 KB at most, that is 1 MiB.
    let (mut room, mut memory) = (Box::new(LargeRoom::new()), vec![0; (1 << 18) - 10_000]);
    for seed in 0..rounds(20) {
        let ruleset = if rng.chance(1, 2) { Ruleset::Server } else { Ruleset::Spooky };
        let mut builder = Builder::new(GameConfig::new(ruleset, &[MapLabel::AllLand]).unwrap(), seed);
        let board = builder.board(0).unwrap();
        let share = 1 + rng.below(9);
        for hex in Hex::all() {
            let side = if rng.below(10) < share { Side::Yellow } else { Side::Blue };
            let unit = *rng.choose(&UnitLabel::ALL).unwrap();
            if ruleset == Ruleset::Server || unit != UnitLabel::Acolyte {
                board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
            }
        }
        let game = builder.build().unwrap();
        let view = game.view(0).unwrap();
        let model = AttackModel::new(&view, &mut *room).unwrap().for_removals();
        let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
        let mut solver = match AttackSolver::prepare(&model, &mut memory) {
            Ok(solver) => solver,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let best = solver.best_plan(&goals, 40_000).unwrap();
        check(&game, &best.plan, &solver, &goals, &format!("seed {seed}"));
        assert!(model.bytes() < 40_000, "seed {seed}: {}", model.bytes());
    }
}

/// Everything that planners say and count.
#[derive(Default)]
struct Answers(Signature);

impl Answers {
    fn mix(&mut self, what: impl Debug) {
        self.0.mix(what);
    }

    /// Plans for one model: all goals, then what is left when these plans are forbidden; within budgets; in less memory than
    /// is needed.
    fn model(&mut self, rng: &mut Rng, model: &AttackModel<'_>, movers: HexSet, memory: &mut [u32]) {
        self.mix((model.size(), model.is_complete(), model.lacking()));
        self.mix((memory_for(model), limits_for(model)));
        let goals = random_goals(rng, model, movers);
        for prepared in [true, false] {
            let limits = limits_for(model).unwrap();
            let solver = if prepared {
                AttackSolver::prepare(model, memory)
            } else {
                AttackSolver::new(model, &limits, memory)
            };
            let mut solver = solver.unwrap();
            for same in [Equivalence::FightingHexes, Equivalence::Fighters, Equivalence::Everything] {
                self.mix((
                    solver.plan(&goals, 200),
                    solver.statistics(),
                    solver.words(),
                    solver.used_words(),
                ));
                self.mix(granted(&solver, &goals));
                self.mix(solver.forbid(same));
            }
        }
        for budget in [0, 500, 5_000] {
            let mut solver = AttackSolver::prepare(model, memory).unwrap();
            self.mix((solver.best_plan(&goals, budget), solver.statistics()));
        }
        let short = memory_for(model).unwrap() - 1;
        self.mix(AttackSolver::prepare(model, &mut memory[..short]).map(|solver| solver.words()));
    }

    /// Answers of a planner as the turn search asks for them.
    fn port(&mut self, game: &Game, planner: &mut impl AttackPlanner) {
        let view = game.view(0).unwrap();
        let foes = view.board.pieces(view.side.opponent()).into_iter().map(AttackGoal::Remove);
        let friends = view.board.pieces(view.side).into_iter().step_by(4).map(AttackGoal::Passive);
        let goals: Vec<AttackGoal> = foes.chain(friends).collect();
        let mut attack = ports::Attack::default();
        let mut forbidden = Vec::new();
        for _ in 0..3 {
            self.mix(planner.plan(&view, &goals, &forbidden, &mut attack));
            self.mix((&attack.actions, attack.outline, planner.longest_request()));
            forbidden.push(attack.outline);
        }
    }
}

/// A board with a piece on so many of a hundred hexes.
fn full_board(rng: &mut Rng, seed: u64, share: u32) -> Game {
    let ruleset = if rng.chance(1, 3) { Ruleset::Spooky } else { Ruleset::Server };
    let map = *rng.choose(&MapLabel::ALL).unwrap();
    let mut builder = Builder::new(GameConfig::new(ruleset, &[map]).unwrap(), seed);
    let board = builder.board(0).unwrap();
    // On some boards half of the friends can blink away.
    let blinkers: Vec<UnitLabel> = UnitLabel::ALL.into_iter().filter(|unit| unit.server().blink).collect();
    let hexes: Vec<Hex> = Hex::all().filter(|_| rng.chance(share, 100)).collect();
    for hex in hexes {
        let side = if rng.chance(1, 2) { Side::Yellow } else { Side::Blue };
        let mut unit = *rng.choose(&UnitLabel::ALL).unwrap();
        if seed.is_multiple_of(2) && side == Side::Yellow && rng.chance(2, 3) {
            unit = *rng.choose(&blinkers).unwrap();
        }
        if ruleset == Ruleset::Server || unit != UnitLabel::Acolyte {
            board.set_piece(hex, Some(Piece::fresh(side, unit, hex)));
        }
    }
    builder.build().unwrap()
}

#[test]
fn nobody_fights_where_the_board_was_resigned_or_its_attacks_are_over() {
    let mut room = LargeRoom::new();
    let mut compared = 0;
    for seed in 0..20 {
        let game = random_game(&mut Rng::new(seed), 8);
        let fought = AttackModel::new(&game.view(0).unwrap(), &mut room).unwrap().size();
        for end in [BoardAction::Resign, BoardAction::EndPhase] {
            let mut game = game.clone();
            game.apply(Action::Board(0, end), &mut UndoLog::off()).unwrap();
            let model = AttackModel::new(&game.view(0).unwrap(), &mut room).unwrap();
            assert_eq!(model.size(), (0, 0), "{seed} {end:?}");
        }
        compared += usize::from(fought.0 > 0 && fought.1 > 0);
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn a_model_knows_the_bytes_of_its_lists() {
    let mut room = OrdinaryRoom::new();
    let nothing =
        Builder::new(GameConfig::new(Ruleset::Server, &[MapLabel::AllLand]).unwrap(), 1).build().unwrap();
    let model = AttackModel::new(&nothing.view(0).unwrap(), &mut room).unwrap();
    let base = model.bytes();
    assert_eq!(base, size_of::<AttackModel<'_>>());
    for seed in 0..20 {
        let game = random_game(&mut Rng::new(seed), 12);
        let model = AttackModel::new(&game.view(0).unwrap(), &mut room).unwrap();
        let (friends, foes) = model.size();
        // A friend that can attack has a pair and a mode at least.
        let least =
            friends * (size_of::<Friend>() + size_of::<Mode>() + size_of::<Pair>()) + foes * size_of::<Foe>();
        assert!((base + least..base + 64 * 1024).contains(&model.bytes()), "seed {seed}: {}", model.bytes());
    }
}

#[test]
#[cfg_attr(any(feature = "proof", not(feature = "every-board")), ignore = "memory is divided otherwise")]
fn crowded_boards_are_planned_wish_by_wish_in_the_end() {
    let (mut room, mut words) = (Box::new(LargeRoom::new()), vec![0; 1 << 18]);
    let mut signature = Signature::default();
    let [mut late, mut denied] = [0; 2];
    for seed in 13..24 {
        let game = full_board(&mut Rng::new(seed), seed, 30 + 2 * seed as u32);
        let view = game.view(0).unwrap();
        let mut planner = Planner::with_room(&mut words, &mut *room);
        let foes = view.board.pieces(view.side.opponent());
        let goals: Vec<AttackGoal> = foes.into_iter().map(AttackGoal::Remove).collect();
        let mut attack = ports::Attack::default();
        let found = planner.plan(&view, &goals, &[], &mut attack);
        let longest = planner.longest_request();
        signature.mix((found, longest, &attack.actions, attack.outline));
        if found == ports::Planned::Found {
            let (mut after, mut rest) = (game.clone(), &attack.actions[..]);
            while !rest.is_empty() {
                rest = &rest[after.apply_next(0, rest, &mut UndoLog::off()).unwrap()..];
            }
            let left = after.view(0).unwrap().board.pieces(view.side.opponent());
            assert_eq!(foes - left, attack.outline.killed | attack.outline.unsummoned, "seed {seed}");
            late += u32::from(longest > 6_000);
        } else {
            // Memory for fewer pieces was lent.
            assert_eq!(longest, 0, "seed {seed}");
            denied += 1;
        }
    }
    assert!(late > 3 && denied < 3, "{late} {denied}");
    signature.check(0x027a_2948_50b3_e571);
}

#[test]
#[cfg_attr(any(feature = "proof", not(feature = "every-board")), ignore = "memory is divided otherwise")]
fn plans_have_their_known_signature() {
    let mut signature = Answers::default();
    let (mut room, mut ordinary, mut memory) =
        (Box::new(LargeRoom::new()), OrdinaryRoom::new(), vec![0; 1 << 18]);
    let mut tiny = FixedRoom::<5, 30, 12, 8>::new();
    let mut words = vec![0; 20 * 1024];
    let mut planner = Planner::with_room(&mut words, SmallRoom::new());
    let mut workspace = Box::new(PlannerWorkspace::<{ 8 * 1024 }>::new());
    for seed in 0..90 {
        let mut rng = Rng::new(1_000 + seed);
        let game = random_game(&mut rng, [6, 14, 34][seed as usize % 3]);
        let view = game.view(0).unwrap();
        let friends = view.board.pieces(view.side).into_iter();
        let movers: HexSet = friends.filter(|_| rng.chance(1, 8)).collect();
        let policy = [OverkillPolicy::Allowed, OverkillPolicy::AllHitsLand, OverkillPolicy::AllHitsNeeded]
            [seed as usize / 3 % 3];
        let model = AttackModel::with_movers(&view, movers, &mut *room).unwrap().with_overkill_policy(policy);
        signature.model(&mut rng, &model, movers, &mut memory);
        signature.mix(AttackModel::new(&view, &mut tiny).map(|model| model.size()));
        signature.model(&mut rng, &AttackModel::reduced(&view, &mut tiny), HexSet::EMPTY, &mut memory);
        signature.mix(perft(&view, &mut ordinary, &mut memory, 40));
        signature.port(&game, &mut planner);
        signature.port(&game, &mut *workspace);
    }
    for seed in 0..10 {
        let game = full_board(&mut Rng::new(seed), seed, 45 + 6 * seed as u32);
        let view = game.view(0).unwrap();
        let model = AttackModel::new(&view, &mut *room).unwrap();
        signature.mix((model.size(), model.is_complete(), model.lacking(), limits_for(&model)));
        let goals: Vec<Goal> = model.targets().map(Goal::Remove).collect();
        let mut solver = AttackSolver::prepare(&model, &mut memory).unwrap();
        signature.mix((solver.best_plan(&goals, 4_000), solver.statistics(), solver.used_words()));
        signature.port(&game, &mut planner);
    }
    signature.0.check(0x0b26_356b_d4a5_e0d8);
}
