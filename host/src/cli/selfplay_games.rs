//! Games of self-play as annotated games beside their records (`barrow selfplay --mgn`).

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use rayon::prelude::*;

use crate::io;
use crate::notation::{
    AnnotatedGame, Ending, GameForm, GameParser, RecordingFile, RecordingFolder, Tags, self_play,
};
use crate::shard::Shard;

/// Games that are read at once from the file of a run that is gone on with.
const BATCH: usize = 64;

/// File or folder to which annotated games are written.
enum Target {
    File(RecordingFile),
    Folder(RecordingFolder),
}

/// Annotated games of a run of self-play.
pub(super) struct SelfPlayGames {
    target: Target,
    /// Names of the player and its opponent.
    players: [String; 2],
    shard: Shard,
    /// Number of games written.
    written: u32,
}

impl SelfPlayGames {
    /// Opens a file, or a folder if the name is that of one or ends in a slash. `replace` says that games which are there
    /// may be replaced.
    pub(super) fn create(
        name: &str,
        replace: bool,
        players: [String; 2],
        shard: Shard,
    ) -> Result<SelfPlayGames> {
        let target = if name.ends_with('/') || Path::new(name).is_dir() {
            Target::Folder(RecordingFolder::create(name, replace)?)
        } else {
            Target::File(RecordingFile::create(name, replace)?)
        };
        Ok(SelfPlayGames { target, players, shard, written: 0 })
    }

    /// Opens as [`SelfPlayGames::create`] does, for a run that is gone on with: the games that its records hold are written
    /// anew. What is no file of annotated games is not replaced.
    pub(super) fn go_on(
        name: &str,
        records: &str,
        games: u32,
        players: [String; 2],
        shard: Shard,
    ) -> Result<SelfPlayGames> {
        if Path::new(name).is_file() {
            let mut lines = io::open(name).with_context(|| name.to_owned())?;
            let first = lines.peek_full_line().with_context(|| name.to_owned())?;
            let is_own = first.is_none_or(|line| GameForm::of_line(line) == Some(GameForm::Notation));
            ensure!(is_own, "{name}: holds something else than annotated games");
        }
        let mut annotated = SelfPlayGames::create(name, true, players, shard)?;
        let mut lines = io::open(records).with_context(|| records.to_owned())?;
        while annotated.written < games {
            let mut batch = Vec::new();
            while batch.len() < BATCH.min((games - annotated.written) as usize) {
                let Some(line) = lines.next_json_line().with_context(|| records.to_owned())? else { break };
                batch.push(line.to_owned());
            }
            ensure!(!batch.is_empty(), "{records}: holds {} games only", annotated.written);
            annotated.write(&batch)?;
        }
        Ok(annotated)
    }

    /// Writes the games of these records, which follow those written before.
    pub(super) fn write(&mut self, records: &[String]) -> Result<()> {
        let games: Vec<AnnotatedGame> = (self.written..)
            .zip(records)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(index, record)| self.game(index, record))
            .collect::<Result<_>>()?;
        for game in games {
            self.written += 1;
            let writer = match &self.target {
                Target::File(file) => file.begin(None, &game)?,
                Target::Folder(folder) => folder.begin(self.written, &game)?,
            };
            if let Some(ending) = &game.ending {
                writer.end(ending)?;
            }
        }
        Ok(())
    }

    /// Annotated game of the record with this index in the run.
    fn game(&self, index: u32, record: &str) -> Result<AnnotatedGame> {
        let mut parser = GameParser::default();
        self_play::feed(&mut parser, record)?.map_err(|fault| anyhow!("{fault}"))?;
        let mut game = parser.finish().map_err(|fault| anyhow!("{fault}"))?;
        let number = self.shard.number(index);
        let [player, opponent] = &self.players;
        // The first player is Yellow in games of an even number.
        let (yellow, blue) = if number.is_multiple_of(2) { (player, opponent) } else { (opponent, player) };
        game.tags.set(Tags::ROUND, &number.to_string());
        game.tags.set(Tags::YELLOW, yellow);
        game.tags.set(Tags::BLUE, blue);
        if game.ending.is_none() {
            game.ending = Some(Ending::at(&game.last_position()?));
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::game_record::GameRecord;
    use crate::training::SelfPlay;

    #[test]
    fn a_game_at_the_ply_limit_is_a_draw() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("games.mgn").display().to_string();
        let players = ["a", "b"].map(str::to_owned);
        let games = SelfPlayGames::create(&name, false, players, Shard::WHOLE).unwrap();
        let whole = SelfPlay::new(9).unwrap().play(0).unwrap().unwrap();
        let check = |record: &GameRecord, reason: &str| {
            let game = games.game(0, &record.to_line().unwrap()).unwrap();
            let ending = game.ending.as_ref().unwrap().to_string();
            assert!(ending.ends_with(reason), "{ending}");
            assert_eq!(self_play::record(&game).unwrap(), *record);
        };
        check(&GameRecord { plies: whole.plies[..8].to_vec(), ..whole.clone() }, "draw turns");
        check(&whole, " points");
    }
}
