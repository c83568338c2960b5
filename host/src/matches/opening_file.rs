//! Opening files: positions from which the games of a match begin, as lines in FEN or as recorded games.

use anyhow::{Context, Result, ensure};
use barrow_core::minions::{Game, GameConfig};

use crate::io;
use crate::notation::{FileSettings, GameFile, GameForm, PositionFile};

/// Openings of one file at most.
const OPENING_CAP: usize = 10_000;

/// Settings of a file of openings: what it does not say of itself.
#[derive(Clone, Debug)]
pub struct OpeningFile {
    /// Configuration of a FEN that does not say.
    pub config: GameConfig,
    /// Turns of a recorded game after which the opening is reached; all of them without a number.
    pub turns: Option<usize>,
    /// Turns after which a game of the match is a draw, so that no opening may have as many.
    pub max_plies: u32,
}

impl OpeningFile {
    /// Reads the openings of a file in their order, with the numbers of their lines: the positions of lines in FEN, without
    /// empty ones and those that begin with `#`, or those of recorded games in any form. An error names the line.
    pub fn read(&self, name: &str) -> Result<Vec<(usize, Game)>> {
        let openings = self.read_file(name).with_context(|| name.to_owned())?;
        ensure!(!openings.is_empty(), "{name}: no openings");
        Ok(openings)
    }

    fn read_file(&self, name: &str) -> Result<Vec<(usize, Game)>> {
        let mut lines = io::open(name)?;
        let form = lines.peek_full_line()?.and_then(GameForm::of_line);
        let mut openings = Vec::new();
        if form.is_some() {
            let settings = FileSettings { config: self.config.clone(), ..FileSettings::default() };
            let mut file = GameFile::of_lines(lines, name, settings)?;
            while let Some(read) = file.next_game()? {
                let line = read.line;
                let opening =
                    read.legal().and_then(|game| game.position(self.turns.unwrap_or(game.turns.len())));
                self.add(&mut openings, opening, line)?;
            }
            return Ok(openings);
        }
        ensure!(self.turns.is_none(), "positions have no turns; --openings-turn is for recorded games");
        let mut file = PositionFile::of_lines(lines, self.config.clone());
        while let Some((line, opening)) = file.next_position()? {
            self.add(&mut openings, Ok(opening), line)?;
        }
        Ok(openings)
    }

    /// Adds the opening of a line if games can begin there.
    fn add(&self, openings: &mut Vec<(usize, Game)>, opening: Result<Game>, line: usize) -> Result<()> {
        let opening = opening.with_context(|| format!("line {line}"))?;
        ensure!(openings.len() < OPENING_CAP, "line {line}: more than {OPENING_CAP} openings");
        ensure!(!opening.state().is_over(), "line {line}: the game is over there");
        ensure!(
            opening.state().turn() < self.max_plies,
            "line {line}: turn {} is beyond --max-plies {}",
            opening.state().turn() + 1,
            self.max_plies
        );
        openings.push((line, opening));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use barrow_core::minions::Ruleset;
    use barrow_core::minions::players::Greedy;
    use barrow_core::minions::text::fen;

    use super::*;
    use crate::notation::{AnnotatedGame, AnnotatedTurn, Tags, TurnNotes, game_text, now};

    fn read(name: &str, text: &str, turns: Option<usize>) -> Result<Vec<Game>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, text)?;
        let config = GameConfig::default().with_ruleset(Ruleset::Spooky);
        let openings = OpeningFile { config, turns, max_plies: 20 }.read(&path)?;
        Ok(openings.into_iter().map(|(_, game)| game).collect())
    }

    /// Recorded game of four turns, and the position after each number of turns.
    fn recorded() -> (String, Vec<Game>) {
        let mut game = Game::new(GameConfig::default(), 3);
        let mut record = AnnotatedGame::new(Tags::of_event("test", &now()), game.clone());
        let mut positions = vec![game.clone()];
        for _ in 0..4 {
            let turn = Greedy::new(1).choose(&game);
            record.turns.push(AnnotatedTurn::new(&game, &turn, TurnNotes::default()));
            game.play(&turn).unwrap();
            positions.push(game.clone());
        }
        (game_text(&record), positions)
    }

    #[test]
    fn openings_are_lines_in_fen_or_games() {
        let (text, positions) = recorded();
        let fens: Vec<String> = positions.iter().map(|game| fen::Extended(game).to_string()).collect();
        let list = format!("# four\n\n{}\n  {}  \n", fens[1], fens[3]);
        let keys = |games: &[Game]| -> Vec<String> {
            games.iter().map(|game| fen::Extended(game).to_string()).collect()
        };
        assert_eq!(keys(&read("a.fen", &list, None).unwrap()), [fens[1].clone(), fens[3].clone()]);
        assert_eq!(
            keys(&read("a.mgn", &(text.clone() + &text), None).unwrap()),
            [fens[4].clone(), fens[4].clone()]
        );
        assert_eq!(keys(&read("a.mgn", &text, Some(2)).unwrap()), fens[2..3]);
    }

    #[test]
    fn what_no_game_can_begin_from_is_named() {
        let (text, positions) = recorded();
        let late = fen::Extended(&positions[4]).to_string();
        for (name, content, turns, reason) in [
            ("none", "# nothing\n", None, "none: no openings"),
            ("bad.fen", "#\nnonsense\n", None, "bad.fen: line 2: "),
            ("turns.fen", late.as_str(), Some(2), "--openings-turn"),
            ("short.mgn", text.as_str(), Some(9), "short.mgn: line 1: the game has 4 turns"),
        ] {
            let error = format!("{:#}", read(name, content, turns).unwrap_err());
            assert!(error.contains(reason), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("late.fen").display().to_string();
        fs::write(&path, late).unwrap();
        let file = OpeningFile { config: GameConfig::default(), turns: None, max_plies: 4 };
        let error = format!("{:#}", file.read(&path).unwrap_err());
        assert!(error.contains("line 1: turn 5 is beyond --max-plies 4"), "{error}");
    }
}
