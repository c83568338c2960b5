//! The money stage of a turn (blotto): a money curve for each board, from the evaluator and corrected by statistics
//! of turns, and the split of the purse with the greatest value (seed 000 "Spawn").

use heapless::Vec;

use super::ports::{Evaluator, Ports};
use crate::list;
use crate::minions::BOARD_CAP;
use crate::search::blotto;
use crate::search::stats::{FULL_WEIGHT, Stats};
use crate::search::value::KNOTS;

use super::candidates::{AttackIndex, Candidates};
use super::compose::Composer;
use super::explored::Compared as _;
use super::picks::Picks;
use super::shared_tree::Access;

/// Largest noise on the value of a sum without visits, in 1/65,536 of a win chance.
const DOUBT: i32 = 2_790;

/// Visits of turns with which their values of a sum correct its curve by half of the difference.
const TRUSTED: i64 = 12;

impl<'m, T: Access<'m>, P: Ports> Composer<'_, T, P> {
    /// Splits the purse: souls for each board.
    pub(super) fn split(&mut self, picks: &Picks) -> Vec<u32, { BOARD_CAP }, u8> {
        let boards = self.game.config().num_boards();
        let purse = self.game.state().souls(self.game.side_to_move());
        let open = |board: usize| {
            self.game.view(board).is_some_and(|view| {
                view.board.state().allows_spawn() && !view.board.marks().won && !view.board.marks().resigned
            })
        };
        let hungry: Vec<bool, { BOARD_CAP }, u8> = list::first((0..boards).map(open));
        let hungry_boards = hungry.iter().filter(|&&open| open).count();
        let souls = (purse as usize).min(blotto::MAX_MONEY);
        if !self.options.convolution {
            let limits = [souls; BOARD_CAP];
            let shares = blotto::even_split(limits.get(..hungry_boards).unwrap_or(&[]), souls);
            let mut shares = shares.iter();
            let share = |&open: &bool| if open { shares.next().map_or(0, |&share| share.into()) } else { 0 };
            return list::first(hungry.iter().map(share));
        }
        self.convolve(picks, &hungry, souls)
    }

    /// Splits the purse by convolution of the money curves, which takes a large stack.
    #[inline(never)]
    fn convolve(&mut self, picks: &Picks, hungry: &[bool], souls: usize) -> Vec<u32, { BOARD_CAP }, u8> {
        let boards = self.game.config().num_boards();
        let mut curves: Vec<[i32; blotto::MAX_MONEY + 1], { BOARD_CAP + 1 }, u8> = Vec::new();
        // Only as many as there are boards, and one: each takes half a kilobyte.
        while curves.len() <= boards && curves.push([0; blotto::MAX_MONEY + 1]).is_ok() {}
        for (board, &open) in hungry.iter().enumerate() {
            let Some(curve) = curves.get_mut(board).filter(|_| open) else { continue };
            let curve = curve.get_mut(..=souls).unwrap_or_default();
            let attack = picks.boards.get(board).map_or(AttackIndex::NONE, |pick| pick.0);
            let (mut knots, shifts) = {
                let candidates = &self.tree.lock(self.node).candidates;
                let learnt = self.options.feedback.then(|| shifts(candidates, self.stages, board));
                (candidates.get(attack).curve, learnt)
            };
            if let Some(shifts) = shifts {
                self.correct(&mut knots, &shifts);
            }
            blotto::expand(&knots, curve);
        }
        if let Some(savings) = curves.get_mut(boards).and_then(|curve| curve.get_mut(..=souls)) {
            blotto::expand(&self.ports.evaluator().savings(self.game), savings);
        }
        let mut table: [&[i32]; BOARD_CAP + 1] = [&[]; BOARD_CAP + 1];
        for (slot, (curve, closed)) in table
            .iter_mut()
            .zip(curves.iter().zip(hungry.iter().map(|&open| !open).chain(core::iter::once(false))))
        {
            *slot = curve.get(..if closed { 1 } else { souls + 1 }).unwrap_or(&[]);
        }
        let mut room: Vec<i32, { blotto::room_for(BOARD_CAP + 1, blotto::MAX_MONEY) }> = Vec::new();
        let _ = room.resize(blotto::room_for(boards + 1, souls), 0);
        let table = table.get(..=boards).unwrap_or(&[]);
        let Ok(best) = blotto::convolve(table, souls, &mut room) else { return Vec::new() };
        list::first(best.split().iter().take(boards).map(|&share| u32::from(share)))
    }

    /// Corrects a money curve by the statistics of turns, and adds noise that falls with the visits.
    fn correct(&mut self, knots: &mut [i32; KNOTS.len()], shifts: &Shifts) {
        for (knot, &(gain, weight)) in knots.iter_mut().zip(shifts) {
            let doubt = i64::from(DOUBT) / (1 + isqrt(weight));
            let noise = i64::from(self.rng.below(2 * doubt as u32 + 1)) - doubt;
            *knot = knot.saturating_add((gain * weight / (weight + TRUSTED).max(1) + noise) as i32);
        }
    }
}

/// Index of the knot of the money candidate of so many souls: the largest that is not more.
pub(super) fn knot_of(souls: u16) -> u8 {
    KNOTS.iter().rposition(|&sum| u16::from(sum) <= souls).unwrap_or(0) as u8
}

/// For each knot, the mean value of turns that gave a board this sum, less the average, and their visits.
type Shifts = [(i64, i64); KNOTS.len()];

/// Shifts of a board by the turns that are known.
fn shifts(candidates: &Candidates<'_>, stages: u32, board: usize) -> Shifts {
    let first = candidates.board(stages, board).money;
    let mut all = Stats::default();
    for (_, money) in candidates.list(first) {
        all.merge(&money.stats);
    }
    let mut shifts = [(0i64, 0i64); KNOTS.len()];
    for (_, money) in candidates.list(first) {
        if let Some(slot) = shifts.get_mut(usize::from(money.knot)) {
            let weight = i64::from(money.stats.weight() / FULL_WEIGHT);
            *slot = (i64::from(money.fair_mean() - all.mean()), weight);
        }
    }
    shifts
}

fn isqrt(number: i64) -> i64 {
    number.max(0).isqrt()
}
