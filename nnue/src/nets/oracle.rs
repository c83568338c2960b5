//! Oracle: what a position is worth to the side to move, board by board in the light of the other boards.
//!
//! Each board has a [`Summary`]. A board is judged by its own summary, the sum of the others' and the general's
//! sums ([`Network::judge`]), so that a candidate for one board costs one summary and one small layer, whatever the
//! number of boards. The result is kept in a [`Judgement`], whose outputs are computed when they are asked for.

use barrow_core::minions::BOARD_CAP;
use fixed::types::I16F16;

use crate::kernels::{Weight, squash};
use crate::nets::logistic::chance;
use crate::nets::network::{Layer, Network};
use crate::shape::{EMBED, GLOBAL, HIDDEN, JOINED, Profile, ceiling};

/// Outputs of Oracle.
pub const ORACLE_ROWS: usize = 4 + KNOTS.len();

/// Dollars given to a board, for each output of the value curve.
pub const KNOTS: [u16; 8] = [0, 2, 4, 7, 10, 14, 20, 28];

/// An output of Oracle. All are from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Output {
    /// Logit of winning the game.
    Win,
    /// Points at the end of the game, ours minus theirs.
    Points,
    /// Logit of the error to expect of the win chance: its root mean square against what a little search says.
    Error,
    /// Logit of our being the side that scores the next point on this board.
    Contribution,
    /// Logit of winning when this board is given [`KNOTS`] dollars of this number.
    Curve(u8),
}

impl Output {
    /// Number of the output's row. [`ORACLE_ROWS`] or more for a knot that there is not.
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

/// What the other boards and the last layer see of a board: activations, `0..=2^ACTIVATION_BITS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Summary(pub [i16; EMBED]);

/// All boards in short, and the general: what a candidate for one board is judged before.
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

    /// A board's summary; zeros when there is no such board.
    pub fn summary(&self, board: usize) -> Summary {
        self.boards.get(board).copied().unwrap_or_default()
    }

    /// Replaces a board's summary. No such board, no change.
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

    /// Sum of the other boards' summaries.
    fn others(&self, board: usize) -> [i16; EMBED] {
        let own = self.summary(board);
        let mut others = self.total;
        others.iter_mut().zip(own.0).for_each(|(total, own)| *total = total.wrapping_sub(own));
        others
    }
}

/// A board judged: neurons from which each output is one row away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Judgement([i16; HIDDEN]);

impl<P: Profile> Network<'_, P> {
    /// What the rest of the game sees of a board, from the sums of the side to move and of the opponent.
    pub fn summary(&self, us: &P::Lanes, them: &P::Lanes) -> Summary {
        let mut summary = Summary::default();
        P::with_clipped(us, them, |inputs| self.embed.activate(inputs, &mut [0; EMBED], &mut summary.0));
        summary
    }

    /// Boards and general before any candidate, from the general's sums of the side to move and of the opponent.
    /// Boards past the eighth are left out.
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

    /// Judges a board as if it had this summary and the others were as the context has them.
    pub fn judge(&self, context: &Context, board: usize, summary: &Summary) -> Judgement {
        let [ours, theirs] = context.general;
        let joined = Joined([summary.0, context.others(board), ours, theirs]);
        let mut judgement = Judgement([0; HIDDEN]);
        self.join.activate(joined.0.as_flattened(), &mut [0; HIDDEN], &mut judgement.0);
        judgement
    }

    /// One output. 0 for a knot that there is not.
    pub fn output(&self, judgement: &Judgement, output: Output) -> I16F16 {
        let row = output.row();
        let bias = self.oracle.bias.get(row).copied().unwrap_or(0);
        to_fixed::<P>(bias.wrapping_add(P::Weight::dot(&judgement.0, self.oracle.row(row))))
    }

    /// Chance of winning, 65,535 for certainty.
    pub fn win_chance(&self, judgement: &Judgement) -> u16 {
        chance(self.output(judgement, Output::Win))
    }

    /// How far the win chance can be trusted: 65,535 minus the error to expect of it.
    pub fn confidence(&self, judgement: &Judgement) -> u16 {
        u16::MAX - chance(self.output(judgement, Output::Error))
    }

    /// Win logit when a board is given this many dollars: straight lines between the [`KNOTS`], constant past the
    /// last.
    pub fn curve(&self, judgement: &Judgement, dollars: u16) -> I16F16 {
        let knot = |index: usize| self.output(judgement, Output::Curve(index as u8)).to_bits();
        let Some(after) = KNOTS.iter().position(|knot| *knot > dollars) else {
            return I16F16::from_bits(knot(KNOTS.len() - 1));
        };
        let before = after.saturating_sub(1);
        let [Some(low), Some(high)] = [before, after].map(|index| KNOTS.get(index).copied().map(i64::from))
        else {
            return I16F16::ZERO;
        };
        let [from, to] = [before, after].map(|index| i64::from(knot(index)));
        let part = (to - from) * (i64::from(dollars) - low) / (high - low).max(1);
        I16F16::from_bits((from + part) as i32)
    }

    /// Win logit of a position: the mean over its boards. 0 without boards.
    pub fn position(&self, context: &Context) -> I16F16 {
        let logits = (0..context.boards()).map(|board| {
            let judgement = self.judge(context, board, &context.summary(board));
            i64::from(self.output(&judgement, Output::Win).to_bits())
        });
        let sum: i64 = logits.sum();
        I16F16::from_bits(sum.checked_div(context.boards() as i64).unwrap_or(0) as i32)
    }
}

impl<P: Profile> Layer<'_, P> {
    /// The layer's activations; `sums` is room to work in. All three are as long as the layer has outputs.
    #[inline]
    pub(crate) fn activate(&self, inputs: &[i16], sums: &mut [i32], activations: &mut [i16]) {
        P::Weight::dense(inputs, self.weights, self.bias, sums);
        squash(sums, P::Weight::WEIGHT_BITS, ceiling::<P>(), activations);
    }
}

/// A sum of activations times weights, in units; the nearest number there is when it is out of range.
#[inline]
pub(crate) fn to_fixed<P: Profile>(sum: i32) -> I16F16 {
    let bits = P::Weight::ACTIVATION_BITS + P::Weight::WEIGHT_BITS;
    I16F16::from_bits(match bits.checked_sub(16) {
        Some(down) => sum >> down,
        None => sum.saturating_mul(1 << (16 - bits)),
    })
}

/// Inputs of the joined layer. Its four parts are of the same length.
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
    use crate::shape::Tiny;

    fn lines() -> Vec<Line> {
        let mut lines = std::vec![Line::ZERO; file_len::<Tiny>() / 64];
        random_net::fill::<Tiny>(Line::bytes_mut(&mut lines), 5).unwrap();
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
        // A candidate is judged as if the context had it already.
        let candidate = summary(&mut rng);
        let judged = network.judge(&context, 3, &candidate);
        context.set(3, candidate);
        assert_eq!(judged, network.judge(&context, 3, &candidate));
        assert_ne!(judged, network.judge(&context, 2, &candidate));
    }

    #[test]
    fn the_curve_goes_through_its_knots_in_straight_lines() {
        let lines = lines();
        let network = Network::<Tiny>::from_bytes(Line::bytes(&lines)).unwrap();
        let judgement = Judgement(core::array::from_fn(|neuron| neuron as i16 * 2));
        let at = |dollars: u16| network.curve(&judgement, dollars).to_bits();
        for (index, knot) in KNOTS.into_iter().enumerate() {
            assert_eq!(at(knot), network.output(&judgement, Output::Curve(index as u8)).to_bits());
        }
        assert_eq!(at(3), i32::midpoint(at(2), at(4)));
        assert!((at(17) - i32::midpoint(at(14), at(20))).abs() <= 1);
        assert_eq!([at(29), at(u16::MAX)], [at(28); 2]);
        assert_eq!(network.output(&judgement, Output::Curve(8)), I16F16::ZERO);
    }

    #[test]
    fn outputs_out_of_range_become_the_nearest_there_are() {
        assert_eq!(to_fixed::<Tiny>(i32::MAX), I16F16::MAX);
        assert_eq!(to_fixed::<Tiny>(i32::MIN), I16F16::MIN);
        assert_eq!(to_fixed::<Tiny>(-4_096), I16F16::from_num(-1));
        assert_eq!(to_fixed::<crate::shape::Desktop>(1 << 18), I16F16::from_num(1));
    }
}
