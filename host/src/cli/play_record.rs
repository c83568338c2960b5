//! Record of a game that is played at a terminal: in memory, and turn by turn in a file where one is named.

use anyhow::{Context, Result};
use barrow_core::minions::{Game, GameTurn};

use crate::io::OutputFile;
use crate::notation::{
    AnnotatedGame, AnnotatedTurn, Ending, GameWriter, RecordingFile, TurnNotes, game_text,
};

/// Record of a game while it is played.
pub(super) struct PlayRecord {
    game: AnnotatedGame,
    writer: Option<GameWriter>,
}

impl PlayRecord {
    /// Record that begins with these turns, which go to a file if one is named. Fails when the file exists, unless `force`
    /// says that it is to be replaced.
    pub(super) fn new(game: AnnotatedGame, file: Option<&str>, force: bool) -> Result<PlayRecord> {
        let begin = |name| RecordingFile::create(name, force)?.begin(None, &game);
        let writer = file.map(begin).transpose()?;
        Ok(PlayRecord { game, writer })
    }

    /// Adds a turn that was played in a position. After an error nothing more is written to the file.
    pub(super) fn turn(&mut self, before: &Game, turn: &GameTurn, notes: TurnNotes) -> Result<()> {
        let turn = AnnotatedTurn::new(before, turn, notes);
        let written = self.writer.as_ref().map_or(Ok(()), |writer| writer.turn(&turn));
        self.game.turns.push(turn);
        if written.is_err() {
            self.writer = None;
        }
        written
    }

    /// Writes the game so far to a new file. Returns its number of turns.
    pub(super) fn save(&self, name: &str) -> Result<usize> {
        let last = self.game.last_position()?;
        let whole = AnnotatedGame { ending: Some(Ending::at(&last)), ..self.game.clone() };
        let mut file = OutputFile::create(name, false).with_context(|| name.to_owned())?;
        file.save(game_text(&whole).as_bytes()).with_context(|| name.to_owned())?;
        Ok(whole.turns.len())
    }

    /// Writes how the game was left at its last position.
    pub(super) fn end(&mut self, last: &Game) -> Result<()> {
        self.writer.take().map_or(Ok(()), |writer| writer.end(&Ending::at(last)))
    }
}
