//! Signature of all outputs of random networks on the recorded middle games. The signature must be the same on every
//! target and with every family of kernels; it changes when the features, the arithmetic or the random networks
//! change.

use barrow_core::hex::Hex;
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, Ruleset, UnitLabel};
use barrow_nnue::accumulator::{BoardAccumulator, GlobalAccumulator};
use barrow_nnue::features::Stage;
use barrow_nnue::format::{Line, file_len};
use barrow_nnue::nets::Network;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::nets::seer::Purpose;
use barrow_nnue::random_net;
use barrow_nnue::shape::{BASE_UNITS, Desktop, Handheld, Profile, Tiny};

use barrow_testing::MIDGAME;

/// 64-bit FNV-1a.
struct Signature(u64);

impl Signature {
    fn mix(&mut self, number: i32) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn position<P: Profile>(&mut self, network: &Network<'_, P>, game: &Game) {
        let (us, them) = (game.side_to_move(), game.side_to_move().opponent());
        let boards = game.state().boards().iter().zip(game.config().maps());
        let boards: Vec<_> = boards
            .map(|(board, map)| {
                BoardAccumulator::<P>::of(&network.board_tables(), *map, board, Stage::TurnStart)
            })
            .collect();
        let summaries: Vec<Summary> =
            boards.iter().map(|board| network.summary(board.lanes(us), board.lanes(them))).collect();
        let general = GlobalAccumulator::of(&network.general_table(), game);
        let context = network.context(general.lanes(us), general.lanes(them), &summaries);
        for (index, board) in boards.iter().enumerate() {
            let joined = network.joined_layer(&context, index, &summaries[index]);
            for output in [Output::Win, Output::Points, Output::Error, Output::Contribution] {
                self.mix(network.output(&joined, output).to_bits());
            }
            self.mix(network.win_chance(&joined).into());
            self.mix(network.confidence(&joined).into());
            self.mix(network.curve(&joined, 9).to_bits());
            let view = game.view(index).unwrap();
            let board_layer = network.board_layer(board.lanes(us), board.lanes(them));
            network.prophesy(&board_layer, view, None, |_, _, logit| self.mix(logit.to_bits()));
            for (hex, unit) in Hex::all().zip(UnitLabel::ALL.into_iter().take(BASE_UNITS).cycle()) {
                for purpose in [Purpose::Spawn, Purpose::Move] {
                    let wish = network
                        .hex_term(&board_layer, us, purpose, hex)
                        .plus(network.unit_term(&board_layer, purpose, unit))
                        .plus(network.pair_term(us, purpose, hex, unit));
                    self.mix(network.wish(wish).to_bits());
                }
            }
        }
        self.mix(network.position(&context).to_bits());
    }
}

fn signature<P: Profile>() -> u64 {
    let mut lines = vec![Line::ZERO; file_len::<P>(BASE_UNITS) / 64];
    random_net::fill::<P>(Line::bytes_mut(&mut lines), BASE_UNITS, 4).unwrap();
    let network = Network::<P>::from_bytes(Line::bytes(&lines)).unwrap();
    let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
    let mut signature = Signature(0xcbf2_9ce4_8422_2325);
    for line in MIDGAME.lines().step_by(10) {
        signature.position(&network, &fen::parse(line, &config).unwrap());
    }
    signature.0
}

#[test]
fn everything_said_has_its_known_signature() {
    let signatures = [signature::<Desktop>(), signature::<Handheld>(), signature::<Tiny>()];
    let known = [0x5daf_9c06_5f17_d5cd, 0x6e17_a444_4675_9a0e, 0x3ea8_3ea0_7601_6159];
    assert_eq!(signatures, known, "{signatures:#x?}");
}
