//! Search for a turn that solves a hard position without the search: random turns, repaired by what refutes them. Who fought in
//! a refutation is attacked first in the next tries, and where they fought from is occupied, by counterexamples that grow in
//! number (counterexample-guided, as in A. Solar-Lezama's synthesis).

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::{Action, BoardAction, Game, GameTurn, TileType, UndoLog, UnitLabel};
use barrow_core::rng::Rng;
use barrow_solver::attack::Goal;

use super::{Tactic, Task};
use crate::engine::forced::retake;
use crate::engine::proof::{Answer, Prover, necromancer};

/// Findings of refutations about a board.
#[derive(Clone, Copy, Default)]
struct Lessons {
    /// Enemies that fought.
    fighters: HexSet,
    /// Hexes from which they fought.
    stands: HexSet,
}

/// A turn that solves the task, looked for so many times.
pub(super) fn repaired(
    tactic: &Tactic,
    prover: &mut Prover,
    rng: &mut Rng,
    tries: usize,
) -> Option<GameTurn> {
    let mut lessons = vec![Lessons::default(); tactic.game.config().num_boards()];
    for _ in 0..tries {
        let mut game = tactic.game.clone();
        let mut turn = GameTurn::new();
        for (board, lessons) in lessons.iter().enumerate() {
            let matters = board == tactic.board || !lessons.fighters.is_empty();
            if matters {
                attack(&mut game, &mut turn, board, lessons, prover, rng);
                let hexes = wanted(tactic, &game, board, lessons);
                walk(&mut game, &mut turn, board, hexes, rng);
            }
        }
        for (board, lessons) in lessons.iter().enumerate() {
            let hexes = wanted(tactic, &game, board, lessons);
            place(&mut game, &mut turn, board, hexes, rng);
        }
        if game.end_turn().is_err() {
            continue;
        }
        if tactic.is_solved_with(prover, &turn) {
            return Some(turn);
        }
        learn(tactic, &game, prover, &mut lessons);
    }
    None
}

/// Hexes to occupy on a board, in no order.
fn wanted(tactic: &Tactic, game: &Game, board: usize, lessons: &Lessons) -> HexSet {
    let Some(view) = game.view(board) else { return HexSet::EMPTY };
    if tactic.task == Task::Siege && board == tactic.board {
        let own = view.board.graveyards(view.map, view.side);
        if own.len() < GRAVEYARDS_TO_WIN {
            return view.map.all(TileType::Graveyard) - view.board.all_pieces();
        }
    }
    lessons.stands - view.board.all_pieces()
}

/// Plays an action and adds it to the turn.
fn act(game: &mut Game, turn: &mut GameTurn, board: usize, action: BoardAction) -> bool {
    let played = game.apply(Action::Board(board as u8, action), &mut UndoLog::off()).is_ok();
    played && turn.push(board, action).is_some()
}

/// An attack on enemies in random order, those who fought in refutations first.
fn attack(
    game: &mut Game,
    turn: &mut GameTurn,
    board: usize,
    lessons: &Lessons,
    prover: &mut Prover,
    rng: &mut Rng,
) {
    let Some(view) = game.view(board) else { return };
    let enemies = view.board.pieces(view.side.opponent());
    let mut first: Vec<Hex> = (lessons.fighters & enemies).iter().collect();
    let mut others: Vec<Hex> = (enemies - lessons.fighters).iter().collect();
    rng.shuffle(&mut first);
    rng.shuffle(&mut others);
    others.truncate(rng.below(4) as usize);
    let mut goals: Vec<Goal> = first.into_iter().chain(others).map(Goal::Remove).collect();
    if rng.chance(1, 2)
        && let Some(necromancer) = necromancer(&view, view.side)
    {
        goals.insert(0, Goal::Passive(necromancer));
    }
    if rng.chance(1, 8) {
        return;
    }
    let actions = prover.best_attack(&view, &goals).unwrap_or_default();
    let mut rest = actions.as_slice();
    while let Ok(used @ 1..) = game.apply_next(board as u8, rest, &mut UndoLog::off()) {
        for &action in &rest[..used] {
            if turn.push(board, action).is_none() {
                return;
            }
        }
        rest = &rest[used..];
    }
}

/// The necromancer goes somewhere, friends without a fight go to the hexes that are wanted.
fn walk(game: &mut Game, turn: &mut GameTurn, board: usize, wanted: HexSet, rng: &mut Rng) {
    let Some(view) = game.view(board) else { return };
    let mut friends: Vec<Hex> = view.board.pieces(view.side).iter().collect();
    rng.shuffle(&mut friends);
    if let Some(necromancer) = necromancer(&view, view.side) {
        friends.insert(0, necromancer);
    }
    let necromancer = friends.first().copied();
    for from in friends {
        let Some(view) = game.view(board) else { return };
        let reach = view.reach(from);
        let held = view.map.all(TileType::Graveyard).contains(from);
        let goals = if Some(from) == necromancer { reach } else { reach & wanted };
        let to: Vec<Hex> = goals.iter().collect();
        if !to.is_empty() && !held && rng.chance(3, 4) {
            let to = to[rng.below(to.len() as u32) as usize];
            act(game, turn, board, BoardAction::walk(from, to));
        }
    }
}

/// Units are placed on hexes that are wanted, bought where none are at hand.
fn place(game: &mut Game, turn: &mut GameTurn, board: usize, wanted: HexSet, rng: &mut Rng) {
    for _ in 0..8 {
        let Some(view) = game.view(board) else { return };
        let mut units: Vec<(UnitLabel, bool)> =
            view.board.reserves(view.side).map(|(unit, _)| (unit, false)).collect();
        let bought = UnitLabel::ALL.into_iter().filter(|&unit| game.may_buy(board, unit).is_ok());
        units.extend(bought.map(|unit| (unit, true)));
        let Some(&(unit, buys)) = rng.choose(&units) else { return };
        // What is on nobody's way stands on a random hex now and then: it shields from what nobody has shown yet.
        let room = view.placeable(unit);
        let near: Vec<Hex> = (room & wanted).iter().collect();
        let any: Vec<Hex> = room.iter().collect();
        let anywhere = near.is_empty() || rng.chance(1, 8);
        let Some(&at) = rng.choose(if anywhere { &any } else { &near }) else { continue };
        if buys && !act(game, turn, board, BoardAction::Buy { unit }) {
            continue;
        }
        act(game, turn, board, BoardAction::Spawn { unit, at });
    }
}

/// Remembers who refuted a turn, and from where.
fn learn(tactic: &Tactic, after: &Game, prover: &mut Prover, lessons: &mut [Lessons]) {
    let kill = if let Answer::Yes(turn) = prover.winning_attack(after) { turn } else { GameTurn::new() };
    let retaken = match (tactic.task, after.view(tactic.board)) {
        (Task::Siege, Some(view)) => retake(prover, &view),
        _ => Answer::No,
    };
    let retaken = if let Answer::Yes(actions) = retaken { actions } else { Vec::new() };
    for (board, lessons) in lessons.iter_mut().enumerate() {
        let retaken = if board == tactic.board { retaken.as_slice() } else { &[] };
        for action in kill.board(board).iter().chain(retaken) {
            match *action {
                BoardAction::Move { from, .. } => {
                    lessons.fighters.insert(from);
                }
                BoardAction::Attack { from, .. } => {
                    lessons.fighters.insert(from);
                    lessons.stands.insert(from);
                }
                _ => {}
            }
        }
    }
}
