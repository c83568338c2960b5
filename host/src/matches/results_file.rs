//! Results file of a match: the terms of the match on the first line, and behind it the result of every pair of games as it
//! is finished, one JSON object a line. A match that was killed or ended goes on with the pairs that the file lacks.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Seek, SeekFrom, Write};

use anyhow::{Context, Result, bail, ensure};
use barrow_core::minions::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fault::Fault;
use super::game::{GameEnding, PlayedGame};
use super::lateness::Lateness;
use super::result::GamePair;
use crate::io::{LineEnd, is_gzip, read_line};
use crate::text::quoted::quoted;

/// Longest line of a results file in bytes; one with two long fault texts has a tenth of it.
const LINE_CAP: usize = 1 << 20;

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
}

/// Results file that is being written.
#[derive(Debug)]
pub struct ResultsFile {
    name: String,
    file: File,
}

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
    /// Begins a file. Fails when a file of this name exists, unless `force` says that it is to be replaced.
    pub fn create(name: &str, force: bool, terms: &MatchTerms) -> Result<ResultsFile> {
        ensure!(!is_gzip(name), "{name}: results are not compressed");
        let mut options = OpenOptions::new();
        options.write(true).create_new(!force).create(force).truncate(force);
        let file = options.open(name).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                anyhow::anyhow!("exists already; --resume goes on with it, --force replaces it")
            }
            _ => error.into(),
        });
        let mut results = ResultsFile { name: name.to_owned(), file: file.with_context(|| name.to_owned())? };
        results.write(&header_line(terms)?)?;
        Ok(results)
    }

    /// Goes on with a file, or begins one that does not exist. Returns its pairs, and what is to be said of a last line that
    /// was damaged and is dropped. Fails when the file is of another match, or damaged elsewhere.
    pub fn go_on(name: &str, terms: &MatchTerms) -> Result<(ResultsFile, KnownPairs, Option<String>)> {
        if !fs::exists(name).with_context(|| name.to_owned())? {
            return Ok((ResultsFile::create(name, false, terms)?, KnownPairs::default(), None));
        }
        let (pairs, length, dropped) = read(name, terms).with_context(|| name.to_owned())?;
        let mut file = OpenOptions::new().write(true).open(name).with_context(|| name.to_owned())?;
        file.set_len(length).with_context(|| name.to_owned())?;
        file.seek(SeekFrom::End(0)).with_context(|| name.to_owned())?;
        let mut results = ResultsFile { name: name.to_owned(), file };
        if length == 0 {
            results.write(&header_line(terms)?)?;
        }
        let warning = dropped.map(|line| format!("{name}: line {line} is damaged and dropped"));
        Ok((results, KnownPairs(pairs), warning))
    }

    /// Adds the pair with this number.
    pub(super) fn add(&mut self, number: u32, pair: &GamePair) -> Result<()> {
        let line = PairLine { pair: number, games: pair.each_ref().map(GameLine::new) };
        self.write(&serde_json::to_string(&line)?)
    }

    /// Writes a line in one piece.
    fn write(&mut self, line: &str) -> Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes()).with_context(|| self.name.clone())
    }
}

fn header_line(terms: &MatchTerms) -> Result<String> {
    Ok(serde_json::to_string(&Header { barrow_match: VERSION, terms: terms.clone() })?)
}

/// Reads a file: its pairs, the length of what is whole, and the number of a damaged last line.
fn read(name: &str, terms: &MatchTerms) -> Result<(BTreeMap<u32, GamePair>, u64, Option<usize>)> {
    let mut file = BufReader::new(File::open(name)?);
    let (mut pairs, mut number, mut line) = (BTreeMap::new(), 0, Vec::new());
    let mut length = 0;
    loop {
        let end = read_line(&mut file, LINE_CAP, &mut line)?;
        number += 1;
        match end {
            LineEnd::TooLong => bail!("line {number}: too long for results of a match"),
            LineEnd::Input if line.is_empty() => return Ok((pairs, length, None)),
            LineEnd::Input => {
                // The program was killed at this line. A file of another kind is not touched.
                let begun = number > 1 || header_line(terms)?.as_bytes().starts_with(&line);
                ensure!(begun, "line 1: no results of a match");
                return Ok((pairs, length, Some(number)));
            }
            LineEnd::LineFeed => {}
        }
        let parsed =
            if number == 1 { check_header(&line, terms).map(|()| None) } else { parse_pair(&line).map(Some) };
        match parsed {
            Ok(None) => {}
            Ok(Some((pair, games))) => {
                let twice = pairs.insert(pair, games).is_some();
                ensure!(!twice, "line {number}: pair {pair} stands there twice");
            }
            Err(error) => {
                let is_last =
                    matches!(read_line(&mut file, 1, &mut line)?, LineEnd::Input) && line.is_empty();
                if is_last && number > 1 {
                    return Ok((pairs, length, Some(number)));
                }
                return Err(error.context(format!("line {number}")));
            }
        }
        length = file.stream_position()?;
    }
}

/// Fails, with the first difference, when a first line is not that of a match with these terms.
fn check_header(line: &[u8], terms: &MatchTerms) -> Result<()> {
    let header: Header = serde_json::from_slice(line).ok().context("no results of a match")?;
    ensure!(header.barrow_match == VERSION, "results of version {}, not {VERSION}", header.barrow_match);
    let (there, here) = (serde_json::to_value(&header.terms)?, serde_json::to_value(terms)?);
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

fn parse_pair(line: &[u8]) -> Result<(u32, GamePair)> {
    let PairLine { pair, games: [first, second] } = serde_json::from_slice(line)?;
    Ok((pair, [first.game()?, second.game()?]))
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
        }
    }

    fn game(self) -> Result<PlayedGame> {
        let ending = match self.fault {
            Some((name, fault)) => GameEnding::Fault(side(&name)?, fault),
            None if self.ply_limit => GameEnding::PlyLimit,
            None => GameEnding::Points,
        };
        let winner = self.winner.as_deref().map(side).transpose()?;
        Ok(PlayedGame { winner, plies: self.plies, ending, lateness: self.lateness })
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
            max_plies: 400,
        }
    }

    fn pair(plies: u32) -> GamePair {
        let mut late = Lateness::default();
        late.count(std::time::Duration::from_millis(7));
        let fault = GameEnding::Fault(Side::Blue, Fault::Illegal("no \"turn\"\n".to_owned()));
        [
            PlayedGame {
                winner: Some(Side::Yellow),
                plies,
                ending: fault,
                lateness: [late, Lateness::default()],
            },
            PlayedGame { winner: None, plies: 400, ending: GameEnding::PlyLimit, lateness: [late; 2] },
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
        let whole = fs::read(&name).unwrap();
        let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count() - 1;
        for length in 0..=whole.len() {
            fs::write(&name, &whole[..length]).unwrap();
            let (mut file, known, warning) = ResultsFile::go_on(&name, &terms(1)).unwrap();
            let cut = length > 0 && whole[length - 1] != b'\n';
            let damaged = cut.then(|| format!("line {} is damaged", lines(&whole[..length]) + 1));
            assert_eq!(warning.is_some(), cut, "{length}");
            assert!(damaged.is_none_or(|text| warning.unwrap().contains(&text)));
            assert_eq!(known.len(), lines(&whole[..length]).saturating_sub(1));
            assert!(known.0.iter().all(|(&number, games)| *games == pair(number)));
            file.add(7, &pair(7)).unwrap();
            let (_, again, warning) = ResultsFile::go_on(&name, &terms(1)).unwrap();
            assert!(again.len() == known.len() + 1 && warning.is_none());
        }
        // A last line that is whole and means nothing is dropped, too; one in the middle is not.
        fs::write(&name, [&whole[..], b"{\"pair\":9}\n"].concat()).unwrap();
        assert!(ResultsFile::go_on(&name, &terms(1)).unwrap().2.unwrap().contains("line 5 is damaged"));
        assert_eq!(fs::read(&name).unwrap(), whole);
        let (head, tail) = whole.split_at(whole.len() / 2);
        for (bytes, fault) in [
            ([head, b"\n", tail].concat(), ": line"),
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
        ResultsFile::create(&name, false, &terms(1)).unwrap();
        let error = format!("{:#}", ResultsFile::go_on(&name, &terms(2)).unwrap_err());
        assert!(error.ends_with("line 1: results of another match: seed 1 there and 2 here"), "{error}");
        assert!(ResultsFile::create("x.gz", true, &terms(1)).is_err());
    }
}
