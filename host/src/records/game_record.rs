//! Games as text, one JSON object a line:
//!
//! ```json
//! {"start":"…","turns":["turn\naction tech 1\n…"],"by":"rg"}
//! ```
//!
//! `start` is the first position in the extended FEN, which names rules, maps, tech line and cards; `turns` are the
//! turns in UMI, without `endturn`; `by` has one letter per turn, `r` for a random one, any other for one worth
//! learning from. Everything else that training uses is computed from these when they are read.

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::{TurnReader, TurnText};
use barrow_core::minions::{Game, GameTurn};
use serde::{Deserialize, Serialize};

use crate::training::selfplay::{Hand, Ply, Record};

#[derive(Serialize, Deserialize)]
struct Line {
    start: String,
    turns: Vec<String>,
    by: String,
}

impl Record {
    /// The game as one line, without its end.
    pub fn to_line(&self) -> Result<String> {
        let mut game = self.start.clone();
        let start = fen::Extended(&game).to_string();
        let mut line = Line { start, turns: Vec::new(), by: String::new() };
        for ply in &self.plies {
            line.turns.push(TurnText::new(&game, &ply.turn).to_string());
            line.by.push(if ply.hand == Hand::Random { 'r' } else { 'g' });
            game.play(&ply.turn)?;
        }
        Ok(serde_json::to_string(&line)?)
    }

    /// The game that a line tells. Every turn is played, so that what comes back is legal.
    pub fn from_line(text: &str) -> Result<Record> {
        let line: Line = serde_json::from_str(text)?;
        let start = Game::from_fen(&line.start).map_err(|error| anyhow!("start, {error}"))?;
        ensure!(line.by.chars().count() == line.turns.len(), "by: not one letter per turn");
        let mut game = start.clone();
        let mut plies = Vec::new();
        for (index, (text, by)) in line.turns.iter().zip(line.by.chars()).enumerate() {
            let ply = read_turn(&game, text).and_then(|turn| {
                game.play(&turn)?;
                Ok(Ply { turn, hand: if by == 'r' { Hand::Random } else { Hand::Teacher } })
            });
            plies.push(ply.with_context(|| format!("turn {index}"))?);
        }
        Ok(Record { start, plies })
    }
}

/// The turn that these lines of UMI mean in a position.
pub(crate) fn read_turn(game: &Game, text: &str) -> Result<GameTurn> {
    let mut lines = text.lines();
    let mut reader = TurnReader::new(game, lines.next().unwrap_or(""))?;
    for line in lines {
        reader.read(line)?;
    }
    Ok(reader.finish(game)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::SelfPlay;

    fn ends(record: &Record) -> Vec<u64> {
        let mut game = record.start.clone();
        let play = |ply: &Ply| {
            game.play(&ply.turn).unwrap();
            game.state().key()
        };
        record.plies.iter().map(play).collect()
    }

    #[test]
    fn a_game_survives_being_written_and_read() {
        let games = SelfPlay::new(9).unwrap();
        for number in 0..12 {
            let record = games.play(number).unwrap().unwrap();
            let back = Record::from_line(&record.to_line().unwrap()).unwrap();
            assert_eq!(back.start, record.start);
            assert_eq!(ends(&back), ends(&record));
            assert!(back.plies.iter().zip(&record.plies).all(|(a, b)| a.hand == b.hand));
        }
    }

    #[test]
    fn bad_lines_are_refused() {
        let record = SelfPlay::new(9).unwrap().play(1).unwrap().unwrap();
        let line = record.to_line().unwrap();
        assert!(Record::from_line("{}").is_err());
        assert!(Record::from_line(&line.replacen("\"by\":\"", "\"by\":\"g", 1)).is_err());
        assert!(Record::from_line(&line.replacen("action tech", "action dance", 1)).is_err());
        assert!(Record::from_line(&line.replacen("\"start\":\"", "\"start\":\"x", 1)).is_err());
    }
}
