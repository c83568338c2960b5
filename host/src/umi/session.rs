//! One engine's conversation: its position, its options, the turn being entered and the search that runs.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameConfig, Ruleset};

use crate::bench;
use crate::text::picture::Picture;
use crate::text::quoted::quoted;

use super::brain::TimedBrain;
use super::options::{Announcement, Consequence, Options};
use super::search_thread::{AUTO_TURNS, Answer, Chance, Purpose, Search};

/// Most commands that wait for the end of a search.
const WAITING_CAP: usize = 4096;

/// How long `quit` lets a search finish its word: milliseconds, or longer while much memory is being set up.
const LEAVE: Duration = Duration::from_secs(2);

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// More lines are welcome.
    Continue,
    /// The host has said `quit`.
    Quit,
}

/// What wakes the session.
pub(super) enum Event {
    Line(String),
    End,
    /// What a search tells of itself.
    Info(String),
    /// A search is over; nothing comes back if it broke down.
    Answer(Option<Box<Answer>>),
}

/// Where lines come in from another thread. Dropping it is the end of the input.
pub(super) struct Door(Sender<Event>);

impl Door {
    /// Hands a line in; fails when the session is over.
    pub(super) fn send(&self, line: String) -> Result<(), ()> {
        self.0.send(Event::Line(line)).map_err(|_| ())
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        let _ = self.0.send(Event::End);
    }
}

/// Why a command was not carried out.
pub(super) enum Refusal {
    /// The host is told.
    Bad(String),
    /// There is nobody to tell.
    Mute(io::Error),
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::Bad(text)
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Refusal {
        Refusal::Bad(text.to_owned())
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Mute(error)
    }
}

pub(super) type Obeyed = Result<(), Refusal>;

/// An engine that answers lines. Everything it says goes to `W`.
///
/// ```
/// let mut answers = Vec::new();
/// let mut session = barrow::umi::Session::new(&mut answers);
/// session.handle("isready").unwrap();
/// session.handle("dance").unwrap();
/// drop(session);
/// assert_eq!(String::from_utf8(answers).unwrap(), "readyok\nerror: no such command: dance\n");
/// ```
pub struct Session<W> {
    pub(super) out: W,
    pub(super) options: Options,
    /// Maps, line and target; the ruleset is put in when a position is made.
    config: GameConfig,
    pub(super) game: Game,
    /// Whether the host may not know more than Spooky's lines.
    pub(super) plain: bool,
    pub(super) entering: Option<TurnReader>,
    pub(super) thinker: Option<Box<dyn TimedBrain>>,
    pub(super) search: Option<Search>,
    pub(super) waiting: VecDeque<String>,
    inbox: Receiver<Event>,
    pub(super) outbox: Sender<Event>,
}

impl<W: Write> Session<W> {
    /// An engine at the start position of the default configuration.
    pub fn new(out: W) -> Session<W> {
        let (outbox, inbox) = channel();
        let options = Options::default();
        let config = GameConfig::default();
        let game = Game::new(config.clone().with_ruleset(Ruleset::Spooky), options.seed);
        let (entering, thinker, search, waiting) = (None, None, None, VecDeque::new());
        Session {
            out,
            options,
            config,
            game,
            plain: false,
            entering,
            thinker,
            search,
            waiting,
            inbox,
            outbox,
        }
    }

    /// The same engine with another brain, until an option or a new game brings back one of its own.
    pub fn with_thinker(mut self, thinker: Box<dyn TimedBrain>) -> Session<W> {
        self.thinker = Some(thinker);
        self
    }

    /// The position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What was said so far goes here.
    pub fn output(&mut self) -> &mut W {
        &mut self.out
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Where another thread puts lines for [`Session::run`].
    pub(super) fn door(&self) -> Door {
        Door(self.outbox.clone())
    }

    /// Answers the lines that come through the door until `quit`, or until the input has ended and nothing is left
    /// to do.
    pub(super) fn run(&mut self) -> io::Result<()> {
        let mut ended = false;
        while !ended || self.is_searching() {
            let Ok(event) = self.inbox.recv() else { break };
            match event {
                Event::Line(line) => {
                    if self.handle(&line)? == Flow::Quit {
                        return self.take_leave();
                    }
                }
                Event::End => ended = true,
                Event::Info(line) => self.inform(&line)?,
                Event::Answer(answer) => self.conclude(answer)?,
            }
            if ended {
                self.stop_waiting();
            }
        }
        Ok(())
    }

    fn inform(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "info {line}")?;
        self.out.flush()
    }

    /// What a search has found by now is still told, and so is what waited behind it, but nobody waits long.
    fn take_leave(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + LEAVE;
        while self.is_searching() {
            self.stop();
            match self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Answer(answer)) => self.conclude(answer)?,
                Ok(Event::Info(line)) => self.inform(&line)?,
                Ok(Event::Line(_) | Event::End) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Waits for the end of the search, if one runs, and of the commands behind it.
    pub fn settle(&mut self) -> io::Result<()> {
        while self.is_searching() {
            match self.inbox.recv() {
                Ok(Event::Answer(answer)) => self.conclude(answer)?,
                Ok(Event::Info(line)) => self.inform(&line)?,
                Ok(Event::Line(_) | Event::End) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Answers one line.
    pub fn handle(&mut self, line: &str) -> io::Result<Flow> {
        let line = line.trim();
        match line.split_ascii_whitespace().next().unwrap_or("") {
            "" => {}
            "quit" => {
                self.stop();
                return Ok(Flow::Quit);
            }
            "stop" => self.stop(),
            "ponderhit" => self.ponder_hit()?,
            "isready" => {
                self.prepare();
                writeln!(self.out, "readyok")?;
            }
            "umi" => self.introduce()?,
            "go" | "play" | "auto" if self.is_searching() => self.complain("a search is running")?,
            _ if !self.is_searching() => match self.obey(line) {
                Ok(()) => {}
                Err(Refusal::Bad(text)) => self.complain(&text)?,
                Err(Refusal::Mute(error)) => return Err(error),
            },
            _ if self.waiting.len() < WAITING_CAP => self.waiting.push_back(line.to_owned()),
            _ => self.complain("too many commands wait for the end of the search")?,
        }
        self.out.flush()?;
        Ok(Flow::Continue)
    }

    pub(super) fn complain(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "error: {text}")
    }

    fn introduce(&mut self) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        writeln!(self.out, "id name Barrow {version}\nid author the Barrow developers\n{Announcement}\numiok")
    }

    /// Carries out a command that needs the engine to itself.
    fn obey(&mut self, line: &str) -> Obeyed {
        let (command, rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
        let rest = rest.trim();
        if matches!(command, "uminewgame" | "getfen" | "display" | "eval") && !rest.is_empty() {
            return Err(format!("{command}: too many words").into());
        }
        match command {
            "setoption" => self.set_option(rest),
            "config" => self.configure(rest),
            "uminewgame" => {
                self.start_over();
                Ok(())
            }
            "position" => self.position(rest),
            "turn" => self.begin_turn(line),
            "action" => self.enter_action(line),
            "endturn" => self.end_turn(rest),
            "go" => self.begin_search(rest, Purpose::Show),
            "play" => self.begin_search(rest, Purpose::Play),
            "auto" => self.begin_search(rest, Purpose::Auto { turns_left: AUTO_TURNS }),
            "getfen" => self.print_position(),
            "display" => self.display(),
            "eval" => self.evaluate(),
            "bench" => self.bench(rest),
            "perft" => self.count_attacks(rest),
            _ => Err(format!("no such command: {}", quoted(command)).into()),
        }
    }

    // --- options and positions ---

    fn set_option(&mut self, rest: &str) -> Obeyed {
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let ["name", name, "value", value] = *words else {
            return Err("setoption: expected name, a name, value, a value".into());
        };
        match self.options.set(name, value)? {
            Consequence::Nothing => {}
            Consequence::NewBrain => self.thinker = None,
            Consequence::NewGame => self.start_over(),
        }
        Ok(())
    }

    fn configure(&mut self, rest: &str) -> Obeyed {
        let config = fen::parse_config(rest, Ruleset::Server).map_err(|error| format!("config: {error}"))?;
        self.config = config;
        self.start_over();
        Ok(())
    }

    /// The configuration under the ruleset that is set, or under `auto` under this one.
    fn ruled_config(&self, auto: Ruleset) -> GameConfig {
        self.config.clone().with_ruleset(self.options.ruleset.unwrap_or(auto))
    }

    /// Sets up the start position of the configuration.
    fn set_up(&mut self) {
        self.game = Game::new(self.ruled_config(Ruleset::Spooky), self.options.seed);
        self.plain = false;
        self.entering = None;
    }

    fn start_over(&mut self) {
        self.set_up();
        self.thinker = None;
    }

    fn position(&mut self, rest: &str) -> Obeyed {
        match rest.split_once(|c: char| c.is_ascii_whitespace()) {
            None if rest == "startpos" => self.set_up(),
            Some(("fen", text)) => {
                let text = text.trim();
                let extended = text.split_ascii_whitespace().any(|word| word == "x1");
                let auto = if extended { Ruleset::Server } else { Ruleset::Spooky };
                let game = fen::parse_seeded(text, &self.ruled_config(auto), self.options.seed);
                self.game = game.map_err(|error| format!("position fen: {error}"))?;
                self.plain = !extended;
                self.entering = None;
            }
            _ => return Err("position: expected startpos or fen and a position".into()),
        }
        Ok(())
    }

    fn print_position(&mut self) -> Obeyed {
        if self.game.config().rules.spells {
            writeln!(self.out, "{}", fen::Extended(&self.game))?;
        } else {
            writeln!(self.out, "{}", fen::Display(&self.game))?;
        }
        Ok(())
    }

    /// Draws the position in plain text, whoever reads it.
    pub(super) fn display(&mut self) -> Obeyed {
        write!(self.out, "{}", Picture::new(&self.game))?;
        Ok(())
    }

    /// The same fixed work as `barrow bench`, and the same signature.
    fn bench(&mut self, rest: &str) -> Obeyed {
        let nodes = match rest {
            "" => bench::SIGNED_NODES,
            _ => rest.parse().ok().filter(|&nodes| nodes > 0).ok_or("bench: expected a number of nodes")?,
        };
        let report = bench::measure_search(nodes, 1).map_err(|error| format!("bench: {error:#}"))?;
        writeln!(self.out, "{} nodes {:.0} nps\nsignature {}", report.nodes, report.nps, report.signature)?;
        Ok(())
    }

    fn evaluate(&mut self) -> Obeyed {
        let chance = Chance(eval::win_permille(eval::score(&self.game)));
        writeln!(self.out, "info eval winprob {chance}")?;
        Ok(())
    }

    // --- turns of the host ---

    fn begin_turn(&mut self, line: &str) -> Obeyed {
        let reader = TurnReader::new(&self.game, line).map_err(|error| format!("turn: {error}"))?;
        self.entering = Some(reader);
        Ok(())
    }

    fn enter_action(&mut self, line: &str) -> Obeyed {
        let reader = self.entering.as_mut().ok_or("action: no turn was begun")?;
        Ok(reader.read(line).map_err(|error| format!("action: {error}"))?)
    }

    fn end_turn(&mut self, rest: &str) -> Obeyed {
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        if !matches!(*words, [] | ["winner", "Yellow" | "Blue"]) {
            return Err("endturn: expected nothing, or winner and a side".into());
        }
        let reader = self.entering.take().ok_or("endturn: no turn was begun")?;
        let turn = reader.finish(&self.game).map_err(|error| format!("endturn: {error}"))?;
        self.game.play(&turn).map_err(|error| format!("endturn: {error}"))?;
        Ok(self.announce_end()?)
    }

    /// Says who has won, if the game is over.
    pub(super) fn announce_end(&mut self) -> io::Result<()> {
        let state = self.game.state();
        match state.winner() {
            Some(winner) => writeln!(self.out, "info result winner {}", winner.name()),
            None if state.is_drawn() => writeln!(self.out, "info result draw"),
            None => Ok(()),
        }
    }
}
