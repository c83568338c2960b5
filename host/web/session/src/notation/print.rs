//! Annotated games as text.

use std::fmt::Write;

use barrow_core::minions::text::fen::{ConfigLine, Extended};

use super::annotated_game::{AnnotatedGame, AnnotatedTurn, Ending};
use super::tags::tag_line;

/// Version of the form.
pub const VERSION: &str = "1";

/// Text of a game.
pub fn game_text(game: &AnnotatedGame) -> String {
    let mut text = header_text(game);
    for turn in &game.turns {
        text.push_str(&turn_text(turn));
    }
    if let Some(ending) = &game.ending {
        text.push_str(&ending_text(ending));
    }
    text
}

/// Tags and the comments before the first turn, with an empty line behind them.
pub fn header_text(game: &AnnotatedGame) -> String {
    let config = game.start.config();
    let mut lines = vec![tag_line("Mgn", VERSION)];
    lines.extend(game.tags.iter().map(|(name, value)| tag_line(name, value)));
    lines.push(tag_line("Ruleset", config.ruleset.name()));
    lines.push(tag_line("Config", &ConfigLine(config).to_string()));
    lines.push(tag_line("Start", &Extended(&game.start).to_string()));
    lines.extend(game.comments.iter().map(|comment| format!("comment {comment}").trim_end().to_owned()));
    lines.join("\n") + "\n\n"
}

/// Turn with its notes, and an empty line behind it.
pub fn turn_text(turn: &AnnotatedTurn) -> String {
    let mut text = String::new();
    let mut add = |line: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = text.write_fmt(line);
        text.push('\n');
    };
    if let Some(position) = &turn.position {
        add(format_args!("position {}", Extended(position)));
    }
    for line in &turn.lines {
        add(format_args!("{line}"));
    }
    let notes = &turn.notes;
    for (name, number) in [("time", notes.time), ("clock", notes.clock), ("nodes", notes.nodes)] {
        if let Some(number) = number {
            add(format_args!("{name} {number}"));
        }
    }
    if let Some(value) = &notes.value {
        add(format_args!("value {} {}", value.chance, value.error));
    }
    for candidate in &notes.candidates {
        let value = candidate.value;
        add(format_args!(
            "candidate {} {} {} {}",
            value.chance,
            value.error,
            candidate.visits,
            candidate.text()
        ));
    }
    for comment in &notes.comments {
        add(format_args!("{}", format!("comment {comment}").trim_end()));
    }
    add(format_args!("endturn\n"));
    text
}

/// Result, with an empty line behind it.
pub fn ending_text(ending: &Ending) -> String {
    format!("result {ending}\n\n")
}
