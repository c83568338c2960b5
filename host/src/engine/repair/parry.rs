//! Parry: no attack of the opponent's kills the necromancer of a board.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::{BoardAction, View};
use barrow_solver::attack::Goal;

use super::aim::{Aim, Check};
use super::draft::{Draft, after};
use super::effort::Effort;
use super::strikes::{most_damage, strikes};
use crate::engine::proof::{Answer, Prover, necromancer};

/// Largest defense of a friend who counts as soon gone.
const WEAK: u16 = 2;

/// Score of a position in which the strikes on the necromancer kill without anybody else's fall.
const OPEN: i32 = 1_000;

/// Weights in a score: damage beyond the last that is survived, by strikes past all friends, past weak ones, and past none.
const FIRM: i32 = 32;
const SOFT: i32 = 8;
const BARE: i32 = 2;

/// Kills that are tried on a draft at most, the latest first.
const KNOWN: usize = 40;

/// Attacks on those who threaten that are tried first.
const ROTATIONS: usize = 4;

/// The aim, and what refutations have taught.
#[derive(Default)]
pub(super) struct Parry {
    /// Kills, which are tried on every next draft before the solver is asked.
    kills: Vec<Vec<BoardAction>>,
    /// Hexes of friends whom refutations removed.
    weak: HexSet,
    /// Enemies who fought in refutations, and the hexes from which they hit the necromancer.
    fighters: HexSet,
    stands: HexSet,
    /// Goals of attacks that have not been tried.
    goals: Vec<Vec<Goal>>,
}

impl Parry {
    /// Learns from actions of the opponent that refute a draft; the view is the opponent's, after the turn.
    pub(super) fn learn(&mut self, view: &View<'_>, actions: &[BoardAction]) {
        let Some(necromancer) = necromancer(view, view.side.opponent()) else { return };
        let mut came: Vec<(Hex, Hex)> = Vec::new();
        let mut fighters: Vec<Hex> = Vec::new();
        for action in actions {
            match *action {
                BoardAction::Move { from, to, .. } => came.push((from, to)),
                BoardAction::Attack { from, to } => {
                    let start =
                        came.iter().rev().find(|(_, to)| *to == from).map_or(from, |(start, _)| *start);
                    self.fighters.insert(start);
                    if to == necromancer {
                        self.stands.insert(from);
                        if !fighters.contains(&start) {
                            fighters.push(start);
                        }
                    } else {
                        self.weak.insert(to);
                    }
                }
                _ => {}
            }
        }
        for &fighter in &fighters {
            let others = fighters.iter().filter(|&&other| other != fighter);
            let goals: Vec<Goal> =
                [Goal::Remove(fighter)].into_iter().chain(others.map(|&other| Goal::Remove(other))).collect();
            self.goals.push([vec![Goal::Passive(necromancer)], goals.clone()].concat());
            self.goals.push(goals);
        }
    }
}

impl Aim for Parry {
    const GOOD: i32 = 40;
    const HOPELESS: i32 = OPEN;
    const IS_FRUGAL: bool = true;

    fn score(&self, view: &View<'_>) -> i32 {
        let (side, enemy) = (view.side, view.side.opponent());
        let Some(necromancer) = necromancer(view, side) else { return 0 };
        let defense = view.board.piece(necromancer).map_or(0, |piece| view.current(piece).defense);
        let excess = |clear: HexSet| {
            let mut strikes = strikes(view, enemy, necromancer, clear);
            let stands = strikes.iter().fold(HexSet::EMPTY, |all, strike| all | strike.stands);
            (i32::from((most_damage(&mut strikes) + 1).saturating_sub(defense)), stands.len() as i32)
        };
        let minions = view.board.pieces(side).without(necromancer);
        let is_weak = |&at: &Hex| {
            let weak = view.board.piece(at).is_some_and(|piece| view.current(piece).defense <= WEAK);
            weak || self.weak.contains(at)
        };
        let soft: HexSet = minions.iter().filter(is_weak).collect();
        let ((firm, stands), (bare, _)) = (excess(HexSet::EMPTY), excess(minions));
        if firm == 0 && soft.is_empty() {
            return bare;
        }
        i32::from(firm > 0) * OPEN + FIRM * firm + SOFT * excess(soft).0 + BARE * bare + stands
    }

    fn hexes(&self, view: &View<'_>) -> HexSet {
        let Some(necromancer) = necromancer(view, view.side) else { return HexSet::EMPTY };
        let strikes = strikes(view, view.side.opponent(), necromancer, view.board.pieces(view.side));
        let stands = strikes.iter().fold(HexSet::EMPTY, |all, strike| all | strike.stands);
        stands | self.stands | HexSet::ball(necromancer, 2)
    }

    fn attacks(&self, view: &View<'_>) -> Vec<Vec<Goal>> {
        let Some(necromancer) = necromancer(view, view.side) else { return Vec::new() };
        let mut strikes = strikes(view, view.side.opponent(), necromancer, view.board.pieces(view.side));
        strikes.sort_by_key(|strike| std::cmp::Reverse(strike.damage));
        let removals: Vec<Goal> = strikes.iter().map(|strike| Goal::Remove(strike.at)).collect();
        let mut all = vec![Vec::new()];
        for place in 0..removals.len().min(ROTATIONS) {
            let mut goals = removals.clone();
            goals[..=place].rotate_right(1);
            all.push([vec![Goal::Passive(necromancer)], goals.clone()].concat());
            all.push(goals);
        }
        all
    }

    fn wishes(&self, view: &View<'_>) -> Vec<Goal> {
        let Some(necromancer) = necromancer(view, view.side) else { return Vec::new() };
        let strikes = strikes(view, view.side.opponent(), necromancer, view.board.pieces(view.side));
        let mut all: Vec<Goal> = strikes.iter().map(|strike| Goal::Remove(strike.at)).collect();
        all.extend(self.fighters.iter().map(Goal::Remove));
        all.extend([Goal::Passive(necromancer); 2]);
        all
    }

    fn check(&mut self, prover: &mut Prover, draft: &Draft, effort: &mut Effort) -> Check {
        let Some(ended) = draft.ended() else { return Check::Unknown };
        if ended.state().is_over() {
            let won = ended.state().winner() == Some(draft.game.side_to_move());
            return if won { Check::Reached } else { Check::Unknown };
        }
        let kills = |actions: &Vec<BoardAction>| {
            let killed = after(&ended, draft.board, actions);
            killed.is_some_and(|game| game.view(draft.board).is_some_and(|view| view.board.marks().won))
        };
        if self.kills.iter().any(kills) {
            return Check::Refuted;
        }
        let Some(view) = ended.view(draft.board) else { return Check::Unknown };
        let Some(necromancer) = necromancer(&view, view.side.opponent()) else { return Check::Unknown };
        if !effort.request() {
            return Check::Unknown;
        }
        match prover.attack(&view, &[Goal::Kill(necromancer)]) {
            Answer::No => Check::Reached,
            Answer::Unknown => Check::Unknown,
            Answer::Yes(actions) => {
                self.learn(&view, &actions);
                self.kills.insert(0, actions);
                self.kills.truncate(KNOWN);
                Check::Refuted
            }
        }
    }

    fn lessons(&mut self) -> Vec<Vec<Goal>> {
        std::mem::take(&mut self.goals)
    }
}
