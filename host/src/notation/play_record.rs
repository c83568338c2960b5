//! Record of a game that a person plays against the engine: in memory, and turn by turn in a file where one is named.

use std::io::ErrorKind;

use anyhow::{Context, Result, anyhow, ensure};
use barrow_core::minions::{Game, GameTurn, Side};
use barrow_session::notation::{
    AnnotatedGame, AnnotatedTurn, Ending, LineText, Outcome, Tags, TurnNotes, game_text,
};

use super::game_writer::{GameWriter, RecordingFile};
use super::network_name::network_name;
use super::timestamp::now;
use crate::engine::network::{EngineNetwork, StaticNetwork};
use crate::io::{OutputFile, refuse_shared_files};

/// Beginning of the text of an ending that keeps a turn which was being entered.
const TURN_SO_FAR: &str = "turn so far: ";

/// Between two lines of such a turn.
const SEPARATOR: &str = "; ";

/// Players of a game: a person and the engine.
#[derive(Clone, Debug)]
pub struct Players {
    /// Side of the person.
    pub person: Side,
    /// Limits of the engine for a turn, such as `movetime 2000 ms`.
    pub limits: String,
    /// Network of the engine; `None` is the built-in one.
    pub network: Option<StaticNetwork>,
}

impl Players {
    /// Game of these players that begins here, or goes on with a known one. How that was left is forgotten.
    pub fn game(&self, start: &Game, known: Option<AnnotatedGame>) -> AnnotatedGame {
        let mut game =
            known.unwrap_or_else(|| AnnotatedGame::new(Tags::of_event("play", &now()), start.clone()));
        game.ending = None;
        self.sign(&mut game);
        game
    }

    /// Writes the players into the tags of a game.
    fn sign(&self, game: &mut AnnotatedGame) {
        let engine = concat!("Barrow ", env!("CARGO_PKG_VERSION"));
        let (names, limits, network) = match self.person {
            Side::Yellow => (["a person", engine], Tags::BLUE_LIMITS, Tags::BLUE_NETWORK),
            Side::Blue => ([engine, "a person"], Tags::YELLOW_LIMITS, Tags::YELLOW_NETWORK),
        };
        game.tags.set(Tags::YELLOW, names[0]);
        game.tags.set(Tags::BLUE, names[1]);
        game.tags.set(limits, &self.limits);
        if let Some(known) = self.network.or_else(EngineNetwork::embedded) {
            game.tags.set(network, &network_name(known));
        }
    }
}

/// Record of a game while it is played. Its file has the game from the first new turn on, or from its end.
pub struct PlayRecord {
    game: AnnotatedGame,
    file: Option<RecordingFile>,
    writer: Option<GameWriter>,
}

impl PlayRecord {
    /// Record that begins with these turns, which go to a file if one is named. Fails when the file exists, unless
    /// `force` says that it is to be replaced.
    pub fn new(game: AnnotatedGame, file: Option<&str>, force: bool) -> Result<PlayRecord> {
        let file = file.map(|name| RecordingFile::create(name, force)).transpose()?;
        Ok(PlayRecord { game, file, writer: None })
    }

    /// The game so far.
    pub fn game(&self) -> &AnnotatedGame {
        &self.game
    }

    /// Changes the players of a game whose file has nothing of it yet.
    pub fn set_players(&mut self, players: &Players) {
        if self.writer.is_none() {
            players.sign(&mut self.game);
        }
    }

    /// Adds a turn that was played in a position. After an error nothing more is written to the file.
    pub fn turn(&mut self, before: &Game, turn: &GameTurn, notes: TurnNotes) -> Result<()> {
        let turn = AnnotatedTurn::new(before, turn, notes);
        let begun = self.begin();
        let written = begun.and_then(|()| self.writer.as_ref().map_or(Ok(()), |writer| writer.turn(&turn)));
        self.game.turns.push(turn);
        if written.is_err() {
            (self.file, self.writer) = (None, None);
        }
        written
    }

    /// Writes the game so far to the file, unless that was done before.
    fn begin(&mut self) -> Result<()> {
        if let (Some(file), None) = (&self.file, &self.writer) {
            self.writer = Some(file.begin(None, &self.game)?);
        }
        Ok(())
    }

    /// Whether turns go to a file.
    pub fn is_written(&self) -> bool {
        self.file.is_some()
    }

    /// Writes the game so far to a file, with how it was left. Returns its number of turns. Fails when the file exists, unless
    /// `replace` says that it is to be replaced, and when it is the one that turns go to.
    pub fn save(&self, name: &str, replace: bool, ending: Ending) -> Result<usize> {
        let recorded = self.file.as_ref().map(RecordingFile::name);
        refuse_shared_files(&[("save!", replace.then_some(name)), ("--record", recorded)], &[])?;
        let whole = AnnotatedGame { ending: Some(ending), ..self.game.clone() };
        let file = OutputFile::create(name, replace).map_err(|error| match error.kind() {
            // It is typed, where no argument can be.
            ErrorKind::AlreadyExists => anyhow!("exists already; `save! {name}` replaces it"),
            _ => error.into(),
        });
        let mut file = file.with_context(|| name.to_owned())?;
        file.save_text(&game_text(&whole)).with_context(|| name.to_owned())?;
        Ok(whole.turns.len())
    }

    /// Writes how the game ended or was left.
    pub fn end(&mut self, ending: &Ending) -> Result<()> {
        self.begin()?;
        self.writer.take().map_or(Ok(()), |writer| writer.end(ending))
    }

    /// Ends the record of one game and begins that of another, in the same file. Of a game of which the file has
    /// nothing, nothing is written.
    pub fn restart(&mut self, ending: &Ending, game: AnnotatedGame) -> Result<()> {
        let ended = self.writer.take().map_or(Ok(()), |writer| writer.end(ending));
        self.game = game;
        ended
    }
}

/// State in which a game was left in this position, with the lines of the turn that was being entered.
pub fn left_at(game: &Game, lines: &[String]) -> Ending {
    let ending = Ending::at(game);
    if lines.is_empty() || game.state().is_over() {
        return ending;
    }
    Ending { text: LineText::new(&format!("{TURN_SO_FAR}{}", lines.join(SEPARATOR))), ..ending }
}

/// Lines of the turn that was being entered when a game was left, to go on with it after its last position. Fails where the game
/// has a result that this position does not tell, such as a resignation.
pub fn left_turn(game: &AnnotatedGame, last: &Game) -> Result<Vec<String>> {
    let Some(ending) = &game.ending else { return Ok(Vec::new()) };
    let result = match ending.outcome {
        Outcome::Winner(side) => format!("{} has won", side.name()),
        Outcome::Draw => "it is drawn".to_owned(),
        Outcome::None => return Ok(turn_so_far(ending)),
    };
    let (reason, turns) = (ending.reason.name(), game.turns.len());
    ensure!(
        last.state().is_over(),
        "the game is over, {result} ({reason}); barrow play with --turn {turns} goes on all the same"
    );
    Ok(Vec::new())
}

/// Lines of a turn in the text of an ending.
fn turn_so_far(ending: &Ending) -> Vec<String> {
    let lines = ending.text.as_str().strip_prefix(TURN_SO_FAR);
    lines.map_or_else(Vec::new, |lines| lines.split(SEPARATOR).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use barrow_core::minions::GameConfig;
    use barrow_core::minions::players::Greedy;

    use super::*;

    #[test]
    fn a_file_has_the_players_that_the_game_begins_with() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("a.mgn").display().to_string();
        let start = Game::new(GameConfig::default(), 1);
        let players = |person, limits: &str| Players { person, limits: limits.to_owned(), network: None };
        let mut record =
            PlayRecord::new(players(Side::Yellow, "a").game(&start, None), Some(&name), false).unwrap();
        // The player takes the other side, then another level; nothing of that is in the file.
        let other = players(Side::Blue, "b").game(&start, None);
        record.restart(&Ending::at(&start), other).unwrap();
        record.set_players(&players(Side::Blue, "c"));
        let turn = Greedy::new(1).choose(&start);
        record.turn(&start, &turn, TurnNotes::default()).unwrap();
        let last = record.game().last_position().unwrap();
        record.end(&Ending::at(&last)).unwrap();
        let text = std::fs::read_to_string(&name).unwrap();
        assert_eq!((text.matches("[Mgn ").count(), text.matches("\nresult ").count()), (1, 1), "{text}");
        assert!(text.contains("[Blue \"a person\"]") && text.contains("[YellowLimits \"c\"]"), "{text}");
        assert!(!text.contains("BlueLimits"), "{text}");
    }

    #[test]
    fn the_turn_that_was_being_entered_comes_back_with_the_ending() {
        let game = Game::new(GameConfig::default(), 1);
        for lines in [&[][..], &["action tech 1"], &["action tech 1", "action board 0 move d1e1"]] {
            let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            let ending = left_at(&game, &lines);
            assert_eq!(ending.check(&game), Ok(()));
            assert_eq!(turn_so_far(&ending.to_string().parse().unwrap()), lines);
        }
        assert!(turn_so_far(&"none unfinished after a quarrel".parse().unwrap()).is_empty());
    }
}
