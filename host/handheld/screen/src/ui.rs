//! State of the screen beside the game itself: the page, what is chosen on it, the cursor, the message.

use barrow_core::hex::Hex;
use barrow_core::minions::{Action, GameConfig, MapLabel, Ruleset, Side, Techline, UnitLabel};
use barrow_core::rng::Rng;
use heapless::{String, Vec};

use crate::aim::Aim;
use crate::buttons::Held;
use crate::level::Machine;

/// Page that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Page {
    /// Title.
    Title = 0,
    /// Rules in short.
    Rules = 1,
    /// Settings of a new game.
    NewGame = 2,
    /// The board.
    Board = 3,
    /// Menu of a turn.
    Menu = 4,
    /// Units to buy.
    Buy = 5,
    /// Units to place.
    Place = 6,
    /// Cards of the board and of the row.
    Cards = 7,
    /// Tech line.
    Techs = 8,
    /// Units of which one is kept after a reset.
    Keep = 9,
    /// All that may be done with a hex.
    Here = 10,
    /// Card of a unit.
    UnitCard = 11,
    /// Turn that the engine proposes.
    Hint = 12,
    /// Boards to resign.
    Resign = 13,
    /// Question whether the turn is to end.
    EndTurn = 14,
    /// Levels.
    Level = 15,
    /// Result.
    Result = 16,
    /// The opponent's last turn.
    LastTurn = 17,
}

impl Page {
    /// Pages in the order of their numbers.
    pub const ALL: [Page; 18] = [
        Page::Title,
        Page::Rules,
        Page::NewGame,
        Page::Board,
        Page::Menu,
        Page::Buy,
        Page::Place,
        Page::Cards,
        Page::Techs,
        Page::Keep,
        Page::Here,
        Page::UnitCard,
        Page::Hint,
        Page::Resign,
        Page::EndTurn,
        Page::Level,
        Page::Result,
        Page::LastTurn,
    ];

    /// Number of pages.
    pub const COUNT: usize = Page::ALL.len();
}

/// Rows of the settings of a new game before those of the maps.
pub(crate) const SETTING_ROWS: usize = 6;

/// Maps of a new game's boards at most, on machines with room for them; the same on all, as saved states are.
pub const MAX_BOARDS: usize = 8;

/// Settings of a new game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Number of the level.
    pub level: u8,
    /// Side of the player.
    pub person: Side,
    /// Number of boards.
    pub boards: u8,
    /// Maps of the boards, as numbers.
    pub maps: [u8; MAX_BOARDS],
    /// Whether there are spells: the ruleset `server` instead of `spooky`.
    pub spells: bool,
    /// Whether the tech line is shuffled.
    pub shuffled: bool,
    /// Seed of the decks and of the tech line.
    pub seed: u32,
}

impl Settings {
    /// Customary settings.
    pub const fn new(machine: &Machine) -> Settings {
        let mut maps = [0; MAX_BOARDS];
        let mut index = 0;
        while index < MAX_BOARDS {
            // The map without features comes last.
            maps[index] = (1 + index % (MapLabel::ALL.len() - 1)) as u8;
            index += 1;
        }
        Settings {
            level: machine.default_level,
            person: Side::Yellow,
            boards: if machine.max_boards < 2 { machine.max_boards } else { 2 },
            maps,
            spells: true,
            shuffled: false,
            seed: 1,
        }
    }

    /// Map of a board.
    pub fn map(&self, board: usize) -> MapLabel {
        let number = self.maps.get(board).copied().unwrap_or(0);
        MapLabel::ALL.get(usize::from(number)).copied().unwrap_or(MapLabel::AllLand)
    }

    /// Configuration of the game.
    pub fn config(&self) -> GameConfig {
        let ruleset = if self.spells { Ruleset::Server } else { Ruleset::Spooky };
        let mut maps: Vec<MapLabel, MAX_BOARDS, u8> = Vec::new();
        for board in 0..usize::from(self.boards) {
            let _ = maps.push(self.map(board));
        }
        let config = GameConfig::new(ruleset, &maps).unwrap_or_default();
        if self.shuffled {
            config.with_techline(Techline::random(&mut Rng::new(u64::from(self.seed) ^ 0x7ec5)))
        } else {
            config
        }
    }
}

/// Purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Purpose {
    /// The engine's turn.
    Turn = 0,
    /// A proposal for the player's turn, wanted now.
    Hint = 1,
    /// A proposal for the player's turn, searched while the player thinks.
    Ahead = 2,
}

/// Search that goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Purpose of the search.
    pub purpose: Purpose,
    /// Slices of work done.
    pub slices: u16,
    /// Whether the search has done all it is asked for.
    pub done: bool,
    /// Whether the player does not want to wait any longer.
    pub hurried: bool,
}

/// Bytes of a proposed turn at most; a longer one is cut.
pub const HINT_BYTES: usize = 800;

/// Longest message in bytes.
pub const MESSAGE_BYTES: usize = 110;

/// Message to the player.
pub type Message = String<MESSAGE_BYTES, u8>;

/// State of the screen beside the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ui {
    /// Page that is shown.
    pub page: Page,
    /// Page to return to from a unit's card.
    pub back: Page,
    /// Entry chosen on each page.
    pub chosen: [u8; Page::COUNT],
    /// Board that is shown.
    pub board: u8,
    /// Hex under the cursor.
    pub hex: Hex,
    /// Hexes to choose from.
    pub aim: Aim,
    /// Unit whose card is shown.
    pub unit: UnitLabel,
    /// Latest news.
    pub message: Message,
    /// Whether the message is about something that is not possible.
    pub refused: bool,
    /// Side of the player in the game.
    pub person: Side,
    /// Number of the engine's level in the game, which the player may change at any time.
    pub level: u8,
    /// Settings of the next game.
    pub settings: Settings,
    /// Input so far.
    pub held: Held,
    /// Frames since the machine was switched on, from which seeds come.
    pub frame: u32,
    /// Frames since the last input.
    pub idle: u16,
    /// Search that goes on.
    pub job: Option<Job>,
    /// Turn that the engine proposes, as entries.
    pub hint: Vec<u8, HINT_BYTES, u16>,
    /// Whether there is a game to go on with.
    pub in_game: bool,
    /// Whether the save memory has a game.
    pub is_saved: bool,
}

impl Ui {
    /// State when the machine is switched on.
    pub fn new(machine: &Machine) -> Ui {
        let settings = Settings::new(machine);
        Ui {
            page: Page::Title,
            back: Page::Board,
            chosen: [0; Page::COUNT],
            board: 0,
            hex: home(settings.person),
            aim: Aim::None,
            unit: UnitLabel::Zombie,
            message: Message::new(),
            refused: false,
            person: settings.person,
            level: settings.level,
            settings,
            held: Held::default(),
            frame: 0,
            idle: 0,
            job: None,
            hint: Vec::new(),
            in_game: false,
            is_saved: false,
        }
    }

    /// Entry chosen on the page that is shown.
    pub fn choice(&self) -> usize {
        self.chosen.get(self.page as usize).copied().map_or(0, usize::from)
    }

    /// Chooses an entry of the page that is shown.
    pub fn choose(&mut self, entry: usize) {
        if let Some(slot) = self.chosen.get_mut(self.page as usize) {
            *slot = entry.min(255) as u8;
        }
    }

    /// Shows a page from its first entry.
    pub fn open(&mut self, page: Page) {
        self.page = page;
        self.choose(0);
        self.forget_refusal();
    }

    /// Takes away what was said of something that is not possible: it is about another page or entry.
    pub fn forget_refusal(&mut self) {
        if self.refused {
            self.say("");
        }
    }

    /// Tells the player something.
    pub fn say(&mut self, message: &str) {
        self.message.clear();
        for letter in message.chars() {
            if self.message.push(letter).is_err() {
                break;
            }
        }
        self.refused = false;
    }

    /// Tells the player why something is not possible.
    pub fn refuse(&mut self, reason: &str) {
        self.say(reason);
        self.refused = true;
    }
}

/// Hex on which the necromancer of a side begins (rules §3).
pub fn home(side: Side) -> Hex {
    let at = match side {
        Side::Yellow => Hex::at(2, 2),
        Side::Blue => Hex::at(7, 7),
    };
    at.or(Hex::new(0)).unwrap_or(FIRST)
}

/// First hex of the board.
pub const FIRST: Hex = match Hex::new(0) {
    Some(hex) => hex,
    None => panic!("a board has hexes"),
};

/// Effect of choosing an entry of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Opens a page.
    Open(Page),
    /// Enters an action.
    Enter(Action),
    /// Lights hexes to choose from.
    Aim(Aim),
    /// Shows the card of a unit.
    Card(UnitLabel),
    /// Ends the turn.
    EndTurn,
    /// Takes the last action back.
    Undo,
    /// Takes the whole turn back.
    Clear,
    /// Asks the engine for a turn.
    AskHint,
    /// Plays the proposed turn.
    PlayHint,
    /// Makes the engine play what it has found.
    PlayNow,
    /// Resigns the game.
    ResignGame,
    /// Saves the game.
    Save,
    /// Loads the saved game.
    Load,
    /// Begins a game with the settings.
    Begin,
    /// Sets the level.
    SetLevel(u8),
    /// Line to read only.
    Nothing,
}
