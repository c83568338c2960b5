//! Oracle: the value of a position for the side to move, board by board in the context of the other boards.
//!
//! Each board has a [`Summary`]. The joined layer of a board reads the board's own summary, the sum of the others and
//! the general's accumulators ([`Network::joined_layer`]), so that a candidate for one board costs one summary and
//! one small layer, whatever the number of boards. Each output is one row on the [`JoinedLayer`], computed on demand.

use barrow_core::minions::BOARD_CAP;
use barrow_core::search::value::KNOTS;
use fixed::types::I16F16;

use super::layer::to_fixed;
use super::logistic::chance;
use super::network::Network;
use crate::kernels::{Weight, squash};
use crate::shape::{EMBED, GLOBAL, HIDDEN, JOINED, Profile, ceiling};

/// Output of Oracle, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// Logit of winning the game.
    Win,
    /// Board points at the end of the game, own minus the opponent's.
    Points,
    /// Logit of the expected error of the win chance: root mean square against the value of a short search.
    Error,
    /// Logit of the side to move scoring the next point on this board.
    Contribution,
    /// Logit of winning when this board is given the [`KNOTS`] souls of this index.
    Curve(u8),
}

impl Output {
    /// Number of the output's row; [`ORACLE_ROWS`](crate::shape::ORACLE_ROWS) or more for a knot that does not exist.
    pub const fn row(self) -> usize {
        match self {
            Output::Win => 0,
            Output::Points => 1,
            Output::Error => 2,
            Output::Contribution => 3,
            Output::Curve(knot) => 4 + knot as usize,
        }
    }
}

/// Summary of a board for the joined layers: activations, `0..=2^ACTIVATION_BITS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Summary(pub [i16; EMBED]);

/// Context of a candidate for one board: summaries of all boards, and the general's clipped accumulators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context {
    boards: [Summary; BOARD_CAP],
    total: [i16; EMBED],
    general: [[i16; GLOBAL]; 2],
    count: u8,
}

impl Context {
    /// Number of boards.
    pub fn boards(&self) -> usize {
        usize::from(self.count)
    }

    /// Summary of a board; zeros when there is no such board.
    pub fn summary(&self, board: usize) -> Summary {
        self.boards.get(board).copied().unwrap_or_default()
    }

    /// Replaces the summary of a board; nothing changes when there is no such board.
    pub fn set(&mut self, board: usize, summary: Summary) {
        if board >= self.boards() {
            return;
        }
        if let Some(place) = self.boards.get_mut(board) {
            for ((total, old), new) in self.total.iter_mut().zip(place.0).zip(summary.0) {
                *total = total.wrapping_sub(old).wrapping_add(new);
            }
            *place = summary;
        }
    }

    /// Sum of the summaries of all boards but one.
    fn others(&self, board: usize) -> [i16; EMBED] {
        let own = self.summary(board);
        let mut others = self.total;
        others.iter_mut().zip(own.0).for_each(|(total, own)| *total = total.wrapping_sub(own));
        others
    }
}

/// Sums of the joined layers of all boards as far as they come from the boards: choices of the general leave them as they
/// are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JoinedSums {
    boards: [[i32; HIDDEN]; BOARD_CAP],
    count: u8,
}

/// Joined layer of a board: activations that Oracle's outputs read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct JoinedLayer([i16; HIDDEN]);

impl<P: Profile> Network<'_, P> {
    /// Summary of a board, from its accumulators of the side to move and of the opponent.
    pub fn summary(&self, us: &P::Lanes, them: &P::Lanes) -> Summary {
        let mut summary = Summary::default();
        P::with_clipped(us, them, |inputs| self.embed.activate(inputs, &mut [0; EMBED], &mut summary.0));
        summary
    }

    /// Context of a position, from the general's accumulators of the side to move and of the opponent and the
    /// summaries of the boards. Boards past [`BOARD_CAP`] are left out.
    pub fn context(&self, us: &[i16; GLOBAL], them: &[i16; GLOBAL], boards: &[Summary]) -> Context {
        let mut context = Context {
            boards: [Summary::default(); BOARD_CAP],
            total: [0; EMBED],
            general: [[0; GLOBAL]; 2],
            count: boards.len().min(BOARD_CAP) as u8,
        };
        let [ours, theirs] = &mut context.general;
        P::Weight::clip(us, ceiling::<P>(), ours);
        P::Weight::clip(them, ceiling::<P>(), theirs);
        for (board, summary) in boards.iter().enumerate() {
            context.set(board, *summary);
        }
        context
    }

    /// Joined layer of a board that has this summary, with the other boards and the general of the context.
    pub fn joined_layer(&self, context: &Context, board: usize, summary: &Summary) -> JoinedLayer {
        let [ours, theirs] = context.general;
        let inputs = Joined([summary.0, context.others(board), ours, theirs]);
        let mut joined = JoinedLayer([0; HIDDEN]);
        self.join.activate(inputs.0.as_flattened(), &mut [0; HIDDEN], &mut joined.0);
        joined
    }

    /// Sums of the joined layers of a context without the general.
    pub(crate) fn joined_sums(&self, context: &Context) -> JoinedSums {
        let mut sums = JoinedSums { boards: [[0; HIDDEN]; BOARD_CAP], count: context.count };
        for (board, sums) in sums.boards.iter_mut().enumerate().take(context.boards()) {
            let inputs = [context.summary(board).0, context.others(board)];
            self.join.add_part(0, inputs.as_flattened(), self.join.bias, sums);
        }
        sums
    }

    /// Win logit of a position as [`Network::position`] gives it, from the sums of its boards and the general's
    /// accumulators of the side to move and of the opponent.
    pub(crate) fn position_with(
        &self,
        sums: &JoinedSums,
        us: &[i16; GLOBAL],
        them: &[i16; GLOBAL],
    ) -> I16F16 {
        let mut inputs = [[0; GLOBAL]; 2];
        let [ours, theirs] = &mut inputs;
        P::Weight::clip(us, ceiling::<P>(), ours);
        P::Weight::clip(them, ceiling::<P>(), theirs);
        let mut general = [0; HIDDEN];
        self.join.add_part(2 * EMBED, inputs.as_flattened(), &[0; HIDDEN], &mut general);
        let boards = sums.boards.iter().take(usize::from(sums.count));
        let logits = boards.map(|board| {
            let mut sums = *board;
            sums.iter_mut().zip(general).for_each(|(sum, more)| *sum = sum.wrapping_add(more));
            let mut joined = JoinedLayer([0; HIDDEN]);
            squash(&sums, P::Weight::WEIGHT_BITS, ceiling::<P>(), &mut joined.0);
            i64::from(self.output(&joined, Output::Win).to_bits())
        });
        mean(logits.sum(), usize::from(sums.count))
    }

    /// Value of an output; 0 for a knot that does not exist.
    pub fn output(&self, joined: &JoinedLayer, output: Output) -> I16F16 {
        let row = output.row();
        let bias = self.oracle.bias.get(row).copied().unwrap_or(0);
        to_fixed::<P>(bias.wrapping_add(P::Weight::dot(&joined.0, self.oracle.row(row))))
    }

    /// Win chance, 65,535 for certainty.
    pub fn win_chance(&self, joined: &JoinedLayer) -> u16 {
        chance(self.output(joined, Output::Win))
    }

    /// Confidence in the win chance: 65,535 minus the expected error.
    pub fn confidence(&self, joined: &JoinedLayer) -> u16 {
        u16::MAX - chance(self.output(joined, Output::Error))
    }

    /// Win logit when a board is given this many souls: straight lines between the [`KNOTS`], constant past the
    /// last.
    pub fn curve(&self, joined: &JoinedLayer, souls: u16) -> I16F16 {
        let knot = |index: usize| self.output(joined, Output::Curve(index as u8)).to_bits();
        let Some(after) = KNOTS.iter().position(|knot| u16::from(*knot) > souls) else {
            return I16F16::from_bits(knot(KNOTS.len() - 1));
        };
        let before = after.saturating_sub(1);
        let [Some(low), Some(high)] = [before, after].map(|index| KNOTS.get(index).copied().map(i64::from))
        else {
            return I16F16::ZERO;
        };
        let [from, to] = [before, after].map(|index| i64::from(knot(index)));
        let part = (to - from) * (i64::from(souls) - low) / (high - low).max(1);
        I16F16::from_bits((from + part) as i32)
    }

    /// Win logit of a position: the mean over its boards. 0 without boards.
    pub fn position(&self, context: &Context) -> I16F16 {
        let logits = (0..context.boards()).map(|board| {
            let joined = self.joined_layer(context, board, &context.summary(board));
            i64::from(self.output(&joined, Output::Win).to_bits())
        });
        mean(logits.sum(), context.boards())
    }
}

/// Mean logit of so many boards; 0 without boards.
fn mean(sum: i64, boards: usize) -> I16F16 {
    I16F16::from_bits(sum.checked_div(boards as i64).unwrap_or(0) as i32)
}

/// Inputs of the joined layer, four parts of the same length.
#[repr(C, align(64))]
struct Joined([[i16; EMBED]; 4]);

const _: () = assert!(size_of::<Joined>() == 2 * JOINED && EMBED == GLOBAL);

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use barrow_core::rng::Rng;

    use super::*;
    use crate::format::{Line, file_len};
    use crate::random_net;
    use crate::shape::{Tiny, UNITS};

    fn lines() -> Vec<Line> {
        let mut lines = std::vec![Line::ZERO; file_len::<Tiny>(UNITS) / 64];
        random_net::fill::<Tiny>(Line::bytes_mut(&mut lines), UNITS, 5).unwrap();
        lines
    }

    fn summary(rng: &mut Rng) -> Summary {
        Summary([0; EMBED].map(|_: i16| rng.below(65) as i16))
    }

    #[test]
    fn a_context_follows_its_boards() {
        let lines = lines();
        let network = Network::<Tiny>::from_bytes(Line::bytes(&lines)).unwrap();
        let mut rng = Rng::new(6);
        let mut boards: Vec<Summary> = (0..10).map(|_| summary(&mut rng)).collect();
        let general = [[-5, 3, 70, 64, 63, 1, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1], [32; GLOBAL]];
        let mut context = network.context(&general[0], &general[1], &boards);
        assert_eq!(context.boards(), 8);
        for round in 0..100 {
            let board = rng.below(9) as usize;
            boards[board] = summary(&mut rng);
            context.set(board, boards[board]);
            assert_eq!(context, network.context(&general[0], &general[1], &boards[..8]), "{round}");
        }
        assert_eq!(context.summary(8), Summary::default());
        let sums = network.joined_sums(&context);
        let other = [[64; GLOBAL], general[0]];
        for [us, them] in [general, other] {
            let whole = network.context(&us, &them, &boards[..8]);
            assert_eq!(network.position_with(&sums, &us, &them), network.position(&whole));
        }
        // The joined layer of a candidate is the one in a context that has the candidate already.
        let candidate = summary(&mut rng);
        let expected = network.joined_layer(&context, 3, &candidate);
        context.set(3, candidate);
        assert_eq!(expected, network.joined_layer(&context, 3, &candidate));
        assert_ne!(expected, network.joined_layer(&context, 2, &candidate));
    }

    #[test]
    fn the_curve_goes_through_its_knots_in_straight_lines() {
        let lines = lines();
        let network = Network::<Tiny>::from_bytes(Line::bytes(&lines)).unwrap();
        let joined = JoinedLayer(core::array::from_fn(|neuron| neuron as i16 * 2));
        let at = |souls: u16| network.curve(&joined, souls).to_bits();
        for (index, knot) in KNOTS.into_iter().enumerate() {
            assert_eq!(at(knot.into()), network.output(&joined, Output::Curve(index as u8)).to_bits());
        }
        assert_eq!(at(3), i32::midpoint(at(2), at(4)));
        assert!((at(17) - i32::midpoint(at(14), at(20))).abs() <= 1);
        assert_eq!([at(29), at(u16::MAX)], [at(28); 2]);
        assert_eq!(network.output(&joined, Output::Curve(8)), I16F16::ZERO);
    }

    #[test]
    fn outputs_out_of_range_become_the_nearest_there_are() {
        assert_eq!(to_fixed::<Tiny>(i32::MAX), I16F16::MAX);
        assert_eq!(to_fixed::<Tiny>(i32::MIN), I16F16::MIN);
        assert_eq!(to_fixed::<Tiny>(-4_096), I16F16::from_num(-1));
        assert_eq!(to_fixed::<crate::shape::Desktop>(1 << 18), I16F16::from_num(1));
    }
}
