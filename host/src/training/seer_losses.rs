//! Loss of Dark Seer: the cross entropy of a softmax over the options of a choice. The logit of an option is its
//! hand-written worth over the temperature plus the wish, so that the net learns only what the hand-written worths lack.

use barrow_core::minions::Side;
use barrow_nnue::format::Block;
use barrow_nnue::nets::seer::{Purpose, TEMPERATURE};
use barrow_nnue::shape::FACTORS;

use super::backprop::BoardPass;
use super::params::Params;
use super::placements::{ChoiceKind, ChoiceOption};
use super::samples::{BoardSample, Samples, SeerSample};
use super::vector::{add_scaled, dot};

/// Weight of the loss of a choice relative to the win loss.
pub(super) const SEER_WEIGHT: f32 = 0.03;

/// Rows of Dark Seer that the options of a board share: their terms, each computed once, and the gradients of these.
pub(super) struct Terms<'a> {
    params: &'a Params,
    board_layer: &'a [f32],
    /// Number of rows of [`Block::Seer`], behind which those of [`Block::Places`] are counted.
    first_place: usize,
    known: Vec<Option<f32>>,
    gradients: Vec<f32>,
}

/// Block, bias block and row of a term.
fn place_of(row: usize, first_place: usize) -> (Block, Block, usize) {
    match row.checked_sub(first_place) {
        None => (Block::Seer, Block::SeerBias, row),
        Some(row) => (Block::Places, Block::PlaceBias, row),
    }
}

impl<'a> Terms<'a> {
    pub(super) fn new(params: &'a Params, board_layer: &'a [f32]) -> Terms<'a> {
        let first_place = params.shape().block(Block::Seer).0;
        let rows = first_place + params.shape().block(Block::Places).0;
        Terms { params, board_layer, first_place, known: vec![None; rows], gradients: vec![0.0; rows] }
    }

    /// Rows of an option.
    fn rows(&self, kind: ChoiceKind, option: &ChoiceOption) -> impl Iterator<Item = usize> + use<> {
        option_rows(kind, option, self.first_place, self.known.len())
    }

    fn term(&mut self, row: usize) -> f32 {
        let (params, board_layer, first_place) = (self.params, self.board_layer, self.first_place);
        *self.known[row].get_or_insert_with(|| {
            let (weights, bias, row) = place_of(row, first_place);
            params.block(bias)[row] + dot(board_layer, params.row(weights, row))
        })
    }

    /// Wish for an option.
    pub(super) fn wish(&mut self, kind: ChoiceKind, option: &ChoiceOption) -> f32 {
        let sum: f32 = self.rows(kind, option).map(|row| self.term(row)).sum();
        let pair = pair(kind, option).map_or(0.0, |(hex, unit)| {
            dot(self.params.row(Block::SeerHexes, hex), self.params.row(Block::SeerUnits, unit))
        });
        sum + pair
    }
}

/// Rows of the terms of an option: of [`Block::Seer`], and behind them, counted from `first_place`, of [`Block::Places`],
/// if there are any before `end`.
pub(super) fn option_rows(
    kind: ChoiceKind,
    option: &ChoiceOption,
    first_place: usize,
    end: usize,
) -> impl Iterator<Item = usize> + use<> {
    let (row, places) = match kind {
        ChoiceKind::Type => (Purpose::Spawn.unit_row(option.unit.index()), None),
        // Hexes are stored in the perspective of the side to move; in that of Yellow they keep their number.
        ChoiceKind::Place(purpose) => {
            (purpose.hex_row(Side::Yellow, option.hex), Some(option.contexts.rows(purpose)))
        }
    };
    let places = places.into_iter().flatten().map(move |row| first_place + usize::from(row));
    std::iter::once(row).chain(places.filter(move |row| *row < end))
}

/// Rows of the factors of hex and unit type of an option; `None` for a choice of types.
pub(super) fn pair(kind: ChoiceKind, option: &ChoiceOption) -> Option<(usize, usize)> {
    match kind {
        ChoiceKind::Type => None,
        ChoiceKind::Place(purpose) => {
            Some((purpose.hex_factors(Side::Yellow, option.hex), purpose.unit_factors(option.unit.index())))
        }
    }
}

/// Logit of an option's hand-written worth.
pub(super) fn hand(option: &ChoiceOption) -> f32 {
    option.worth as f32 / TEMPERATURE as f32
}

/// Chances of options with these logits, and the cross entropy of the options' shares and them.
fn softmax(options: &[ChoiceOption], logits: &[f32]) -> (Vec<f32>, f32) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    let losses = options.iter().zip(logits).map(|(option, logit)| option.share * (sum.ln() + most - logit));
    let loss = losses.sum();
    (powers.into_iter().map(|power| power / sum).collect(), loss)
}

/// Cross entropy of a choice in nats: by the network, by the hand-written worths alone, by equal chances.
pub(super) fn cross_entropies(terms: &mut Terms<'_>, samples: &Samples, sample: &SeerSample) -> [f32; 3] {
    let options = sample.options.of(&samples.options);
    let by_hand: Vec<f32> = options.iter().map(hand).collect();
    let by_net: Vec<f32> =
        options.iter().zip(&by_hand).map(|(option, hand)| hand + terms.wish(sample.kind, option)).collect();
    [softmax(options, &by_net).1, softmax(options, &by_hand).1, (options.len() as f32).ln()]
}

/// Loss of the choices of a board. Adds the gradients of Dark Seer's weights to `gradient` and that of the board layer to
/// the pass.
pub(super) fn apply(
    pass: &mut BoardPass,
    params: &Params,
    gradient: &mut Params,
    samples: &Samples,
    board: &BoardSample,
) -> f32 {
    let choices = board.for_seer.of(&samples.for_seer);
    if choices.is_empty() {
        return 0.0;
    }
    let mut terms = Terms::new(params, &pass.board_layer);
    let mut loss = 0.0;
    for sample in choices {
        let options = sample.options.of(&samples.options);
        let logits: Vec<f32> =
            options.iter().map(|option| hand(option) + terms.wish(sample.kind, option)).collect();
        let (chances, missed) = softmax(options, &logits);
        loss += SEER_WEIGHT * missed;
        for (option, chance) in options.iter().zip(chances) {
            let d = SEER_WEIGHT * (chance - option.share);
            for row in terms.rows(sample.kind, option) {
                terms.gradients[row] += d;
            }
            if let Some((hex, unit)) = pair(sample.kind, option) {
                let factors: [f32; FACTORS] = std::array::from_fn(|k| params.row(Block::SeerHexes, hex)[k]);
                add_scaled(gradient.row_mut(Block::SeerHexes, hex), d, params.row(Block::SeerUnits, unit));
                add_scaled(gradient.row_mut(Block::SeerUnits, unit), d, &factors);
            }
        }
    }
    let Terms { first_place, gradients, .. } = terms;
    for (row, d) in gradients.into_iter().enumerate().filter(|(_, d)| *d != 0.0) {
        let (weights, bias, row) = place_of(row, first_place);
        gradient.block_mut(bias)[row] += d;
        add_scaled(gradient.row_mut(weights, row), d, &pass.board_layer);
        add_scaled(&mut pass.d_board_layer, d, params.row(weights, row));
    }
    loss
}

#[cfg(test)]
mod tests {
    use barrow_core::rng::Rng;
    use barrow_nnue::format::Extent;
    use barrow_nnue::shape::{PLACE_ROWS, Tiny, UNITS};

    use super::*;
    use crate::training::NetworkShape;
    use crate::training::backprop::PositionPass;
    use crate::training::backprop::tests::test_network_and_samples;
    use crate::training::losses::apply_seer;
    use crate::training::params::SEER_BLOCKS;

    #[test]
    fn every_weight_of_dark_seer_has_the_slope_of_the_loss() {
        let (_, samples) = test_network_and_samples();
        let extent = Extent { places: PLACE_ROWS, ..UNITS.into() };
        let mut params = Params::initial(&NetworkShape::with_extent::<Tiny>(extent), 3);
        let mut dice = Rng::new(8);
        for block in SEER_BLOCKS {
            let weights = params.block_mut(block);
            weights.fill_with(|| (dice.below(2001) as f32 - 1000.0) * 5e-4);
        }
        let asked = (0..samples.len()).filter(|&position| samples.has_choices(position));
        let mut checked = [0; SEER_BLOCKS.len()];
        for sample in asked.take(12).map(|position| &samples.positions[position]) {
            let loss = |params: &Params| {
                let (mut pass, mut gradient) =
                    (PositionPass::default(), Params::without_tables(params.shape()));
                pass.forward(params, &samples, sample);
                (apply_seer(&mut pass, params, &mut gradient, &samples, sample), gradient)
            };
            let (_, gradient) = loss(&params);
            for (block, checked) in SEER_BLOCKS.into_iter().zip(&mut checked) {
                let slopes = gradient.block(block).iter().enumerate();
                let Some((place, &claimed)) = slopes.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) else {
                    continue;
                };
                if claimed.abs() < 1e-3 {
                    continue;
                }
                let mut at = |offset: f32| {
                    params.block_mut(block)[place] += offset;
                    let loss = loss(&params).0;
                    params.block_mut(block)[place] -= offset;
                    loss
                };
                let measured = (at(0.02) - at(-0.02)) / 0.04;
                assert!(
                    (measured - claimed).abs() < 0.05 * claimed.abs() + 1e-3,
                    "{block:?} {measured} {claimed}"
                );
                *checked += 1;
            }
        }
        assert!(checked.iter().all(|&count| count > 0), "{checked:?}");
    }

    #[test]
    fn the_hand_written_worth_of_a_temperature_is_one_unit_of_the_logit() {
        let (params, samples) = test_network_and_samples();
        let mut places = samples.clone();
        let kind = ChoiceKind::Place(Purpose::Move);
        let sample = *places.for_seer.iter().find(|sample| sample.kind == kind).unwrap();
        for option in &mut places.options {
            option.worth = if option.share > 0.99 { TEMPERATURE } else { 0 };
        }
        let layer = vec![0.0; params.shape().board_layer()];
        let [_, by_hand, equal] = cross_entropies(&mut Terms::new(&params, &layer), &places, &sample);
        let others = equal.exp() - 1.0;
        assert!((by_hand - (1.0 + others * (-1.0_f32).exp()).ln()).abs() < 1e-5, "{by_hand} {equal}");
    }
}
