//! A UMI session: the position, the options, the turn being entered, the search that runs, and the commands on them.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use barrow_core::minions::players::heuristics::eval;
use barrow_core::minions::text::fen;
use barrow_core::minions::text::umi::TurnReader;
use barrow_core::minions::{Game, GameConfig, GameTurn, Ruleset};

use crate::io::Backlog;
use crate::notation::TurnNotes;
use crate::text::picture::Picture;
use crate::text::quoted::{quoted, shortened};
use crate::version;

use super::brain::TimedBrain;
use super::event::{AUTO_TURNS, Event, InputSender, Purpose, QUEUE, RunningSearch};
use super::help::HELP;
use super::info::Permille;
use super::options::{Consequence, LOG_OPTION, OptionLines, Options};
use super::recognition::Recognition;
use super::recording::SessionRecording;
use super::transcript::TranscribedWriter;

/// Time after `quit` in which a search may still answer, by default. Milliseconds suffice, unless much memory is being set up.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Whether the session goes on after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The session reads the next line.
    Continue,
    /// The command was `quit`.
    Quit,
}

/// Why a command was not carried out.
pub(super) enum CommandError {
    /// The text of the line `error: …` to the host.
    Refused(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl From<String> for CommandError {
    fn from(text: String) -> CommandError {
        CommandError::Refused(text)
    }
}

impl From<&str> for CommandError {
    fn from(text: &str) -> CommandError {
        CommandError::Refused(text.to_owned())
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> CommandError {
        CommandError::Output(error)
    }
}

pub(super) type CommandResult = Result<(), CommandError>;

/// A UMI session that answers lines of input. Its output goes to `W`.
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
    pub(super) out: TranscribedWriter<W>,
    pub(super) options: Options,
    /// Maps, tech line and points to win. The ruleset is set when a position is made ([`Session::ruled_config`]).
    config: GameConfig,
    pub(super) game: Game,
    /// Whether the host is known to be the web server.
    pub(super) recognition: Recognition,
    /// Whether the position came in Spooky's form, so that the host may know no other lines than Spooky's.
    pub(super) spooky_form: bool,
    /// Whether a person types the lines, who is shown the same start position as by the other commands.
    for_person: bool,
    pub(super) entering: Option<TurnReader>,
    pub(super) brain: Option<Box<dyn TimedBrain>>,
    pub(super) search: Option<RunningSearch>,
    pub(super) waiting: Backlog,
    pub(super) recording: SessionRecording,
    /// Time left on the clock of the side to move as the search begins, where the host says so.
    pub(super) clock: Option<Duration>,
    /// Time after `quit` in which a search may still answer.
    pub(super) quit_timeout: Duration,
    inbox: Receiver<Event>,
    pub(super) outbox: SyncSender<Event>,
}

impl<W: Write> Session<W> {
    /// A session at the start position of the default configuration.
    pub fn new(out: W) -> Session<W> {
        let (outbox, inbox) = sync_channel(QUEUE);
        let options = Options::default();
        let config = GameConfig::default();
        let game = Game::new(config.clone().with_ruleset(Ruleset::Spooky), options.seed);
        let (entering, brain, search, waiting) = (None, None, None, Backlog::default());
        Session {
            out: TranscribedWriter::new(out),
            options,
            config,
            game,
            recognition: Recognition::default(),
            spooky_form: false,
            for_person: false,
            entering,
            brain,
            search,
            waiting,
            recording: SessionRecording::default(),
            clock: None,
            quit_timeout: QUIT_TIMEOUT,
            inbox,
            outbox,
        }
    }

    /// Session with this brain in place of its own, until an option or a new game replaces the brain by one of the session's own.
    pub fn with_brain(mut self, brain: Box<dyn TimedBrain>) -> Session<W> {
        self.brain = Some(brain);
        self
    }

    /// Session for a person who types the lines. While the ruleset is `auto`, the start position is that of `analyze` and
    /// `play`, under the rules of the web server; a host that speaks UMI gets Spooky's.
    pub fn for_person(mut self) -> Session<W> {
        self.for_person = true;
        self.set_up();
        self
    }

    /// Session with an option set, as by `setoption`. The error says what is wrong with the name or the value.
    pub fn with_option(mut self, name: &str, value: &str) -> Result<Session<W>, String> {
        self.change_option(name, value)?;
        Ok(self)
    }

    /// The current position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The writer that receives the output.
    pub fn output(&mut self) -> &mut W {
        &mut self.out.inner
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// A sender with which another thread passes lines to [`Session::run`].
    pub(super) fn input_sender(&self) -> InputSender {
        InputSender(self.outbox.clone())
    }

    /// Answers the lines of the [`InputSender`] until `quit`, or until the input has ended and no search runs.
    pub(super) fn run(&mut self) -> io::Result<()> {
        let mut ended = false;
        while !ended || self.is_searching() {
            let Ok(event) = self.inbox.recv() else { break };
            match event {
                Event::Line(line) => {
                    if self.handle(&line)? == Flow::Quit {
                        return self.finish_search();
                    }
                }
                Event::LongLine => {
                    self.print_error("a line of more than 1 MiB")?;
                    self.out.flush()?;
                }
                Event::End => ended = true,
                Event::Info(line) => self.print_info(&line)?,
                Event::Answer(answer) => self.conclude(*answer)?,
                Event::Measured(report) => self.conclude_bench(*report)?,
            }
            if ended {
                self.stop_waiting();
            }
        }
        Ok(())
    }

    fn print_info(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "info {line}")?;
        self.out.flush()
    }

    /// Stops the searches that run or wait and prints their answers, within a short time.
    fn finish_search(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + self.quit_timeout;
        while self.is_searching() {
            self.stop();
            match self.inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Answer(answer)) => self.conclude(*answer)?,
                Ok(Event::Measured(report)) => self.conclude_bench(*report)?,
                Ok(Event::Info(line)) => self.print_info(&line)?,
                Ok(Event::Line(_) | Event::LongLine | Event::End) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Waits for the end of the search, if one runs, and of the commands that wait for it.
    pub fn settle(&mut self) -> io::Result<()> {
        while self.is_searching() {
            match self.inbox.recv() {
                Ok(Event::Answer(answer)) => self.conclude(*answer)?,
                Ok(Event::Measured(report)) => self.conclude_bench(*report)?,
                Ok(Event::Info(line)) => self.print_info(&line)?,
                Ok(Event::Line(_) | Event::LongLine | Event::End) => {}
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Answers one line of input.
    pub fn handle(&mut self, line: &str) -> io::Result<Flow> {
        let line = line.trim();
        tracing::debug!("host > {}", shortened(line));
        self.out.hear(line);
        self.obey(line)
    }

    /// Obeys a line that has been heard.
    pub(super) fn obey(&mut self, line: &str) -> io::Result<Flow> {
        match line.split_ascii_whitespace().next().unwrap_or("") {
            "" => {}
            "quit" => {
                self.stop();
                self.out.flush()?;
                return Ok(Flow::Quit);
            }
            "stop" => self.stop(),
            "ponderhit" => self.ponder_hit()?,
            "isready" => {
                self.prepare();
                writeln!(self.out, "readyok")?;
            }
            "umi" => self.print_identity()?,
            "help" => writeln!(self.out, "{HELP}")?,
            "go" | "play" | "auto" if self.is_searching() => self.print_error("a search is running")?,
            _ if !self.is_searching() => match self.run_command(line) {
                Ok(()) => {}
                Err(CommandError::Refused(text)) => self.print_error(&text)?,
                Err(CommandError::Output(error)) => return Err(error),
            },
            _ if self.waiting.push(line) => {}
            _ => self.print_error("too many commands wait for the end of the search")?,
        }
        self.out.flush()?;
        Ok(Flow::Continue)
    }

    pub(super) fn print_error(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "error: {}", shortened(text))
    }

    fn print_identity(&mut self) -> io::Result<()> {
        let version = version::full();
        writeln!(self.out, "id name Barrow {version}\nid author the Barrow developers\n{OptionLines}\numiok")
    }

    /// Runs a command that must not run during a search.
    fn run_command(&mut self, line: &str) -> CommandResult {
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
            "bench" => self.begin_bench(rest),
            "perft" => self.count_attacks(rest),
            _ => Err(format!("no such command: {}", quoted(command)).into()),
        }
    }

    // --- options and positions ---

    fn set_option(&mut self, rest: &str) -> CommandResult {
        let malformed = "setoption: expected name, a name, value, a value";
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let value = words.iter().position(|&word| word == "value").ok_or(malformed)?;
        let (name, value) = words.split_at(value);
        let (Some((&"name", name @ [_, ..])), Some((_, value @ [_, ..]))) =
            (name.split_first(), value.split_first())
        else {
            return Err(malformed.into());
        };
        Ok(self.change_option(&name.join(" "), &value.join(" "))?)
    }

    fn change_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name == LOG_OPTION {
            let file = Some(value).filter(|&value| value != "<empty>");
            let begun = self.out.transcribe(file);
            return begun.map_err(|error| format!("{LOG_OPTION}: {}: {error}", quoted(value)));
        }
        match self.options.set(name, value)? {
            Consequence::Nothing => {}
            Consequence::NewBrain => self.brain = None,
            Consequence::NewGame => self.start_over(),
            Consequence::NewRecord(name) => self.recording.open(name.as_deref())?,
        }
        Ok(())
    }

    fn configure(&mut self, rest: &str) -> CommandResult {
        let config = fen::parse_config(rest, Ruleset::Server).map_err(|error| format!("config: {error}"))?;
        self.config = config;
        self.start_over();
        self.recognition = Recognition::by_config(&self.config);
        Ok(())
    }

    /// The configuration under the ruleset of the options, or under the ruleset `auto` when the option says `auto`.
    fn ruled_config(&self, auto: Ruleset) -> GameConfig {
        self.config.clone().with_ruleset(self.options.ruleset.unwrap_or(auto))
    }

    /// Sets up the start position of the configuration.
    fn set_up(&mut self) {
        let auto = self.auto_ruleset(self.for_person, self.recognition);
        self.game = Game::new(self.ruled_config(auto), self.options.seed);
        self.spooky_form = false;
        self.entering = None;
    }

    fn start_over(&mut self) {
        self.recording.end_game();
        self.recognition = self.recognition.again();
        self.set_up();
        self.brain = None;
    }

    fn position(&mut self, rest: &str) -> CommandResult {
        match rest.split_once(|c: char| c.is_ascii_whitespace()) {
            None if rest == "startpos" => self.set_up(),
            Some(("fen", text)) => {
                let text = text.trim();
                let extended = text.split_ascii_whitespace().any(|word| word == "x1");
                let recognition = self.recognition.by_position(text);
                let auto = self.auto_ruleset(extended, recognition);
                let game = fen::parse_seeded(text, &self.ruled_config(auto), self.options.seed);
                self.game = game.map_err(|error| format!("position fen: {error}"))?;
                self.recognition = recognition;
                self.spooky_form = !extended;
                self.entering = None;
            }
            _ => return Err("position: expected startpos or fen and a position".into()),
        }
        let recorded = self.recording.position(&self.game);
        Ok(self.report_record(recorded)?)
    }

    fn print_position(&mut self) -> CommandResult {
        if self.game.config().rules.spells {
            writeln!(self.out, "{}", fen::Extended(&self.game))?;
        } else {
            writeln!(self.out, "{}", fen::Display(&self.game))?;
        }
        Ok(())
    }

    /// Prints the position as a picture without colours.
    pub(super) fn display(&mut self) -> CommandResult {
        write!(self.out, "{}", Picture::new(&self.game))?;
        Ok(())
    }

    fn evaluate(&mut self) -> CommandResult {
        let chance = Permille(eval::win_permille(eval::score(&self.game)));
        writeln!(self.out, "info eval winprob {chance}")?;
        Ok(())
    }

    // --- turns of the host ---

    fn begin_turn(&mut self, line: &str) -> CommandResult {
        let reader = TurnReader::new(&self.game, line).map_err(|error| format!("turn: {error}"))?;
        self.entering = Some(reader);
        Ok(())
    }

    fn enter_action(&mut self, line: &str) -> CommandResult {
        let reader = self.entering.as_mut().ok_or("action: no turn was begun")?;
        Ok(reader.read(line).map_err(|error| format!("action: {error}"))?)
    }

    fn end_turn(&mut self, rest: &str) -> CommandResult {
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        if !matches!(*words, [] | ["winner", "Yellow" | "Blue"]) {
            return Err("endturn: expected nothing, or winner and a side".into());
        }
        let reader = self.entering.take().ok_or("endturn: no turn was begun")?;
        let turn = reader.finish(&self.game).map_err(|error| format!("endturn: {error}"))?;
        let before = self.game.clone();
        self.game.play(&turn).map_err(|error| format!("endturn: {error}"))?;
        self.record(&before, &turn, "host", TurnNotes::default())?;
        Ok(self.announce_end()?)
    }

    /// Records a turn that was played in a position and led to the current one. A record that cannot be written ends, and the
    /// host is told.
    pub(super) fn record(
        &mut self,
        before: &Game,
        turn: &GameTurn,
        player: &str,
        notes: TurnNotes,
    ) -> io::Result<()> {
        let network = self.options.network;
        let recorded = self.recording.turn([before, &self.game], turn, (player, network), notes);
        self.report_record(recorded)
    }

    /// Tells the host of a record that cannot be written.
    fn report_record(&mut self, recorded: anyhow::Result<()>) -> io::Result<()> {
        match recorded {
            Ok(()) => Ok(()),
            Err(error) => {
                writeln!(self.out, "info string Record: {}", shortened(&format!("{error:#}")))
            }
        }
    }

    /// Prints the winner or the draw, if the game is over.
    pub(super) fn announce_end(&mut self) -> io::Result<()> {
        let state = self.game.state();
        match state.winner() {
            Some(winner) => writeln!(self.out, "info result winner {}", winner.name()),
            None if state.is_drawn() => writeln!(self.out, "info result draw"),
            None => Ok(()),
        }
    }
}
