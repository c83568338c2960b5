//! Outlook of a network: what its nets say of each board of a position without a search. Pages show it, and so do the
//! program's reports.

use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Piece, UnitLabel};
use barrow_nnue::accumulator::{BoardAccumulator, GlobalAccumulator};
use barrow_nnue::features::Stage;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::logistic::chance;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::nets::prophet::PredictionKind;
use barrow_nnue::shape::Profile;

use crate::expected_error;
use crate::network::SessionNetwork;

/// Predicted fate of a piece.
pub struct PredictedFate {
    /// Hex of the piece.
    pub hex: Hex,
    /// Unit of the piece.
    pub unit: UnitLabel,
    /// Fate.
    pub kind: PredictionKind,
    /// Chance of the fate, 0 to 1.
    pub chance: f64,
}

/// Outlook for one board, from the view of the side to move.
pub struct BoardOutlook {
    /// Win chance of the game in the context of this board.
    pub win: f64,
    /// Expected error of the win chance.
    pub win_error: f64,
    /// Chance to score the next point on this board.
    pub next_point: f64,
    /// Predicted fates of all pieces.
    pub fates: Vec<PredictedFate>,
}

/// Outlook for a position.
pub struct Outlook {
    /// Win chance.
    pub value: f64,
    /// Expected error of the win chance.
    pub error: f64,
    /// Expected points at the end of the game, those of the side to move less those of the opponent.
    pub points: f64,
    /// Boards in index order.
    pub boards: Vec<BoardOutlook>,
}

fn share(chance: u16) -> f64 {
    f64::from(chance) / 65_535.0
}

impl Outlook {
    /// Outlook for a position at the start of a turn.
    pub fn new(network: &SessionNetwork, game: &Game) -> Outlook {
        match network {
            SessionNetwork::Desktop(network) => Outlook::of(network, game),
            SessionNetwork::Handheld(network) => Outlook::of(network, game),
            SessionNetwork::Tiny(network) => Outlook::of(network, game),
        }
    }

    /// Outlook of a network of this profile.
    pub fn of<P: Profile>(network: &Network<'_, P>, game: &Game) -> Outlook {
        outlook(network, game)
    }
}

fn outlook<P: Profile>(network: &Network<'_, P>, game: &Game) -> Outlook {
    let side = game.side_to_move();
    let (config, state) = (game.config(), game.state());
    let tables = network.board_tables();
    let sums: Vec<BoardAccumulator<P>> = state
        .boards()
        .iter()
        .zip(config.maps())
        .map(|(board, &map)| BoardAccumulator::of(&tables, map, board, Stage::TurnStart))
        .collect();
    let summaries: Vec<Summary> =
        sums.iter().map(|sum| network.summary(sum.lanes(side), sum.lanes(side.opponent()))).collect();
    let general = GlobalAccumulator::of(&network.general_table(), game);
    let context = network.context(general.lanes(side), general.lanes(side.opponent()), &summaries);
    let mut boards = Vec::new();
    let (mut said, mut points) = (0.0, 0.0);
    for (index, sum) in sums.iter().enumerate() {
        let joined = network.joined_layer(&context, index, &context.summary(index));
        let said_here = 1.0 - share(network.confidence(&joined));
        said += said_here;
        points += network.output(&joined, Output::Points).to_num::<f64>();
        let layer = network.board_layer(sum.lanes(side), sum.lanes(side.opponent()));
        let mut fates = Vec::new();
        if let Some(view) = game.view(index) {
            network.prophesy(&layer, view, None, |hex, kind, logit| {
                let unit = view.board.piece(hex).map_or(UnitLabel::Zombie, Piece::unit);
                fates.push(PredictedFate { hex, unit, kind, chance: share(chance(logit)) });
            });
        }
        boards.push(BoardOutlook {
            win: share(network.win_chance(&joined)),
            win_error: expected_error::of_network(said_here),
            next_point: share(chance(network.output(&joined, Output::Contribution))),
            fates,
        });
    }
    let count = f64::from(sums.len().max(1) as u32);
    Outlook {
        value: share(chance(network.position(&context))),
        error: expected_error::of_network(said / count),
        points: points / count,
        boards,
    }
}
