//! Network files: the loader panics on no bytes and finds every change after sealing, and an accepted network computes
//! the same values as 64-bit integers, so that nothing overflows. Values are compared in one input of five, and one input
//! of eight has weights of two bytes, for which everything takes twice as long.

#![no_main]

use std::cell::RefCell;
use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{
    Action, Game, GameConfig, GeneralAction, Ruleset, Side, UndoLog, UnitLabel, View,
};
use barrow_fuzz::one_in;
use barrow_nnue::accumulator::{BoardAccumulator, GlobalAccumulator};
use barrow_nnue::features::Stage;
use barrow_nnue::format::{Block, Element, Extent, HEADER_LEN, Labels, Line, file_len, get, seal};
use barrow_nnue::kernels::Weight;
use barrow_nnue::layout::{Folded, Row, board_rows, global_rows};
use barrow_nnue::nets::Network;
use barrow_nnue::nets::board_layer::BoardLayer;
use barrow_nnue::nets::general;
use barrow_nnue::nets::oracle::Output;
use barrow_nnue::nets::places::{PlaceSurvey, Settler};
use barrow_nnue::nets::prophet::Survey;
use barrow_nnue::nets::seer::{Purpose, Term};
use barrow_nnue::random_net;
use barrow_nnue::shape::{FACTORS, GLOBAL, HIDDEN, Handheld, PLACE_ROWS, Profile, Tiny, Trunk, UNITS};
use libfuzzer_sys::fuzz_target;

/// A small profile with weights of two bytes.
type Small = Trunk<32, i16, Folded>;

/// Extent of the files: all optional heads.
const EXTENT: Extent = Extent { units: UNITS, general: true, places: PLACE_ROWS, modes: 2 };

#[derive(Arbitrary, Debug)]
enum Input {
    /// Arbitrary bytes at an arbitrary alignment.
    Bytes(u8, Vec<u8>),
    /// A valid file with some bytes changed and its end cut off.
    Damage(Vec<(u32, u8)>, u32),
    /// A file with weights changed before it is sealed.
    Weights { random: bool, edits: Vec<Edit>, game: u16 },
}

/// A number to write into a block several times at equal distances.
#[derive(Arbitrary, Debug)]
struct Edit {
    block: u8,
    first: u32,
    step: u16,
    count: u16,
    number: i32,
}

static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let lines = barrow_testing::MIDGAME.lines();
    lines.map(|line| fen::parse(line, &config).expect("a vendored position")).collect()
});

fn blank<P: Profile>() -> Vec<Line> {
    vec![Line::ZERO; file_len::<P>(EXTENT) / 64]
}

fn random<P: Profile>() -> Vec<Line> {
    let mut lines = blank::<P>();
    random_net::fill::<P>(Line::bytes_mut(&mut lines), EXTENT, 1).expect("the slice is long enough");
    lines
}

static TINY: LazyLock<Vec<Line>> = LazyLock::new(random::<Tiny>);
static SMALL: LazyLock<Vec<Line>> = LazyLock::new(random::<Small>);

thread_local! {
    /// Memory of a file, allocated once for all inputs.
    static FILE: RefCell<Vec<Line>> = const { RefCell::new(Vec::new()) };
}

fuzz_target!(|data: &[u8]| {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    match input {
        Input::Bytes(offset, bytes) => {
            let offset = usize::from(offset % 64);
            let mut lines = vec![Line::ZERO; (offset + bytes.len()).div_ceil(64)];
            let Some(file) = Line::bytes_mut(&mut lines).get_mut(offset..offset + bytes.len()) else {
                return;
            };
            file.copy_from_slice(&bytes);
            let errors = [
                Network::<Tiny>::from_bytes(file).err(),
                Network::<Small>::from_bytes(file).err(),
                Network::<Handheld>::from_bytes(file).err(),
            ];
            errors
                .into_iter()
                .for_each(|error| assert!(error.is_some_and(|error| !error.to_string().contains('\n'))));
        }
        Input::Damage(changes, end) => FILE.with_borrow_mut(|lines| {
            lines.clone_from(&TINY);
            let file = Line::bytes_mut(lines);
            let len = file.len();
            for (at, byte) in changes {
                // Half of the changes are in the header.
                let at = if at % 2 == 0 { at as usize / 2 % HEADER_LEN } else { at as usize / 2 % len };
                file[at] ^= byte;
            }
            let file = &Line::bytes(lines)[..len - end as usize % 3];
            let sound = file == Line::bytes(&TINY);
            assert_eq!(Network::<Tiny>::from_bytes(file).is_ok(), sound);
        }),
        Input::Weights { random, edits, game } => {
            let game = one_in(5, data).then(|| &GAMES[usize::from(game) % GAMES.len()]);
            if one_in(8, data) {
                weights::<Small>(random.then_some(&SMALL), &edits, game)
            } else {
                weights::<Tiny>(random.then_some(&TINY), &edits, game)
            }
        }
    }
});

/// Changes weights, seals the file, and compares what the network computes for a position with exact arithmetic.
fn weights<P: Profile>(start: Option<&Vec<Line>>, edits: &[Edit], game: Option<&Game>) {
    FILE.with_borrow_mut(|lines| {
        lines.clear();
        match start {
            Some(start) => lines.extend_from_slice(start),
            None => lines.resize(file_len::<P>(EXTENT) / 64, Line::ZERO),
        }
        let file = Line::bytes_mut(lines);
        for edit in edits.iter().take(40) {
            write::<P>(file, edit);
        }
        let labels = Labels { architecture: "fuzz", provenance: "", unit_scale: 1.0 };
        seal::<P>(file, EXTENT, &labels).expect("the labels are sound");
        let file = Line::bytes(lines);
        let Ok(network) = Network::<P>::from_bytes(file) else { return };
        if let Some(game) = game {
            Exact::<P> { file, game, network }.compare();
        }
    });
}

fn write<P: Profile>(file: &mut [u8], edit: &Edit) {
    let block = Block::ALL[usize::from(edit.block) % Block::ALL.len()];
    let range = block.range::<P>(EXTENT);
    let bytes = block.element().bytes::<P>();
    let len = block.len::<P>(EXTENT);
    if len == 0 {
        return;
    }
    // Clamping makes the largest numbers frequent.
    let number = match (block.element(), bytes) {
        (_, 1) => edit.number.clamp(i8::MIN.into(), i8::MAX.into()),
        (Element::Weight | Element::Short, _) => edit.number.clamp(i16::MIN.into(), i16::MAX.into()),
        (Element::Long, _) => edit.number,
    };
    let cells = &mut file[range];
    let mut at = edit.first as usize % len;
    for _ in 0..=edit.count {
        cells[at * bytes..][..bytes].copy_from_slice(&number.to_le_bytes()[..bytes]);
        at += usize::from(edit.step) + 1;
        if at >= len {
            break;
        }
    }
}

/// A network computed in 64-bit integers.
struct Exact<'a, P: Profile> {
    file: &'a [u8],
    game: &'a Game,
    network: Network<'a, P>,
}

impl<P: Profile> Exact<'_, P> {
    fn block(&self, block: Block) -> Vec<i64> {
        get::<P>(self.file, EXTENT, block).map(i64::from).collect()
    }

    /// Adds a row of a weight table to sums.
    fn add(&self, sums: &mut [i64], block: Block, row: u16, length: usize) {
        let bytes = P::Weight::BYTES;
        let table = &self.file[block.range::<P>(EXTENT)];
        let row = &table[usize::from(row) * length * bytes..][..length * bytes];
        for (sum, weight) in sums.iter_mut().zip(row.chunks(bytes)) {
            *sum += match *weight {
                [byte] => i64::from(byte as i8),
                [low, high] => i64::from(i16::from_le_bytes([low, high])),
                _ => panic!("weights have one byte or two"),
            };
        }
    }

    fn ceiling(&self) -> i64 {
        1 << P::Weight::ACTIVATION_BITS
    }

    fn sums(&self, weights: Block, bias: Block, inputs: &[i64]) -> Vec<i64> {
        let (weights, bias) = (self.block(weights), self.block(bias));
        let rows = weights.chunks(inputs.len());
        let dots = rows.map(|row| row.iter().zip(inputs).map(|(weight, input)| weight * input).sum::<i64>());
        bias.iter().zip(dots).map(|(bias, dot)| bias + dot).collect()
    }

    fn layer(&self, weights: Block, bias: Block, inputs: &[i64]) -> Vec<i64> {
        let sums = self.sums(weights, bias, inputs).into_iter();
        sums.map(|sum| (sum >> P::Weight::WEIGHT_BITS).clamp(0, self.ceiling())).collect()
    }

    /// Converts a sum to the bits of an output in 16.16 fixed point, saturating.
    fn fixed(&self, sum: i64) -> i64 {
        let bits = P::Weight::ACTIVATION_BITS + P::Weight::WEIGHT_BITS;
        let scaled = if bits >= 16 { sum >> (bits - 16) } else { sum << (16 - bits) };
        scaled.clamp(i32::MIN.into(), i32::MAX.into())
    }

    /// Compares every layer and every output of the network with exact arithmetic.
    fn compare(&self) {
        self.compare_general();
        let (network, game) = (&self.network, self.game);
        let us = game.side_to_move();
        let sides = [us, us.opponent()];
        let boards = game.state().boards();
        let (mut summaries, mut exact, mut layers) = (Vec::new(), Vec::new(), Vec::new());
        for (board, map) in boards.iter().zip(game.config().maps()) {
            let accumulator =
                BoardAccumulator::<P>::of(&network.board_tables(), *map, board, Stage::TurnStart);
            let mut inputs = Vec::new();
            for side in sides {
                let mut sums = self.block(Block::BoardBias);
                board_rows::<P::Layout>(*map, board, Stage::TurnStart, side, |row| match row {
                    Row::Wide(row) => self.add(&mut sums, Block::Wide, row, P::L1),
                    Row::Narrow(row) => self.add(&mut sums, Block::Narrow, row, P::NARROW),
                });
                assert!(
                    sums.iter().copied().eq(accumulator
                        .lanes(side)
                        .as_ref()
                        .iter()
                        .map(|sum| i64::from(*sum)))
                );
                inputs.extend(sums.into_iter().map(|sum| sum.clamp(0, self.ceiling())));
            }
            let lanes = sides.map(|side| accumulator.lanes(side));
            summaries.push(network.summary(lanes[0], lanes[1]));
            exact.push(self.layer(Block::Embed, Block::EmbedBias, &inputs));
            layers.push((
                network.board_layer(lanes[0], lanes[1]),
                self.layer(Block::BoardLayer, Block::BoardLayerBias, &inputs),
            ));
        }
        let accumulator = GlobalAccumulator::of(&network.general_table(), game);
        let mut general = Vec::new();
        for side in sides {
            let mut sums = self.block(Block::GlobalBias);
            global_rows::<P::Layout>(game, side, |row| self.add(&mut sums, Block::Global, row, GLOBAL));
            assert!(sums.iter().copied().eq(accumulator.lanes(side).iter().map(|sum| i64::from(*sum))));
            general.extend(sums.into_iter().map(|sum| sum.clamp(0, self.ceiling())));
        }
        let context = network.context(accumulator.lanes(us), accumulator.lanes(us.opponent()), &summaries);
        for (board, (layer, exact_layer)) in layers.iter().enumerate() {
            assert!(exact[board].iter().copied().eq(summaries[board].0.iter().map(|sum| i64::from(*sum))));
            let others = (0..exact[board].len()).map(|lane| {
                let others = exact.iter().enumerate().filter(|(other, _)| *other != board);
                others.map(|(_, summary)| summary[lane]).sum()
            });
            let joined = [exact[board].clone(), others.collect(), general.clone()].concat();
            let hidden = self.layer(Block::Join, Block::JoinBias, &joined);
            assert_eq!(hidden.len(), HIDDEN);
            let joined = network.joined_layer(&context, board, &summaries[board]);
            let outputs = self.sums(Block::Oracle, Block::OracleBias, &hidden);
            for output in [
                Output::Win,
                Output::Points,
                Output::Error,
                Output::Contribution,
                Output::Curve(0),
                Output::Curve(7),
            ] {
                let bits = i64::from(network.output(&joined, output).to_bits());
                assert_eq!(bits, self.fixed(outputs[output.row()]), "{output:?}");
            }
            assert!(exact_layer.iter().copied().eq(layer.neurons::<P>().iter().map(|sum| i64::from(*sum))));
            self.compare_prophet(layer, exact_layer, game.view(board).expect("the board exists"));
            self.compare_seer(layer, exact_layer, us, game.view(board).expect("the board exists"));
        }
    }

    /// Compares the logits of some choices of the general with exact ones.
    fn compare_general(&self) {
        let (network, game) = (&self.network, self.game);
        let mut steps = network.general_steps(game).expect("the file has the net");
        let survey = general::Survey::new(game);
        let (weights, biases) = (self.block(Block::GeneralSteps), self.block(Block::GeneralStepsBias));
        for index in 0..game.config().techline.len() as u8 {
            let mut after = game.clone();
            let _ = after.apply(Action::General(GeneralAction::BuySpell), &mut UndoLog::off());
            let _ = after.apply(Action::General(GeneralAction::Advance { index }), &mut UndoLog::off());
            let mut sum = 0;
            general::Choice::between(game, &after).steps(|step, place| {
                let mut sums = self.block(Block::GeneralBias);
                survey.position(game, |row| self.add(&mut sums, Block::GeneralContexts, row, P::BOARD_LAYER));
                if let Some(place) = place {
                    let add = |row| self.add(&mut sums, Block::GeneralContexts, row, P::BOARD_LAYER);
                    survey.tech(game.config(), place, add);
                }
                let weights = &weights[step as usize * P::BOARD_LAYER..];
                let products = sums.iter().zip(weights);
                sum += biases[step as usize];
                sum += products.map(|(sum, weight)| (*sum).clamp(0, self.ceiling()) * weight).sum::<i64>();
            });
            let sum = sum.clamp(i32::MIN.into(), i32::MAX.into());
            let logit = i64::from(network.choice_logit(&mut steps, &after).to_bits());
            assert_eq!(logit, self.fixed(sum), "tech {index}");
        }
    }

    /// Compares the logits of Death Prophet on a board layer with those of the exact layer.
    fn compare_prophet(&self, layer: &BoardLayer, exact: &[i64], view: View<'_>) {
        let fates = self.sums(Block::Prophet, Block::ProphetBias, exact);
        let own = self.sums(Block::Modes, Block::ModesBias, exact);
        let survey = Survey::new(view);
        let rows = own.len() / EXTENT.modes;
        for mode in (0..EXTENT.modes).map(Some).chain([None]) {
            let own = mode.map_or(&[][..], |mode| &own[mode * rows..][..rows]);
            self.network.prophesy(layer, view, mode, |at, fate, logit| {
                let contexts = survey.contexts(at, view.board.piece(at).expect("there is a piece"));
                let of = |sums: &[i64], row: u16| sums.get(usize::from(row)).copied().unwrap_or(0);
                let sum = contexts.rows(fate).iter().map(|&row| of(&fates, row) + of(own, row)).sum();
                assert_eq!(i64::from(logit.to_bits()), self.fixed(sum), "{mode:?} {fate:?} {at:?}");
            });
            if let (Some(mode), Some(&share)) = (mode, own.last()) {
                let logit = self.network.mode_logit(layer, mode).to_bits();
                assert_eq!(i64::from(logit), self.fixed(share), "mode {mode}");
            }
        }
    }

    /// Compares the placement values of Dark Seer on a board layer with those of the exact layer, one unit per hex.
    fn compare_seer(&self, layer: &BoardLayer, exact: &[i64], us: Side, view: View<'_>) {
        let places = self.sums(Block::Places, Block::PlaceBias, exact);
        let survey = PlaceSurvey::new(&view);
        let terms = self.sums(Block::Seer, Block::SeerBias, exact);
        let (hexes, units) = (self.block(Block::SeerHexes), self.block(Block::SeerUnits));
        for (place, hex) in Hex::all().enumerate() {
            let unit = UnitLabel::ALL[place % UnitLabel::ALL.len()];
            for purpose in [Purpose::Spawn, Purpose::Move] {
                let factors = hexes[purpose.hex_factors(us, hex) * FACTORS..]
                    .iter()
                    .zip(&units[purpose.unit_factors(unit.index()) * FACTORS..]);
                let product: i64 = factors.take(FACTORS).map(|(hex, unit)| hex * unit).sum();
                let pair = product >> (P::Weight::WEIGHT_BITS - P::Weight::ACTIVATION_BITS);
                let sum = terms[purpose.hex_row(us, hex)] + terms[purpose.unit_row(unit.index())] + pair;
                let contexts = survey.contexts(&Settler::reinforcement(&view, unit), hex).rows(purpose);
                let sum = sum + contexts.iter().map(|row| places[usize::from(*row)]).sum::<i64>();
                let wish = self
                    .network
                    .hex_term(layer, us, purpose, hex)
                    .plus(self.network.unit_term(layer, purpose, unit))
                    .plus(self.network.pair_term(us, purpose, hex, unit));
                let place = |row: &u16| self.network.place_term(layer, *row);
                let wish = self.network.wish(contexts.iter().map(place).fold(wish, Term::plus));
                assert_eq!(i64::from(wish.to_bits()), self.fixed(sum));
            }
        }
    }
}
