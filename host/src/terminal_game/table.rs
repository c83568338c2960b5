//! Table at which a game is played: joins the game's state with the terminal, the engine's thread and the files.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use barrow_core::minions::text::fen;
use barrow_core::minions::{Game, Side};
use crossterm::event::Event;

use super::effect::{Effect, RecordedTurn};
use super::engine_thread::{EngineSettings, EngineThread};
use super::event_thread::EventThread;
use super::keys::{Key, keys_of};
use super::level::Level;
use super::palette::Palette;
use super::play_state::{Beginning, Layer, PlayState};
use super::raw_screen::RawScreen;
use super::screen::{draw, fits};
use crate::interrupt;
use crate::notation::{
    AnnotatedGame, Ending, EndingReason, FileSettings, Outcome, PlayRecord, Players, TurnNotes, left_at,
    notes_of_search, now, read_game,
};
use crate::text::counted::counted;
use crate::text::output::is_colored;
use crate::text::quoted::shortened;

/// Longest time between two looks at the engine and the clock.
const POLL: Duration = Duration::from_millis(40);

/// Settings of a game: its position, players and files.
pub struct GameSettings {
    /// Position.
    pub game: Game,
    /// Lines of the turn that was being entered when the game was left.
    pub turn_so_far: Vec<String>,
    /// Record of the game.
    pub record: PlayRecord,
    /// File to which it goes.
    pub record_file: Option<String>,
    /// Side of the player.
    pub person: Side,
    /// Level of the engine.
    pub level: Level,
    /// Settings of the engine.
    pub engine: EngineSettings,
    /// Time that each turn of the player may take.
    pub turn_time: Option<Duration>,
    /// Whether the player is asked for a side before the game begins.
    pub asks_side: bool,
}

/// Plays a game on the whole screen until the player leaves. The terminal is as before afterwards, and what no file had
/// is saved, or left out because the player said so.
pub fn play(settings: GameSettings) -> Result<ExitCode> {
    let GameSettings { game, turn_so_far, record, record_file, person, level, engine, turn_time, asks_side } =
        settings;
    let start = game.clone();
    let beginning = Beginning { game, person, level, turn_time, record_file };
    let mut state = PlayState::new(beginning);
    state.remember(record.game());
    let engine_thread = EngineThread::start(engine).context("no thread for the engine")?;
    let mut table = Table { state, record, engine: engine_thread, settings: engine, start, leaving: None };
    let palette = Palette { color: is_colored() };
    let played = {
        let mut screen = RawScreen::take(palette.color).context("the terminal")?;
        if asks_side {
            let menu = table.state.start_menu();
            table.state.layers.push(Layer::Menu(menu));
        } else {
            let effects = table.state.begin(&turn_so_far);
            table.perform(effects);
        }
        table.run(&mut screen, palette)
    };
    // The terminal is given back by now, so that the last words stand on it.
    let left = table.leave();
    played?;
    left?;
    Ok(ExitCode::SUCCESS)
}

/// Way in which the game is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaving {
    /// As the player wants it.
    Asked,
    /// Unsaved changes are to be saved.
    Saving,
}

struct Table {
    state: PlayState,
    record: PlayRecord,
    engine: EngineThread,
    settings: EngineSettings,
    /// First position of a new game.
    start: Game,
    leaving: Option<Leaving>,
}

impl Table {
    /// Draws, waits and obeys until the game is left.
    fn run(&mut self, screen: &mut RawScreen, palette: Palette) -> Result<()> {
        let events = EventThread::start().context("no thread for the terminal")?;
        let mut last = Instant::now();
        let (mut dirty, mut second) = (true, 0);
        while self.leaving.is_none() {
            if dirty {
                screen.terminal.draw(|frame| draw(frame.buffer_mut(), &self.state, palette))?;
            }
            dirty = false;
            if let Some(event) = events.next(POLL).context("the terminal")? {
                let size = screen.terminal.size()?;
                self.take_event(&event, fits(size.width, size.height));
                dirty = true;
            }
            if interrupt::requested() {
                self.leaving = Some(Leaving::Saving);
            }
            if let Some(answer) = self.engine.answer()? {
                let effects = self.state.answer(answer);
                self.perform(effects);
                dirty = true;
            }
            let now = Instant::now();
            let is_up = self.state.tick(now - last);
            last = now;
            if is_up {
                let effects = self.state.time_is_up();
                self.perform(effects);
            }
            let shown = self.state.clocks.turn.as_secs();
            dirty |= is_up || shown != second;
            second = shown;
        }
        Ok(())
    }

    /// Takes an event of the terminal. On one that is too small there is nothing to do but to leave.
    fn take_event(&mut self, event: &Event, fits: bool) {
        let Event::Key(event) = event else { return };
        for key in keys_of(*event) {
            if fits {
                let effects = self.state.press(key);
                self.perform(effects);
            } else if matches!(key, Key::Char('q') | Key::Interrupt) {
                self.leaving = Some(Leaving::Saving);
            }
        }
    }

    /// Does what the game asks for.
    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Search(request) => self.engine.ask(request),
                Effect::StopSearch => self.engine.stop(),
                Effect::Record(turn) => self.note(*turn),
                Effect::NewGame => self.new_game(),
                Effect::Save(name) => self.save(&name, false),
                Effect::SaveOver(name) => self.save(&name, true),
                Effect::Open(name) => self.open(&name),
                Effect::Leave => self.leaving = Some(Leaving::Asked),
                Effect::SaveAndLeave => self.leaving = Some(Leaving::Saving),
            }
        }
    }

    /// Records a turn. The game goes on where the record cannot be written.
    fn note(&mut self, turn: RecordedTurn) {
        let RecordedTurn { before, turn, millis, found, .. } = turn;
        self.record.set_players(&self.players());
        let notes = match &found {
            Some(found) => notes_of_search(&before, found),
            None => TurnNotes::default(),
        };
        if let Err(error) = self.record.turn(&before, &turn, TurnNotes { time: Some(millis), ..notes }) {
            let error = shortened(&format!("{error:#}"));
            self.state.stop_recording();
            self.state.say(format!("the game is not recorded any more: {error}"));
        }
    }

    /// Score of the game now.
    fn ending(&self) -> Ending {
        if let Some(side) = self.state.resigned() {
            return Ending::new(Outcome::Winner(side.opponent()), EndingReason::Resignation);
        }
        let (game, lines) = self.state.left();
        left_at(game, lines)
    }

    fn players(&self) -> Players {
        Players {
            person: self.state.person(),
            limits: self.state.level().limits_in_words(),
            network: self.settings.network,
        }
    }

    /// Begins the record of another game.
    fn restart_record(&mut self, game: AnnotatedGame) -> Result<()> {
        self.record.restart(&self.ending(), game)
    }

    fn new_game(&mut self) {
        let start = self.start.clone();
        let restarted = self.restart_record(self.players().game(&start, None));
        let effects = self.state.new_game(start, self.state.person());
        self.perform(effects);
        self.report(restarted);
    }

    fn report(&mut self, done: Result<()>) {
        if let Err(error) = done {
            self.state.say(format!("the game is not recorded: {}", shortened(&format!("{error:#}"))));
        }
    }

    fn save(&mut self, name: &str, replace: bool) {
        match self.record.save(name, replace, self.ending()) {
            Ok(turns) => {
                self.state.saved();
                self.state.say(format!("saved {} to {}", counted(turns, "turn"), shortened(name)));
            }
            Err(error) => self.state.say(format!("not saved: {}", shortened(&format!("{error:#}")))),
        }
    }

    fn open(&mut self, name: &str) {
        let opened = read_game(name, None, &FileSettings { quiet: true, ..FileSettings::default() })
            .and_then(|game| self.state.opened(&game).map(|effects| (game, effects)));
        match opened {
            Ok((game, effects)) => {
                self.start.clone_from(&game.start);
                let known = self.players().game(&game.start.clone(), Some(game));
                let restarted = self.restart_record(known);
                self.perform(effects);
                self.report(restarted);
            }
            Err(error) => self.state.say(format!("not opened: {}", shortened(&format!("{error:#}")))),
        }
    }

    /// Writes how the game was left, saves it where that is due, and says how to go on.
    fn leave(&mut self) -> Result<()> {
        let ending = self.ending();
        let recorded = self.record.is_written();
        let ended = self.record.end(&ending);
        let side = self.state.person().name().to_lowercase();
        let is_due = self.leaving != Some(Leaving::Asked) && self.state.is_unsaved();
        let mut file = self.state.record_file().filter(|_| recorded).map(str::to_owned);
        if is_due && file.is_none() {
            let name = free_name();
            match self.record.save(&name, false, ending) {
                Ok(_) => file = Some(name),
                Err(error) => say_last(io::stderr(), &format!("barrow: not saved: {error:#}")),
            }
        }
        let (game, _) = self.state.left();
        match file {
            Some(file) => {
                say_last(io::stdout(), &format!("the game is in {file}"));
                if !self.state.is_over() {
                    say_last(io::stdout(), &format!("to go on: barrow play --side {side} --game {file}"));
                }
            }
            None if self.state.is_over() || self.state.waits => {}
            None => {
                let position = fen::Extended(game);
                say_last(io::stdout(), &format!("to go on: barrow play --side {side} \"{position}\""));
            }
        }
        ended
    }
}

/// Last words of a game on a line of their own. A terminal that has hung up takes none.
fn say_last(mut to: impl Write, words: &str) {
    let _ = writeln!(to, "{words}");
}

/// Name of a file that does not exist yet: the present time, and a number where that is needed.
fn free_name() -> String {
    let stamp: String = now().chars().filter(char::is_ascii_alphanumeric).collect();
    let names = (1..).map(|number| match number {
        1 => format!("barrow-{stamp}.mgn"),
        _ => format!("barrow-{stamp}-{number}.mgn"),
    });
    names.take(1000).find(|name| !Path::new(name).exists()).unwrap_or_else(|| format!("barrow-{stamp}.mgn"))
}
