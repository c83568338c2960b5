//! Descent: from a draft of an attack by walks and units, one at a time, to a draft whose score no such step lowers.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{Board, BoardAction, Piece, UnitLabel, View};
use barrow_core::rng::Rng;

use super::aim::Aim;
use super::draft::Draft;
use super::effort::Effort;
use crate::engine::proof::necromancer;

/// Steps of a descent at most: so many walks, and so many units.
const STEPS: usize = 8;

/// Drafts that one attack is carried on to.
const LEAVES: usize = 8;

/// Of these, drafts that begin with a walk of the necromancer, and with its change of places with a friend.
const NECROMANCER_WALKS: usize = 4;
const KING_SWAPS: usize = 2;

/// Weight of a score against a price and a defense when units are chosen.
const RANK: i32 = 16;

/// Walk of a piece.
#[derive(Clone, Copy)]
struct Walk {
    from: Hex,
    to: Hex,
    piece: Piece,
}

/// Copy of a board to try changes on.
struct Trial<'v> {
    view: View<'v>,
    board: Board,
}

impl<'v> Trial<'v> {
    fn new(view: View<'v>) -> Trial<'v> {
        Trial { view, board: view.board.clone() }
    }

    /// Score after a walk.
    fn walked(&mut self, walk: Walk, aim: &impl Aim) -> i32 {
        self.board.set_piece(walk.from, None);
        self.board.set_piece(walk.to, Some(walk.piece));
        let score = aim.score(&View { board: &self.board, ..self.view });
        self.board.set_piece(walk.to, None);
        self.board.set_piece(walk.from, Some(walk.piece));
        score
    }

    /// Score with one more unit.
    fn joined(&mut self, unit: UnitLabel, at: Hex, aim: &impl Aim) -> i32 {
        self.board.set_piece(at, Some(Piece::fresh(self.view.side, unit, at)));
        let score = aim.score(&View { board: &self.board, ..self.view });
        self.board.set_piece(at, None);
        score
    }
}

/// Walks to hexes that matter; the necromancer's to any hex, if it may walk.
fn walks(view: &View<'_>, wanted: HexSet, with_king: bool) -> Vec<Walk> {
    let necromancer = necromancer(view, view.side);
    let mut all = Vec::new();
    for (from, piece) in view.board.iter(view.side) {
        let hexes = match Some(from) == necromancer {
            true if with_king => HexSet::ALL,
            true => HexSet::EMPTY,
            false => wanted,
        };
        all.extend((view.reach(from) & hexes).iter().map(|to| Walk { from, to, piece }));
    }
    all
}

/// Minions walk, and then units are placed, as long as the score falls. Returns the score.
pub(super) fn descend(draft: &mut Draft, aim: &impl Aim, effort: &mut Effort) -> i32 {
    let Some(view) = draft.view() else { return i32::MAX };
    let mut score = aim.score(&view);
    for _ in 0..STEPS {
        let Some(view) = draft.view() else { break };
        let mut trial = Trial::new(view);
        let mut best: Option<(i32, Walk)> = None;
        for walk in walks(&view, aim.hexes(&view), false) {
            if !effort.estimate() {
                break;
            }
            let next = trial.walked(walk, aim);
            if next < best.map_or(score, |best| best.0) {
                best = Some((next, walk));
            }
        }
        let Some((next, walk)) = best else { break };
        if !draft.act(BoardAction::walk(walk.from, walk.to)) {
            break;
        }
        score = next;
    }
    for _ in 0..STEPS {
        let Some(next) = place(draft, aim, effort, score) else { break };
        score = next;
    }
    score
}

/// Places the unit that lowers the score most, bought where none is at hand. Returns the score; `None` where no unit lowers it.
fn place(draft: &mut Draft, aim: &impl Aim, effort: &mut Effort, score: i32) -> Option<i32> {
    let view = draft.view()?;
    let reserves: Vec<UnitLabel> = view.board.reserves(view.side).map(|(unit, _)| unit).collect();
    let bought = UnitLabel::ALL
        .into_iter()
        .filter(|unit| !reserves.contains(unit) && draft.game.may_buy(draft.board, *unit).is_ok());
    let units: Vec<(UnitLabel, bool)> =
        reserves.iter().map(|&unit| (unit, false)).chain(bought.map(|unit| (unit, true))).collect();
    let (mut trial, wanted) = (Trial::new(view), aim.hexes(&view));
    let mut best: Option<(i32, i32, UnitLabel, Hex, bool)> = None;
    for (unit, buys) in units {
        let figures = view.rules.unit(unit);
        let price = if buys { 2 * i32::from(figures.cost) } else { 0 };
        for at in view.spawn_hexes(unit) & wanted {
            if !effort.estimate() {
                break;
            }
            let next = trial.joined(unit, at, aim);
            let rank = next.saturating_mul(RANK) + price - i32::from(figures.defense);
            if next < score && best.is_none_or(|best| rank < best.0) {
                best = Some((rank, next, unit, at, buys));
            }
        }
    }
    let (_, next, unit, at, buys) = best?;
    let placed =
        (!buys || draft.act(BoardAction::Buy { unit })) && draft.act(BoardAction::Spawn { unit, at });
    placed.then_some(next)
}

/// Drafts that carry an attack on: the descent from it, and those from the best first walks of several pieces.
pub(super) fn leaves(base: &Draft, aim: &impl Aim, effort: &mut Effort) -> Vec<(i32, Draft)> {
    let Some(view) = base.view() else { return Vec::new() };
    let necromancer = necromancer(&view, view.side);
    let mut trial = Trial::new(view);
    let mut first: Vec<(i32, Walk)> = Vec::new();
    for walk in walks(&view, aim.hexes(&view), true) {
        if !effort.estimate() {
            break;
        }
        first.push((trial.walked(walk, aim), walk));
    }
    first.sort_by_key(|&(score, _)| score);
    let mut begun = swapped(base, aim);
    begun.push(base.clone());
    let mut walkers: Vec<Hex> = Vec::new();
    for (_, Walk { from, to, .. }) in first {
        let most = if Some(from) == necromancer { NECROMANCER_WALKS } else { 1 };
        if begun.len() >= LEAVES || walkers.iter().filter(|&&other| other == from).count() >= most {
            continue;
        }
        walkers.push(from);
        let mut draft = base.clone();
        if draft.act(BoardAction::walk(from, to)) {
            begun.push(draft);
        }
    }
    let mut all = Vec::new();
    for mut draft in begun {
        let score = descend(&mut draft, aim, effort);
        if effort.is_over() {
            break;
        }
        all.push((score, draft));
    }
    all
}

/// Drafts in which the necromancer changes places with a friend, the best by score.
fn swapped(base: &Draft, aim: &impl Aim) -> Vec<Draft> {
    let Some(view) = base.view() else { return Vec::new() };
    let necromancer = necromancer(&view, view.side);
    let mut all = Vec::new();
    view.swaps(|first, second| {
        if necromancer == Some(first) || necromancer == Some(second) {
            let mut draft = base.clone();
            let together = BoardAction::Move { from: first, to: second, joined: true };
            draft.play(&[together, BoardAction::walk(second, first)]);
            let score = draft.view().map_or(i32::MAX, |view| aim.score(&view));
            all.push((score, draft));
        }
    });
    all.sort_by_key(|&(score, _)| score);
    all.into_iter().take(KING_SWAPS).map(|(_, draft)| draft).collect()
}

/// A random walk.
pub(super) fn stray(draft: &mut Draft, aim: &impl Aim, rng: &mut Rng) {
    let Some(view) = draft.view() else { return };
    if let Some(&Walk { from, to, .. }) = rng.choose(&walks(&view, aim.hexes(&view), true)) {
        draft.act(BoardAction::walk(from, to));
    }
}
