//! Hold: graveyards that win the board at the next turn's start are held, no attack takes enough of them back, and none kills
//! the necromancer.

use barrow_core::hex::{Hex, HexSet};
use barrow_core::minions::tables::config::GRAVEYARDS_TO_WIN;
use barrow_core::minions::{BoardAction, TileType, View};
use barrow_solver::attack::Goal;

use super::aim::{Aim, Check};
use super::draft::{Draft, after};
use super::effort::Effort;
use super::parry::Parry;
use super::strikes::{most_damage, removes_outright, strikes};
use crate::engine::forced::subsets;
use crate::engine::proof::{Answer, Prover};

/// Score of a graveyard that is missing, and of one on which the most exposed piece stands that may not fall.
const MISSING: i32 = 1_000;
const EXPOSED: i32 = 12;

/// Largest exposure of a piece.
const MOST_EXPOSED: u16 = 3;

/// Distance from which enemies are taken for a threat to a graveyard.
const NEAR: u8 = 4;

/// Attacks on those who threaten graveyards that are tried first.
const ROTATIONS: usize = 5;

/// The aim, and what refutations have taught.
#[derive(Default)]
pub(super) struct Hold {
    parry: Parry,
    /// Attacks that took graveyards back.
    retakes: Vec<Vec<BoardAction>>,
}

/// How far the strikes on the piece of a hex exceed what it survives; 0 where it survives them all.
fn exposure(view: &View<'_>, at: Hex) -> i32 {
    let enemy = view.side.opponent();
    let Some(piece) = view.board.piece(at) else { return 0 };
    if removes_outright(view, enemy, at, view.board.pieces(view.side)) {
        return i32::from(MOST_EXPOSED);
    }
    let damage = most_damage(&mut strikes(view, enemy, at, HexSet::EMPTY));
    i32::from((damage + 1).saturating_sub(view.current(piece).defense).min(MOST_EXPOSED))
}

impl Hold {
    /// Whether no attack takes graveyards back; the view is the opponent's, after the turn.
    fn check_retakes(&mut self, prover: &mut Prover, view: &View<'_>, effort: &mut Effort) -> Check {
        let held = view.board.graveyards(view.map, view.side.opponent());
        let Some(spare) = held.len().checked_sub(GRAVEYARDS_TO_WIN) else { return Check::Unknown };
        let mut check = Check::Reached;
        for set in subsets(&held.iter().collect::<Vec<Hex>>(), spare + 1) {
            if !effort.request() {
                return Check::Unknown;
            }
            let goals: Vec<Goal> = set.into_iter().map(Goal::Remove).collect();
            match prover.attack(view, &goals) {
                Answer::Yes(actions) => {
                    self.parry.learn(view, &actions);
                    self.retakes.push(actions);
                    return Check::Refuted;
                }
                Answer::Unknown => check = Check::Unknown,
                Answer::No => {}
            }
        }
        check
    }
}

impl Aim for Hold {
    const GOOD: i32 = 60;
    const HOPELESS: i32 = MISSING;
    const IS_FRUGAL: bool = false;

    fn score(&self, view: &View<'_>) -> i32 {
        let held = view.board.graveyards(view.map, view.side);
        let missing = GRAVEYARDS_TO_WIN.saturating_sub(held.len()) as i32;
        let spare = held.len().saturating_sub(GRAVEYARDS_TO_WIN);
        let mut exposures: Vec<i32> = held.into_iter().map(|at| exposure(view, at)).collect();
        exposures.sort_unstable_by_key(|&exposure| std::cmp::Reverse(exposure));
        let exposed: i32 = exposures.into_iter().skip(spare).sum();
        MISSING * missing + EXPOSED * exposed + self.parry.score(view)
    }

    fn hexes(&self, view: &View<'_>) -> HexSet {
        let yards = view.map.all(TileType::Graveyard);
        yards | yards.grown() | self.parry.hexes(view)
    }

    fn attacks(&self, view: &View<'_>) -> Vec<Vec<Goal>> {
        let (held, yards) = (view.board.graveyards(view.map, view.side), view.map.all(TileType::Graveyard));
        let enemies = view.board.pieces(view.side.opponent());
        let occupants: Vec<Goal> = (yards & enemies).iter().map(Goal::Remove).collect();
        let near = |at: Hex| held.into_iter().filter(|yard| yard.distance(at) <= NEAR).count();
        let mut threats: Vec<(usize, Hex)> =
            enemies.iter().map(|at| (near(at), at)).filter(|&(count, _)| count > 0).collect();
        threats.sort_by_key(|&(count, at)| std::cmp::Reverse((count, at)));
        let removals: Vec<Goal> = threats.iter().map(|&(_, at)| Goal::Remove(at)).collect();
        let passive: Vec<Goal> = held.iter().map(Goal::Passive).collect();
        let mut all = vec![
            Vec::new(),
            [occupants.clone(), removals.clone()].concat(),
            [occupants.clone(), passive, removals.clone()].concat(),
            occupants.clone(),
        ];
        for place in 0..removals.len().min(ROTATIONS) {
            let mut goals = removals.clone();
            goals[..=place].rotate_right(1);
            all.push([occupants.clone(), goals].concat());
        }
        all.extend(self.parry.attacks(view));
        all
    }

    fn wishes(&self, view: &View<'_>) -> Vec<Goal> {
        let held = view.board.graveyards(view.map, view.side);
        let enemies = view.board.pieces(view.side.opponent());
        let near = |at: &Hex| held.into_iter().any(|yard| yard.distance(*at) <= NEAR);
        let mut all = self.parry.wishes(view);
        all.extend(enemies.iter().filter(near).map(Goal::Remove));
        all.extend(held.iter().map(Goal::Passive));
        all
    }

    fn check(&mut self, prover: &mut Prover, draft: &Draft, effort: &mut Effort) -> Check {
        match self.parry.check(prover, draft, effort) {
            Check::Reached => {}
            other => return other,
        }
        let Some(ended) = draft.ended() else { return Check::Unknown };
        if ended.state().is_over() {
            return Check::Reached;
        }
        let side = draft.game.side_to_move();
        let retakes = |actions: &Vec<BoardAction>| {
            let taken = after(&ended, draft.board, actions);
            let held = |view: View<'_>| view.board.graveyards(view.map, side).len();
            taken.is_some_and(|game| game.view(draft.board).map_or(0, held) < GRAVEYARDS_TO_WIN)
        };
        if self.retakes.iter().any(retakes) {
            return Check::Refuted;
        }
        match ended.view(draft.board) {
            Some(view) => self.check_retakes(prover, &view, effort),
            None => Check::Unknown,
        }
    }

    fn lessons(&mut self) -> Vec<Vec<Goal>> {
        self.parry.lessons()
    }
}
