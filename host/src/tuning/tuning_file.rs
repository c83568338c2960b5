//! File of a tuning: its terms on the first line, and behind it what each part showed, one JSON object a line.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::terms::TuningTerms;
use crate::io::{Journal, JournalLines, JsonFault, read_journal};
use crate::matches::elo::Pentanomial;

/// Version of the file.
const VERSION: u32 = 1;

/// First line.
#[derive(Serialize, Deserialize)]
struct Header {
    barrow_tuning: u32,
    #[serde(flatten)]
    terms: TuningTerms,
}

/// Line of a part.
#[derive(Serialize, Deserialize)]
pub struct PartLine {
    iteration: u32,
    part: u32,
    /// Pairs of games by the points of the first point's player.
    pairs: Pentanomial,
}

/// Tuning as far as it has come: the parts that are played.
#[derive(Clone, Debug, Default)]
pub struct TuningState {
    /// Terms; `None` before the first line.
    terms: Option<TuningTerms>,
    /// Results by iteration and part.
    parts: BTreeMap<(u32, u32), Pentanomial>,
    /// Terms that the file must have, with its first line.
    expected: Option<(TuningTerms, String)>,
}

impl TuningState {
    /// Tuning that has not begun.
    pub fn new(terms: TuningTerms) -> TuningState {
        TuningState { terms: Some(terms), ..TuningState::default() }
    }

    /// Reads the file of any tuning. Returns what is to be said of a last line that was damaged, too.
    pub fn read(name: &str) -> Result<(TuningState, Option<String>)> {
        let mut state = TuningState::default();
        let whole = read_journal(name, &mut state).with_context(|| name.to_owned())?;
        Ok((state, whole.warning(name)))
    }

    /// Terms.
    pub fn terms(&self) -> Option<&TuningTerms> {
        self.terms.as_ref()
    }

    /// Number of parts that are played.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Parts of an iteration that are not played.
    pub fn missing(&self, iteration: u32) -> Vec<u32> {
        let parts = self.terms.as_ref().map_or(0, |terms| terms.parts);
        (0..parts).filter(|&part| !self.parts.contains_key(&(iteration, part))).collect()
    }

    /// First iteration that is not finished, and the point there, the places of the numbers in their ranges; the number of
    /// all iterations and the last point when the tuning is over.
    pub fn point(&self) -> (u32, Vec<f64>) {
        let Some(terms) = &self.terms else { return (0, Vec::new()) };
        let (mut point, gains) = (terms.first_point(), terms.gains());
        for iteration in 0..terms.iterations {
            if !self.missing(iteration).is_empty() {
                return (iteration, point);
            }
            let step = gains.step(iteration) / f64::from(terms.parts.max(1));
            for part in 0..terms.parts {
                let Some(pairs) = self.parts.get(&(iteration, part)) else { continue };
                let outcome = outcome(pairs);
                for (place, sign) in point.iter_mut().zip(terms.signs(iteration, part)) {
                    *place += step * outcome * sign;
                }
            }
            for place in &mut point {
                *place = place.clamp(0.0, 1.0);
            }
        }
        (terms.iterations, point)
    }

    /// Adds what a part showed. Fails when it is there already.
    pub(super) fn insert(&mut self, iteration: u32, part: u32, pairs: Pentanomial) -> Result<()> {
        let known = self.parts.insert((iteration, part), pairs);
        ensure!(known.is_none(), "part {part} of iteration {iteration} stands there twice");
        Ok(())
    }

    /// Adds the parts of another file of the same tuning, but for those that are there already. Returns how many were there,
    /// and how many of these showed something else. Fails when it is another tuning.
    pub(super) fn join(&mut self, other: TuningState) -> Result<[usize; 2]> {
        if let (Some(here), Some(there)) = (&self.terms, &other.terms) {
            ensure!(here == there, "another tuning: its first line differs");
        }
        self.terms = self.terms.take().or(other.terms);
        let (mut twice, mut differing) = (0, 0);
        for (place, pairs) in other.parts {
            match self.parts.get(&place) {
                Some(known) => {
                    twice += 1;
                    differing += usize::from(*known != pairs);
                }
                None => {
                    self.parts.insert(place, pairs);
                }
            }
        }
        Ok([twice, differing])
    }

    /// Lines of a file with these parts, in order.
    pub(super) fn lines(&self) -> Result<Vec<String>> {
        let parts = self.parts.iter().map(|(&(iteration, part), &pairs)| part_line(iteration, part, pairs));
        self.terms.iter().map(header_line).chain(parts).collect()
    }
}

/// Outcome of a part: 1 when the first point's player won everything, -1 when the second's did.
fn outcome(pairs: &Pentanomial) -> f64 {
    let games: u32 = pairs.iter().sum::<u32>() * 2;
    // Half points: twice as many as games when everything is won.
    let halves: u32 = (0..).zip(pairs).map(|(halves, count)| halves * count).sum();
    if games == 0 { 0.0 } else { f64::from(halves) / f64::from(games) - 1.0 }
}

fn header_line(terms: &TuningTerms) -> Result<String> {
    Ok(serde_json::to_string(&Header { barrow_tuning: VERSION, terms: terms.clone() })?)
}

fn part_line(iteration: u32, part: u32, pairs: Pentanomial) -> Result<String> {
    Ok(serde_json::to_string(&PartLine { iteration, part, pairs })?)
}

impl JournalLines for TuningState {
    type Item = PartLine;

    const FOREIGN: &'static str = "no file of a tuning";

    fn expected(&self) -> Option<&str> {
        self.expected.as_ref().map(|(_, line)| line.as_str())
    }

    fn first(&mut self, line: &[u8]) -> Result<()> {
        let header: Header = serde_json::from_slice(line).ok().context(Self::FOREIGN)?;
        ensure!(
            header.barrow_tuning == VERSION,
            "a tuning of version {}, not {VERSION}",
            header.barrow_tuning
        );
        if let Some((terms, _)) = &self.expected {
            ensure!(*terms == header.terms, "another tuning: player, numbers, seed or sizes differ");
        }
        self.terms = Some(header.terms);
        Ok(())
    }

    fn parse(line: &[u8]) -> Result<PartLine> {
        Ok(serde_json::from_slice(line).map_err(JsonFault)?)
    }

    fn add(&mut self, PartLine { iteration, part, pairs }: PartLine) -> Result<()> {
        self.insert(iteration, part, pairs)
    }
}

/// File of a tuning that is being written.
#[derive(Debug)]
pub struct TuningFile(Journal);

impl TuningFile {
    /// Opens a file for the parts of a tuning, which begins with the first of them. Fails when a file of this name exists, unless `force` says that it is to be replaced.
    pub fn create(name: &str, force: bool, terms: &TuningTerms) -> Result<TuningFile> {
        Journal::create(name, force, &header_line(terms)?).map(TuningFile)
    }

    /// Goes on with a file, or begins one that does not exist. Returns what it holds, and what is to be said of a last line
    /// that was damaged. Fails when the file is of another tuning, or written by another process.
    pub fn go_on(name: &str, terms: &TuningTerms) -> Result<(TuningFile, TuningState, Option<String>)> {
        if !fs::exists(name).with_context(|| name.to_owned())? {
            let file = TuningFile::create(name, false, terms)?;
            return Ok((file, TuningState::new(terms.clone()), None));
        }
        let first = header_line(terms)?;
        let expected = Some((terms.clone(), first.clone()));
        let mut state = TuningState { expected, ..TuningState::default() };
        let (journal, whole) = Journal::go_on(name, &mut state, &first)?;
        state.terms.get_or_insert_with(|| terms.clone());
        Ok((TuningFile(journal), state, whole.warning(name)))
    }

    /// Whether the file is one of this tuning already.
    pub(super) fn is_begun(&self) -> bool {
        self.0.is_begun()
    }

    /// Begins a file of no part.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.0.begin()
    }

    /// Adds what a part showed.
    pub(super) fn add(&mut self, iteration: u32, part: u32, pairs: Pentanomial) -> Result<()> {
        self.0.add(&part_line(iteration, part, pairs)?)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use barrow_core::rng::Rng;

    use super::*;
    use crate::matches::elo::expected_score;

    pub(in crate::tuning) fn terms() -> TuningTerms {
        TuningTerms {
            player: "builtin:mcts,nodes=2,hash=4".to_owned(),
            numbers: ["noise=0..1000", "exploration=1000..3000"].map(|text| text.parse().unwrap()).into(),
            start: vec![100, 2800],
            iterations: 60,
            parts: 3,
            pairs: 4,
            perturbation: 0.1,
            first_step: 0.1,
            seed: 5,
            openings: "any".to_owned(),
        }
    }

    #[test]
    fn the_point_moves_to_where_games_are_won_whatever_the_order_of_the_parts() {
        let terms = TuningTerms { iterations: 400, ..terms() };
        let mut state = TuningState::new(terms.clone());
        let mut noise = Rng::new(9);
        let best = [0.7, 0.3];
        let miss = |point: &[f64]| -> f64 { point.iter().zip(best).map(|(a, b)| (a - b).abs()).sum() };
        assert!(miss(&terms.first_point()) > 1.1);
        for iteration in 0..400 {
            let (at, point) = state.point();
            assert_eq!((at, state.missing(at)), (iteration, vec![0, 1, 2]));
            let distance = terms.gains().distance(iteration);
            for part in [2, 0, 1] {
                let signs = terms.signs(iteration, part);
                let [plus, minus] = [1.0, -1.0].map(|side| {
                    let moved: Vec<f64> =
                        point.iter().zip(&signs).map(|(p, s)| p + side * distance * s).collect();
                    miss(&moved)
                });
                let chance = expected_score(600.0 * (minus - plus));
                let mut pairs = [0; 5];
                for _ in 0..4 {
                    let points = (0..2).filter(|_| f64::from(noise.below(1_000_000)) / 1e6 < chance).count();
                    pairs[2 * points] += 1;
                }
                state.insert(iteration, part, pairs).unwrap();
            }
        }
        let (at, point) = state.point();
        assert!(at == 400 && miss(&point) < 0.25, "{point:?}");
        assert!(state.insert(0, 0, [0; 5]).is_err());
    }

    #[test]
    fn outcomes_are_shares_of_the_points() {
        for (pairs, expected) in [
            ([0; 5], 0.0),
            ([4, 0, 0, 0, 0], -1.0),
            ([0, 0, 0, 0, 9], 1.0),
            ([0, 0, 3, 0, 0], 0.0),
            ([0, 0, 0, 2, 0], 0.5),
        ] {
            assert!((outcome(&pairs) - expected).abs() < 1e-12, "{pairs:?}");
        }
    }

    #[test]
    fn a_file_that_was_cut_anywhere_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("tuning").display().to_string();
        let mut file = TuningFile::create(&name, false, &terms()).unwrap();
        for part in [1, 0, 2] {
            file.add(0, part, [part, 0, 0, 0, 4]).unwrap();
        }
        drop(file);
        let whole = std::fs::read(&name).unwrap();
        for length in 0..=whole.len() {
            std::fs::write(&name, &whole[..length]).unwrap();
            let (mut file, state, _) = TuningFile::go_on(&name, &terms()).unwrap();
            for part in state.missing(0) {
                file.add(0, part, [part, 0, 0, 0, 4]).unwrap();
            }
            drop(file);
            let (_, state, warning) = TuningFile::go_on(&name, &terms()).unwrap();
            assert!(state.missing(0).is_empty() && state.point().0 == 1 && warning.is_none());
        }
        let error = TuningFile::go_on(&name, &TuningTerms { seed: 6, ..terms() }).unwrap_err();
        assert!(format!("{error:#}").contains("line 1: another tuning"), "{error:#}");
    }
}
