//! What the nets think of a position before anything is searched, in words: value, confidence, what each board
//! contributes, and what will happen to whom.

use std::fmt;

use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Piece, UnitLabel};
use barrow_nnue::accumulator::{BoardAccumulator, GlobalAccumulator};
use barrow_nnue::features::Stage;
use barrow_nnue::nets::Network;
use barrow_nnue::nets::logistic::chance;
use barrow_nnue::nets::oracle::{Output, Summary};
use barrow_nnue::nets::prophet::Fate;
use barrow_nnue::shape::Profile;
use serde::Serialize;

/// One foretold fate.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// Where the piece stands.
    pub hex: String,
    /// Its type.
    pub unit: &'static str,
    /// `killed`, `unsummoned` or `passive`.
    pub fate: &'static str,
    /// Probability, 0 to 1.
    pub chance: f64,
}

/// What is thought of one board.
#[derive(Clone, Debug, Serialize)]
pub struct BoardReport {
    /// Its map.
    pub map: &'static str,
    /// Chance, 0 to 1, that the side to move scores the next point here.
    pub next_point: f64,
    /// Chance to win the game, judged with an eye on this board.
    pub win: f64,
    /// Fates of enemies, the likeliest first, and then of the friends least likely to fight.
    pub omens: Vec<Prediction>,
}

/// What is thought of a position, from the view of the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct NetReport {
    /// Name of the side to move.
    pub side: &'static str,
    /// Chance to win the game, 0 to 1.
    pub value: f64,
    /// 1 less the error to expect of the value, 0 to 1.
    pub confidence: f64,
    /// Points at the end of the game, ours less theirs.
    pub points: f64,
    /// The boards.
    pub boards: Vec<BoardReport>,
}

/// Omens listed for a board.
const OMENS: usize = 6;

fn share(chance: u16) -> f64 {
    f64::from(chance) / 65_535.0
}

impl NetReport {
    /// Asks all three nets about a position at the start of a turn.
    pub fn new<P: Profile>(network: &Network<'_, P>, game: &Game) -> NetReport {
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
        let mut report = NetReport {
            side: side.name(),
            value: share(chance(network.position(&context))),
            confidence: 0.0,
            points: 0.0,
            boards: Vec::new(),
        };
        let count = sums.len().max(1) as f64;
        for (index, sum) in sums.iter().enumerate() {
            let judgement = network.judge(&context, index, &context.summary(index));
            report.confidence += share(network.confidence(&judgement)) / count;
            report.points += network.output(&judgement, Output::Points).to_num::<f64>() / count;
            let layer = network.board_layer(sum.lanes(side), sum.lanes(side.opponent()));
            let mut omens = Vec::new();
            if let Some(view) = game.view(index) {
                network.prophesy(&layer, view, |hex, fate, logit| {
                    let unit = view.board.piece(hex).map_or(UnitLabel::Zombie, Piece::unit);
                    omens.push(omen(hex, unit, fate, share(chance(logit))));
                });
            }
            report.boards.push(BoardReport {
                map: config.maps().get(index).map_or("", |map| map.name()),
                next_point: share(chance(network.output(&judgement, Output::Contribution))),
                win: share(network.win_chance(&judgement)),
                omens: likeliest(omens),
            });
        }
        report
    }
}

fn omen(hex: Hex, unit: UnitLabel, fate: Fate, chance: f64) -> Prediction {
    let fate = match fate {
        Fate::Killed => "killed",
        Fate::Unsummoned => "unsummoned",
        Fate::Passive => "passive",
    };
    Prediction { hex: hex.to_string(), unit: unit.name(), fate, chance }
}

/// Enemies that may fall, the likeliest first; then friends that may fight, the likeliest first.
fn likeliest(omens: Vec<Prediction>) -> Vec<Prediction> {
    let (mut friends, mut foes): (Vec<Prediction>, Vec<Prediction>) =
        omens.into_iter().partition(|omen| omen.fate == "passive");
    foes.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    foes.truncate(OMENS);
    foes.retain(|omen| omen.chance >= 0.05);
    friends.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    friends.truncate(OMENS);
    friends.retain(|omen| omen.chance <= 0.95);
    foes.extend(friends);
    foes
}

impl fmt::Display for NetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "the nets give {} {:.1}% to win, confidence {:.0}%, {:+.2} points at the end",
            self.side,
            100.0 * self.value,
            100.0 * self.confidence,
            self.points
        )?;
        for (index, board) in self.boards.iter().enumerate() {
            writeln!(
                f,
                "  board {index} ({}): {:.0}% to score the next point here",
                board.map,
                100.0 * board.next_point
            )?;
            let told = |passive: bool| {
                let omens = board.omens.iter().filter(move |omen| (omen.fate == "passive") == passive);
                omens
                    .map(|omen| {
                        let chance = if passive { 1.0 - omen.chance } else { omen.chance };
                        let end = if omen.fate == "unsummoned" { " unsummoned" } else { "" };
                        format!("{} {}{end} {:.0}%", omen.unit, omen.hex, 100.0 * chance)
                    })
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let (fall, fight) = (told(false), told(true));
            if !fall.is_empty() {
                writeln!(f, "    likely to fall: {fall}")?;
            }
            if !fight.is_empty() {
                writeln!(f, "    likely to fight: {fight}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::Ruleset;

    use super::*;
    use crate::bench::test_positions;
    use crate::engine::embedded_nets;

    #[test]
    fn opinions_are_shares_and_tell_of_pieces_that_are_there() {
        let network = embedded_nets::desktop().unwrap();
        let mut omens = 0;
        for game in test_positions::middle_games(Ruleset::Server) {
            let report = NetReport::new(&network, &game);
            assert_eq!(report.boards.len(), game.config().num_boards());
            let shares = report.boards.iter().flat_map(|board| [board.win, board.next_point]);
            assert!(
                shares.chain([report.value, report.confidence]).all(|share| (0.0..=1.0).contains(&share))
            );
            for (index, board) in report.boards.iter().enumerate() {
                let view = game.view(index).unwrap();
                for omen in &board.omens {
                    let piece = view.board.piece(Hex::named(&omen.hex).unwrap()).unwrap();
                    assert_eq!(piece.unit().name(), omen.unit);
                    assert_eq!(piece.side() == view.side, omen.fate == "passive");
                    omens += 1;
                }
            }
            assert!(report.to_string().contains("to win, confidence"));
        }
        assert!(omens > 20, "{omens}");
    }
}
