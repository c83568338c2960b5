//! Files of self-play games while they are played: block by block, and gone on with after the program was ended or killed.

use anyhow::{Result, bail, ensure};
use barrow_core::minions::text::fen;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::selfplay::SelfPlay;
use crate::io::GrowingFile;
use crate::records::{RecordFile, RecordTail, start_checksum};
use crate::shard::Shard;

/// Games of a block, which is written at once: what a run that is killed may lose.
const BLOCK: u32 = 64;

/// File of self-play games.
pub struct SelfPlayFile {
    output: RecordFile,
    games: u32,
    turns: u64,
}

impl SelfPlayFile {
    /// Creates a file, as [`RecordFile::create`] does.
    pub fn create(name: &str, force: bool) -> Result<SelfPlayFile> {
        Ok(SelfPlayFile { output: RecordFile::create(name, force)?, games: 0, turns: 0 })
    }

    /// Opens a file to play on behind its whole blocks. Fails when it is damaged, written by another process, holds more
    /// than `games` games, its games do not begin as those of `player`, or its last one is not played as by `player`,
    /// where that can be told; `None` takes any.
    pub fn go_on(name: &str, player: Option<&SelfPlay>, games: u32, shard: Shard) -> Result<SelfPlayFile> {
        let claimed = GrowingFile::claim(name)?;
        let tail = RecordTail::read(name)?;
        if let Some(player) = player {
            ensure_begun(&tail, player, shard)?;
        }
        let player = player.filter(|player| player.is_reproducible());
        if let (Some((index, text)), Some(player)) = (&tail.last, player) {
            let Some(record) = player.play(shard.number(*index))? else { bail!("interrupted") };
            ensure!(
                record.to_line()? == *text,
                "line {} is no game of --seed {} with these players",
                index + 1,
                player.openings().seed()
            );
        }
        ensure!(tail.games <= games, "holds {} games, more than --games {games}", tail.games);
        let output = RecordFile::append(name, claimed, &tail)?;
        Ok(SelfPlayFile { output, games: tail.games, turns: tail.turns })
    }

    /// Number of games in the file.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Sum of the turns of the games in the file.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// Plays and writes the next block of a file that is to hold `games` games, and moves a bar over them along with every
    /// game. Returns the records of the block. After Ctrl-C it ends before the first game that was not finished.
    pub fn play_block(
        &mut self,
        player: &SelfPlay,
        games: u32,
        shard: Shard,
        bar: &ProgressBar,
    ) -> Result<Vec<String>> {
        // Every block ends at the same game in every run, unless Ctrl-C ends it before.
        let block = self.games..games.min((self.games / BLOCK + 1) * BLOCK);
        let records = play(player, block.map(|index| shard.number(index)), bar)?;
        let (lines, plies): (Vec<String>, Vec<usize>) = records.into_iter().unzip();
        self.output.write_block(&lines)?;
        self.games += lines.len() as u32;
        self.turns += plies.iter().sum::<usize>() as u64;
        bar.set_position(u64::from(self.games));
        Ok(lines)
    }
}

/// Fails when a game of a file does not begin as that of the player and shard.
fn ensure_begun(tail: &RecordTail, player: &SelfPlay, shard: Shard) -> Result<()> {
    for (index, &start) in (0..).zip(&tail.starts) {
        let opening = player.openings().of_pair(shard.number(index))?;
        ensure!(
            start_checksum(&fen::Extended(&opening.game).to_string()) == start,
            "line {} is no game of --seed {} with these boards, rules, handicaps and shard",
            index + 1,
            player.openings().seed()
        );
    }
    Ok(())
}

/// Plays games in parallel. Returns their records as text, with their lengths in turns; after Ctrl-C those before the
/// first game that was not finished, so that no game is missing between others.
fn play(
    player: &SelfPlay,
    numbers: impl Iterator<Item = u32> + Send,
    bar: &ProgressBar,
) -> Result<Vec<(String, usize)>> {
    let play = |number| -> Result<(u32, Option<(String, usize)>)> {
        let record = player.play(number)?;
        let record = record.map(|record| anyhow::Ok((record.to_line()?, record.plies.len()))).transpose()?;
        bar.inc(u64::from(record.is_some()));
        Ok((number, record))
    };
    // A bridge begins the games in order, so that few behind an unfinished one are lost.
    let mut records: Vec<(u32, Option<(String, usize)>)> =
        numbers.par_bridge().map(play).collect::<Result<_>>()?;
    records.sort_unstable_by_key(|&(number, _)| number);
    Ok(records.into_iter().map_while(|(_, record)| record).collect())
}
