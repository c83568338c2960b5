//! Run of a tuning: plays the parts that are missing.

use anyhow::Result;

use super::tuning_file::{TuningFile, TuningState};
use crate::matches::elo::Pentanomial;
use crate::shard::Shard;

/// Comparer of two players of a part, as the command line names them.
pub trait Comparer {
    /// Pairs of games, by the points of the first player; `None` when Ctrl-C ended them. Openings follow from the seed. Where
    /// both play against others, pairs of the second player count with its points turned round.
    fn compare(&self, players: [&str; 2], pairs: u32, seed: u64) -> Result<Option<Pentanomial>>;
}

/// Run of a tuning.
#[derive(Debug)]
pub struct TuningRun<C> {
    /// Games played so far.
    pub state: TuningState,
    /// Comparer of the points of a part.
    pub comparer: C,
}

impl<C: Comparer> TuningRun<C> {
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
                let [one, other] = terms.players(iteration, part, &point);
                let seed = terms.part_seed(iteration, part);
                let found = self.comparer.compare([&one, &other], terms.pairs, seed)?;
                let Some(pairs) = found else { return Ok(true) };
                file.add(iteration, part, pairs)?;
                self.state.insert(iteration, part, pairs)?;
                watch(&self.state);
            }
            if shard.is_some() {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::joined::join_tunings;
    use super::super::search_comparer::SearchComparer;
    use super::super::terms::TuningTerms;
    use super::super::tuning_file::tests::terms;
    use super::*;
    use crate::matches::Openings;

    fn run(name: &str, terms: &TuningTerms, shard: Option<&str>) -> TuningState {
        let (mut file, state, _) = TuningFile::go_on(name, terms).unwrap();
        let openings = Openings::new(barrow_core::minions::Ruleset::Server, (1, 1), &[], 0, 1).unwrap();
        let mut run = TuningRun { state, comparer: SearchComparer { openings, threads: 2 } };
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
