//! Net reports: what the nets output for a position without a search. Value, confidence, the contribution of each board,
//! and the fates of pieces.

use std::fmt;

use barrow_core::minions::{Game, MapLabel};
use barrow_nnue::nets::Network;
use barrow_nnue::nets::prophet::PredictionKind;
use barrow_nnue::shape::Profile;
use barrow_session::net_outlook::{Outlook, PredictedFate};
use schemars::JsonSchema;
use serde::Serialize;

use crate::engine::expected_error::chance_in_words;

/// The predicted fate of one piece.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Prediction {
    /// Hex of the piece.
    pub hex: String,
    /// Unit type of the piece.
    pub unit: &'static str,
    /// `killed`, `unsummoned` or `passive`.
    pub fate: &'static str,
    /// Probability of the fate, 0 to 1.
    pub chance: f64,
}

/// Outputs of the nets for one board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardReport {
    /// Name of the map.
    pub map: &'static str,
    /// Chance that the side to move scores the next point on this board, 0 to 1.
    pub next_point: f64,
    /// Chance that the side to move wins the game, 0 to 1, as Oracle evaluates it in the context of this board.
    pub win: f64,
    /// Fates of enemies, the likeliest first, and then of the friends most likely to fight.
    #[serde(rename = "omens")]
    pub fates: Vec<Prediction>,
}

/// Outputs of the nets for a position, from the view of the side to move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NetReport {
    /// Name of the side to move.
    pub side: &'static str,
    /// Name of the other side.
    #[serde(skip)]
    pub opponent: &'static str,
    /// Result in words where the game is over. Then the value is what the game was worth, without an error, the points are those
    /// on the boards, and no board has another point or fate.
    #[serde(skip)]
    pub result: Option<String>,
    /// Chance to win the game, 0 to 1.
    pub value: f64,
    /// Expected error of the value as it is shown to users, 0 to 1 (see [`crate::engine::expected_error`]).
    pub expected_error: f64,
    /// Confidence in the value, 0 to 1: 1 less the expected error.
    pub confidence: f64,
    /// Expected points at the end of the game, those of the side to move less those of the opponent.
    pub points: f64,
    /// The boards, in index order.
    pub boards: Vec<BoardReport>,
}

/// Largest number of enemies, and of friends, whose fates are listed for a board.
const MAX_FATES: usize = 6;

impl NetReport {
    /// Runs Oracle and Death Prophet on a position at the start of a turn.
    ///
    /// A game that is over has no outlook, and its value is its result: 1, 0, or 0.5 where it is drawn.
    pub fn new<P: Profile>(network: &Network<'_, P>, game: &Game) -> NetReport {
        if game.state().is_over() {
            return NetReport::of_result(game);
        }
        let outlook = Outlook::of(network, game);
        let side = game.side_to_move();
        let boards = outlook.boards.iter().zip(game.config().maps()).map(|(board, map)| BoardReport {
            map: map.name(),
            next_point: board.next_point,
            win: board.win,
            fates: likeliest(board.fates.iter().map(prediction).collect()),
        });
        NetReport {
            side: side.name(),
            opponent: side.opponent().name(),
            result: None,
            value: outlook.value,
            expected_error: outlook.error,
            confidence: 1.0 - outlook.error,
            points: outlook.points,
            boards: boards.collect(),
        }
    }

    /// Report of a game that is over.
    fn of_result(game: &Game) -> NetReport {
        let (state, side) = (game.state(), game.side_to_move());
        let value = state.winner().map_or(0.5, |winner| f64::from(u8::from(winner == side)));
        let board =
            |map: &MapLabel| BoardReport { map: map.name(), next_point: 0.0, win: value, fates: Vec::new() };
        NetReport {
            side: side.name(),
            opponent: side.opponent().name(),
            result: Some(result_in_words(game)),
            value,
            expected_error: 0.0,
            confidence: 1.0,
            points: f64::from(state.points(side)) - f64::from(state.points(side.opponent())),
            boards: game.config().maps().iter().map(board).collect(),
        }
    }
}

/// Result of a game that is over in words.
pub fn result_in_words(game: &Game) -> String {
    match game.state().winner() {
        Some(winner) => format!("{} has won", winner.name()),
        None => "it is drawn".to_owned(),
    }
}

fn prediction(predicted: &PredictedFate) -> Prediction {
    let fate = match predicted.kind {
        PredictionKind::Killed => "killed",
        PredictionKind::Unsummoned => "unsummoned",
        PredictionKind::Passive => "passive",
    };
    Prediction { hex: predicted.hex.to_string(), unit: predicted.unit.name(), fate, chance: predicted.chance }
}

/// Fates of a board worth listing: enemies that may be removed, the likeliest first, then friends that may fight, the
/// likeliest first.
fn likeliest(fates: Vec<Prediction>) -> Vec<Prediction> {
    let (mut friends, mut foes): (Vec<Prediction>, Vec<Prediction>) =
        fates.into_iter().partition(|prediction| prediction.fate == "passive");
    foes.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    foes.truncate(MAX_FATES);
    foes.retain(|prediction| prediction.chance >= 0.05);
    friends.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    friends.truncate(MAX_FATES);
    friends.retain(|prediction| prediction.chance <= 0.95);
    foes.extend(friends);
    foes
}

impl fmt::Display for NetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(result) = &self.result {
            return writeln!(f, "the game is over, {result}");
        }
        writeln!(
            f,
            "by the network, {} wins the game with {}, and ends with {:+.2} board points more than {}",
            self.side,
            chance_in_words(self.value, self.expected_error),
            self.points,
            self.opponent
        )?;
        for (index, board) in self.boards.iter().enumerate() {
            writeln!(
                f,
                "  board {index} ({}): the next point here, if there is one, is {}'s with {:.0}%",
                board.map,
                self.side,
                100.0 * board.next_point
            )?;
            let listed = |passive: bool| {
                let fates =
                    board.fates.iter().filter(move |prediction| (prediction.fate == "passive") == passive);
                fates
                    .map(|prediction| {
                        let chance = if passive { 1.0 - prediction.chance } else { prediction.chance };
                        let end = if prediction.fate == "unsummoned" { " unsummoned" } else { "" };
                        format!("{} {}{end} {:.0}%", prediction.unit, prediction.hex, 100.0 * chance)
                    })
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let (fall, fight) = (listed(false), listed(true));
            if !fall.is_empty() {
                writeln!(f, "    {}'s units likely to fall in this turn: {fall}", self.opponent)?;
            }
            if !fight.is_empty() {
                writeln!(f, "    {}'s units likely to fight in this turn: {fight}", self.side)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::hex::Hex;
    use barrow_core::minions::{Builder, GameConfig, Ruleset, Side, SideArray};

    use super::*;
    use crate::bench::test_positions;
    use crate::engine::embedded_nets;

    #[test]
    fn a_game_that_is_over_is_worth_its_result() {
        let network = embedded_nets::desktop().unwrap();
        let over = |winner: Option<Side>, drawn: bool| {
            let mut builder = Builder::from_game(Game::new(GameConfig::default(), 1));
            builder.winner(winner).drawn(drawn).points(SideArray::new(2, 1));
            NetReport::new(&network, &builder.build().unwrap())
        };
        for (winner, value, told) in [
            (Some(Side::Yellow), 1.0, "the game is over, Yellow has won\n"),
            (Some(Side::Blue), 0.0, "the game is over, Blue has won\n"),
            (None, 0.5, "the game is over, it is drawn\n"),
        ] {
            let report = over(winner, winner.is_none());
            assert_eq!((report.value, report.expected_error, report.points), (value, 0.0, 1.0));
            assert_eq!((report.to_string().as_str(), report.boards.len()), (told, 2));
        }
    }

    #[test]
    fn reports_hold_probabilities_and_name_pieces_that_are_there() {
        let network = embedded_nets::desktop().unwrap();
        let mut fates = 0;
        for game in test_positions::middle_games(Ruleset::Server) {
            let report = NetReport::new(&network, &game);
            assert_eq!(report.boards.len(), game.config().num_boards());
            let shares = report.boards.iter().flat_map(|board| [board.win, board.next_point]);
            assert!(
                shares.chain([report.value, report.confidence]).all(|share| (0.0..=1.0).contains(&share))
            );
            for (index, board) in report.boards.iter().enumerate() {
                let view = game.view(index).unwrap();
                for prediction in &board.fates {
                    let piece = view.board.piece(Hex::named(&prediction.hex).unwrap()).unwrap();
                    assert_eq!(piece.unit().name(), prediction.unit);
                    assert_eq!(piece.side() == view.side, prediction.fate == "passive");
                    fates += 1;
                }
            }
            let (told, [us, them]) = (report.to_string(), [report.side, report.opponent]);
            assert!(told.starts_with(&format!("by the network, {us} wins the game with ")), "{told}");
            assert!(told.lines().next().unwrap().ends_with(&format!(" more than {them}")), "{told}");
            for line in told.lines().skip(1) {
                // Each number says whose it is.
                let whose = if line.contains("likely to fall") { them } else { us };
                assert!(line.contains(&format!("{whose}'s ")), "{line}");
            }
            assert!((report.confidence + report.expected_error - 1.0).abs() < 1e-12);
        }
        assert!(fates > 20, "{fates}");
    }
}
