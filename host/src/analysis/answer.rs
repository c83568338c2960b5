//! Analysis answers: one JSON object a line, each with the name of the query that it answers.

use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::{fen, umi};
use barrow_core::minions::{Game, GameTurn};
use barrow_session::messages::Review;
use schemars::JsonSchema;
use serde::Serialize;

use super::query::{Part, QueriedPosition, Query};
use crate::engine::SearchResult;
use crate::engine::network::StaticNetwork;
use crate::records::root_record::RootRecord;
use crate::text::narrate::Narration;
use crate::text::net_report::NetReport;

/// Answer for one position of a query. Every position gets exactly one with `final`, the last one.
#[derive(Serialize, JsonSchema)]
pub struct Answer {
    /// Name of the query.
    pub id: String,
    /// Index of the position among `positions` of the query.
    pub index: usize,
    /// Turns played from there.
    pub after: usize,
    /// Whether this is the last answer for the position.
    pub r#final: bool,
    /// Whether the query was cancelled before the search had reached its limits.
    pub cancelled: bool,
    /// Position in the extended form of FEN.
    pub fen: String,
    /// Side to move.
    pub side: &'static str,
    /// Result of the search; none where the game is over or a cancelled search had not begun.
    #[serde(flatten)]
    pub analysis: Option<Analysis>,
    /// Result of the game: the name of the winner, or `draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<&'static str>,
    /// Net report of the position, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nets: Option<NetReport>,
}

/// Result of the search of a position, or the result so far. Win chances are those of the side to move, 0 to 1.
#[derive(Serialize, JsonSchema)]
pub struct Analysis {
    /// Win chance by the best turn.
    pub value: f64,
    /// Standard error of `value` by the spread of the visits.
    pub error: f64,
    /// Expected difference of `value` from the win chance at the side's next turn, as it is shown to users, 0 to 1.
    pub expected_error: f64,
    /// Nodes searched.
    pub nodes: u64,
    /// Length of the longest line looked at, in turns.
    pub depth: u8,
    /// Time of the search in seconds.
    pub seconds: f64,
    /// Boards in index order.
    pub boards: Vec<BoardValue>,
    /// Best turn in UMI, `endturn` included.
    pub turn: Vec<String>,
    /// Answer that the search expects, in UMI, where it has seen one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<Vec<String>>,
    /// Candidates, the best first.
    pub candidates: Vec<AnalysedCandidate>,
    /// Statistics of every stage at the root, if asked for; not in results so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<RootRecord>,
    /// Why the turn is not that of the search, if the search broke down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Board of a position by the hand-written evaluation.
#[derive(Serialize, JsonSchema)]
pub struct BoardValue {
    /// Name of the map.
    pub map: &'static str,
    /// Souls by which the side to move is ahead on the board before its turn.
    pub souls: f64,
}

/// Candidate of a search.
#[derive(Serialize, JsonSchema)]
pub struct AnalysedCandidate {
    /// Win chance.
    pub value: f64,
    /// Standard error of `value`.
    pub error: f64,
    /// Expected error as in [`Analysis`].
    pub expected_error: f64,
    /// Visits.
    pub visits: u64,
    /// Turn in UMI, `endturn` included.
    pub turn: Vec<String>,
    /// Turn in a few words.
    pub summary: String,
}

/// Review of the game of a query, behind the answers for its positions, and before with `progress`.
#[derive(Serialize, JsonSchema)]
pub struct Reviewed {
    /// Name of the query.
    pub id: String,
    /// The review.
    pub review: Review,
}

/// Answer to a line that is refused.
#[derive(Serialize, JsonSchema)]
pub struct Refused {
    /// Name of the query; none where it could not be read.
    pub id: Option<String>,
    /// Reason of the refusal: what is wrong, and where.
    pub error: String,
}

/// Answer to a request that is no query.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum Acted {
    /// Positions that were still unfinished when the query was cancelled.
    Cancel {
        /// Name of the request.
        id: String,
        /// Number of these positions.
        cancelled: usize,
    },
    /// Version of the program.
    Version {
        /// Name of the request.
        id: String,
        /// Version of the program.
        version: &'static str,
        /// First hexadecimal digits of the SHA-256 of the network's weights; none without a network.
        network: Option<String>,
    },
}

/// Lines of a turn in UMI, `turn` first and `endturn` last.
fn lines(game: &Game, turn: &GameTurn) -> Vec<String> {
    let text = umi::TurnText::new(game, turn).to_string();
    text.lines().map(str::to_owned).chain(["endturn".to_owned()]).collect()
}

impl Answer {
    /// Final answer for a position that is not searched: the game is over, or the query was cancelled.
    pub(super) fn without_search(query: &Query, position: &QueriedPosition, cancelled: bool) -> Answer {
        let state = position.game.state();
        let result = match state.winner() {
            Some(winner) => Some(winner.name()),
            None => state.is_drawn().then_some("draw"),
        };
        Answer {
            id: query.id.clone(),
            index: position.index,
            after: position.after,
            r#final: true,
            cancelled,
            fen: fen::Extended(&position.game).to_string(),
            side: position.game.side_to_move().name(),
            analysis: None,
            result,
            nets: None,
        }
    }

    /// Answer with the result of a search, or the result so far.
    pub(super) fn of(
        query: &Query,
        position: &QueriedPosition,
        found: &SearchResult,
        network: Option<StaticNetwork>,
        (is_final, cancelled): (bool, bool),
    ) -> Answer {
        let network = network.filter(|_| is_final && query.wants(Part::Nets));
        Answer {
            r#final: is_final,
            analysis: Analysis::of(query, &position.game, found),
            nets: network.map(|network| network.report(&position.game)),
            ..Answer::without_search(query, position, cancelled)
        }
    }
}

impl Analysis {
    fn of(query: &Query, game: &Game, found: &SearchResult) -> Option<Analysis> {
        let best = found.candidates.first()?;
        let boards = game.config().maps().iter().enumerate().map(|(board, map)| BoardValue {
            map: map.name(),
            souls: f64::from(eval::board_score(game, board)) / 100.0,
        });
        let mut after = game.clone();
        let reply = found.reply.as_ref().filter(|_| after.play(&best.turn).is_ok());
        let candidates =
            found.candidates.iter().take(query.candidates()).map(|candidate| AnalysedCandidate {
                value: candidate.value,
                error: candidate.error,
                expected_error: candidate.expected_error,
                visits: candidate.visits,
                turn: lines(game, &candidate.turn),
                summary: Narration::new(game, &candidate.turn).summary(),
            });
        Some(Analysis {
            value: best.value,
            error: best.error,
            expected_error: best.expected_error,
            nodes: found.statistics.nodes,
            depth: found.statistics.depth,
            seconds: found.time.as_secs_f64(),
            boards: boards.collect(),
            turn: lines(game, &best.turn),
            reply: reply.map(|reply| lines(&after, reply)),
            candidates: candidates.collect(),
            tree: found.root.clone(),
            warning: found.breakdown.as_ref().map(ToString::to_string),
        })
    }
}
