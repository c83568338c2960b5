//! Datasets: training and held-out samples of many games, which are played for the purpose or read from files.
//!
//! A game is held out by its number in its source or file, whatever files are read beside it, so that a file that several
//! generations of networks learn from is divided in the same way every time. A position that was met before, in the same
//! game or in another copy of it, is left out. So is what is damaged.

use std::collections::VecDeque;
use std::ops::Range;

use anyhow::{Result, bail};
use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::ports::Evaluator;
use barrow_core::rng::Rng;
use barrow_nnue::layout::Layout;
use flate2::Crc;
use hashbrown::HashSet;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::samples::Samples;
use super::selfplay::SelfPlay;
use super::targets::{PositionTargets, SamplingRates, judged_targets};
use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::records::game_record::GameRecord;
use crate::records::{Damage, RecordLines};
use crate::{interrupt, progress};

/// Games that are converted at once.
const ROUND: usize = 256;

/// Distance of held-out games: one game in this many is not trained on.
pub const HELD_OUT_STEP: usize = 16;

/// Source of games for a dataset.
#[derive(Clone, Debug)]
pub enum GameSource {
    /// Self-play games.
    SelfPlay {
        /// Number of games.
        games: u32,
        /// Seed of the games.
        seed: u64,
    },
    /// Files of game records, one a line; `-` is stdin, a name that ends in `.gz` is decompressed.
    Records(Vec<String>),
}

/// Dataset: training samples and held-out samples. No game contributes to both.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// Samples to train on.
    pub training: Samples,
    /// Samples to measure metrics on.
    pub held_out: Samples,
    /// Number of games of all samples.
    pub games: usize,
    /// Number of games that were left out because they are not over and have no result.
    pub unfinished: usize,
    /// Number of positions that were left out because they were met before.
    pub duplicates: usize,
    /// Damage: parts of the files that were left out, each with file, place and reason.
    pub damage: Damage,
}

/// Games of a source, taken round by round, so that few records are in memory at a time.
enum Games {
    /// Numbers of the self-play games that are left.
    SelfPlay(Range<u32>),
    /// Files with lines that are left.
    Records(VecDeque<RecordLines>),
}

/// Game that is still to be converted.
enum Pending {
    /// Self-play game with this number.
    SelfPlay(u32),
    /// Line of a file with its number from 1, and the name of the file.
    Record(String, usize, String),
}

/// Game of a source, as far as something can be learnt from it.
enum Converted {
    Game(Box<GameSamples>),
    /// Game that is not over and has no result.
    Unfinished,
    /// Game before whose end Ctrl-C came.
    Interrupted,
}

/// Samples of a game, with a key for each position.
struct GameSamples {
    samples: Samples,
    keys: Vec<u64>,
}

impl GameSource {
    /// Bar over the games or, for files, over their bytes.
    pub fn bar(&self) -> ProgressBar {
        match self {
            GameSource::SelfPlay { games, .. } => progress::bar(u64::from(*games), "games"),
            GameSource::Records(names) => progress::bytes_bar(names),
        }
    }

    /// Converts all games to samples under a feature layout, with a network whose Oracle judges places if there is one, and
    /// moves the bar along; Ctrl-C ends the conversion early.
    /// Fails when a file cannot be opened, or when nothing in the files is a game.
    pub fn dataset<L: Layout>(
        &self,
        (rates, judge): (SamplingRates, Option<StaticNetwork>),
        seed: u64,
        bar: &ProgressBar,
    ) -> Result<Dataset> {
        let (player, mut games) = match self {
            GameSource::SelfPlay { games, seed } => (Some(SelfPlay::new(*seed)?), Games::SelfPlay(0..*games)),
            GameSource::Records(names) => {
                let files = names.iter().map(|name| RecordLines::open(name, bar)).collect::<Result<_>>()?;
                (None, Games::Records(files))
            }
        };
        let mut all = Dataset::default();
        let mut seen = HashSet::new();
        loop {
            let round = games.next_round(&mut all.damage);
            if round.is_empty() {
                break;
            }
            let convert = |pending: &Pending| -> Result<Converted> {
                let Some(record) = pending.record(player.as_ref())? else {
                    return Ok(Converted::Interrupted);
                };
                if record.is_unfinished() {
                    return Ok(Converted::Unfinished);
                }
                let mut dice = Rng::new(seed ^ Rng::new(pending.number() as u64).next_u64());
                let mut samples = Samples::default();
                let mut evaluator = judge.map(EngineNetwork::evaluator);
                let evaluator = evaluator.as_mut().map(|evaluator| &mut **evaluator as &mut dyn Evaluator);
                let positions = judged_targets(&record, rates, evaluator, dice.next_u64())?;
                samples.add_positions::<L>(&positions);
                let start = start_key(&record);
                let keys = positions.iter().map(|at| key(start, at)).collect();
                Ok(Converted::Game(Box::new(GameSamples { samples, keys })))
            };
            let converted: Vec<_> = round.par_iter().map(convert).collect();
            for (pending, game) in round.iter().zip(converted) {
                match (game, pending) {
                    (Ok(Converted::Game(game)), _) => all.add(*game, pending.number(), &mut seen),
                    (Ok(Converted::Unfinished), _) => all.unfinished += 1,
                    (Ok(Converted::Interrupted), _) => {}
                    (Err(error), Pending::Record(name, line, _)) => {
                        all.damage.push(format!("{name}: line {line}: {error:#}"));
                    }
                    (Err(error), Pending::SelfPlay(_)) => return Err(error),
                }
            }
            if let (Games::SelfPlay(_), Some(last)) = (&games, round.last()) {
                bar.set_position(last.number() as u64 + 1);
            }
            if interrupt::requested() {
                break;
            }
        }
        match all.damage.told().first() {
            Some(first) if all.games == 0 => bail!("{first}"),
            _ => Ok(all),
        }
    }
}

impl Dataset {
    /// Adds the samples of the game with this number in its source, but for those of positions that were met before.
    fn add(&mut self, game: GameSamples, number: usize, seen: &mut HashSet<u64>) {
        let GameSamples { mut samples, keys } = game;
        let before = samples.len();
        let mut keys = keys.into_iter();
        samples.retain(|| keys.next().is_none_or(|key| seen.insert(key)));
        self.duplicates += before - samples.len();
        self.games += 1;
        if !samples.is_empty() {
            let held_out = number.is_multiple_of(HELD_OUT_STEP);
            let to = if held_out { &mut self.held_out } else { &mut self.training };
            to.append(&mut samples);
        }
    }
}

impl Games {
    /// Takes the next games of the source; none at its end. What is damaged among them is added to a list.
    fn next_round(&mut self, damage: &mut Damage) -> Vec<Pending> {
        match self {
            Games::SelfPlay(numbers) => numbers.take(ROUND).map(Pending::SelfPlay).collect(),
            Games::Records(files) => {
                let mut round = Vec::new();
                while let Some(file) = files.front_mut().filter(|_| round.len() < ROUND) {
                    let next = file.next_line();
                    damage.append(file.take_damage());
                    match next {
                        Some((number, line)) => {
                            round.push(Pending::Record(file.name().to_owned(), number, line));
                        }
                        None => drop(files.pop_front()),
                    }
                }
                round
            }
        }
    }
}

impl Pending {
    /// Number of the game in its source or file, from 0.
    fn number(&self) -> usize {
        match self {
            Pending::SelfPlay(number) => *number as usize,
            Pending::Record(_, line, _) => line - 1,
        }
    }

    /// Record of the game. Returns `None` when Ctrl-C interrupts it.
    fn record(&self, player: Option<&SelfPlay>) -> Result<Option<GameRecord>> {
        match (self, player) {
            (Pending::SelfPlay(number), Some(player)) => player.play(*number),
            (Pending::SelfPlay(_), None) => Ok(None),
            (Pending::Record(_, _, line), _) => GameRecord::from_line(line).map(Some),
        }
    }
}

/// Key of what a game starts from: rules, maps, tech line and all cards.
fn start_key(record: &GameRecord) -> u64 {
    let mut crc = Crc::new();
    crc.update(fen::Extended(&record.start).to_string().as_bytes());
    u64::from(crc.sum())
}

/// Key of a position, from the key of its game's start.
fn key(start: u64, position: &PositionTargets) -> u64 {
    let stage = position.stage as u64 | position.attacked.map_or(0, |board| board as u64 + 1) << 8;
    Rng::new(position.game.state().key() ^ Rng::new(start | stage << 32).next_u64()).next_u64()
}

#[cfg(test)]
mod tests {
    use barrow_nnue::layout::Folded;

    use super::*;
    use crate::records::RecordFile;

    fn games(numbers: Range<u32>) -> Vec<String> {
        let games = SelfPlay::new(4).unwrap();
        numbers.map(|number| games.play(number).unwrap().unwrap().to_line().unwrap()).collect()
    }

    fn dataset(names: &[&str]) -> Result<Dataset> {
        let source = GameSource::Records(names.iter().map(|&name| name.to_owned()).collect());
        source.dataset::<Folded>((SamplingRates::default(), None), 1, &ProgressBar::hidden())
    }

    #[test]
    fn copies_of_games_add_nothing_and_generations_are_divided_as_each_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [first, copy, second] =
            ["first.gz", "copy", "second"].map(|name| folder.path().join(name).display().to_string());
        let write = |name: &str, lines: &[String]| {
            RecordFile::create(name, true).unwrap().write_block(lines).unwrap();
        };
        let (old, new) = (games(0..17), games(17..36));
        write(&first, &old);
        write(&copy, &old);
        write(&second, &new);
        let [alone, other] = [&first, &second].map(|name| dataset(&[name]).unwrap());
        let twice = dataset(&[&first, &copy]).unwrap();
        assert_eq!((twice.games, twice.duplicates > alone.training.len()), (34, true));
        assert_eq!(twice.training.fingerprint(), alone.training.fingerprint());
        assert_eq!(twice.held_out.fingerprint(), alone.held_out.fingerprint());
        let both = dataset(&[&first, &second]).unwrap();
        assert_eq!(both.training.len(), alone.training.len() + other.training.len());
        assert_eq!(both.held_out.len(), alone.held_out.len() + other.held_out.len());
        assert!(!alone.held_out.is_empty() && !other.held_out.is_empty());
    }

    #[test]
    fn damage_is_told_and_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let [name, lost] = ["games", "lost.gz"].map(|name| folder.path().join(name).display().to_string());
        let mut lines = games(0..18);
        let whole = lines[5].clone();
        lines[5] = whole.replacen("action tech", "action dance", 1);
        lines[9].truncate(70);
        RecordFile::create(&name, true).unwrap().write_block(&lines).unwrap();
        std::fs::write(&lost, "nothing that was compressed").unwrap();
        let found = dataset(&[&lost, &name]).unwrap();
        assert_eq!(found.games, 16);
        let places: Vec<bool> = [&lost, &name, &name]
            .into_iter()
            .zip([": bytes 0 to 27: ", ": line 6: ", ": line 10: "])
            .zip(found.damage.told())
            .map(|((name, place), damage)| damage.starts_with(&format!("{name}{place}")))
            .collect();
        assert_eq!((found.damage.len(), places), (3, vec![true; 3]), "{:?}", found.damage);
        let error = dataset(&[&lost]).err().unwrap().to_string();
        assert!(error.contains("lost.gz: bytes 0 to 27"), "{error}");
        assert!(dataset(&[&name, "no/such/file"]).is_err());
    }
}
