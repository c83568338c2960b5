//! Union of results files of one match: every pair once, and what the pairs in order say.

use anyhow::{Context, Result};
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use super::cross_table::CrossTable;
use super::elo::{self, Pentanomial, Sprt};
use super::results_file::MatchResults;
use super::schedule::MatchFormat;
use crate::io::OutputFile;
use crate::records::Damage;
use crate::say;
use crate::text::counted::counted;

/// Counts of a union of results files.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JoinedResults {
    /// Pairs that were written.
    pub pairs: usize,
    /// Pairs that came again and were left out.
    pub twice: usize,
    /// Pairs among these with other games than before, as players with a time per turn have them.
    pub differing: usize,
    /// Damage that was left out, each with the file and the place.
    pub damage: Damage,
    /// Verdict of the pairs in order; `None` for a match of several players.
    pub contest: Option<JoinedContest>,
}

/// Result of the pairs of a match of two players up to the first that is missing, or to the one on which a sequential test
/// decides: it is the same in whatever order the pairs were finished.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct JoinedContest {
    /// Pairs that count.
    pairs: u32,
    /// Games that count.
    games: u32,
    /// Games that a won.
    wins: u32,
    /// Games that a lost.
    losses: u32,
    /// Games that nobody won.
    draws: u32,
    /// Pairs of games by the points of a: 0, 1/2, 1, 3/2, 2.
    pentanomial: Pentanomial,
    /// Strength of a over b in Elo.
    elo: f64,
    /// Half the width of its 95 % confidence interval; where an end of that is cut off, the distance of the farther end.
    elo_error: f64,
    /// Log-likelihood ratio of the sequential test; null without a test.
    llr: Option<f64>,
    /// Accepted hypothesis, `H0` or `H1`; null while the test is undecided.
    accepted: Option<&'static str>,
    /// Number of pairs after which the test decided.
    decided_at: Option<u32>,
}

impl JoinedContest {
    /// Prints the result for people.
    pub fn print(&self) {
        let JoinedContest { pairs, games, wins, losses, draws, pentanomial, elo, elo_error, .. } = self;
        let (pairs, games) = (counted(pairs, "pair"), counted(games, "game"));
        say!("in order: {pairs}, {games}: a won {wins}, lost {losses}, drew {draws}");
        say!("pairs by a's points 0, 1/2, 1, 3/2, 2: {pentanomial:?}");
        say!("Elo of a over b: {elo:+.1} ± {elo_error:.1} (95 %)");
        if let Some(llr) = self.llr {
            say!("sequential test: LLR {llr:+.2}, accepted {}", self.accepted.unwrap_or("nothing yet"));
        }
    }
}

/// Writes the pairs of results files of one match, each once and in order, to a file that gets its name when it is whole.
/// Of a pair that comes twice the first counts. Fails when a file cannot be read or is of another match.
pub fn join_results(
    names: &[String],
    output: &str,
    force: bool,
    sprt: Option<Sprt>,
) -> Result<JoinedResults> {
    let named = || output.to_owned();
    let mut file = OutputFile::create(output, force).with_context(named)?;
    let (mut joined, mut results) = (JoinedResults::default(), MatchResults::default());
    for name in names {
        let (more, warning) = MatchResults::read(name)?;
        let [twice, differing] = results.join(more).with_context(|| name.clone())?;
        joined.twice += twice;
        joined.differing += differing;
        joined.damage.extend(warning);
    }
    joined.pairs = results.pairs.len();
    joined.contest = contest(&results, sprt);
    file.save_text(&format!("{}\n", results.lines()?.join("\n"))).with_context(named)?;
    Ok(joined)
}

/// Verdict of the pairs in order on two players.
fn contest(results: &MatchResults, sprt: Option<Sprt>) -> Option<JoinedContest> {
    let terms = results.terms.as_ref()?;
    let format = MatchFormat::from_str(&terms.format, false).ok()?;
    let mut table = CrossTable::new(format.encounters(terms.players.len()));
    if table.encounters.len() != 1 {
        return None;
    }
    let accepted = |table: &CrossTable| sprt?.accepted(&table.first().pentanomial);
    for (due, (number, pair)) in (0..).zip(&results.pairs) {
        if due != *number || accepted(&table).is_some() {
            break;
        }
        table.add(*number, pair);
    }
    let (result, accepted) = (table.first(), accepted(&table));
    let elo = elo::elo(&result.pentanomial);
    Some(JoinedContest {
        pairs: table.pairs(),
        games: result.games(),
        wins: result.wins,
        losses: result.losses,
        draws: result.draws,
        pentanomial: result.pentanomial,
        elo: elo.value,
        elo_error: elo.error,
        llr: sprt.map(|sprt| sprt.llr(&result.pentanomial)),
        accepted,
        decided_at: accepted.map(|_| table.pairs()),
    })
}
