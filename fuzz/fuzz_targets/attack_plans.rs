//! Attack plans on arbitrary boards: the rules accept every plan, and it removes what it claims to remove. On boards with
//! at most three attackers the plans reach the same sets of removals as all sequences of actions.
//!
//! Most boards have few pieces and their searches little time, so that many boards are seen; one in 64 has what it likes.

#![no_main]

use std::cell::RefCell;
use std::collections::HashSet;

use arbitrary::{Arbitrary, Unstructured};
use barrow_core::hex::Hex;
use barrow_core::minions::{
    BoardAction, Builder, Change, Game, GameConfig, MapLabel, Modifier, Piece, Ruleset, Side, UndoLog,
    UnitLabel,
};
use barrow_fuzz::one_in;
use barrow_solver::attack::{
    AttackModel, AttackPlan, AttackSolver, Equivalence, Goal, OrdinaryRoom, OverkillPolicy, PlanAnswer,
    limits_for,
};
use barrow_solver::cdcl::Limits;
use libfuzzer_sys::fuzz_target;

/// A piece; numbers are taken modulo the number of choices.
#[derive(Arbitrary, Debug)]
struct PieceInput {
    hex: u8,
    unit: u8,
    blue: bool,
    damage: u8,
    record: Option<(u8, u8, bool, bool)>,
    modifiers: Vec<u8>,
}

/// A board of one game and the goals of a plan.
#[derive(Arbitrary, Debug)]
struct Input {
    server: bool,
    map: u8,
    movable: bool,
    policy: u8,
    pieces: Vec<PieceInput>,
    goals: Vec<(u8, u8, u8)>,
}

fn pick<T: Copy>(all: &[T], number: u8) -> T {
    all[usize::from(number) % all.len()]
}

fn hex(number: u8) -> Hex {
    Hex::new(number % Hex::COUNT as u8).expect("the remainder is on the board")
}

fn position(input: &Input, pieces: usize) -> Option<Game> {
    let ruleset = if input.server { Ruleset::Server } else { Ruleset::Spooky };
    let config = GameConfig::new(ruleset, &[pick(&MapLabel::ALL, input.map)])?;
    let map = config.map(0);
    let mut builder = Builder::new(config, 0);
    let board = builder.board(0)?;
    if input.movable {
        board.lay_movable(map);
    }
    for input in input.pieces.iter().take(pieces) {
        let at = hex(input.hex);
        let side = if input.blue { Side::Blue } else { Side::Yellow };
        let mut piece = Piece::fresh(side, pick(&UnitLabel::ALL, input.unit), at);
        for &modifier in &input.modifiers {
            let more = piece.modifiers().with(pick(&Modifier::ALL, modifier), 1);
            piece = more.map_or(piece, |more| piece.with_modifiers(more));
        }
        if let (false, Some((steps, attacks, moved, exhausted))) = (input.blue, input.record) {
            piece = piece.with_record(steps, attacks, moved, exhausted);
        }
        if input.blue {
            piece = piece.with_damage(u16::from(input.damage));
        }
        board.set_piece(at, Some(piece));
    }
    builder.build().ok()
}

fn goal(&(kind, at, to): &(u8, u8, u8)) -> Goal {
    match kind % 7 {
        0 => Goal::Remove(hex(at)),
        1 => Goal::Kill(hex(at)),
        2 => Goal::Unsummon(hex(at)),
        3 => Goal::Spare(hex(at)),
        4 => Goal::Passive(hex(at)),
        5 => Goal::FightFrom(hex(at), hex(to)),
        _ => Goal::Occupy(hex(at), hex(to)),
    }
}

/// Plays a plan by the rules, compares the removed pieces with those of the plan, and returns the game afterwards.
fn check(game: &Game, plan: &AttackPlan) -> Game {
    let mut after = game.clone();
    let mut index = 0;
    while index < plan.actions.len() {
        let used = after.apply_next(0, &plan.actions[index..], &mut UndoLog::off());
        index += used.unwrap_or_else(|reason| panic!("action {index} of {plan:?}: {reason}"));
    }
    let (was, is) = (game.view(0).expect("there is a board"), after.view(0).expect("there is a board"));
    let foe = was.side.opponent();
    let gone = was.board.pieces(foe) - is.board.pieces(foe);
    assert_eq!(gone, plan.killed | plan.unsummoned);
    let returned: u32 = UnitLabel::ALL.iter().map(|&unit| u32::from(is.board.reserve(foe, unit))).sum();
    let already: u32 = UnitLabel::ALL.iter().map(|&unit| u32::from(was.board.reserve(foe, unit))).sum();
    assert_eq!(returned - already, plan.unsummoned.len() as u32);
    after
}

/// Panics if a goal that the solver granted is not fulfilled after the plan.
fn keeps(before: &Game, after: &Game, plan: &AttackPlan, goal: Goal) {
    let origin = |game: &Game, at| game.view(0)?.board.piece(at)?.origin();
    let gone = plan.killed | plan.unsummoned;
    assert!(
        match goal {
            Goal::Remove(at) => gone.contains(at),
            Goal::Kill(at) => plan.killed.contains(at),
            Goal::Unsummon(at) => plan.unsummoned.contains(at),
            Goal::Spare(at) => !gone.contains(at),
            Goal::Passive(at) => !plan.fighters.contains(at),
            Goal::FightFrom(at, from) => {
                let strikes = |action: &BoardAction| matches!(action, BoardAction::Attack { from: hex, .. } if *hex == from);
                !plan.fighters.contains(at) || plan.actions.iter().any(strikes)
            }
            Goal::Occupy(at, to) => {
                !plan.fighters.contains(at) && origin(after, to) == origin(before, at)
            }
        },
        "{goal:?} of {plan:?}"
    );
}

/// Collects the sets of enemies that remain after sequences of single actions, without simultaneous moves. Returns
/// `None` if there are more than `most` positions.
fn reachable(
    game: &mut Game,
    most: usize,
    seen: &mut HashSet<u64>,
    found: &mut HashSet<u128>,
    log: &mut UndoLog<'_>,
) -> Option<()> {
    let view = game.view(0)?;
    if !seen.insert(view.board.key()) {
        return Some(());
    }
    if seen.len() > most {
        return None;
    }
    found.insert(view.board.pieces(view.side.opponent()).bits());
    let mut actions: Vec<BoardAction> = Vec::new();
    view.attack_phase_actions(|action| actions.push(action));
    for action in actions {
        let mark = log.mark();
        game.apply_next(0, &[action], log).ok()?;
        let done = reachable(game, most, seen, found, log);
        game.undo(mark, log);
        done?;
    }
    Some(())
}

/// How much is looked at.
struct Size {
    pieces: usize,
    goals: usize,
    /// Number of plans asked for.
    plans: usize,
    /// Conflicts in which a plan is to be found.
    budget: u64,
    /// Number of attackers up to which all sequences of actions are played.
    attackers: usize,
    /// Number of positions after which that is given up.
    positions: usize,
}

/// The size of most inputs, so that many of them are seen.
const SMALL: Size = Size { pieces: 10, goals: 6, plans: 2, budget: 1_000, attackers: 2, positions: 100 };

/// The size of one input of 64.
const LARGE: Size = Size { pieces: 60, goals: 40, plans: 4, budget: 20_000, attackers: 3, positions: 3_000 };

thread_local! {
    /// Memory of the solver, allocated once for all inputs.
    static MEMORY: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

fuzz_target!(|data: &[u8]| {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let size = if one_in(64, data) { &LARGE } else { &SMALL };
    let Some(game) = position(&input, size.pieces) else { return };
    let Some(view) = game.view(0) else { return };
    let policy = pick(
        &[OverkillPolicy::Allowed, OverkillPolicy::AllHitsLand, OverkillPolicy::AllHitsNeeded],
        input.policy,
    );
    let goals: Vec<Goal> = input.goals.iter().take(size.goals).map(goal).collect();
    let movers =
        goals.iter().filter_map(|goal| if let Goal::Occupy(at, _) = goal { Some(*at) } else { None });
    let mut room = OrdinaryRoom::new();
    let Ok(model) = AttackModel::with_movers(&view, movers.collect(), &mut room) else { return };
    let model = model.with_overkill_policy(policy);
    let Ok(mut limits) = limits_for(&model) else { return };
    limits.clauses += 1 << 12;
    MEMORY.with_borrow_mut(|memory| {
        // What a run before left is as good as any other content.
        memory.resize(memory.len().max(limits.words()), 0);
        follow(&game, &model, &goals, size, &limits, memory);
        if view.board.iter(view.side).count() <= size.attackers && model.is_complete() {
            compare(&game, model, size, &limits, memory);
        }
    });
});

/// Plays plans for goals by the rules.
fn follow(
    game: &Game,
    model: &AttackModel<'_>,
    goals: &[Goal],
    size: &Size,
    limits: &Limits,
    memory: &mut [u32],
) {
    let Ok(mut solver) = AttackSolver::new(model, limits, memory) else { return };
    for _ in 0..size.plans {
        match solver.plan(goals, size.budget) {
            Ok(PlanAnswer::Plan(plan)) => {
                let after = check(game, &plan);
                for goal in goals.iter().filter(|goal| solver.grants(**goal)) {
                    keeps(game, &after, &plan, *goal);
                }
            }
            _ => break,
        }
        if solver.forbid(Equivalence::Everything).is_err() {
            break;
        }
    }
}

/// Panics if a sequence of actions removes what no plan removes.
fn compare(game: &Game, model: AttackModel<'_>, size: &Size, limits: &Limits, memory: &mut [u32]) {
    let (mut seen, mut found) = (HashSet::new(), HashSet::new());
    let mut changes = vec![Change::default(); 1 << 12];
    let log = &mut UndoLog::new(&mut changes);
    if reachable(&mut game.clone(), size.positions, &mut seen, &mut found, log).is_none() {
        return;
    }
    let model = model.with_overkill_policy(OverkillPolicy::Allowed);
    let Ok(mut solver) = AttackSolver::new(&model, limits, memory) else { return };
    let view = game.view(0).expect("there is a board");
    let foes = view.board.pieces(view.side.opponent());
    let mut plans = HashSet::new();
    while let Ok(PlanAnswer::Plan(plan)) = solver.plan(&[], u64::MAX) {
        plans.insert((foes - plan.killed - plan.unsummoned).bits());
        if solver.forbid(Equivalence::Removals).is_err() {
            return;
        }
    }
    assert!(found.is_subset(&plans), "a removal is missed");
}
