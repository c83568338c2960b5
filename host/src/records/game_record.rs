//! Game records: a game of Minions as text, one JSON object a line (traces §5).
//!
//! ```json
//! {"start":"…","turns":["turn\naction tech 1\n…"],"by":"rg"}
//! ```
//!
//! `start` is the first position in extended FEN, which names rules, maps, tech line and cards; `turns` are the turns
//! in UMI, without `endturn`; `by` has one letter per turn, `r` for a turn of the random policy, `s` for one of a
//! search, any other for a turn that a network may learn from. `roots` has what a search knew ([`RootRecord`]) or
//! `null` for every turn; it is left out where nobody searched. `result` is how a game ended that is not over by its
//! last position, as in an annotated game; self-play writes none, whose games are draws then. Training targets are not stored: they follow from the
//! game and the roots, and are computed when a record is read.

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};
use barrow_session::notation::{Ending, EndingReason, Outcome, read_turn};
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

impl Ply {
    /// Win chance of the side that plays the turn, by the search that chose it, 0 to 1; `None` where nobody searched.
    pub fn searched_chance(&self) -> Option<f32> {
        self.root.as_ref().map(|root| root.value as f32)
    }
}

/// Game record: the first position and all turns. Every turn is legal where it is played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// First position.
    pub start: Game,
    /// Turns in order, the two sides alternating.
    pub plies: Vec<Ply>,
    /// Ending of a game that is not over by its last position; `None` for one that is, and for a draw by too many turns.
    pub ending: Option<Ending>,
}

/// JSON object of a record.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a game record")]
struct JsonLine {
    start: String,
    turns: Vec<String>,
    by: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    roots: Vec<Option<RootRecord>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

impl GameRecord {
    /// Writes the record as one line of JSON without a line end. Fails when a turn is not legal.
    pub fn to_line(&self) -> Result<String> {
        let mut game = self.start.clone();
        let start = fen::Extended(&game).to_string();
        let result = self.ending.as_ref().map(Ending::to_string);
        let mut line = JsonLine { start, turns: Vec::new(), by: String::new(), roots: Vec::new(), result };
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
        let ending = line.result.map(|text| -> Result<Ending> {
            let ending: Ending = text.parse().map_err(|error| anyhow!("result: {error}"))?;
            ending.check(&game).map_err(|error| anyhow!(error))?;
            Ok(ending)
        });
        let ending = ending.transpose()?.and_then(|ending| unsaid(&ending, &game));
        Ok(GameRecord { start, plies, ending })
    }

    /// Result of the game for a side, 1, 0, or 1/2 for a draw, by its last position or else by what is recorded. A game
    /// without either ended at the ply limit of self-play: a draw. `None` for a game that was left.
    pub fn result_for(&self, side: Side, last: &Game) -> Option<f32> {
        let recorded = self.ending.as_ref().map_or(Outcome::Draw, |ending| ending.outcome);
        match last.state().winner().map_or(recorded, Outcome::Winner) {
            Outcome::Winner(winner) => Some(if winner == side { 1.0 } else { 0.0 }),
            Outcome::Draw => Some(0.5),
            Outcome::None => None,
        }
    }

    /// Whether the game was left before it had a result, so that nothing can be learnt from how it ended.
    pub fn is_unfinished(&self) -> bool {
        self.ending.as_ref().is_some_and(|ending| ending.outcome == Outcome::None)
    }
}

/// Ending as a record has it: `None` where the last position says as much, or self-play would write none.
pub fn unsaid(ending: &Ending, last: &Game) -> Option<Ending> {
    let is_said = last.state().is_over();
    let is_limit = (ending.outcome, ending.reason) == (Outcome::Draw, EndingReason::Turns);
    (!is_said && !is_limit).then(|| Ending::new(ending.outcome, ending.reason))
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
            let line = GameRecord { start, plies, ending: None }.to_line().unwrap();
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
    fn an_ending_is_kept_where_the_position_does_not_say_it() {
        let whole = SelfPlay::new(9).unwrap().play(1).unwrap().unwrap();
        let mut cut = whole.clone();
        cut.plies.truncate(8);
        for text in ["Yellow resignation", "Blue fault", "draw fault", "none unfinished"] {
            let record = GameRecord { ending: Some(text.parse().unwrap()), ..cut.clone() };
            let line = record.to_line().unwrap();
            assert!(line.ends_with(&format!(",\"result\":\"{text}\"}}")), "{line}");
            assert_eq!(GameRecord::from_line(&line).unwrap(), record);
            assert!(GameRecord::from_line(&line.replacen(text, "Yellow points", 1)).is_err());
        }
        // What self-play would not write is not kept.
        let line = |record: &GameRecord, result: &str| {
            let line = record.to_line().unwrap();
            format!("{},\"result\":\"{result}\"}}", &line[..line.len() - 1])
        };
        assert_eq!(GameRecord::from_line(&line(&cut, "draw turns")).unwrap(), cut);
        let mut last = whole.start.clone();
        whole.plies.iter().for_each(|ply| last.play(&ply.turn).map(drop).unwrap());
        let known = Ending::at(&last);
        assert_eq!(GameRecord::from_line(&line(&whole, &known.to_string())).unwrap(), whole);
        assert!(GameRecord::from_line(&line(&whole, "none unfinished")).is_err());
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
