//! Game records: a game of Minions as text, one JSON object a line (traces §5).
//!
//! ```json
//! {"start":"…","turns":["turn\naction tech 1\n…"],"by":"rg"}
//! ```
//!
//! `start` is the first position in extended FEN, which names rules, maps, tech line and cards; `turns` are the turns
//! in UMI, without `endturn`; `by` has one letter per turn, `r` for a turn of the random policy, `s` for one of a
//! search, any other for a turn that a network may learn from. `roots` has what a search knew ([`RootRecord`]) or
//! `null` for every turn; it is left out where nobody searched. Training targets are not stored: they follow from the
//! game and the roots, and are computed when a record is read.

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn};
use barrow_session::notation::read_turn;
use serde::{Deserialize, Serialize};

use super::root_record::RootRecord;
use crate::io::JsonFault;

/// Policy that chose a turn of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// A player whose turns are training targets.
    Teacher,
    /// Random turns, which only vary the positions.
    Random,
}

/// Turn of a recorded game with the policy that chose it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// Turn as the rules play it.
    pub turn: GameTurn,
    /// Policy that chose the turn.
    pub policy: Policy,
    /// Root of the search that chose the turn; `None` where nobody searched.
    pub root: Option<RootRecord>,
}

/// Game record: the first position and all turns. Every turn is legal where it is played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// First position.
    pub start: Game,
    /// Turns in order, the two sides alternating.
    pub plies: Vec<Ply>,
}

/// JSON object of a record.
#[derive(Serialize, Deserialize)]
struct JsonLine {
    start: String,
    turns: Vec<String>,
    by: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    roots: Vec<Option<RootRecord>>,
}

impl GameRecord {
    /// Writes the record as one line of JSON without a line end. Fails when a turn is not legal.
    pub fn to_line(&self) -> Result<String> {
        let mut game = self.start.clone();
        let start = fen::Extended(&game).to_string();
        let mut line = JsonLine { start, turns: Vec::new(), by: String::new(), roots: Vec::new() };
        let searched = self.plies.iter().any(|ply| ply.root.is_some());
        for ply in &self.plies {
            line.turns.push(TurnText::new(&game, &ply.turn).to_string());
            line.by.push(match (ply.policy, &ply.root) {
                (Policy::Random, _) => 'r',
                (Policy::Teacher, Some(_)) => 's',
                (Policy::Teacher, None) => 'g',
            });
            if searched {
                line.roots.push(ply.root.clone());
            }
            game.play(&ply.turn)?;
        }
        Ok(serde_json::to_string(&line)?)
    }

    /// Reads a record from one line of JSON and plays every turn, so that the record is legal. An error names the
    /// field or the number of the turn, from 0.
    pub fn from_line(text: &str) -> Result<GameRecord> {
        let mut line: JsonLine = serde_json::from_str(text).map_err(JsonFault)?;
        let start = Game::from_fen(&line.start).map_err(|error| anyhow!("start, {error}"))?;
        ensure!(line.by.chars().count() == line.turns.len(), "by: not one letter per turn");
        ensure!(
            line.roots.is_empty() || line.roots.len() == line.turns.len(),
            "roots: not one entry per turn"
        );
        line.roots.resize(line.turns.len(), None);
        let mut game = start.clone();
        let mut plies = Vec::new();
        let turns = line.turns.iter().zip(line.by.chars()).zip(line.roots);
        for (index, ((text, by), root)) in turns.enumerate() {
            let ply = read_turn(&game, text).and_then(|turn| {
                game.play(&turn)?;
                Ok(Ply { turn, policy: if by == 'r' { Policy::Random } else { Policy::Teacher }, root })
            });
            plies.push(ply.with_context(|| format!("turn {index}"))?);
        }
        Ok(GameRecord { start, plies })
    }
}

/// First position of a record as text, and the number of its turns, which are not played.
pub(super) fn outline(text: &str) -> Result<(String, usize)> {
    let line: JsonLine = serde_json::from_str(text).map_err(JsonFault)?;
    Ok((line.start, line.turns.len()))
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::Ruleset;
    use barrow_core::minions::players::Random;
    use barrow_core::rng::Rng;
    use barrow_testing::generators::choices::Choices;
    use barrow_testing::generators::positions::position;

    use super::*;
    use crate::training::SelfPlay;

    #[test]
    fn every_record_is_read_back_as_it_was_written() {
        let games = SelfPlay::new(9).unwrap();
        for number in 0..24 {
            let record = games.play(number).unwrap().unwrap();
            let line = record.to_line().unwrap();
            let back = GameRecord::from_line(&line).unwrap();
            assert!(back == record, "game {number}");
            assert_eq!(back.to_line().unwrap(), line);
        }
    }

    #[test]
    fn a_record_may_begin_in_any_position() {
        let mut dice = Rng::new(7);
        for number in 0..300 {
            let bytes: Vec<u8> = (0..900).map(|_| dice.below(256) as u8).collect();
            let ruleset = if number % 3 == 0 { Ruleset::Spooky } else { Ruleset::Server };
            let start = position(&mut Choices::new(&bytes), ruleset);
            let (mut game, mut plies) = (start.clone(), Vec::new());
            for _ in 0..3 {
                if !game.state().is_over() {
                    let turn = Random::new(dice.next_u64()).choose(&game);
                    game.play(&turn).unwrap();
                    plies.push(Ply { turn, policy: Policy::Random, root: None });
                }
            }
            let line = GameRecord { start, plies }.to_line().unwrap();
            let back = GameRecord::from_line(&line).unwrap();
            assert_eq!(back.to_line().unwrap(), line);
            let mut replayed = back.start;
            for ply in &back.plies {
                replayed.play(&ply.turn).unwrap();
            }
            assert!(replayed == game, "record {number}");
        }
    }

    #[test]
    fn bad_lines_are_refused() {
        let record = SelfPlay::new(9).unwrap().play(1).unwrap().unwrap();
        let line = record.to_line().unwrap();
        assert!(GameRecord::from_line("{}").is_err());
        assert!(GameRecord::from_line(&line.replacen("\"by\":\"", "\"by\":\"g", 1)).is_err());
        assert!(GameRecord::from_line(&line.replacen("action tech", "action dance", 1)).is_err());
        assert!(GameRecord::from_line(&line.replacen("\"start\":\"", "\"start\":\"x", 1)).is_err());
    }
}
