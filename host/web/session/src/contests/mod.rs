//! The contest games as they are watched: records replayed by the rules, and games between built-in bots turn by turn.
//!
//! A record is followed by the same reader that checks data files against the rules, so what is shown is what the rules say,
//! and where a record says otherwise is told beside it.

pub mod ice_and_fire;
pub mod kutulu;
pub mod lines;
mod live;
pub mod roborally;

pub use live::LiveContest;

use crate::messages::{Ask, Refusal, Reply, WatchedGame};
use crate::text::quoted::shortened;
use lines::LineReader;

/// Scenes of a record at most.
const SCENES: usize = 20_000;

/// Obeys a request about contest games; nothing where it is about something else.
pub fn obey(live: &mut LiveContest, ask: &Ask) -> Option<Result<Reply, Refusal>> {
    let result = match ask {
        Ask::Contests => Ok(Reply::Contests { contests: live::rows() }),
        Ask::Watch { text } => watch(text).map(|watched| Reply::Watched(Box::new(watched))),
        Ask::Match(ask) => live.begin(ask).map(|watched| Reply::Watched(Box::new(watched))),
        Ask::MatchTurn => live.turn().map(|(scenes, is_live)| Reply::Scenes { scenes, is_live }),
        _ => return None,
    };
    Some(result.map_err(Refusal))
}

/// The first recorded game of a text, of any contest, with all its scenes. An error names the line.
pub fn watch(text: &str) -> Result<WatchedGame, String> {
    let first = LineReader::new(text).peek().unwrap_or_default().to_owned();
    let word = first.split_whitespace().next().unwrap_or_default();
    let is_kutulu = || text.lines().any(|line| line.starts_with("MAP "));
    let names: Vec<String> = names(text);
    let watched = match word {
        "COURSE" | "BOARD" => roborally::watched(text, &names),
        "SEED" if is_kutulu() => kutulu::watched(text, &names),
        "SEED" => ice_and_fire::watched(text, &names),
        _ => {
            return Err("no record of a contest game: one begins with COURSE, BOARD or SEED".to_owned());
        }
    };
    let watched = watched.map_err(|error| shortened(&format!("{error:#}")))?;
    if watched.scenes.len() > SCENES { Err("a record of too many moments".to_owned()) } else { Ok(watched) }
}

/// Names of the players in the remark that a record begins with.
fn names(text: &str) -> Vec<String> {
    let remark = text.lines().next().and_then(|line| line.strip_prefix("//")).unwrap_or_default();
    if !remark.contains(" | ") {
        return Vec::new();
    }
    remark.split(" | ").map(|name| name.trim().to_owned()).collect()
}

/// Name of a seat: that of a list, or a number.
fn named(names: &[String], seats: usize) -> Vec<String> {
    (0..seats).map(|seat| names.get(seat).cloned().unwrap_or_else(|| format!("player {seat}"))).collect()
}

/// Text of the first recorded game alone: the games of a file follow one another.
fn first_game<'t>(text: &'t str, words: &[&str]) -> &'t str {
    let mut begun = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let starts = words.iter().any(|word| line.split_whitespace().next() == Some(word));
        if starts && begun {
            return &text[..at];
        }
        begun |= starts;
        at += line.len();
    }
    text
}
