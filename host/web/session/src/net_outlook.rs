//! Outlook of a network: what its nets say of each board of a position without a search.

use barrow_core::minions::Game;
use barrow_nnue::accumulator::{BoardAccumulator, GlobalAccumulator};
use barrow_nnue::features::Stage;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::logistic::chance;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::nets::prophet::PredictionKind;
use barrow_nnue::shape::Profile;

use crate::expected_error;
use crate::messages::{Fate, FateKind};
use crate::network::SessionNetwork;

/// Fates below this chance are left out.
const LEAST_CHANCE: f64 = 0.05;

/// Outlook for one board, from the view of the side to move.
pub struct BoardOutlook {
    /// Win chance of the game in the context of this board.
    pub win: f64,
    /// Chance to score the next point on this board.
    pub next_point: f64,
    /// Predicted fates.
    pub fates: Vec<Fate>,
}

/// Outlook for a position.
pub struct Outlook {
    /// Win chance.
    pub value: f64,
    /// Expected error of the win chance.
    pub error: f64,
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
            SessionNetwork::Desktop(network) => outlook(network, game),
            SessionNetwork::Handheld(network) => outlook(network, game),
            SessionNetwork::Tiny(network) => outlook(network, game),
        }
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
    let mut said = 0.0;
    for (index, sum) in sums.iter().enumerate() {
        let joined = network.joined_layer(&context, index, &context.summary(index));
        said += 1.0 - share(network.confidence(&joined));
        let layer = network.board_layer(sum.lanes(side), sum.lanes(side.opponent()));
        let mut fates = Vec::new();
        if let Some(view) = game.view(index) {
            network.prophesy(&layer, view, None, |hex, kind, logit| {
                let kind = match kind {
                    PredictionKind::Killed => FateKind::Killed,
                    PredictionKind::Unsummoned => FateKind::Unsummoned,
                    PredictionKind::Passive => FateKind::Passive,
                };
                let chance = share(chance(logit));
                if chance >= LEAST_CHANCE {
                    fates.push(Fate { hex: hex.to_string(), kind, chance });
                }
            });
        }
        boards.push(BoardOutlook {
            win: share(network.win_chance(&joined)),
            next_point: share(chance(network.output(&joined, Output::Contribution))),
            fates,
        });
    }
    Outlook {
        value: share(chance(network.position(&context))),
        error: expected_error::of_network(said / f64::from(sums.len().max(1) as u32)),
        boards,
    }
}
