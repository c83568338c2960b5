//! Menus, aims and pages: what the player may choose from, on a list or on a board, and what is only to be read.

use barrow_core::hex::Hex;

use super::level::Level;
use barrow_core::minions::{Side, UnitLabel};

/// Act that a choice leads to.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// Adds a line in UMI to the turn.
    Line(String),
    /// Lets the player choose a hex.
    Aim(Aim),
    /// Lets the player choose from a further list.
    Menu(Menu),
    /// Does what a key does.
    Do(Command),
}

/// Command of the player to the game as a whole.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Ends the turn.
    EndTurn,
    /// Ends the turn although nothing was done in it.
    EndTurnWithoutQuestion,
    /// Takes the last action back.
    Undo,
    /// Takes the turn so far back.
    Clear,
    /// Asks the engine what it would play.
    Hint,
    /// Replaces the turn so far by the hint.
    UseHint,
    /// Makes the engine play what it has found so far.
    PlayNow,
    /// Asks for the name of a file and saves the game.
    AskSave,
    /// Saves the game to a new file.
    Save(String),
    /// Saves the game to a file, which is replaced if it exists.
    SaveOver(String),
    /// Asks for the name of a file and goes on with its game.
    AskOpen,
    /// Goes on with the game of a file.
    Open(String),
    /// Asks whether to leave.
    AskQuit,
    /// Leaves, and saves what is not saved.
    SaveAndQuit,
    /// Leaves without saving.
    Quit,
    /// Shows the main menu.
    MainMenu,
    /// Asks which level the engine is to have.
    AskLevel,
    /// Changes the level of the engine.
    SetLevel(Level),
    /// Asks which side to play in a new game.
    AskNewGame,
    /// Begins a new game.
    NewGame(Side),
    /// Asks what to resign.
    AskResign,
    /// Resigns the game.
    ResignGame,
    /// Shows all turns in words.
    ShowTurns,
    /// Shows the whole position as text.
    ShowPosition,
    /// Shows the position at the start of the turn in FEN, which has the cards of both sides.
    ShowFen,
    /// Shows the help page.
    Help,
    /// Asks for a line.
    AskLine,
    /// Shows what may be done on the hex under the cursor.
    HexMenu,
    /// Shows the units for sale.
    BuyMenu,
    /// Shows what may be placed.
    PlaceMenu,
    /// Shows hand and row.
    CardMenu,
    /// Shows the tech line.
    TechMenu,
    /// Shows the units that may be kept.
    KeepMenu,
    /// Shows the card of the unit under the cursor.
    UnitCard,
    /// Does nothing, and so closes the menu.
    Close,
}

/// Choice of a list. One that is impossible says why.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// The choice in words.
    pub text: String,
    /// Act that it leads to, or why it is impossible.
    pub act: Result<Act, String>,
}

impl Item {
    /// Choice that is possible.
    pub fn new(text: impl Into<String>, act: Act) -> Item {
        Item { text: text.into(), act: Ok(act) }
    }

    /// Choice that leads to a command.
    pub fn command(text: impl Into<String>, command: Command) -> Item {
        Item::new(text, Act::Do(command))
    }
}

/// Menu: a list of which one is chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct Menu {
    /// Title.
    pub title: String,
    /// The choices; at least one.
    pub items: Vec<Item>,
    /// Index of the choice that Enter takes.
    pub chosen: usize,
    /// Whether Escape closes the menu.
    pub closes: bool,
}

impl Menu {
    /// Menu that Escape closes, with the first possible choice chosen.
    pub fn new(title: impl Into<String>, items: Vec<Item>) -> Menu {
        let chosen = items.iter().position(|item| item.act.is_ok()).unwrap_or(0);
        Menu { title: title.into(), items, chosen, closes: true }
    }

    /// Moves the choice by this many lines, up to the ends of the list.
    pub fn step(&mut self, lines: isize) {
        let last = self.items.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(lines).min(last);
    }
}

/// Kind of what a lit hex is for; boards mark each kind differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetKind {
    /// A hex to go to.
    Go,
    /// A piece to attack, or to be acted on.
    Hit,
}

/// Lit hex with what may be done there: one thing, or several to choose from.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// Hex.
    pub hex: Hex,
    /// Kind of the first of the items.
    pub kind: TargetKind,
    /// Items from top to bottom, possible or not.
    pub items: Vec<Item>,
}

/// Aim: hexes of a board of which the player chooses one.
#[derive(Clone, PartialEq, Debug)]
pub struct Aim {
    /// Board.
    pub board: usize,
    /// The piece that acts.
    pub from: Option<Hex>,
    /// Question to be answered, in words.
    pub prompt: String,
    /// The legal targets.
    pub targets: Vec<Target>,
    /// Unit that is placed; when one is, the next is aimed with at once.
    pub places: Option<UnitLabel>,
}

impl Aim {
    /// Aim without targets yet.
    pub fn new(board: usize, from: Option<Hex>, prompt: impl Into<String>) -> Aim {
        Aim { board, from, prompt: prompt.into(), targets: Vec::new(), places: None }
    }

    /// Adds what may be done on a hex.
    pub fn add(&mut self, hex: Hex, kind: TargetKind, item: Item) {
        match self.targets.iter_mut().find(|target| target.hex == hex) {
            Some(target) => target.items.push(item),
            None => self.targets.push(Target { hex, kind, items: vec![item] }),
        }
    }

    /// The next lit hex, row by row after this one, and after the last the first.
    pub(crate) fn next_after(&self, hex: Hex) -> Option<Hex> {
        let hexes = || self.targets.iter().map(|target| target.hex);
        let after = hexes().filter(|other| other.index() > hex.index());
        after.min_by_key(|hex| hex.index()).or_else(|| hexes().min_by_key(|hex| hex.index()))
    }

    /// The target on a hex.
    pub fn target(&self, hex: Hex) -> Option<&Target> {
        self.targets.iter().find(|target| target.hex == hex)
    }
}

/// Page to read, which scrolls.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Page {
    /// Title.
    pub title: String,
    /// Lines.
    pub lines: Vec<String>,
    /// First line that is shown, if so many fit.
    pub top: usize,
    /// Effect of Enter beside closing the page.
    pub enter: Option<Command>,
}

impl Page {
    /// Page that Enter closes.
    pub(super) fn new(title: impl Into<String>, text: &str) -> Page {
        let lines = text.lines().map(str::to_owned).collect();
        Page { title: title.into(), lines, top: 0, enter: None }
    }

    /// Scrolls by this many lines.
    pub(super) fn scroll(&mut self, lines: isize) {
        let last = self.lines.len().saturating_sub(1);
        self.top = self.top.saturating_add_signed(lines).min(last);
    }
}
