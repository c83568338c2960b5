//! State of a game at a terminal: the position, the turn that is being entered, the cursor, what lies over the boards. It
//! changes by keys, answers of the engine and the passing of time alone, and knows neither terminal nor files.

use std::time::Duration;

use barrow_core::hex::Hex;
use barrow_core::minions::{Game, Side, SideArray};

use super::level::Level;
use super::menu::{Aim, Menu, Page};
use super::prompt::Prompt;
use crate::text::turn_entry::TurnEntry;

/// Page over the boards.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Layer {
    /// Menu.
    Menu(Menu),
    /// Page to read.
    Page(Page),
    /// Line that is being typed.
    Prompt(Prompt),
}

/// Purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// The engine's turn.
    Turn,
    /// A proposal for the player's turn.
    Hint,
}

/// Search that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunningSearch {
    /// Number of the search.
    pub id: u64,
    /// Purpose of the search.
    pub purpose: Purpose,
}

/// Clocks: time of this turn, and of all turns of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clocks {
    /// Time of this turn.
    pub turn: Duration,
    /// Time of all turns of each side.
    pub total: SideArray<Duration>,
    /// Time that each turn of the player may take.
    pub limit: Option<Duration>,
}

/// Turn of the game so far, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlayedTurn {
    /// Number, from 1.
    pub number: u64,
    /// Side that played it.
    pub side: Side,
    /// Account of what was done.
    pub sentences: Vec<String>,
}

/// State of a game at a terminal.
pub struct PlayState {
    /// Position at the start of the turn.
    pub(super) game: Game,
    /// Turn that is being entered.
    pub(super) entry: TurnEntry,
    /// Position as entered.
    pub(super) shown: Game,
    /// Side of the player.
    pub(super) person: Side,
    /// Level of the engine.
    pub(super) level: Level,
    /// Board under the cursor.
    pub(super) board: usize,
    /// Hex under the cursor.
    pub(super) hex: Hex,
    /// Hexes to choose from.
    pub(super) aim: Option<Aim>,
    /// Pages over the boards, the uppermost last.
    pub(super) layers: Vec<Layer>,
    /// Latest news, on one line.
    pub(super) message: String,
    /// The turns so far in words.
    pub(super) turns: Vec<PlayedTurn>,
    /// Search that runs.
    pub(super) search: Option<RunningSearch>,
    /// Number of the next search.
    pub(super) next_search: u64,
    /// Lines of the turn that the engine proposed.
    pub(super) hint: Vec<String>,
    /// Clocks.
    pub(super) clocks: Clocks,
    /// File to which each turn is recorded as it is played.
    pub(super) record_file: Option<String>,
    /// Whether there is something that no file has.
    pub(super) unsaved: bool,
    /// Side that has given the game up.
    pub(super) resigned: Option<Side>,
    /// Whether the game has not begun, because a side has to be chosen.
    pub(super) waits: bool,
}

/// Beginning of a game at a terminal.
pub struct Beginning {
    /// Position.
    pub game: Game,
    /// Side of the player.
    pub person: Side,
    /// Level of the engine.
    pub level: Level,
    /// Time that each turn of the player may take.
    pub turn_time: Option<Duration>,
    /// File to which the game is recorded.
    pub record_file: Option<String>,
}

impl PlayState {
    /// Game that waits to be begun.
    pub fn new(beginning: Beginning) -> PlayState {
        let Beginning { game, person, level, turn_time, record_file } = beginning;
        PlayState {
            entry: TurnEntry::new(&game),
            shown: game.clone(),
            game,
            person,
            level,
            board: 0,
            hex: home(person),
            aim: None,
            layers: Vec::new(),
            message: String::new(),
            turns: Vec::new(),
            search: None,
            next_search: 0,
            hint: Vec::new(),
            clocks: Clocks { limit: turn_time, ..Clocks::default() },
            record_file,
            unsaved: false,
            resigned: None,
            waits: true,
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.game.state().is_over() || self.resigned.is_some()
    }

    /// Whether the player has the move.
    pub fn is_persons_turn(&self) -> bool {
        !self.waits && !self.is_over() && self.game.side_to_move() == self.person
    }

    /// The engine's side.
    pub fn engine_side(&self) -> Side {
        self.person.opponent()
    }

    /// The side whose cards are not shown: the engine's, until the game is over.
    pub fn hidden(&self) -> Option<Side> {
        (!self.is_over()).then_some(self.engine_side())
    }

    /// Position at the start of the turn, and the lines entered since.
    pub fn left(&self) -> (&Game, &[String]) {
        (&self.game, self.entry.lines())
    }

    /// Side that has given the game up.
    pub fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// Side of the player.
    pub fn person(&self) -> Side {
        self.person
    }

    /// Level of the engine.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether there is something that no file has.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved
    }

    /// Takes note that a file has everything.
    pub fn saved(&mut self) {
        self.unsaved = false;
    }

    /// File to which each turn is recorded.
    pub fn record_file(&self) -> Option<&str> {
        self.record_file.as_deref()
    }

    /// Takes note that turns are not recorded any more.
    pub fn stop_recording(&mut self) {
        self.record_file = None;
    }

    /// Tells the player something.
    pub fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    /// Puts a menu over the boards.
    pub(super) fn show_menu(&mut self, menu: Menu) {
        self.layers.push(Layer::Menu(menu));
    }

    /// Puts a page over the boards.
    pub(super) fn show_page(&mut self, page: Page) {
        self.layers.push(Layer::Page(page));
    }

    /// Empties the turn that is being entered.
    pub(super) fn clear_entry(&mut self) {
        self.entry = TurnEntry::new(&self.game);
        self.shown = self.game.clone();
        self.aim = None;
    }

    /// Adds a line to the turn; what is not legal changes nothing and is explained.
    pub(super) fn enter(&mut self, line: &str) -> bool {
        self.aim = None;
        match self.entry.add(line) {
            Ok(sentences) => {
                self.shown = self.entry.shown();
                self.unsaved = true;
                self.say(if sentences.is_empty() { line.to_owned() } else { sentences.join("; ") });
                true
            }
            Err(error) => {
                self.say(format!("not possible: {error}"));
                false
            }
        }
    }

    /// Takes the last action of the turn back.
    pub(super) fn undo(&mut self) {
        self.aim = None;
        match self.entry.undo() {
            Some(line) => {
                self.shown = self.entry.shown();
                let line = line.strip_prefix("action ").unwrap_or(&line).to_owned();
                self.say(format!("taken back: {line}"));
            }
            None => self.say("nothing to take back in this turn"),
        }
    }

    /// Lets time pass. True when the time of the player's turn is up.
    pub fn tick(&mut self, passed: Duration) -> bool {
        if self.waits || self.is_over() {
            return false;
        }
        let before = self.clocks.turn;
        self.clocks.turn += passed;
        self.clocks.total[self.game.side_to_move()] += passed;
        let is_up = |limit| before < limit && self.clocks.turn >= limit;
        self.is_persons_turn() && self.clocks.limit.is_some_and(is_up)
    }
}

/// Hex on which the necromancer of each side begins (rules §3).
const HOMES: SideArray<Hex> = SideArray::new(hex(2, 2), hex(7, 7));

const fn hex(x: u8, y: u8) -> Hex {
    Hex::at(x, y).expect("on the board")
}

/// Hex on which the necromancer of a side begins.
pub(super) fn home(side: Side) -> Hex {
    HOMES[side]
}
