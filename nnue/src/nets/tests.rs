//! Networks for fewer unit types than the unit table has: they load, and what they say of other units stays.

extern crate std;
use std::vec::Vec;

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset, Side};

use super::Network;
use super::oracle::{Output, Summary};
use super::prophet::{Contexts, PredictionKind, Survey};
use super::seer::{Purpose, Term};
use crate::accumulator::{BoardAccumulator, Delta, GlobalAccumulator};
use crate::features::{BoardFeature, Stage};
use crate::format::{Block, Labels, Line, file_len, get, put, seal};
use crate::random_net;
use crate::shape::{BASE_UNITS, CONTEXTS, Desktop, Profile, Tiny};

/// Unit types of a unit table that has grown by three.
const GROWN: usize = BASE_UNITS + 3;

fn random<P: Profile>(units: usize, seed: u64) -> Vec<Line> {
    let mut lines = std::vec![Line::ZERO; file_len::<P>(units) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), units, seed).unwrap();
    lines
}

/// A network for three more unit types, with the same rows for the others.
fn grown<P: Profile>(small: &[Line]) -> Vec<Line> {
    let mut lines = random::<P>(GROWN, 2);
    let file = Line::bytes_mut(&mut lines);
    for block in Block::ALL {
        let rows = get::<P>(Line::bytes(small), BASE_UNITS, block);
        let later: Vec<i32> = get::<P>(file, GROWN, block).skip(block.len::<P>(BASE_UNITS)).collect();
        put::<P>(file, GROWN, block, rows.chain(later)).unwrap();
    }
    seal::<P>(file, GROWN, &Labels { architecture: "", provenance: "", unit_scale: 1.0 }).unwrap();
    lines
}

fn games() -> Vec<Game> {
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    barrow_testing::MIDGAME.lines().step_by(25).map(|line| fen::parse(line, &config).unwrap()).collect()
}

fn accumulators<P: Profile>(network: &Network<'_, P>, game: &Game) -> Vec<BoardAccumulator<P>> {
    let boards = game.state().boards().iter().zip(game.config().maps());
    let tables = network.board_tables();
    boards.map(|(board, map)| BoardAccumulator::of(&tables, *map, board, Stage::AfterAttack)).collect()
}

/// Every output of the three nets.
fn outputs<P: Profile>(network: &Network<'_, P>, game: &Game) -> Vec<i32> {
    let (us, them) = (game.side_to_move(), game.side_to_move().opponent());
    let boards = accumulators(network, game);
    let summaries: Vec<Summary> =
        boards.iter().map(|board| network.summary(board.lanes(us), board.lanes(them))).collect();
    let general = GlobalAccumulator::of(&network.general_table(), game);
    let context = network.context(general.lanes(us), general.lanes(them), &summaries);
    let mut all = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let joined = network.joined_layer(&context, index, &summaries[index]);
        for output in [Output::Win, Output::Points, Output::Error, Output::Contribution, Output::Curve(3)] {
            all.push(network.output(&joined, output).to_bits());
        }
        let layer = network.board_layer(board.lanes(us), board.lanes(them));
        let view = game.view(index).unwrap();
        network.prophesy(&layer, view, None, |_, _, logit| all.push(logit.to_bits()));
        for (hex, piece) in view.board.iter_all() {
            for purpose in [Purpose::Spawn, Purpose::Move] {
                let terms = [
                    network.hex_term(&layer, us, purpose, hex),
                    network.unit_term(&layer, purpose, piece.unit()),
                    network.pair_term(us, purpose, hex, piece.unit()),
                ];
                all.push(network.wish(terms[0].plus(terms[1]).plus(terms[2])).to_bits());
            }
        }
    }
    all
}

fn positions_without_later_units_keep_their_outputs<P: Profile>() {
    let small = random::<P>(BASE_UNITS, 1);
    let grown = grown::<P>(&small);
    let small = Network::<P>::from_bytes(Line::bytes(&small)).unwrap();
    let grown = Network::<P>::from_bytes(Line::bytes(&grown)).unwrap();
    assert_eq!([small.header().units(), grown.header().units()], [BASE_UNITS, GROWN]);
    for game in games() {
        assert_eq!(outputs(&small, &game), outputs(&grown, &game));
    }
}

#[test]
fn a_grown_unit_table_changes_no_output_of_other_units() {
    positions_without_later_units_keep_their_outputs::<Desktop>();
    positions_without_later_units_keep_their_outputs::<Tiny>();
}

/// A piece and a reinforcement of each later unit type join a board: the small network has no row for them, the grown
/// one has.
fn a_small_network_evaluates_later_units<P: Profile>() {
    let small = random::<P>(BASE_UNITS, 1);
    let grown = grown::<P>(&small);
    let small = Network::<P>::from_bytes(Line::bytes(&small)).unwrap();
    let grown = Network::<P>::from_bytes(Line::bytes(&grown)).unwrap();
    let game = games().remove(0);
    let side = game.side_to_move();
    let view = game.view(0).unwrap();
    let (at, friend) = view.board.iter(side).next().unwrap();
    let contexts = Survey::new(view).contexts(at, friend);
    for unit in BASE_UNITS..GROWN {
        let mut delta: Delta<P::Layout> = Delta::NOTHING;
        delta.add(BoardFeature::Piece(side, unit as u8, at));
        delta.add(BoardFeature::Reserve(side.opponent(), unit as u8, 0));
        assert!(!delta.is_nothing() && !delta.needs_refresh());
        for (network, known) in [(&small, false), (&grown, true)] {
            let before = accumulators(network, &game).remove(0);
            let after = BoardAccumulator::from_parent(&network.board_tables(), &before, &delta).unwrap();
            assert_eq!(after != before, known, "unit {unit}");
            let layer = network.board_layer(after.lanes(side), after.lanes(side.opponent()));
            let later = Contexts([
                contexts.0[0],
                (CONTEXTS + unit - BASE_UNITS) as u16,
                contexts.0[2],
                contexts.0[3],
                contexts.0[4],
            ]);
            // Without a row, a context counts as one that no piece has.
            let none = Contexts([contexts.0[0], u16::MAX / 8, contexts.0[2], contexts.0[3], contexts.0[4]]);
            for kind in [PredictionKind::Killed, PredictionKind::Unsummoned, PredictionKind::Passive] {
                let [logit, rest] = [later, none].map(|contexts| network.predict(&layer, &contexts, kind));
                assert_eq!(logit != rest, known, "unit {unit}");
            }
            for purpose in [Purpose::Spawn, Purpose::Move] {
                let term = network.seer_row(&layer, purpose.unit_row(unit));
                let pair = network.product(purpose.hex_factors(side, at), purpose.unit_factors(unit));
                assert_eq!([term != Term::default(), pair != Term::default()], [known; 2], "unit {unit}");
            }
        }
    }
}

#[test]
fn later_units_evaluate_without_rows_and_with_them() {
    a_small_network_evaluates_later_units::<Desktop>();
    a_small_network_evaluates_later_units::<Tiny>();
}

#[test]
fn rows_of_dark_seer_for_later_units_are_behind_all_others() {
    let mut rows: Vec<usize> = Vec::new();
    let mut factors: Vec<usize> = Vec::new();
    for purpose in [Purpose::Spawn, Purpose::Move] {
        rows.extend(Hex::all().map(|hex| purpose.hex_row(Side::Yellow, hex)));
        rows.extend((0..GROWN).map(|unit| purpose.unit_row(unit)));
        factors.extend((0..GROWN).map(|unit| purpose.unit_factors(unit)));
        assert!(
            (BASE_UNITS..GROWN).all(|unit| purpose.unit_row(unit) >= 268 && purpose.unit_factors(unit) >= 68)
        );
    }
    rows.sort_unstable();
    factors.sort_unstable();
    assert!(rows.into_iter().eq(0..268 + 2 * 3) && factors.into_iter().eq(0..68 + 2 * 3));
}
