//! Annotated games as JSON, one object a line, as pages in a browser read it (`docs/spec/notation.md`). Beside what an
//! annotated game holds, an object names the side to move and the position before every turn, so that a page needs no
//! rules; readers do not look at these.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use barrow_core::minions::text::fen::{ConfigLine, Display, Extended};
use serde::{Deserialize, Serialize};

use crate::io::JsonFault;
use barrow_session::notation::AnnotatedGame;
use barrow_session::notation::VERSION;
use barrow_session::notation::tag_line;
use barrow_session::notation::{Fault, GameParser};

/// Object of a game.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a game")]
struct JsonGame {
    /// Version of the form.
    mgn: u32,
    tags: BTreeMap<String, String>,
    ruleset: String,
    config: String,
    /// First position in the extended form.
    start: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
    turns: Vec<JsonTurn>,
    #[serde(default)]
    result: Option<String>,
    /// Last position, in the form that has no cards.
    #[serde(default, rename = "final")]
    last: Option<String>,
}

/// Object of a turn.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a turn")]
struct JsonTurn {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(default)]
    side: Option<String>,
    /// Position before the turn, in the form that has no cards.
    #[serde(default)]
    fen: Option<String>,
    lines: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<JsonValue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<JsonCandidate>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<String>,
}

/// Object of a value.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a win chance and its error")]
struct JsonValue {
    chance: f64,
    error: f64,
}

/// Object of a candidate.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with a candidate")]
struct JsonCandidate {
    chance: f64,
    error: f64,
    visits: u64,
    actions: Vec<String>,
}

/// The game as one line of JSON without a line end. Fails where a turn is not legal, which no game that was read has.
pub fn to_line(game: &AnnotatedGame) -> Result<String> {
    let mut turns = Vec::new();
    let mut walk = game.walk();
    while let Some((before, _, turn)) = walk.next_turn()? {
        let notes = &turn.notes;
        let candidates = notes.candidates.iter().map(|candidate| JsonCandidate {
            chance: candidate.value.chance.get(),
            error: candidate.value.error.get(),
            visits: candidate.visits,
            actions: candidate.actions.clone(),
        });
        turns.push(JsonTurn {
            position: turn.position.as_ref().map(|position| Extended(position).to_string()),
            side: Some(before.side_to_move().name().to_owned()),
            fen: Some(Display(&before).to_string()),
            lines: turn.lines.clone(),
            time: notes.time,
            clock: notes.clock,
            nodes: notes.nodes,
            value: notes
                .value
                .map(|value| JsonValue { chance: value.chance.get(), error: value.error.get() }),
            candidates: candidates.collect(),
            comments: notes.comments.iter().map(ToString::to_string).collect(),
        });
    }
    let config = game.start.config();
    Ok(serde_json::to_string(&JsonGame {
        mgn: VERSION.parse()?,
        tags: game.tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        ruleset: config.ruleset.name().to_owned(),
        config: ConfigLine(config).to_string(),
        start: Extended(&game.start).to_string(),
        comments: game.comments.iter().map(ToString::to_string).collect(),
        turns,
        result: game.ending.as_ref().map(ToString::to_string),
        last: Some(Display(walk.game()).to_string()),
    })?)
}

/// Feeds a parser with a game from one line of JSON. An error of the outer kind says that the line is no such JSON, a
/// fault what is wrong with the game.
pub(super) fn feed(parser: &mut GameParser, text: &str) -> Result<Result<(), Fault>> {
    let game: JsonGame = serde_json::from_str(text).map_err(JsonFault)?;
    for line in game.turns.iter().flat_map(|turn| &turn.lines) {
        let known = line.starts_with("turn") || line.starts_with("action ");
        ensure!(known, "lines: expected turn and actions");
    }
    Ok(feed_game(parser, &game))
}

fn feed_game(parser: &mut GameParser, game: &JsonGame) -> Result<(), Fault> {
    parser.feed(&tag_line("Mgn", &game.mgn.to_string()))?;
    let derived = [("Ruleset", &game.ruleset), ("Config", &game.config), ("Start", &game.start)];
    for (name, value) in game.tags.iter().map(|(name, value)| (name.as_str(), value)).chain(derived) {
        parser.feed(&tag_line(name, value))?;
    }
    for comment in &game.comments {
        parser.feed(&format!("comment {comment}"))?;
    }
    for turn in &game.turns {
        if let Some(position) = &turn.position {
            parser.feed(&format!("position {position}"))?;
        }
        for line in &turn.lines {
            parser.feed(line)?;
        }
        for (name, number) in [("time", turn.time), ("clock", turn.clock), ("nodes", turn.nodes)] {
            if let Some(number) = number {
                parser.feed(&format!("{name} {number}"))?;
            }
        }
        if let Some(JsonValue { chance, error }) = &turn.value {
            parser.feed(&format!("value {chance} {error}"))?;
        }
        for JsonCandidate { chance, error, visits, actions } in &turn.candidates {
            parser.feed(&format!("candidate {chance} {error} {visits} {}", actions.join("; ")))?;
        }
        for comment in &turn.comments {
            parser.feed(&format!("comment {comment}"))?;
        }
        parser.feed("endturn")?;
    }
    game.result.iter().try_for_each(|result| parser.feed(&format!("result {result}")))
}
