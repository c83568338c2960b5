//! The networks' whole numbers against real numbers: the same weights, the same formulas, no rounding.
//!
//! A neuron's sum is rounded down to a step of `2^-ACTIVATION_BITS` before it is clipped, so it is at most one step
//! below the real one when its inputs are exact. The error of an output is at most the sum of these errors times
//! its weights; the tests compute this bound for a network and check every output of every recorded middle game.

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset, Side, UnitLabel};
use barrow_core::search::value::KNOTS;
use barrow_nnue::accumulator::{BoardAccumulator, GlobalAccumulator};
use barrow_nnue::features::Stage;
use barrow_nnue::format::{Block, Extent, Line, file_len, get};
use barrow_nnue::kernels::Weight;
use barrow_nnue::layout::{Row, board_rows, global_rows};
use barrow_nnue::nets::Network;
use barrow_nnue::nets::board_layer::BoardLayer;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::nets::places::{PlaceSurvey, Settler};
use barrow_nnue::nets::prophet::{Contexts, PredictionKind, Survey};
use barrow_nnue::nets::seer::Purpose;
use barrow_nnue::random_net;
use barrow_nnue::shape::{
    Desktop, EMBED, FACTORS, GLOBAL, HIDDEN, Handheld, PLACE_ROWS, Profile, Tiny, UNITS,
};

use barrow_testing::MIDGAME;

/// A layer in real numbers.
struct Layer {
    inputs: usize,
    weights: Vec<f64>,
    bias: Vec<f64>,
}

impl Layer {
    fn row(&self, output: usize) -> &[f64] {
        &self.weights[output * self.inputs..][..self.inputs]
    }

    fn output(&self, output: usize, inputs: &[f64]) -> f64 {
        assert_eq!(inputs.len(), self.inputs);
        self.bias[output]
            + self.row(output).iter().zip(inputs).map(|(weight, input)| weight * input).sum::<f64>()
    }

    fn activations(&self, inputs: &[f64]) -> Vec<f64> {
        (0..self.bias.len()).map(|output| self.output(output, inputs).clamp(0.0, 1.0)).collect()
    }

    /// Bound of the error of an output for these bounds of the errors of its inputs.
    fn error(&self, output: usize, inputs: &[f64]) -> f64 {
        self.row(output).iter().zip(inputs).map(|(weight, error)| weight.abs() * error).sum()
    }
}

/// A network in real numbers.
struct Reference {
    wide: Vec<f64>,
    narrow: Vec<f64>,
    board_bias: Vec<f64>,
    global: Vec<f64>,
    global_bias: Vec<f64>,
    embed: Layer,
    join: Layer,
    oracle: Layer,
    board_layer: Layer,
    prophet: Layer,
    modes: Layer,
    seer: Layer,
    hex_factors: Vec<f64>,
    unit_factors: Vec<f64>,
    places: Layer,
    /// Step to which neurons are rounded down.
    step: f64,
}

/// Extent of the networks under test: all heads.
const EXTENT: Extent = Extent { units: UNITS, general: true, places: PLACE_ROWS, modes: 3 };

/// Error of an output by the rounding to a fixed-point number.
const FIXED: f64 = 1.0 / 65_536.0;

impl Reference {
    fn new<P: Profile>(file: &[u8]) -> Reference {
        let (a, b) = (P::Weight::ACTIVATION_BITS as i32, P::Weight::WEIGHT_BITS as i32);
        let block = |which: Block, bits: i32| -> Vec<f64> {
            get::<P>(file, EXTENT, which).map(|number| f64::from(number) / f64::from(bits).exp2()).collect()
        };
        let layer = |weights: Block, bias| {
            let (_, inputs) = weights.shape::<P>(EXTENT);
            Layer { inputs, weights: block(weights, b), bias: block(bias, a + b) }
        };
        Reference {
            wide: block(Block::Wide, a),
            narrow: block(Block::Narrow, a),
            board_bias: block(Block::BoardBias, a),
            global: block(Block::Global, a),
            global_bias: block(Block::GlobalBias, a),
            embed: layer(Block::Embed, Block::EmbedBias),
            join: layer(Block::Join, Block::JoinBias),
            oracle: layer(Block::Oracle, Block::OracleBias),
            board_layer: layer(Block::BoardLayer, Block::BoardLayerBias),
            prophet: layer(Block::Prophet, Block::ProphetBias),
            modes: layer(Block::Modes, Block::ModesBias),
            seer: layer(Block::Seer, Block::SeerBias),
            hex_factors: block(Block::SeerHexes, b),
            unit_factors: block(Block::SeerUnits, b),
            places: layer(Block::Places, Block::PlaceBias),
            step: f64::from(-a).exp2(),
        }
    }

    /// Clipped sums of a board, those of the side to move first.
    fn lanes<P: Profile>(&self, game: &Game, board: usize) -> Vec<f64> {
        let us = game.side_to_move();
        let map = game.config().maps()[board];
        let position = &game.state().boards()[board];
        let mut lanes = Vec::new();
        for side in [us, us.opponent()] {
            let mut sums = self.board_bias.clone();
            board_rows::<P::Layout>(map, position, Stage::TurnStart, side, |row| {
                let (table, row, length) = match row {
                    Row::Wide(row) => (&self.wide, row, P::L1),
                    Row::Narrow(row) => (&self.narrow, row, P::NARROW),
                };
                let weights = &table[usize::from(row) * length..][..length];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            });
            lanes.extend(sums.iter().map(|sum| sum.clamp(0.0, 1.0)));
        }
        lanes
    }

    fn general<P: Profile>(&self, game: &Game) -> Vec<f64> {
        let us = game.side_to_move();
        let mut lanes = Vec::new();
        for side in [us, us.opponent()] {
            let mut sums = self.global_bias.clone();
            global_rows::<P::Layout>(game, side, |row| {
                let weights = &self.global[usize::from(row) * GLOBAL..][..GLOBAL];
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            });
            lanes.extend(sums.iter().map(|sum| sum.clamp(0.0, 1.0)));
        }
        lanes
    }

    /// Bounds of the errors of Oracle's outputs with this many boards.
    fn oracle_bounds(&self, boards: usize) -> Vec<f64> {
        let own = [self.step; EMBED];
        let others = [self.step * (f64::from(boards as u32) - 1.0); EMBED];
        let general = [0.0; 2 * GLOBAL];
        let inputs = [&own[..], &others, &general].concat();
        let joined: Vec<f64> =
            (0..HIDDEN).map(|neuron| self.step + self.join.error(neuron, &inputs)).collect();
        (0..self.oracle.bias.len()).map(|row| FIXED + self.oracle.error(row, &joined)).collect()
    }

    fn fate(&self, board_layer: &[f64], contexts: &Contexts, fate: PredictionKind) -> (f64, f64) {
        let errors = vec![self.step; board_layer.len()];
        let rows = contexts.rows(fate).map(usize::from);
        let value = rows.iter().map(|row| self.prophet.output(*row, board_layer)).sum();
        (value, FIXED + rows.iter().map(|row| self.prophet.error(*row, &errors)).sum::<f64>())
    }

    fn fate_in_mode(
        &self,
        board_layer: &[f64],
        contexts: &Contexts,
        fate: PredictionKind,
        mode: usize,
    ) -> (f64, f64) {
        let errors = vec![self.step; board_layer.len()];
        let rows =
            contexts.rows(fate).map(|row| mode * self.modes.bias.len() / EXTENT.modes + usize::from(row));
        let (value, bound) = self.fate(board_layer, contexts, fate);
        let own: f64 = rows.iter().map(|row| self.modes.output(*row, board_layer)).sum();
        (value + own, bound + rows.iter().map(|row| self.modes.error(*row, &errors)).sum::<f64>())
    }

    fn wish(
        &self,
        board_layer: &[f64],
        side: Side,
        purpose: Purpose,
        hex: Hex,
        unit: UnitLabel,
        places: &[u16],
    ) -> (f64, f64) {
        let errors = vec![self.step; board_layer.len()];
        let rows = [purpose.hex_row(side, hex), purpose.unit_row(unit.index())];
        let hexes = &self.hex_factors[purpose.hex_factors(side, hex) * FACTORS..][..FACTORS];
        let units = &self.unit_factors[purpose.unit_factors(unit.index()) * FACTORS..][..FACTORS];
        let pair: f64 = hexes.iter().zip(units).map(|(hex, unit)| hex * unit).sum();
        let terms = rows.into_iter().map(|row| (&self.seer, row));
        // A network without contexts has no rows for them.
        let places = places.iter().map(|row| usize::from(*row));
        let places = places.filter(|row| *row < self.places.bias.len()).map(|row| (&self.places, row));
        let terms: Vec<(&Layer, usize)> = terms.chain(places).collect();
        let value = pair + terms.iter().map(|(layer, row)| layer.output(*row, board_layer)).sum::<f64>();
        // The product is rounded down to the steps of the sums, which are finer than those of the result, or as
        // coarse as them for weights of one byte.
        let rounding = self.step * self.step;
        let error: f64 = terms.iter().map(|(layer, row)| layer.error(*row, &errors)).sum();
        (value, FIXED + rounding + error)
    }
}

/// Largest differences seen, in units of the logit.
#[derive(Default, Debug)]
struct Seen {
    win: f64,
    fate: f64,
    wish: f64,
}

fn whole_numbers_stay_within_their_bounds<P: Profile>(seed: u64) -> Seen {
    let mut lines = vec![Line::ZERO; file_len::<P>(EXTENT) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), EXTENT, seed).unwrap();
    let file = Line::bytes(&lines);
    let (network, reference) = (Network::<P>::from_bytes(file).unwrap(), Reference::new::<P>(file));
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let mut seen = Seen::default();
    // Neurons at rest or full would make the test easy.
    let mut between = 0;
    for line in MIDGAME.lines().step_by(3) {
        let game = fen::parse(line, &config).unwrap();
        let us = game.side_to_move();
        let boards = game.state().boards();
        let general = GlobalAccumulator::of(&network.general_table(), &game);
        let accumulators: Vec<_> = (0..boards.len())
            .map(|board| {
                let map = game.config().maps()[board];
                BoardAccumulator::<P>::of(&network.board_tables(), map, &boards[board], Stage::TurnStart)
            })
            .collect();
        let summaries: Vec<Summary> = accumulators
            .iter()
            .map(|board| network.summary(board.lanes(us), board.lanes(us.opponent())))
            .collect();
        let context = network.context(general.lanes(us), general.lanes(us.opponent()), &summaries);
        let lanes: Vec<_> = (0..boards.len()).map(|board| reference.lanes::<P>(&game, board)).collect();
        let exact: Vec<_> = lanes.iter().map(|lanes| reference.embed.activations(lanes)).collect();
        let general = reference.general::<P>(&game);
        let bounds = reference.oracle_bounds(boards.len());
        let mut wins = 0.0;
        for board in 0..boards.len() {
            for (whole, exact) in summaries[board].0.iter().zip(&exact[board]) {
                let whole = f64::from(*whole) * reference.step;
                assert!(whole <= *exact && exact - whole <= reference.step, "{line}");
                between += usize::from(whole > 0.0 && whole < 1.0);
            }
            let others = (0..EMBED).map(|lane| {
                let others = exact.iter().enumerate().filter(|(other, _)| *other != board);
                others.map(|(_, summary)| summary[lane]).sum::<f64>()
            });
            let others: Vec<f64> = others.collect();
            let exact_joined = reference.join.activations(&[&exact[board][..], &others, &general].concat());
            let joined = network.joined_layer(&context, board, &summaries[board]);
            let curve = (0..KNOTS.len()).map(|knot| Output::Curve(knot as u8));
            for output in
                [Output::Win, Output::Points, Output::Error, Output::Contribution].into_iter().chain(curve)
            {
                let whole: f64 = network.output(&joined, output).to_num();
                let exact = reference.oracle.output(output.row(), &exact_joined);
                let bound = bounds[output.row()];
                assert!((whole - exact).abs() <= bound, "{output:?}: {whole} {exact} {bound} {line}");
                if output == Output::Win {
                    seen.win = seen.win.max((whole - exact).abs());
                    wins += exact;
                }
            }
            pieces_and_places(
                &network,
                &reference,
                &game,
                board,
                &accumulators[board],
                &lanes[board],
                &mut seen,
            );
        }
        let position: f64 = network.position(&context).to_num();
        assert!((position - wins / f64::from(boards.len() as u32)).abs() <= bounds[0] + FIXED, "{line}");
    }
    assert!(between > 1_000, "{between}");
    seen
}

/// Death Prophet on all pieces of a board, Dark Seer on some places.
fn pieces_and_places<P: Profile>(
    network: &Network<'_, P>,
    reference: &Reference,
    game: &Game,
    board: usize,
    accumulator: &BoardAccumulator<P>,
    lanes: &[f64],
    seen: &mut Seen,
) {
    let us = game.side_to_move();
    let view = game.view(board).unwrap();
    let board_layer: BoardLayer =
        network.board_layer(accumulator.lanes(us), accumulator.lanes(us.opponent()));
    let exact = reference.board_layer.activations(lanes);
    for (whole, exact) in board_layer.neurons::<P>().iter().zip(&exact) {
        let whole = f64::from(*whole) * reference.step;
        assert!(whole <= *exact && exact - whole <= reference.step);
    }
    let survey = Survey::new(view);
    let mut told = 0;
    network.prophesy(&board_layer, view, None, |at, fate, logit| {
        let contexts = survey.contexts(at, view.board.piece(at).unwrap());
        let (value, bound) = reference.fate(&exact, &contexts, fate);
        let error = (logit.to_num::<f64>() - value).abs();
        assert!(error <= bound, "{fate:?} {at:?}: {logit} {value} {bound}");
        seen.fate = seen.fate.max(error);
        told += 1;
    });
    assert_eq!(told, view.board.pieces(us).len() + 2 * view.board.pieces(us.opponent()).len());
    for mode in 0..EXTENT.modes {
        network.prophesy(&board_layer, view, Some(mode), |at, fate, logit| {
            let contexts = survey.contexts(at, view.board.piece(at).unwrap());
            let (value, bound) = reference.fate_in_mode(&exact, &contexts, fate, mode);
            let error = (logit.to_num::<f64>() - value).abs();
            assert!(error <= bound, "mode {mode} {fate:?} {at:?}: {logit} {value} {bound}");
        });
        let row = (mode + 1) * reference.modes.bias.len() / EXTENT.modes - 1;
        let value = reference.modes.output(row, &exact);
        let bound = FIXED + reference.modes.error(row, &vec![reference.step; exact.len()]);
        let logit = network.mode_logit(&board_layer, mode);
        assert!((logit.to_num::<f64>() - value).abs() <= bound, "mode {mode}: {logit} {value} {bound}");
    }
    let places = PlaceSurvey::new(&view);
    for (place, hex) in Hex::all().enumerate().step_by(7) {
        let unit = UnitLabel::ALL[place % UnitLabel::ALL.len()];
        for purpose in [Purpose::Spawn, Purpose::Move] {
            let rows = places.contexts(&Settler::reinforcement(&view, unit), hex).rows(purpose);
            let terms = network
                .hex_term(&board_layer, us, purpose, hex)
                .plus(network.unit_term(&board_layer, purpose, unit))
                .plus(network.pair_term(us, purpose, hex, unit));
            let terms = rows.iter().fold(terms, |sum, row| sum.plus(network.place_term(&board_layer, *row)));
            let wish = network.wish(terms);
            let (value, bound) = reference.wish(&exact, us, purpose, hex, unit, &rows);
            let error = (wish.to_num::<f64>() - value).abs();
            assert!(error <= bound, "{purpose:?} {hex:?} {unit:?}: {wish} {value} {bound}");
            seen.wish = seen.wish.max(error);
        }
    }
}

#[test]
fn desktop_networks_stay_within_their_bounds() {
    let seen = whole_numbers_stay_within_their_bounds::<Desktop>(1);
    assert!(seen.win < 0.01 && seen.fate < 0.02 && seen.wish < 0.03, "{seen:?}");
}

#[test]
fn handheld_networks_stay_within_their_bounds() {
    let seen = whole_numbers_stay_within_their_bounds::<Handheld>(2);
    assert!(seen.win < 0.01 && seen.fate < 0.02 && seen.wish < 0.03, "{seen:?}");
}

#[test]
fn tiny_networks_stay_within_their_bounds() {
    let seen = whole_numbers_stay_within_their_bounds::<Tiny>(3);
    assert!(seen.win < 0.05 && seen.fate < 0.2 && seen.wish < 0.2, "{seen:?}");
}
