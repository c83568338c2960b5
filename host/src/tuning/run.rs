//! Run of a tuning: plays the parts that are missing.

use std::time::Duration;

use anyhow::{Result, anyhow};

use super::terms::TuningTerms;
use super::tuning_file::{TuningFile, TuningState};
use crate::matches::elo::Pentanomial;
use crate::matches::{Contestant, Match, MatchFormat, Openings, TimeControl};
use crate::shard::Shard;

/// Plies after which a game is a draw.
const PLY_LIMIT: u32 = 400;

/// Run of a tuning.
#[derive(Debug)]
pub struct TuningRun {
    /// Games played so far.
    pub state: TuningState,
    /// Openings; those of a part follow from its seed.
    pub openings: Openings,
    /// Number of pairs of games played at once.
    pub threads: usize,
}

impl TuningRun {
    /// Plays what is missing and adds each part to the file as soon as it is finished; with a shard only its parts,
    /// these, of the first iteration that is not finished. `watch` is called after every part. Returns whether Ctrl-C ended
    /// it early.
    pub fn play(
        &mut self,
        file: &mut TuningFile,
        shard: Option<Shard>,
        mut watch: impl FnMut(&TuningState),
    ) -> Result<bool> {
        let Some(terms) = self.state.terms().cloned() else { return Ok(false) };
        loop {
            let (iteration, point) = self.state.point();
            if iteration >= terms.iterations {
                return Ok(false);
            }
            let missing = self.state.missing(iteration);
            for part in missing.into_iter().filter(|&part| shard.is_none_or(|shard| shard.holds(part))) {
                let Some(pairs) = self.play_part(&terms, iteration, part, &point)? else { return Ok(true) };
                file.add(iteration, part, pairs)?;
                self.state.insert(iteration, part, pairs)?;
                watch(&self.state);
            }
            if shard.is_some() {
                return Ok(false);
            }
        }
    }

    /// Plays a part; `None` when Ctrl-C ends it.
    fn play_part(
        &self,
        terms: &TuningTerms,
        iteration: u32,
        part: u32,
        point: &[f64],
    ) -> Result<Option<Pentanomial>> {
        let distance = terms.gains().distance(iteration);
        let signs = terms.signs(iteration, part);
        let [plus, minus] = [1.0, -1.0].map(|side| -> Result<Contestant> {
            let moved: Vec<f64> =
                point.iter().zip(&signs).map(|(place, sign)| place + side * distance * sign).collect();
            terms.player_at(&moved).parse().map_err(|error: String| anyhow!(error))
        });
        let contest = Match {
            players: vec![plus?, minus?],
            format: MatchFormat::default(),
            pairs: terms.pairs,
            shard: Shard::WHOLE,
            openings: self.openings.with_seed(terms.part_seed(iteration, part)),
            sprt: None,
            // The players are built in and have no deadline.
            time_control: TimeControl { movetime: None, deadline: Duration::MAX, startup: Duration::MAX },
            max_plies: PLY_LIMIT,
            threads: self.threads,
            recording: None,
        };
        let table = contest.play(|_| {}).map_err(|error| error.cause)?;
        Ok((!table.interrupted).then(|| table.first().pentanomial))
    }
}

#[cfg(test)]
mod tests {
    use super::super::joined::join_tunings;
    use super::super::tuning_file::tests::terms;
    use super::*;

    fn run(name: &str, terms: &TuningTerms, shard: Option<&str>) -> TuningState {
        let (mut file, state, _) = TuningFile::go_on(name, terms).unwrap();
        let openings = Openings::new(barrow_core::minions::Ruleset::Server, (1, 1), &[], 0, 1).unwrap();
        let mut run = TuningRun { state, openings, threads: 2 };
        run.play(&mut file, shard.map(|text| text.parse().unwrap()), |_| {}).unwrap();
        run.state
    }

    #[test]
    fn shares_played_apart_and_joined_are_the_tuning_played_in_one_piece() {
        let terms = TuningTerms { iterations: 2, parts: 3, pairs: 1, ..terms() };
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        run(&path("whole"), &terms, None);
        let (joined, shares) = (path("joined"), ["0", "1"].map(path));
        for iteration in 0..2 {
            for (index, share) in shares.iter().enumerate() {
                if iteration > 0 {
                    std::fs::copy(&joined, share).unwrap();
                }
                let state = run(share, &terms, Some(&format!("{index}/2")));
                assert_eq!(state.missing(iteration).len(), [1, 2][index]);
            }
            // The second share twice: it counts once.
            let names = [shares[0].clone(), shares[1].clone(), shares[1].clone()];
            let counts = join_tunings(&names, &joined, true).unwrap();
            assert_eq!((counts.parts as u32, counts.place.iteration), (3 * (iteration + 1), iteration + 1));
            assert!(counts.twice > 0 && counts.differing == 0 && counts.damage.is_empty());
        }
        let mut whole: Vec<String> =
            std::fs::read_to_string(path("whole")).unwrap().lines().map(str::to_owned).collect();
        whole.sort_unstable_by_key(|line| (!line.contains("barrow_tuning"), line.clone()));
        assert_eq!(std::fs::read_to_string(&joined).unwrap().lines().collect::<Vec<_>>(), whole);
    }
}
