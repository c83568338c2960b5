//! Analysis queries: one JSON object a line, read into the positions to search.
//!
//! A line is checked as a whole before any of its positions is searched, so a query is either answered in full or refused
//! with one error.

use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, GameConfig, GameTurn, Ruleset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::io::JsonFault;
use crate::notation::FEN_SEED;
use crate::text::quoted::quoted;
use barrow_session::notation::read_turn;
use barrow_session::review::GameUnderReview;

/// Positions of one query at most.
pub const POSITION_CAP: usize = 4096;

/// Win chance that a blunder gives away unless the query says how much.
const BLUNDER: f64 = 0.1;

/// Candidates that an answer lists unless the query says how many.
const CANDIDATES: usize = 5;

/// Analysis query: positions to search, and how.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// Name of the query, which its answers repeat. No two unfinished queries have the same one.
    pub id: String,
    /// Position in FEN, or `startpos`, which is the default.
    #[serde(default)]
    pub position: Option<String>,
    /// Several positions instead of one.
    #[serde(default)]
    pub positions: Option<Vec<String>>,
    /// Turns played from `position`, each as lines of UMI; `turn` and `endturn` around the actions may be left out.
    #[serde(default)]
    pub turns: Vec<Vec<String>>,
    /// Numbers of turns after which to search, 0 for the position itself; by default after all of `turns`.
    #[serde(default)]
    pub after: Vec<usize>,
    /// `server` or `spooky`: rules of positions that do not say. By default `server` for the start position and `spooky`
    /// for positions in Spooky's form.
    #[serde(default)]
    pub ruleset: Option<String>,
    /// Points, maps and techs of positions that do not say, as behind `config` in UMI.
    #[serde(default)]
    pub config: Option<String>,
    /// Time to search each position, in milliseconds; by default that of the command line, but none where `nodes` is given.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// Nodes to search in each position.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Positions of a query with a greater priority are searched first; 0 by default.
    #[serde(default)]
    pub priority: i64,
    /// Candidates to list at most; 5 by default.
    #[serde(default)]
    pub candidates: Option<usize>,
    /// Whether to send results so far about once a second.
    #[serde(default)]
    pub progress: bool,
    /// Whether to review the game of `position` and `turns`: all positions of it are searched, and behind the last answer
    /// a line has the review.
    #[serde(default)]
    pub review: bool,
    /// Win chance that a blunder gives away in a review; 0.1 by default.
    #[serde(default)]
    pub blunder: Option<f64>,
    /// Parts of answers to be sent besides.
    #[serde(default)]
    pub include: Vec<Part>,
}

/// Part of an answer that is sent only on request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Net report: what the nets say without a search, with the chances of Death Prophet.
    Nets,
    /// Statistics of every stage at the root of the search.
    Tree,
}

/// Request that is no query.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, tag = "action", rename_all = "lowercase")]
pub enum Action {
    /// Ends a query, or all of them: positions under search are answered with what was found, all others without.
    Cancel {
        /// Name of the request, which the answer repeats.
        id: String,
        /// Name of the query to end; by default all.
        #[serde(default)]
        query: Option<String>,
    },
    /// Asks for the version of the program and its network.
    Version {
        /// Name of the request, which the answer repeats.
        id: String,
    },
}

/// Line of input after parsing.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Analyze(Box<Query>),
    Act(Action),
}

/// Refusal of a line: the name of the query as far as it is known, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    pub(super) id: Option<String>,
    pub(super) error: String,
}

/// Reads a line.
pub(super) fn read(line: &str) -> Result<Request, Refusal> {
    let refusal = |id: Option<String>, error: String| Refusal { id, error };
    let value: Value = serde_json::from_str(line)
        .map_err(|error| refusal(None, format!("no JSON: {}", JsonFault(error))))?;
    let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
    if !value.is_object() {
        return Err(refusal(None, "expected a JSON object".to_owned()));
    }
    let request = match value.get("action") {
        // Out of the line once more, for the column of what is wrong.
        Some(_) => serde_json::from_str(line).map(Request::Act),
        None => serde_json::from_str(line).map(|query| Request::Analyze(Box::new(query))),
    };
    request.map_err(|error| refusal(id, JsonFault(error).to_string()))
}

/// Position of a query with its place in it.
#[derive(Clone, Debug)]
pub(super) struct QueriedPosition {
    /// Index among `positions`, 0 where there is only one.
    pub(super) index: usize,
    /// Turns played from there.
    pub(super) after: usize,
    pub(super) game: Game,
}

impl Query {
    /// Positions to search, in order, at most `cap`. The error names what is wrong and where.
    pub(super) fn games(&self, cap: usize) -> Result<Vec<QueriedPosition>, String> {
        if self.nodes == Some(0) {
            return Err("nodes must be at least 1".to_owned());
        }
        if self.blunder.is_some_and(|loss| !(loss > 0.0 && loss <= 1.0)) {
            return Err("blunder must be above 0 and at most 1".to_owned());
        }
        if self.review && (self.positions.is_some() || !self.after.is_empty()) {
            return Err("review excludes positions and after".to_owned());
        }
        let Some(positions) = &self.positions else { return self.line_of_play(cap) };
        if positions.is_empty() {
            return Err("positions is empty".to_owned());
        }
        if self.position.is_some() || !self.turns.is_empty() || !self.after.is_empty() {
            return Err("positions excludes position, turns and after".to_owned());
        }
        if positions.len() > cap {
            return Err(format!("more than {cap} positions"));
        }
        let read = |(index, text): (usize, &String)| {
            let game = self.game(text).map_err(|error| format!("positions[{index}]: {error}"))?;
            Ok(QueriedPosition { index, after: 0, game })
        };
        positions.iter().enumerate().map(read).collect()
    }

    fn line_of_play(&self, cap: usize) -> Result<Vec<QueriedPosition>, String> {
        let text = self.position.as_deref().unwrap_or("startpos");
        let mut game = self.game(text).map_err(|error| format!("position: {error}"))?;
        if self.turns.len() >= cap || self.after.len() > cap {
            return Err(format!("more than {cap} positions"));
        }
        let mut all = vec![game.clone()];
        for (index, lines) in self.turns.iter().enumerate() {
            if game.state().is_over() {
                return Err(format!("turns[{index}]: the game is over"));
            }
            let turn = turn_of(&game, lines).map_err(|error| format!("turns[{index}]: {error}"))?;
            game.play(&turn).map_err(|error| format!("turns[{index}]: {error}"))?;
            all.push(game.clone());
        }
        let whole: Vec<usize> = (0..=self.turns.len()).collect();
        let after = match &self.after[..] {
            [] if self.review => &whole[..],
            [] => &whole[self.turns.len()..],
            named => named,
        };
        let pick = |&after: &usize| match all.get(after) {
            Some(game) => Ok(QueriedPosition { index: 0, after, game: game.clone() }),
            None => Err(format!("after: {after} of {} turns", self.turns.len())),
        };
        after.iter().map(pick).collect()
    }

    fn game(&self, text: &str) -> Result<Game, String> {
        let is_start = text.trim() == "startpos";
        let default = if is_start { Ruleset::Server } else { Ruleset::Spooky };
        let rules = match &self.ruleset {
            Some(name) => {
                Ruleset::from_name(name).ok_or_else(|| format!("no such ruleset: {}", quoted(name)))?
            }
            None => default,
        };
        let config = match &self.config {
            Some(line) => fen::parse_config(line, rules).map_err(|error| format!("config: {error}"))?,
            None => GameConfig::default().with_ruleset(rules),
        };
        if is_start {
            return Ok(Game::new(config, FEN_SEED));
        }
        fen::parse_seeded(text, &config, FEN_SEED).map_err(|error| error.to_string())
    }

    /// Game to review, of these positions, where that is asked for.
    pub(super) fn under_review(&self, positions: &[QueriedPosition]) -> Option<GameUnderReview> {
        if !self.review {
            return None;
        }
        let games: Vec<Game> = positions.iter().map(|position| position.game.clone()).collect();
        let turns = self.turns.iter().zip(&games).map_while(|(lines, game)| turn_of(game, lines).ok());
        let (turns, blunder) = (turns.collect(), self.blunder.unwrap_or(BLUNDER));
        Some(GameUnderReview::of_line(games, turns, blunder))
    }

    /// Candidates to list at most.
    pub(super) fn candidates(&self) -> usize {
        self.candidates.unwrap_or(CANDIDATES)
    }

    /// Whether a part of the answers is asked for.
    pub(super) fn wants(&self, part: Part) -> bool {
        self.include.contains(&part)
    }
}

/// Turn of lines in UMI; `turn` and `endturn` may be left out.
fn turn_of(game: &Game, lines: &[String]) -> Result<GameTurn, String> {
    let inner = lines.iter().map(|line| line.trim()).filter(|&line| !matches!(line, "turn" | "endturn"));
    let text = ["turn"].into_iter().chain(inner).collect::<Vec<_>>().join("\n");
    read_turn(game, &text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Result<Vec<QueriedPosition>, String> {
        match read(text) {
            Ok(Request::Analyze(query)) => query.games(POSITION_CAP),
            Ok(Request::Act(action)) => panic!("{action:?}"),
            Err(Refusal { error, .. }) => Err(error),
        }
    }

    #[test]
    fn a_query_names_one_position_several_or_places_in_a_game() {
        let start = query(r#"{"id":"a"}"#).unwrap();
        assert_eq!((start.len(), start[0].index, start[0].after), (1, 0, 0));
        assert_eq!(start[0].game.config().ruleset, Ruleset::Server);
        let two = query(r#"{"id":"a","positions":["startpos","startpos"],"ruleset":"spooky"}"#).unwrap();
        assert_eq!(two.iter().map(|position| position.index).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(two[1].game.config().ruleset, Ruleset::Spooky);
        let game =
            query(r#"{"id":"a","ruleset":"spooky","turns":[["turn","endturn"],[]],"after":[2,0]}"#).unwrap();
        assert_eq!(game.iter().map(|position| position.after).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(game[0].game.state().turn(), game[1].game.state().turn() + 2);
    }

    #[test]
    fn a_bad_query_says_what_is_wrong_and_where() {
        for (text, error) in [
            ("{", "no JSON: column 1: EOF"),
            ("[]", "expected a JSON object"),
            (r#"{"id":7}"#, "column 7: invalid type: integer `7`, expected a string"),
            (r#"{"id":"a","positon":"startpos"}"#, "column 19: unknown field `positon`"),
            (r#"{"id":"a","position":"1|2"}"#, "position: column"),
            (r#"{"id":"a","positions":["startpos","x"]}"#, "positions[1]: column"),
            (r#"{"id":"a","positions":["startpos"],"after":[1]}"#, "positions excludes"),
            (r#"{"id":"a","positions":[]}"#, "positions is empty"),
            (r#"{"id":"a","turns":[["action board 9 move a1a2"]]}"#, "turns[0]: "),
            (r#"{"id":"a","after":[1]}"#, "after: 1 of 0 turns"),
            (r#"{"id":"a","ruleset":"chess"}"#, "position: no such ruleset: chess"),
            (r#"{"id":"a","config":"0"}"#, "position: config: "),
            (r#"{"id":"a","nodes":0}"#, "nodes must be"),
            (r#"{"id":"a","include":["soul"]}"#, "column 27: unknown variant `soul`"),
            (r#"{"id":"a","action":"dance"}"#, "column 26: unknown variant `dance`"),
        ] {
            let refused = query(text).unwrap_err();
            assert!(refused.starts_with(error), "{text}: {refused}");
        }
    }

    #[test]
    fn the_queries_of_the_page_are_read() {
        let page = include_str!("../../../docs/analysis.md");
        let requests: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("> ")).map(read).collect();
        assert_eq!(requests.len(), 3);
        for request in requests {
            if let Request::Analyze(query) = request.unwrap() {
                query.games(POSITION_CAP).unwrap();
            }
        }
    }

    #[test]
    fn a_refusal_keeps_the_name_of_the_query() {
        let refusal = read(r#"{"id":"a","nodes":"many"}"#).unwrap_err();
        assert_eq!(refusal.id.as_deref(), Some("a"));
        assert_eq!(read("nonsense").unwrap_err().id, None);
    }
}
