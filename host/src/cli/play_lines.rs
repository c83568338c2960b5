//! Line mode of `barrow play`: a game against the engine for pipes, screen readers and terminals without a screen.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write, stdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnText;
use barrow_core::minions::{Game, GameTurn, Side};

use crate::engine::{Engine, SearchResult};
use crate::interrupt;
use crate::io::{LineEnd, ReadFailure, read_line, remove_mark, skip_line};
use crate::notation::{PlayRecord, TurnNotes, left_at, notes_of_search};
use crate::terminal_game::Level;
use crate::text::counted::counted;
use crate::text::narrate::Narration;
use crate::text::output::is_colored;
use crate::text::picture::Picture;
use crate::text::quoted::{quoted, shortened};
use crate::text::turn_entry::TurnEntry;

/// Time between two checks for Ctrl-C while the command waits for a line.
const POLL: Duration = Duration::from_millis(100);

/// Longest line that is read, in bytes.
const LINE_CAP: usize = 1 << 16;

const HELP: &str = "\
  0 c2d2            on board 0 the piece on c2 walks to d2, or attacks what stands there
  0 buy Z, 0 spawn Z d2, 0 blink c2, 0 setup N Z, 0 resign, 0 cast SPELL ...
  tech 1 3          unlocks one tech, then takes a step in tech 3
  action ...        any action line of UMI
  end               ends the turn
  undo, clear       takes back the last line, or all lines of this turn
  show, lines, fen  the board as entered, the lines so far, the position at the start of the turn
  hint              what the engine would play
  save FILE         writes the game so far to a new file, which replay, show and analyze --game read
  save! FILE        the same, and replaces a file that exists
  quit              leaves the game and says how to go on";

/// Starts a thread that reads the lines of stdin, so that the command can end after Ctrl-C without another line. Of a
/// line that is too long the command sees the beginning.
fn lines(prompts: bool) -> Lines {
    let ((sender, receiver), failure) = (sync_channel(64), ReadFailure::default());
    let kept = failure.clone();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        let (mut line, mut is_first) = (Vec::new(), true);
        loop {
            let end = read_line(&mut input, LINE_CAP, &mut line);
            if std::mem::take(&mut is_first) {
                remove_mark(&mut line);
            }
            match end {
                Ok(LineEnd::TooLong) => {
                    if let Err(error) = skip_line(&mut input) {
                        return kept.keep(Err(error));
                    }
                }
                Ok(LineEnd::Input) if line.is_empty() => return,
                Ok(_) => {}
                Err(error) => return kept.keep(Err(error)),
            }
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    Lines { receiver, prompts, failure }
}

/// Lines of stdin.
struct Lines {
    receiver: Receiver<String>,
    prompts: bool,
    failure: ReadFailure,
}

impl Lines {
    /// The next line; `None` at the end of the input and after Ctrl-C.
    fn next(&self) -> io::Result<Option<String>> {
        if self.prompts {
            write!(stdout(), "> ")?;
            stdout().flush()?;
        }
        loop {
            match self.receiver.recv_timeout(POLL) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) if !interrupt::requested() => {}
                Err(_) => return self.failure.check().map(|()| None),
            }
        }
    }
}

/// Game between the person and the engine, line by line.
pub(super) struct LineGame {
    /// Position at the start of the turn.
    pub(super) game: Game,
    /// Lines of the turn that was being entered when the game was left.
    pub(super) turn_so_far: Vec<String>,
    /// Record of the game.
    pub(super) record: PlayRecord,
    /// Side of the person.
    pub(super) side: Side,
    /// Engine.
    pub(super) engine: Engine,
    /// Level of the engine.
    pub(super) level: Level,
}

impl LineGame {
    /// Plays until the game is over, the input ends, or the player leaves.
    pub(super) fn play(self) -> Result<()> {
        let entry = TurnEntry::new(&self.game);
        let lines = lines(io::stdin().lock().is_terminal());
        let mut table = Table { entry, lines, color: is_colored(), game: self };
        let played = table.play();
        let left = left_at(&table.game.game, table.entry.lines());
        table.game.record.end(&left)?;
        // A game whose words nobody reads any more is left.
        match played {
            Err(error) if error.downcast_ref().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe) => {
                Ok(())
            }
            played => played,
        }
    }
}

/// Game with the turn that is being entered, and where lines come from.
struct Table {
    game: LineGame,
    entry: TurnEntry,
    lines: Lines,
    color: bool,
}

impl Table {
    fn play(&mut self) -> Result<()> {
        while !self.position().state().is_over() {
            write!(stdout(), "\n{}", self.picture(self.position()))?;
            let goes_on = if self.position().side_to_move() == self.game.side {
                self.person_turn()?
            } else {
                self.engine_turn()?
            };
            if !goes_on {
                let side = self.game.side.name().to_lowercase();
                let position = fen::Extended(self.position());
                writeln!(stdout(), "to go on: barrow play --side {side} \"{position}\"")?;
                return self.say_what_is_lost();
            }
        }
        write!(stdout(), "\n{}", self.picture(self.position()))?;
        match self.position().state().winner() {
            Some(side) if side == self.game.side => writeln!(stdout(), "you have won")?,
            Some(side) => writeln!(stdout(), "{} has won", side.name())?,
            None => writeln!(stdout(), "the game is drawn")?,
        }
        Ok(())
    }

    /// Says what of the turn a position does not tell.
    fn say_what_is_lost(&self) -> Result<()> {
        let lines = self.entry.lines().join("; ");
        if !lines.is_empty() {
            let kept = if self.game.record.is_written() { ", which the recorded game has" } else { "" };
            writeln!(stdout(), "that is without the turn that you were entering{kept}: {lines}")?;
        }
        Ok(())
    }

    /// Position at the start of the turn.
    fn position(&self) -> &Game {
        &self.game.game
    }

    /// Picture of a position without the engine's cards.
    fn picture<'a>(&self, game: &'a Game) -> Picture<'a> {
        Picture::new(game).colored(self.color).hiding(Some(self.game.side.opponent()))
    }

    /// Begins the person's turn, with the lines that were entered when the game was left.
    fn begin_turn(&mut self) -> Result<()> {
        self.entry = TurnEntry::new(self.position());
        for line in std::mem::take(&mut self.game.turn_so_far) {
            match self.entry.add(&line) {
                Ok(_) => writeln!(stdout(), "{line}")?,
                Err(error) => writeln!(stdout(), "error: {}: {}", quoted(&line), shortened(&error))?,
            }
        }
        Ok(())
    }

    /// Reads and plays the person's turn. False when the person has left.
    fn person_turn(&mut self) -> Result<bool> {
        writeln!(stdout(), "your turn; help lists what you can type")?;
        self.begin_turn()?;
        let started = Instant::now();
        while let Some(line) = self.lines.next()? {
            let line = line.trim();
            match *line.split_ascii_whitespace().collect::<Vec<_>>() {
                [] => {}
                ["quit" | "exit"] => return Ok(false),
                ["help" | "?"] => writeln!(stdout(), "{HELP}")?,
                ["show"] => write!(stdout(), "{}", self.picture(&self.entry.shown()))?,
                ["lines"] => {
                    for line in self.entry.lines() {
                        writeln!(stdout(), "{line}")?;
                    }
                }
                ["fen"] => writeln!(stdout(), "{}", fen::Extended(self.position()))?,
                ["hint"] => self.hint()?,
                ["undo"] => match self.entry.undo() {
                    Some(line) => writeln!(stdout(), "taken back: {line}")?,
                    None => writeln!(stdout(), "error: nothing to take back")?,
                },
                ["clear"] | ["turn", ..] => self.entry = TurnEntry::new(self.position()),
                [save @ ("save" | "save!"), _, ..] => match self.save(line, save) {
                    Ok(turns) => writeln!(stdout(), "saved {}", counted(turns, "turn"))?,
                    Err(error) => writeln!(stdout(), "error: {}", shortened(&format!("{error:#}")))?,
                },
                ["end"] | ["endturn", ..] => {
                    let before = self.position().clone();
                    let played = self.entry.turn().and_then(|turn| {
                        self.game.game.play(&turn).map_err(|error| error.to_string()).map(|_| turn)
                    });
                    match played {
                        Ok(turn) => {
                            self.entry = TurnEntry::new(self.position());
                            self.note(&before, &turn, TurnNotes::timed(started.elapsed()))?;
                            return Ok(true);
                        }
                        Err(error) => writeln!(stdout(), "error: {}", shortened(&error))?,
                    }
                }
                _ => self.enter(line)?,
            }
        }
        Ok(false)
    }

    /// Adds a line to the turn, and says what that does to it.
    fn enter(&mut self, line: &str) -> Result<()> {
        let before = self.entry.lines().to_vec();
        match self.entry.add(line) {
            Ok(news) => {
                for gone in before.iter().filter(|gone| !self.entry.lines().contains(gone)) {
                    writeln!(stdout(), "  in place of {gone}")?;
                }
                for sentence in news {
                    writeln!(stdout(), "  {sentence}")?;
                }
            }
            Err(error) => writeln!(stdout(), "error: {}: {}", quoted(line), shortened(&error))?,
        }
        Ok(())
    }

    /// Writes the game so far to the file that a line names behind its first word. Returns its number of turns.
    fn save(&self, line: &str, word: &str) -> Result<usize> {
        let name = line.strip_prefix(word).unwrap_or(line).trim();
        let left = left_at(self.position(), self.entry.lines());
        self.game.record.save(name, word == "save!", left)
    }

    /// Adds a turn to the record. The game goes on where the record cannot be written.
    fn note(&mut self, before: &Game, turn: &GameTurn, notes: TurnNotes) -> Result<()> {
        if let Err(error) = self.game.record.turn(before, turn, notes) {
            writeln!(
                stdout(),
                "error: the game is not recorded any more: {}",
                shortened(&format!("{error:#}"))
            )?;
        }
        Ok(())
    }

    fn search(&mut self) -> Result<SearchResult> {
        let limits = self.game.level.limits();
        let found = self.game.engine.search(&self.game.game, &limits);
        if let Some(breakdown) = &found.breakdown {
            writeln!(stdout(), "{breakdown}")?;
        }
        Ok(found)
    }

    fn hint(&mut self) -> Result<()> {
        let found = self.search()?;
        let best = found.best();
        writeln!(
            stdout(),
            "{} wins with {}, by",
            self.position().side_to_move().name(),
            best.chance_in_words()
        )?;
        writeln!(stdout(), "{}", TurnText::new(self.position(), &best.turn))?;
        Ok(())
    }

    /// Searches and plays the engine's turn. False after Ctrl-C.
    fn engine_turn(&mut self) -> Result<bool> {
        let name = self.position().side_to_move().name();
        writeln!(stdout(), "{name} thinks ...")?;
        let found = self.search()?;
        if interrupt::requested() {
            return Ok(false);
        }
        let best = found.best();
        let narration = Narration::new(self.position(), &best.turn);
        let (chance, nodes) = (best.chance_in_words(), found.statistics.nodes);
        let mut words = format!("{name} plays (wins with {chance}; {nodes} nodes):\n");
        for sentence in narration.sentences() {
            writeln!(words, "  {sentence}")?;
        }
        write!(stdout(), "{words}")?;
        let before = self.position().clone();
        self.game
            .game
            .play(&best.turn)
            .map_err(|error| anyhow::anyhow!("the search proposed an illegal turn: {error}"))?;
        self.note(&before, &best.turn, notes_of_search(&before, &found))?;
        Ok(true)
    }
}
