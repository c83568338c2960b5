//! Lines of the web server's replay form (umi §7.1): which turns it can express, and the square brackets behind `turn`, in
//! which everything goes that it has no lines for.

use std::fmt::Write;

use anyhow::{Result, bail};
use barrow_core::minions::Game;
use barrow_core::minions::text::fen::Display;

use crate::text::quoted::quoted;
use barrow_session::notation::read_turn;

/// Characters that mean something within the square brackets, and their codes.
const ESCAPES: [(char, &str); 4] = [('%', "%25"), ('[', "%5B"), (']', "%5D"), (';', "%3B")];

/// Items in square brackets, with a blank before them; nothing for no items.
pub(super) fn bracketed(items: &[String]) -> String {
    let escaped = |item: &String| {
        item.chars().fold(String::new(), |mut text, letter| {
            match ESCAPES.iter().find(|(special, _)| *special == letter) {
                Some((_, code)) => text.push_str(code),
                None => text.push(letter),
            }
            text
        })
    };
    let all: Vec<String> = items.iter().map(escaped).collect();
    if all.is_empty() { String::new() } else { format!(" [{}]", all.join("; ")) }
}

/// The line `turn` without its square brackets, and the items in them. `None` where a bracket is missing.
pub(super) fn split_turn(line: &str) -> Option<(&str, Vec<String>)> {
    let Some((turn, rest)) = line.split_once('[') else { return Some((line, Vec::new())) };
    let unescaped = |item: &str| {
        // The percent sign last, so that no code comes of it.
        let all = ESCAPES.iter().rev();
        all.fold(item.trim().to_owned(), |text, (special, code)| text.replace(code, &special.to_string()))
    };
    let items = rest.trim_end().strip_suffix(']')?.split(';').map(unescaped);
    Some((turn.trim_end(), items.filter(|item| !item.is_empty()).collect()))
}

/// The lines of a turn as the web server knows them, from `turn` on. They are others than those given where the server
/// lacks a line, but its form shows the same position afterwards. Fails where that cannot be had.
pub(super) fn known_lines(before: &Game, lines: &[String]) -> Result<Vec<String>> {
    let known: Vec<String> = lines.iter().filter_map(|line| known_line(line)).collect();
    if known == lines {
        return Ok(known);
    }
    let after = |lines: &[String]| -> Result<String> {
        let mut game = before.clone();
        game.play(&read_turn(before, &lines.join("\n"))?)?;
        Ok(Display(&game).to_string())
    };
    let wanted = after(lines)?;
    if after(&known).is_ok_and(|shown| shown == wanted) {
        return Ok(known);
    }
    let unknown = lines.iter().find(|line| known_line(line).is_none());
    bail!("the web server's form has no line like {}", quoted(unknown.map_or("", String::as_str)))
}

/// The line as the web server knows it; `None` for a line that it does not know.
fn known_line(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_letter = |word: &str| word.len() == 1;
    match *words {
        ["turn", ..] => Some("turn".to_owned()),
        ["action", "tech", ..]
        | ["action", "board", _, "resign"]
        | ["action", "board", _, "move" | "move_cyclic" | "attack" | "blink", ..] => Some(line.to_owned()),
        ["action", "board", _, "buy", unit]
        | ["action", "board", _, "spawn", unit, _]
        | ["action", "board", _, "setup", _, unit] => is_letter(unit).then(|| line.to_owned()),
        ["action", "board", board, "walk", path] => {
            let (from, to) = (path.get(..2)?, path.get(path.len().checked_sub(2)?..)?);
            Some(format!("action board {board} move {from}{to}"))
        }
        _ => None,
    }
}

/// The line with this much added to each tech position. `None` where a position would not be one of a tech line.
pub(super) fn shifted(line: &str, by: i16) -> Option<String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let ["action", "tech", marches, ref positions @ ..] = *words else { return Some(line.to_owned()) };
    let mut shifted = format!("action tech {marches}");
    for position in positions {
        let position = position.parse::<i16>().ok()?.checked_add(by).filter(|position| *position >= -1)?;
        // Writing to a string does not fail.
        let _ = write!(shifted, " {position}");
    }
    Some(shifted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_back_whatever_they_hold() {
        let items = ["time 12", "[Yellow \"a;b\"]", "comment 100 %5B; ] é %253B", "%"].map(str::to_owned);
        let line = format!("turn{}", bracketed(&items));
        assert_eq!(split_turn(&line), Some(("turn", items.to_vec())), "{line}");
        assert_eq!(split_turn("turn"), Some(("turn", vec![])));
        assert_eq!(split_turn("turn []"), Some(("turn", vec![])));
        assert_eq!(split_turn("turn [a"), None);
    }

    #[test]
    fn tech_positions_are_shifted_there_and_back() {
        let line = "action tech 1 0 4";
        assert_eq!(shifted(line, -1).as_deref(), Some("action tech 1 -1 3"));
        assert_eq!(shifted("action tech 1 -1 3", 1).as_deref(), Some(line));
        assert_eq!(shifted("action board 0 buy Z", 1).as_deref(), Some("action board 0 buy Z"));
        assert_eq!(shifted("action tech 1 x", 1), None);
        assert_eq!(shifted("action tech 1 -1", -1), None);
    }
}
