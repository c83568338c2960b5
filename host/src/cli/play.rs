//! `barrow play`: a game in the terminal against the engine.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use barrow_core::minions::text::fen;
use barrow_core::minions::turn_search::SearchOptions;
use barrow_core::minions::{Game, GameTurn, Side};
use clap::ValueEnum;

use super::play_record::PlayRecord;
use super::position::Position;
use crate::engine::network::EngineNetwork;
use crate::engine::{DEFAULT_MIB, Engine, Limits, MAX_MIB, SearchResult};
use crate::interrupt;
use crate::io::{LineEnd, read_line, skip_line};
use crate::notation::{AnnotatedGame, Tags, TurnNotes, network_name};
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
  quit              leaves the game and says how to go on";

/// Arguments of `play`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    position: Position,
    /// Your side
    #[arg(long, value_enum, default_value_t = Seat::Yellow)]
    side: Seat,
    /// Time for each turn of the engine
    #[arg(long, value_name = "MS", default_value_t = 2000)]
    movetime: u64,
    /// Threads of the engine
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory of the engine
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MIB as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_MIB as u64))]
    hash: u64,
    /// Network file that the engine thinks with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    net: Option<String>,
    /// Seed of what the engine leaves to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Record the game, turn by turn, to a file (`.mgn`); a game that is gone on with by --game stands in it from its start
    #[arg(long, value_name = "FILE")]
    record: Option<String>,
    /// Replace the recorded file if it exists
    #[arg(long, requires = "record")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Seat {
    Yellow,
    Blue,
}

impl Seat {
    fn side(self) -> Side {
        match self {
            Seat::Yellow => Side::Yellow,
            Seat::Blue => Side::Blue,
        }
    }
}

/// Plays until the game is over, the input ends, or the player leaves.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let options = SearchOptions { seed: arguments.seed, ..SearchOptions::default() };
    let mut engine = Engine::with_threads(arguments.hash as usize, options, usize::from(arguments.threads));
    let network = arguments.net.as_deref().map(EngineNetwork::open).transpose()?;
    engine.set_network(network);
    let side = arguments.side.side();
    let start = arguments.position.game()?;
    let known = arguments.position.recorded.game()?;
    let record = PlayRecord::new(
        record_of(known, &start, arguments, side)?,
        arguments.record.as_deref(),
        arguments.force,
    )?;
    let mut game = Match {
        game: start,
        record,
        side,
        engine,
        time: Duration::from_millis(arguments.movetime),
        lines: lines(io::stdin().lock().is_terminal()),
        color: is_colored(),
    };
    let played = game.play();
    game.record.end(&game.game)?;
    played?;
    Ok(ExitCode::SUCCESS)
}

/// Game so far: that of a file up to the position, or none.
fn record_of(
    known: Option<AnnotatedGame>,
    start: &Game,
    arguments: &Arguments,
    side: Side,
) -> Result<AnnotatedGame> {
    let mut record = known.unwrap_or_else(|| AnnotatedGame::new(Tags::of_event("play"), start.clone()));
    record.turns.truncate(arguments.position.recorded.turn().unwrap_or(record.turns.len()));
    record.ending = None;
    let engine = concat!("Barrow ", env!("CARGO_PKG_VERSION"));
    let (names, limits, network) = match side {
        Side::Yellow => (["a person", engine], Tags::BLUE_LIMITS, Tags::BLUE_NETWORK),
        Side::Blue => ([engine, "a person"], Tags::YELLOW_LIMITS, Tags::YELLOW_NETWORK),
    };
    record.tags.set(Tags::YELLOW, names[0]);
    record.tags.set(Tags::BLUE, names[1]);
    record.tags.set(limits, &format!("movetime {} ms", arguments.movetime));
    let file = arguments.net.as_deref().map(EngineNetwork::open).transpose()?;
    if let Some(known) = file.or_else(EngineNetwork::embedded) {
        record.tags.set(network, &network_name(known));
    }
    Ok(record)
}

/// Starts a thread that reads the lines of stdin, so that the command can end after Ctrl-C without another line. Of a
/// line that is too long the command sees the beginning.
fn lines(prompts: bool) -> Lines {
    let (sender, receiver) = sync_channel(64);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            match read_line(&mut input, LINE_CAP, &mut line) {
                Ok(LineEnd::TooLong) if skip_line(&mut input).is_err() => return,
                Ok(LineEnd::Input) if line.is_empty() => return,
                Ok(_) => {}
                Err(_) => return,
            }
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    Lines { receiver, prompts }
}

/// Lines of stdin.
struct Lines {
    receiver: Receiver<String>,
    prompts: bool,
}

impl Lines {
    /// The next line; `None` at the end of the input and after Ctrl-C.
    fn next(&self) -> io::Result<Option<String>> {
        if self.prompts {
            print!("> ");
            io::stdout().flush()?;
        }
        loop {
            match self.receiver.recv_timeout(POLL) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) if !interrupt::requested() => {}
                Err(_) => return Ok(None),
            }
        }
    }
}

/// A game between the person and the engine.
struct Match {
    game: Game,
    record: PlayRecord,
    side: Side,
    engine: Engine,
    time: Duration,
    lines: Lines,
    color: bool,
}

impl Match {
    fn play(&mut self) -> Result<()> {
        while !self.game.state().is_over() {
            print!("\n{}", Picture::new(&self.game).colored(self.color));
            let goes_on =
                if self.game.side_to_move() == self.side { self.person_turn()? } else { self.engine_turn()? };
            if !goes_on {
                println!(
                    "to go on: barrow play --side {} {}",
                    self.side.name().to_lowercase(),
                    self.position()
                );
                return Ok(());
            }
        }
        print!("\n{}", Picture::new(&self.game).colored(self.color));
        match self.game.state().winner() {
            Some(side) if side == self.side => println!("you have won"),
            Some(side) => println!("{} has won", side.name()),
            None => println!("the game is drawn"),
        }
        Ok(())
    }

    /// The position as an argument with which `barrow play` continues the game.
    fn position(&self) -> String {
        format!("\"{}\"", fen::Extended(&self.game))
    }

    /// Reads and plays the person's turn. False when the person has left.
    fn person_turn(&mut self) -> Result<bool> {
        println!("your turn; help lists what you can type");
        let (mut entry, started) = (TurnEntry::new(&self.game), Instant::now());
        while let Some(line) = self.lines.next()? {
            let line = line.trim();
            match *line.split_ascii_whitespace().collect::<Vec<_>>() {
                [] => {}
                ["quit" | "exit"] => return Ok(false),
                ["help" | "?"] => println!("{HELP}"),
                ["show"] => print!("{}", Picture::new(&entry.shown()).colored(self.color)),
                ["lines"] => entry.lines().iter().for_each(|line| println!("{line}")),
                ["fen"] => println!("{}", fen::Extended(&self.game)),
                ["hint"] => self.hint(),
                ["undo"] => match entry.undo() {
                    Some(line) => println!("taken back: {line}"),
                    None => println!("error: nothing to take back"),
                },
                ["clear"] | ["turn", ..] => entry = TurnEntry::new(&self.game),
                ["save", _, ..] => match self.record.save(line["save".len()..].trim()) {
                    Ok(turns) => println!("saved {turns} turns"),
                    Err(error) => println!("error: {}", shortened(&format!("{error:#}"))),
                },
                ["end"] | ["endturn", ..] => {
                    let before = self.game.clone();
                    let played = entry.turn().and_then(|turn| {
                        self.game.play(&turn).map_err(|error| error.to_string()).map(|_| turn)
                    });
                    match played {
                        Ok(turn) => {
                            self.note(&before, &turn, TurnNotes::timed(started.elapsed()));
                            return Ok(true);
                        }
                        Err(error) => println!("error: {}", shortened(&error)),
                    }
                }
                _ => match entry.add(line) {
                    Ok(news) => news.iter().for_each(|sentence| println!("  {sentence}")),
                    Err(error) => println!("error: {}: {}", quoted(line), shortened(&error)),
                },
            }
        }
        Ok(false)
    }

    /// Adds a turn to the record. The game goes on where the record cannot be written.
    fn note(&mut self, before: &Game, turn: &GameTurn, notes: TurnNotes) {
        if let Err(error) = self.record.turn(before, turn, notes) {
            println!("error: the game is not recorded any more: {}", shortened(&format!("{error:#}")));
        }
    }

    fn search(&mut self) -> SearchResult {
        let found = self.engine.search(&self.game, &Limits::new(self.time, u64::MAX));
        if let Some(breakdown) = &found.breakdown {
            println!("{breakdown}");
        }
        found
    }

    fn hint(&mut self) {
        let found = self.search();
        let best = found.best();
        println!("{} wins with {}, by", self.game.side_to_move().name(), best.chance_in_words());
        println!("{}", barrow_core::minions::text::umi::TurnText::new(&self.game, &best.turn));
    }

    /// Searches and plays the engine's turn. False after Ctrl-C.
    fn engine_turn(&mut self) -> Result<bool> {
        let name = self.game.side_to_move().name();
        println!("{name} thinks ...");
        let found = self.search();
        if interrupt::requested() {
            return Ok(false);
        }
        let best = found.best();
        let narration = Narration::new(&self.game, &best.turn);
        let (chance, nodes) = (best.chance_in_words(), found.statistics.nodes);
        let mut words = format!("{name} plays (wins with {chance}; {nodes} nodes):\n");
        for sentence in &narration.general {
            writeln!(words, "  {sentence}")?;
        }
        for (index, board) in narration.boards.iter().enumerate() {
            for sentence in &board.sentences {
                writeln!(words, "  board {index}: {sentence}")?;
            }
        }
        print!("{words}");
        let before = self.game.clone();
        self.game
            .play(&best.turn)
            .map_err(|error| anyhow::anyhow!("the search proposed an illegal turn: {error}"))?;
        self.note(&before, &best.turn, TurnNotes::of_search(&before, &found));
        Ok(true)
    }
}
