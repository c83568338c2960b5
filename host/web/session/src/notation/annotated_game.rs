//! Annotated games: the first position, the turns with their notes, and how the game ended.

use std::fmt;
use std::slice;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use barrow_core::minions::text::umi::{TurnReader, TurnText};
use barrow_core::minions::{Game, GameTurn, Side};

use super::line_text::LineText;
use super::notes::TurnNotes;
use super::tags::Tags;
use crate::text::counted::counted;

/// Annotated game.
#[derive(Clone, PartialEq, Debug)]
pub struct AnnotatedGame {
    /// Tags: facts about the game as a whole.
    pub tags: Tags,
    /// First position.
    pub start: Game,
    /// Comments before the first turn.
    pub comments: Vec<LineText>,
    /// Turns in order.
    pub turns: Vec<AnnotatedTurn>,
    /// Result of the game; `None` where nobody has written it down.
    pub ending: Option<Ending>,
}

/// Turn of an annotated game.
#[derive(Clone, PartialEq, Debug)]
pub struct AnnotatedTurn {
    /// Position in which the turn is played, where it is another one than the turn before led to: a host may send any.
    pub position: Option<Box<Game>>,
    /// Turn in UMI, from the line `turn` to the last action.
    pub lines: Vec<String>,
    /// Notes.
    pub notes: TurnNotes,
}

/// Winner of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A side has won.
    Winner(Side),
    /// Nobody has won a game that is over.
    Draw,
    /// The game is not over.
    None,
}

/// Reason for which a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndingReason {
    /// A side has the points that win the game.
    Points,
    /// As many turns were played as a game may have.
    Turns,
    /// A player gave no turn, or an illegal one.
    Fault,
    /// A player gave the game up.
    Resignation,
    /// The game was left.
    Unfinished,
}

/// Result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Winner.
    pub outcome: Outcome,
    /// Reason.
    pub reason: EndingReason,
    /// Remark on one line; perhaps empty.
    pub text: LineText,
}

/// Names of the reasons.
const REASONS: [(EndingReason, &str); 5] = [
    (EndingReason::Points, "points"),
    (EndingReason::Turns, "turns"),
    (EndingReason::Fault, "fault"),
    (EndingReason::Resignation, "resignation"),
    (EndingReason::Unfinished, "unfinished"),
];

impl Outcome {
    /// Name: that of the winner, `draw`, or `none`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Winner(side) => side.name(),
            Outcome::Draw => "draw",
            Outcome::None => "none",
        }
    }

    /// Outcome by its name.
    pub fn from_name(name: &str) -> Option<Outcome> {
        let all = Side::ALL.map(Outcome::Winner).into_iter().chain([Outcome::Draw, Outcome::None]);
        all.into_iter().find(|outcome| outcome.name() == name)
    }
}

impl EndingReason {
    /// Name of the reason.
    pub fn name(self) -> &'static str {
        REASONS.iter().find(|(reason, _)| *reason == self).map_or("", |(_, name)| name)
    }

    /// Reason by its name.
    pub fn from_name(name: &str) -> Option<EndingReason> {
        REASONS.iter().find(|(_, known)| *known == name).map(|(reason, _)| *reason)
    }
}

impl Ending {
    /// Ending without further words.
    pub fn new(outcome: Outcome, reason: EndingReason) -> Ending {
        Ending { outcome, reason, text: LineText::default() }
    }

    /// Ending of a game that was left at this position: what the position says, otherwise that it is unfinished.
    pub fn at(game: &Game) -> Ending {
        let state = game.state();
        match state.winner() {
            Some(side) => Ending::new(Outcome::Winner(side), EndingReason::Points),
            None if state.is_drawn() => Ending::new(Outcome::Draw, EndingReason::Turns),
            None => Ending::new(Outcome::None, EndingReason::Unfinished),
        }
    }

    /// Error where the ending contradicts the last position of the game.
    pub fn check(&self, last: &Game) -> Result<(), String> {
        let known = Ending::at(last);
        let agrees = if last.state().is_over() {
            (self.outcome, self.reason) == (known.outcome, known.reason)
        } else {
            // Who has too few points has not won by them; any other ending may be true.
            let decided = matches!(self.outcome, Outcome::Winner(_) | Outcome::Draw);
            self.reason != EndingReason::Points && decided != (self.reason == EndingReason::Unfinished)
        };
        if agrees { Ok(()) } else { Err(format!("the result is {known} by the position")) }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.outcome.name(), self.reason.name())?;
        if self.text.is_empty() { Ok(()) } else { write!(f, " {}", self.text) }
    }
}

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Ending, String> {
        let (outcome, rest) = text.split_once(' ').unwrap_or((text, ""));
        let (reason, rest) = rest.trim_start().split_once(' ').unwrap_or((rest, ""));
        let outcome = Outcome::from_name(outcome).ok_or("expected Yellow, Blue, draw or none")?;
        let reason = EndingReason::from_name(reason.trim())
            .ok_or("expected points, turns, fault, resignation or unfinished")?;
        Ok(Ending { outcome, reason, text: LineText::new(rest) })
    }
}

impl AnnotatedTurn {
    /// Turn in the position that the turn before led to.
    pub fn new(game: &Game, turn: &GameTurn, notes: TurnNotes) -> AnnotatedTurn {
        let lines = TurnText::new(game, turn).to_string().lines().map(str::to_owned).collect();
        AnnotatedTurn { position: None, lines, notes }
    }

    /// The turn as the rules play it in a position.
    pub fn read(&self, game: &Game) -> Result<GameTurn> {
        read_turn(game, &self.lines.join("\n"))
    }
}

/// Reads a turn in UMI, the line `turn` first, in the position where it is played.
pub fn read_turn(game: &Game, text: &str) -> Result<GameTurn> {
    let mut lines = text.lines();
    let mut reader = TurnReader::new(game, lines.next().unwrap_or(""))?;
    for line in lines {
        reader.read(line)?;
    }
    Ok(reader.finish(game)?)
}

impl AnnotatedGame {
    /// Game without turns.
    pub fn new(tags: Tags, start: Game) -> AnnotatedGame {
        AnnotatedGame { tags, start, comments: Vec::new(), turns: Vec::new(), ending: None }
    }

    /// Walk through the game from its first position.
    pub fn walk(&self) -> TurnWalk<'_> {
        TurnWalk { turns: self.turns.iter(), game: self.start.clone(), number: 0 }
    }

    /// Position after this many turns. Fails when the game has fewer.
    pub fn position(&self, turns: usize) -> Result<Game> {
        ensure!(turns <= self.turns.len(), "the game has {}", counted(self.turns.len(), "turn"));
        let mut walk = self.walk();
        for _ in 0..turns {
            walk.next_turn()?;
        }
        Ok(walk.game)
    }

    /// Last position. Fails where a turn is not legal, which no game that was read has.
    pub fn last_position(&self) -> Result<Game> {
        self.position(self.turns.len())
    }

    /// Whether every turn is played in the position that the one before led to.
    pub fn is_continuous(&self) -> bool {
        self.turns.iter().all(|turn| turn.position.is_none())
    }
}

/// Walk through the turns of a game.
pub struct TurnWalk<'a> {
    turns: slice::Iter<'a, AnnotatedTurn>,
    game: Game,
    number: usize,
}

/// Turn of a walk: the position in which it is played, the turn as the rules play it, and its record.
pub type WalkedTurn<'a> = (Game, GameTurn, &'a AnnotatedTurn);

impl<'a> TurnWalk<'a> {
    /// Position after the turns so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plays the next turn. Returns `None` at the end of the game; an error names the turn.
    pub fn next_turn(&mut self) -> Result<Option<WalkedTurn<'a>>> {
        let Some(annotated) = self.turns.next() else { return Ok(None) };
        self.number += 1;
        let number = self.number;
        if let Some(position) = &annotated.position {
            self.game.clone_from(position);
        }
        let before = self.game.clone();
        let played = annotated.read(&before).and_then(|turn| {
            self.game.play(&turn)?;
            Ok(turn)
        });
        let turn = played.with_context(|| format!("turn {number}"))?;
        Ok(Some((before, turn, annotated)))
    }
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::GameConfig;

    use super::*;

    #[test]
    fn endings_are_read_back() {
        for outcome in ["Yellow", "Blue", "draw", "none"] {
            for (_, reason) in REASONS {
                for rest in ["", " after a quarrel"] {
                    let text = format!("{outcome} {reason}{rest}");
                    assert_eq!(text.parse::<Ending>().unwrap().to_string(), text);
                }
            }
        }
        for text in ["", "Yellow", "Green points", "Yellow magic", "yellow points"] {
            assert!(text.parse::<Ending>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_ending_must_not_contradict_the_position() {
        let game = Game::new(GameConfig::default(), 1);
        for (text, agrees) in [
            ("none unfinished", true),
            ("Yellow resignation", true),
            ("Blue fault no turn in time", true),
            ("draw turns", true),
            ("Yellow points", false),
            ("Yellow unfinished", false),
            ("none turns", false),
        ] {
            assert_eq!(text.parse::<Ending>().unwrap().check(&game).is_ok(), agrees, "{text}");
        }
    }
}
