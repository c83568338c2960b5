//! The web server's replay form of a game (umi §7.1): a block for each turn, `fen`, `turn` with notes in square brackets,
//! the action lines, `endturn`. It has no cards, no tags and no result; those stand in the brackets as well, so that
//! nothing is lost on the way there and back.

use std::fmt::Write;

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::text::fen::{ConfigLine, Display, Extended};
use barrow_core::minions::{Game, GameConfig};

use super::server_lines::{bracketed, known_lines, shifted, split_turn};
use barrow_session::notation::AnnotatedGame;
use barrow_session::notation::tag_line;
use barrow_session::notation::{Fault, GameParser};
use barrow_session::notation::{header_text, turn_text};

/// Item in brackets: the number subtracted from printed tech positions.
const OFFSET: &str = "offset ";

/// Item in brackets: a line of the turn as it was played, where the web server's lines are others.
const EXACT: &str = "exact ";

/// First word of an item in brackets: a comment before the first turn.
const OPENING: &str = "opening";

/// Words with which the other items begin: the notes of a turn.
const NOTES: [&str; 6] = ["time", "clock", "nodes", "value", "candidate", "comment"];

/// Text of a game, with this much subtracted from tech positions: 1 for a web server that adds one too many, 0 for any other.
/// Fails where a turn does what the form has no lines for and shows, such as most spells.
pub fn to_text(game: &AnnotatedGame, tech_offset: u8) -> Result<String> {
    ensure!(!game.turns.is_empty(), "the web server's form has no games without turns");
    let mut text = String::new();
    let mut walk = game.walk();
    for number in 1.. {
        let Some((before, _, turn)) = walk.next_turn()? else { break };
        let lines = known_lines(&before, &turn.lines).with_context(|| format!("turn {number}"))?;
        let mut items = Vec::new();
        if number == 1 {
            items.push(format!("{OFFSET}{tech_offset}"));
            for line in header_text(game).lines().filter(|line| !line.is_empty()) {
                let opening = line.strip_prefix("comment").map(|comment| format!("{OPENING}{comment}"));
                items.push(opening.unwrap_or_else(|| line.to_owned()));
            }
        }
        items.extend(turn.position.as_ref().map(|position| format!("position {}", Extended(position))));
        if lines != turn.lines {
            items.extend(turn.lines.iter().map(|line| format!("{EXACT}{line}")));
        }
        let notes = turn_text(turn);
        items.extend(notes.lines().filter(|line| is_note(line)).map(str::to_owned));
        if let Some(ending) = game.ending.as_ref().filter(|_| number == game.turns.len()) {
            items.push(format!("result {ending}"));
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "fen {}\nturn{}", Display(&before), bracketed(&items));
        for line in lines.iter().skip(1) {
            let printed =
                shifted(line, -i16::from(tech_offset)).ok_or_else(|| anyhow!("turn {number}: {line}"))?;
            text.push_str(&printed);
            text.push('\n');
        }
        text.push_str("endturn\n\n");
    }
    Ok(text)
}

fn is_note(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or("");
    NOTES.contains(&word)
}

/// Game that was read from the web server's form.
pub(super) struct ServerGame {
    /// Parser with all turns up to the first fault.
    pub(super) parser: GameParser,
    /// First fault, with its line.
    pub(super) fault: Option<(usize, Fault)>,
    /// Number of positions that are others than those which the turns lead to.
    pub(super) jumps: usize,
}

/// Reads a game from lines with their numbers. The configuration is that of a game which does not name its own. Without
/// a number that was subtracted from tech positions, it is the one with which the game agrees better with its positions.
pub(super) fn read(lines: &[(usize, String)], config: &GameConfig, tech_offset: Option<u8>) -> ServerGame {
    let with = |offset: u8| read_with(lines, config, i16::from(offset));
    let stated = lines.iter().find_map(|(_, line)| {
        let (_, items) = split_turn(line.strip_prefix("turn")?)?;
        items.iter().find_map(|item| item.strip_prefix(OFFSET)?.parse().ok())
    });
    if let Some(offset) = tech_offset.or(stated) {
        return with(offset);
    }
    let fit = |game: &ServerGame| (game.fault.is_some(), game.jumps);
    let (plain, shifted) = (with(0), with(1));
    if fit(&shifted) < fit(&plain) { shifted } else { plain }
}

fn read_with(lines: &[(usize, String)], config: &GameConfig, offset: i16) -> ServerGame {
    let mut reader =
        ServerReader { config, offset, parser: GameParser::default(), fen: None, turn: None, jumps: 0 };
    let fault = lines.iter().find_map(|(number, line)| Some((*number, reader.feed(line.trim()).err()?)));
    ServerGame { parser: reader.parser, fault, jumps: reader.jumps }
}

/// Reader of the lines of a game.
struct ServerReader<'a> {
    config: &'a GameConfig,
    /// Added to tech positions.
    offset: i16,
    parser: GameParser,
    /// Position that was named last and not used yet.
    fen: Option<String>,
    turn: Option<ServerTurn>,
    jumps: usize,
}

/// Content of the brackets about the turn that is being read.
#[derive(Default)]
struct ServerTurn {
    /// Whether the action lines are those of `exact` items.
    exact: bool,
    notes: Vec<String>,
    result: Option<String>,
}

impl ServerReader<'_> {
    fn feed(&mut self, line: &str) -> Result<(), Fault> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &self.turn) {
            ("", _) => Ok(()),
            ("fen", None) => {
                self.fen = Some(rest.split_ascii_whitespace().collect::<Vec<_>>().join(" "));
                Ok(())
            }
            ("turn", None) => self.begin_turn(line),
            ("action", Some(turn)) if turn.exact => Ok(()),
            ("action", Some(_)) => {
                let shifted = shifted(line, self.offset).ok_or("action tech: expected positions of techs")?;
                self.parser.feed(&shifted)
            }
            ("endturn", Some(_)) => self.end_turn(line),
            (_, None) => Err("expected fen or turn".into()),
            (_, Some(_)) => Err("expected action or endturn".into()),
        }
    }

    fn begin_turn(&mut self, line: &str) -> Result<(), Fault> {
        let (words, items) = split_turn(line).ok_or("turn: a square bracket is missing")?;
        let fen = self.fen.take().ok_or("turn: no fen before it")?;
        let (mut turn, mut exact, mut position) = (ServerTurn::default(), Vec::new(), None);
        let (mut header, mut others) = (Vec::new(), Vec::new());
        for item in items {
            if item.starts_with('[') {
                header.push(item);
            } else if let Some(comment) = item.strip_prefix(OPENING)
                && (comment.is_empty() || comment.starts_with(' '))
            {
                header.push(format!("comment{comment}"));
            } else if let Some(line) = item.strip_prefix(EXACT) {
                exact.push(line.to_owned());
            } else if item.starts_with("position ") {
                position = Some(item);
            } else if let Some(ending) = item.strip_prefix("result ") {
                turn.result = Some(ending.to_owned());
            } else if is_note(&item) {
                turn.notes.push(item);
            } else if !item.starts_with(OFFSET) {
                others.push(item);
            }
        }
        if !others.is_empty() {
            turn.notes.push(format!("comment {}", others.join("; ")));
        }
        if self.parser.turns() == 0 {
            self.begin_game(&header, &fen)?;
        }
        self.set_position(position, &fen)?;
        self.parser.feed(if exact.is_empty() { words } else { "turn" })?;
        turn.exact = !exact.is_empty();
        for line in exact.iter().filter(|line| line.starts_with("action ")) {
            self.parser.feed(line)?;
        }
        self.turn = Some(turn);
        Ok(())
    }

    /// Feeds the parser with what stands before the first turn.
    fn begin_game(&mut self, header: &[String], fen: &str) -> Result<(), Fault> {
        if header.iter().any(|line| line.starts_with("[Mgn ")) {
            return header.iter().try_for_each(|line| self.parser.feed(line));
        }
        let (ruleset, config) = (self.config.ruleset.name(), ConfigLine(self.config).to_string());
        for (name, value) in [("Mgn", "1"), ("Ruleset", ruleset), ("Config", &config), ("Start", fen)] {
            self.parser.feed(&tag_line(name, value))?;
        }
        header.iter().try_for_each(|line| self.parser.feed(line))
    }

    /// Feeds the parser with a position where the file has another one than the turns lead to.
    fn set_position(&mut self, position: Option<String>, fen: &str) -> Result<(), Fault> {
        let shown = |game: &Game| Display(game).to_string() == fen;
        if let Some(position) = position {
            self.parser.feed(&position)?;
        } else if !shown(self.parser.position()?) {
            self.jumps += 1;
            self.parser.feed(&format!("position {fen}"))?;
        }
        if shown(self.parser.position()?) {
            Ok(())
        } else {
            Err("fen: not as the position is printed".into())
        }
    }

    fn end_turn(&mut self, line: &str) -> Result<(), Fault> {
        let turn = self.turn.take().unwrap_or_default();
        turn.notes.iter().try_for_each(|note| self.parser.feed(note))?;
        self.parser.feed(line)?;
        turn.result.iter().try_for_each(|ending| self.parser.feed(&format!("result {ending}")))
    }
}
