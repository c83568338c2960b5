//! Results file of a match: the terms of the match on the first line, and behind it the result of every pair of games as it
//! is finished, one JSON object a line. A match that was killed or ended goes on with the pairs that the file lacks.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use barrow_core::minions::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fault::Fault;
use super::game::{GameEnding, PlayedGame};
use super::lateness::Lateness;
use super::result::GamePair;
use crate::io::{Journal, JournalLines, JsonFault, read_journal};
use crate::text::quoted::quoted;

/// Version of the file.
const VERSION: u32 = 1;

/// Terms of a match, on which the games depend; another number of games is none of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchTerms {
    /// Players in order.
    pub players: Vec<String>,
    /// Format, `round-robin` or `gauntlet`.
    pub format: String,
    /// Openings in words.
    pub openings: String,
    /// Seed of openings and players.
    pub seed: u64,
    /// Time per turn of UMI engines in milliseconds.
    pub movetime: Option<u64>,
    /// Clock of UMI engines for a game, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Turns after which a game is a draw.
    pub max_plies: u32,
}

/// First line of a file.
#[derive(Serialize, Deserialize)]
struct Header {
    barrow_match: u32,
    #[serde(flatten)]
    terms: MatchTerms,
}

/// Line of a pair.
#[derive(Serialize, Deserialize)]
struct PairLine {
    pair: u32,
    games: [GameLine; 2],
}

/// Game of a pair.
#[derive(Serialize, Deserialize)]
struct GameLine {
    /// Name of the winner; none in a draw.
    winner: Option<String>,
    plies: u32,
    /// Name of the side that lost by a fault, and the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<(String, Fault)>,
    /// Whether the game was drawn by the limit of plies.
    ply_limit: bool,
    lateness: [Lateness; 2],
    /// Missing in files of programs that did not count.
    #[serde(default)]
    longest_requests: [u16; 2],
}

/// Results file that is being written.
#[derive(Debug)]
pub struct ResultsFile(Journal);

/// Pairs of a results file by their numbers.
#[derive(Debug, Default)]
pub struct KnownPairs(pub(super) BTreeMap<u32, GamePair>);

impl KnownPairs {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ResultsFile {
    /// Opens a file for the results of a match, which begins with the first of them. Fails when a file of this name exists, unless `force` says that it is to be replaced.
    pub fn create(name: &str, force: bool, terms: &MatchTerms) -> Result<ResultsFile> {
        Journal::create(name, force, &header_line(terms)?).map(ResultsFile)
    }

    /// Goes on with a file, or begins one that does not exist. Returns its pairs, and what is to be said of a last line that
    /// was damaged and is dropped. Fails when the file is of another match, damaged elsewhere, or written by another process.
    pub fn go_on(name: &str, terms: &MatchTerms) -> Result<(ResultsFile, KnownPairs, Option<String>)> {
        if !fs::exists(name).with_context(|| name.to_owned())? {
            return Ok((ResultsFile::create(name, false, terms)?, KnownPairs::default(), None));
        }
        let first = header_line(terms)?;
        let expected = Some((terms.clone(), first.clone()));
        let mut results = MatchResults { expected, ..MatchResults::default() };
        let (journal, whole) = Journal::go_on(name, &mut results, &first)?;
        Ok((ResultsFile(journal), KnownPairs(results.pairs), whole.warning(name)))
    }

    /// Whether the file is one of this match already.
    pub fn is_begun(&self) -> bool {
        self.0.is_begun()
    }

    /// Adds the pair with this number.
    pub(super) fn add(&mut self, number: u32, pair: &GamePair) -> Result<()> {
        self.0.add(&pair_line(number, pair)?)
    }
}

/// Pair of games with its number.
pub struct NumberedPair {
    number: u32,
    pair: GamePair,
}

/// Content of a results file.
#[derive(Debug, Default)]
pub struct MatchResults {
    /// Terms of the match; `None` before the first line.
    pub(super) terms: Option<MatchTerms>,
    /// Pairs by their numbers.
    pub(super) pairs: BTreeMap<u32, GamePair>,
    /// Terms that the file must have, as its first line.
    expected: Option<(MatchTerms, String)>,
}

impl MatchResults {
    /// Reads the file of any match. Returns what it holds, and what is to be said of a last line that was damaged.
    pub fn read(name: &str) -> Result<(MatchResults, Option<String>)> {
        let mut results = MatchResults::default();
        let whole = read_journal(name, &mut results).with_context(|| name.to_owned())?;
        Ok((results, whole.warning(name)))
    }

    /// Adds the pairs of another file of the same match, but for those that are there already. Returns how many were there,
    /// and how many of these had other games. Fails when it is another match.
    pub(super) fn join(&mut self, other: MatchResults) -> Result<[usize; 2]> {
        match (&self.terms, &other.terms) {
            (Some(here), Some(there)) => check_terms(there, here)?,
            (None, terms) => self.terms.clone_from(terms),
            (Some(_), None) => {}
        }
        let (mut twice, mut differing) = (0, 0);
        for (number, pair) in other.pairs {
            match self.pairs.get(&number) {
                Some(known) => {
                    twice += 1;
                    differing += usize::from(*known != pair);
                }
                None => {
                    self.pairs.insert(number, pair);
                }
            }
        }
        Ok([twice, differing])
    }

    /// Lines of a file with these results, the pairs in order.
    pub(super) fn lines(&self) -> Result<Vec<String>> {
        let first = self.terms.iter().map(header_line);
        first.chain(self.pairs.iter().map(|(number, pair)| pair_line(*number, pair))).collect()
    }
}

impl JournalLines for MatchResults {
    type Item = NumberedPair;

    const FOREIGN: &'static str = "no results of a match";

    fn expected(&self) -> Option<&str> {
        self.expected.as_ref().map(|(_, line)| line.as_str())
    }

    fn first(&mut self, line: &[u8]) -> Result<()> {
        let header: Header = serde_json::from_slice(line).ok().context(Self::FOREIGN)?;
        ensure!(header.barrow_match == VERSION, "results of version {}, not {VERSION}", header.barrow_match);
        if let Some((terms, _)) = &self.expected {
            check_terms(&header.terms, terms)?;
        }
        self.terms = Some(header.terms);
        Ok(())
    }

    fn parse(line: &[u8]) -> Result<NumberedPair> {
        let PairLine { pair, games: [first, second] } = serde_json::from_slice(line).map_err(JsonFault)?;
        Ok(NumberedPair { number: pair, pair: [first.game()?, second.game()?] })
    }

    fn add(&mut self, NumberedPair { number, pair }: NumberedPair) -> Result<()> {
        ensure!(self.pairs.insert(number, pair).is_none(), "pair {number} stands there twice");
        Ok(())
    }
}

fn header_line(terms: &MatchTerms) -> Result<String> {
    Ok(serde_json::to_string(&Header { barrow_match: VERSION, terms: terms.clone() })?)
}

fn pair_line(number: u32, pair: &GamePair) -> Result<String> {
    let line = PairLine { pair: number, games: pair.each_ref().map(GameLine::new) };
    Ok(serde_json::to_string(&line)?)
}

/// Fails, with the first difference, when terms are not those of this match.
fn check_terms(there: &MatchTerms, here: &MatchTerms) -> Result<()> {
    let (there, here) = (serde_json::to_value(there)?, serde_json::to_value(here)?);
    let (Value::Object(there), Value::Object(here)) = (there, here) else { return Ok(()) };
    for (key, value) in &here {
        let other = there.get(key).unwrap_or(&Value::Null);
        ensure!(
            value == other,
            "results of another match: {} {} there and {} here",
            key.replace('_', " "),
            quoted(&other.to_string()),
            quoted(&value.to_string())
        );
    }
    Ok(())
}

fn side(name: &str) -> Result<Side> {
    Side::ALL
        .into_iter()
        .find(|side| side.name() == name)
        .with_context(|| format!("no side {}", quoted(name)))
}

impl GameLine {
    fn new(game: &PlayedGame) -> GameLine {
        let fault = match &game.ending {
            GameEnding::Fault(side, fault) => Some((side.name().to_owned(), fault.clone())),
            GameEnding::Points | GameEnding::PlyLimit => None,
        };
        GameLine {
            winner: game.winner.map(|side| side.name().to_owned()),
            plies: game.plies,
            fault,
            ply_limit: game.ending == GameEnding::PlyLimit,
            lateness: game.lateness,
            longest_requests: game.longest_requests,
        }
    }

    fn game(self) -> Result<PlayedGame> {
        let ending = match self.fault {
            Some((name, fault)) => GameEnding::Fault(side(&name)?, fault),
            None if self.ply_limit => GameEnding::PlyLimit,
            None => GameEnding::Points,
        };
        let winner = self.winner.as_deref().map(side).transpose()?;
        let (lateness, longest_requests) = (self.lateness, self.longest_requests);
        Ok(PlayedGame { winner, plies: self.plies, ending, lateness, longest_requests })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(seed: u64) -> MatchTerms {
        MatchTerms {
            players: vec!["greedy".to_owned(), "cmd:engine".to_owned()],
            format: "round-robin".to_owned(),
            openings: "1-4 boards".to_owned(),
            seed,
            movetime: None,
            clock: None,
            max_plies: 400,
        }
    }

    fn pair(plies: u32) -> GamePair {
        let mut late = Lateness::default();
        late.count(std::time::Duration::from_millis(7), std::time::Duration::from_millis(2));
        let fault = GameEnding::Fault(Side::Blue, Fault::Illegal("no \"turn\"\n".to_owned()));
        [
            PlayedGame {
                winner: Some(Side::Yellow),
                plies,
                ending: fault,
                lateness: [late, Lateness::default()],
                longest_requests: [0, 70],
            },
            PlayedGame {
                winner: None,
                plies: 400,
                ending: GameEnding::PlyLimit,
                lateness: [late; 2],
                longest_requests: [9, 0],
            },
        ]
    }

    #[test]
    fn a_file_that_was_cut_anywhere_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("results").display().to_string();
        let mut file = ResultsFile::create(&name, false, &terms(1)).unwrap();
        assert!(ResultsFile::create(&name, false, &terms(1)).unwrap_err().to_string().contains("results"));
        for number in [1, 0, 3] {
            file.add(number, &pair(number)).unwrap();
        }
        drop(file);
        let whole = fs::read(&name).unwrap();
        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count() - 1;
        for length in 0..=whole.len() {
            fs::write(&name, &whole[..length]).unwrap();
            let (mut file, known, warning) = ResultsFile::go_on(&name, &terms(1)).unwrap();
            let cut = length > 0 && whole[length - 1] != b'\n';
            let told = cut.then(|| format!("line {} is cut off", lines(&whole[..length]) + 1));
            assert_eq!(warning.is_some(), cut, "{length}");
            assert!(told.is_none_or(|text| warning.unwrap().contains(&text)));
            assert_eq!(known.len(), lines(&whole[..length]).saturating_sub(1));
            assert!(known.0.iter().all(|(&number, games)| *games == pair(number)));
            file.add(7, &pair(7)).unwrap();
            drop(file);
            let (_, again, warning) = ResultsFile::go_on(&name, &terms(1)).unwrap();
            assert!(again.len() == known.len() + 1 && warning.is_none());
        }
        let (head, tail) = whole.split_at(whole.len() / 2);
        for (bytes, fault) in [
            ([head, b"\n", tail].concat(), ": line"),
            // A last line that is whole was not cut off.
            ([&whole[..], b"{\"pair\":9}\n"].concat(), "results: line 5: "),
            ([&whole[..], whole.split_inclusive(|&byte| byte == b'\n').nth(1).unwrap()].concat(), "twice"),
            (b"a diary".to_vec(), "line 1: no results of a match"),
            (b"a diary\nof a cat\n".to_vec(), "line 1: no results of a match"),
        ] {
            fs::write(&name, &bytes).unwrap();
            let error = format!("{:#}", ResultsFile::go_on(&name, &terms(1)).unwrap_err());
            assert!(error.contains(fault), "{error}");
            assert_eq!(fs::read(&name).unwrap(), bytes);
        }
    }

    #[test]
    fn results_of_another_match_are_refused_by_their_first_difference() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("results").display().to_string();
        ResultsFile::create(&name, false, &terms(1)).unwrap().add(0, &pair(0)).unwrap();
        let error = format!("{:#}", ResultsFile::go_on(&name, &terms(2)).unwrap_err());
        assert!(error.ends_with("line 1: results of another match: seed 1 there and 2 here"), "{error}");
        assert!(ResultsFile::create("x.gz", true, &terms(1)).is_err());
    }
}
