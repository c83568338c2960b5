//! Game records of self-play (traces §5) as annotated games, and the other way round. What a record knows of the stages of
//! a search has no place in an annotated game: its value, error and nodes have.

use anyhow::{Result, ensure};
use serde::Deserialize;

use crate::io::JsonFault;
use crate::records::game_record::{GameRecord, Ply, Policy, unsaid};
use barrow_session::notation::AnnotatedGame;
use barrow_session::notation::{Ending, EndingReason, Fault, GameParser, Outcome, tag_line};

/// Comment on a turn of the random policy.
const RANDOM: &str = "random turn";

/// Object of a game record, as far as an annotated game has it.
#[derive(Deserialize)]
#[serde(expecting = "an object with a game record")]
struct RecordLine {
    start: String,
    turns: Vec<String>,
    by: String,
    #[serde(default)]
    roots: Vec<Option<Root>>,
    result: Option<String>,
}

/// Root of a search.
#[derive(Deserialize)]
#[serde(expecting = "an object with the root of a search")]
struct Root {
    nodes: u64,
    value: f64,
    error: f64,
}

/// Feeds a parser with a game record. An error of the outer kind says that the line is none, a fault what is wrong with
/// the game.
pub fn feed(parser: &mut GameParser, text: &str) -> Result<Result<(), Fault>> {
    let line: RecordLine = serde_json::from_str(text).map_err(JsonFault)?;
    ensure!(line.by.chars().count() == line.turns.len(), "by: not one letter per turn");
    let roots = line.roots.len();
    ensure!(roots == 0 || roots == line.turns.len(), "roots: not one entry per turn");
    Ok(feed_game(parser, &line))
}

fn feed_game(parser: &mut GameParser, line: &RecordLine) -> Result<(), Fault> {
    for (name, value) in [("Mgn", "1"), ("Event", "self-play"), ("Start", &line.start)] {
        parser.feed(&tag_line(name, value))?;
    }
    for (index, (turn, by)) in line.turns.iter().zip(line.by.chars()).enumerate() {
        for line in turn.lines() {
            parser.feed(line)?;
        }
        if let Some(Root { nodes, value, error }) = line.roots.get(index).and_then(Option::as_ref) {
            parser.feed(&format!("nodes {nodes}"))?;
            parser.feed(&format!("value {} {}", value.clamp(0.0, 1.0), error.clamp(0.0, 1.0)))?;
        }
        if by == 'r' {
            parser.feed(&format!("comment {RANDOM}"))?;
        }
        parser.feed("endturn")?;
    }
    let result = match (&line.result, parser.position()?) {
        (Some(result), _) => result.clone(),
        (None, last) if last.state().is_over() => Ending::at(last).to_string(),
        // Self-play ends a game that is not over at its ply limit only.
        (None, _) => Ending::new(Outcome::Draw, EndingReason::Turns).to_string(),
    };
    parser.feed(&format!("result {result}"))
}

/// Record of an annotated game, for training; a game that is not over and has no result is an unfinished one. Fails where the game goes on in another position than its turns lead to: what
/// happened in between is not known.
pub fn record(game: &AnnotatedGame) -> Result<GameRecord> {
    ensure!(
        game.is_continuous(),
        "turns are missing where a position was set, so that nothing can be learnt"
    );
    let mut plies = Vec::new();
    let mut walk = game.walk();
    while let Some((_, turn, annotated)) = walk.next_turn()? {
        let is_random = annotated.notes.comments.iter().any(|comment| comment.as_str() == RANDOM);
        let policy = if is_random { Policy::Random } else { Policy::Teacher };
        plies.push(Ply { turn, policy, root: None });
    }
    let ending = game.ending.clone().unwrap_or_else(|| Ending::at(walk.game()));
    Ok(GameRecord { start: game.start.clone(), plies, ending: unsaid(&ending, walk.game()) })
}
