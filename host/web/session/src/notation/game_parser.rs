//! Reading an annotated game line by line. Every turn is played, so that a game that was read is legal.

use std::fmt;

use barrow_core::minions::text::fen::{self, ConfigLine};
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameConfig, GameTurn, Ruleset};

use super::annotated_game::{AnnotatedGame, AnnotatedTurn, Ending};
use super::line_text::LineText;
use super::notes::{RecordedCandidate, TurnNotes, Value, actions_of};
use super::print::VERSION;
use super::tags::{Tags, read_tag};
use crate::text::quoted::quoted;

/// Turns of a game at most; a game of a match has a few hundred.
pub const TURNS_CAP: usize = 4000;

/// Text of a game in bytes at most; a game of a match has about a hundredth of it.
const GAME_CAP: usize = 16 << 20;

/// Seed of the cards that a position does not name.
const SEED: u64 = 0;

/// Fault of a line of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The line is none that may stand here, with the reason.
    Damaged(String),
    /// The turn that the line ends is not legal, with its number from 1 and the reason.
    Illegal(usize, String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Damaged(reason) => f.write_str(reason),
            Fault::Illegal(turn, reason) => write!(f, "turn {turn}: {reason}"),
        }
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Fault {
        Fault::Damaged(reason)
    }
}

impl From<&str> for Fault {
    fn from(reason: &str) -> Fault {
        Fault::Damaged(reason.to_owned())
    }
}

/// Progress of reading a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Within the tags.
    Tags,
    /// Between two turns.
    Turns,
    /// Within a turn, or behind a position whose turn is still to come.
    Turn,
    /// Behind the result.
    Ended,
}

/// Parser of one game.
///
/// ```
/// use barrow_session::notation::{GameParser, game_text};
/// let mut parser = GameParser::default();
/// for line in ["[Mgn \"1\"]", "turn", "action tech 1", "action board 0 move d1e1", "time 12", "endturn"] {
///     parser.feed(line).unwrap();
/// }
/// assert!(parser.feed("action tech 1").is_err());
/// let game = parser.finish().unwrap();
/// assert_eq!(game.turns[0].notes.time, Some(12));
/// assert!(game_text(&game).contains("\naction board 0 move d1e1\n"));
/// ```
#[derive(Default)]
pub struct GameParser {
    is_begun: bool,
    tags: Tags,
    ruleset: Option<String>,
    config: Option<String>,
    start: Option<String>,
    body: Option<Body>,
    bytes: usize,
}

/// Content behind the tags.
struct Body {
    record: AnnotatedGame,
    /// Position after the turns so far.
    game: Game,
    /// Position of the next turn, if a line has named one.
    position: Option<Box<Game>>,
    turn: Option<OpenTurn>,
}

/// Turn that is being read.
struct OpenTurn {
    reader: TurnReader,
    notes: TurnNotes,
}

impl GameParser {
    /// Reads a line. After an error the rest of the game cannot be read.
    pub fn feed(&mut self, line: &str) -> Result<(), Fault> {
        let line = line.trim();
        self.bytes += line.len();
        if self.bytes > GAME_CAP {
            return Err("a game of more than 16 MiB".into());
        }
        if line.is_empty() {
            return Ok(());
        }
        if self.body.is_none() && line.starts_with('[') {
            return self.read_tag(line);
        }
        self.begin()?.feed(line)
    }

    /// Progress of reading the game.
    pub fn progress(&self) -> Progress {
        match &self.body {
            None => Progress::Tags,
            Some(Body { turn: Some(_), .. } | Body { position: Some(_), .. }) => Progress::Turn,
            Some(body) if body.record.ending.is_some() => Progress::Ended,
            Some(_) => Progress::Turns,
        }
    }

    /// Number of whole turns read.
    pub fn turns(&self) -> usize {
        self.body.as_ref().map_or(0, |body| body.record.turns.len())
    }

    /// Position in which the next turn is played. Within the tags, these are taken for complete.
    pub fn position(&mut self) -> Result<&Game, Fault> {
        let body = self.begin()?;
        Ok(body.position.as_deref().unwrap_or(&body.game))
    }

    /// Whether the start position is known: a tag names it, or the tags are over.
    pub fn has_start(&self) -> bool {
        self.body.is_some() || self.start.is_some()
    }

    /// The game that was read. A turn that has no end and a position that has no turn are left out ([`GameParser::progress`] tells).
    pub fn finish(mut self) -> Result<AnnotatedGame, Fault> {
        self.begin()?;
        self.body.map(|body| body.record).ok_or_else(|| "no game".into())
    }

    fn read_tag(&mut self, line: &str) -> Result<(), Fault> {
        let (name, value) = read_tag(line).ok_or("expected a tag, [Name \"value\"]")?;
        if !self.is_begun {
            return match (name, value.as_str()) {
                ("Mgn", VERSION) => {
                    self.is_begun = true;
                    Ok(())
                }
                ("Mgn", other) => {
                    Err(format!("version {} is not known, only {VERSION}", quoted(other)).into())
                }
                _ => Err("expected [Mgn \"1\"]".into()),
            };
        }
        let slot = match name {
            "Ruleset" => &mut self.ruleset,
            "Config" => &mut self.config,
            "Start" => &mut self.start,
            _ if self.tags.get(name).is_none() && self.tags.set(name, &value) => return Ok(()),
            _ => return Err(format!("a second tag {name}").into()),
        };
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err(format!("a second tag {name}").into()),
        }
    }

    /// Reads what follows the tags; sets the start position up when the tags are over.
    fn begin(&mut self) -> Result<&mut Body, Fault> {
        if self.body.is_none() {
            if !self.is_begun {
                return Err("expected [Mgn \"1\"]".into());
            }
            let start = self.start_position()?;
            let record = AnnotatedGame::new(std::mem::take(&mut self.tags), start.clone());
            self.body = Some(Body { record, game: start, position: None, turn: None });
        }
        self.body.as_mut().ok_or_else(|| "no game".into())
    }

    /// The position that the tags name. They must not contradict each other.
    fn start_position(&self) -> Result<Game, Fault> {
        let named = self.ruleset.as_deref();
        let named = named.map(|name| Ruleset::from_name(name).ok_or("tag Ruleset: no such ruleset"));
        let ruleset = named.transpose()?;
        let rules = ruleset.unwrap_or(Ruleset::Server);
        let config = match &self.config {
            Some(line) => fen::parse_config(line, rules).map_err(|error| format!("tag Config: {error}"))?,
            None => GameConfig::default().with_ruleset(rules),
        };
        let Some(text) = &self.start else { return Ok(Game::new(config, SEED)) };
        let start = fen::parse_seeded(text, &config, SEED).map_err(|error| format!("tag Start: {error}"))?;
        if ruleset.is_some_and(|ruleset| ruleset != start.config().ruleset) {
            return Err("tag Ruleset: the tag Start names another ruleset".into());
        }
        let line = |config| ConfigLine(config).to_string();
        if self.config.is_some() && line(&config) != line(start.config()) {
            return Err("tag Config: the tag Start names another configuration".into());
        }
        Ok(start)
    }
}

impl Body {
    fn feed(&mut self, line: &str) -> Result<(), Fault> {
        let (word, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        if self.record.ending.is_some() {
            return Err(format!("{} behind the result", quoted(word)).into());
        }
        match (&mut self.turn, word) {
            (Some(turn), "action") => {
                turn.reader.read(line).map_err(|error| Fault::Damaged(format!("{}: {error}", quoted(line))))
            }
            (Some(_), "endturn") => self.end_turn(rest),
            (Some(_), "candidate") => self.read_candidate(rest),
            (Some(turn), _) => read_note(&mut turn.notes, word, rest),
            (None, "turn") => self.begin_turn(line),
            (None, "position" | "result") if self.position.is_some() => {
                Err(format!("{word}: the position before it has no turn").into())
            }
            (None, "position") => self.set_position(rest),
            (None, "comment") if self.record.turns.is_empty() && self.position.is_none() => {
                self.record.comments.push(LineText::new(rest));
                Ok(())
            }
            (None, "result") => {
                let ending: Ending = rest.parse().map_err(|error| format!("result: {error}"))?;
                ending.check(&self.game).map_err(Fault::from)?;
                self.record.ending = Some(ending);
                Ok(())
            }
            (None, _) => Err(format!("{}: expected turn, position or result", quoted(word)).into()),
        }
    }

    fn set_position(&mut self, text: &str) -> Result<(), Fault> {
        let config = self.record.start.config();
        let game = fen::parse_seeded(text, config, SEED).map_err(|error| format!("position: {error}"))?;
        if game.config() != config {
            return Err("position: it has another configuration than the game".into());
        }
        self.position = Some(Box::new(game));
        Ok(())
    }

    fn begin_turn(&mut self, line: &str) -> Result<(), Fault> {
        if self.record.turns.len() >= TURNS_CAP {
            return Err(format!("a game of more than {TURNS_CAP} turns").into());
        }
        if let Some(position) = &self.position {
            self.game.clone_from(position);
        }
        let reader =
            TurnReader::new(&self.game, line).map_err(|error| format!("{}: {error}", quoted(line)))?;
        self.turn = Some(OpenTurn { reader, notes: TurnNotes::default() });
        Ok(())
    }

    fn end_turn(&mut self, rest: &str) -> Result<(), Fault> {
        let number = self.record.turns.len() + 1;
        let illegal = |reason: String| Fault::Illegal(number, reason);
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let claimed = match *words {
            [] => None,
            ["winner", name] => Some(name),
            _ => return Err("endturn: expected nothing, or winner and a side".into()),
        };
        let Some(OpenTurn { reader, notes }) = self.turn.take() else { return Ok(()) };
        let turn = reader.finish(&self.game).map_err(|error| illegal(error.to_string()))?;
        let mut annotated = AnnotatedTurn::new(&self.game, &turn, notes);
        annotated.position = self.position.take();
        if self.game.state().is_over() {
            return Err(illegal("the game is over".to_owned()));
        }
        self.game.play(&turn).map_err(|error| illegal(error.to_string()))?;
        if claimed.is_some() && claimed != self.game.state().winner().map(barrow_core::minions::Side::name) {
            return Err(illegal("the turn does not win the game for that side".to_owned()));
        }
        self.record.turns.push(annotated);
        Ok(())
    }

    fn read_candidate(&mut self, rest: &str) -> Result<(), Fault> {
        let fault = |reason: String| Fault::Damaged(format!("candidate: {reason}"));
        let mut words = rest.splitn(4, ' ');
        let mut next =
            || words.next().ok_or_else(|| fault("expected value, error, visits and actions".to_owned()));
        let chance = next()?.parse().map_err(fault)?;
        let error = next()?.parse().map_err(fault)?;
        let visits = next()?.parse().map_err(|_| fault("expected a number of visits".to_owned()))?;
        let turn = candidate_turn(&self.game, next()?).map_err(fault)?;
        let actions = actions_of(&self.game, &turn);
        if let Some(open) = &mut self.turn {
            let value = Value { chance, error };
            open.notes.candidates.push(RecordedCandidate { value, visits, actions });
        }
        Ok(())
    }
}

/// Turn of a candidate's actions, which is legal.
fn candidate_turn(game: &Game, actions: &str) -> Result<GameTurn, String> {
    let mut reader = TurnReader::new(game, "turn").map_err(|error| error.to_string())?;
    for action in actions.split(';') {
        let line = format!("action {}", action.trim());
        reader.read(&line).map_err(|error| format!("{}: {error}", quoted(&line)))?;
    }
    let turn = reader.finish(game).map_err(|error| error.to_string())?;
    game.clone().play(&turn).map_err(|error| error.to_string())?;
    Ok(turn)
}

/// Reads a note on a turn. Only comments may be repeated.
fn read_note(notes: &mut TurnNotes, word: &str, rest: &str) -> Result<(), Fault> {
    let number = |slot: &mut Option<u64>| {
        let number = rest.parse().map_err(|_| format!("{word}: expected a whole number"))?;
        match slot.replace(number) {
            None => Ok(()),
            Some(_) => Err(Fault::from(format!("a second {word} of one turn"))),
        }
    };
    match word {
        "time" => number(&mut notes.time),
        "clock" => number(&mut notes.clock),
        "nodes" => number(&mut notes.nodes),
        "comment" => {
            notes.comments.push(LineText::new(rest));
            Ok(())
        }
        "value" if notes.value.is_some() => Err("a second value of one turn".into()),
        "value" => {
            let (chance, error) = rest.split_once(' ').ok_or("value: expected a chance and its error")?;
            let read = |text: &str| text.trim().parse().map_err(|error| format!("value: {error}"));
            notes.value = Some(Value { chance: read(chance)?, error: read(error)? });
            Ok(())
        }
        _ => Err(format!("{}: expected action, a note or endturn", quoted(word)).into()),
    }
}
